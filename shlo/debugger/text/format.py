"""Where a session is and what it sees, in words. Names are shown as they are written in MLIR, so that none of
them is more than one line of printable characters.
"""

from __future__ import annotations

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.control.messages import LogMessage
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.watches import Watch
from shlo.debugger.inspect.snapshots import FrameView, Snapshot, StepView, ValueView
from shlo.debugger.session import Session
from shlo.debugger.text.card import nonfinite_card
from shlo.places.card import card_text
from shlo.places.origins import Origin
from shlo.places.place import cell_name
from shlo.runner.statistics import Histogram, Statistics
from shlo.syntax.lexer.strings import quoted, symbol_text
from shlo.text.numbers import plural
from shlo.text.statistics import statistics_lines

REASONS = {
    "start": "at the start",
    "step": "",
    "breakpoint": "breakpoint",
    "line": "",
    "position": "",
    "beginning": "at the beginning",
    "done": "the program is done",
    "failed": "the program fails here",
    "stopped": "stopped on request",
    "arguments": "the arguments are not finite",
    "missed": "nothing found",
}
"""What ended a command, in words; see snapshots.Reason."""

REASONS_IN_GRIDS = {**REASONS, "done": "done", "failed": "the grid cannot go on"}
"""The same where there are several processes."""

FOUND = {"nan": "a NaN", "infinity": "an infinity", "overflow": "an overflow", "finding": "a finding"}
"""What a step made that is searched for, in words."""

MOST_BOUND = 8
"""How many of the values that a step bound are shown."""

DROPPED = "(dropped for want of memory; print computes it again)"

LONGEST_LINE = 200
"""How many characters of a source line are shown."""


def where_text(session: Session) -> str:
    """Returns the position, why the session is there, what the last step bound, the values that are
    displayed, the line of the source that comes next, and the card of a NaN or infinity that was made.
    """
    snapshot = session.snapshot
    bound = snapshot.last_step.bound if snapshot.last_step else ()
    lines = [_heading(session, snapshot), *(value_text(session, name) for name in bound[:MOST_BOUND])]
    lines += [
        watch_text(session, watch, session.selected_frame)
        for watch in session.watches
        if watch.expression.text.removeprefix("%") not in bound
    ]
    if snapshot.last_step is not None and snapshot.reason == "breakpoint":
        lines += [f"finding: {name_text(detail)}" for detail in snapshot.last_step.details]
    if snapshot.last_step is not None and (loss := session.stepping.last_loss) is not None:
        from shlo.shadow.report import loss_text

        lines.append(f"shadow: {name_text(snapshot.last_step.op)} {loss_text(loss)}")
    if snapshot.frame is not None:
        lines.append(source_text(session, snapshot.frame))
    if snapshot.error:
        lines.append(f"error: {snapshot.error}".replace("\n", "\n  "))
    if snapshot.is_behind and (card := nonfinite_card(session)) is not None:
        lines.append(card_text(card))
    return "\n".join(lines)


def value_text(session: Session, name: str, frame: int = -1) -> str:
    """Returns a value in scope with its summary: `%x = 3`."""
    try:
        summary = session.inspector.summary(name, frame)
    except DebuggerError:
        return f"%{name} is not in scope"
    return f"%{name} = {DROPPED if summary is None else summary}"


def watch_text(session: Session, watch: Watch, frame: int = -1) -> str:
    """Returns a watch with its value: `max(%x) = 3`; or why it has none."""
    try:
        summary = session.watches.summary(watch, frame)
    except DebuggerError as error:
        return f"{watch.expression}: {error}"
    return f"{watch.expression} = {DROPPED if summary is None else summary}"


def messages_text(session: Session, since: int) -> list[str]:
    """Returns what log points said since there were so many messages, a line each."""
    new = session.breakpoints.messages.since(since)
    dropped = session.breakpoints.messages.count - since - len(new)
    more = [f"{dropped} messages more before these"] if dropped else []
    return [*more, *(_message_text(session, message) for message in new)]


def _message_text(session: Session, message: LogMessage) -> str:
    process = f"process {message.process}, " if session.process_label else ""
    return f"[{message.position}] {process}{message.breakpoint}: {message.text}"


def _heading(session: Session, snapshot: Snapshot) -> str:
    numbers = ", ".join(map(str, snapshot.breakpoints))
    reasons = REASONS_IN_GRIDS if session.process_label else REASONS
    words = f"breakpoint {numbers}" if numbers else "" if snapshot.is_behind else reasons[snapshot.reason]
    finding = _finding_text(snapshot.last_step) if snapshot.is_behind and snapshot.last_step else ""
    process = f"process {session.process_label}" if session.process_label else ""
    frame = place_text(snapshot.frame) if snapshot.frame else ""
    return ", ".join(part for part in (f"[{snapshot.position}]", process, frame, words, finding) if part)


def _finding_text(step: StepView) -> str:
    """Returns where the last step is and what it made, `stablehlo.sqrt at mini.py:3 f (MLIR line 4) made a
    NaN`.
    """
    result = f" made {' and '.join(FOUND[kind] for kind in step.finding)}" if step.finding else ""
    return f"{name_text(step.place.text)}{result}"


