"""Where braces are missing or too many, by indentation: consulted for a text whose braces do not balance.

A `}` closes the `{` whose line is as far indented as its own. A statement that is not indented deeper than
another one is not inside of it. A function ends before the next `func.func` that is not indented deeper, as
functions do not nest. As many braces are added or left out as the text has too few or too many.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from shlo.syntax.lexer.tokens import COMMENT, STRING
from shlo.syntax.parser.recovery import OPERATION_START

_BRACE: Final = re.compile(rf"{STRING}|{COMMENT}|[{{}}]|\n", re.ASCII)
_QUOTED: Final = re.compile(rf"{STRING}|{COMMENT}", re.ASCII)
_HAS_BRACE: Final = re.compile(r"[{}]")
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

    def find(self) -> None:
        """Goes through the text once."""
        quoted = "".join(match[0] for match in _QUOTED.finditer(self.text) if _HAS_BRACE.search(match[0]))
        counts = ((text.count("{"), text.count("}")) for text in (self.text, quoted))
        (opening, closing), (quoted_opening, quoted_closing) = counts
        excess = opening - quoted_opening - closing + quoted_closing
        self.too_few, self.too_many = max(excess, 0), max(-excess, 0)
        line, matches = 0, _BRACE.finditer(self.text)
        if excess:
            self._line(line)
        while self.too_few or self.too_many:  # else nothing that follows is missing or too many
            match = next(matches, None)
            if match is None:
                return
            at = match.start()
            if match[0] == "\n":
                line = at + 1
                self._line(line)
            elif match[0] == "{":
                self._opening(at, line)
            elif match[0] == "}":
                self._closing(at, line)

    def _line(self, start: int) -> None:
        match = _INDENT.match(self.text, start)
        assert match
        at, indent = match.end(), match.end() - start
        if self.text[at : at + 1] in "}^" or not OPERATION_START.match(self.text, start):
            return
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
