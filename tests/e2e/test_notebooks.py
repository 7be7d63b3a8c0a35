"""JupyterLab and Notebook 7, light and dark: tensor view, graph, stepper and error in a notebook, their contrast."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .jupyter_lab import Lab, assert_coloured, cell_of, press
from .test_pages import NAN_COLOUR, PIXEL, place_of, violations

PLACES = {"lab": "lab/tree", "notebook": "notebooks"}
CELLS = [
    """func.func @f(%x: tensor<3x40x60xf32>) -> tensor<3x40x60xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<3x40x60xf32>
  %two = stablehlo.add %x, %one : tensor<3x40x60xf32>
  %log = stablehlo.log %two : tensor<3x40x60xf32>
  return %log : tensor<3x40x60xf32>
}""",
    """%%python
import numpy as np
x = np.cos(np.arange(7200, dtype=np.float32)).reshape(3, 40, 60)
x[1, 12, 33] = -2""",
    "%run %y = @f(%x)",
    "%graph @f",
    "%z = stablehlo.negate %nope : tensor<2xf32>",
    "%step @f(%x)",
]


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> str:
    if request.param == "notebook":
        pytest.importorskip("notebook", reason="Notebook 7 is not installed")
    return request.param


@pytest.mark.seconds(240)
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_views_and_stepper(lab: Lab, page: Page, screenshots: Path, place: str, theme: str) -> None:
    with lab.themed(theme):
        lab.open(page, lab.write(f"{place}-{theme}", "stablehlo", CELLS), PLACES[place])
        dark = page.locator("body[data-jp-theme-light=false]")
        expect(dark).to_have_count(int(theme == "Dark"))
        for number in range(len(CELLS)):  # all, although one of them fails
            run(page, number)
        assert_coloured(page.locator(".jp-CodeCell").first)
        look_at_tensor(cell_of(page, "%run"))
        look_at_graph(cell_of(page, "%graph"))
        error = page.locator("[data-mime-type='application/vnd.jupyter.stderr']")
        expect(error).to_contain_text("%nope")
        step_beside_graph(page)
        page.screenshot(path=screenshots / f"{place}-{theme.lower()}-stepper.png")
        error.scroll_into_view_if_needed()
        page.screenshot(path=screenshots / f"{place}-{theme.lower()}-error.png")
        show_all(page)
        assert violations(page, ".jp-OutputArea", "color-contrast") == []
        lab.close(page)


def show_all(page: Page) -> None:
    """Makes all of the notebook visible to axe-core, which leaves out what is scrolled away, and all that is
    in a body without a height, such as JupyterLab's."""
    page.set_viewport_size({"width": 1200, "height": 4000})
    page.add_style_tag(content="body { height: 100vh }")


def run(page: Page, number: int) -> None:
    """Runs a cell, and waits for its end."""
    cell = page.locator(".jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_contain_text(f"[{number + 1}]")


def look_at_tensor(cell: Locator) -> None:
    """Finds the NaN with slider and mouse."""
    view = cell.locator("shlo-tensor-view")
    canvas = view.locator(".plane canvas")
    view.locator("input[type=range]").press("ArrowRight")
    expect(canvas).to_have_attribute("aria-label", re.compile(r"\[1, 0:40, 0:60\]"))
    at = place_of(canvas, 12, 33)
    canvas.hover(position={"x": at[0], "y": at[1]})
    expect(view.locator(".place")).to_have_text("[1, 12, 33] = NaN")
    assert canvas.evaluate(PIXEL, list(at)) == NAN_COLOUR


def look_at_graph(cell: Locator) -> None:
    """Closes and opens a function, and colours what is in it; keys that are pressed there are not the page's."""
    view = cell.locator("shlo-graph-view")
    function = view.get_by_role("treeitem", name="@f")
    expect(function).to_have_attribute("aria-expanded", "true")
    function.press("ArrowLeft")
    expect(function).to_have_attribute("aria-expanded", "false")
    function.press("ArrowRight")
    expect(view.get_by_role("treeitem", name="log")).to_be_visible()
    view.get_by_label("colours").select_option("FLOPs")
    expect(view.locator(".legend")).to_contain_text("7200")
    count = cell.page.locator(".jp-CodeCell").count()
    view.get_by_label("find an operation").press_sequentially("add")
    expect(view.get_by_label("find an operation")).to_have_value("add")
    view.get_by_label("find an operation").press("Enter")
    expect(view.locator("[aria-selected=true]")).to_contain_text("add")
    expect(cell.page.locator(".jp-CodeCell")).to_have_count(count)


def step_beside_graph(page: Page) -> None:
    """Takes steps, which the graph follows, and chooses a value in the graph."""
    press(page, "step", "[1], @f")
    stepper = cell_of(page, "%step")
    stepper.locator(".widget-toggle-button", has_text="graph").click()
    selected = stepper.locator("shlo-graph-view [role=treeitem][aria-selected=true]")
    expect(selected).to_contain_text("add")
    press(page, "step", "[2], @f")
    expect(selected).to_contain_text("log")
    stepper.get_by_role("treeitem", name="constant").click()
    expect(stepper.locator(".shlo-chosen")).to_contain_text("%one")
    expect(stepper.locator("shlo-tensor-view .title")).to_contain_text("%one")
