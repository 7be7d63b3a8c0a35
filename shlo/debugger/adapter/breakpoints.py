"""Requests about breakpoints. What one sets replaces what the same one had set before for that source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from shlo.debugger.adapter.debuggee import INSTRUCTIONS, Debuggee, Placed, is_program
from shlo.debugger.adapter.frames import location_file, place_of
from shlo.debugger.adapter.protocol import Breakpoint as Answer
from shlo.debugger.adapter.protocol import (
    BreakpointLocation,
    BreakpointLocationsArguments,
    BreakpointLocationsResponseBody,
    DataBreakpointInfoArguments,
    DataBreakpointInfoResponseBody,
    ExceptionBreakpointsFilter,
    SetBreakpointsArguments,
    SetBreakpointsResponseBody,
    SetDataBreakpointsArguments,
    SetDataBreakpointsResponseBody,
    SetExceptionBreakpointsArguments,
    SetExceptionBreakpointsResponseBody,
    SetFunctionBreakpointsArguments,
    SetFunctionBreakpointsResponseBody,
    SetInstructionBreakpointsArguments,
    SetInstructionBreakpointsResponseBody,
)
from shlo.debugger.adapter.variables import target_of
from shlo.debugger.control.breakpoints import NONFINITE, Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import PythonLineArea
from shlo.text.escape import escaped

_DETECTORS: Final = (
    ("nan", "NaN", "makes a NaN"),
    ("infinity", "Infinity", "makes an infinity"),
    ("overflow", "Overflow on conversion", "converts a number out of the range of its new type"),
    (
        "finding",
        "Sanitizer finding",
        "does what the specification leaves open, such as integers that wrap and indices out of bounds",
    ),
)
_ERRORS: Final = (
    ("failure", "Failed checks and other errors", "the program fails"),
    ("deadlock", "Deadlocks", "processes wait for each other"),
)
FILTERS: Final[tuple[ExceptionBreakpointsFilter, ...]] = (
    *(
        ExceptionBreakpointsFilter(
            filter=name,
            label=label,
            description=f"Stop behind the step that {what}",
            supportsCondition=True,
            conditionDescription="An expression: iter(0) > 3",
        )
        for name, label, what in _DETECTORS
    ),
    *(
        ExceptionBreakpointsFilter(
            filter=name,
            label=label,
            description=f"Stop where {what}; without this, the session ends there",
            default=True,
        )
        for name, label, what in _ERRORS
    ),
)
"""Filters of exceptions: what steps are searched for, and errors of the program."""

_HITS: Final = re.compile(r"(>?)=*[ ]*([0-9]{1,9})")

Place = Callable[[Any], Breakpoint]
Wanted = Mapping[str, Any]


def set_breakpoints(debuggee: Debuggee, arguments: SetBreakpointsArguments) -> SetBreakpointsResponseBody:
    """Sets the breakpoints of a file: of the program, or of a Python file that led to operations."""
    source = arguments["source"]
    path, is_ours = source.get("path", ""), is_program(debuggee, source)

    def place(wanted: Wanted) -> Breakpoint:
        session, line = debuggee.session, debuggee.client.line_of(wanted["line"])
        if is_ours:
            column = _column(debuggee, line, wanted.get("column"))
            return session.breakpoints.on_line(line, wanted.get("condition") or None, column=column)
        if path.endswith(".py"):
            file = location_file(debuggee, path)
            return session.breakpoints.on_area("python", f"{file}:{line}", wanted.get("condition") or None)
        raise DebuggerError("the file is not the program that is debugged, nor one of Python")

    wanted = arguments.get("breakpoints", [])
    return {
        "breakpoints": _placed(debuggee, f"source {source.get('sourceReference', 0)} {path}", wanted, place)
    }


def _column(debuggee: Debuggee, line: int, number: int | None) -> int | None:
    """Returns the column of the program's text (code points, from 1) that a client means on a line."""
    text = debuggee.session.module.source
    if number is None or text is None or not 0 < line <= len(text.line_starts):
        return None
    return debuggee.client.column_of(text.line_text(line), number)


