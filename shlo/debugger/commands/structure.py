"""Commands about the structure of a program: outline, search, uses and definitions of values."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_name
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.session import Session
from shlo.debugger.structure.outline import matching
from shlo.debugger.text.format_structure import outline_text, references_text

DEPTH: Final = 3
"""How many levels of an outline are shown unless one says how many."""

MOST_LEVELS: Final = 64


def _outline(session: Session, text: str) -> str:
    scope, depth = text, DEPTH
    before, _, last = text.rpartition(" ")
    if last.isdigit() and len(last) < 6:
        scope, depth = before.strip(), min(int(last), MOST_LEVELS)
    roots = session.structure.outline()
    if scope:
        roots = matching(roots, scope)
        if not roots:
            session.run.listing.area_name("scope", scope)
            raise DebuggerError(f"there is no {scope}; outline shows functions and scopes")
    return outline_text(roots, depth)


def _definition(session: Session, text: str) -> str:
    name = read_name(text)
    return references_text(name, session.structure.definition(name, session.selected_frame), "binds")


def _uses(session: Session, text: str) -> str:
    name = read_name(text)
    readers = references_text(name, session.structure.uses(name, session.selected_frame), "reads")
    return readers or f"nothing reads %{name}"


STRUCTURE_COMMANDS: Final = (
    DebuggerCommand(
        ("outline", "o"),
        "[SCOPE | @FUNCTION] [DEPTH]",
        "show the functions and scopes of the program: operations, lines, what was executed",
        _outline,
        "scope",
    ),
    DebuggerCommand(
        ("definition", "def"),
        "%NAME",
        "show the operation that binds a value, and its scope",
        _definition,
        "value",
    ),
    DebuggerCommand(
        ("uses",), "%NAME", "show the operations that read a value, and their scopes", _uses, "value"
    ),
)
