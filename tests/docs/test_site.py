"""The site's sources: pages with their links led to the site, and a reference that follows the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pygments.styles import get_style_by_name
from pygments.token import Generic, Token

from docs.site.conf import ConsoleLexer, pygments_dark_style, pygments_style
from docs.site.contents import PARTS, pages
from docs.site.examples import example_of
from docs.site.links import broken_links
from docs.site.notebooks import notebook_markdown
from docs.site.ops import op_page, reference_sources
from docs.site.stage import LinkError, Stage, cell, running_cell, running_text
from shlo.dialects import find_op_def
from shlo.reference import meanings
from shlo.verifier.codes import GENERAL_CODES

from .replay import ROOT


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "pages", tmp_path / "extra")


def test_every_page_of_the_documentation_is_on_the_site_once() -> None:
    listed = [page for part in PARTS for page in part.pages]
    assert len(listed) == len(set(listed))
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written - set(listed) == set()
    assert len(set(pages().values())) == len(pages())


def test_the_page_of_an_operation_shows_it_as_code() -> None:
    for name in meanings():
        if find_op_def(name) is not None:
            assert list(reference_sources(name)), name
    op_def = find_op_def("stablehlo.iota")
    assert op_def is not None
    page = op_page(op_def, "shlo/dialects/stablehlo/ops/creation.py")
    assert '    """Elements that count from zero along a dimension."""' in page


def test_links_lead_to_pages_pictures_and_listings(stage: Stage) -> None:
    text = (
        "[a](../README.md#debug) [b](ops.md) ![c](notebook.png) [d](../examples/mean.mlir#L2) [e](adr)\n"
        "[f](https://openxla.org/)\n```md\n[g](nowhere.md)\n```\n[views.md](views.md)\n"
    )
    found = stage.rewritten(text, "docs/commands.md", "commands.md")
    assert found == (
        "[a](index.md#debug) [b](reference/ops.md) ![c](pictures/notebook.png) "
        '<a href="listings/examples/mean.mlir.html#L-2">d</a> e\n'
        "[f](https://openxla.org/)\n```md\n[g](nowhere.md)\n```\n[Tensors and graphs to look at](views.md)\n"
    )
    stage.write_listings()
    assert 'id="L-2"' in (stage.extra / "listings/examples/mean.mlir.html").read_text("utf-8")


def test_cells_of_a_notebook_are_programs_but_for_magics() -> None:
    sources = ["%x = stablehlo.iota dim = 0 : tensor<2xi32>", "%run @f(%x)", "%%python\nprint(x)", "%x"]
    cells = [{"cell_type": "code", "source": source, "outputs": []} for source in sources]
    notebook = {"cells": cells, "metadata": {"kernelspec": {"language": "stablehlo"}}}
    fences = re.findall(r"^````(\w+)$", notebook_markdown(json.dumps(notebook)), re.MULTILINE)
    assert fences == ["mlir", "text", "text", "mlir"]


def test_a_link_to_nothing_is_an_error(stage: Stage) -> None:
    with pytest.raises(LinkError, match=r"docs/jax\.md: expected a file, got a link to gone\.md"):
        stage.rewritten("[x](gone.md)", "docs/jax.md", "jax.md")


def test_broken_links_of_html_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">x</a><a href="b.html#gone">y</a><img src="c.png">'
    )
    (tmp_path / "b.html").write_text(
        '<h1 id="there">b</h1><a href="https://openxla.org/">z</a><a href="#">t</a>'
    )
    assert list(broken_links(tmp_path)) == ["a.html: b.html#gone", "a.html: c.png"]


def test_an_example_of_an_operation_returns_what_its_test_checks() -> None:
    op_def = find_op_def("stablehlo.abs")
    assert op_def
    example = example_of(op_def)
    assert example
    assert "return %result : tensor<3xi32>" in example.program
    assert example.printed == "result 0: tensor<3xi32>\n[2, 0, 2]\n"


def test_an_example_shows_what_its_operation_writes(capsys: pytest.CaptureFixture[str]) -> None:
    op_def = find_op_def("interpreter.print")
    assert op_def
    example = example_of(op_def)
    assert example
    assert example.printed == "tensor<2xi64> {\n[1, 2]\n}\nresult 0: tensor<2xi64>\n[1, 2]\n"
    assert capsys.readouterr() == ("", "")


def test_every_code_in_the_sources_is_explained() -> None:
    used: set[str] = set()
    for folder in ("shlo/verifier", "shlo/syntax"):
        for path in (ROOT / folder).rglob("*.py"):
            used |= set(re.findall(r'(?:code=|span, |at, )"([a-z]+(?:-[a-z]+)+)"', path.read_text("utf-8")))
    assert used
    assert used <= set(GENERAL_CODES)


def test_text_in_tables_is_no_markdown_but_for_code() -> None:
    assert cell("a|b *c* <d>") == "a\\|b \\*c\\* \\<d\\>"
    assert running_text("`a|b` a|b __init__") == "`a|b` a\\|b \\_\\_init\\_\\_"
    assert running_cell("`a|b` a|b") == "`a\\|b` a\\|b"


def test_values_that_a_command_prints_are_not_taken_for_a_prompt() -> None:
    session = "$ shlo run a.mlir\n  %y = stablehlo.add %x\n(shlo) next\n%y = 2.\n"
    tokens = list(ConsoleLexer().get_tokens(session))
    assert [text for kind, text in tokens if kind is Generic.Prompt] == ["$ ", "(shlo) "]
    assert [text for kind, text in tokens if kind is Generic.Output] == [
        "  %y = stablehlo.add %x\n",
        "%y = 2.\n",
    ]


def contrast(one: str, other: str) -> float:
    """Returns the contrast of two colours, as WCAG defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (0, 2, 4)]
        red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [pygments_style, pygments_dark_style])
def test_colours_of_code_are_read_easily(name: str) -> None:
    style = get_style_by_name(name)
    ignored = (Token.Error, Token.Text.Whitespace, Token.Literal.String.Interpol)
    colours = {kind: each["color"] for kind, each in style if each["color"] and kind not in ignored}
    background = style.background_color.removeprefix("#")
    assert {kind: x for kind, colour in colours.items() if (x := contrast(colour, background)) < 4.5} == {}
