"""JupyterLab's debugger panel on StableHLO: breakpoints in cells, values, both ways, processes of a grid."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .jupyter_lab import Lab, cell_of

SHARED = """func.func @h(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.negate %a : tensor<2xf32>
  %c = stablehlo.add %b, %b : tensor<2xf32>
  return %c : tensor<2xf32>
}"""
CALL = """%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
%y = func.call @h(%x) : (tensor<2xf32>) -> tensor<2xf32>"""
GRID = "%grid 2x1 --split 0 @h([1.0, 2.0, 3.0, 4.0])"


def test_a_cell_stops_and_goes_both_ways(lab: Lab, page: Page, screenshots: Path) -> None:
    shared = start(lab, page, "debugger", [SHARED, CALL, GRID])
    frames, values = page.locator(".jp-DebuggerCallstack"), page.locator(".jp-DebuggerVariables")
    call, grid = cell_of(page, "func.call"), cell_of(page, "%grid")
    run(page, call)
    expect(frames).to_contain_text("@h: stablehlo.add")
    expect(
        shared.locator(".jp-DebuggerEditor-highlight, .cm-line.jp-DebuggerEditor-highlight")
    ).to_contain_text("%c")
    expect(values).to_contain_text("%b")
    page.screenshot(path=screenshots / "jupyterlab-debugger.png")
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
    page.screenshot(path=screenshots / "jupyterlab-debugger-grid.png")
    page.locator('#jp-debugger-sidebar [data-command="debugger:continue"]').click()
    expect(grid.locator(".shlo-results")).to_have_count(1)


def start(lab: Lab, page: Page, name: str, cells: list[str]) -> Locator:
    """Opens a notebook with the debugger's panel, runs its first cell, and sets a breakpoint on line 3 of it;
    returns it."""
    lab.open(page, lab.write(name, "stablehlo", cells))
    first = page.locator(".jp-CodeCell").first
    run(page, first)
    expect(first.locator(".jp-InputPrompt")).to_contain_text("[1]")
    page.get_by_role("button", name="Enable Debugger").click()
    expect(first.locator(".cm-breakpoint-gutter .cm-gutterElement")).not_to_have_count(0)
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