def place_text(frame: FrameView) -> str:
    """Returns the function, region and iteration of a frame: `@main body #3`."""
    region = f" {frame.region_name} #{frame.iteration}" if frame.region is not None else ""
    return f"{symbol_text(frame.function)}{region}"


def source_text(session: Session, frame: FrameView) -> str:
    """Returns the line of a frame's operation with its number; its name where there is no text."""
    source = session.module.source
    if source is None or frame.span is None:
        return f"     {name_text(frame.op)}"
    line = source.line_of(frame.span.start)
    return f"{source.line_label(line):>4} {source.line_text(line)[:LONGEST_LINE]}"


def frame_text(session: Session, number: int) -> str:
    """Returns a frame with its number."""
    frame = session.snapshot.frames[number]
    return f"#{number} {place_text(frame)}\n{source_text(session, frame)}"


def reached_text(session: Session, point: Breakpoint) -> str:
    """Returns a breakpoint with how often its place was reached: `1: line 7, reached 3 times`; where that is
    not how often it would stop, that too: `, hit 2 times`.
    """
    count = session.breakpoints.reached(point)
    times = "" if count is None else f", reached {plural(count, 'time')}"
    if count is None or point.condition is not None:
        times += f", hit {plural(session.stepping.times_hit(point.number), 'time')}"
    return f"{breakpoint_text(point)}{times}"


def breakpoint_text(point: Breakpoint) -> str:
    """Returns a breakpoint with its number: `2: op stablehlo.add if %x max > 3, off`."""
    where = f"%{point.where}" if point.kind == "value" else str(point.where)
    where += f" ({name_text(point.python.name)})" if point.python else ""
    where += "" if point.column is None else f", column {point.column}"
    parts = [f"{point.number}: {point.kind} {where}"]
    if point.function:
        is_change = point.kind == "change"
        function = symbol_text(point.function)
        parts = [
            f"{parts[0]} in {function}" if is_change else f"{point.number}: function {function}, line {where}"
        ]
    if point.condition:
        parts.append(f"if {point.condition}")
    if point.ignored:
        parts.append(f"after {point.ignored} times")
    if point.process is not None:
        parts.append(f"in process {point.process}")
    if point.message is not None:
        parts.append(f"log {quoted(point.message.text)}")
    return " ".join(parts) + ("" if point.enabled else ", off")


def local_text(session: Session, view: ValueView, frame: int) -> str:
    """Returns a value's name, type and summary: `%x : tensor<2xf32> = [1., 2.]`; `%arg0 (params['w']) : ...`
    for an argument of a known name.
    """
    name, _, summary = value_text(session, view.name, frame).partition(" = ")
    label = f" ({name_text(view.label)})" if view.label else ""
    return f"{name}{label} : {view.type} = {summary}"


def step_text(session: Session) -> str:
    """Returns the step that led here and the operation that comes next, with their origin."""
    snapshot = session.snapshot
    lines: list[str] = []
    if snapshot.last_step:
        names = detected_text(snapshot.last_step)
        suffix = f", which made {names}" if names else ""
        lines.append(f"last: {name_text(snapshot.last_step.op)} on line {snapshot.last_step.line}{suffix}")
        lines += [f"finding: {name_text(detail)}" for detail in snapshot.last_step.details]
        if snapshot.is_behind:
            lines += origin_lines(snapshot.last_step.origin)
    if snapshot.upcoming:
        lines.append(f"next: {name_text(snapshot.upcoming.op)} on line {snapshot.upcoming.line}")
        lines += origin_lines(snapshot.upcoming.origin)
    return "\n".join([*lines, f"position {snapshot.position}, reached so far {snapshot.last}"])


def detected_text(step: StepView) -> str:
    """Returns what a step made that is searched for, `a NaN and an infinity`; empty for nothing."""
    return " and ".join(FOUND[kind] for kind in step.finding)


def origin_lines(origin: Origin) -> list[str]:
    """Returns the scope in the program that an operation was made from, and the lines of that program."""
    scope = [f"scope: {name_text(origin.scope)}"] if origin.scope else []
    places = (
        f"{cell_name(at.file) or name_text(at.file)}:{at.line} {name_text(at.function)}".rstrip()
        for at in origin.lines
    )
    return [*scope, *(f"from: {source_line}" for source_line in places)]


def name_text(name: str) -> str:
    """Returns a name as one line: as it is where it is printable, else as MLIR writes a string."""
    return name if name.isprintable() else quoted(name)


def statistics_text(statistics: Statistics | None) -> str:
    """Returns a tensor's type and statistics, a line each."""
    if statistics is None:
        return "no tensor"
    size, *others = statistics_lines(statistics)
    return "\n".join([f"{'x'.join(map(str, (*statistics.shape, statistics.dtype)))}: {size}", *others])


def histogram_text(histogram: Histogram | None) -> str:
    """Bars of a histogram, the longest 40 characters."""
    if histogram is None:
        return "no finite elements"
    most = max(histogram.counts)
    return "\n".join(
        f"{low:>12.5g} {'#' * -(-count * 40 // most):40} {count}".rstrip()
        for low, count in zip(histogram.edges, histogram.counts)
    )
