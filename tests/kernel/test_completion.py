"""Completion and inspection in cells: the session's names beside the cell's, and places counted in the cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo_kernel import completion

from .screens import Notebook

F = """func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}"""


@pytest.fixture
def notebook() -> Notebook:
    notebook = Notebook()
    notebook.cell(f"%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n{F}")
    notebook.cell("%n = stablehlo.constant dense<1> : tensor<i32>")
    return notebook


def complete(notebook: Notebook, marked: str) -> tuple[list[str], str]:
    """Returns what is offered at the `|` of a cell, and what it stands in place of."""
    code = marked.replace("|", "")
    found = completion.complete(notebook, code, marked.index("|"))
    return [match.text for match in found.matches], code[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("cell", "first", "replaced"),
    [
        ("%y = stablehlo.ad|", "stablehlo.add", "stablehlo.ad"),
        ("%y = stablehlo.negate %| : tensor<2xf32>", "%x", "%"),
        ("%y = stablehlo.negate %| : tensor<i32>", "%n", "%"),
        ("%q = func.call @|", "@f", "@"),
        ('// "😀"\n%s = "😀"\n%y = stablehlo.ad|', "stablehlo.add", "stablehlo.ad"),
        ("%ru|", "%run", "%ru"),
        ("%%py|", "%%python", "%%py"),
        ("%run @|", "@f", "@"),
        ("%run @f(%|", "%x", "%"),
        ("%%python\nimport os\nos.path.joi|", "join", "joi"),
        ("%ops stablehlo.dot_g|", "stablehlo.dot_general", "stablehlo.dot_g"),
        ("%help gri|", "grid", "gri"),
        ("%run @f(rand|", "random", "rand"),
        ("%%time\n%y = stablehlo.ad|", "stablehlo.add", "stablehlo.ad"),
        (
            "%z = stablehlo.constant dense<1> : tensor<i32>\n// -----\n%y = stablehlo.ad|",
            "stablehlo.add",
            "stablehlo.ad",
        ),
    ],
)
def test_what_fits_is_offered_first(notebook: Notebook, cell: str, first: str, replaced: str) -> None:
    matches, span = complete(notebook, cell)
    assert (matches[0], span) == (first, replaced)


def test_files_are_offered_to_magics(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "model.mlir").touch()
    (tmp_path / "models").mkdir()
    assert complete(notebook, f"%load {tmp_path}/mo|")[0] == [f"{tmp_path}/model.mlir", f"{tmp_path}/models/"]


def test_no_snippet_syntax_is_offered(notebook: Notebook) -> None:
    cell = "%y = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], |"
    assert all("${" not in match for match in complete(notebook, cell)[0])


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("%y = stablehlo.add %|x, %x : tensor<2xf32>", "%x : tensor<2xf32>\n2 elements"),
        (
            "%x = stablehlo.constant dense<1> : tensor<i32>\n%y = stablehlo.negate %|x : tensor<i32>",
            "tensor<i32>",
        ),
        ("%y = stablehlo.a|dd %x, %x : tensor<2xf32>", "stablehlo.add"),
        ("%q = func.call @|f(%x) : (tensor<2xf32>) -> tensor<2xf32>", "return %a"),
        ("%ru|n @f(%x)", "run a function"),
        ("%%python\nle|n", "Return the number of items"),
    ],
)
def test_what_is_known_about_a_word(notebook: Notebook, cell: str, text: str) -> None:
    data = completion.inspect(notebook, cell.replace("|", ""), cell.index("|"))
    assert data is not None
    assert text in data["text/plain"]


def test_nothing_is_known_about_a_blank(notebook: Notebook) -> None:
    assert completion.inspect(notebook, "   ", 1) is None
