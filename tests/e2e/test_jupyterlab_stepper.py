"""The stepper in JupyterLab and Notebook 7: all of the source, breakpoints in its margin, keys, pins, the timeline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .jupyter_lab import Lab, cell_of, press
from .test_notebooks import PLACES
from .test_notebooks import place as place
from .test_pages import place_of

LENGTH = 400
PROGRAM = "\n".join(
    (
        "func.func @long(%v0: tensor<30x40xf32>) -> tensor<30x40xf32> {",
        *(f"  %v{n + 1} = stablehlo.negate %v{n} : tensor<30x40xf32>" for n in range(LENGTH)),
        f"  return %v{LENGTH} : tensor<30x40xf32>",
        "}",
    )
)


@pytest.fixture
def stepper(lab: Lab, page: Page, place: str) -> Iterator[Locator]:
    """Yields the cell with the stepper of a program of 400 operations."""
    (lab.folder / "long.mlir").write_text(PROGRAM, encoding="utf-8")
    cells = ["%load long.mlir", "%step @long(random)"]
    lab.open(page, lab.write(f"stepper-{place}", "stablehlo", cells), PLACES[place])
    lab.run_all(page)
    cell = cell_of(page, "%step @long")
    expect(cell.locator(".shlo-source")).to_be_visible()
    yield cell
    lab.close(page)


@pytest.mark.seconds(240)
def test_the_whole_source_is_there_with_breakpoints_keys_and_pins(
    stepper: Locator, lab: Lab, page: Page, place: str, screenshots: Path
) -> None:
    source = stepper.locator(".shlo-source")
    expect(source.locator(".shlo-here")).to_contain_text("%v1 = ")
    expect(source.locator("[data-line='300']")).to_have_count(0)  # lines in view alone are in the page
    source.evaluate("(box) => { box.scrollTop = 299 * 18 - 60; }")
    source.get_by_role("button", name=re.compile(r" 300$")).click()
    expect(stepper.locator(".shlo-reply")).to_contain_text("line 300")
    expect(source.get_by_role("button", name=re.compile(r" 300$"))).to_have_attribute("aria-pressed", "true")
    press(page, "continue", "breakpoint 1")
    here = source.locator(".row.shlo-here")
    expect(here).to_contain_text("%v299 = ")
    expect(here).to_be_in_viewport()
    expect(stepper.locator(".shlo-extent")).to_contain_text("of 298 so far")
    page.screenshot(path=screenshots / f"{place}-stepper-source.png")
    source.get_by_role("button", name=re.compile(r" 300$")).click()
    expect(source.get_by_role("button", name=re.compile(r" 300$"))).to_have_attribute("aria-pressed", "false")
    stepper.get_by_role("button", name="whole run").click()
    expect(stepper.locator(".shlo-extent")).to_contain_text(f"of {LENGTH + 1}, the whole run")
    expect(here).to_contain_text("%v299 = ")
    picture = stepper.locator("shlo-timeline-view canvas")
    expect(picture).to_have_attribute("aria-label", re.compile(rf"step 298 of {LENGTH + 1}[;,].* 1 stops"))
    picture.click(position={"x": 1, "y": 20})
    expect(here).to_contain_text("%v1 = ")
    command = stepper.get_by_placeholder("command")
    command.fill("goto 298")
    command.press("Enter")
    expect(here).to_contain_text("%v299 = ")
    source.press("S")
    expect(here).to_contain_text("%v298 = ")
    source.press("ArrowDown")
    source.press("ArrowDown")
    source.press("t")
    expect(here).to_contain_text("%v300 = ")
    source.press("b")
    expect(source.get_by_role("button", name=re.compile(r" 301$"))).to_have_attribute("aria-pressed", "true")
    lab.reload(page)
    expect(here).to_contain_text("%v300 = ")
    expect(here).to_be_in_viewport()
    pin(stepper, page)


def ask_where_an_element_comes_from(stepper: Locator) -> None:
    """Clicks an element of the tensor that the last step made, and follows it back."""
    canvas = stepper.locator("shlo-tensor-view .plane canvas").first
    x, y = place_of(canvas, 12, 33, 30, 40)
    canvas.click(position={"x": x, "y": y})
    origin = stepper.locator(".shlo-origin")
    expect(origin).to_contain_text("%v0[12, 33]")
    stepper.locator(".widget-button", has_text="follow back").click()
    expect(origin).to_contain_text("argument")


def pin(stepper: Locator, page: Page) -> None:
    """Pins a value, which stays, and its view with it, and unpins it."""
    press(page, "restart", "[0], @long")
    press(page, "step", "[1], @long")
    stepper.locator(".widget-button", has_text=re.compile("^pin$")).click()
    pinned = stepper.locator(".shlo-pinned")
    expect(pinned).to_contain_text("%v1")
    ask_where_an_element_comes_from(stepper)
    first = pinned.inner_text()
    press(page, "step", "[2], @long")
    expect(pinned).to_have_text(first)
    stepper.get_by_title("a view of it that stays at each step").click()
    expect(stepper.locator("shlo-tensor-view .title", has_text=re.compile(r"%v1\b"))).to_be_visible()
    press(page, "step", "[3], @long")
    expect(stepper.locator("shlo-tensor-view .title", has_text=re.compile(r"%v1\b"))).to_be_visible()
    stepper.get_by_title("unpin %v1").click()
    expect(pinned).to_have_count(0)
