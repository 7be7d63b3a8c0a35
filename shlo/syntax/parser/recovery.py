"""Where to go on after a mistake: the next thing in a text that looks like the start of an operation."""

from __future__ import annotations

import re
from collections.abc import Container

from shlo.dialects import find_op_def
from shlo.syntax.lexer.tokens import BLANKS, COMMENT, STRING

OPERATION_START = re.compile(
    r"^[ \t]*(?="
    r"%[\w$.-]+(?::\d+)?[ \t]*(?:,[^=\n]{0,400})?="  # names of results
    r'|"[\w.$-]+"[ \t]*\('  # a generic form
    r"|[a-z_]\w*+\.[a-z_][\w.$-]*+(?![ \t]*=)"  # dialect.operation, not an attribute
    r"|(?:module|func|return|call)\b"
    r"|\}|\^\w|\{-#"
    r"|[#!]\w+[ \t]*="
    r")",
    re.MULTILINE | re.ASCII,
)
_OPERATION_BEHIND = re.compile(
    r"[ \t]+(?="
    r"%[\w$.-]+(?::\d+)?[ \t]*=(?!=)"
    r'|"[\w.$-]+"[ \t]*\([%)]'
    r"|[a-z_]\w*+\.[a-z_][\w.$-]*+[ \t]+[%@(]"
    r"|(?:module|func|return|call)\b"
    r"|\}"
    r")",
    re.ASCII,
)
NAME = re.compile(r"""\s*(?:%[^=\n]*=\s*)?"?([A-Za-z_][\w$.]*)""", re.ASCII)
BODY_ON_LINE = re.compile(
    r"\{(?=[ \t]*(?:"
    r"%[\w$.-]+(?::\d+)?[ \t]*="
    r'|"[\w.$-]+"[ \t]*\('
    r"|[a-z_]\w*\.[a-z_][\w.]*[ \t]+[%@(\"{]"
    r"|return\b"
    r"))",
    re.ASCII,
)
"""A `{` with the start of an operation behind it on its line, as no dictionary has."""
_FIRST_TOKEN = re.compile(rf"{STRING}|.", re.DOTALL)
_TRIVIA = re.compile(rf"(?:{BLANKS}++|{COMMENT})*+")
_BRACE = re.compile(rf"{STRING}|{COMMENT}|[{{}}\n]", re.ASCII)
REGION_AT_END = re.compile(r"\{[ \t\r]*(?://[^\n]*)?$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\battributes[ \t]*\Z")
"""The word before a function's or module's dictionary."""
ENTRY = re.compile(
    r"(?:\s|//[^\n]*)*+(?!return\b)"
    r"(?:(?:[A-Za-z_][\w.$]*+|\"[^\"\n]*\")[ \t]*[=,}]|[A-Za-z_]\w*+[ \t\r]*$)",
    re.ASCII | re.MULTILINE,
)
"""An entry of a dictionary."""


def operation_behind(text: str, pos: int) -> int | None:
    """Returns where an operation or `}` seems to be behind blanks on the same line, None where none is."""
    match = _OPERATION_BEHIND.match(text, pos)
    return match and match.end()


def first_token_end(text: str, start: int) -> int:
    """Returns the end of the string or character at an offset."""
    match = _FIRST_TOKEN.match(text, start)
    return match.end() if match else start


def next_operation(text: str, pos: int) -> int:
    """Returns where the next operation, `}` or definition seems to start on a later line, or the end."""
    line_end = text.find("\n", pos)
    if line_end < 0:
        return len(text)
    match = OPERATION_START.search(text, line_end + 1)
    return match.end() if match else len(text)


def starts_operation(text: str, pos: int) -> bool:
    """Returns whether the first character of a line, at `pos`, seems to start an operation, `}` or label."""
    return OPERATION_START.match(text, text.rfind("\n", 0, pos) + 1) is not None


def region_has_label(text: str, opening: int) -> bool:
    """Returns whether the region that starts at a `{` starts with a block's label."""
    match = _TRIVIA.match(text, opening + 1)
    return match is not None and text.startswith("^", match.end())


def starts_body(text: str, opening: int) -> bool:
    """Returns whether a `{` seems to start a region rather than a dictionary."""
    match = _TRIVIA.match(text, opening + 1)
    assert match
    at = match.end()
    if text.startswith(("^", "}"), at):
        return text[at] == "^"
    if "\n" not in match[0]:
        return BODY_ON_LINE.match(text, opening) is not None
    return starts_operation(text, at) and not ENTRY.match(text, opening + 1)


def broken_end(text: str, pos: int, stray: Container[int]) -> int:
    """Returns where a broken operation that holds `pos` ends: at the next line that starts an operation, or
    at a `}` that closes nothing of it. What is between `{` and `}` in it is a dictionary, unless an operation
    starts there."""
    depth = 0
    for match in _BRACE.finditer(text, pos):
        token, at = match[0], match.start()
        if token == "{":
            depth += 1
        elif token == "}" and at not in stray:
            if depth == 0:
                return at
            depth -= 1
        elif token == "\n" and (start := OPERATION_START.match(text, at + 1)):
            is_closing = text.startswith("}", start.end())
            if not (depth and is_closing):
                return start.end()
    return len(text)


def region_end(text: str, opening: int, stray: Container[int]) -> int:
    """Returns the offset behind the `}` that closes the `{` at an offset, or the end of the text."""
    depth = 0
    for match in _BRACE.finditer(text, opening):
        depth += (match[0] == "{") - (match[0] == "}" and match.start() not in stray)
        if depth == 0:
            return match.end()
    return len(text)


def opens_region(text: str, start: int, pos: int, stray: Container[int]) -> int | None:
    """Returns the offset of the first `{` behind `pos` that opens a region of a broken operation, None where
    there is none: it ends its line, no operation starts or ends between them, and what follows is no
    dictionary. The body of a function or module may also start within the line."""
    isolated = is_isolated(text, start)
    if isolated and (body := BODY_ON_LINE.search(text, pos, end_of_line(text, pos))):
        return body.start()
    depth = 0
    while True:  # line by line: a text may have many broken operations and no good one behind them
        line_end = end_of_line(text, pos)
        match = REGION_AT_END.search(text, pos, line_end)
        depth = _depth_behind(text, pos, match.start() if match else line_end, depth, stray)
        if depth < 0:
            return None
        if match:
            is_body = isolated and not _ATTRIBUTES.search(text, pos, match.start())
            if is_body or not ENTRY.match(text, match.end()):
                return match.start()
            depth += 1
        pos = line_end + 1
        if pos >= len(text) or OPERATION_START.match(text, pos):
            return None


def _depth_behind(text: str, start: int, end: int, depth: int, stray: Container[int]) -> int:
    """Returns how many `{` are open behind a stretch of text, `depth` before it; -1 if a `}` closes none of
    them."""
    for match in _BRACE.finditer(text, start, end):
        depth += (match[0] == "{") - (match[0] == "}" and match.start() not in stray)
        if depth < 0:
            break
    return depth


def end_of_line(text: str, pos: int) -> int:
    """Returns where the line that holds an offset ends."""
    end = text.find("\n", pos)
    return len(text) if end < 0 else end


def is_isolated(text: str, start: int) -> bool:
    """Returns whether a broken operation, by its name, has regions that see nothing around it."""
    match = NAME.match(text, start)
    if not match:
        return False
    names = [match[1]] if "." in match[1] else [f"func.{match[1]}", f"builtin.{match[1]}"]
    return any(op_def.has("isolated") for name in names if (op_def := find_op_def(name)))
