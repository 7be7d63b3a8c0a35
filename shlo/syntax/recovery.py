"""Where to go on after a mistake: the next thing in a text that looks like the start of an operation."""

from __future__ import annotations

import re

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
REGION_AT_END = re.compile(r"\{[ \t\r]*(?://[^\n]*)?$")


def next_operation(text: str, pos: int) -> int:
    """The offset, on the line after `pos` or later, where an operation, a `}` or a definition seems to
    start; the end of the text where there is none."""
    line_end = text.find("\n", pos)
    if line_end < 0:
        return len(text)
    match = OPERATION_START.search(text, line_end + 1)
    return match.end() if match else len(text)


def opens_region(text: str, start: int, pos: int) -> int | None:
    """The offset of the `{` at the end of the line that holds `pos`, which opens a region of a broken
    operation; None where the line ends otherwise."""
    line_end = text.find("\n", pos)
    line_end = len(text) if line_end < 0 else line_end
    line_start = max(text.rfind("\n", 0, pos) + 1, start)
    match = REGION_AT_END.search(text, line_start, line_end)
    return match.start() if match and match.start() >= pos else None
