"""infeed, outfeed, send and recv on one process: queues, first in first out."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.interpreter import run
from shlo.interpreter.channels import Channels
from shlo.ir.diagnostics import ExecutionError
from shlo.syntax import parse

INFEED = """
func.func @main() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %token = stablehlo.create_token : !stablehlo.token
  %results0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  %results1:2 = "stablehlo.infeed"(%results0#1) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  return %results0#0, %results1#0 : tensor<2x2xi64>, tensor<2x2xi64>
}
"""
OUTFEED = """
func.func @main(%input0: tensor<2xi64>, %input1: tensor<f32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %result = "stablehlo.outfeed"(%input0, %input1, %token) <{outfeed_config = ""}> : (tensor<2xi64>, tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %last = "stablehlo.outfeed"(%result) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
  return
}
"""
HOST = """
func.func @main(%operand: tensor<2xi64>) -> tensor<f32> {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%operand, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  %results:2 = "stablehlo.recv"(%sent) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %results#0 : tensor<f32>
}
"""
FIRST, SECOND = np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 8]])


def test_infeed_gives_item_after_item() -> None:
    results = run(parse(INFEED)[0], channels=Channels.fed([[FIRST], [SECOND]]))
    np.testing.assert_array_equal(results, [FIRST, SECOND])


def test_infeed_that_is_empty() -> None:
    with pytest.raises(ExecutionError, match="the infeed is empty"):
        run(parse(INFEED)[0], channels=Channels.fed([[FIRST]]))


@pytest.mark.parametrize(
    ("item", "message"),
    [([FIRST, SECOND], "takes 1 values, but .* has 2"), ([FIRST[0]], "infeed's item")],
)
def test_infeed_of_other_values(item: list[np.ndarray], message: str) -> None:
    with pytest.raises(ExecutionError, match=message):
        run(parse(INFEED)[0], channels=Channels.fed([item]))


def test_outfeed_keeps_the_order() -> None:
    channels = Channels()
    run(parse(OUTFEED)[0], np.array([1, 2]), np.float32(0.5), channels=channels)
    (first, second), last = channels.outfeed
    np.testing.assert_array_equal(first, [1, 2])
    assert (float(second), last) == (0.5, ())


def test_send_and_recv_by_channel() -> None:
    channels = Channels()
    channels.channels[2].append((np.float32(1.5),))
    (result,) = run(parse(HOST)[0], np.array([3, 4]), channels=channels)
    assert result == 1.5
    np.testing.assert_array_equal(channels.channels[1][0][0], [3, 4])


def test_recv_of_what_nobody_sent() -> None:
    with pytest.raises(ExecutionError, match="nothing was sent on channel 2"):
        run(parse(HOST)[0], np.array([3, 4]))
