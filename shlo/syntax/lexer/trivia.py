"""What stands in a source around its operations: blanks, comments, locations, braces and labels of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.types.dialect_symbols import balanced_end

STRING = r'"(?:[^"\\\n]|\\.)*"'
TOKEN = re.compile(rf"{STRING}|//[^\n]*|[{{}}()^:]", re.DOTALL)
COMMENT_OR_STRING = re.compile(rf"{STRING}|(//[^\n]*)", re.DOTALL)
KEPT = re.compile(rf"({STRING}|(?:[#!][\w$.-]+|affine_map|affine_set)<)", re.DOTALL)
TIDY = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\s+", " "),
        (r" ?, ?", ", "),
        (r"([(\[]) ", r"\1"),
        (r" ([)\]])", r"\1"),
        (r"(?<![<>=]) ?= ?(?!=)", " = "),
        (r"([)\]}>]) ?(->|:(?!:)) ?", r"\1 \2 "),
        (r"\) ?(\{|\(\{)", r") \1"),
    )
]
"""How blanks are put in order in a text that is written on one line."""
LOCATION = re.compile(r"(?:\s|//[^\n]*+)*+(loc)\s*\(")
LABEL = re.compile(r"\^[\w$.-]+\s*")
ARGUMENT = re.compile(r"(%[\w$.-]+) ?: ?", re.ASCII)
DEFINITION = re.compile(r"^[ \t]*([#!][\w$-]+)\s*=(?!\s*loc\s*\()", re.MULTILINE | re.ASCII)
ALIAS_USE = re.compile(rf"{STRING}|([#!][A-Za-z_][\w$-]*)(?![\w$.<-])", re.DOTALL | re.ASCII)


class Trivia(NamedTuple):
    """What stands behind an operation (or a brace) before the next one: the operation's location, the
    comment on its line, and the lines that follow, with one empty line for any number of them."""

    location: str
    comment: str
    lines: tuple[str, ...]

    def ending(self) -> str:
        """What belongs on the line of what stands before."""
        return "".join(f" {part}" for part in (self.location, self.comment) if part)


def parse_trivia(text: str) -> Trivia:
    """The gap that a text is; its last line is the start of the line on which it ends."""
    location, rest = _split_location(text)
    comment, *others = rest.split("\n")
    if others and not others[-1].strip():
        others.pop()
    lines = [line.strip() if line.lstrip().startswith("//") else line.rstrip() for line in others]
    kept = [line for index, line in enumerate(lines) if line or index == 0 or lines[index - 1]]
    return Trivia(location, comment.strip(), tuple(kept))


def _split_location(text: str) -> tuple[str, str]:
    """The `loc(...)` that a text starts with, behind comments or not, and the rest."""
    match = LOCATION.match(text)
    if match is None:
        return "", text
    end = _closing(text, match.start(1))
    before = text[: match.start(1)].rstrip()
    return reflowed(text[match.start(1) : end], ""), before + text[end:]


def collapsed(text: str) -> str:
    """A text without comments on one line, its blanks in order; attributes and types of dialects stay."""
    between: list[str] = []
    kept: list[str] = []
    end = 0
    while (match := KEPT.search(text, end)) is not None:
        between.append(text[end : match.start()])
        end = balanced_end(Cursor(text), match.end() - 1) if match[0][-1] == "<" else match.end()
        kept.append(text[match.start() : end])
    tidy = "\0".join([*between, text[end:]])
    for pattern, replacement in TIDY:
        tidy = pattern.sub(replacement, tidy)
    parts = tidy.split("\0")
    return "".join([part + stays for part, stays in zip(parts, [*kept, ""], strict=True)]).strip()


def reflowed(text: str, indent: str) -> str:
    """A text with its blanks in order: on one line, or with a comment in it on its own lines, further in."""
    if not has_comment(text):
        return collapsed(text)
    first, *others = [line.rstrip() for line in text.strip().split("\n")]
    margin = min((len(line) - len(line.lstrip()) for line in others if line), default=0)
    return "\n".join([first, *(f"{indent}    {line[margin:]}" if line else "" for line in others)])


def has_comment(text: str) -> bool:
    return any(match[1] for match in COMMENT_OR_STRING.finditer(text))


def aliases_of(text: str) -> frozenset[str]:
    """The aliases that a source defines, those of locations left out, with their `#` or `!`."""
    return frozenset(DEFINITION.findall(text))


def uses_alias(text: str, aliases: frozenset[str]) -> bool:
    return bool(aliases) and any(match[1] in aliases for match in ALIAS_USE.finditer(text))


class Opening(NamedTuple):
    """A text that ends with the start of a block: what leads to its region's `{`, the block's label, the
    gap behind."""

    structure: str
    label: str
    trivia: Trivia


def parse_opening(text: str) -> Opening:
    """Splits a text that leads into a region."""
    tokens = list(_tokens(text, "{}^"))
    for index in range(len(tokens) - 1, -1, -1):
        follows = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        if tokens[index][0] == "{" and follows in ("", "^"):
            end = tokens[index][1] + 1
            label, trivia = parse_label(text[end:])
            return Opening(text[:end], label, trivia)
    raise AssertionError("no region starts here")


def parse_label(text: str) -> tuple[str, Trivia]:
    """The label at the start of a text, behind blanks and comments (which are put behind it), and the gap
    behind it."""
    start = next((place for _, place in _tokens(text, "^")), None)
    if start is None:
        return "", parse_trivia(text)
    match = LABEL.match(text, start)
    end = match.end() if match else start + 1
    if next(_tokens(text, "(:", end))[0] == "(":
        end = _closing(text, end)
    end = next(_tokens(text, ":", end))[1] + 1
    before = text[:start].rstrip(" \t") if text[:start].strip() else ""
    label = ARGUMENT.sub(r"\1: ", reflowed(text[start:end], ""))
    return re.sub(r"\s*:$", ":", label), parse_trivia(before + text[end:])


def end_of_code(text: str) -> int:
    """The length of a text without the blanks and comments at its end."""
    end = len(text.rstrip())
    if "//" in text:
        for match in reversed(list(COMMENT_OR_STRING.finditer(text))):
            if match[1] is None or text[match.end() : end].strip():
                break
            end = len(text[: match.start()].rstrip())
    return end


def split_at(text: str, mark: str) -> tuple[Trivia, str]:
    """The gap before the `}` that ends a region or the `^` that starts the next block, and what starts with
    it."""
    location = LOCATION.match(text)
    place = next(_tokens(text, mark, _closing(text, location.start(1)) if location else 0))[1]
    return parse_trivia(text[:place]), text[place:]


def _tokens(text: str, wanted: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """The wanted characters of a text with their places; those in strings and comments are passed over."""
    for match in TOKEN.finditer(text, start):
        if match[0] in wanted:
            yield match[0], match.start()


def _closing(text: str, start: int) -> int:
    """The place behind the parenthesis that closes the first one from `start` on."""
    depth = 0
    for token, place in _tokens(text, "()", start):
        depth += 1 if token == "(" else -1
        if depth == 0:
            return place + 1
    return len(text)
