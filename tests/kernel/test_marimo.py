"""What marimo displays, which has no widgets of ipywidgets: HTML, views in frames, the stepper a saved one."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from markupsafe import escape

import shlo

LOG = """func.func @main(%x: tensor<40x60xf32>) -> tensor<40x60xf32> {
  %y = stablehlo.log %x : tensor<40x60xf32>
  return %y : tensor<40x60xf32>
}"""


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the HTML of what is displayed in a notebook of marimo."""
    outputs: list[str] = []
    marimo: Any = SimpleNamespace(
        running_in_notebook=lambda: True,
        Html=lambda html: html,
        output=SimpleNamespace(append=outputs.append),
    )
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    return outputs


def test_arrays_trees_and_steppers_are_html(displayed: list[str]) -> None:
    zeros = np.zeros((40, 60), np.float32)
    shlo.show(zeros)
    shlo.show({"w": zeros, "b": zeros})
    shlo.debug(shlo.parse(LOG), zeros)
    array, tree, stepper = displayed
    assert "srcdoc" not in tree
    assert "2 leaves" in tree
    assert "data-key" not in tree
    for output, view in ((array, "<shlo-tensor-view"), (stepper, "<shlo-replay-view")):
        assert escape(view) in output.partition(" srcdoc=")[2]
        assert "run the cell for the view" in output  # what is left where marimo shows no frame