def breakpoint_locations(
    debuggee: Debuggee, arguments: BreakpointLocationsArguments
) -> BreakpointLocationsResponseBody:
    """Returns the lines at which a breakpoint can stop."""
    source, session = arguments["source"], debuggee.session
    first = debuggee.client.line_of(arguments["line"])
    last = debuggee.client.line_of(arguments.get("endLine", arguments["line"]))
    if is_program(debuggee, source):
        places = (
            location
            for line in session.run.listing.lines.between(first, last)
            for location in _places(debuggee, line)
        )
        return {"breakpoints": list(places)}
    places = (source_line for op in session.structure.index.ops for source_line in op.origin.lines)
    path = location_file(debuggee, source.get("path", ""))
    python_lines = {
        source_line.line
        for source_line in places
        if PythonLineArea(path, source_line.line).is_at(source_line)
    }
    lines = sorted(line for line in python_lines if first <= line <= last)
    return {"breakpoints": [{"line": debuggee.client.line(line)} for line in lines]}


def _places(debuggee: Debuggee, line: int) -> list[BreakpointLocation]:
    """Returns a line and, where several operations begin on it, the columns at which they do."""
    session, client = debuggee.session, debuggee.client
    text, columns = session.module.source, session.run.listing.columns_on(line)
    if text is None or len(columns) < 2:
        return [{"line": client.line(line)}]
    return [
        {"line": client.line(line), "column": client.column(text.line_text(line), column)}
        for column in columns
    ]


def set_function_breakpoints(
    debuggee: Debuggee, arguments: SetFunctionBreakpointsArguments
) -> SetFunctionBreakpointsResponseBody:
    """Sets breakpoints on functions (`@main`, `main`) and on operations by name (`stablehlo.add`, `add`)."""

    def place(wanted: Wanted) -> Breakpoint:
        session, name, condition = debuggee.session, wanted["name"], wanted.get("condition") or None
        if name.removeprefix("@") in session.module.functions:
            return session.breakpoints.on_function(name, condition)
        return session.breakpoints.on_op(name, condition)

    return {"breakpoints": _placed(debuggee, "functions", arguments["breakpoints"], place)}


def set_instruction_breakpoints(
    debuggee: Debuggee, arguments: SetInstructionBreakpointsArguments
) -> SetInstructionBreakpointsResponseBody:
    """Sets breakpoints on operations, by the numbers that frames have."""

    def place(wanted: Wanted) -> Breakpoint:
        location = place_of(debuggee, wanted["instructionReference"], wanted.get("offset", 0))
        condition = wanted.get("condition") or None
        return debuggee.session.breakpoints.on_line(location.line, condition, column=location.column)

    return {"breakpoints": _placed(debuggee, INSTRUCTIONS, arguments["breakpoints"], place)}


def data_breakpoint_info(
    debuggee: Debuggee, arguments: DataBreakpointInfoArguments
) -> DataBreakpointInfoResponseBody:
    """Returns under which name a value or expression can be watched for changes."""
    name, reference = arguments["name"], arguments.get("variablesReference", 0)
    if not reference:
        debuggee.at(arguments.get("frameId"))
    try:
        text = target_of(debuggee, reference, name) if reference else name
        debuggee.session.watches.evaluate(text, debuggee.session.selected_frame)
    except DebuggerError as error:
        return {"dataId": None, "description": escaped(str(error))}
    return {"dataId": text, "description": escaped(f"{text} changes"), "accessTypes": ["write"]}


def set_data_breakpoints(
    debuggee: Debuggee, arguments: SetDataBreakpointsArguments
) -> SetDataBreakpointsResponseBody:
    """Sets breakpoints where the value of an expression has changed."""

    def place(wanted: Wanted) -> Breakpoint:
        return debuggee.session.breakpoints.on_change(wanted["dataId"], wanted.get("condition") or None)

    return {"breakpoints": _placed(debuggee, "data", arguments["breakpoints"], place)}


def set_exception_breakpoints(
    debuggee: Debuggee, arguments: SetExceptionBreakpointsArguments
) -> SetExceptionBreakpointsResponseBody:
    """Sets the detectors of numbers that are not finite, and which errors stop the session."""
    wanted: list[dict[str, Any]] = [{"name": name} for name in arguments["filters"]]
    for option in arguments.get("filterOptions", []):
        wanted.append({"name": option["filterId"], "condition": option.get("condition")})
    errors = {row["filter"] for row in FILTERS} - NONFINITE.keys()
    debuggee.error_filters = frozenset(option["name"] for option in wanted) & errors
    detectors = [option for option in wanted if option["name"] not in errors]

    def place(option: Wanted) -> Breakpoint:
        return debuggee.session.breakpoints.on_nonfinite(
            option["name"], condition=option.get("condition") or None
        )

    answers = iter(_placed(debuggee, "filters", detectors, place))
    verified: Answer = {"verified": True}
    return {"breakpoints": [verified if option["name"] in errors else next(answers) for option in wanted]}


