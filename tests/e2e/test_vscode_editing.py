"""What an author of programs does in VS Code's own workbench: lets types follow, writes by intent, edits artifacts,
and keeps Python beside what it is lowered to.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

import shlo
import shlo_bytecode

from .workbench import Workbench, both_themes, picture, until

MODEL = """\
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x3xf32>) -> tensor<4x3xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %z = stablehlo.tanh %y : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}
"""
BEHIND = """() => [...document.querySelectorAll("[class*='ced-']")].map(
  each => getComputedStyle(each, '::after').content.replaceAll('\\u00a0', ' '))"""
"""What decorations show behind lines."""
SCRIPT = """\
import jax
import jax.numpy as jnp


def loss(w, x):
    y = jnp.tanh(x @ w)
    return (y * 2.0).sum()


def batch():
    return jnp.ones((3, 4)), jnp.ones((2, 3))
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editing")
    (folder / "model.mlir").write_text(MODEL)
    (folder / "train.py").write_text(SCRIPT)
    artifact = shlo_bytecode.write_artifact(shlo.parse(MODEL), "1.8.0")
    (folder / "model.mlirbc").write_bytes(artifact)
    return folder


@pytest.mark.seconds(400)
def test_types_follow_a_changed_one_after_a_preview(code: Workbench, screenshots: Path) -> None:
    code.open("model.mlir")
    page = code.page
    code.lenses.first.wait_for()
    code.word("4", line="func.func").dblclick()  # which selects all of 4x6xf32
    page.keyboard.type("8x6xf32")
    expect(page.locator(".squiggly-error").first).to_be_visible()
    code.mend("Let everything below follow")
    rows = page.locator(".monaco-list-row")
    expect(rows.filter(has_text="stablehlo.tanh")).to_be_visible()  # of the preview
    picture(page, screenshots / "vscode-follow-preview.png")
    rows.filter(has_text="model.mlir").locator("input[type=checkbox]").check()  # all edits of the file
    page.get_by_role("button", name="Apply").click()
    code.expect_text("-> tensor<8x3xf32> {", "%z = stablehlo.tanh %y : tensor<8x3xf32>")
    expect(page.locator(".squiggly-error")).to_have_count(0)
    both_themes(code, screenshots / "vscode-followed.png")


@pytest.mark.seconds(400)
def test_an_idiom_is_completed_to_verified_operations(code: Workbench, screenshots: Path) -> None:
    code.open("model.mlir")
    page = code.page
    code.lenses.first.wait_for()
    code.new_line_after("stablehlo.tanh")
    page.keyboard.type("softmax")
    row = page.locator(".suggest-widget .monaco-list-row", has_text="softmax").first
    row.wait_for()
    picture(page, screenshots / "vscode-intent.png")
    row.click()
    code.expect_text("stablehlo.exponential", "stablehlo.divide")
    page.keyboard.press("Escape")
    expect(page.locator(".squiggly-error")).to_have_count(0)
    both_themes(code, screenshots / "vscode-intent-written.png")


@pytest.mark.core
@pytest.mark.seconds(400)
def test_an_artifact_is_edited_as_text(code: Workbench, folder: Path, screenshots: Path) -> None:
    code.open("model.mlir")
    code.lenses.first.wait_for()
    page = code.page
    path = folder / "model.mlirbc"
    page.locator(".explorer-folders-view .monaco-list-row", has_text="model.mlirbc").dblclick()
    expect(code.lines.first).to_contain_text("// Portable artifact of StableHLO 1.8.0")
    name = code.word("stablehlo.tanh")
    box = name.bounding_box()
    assert box
    name.dblclick(position={"x": box["width"] - 5, "y": box["height"] / 2})  # which selects `tanh` alone
    page.keyboard.type("sine")
    page.keyboard.press("Control+s")
    until(lambda: "stablehlo.sine" in str(shlo.load(path)), page)
    assert b"StableHLO_v1.8.0" in path.read_bytes()
    expect(page.locator(".tab.active.dirty")).to_have_count(0)
    picture(page, screenshots / "vscode-artifact-edited.png")
    before = path.read_bytes()
    code.word("%arg1", line="dot_general").dblclick()
    page.keyboard.type("%nothing")
    page.keyboard.press("Control+s")
    code.notice("Failed to save")
    picture(page, screenshots / "vscode-artifact-refused.png")
    assert path.read_bytes() == before


@pytest.mark.seconds(400)
def test_python_stays_in_step_with_what_it_is_lowered_to(code: Workbench, screenshots: Path) -> None:
    code.open("train.py")
    page = code.page
    code.lines.filter(has_text="jnp.tanh").click()
    code.command("StableHLO: Lower Beside")
    box = page.locator(".quick-input-widget input").first
    expect(box).to_have_value("loss ")
    page.keyboard.type("batch")
    page.keyboard.press("Enter")
    program = page.locator(".editor-instance .view-line", has_text="stablehlo.")
    expect(program.filter(has_text="stablehlo.tanh")).to_be_visible()
    until(lambda: any("2 operations, 48 FLOP" in text for text in page.evaluate(BEHIND)), page)
    code.lenses.filter(has_text="Run").first.click()
    until(lambda: any("48 FLOP" in text and "; gave " in text for text in page.evaluate(BEHIND)), page)
    code.lines.filter(has_text="(y * 2.0)").click()
    marked = page.locator(".editor-instance").nth(1).locator(".view-overlays .cdr[class*='ced-']")
    expect(marked.first).to_be_visible()
    both_themes(code, screenshots / "vscode-lowered.png")
    code.word("y", line="* 2.0").dblclick()
    page.keyboard.type("jnp.sin(y)")
    page.keyboard.press("Control+s")
    expect(program.filter(has_text="stablehlo.sine")).to_be_visible()
    expect(page.locator(".statusbar-item", has_text="1 function differs")).to_be_visible()
    expect(marked).to_have_count(5 + 2)  # five of the line at the cursor, the new one too; two that changed
    picture(page, screenshots / "vscode-lowered-again.png")
    source = page.locator(".editor-instance").first.locator(".view-overlays .cdr[class*='ced-']")
    expect(source).to_have_count(0)
    program.filter(has_text="stablehlo.sine").click(
        position={"x": 60, "y": 8}
    )  # the line ends beyond its pane
    expect(source.first).to_be_visible()
