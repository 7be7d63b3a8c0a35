"""Values from other processes: which send a recv got its values from, which shard an element is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.debugger.provenance.contributions import Index
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernels.spmd.channels import received_from, sent_to
from shlo.interpreter.kernels.spmd.shard_map import ShardLayout
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.sync_points import RECV, SEND
from shlo.interpreter.runtime.channels import ChannelKey


def part_source(layout: ShardLayout, shape: Sequence[int], process: int, index: Index) -> Index | None:
    """Returns the index in a whole tensor of an element of a process's part; None where that is zero because
    another process holds the number.
    """
    if layout.is_whole:
        return index
    if layout.summand.get(process, 0):
        return None
    tile = layout.tiles[process]
    sizes = [size // count for size, count in zip(shape, layout.counts)]
    return tuple(at + tile_index * size for at, tile_index, size in zip(index, tile, sizes))


def whole_sources(
    layout: ShardLayout, group: Sequence[int], shape: Sequence[int], index: Index
) -> list[tuple[int, Index]]:
    """Returns the processes of a group, and the index in the part of each, whose elements make one of the
    whole tensor: one of them, or several that are added up.

    Args:
        layout: How the tensor is split.
        group: The processes that put their parts together.
        shape: That of a part.
        index: The element's in the whole tensor.
    """
    if layout.is_whole:
        return [(group[0], index)]
    visited: set[tuple[object, ...]] = set()
    sources: list[tuple[int, Index]] = []
    for process in group:
        tile = layout.tiles[process]
        key = (tile, layout.summand.get(process, 0))
        at = tuple(
            int(whole_at - tile_index * size) for whole_at, tile_index, size in zip(index, tile, shape)
        )
        if key not in visited and all(0 <= part_at < size for part_at, size in zip(at, shape)):
            sources.append((process, at))
        visited.add(key)
    return sources


def message_of(cursor: ReplayCursor, frame: Frame) -> tuple[int, int] | None:
    """Returns the process that sent what the selected process receives in its next step, and the position
    before it did: the message that was sent as the same number in the channel. None for no sender.
    """
    process = cursor.process
    key = received_from(bound_kernel(frame.code, frame.index).op_view, process.context)
    if key is None:
        return None
    here = cursor.position
    before = [position for position, _ in _on_channel(cursor, RECV, key) if position < here]
    sent = sorted(_on_channel(cursor, SEND, key))
    if len(before) >= len(sent):
        return None
    position, sender = sent[len(before)]
    return sender, position


def _on_channel(cursor: ReplayCursor, name: str, key: ChannelKey) -> Iterator[tuple[int, int]]:
    """Yields the position before each send to a channel, or recv from it, that was carried out, with the
    process that did.
    """
    points = [cursor.points[number] for number in range(len(cursor.points))]
    of_name = [(number, point) for number, point in enumerate(points) if point.operation.name == name]
    for process, trace in enumerate(cursor.history.traces):
        for number, point in of_name:
            if _channel_of(cursor, process, point) == key:
                # the step that leads away from there is the one that carries it out
                steps = trace.where(lambda numbers, depths: numbers == number, 0, trace.last)  # noqa: B023
                yield from ((trace.positions[step + 1] - 1, process) for step in steps.tolist())


def _channel_of(cursor: ReplayCursor, process: int, point: ProgramPoint) -> ChannelKey | None:
    view = bound_kernel(point.code, point.index).op_view
    channel = sent_to if point.operation.name == SEND else received_from
    return channel(view, cursor.grid.processes[process].context)


def visits_before(cursor: ReplayCursor, process: int, code: CodeBlock, index: int, position: int) -> int:
    """Returns how often a process had arrived at an instruction before a position."""
    visits = cursor.history.traces[process].visits(code, index)
    return sum(visit < position for visit in visits)
