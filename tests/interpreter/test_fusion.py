"""Chains of elementwise operations, fused, on several threads and as machine code, give the kernels' bits."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from msgspec.structs import replace

import shlo
from shlo.interpreter.jit import codegen
from shlo.interpreter.jit.fused import FusedKernel
from shlo.interpreter.jit.row_updates import RowUpdates
from shlo.interpreter.kernels.reduction import reduce
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.threads import in_parts
from shlo.interpreter.runtime.tiers import Form, TierCost, is_installed, use_policy
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from tests.interpreter.elementwise_cases import TYPES, Operation, arguments_of, bits, cases, types_of
from tests.interpreter.policies import FREE, eager
from tests.interpreter.test_threads import child
from tests.jax_programs import RUNNABLE, Program, program_id

LOOPS: tuple[Form, ...] = "loop", "sequence"
CHAINS: tuple[Form, ...] = "chain", "rows"


@contextmanager
def fusing(machine_code: bool, optimized: bool = True) -> Iterator[None]:
    """Whatever can be is fused, in parts of few elements, as machine code at once or never, which is
    optimized at once or never."""
    few: dict[str, Any] = {"fused_elements": 1, "block_bytes": 256, "least_blocks": 2, "part_elements": 96}
    free: dict[str, Any] = {"chain_seconds": 0.0, "part_seconds": 0.0, "row_elements": 1}
    costs = FREE if optimized else {**FREE, "optimized": TierCost(1e9)}
    with use_policy(replace(eager(LOOPS if machine_code else (*LOOPS, *CHAINS), **few, **free), costs=costs)):
        yield


@contextmanager
def unfused(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every operation runs by itself, loops as Python."""
    with monkeypatch.context() as patch, use_policy(eager((*LOOPS, *CHAINS))):
        patch.setattr(codegen.Emitter, "fuses", False)
        yield


def chains_of(module: Module) -> list[FusedKernel]:
    return [value for value in program_of(module).namespace.values() if isinstance(value, FusedKernel)]


def results_of(module: Module, arguments: Sequence[Any], threads: int) -> list[bytes]:
    """The results of the third run, which is one of generated code."""
    runs = [shlo.run(module, *arguments, threads=threads) for _ in range(3)]
    return list(map(bits, runs[-1]))


WAYS = {False: ("calls", "blocks"), True: ("machine code", "machine code on threads")}
"""By whether chains are machine code: how what was generated runs on one thread, and on several."""


def by_all_ways(
    monkeypatch: pytest.MonkeyPatch, text: str, arguments: Sequence[Any]
) -> dict[str, list[bytes]]:
    """The results by each way of running, as bits; fused chains of machine code must be made."""
    with unfused(monkeypatch):
        results = {"unfused": results_of(shlo.parse(text), arguments, 1)}
    results["stepper"] = list(map(bits, shlo.run(shlo.parse(text), *arguments, max_steps=10**9)))
    for machine_code, (alone, on_threads) in WAYS.items():
        if machine_code and not is_installed():
            continue
        with fusing(machine_code):
            module = shlo.parse(text)
            results[alone] = results_of(module, arguments, threads=1)
            results[on_threads] = list(map(bits, shlo.run(module, *arguments, threads=3)))
    if is_installed():
        with fusing(machine_code=True, optimized=False):
            results["machine code made quickly"] = results_of(shlo.parse(text), arguments, threads=1)
    return results


def differing(results: dict[str, list[bytes]]) -> list[str]:
    return [name for name, found in results.items() if found != results["unfused"]]


