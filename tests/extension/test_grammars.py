"""The grammars of the editors colour strings, comments, names and numbers as the lexer tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.syntax.lexer.tokens import Token, tokenize, tokens

from .textmate import Grammar

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
TEXTMATE = Grammar(ROOT / "vscode-extension" / "syntaxes" / "mlir.tmLanguage.json")
CODEMIRROR = ROOT / "shlo_kernel" / "labextension" / "src" / "tokens.ts"
FILES = [*sorted(ROOT.glob("examples/*.mlir")), *sorted(ROOT.glob("tests/ops/**/*.mlir"))]
PROGRAMS = [file for file in FILES if file.stat().st_size <= 3000]

SCOPES = {
    "comment": ("comment.",),
    "string": ("string.", "support.function.operation.generic", "punctuation.definition.operation"),
    "value": ("variable.other.value",),
    "symbol": ("entity.name.function.symbol",),
    "label": ("entity.name.label",),
    "attribute": ("variable.other.constant.attribute",),
    "type": ("support.type",),
    "shape": ("constant.numeric.dimension", "keyword.operator.dimension", "constant.language.dynamic"),
    "number": ("constant.numeric",),
}
"""The scopes of TextMate that each kind of token has; other kinds may have any but those of strings and
comments."""
COLOURS = {
    "comment": "comment",
    "string": "string",
    "value": "variableName.special",
    "symbol": "variableName.definition",
    "label": "labelName",
    "attribute": "meta",
    "type": "meta",
    "shape": "number",
    "number": "number",
    "word": "colourOfWord",
}
"""The colour of CodeMirror for each kind of token; `colourOfWord` decides by the word."""


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_textmate_colours_the_tokens_of_the_lexer(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    scopes = TEXTMATE.scopes(text)
    assert not [token for token in tokenize(text) if not _has_scope(token, scopes)]


def _has_scope(token: Token, scopes: list[tuple[str, ...]]) -> bool:
    found = scopes[slice(*token.span)]
    wanted = SCOPES.get(token.kind)
    if wanted is not None:
        return all(any(scope.startswith(wanted) for scope in each) for each in found)
    return token.kind == "blank" or not any(
        scope.startswith(("string.quoted", "comment.")) for each in found for scope in each
    )


def test_codemirror_finds_the_tokens_of_the_lexer() -> None:
    for file in PROGRAMS:
        text = file.read_text(encoding="utf-8")
        wanted = [(COLOURS[each.kind], each.text) for each in tokens(text) if each.kind != "mark"]
        assert list(_coloured(text)) == wanted, file


def _coloured(text: str) -> Iterator[tuple[str, str]]:
    """Yields the words of a text with their colours in CodeMirror, marks left out."""
    for line in text.splitlines():
        at = 0
        while at < len(line):
            match, colour = next((m, colour) for pattern, colour in TABLE if (m := pattern.match(line, at)))
            if colour != "null":
                yield colour, match[0]
            at = match.end()


def _table() -> list[tuple[re.Pattern[str], str]]:
    """Returns the patterns of CodeMirror's table `TOKENS` with their colours."""
    source = CODEMIRROR.read_text(encoding="utf-8")
    strings = {
        name: value.replace("\\\\", "\\")
        for name, value in re.findall(r"^const (\w+) = '(.*)';$", source, re.M)
    }
    body = source[source.index("const TOKENS") : source.index("] satisfies")]
    entry = r"\[\s*(?:new RegExp\((?:`([^`]*)`|(\w+))\)|/((?:[^/\\\n]|\\.)+)/),\s*'?([\w.]+)'?\s*\]"
    table: list[tuple[re.Pattern[str], str]] = []
    for template, name, literal, colour in re.findall(entry, body):
        pattern = (
            literal
            or strings.get(name)
            or re.sub(r"\$\{(\w+)\}", lambda match: strings[match[1]], template.replace("\\\\", "\\"))
        )
        table.append((re.compile(pattern.replace("\\/", "/"), re.ASCII), colour))
    return table


TABLE = _table()
