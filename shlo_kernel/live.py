"""What a page asks while a cell is written: what is wrong with it, and what a word means, over a comm.

A cell is checked against the session, as if it ran next; nothing runs. Names that cells above it define, or
magics whose effect is known only when they run, are taken as they come. Offsets count code points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, ShloError
from shlo.ir.source import Span
from shlo.syntax.lexer.tokens import tokens
from shlo.text.escape import escaped
from shlo_kernel.cells.errors import CellError
from shlo_kernel.cells.parse import MagicCall
from shlo_kernel.cells.session import LAST, CellState, Naming, blanked
from shlo_kernel.completion import inspect
from shlo_kernel.magics import MAGICS, find_magic
from shlo_kernel.notebook import NotebookSession

TARGET: Final = "shlo.cells"
"""The target of comms that ask about cells."""
LONGEST: Final = 200_000
"""Cells of more characters are checked when they run."""
PAGES: Final = 16
"""How many pages, those that asked last, are notified of changes: a closed page need not report it."""

_FUNCTION: Final = re.compile(r"func\.func\s+(?:(?:public|private|nested)\s+)?@(?P<name>[\w$.]+)")
_MODULE: Final = re.compile(r"\bmodule\s+@(?P<name>[\w$.]+)")
_MAGIC: Final = re.compile(r"^%%?(\w+)", re.MULTILINE)
_MENTIONED: Final = re.compile(r"[%@](?P<name>[\w$.-]+)")
_UNKNOWN: Final = ("use of undeclared value", "there is no value", "there is no function")


class _CellNames(Struct):
    """What the programs of a cell may use: a state, and names of which nothing is known. Where `is_open`,
    any other name may be there, too."""

    state: CellState
    hidden: set[str]
    is_open: bool = False

    def after(self, call: MagicCall) -> None:
        """Takes in what a magic's line may define."""
        magic = MAGICS.get(call.name)
        if magic is None or magic.defines == "nothing":
            return
        if magic.defines == "anything":
            self.state, self.is_open = replace(CellState(), anonymous=self.state.anonymous), True
            return
        self.hidden |= {LAST, *_names_before_equals(call.argument)}
        values = self.state.values
        visible = {name: value for name, value in values.items() if name.partition("#")[0] not in self.hidden}
        self.state = replace(self.state, values=visible)

    def explains(self, finding: Diagnostic) -> bool:
        """Returns whether a finding is only that nothing is known of a name."""
        names = {match["name"].partition(".")[0] for match in _MENTIONED.finditer(finding.message)}
        if names & self.hidden:
            return True
        return self.is_open and finding.message.startswith(_UNKNOWN)


def findings(notebook: NotebookSession, code: str, above: str = "") -> list[Diagnostic]:
    """Returns what is wrong with a cell that has not run.

    Args:
        notebook: the session that it would run in.
        code: the cell.
        above: the cells above it, some of which may not have run: names that they define are not missed.
    """
    if len(code) > LONGEST:
        return []
    state = notebook.session.state
    scope = _CellNames(state, {name for name in _defined(above) if not _is_known(state, name)})
    magics = (MAGICS.get(match[1]) for match in _MAGIC.finditer(above))
    scope.is_open = any(magic is not None and magic.defines == "anything" for magic in magics)
    return list(_findings(notebook, code, scope))


def _findings(notebook: NotebookSession, code: str, scope: _CellNames) -> Iterator[Diagnostic]:
    for piece in notebook.split_cell(code):
        if isinstance(piece, Span):
            scope.state, diagnostics = notebook.session.check(
                scope.state, blanked(code, piece), Naming(cell=code)
            )
            yield from (diagnostic for diagnostic in diagnostics if not scope.explains(diagnostic))
            if any(diagnostic.severity == "error" for diagnostic in diagnostics):
                scope.is_open = True  # its values are not known behind it
            continue
        mark = "%" if piece.body is None else "%%"
        try:
            magic = find_magic(piece.name, mark)
        except ShloError as error:
            yield Diagnostic(error.with_hint, piece.span, "request")
            continue
        if piece.body is not None and magic.takes_cell and magic.name != "python":
            yield from _findings(notebook, blanked(code, piece.body), scope)
        scope.after(piece)


