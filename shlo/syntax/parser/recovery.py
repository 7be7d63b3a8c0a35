"""Where to go on after a mistake: the next thing in a text that looks like the start of an operation."""

from __future__ import annotations

import re

from shlo.dialects import find_op_def

OPERATION_START = re.compile(
    r"^[ \t]*(?="
    r"%[\w$.-]+(?::\d+)?[ \t]*(?:,[^=\n]{0,400})?="  # names of results
    r'|"[\w.$-]+"[ \t]*\('  # a generic form
    r"|[a-z_]\w*\.[a-z_][\w.-]*\b"  # dialect.operation
    r"|(?:module|func|return|call)\b"
    r"|\}|\^\w|\{-#"
    r"|[#!]\w+[ \t]*="
    r")",
    re.MULTILINE | re.ASCII,
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
REGION_AT_END = re.compile(r"\{[ \t\r]*(?://[^\n]*)?$")


def next_operation(text: str, pos: int) -> int:
    """Returns where the next operation, `}` or definition seems to start on a later line, or the end."""
    line_end = text.find("\n", pos)
    if line_end < 0:
        return len(text)
    match = OPERATION_START.search(text, line_end + 1)
    return match.end() if match else len(text)


def opens_region(text: str, start: int, pos: int) -> int | None:
    """Returns the offset of the `{` at the end of the line that holds `pos`, or of the next one if no
    operation starts there (`cond {`), which opens a region of a broken operation; None where there is none.
    The body of a function or module may also start within the line."""
    line_end = _line_end(text, pos)
    if is_isolated(text, start) and (body := BODY_ON_LINE.search(text, pos, line_end)):
        return body.start()
    line_start = max(text.rfind("\n", 0, pos) + 1, start)
    match = REGION_AT_END.search(text, line_start, line_end)
    if match:
        return match.start() if match.start() >= pos else None
    following = REGION_AT_END.search(text, line_end, _line_end(text, line_end + 1))
    if following is None or OPERATION_START.match(text, line_end + 1):
        return None
    return following.start()


def _line_end(text: str, pos: int) -> int:
    end = text.find("\n", pos)
    return len(text) if end < 0 else end


def is_isolated(text: str, start: int) -> bool:
    """Returns whether a broken operation, by its name, has regions that see nothing around it."""
    match = NAME.match(text, start)
    if not match:
        return False
    names = [match[1]] if "." in match[1] else [f"func.{match[1]}", f"builtin.{match[1]}"]
    return any(op_def.has("isolated") for name in names if (op_def := find_op_def(name)))
