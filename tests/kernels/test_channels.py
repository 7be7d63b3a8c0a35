"""What enters and leaves a running program: infeed, outfeed, channels, and asynchronous regions."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.interpreter import run
from shlo.interpreter.runtime.channels import Channels

FEEDS = """
func.func @main() -> tensor<2xi32> {
  %token = stablehlo.create_token : !stablehlo.token
  %a, %b, %read = "stablehlo.infeed"(%token) : (!stablehlo.token) ->
    (tensor<2xi32>, tensor<2xi32>, !stablehlo.token)
  %c, %again = "stablehlo.infeed"(%read) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %sum = stablehlo.add %a, %b : tensor<2xi32>
  %done = "stablehlo.outfeed"(%sum, %c, %again) :
    (tensor<2xi32>, tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %sum : tensor<2xi32>
}
"""

CHANNEL = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%x, %token) {
    channel_handle = #stablehlo.channel_handle<handle = SENT, type = 2>, is_host_transfer = true
  } : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %y, %received = "stablehlo.recv"(%sent) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return %y : tensor<2xf32>
}
"""

ASYNC = """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %0 = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %0, %a : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>, tensor<2xf32>>
  %0:2 = "stablehlo.async_done"(%future) :
    (!stablehlo.future<tensor<2xf32>, tensor<2xf32>>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}
"""


def test_infeed_is_read_and_outfeed_written_in_order() -> None:
    channels = Channels.fed([([1, 2], [10, 20]), ([5, 6],)])
    (result,) = run(shlo.parse(FEEDS), channels=channels)
    assert result.tolist() == [11, 22]
    assert [[value.tolist() for value in item] for item in channels.outfeed] == [[[11, 22], [5, 6]]]
    assert not channels.infeed


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "the infeed is empty"),
        ([([1, 2],)], "takes 2 values, but the infeed's item has 1"),
        ([([1, 2], [1, 2, 3])], "tensor<3xi32>, but must be tensor<2xi32>"),
    ],
)
def test_an_infeed_that_does_not_fit_is_an_error(items: list[list[list[int]]], message: str) -> None:
    with pytest.raises(shlo.ExecutionError, match=message):
        run(shlo.parse(FEEDS), channels=Channels.fed(items))


def test_what_is_sent_on_a_channel_is_received_there() -> None:
    x = np.array([1.5, -2], np.float32)
    assert shlo.run(shlo.parse(CHANNEL.replace("SENT", "7")), x)[0].tolist() == [1.5, -2]
    with pytest.raises(shlo.ExecutionError, match="nothing was sent on channel 7"):
        shlo.run(shlo.parse(CHANNEL.replace("SENT", "8")), x)


def test_async_done_gives_what_the_region_gave() -> None:
    negated, same = shlo.run(shlo.parse(ASYNC), np.array([1, 2], np.float32))
    assert (negated.tolist(), same.tolist()) == ([-1, -2], [1, 2])
