"""Loops and sequences as machine code give the bits that the kernels give, and can be interrupted."""

from __future__ import annotations

import gc
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import shlo
from shlo.interpreter.jit import codegen
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime import tiers
from shlo.interpreter.runtime.tiers import COSTS, Form, Policy, TierCost, use_policy
from shlo.ir.operations import Module
from tests.interpreter.elementwise_cases import (
    FLOATS,
    OF_FLOATS,
    TYPES,
    Operation,
    arguments_of,
    bits,
    cases,
    types_of,
)
from tests.interpreter.policies import FREE
from tests.jax_programs import RUNNABLE, Program, program_id

pytest.importorskip("llvmlite")

from shlo.interpreter.jit import native_loop as loop
from shlo.interpreter.loops import emitter, statements


@contextmanager
def machine_code(used: bool) -> Iterator[None]:
    """Loops run as machine code at once, sequences of any size once functions are generated, or never. Code
    is optimized when it has run once."""
    costs: dict[Form, TierCost] = {
        **COSTS,
        "source": FREE["source"],
        "loop": FREE["loop"],
        "sequence": FREE["sequence"],
        "optimized": FREE["optimized"],
    }
    refused = frozenset[Form](() if used else ("loop", "sequence"))
    now = replace(tiers.policy(), costs=costs, refused=refused, sequence_seconds=0.0, in_background=False)
    with use_policy(now):
        yield


def loops_of(module: Module) -> list[loop.NativeLoop]:
    return [value for value in program_of(module).namespace.values() if isinstance(value, loop.NativeLoop)]


def both(text: str, arguments: list[Any], must_compile: bool = True) -> tuple[list[Any], list[Any]]:
    """The results of a program with machine code, the same before and after it is optimized, and without."""
    results: list[list[Any]] = []
    for used in (True, False):
        with machine_code(used):
            module = shlo.parse(text)
            results.append(list(shlo.run(module, *arguments)))
            assert not must_compile or any(each.tier.code is not None for each in loops_of(module)) is used
            if any(each.tier.code is not None for each in loops_of(module)):
                optimized = shlo.run(module, *arguments)
                assert list(map(bits, optimized)) == list(map(bits, results[-1]))
    return results[0], results[1]


