"""Who waits for whom in a grid, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shlo.dialects.stablehlo.attributes import ChannelHandle
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.program.sync_points import MANUAL_RETURN, SEND, operations_within
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.spmd.blocking_ops import BlockingOps
from shlo.interpreter.spmd.rendezvous import Rendezvous
from shlo.interpreter.spmd.wait_report import WaitGraph, Waiting
from shlo.ir.operations import Operation


def graph_of(encounters: BlockingOps) -> WaitGraph:
    """All that wait, and for whom; nothing is judged."""
    absent: dict[Rendezvous, tuple[int, ...]] = {}
    senders: dict[ChannelKey, tuple[int, ...]] = {}
    waiting: dict[int, Waiting] = {}
    for number in encounters.waiting:
        meeting = encounters.meetings.at(number)
        if meeting is None:
            waiting[number] = _at_queue(encounters, number, senders)
        else:
            if meeting not in absent:
                absent[meeting] = meeting.missing
            waiting[number] = _at_meeting(encounters.processes[number], number, meeting, absent[meeting])
    ended = frozenset(
        number for number, process in enumerate(encounters.processes) if process.status == "done"
    )
    return WaitGraph(encounters.shape, waiting, ended)


def circle_graph(encounters: BlockingOps) -> WaitGraph:
    """The graph whose circle the last process closed that began to wait."""
    circle = encounters.circle
    return replace(
        graph_of(encounters),
        verdict="deadlock",
        circle=tuple(circle),
        differences=_differences(encounters, circle),
    )


def ended_graph(encounters: BlockingOps) -> WaitGraph:
    """The graph in which somebody waits for a process that has ended."""
    return replace(graph_of(encounters), verdict="ended")


def stuck_graph(encounters: BlockingOps) -> WaitGraph:
    """The graph of a grid in which nobody can go on."""
    graph = graph_of(encounters)
    circle = _circle(graph, list(encounters.waiting))
    if circle:
        return replace(graph, verdict="deadlock", circle=circle)
    if any(wait.kind == "infeed" for wait in graph.waiting.values()):
        return replace(graph, verdict="unfed")
    return replace(graph, verdict="unsent")


def _at_meeting(process: Process, number: int, meeting: Rendezvous, missing: tuple[int, ...]) -> Waiting:
    operation, place = _where(process)
    terms = meeting.terms
    return Waiting(number, operation, place, "meeting", terms.channel, terms.group.members, missing)


def _at_queue(encounters: BlockingOps, number: int, senders: dict[ChannelKey, tuple[int, ...]]) -> Waiting:
    operation, place = _where(encounters.processes[number])
    key = encounters.awaited_channel(number)
    if key is None:
        return Waiting(number, operation, place, "infeed")
    if key not in senders:
        senders[key] = _senders(encounters, key)
    channel = key if isinstance(key, int) else key[0]
    return Waiting(number, operation, place, "message", channel, (), senders[key])


def _where(process: Process) -> tuple[str, str | None]:
    """The operation at which a process waits, and its place; a manual computation at the end of its
    region.
    """
    frame = process.frames[-1]
    if frame.instruction.operation.name == MANUAL_RETURN:
        return process.frames[-2].instruction.operation.name, frame.place
    return frame.instruction.operation.name, frame.place


def _senders(encounters: BlockingOps, key: ChannelKey) -> tuple[int, ...]:
    """The processes that are not done and whose programs have a send on the channel."""
    channel = key if isinstance(key, int) else key[0]
    sends: dict[int, bool] = {}
    found: list[int] = []
    for number, process in enumerate(encounters.processes):
        if process.status == "done":
            continue
        code = process.frames[0].code
        if id(code) not in sends:
            sends[id(code)] = any(_sends_on(operation, channel) for operation in operations_within(code))
        if sends[id(code)]:
            found.append(number)
    return tuple(found)


def _sends_on(operation: Operation, channel: int) -> bool:
    handle = operation.attribute("channel_handle")
    return operation.name == SEND and isinstance(handle, ChannelHandle) and handle.handle == channel


def _differences(encounters: BlockingOps, circle: Sequence[int]) -> tuple[str, ...]:
    """In what the operations differ at which two neighbours of a circle wait for each other."""
    for one, other in zip(circle, (*circle[1:], circle[0])):
        here, there = encounters.meetings.at(one), encounters.meetings.at(other)
        if here is not None and there is not None and one in there.missing and other in here.missing:
            return tuple(here.terms.differences(there.terms))
    return ()


def _circle(graph: WaitGraph, order: Sequence[int]) -> tuple[int, ...]:
    """A circle of processes that wait; the one that began last stands last. Empty where there is none."""
    began = {number: place for place, number in enumerate(order)}
    done: set[int] = set()
    for start in order:
        way = _walk(graph.waiting, start, done)
        if way:
            last = max(range(len(way)), key=lambda place: began[way[place]])
            return (*way[last + 1 :], *way[: last + 1])
    return ()


def _walk(waiting: Mapping[int, Waiting], start: int, done: set[int]) -> list[int]:
    """Follows edges, each process once, until one leads back to a process on the way; gives that circle."""
    way: list[int] = []
    choices = [iter((start,))]
    while choices:
        number = next(choices[-1], None)
        if number is None:
            choices.pop()
            done.update(way[-1:])
            del way[-1:]
        elif number in way:
            return way[way.index(number) :]
        elif number in waiting and number not in done:
            way.append(number)
            choices.append(iter(waiting[number].missing))
    return []
