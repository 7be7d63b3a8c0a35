"""Where braces are missing or too many, by indentation: consulted for a text whose braces do not balance.

A `}` closes the `{` whose line is as far indented as its own. A statement that is not indented deeper than
another one is not inside of it. A function ends before the next `func.func` that is not indented deeper, as
functions do not nest. As many braces are added or left out as the text has too few or too many.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import Final, NamedTuple

from shlo.syntax.lexer.tokens import COMMENT, STRING
from shlo.syntax.parser.recovery import OPERATION_START, end_of_line

_BRACE: Final = re.compile(rf"{STRING}|{COMMENT}|[{{}}]", re.ASCII)
_QUOTED: Final = re.compile(rf"{STRING}|{COMMENT}", re.ASCII)
_INDENT: Final = re.compile(r"[ \t]*")
_LINE_END: Final = re.compile(r"[ \t\r]*(?:\n|//|\Z)")
_HEADER_GOES_ON: Final = re.compile(r"[ \t]*(?:[,){]|->|attributes\b)")
"""What is behind a dictionary in the header of a function or module, not behind its body."""
_FUNCTION: Final = re.compile(r"func(?:\.func)?[ \t]+(?:public\b|private\b|nested\b|@)")
_MODULE: Final = re.compile(r"(?:builtin\.)?module\b")


class _Open(NamedTuple):
    """A `{` that is open: its offset, the indentation of its line and of its statement's first line, whether
    it ends its line, and whether its statement is a function or a module. What is in a flat one is not
    indented."""

    offset: int
    indent: int
    statement: int
    ends_line: bool
    is_function: bool
    is_module: bool
    is_flat: bool = False


class _Stack:
    """What is open, and answers about all of it that do not take longer the more there is."""

    def __init__(self) -> None:
        self.all: list[_Open] = []
        self.flat_functions = 0
        self._deepest: list[int] = []
        """The largest indentation of a function's statement up to each, -1 for none."""
        self._at: dict[int, list[int]] = {}
        """The numbers of those whose line or statement has an indentation."""

    def push(self, opened: _Open) -> None:
        """Adds what has been opened."""
        number, deepest = len(self.all), self._deepest[-1] if self._deepest else -1
        self.all.append(opened)
        self._deepest.append(max(deepest, opened.statement) if opened.is_function else deepest)
        for indent in {opened.indent, opened.statement}:
            self._at.setdefault(indent, []).append(number)

    def pop(self) -> None:
        """Takes the last one away."""
        last = self.all.pop()
        self._deepest.pop()
        self.flat_functions -= last.is_flat and last.is_function
        for indent in {last.indent, last.statement}:
            self._at[indent].pop()

    def flatten(self) -> None:
        """Takes note that what is in the last one is not indented."""
        last = self.all[-1]
        self.flat_functions += last.is_function and not last.is_flat
        self.all[-1] = last._replace(is_flat=True)

    def first_function(self, indent: int) -> int:
        """Returns the number of the first function whose statement is indented so far or deeper; that of all
        where there is none."""
        return bisect_left(self._deepest, indent)

    def last_at(self, indent: int) -> int | None:
        """Returns the number of the last one whose line or statement has an indentation."""
        numbers = self._at.get(indent)
        return numbers[-1] if numbers else None


