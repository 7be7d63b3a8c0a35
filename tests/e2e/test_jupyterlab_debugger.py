"""The debugger panel of JupyterLab and Notebook 7: breakpoints in cells, values, both ways, processes of a grid."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .jupyter_lab import Lab, cell_of
from .test_notebooks import PLACES
from .test_notebooks import place as place

SHARED = """func.func @h(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.negate %a : tensor<2xf32>
  %c = stablehlo.add %b, %b : tensor<2xf32>
  return %c : tensor<2xf32>
}"""
CALL = """%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
%y = func.call @h(%x) : (tensor<2xf32>) -> tensor<2xf32>"""
GRID = "%grid 2x1 --split 0 @h([1.0, 2.0, 3.0, 4.0])"


@pytest.mark.seconds(240)
def test_a_cell_stops_and_goes_both_ways(lab: Lab, page: Page, place: str, screenshots: Path) -> None:
    shared = start(lab, page, place, [SHARED, CALL, GRID])
    frames, values = page.locator(".jp-DebuggerCallstack"), page.locator(".jp-DebuggerVariables")
    call, grid = cell_of(page, "func.call"), cell_of(page, "%grid")
    run(page, call)
    expect(frames).to_contain_text("@h: stablehlo.add")
    expect(
        shared.locator(".jp-DebuggerEditor-highlight, .cm-line.jp-DebuggerEditor-highlight")
    ).to_contain_text("%c")
    expect(values).to_contain_text("%b")
    page.screenshot(path=screenshots / f"{place}-debugger.png")
    move(page, "debugger:next", frames, "@h: func.return")
    expect(values).to_contain_text("%c")
    move(page, "shlo:step-back", frames, "@h: stablehlo.add")
    move(page, "shlo:step-back", frames, "@h: stablehlo.negate")
    move(page, "debugger:continue", frames, "@h: stablehlo.add")
    page.locator('#jp-debugger-sidebar [data-command="debugger:continue"]').click()
    expect(call.locator(".jp-OutputArea-output td")).to_have_text(["-2", "-4"])
    run(page, grid)
    expect(frames).to_contain_text("(0, 0) @h: stablehlo.add")
    move(page, "debugger:continue", frames, "(1, 0) @h: stablehlo.add")
    page.screenshot(path=screenshots / f"{place}-debugger-grid.png")
    page.locator('#jp-debugger-sidebar [data-command="debugger:continue"]').click()
    expect(grid.locator(".shlo-results")).to_have_count(1)


def start(lab: Lab, page: Page, place: str, cells: list[str]) -> Locator:
    """Opens a notebook with the debugger's panel, runs its first cell, and sets a breakpoint on line 3 of it;
    returns it."""
    lab.open(page, lab.write(f"debugger-{place}", "stablehlo", cells), PLACES[place])
    first = page.locator(".jp-CodeCell").first
    run(page, first)
    expect(first.locator(".jp-InputPrompt")).to_contain_text("[1]")
    page.get_by_role("button", name="Enable Debugger").click()
    expect(first.locator(".cm-breakpoint-gutter .cm-gutterElement")).not_to_have_count(0)
    if place == "notebook":  # where the panel is one that View, Right Sidebar, Debugger shows
        page.evaluate("() => window.jupyterapp.shell.expandRight('jp-debugger-sidebar')")
    expect(page.locator("#jp-debugger-sidebar")).to_be_visible()
    line = first.locator(".cm-line").nth(2).bounding_box()
    gutter = first.locator(".cm-gutter.cm-breakpoint-gutter").bounding_box()
    assert line
    assert gutter
    page.mouse.click(gutter["x"] + gutter["width"] / 2, line["y"] + line["height"] / 2)
    expect(page.locator(".jp-DebuggerBreakpoints")).to_contain_text("3")
    return first


def run(page: Page, cell: Locator) -> None:
    """Runs a cell."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def move(page: Page, command: str, frames: Locator, where: str) -> None:
    """Presses a button of the panel, and waits until the innermost frame is at a place."""
    page.locator(f'#jp-debugger-sidebar [data-command="{command}"]').click()
    expect(frames).to_contain_text(where)
