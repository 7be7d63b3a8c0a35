"""What a line at the debugger's prompt can go on with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, Literal

from msgspec import Struct

from shlo.debugger.commands.breakpoints import NONFINITE
from shlo.debugger.commands.inspect import TOPICS
from shlo.debugger.commands.registry import Argument
from shlo.debugger.commands.table import COMMANDS, find_command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.functions import FUNCTIONS
from shlo.debugger.expressions.parser import CONSTANTS
from shlo.debugger.session import Session
from shlo.interpreter.program.code import program_of

MOST: Final = 200
"""How many words are offered."""


_METHODS: Final = tuple(sorted(f"{name}(" for name in FUNCTIONS))
_FUNCTION_WORDS: Final = (*_METHODS, "prev(", "iter", "outer.", "process(", *CONSTANTS, "and", "or", "not")
_LAST_NAME: Final = re.compile(r"%?[\w$.#-]*\Z")
_IN_CONDITION: Final = re.compile(r"\bif\b(?!.*\blog\b)|\blog\b.*\{[^{}]*\Z")
_IN_BRACES: Final = re.compile(r"\{[^{}]*\Z")


class CommandCompletion(Struct, frozen=True):
    """Words that can are in place of the line's text from offset `start` on, in the order to show them."""

    start: int
    words: tuple[str, ...]


def complete_command(session: Session, line: str) -> CommandCompletion:
    """What the last word of a line can become, in an expression the last name; no words where nothing is
    known.
    """
    if (expression := _expression_in(line)) is not None:
        values = _values(session) if expression == "here" else _program_values(session)
        return _in_expression(line, values)
    start = re.search(r"\S*\Z", line).start()  # pyright: ignore[reportOptionalMemberAccess]
    words, last = line[:start].split(), line[start:]
    beginnings = (last, f"%{last}")
    offered = (word for word in _offered(session, words) if word.startswith(beginnings))
    return CommandCompletion(start, tuple(islice(offered, MOST)))


def _expression_in(line: str) -> Literal["here", "there"] | None:
    """Returns whether a line ends within an expression of a command, evaluated `here`, or one of a breakpoint
    (a condition, braces of a log point's text), evaluated where that stops; None for no expression.
    """
    word, space, rest = line.lstrip().partition(" ")
    try:
        command = find_command(word) if space else None
    except DebuggerError:
        return None
    if command is None:
        return None
    if command.argument == "expression" and ('"' not in rest or _IN_BRACES.search(rest)):
        return "here"
    is_condition = command.argument == "point" and _IN_CONDITION.search(line)
    return "there" if is_condition or (command.name == "condition" and " " in rest) else None


def _in_expression(line: str, names: Iterable[str]) -> CommandCompletion:
    """What the last name of an expression can become: one of `names`, a function of the language."""
    last = _LAST_NAME.search(line)
    assert last is not None
    name, start = last[0], last.start()
    values = [word for word in names if word.startswith((name, f"%{name}"))]
    is_value = name.startswith("%") or (not name and bool(values))  # where nothing is written yet
    words = [] if is_value else [word for word in _FUNCTION_WORDS if word.startswith(name)]
    base, dot, method = name.rpartition(".")
    if dot and not values and (base.startswith("%") or not base):  # behind a value: a function as a method
        start, words = last.end() - len(method), [word for word in _METHODS if word.startswith(method)]
    return CommandCompletion(start, tuple(islice((*values, *words), MOST)))


def _offered(session: Session, words: list[str]) -> Iterable[str]:
    if not words:
        return [command.name for command in COMMANDS]
    try:
        argument = find_command(words[0]).argument
    except DebuggerError:
        return ()
    if argument == "point":
        return _points(session, words[1:])
    if argument in ("area", "unit") and words[1:] == ["scope"]:
        return session.run.listing.scope_names()
    return _WORDS[argument](session) if len(words) == 1 else ()


def _points(session: Session, words: list[str]) -> Iterable[str]:
    names = _program_values(session)
    if not words:
        functions = [f"@{name}" for name in program_of(session.module).functions]
        return ["op", "value", "scope", *NONFINITE, *functions, *names]
    if words == ["op"]:
        return _ops(session)
    if words == ["scope"]:
        return session.run.listing.scope_names()
    return names if words == ["value"] else ()


def _program_values(session: Session) -> list[str]:
    """Returns the values that the program binds."""
    return [f"%{name}" for name in sorted(session.run.listing.value_names)]


def _values(session: Session) -> Iterable[str]:
    """Returns the values in scope, the last one first."""
    views = session.inspector.values(session.selected_frame) if session.snapshot.frames else ()
    return (f"%{view.name}" for view in reversed(views))


def _ops(session: Session) -> Iterable[str]:
    """Returns the operations of the program, those of StableHLO without their dialect's name too."""
    names = sorted(session.run.listing.operation_names)
    return [*(name.removeprefix("stablehlo.") for name in names if name.startswith("stablehlo.")), *names]


_WORDS: Final[dict[Argument, Callable[[Session], Iterable[str]]]] = {
    "none": lambda session: (),
    "value": _values,
    "expression": _values,
    "breakpoint": lambda session: [str(point.number) for point in session.breakpoints],
    "command": lambda session: [command.name for command in COMMANDS],
    "topic": lambda session: TOPICS,
    "scope": lambda session: session.run.listing.scope_names(),
    "area": lambda session: ["scope"],
    "unit": lambda session: ["scope", "line"],
    "process": lambda session: [
        process.label.strip("()").replace(", ", ",")
        for process in (session.grid.processes if session.grid else ())
    ],
}
