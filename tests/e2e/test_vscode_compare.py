"""Programs compared by structure in VS Code's own workbench: from the explorer, against git, in a comparison of lines."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Locator, expect

from .conftest import find_tool
from .workbench import Workbench, both_themes, until

BEFORE = """module {
  func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %x, %w : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    %2 = stablehlo.add %1, %x : tensor<4xf32>
    %3 = stablehlo.exponential %2 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
"""
AFTER = """module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %new = stablehlo.negate %arg1 : tensor<4xf32>
    %a = stablehlo.multiply %arg0, %new : tensor<4xf32>
    %b = stablehlo.tanh %a : tensor<4xf32>
    %c = stablehlo.add %b, %arg0 : tensor<4xf32>
    %d = stablehlo.exponential %c : tensor<4xf32>
    return %d : tensor<4xf32>
  }
}
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a git repository with a program, another one that differs in names and one operation, and one
    that differs in names alone.
    """
    folder = tmp_path_factory.mktemp("compare")
    for name, text in (("before", BEFORE), ("after", AFTER), ("renamed", BEFORE.replace("%", "%v"))):
        (folder / f"{name}.mlir").write_text(text)
    git = (find_tool("git"), "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(folder))
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *words], check=True)
    (folder / "before.mlir").write_text(AFTER)
    return folder


def changed_lines(side: Locator) -> Locator:
    """Returns what a side of a comparison marks as other lines."""
    return side.locator(".line-insert, .line-delete").locator("visible=true")


def test_programs_are_compared_by_structure(code: Workbench, folder: Path, screenshots: Path) -> None:
    (folder / "before.mlir").write_text(BEFORE)
    code.open("before.mlir")
    page = code.page
    code.lenses.first.wait_for()
    rows = page.locator(".explorer-folders-view .monaco-list-row")
    rows.filter(has_text="before.mlir").click()
    rows.filter(has_text="after.mlir").click(modifiers=["Control"])
    code.choose_for_file("after.mlir", "Compare by Structure with")
    tab = page.locator(".tab.active")
    expect(tab).to_contain_text("1 function differs")
    diff = page.locator(".monaco-diff-editor")
    both_themes(code, screenshots / "vscode-compare.png")
    sides = {name: diff.locator(f".editor.{name}") for name in ("original", "modified")}
    expect(sides["modified"].locator(".view-lines")).to_contain_text("stablehlo.negate")
    marked = [changed_lines(side) for side in sides.values()]  # the new operation, and the one that uses it
    until(lambda: 0 < sum(each.count() for each in marked) <= 4, page)

    (folder / "after.mlir").write_text(AFTER.replace("negate", "cosine"))  # a comparison follows its files
    expect(sides["modified"].locator(".view-lines")).to_contain_text("stablehlo.cosine")

    page.keyboard.press("Control+F4")
    code.open("before.mlir")
    code.lenses.first.wait_for()
    rows.filter(has_text="before.mlir").click()
    rows.filter(has_text="renamed.mlir").click(modifiers=["Control"])
    code.choose_for_file("renamed.mlir", "Compare by Structure with")
    code.notice("the same program, no differences")
    expect(diff).to_have_count(0)


def test_the_working_tree_is_compared_with_the_last_commit_by_structure(
    code: Workbench, screenshots: Path
) -> None:
    code.open("before.mlir")
    page = code.page
    code.lenses.first.wait_for()
    code.command("Source Control: Focus on Changes View")
    row = page.locator(".scm-view .monaco-list-row", has_text="before.mlir")
    row.click()
    diff = page.locator(".monaco-diff-editor")
    lines = changed_lines(diff)
    expect(lines.nth(6)).to_be_visible()  # by lines, every name is another one
    both_themes(code, screenshots / "vscode-compare-lines.png")
    page.locator(".editor-actions .action-label[aria-label*='by Structure']").click()
    tab = page.locator(".tab.active", has_text="1 function differs")
    expect(tab).to_be_visible()
    expect(diff.locator(".editor.modified .view-lines")).to_contain_text("stablehlo.negate")
    until(lambda: 0 < lines.count() <= 4, page)
    both_themes(code, screenshots / "vscode-compare-sides.png")

    code.open("before.mlir")
    code.lenses.first.wait_for()
    code.command("StableHLO: Compare with Git HEAD by Structure")
    expect(page.locator(".tab.active")).to_contain_text("before.mlir (HEAD ↔ now): 1 function differs")
    expect(diff.locator(".editor.modified .view-lines")).to_contain_text("stablehlo.negate")