def looped(operations: list[Operation], shape: str) -> str:
    """A loop of four rounds that computes operations; the first two are not machine code. Operands of a type
    are the first arguments of that type, those after them the initial values of the results.
    """
    types = types_of(operations)
    given = ", ".join(f"%{type_}_{place}: tensor<{shape}{type_}>" for type_, place in types)
    results = [f"tensor<{shape}{result}>" for _, _, result in operations]
    starts = ", ".join(f"%start{number}: {result}" for number, result in enumerate(results))
    carried = ", ".join(f"%x{number} = %start{number}" for number in range(len(operations)))
    lines: list[str] = []
    for number, (name, operands, result) in enumerate(operations):
        opcode, _, attributes = name.partition(" ")
        values = ", ".join(f"%{type_}_{place}" for place, type_ in enumerate(operands))
        signature = (
            f"({', '.join(f'tensor<{shape}{type_}>' for type_ in operands)}) -> tensor<{shape}{result}>"
        )
        lines.append(f'    %y{number} = "stablehlo.{opcode}"({values}) {attributes} : {signature}')
    computed, all_results = ", ".join(f"%y{number}" for number in range(len(results))), ", ".join(results)
    returned = ", ".join(f"%r#{number + 1}" for number in range(len(results)))
    return f"""func.func @main({given}, {starts}) -> ({all_results}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:{len(results) + 1} = stablehlo.while(%i = %zero, {carried}) : tensor<i32>, {all_results}
  cond {{
    %c = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
{chr(10).join(lines)}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, {computed} : tensor<i32>, {all_results}
  }}
  return {returned} : {all_results}
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("element", TYPES)
def test_elementwise_operations_give_the_kernels_bits(element: str) -> None:
    operations = [case for case in cases() if case[1][-1] == element]
    got, want = both(looped(operations, "120x"), arguments_of(operations, 120))
    wrong = [case for case, one, other in zip(operations, got, want) if bits(one) != bits(other)]
    assert wrong == []


@pytest.mark.parametrize("element", FLOATS)
def test_functions_of_single_numbers_give_the_kernels_bits(element: str) -> None:
    operations: list[Operation] = [(name, [element], element) for name in OF_FLOATS.split()]
    operations += [(name, [element] * 2, element) for name in ("atan2", "remainder", "maximum")]
    text, arguments = looped(operations, ""), arguments_of(operations, 120)
    results: list[list[list[bytes]]] = []
    for used in (True, False):
        with machine_code(used):
            module = shlo.parse(text)
            results.append([list(map(bits, shlo.run(module, *numbers))) for numbers in zip(*arguments)])
            assert any(each.tier.code is not None for each in loops_of(module)) is used
    assert results[0] == results[1]


NESTED = """
func.func private @next(%x: tensor<i32>, %table: tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %place = stablehlo.and %x, %three : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %old = stablehlo.dynamic_slice %table, %place, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  %new = stablehlo.add %old, %one : tensor<1xi32>
  %after = stablehlo.dynamic_update_slice %table, %new, %place
    : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
  %reversed = stablehlo.reverse %after, dims = [0] : tensor<4xi32>
  %number = stablehlo.reshape %new : (tensor<1xi32>) -> tensor<i32>
  %sum = stablehlo.add %x, %number : tensor<i32>
  return %sum, %reversed : tensor<i32>, tensor<4xi32>
}
func.func @main(%n: tensor<i32>, %table: tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %x = %zero, %a = %table, %b = %table)
    : tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s:3 = stablehlo.while(%j = %zero, %y = %x, %t = %a) : tensor<i32>, tensor<i32>, tensor<4xi32>
    cond {
      %c = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %z, %u = func.call @next(%y, %t) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %z, %u : tensor<i32>, tensor<i32>, tensor<4xi32>
    }
    %two = stablehlo.constant dense<2> : tensor<i32>
    %place = stablehlo.remainder %i, %two : tensor<i32>
    %chosen = "stablehlo.case"(%place) ({
      stablehlo.return %b : tensor<4xi32>
    }, {
      %more = stablehlo.add %b, %s#2 : tensor<4xi32>
      stablehlo.return %more : tensor<4xi32>
    }) : (tensor<i32>) -> tensor<4xi32>
    %m = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %m, %s#1, %chosen, %s#2 : tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2, %r#3 : tensor<i32>, tensor<4xi32>, tensor<4xi32>
}
"""


COMPOSED = """
func.func @main(%p: tensor<f32>, %x: tensor<3x5xf32>, %n: tensor<3x5xi32>)
    -> (tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<3xi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %columns = stablehlo.constant dense<0.0> : tensor<5xf32>
  %rows = stablehlo.constant dense<0> : tensor<3xi32>
  %r:7 = stablehlo.while(%i = %zero, %a = %p, %b = %zero, %c = %p, %d = %columns, %e = %rows, %f = %zero)
    : tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<3xi32>, tensor<i32>
  cond {
    %g = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  } do {
    %inverse = chlo.erf_inv %p : tensor<f32> -> tensor<f32>
    %bits = stablehlo.bitcast_convert %p : (tensor<f32>) -> tensor<i32>
    %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0, 1]
      : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %min = stablehlo.reduce(%x init: %most) applies stablehlo.minimum across dimensions = [0]
      : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %sums = stablehlo.reduce(%n init: %one) applies stablehlo.add across dimensions = [1]
      : (tensor<3x5xi32>, tensor<i32>) -> tensor<3xi32>
    %product = stablehlo.reduce(%n init: %one) applies stablehlo.multiply across dimensions = [1, 0]
      : (tensor<3x5xi32>, tensor<i32>) -> tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %inverse, %bits, %max, %min, %sums, %product
      : tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<3xi32>, tensor<i32>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5, %r#6
    : tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<3xi32>, tensor<i32>
}
"""


def test_composed_functions_and_exact_reductions_give_the_kernels_bits() -> None:
    generator = np.random.default_rng(3)
    places = [0.0, -0.0, 1.0, -1.0, 1.5, np.nan, 0.9965, 0.9967, -0.99999, *generator.uniform(-1, 1, 60)]
    special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf], np.float32)
    arrays = [np.resize(generator.permutation(special), (3, 5)) for _ in places[::2]]
    arrays += [generator.standard_normal((3, 5)).astype(np.float32) for _ in places[1::2]]
    integers = generator.integers(-(2**31), 2**31, (len(places), 3, 5)).astype(np.int32)
    results: list[list[list[bytes]]] = []
    for used in (True, False):
        with machine_code(used):
            module = shlo.parse(COMPOSED)
            runs = [shlo.run(module, np.float32(p), x, n) for p, x, n in zip(places, arrays, integers)]
            results.append([list(map(bits, run)) for run in runs])
            assert any(each.tier.code is not None for each in loops_of(module)) is used
    assert results[0] == results[1]


@pytest.mark.parametrize("work", [1, 40, Policy().pause_work])
def test_code_that_pauses_goes_on_where_it_was(work: int) -> None:
    with use_policy(Policy(pause_work=work)):
        got, want = both(NESTED, [np.int32(20), np.array([5, 0, 7, 1], np.int32)])
    assert list(map(bits, got)) == list(map(bits, want))


def loop_of_two(operation: str, types: tuple[str, str, str]) -> str:
    """A loop of four rounds that applies an operation to `%x` and `%y`."""
    first, second, result = (f"tensor<{type_}>" for type_ in types)
    return f"""