def _placed(debuggee: Debuggee, kind: str, wanted: Sequence[Wanted], set_one: Place) -> list[Answer]:
    """Sets breakpoints in place of those of the same kind, and says what became of each."""
    placed = Placed(lambda: _place(debuggee, kind, wanted, set_one))
    _remove(debuggee, debuggee.placed.get(kind))
    placed.ids = [debuggee.new_breakpoint() for _ in wanted]
    debuggee.placed[kind] = placed
    return _place(debuggee, kind, wanted, set_one)


def _place(debuggee: Debuggee, kind: str, wanted: Sequence[Wanted], set_one: Place) -> list[Answer]:
    placed = debuggee.placed[kind]
    placed.points = []
    used = {point for other in debuggee.placed.values() for point in set(other.points) - other.shared}
    placed.shared = {point.number for point in debuggee.session.breakpoints} - used
    answers: list[Answer] = []
    for number, request in zip(placed.ids, wanted):
        answer, point = _one(debuggee, request, set_one)
        placed.points.append(point)
        answers.append({**answer, "id": number})
    return answers


def _one(debuggee: Debuggee, wanted: Wanted, set_one: Place) -> tuple[Answer, int | None]:
    """Sets a breakpoint; says what became of it, and its number in the session."""
    try:
        hits = _hits(wanted)
        point = _with_rest(debuggee, set_one(wanted), hits, wanted)
    except DebuggerError as error:
        return refusal(error), None
    if point.kind == "line" and isinstance(point.where, int):
        answer = on_line(debuggee.client.line(point.where), wanted.get("line"))
        text = debuggee.session.module.source
        if text is not None and point.column is not None:
            answer["column"] = debuggee.client.column(text.line_text(point.where), point.column)
        return answer, point.number
    return {"verified": True}, point.number


def refusal(error: DebuggerError) -> Answer:
    """Returns the answer for a breakpoint that cannot be set."""
    return {"verified": False, "reason": "failed", "message": escaped(str(error))}


def on_line(line: int, asked: int | None) -> Answer:
    """Returns the answer for a breakpoint on a line, which may not be the one that the client asked for."""
    answer: Answer = {"verified": True, "line": line}
    if asked not in (None, line):
        answer["message"] = f"the {'next' if asked < line else 'last'} operation is on line {line}"
    return answer


def _remove(debuggee: Debuggee, placed: Placed | None) -> None:
    """Takes the breakpoints away that one request set, and no other one."""
    if placed is None:
        return
    others = {point for other in debuggee.placed.values() if other is not placed for point in other.points}
    numbers = {point.number for point in debuggee.session.breakpoints}
    for number in {point for point in placed.points if point is not None} & numbers - others - placed.shared:
        debuggee.session.breakpoints.remove(number)


def remove_all(debuggee: Debuggee) -> None:
    """Takes the breakpoints of a client away, and leaves those of others."""
    while debuggee.placed:
        _remove(debuggee, debuggee.placed.popitem()[1])


def _hits(wanted: Wanted) -> int:
    """Returns at which hit a breakpoint stops first; raises DebuggerError."""
    text = (wanted.get("hitCondition") or "1").strip()
    match = _HITS.fullmatch(text)
    hits = int(match[2]) + (match[1] == ">" and "=" not in text) if match else 0
    if hits < 1:
        raise DebuggerError(f"expected a number of hits from 1, got {text!r}")
    return hits


def _with_rest(debuggee: Debuggee, point: Breakpoint, hits: int, wanted: Wanted) -> Breakpoint:
    """Gives a breakpoint the hit count and the message of a log point; removes it if that is wrong."""
    try:
        if hits > 1:
            point = debuggee.session.breakpoints.ignore(point.number, hits - 1)
        if wanted.get("logMessage"):
            point = debuggee.session.breakpoints.log(point.number, wanted["logMessage"], in_place=True)
    except DebuggerError:
        debuggee.session.breakpoints.remove(point.number)
        raise
    return point
