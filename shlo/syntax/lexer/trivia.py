"""Trivia around operations in a source: blanks, comments, locations, braces and labels of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from shlo.syntax.lexer.cursor import Cursor, balanced_end
from shlo.syntax.lexer.tokens import BLANKS, COMMENT, NAME, STRING, value_aliases

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
ARGUMENT = re.compile(r"(%[\w$.-]+) ?: ?", re.ASCII)
_QUIET = rf"{STRING}|(?P<comment>{COMMENT})"
"""Strings and comments, which hold no code. Patterns of single tokens cost a third of `tokens`."""
_COMMENTS = re.compile(_QUIET)
_MARKS = re.compile(rf"{_QUIET}|(?P<mark>::|[{{}}()^:])")
_ALIASES = re.compile(rf"{_QUIET}|(?<![\w$.-])(?P<alias>[#!]{NAME})", re.ASCII)
_OPAQUE = re.compile(rf"@?{STRING}|(?<![\w$.-])(?:[#!]{NAME}|affine_map|affine_set)<", re.ASCII)
"""What keeps its blanks: strings, and what is in the angle brackets of these attributes and types."""
_LOCATION = re.compile(rf"(?:{BLANKS}++|{COMMENT})*+(loc)(?:{BLANKS}++|{COMMENT})*+\(")


class Trivia(Struct, frozen=True):
    """What is behind an operation (or a brace) before the next one: the operation's location, the
    comment on its line, and the lines that follow, with one empty line for any number of them."""

    location: str
    comment: str
    lines: tuple[str, ...]

    def ending(self) -> str:
        """Returns what belongs on the line of what is before."""
        return "".join(f" {part}" for part in (self.location, self.comment) if part)


def parse_trivia(text: str) -> Trivia:
    """Returns the trivia that a text is; its last line is the start of the line on which it ends."""
    location, rest = _split_location(text)
    comment, *others = rest.split("\n")
    if others and not others[-1].strip():
        others.pop()
    lines = [line.strip() if line.lstrip().startswith("//") else line.rstrip() for line in others]
    remaining = [line for index, line in enumerate(lines) if line or index == 0 or lines[index - 1]]
    return Trivia(location, comment.strip(), tuple(remaining))


def _split_location(text: str) -> tuple[str, str]:
    """Returns the `loc(...)` that a text starts with, behind comments or not, and the rest."""
    location = _LOCATION.match(text)
    if location is None:
        return "", text
    start, end = location.start(1), _closing(text, location.start(1))
    return reflowed(text[start:end], ""), text[:start].rstrip() + text[end:]


def collapsed(text: str) -> str:
    """Returns a text without comments on one line, blanks in order; dialects' attributes and types stay."""
    between: list[str] = []
    remaining: list[str] = []
    end = 0
    while match := _OPAQUE.search(text, end):
        between.append(text[end : match.start()])
        end = balanced_end(Cursor(text), match.end() - 1) if match[0][-1] == "<" else match.end()
        remaining.append(text[match.start() : end])
    tidy = "\0".join([*between, text[end:]])
    for pattern, replacement in TIDY:
        tidy = pattern.sub(replacement, tidy)
    parts = tidy.split("\0")
    return "".join([part + stays for part, stays in zip(parts, [*remaining, ""], strict=True)]).strip()


def reflowed(text: str, indent: str) -> str:
    """Returns a text with blanks in order: on one line, or with a comment in it on its lines, indented."""
    if not has_comment(text):
        return collapsed(text)
    first, *others = [line.rstrip() for line in text.strip().split("\n")]
    margin = min((len(line) - len(line.lstrip()) for line in others if line), default=0)
    return "\n".join([first, *(f"{indent}    {line[margin:]}" if line else "" for line in others)])


def has_comment(text: str) -> bool:
    """Returns whether a text has a comment in it."""
    return "//" in text and any(match["comment"] for match in _COMMENTS.finditer(text))


def aliases_of(text: str) -> frozenset[str]:
    """Returns the aliases that a source defines, those of locations left out, with their `#` or `!`."""
    return frozenset(match[1] for match in value_aliases(text))


def uses_alias(text: str, aliases: frozenset[str]) -> bool:
    """Returns whether a text uses one of some aliases."""
    return bool(aliases) and any(
        match["alias"] in aliases and not text.startswith("<", match.end())
        for match in _ALIASES.finditer(text)
    )


class Opening(Struct, frozen=True):
    """A text that ends with the start of a block: text up to its region's `{`, label, trivia behind."""

    structure: str
    label: str
    trivia: Trivia


def parse_opening(text: str) -> Opening:
    """Splits a text that leads into a region."""
    marks = list(_marks(text, "{}^"))
    for index in range(len(marks) - 1, -1, -1):
        follows = marks[index + 1][0] if index + 1 < len(marks) else ""
        if marks[index][0] == "{" and follows in ("", "^"):
            end = marks[index].end()
            label, trivia = parse_label(text[end:])
            return Opening(text[:end], label, trivia)
    raise AssertionError("no region starts here")


def parse_label(text: str) -> tuple[str, Trivia]:
    """Returns the label at the start of a text, and the trivia before (if any) and behind it."""
    label = next(_marks(text, "^"), None)
    if label is None:
        return "", parse_trivia(text)
    start, end = label.span()
    if next(_marks(text, "(:", end))[0] == "(":
        end = _closing(text, end)
    end = next(_marks(text, ":", end)).end()
    before = text[:start].rstrip(" \t") if text[:start].strip() else ""
    shown = ARGUMENT.sub(r"\1: ", reflowed(text[start:end], ""))
    return re.sub(r"\s*:$", ":", shown), parse_trivia(before + text[end:])


def end_of_code(text: str, start: int, end: int) -> int:
    """Returns where a stretch of a text ends without the blanks and comments at its end. Only its last lines
    are looked at: neither strings nor comments go on over the end of a line."""
    while True:
        line = max(text.rfind("\n", start, end), start)
        code = text[line:end]
        if "//" in code:
            code = _COMMENTS.sub(lambda match: " " * len(match[0]) if match["comment"] else match[0], code)
        if code := code.rstrip():
            return line + len(code)
        if line == start:
            return start
        end = line


def split_at(text: str, mark: str) -> tuple[Trivia, str]:
    """Returns the trivia before the `}` of a region or the `^` of the next block, and the text from there."""
    location = _LOCATION.match(text)
    mark_start = next(_marks(text, mark, _closing(text, location.start(1)) if location else 0)).start()
    return parse_trivia(text[:mark_start]), text[mark_start:]


def _marks(text: str, wanted: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Yields the matches of some marks in a text; `^` starts labels."""
    return (match for match in _MARKS.finditer(text, start) if match["mark"] and match[0][0] in wanted)


def _closing(text: str, start: int) -> int:
    """Returns the offset behind the parenthesis that closes the first one from `start` on."""
    depth = 0
    for mark in _marks(text, "()", start):
        depth += 1 if mark[0] == "(" else -1
        if depth == 0:
            return mark.end()
    return len(text)
