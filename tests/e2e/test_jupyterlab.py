"""JupyterLab in a browser: the tour from top to bottom, the stepper, files, Python notebooks, hostile texts."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import ROOT

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Page, expect

from .jupyter_lab import Lab, assert_coloured, cell_of, press

HOSTILE = "<img src=x onerror=window.pwned=1>"
HOSTILE_CELLS = [
    f"""func.func @"{HOSTILE}"(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %y = stablehlo.add %x, %x {{note = "{HOSTILE}"}} : tensor<2xf32> loc("jit({HOSTILE})/add"("{HOSTILE}":1:1))
  return %y : tensor<2xf32>
}}""",
    f'%step @"{HOSTILE}"([1.0, 2.0])',
    f"%run @{HOSTILE}",
    f'%y = stablehlo.negate %nope {{note = "{HOSTILE}"}} : tensor<2xf32>',
]
PYTHON_CELLS = [
    "%load_ext shlo_kernel\nimport jax, jax.numpy as jnp, shlo_kernel",
    """@jax.jit
def attention(q, k, v):
    weights = jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]))
    return weights @ v, weights

q, k, v = jax.random.normal(jax.random.key(0), (3, 8, 4))
lowered = attention.lower(q, k, v)
lowered""",
    "ours, theirs = shlo_kernel.run(lowered, q, k, v), attention(q, k, v)\n[jnp.allclose(a, b) for a, b in zip(ours, theirs)]",
    "%%stablehlo -o weights\n// What JAX lowered is a function here, arrays are values.\n"
    "%run %mixed, %weights = @lowered(%q, %k, %v)",
    "%step lowered, q, k, v",
]
GRID_CELLS = [
    """func.func @replica_0(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.negate %x : tensor<2xf32>
  %turned = "stablehlo.collective_permute"(%y) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %turned : tensor<2xf32>
}
func.func @replica_1(%x: tensor<2xf32>) -> tensor<4xf32> {
  %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<2xf32>) -> tensor<4xf32>
  return %all : tensor<4xf32>
}""",
    "%step --grid 2x1 --split 0 @replica_{replica}([1, 2, 3, 4])",
]
LARGE_CELLS = [
    """%i = stablehlo.iota dim = 0 : tensor<3x300x400xf32>