func.func @main(%x: {first}, %y: {second}, %start: {result}) -> {result} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %z = %start) : tensor<i32>, {result}
  cond {{
    %c = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %w = stablehlo.{operation} : ({first}, {second}) -> {result}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, {result}
  }}
  return %r#1 : {result}
}}
"""


DOTS = [
    ("contracting_dims = [1] x [0]", (5, 7), (7, 3), (5, 3)),
    ("contracting_dims = [0] x [0]", (7, 5), (7, 3), (5, 3)),
    ("contracting_dims = [1] x [1]", (5, 7), (3, 7), (5, 3)),
    ("contracting_dims = [0] x [0]", (9,), (9,), ()),
    ("contracting_dims = [1] x [0]", (33, 17), (17,), (33,)),
    ("batching_dims = [0] x [0], contracting_dims = [2] x [1]", (4, 5, 7), (4, 7, 3), (4, 5, 3)),
    ("batching_dims = [0] x [0], contracting_dims = [2] x [2]", (4, 5, 7), (4, 3, 7), (4, 5, 3)),
    ("contracting_dims = [1] x [0]", (8, 64), (64, 256), (8, 256)),
    ("contracting_dims = [1] x [1]", (8, 256), (64, 256), (8, 64)),
    ("contracting_dims = [0] x [0]", (8, 256), (8, 64), (256, 64)),
]
SUMS = [((300,), [0], ()), ((4, 200), [1], (4,)), ((200, 4), [0], (4,)), ((3, 5, 7), [0, 1, 2], ())]
SUMS += [((8, 256), [0], (256,)), ((70, 3, 43), [0], (3, 43)), ((1, 256), [0], (256,))]
SUMS += [((3, 1, 900), [1], (3, 900)), ((1, 1), [0, 1], ())]


def typed(shape: tuple[int, ...], element: str) -> str:
    return "".join(f"{size}x" for size in shape) + element


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(("dimensions", "left", "right", "result"), DOTS)
def test_products_have_the_kernels_bits(
    dimensions: str,
    left: tuple[int, ...],
    right: tuple[int, ...],
    result: tuple[int, ...],
    element: str,
) -> None:
    generator = np.random.default_rng(1)
    arrays = [generator.standard_normal(shape).astype(FLOATS[element]) for shape in (left, right, result)]
    types = typed(left, element), typed(right, element), typed(result, element)
    got, want = both(loop_of_two(f"dot_general %x, %y, {dimensions}", types), arrays)
    assert bits(got[0]) == bits(want[0])


def test_products_of_matrices_do_not_depend_on_how_operands_lie() -> None:
    generator = np.random.default_rng(2)
    left, right = generator.standard_normal((8, 64)), generator.standard_normal((64, 256))
    columns = [np.asfortranarray(left), np.asfortranarray(right)]
    text = loop_of_two(
        "dot_general %x, %y, contracting_dims = [1] x [0]", ("8x64xf64", "64x256xf64", "8x256xf64")
    )
    start = np.zeros((8, 256))
    given = [both(text, [*operands, start]) for operands in ([left, right], columns)]
    assert len({bits(results[0]) for pair in given for results in pair}) == 1


STACKED = """
func.func @main(%w: tensor<64x256xf32>, %h: tensor<8x64xf32>, %rows: tensor<40x8x64xf32>) -> (RESULTS) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %forty = stablehlo.constant dense<40> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %s = %h, %a = %rows, %b = %rows)
    : tensor<i32>, tensor<8x64xf32>, tensor<40x8x64xf32>, tensor<40x8x64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %p = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0]
      : (tensor<8x64xf32>, tensor<64x256xf32>) -> tensor<8x256xf32>
    %q = stablehlo.tanh %p : tensor<8x256xf32>
    %t = stablehlo.slice %q [0:8, 64:128] : (tensor<8x256xf32>) -> tensor<8x64xf32>
    %new = stablehlo.reshape %t : (tensor<8x64xf32>) -> tensor<1x8x64xf32>
    %u = stablehlo.dynamic_update_slice %a, %new, %i, %zero, %zero : (tensor<40x8x64xf32>,
      tensor<1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x8x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t, RETURNED : tensor<i32>, tensor<8x64xf32>, tensor<40x8x64xf32>,
      tensor<40x8x64xf32>
  }
  return %r#1, %r#2, %r#3 : RESULTS
}
""".replace("RESULTS", "tensor<8x64xf32>, tensor<40x8x64xf32>, tensor<40x8x64xf32>")


@pytest.mark.parametrize(("returned", "is_compiled"), [("%u, %b", True), ("%b, %u", False)])
def test_loops_that_collect_rows_in_large_arrays_are_machine_code(returned: str, is_compiled: bool) -> None:
    generator = np.random.default_rng(3)
    shapes = (64, 256), (8, 64), (40, 8, 64)
    arguments = [generator.standard_normal(shape).astype(np.float32) for shape in shapes]
    given = arguments[2].copy()
    text = STACKED.replace("RETURNED", returned)
    got, want = both(text, arguments, must_compile=is_compiled)
    assert list(map(bits, got)) == list(map(bits, want))
    assert bits(arguments[2]) == bits(given)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(("shape", "dimensions", "result"), SUMS)
def test_sums_of_floats_have_the_kernels_bits(
    shape: tuple[int, ...],
    dimensions: list[int],
    result: tuple[int, ...],
    element: str,
) -> None:
    generator = np.random.default_rng(1)
    arrays = [generator.standard_normal(each).astype(FLOATS[element]) for each in (shape, (), result)]
    operation = f"reduce(%x init: %y) applies stablehlo.add across dimensions = {dimensions}"
    text = loop_of_two(operation, (typed(shape, element), element, typed(result, element)))
    got, want = both(text, arrays)
    assert bits(got[0]) == bits(want[0])


ENDLESS = looped([("add", ["i32", "i32"], "i32")], "").replace(
    "%j = stablehlo.add %i, %one", "%j = stablehlo.add %i, %zero"
)


def test_an_endless_loop_ends_with_an_interrupt() -> None:
    with machine_code(used=True):
        module = shlo.parse(ENDLESS)

        def interrupt() -> None:
            deadline = time.monotonic() + 20
            while (
                not any(each.tier.code is not None for each in loops_of(module))
                and time.monotonic() < deadline
            ):
                time.sleep(0.01)
            signal.raise_signal(signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        gc.disable()  # JAX's callback there would swallow the only interrupt
        try:
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                shlo.run(module, np.int32(1), np.int32(2), np.int32(3))
        finally:
            gc.enable()
        thread.join()


def test_a_loop_with_an_operation_that_has_no_machine_code_goes_on_in_python() -> None:
    text = looped([("power", ["i32", "i32"], "i32")], "2x")
    base, exponent = np.array([3, -2], np.int32), np.array([4, 5], np.int32)
    got, want = both(text, [base, exponent, base], must_compile=False)
    assert got[0].tolist() == want[0].tolist() == [81, -32]


@pytest.mark.parametrize("exponent", [-1.0, 0.5, 2.0])
@pytest.mark.parametrize("shape", ["", "3x"])
def test_powers_of_one_exponent_are_the_kernels(exponent: float, shape: str) -> None:
    text = looped([("power", ["f32", "f32"], "f32")], shape).replace(f"%f32_1: tensor<{shape}f32>, ", "")
    text = text.replace(
        "%zero =", f"%f32_1 = stablehlo.constant dense<{exponent}> : tensor<{shape}f32>\n  %zero =", 1
    )
    base = np.array([0.1, -np.inf, -0.0], np.float32)
    for numbers in base if not shape else [base]:
        got, want = both(text, [numbers, np.zeros_like(numbers)], must_compile=False)
        assert bits(got[0]) == bits(want[0])


SCATTERED = """
func.func @main(%n: tensor<i32>, %table: tensor<4xi32>, %at: tensor<1xui64>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %window = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %t = %table) : tensor<i32>, tensor<4xi32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %u = "stablehlo.scatter"(%t, %at, %window) <{
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      stablehlo.return %y : tensor<i32>
    }) : (tensor<4xi32>, tensor<1xui64>, tensor<2xi32>) -> tensor<4xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}
