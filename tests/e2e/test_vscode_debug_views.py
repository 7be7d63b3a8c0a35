"""Panels of a debug session in VS Code's own workbench: tensor, timeline, graph, and a grid that cannot go on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Error, Frame, ViewportSize, expect

from .conftest import ROOT
from .test_vscode_debug import begin, rows, stopped_on, value
from .workbench import WINDOW, Workbench, both_themes, documentation, picture, until

DEADLOCK = """module @exchange attributes {mhlo.num_replicas = 4 : i32, mhlo.num_partitions = 1 : i32} {
  func.func @main() -> tensor<2xf32> {
    %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %id = stablehlo.replica_id : tensor<ui32>
    %three = stablehlo.constant dense<3> : tensor<ui32>
    %last = stablehlo.compare EQ, %id, %three : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %sum = "stablehlo.if"(%last) ({
      %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}
        : (tensor<2xf32>) -> tensor<8xf32>
      %own = stablehlo.slice %all [0:2] : (tensor<8xf32>) -> tensor<2xf32>
      stablehlo.return %own : tensor<2xf32>
    }, {
      %all = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %both = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %both : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %all : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return %sum : tensor<2xf32>
  }
}
"""
"""Of four replicas the last one gathers where the others add."""
COLOURS = """canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return [...new Set(new Uint32Array(data.buffer))];
}"""
WIDE: ViewportSize = {"width": 1500, "height": 860}


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with a program that JAX printed, and one of four processes that ends in a deadlock."""
    folder = tmp_path_factory.mktemp("views")
    for name in ("diverging.mlir", "lower_diverging.py"):
        shutil.copy(ROOT / "examples" / name, folder)
    (folder / "exchange.mlir").write_text(DEADLOCK)
    return folder


def show(code: Workbench, name: str) -> Frame:
    """Opens a view of the debug session; returns its page."""
    code.command(f"Show {name} of Debug Session")
    return page_of(code, name)


def page_of(code: Workbench, name: str) -> Frame:
    """Returns the page of a view that is being shown."""
    found: list[Frame] = []

    def is_there() -> bool:
        found[:] = [frame for frame in code.page.frames if view_of(frame) == name.lower()]
        return bool(found)

    until(is_there, code.page)
    return found[0]


def view_of(frame: Frame) -> str | None:
    try:
        return frame.evaluate("document.body?.dataset.view ?? null")
    except Error:  # it is being loaded
        return None


@pytest.mark.seconds(240)
def test_tensor_timeline_and_graph_follow_the_session(code: Workbench, screenshots: Path) -> None:
    begin(code, "diverging.mlir")
    page = code.page
    stopped_on(code, "@main: stablehlo.iota")
    tensor = show(code, "Tensor")
    expect(tensor.locator(".note")).to_contain_text("take a step")
    page.locator(".debug-toolbar .codicon-debug-step-over").click()
    followed = tensor.locator("li").first
    expect(followed).to_contain_text("%0 1024xint32")
    view = tensor.locator("shlo-tensor-view")
    expect(view.locator(".statistics")).to_contain_text("max 1023")
    page.locator(".debug-toolbar .codicon-debug-step-over").click()
    expect(followed).to_contain_text("%1 1024xint32")  # the newest
    followed.get_by_text("pin").click()
    followed.get_by_text("keep").click()
    expect(tensor.locator("li")).to_have_count(3)
    code.lines.filter(has_text="%1 = stablehlo.multiply").locator("span > span", has_text="%0").first.click()
    expect(followed).to_contain_text("%0 1024xint32")  # at the cursor
    tensor.locator("select").first.select_option(label="%1")
    expect(view.locator(".title")).to_contain_text("%0 − %1")
    expect(view.locator(".statistics")).to_contain_text("1,022 elements of 1,024 differ")

    timeline = show(code, "Timeline")
    words = timeline.locator(".words")
    expect(words).to_have_text("step 2 of 2 so far")
    code.lines.filter(has_text="%11 = stablehlo.reshape").first.click()
    page.keyboard.press("F9")
    page.locator(".debug-toolbar .codicon-debug-continue").click()
    stopped_on(code, "@main: stablehlo.reshape")
    expect(words).to_have_text("step 39 of 39 so far")
    page.locator(".debug-toolbar .codicon-debug-step-over").click()
    expect(words).to_have_text("step 40 of 40 so far")
    timeline.locator("input[type=range]").press("ArrowLeft")
    stopped_on(code, "@main: stablehlo.reshape")
    expect(words).to_have_text("step 39 of 40 so far")
    box = timeline.locator("canvas").bounding_box()
    assert box
    timeline.locator("canvas").click(position={"x": 3, "y": box["height"] / 2})
    stopped_on(code, "@main: stablehlo.iota")
    expect(words).to_contain_text("step 0 of")
    expect(tensor.locator(".tensors")).to_contain_text(
        "%1 at step 2"
    )  # what was kept is there before it was made
    timeline.get_by_label("go as far as the program was run").click()
    expect(words).to_have_text("step 40 of 40 so far")
    followed.get_by_text("newest").click()
    expect(followed).to_contain_text("%11 32x32xfloat32")
    expect(view.locator(".plane canvas")).to_have_attribute("aria-label", re.compile("Heat map of %11"))
    both_themes(code, screenshots / "vscode-debug-views.png")

    rows(code, "debug-breakpoints").filter(has_text=re.compile("^NaN")).locator(
        "input[type=checkbox]"
    ).check()
    page.locator(".debug-toolbar .codicon-debug-continue").click()
    expect(page.locator(".exception-widget")).to_contain_text("NaN")
    expect(view.locator(".statistics")).to_contain_text("NaN")
    expect(words).to_contain_text("round")
    page.set_viewport_size(WIDE)
    picture(page, screenshots / "vscode-debug-nan-views.png")
    documentation(page, "vscode-debug.png", WIDE["height"])
    page.set_viewport_size(WINDOW)

    graph = show(code, "Graph")
    selected = graph.locator("[role=treeitem][aria-selected=true]")
    expect(selected).to_contain_text("divide")
    page.locator(".debug-toolbar .codicon-debug-step-over").click()
    expect(selected).not_to_contain_text("divide")
    both_themes(code, screenshots / "vscode-debug-graph.png")
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()
    expect(graph.locator(".nothing")).to_contain_text("F5")


