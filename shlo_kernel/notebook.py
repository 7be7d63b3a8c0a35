"""A notebook without Jupyter: cells with magics, carried out in a session."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, ExecutionError, ShloError
from shlo.ir.source import Span
from shlo.ir.suggestions import advise
from shlo.runner.errors import RequestError
from shlo.runner.interrupts import interruptible
from shlo.syntax.parser.foreign_files import PYTHON_HELP
from shlo.text.styled import plain_text
from shlo.text.suggest import nearest_name
from shlo_kernel.cells.errors import cell_error
from shlo_kernel.cells.parse import CellPiece, MagicCall, split_cell
from shlo_kernel.cells.session import CellSession, Naming, RunProgress, blanked
from shlo_kernel.magics import MAGICS, find_magic
from shlo_kernel.magics.magic import Closable, Screen
from shlo_kernel.mime.bundle import cell_lines, mime_of

if TYPE_CHECKING:
    from shlo_kernel.magics.python_shell import PythonShell

SHOWN_AT_MOST: Final = 32
"""How many values a cell shows."""

_PYTHON: Final = "cells are StableHLO; one whose first line is %%python is Python, and %help lists the magics"
_WORD: Final = re.compile(r"(?<![\w%])(?:[%@][\w.$-]+|[\w./~-]{2,})")


class NotebookSession:
    """A session with the screen that its cells write to, and the variables of their Python.

    A cell that fails leaves the session as it was before the cell, whatever its first magics did.
    """

    def __init__(self, screen: Screen) -> None:
        self.session = CellSession()
        self.screen = screen
        self.variables: dict[str, Any] = {}
        self.label = ""
        self.text = ""
        self.key = ""
        self._python: PythonShell | None = None
        self._widgets: dict[str, list[Closable]] = {}

    def run(self, text: str, label: str, key: str = "") -> None:
        """Carries out a cell; messages call it by its label. `key` is the same whenever that cell runs again.
        Raises CellError."""
        before, self.label, self.text, self.key = self.session.state, label, text, key
        for widget in self._widgets.pop(key or text, ()):
            widget.close()
        progress = self.session.progress = RunProgress(lambda text: self.screen.show_status(text))
        try:
            interruptible(lambda: self.run_body(text))
        except BaseException:
            self.session.state = before
            raise
        finally:
            progress.close()

    def run_body(self, text: str) -> None:
        """Carries out a part of the cell, magics in it included; raises CellError. The rest is blank."""
        for number, segment in enumerate(self.split_cell(text)):
            if isinstance(segment, MagicCall):
                self._call(text, self.label, segment)
            else:
                naming = Naming(key=self.key and f"{self.key}/{number}", cell=self.text)
                self.run_program(blanked(text, segment), self.label, naming)

    @property
    def python(self) -> PythonShell:
        """What runs `%%python`; it starts with the first such cell."""
        if self._python is None:
            from shlo_kernel.magics.python_shell import PythonShell

            self._python = PythonShell(self)
        return self._python

    def forget(self) -> None:
        """Forgets all values and functions, and the variables of Python."""
        self.session.reset()
        self.variables.clear()
        self._python = None

    def keep_widget(self, widget: Closable) -> None:
        """Keeps a widget of the cell until that runs again, which closes it."""
        self._widgets.setdefault(self.key or self.text, []).append(widget)

    def split_cell(self, text: str) -> Iterator[CellPiece]:
        """Yields the magics and the programs of a cell, in order."""
        return split_cell(text, lambda name, alone: self._is_magic(text, name, alone))

    def run_program(self, text: str, label: str, naming: Naming | None = None) -> None:
        """Carries out a text that is StableHLO alone, and shows its last values. Raises CellError."""
        outcome = self.session.execute(text, label, naming)
        if not outcome.ok:
            raise cell_error(text, _with_help(text, outcome.diagnostics), label)
        warnings = [finding for finding in outcome.diagnostics if finding.severity == "warning"]
        if warnings:
            self.screen.write(plain_text(cell_lines(text, warnings, label)) + "\n")
        if outcome.text:
            self.screen.write(outcome.text)
        chosen, rest = outcome.values[:SHOWN_AT_MOST], outcome.values[SHOWN_AT_MOST:]
        for number, shown in enumerate(chosen, 1):
            show = self.screen.show_result if number == len(chosen) else self.screen.show
            show(mime_of(*shown))
        if rest:
            self.screen.write(f"and {len(rest):,} more, from %{rest[0].name} on\n")

    def _is_magic(self, text: str, name: str, alone: bool) -> bool:
        """Returns whether a line that begins with `%name` is a magic's: not where a value of that name is
        meant."""
        mentions = re.findall(rf"%{name}\b(?![ \t]*$)", text, re.MULTILINE)
        is_value = bool(self.session.named(name)) or len(mentions) > (not alone)
        if alone:
            return not is_value and nearest_name(name, MAGICS) is not None
        return name in MAGICS or not is_value

    def _call(self, text: str, label: str, call: MagicCall) -> None:
        mark = "%" if call.body is None else "%%"
        body = None if call.body is None else blanked(text, call.body)
        try:
            magic = find_magic(call.name, mark)
            if body is not None and not magic.takes_cell:
                raise RequestError(f"%%{call.name} is no magic of a cell", f"write {magic.written}")
            magic.execute(self, call.argument, body)
        except ShloError as error:
            raise cell_error(text, [self._finding(error, text, call.span)], label) from None

    def _finding(self, error: ShloError, text: str, line: Span) -> Diagnostic:
        """Returns a diagnostic for an error of a magic, at the word of its line that the message names."""
        words = _WORD.finditer(text, line.start, line.end)
        named = [Span(*word.span()) for word in words if os.path.expanduser(word[0]) in error.with_hint]
        span = max(named, key=lambda word_span: word_span.end - word_span.start, default=line)
        if isinstance(error, ExecutionError):
            location = f" ({self.session.state.definitions.place(error.place)})" if error.place else ""
            return Diagnostic(f"{error.message}{location}", span, "execution")
        return Diagnostic(error.with_hint, span, "request")


def _with_help(text: str, findings: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Returns findings; where a cell does not even begin as StableHLO does, the first says how one of Python
    begins."""
    first, *rest = findings
    before, after = text[: first.span.start], text[first.span.start :]
    is_word_at_start = not before.strip() and not after.startswith(("%", "@"))
    is_python_or_unknown = first.help in ("", PYTHON_HELP)
    if first.message.startswith("expected an operation") and is_word_at_start and is_python_or_unknown:
        return [replace(first, suggestions=advise(_PYTHON)), *rest]
    return findings