"""


def test_starts_beyond_any_array_do_not_wrap_into_it() -> None:
    arguments = [np.int32(3), np.zeros(4, np.int32), np.array([2**64 - 1], np.uint64)]
    got, want = both(SCATTERED, arguments, must_compile=False)
    assert got[0].tolist() == want[0].tolist() == [0, 0, 0, 0]


def test_bits_of_a_nan_that_is_only_moved_stay() -> None:
    text = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %d = %x)
    : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %nan = stablehlo.constant dense<0x7FA00002> : tensor<f32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %a, %nan : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %p = stablehlo.bitcast_convert %r#1 : (tensor<f32>) -> tensor<i32>
  %q = stablehlo.bitcast_convert %r#3 : (tensor<f32>) -> tensor<i32>
  return %p, %q : tensor<i32>, tensor<i32>
}
"""
    signalling = np.array(0x7FA00001, np.int32).view(np.float32)
    got, want = both(text, [np.int32(4), signalling])
    assert [int(each) for each in got] == [int(each) for each in want] == [0x7FA00001, 0x7FA00002]


def test_a_large_value_of_a_branch_that_is_not_taken_is_not_made() -> None:
    text = """
func.func @main(%n: tensor<i32>, %no: tensor<i1>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %step = "stablehlo.if"(%no) ({
      %many = stablehlo.iota dim = 0 : tensor<1000000000000xi32>
      %few = stablehlo.slice %many [0:1] : (tensor<1000000000000xi32>) -> tensor<1xi32>
      %first = stablehlo.reshape %few : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %first : tensor<i32>
    }, {
      stablehlo.return %one : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
    got, want = both(text, [np.int32(5), np.bool_(False)], must_compile=False)
    assert int(got[0]) == int(want[0]) == 5


def test_what_compiling_takes_is_no_work_of_the_loop_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(tiers, "thread_time", lambda: now)
    start = tiers.work_seconds()
    now += 1
    with tiers.uncounted():
        now += 10
        with tiers.uncounted():
            now += 100
        now += 1000
    now += 2
    assert tiers.work_seconds() - start == pytest.approx(3)  # from what other tests have taken on


def test_a_program_that_is_run_again_and_again_gets_machine_code_sooner() -> None:
    module = shlo.parse(looped([("add", ["i32", "i32"], "i32")], ""))
    seconds = 1e6
    dear = Policy({**COSTS, "source": TierCost(0.0), "loop": TierCost(seconds)})
    with use_policy(dear):
        for _ in range(int(dear.sooner)):
            shlo.run(module, np.int32(1), np.int32(2), np.int32(3))
        assert not any(native.tier.code is not None for native in loops_of(module))
        for native in loops_of(module):
            native.tier.spent = seconds / dear.sooner
        shlo.run(module, np.int32(1), np.int32(2), np.int32(3))
    assert any(native.tier.code is not None for native in loops_of(module))


Run = Callable[[Module, list[Any]], tuple[Any, ...]]


@pytest.mark.slow
@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_all_tiers_give_the_same_bits(program: Program) -> None:
    """Loops of machine code, then sequences; generated Python; one operation at a time, as under a limit."""
    text, arguments = program.text(), program.arguments
    got, want = both(text, arguments, must_compile=False)
    stepped = shlo.run(shlo.parse(text), *arguments, max_steps=10**9)
    assert list(map(bits, got)) == list(map(bits, want)) == list(map(bits, stepped))
    assert list(map(bits, by_sequences(text, arguments))) == list(map(bits, stepped))


def by_sequences(text: str, arguments: Sequence[Any]) -> Sequence[Any]:
    """The results of a run in which the functions that are called are generated with sequences."""
    with machine_code(used=True):
        module = shlo.parse(text)
        runs = [shlo.run(module, *arguments) for _ in range(4)]
    assert program_of(module).function("main").sequences_due is None
    return runs[-1]


def choosing(type_: str, direction: str) -> str:
    """A loop over [5, 4, 3] that reduces each [4, 3] along the first dimension to values and indices."""
    is_float = type_.startswith("f")
    kind = "FLOAT" if is_float else "SIGNED"
    wins = f"""%gt = stablehlo.compare {direction}, %a, %b, {kind} : ({{s}}, {{s}}) -> tensor<i1>
        %nan = stablehlo.compare NE, %a, %a, {kind} : ({{s}}, {{s}}) -> tensor<i1>
        %win = stablehlo.or %gt, %nan : tensor<i1>"""
    if not is_float:
        wins = f"%win = stablehlo.compare {direction}, %a, %b, {kind} : ({{s}}, {{s}}) -> tensor<i1>"
    scalar, matrix, row, places = (
        f"tensor<{type_}>",
        f"tensor<4x3x{type_}>",
        f"tensor<3x{type_}>",
        "tensor<3xi32>",
    )
    return f"""func.func @main(%x: tensor<5x4x3x{type_}>, %none: {scalar}, %r0: {row}, %p0: {places})
        -> (tensor<5x3x{type_}>, tensor<5x3xi32>) {{
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %v0 = stablehlo.broadcast_in_dim %r0, dims = [1] : ({row}) -> tensor<5x3x{type_}>
    %w0 = stablehlo.broadcast_in_dim %p0, dims = [1] : ({places}) -> tensor<5x3xi32>
    %r:3 = stablehlo.while(%i = %i0, %v = %v0, %w = %w0)
        : tensor<i32>, tensor<5x3x{type_}>, tensor<5x3xi32>
    cond {{
      %end = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 4, 3]
        : (tensor<5x4x3x{type_}>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3x{type_}>
      %m = stablehlo.reshape %s : (tensor<1x4x3x{type_}>) -> {matrix}
      %places = stablehlo.iota dim = 0 : tensor<4x3xi32>
      %best:2 = stablehlo.reduce(%m init: %none), (%places init: %zero) across dimensions = [0]
        : ({matrix}, tensor<4x3xi32>, {scalar}, tensor<i32>) -> ({row}, {places})
       reducer(%a: {scalar}, %b: {scalar}) (%at: tensor<i32>, %other: tensor<i32>) {{
        {wins.format(s=scalar)}
        %eq = stablehlo.compare EQ, %a, %b, {kind} : ({scalar}, {scalar}) -> tensor<i1>
        %lt = stablehlo.compare LT, %at, %other, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %tie = stablehlo.and %eq, %lt : tensor<i1>
        %first = stablehlo.or %win, %tie : tensor<i1>
        %value = stablehlo.select %win, %a, %b : tensor<i1>, {scalar}
        %place = stablehlo.select %first, %at, %other : tensor<i1>, tensor<i32>
        stablehlo.return %value, %place : {scalar}, tensor<i32>
      }}
      %row = stablehlo.reshape %best#0 : ({row}) -> tensor<1x3x{type_}>
      %put = stablehlo.dynamic_update_slice %v, %row, %i, %zero
        : (tensor<5x3x{type_}>, tensor<1x3x{type_}>, tensor<i32>, tensor<i32>) -> tensor<5x3x{type_}>
      %row_at = stablehlo.reshape %best#1 : ({places}) -> tensor<1x3xi32>
      %put_at = stablehlo.dynamic_update_slice %w, %row_at, %i, %zero
        : (tensor<5x3xi32>, tensor<1x3xi32>, tensor<i32>, tensor<i32>) -> tensor<5x3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %put, %put_at : tensor<i32>, tensor<5x3x{type_}>, tensor<5x3xi32>
    }}
    return %r#1, %r#2 : tensor<5x3x{type_}>, tensor<5x3xi32> }}"""


@pytest.mark.parametrize("direction", ["GT", "LT"])
@pytest.mark.parametrize("type_", ["f32", "f64", "i32"])
def test_argmax_and_argmin_choose_the_same_elements(type_: str, direction: str) -> None:
    dtype = np.dtype({"f32": "f4", "f64": "f8", "i32": "i4"}[type_])
    x = np.random.default_rng(5).integers(-2, 3, (5, 4, 3)).astype(dtype)
    none: Any = np.iinfo(dtype).min if dtype.kind == "i" else -np.inf
    if dtype.kind == "f":
        x[x == 1] = -0.0
        x[3, 1:, 0] = np.nan
        x[4] = none
    row, places = np.zeros(3, dtype), np.zeros(3, np.int32)
    for initial in (none, 0, 2) if dtype.kind == "i" else (none, np.nan, -0.0, 0.0, 2):
        arguments = [x, dtype.type(initial), row, places]
        native, in_python = both(choosing(type_, direction), arguments)
        assert list(map(bits, native)) == list(map(bits, in_python))


RESHAPED_PLACES = """func.func @main(%x: tensor<3x2xi32>, %none: tensor<i32>) -> tensor<3xi32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %start = stablehlo.constant dense<7> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %at = %start) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %iota = stablehlo.iota dim = 1 : tensor<2x3xi32>
      %places = stablehlo.reshape %iota : (tensor<2x3xi32>) -> tensor<3x2xi32>
      %best:2 = stablehlo.reduce(%x init: %none), (%places init: %zero) across dimensions = [1]
        : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
       reducer(%a: tensor<i32>, %b: tensor<i32>) (%at_a: tensor<i32>, %at_b: tensor<i32>) {
        %win = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %eq = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %lt = stablehlo.compare LT, %at_a, %at_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %tie = stablehlo.and %eq, %lt : tensor<i1>
        %first = stablehlo.or %win, %tie : tensor<i1>
        %value = stablehlo.select %win, %a, %b : tensor<i1>, tensor<i32>
        %place = stablehlo.select %first, %at_a, %at_b : tensor<i1>, tensor<i32>
        stablehlo.return %value, %place : tensor<i32>, tensor<i32>
      }
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %best#1 : tensor<i32>, tensor<3xi32>
    }
    return %r#1 : tensor<3xi32> }"""


def test_an_argmax_takes_indices_as_a_reshape_leaves_them() -> None:
    """They are [[0, 1], [2, 0], [1, 2]]: the least of equal values is not at the first place."""
    arguments = [np.ones((3, 2), np.int32), np.int32(0)]
    native, in_python = both(RESHAPED_PLACES, arguments, must_compile=False)
    assert native[0].tolist() == in_python[0].tolist() == [0, 0, 1]


LEAVING = """
func.func private @turned(%x: tensor<65x63xf32>) -> tensor<63x65xf32> {
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<65x63xf32>) -> tensor<63x65xf32>
  return %y : tensor<63x65xf32>
}
func.func @main(%x: tensor<65x63xf32>, %i: tensor<i32>, %none: tensor<0x3xf32>) -> (tensor<63x65xf32>,
    tensor<63x40xf32>, tensor<63x40xf32>, tensor<4095xf32>, tensor<4095xf32>, tensor<3x0xf32>, tensor<4095xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %new = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %sum = stablehlo.add %x, %x : tensor<65x63xf32>
  %view = stablehlo.transpose %sum, dims = [1, 0] : (tensor<65x63xf32>) -> tensor<63x65xf32>
  %part = stablehlo.slice %sum [0:65, 0:40] : (tensor<65x63xf32>) -> tensor<65x40xf32>
  %twice = stablehlo.multiply %x, %sum : tensor<65x63xf32>
  %large = stablehlo.dot_general %view, %part, contracting_dims = [1] x [0]
    : (tensor<63x65xf32>, tensor<65x40xf32>) -> tensor<63x40xf32>
  %turned = func.call @turned(%twice) : (tensor<65x63xf32>) -> tensor<63x65xf32>
  %other = stablehlo.dot_general %turned, %part, contracting_dims = [1] x [0]
    : (tensor<63x65xf32>, tensor<65x40xf32>) -> tensor<63x40xf32>
  %line = stablehlo.reshape %twice : (tensor<65x63xf32>) -> tensor<4095xf32>
  %again = stablehlo.reshape %line : (tensor<4095xf32>) -> tensor<65x63xf32>
  %written = stablehlo.dynamic_update_slice %again, %new, %i, %zero
    : (tensor<65x63xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<65x63xf32>
  %flat = stablehlo.reshape %written : (tensor<65x63xf32>) -> tensor<4095xf32>
  %empty = stablehlo.transpose %none, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %given = stablehlo.reshape %x : (tensor<65x63xf32>) -> tensor<4095xf32>
  return %view, %large, %other, %line, %flat, %empty, %given : tensor<63x65xf32>, tensor<63x40xf32>,
    tensor<63x40xf32>, tensor<4095xf32>, tensor<4095xf32>, tensor<3x0xf32>, tensor<4095xf32>
}
"""


@pytest.mark.parametrize("index", [-(2**31), 3, 2**31 - 1])
def test_values_that_leave_sequences_lie_as_those_of_kernels(index: int) -> None:
    x = np.random.default_rng(4).standard_normal((65, 63)).astype(np.float32)
    given = x.copy()
    arguments = [given, np.int32(index), np.empty((0, 3), np.float32)]
    results = by_sequences(LEAVING, arguments)
    stepped = shlo.run(shlo.parse(LEAVING), *arguments, max_steps=10**9)
    assert list(map(bits, results)) == list(map(bits, stepped))
    assert bits(given) == bits(x)


def test_functions_called_often_are_generated_with_sequences() -> None:
    module, x = shlo.parse(LEAVING), np.ones((65, 63), np.float32)
    function = program_of(module).function("main")
    due: list[bool] = []
    with use_policy(Policy({**COSTS, "source": TierCost(0.0), "sequence": TierCost(1e-4, 1e-6)})):
        for _ in range(300):
            shlo.run(module, x, np.int32(1), np.empty((0, 3), np.float32))
            due.append(function.sequences_due is not None)
    assert not due[0]
    assert due[1]
    assert not due[-1]


WAITING = """
func.func private @next(%x: tensor<Nxf32>, %y: tensor<Nxf32>) -> (tensor<Nxf32>, tensor<Nxf32>) {
  %sum = stablehlo.add %x, %y : tensor<Nxf32>
  %product = stablehlo.multiply %sum, %x : tensor<Nxf32>
  return %sum, %product : tensor<Nxf32>, tensor<Nxf32>
}
func.func @main(%n: tensor<i32>, %a0: tensor<Nxf32>, %b0: tensor<Nxf32>, %m0: tensor<Nxi32>)
    -> (tensor<Nxf32>, tensor<Nxf32>, tensor<Nxi32>, tensor<i32>, tensor<i32>, tensor<i1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %f = stablehlo.constant dense<0.75> : tensor<1xf32>
  %r:7 = stablehlo.while(%i = %zero, %a = %a0, %b = %b0, %m = %m0, %t = %zero, %u = %zero, %any = %false)
    : tensor<i32>, tensor<Nxf32>, tensor<Nxf32>, tensor<Nxi32>, tensor<i32>, tensor<i32>, tensor<i1>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %rounds = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<Nxi32>
    %twos = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<i32>) -> tensor<Nxi32>
    %rest = stablehlo.remainder %rounds, %twos : tensor<Nxi32>
    %is_odd = stablehlo.compare EQ, %rest, %twos : (tensor<Nxi32>, tensor<Nxi32>) -> tensor<Nxi1>
    %s:2 = func.call @next(%a, %b) : (tensor<Nxf32>, tensor<Nxf32>) -> (tensor<Nxf32>, tensor<Nxf32>)
    %is_less = stablehlo.compare LT, %s#0, %a : (tensor<Nxf32>, tensor<Nxf32>) -> tensor<Nxi1>
    %chosen = stablehlo.select %is_less, %s#1, %a : tensor<Nxi1>, tensor<Nxf32>
    %read = stablehlo.subtract %m, %rest : tensor<Nxi32>
    %new = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %written = stablehlo.dynamic_update_slice %m, %new, %i
      : (tensor<Nxi32>, tensor<1xi32>, tensor<i32>) -> tensor<Nxi32>
    %most = stablehlo.reduce(%read init: %least) applies stablehlo.maximum across dimensions = [0]
      : (tensor<Nxi32>, tensor<i32>) -> tensor<i32>
    %kept = "stablehlo.if"(%any) ({
      %x = stablehlo.negate %chosen : tensor<Nxf32>
      stablehlo.return %x : tensor<Nxf32>
    }, {
      %x = stablehlo.sqrt %chosen : tensor<Nxf32>
      %y = stablehlo.add %x, %chosen : tensor<Nxf32>
      stablehlo.return %y : tensor<Nxf32>
    }) : (tensor<i1>) -> tensor<Nxf32>
    %both = stablehlo.and %is_less, %is_odd : tensor<Nxi1>
    %not_odd = stablehlo.not %both : tensor<Nxi1>
    %large = stablehlo.compare GT, %kept, %s#1 : (tensor<Nxf32>, tensor<Nxf32>) -> tensor<Nxi1>
    %each = stablehlo.and %large, %not_odd : tensor<Nxi1>
    %some = stablehlo.reduce(%each init: %false) applies stablehlo.or across dimensions = [0]
      : (tensor<Nxi1>, tensor<i1>) -> tensor<i1>
    %more = stablehlo.add %written, %read : tensor<Nxi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %kept, %more, %most, %t, %some
      : tensor<i32>, tensor<Nxf32>, tensor<Nxf32>, tensor<Nxi32>, tensor<i32>, tensor<i32>, tensor<i1>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5, %r#6
    : tensor<Nxf32>, tensor<Nxf32>, tensor<Nxi32>, tensor<i32>, tensor<i32>, tensor<i1>
}
"""


@pytest.mark.parametrize("size", [0, 1, 63, 64, 1000])
def test_operations_that_wait_for_each_other_give_the_kernels_bits(size: int) -> None:
    text = WAITING.replace("Nx", f"{size}x")
    if size == 0:  # nothing can be written into it
        text = text.replace("%more = stablehlo.add %written", "%more = stablehlo.add %m")
        text = re.sub(r"    %written = .*?\n.*?\n", "", text)
    numbers = np.random.default_rng(0)
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45], np.float32)
    floats = [numbers.normal(size=size).astype(np.float32) for _ in range(2)]
    for place, array in enumerate(floats):
        array[place : place + 7] = special[: array[place : place + 7].size]
    integers = numbers.integers(-9, 9, size).astype(np.int32)
    for rounds in (0, 1, 5):
        got, want = both(text, [np.int32(rounds), *floats, integers], must_compile=rounds > 1)
        assert [*map(bits, got)] == [*map(bits, want)]