%z = stablehlo.log %i : tensor<3x300x400xf32>
%z""",
    "%step @wide()",
]
WIDE = """func.func @wide() -> tensor<3x300x400xf32> {
  %i = stablehlo.iota dim = 0 : tensor<3x300x400xf32>
  %e = stablehlo.exponential %i : tensor<3x300x400xf32>
  return %e : tensor<3x300x400xf32>
}"""
PICTURE = ROOT / "docs" / "notebook.png"


@pytest.fixture(scope="module", autouse=True)
def files(lab: Lab) -> None:
    """Copies of examples, and notebooks."""
    shutil.copy(ROOT / "examples" / "transformer.mlir", lab.folder)
    lab.write("hostile", "stablehlo", HOSTILE_CELLS)
    lab.write("grid", "stablehlo", GRID_CELLS)
    lab.write("large", "stablehlo", [WIDE, *LARGE_CELLS])
    lab.write("python", "python3", PYTHON_CELLS)


@pytest.fixture
def tour(lab: Lab, page: Page) -> Iterator[Page]:
    """Yields the tour after all of its cells ran."""
    shutil.copy(ROOT / "examples" / "tour.ipynb", lab.folder)
    lab.open(page, "tour.ipynb")
    lab.run_all(page)
    expect(page.locator(".shlo-source")).to_be_visible()
    yield page
    lab.close(page)


@pytest.mark.core
def test_the_tour_is_coloured_and_has_heat_maps_and_an_error_with_carets(
    tour: Page, screenshots: Path
) -> None:
    cell = cell_of(tour, "stablehlo.cosine")
    assert_coloured(cell)
    expect(cell.locator(".jp-OutputArea img")).to_have_attribute("alt", "heat map of 96 by 96 elements")
    expect(cell_of(tour, "%run %attention").locator("td")).to_have_count(36)
    error = tour.locator(".jp-OutputArea-output", has_text="is used as tensor<2x2xf32>")
    expect(error).to_contain_text("^~")
    assert_coloured(cell_of(tour, "%%python"), {"import": "keyword"})
    cell.scroll_into_view_if_needed()
    tour.screenshot(path=screenshots / "jupyterlab-tour.png")
    error.scroll_into_view_if_needed()
    tour.screenshot(path=screenshots / "jupyterlab-error.png")
    results = cell_of(tour, "%grid 4x1").locator(".shlo-results")
    expect(results).to_have_count(2)
    expect(results.first).to_contain_text("(3, 0)")
    results.first.scroll_into_view_if_needed()
    tour.screenshot(path=screenshots / "jupyterlab-grid.png")
    picture = cell_of(tour, "%grid 2x1").locator(".shlo-waits")
    expect(picture).to_contain_text("this closes the cycle")
    picture.scroll_into_view_if_needed()
    tour.screenshot(path=screenshots / "jupyterlab-deadlock.png")


@pytest.mark.core
def test_the_stepper_goes_both_ways(tour: Page, screenshots: Path) -> None:
    where, source, picture = (
        tour.locator(name) for name in (".shlo-where", ".shlo-here", ".widget-html img")
    )
    press(tour, "step", "[1], @spread")
    expect(source).to_contain_text("%one = ")
    press(tour, "step", "[2], @spread")
    expect(source).not_to_contain_text("%one = ")
    press(tour, "back", "[1], @spread")
    expect(source).to_contain_text("%one = ")
    ask(tour, "break value %next", "breakpoint 1: value %next")
    press(tour, "continue", "@spread body #0, breakpoint 1")
    pictures = [picture.get_attribute("src")]
    for number in range(1, 6):
        press(tour, "continue", f"@spread body #{number}, breakpoint 1")
        expect(picture).not_to_have_attribute("src", pictures[-1] or "")
        pictures.append(picture.get_attribute("src"))
    cell_of(tour, "%step @spread").evaluate("cell => cell.scrollIntoView()")
    tour.screenshot(path=screenshots / "jupyterlab-stepper.png")
    if os.environ.get("SHLO_WRITE_PICTURES") == "1":
        shutil.copy(screenshots / "jupyterlab-stepper.png", PICTURE)
    press(tour, "reverse", "@spread body #4, breakpoint 1")
    expect(picture).to_have_attribute("src", pictures[4] or "")
    press(tour, "restart", "[0], @spread")
    tour.locator("shlo-timeline-view input[type=range]").press("ArrowRight")
    expect(where).to_contain_text("[1], @spread")


def test_the_processes_of_a_grid_are_stepped_through_both_ways(
    lab: Lab, page: Page, screenshots: Path
) -> None:
    lab.open(page, "grid.ipynb")
    lab.run_all(page)
    process = page.locator(".shlo-process")
    expect(process).to_contain_text("process 0 of 2: (0, 0) ready")
    press(page, "step", "[1], process (0, 0), @replica_0")
    page.locator(".widget-button", has_text="(1, 0) R").click()
    expect(process).to_contain_text("process 1 of 2: (1, 0) ready")
    expect(page.locator(".shlo-here")).to_contain_text("all_gather")
    press(page, "continue", "the grid cannot go on")
    expect(page.locator(".shlo-waits")).to_contain_text("this closes the cycle")
    cell_of(page, "%step --grid").evaluate("cell => cell.scrollIntoView()")
    page.screenshot(path=screenshots / "jupyterlab-grid-stepper.png")
    press(page, "back", "[0], process (1, 0), @replica_1")
    expect(page.locator(".shlo-waits")).to_have_count(0)
    page.get_by_role("button", name="compare processes").click()
    expect(page.locator(".shlo-reply")).to_contain_text("in 2 processes")
    page.screenshot(path=screenshots / "jupyterlab-grid-compared.png")


def test_the_kernel_answers_for_planes_that_the_page_has_not(lab: Lab, page: Page, screenshots: Path) -> None:
    lab.open(page, "large.ipynb")
    lab.run_all(page)
    view = cell_of(page, "stablehlo.log").locator("shlo-tensor-view")
    expect(view.locator(".statistics")).to_contain_text("120,000 -Inf")
    view.locator("input[type=range]").press("End")
    expect(view.locator(".plane canvas")).to_have_attribute("aria-label", re.compile(r"\[2, 0:300, 0:400\]"))
    expect(view.locator(".error")).to_be_hidden()
    plane = view.locator(".plane")
    plane.focus()
    for _ in range(6):
        plane.press("+")
    expect(view.locator(".place")).to_contain_text("[2, 0, 0] = 0.693147182")
    page.screenshot(path=screenshots / "jupyterlab-tensor.png")
    press(page, "step", "[1], @wide")
    press(page, "step", "[2], @wide")
    stepper = cell_of(page, "%step @wide").locator("shlo-tensor-view")
    stepper.locator("input[type=range]").press("End")
    expect(stepper.locator(".plane canvas")).to_have_attribute(
        "aria-label", re.compile(r"%e.*\[2, 0:300, 0:400\]")
    )
    stepper.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "jupyterlab-stepper-tensor.png")


def test_a_file_is_coloured_and_has_an_icon(lab: Lab, page: Page, screenshots: Path) -> None:
    lab.open(page, "transformer.mlir")
    assert_coloured(page.locator(".jp-FileEditor"))
    listed = page.locator(".jp-DirListing-item", has_text="transformer.mlir")
    expect(listed.locator("svg[data-icon='shlo:mlir']")).to_be_visible()
    page.evaluate("() => void window.jupyterapp.commands.execute('launcher:create')")
    page.locator(".jp-LauncherCard", has_text="MLIR File").click()
    expect(page.locator(".lm-TabBar-tab.jp-mod-current", has_text="untitled.mlir")).to_be_visible()
    expect(page.locator(".jp-FileEditor:visible .cm-content")).to_have_attribute("data-language", "mlir")
    page.screenshot(path=screenshots / "jupyterlab-file.png")


def test_a_python_notebook_shows_and_runs_what_jax_lowered(lab: Lab, page: Page, screenshots: Path) -> None:
    lab.open(page, "python.ipynb")
    lab.run_all(page)
    program = page.locator(".shlo-program details").first
    expect(program).to_have_attribute("open", "")
    expect(program.locator("pre")).to_contain_text("stablehlo.dot_general")
    expect(page.locator(".jp-OutputArea-output", has_text="True")).to_be_visible()
    cell = cell_of(page, "%%stablehlo")
    expect(cell.locator("td")).to_have_count(32 + 64)
    assert_coloured(cell, {"mixed": "variable-2", "JAX": "comment"})
    press(page, "step", "[1], @main")
    expect(page.locator(".shlo-source")).to_contain_text("stablehlo.dot_general")
    page.locator(".shlo-program").scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "jupyterlab-python.png", full_page=True)


@pytest.mark.core
def test_hostile_texts_stay_texts(lab: Lab, page: Page, screenshots: Path) -> None:
    lab.open(page, "hostile.ipynb")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    for index in range(len(HOSTILE_CELLS)):
        page.locator(".jp-CodeCell").nth(index).click()
        page.keyboard.press("Shift+Enter")
    expect(page.locator(".shlo-source")).to_be_visible()
    press(page, "step", "[1]")
    ask(page, f"print %{HOSTILE}", "unexpected '%'")
    ask(page, HOSTILE, "there is no command")
    expect(page.locator(".jp-OutputArea-output", has_text=HOSTILE).first).to_be_visible()
    assert page.locator(".jp-OutputArea img[src=x]").count() == 0
    assert page.evaluate("() => window.pwned") is None
    page.screenshot(path=screenshots / "jupyterlab-hostile.png")


def ask(page: Page, command: str, answer: str) -> None:
    """Types a command of the debugger, and waits for what it answers."""
    field = page.get_by_placeholder("command")
    field.fill(command)
    field.press("Enter")
    expect(page.locator(".shlo-reply")).to_contain_text(answer)
