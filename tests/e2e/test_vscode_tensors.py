"""The panel "Results" in VS Code's own workbench: tensors of runs and of array files as pictures."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("playwright")

from playwright.sync_api import FrameLocator, Locator, expect

from .code_server import SELECTED
from .conftest import Start
from .workbench import Workbench, picture

LOG = """func.func @main(%x: tensor<3x40x60xf32>) -> (tensor<3x40x60xf32>, tensor<2xbf16>) {
  %y = stablehlo.log %x : tensor<3x40x60xf32>
  %b = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  return %y, %b : tensor<3x40x60xf32>, tensor<2xbf16>
}
"""
NAN = (2, 10, 30)
NAN_COLOUR = [213, 0, 200]
THEMES = {"dark": "Default Dark Modern", "light": "Default Light Modern"}
PIXEL = """(canvas, [x, y]) => {
  const box = canvas.getBoundingClientRect();
  return [...canvas.getContext('2d').getImageData(x * canvas.width / box.width, y * canvas.height / box.height, 1, 1).data].slice(0, 3);
}"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with a program, and its argument: waves, one element of which has no logarithm."""
    folder = tmp_path_factory.mktemp("tensors")
    (folder / "log.mlir").write_text(LOG)
    z, y, x = np.meshgrid(*map(np.arange, (3, 40, 60)), indexing="ij")
    values = (2 + np.sin(x / 9 + z) * np.cos(y / 7)).astype(np.float32)
    values[NAN], values[2, 20, 20] = -1, 0
    np.savez(folder / "log.npz", x=values)
    return folder


def panel(code: Workbench) -> FrameLocator:
    """Returns the page of the panel."""
    return code.page.frame_locator("iframe.webview.ready").last.frame_locator("#active-frame")


def run(code: Workbench) -> None:
    code.lenses.filter(has_text="Arguments…").first.click()
    code.page.locator(".quick-input-list .monaco-list-row", has_text="log.npz").first.click()
    code.lenses.filter(has_text="Run (log.npz)").click()


def place_of(canvas: Locator, row: int, column: int) -> tuple[float, float]:
    """Returns where an element of the 40 x 60 plane is drawn, in the canvas."""
    left, top, right, bottom = 52, 20, 24, 4
    box = canvas.bounding_box()
    assert box
    width, height = (box["width"] - left - right) / 60, (box["height"] - top - bottom) / 40
    return left + (column + 0.5) * width, top + (row + 0.5) * height


@pytest.mark.parametrize("theme", THEMES)
def test_results_of_a_run_are_seen_in_the_panel(start: Start, theme: str, screenshots: Path) -> None:
    code = start({**SELECTED, "shlo.run.seconds": 100, "workbench.colorTheme": THEMES[theme]})
    code.open("log.mlir")
    run(code)
    page = panel(code)
    expect(page.locator("h1")).to_have_text("Results of @main in log.mlir")
    view = page.locator("shlo-tensor-view")
    expect(view.locator(".statistics")).to_contain_text("1 NaN, 1 -Inf")
    expect(page.locator("li button")).to_have_count(2)
    slider = view.locator("input[type=range]")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    canvas = view.locator(".plane canvas")
    x, y = place_of(canvas, *NAN[1:])
    expect(canvas).to_have_attribute("aria-label", re.compile(r"\[2, 0:40, 0:60\]"))
    canvas.hover(position={"x": x, "y": y})
    expect(view.locator(".place")).to_have_text("[2, 10, 30] = NaN")
    assert canvas.evaluate(PIXEL, [x, y]) == NAN_COLOUR
    picture(code.page, screenshots / f"vscode-tensors-{theme}.png")
    plane = view.locator(".plane")
    plane.focus()
    for key in ("[", "+", "+", "+", "ArrowDown"):
        plane.press(key)
    expect(view.locator("td.cursor")).to_have_count(1)
    expect(view.locator(".place")).to_contain_text("[1, 1, 0] = ")
    picture(code.page, screenshots / f"vscode-tensors-table-{theme}.png")
    page.locator("li button").nth(1).click()
    expect(view.locator("td")).to_have_text(["1.5", "-2"])


@pytest.mark.seconds(240)
def test_an_array_file_is_seen_and_again_after_a_reload(code: Workbench, screenshots: Path) -> None:
    page = code.page
    page.goto(code.server.address(code.folder))
    code.choose_for_file("log.npz", "Show Tensors of Array File")
    view = panel(code).locator("shlo-tensor-view")
    expect(view.locator(".title")).to_contain_text("x float32[3, 40, 60]")
    expect(view.locator(".plane canvas")).to_have_attribute("aria-label", re.compile("Heat map of x"))
    code.restart()
    expect(view.locator(".plane canvas")).to_have_attribute("aria-label", re.compile("Heat map of x"))
    picture(page, screenshots / "vscode-tensors-file.png")
