"""Affine maps and sets: text whose names of dimensions and symbols are made MLIR's own, `d0` and `s0`."""

from __future__ import annotations

import re

from shlo.ir.attributes import AffineMapAttr
from shlo.ir.source import Span
from shlo.syntax.reader import Reader

BODY = re.compile(r"(?:->|>=|[^<>\"{}@#!%])*(?=>)")
TOKEN = re.compile(r"[A-Za-z_]\w*|[0-9]+|->|>=|<=|==|[-+*(),:\[\]]|\s+", re.ASCII)
OPERATORS = ("mod", "floordiv", "ceildiv")
DIMENSIONS = re.compile(r"\(([^()]*)\)(?:\[([^\[\]]*)\])?")
IDENTITY = re.compile(r"\(([^()]*)\) -> \(\1\)")
ARROWS = {"affine_map": "->", "affine_set": ":"}


def parse_affine(reader: Reader, keyword: str) -> AffineMapAttr:
    """Reads `<(dims)[symbols] -> (results)>` or `<(dims)[symbols] : (constraints)>` behind the keyword."""
    reader.expect("<", f"after '{keyword}'")
    start = reader.skip()
    match = BODY.match(reader.text, start)
    head = DIMENSIONS.match(reader.text, start)
    if match is None or head is None or head.end() > match.end():
        reader.fail(f"expected the dimensions of an {keyword}, and '>' at its end")
    names = _names(head[1], "d") | _names(head[2] or "", "s")
    tokens = _renamed(reader, names, start, match.end())
    if ARROWS[keyword] not in tokens or _unbalanced(tokens):
        reader.fail(f"expected '{ARROWS[keyword]}' and balanced parentheses", Span(start, match.end()))
    reader.pos = match.end() + 1
    return AffineMapAttr(keyword, _spaced(tokens))


def dimension_count(attribute: AffineMapAttr) -> int:
    """How many dimensions a map takes."""
    head = DIMENSIONS.match(attribute.body)
    return len(_names(head[1], "d")) if head else 0


def is_identity(attribute: AffineMapAttr) -> bool:
    """Whether a map gives its dimensions back as they are."""
    return IDENTITY.fullmatch(attribute.body) is not None


def _names(text: str, letter: str) -> dict[str, str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    return {name: f"{letter}{index}" for index, name in enumerate(names)}


def _renamed(reader: Reader, names: dict[str, str], start: int, end: int) -> list[str]:
    """The tokens between two places, without blanks."""
    tokens: list[str] = []
    while start < end:
        match = TOKEN.match(reader.text, start)
        if match is None:
            reader.fail("no character of an affine expression", Span(start, start + 1))
        token, start = match[0], match.end()
        is_word = token[0].isalpha() or token[0] == "_"
        if is_word and token not in names and token not in OPERATORS:
            reader.fail(f"'{token}' is no dimension or symbol", Span(match.start(), start))
        if not token.isspace():
            tokens.append(names.get(token, token))
    return tokens


def _unbalanced(tokens: list[str]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token in "([") - (token in ")]")
        if depth < 0:
            return True
    return depth != 0


def _spaced(tokens: list[str]) -> str:
    """Tokens with blanks where MLIR puts them: around operators and arrows, after commas."""
    text, previous = "", ""
    for token in tokens:
        is_sign = token == "-" and (not previous or previous in "([,+*" or previous in OPERATORS)
        if token in ("+", "*", "->", ">=", "<=", "==", ":", *OPERATORS) or (token == "-" and not is_sign):
            text += f" {token} "
        else:
            text += ", " if token == "," else token
        previous = "(" if is_sign else token
    return text
