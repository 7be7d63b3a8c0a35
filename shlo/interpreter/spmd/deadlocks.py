"""Who waits for whom in a grid, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shlo.dialects.struct_attributes import ChannelHandle
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.program.sync_points import MANUAL_RETURN, SEND, operations_within
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.spmd.blocking_ops import BlockingOps
from shlo.interpreter.spmd.rendezvous import Rendezvous
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph, Waiting
from shlo.ir.operations import Operation


def graph_of(blocking: BlockingOps) -> WaitForGraph:
    """Returns all that wait, and for whom; nothing is judged."""
    absent: dict[Rendezvous, tuple[int, ...]] = {}
    senders: dict[ChannelKey, tuple[int, ...]] = {}
    waiting: dict[int, Waiting] = {}
    for number in blocking.waiting:
        rendezvous = blocking.rendezvous_table.at(number)
        if rendezvous is None:
            waiting[number] = _at_queue(blocking, number, senders)
        else:
            if rendezvous not in absent:
                absent[rendezvous] = rendezvous.missing
            waiting[number] = _at_rendezvous(
                blocking.processes[number], number, rendezvous, absent[rendezvous]
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


def _at_rendezvous(
    process: Process, number: int, rendezvous: Rendezvous, missing: tuple[int, ...]
) -> Waiting:
    operation, place = _where(process)
    key = rendezvous.key
    return Waiting(number, operation, place, "rendezvous", key.channel, key.group.members, missing)


def _at_queue(blocking: BlockingOps, number: int, senders: dict[ChannelKey, tuple[int, ...]]) -> Waiting:
    operation, place = _where(blocking.processes[number])
    key = blocking.awaited_channel(number)
    if key is None:
        return Waiting(number, operation, place, "infeed")
    if key not in senders:
        senders[key] = _senders(blocking, key)
    channel = key if isinstance(key, int) else key[0]
    return Waiting(number, operation, place, "message", channel, (), senders[key])


def _where(process: Process) -> tuple[str, str | None]:
    """Returns the operation at which a process waits, and its place; a manual computation at the end of its
    region.
    """
    frame = process.frames[-1]
    if frame.instruction.operation.name == MANUAL_RETURN:
        return process.frames[-2].instruction.operation.name, frame.place
    return frame.instruction.operation.name, frame.place


def _senders(blocking: BlockingOps, key: ChannelKey) -> tuple[int, ...]:
    """Returns the processes that are not done and whose programs have a send on the channel."""
    channel = key if isinstance(key, int) else key[0]
    sends: dict[int, bool] = {}
    found: list[int] = []
    for number, process in enumerate(blocking.processes):
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


def _differences(blocking: BlockingOps, cycle: Sequence[int]) -> tuple[str, ...]:
    """In what the operations differ at which two neighbours of a cycle wait for each other."""
    for one, other in zip(cycle, (*cycle[1:], cycle[0])):
        here, there = blocking.rendezvous_table.at(one), blocking.rendezvous_table.at(other)
        if here is not None and there is not None and one in there.missing and other in here.missing:
            return tuple(here.key.differences(there.key))
    return ()


def _cycle(graph: WaitForGraph, order: Sequence[int]) -> tuple[int, ...]:
    """Returns a cycle of processes that wait; the one that began last is last. Empty where there is none."""
    began = {number: place for place, number in enumerate(order)}
    done: set[int] = set()
    for start in order:
        way = _walk(graph.waiting, start, done)
        if way:
            last = max(range(len(way)), key=lambda place: began[way[place]])
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