def test_a_pass_stores_only_what_is_needed_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    write = emitter.print_functions

    def noted(*arguments: Any) -> str:
        texts.append(write(*arguments))
        return texts[-1]

    monkeypatch.setattr(emitter, "print_functions", noted)
    with machine_code(used=True):
        shlo.run(
            shlo.parse(WAITING.replace("Nx", "1000x")),
            np.int32(5),
            *[np.ones(1000, np.float32)] * 2,
            np.ones(1000, np.int32),
        )
    *_, last = re.findall(r"^define internal void @pass\d+.*?^}", texts[-1], re.MULTILINE | re.DOTALL)
    loop_of_pass = last.partition("\nend:")[0]
    assert loop_of_pass.count("store i32") == 1
    assert loop_of_pass.count("store i8") == 0


def test_a_pause_keeps_only_what_loops_carry(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    write = emitter.print_functions

    def noted(*arguments: Any) -> str:
        texts.append(write(*arguments))
        return texts[-1]

    monkeypatch.setattr(emitter, "print_functions", noted)
    text = """func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
      %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<f32>
      cond {
        %end = stablehlo.constant dense<9> : tensor<i32>
        %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %a = stablehlo.multiply %y, %y : tensor<f32>
        %b = stablehlo.negate %a : tensor<f32>
        stablehlo.return %j, %b : tensor<i32>, tensor<f32>
      }
      return %r#1 : tensor<f32>
    }"""
    got, want = both(text, [np.int32(0), np.float32(0.5)])
    assert [*map(bits, got)] == [*map(bits, want)]
    assert texts[-1].count(".kept = ") == 2


def test_functions_that_call_each_other_many_times_are_weighed_at_once() -> None:
    type_ = "tensor<2xf32>"
    texts = [f"func.func private @f6(%x: {type_}) -> {type_} {{ return %x : {type_} }}"]
    for number in range(6):
        calls = [
            f"%{i + 1} = func.call @f{number + 1}(%{i}) : ({type_}) -> {type_}\n"
            for i in range(codegen.INLINE_LIMIT)
        ]
        returned = f"return %{codegen.INLINE_LIMIT} : {type_}"
        texts.append(
            f"func.func private @f{number}(%0: {type_}) -> {type_} {{ {''.join(calls)} {returned} }}"
        )
    texts.append(f"""func.func @main(%p: tensor<i1>, %x: {type_}) -> {type_} {{
      %r = "stablehlo.if"(%p) ({{
        %a = func.call @f0(%x) : ({type_}) -> {type_}
        stablehlo.return %a : {type_}
      }}, {{
        %b = stablehlo.add %x, %x : {type_}
        stablehlo.return %b : {type_}
      }}) : (tensor<i1>) -> {type_}
      return %r : {type_} }}""")
    x = np.ones(2, np.float32)
    (result,) = by_sequences("\n".join(texts), [np.bool_(False), x])
    assert bits(result) == bits(x + x)


UNKNOWN_SIZES = """
func.func @main(%n: tensor<?xi32>, %x: tensor<2xf32>) -> (tensor<?xi32>, tensor<2xf32>) {
  %a = stablehlo.add %x, %x : tensor<2xf32>
  %b = stablehlo.multiply %a, %x : tensor<2xf32>
  %m = stablehlo.add %n, %n : tensor<?xi32>
  return %m, %b : tensor<?xi32>, tensor<2xf32>
}
"""


def test_operations_of_unknown_sizes_stay_outside_of_sequences() -> None:
    numbers, x = by_sequences(UNKNOWN_SIZES, [np.array([1, 2, 3], np.int32), np.array([1, 3], np.float32)])
    assert numbers.tolist() == [2, 4, 6]
    assert x.tolist() == [2, 18]


def test_where_arrays_have_another_layout_all_stays_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise tiers.Unsupported("arrays of another layout")

    monkeypatch.setattr(statements, "data_offset", refuse)
    text, x = looped([("add", ["f32", "f32"], "f32")], "3x"), np.ones(3, np.float32)
    with machine_code(used=True):
        module = shlo.parse(text)
        results = [shlo.run(module, *[x] * 3) for _ in range(4)]
    assert not any(native.tier.code is not None for native in loops_of(module))
    assert {bits(run[-1]) for run in results} == {bits(results[0][-1])}
