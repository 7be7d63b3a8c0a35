"""Requests that move: answered first, then carried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from shlo.debugger.adapter.debuggee import Debuggee, is_program
from shlo.debugger.adapter.protocol import (
    ContinueArguments,
    ContinueResponseBody,
    GotoArguments,
    GotoTarget,
    GotoTargetsArguments,
    GotoTargetsResponseBody,
    NextArguments,
    RestartFrameArguments,
    ReverseContinueArguments,
    StepBackArguments,
    StepInArguments,
    StepInTarget,
    StepInTargetsArguments,
    StepInTargetsResponseBody,
    StepOutArguments,
)
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.replay.program_points import is_entered, region_label
from shlo.debugger.session import Session
from shlo.text.escape import escaped

MAX_LINES: Final = 1_000
"""How far below a line its target may be."""

Move = Callable[[Session], Snapshot]
"""Makes a move; called once more, goes on with it where it was stopped."""

Begin = Callable[[Session], Move]
"""Returns a move that begins where the session is."""


def resume(debuggee: Debuggee, arguments: ContinueArguments) -> ContinueResponseBody:
    """Goes on to the next breakpoint or the end: all processes, or the one alone."""
    single = arguments.get("singleThread", False)
    move = Session.resume_process if single else Session.resume
    _then(debuggee, arguments, "continue", lambda session: move)
    return {"allThreadsContinued": not single}


def step_over(debuggee: Debuggee, arguments: NextArguments) -> None:
    """Takes the operation as a whole; or goes on to another line of the program or of Python."""
    _then(debuggee, arguments, "step", _by_granularity(debuggee, arguments, _over, _over_python))


def step_in(debuggee: Debuggee, arguments: StepInArguments) -> None:
    """Takes one step, into a region or a function; into the region of a target, past those before it."""
    target, begin = arguments.get("targetId"), _in
    if target is not None:
        debuggee.select(arguments["threadId"] - 1)
        if target not in _regions(debuggee.session):
            raise DebuggerError(f"expected a target of stepInTargets, got {target}")
        begin = _into_region(debuggee, target)
    elif arguments.get("granularity") == "statement":
        begin = _into_python
    _then(debuggee, arguments, "step in", begin)


def step_out(debuggee: Debuggee, arguments: StepOutArguments) -> None:
    """Goes on until the region or function has ended."""
    _then(debuggee, arguments, "step out", _out)


def step_back(debuggee: Debuggee, arguments: StepBackArguments) -> None:
    """Goes back over the operation before; or to the line of the program or of Python before."""
    begin = _by_granularity(debuggee, arguments, _back_over, _back_over_python)
    _then(debuggee, arguments, "step back", begin)


def reverse(debuggee: Debuggee, arguments: ReverseContinueArguments) -> None:
    """Goes back to the breakpoint before, or to the beginning."""
    _then(debuggee, arguments, "reverse", lambda session: Session.reverse)


# --- moves that begin where the session is ---


def _over(session: Session) -> Move:
    depth = len(session.cursor.process.frames)
    return lambda session: session.step_to_depth(depth)


def _out(session: Session) -> Move:
    depth = len(session.cursor.process.frames) - 1
    return lambda session: session.step_to_depth(depth)


def _in(session: Session) -> Move:
    return Session.step_in


def _over_python(session: Session) -> Move:
    start = session.cursor.process.steps
    return lambda session: session.structure.step_out_of("line", since=start)


def _into_python(session: Session) -> Move:
    start = session.cursor.process.steps
    return lambda session: session.structure.step_out_of("line", is_deep=True, since=start)


def _back_over(session: Session) -> Move:
    return _from_here(session, Session.back_over)


def _back_over_python(session: Session) -> Move:
    return _from_here(session, lambda session: session.structure.back_out_of("line"))


def _from_here(session: Session, move: Move) -> Move:
    """Returns a move backwards that begins here whenever it is made: one that was stopped may be anywhere
    before the place that it was on its way to.
    """
    start = session.position

    def move_back(session: Session) -> Snapshot:
        if session.position != start:
            snapshot = session.goto(start)
            if session.position != start:
                return snapshot
        return move(session)

    return move_back


def restart_frame(debuggee: Debuggee, arguments: RestartFrameArguments) -> None:
    """Goes back to the first operation of a function that is executed."""
    index = debuggee.at(arguments["frameId"])
    frames = debuggee.session.snapshot.frames
    if frames[index].region is not None:
        raise DebuggerError("expected the frame of a function, got one of a region")

    def move(session: Session) -> Snapshot:
        if index == 0:
            return session.goto(0)
        snapshot = session.snapshot
        while len(snapshot.frames) > index:
            snapshot = session.back_out()
            if snapshot.reason != "step":
                return snapshot
        return session.step_in()

    debuggee.then = lambda: debuggee.move("restart", lambda session: move)


def goto_targets(debuggee: Debuggee, arguments: GotoTargetsArguments) -> GotoTargetsResponseBody:
    """Returns the line, or the next one below that has an operation, as the target."""
    client = debuggee.client
    first = client.line_of(arguments["line"])
    if not is_program(debuggee, arguments["source"]):
        return {"targets": []}
    lines = debuggee.session.run.listing.lines.between(first, first + MAX_LINES)
    targets: list[GotoTarget] = [
        {"id": line, "label": f"line {line}", "line": client.line(line)} for line in lines[:1]
    ]
    return {"targets": targets}


def goto(debuggee: Debuggee, arguments: GotoArguments) -> None:
    """Goes to an operation on a line: forwards, or else back to the last time that it was there."""
    line = arguments["targetId"]
    if not debuggee.session.run.listing.lines.between(line, line):
        raise DebuggerError(f"expected a target of gotoTargets, got {line}")

    def move(session: Session) -> Snapshot:
        snapshot = session.run_to_line(line)
        return session.reverse_to_line(line) if snapshot.reason == "missed" else snapshot

    _then(debuggee, arguments, "go to", lambda session: move)


def step_in_targets(debuggee: Debuggee, arguments: StepInTargetsArguments) -> StepInTargetsResponseBody:
    """Returns the regions of the operation before which a frame is."""
    frame = debuggee.at(arguments["frameId"])
    frames = debuggee.session.snapshot.frames
    if not frames or frame != len(frames) - 1:
        return {"targets": []}
    regions = _regions(debuggee.session)
    targets: list[StepInTarget] = [{"id": number, "label": label} for number, label in regions.items()]
    return {"targets": targets}


def _regions(session: Session) -> dict[int, str]:
    """Returns the names of the regions of the next operation by number, where a step chooses one."""
    frames = session.cursor.process.frames
    instruction = frames[-1].instruction if frames else None
    if instruction is None or not is_entered(instruction, in_grid=session.grid is not None):
        return {}
    operation = instruction.operation
    count = len(operation.regions)
    return {number: escaped(region_label(operation, number)) for number in range(count)} if count > 1 else {}


def _into_region(debuggee: Debuggee, region: int) -> Begin:
    """Returns what steps into a region of the next operation, and stops behind that where the operation does
    not execute the region.
    """

    def begin(session: Session) -> Move:
        depth = len(session.cursor.process.frames)

        def has_ended(snapshot: Snapshot) -> bool:
            return len(snapshot.frames) <= depth or snapshot.frames[-1].region == region

        return _repeated(debuggee, has_ended, _over, Session.step_in)

    return begin


def _by_granularity(
    debuggee: Debuggee, arguments: NextArguments | StepBackArguments, single: Begin, python: Begin
) -> Begin:
    """Returns what goes to another operation, line of the program or, as a statement, line of Python."""
    granularity = arguments.get("granularity")
    if granularity == "statement":
        return python
    return _to_another_line(debuggee, single) if granularity == "line" else single


def _to_another_line(debuggee: Debuggee, single: Begin) -> Begin:
    """Returns a move that is repeated until it is on another line of the program, or ends otherwise."""

    def begin(session: Session) -> Move:
        before = session.snapshot.frame

        def has_ended(snapshot: Snapshot) -> bool:
            after = snapshot.frame
            if before is None or after is None:
                return True
            return (before.line, before.depth) != (after.line, after.depth)

        return _repeated(debuggee, has_ended, single)

    return begin


def _repeated(
    debuggee: Debuggee, has_ended: Callable[[Snapshot], bool], single: Begin, first: Move | None = None
) -> Move:
    """Returns a move that makes others, `first` before the rest, until one leads to where it has ended, ends
    otherwise than a step does, or the client wants it to stop.
    """
    current = first

    def move(session: Session) -> Snapshot:
        nonlocal current
        while True:
            current = current or single(session)
            snapshot = current(session)
            if snapshot.reason == "stopped":
                return snapshot
            current = None
            if snapshot.reason != "step" or has_ended(snapshot):
                return snapshot
            if debuggee.should_stop():
                return replace(snapshot, reason="stopped")

    return move


def _then(debuggee: Debuggee, arguments: Any, title: str, begin: Begin) -> None:
    """Selects the process of the thread of a request, and has it moved behind the answer."""
    process = arguments["threadId"] - 1
    debuggee.select(process)
    debuggee.then = lambda: debuggee.move(title, begin, process)
