"""What the language server offers in VS Code's own workbench: fixes, refactorings, hierarchies, values, Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from .programs import PROGRAMS
from .workbench import Workbench, both_themes, picture

CALLS = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %scaled = call @scale(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %shifted = stablehlo.add %scaled, %x : tensor<2x3xf32>
  %y = stablehlo.tanh %shifted : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
func.func private @scale(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<2x3xf32>
  %y = stablehlo.multiply %x, %two : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
func.func @other(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = call @scale(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""
MODEL = """\
import jax.numpy as jnp


def model(x):
    return jnp.tanh(x + x)
"""
LOCATED = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32> loc(#loc1)
  %1 = stablehlo.tanh %0 : tensor<4xf32> loc(#loc2)
  return %1 : tensor<4xf32>
}
#loc1 = loc("model.py":5:20)
#loc2 = loc("jit(model)/tanh"("model.py":5:12))
"""
FAULTY = """\
func.func @first(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = stablehlo.add %t, %t : tensor<3x2xf32>
  return %sum : tensor<3x2xf32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.multiply %x %x : tensor<4xf32>
  %z = call @thirdd(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @third(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.abs %x tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with programs, and the Python that one of them came from."""
    folder = tmp_path_factory.mktemp("language")
    programs = {"softmax": PROGRAMS["softmax"], "calls": CALLS, "located": LOCATED, "faulty": FAULTY}
    for name, text in programs.items():
        (folder / f"{name}.mlir").write_text(text)
    (folder / "model.py").write_text(MODEL)
    return folder


def test_what_is_certain_is_mended_in_the_whole_file_at_once(code: Workbench, screenshots: Path) -> None:
    code.open("faulty.mlir")
    page = code.page
    squiggles = page.locator(".squiggly-error")
    expect(squiggles.nth(3)).to_be_visible()
    code.word("tensor", line="stablehlo.transpose", which=1).click()
    page.keyboard.press("Control+.")
    row = page.locator(".action-widget .monaco-list-row.action", has_text="Fix all in file")
    expect(row).to_be_visible()
    picture(page, screenshots / "vscode-fix-all-menu.png")
    page.keyboard.press("Escape")
    code.command("Fix All")
    expect(squiggles).to_have_count(1)  # a name of a function that is likely, not certain, to be another
    code.expect_text("(tensor<2x3xf32>) -> tensor<3x2xf32>", "%x, %x :", "abs %x :", "call @thirdd(%y)")
    both_themes(code, screenshots / "vscode-fix-all.png")


def test_operations_become_a_function_by_the_light_bulb_and_hierarchies_follow_calls_and_values(
    code: Workbench, screenshots: Path
) -> None:
    code.open("calls.mlir")
    page = code.page
    code.lenses.first.wait_for()
    code.word("%shifted", line="%shifted = ").click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+End")
    bulb = page.locator(".lightBulbWidget")
    expect(bulb.locator("visible=true")).to_have_count(1)
    page.mouse.move(5, 5)
    bulb.click()
    row = page.locator(
        ".action-widget .monaco-list-row.action", has_text="Extract 2 operations to a function"
    )
    expect(row).to_be_visible()
    picture(page, screenshots / "vscode-refactor-menu.png")
    row.hover(force=True)
    row.click()
    expect(code.lines.filter(has_text=re.compile(r"func\.func\sprivate\s@extracted"))).to_have_count(1)
    code.expect_text("call @extracted")
    expect(page.locator(".squiggly-error")).to_have_count(0)
    both_themes(code, screenshots / "vscode-refactor.png")

    code.word("@scale", line="func.func").click()
    code.command("Peek Call Hierarchy")
    calls = page.locator(".call-hierarchy .monaco-list-row")
    expect(calls.filter(has_text="main")).to_be_visible()
    expect(calls.filter(has_text="other")).to_be_visible()
    both_themes(code, screenshots / "vscode-call-hierarchy.png")
    page.keyboard.press("Escape")
    code.word("%y", line="return", which=0).click()
    code.command("Peek Type Hierarchy")
    values = page.locator(".type-hierarchy .monaco-list-row")
    expect(values.first).to_be_visible()
    picture(page, screenshots / "vscode-value-hierarchy.png")


def test_values_of_a_run_stand_behind_their_lines(code: Workbench, screenshots: Path) -> None:
    code.open("softmax.mlir")
    page = code.page
    code.lenses.filter(has_text="Run").first.click()
    line = code.lines.filter(has_text="stablehlo.divide")
    expect(line).to_contain_text("0.66")
    expect(code.lines.filter(has_text="stablehlo.exponential")).to_contain_text("20.09 mean")
    code.command("View: Toggle Primary Side Bar Visibility")
    both_themes(code, screenshots / "vscode-values.png")
    code.lines.filter(has_text="stablehlo.divide").click()
    page.keyboard.press("End")
    page.keyboard.type(" ")
    expect(line).not_to_contain_text("0.66")  # another text than the one that ran


def test_python_is_one_key_away_both_ways(code: Workbench, screenshots: Path) -> None:
    code.open("located.mlir")
    page = code.page
    code.lenses.first.wait_for()
    hover = code.point_at("stablehlo.tanh", shows="model.py")
    expect(hover).to_contain_text("jnp.tanh(x + x)")
    picture(page, screenshots / "vscode-python-hover.png")
    page.keyboard.press("Escape")
    code.word("stablehlo.tanh").click()
    page.keyboard.press("F12")
    expect(page.locator(".tab.active", has_text="model.py")).to_be_visible()
    expect(page.get_by_text("Ln 5, Col 12")).to_be_visible()
    picture(page, screenshots / "vscode-python.png")
    code.command("StableHLO: Show Operations of This Python Line")
    peek = page.locator(".zone-widget .reference-zone-widget, .peekview-widget")
    expect(peek.first).to_contain_text("located.mlir")
    expect(peek.first).to_contain_text("stablehlo.tanh")
    both_themes(code, screenshots / "vscode-python-operations.png")
