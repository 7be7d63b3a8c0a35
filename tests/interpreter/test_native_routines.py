"""Routines of LAPACK and BLAS, sorts, batches of scatters and powers as machine code of sequences and loops give
the bits that the kernels give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls import registry
from shlo.interpreter.jit import sequences
from shlo.interpreter.program.code import program_of
from tests.interpreter.elementwise_cases import bits

pytest.importorskip("llvmlite")

from shlo.interpreter.loops import emitter
from tests.interpreter.test_native_loops import both, by_sequences, loops_of, machine_code

LETTERS = {"f32": "s", "f64": "d"}


def assert_same(monkeypatch: pytest.MonkeyPatch, text: str, arguments: list[Any], calls: str = "") -> None:
    """A sequence, which has the custom calls whose targets contain `calls`, leaves the bits of the stepper."""
    stepped = shlo.run(shlo.parse(text), *arguments, max_steps=10**9)
    written: list[str] = []
    finished = emitter.NativeEmitter._finished

    def noted(*given: Any) -> Any:
        code = finished(*given)
        written.append(code.text)
        return code

    with monkeypatch.context() as patch:
        patch.setattr(emitter.NativeEmitter, "_finished", noted)
        results = by_sequences(text, arguments)
    assert list(map(bits, results)) == list(map(bits, stepped))
    assert written
    if calls:
        assert any(f"{calls} to ptr)(ptr" in each for each in written)


def address(name: str, type_: str, library: str = "lapack") -> str:
    """The address of a routine as machine code calls it."""
    from shlo.interpreter.kernels.routine_calls import blas_routine, routine_calls

    dtype = np.dtype(np.float32 if type_ == "f32" else np.float64)
    assert blas_routine(name, dtype, library) is not None
    return f"i64 {routine_calls(name, dtype, library, {'potrf': 5, 'getrf': 6, 'trsm': 11}[name]).address}"


def matrices(type_: str, *shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4" if type_ == "f32" else "f8")


def layouts(operands: list[int], results: list[int], batch: int) -> str:
    """The attributes of a call of a routine on arrays of these ranks, which takes matrices column by column."""

    def dense(rank: int) -> str:
        order = list(range(rank))
        if rank - batch == 2:
            order[-2:] = reversed(order[-2:])
        values = str(order[::-1]) if rank else ""
        return f"dense<{values}> : tensor<{rank}xindex>"

    given, left = (", ".join(map(dense, ranks)) for ranks in (operands, results))
    return f"operand_layouts = [{given}], result_layouts = [{left}]"


def tensor(type_: str, *shape: int) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{type_}>"


@pytest.mark.parametrize("type_", LETTERS)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (33, 33), (4, 5, 5), (64, 2, 3), (1, 7, 7)])
def test_lu_has_the_bits_of_the_kernel(
    type_: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, pivots = shape[:-2], (*shape[:-2], min(shape[-2:]))
    given, rank = tensor(type_, *shape), len(shape)
    results = f"{given}, {tensor('i32', *pivots)}, {tensor('i32', *batch)}"
    text = f"""func.func @main(%a: {given}) -> ({results}) {{
      %x = stablehlo.add %a, %a : {given}
      %r:3 = stablehlo.custom_call @lapack_{LETTERS[type_]}getrf_ffi(%x) {{{layouts([rank], [rank, rank - 1, rank - 2], rank - 2)}}}
        : ({given}) -> ({results})
      %y = stablehlo.negate %r#0 : {given}
      return %y, %r#1, %r#2 : {results} }}"""
    special = matrices(type_, *shape)
    special[..., 0, 0] = np.nan
    twice = matrices(type_, *shape)
    twice[..., -1, :] = np.nan
    for a in (matrices(type_, *shape), np.zeros_like(special), special, twice):
        assert_same(monkeypatch, text, [a], address("getrf", type_))


@pytest.mark.parametrize("type_", LETTERS)
@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("shape", [(1, 1), (6, 6), (40, 40), (3, 5, 5)])
def test_cholesky_has_the_bits_of_the_kernel(
    type_: str, lower: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, rank = tensor(type_, *shape), len(shape)
    uplo = ord("L" if lower == "true" else "U")
    info = tensor("i32", *shape[:-2])
    text = f"""func.func @main(%a: {given}) -> ({given}, {given}, {info}) {{
      %r = stablehlo.cholesky %a, lower = {lower} : {given}
      %s:2 = stablehlo.custom_call @lapack_{LETTERS[type_]}potrf_ffi(%a)
        {{mhlo.backend_config = {{uplo = {uplo} : ui8}}, {layouts([rank], [rank, rank - 2], rank - 2)}}} : ({given}) -> ({given}, {info})
      return %r, %s#0, %s#1 : {given}, {given}, {info} }}"""
    a = matrices(type_, *shape)
    definite = a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1], dtype=a.dtype)
    some = definite.copy()
    some[(0,) * len(shape)] = -1
    for each in (definite, some):
        assert_same(monkeypatch, text, [each], address("potrf", type_))


@pytest.mark.parametrize("type_", LETTERS)
@pytest.mark.parametrize("left", ["true", "false"])
@pytest.mark.parametrize("options", ["true false NO_TRANSPOSE", "false true ADJOINT", "true true TRANSPOSE"])
@pytest.mark.parametrize("sizes", [(5, 1), (32, 3), (32, 32), (33, 33), (40, 26), (4, 5, 2)])
def test_triangular_solves_have_the_bits_of_the_kernel(
    type_: str, left: str, options: str, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 1024 elements on right sides are solved in parts, on the left alone as machine code."""
    *batch, size, count = sizes
    rank, sides = len(sizes), (size, count) if left == "true" else (count, size)
    lower, unit, transpose = options.split()
    a_type, b_type = tensor(type_, *batch, size, size), tensor(type_, *batch, *sides)
    config = {
        "diag": "NU"[unit == "true"],
        "side": "RL"[left == "true"],
        "uplo": "UL"[lower == "true"],
        "trans_x": {"NO_TRANSPOSE": "N", "ADJOINT": "C", "TRANSPOSE": "T"}[transpose],
    }
    entries = ", ".join(f"{name} = {ord(letter)} : ui8" for name, letter in config.items())
    text = f"""func.func @main(%a: {a_type}, %b: {b_type}) -> ({b_type}, {b_type}) {{
      %x = "stablehlo.triangular_solve"(%a, %b) {{left_side = {left}, lower = {lower}, unit_diagonal = {unit},
        transpose_a = #stablehlo<transpose {transpose}>}} : ({a_type}, {b_type}) -> {b_type}
      %y = stablehlo.custom_call @lapack_{LETTERS[type_]}trsm_ffi(%a, %x)
        {{mhlo.backend_config = {{{entries}}}, {layouts([rank, rank], [rank], rank - 2)}}} : ({a_type}, {b_type}) -> {b_type}
      %z = stablehlo.subtract %y, %b : {b_type}
      return %x, %z : {b_type}, {b_type} }}"""
    b = matrices(type_, *batch, *sides, seed=1)
    singular = matrices(type_, *batch, size, size)
    singular[..., 1, 1] = 0
    singular[..., 0, 0] = np.nan
    is_small = size * count < 1024 or (left == "true" and (size, count) != (33, 33))
    calls = address("trsm", type_, "blas") if is_small else ""
    for a in (matrices(type_, *batch, size, size), singular):
        assert_same(monkeypatch, text, [a, b], calls)


SOLVING = """
func.func @main(%a: tensor<4x4xf32>, %n: tensor<i32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4x4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) {LAYOUTS}
      : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
    %y = stablehlo.transpose %s#0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %p = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %p : tensor<i32>, tensor<4x4xf32>
  }
  return %r#1 : tensor<4x4xf32> }
"""
LEFT_ALONE = """
func.func @main(%a: tensor<4x4xf32>, %n: tensor<i32>) -> tensor<4x4xf32> {
  %x = stablehlo.add %a, %a : tensor<4x4xf32>
  %s:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) {LAYOUTS}
    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
  %y = stablehlo.negate %s#0 : tensor<4x4xf32>
  return %y : tensor<4x4xf32> }
"""


SOLVING, LEFT_ALONE = (text.replace("LAYOUTS", layouts([2], [2, 1, 0], 0)) for text in (SOLVING, LEFT_ALONE))


def test_loops_call_routines_with_the_bits_of_the_kernels() -> None:
    got, want = both(SOLVING, [matrices("f32", 4, 4), np.int32(50)])
    assert [*map(bits, got)] == [*map(bits, want)]


@pytest.mark.parametrize("text", [SOLVING, LEFT_ALONE])
@pytest.mark.parametrize("is_compiled", [True, False])
def test_handlers_and_stubs_go_before_machine_code(
    text: str, is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a run makes the machine code, or finds it."""
    arguments = [matrices("f32", 4, 4), np.int32(20)]

    def handler(call: CustomCall) -> Any:
        return lambda a: (a / 2, np.zeros(4, np.int32), np.int32(0))

    target = "lapack_sgetrf_ffi"
    expected = shlo.run(shlo.parse(text), *arguments, handlers={target: handler}, max_steps=10**9)
    zeros = shlo.run(shlo.parse(text), *arguments, stubs={target: "zeros"}, max_steps=10**9)
    with machine_code(used=True):
        module = shlo.parse(text)
        if is_compiled:
            plain = [shlo.run(module, *arguments) for _ in range(5)]
            assert any(each.tier.code is not None for each in loops_of(module)) is (text == SOLVING)
            assert program_of(module).function("main").sequences_due is None
            assert bits(plain[-1][0]) != bits(expected[0])
        for _ in range(5):
            handled = shlo.run(module, *arguments, handlers={target: handler})
            assert bits(handled[0]) == bits(expected[0])
        stubbed = shlo.run(module, *arguments, stubs={target: "zeros"})
        assert bits(stubbed[0]) == bits(zeros[0])
        again = shlo.run(module, *arguments)
        with monkeypatch.context() as patch:
            patch.setitem(registry._handlers, target, handler)
            assert bits(shlo.run(module, *arguments)[0]) == bits(expected[0])
    assert bits(again[0]) == bits(shlo.run(shlo.parse(text), *arguments, max_steps=10**9)[0])


def test_errors_of_a_handler_in_place_of_machine_code_have_their_place() -> None:
    def handler(call: CustomCall) -> Any:
        def refuse(a: Any) -> Any:
            raise ValueError("no factors")

        return refuse

    arguments = [matrices("f32", 4, 4), np.int32(1)]
    with machine_code(used=True):
        module = shlo.parse(LEFT_ALONE)
        for _ in range(5):
            shlo.run(module, *arguments)
        with pytest.raises(shlo.ShloError, match="no factors") as caught:
            shlo.run(module, *arguments, handlers={"lapack_sgetrf_ffi": handler})
    assert "custom_call" in str(caught.value)


SORT = """
func.func @main(%k: tensor<S>, %v: tensor<V>) -> (tensor<S>, tensor<V>) {
  %x = stablehlo.reverse %k, dims = [0] : tensor<S>
  %r:2 = "stablehlo.sort"(%x, %v) <{dimension = D : i64, is_stable = true}> ({
    ^bb0(%a: tensor<E>, %b: tensor<E>, %c: tensor<i32>, %d: tensor<i32>):
      %less = stablehlo.compare HOW : (tensor<E>, tensor<E>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) : (tensor<S>, tensor<V>) -> (tensor<S>, tensor<V>)
  return %r#0, %r#1 : tensor<S>, tensor<V> }
"""


@pytest.mark.parametrize("element", ["i32", "ui8", "i1", "f32", "f64", "i64"])
@pytest.mark.parametrize("how", ["LT, %a, %b", "GT, %a, %b", "GT, %b, %a", "LT, %a, %b, TOTALORDER"])
@pytest.mark.parametrize("shape", ["1", "40", "6x7", "2x17x3"])
def test_sorts_by_one_key_have_the_bits_of_the_kernel(
    element: str, how: str, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "TOTALORDER" in how and element[0] != "f":
        how = how.replace("TOTALORDER", "UNSIGNED" if element[0] == "u" or element == "i1" else "SIGNED")
    sizes = [int(size) for size in shape.split("x")]
    numbers = np.random.default_rng(3)
    if element == "i1":
        keys = numbers.integers(0, 2, sizes).astype(bool)
    elif element[0] == "f":
        keys = numbers.integers(-5, 5, sizes).astype(f"f{int(element[1:]) // 8}")
        flat, special = keys.reshape(-1), [np.nan, -0.0, 0.0, -np.nan, np.inf, -np.inf, 0.0, np.nan, -0.0]
        flat[: len(special)] = special[: flat.size]
    else:
        keys = numbers.integers(0, 9, sizes).astype(
            element.replace("ui", "uint").replace("i", "int", 1) if element[0] == "i" else "u1"
        )
        keys.reshape(-1)[0] = np.iinfo(keys.dtype).max
        keys.reshape(-1)[-1] = np.iinfo(keys.dtype).min
    values = np.arange(keys.size, dtype=np.int32).reshape(sizes)
    for dimension in range(len(sizes)):
        text = SORT.replace("<S>", f"<{shape}x{element}>").replace("<V>", f"<{shape}xi32>")
        text = text.replace("= D", f"= {dimension}").replace("<E>", f"<{element}>").replace("HOW", how)
        assert_same(monkeypatch, text, [keys, values])


BATCHED_SCATTER = """
func.func @main(%x: tensor<6x4x3xf32>, %at: tensor<6x1x1xi32>, %u: tensor<6x1x2xf32>, %v: tensor<6x1xf32>)
    -> (tensor<6x4x3xf32>, tensor<6x4x3xf32>) {
  %r = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<6x4x3xf32>, tensor<6x1x1xi32>, tensor<6x1x2xf32>) -> tensor<6x4x3xf32>
  %places = stablehlo.reshape %at : (tensor<6x1x1xi32>) -> tensor<1x6xi32>
  %both = stablehlo.concatenate %places, %places, dim = 0 : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<2x6xi32>
  %w = stablehlo.reshape %v : (tensor<6x1xf32>) -> tensor<6xf32>
  %q = "stablehlo.scatter"(%r, %both, %w) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [1],
      scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
  }) : (tensor<6x4x3xf32>, tensor<2x6xi32>, tensor<6xf32>) -> tensor<6x4x3xf32>
  return %r, %q : tensor<6x4x3xf32>, tensor<6x4x3xf32> }
"""


def test_scatters_of_one_window_for_each_batch_have_the_bits_of_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = np.array([0, 3, 2, -1, 4, 2], np.int32).reshape(6, 1, 1)
    arguments = [matrices("f32", *shape) for shape in ((6, 4, 3), (6, 1, 2), (6, 1))]
    refused: list[int] = []
    count = sequences.SequenceEmitter._sequence_end

    def noted(self: Any, scope: Any, code: Any, start: int, hoisted: Any) -> int:
        stop = count(self, scope, code, start, hoisted)
        refused.append(len(code.instructions) - 1 - stop)
        return stop

    monkeypatch.setattr(sequences.SequenceEmitter, "_sequence_end", noted)
    assert_same(monkeypatch, BATCHED_SCATTER, [arguments[0], at, *arguments[1:]])
    assert refused == [0]


@pytest.mark.parametrize("type_", LETTERS)
def test_powers_of_numbers_have_the_bits_of_the_kernel(type_: str) -> None:
    scalar = tensor(type_)
    text = f"""func.func @main(%x: {scalar}, %y: {scalar}) -> ({scalar}, {tensor(type_, 3)}) {{
      %p = stablehlo.power %x, %y : {scalar}
      %q = stablehlo.negate %p : {scalar}
      %z = stablehlo.broadcast_in_dim %x, dims = [] : ({scalar}) -> {tensor(type_, 3)}
      %e = stablehlo.broadcast_in_dim %y, dims = [] : ({scalar}) -> {tensor(type_, 3)}
      %sum = stablehlo.add %z, %e : {tensor(type_, 3)}
      %r = stablehlo.power %sum, %e : {tensor(type_, 3)}
      return %q, %r : {scalar}, {tensor(type_, 3)} }}"""
    dtype = np.float32 if type_ == "f32" else np.float64
    bases = [2, 0.1, 1.7, -1.3, 0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, 7]
    exponents = [0.5, 2, 3, -1, 0, -0.5, 0.3, np.inf, np.nan, -2, 1, 11]
    with machine_code(used=True):
        module = shlo.parse(text)
        for _ in range(4):
            shlo.run(module, dtype(1.5), dtype(1.5))
        assert program_of(module).function("main").sequences_due is None
        for base in bases:
            for exponent in exponents:
                arguments = [dtype(base), dtype(exponent)]
                stepped = shlo.run(shlo.parse(text), *arguments, max_steps=10**9)
                assert [*map(bits, shlo.run(module, *arguments))] == [*map(bits, stepped)], arguments
