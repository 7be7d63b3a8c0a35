"""Commands about breakpoints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.registry import Action, DebuggerCommand
from shlo.debugger.commands.stepping import natural
from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import written_area
from shlo.debugger.session import Session
from shlo.debugger.text.format import breakpoint_text
from shlo.debugger.text.nonfinite import nonfinite_arguments_text
from shlo.interpreter.topology.groups import GridShape

NONFINITE: Final = {
    "nan": "nan",
    "inf": "infinity",
    "infinity": "infinity",
    "nonfinite": "any",
    "overflow": "overflow",
    "finding": "finding",
}
"""What one writes for a breakpoint on numbers of a kind, and what the Session calls it."""

_IF = re.compile(r"\s+if\s+")
_LOG = re.compile(r'(?P<place>.+?)\s+log\s+"(?P<message>.*)"', re.DOTALL)
_PLACE = re.compile(
    r"(?P<line>[0-9]+)|shadow\s+(?P<digits>[0-9]{1,3}(?:\.[0-9]{1,9})?)|op\s+(?P<op>\S+)|value\s+(?P<value>\S+)|(?P<name>%\S+|[A-Za-z_]\S*)|@(?P<function>.+)"
)
_REPLICA_AND_PARTITION = re.compile(r"\(?([0-9]{1,6})\s*,\s*([0-9]{1,6})\)?")
_PROCESS = re.compile(r"(?P<place>.*?)\s+process\s+(?P<process>\S+)", re.DOTALL)


def _break(session: Session, text: str) -> str:
    point = place_breakpoint(session, text)
    lines = [f"breakpoint {breakpoint_text(point)}"]
    if point.kind == "nonfinite":  # no step makes what is there from the start
        lines += filter(None, [nonfinite_arguments_text(session, str(point.where))])
    return "\n".join(lines)


def place_breakpoint(session: Session, text: str) -> Breakpoint:
    """Returns the breakpoint that a text asks for: `LINE`, `@FUNCTION`, `op NAME`, `value %NAME` or `%NAME`,
    `scope NAME`, `FILE.py:LINE`, each with or without `process N`, `if CONDITION` and `log "TEXT"`; `nan`,
    `inf`, `nonfinite`, `overflow`, `finding`, without a text. Raises DebuggerError.
    """
    return with_message(session, text, _place_breakpoint)


def with_message(
    session: Session, text: str, set_breakpoint: Callable[[Session, str], Breakpoint]
) -> Breakpoint:
    """Returns the breakpoint of a text, as a log point where `log "TEXT"` is behind it."""
    match = _LOG.fullmatch(text)
    if match is None:
        return set_breakpoint(session, text)
    numbers = {point.number for point in session.breakpoints}
    point = set_breakpoint(session, match["place"])
    try:
        return session.breakpoints.log(point.number, match["message"], in_place=point.number not in numbers)
    except DebuggerError:
        if point.number not in numbers:
            session.breakpoints.remove(point.number)
        raise


def split_condition(session: Session, text: str) -> tuple[str, int | None, str | None]:
    """Returns the parts of `PLACE [process N] [if CONDITION]`."""
    target, condition = [*_IF.split(text, 1), None][:2]
    if match := _PROCESS.fullmatch(target or ""):
        return match["place"], read_process(session, match["process"]), condition
    return target or "", None, condition


def _place_breakpoint(session: Session, text: str) -> Breakpoint:
    target, process, condition = split_condition(session, text)
    if target in NONFINITE:
        return session.breakpoints.on_nonfinite(NONFINITE[target], process, condition)
    source = session.module.source
    if source is not None and ":" in target and (line := source.line_named(target)) is not None:
        return session.breakpoints.on_line(line, condition, process)
    if area := written_area(target):
        return session.breakpoints.on_area(*area, condition, process)
    match = _PLACE.fullmatch(target)
    if match is None:
        raise DebuggerError(
            "write break LINE, @FUNCTION, op NAME, value %NAME, scope NAME, FILE.py:LINE, nan, inf,"
            " overflow or shadow DIGITS"
        )
    if match["line"]:
        return session.breakpoints.on_line(natural(match["line"], "a line"), condition, process)
    if match["digits"]:
        if process:
            raise DebuggerError(f"expected process 0 for a shadow, got {process}")
        return session.breakpoints.on_loss(float(match["digits"]), condition)
    if match["op"]:
        return session.breakpoints.on_op(match["op"], condition, process)
    if match["function"]:
        return session.breakpoints.on_function(match["function"], condition, process)
    return session.breakpoints.on_value(match["value"] or match["name"], condition, process)


def read_process(session: Session, text: str) -> int:
    """Parses a process: its number, its replica and partition, or where it is along the axes of the mesh
    (`data=1,model=0`); raises DebuggerError.
    """
    if "=" in text and session.grid is not None:
        return _process_along_axes(session.grid.shape, text)
    match = _REPLICA_AND_PARTITION.fullmatch(text)
    if match is None or session.grid is None:
        return natural(text, "the number of a process, or REPLICA,PARTITION,")
    grid, (replica, partition) = session.grid, map(int, match.groups())
    if replica >= grid.replicas or partition >= grid.partitions:
        raise DebuggerError(
            f"there is no process ({replica}, {partition}) in {grid.replicas} x {grid.partitions}"
        )
    return grid.shape.number(replica, partition)


def _process_along_axes(shape: GridShape, text: str) -> int:
    wanted = [part.strip() for part in text.strip("() ").split(",")]
    named = {number: shape.label(number).strip("()").split(", ") for number in range(shape.size)}
    numbers = [number for number, parts in named.items() if set(wanted) <= set(parts)]
    if len(numbers) == 1 and shape.has_axis_names:
        return numbers[0]
    if not shape.has_axis_names:
        raise DebuggerError("no mesh names the processes: write N, or REPLICA,PARTITION")
    axes = ", ".join(f"{name} (0 to {size - 1})" for name, size in shape.axes)
    what = f"{len(numbers)} processes are" if numbers else "there is no process"
    raise DebuggerError(f"{what} at {text}; the axes are {axes}")


def _delete(session: Session, text: str) -> str:
    number = natural(text, "the number of a breakpoint")
    session.breakpoints.remove(number)
    return f"breakpoint {number} is gone"


def _switch(enabled: bool) -> Action:
    def act(session: Session, text: str) -> str:
        point = session.breakpoints.enable(natural(text, "the number of a breakpoint"), enabled)
        return f"breakpoint {breakpoint_text(point)}"

    return act


def _number_and_rest(text: str) -> tuple[int, str]:
    number, _, rest = text.partition(" ")
    return natural(number, "the number of a breakpoint"), rest.strip()


def _restrict(session: Session, text: str) -> str:
    number, condition = _number_and_rest(text)
    point = session.breakpoints.restrict(number, condition.removeprefix("if ").strip() or None)
    return f"breakpoint {breakpoint_text(point)}"


def _ignore(session: Session, text: str) -> str:
    number, count = _number_and_rest(text)
    return f"breakpoint {breakpoint_text(session.breakpoints.ignore(number, natural(count, 'a count')))}"


BREAKPOINT_COMMANDS: Final = (
    DebuggerCommand(
        ("break", "b"),
        "LINE | @FUNCTION | op NAME | value %NAME | NAME | scope NAME | FILE.py:LINE | nan | inf | overflow |"
        ' finding | shadow DIGITS [process N] [if CONDITION] [log "TEXT"]',
        "stop at a place, where a scope or line of Python is entered, where a NaN or infinity appears,"
        " a conversion overflows, the sanitizer finds something or a step loses digits beside float64",
        _break,
        "point",
    ),
    DebuggerCommand(("delete", "d"), "N", "take breakpoint N away", _delete, "breakpoint"),
    DebuggerCommand(("enable",), "N", "switch breakpoint N on", _switch(True), "breakpoint"),
    DebuggerCommand(("disable",), "N", "switch breakpoint N off", _switch(False), "breakpoint"),
    DebuggerCommand(
        ("condition",), "N [CONDITION]", "let breakpoint N stop under a condition", _restrict, "breakpoint"
    ),
    DebuggerCommand(
        ("ignore",),
        "N COUNT",
        "let breakpoint N not stop the first COUNT times that it would, from the program's start",
        _ignore,
        "breakpoint",
    ),
)
