"""The lexer loses nothing, and the fast paths of the parser say what the grammar says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.syntax import module_text, parse
from shlo.syntax.dense import parse as dense
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.lexer.tokens import (
    LONG_LINE,
    is_code,
    token_at,
    tokenize,
    tokens,
    value_aliases,
    values_and_labels,
)
from shlo.syntax.parser import line_templates
from tests.mutations import CHARACTERS, SNIPPETS, mutants

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FILES = [*sorted(ROOT.glob("examples/*.mlir")), *sorted(ROOT.glob("tests/ops/*.mlir"))]


MAX_SIZE = 3000


def texts() -> list[str]:
    found = [file.read_text(encoding="utf-8") for file in FILES]
    return [text for text in found if len(text) <= MAX_SIZE]


def damaged() -> Iterator[str]:
    chance = random.Random(20261122)
    yield from mutants(texts(), 100, 7)
    for _ in range(100):
        yield "".join(chance.choice((*CHARACTERS, *SNIPPETS, "\v", "\f", "\r\n")) for _ in range(20))


def test_a_token_of_a_long_line_is_found_from_nearby() -> None:
    """As from the start of the line, also behind strings and in comments."""
    piece = 'func.func @"a b"(%a: tensor<2xf32> {x.y = "%c // \\" d", z = #w<1>} loc("f.py":1:2), %b#1: i1) -> () '
    text = f'{piece * 40}// a "remark {piece * 40}'
    assert len(piece) * 40 > 1.5 * LONG_LINE
    all_tokens = list(tokens(text))
    signed = [token for token in all_tokens if token.kind in ("value", "label")]
    assert [(each.span, each.kind) for each in values_and_labels(text, 0, len(text))] == [
        (each.span, each.kind) for each in signed
    ]
    for offset in range(0, len(text), 7):
        holders = [each for each in all_tokens if each.span.start <= offset <= each.span.end]
        expected = holders[0] if len(holders) == 1 or holders[0].kind != "mark" else holders[-1]
        found = token_at(text, offset)
        assert found in holders
        assert len(holders) > 1 or found == expected
        inner = [each for each in all_tokens if each.span.start <= offset < each.span.end]
        assert is_code(text, offset) is not any(each.kind in ("comment", "string") for each in inner)


@pytest.mark.parametrize("part", range(3))
def test_tokens_joined_are_the_text(part: int) -> None:
    for text in (*texts(), *damaged())[part::3]:
        found = list(tokenize(text))
        assert "".join(token.text for token in found) == text
        assert all(text[slice(*token.span)] == token.text for token in found)
        assert [token for token in found if token.kind != "blank"] == list(tokens(text))


def test_every_line_is_a_place_to_begin() -> None:
    for text in texts()[:20]:
        for start in (index + 1 for index, character in enumerate(text) if character == "\n"):
            rest = (token for token in tokens(text) if token.span.start >= start)
            assert next(tokens(text, start), None) == next(rest, None)


@pytest.mark.parametrize(
    ("literal", "value"),
    [('"a\\0A\\\\\\""', 'a\n\\"'), ('"a\\q"', None), ('"open', None), ('"end\\"', None), ('"a\vb"', None)],
)
def test_a_literal_is_a_string_where_the_parser_takes_it(literal: str, value: str | None) -> None:
    assert next(tokens(literal)).kind == "string"
    if value is not None:
        assert Cursor(literal).string() == value
    else:
        with pytest.raises(Exception, match="no end on its line, or a bad escape"):
            Cursor(literal).string()


def test_definitions_of_aliases_leave_out_those_of_locations() -> None:
    text = '#a = 1 : i32\n!t = i1\n#loc = loc("f":1:1)\n  #b== 2\n'
    assert [match[1] for match in value_aliases(text)] == ["#a", "!t"]


def test_fast_paths_parse_what_the_grammar_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = [_parsed(text) for text in (*texts(), *damaged())]
    monkeypatch.setattr(line_templates, "MAX_TEMPLATES", 0)
    monkeypatch.setattr(dense, "plain_elements", lambda *_: None)
    assert [_parsed(text) for text in (*texts(), *damaged())] == fast


def _parsed(text: str) -> object:
    module, diagnostics = parse(text)
    return module_text(module), [(each.message, each.span, each.severity) for each in diagnostics]