def _defined(text: str) -> Iterator[str]:
    """Yields the names that cells define, as far as their lines say so."""
    for line in text.split("\n"):
        yield from _names_before_equals(line)
    for pattern in (_FUNCTION, _MODULE):
        yield from (match["name"] for match in pattern.finditer(text))


def _names_before_equals(line: str) -> Iterator[str]:
    """Yields the values in front of the `=` of a line."""
    before, equals, _ = line.partition("=")
    if equals:
        yield from (token.text[1:].partition("#")[0] for token in tokens(before) if token.kind == "value")


def _is_known(state: CellState, name: str) -> bool:
    is_value = name in state.values or f"{name}#0" in state.values
    return is_value or name in state.definitions.namespaces or state.definitions.find(name) is not None


class LiveAnswers:
    """Answers the questions of pages about the cells of one notebook.

    Args:
        notebook: the session.
        prepare: returns a cell's text as the session reads it, None for a cell of another language; what the
            cell uses is then known to the session.
    """

    def __init__(self, notebook: NotebookSession, prepare: Callable[[str], str | None] = str) -> None:
        self._notebook = notebook
        self._prepare = prepare
        self._comms: list[Any] = []

    def open_comm(self, comm: Any, _: Any) -> None:
        """Answers the questions of a page; the handler of TARGET."""

        def answer(message: dict[str, Any]) -> None:
            comm.send(self.answer(message["content"]["data"]))

        def forget(message: dict[str, Any]) -> None:
            self._comms = [other for other in self._comms if other is not comm]

        comm.on_msg(answer)
        comm.on_close(forget)
        self._comms = [*self._comms, comm][-PAGES:]

    def tell_change(self) -> None:
        """Tells pages that a cell has run: what they know of others may be no longer so."""
        for comm in self._comms:
            comm.send({"changed": True})

    def answer(self, question: Any) -> dict[str, Any]:
        """Returns `{number, findings}` for a question `{number, ask: "findings", text, above}`, `{number,
        markdown}` for `{number, ask: "hover", text, offset}`, and `{number, error}` for any other."""
        asked = cast("dict[str, Any]", question) if isinstance(question, dict) else {}
        number, text = asked.get("number"), asked.get("text")
        if not isinstance(text, str):
            return {"number": number, "error": "expected the text of a cell"}
        code = self._prepare(text)
        if asked.get("ask") == "findings":
            above: Any = asked.get("above")
            cells = cast("list[Any]", above) if isinstance(above, list) else []
            above_text = "\n".join(cell for cell in cells if isinstance(cell, str))
            diagnostics = [] if code is None else findings(self._notebook, code, above_text)
            return {"number": number, "findings": [_as_json(diagnostic) for diagnostic in diagnostics]}
        offset = asked.get("offset")
        if asked.get("ask") == "hover" and isinstance(offset, int) and 0 <= offset <= len(text):
            return {"number": number, "markdown": None if code is None else self._hover(code, offset)}
        return {"number": number, "error": "expected findings or hover"}

    def _hover(self, code: str, offset: int) -> str | None:
        with suppress(CellError, ShloError):
            data = inspect(self._notebook, code, offset) or {}
            plain = data.get("text/plain")
            return data.get("text/markdown") or (None if plain is None else f"```\n{plain}\n```")
        return None


def _as_json(finding: Diagnostic) -> dict[str, Any]:
    """Returns a finding as a page takes it."""
    fix = finding.fix
    words = [finding.message, *(f"help: {finding.help}" for _ in finding.help[:1])]
    return {
        "start": finding.span.start,
        "end": finding.span.end,
        "severity": finding.severity,
        "code": finding.code,
        "message": escaped("\n".join(words)),
        "fix": fix
        and {
            "title": escaped(fix.title),
            "start": fix.span.start,
            "end": fix.span.end,
            "text": fix.replacement,
        },
    }
