"""Stubs: what custom calls without a handler give when a run goes on without one."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.interpreter.custom_call_api import CustomCall
from shlo.ir.diagnostics import ExecutionError

TWICE = """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.custom_call @device.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @device.kernel(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}"""
MIXED = """
func.func @main() -> (tensor<2xbf16>, tensor<3xi32>, tensor<i1>) {
  %0:2 = stablehlo.custom_call @pair() : () -> (tuple<tensor<2xbf16>, tensor<3xi32>>, !stablehlo.token)
  %1 = stablehlo.get_tuple_element %0#0[0] : (tuple<tensor<2xbf16>, tensor<3xi32>>) -> tensor<2xbf16>
  %2 = stablehlo.get_tuple_element %0#0[1] : (tuple<tensor<2xbf16>, tensor<3xi32>>) -> tensor<3xi32>
  %3 = stablehlo.custom_call @flag() : () -> tensor<i1>
  return %1, %2, %3 : tensor<2xbf16>, tensor<3xi32>, tensor<i1>
}"""
X = np.array([1, 2], np.float32)


def test_a_pattern_gives_zeros_for_every_target_without_a_handler() -> None:
    bf16, i32, flag = shlo.run(shlo.parse(MIXED), stubs={"*": "zeros"})
    assert (bf16.dtype, bf16.tolist()) == (ml_dtypes.bfloat16, [0, 0])
    assert (i32.tolist(), flag.tolist()) == ([0, 0, 0], False)


def test_a_handler_goes_before_a_pattern_and_an_exact_name_before_a_handler() -> None:
    module = shlo.parse(TWICE)

    def double(call: CustomCall) -> object:
        return lambda x: 2 * x

    handlers = {"device.kernel": double}
    doubled = shlo.run(module, X, handlers=handlers, stubs={"device.*": "zeros"})
    assert [result.tolist() for result in doubled] == [[2, 4], [4, 8]]
    named = shlo.run(module, X, handlers=handlers, stubs={"device.kernel": "zeros"})
    assert [result.tolist() for result in named] == [[0, 0], [0, 0]]


def test_random_results_differ_between_calls_and_are_those_of_the_seed() -> None:
    module = shlo.parse(TWICE)
    first, second = (np.array(shlo.run(module, X, stubs={"device.kernel": "random"}, seed=3)) for _ in "ab")
    other = np.array(shlo.run(module, X, stubs={"device.kernel": "random"}, seed=4))
    assert np.array_equal(first, second)
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first, other)


def test_recorded_results_are_of_one_call_or_of_every_call() -> None:
    recorded = {"result_0": X, "call_1.result_0": X + 1}
    results = shlo.run(shlo.parse(TWICE), X, stubs={"device.kernel": recorded})
    assert [result.tolist() for result in results] == [[1, 2], [2, 3]]


def test_the_tensors_of_a_tuple_are_recorded_one_by_one() -> None:
    recorded = {"arr_0": np.array([1, 2], ml_dtypes.bfloat16), "arr_1": np.array([3, 4, 5], np.int32)}
    results = shlo.run(shlo.parse(MIXED), stubs={"pair": recorded, "flag": {"arr_0": np.array(True)}})
    assert [result.tolist() for result in results] == [[1, 2], [3, 4, 5], True]


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        ({"call_0.result_0": X}, "expected call_1.result_0 or result_0 in the recording of device.kernel"),
        ({"result_0": X.astype(np.float64)}, "result_0 of the recording of device.kernel is tensor<2xf64>"),
    ],
)
def test_a_recording_that_does_not_fit_is_an_error_at_the_call(
    recorded: dict[str, object], message: str
) -> None:
    with pytest.raises(ExecutionError, match=message) as caught:
        shlo.run(shlo.parse(TWICE, "p.mlir"), X, stubs={"device.kernel": recorded})
    assert str(caught.value.place).startswith("p.mlir:")


def test_a_grid_and_a_session_take_stubs() -> None:
    from shlo.debugger import Session

    module = shlo.parse(TWICE)
    results = shlo.run_grid(module, [[X]], partitions=2, stubs={"device.*": "zeros"})
    assert [value.tolist() for process in results for value in process] == [[0, 0]] * 4
    session = Session(module, [X], stubs={"device.*": "random"})
    session.resume()
    forwards = session.results
    session.restart()
    session.resume()
    assert np.array_equal(session.results, forwards)
