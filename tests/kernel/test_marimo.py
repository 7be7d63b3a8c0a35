"""What marimo displays, which has no widgets of ipywidgets: HTML, views in frames, the stepper a saved one."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import shlo

LOG = """func.func @main(%x: tensor<40x60xf32>) -> tensor<40x60xf32> {
  %y = stablehlo.log %x : tensor<40x60xf32>
  return %y : tensor<40x60xf32>
}"""


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Returns what is displayed in a notebook of marimo: how, and the HTML."""
    outputs: list[tuple[str, str]] = []
    marimo: Any = SimpleNamespace(
        running_in_notebook=lambda: True,
        iframe=lambda html, height: ("frame", html),
        Html=lambda html: ("inline", html),
        output=SimpleNamespace(append=outputs.append),
    )
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    return outputs


def test_arrays_trees_and_steppers_are_html(displayed: list[tuple[str, str]]) -> None:
    zeros = np.zeros((40, 60), np.float32)
    shlo.show(zeros)
    shlo.show({"w": zeros, "b": zeros})
    shlo.debug(shlo.parse(LOG), zeros)
    (array_in, array), (tree_in, tree), (stepper_in, stepper) = displayed
    assert (array_in, tree_in, stepper_in) == ("frame", "inline", "frame")
    assert "<shlo-tensor-view" in array
    assert "2 leaves" in tree
    assert "data-key" not in tree
    assert "<shlo-replay-view" in stepper
