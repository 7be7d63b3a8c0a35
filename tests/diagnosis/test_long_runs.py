"""`shlo why` of long runs: what is not looked at is said."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.diagnosis import diagnose

COUNT = """func.func @main(%x: tensor<i8>) -> tensor<i8> {
  %y = stablehlo.add %x, %x : tensor<i8>
  %z = stablehlo.add %y, %y : tensor<i8>
  %not = stablehlo.not %z : tensor<i8>
  return %not : tensor<i8>
}
"""


@pytest.mark.parametrize(("most", "kinds"), [(1, []), (2, ["wrapped"])])
def test_operations_after_the_first_ones_are_said_to_be_left_out(
    most: int, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnose, "MOST_STEPS", most)
    diagnosis = shlo.why(shlo.parse(COUNT), np.int8(40))
    assert [card.kind for card in diagnosis.causes] == kinds
    left_out = f"operations and keys after {most} operations (shlo run --sanitize: all operations)"
    assert left_out in diagnosis.left_out
    assert f"{most} operation{'s' * (most > 1)} by the sanitizer" in diagnosis.looked_at