class BraceSearch:
    """Looks through a text for where braces are missing and for those that are too many.

    Attributes:
        missing, stray, unopened: as in `BraceHints`, filled by `find`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.missing: dict[int, int] = {}
        self.stray: list[int] = []
        self.unopened: list[int] = []
        self.stack = _Stack()
        self.open = self.stack.all
        self.too_few = 0
        self.too_many = 0
        # Of the statement that is being read: its indentation, and what it is.
        self.statement = 0
        self.is_function = self.is_module = False
        self.is_fresh = False

    def find(self, missing: int) -> None:
        """Goes through a text that lacks so many `}`, those in strings and comments counted, once."""
        excess = missing - _quoted_excess(self.text)
        self.too_few, self.too_many = max(excess, 0), max(-excess, 0)
        line: int | None = 0
        while line is not None and (self.too_few or self.too_many):  # else nothing is missing or too many
            end = self.text.find("\n", line)
            end = len(self.text) if end < 0 else end
            self._line(line)
            self._braces(line, end)
            line = self._next_line(line, end)

    def _braces(self, line: int, end: int) -> None:
        for match in _BRACE.finditer(self.text, line, end):
            if not (self.too_few or self.too_many):
                return
            if match[0] == "{":
                self._opening(match.start(), line)
            elif match[0] == "}":
                self._closing(match.start(), line)

    def _next_line(self, line: int, end: int) -> int | None:
        """Returns where the next line starts that may tell something, None where none does: one with a brace,
        a function or module, one that is not indented deeper than what is open, or any behind a header.

        Of the statements that are passed over, the indentation of the last one is kept.
        """
        if end == len(self.text):
            return None
        if self.is_fresh or self.is_function or self.is_module:
            return end + 1
        reaches_out = self.open and self.too_few and not self.stack.flat_functions
        match = _telling(_rounded(self.open[-1].statement) if reaches_out else -1).search(self.text, end)
        if match is None:
            return None
        telling = match.end() if match[0] == "\n" else self.text.rfind("\n", 0, match.start()) + 1
        passed = self.text.rfind("\n", 0, telling - 1) + 1
        while passed > line:
            indent = self._statement_indent(passed)
            if indent is not None:
                self.statement = indent
                break
            passed = self.text.rfind("\n", 0, passed - 1) + 1
        return telling

    def _statement_indent(self, start: int) -> int | None:
        """Returns the indentation of a line that starts a statement, None for another line."""
        match = OPERATION_START.match(self.text, start)
        at = match.end() if match else start
        return None if match is None or self.text[at] in "}^" else at - start

    def _line(self, start: int) -> None:
        indent = self._statement_indent(start)
        if indent is None:
            return
        at = start + indent
        if (self.is_function or self.is_module) and indent > self.statement and self.too_many:
            self._open_body(at)
        is_function = _FUNCTION.match(self.text, at) is not None
        is_module = _MODULE.match(self.text, at) is not None
        if is_function or is_module:
            self._end_function(at, indent)
        if self.is_fresh and self.open and indent <= self.open[-1].statement:
            last = self.open[-1]
            if last.is_function or last.is_module:
                self.stack.flatten()
        self.is_fresh = False
        self._dedent(at, indent)
        self.statement, self.is_function, self.is_module = indent, is_function, is_module

    def _open_body(self, at: int) -> None:
        """Opens the body of the function or module whose header has ended without a `{`."""
        self.too_many -= 1
        self.unopened.append(at)
        indent = self.statement
        self.stack.push(_Open(at, indent, indent, True, self.is_function, self.is_module))

    def _end_function(self, at: int, indent: int) -> None:
        """Ends the function that is open around a function or module that is not indented deeper."""
        number = self.stack.first_function(indent)
        if number < len(self.open) and self.too_few > 0:
            self._end_from(number, at)

    def _dedent(self, at: int, indent: int) -> None:
        if not self.open or self.too_few <= 0 or indent > self.open[-1].statement:
            return
        if self.stack.flat_functions:
            return
        first = len(self.open)
        least = max(first - self.too_few, 0)
        while first > least and not self.open[first - 1].is_flat and indent <= self.open[first - 1].statement:
            first -= 1
        if first < len(self.open):
            self._end_from(first, at)

    def _end_from(self, number: int, at: int) -> None:
        self.missing[at] = self.open[number].offset
        self.too_few = max(self.too_few - (len(self.open) - number), 0)
        while len(self.open) > number:
            self.stack.pop()

    def _opening(self, at: int, line: int) -> None:
        indent = self._indent(line)
        ends_line = _LINE_END.match(self.text, at + 1) is not None  # a line may hold many braces
        # A `{` behind a `}` on its line, as in `} do {`, belongs to the statement of that one.
        statement = indent if self.text[line + indent : line + indent + 1] == "}" else self.statement
        self.stack.push(
            _Open(at, indent, min(statement, indent), ends_line, self.is_function, self.is_module)
        )
        self.is_function = self.is_module = False
        self.is_fresh = ends_line

    def _closing(self, at: int, line: int) -> None:
        indent = self._indent(line)
        is_first = line + indent == at
        self.is_fresh = False
        last = self.open[-1] if self.open else None
        if last is None:
            self._leave_out(at)
        elif is_first:
            self._closing_line(at, indent, last)
        elif last.ends_line and last.offset < line and self.too_many:
            self._leave_out(at)
        else:
            self.stack.pop()
            if not last.ends_line and _HEADER_GOES_ON.match(self.text, at + 1):
                self.is_function, self.is_module = last.is_function, last.is_module

    def _closing_line(self, at: int, indent: int, last: _Open) -> None:
        if indent not in (last.indent, last.statement):
            if self.too_many and indent > last.statement:
                self._leave_out(at)
                return
            fits = self.stack.last_at(indent)
            if self.too_few and fits is not None and indent < last.indent:
                self._end_from(fits + 1, at)
        self.stack.pop()

    def _leave_out(self, at: int) -> None:
        if self.too_many:
            self.too_many -= 1
            self.stray.append(at)
        elif self.open:
            self.stack.pop()

    def _indent(self, line: int) -> int:
        match = _INDENT.match(self.text, line)
        assert match
        return match.end() - line


@cache
def _telling(indent: int) -> re.Pattern[str]:
    """Returns the pattern of braces, and of the ends of lines before a function, a module or what is indented
    so far or less."""
    shallow = rf"[ \t]{{0,{indent}}}(?![ \t])|" if indent >= 0 else ""
    return re.compile(rf"\{{|\}}|\n(?={shallow}[ \t]*+(?:func|builtin|module)\b)", re.ASCII)


def _rounded(indent: int) -> int:
    """Returns an indentation that is as large, or larger, of few."""
    return indent if indent < 16 else (1 << indent.bit_length()) - 1


def _quoted_excess(text: str) -> int:
    """Returns how many more `{` than `}` the strings and comments of a text have."""
    excess = 0
    opening, closing = text.find("{"), text.find("}")
    while opening >= 0 or closing >= 0:  # `find` is ten times as fast as a pattern where braces are few
        at = max(opening, closing) if opening < 0 or closing < 0 else min(opening, closing)
        end = end_of_line(text, at)
        line = text[text.rfind("\n", 0, at) + 1 : end]
        if '"' in line or "//" in line:
            quoted = "".join(_QUOTED.findall(line))
            excess += quoted.count("{") - quoted.count("}")
        opening = text.find("{", end) if 0 <= opening < end else opening
        closing = text.find("}", end) if 0 <= closing < end else closing
    return excess
