"""Refinement: programs of unknown sizes become those of known ones, with the same results and errors that
have a place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType
from shlo.syntax import parse
from tests.conformance.dynamic import type_of
from tests.interpreter.test_symbolic_sizes import SYMBOLS, arguments, exported
from tests.jax_programs import RUNNABLE
from tests.oracle import Oracle

from .test_upstream_passes import transformed

pytestmark = pytest.mark.slow

LAPACK = "cholesky"
"""XLA's own process cannot call LAPACK without JAX."""


def open_results(module: Module) -> list[str]:
    """Returns the operations that have a result of unknown size, or take sizes at run time."""
    return [
        operation.name
        for operation, _ in module.walk()
        if any("?" in str(type_) for type_ in operation.result_types)
        or operation.name in ("stablehlo.dynamic_reshape", "stablehlo.real_dynamic_slice")
        or "dynamic" in str(operation.attribute("call_target_name"))
    ]


@pytest.mark.parametrize("function", SYMBOLS, ids=lambda function: function.__name__)
def test_exports_of_jax_become_static(function: Callable[..., Any], oracle: Oracle) -> None:
    made, module = exported(function)
    for sizes in ((3, 4, 5), (5, 7, 3)):
        arrays = arguments(made, sizes)
        refined = shlo.refine(module, [type_of(array) for array in arrays])
        assert open_results(refined) == []
        assert oracle.accepts(refined.to_text()).accepted
        expected = shlo.run(module, *arrays)
        _assert_close(shlo.run(refined, *arrays), expected)
        if function.__name__ != LAPACK:
            _assert_close(oracle.run(refined.to_text(), arrays), expected)


def _assert_close(ours: Sequence[Any], expected: Sequence[Any]) -> None:
    for mine, wanted in zip(ours, expected, strict=True):
        assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(mine, wanted, rtol=2e-5, atol=2e-6)


def test_static_programs_stay_the_same_object() -> None:
    for program in RUNNABLE[:40]:
        module = shlo.parse(program.text())
        refined = shlo.refine(module, [None] * len(module.functions["main"].type.inputs))
        assert refined.to_text() == module.to_text()
        main = module.functions["main"].operation
        assert refined.functions["main"].operation is main or _uses_sizes(module)


def _uses_sizes(module: Module) -> bool:
    return any(operation.name == "stablehlo.get_dimension_size" for operation, _ in module.walk())


TWICE = """
func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = func.call @flat(%x) : (tensor<?x2xf32>) -> tensor<?xf32>
  %1 = func.call @flat(%y) : (tensor<?x2xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
func.func private @flat(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %two = func.call @two() : () -> tensor<i32>
  %all = stablehlo.multiply %n, %two : tensor<i32>
  %shape = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @two() -> tensor<i32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @other(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""


def test_a_function_called_with_several_types_becomes_several(oracle: Oracle) -> None:
    refined = shlo.refine(shlo.parse(TWICE), ["tensor<3x2xf32>", "tensor<5x2xf32>"])
    assert list(refined.functions) == ["main", "flat", "flat_0", "other"]
    assert [str(each) for each in refined.functions["main"].type.results] == [
        "tensor<6xf32>",
        "tensor<10xf32>",
    ]
    assert refined.functions["other"].type.inputs[0] == RankedTensorType((None,), _f32(refined))
    assert "multiply" not in refined.to_text()
    assert oracle.accepts(refined.to_text()).accepted


def _f32(module: Module) -> Any:
    (type_,) = module.functions["other"].type.results
    assert isinstance(type_, RankedTensorType)
    return type_.element_type


def test_one_type_for_both_calls_makes_one_function() -> None:
    refined = shlo.refine(shlo.parse(TWICE), ["tensor<3x2xf32>", "tensor<3x2xf32>"])
    assert list(refined.functions) == ["main", "flat", "other"]


LOOP = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %kept = %x, %grown = %x) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = stablehlo.add %kept, %kept : tensor<?xf32>
    %longer = stablehlo.concatenate %grown, %grown, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %next, %twice, %longer : tensor<i32>, tensor<?xf32>, tensor<?xf32>
  }
  return %r#1, %r#2 : tensor<?xf32>, tensor<?xf32>
}
"""


def test_what_a_loop_makes_longer_stays_unknown(oracle: Oracle) -> None:
    refined = shlo.refine(shlo.parse(LOOP), ["tensor<3xf32>", None])
    kept, grown = map(str, refined.functions["main"].type.results)
    assert (kept, grown) == ("tensor<3xf32>", "tensor<?xf32>")
    assert oracle.accepts(refined.to_text()).accepted
    results = shlo.run(refined, np.ones(3, np.float32), np.int32(2))
    assert [result.shape for result in results] == [(3,), (12,)]


BRANCHES = """
func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = "stablehlo.if"(%p) ({
    stablehlo.return %x, %x : tensor<?xf32>, tensor<?xf32>
  }, {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %ok = stablehlo.compare EQ, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok, %n) {error_message = "{0} is not 3", has_side_effect = true}
      : (tensor<i1>, tensor<i32>) -> ()
    %two = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %x, %two : tensor<?xf32>, tensor<?xf32>
  }) : (tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}
"""


def test_branches_agree_on_sizes_and_keep_assertions_that_may_never_run(oracle: Oracle) -> None:
    refined = shlo.refine(shlo.parse(BRANCHES), ["tensor<4xf32>", None])
    assert oracle.accepts(refined.to_text()).accepted
    assert [str(type_) for type_ in refined.functions["main"].type.results] == [
        "tensor<4xf32>",
        "tensor<?xf32>",
    ]
    x = np.ones(4, np.float32)
    assert [result.shape for result in shlo.run(refined, x, True)] == [(4,), (4,)]
    with pytest.raises(shlo.ExecutionError, match="4 is not 3"):
        shlo.run(refined, x, False)