@pytest.mark.slow
@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_programs_have_the_same_bits_by_all_ways(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert differing(by_all_ways(monkeypatch, program.text(), program.arguments)) == []


def straight(operations: list[Operation], shape: str) -> str:
    """A function of two operations each: one on arguments, and one that uses its result."""
    given = ", ".join(f"%{type_}_{place}: tensor<{shape}{type_}>" for type_, place in types_of(operations))
    lines: list[str] = []
    for number, (name, operands, result) in enumerate(operations):
        opcode, _, attributes = name.partition(" ")
        values = ", ".join(f"%{type_}_{place}" for place, type_ in enumerate(operands))
        signature = f"({', '.join(f'tensor<{shape}{each}>' for each in operands)}) -> tensor<{shape}{result}>"
        lines += [
            f'  %x{number} = "stablehlo.{opcode}"({values}) {attributes} : {signature}',
            f"  %y{number} = stablehlo.compare EQ, %x{number}, %x{number} : "
            f"(tensor<{shape}{result}>, tensor<{shape}{result}>) -> tensor<{shape}i1>",
        ]
    names = ", ".join(f"%x{number}, %y{number}" for number in range(len(operations)))
    results = ", ".join(f"tensor<{shape}{result}>, tensor<{shape}i1>" for *_, result in operations)
    body = chr(10).join(lines)
    return f"func.func @main({given}) -> ({results}) {{\n{body}\n  return {names} : {results}\n}}\n"


@pytest.mark.slow
@pytest.mark.parametrize("element", TYPES)
def test_operations_have_the_same_bits_by_all_ways(element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operations = [case for case in cases() if case[1][-1] == element]
    text, arguments = (
        straight(operations, "1037x"),
        arguments_of(operations, 1037)[: len(types_of(operations))],
    )
    results = by_all_ways(monkeypatch, text, arguments)
    wrong = {
        (way, operations[place // 2][0])
        for way, found in results.items()
        for place, (one, other) in enumerate(zip(found, results["unfused"], strict=True))
        if one != other
    }
    assert wrong == set()


BROADCASTS = """
func.func private @shifted(%x: tensor<137x41xf32>, %by: tensor<f32>) -> tensor<137x41xf32> {
  %all = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<f32>) -> tensor<137x41xf32>
  %sum = stablehlo.add %x, %all : tensor<137x41xf32>
  return %sum : tensor<137x41xf32>
}
func.func @main(%x: tensor<137x41xf32>, %row: tensor<41xf32>, %column: tensor<137xf32>, %n: tensor<i32>)
    -> (tensor<137x41xf32>, tensor<137x41xf32>, tensor<137x41xf32>, tensor<41x137xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<41xf32>) -> tensor<137x41xf32>
  %columns = stablehlo.broadcast_in_dim %column, dims = [0] : (tensor<137xf32>) -> tensor<137x41xf32>
  %places = stablehlo.iota dim = 1 : tensor<137x41xf32>
  %a = stablehlo.multiply %x, %rows : tensor<137x41xf32>
  %b = stablehlo.tanh %a : tensor<137x41xf32>
  %c = stablehlo.subtract %b, %columns : tensor<137x41xf32>
  %d = func.call @shifted(%c, %half) : (tensor<137x41xf32>, tensor<f32>) -> tensor<137x41xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %d) : tensor<i32>, tensor<137x41xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.multiply %y, %columns : tensor<137x41xf32>
    %q = stablehlo.compare GT, %z, %y : (tensor<137x41xf32>, tensor<137x41xf32>) -> tensor<137x41xi1>
    %s = stablehlo.select %q, %places, %z : tensor<137x41xi1>, tensor<137x41xf32>
    %halves = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<137x41xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<137x41xf32>
    %w = stablehlo.select %q, %halves, %ones : tensor<137x41xi1>, tensor<137x41xf32>
    %v = stablehlo.add %s, %w : tensor<137x41xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %v : tensor<i32>, tensor<137x41xf32>
  }
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<137x41xf32>) -> tensor<41x137xf32>
  %u = stablehlo.exponential %t : tensor<41x137xf32>
  %v = stablehlo.add %u, %t : tensor<41x137xf32>
  return %r#1, %d, %columns, %v : tensor<137x41xf32>, tensor<137x41xf32>, tensor<137x41xf32>, tensor<41x137xf32>
}
"""


def test_broadcasts_calls_loops_and_views_have_the_same_bits_by_all_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generator = np.random.default_rng(0)
    shapes = [(137, 41), (41,), (137,)]
    arguments = [*(generator.standard_normal(shape).astype(np.float32) for shape in shapes), np.int32(5)]
    assert differing(by_all_ways(monkeypatch, BROADCASTS, arguments)) == []


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
def test_chains_become_machine_code_that_stores_no_value_between() -> None:
    with fusing(machine_code=True):
        module = shlo.parse(BROADCASTS)
        results_of(
            module, [np.ones(shape, np.float32) for shape in ((137, 41), (41,), (137,))] + [np.int32(3)], 1
        )
    chains = chains_of(module)
    assert all(chain.tier.code is not None for chain in chains)
    assert max(len(chain.chain.steps) - len(chain.chain.outputs) for chain in chains) >= 2


REDUCTIONS = {"add": "0.0", "multiply": "1.0", "maximum": "0xFF800000", "minimum": "0x7F800000"}


@pytest.mark.parametrize("dimensions", [[0, 1], [0], [1]])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_do_not_depend_on_threads_and_layout(name: str, dimensions: list[int]) -> None:
    sizes = [size for axis, size in enumerate((1031, 1029)) if axis not in dimensions]
    result = f"tensor<{''.join(f'{size}x' for size in sizes)}f32>"
    module = shlo.parse(f"""
func.func @main(%x: tensor<1031x1029xf32>) -> {result} {{
  %i = stablehlo.constant dense<{REDUCTIONS[name]}> : tensor<f32>
  %z = stablehlo.reduce(%x init: %i) applies stablehlo.{name} across dimensions = {dimensions}
    : (tensor<1031x1029xf32>, tensor<f32>) -> {result}
  return %z : {result}
}}
""")
    x = np.random.default_rng(0).uniform(0.999, 1.001, (1031, 1029)).astype(np.float32)
    runs = [shlo.run(module, array, threads=threads)[0] for array in (x, x.T.copy().T) for threads in (1, 3)]
    assert len({bits(run) for run in runs}) == 1
    exact = getattr(np, name).reduce(x.astype(np.float64), axis=tuple(dimensions))
    np.testing.assert_allclose(runs[0], exact, rtol=1e-4)


REDUCED_CHAINS = """
func.func @main(%x: tensor<137x41xf32>) -> (tensor<f32>, tensor<137x41xf32>, tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %total = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<137x41xf32>, tensor<f32>) -> tensor<f32>
  %one = stablehlo.reshape %total : (tensor<f32>) -> tensor<1x1xf32>
  %all = stablehlo.broadcast_in_dim %one, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<137x41xf32>
  %off = stablehlo.subtract %x, %all : tensor<137x41xf32>
  %square = stablehlo.multiply %off, %off : tensor<137x41xf32>
  %variance = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<137x41xf32>, tensor<f32>) -> tensor<f32>
  %power = stablehlo.exponential %x : tensor<137x41xf32>
  %sums = stablehlo.reduce(%power init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<137x41xf32>, tensor<f32>) -> tensor<137xf32>
  %rows = stablehlo.broadcast_in_dim %sums, dims = [0] : (tensor<137xf32>) -> tensor<137x41xf32>
  %softmax = stablehlo.divide %power, %rows : tensor<137x41xf32>
  %half = stablehlo.constant dense<0.5> : tensor<137x41xf32>
  %is_large = stablehlo.compare GT, %x, %half
    : (tensor<137x41xf32>, tensor<137x41xf32>) -> tensor<137x41xi1>
  %ones = stablehlo.convert %is_large : (tensor<137x41xi1>) -> tensor<137x41xi32>
  %count = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<137x41xi32>, tensor<i32>) -> tensor<i32>
  %shifted = stablehlo.multiply %x, %half : tensor<137x41xf32>
  %more = stablehlo.add %shifted, %half : tensor<137x41xf32>
  %sum = stablehlo.reduce(%more init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<137x41xf32>, tensor<f32>) -> tensor<f32>
  return %variance, %softmax, %count, %sum : tensor<f32>, tensor<137x41xf32>, tensor<i32>, tensor<f32>
}
"""


def test_values_that_are_reduced_block_by_block_have_the_same_bits_by_all_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reduce, "BLOCK", 512)
    monkeypatch.setattr(reduce, "LEAST_BLOCKED", 1024)
    x = np.random.default_rng(0).standard_normal((137, 41)).astype(np.float32)
    assert differing(by_all_ways(monkeypatch, REDUCED_CHAINS, [x])) == []
    with fusing(machine_code=is_installed()):
        module = shlo.parse(REDUCED_CHAINS)
        results_of(module, [x], 1)
    chains = chains_of(module)
    assert sum(len(chain.chain.computed) - len(chain.chain.outputs) for chain in chains) >= 2
    assert sum(len(chain.chain.reductions) for chain in chains) >= 3
    assert all(chain.tier.code is not None for chain in chains) == is_installed()


def test_elementwise_results_lie_row_by_row_however_they_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = """
func.func @main(%x: tensor<128x64xf32>, %w: tensor<128x100xf32>) -> (tensor<64x100xf32>, tensor<64xf32>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %a = stablehlo.sine %t : tensor<64x128xf32>
  %b = stablehlo.multiply %a, %t : tensor<64x128xf32>
  %p = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0]
    : (tensor<64x128xf32>, tensor<128x100xf32>) -> tensor<64x100xf32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%b init: %i) applies stablehlo.maximum across dimensions = [1]
    : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  return %p, %m : tensor<64x100xf32>, tensor<64xf32>
}
"""
    generator = np.random.default_rng(0)
    x, w = (generator.standard_normal(shape).astype(np.float32) for shape in ((128, 64), (128, 100)))
    assert differing(by_all_ways(monkeypatch, text, [x, w])) == []


def test_constants_that_chains_read_keep_their_order_for_products(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    w, x, v = (
        generator.standard_normal(shape).astype(np.float32) for shape in ((401, 303), (303, 401), (401,))
    )
    text = f"""
func.func @main(%x: tensor<303x401xf32>, %v: tensor<401xf32>) -> (tensor<303x401xf32>, tensor<303xf32>) {{
  %w = stablehlo.constant dense<"0x{w.tobytes().hex()}"> : tensor<401x303xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<401x303xf32>) -> tensor<303x401xf32>
  %a = stablehlo.multiply %x, %t : tensor<303x401xf32>
  %b = stablehlo.add %a, %t : tensor<303x401xf32>
  %p = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0]
    : (tensor<303x401xf32>, tensor<401xf32>) -> tensor<303xf32>
  return %b, %p : tensor<303x401xf32>, tensor<303xf32>
}}
"""
    assert differing(by_all_ways(monkeypatch, text, [x, v])) == []


SCATTERS = {
    "rows": (
        (9, 5),
        (31, 1),
        (31, 5),
        "[1]",
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]",
    ),
    "elements": (
        (9, 5),
        (31, 2),
        (31,),
        "[]",
        "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0]",
    ),
    "batches": (
        (3, 9, 2),
        (3, 31, 1),
        (3, 31, 2),
        "[2]",
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1]",
    ),
    "columns": (
        (9, 5),
        (31, 1),
        (5, 31),
        "[0]",
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]",
    ),
}
"""Shapes of the table, the start indices and the updates, the window's dimensions, the other numbers."""


@pytest.mark.parametrize("element", ["f32", "f64", "i32", "ui8"])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("kind", SCATTERS)
def test_scatters_of_rows_have_the_same_bits_by_all_ways(
    kind: str, name: str, element: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *shapes, window, numbers = SCATTERS[kind]
    sizes = ["x".join(map(str, shape)) for shape in shapes]
    table, starts, updates = (
        f"tensor<{size}x{type_}>" for size, type_ in zip(sizes, (element, "i32", element))
    )
    text = f"""
func.func @main(%t: {table}, %s: {starts}, %u: {updates}) -> {table} {{
  %r = "stablehlo.scatter"(%t, %s, %u) ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %c = stablehlo.{name} %a, %b : tensor<{element}>
    stablehlo.return %c : tensor<{element}>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {window}, {numbers},
    index_vector_dim = {len(shapes[1]) - 1}>}} : ({table}, {starts}, {updates}) -> {table}
  return %r : {table}
}}
"""
    generator, dtype = np.random.default_rng(0), {"f32": "f4", "f64": "f8", "i32": "i4", "ui8": "u1"}[element]
    of_table, given = (generator.uniform(0, 9, shape).astype(dtype) for shape in shapes[::2])
    if dtype.startswith("f"):
        given.flat[:9] = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.0, -0.0, 1e30, 1e-30]
    arguments = [of_table, generator.integers(-2, 11, shapes[1]).astype(np.int32), given]
    assert differing(by_all_ways(monkeypatch, text, arguments)) == []
    if is_installed():
        with fusing(machine_code=True):
            module = shlo.parse(text)
            results_of(module, arguments, 1)
        made = [value for value in program_of(module).namespace.values() if isinstance(value, RowUpdates)]
        assert [each.tier.code is not None for each in made] == [True]


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
def test_a_loop_s_products_of_transposed_values_have_the_bits_of_the_stepper() -> None:
    module = shlo.parse("""
func.func @main(%x: tensor<6x6xf32>, %v: tensor<6xf32>, %n: tensor<i32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %h = stablehlo.constant dense<0.3> : tensor<6xf32>
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %r:2 = stablehlo.while(%i = %zero, %u = %v) : tensor<i32>, tensor<6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %a = stablehlo.dot_general %t, %u, contracting_dims = [1] x [0]
      : (tensor<6x6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %b = stablehlo.dot_general %y, %u, contracting_dims = [1] x [0]
      : (tensor<6x6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %c = stablehlo.subtract %a, %b : tensor<6xf32>
    %d = stablehlo.add %c, %a : tensor<6xf32>
    %e = stablehlo.sine %d : tensor<6xf32>
    %f = stablehlo.add %e, %h : tensor<6xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %f : tensor<i32>, tensor<6xf32>
  }
  return %r#1 : tensor<6xf32>
}
""")
    generator = np.random.default_rng(0)
    x, v = (generator.standard_normal(shape).astype(np.float32) for shape in ((6, 6), 6))
    stepped = bits(shlo.run(module, x, v, np.int32(1000), max_steps=10**9)[0])
    assert {bits(shlo.run(module, x, v, np.int32(1000))[0]) for _ in range(8)} == {stepped}


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i8"])
@pytest.mark.parametrize("columns", [512, 513, 767, 4097])
def test_sums_of_columns_do_not_depend_on_threads(element: str, columns: int) -> None:
    type_, rows = f"tensor<{columns}x{element}>", (1 << 20) // columns + 1
    whole = f"tensor<{rows}x{columns}x{element}>"
    module = shlo.parse(f"""
func.func @main(%x: {whole}) -> {type_} {{
  %zero = stablehlo.constant dense<{"0" if element == "i8" else "0.0"}> : tensor<{element}>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : ({whole}, tensor<{element}>) -> {type_}
  return %sum : {type_}
}}
""")
    dtype = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i8": np.int8}[element]
    x = np.random.default_rng(0).normal(0, 9, (rows, columns)).astype(dtype)
    runs = [shlo.run(module, x, threads=threads)[0] for threads in (1, 2, 3, 40)]
    assert len({run.tobytes() for run in runs}) == 1


def reduced(name: str, initial: str, x: Array, dimensions: list[int], threads: int) -> bytes:
    """The bits of a reduction."""
    element = {"float32": "f32", "int32": "i32", "int8": "i8", "int4": "i4"}[x.dtype.name]
    sizes = [size for axis, size in enumerate(x.shape) if axis not in dimensions]
    of, to = (f"tensor<{''.join(f'{size}x' for size in shape)}{element}>" for shape in (x.shape, sizes))
    text = f"""
func.func @main(%x: {of}) -> {to} {{
  %i = stablehlo.constant dense<{initial}> : tensor<{element}>
  %z = stablehlo.reduce(%x init: %i) applies stablehlo.{name} across dimensions = {dimensions}
    : ({of}, tensor<{element}>) -> {to}
  return %z : {to}
}}
"""
    return shlo.run(shlo.parse(text), x, threads=threads)[0].tobytes()


@pytest.mark.parametrize("element", [np.int32, np.int8, ml_dtypes.int4])
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_integers_of_large_arrays_are_reduced_with_wrapping(name: str, element: type) -> None:
    count, number = 1 << 20, (1 << 20) + 3 if element is np.int32 else 3
    x = np.full(count, number, element)
    exact = number * count if name == "add" else pow(number, count, 1 << 64)
    expected = np.array(exact % (1 << 64), np.uint64).astype(np.int64)
    wrapped = (
        expected.astype(np.int8).astype(element) if element is ml_dtypes.int4 else expected.astype(element)
    )
    assert reduced(name, "0" if name == "add" else "1", x, [0], 2) == wrapped.tobytes()


def test_sums_of_rows_do_not_depend_on_threads() -> None:
    x = np.random.default_rng(0).standard_normal((129, 16384)).astype(np.float32)
    assert len({reduced("add", "0.0", x, [1], threads) for threads in (1, 2, 3)}) == 1


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_which_nan_is_reduced_does_not_depend_on_the_layout(name: str) -> None:
    x = np.ones((40, 70), np.float32)
    x.view(np.uint32)[[3, 7, 30], [4, 8, 60]] = 0x7FC00000, 0x7FC00123, 0xFFC00777
    initial = REDUCTIONS[name]
    by_rows, by_columns = (reduced(name, initial, array, [0], 1) for array in (x, x.T.copy().T))
    assert by_rows == by_columns


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_part_is_computed_once(threads: int) -> None:
    counts = np.zeros(1003, np.int32)

    def part(start: int, end: int) -> None:
        counts[start:end] += 1

    in_parts(part, len(counts), 10, threads)
    assert set(counts.tolist()) == {1}


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_a_part_is_raised(threads: int) -> None:
    def part(start: int, end: int) -> None:
        if start >= 50:
            raise KeyError(start)

    with pytest.raises(KeyError):
        in_parts(part, 100, 10, threads)


CLAMPS = {
    "clamp %n, %twos, %n": "tensor<f32>, tensor<700xf32>, tensor<f32>",
    "clamp %n, %twos, %x": "tensor<f32>, tensor<700xf32>, tensor<700xf32>",
    "clamp %twos, %twos, %n": "tensor<700xf32>, tensor<700xf32>, tensor<f32>",
    "select %p, %twos, %fours": "tensor<i1>, tensor<700xf32>, tensor<700xf32>",
}


@pytest.mark.parametrize("operation", CLAMPS)
def test_operands_of_rank_0_with_constants_keep_the_shape(
    operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""
func.func @main(%n: tensor<f32>, %p: tensor<i1>, %x: tensor<700xf32>)
    -> (tensor<700xf32>, tensor<700xf32>) {{
  %twos = stablehlo.constant dense<2.0> : tensor<700xf32>
  %fours = stablehlo.constant dense<4.0> : tensor<700xf32>
  %a = stablehlo.{operation} : ({CLAMPS[operation]}) -> tensor<700xf32>
  %b = stablehlo.add %a, %x : tensor<700xf32>
  %c = stablehlo.multiply %b, %a : tensor<700xf32>
  return %a, %c : tensor<700xf32>, tensor<700xf32>
}}
"""
    arguments = [np.float32(3), np.bool_(True), np.full(700, 5, np.float32)]
    with unfused(monkeypatch):
        module = shlo.parse(text)
        runs = [shlo.run(module, *arguments) for _ in range(3)]
    assert [result.shape for result in runs[-1]] == [(700,), (700,)]
    assert differing(by_all_ways(monkeypatch, text, arguments)) == []


ODD_OPERANDS = """
import numpy as np, shlo
from shlo.interpreter.jit.fused import FusedKernel
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.tiers import use_policy
from tests.interpreter.policies import FREE, eager
(at_once := use_policy(eager())).__enter__()
module = shlo.parse('''func.func @main(%x: tensor<100000xf32>, %y: tensor<100000xf32>) -> tensor<100000xf32> {
  %a = stablehlo.add %x, %y : tensor<100000xf32>
  %b = stablehlo.multiply %a, %y : tensor<100000xf32>
  return %b : tensor<100000xf32>
}''')
y = np.linspace(1, 2, 100000).astype(np.float32)
for _ in range(3):
    shlo.run(module, y, y)
(kernel,) = [each for each in program_of(module).namespace.values() if isinstance(each, FusedKernel)]
assert kernel.tier.code is not None
odd = np.zeros(400001, np.uint8)[1:].view(np.float32)
odd[:] = y
for x in (odd, y[::-1], y.astype(">f4"), y.astype(np.float64), np.float32(3), np.ones(1, np.float32), 2.0):
    assert np.array_equal(kernel(x, y), (np.asarray(x, np.float32) + y) * y), x
"""


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
def test_machine_code_reads_no_operands_of_another_type_or_layout() -> None:
    ended = child(ODD_OPERANDS)
    assert ended.returncode == 0, ended.stderr


def test_results_that_nothing_needs_are_released() -> None:
    unused = [f"%a{number} = stablehlo.add %x, %x : tensor<262144xf32>" for number in range(20)]
    module = shlo.parse(f"""
func.func @main(%x: tensor<262144xf32>, %n: tensor<f32>) -> tensor<2xf32> {{
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<262144xf32>
  {chr(10).join(unused)}
  %some = stablehlo.slice %all [0:2] : (tensor<262144xf32>) -> tensor<2xf32>
  return %some : tensor<2xf32>
}}
""")
    x, n = np.ones(1 << 18, np.float32), np.float32(3)
    for _ in range(3):
        shlo.run(module, x, n, threads=1)
    tracemalloc.start()
    try:
        shlo.run(module, x, n, threads=1)
        assert tracemalloc.get_traced_memory()[1] < 5 * x.nbytes
    finally:
        tracemalloc.stop()


def test_equal_operations_of_a_chain_are_one() -> None:
    module = shlo.parse("""
func.func @main(%x: tensor<8192xf32>) -> (tensor<8192xf32>, tensor<8192xf32>) {
  %a = chlo.erfc %x : tensor<8192xf32> -> tensor<8192xf32>
  %b = chlo.erfc %x : tensor<8192xf32> -> tensor<8192xf32>
  %c = stablehlo.add %a, %b : tensor<8192xf32>
  %d = stablehlo.add %b, %a : tensor<8192xf32>
  return %c, %d : tensor<8192xf32>, tensor<8192xf32>
}
""")
    x = np.linspace(-3, 3, 8192, dtype=np.float32)
    with fusing(machine_code=is_installed()):
        for _ in range(5):
            first, second = shlo.run(module, x)
            np.testing.assert_array_equal(first, second)
            assert not np.shares_memory(first, second)
    (chain,) = [kernel.chain for kernel in chains_of(module)]
    assert [step.bound.op_view.name for step in chain.steps] == ["chlo.erfc", "stablehlo.add"]


def test_equal_reductions_and_what_follows_from_them_are_computed_once() -> None:
    module = shlo.parse("""
func.func private @centered(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  %n = stablehlo.constant dense<4096.0> : tensor<64xf32>
  %mean = stablehlo.divide %sum, %n : tensor<64xf32>
  %all = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<64xf32>) -> tensor<64x4096xf32>
  %centered = stablehlo.subtract %x, %all : tensor<64x4096xf32>
  return %centered : tensor<64x4096xf32>
}
func.func @main(%x: tensor<64x4096xf32>) -> (tensor<64x4096xf32>, tensor<64x4096xf32>) {
  %a = call @centered(%x) : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %b = call @centered(%x) : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %square = stablehlo.multiply %a, %b : tensor<64x4096xf32>
  return %b, %square : tensor<64x4096xf32>, tensor<64x4096xf32>
}
""")
    x = np.random.default_rng(1).normal(3, 1, (64, 4096)).astype(np.float32)
    stepped = shlo.run(module, x, max_steps=10**6)
    with fusing(machine_code=False):
        runs = [shlo.run(module, x) for _ in range(4)]
    assert [list(map(bits, run)) for run in runs] == [list(map(bits, stepped))] * 4
    names = [step.bound.op_view.name for kernel in chains_of(module) for step in kernel.chain.steps]
    assert sorted(names) == ["stablehlo.broadcast_in_dim", "stablehlo.multiply", "stablehlo.subtract"]


def test_a_reduction_that_nothing_needs_is_no_equal_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduce, "BLOCK", 512)
    monkeypatch.setattr(reduce, "LEAST_BLOCKED", 1024)
    module = shlo.parse("""
func.func private @total(%x: tensor<2048xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %square = stablehlo.multiply %x, %x : tensor<2048xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2048xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @main(%x: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<f32>) {
  %unused = call @total(%x) : (tensor<2048xf32>) -> tensor<f32>
  %doubled = stablehlo.add %x, %x : tensor<2048xf32>
  %reversed = "stablehlo.reverse"(%doubled) {dimensions = array<i64: 0>} : (tensor<2048xf32>) -> tensor<2048xf32>
  %sum = call @total(%x) : (tensor<2048xf32>) -> tensor<f32>
  return %reversed, %sum : tensor<2048xf32>, tensor<f32>
}
""")
    x = np.linspace(0, 1, 2048, dtype=np.float32)
    stepped = shlo.run(module, x, max_steps=10**6)
    for machine_code in (False, is_installed()):
        with fusing(machine_code=machine_code):
            runs = [shlo.run(module, x) for _ in range(4)]
        assert [list(map(bits, run)) for run in runs] == [list(map(bits, stepped))] * 4
