"""The Pygments lexer: what it makes of the constructs of MLIR's text, and that it loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Token

from shlo_kernel.pygments_lexer import MlirLexer

EXAMPLES = Path(__file__).parents[2] / "examples"
KEYWORDS = [
    ("// a comment", "Comment.Single", "// a comment"),
    ('%0 = "stablehlo.add"(%a)', "Name.Builtin", '"stablehlo.add"'),
    ("%0 = stablehlo.add %a, %b : tensor<f32>", "Name.Builtin", "stablehlo.add"),
    ("%0 = unknown.op %a", "Name.Builtin", "unknown.op"),
    ("%0:2 = stablehlo.while", "Name.Variable", "%0"),
    ("return %0#1 : tensor<f32>", "Name.Variable", "%0#1"),
    ('func.call @"odd name"()', "Name.Function", '@"odd name"'),
    ("^bb0(%arg0: tensor<f32>):", "Name.Label", "^bb0"),
    ("#map = affine_map<(d0) -> (d0)>", "Name.Constant", "#map"),
    ("%1 = foo.bar : !quant.uniform<i8:f32, 1.0>", "Keyword.Type", "!quant.uniform"),
    ("tensor<4x?x8xbf16>", "Literal.Number", "4x?x8x"),
    ("tensor<4x?x8xbf16>", "Keyword.Type", "bf16"),
    ("dense<1.5e-3>", "Literal.Number", "1.5e-3"),
    ('dense<"0xDEADBEEF">', "Literal.String.Double", '"0xDEADBEEF"'),
    ("{dimension = 0 : i64}", "Name.Attribute", "dimension"),
    ("stablehlo.compare LT, %a, %b", "Name.Constant", "LT"),
    ("func.func public @main()", "Keyword", "public"),
]
HOSTILE = ['"never closed\n%0', "\x1b[31m\x00<b>&amp;", "%", "日本語 \ud800 ²", "\r\n\t//\r", '@"', ""]


@pytest.mark.parametrize(
    ("text", "kind", "word"), KEYWORDS, ids=[f"{word} {kind}" for _, kind, word in KEYWORDS]
)
def test_a_word_has_its_kind(text: str, kind: str, word: str) -> None:
    kinds = [str(found).removeprefix("Token.") for _, found, each in tokens(text) if each == word]
    assert kind in kinds


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_any_text_is_kept_whole_and_has_no_error(text: str) -> None:
    assert_whole(text)


def test_programs_of_examples_are_kept_whole() -> None:
    for path in EXAMPLES.glob("*.mlir"):
        assert_whole(path.read_text(encoding="utf-8"))


def test_pygments_finds_the_lexer() -> None:
    found = get_lexer_by_name("stablehlo"), get_lexer_by_name("mlir"), get_lexer_for_filename("a.mlir")
    assert {type(lexer) for lexer in found} == {MlirLexer}


def tokens(text: str) -> Iterator[tuple[int, object, str]]:
    return MlirLexer().get_tokens_unprocessed(text)


def assert_whole(text: str) -> None:
    found = list(tokens(text))
    assert "".join(word for _, _, word in found) == text
    assert all(text[start : start + len(word)] == word for start, _, word in found)
    assert all(kind not in Token.Error for _, kind, _ in found)
