"""What an infeed holds is given to a session, and comes again where the session goes back and on."""

from __future__ import annotations

import numpy as np
import pytest

from shlo import parse
from shlo.debugger import Session
from shlo.interpreter import Channels

FED = """func.func @main() -> tensor<f32> {
  %before = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%before) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %b:2 = "stablehlo.infeed"(%a#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %difference = stablehlo.subtract %a#0, %b#0 : tensor<f32>
  return %difference : tensor<f32>
}
"""


@pytest.mark.parametrize("partitions", [1, 2])
def test_an_infeed_is_read_again_after_going_back(partitions):
    queues = [Channels.fed([(np.float32(5),), (np.float32(3),)]) for _ in range(partitions)]
    channels = queues[0] if partitions == 1 else queues
    session = Session(parse(FED), partitions=partitions, channels=channels)
    for _ in range(2):
        session.resume()
        assert session.results == (np.float32(2),)
        session.restart()
