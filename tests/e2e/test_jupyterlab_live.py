"""Cells while they are written: findings, what a word means, colours of Markdown; both notebooks' kernels."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .jupyter_lab import Lab, assert_coloured, cell_of

FENCE = """A function:

```mlir
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.negate %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
```
"""
CELLS = [
    "%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>",
    "%y = stablehlo.iota dim = 4 : tensor<2xf32>",
    "%z = stablehlo.negate %x : tensor<3xf32>",
]
PYTHON_CELLS = [
    "%load_ext shlo_kernel\nimport numpy as np\nx = np.ones(2, np.float32)",
    "%%stablehlo\n%y = stablehlo.negate %x : tensor<3xf32>",
]


@pytest.mark.core
def test_a_cell_has_findings_and_words_are_explained_before_it_runs(
    lab: Lab, page: Page, screenshots: Path
) -> None:
    lab.open(page, lab.write("live", "stablehlo", CELLS, FENCE))
    second, third = cell_of(page, "stablehlo.iota"), cell_of(page, "stablehlo.negate")
    finding = second.locator(".cm-lintRange-error")
    expect(finding).to_have_text("dim = 4")
    expect(third.locator(".cm-lintRange")).to_have_count(0)  # its %x comes from a cell that has not run
    run(page, cell_of(page, "stablehlo.constant"))
    expect(third.locator(".cm-lintRange-error")).to_have_text("%x")
    finding.hover()
    tip = page.locator(".cm-tooltip-lint")
    expect(tip).to_contain_text("iota_dimension is 4")
    page.screenshot(path=screenshots / "jupyterlab-finding.png")
    tip.get_by_role("button", name="set iota_dimension to 0").click()
    expect(second.locator(".cm-content")).to_contain_text("dim = 0")
    expect(finding).to_have_count(0)
    third.locator(".cm-line span", has_text="stablehlo.negate").hover()
    expect(page.locator(".shlo-hover")).to_contain_text("stablehlo.negate")
    page.screenshot(path=screenshots / "jupyterlab-hover.png")
    lab.close(page)


def test_lines_in_braces_are_indented(lab: Lab, page: Page) -> None:
    lab.open(page, lab.write("indented", "stablehlo", [""]))
    editor = page.locator(".jp-CodeCell .cm-content").first
    editor.click()
    page.keyboard.type("func.func @f() {\nreturn\n}")
    expect(editor.locator(".cm-line")).to_have_text(["func.func @f() {", re.compile("^    return$"), "}"])
    lab.close(page)


def test_a_fence_of_markdown_is_coloured(lab: Lab, page: Page) -> None:
    lab.open(page, lab.write("fence", "stablehlo", CELLS, FENCE))
    words = {"stablehlo.negate": "builtin", "%y": "variable-2", "tensor": "meta"}
    assert_coloured(page.locator(".jp-MarkdownCell"), words, "pre span")
    lab.close(page)


def test_a_cell_of_a_python_notebook_has_findings_and_a_tooltip(lab: Lab, page: Page) -> None:
    lab.open(page, lab.write("python-live", "python3", PYTHON_CELLS))
    run(page, cell_of(page, "%load_ext"))
    cell = cell_of(page, "%%stablehlo")
    cell.locator(".cm-content").click()
    expect(cell.locator(".cm-lintRange-error")).to_have_text("%x")
    page.keyboard.press("Control+End")
    for _ in " : tensor<3xf32>":
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".jp-Tooltip")).to_contain_text("tensor<2xf32>")
    lab.close(page)


def run(page: Page, cell: Locator) -> None:
    """Runs a cell, and waits for its end."""
    cell.click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_contain_text("[1]")
