"""Who waits for whom in a grid, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.spmd.channels import channel_number, message_pairs
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.nested_code import operations_within
from shlo.interpreter.program.sync_points import MANUAL_RETURN, SEND
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.spmd.blocking_ops import BlockingOps
from shlo.interpreter.spmd.rendezvous import Rendezvous
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph, Waiting
from shlo.places.origins import origin_of_path
from shlo.places.place import short_line_text


def graph_of(blocking: BlockingOps) -> WaitForGraph:
    """Returns all that wait, and for whom; nothing is judged."""
    absent: dict[Rendezvous, tuple[int, ...]] = {}
    waiting: dict[int, Waiting] = {}
    pythons: dict[object, str] = {}
    keys = {number: blocking.awaited_channel(number) for number in blocking.waiting}
    senders = _senders(blocking, {key for key in keys.values() if key is not None})
    for number, key in keys.items():
        rendezvous = blocking.rendezvous_table.at(number)
        if rendezvous is None:
            waiting[number] = (
                _waiting(blocking, number, pythons, "infeed")
                if key is None
                else _waiting(blocking, number, pythons, "message", _channel(key), (), senders[key])
            )
        else:
            if rendezvous not in absent:
                absent[rendezvous] = rendezvous.missing
            channel, group = rendezvous.key.channel, rendezvous.key.group.members
            waiting[number] = _waiting(
                blocking, number, pythons, "rendezvous", channel, group, absent[rendezvous]
            )
    ended = frozenset(number for number, process in enumerate(blocking.processes) if process.status == "done")
    return WaitForGraph(blocking.shape, waiting, ended)


def cycle_graph(blocking: BlockingOps) -> WaitForGraph:
    """Returns the graph whose cycle the last process closed that began to wait."""
    cycle = blocking.cycle
    return replace(
        graph_of(blocking),
        kind="deadlock",
        cycle=tuple(cycle),
        differences=_differences(blocking, cycle),
    )


def ended_graph(blocking: BlockingOps) -> WaitForGraph:
    """Returns the graph in which a process waits for one that has ended."""
    return replace(graph_of(blocking), kind="ended")


def stuck_graph(blocking: BlockingOps) -> WaitForGraph:
    """Returns the graph of a grid in which no process can go on."""
    graph = graph_of(blocking)
    cycle = _cycle(graph, list(blocking.waiting))
    if cycle:
        return replace(graph, kind="deadlock", cycle=cycle)
    if any(wait.kind == "infeed" for wait in graph.waiting.values()):
        return replace(graph, kind="unfed")
    return replace(graph, kind="unsent")


def _waiting(
    blocking: BlockingOps,
    number: int,
    pythons: dict[object, str],
    kind: Literal["rendezvous", "message", "infeed"],
    channel: int = 0,
    group: tuple[int, ...] = (),
    missing: tuple[int, ...] = (),
) -> Waiting:
    """Returns a process that waits at its operation; at a manual computation at the end of its region.

    Args:
        blocking: the grid.
        number: the process.
        pythons: lines of Python in words, by the frames that led to an operation; what is new is added.
        kind: what it waits for, as the further arguments.
        channel: see Waiting.
        group: see Waiting.
        missing: see Waiting.
    """
    frames = blocking.processes[number].frames
    operation, location = frames[-1].instruction.operation, frames[-1].place
    frames = frames[:-1] if operation.name == MANUAL_RETURN else frames
    operation = frames[-1].instruction.operation
    way = tuple((id(frame.code), frame.index) for frame in frames)
    if way not in pythons:
        path = [frame.instruction.operation for frame in frames]
        pythons[way] = short_line_text(origin_of_path(path).line)
    return Waiting(number, operation.name, location, kind, channel, group, missing, pythons[way])


def _senders(blocking: BlockingOps, awaited: Collection[ChannelKey]) -> dict[ChannelKey, tuple[int, ...]]:
    """Returns, by the queues that are awaited, the processes that are not done and whose programs have a send
    to them.
    """
    senders: dict[ChannelKey, set[int]] = {key: set() for key in awaited}
    channels = {_channel(key) for key in awaited}
    alike: dict[CodeBlock, set[int]] = {}
    for number, process in enumerate(blocking.processes) if awaited else ():
        if process.status != "done":
            alike.setdefault(process.frames[0].code, set()).add(number)
    for code, numbers in alike.items():
        sends = (
            OpView(operation.signature) for operation in operations_within(code) if operation.name == SEND
        )
        for send in sends:
            channel = channel_number(send)
            if channel not in channels:
                continue
            pairs = message_pairs(send, blocking.shape)
            if pairs is None:
                senders.get(channel, set[int]()).update(numbers)
            for source, target in pairs or ():
                if source in numbers and (channel, target) in senders:
                    senders[channel, target].add(source)
    return {key: tuple(sorted(numbers)) for key, numbers in senders.items()}


def _channel(key: ChannelKey) -> int:
    return key if isinstance(key, int) else key[0]


def _differences(blocking: BlockingOps, cycle: Sequence[int]) -> tuple[str, ...]:
    """In what the operations differ at which two neighbours of a cycle wait for each other."""
    for one, other in zip(cycle, (*cycle[1:], cycle[0])):
        here, there = blocking.rendezvous_table.at(one), blocking.rendezvous_table.at(other)
        if here is not None and there is not None and one in there.missing and other in here.missing:
            return tuple(here.key.differences(there.key))
    return ()


def _cycle(graph: WaitForGraph, order: Sequence[int]) -> tuple[int, ...]:
    """Returns a cycle of processes that wait; the one that began last is last. Empty where there is none."""
    began = {number: position for position, number in enumerate(order)}
    done: set[int] = set()
    for start in order:
        way = _walk(graph.waiting, start, done)
        if way:
            last = max(range(len(way)), key=lambda position: began[way[position]])
            return (*way[last + 1 :], *way[: last + 1])
    return ()


def _walk(waiting: Mapping[int, Waiting], start: int, done: set[int]) -> list[int]:
    """Follows edges, each process once, until one leads back to a process on the way; gives that cycle."""
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
