"""Self-contained pages in a browser: the tensor view and the graph view, in light and dark, without a server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Frame, Locator, Page, expect

import shlo
from shlo.cli import main
from shlo.jax_programs.trees import leaves_of
from shlo.pages.grid import GridCell, grid_html
from shlo.pages.tensor import NamedTensor, difference_html, tensor_html, tensors_html
from shlo.pages.tree import tree_html

from .conftest import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BUILT = ROOT / "web" / "dist"
EXAMPLES = ROOT / "examples"
NAN = (1, 12, 33)
NAN_COLOUR = [213, 0, 200]
PIXEL = """(canvas, [x, y]) => {
  const box = canvas.getBoundingClientRect();
  return [...canvas.getContext('2d').getImageData(x * canvas.width / box.width, y * canvas.height / box.height, 1, 1).data].slice(0, 3);
}"""
Open = Callable[[str], Page]


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def open_page(browser: Browser, theme: Any, tmp_path: Path) -> Open:
    """Returns a function that opens a page from a file, without a network; a mistake of its scripts fails."""
    if not (BUILT / "graph_view.js").exists():
        pytest.skip("the views are not built: make web")

    def open_text(html: str) -> Page:
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(color_scheme=theme, viewport={"width": 1000, "height": 700}, offline=True)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(path.as_uri())
        return page

    return open_text


def violations(page: Page | Frame, part: str = "html", only: str = "") -> list[str]:
    """Returns what axe-core finds wrong in the elements that a selector names: contrast, names of controls,
    roles; by one rule alone, if one is given."""
    page.add_script_tag(path=AXE)
    rules: dict[str, Any] = {
        "rules": {
            name: {"enabled": False} for name in ("region", "landmark-one-main", "page-has-heading-one")
        }
    }
    if only:
        rules = {"runOnly": [only]}
    found = page.evaluate("([part, rules]) => axe.run(part, rules)", [part, rules])
    contrast = [each for each in found["passes"] if each["id"] == "color-contrast"]
    assert contrast, "axe-core measured no contrast"
    return [f"{each['id']}: {node['html'][:120]}" for each in found["violations"] for node in each["nodes"]]


def place_of(
    canvas: Locator, row: int, column: int, rows: int = 40, columns: int = 60
) -> tuple[float, float]:
    """Returns where an element of a plane is drawn, in the canvas."""
    left, top, right, bottom = 52, 20, 24, 4
    box = canvas.bounding_box()
    assert box
    width, height = (box["width"] - left - right) / columns, (box["height"] - top - bottom) / rows
    return left + (column + 0.5) * width, top + (row + 0.5) * height


def page_of(body: str) -> str:
    style = "<style>:root{color-scheme:light dark}</style>"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>page</title>{style}<body>{body}</body></html>'


def test_a_saved_stepper_steps_in_a_page(open_page: Open, tmp_path: Path) -> None:
    recording, html = tmp_path / "run.shlorec", tmp_path / "run.html"
    assert main(["run", str(EXAMPLES / "diverging.mlir"), "--record", str(recording)]) == 0
    assert main(["show", str(recording), "-o", str(html)]) == 0
    page = open_page(html.read_text(encoding="utf-8"))
    view = page.locator("shlo-replay-view")
    place = view.locator(".words")
    expect(place).to_have_text("step 969 of 969 (the end)")
    page.get_by_role("button", name="restart").click()
    page.get_by_role("button", name="next NaN").click()
    expect(place).to_have_text("step 759 of 969, attn")
    expect(view.locator(".panes .shlo-here")).to_contain_text("stablehlo.exponential")
    view.locator(".panes .box").focus()
    for _ in range(152):
        page.keyboard.press("S")
    expect(place).to_contain_text("step 607 of 969")
    view.locator(".panes .box").press("b")
    view.locator(".panes .box").press("x")
    view.locator(".panes .box").press("C")
    expect(place).to_contain_text("step 717 of 969")
    assert violations(page) == []


@pytest.mark.core
def test_a_tensor_in_a_page_has_slider_hover_and_its_nan(
    open_page: Open, theme: str, screenshots: Path
) -> None:
    z, y, x = np.meshgrid(*map(np.arange, (3, 40, 60)), indexing="ij")
    array = (np.sin(x / 9 + z) * np.cos(y / 7)).astype(np.float32)
    array[NAN] = np.nan
    page = open_page(
        page_of(tensor_html(array, "%y") + difference_html(array[0], array[2]) + tensor_html(array))
    )
    views = page.locator("shlo-tensor-view")
    view = views.first
    expect(view.locator(".plane canvas")).to_have_attribute("aria-label", re.compile(r"\[0, 0:40, 0:60\]"))
    view.locator("input[type=range]").press("ArrowRight")
    canvas = view.locator(".plane canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile(r"\[1, 0:40, 0:60\]"))
    x_at, y_at = place_of(canvas, *NAN[1:])
    canvas.hover(position={"x": x_at, "y": y_at})
    expect(view.locator(".place")).to_have_text("[1, 12, 33] = NaN")
    assert canvas.evaluate(PIXEL, [x_at, y_at]) == NAN_COLOUR
    plane = view.locator(".plane")
    plane.focus()
    for key in ("+", "+", "+", "ArrowDown"):
        plane.press(key)
    expect(view.locator("td.cursor")).to_have_count(1)
    views.nth(1).get_by_role("button", name="first - second").click()
    expect(views.nth(1).locator(".title")).to_contain_text("first - second")
    expect(views.nth(2).locator(".plane canvas")).to_be_visible()  # a third copy of the script
    page.screenshot(path=screenshots / f"page-tensor-{theme}.png", full_page=True)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light"], indirect=True)
def test_an_element_that_is_chosen_is_told_to_the_field_of_its_view(open_page: Open) -> None:
    small, large = np.arange(12.0).reshape(2, 3, 2), np.ones((3, 40, 60), np.float32)
    pages = [
        tensors_html([NamedTensor("%y", "", array)], name, scripted=False, picked=True)
        + f'<div class="shlo-picked-{name}"><input aria-label="told {name}"></div>'
        for name, array in (("small", small), ("scalar", np.ones(())), ("large", large))
    ]
    page = open_page(page_of("".join(pages) + tensor_html(large)))  # the last one has the script
    page.get_by_role("cell", name="9", exact=True).click()
    expect(page.get_by_label("told small")).to_have_value(re.compile(r"at 1 1 1 \d+"))
    page.locator("[view=scalar] pre").click()
    expect(page.get_by_label("told scalar")).to_have_value(re.compile(r"at \d+"))
    plane = page.locator("[view=large] .plane")
    x, y = place_of(plane.locator("canvas"), *NAN[1:])
    plane.locator("canvas").click(position={"x": x, "y": y})
    expect(page.get_by_label("told large")).to_have_value(re.compile(r"at 0 12 33 \d+"))
    plane.press("ArrowDown")
    plane.press("Enter")
    expect(page.get_by_label("told large")).to_have_value(re.compile(r"at 0 13 33 \d+"))


def test_a_large_tensor_without_a_kernel_stays_at_the_part_that_is_there(open_page: Open) -> None:
    page = open_page(page_of(tensor_html(np.ones((3, 200, 200), np.float32), "%y")))
    view = page.locator("shlo-tensor-view")
    canvas, slider = view.locator(".plane canvas"), view.locator("input[type=range]")
    expect(canvas).to_have_attribute("aria-label", re.compile(r"\[0, 0:200, 0:200\]"))
    for key, place in (("End", slider), ("+", view.locator(".plane"))):
        place.press(key)
        expect(view.locator(".error")).to_contain_text("no kernel answers here")
        expect(slider).to_have_value("0")
        expect(canvas).to_have_attribute("aria-label", re.compile(r"\[0, 0:200, 0:200\]"))
    assert violations(page) == []


def test_without_scripts_a_page_has_the_picture(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of(tensor_html(np.ones((40, 50)), "%y")), encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    expect(page.get_by_role("img", name="heat map of 40 by 50 elements")).to_be_visible()


@pytest.mark.core
def test_a_graph_expands_colours_and_is_found_by_keys(
    open_page: Open, theme: str, screenshots: Path, tmp_path: Path
) -> None:
    program = [str(EXAMPLES / name) for name in ("training.mlir", "training.npz")]
    assert main(["graph", program[0], "--run", program[1], "-o", str(tmp_path / "graph.html")]) == 0
    page = open_page((tmp_path / "graph.html").read_text(encoding="utf-8"))
    tree = page.get_by_role("tree")
    item = tree.get_by_role("treeitem", name="@closed_call")
    item.dblclick()
    expect(item).to_have_attribute("aria-expanded", "true")
    scope = tree.get_by_role("treeitem", name="jvp(hidden)").first
    scope.press("ArrowRight")
    expect(scope).to_have_attribute("aria-expanded", "true")
    scope.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="the selected node")).to_contain_text("stablehlo.dot_general")
    page.get_by_label("colours").select_option("NaN and Inf")
    assert colour_of_selected(page) == NAN_COLOUR
    page.get_by_label("colours").select_option("FLOPs")
    assert colour_of_selected(page) != NAN_COLOUR
    page.screenshot(path=screenshots / f"page-graph-{theme}.png")
    search = page.get_by_label("find an operation")
    search.fill("dynamic_update_slice")
    search.press("Enter")
    expect(tree.locator("[aria-selected=true]")).to_contain_text("dynamic_update_slice")
    assert violations(page) == []


def colour_of_selected(page: Page) -> list[int]:
    """Returns the colour of the selected node, on the canvas, once it is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    place = page.evaluate(
        "() => { const view = document.querySelector('shlo-graph-view'); return view.placeOf(view.selected); }"
    )
    at = [place["x"] + 6, place["y"] + place["height"] / 2]
    return page.locator("shlo-graph-view .canvas canvas").evaluate(PIXEL, at)


def test_axe_finds_nothing_in_what_functions_return(open_page: Open) -> None:
    x = np.array([1.0, -1.0], np.float32)
    program = shlo.parse(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %y = stablehlo.log %x : tensor<2xf32>\n"
        "  %z = stablehlo.subtract %y, %y : tensor<2xf32>\n"
        "  return %z : tensor<2xf32>\n}"
    )
    why = shlo.why(program, x)
    results = [
        *(program, shlo.check(program), shlo.cost(program), shlo.diff(program, program), shlo.diff(x, 2 * x)),
        *(why, why.causes[0], shlo.sanitize(program, x), shlo.run(program, x, shadow="f64")),
    ]
    reports = [each._repr_mimebundle_()["text/html"] for each in results]
    cells = [GridCell(f"process {number}", "4 elements", x * number) for number in range(8)]
    page = open_page(
        page_of("".join((*reports, tree_html(leaves_of({"w": x}) or [], "tree"), grid_html(cells, 4))))
    )
    expect(page.get_by_role("list", name="processes")).to_be_visible()
    for part in page.locator("details").all():
        part.evaluate("part => { part.open = true; }")
    assert violations(page) == []
