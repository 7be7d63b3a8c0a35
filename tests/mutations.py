"""Texts made from good ones by small damage, the same for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#!^][\w$.-]*|[\w$.]+|->|\s+|.', re.DOTALL)
CHARACTERS = "%@#!^{}[]()<>:,=-+\"'\\/*?;.|&\0\n\t \u00e9\U0001d518" + "0123456789abcxyzADEF_$"
SNIPPETS = (
    "99999999999999999999999999", "0x" + "F" * 40, "-1", "1e400", "0x7FC00000", "1.5", "true", "dense<>", "dense<[[1], [2, 3]]>",
    '"unterminated', '"\\zz"', '"\\FF"', "tensor<", "tensor<?x4xf32>", "tensor<*xf32>", "tensor<99999999999999999999xi8>", "i0",
    "i99999999", "!a.b<c>", "#a.b<c>", "#loc", "loc(unknown)", "loc(", "^bb0:", "^bb0(%x: i32):", "%0", "%0:2", "%x#99", "({", "})",
    "() -> ()", "-> ", "array<i64: 1>", "array<i1: 2>", "<{", "}>", "// comment", "// -----", "{-#", "#-}", "stablehlo.add", "return",
    "func.func", "module", "complex<i8>", "dense<\"0x\">", "dense<\"0x0\">", "dense_resource<k>", "@\"q\"", "unit", "affine_map<(d0) -> (d0)>",
)  # fmt: skip
NESTING = (("[", "]"), ("{", "}"), ("(", ")"), ("<", ">"), ("tuple<", ">"), ("complex<", ">"), ("({", "})"), ("dense<[", "]>"),
           ("{a = ", "}"), ("loc(", ")"), ("[[", ""), ("(((", ""), ("<{", ""))  # fmt: skip

Mutation = Callable[[random.Random, str], str]


def _place(rng: random.Random, text: str) -> int:
    return rng.randrange(len(text) + 1)


def change_character(rng: random.Random, text: str) -> str:
    at = _place(rng, text)
    return text[:at] + rng.choice(CHARACTERS) + text[at + rng.randrange(2) :]


def drop_characters(rng: random.Random, text: str) -> str:
    at = _place(rng, text)
    return text[:at] + text[at + rng.choice((1, 1, 1, 2, 5, 40)) :]


def cut_off(rng: random.Random, text: str) -> str:
    return text[: _place(rng, text)]


def _tokens(rng: random.Random, text: str, change: Callable[[list[str], int], None]) -> str:
    tokens = TOKEN.findall(text)
    solid = [index for index, token in enumerate(tokens) if not token.isspace()]
    if solid:
        change(tokens, rng.choice(solid))
    return "".join(tokens)


def drop_token(rng: random.Random, text: str) -> str:
    return _tokens(rng, text, lambda tokens, at: tokens.pop(at))  # type: ignore[arg-type, return-value]


def repeat_token(rng: random.Random, text: str) -> str:
    return _tokens(rng, text, lambda tokens, at: tokens.insert(at, tokens[at] + rng.choice(("", " "))))


def swap_tokens(rng: random.Random, text: str) -> str:
    def swap(tokens: list[str], at: int) -> None:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]

    return _tokens(rng, text, swap)


def replace_token(rng: random.Random, text: str) -> str:
    def replace(tokens: list[str], at: int) -> None:
        tokens[at] = rng.choice((rng.choice(tokens), rng.choice(SNIPPETS)))

    return _tokens(rng, text, replace)


def insert_snippet(rng: random.Random, text: str) -> str:
    at = _place(rng, text)
    return text[:at] + rng.choice(SNIPPETS) + text[at:]


def change_lines(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = lines[at].rstrip() + " " + lines[other].lstrip()
    return "\n".join(lines)


def nest_deeply(rng: random.Random, text: str) -> str:
    opening, closing = rng.choice(NESTING)
    depth, at = rng.choice((3, 50, 120, 1000, 20000)), _place(rng, text)
    return text[:at] + opening * depth + rng.choice(("", "1", "f32")) + closing * depth + text[at:]


MUTATIONS: Sequence[Mutation] = (
    change_character, drop_characters, cut_off, drop_token, repeat_token, swap_tokens, replace_token, replace_token, insert_snippet,
    change_lines, change_character, nest_deeply,
)  # fmt: skip


def mutate(rng: random.Random, text: str) -> str:
    """Returns one to three mutations of a text."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(rng, text) or text
    return text


def mutants(texts: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """`count` mutants of the texts in turn."""
    rng = random.Random(seed)
    for index in range(count):
        yield mutate(rng, texts[index % len(texts)])