@pytest.mark.seconds(240)
def test_a_tensor_is_drawn_when_its_tab_is_seen_again_and_the_program_goes_on_at_once(
    code: Workbench, screenshots: Path
) -> None:
    begin(code, "diverging.mlir")
    page = code.page
    stopped_on(code, "@main: stablehlo.iota")
    tensor = show(code, "Tensor")
    code.lines.filter(has_text="%11 = stablehlo.reshape").first.click()
    page.keyboard.press("F9")
    page.locator(".debug-toolbar .codicon-debug-continue").click()
    stopped_on(code, "@main: stablehlo.reshape")
    page.locator(".debug-toolbar .codicon-debug-step-over").click()
    followed = tensor.locator("li").first
    expect(followed).to_contain_text("%11 32x32xfloat32")
    followed.get_by_text("pin").click()
    followed.get_by_text("keep").click()
    expect(tensor.locator("li")).to_have_count(3)
    show(code, "Graph")
    rows(code, "debug-breakpoints").filter(has_text=re.compile("^NaN")).locator(
        "input[type=checkbox]"
    ).check()

    page.locator(".tab", has_text="Tensor").click()
    page.locator(".debug-toolbar .codicon-debug-continue").click()
    expect(page.locator(".exception-widget")).to_contain_text("NaN")
    tensor = page_of(code, "Tensor")
    expect(tensor.locator("li")).to_have_count(3)
    picture(page, screenshots / "vscode-debug-tensor-again.png")
    canvas = tensor.locator("shlo-tensor-view .plane canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile("NaN"))
    assert len(canvas.evaluate(COLOURS)) > 10


@pytest.mark.seconds(240)
def test_a_grid_of_four_shows_who_waits_for_whom(code: Workbench, screenshots: Path) -> None:
    begin(code, "exchange.mlir")
    page = code.page
    stopped_on(code, "@main: stablehlo.constant")
    grid = show(code, "Grid")
    cells = grid.locator(".cell")
    expect(cells).to_have_count(4)
    expect(grid.locator(".cell.ready")).to_have_count(4)
    page.locator(".debug-toolbar .codicon-debug-continue").click()
    expect(grid.locator(".wrong")).to_contain_text("deadlock")
    expect(grid.locator(".cell.guilty")).to_have_attribute("title", re.compile("all_gather.*to blame"))
    expect(grid.locator("svg .line.cycle")).not_to_have_count(0)
    cells.first.press("ArrowRight")
    grid.locator(".cell:focus").press("Enter")
    expect(cells.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(rows(code, "debug-call-stack").filter(has_text="process (1, 0)")).to_be_visible()
    cells.nth(3).click()
    expect(cells.nth(3)).to_have_attribute("aria-pressed", "true")
    expect(value(code, "%id")).to_contain_text("3")
    both_themes(code, screenshots / "vscode-debug-grid.png")
    page.set_viewport_size(WIDE)
    expect(cells.nth(3)).to_be_visible()
    picture(page, screenshots / "vscode-debug-grid-wide.png")
    documentation(page, "vscode-grid.png", 250, left=348, top=588)  # paths are above it
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()