def test_values_of_arguments_are_left_out() -> None:
    text = """func.func @main(%n: tensor<i64>, %x: tensor<f32> {a.b}) -> tensor<?xf32> {
      %shape = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
      %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    refined = shlo.refine(shlo.parse(text), [3, None])
    assert str(refined.functions["main"].type) == "(tensor<f32>) -> tensor<3xf32>"
    assert "{a.b}" in refined.to_text()
    np.testing.assert_array_equal(shlo.run(refined, 2.0)[0], np.full(3, 2, np.float32))


WRONG = {
    "argument 1 is tensor<?x2xf32>, which tensor<3xf32> does not fit": ("tensor<3x2xf32>", "tensor<3xf32>"),
    "expected 2 arguments of @main, got 1": ("tensor<3x2xf32>",),
    "argument 0 is tensor<?x2xf32>; a value is given for few integers only": (np.ones((3, 2)), None),
}


@pytest.mark.parametrize("message", WRONG)
def test_arguments_that_do_not_fit(message: str) -> None:
    with pytest.raises(shlo.RefinementError) as error:
        shlo.refine(shlo.parse(TWICE), WRONG[message])
    assert (str(error.value), error.value.place) == (message, None)


def test_a_constraint_that_does_not_hold_is_named_where_it_stands() -> None:
    text = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.add %x, %y : tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    with pytest.raises(shlo.RefinementError) as error:
        shlo.refine(shlo.parse(text), ["tensor<3xf32>", "tensor<4xf32>"])
    assert str(error.value).startswith("<text>:2:7: error: stablehlo.add: ")
    assert error.value.message.endswith("is [3], but shape(rhs) is [4] [add-C1]")


def test_sizes_that_jax_did_not_promise_are_named() -> None:
    _, module = exported(next(function for function in SYMBOLS if function.__name__ == "related"))
    with pytest.raises(shlo.RefinementError, match=r"\(= 7\) and the specification '2\*b' \(= 6\)") as error:
        shlo.refine(module, ["tensor<3x7xf32>"])
    assert error.value.place


def test_a_function_that_calls_itself_is_refused() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = func.call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    with pytest.raises(shlo.RefinementError, match="@main calls itself"):
        shlo.refine(shlo.parse(text), ["tensor<3xf32>"])


def test_a_function_that_others_call_is_refused() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    }
    func.func @other(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = func.call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    with pytest.raises(shlo.RefinementError, match="@main is called by what it does not reach"):
        shlo.refine(shlo.parse(text), ["tensor<3xf32>"])
    assert list(shlo.refine(shlo.parse(text), ["tensor<3xf32>"], entry="other").functions) == [
        "main",
        "other",
    ]


def test_a_function_that_is_only_declared_gets_what_it_takes(oracle: Oracle) -> None:
    text = """func.func private @outside(tensor<?xf32>) -> tensor<?xf32>
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = func.call @outside(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    refined = shlo.refine(shlo.parse(text), ["tensor<3xf32>"])
    assert oracle.accepts(refined.to_text()).accepted
    assert "convert %arg0 : (tensor<3xf32>) -> tensor<?xf32>" in refined.to_text()


def test_refined_text_can_be_read_again() -> None:
    text = shlo.refine(shlo.parse(TWICE), ["tensor<3x2xf32>", "tensor<5x2xf32>"]).to_text()
    module, found = parse(text)
    assert not found
    assert module.to_text() == text


ARGUMENTS = """
func.func @main(%x: tensor<?x?xf32> {jax.arg_info = "x"}, %y: tensor<*xf32>, %z: tensor<2xi8>) -> tensor<?x?xf32> {
  %0 = stablehlo.custom_call @f(%x, %y, %z) : (tensor<?x?xf32>, tensor<*xf32>, tensor<2xi8>) -> tensor<?x?xf32>
  %1 = stablehlo.add %0, %x : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize(
    "types",
    [
        "tensor<16x3xf32>,tensor<4xf32>,tensor<2xi8>",
        "tensor<16x?xf32>,tensor<f32>,tensor<2xi8>",
        "tensor<?x?xf32>,tensor<*xf32>,tensor<2xi8>",
    ],
)
def test_types_of_arguments_are_refined_as_the_mlir_tools_do(types: str, oracle: Oracle) -> None:
    passes = f"stablehlo-refine-arguments{{types={types}}}"
    assert transformed(ARGUMENTS, passes) == oracle.transformed(ARGUMENTS, passes)
    refined = transformed(ARGUMENTS, f"{passes},stablehlo-refine-shapes")
    assert f"-> {types.partition(',')[0]}" in refined
    assert "custom_call @stablehlo.shape" not in refined or "?" in types


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ("tensor<2x2xf32>", "expected 3 types of the arguments of @main, got 1"),
        (
            "tensor<?x?xf32>,tensor<f32>,tensor<?xi8>",
            "expected a type of argument 2 that refines tensor<2xi8>, got tensor<?xi8>",
        ),
        ("tensor<3xf32>,tensor<f32>,tensor<2xi8>", "refines tensor<?x?xf32>, got tensor<3xf32>"),
        ("tensor<2xf64", "expected a type, got 'tensor<2xf64'"),
    ],
)
def test_types_that_refine_no_arguments_are_errors(types: str, message: str) -> None:
    with pytest.raises(shlo.ShloError, match=re.escape(message)):
        transformed(ARGUMENTS, f"stablehlo-refine-arguments{{types={types}}}")
