"""The processes of a grid in signs and words: states, marks, who waits for whom, messages under way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from shlo.debugger.inspect.snapshots import ChannelView, GridView, Status
from shlo.debugger.views.grid import WaitMarks, short_operation, status_counts
from shlo.interpreter.topology.groups import GridShape
from shlo.text.escape import sanitized
from shlo.text.numbers import plural
from shlo_tui.render.status_text import Spans


class Sign(Struct, frozen=True):
    """How a state or a mark is shown: a glyph and a style. `shlo_tui.theme` has the glyph's ASCII."""

    glyph: str
    style: str


STATES: Final[dict[Status, Sign]] = {
    "ready": Sign("●", "passed"),
    "waiting": Sign("○", "accent"),
    "done": Sign("✓", "dim"),
    "failed": Sign("✗", "alarm"),
}
SELECTED: Final = Sign("◉", "here")
AWAITED: Final = Sign("→", "edge")
AWAITING: Final = Sign("←", "edge")
NO_MARK: Final = Sign(" ", "text")

NAMED: Final = 4
"""Processes of a list that are named."""

MOST_SHOWN: Final = 20
"""Messages of a channel that are shown, and values of a message."""

CYCLE_STYLE: Final = "alarm"
"""Of processes that wait for each other without end."""


def sign_of(marks: WaitMarks, number: int) -> Sign:
    """Returns the mark of another process than the one that is looked at."""
    if number in marks.awaited:
        return AWAITED
    return AWAITING if number in marks.awaiting else NO_MARK


def operation_text(name: str | None) -> str:
    """Returns an operation's name without StableHLO's own, as text that does nothing."""
    return sanitized(short_operation(name))


def shape_text(shape: GridShape) -> str:
    """Returns the size of a grid, `2x4`, with the axes of its mesh."""
    axes = ", ".join(f"{name}={size}" for name, size in shape.axes) if shape.has_axis_names else ""
    return f"{shape.replicas}x{shape.partitions} ({axes})" if axes else f"{shape.replicas}x{shape.partitions}"


def counts_text(view: GridView) -> str:
    """Returns how many processes are in which state; also says what the glyphs mean."""
    return "  ".join(f"{STATES[status].glyph} {count} {status}" for status, count in status_counts(view))


def process_spans(view: GridView, number: int) -> Spans:
    """Returns a process, its state, where it is, how far it came."""
    process = view.processes[number]
    sign = STATES[process.status]
    words: Spans = [(f"{process.label} ", "name"), (f"{sign.glyph} {process.status}", sign.style)]
    if process.operation:
        line = f", line {process.line}" if process.line is not None else ""
        words.append((f"  {operation_text(process.operation)}{line}", "operation"))
    return [*words, (f"  {process.steps:,} steps", "dim")]


def edge_spans(view: GridView, marks: WaitMarks) -> Spans:
    """Whom a process waits for, and who waits for it."""
    wait = view.graph.waiting.get(marks.process)
    words: Spans = []
    if wait is not None:
        subject = wait.subject or few_names(view.shape, wait.missing)
        words += [(f"{AWAITED.glyph} ", "accent"), (f"waits for {subject}   ", "text")]
    if marks.awaiting:
        names = few_names(view.shape, sorted(marks.awaiting))
        words += [(f"{AWAITING.glyph} ", "accent"), (f"awaited by {names}", "text")]
    return words or [("waits for nobody, awaited by nobody", "dim")]


def few_names(shape: GridShape, processes: Sequence[int]) -> str:
    """Returns the first of some processes by name, and how many there are beside."""
    names = ", ".join(map(shape.label, processes[:NAMED]))
    return names + (f" and {len(processes) - NAMED:,} more" if len(processes) > NAMED else "")


def channel_lines(view: GridView) -> list[Spans]:
    """Returns all channels and queues in which something waits, with their messages, the oldest first."""
    lines = [line for channel in view.channels for line in _channel(view, channel)]
    return lines or [[("nothing was sent that was not received", "text")]]


def _channel(view: GridView, channel: ChannelView) -> Iterator[Spans]:
    receiver = "" if channel.receiver is None else view.shape.label(channel.receiver)
    name = f"{channel.kind} of {receiver}"
    if channel.kind == "channel":
        name = f"channel {channel.channel}" + (f" to {receiver}" if receiver else "")
    count = len(channel.messages)
    yield [(name, "name"), (f"   {plural(count, 'message')}", "dim")]
    for number, values in enumerate(channel.messages[:MOST_SHOWN], 1):
        parts = [sanitized(value) for value in values[:MOST_SHOWN]]
        yield [(f"{number:>4}  ", "dim"), (" | ".join(parts), "text")]
    if count > MOST_SHOWN:
        yield [(f"      … and {count - MOST_SHOWN:,} more", "dim")]
