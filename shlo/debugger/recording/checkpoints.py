"""Checkpoints of a recording: states of a grid from which it goes on.

Only values that something still needs are in a checkpoint, as the numbers of values (`value_store`).
Processes that wait are before the operation at which they do: they arrive there again. A state in which an
asynchronous operation is under way has no checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from msgspec import Meta

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.columns import compress, decompress
from shlo.debugger.recording.frames import (
    Natural,
    Positive,
    Record,
    RecordingFrame,
    converted,
    decoded,
    encoded,
)
from shlo.debugger.recording.points import PointReader, PointWriter
from shlo.debugger.recording.value_store import ValueStore, ValueWriter
from shlo.interpreter.engine.frames import Frame, State
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.runtime.values import check_of
from shlo.interpreter.spmd.blocking_ops import Kept
from shlo.interpreter.spmd.grid import GridState

Numbers = list[Natural]
"""Numbers of values."""

ChannelRecord = Annotated[list[Natural], Meta(min_length=1, max_length=2)]
"""A channel, and the process that receives from it where that is one."""


def channel_record(key: ChannelKey) -> ChannelRecord:
    """Returns what a file says of a channel."""
    return [key] if isinstance(key, int) else list(key)


def channel_of(record: ChannelRecord) -> ChannelKey:
    """Returns the channel of a record."""
    return record[0] if len(record) == 1 else (record[0], record[1])


class CheckpointFrame(RecordingFrame, tag="checkpoint", frozen=True):
    """The state at a position: a GridRecord, compressed."""

    position: Positive
    size: int
    data: bytes


class FrameRecord(Record, frozen=True):
    """An open frame; `table` is the number of the registers that it shares with others of its function."""

    block: Natural
    index: Natural
    region: int | None
    iteration: int
    carried: Numbers
    table: Natural


class ProcessRecord(Record, frozen=True):
    """A process; in a table are the numbers of registers and of their values in turn."""

    steps: Natural
    results: Numbers
    tables: list[Numbers]
    frames: list[FrameRecord]


class GridRecord(Record, frozen=True):
    """The process whose turn it is, the steps that count against a limit, the processes, what is in their
    queues and in channels, and which processes wait."""

    current: Natural
    counted: Natural
    processes: list[ProcessRecord]
    queues: list[tuple[Natural, list[Numbers], list[Numbers]]]
    channels: list[tuple[ChannelRecord, list[Numbers]]]
    waiting: list[Natural]


def may_write(state: GridState) -> bool:
    """Returns whether a file can hold a state."""
    if state.error is not None or state.failed is not None or state.under_way.futures:
        return False
    rendezvous = state.under_way.rendezvous_table
    return all(one.future is None for _, participants, _ in rendezvous for one in participants.values())


def checkpoint_frame(state: GridState, values: ValueWriter, points: PointWriter) -> CheckpointFrame:
    """Returns the frame of a state; raises UnrecordableError where a file cannot hold one of its values."""

    def rows(queue: Iterable[Sequence[Value]]) -> list[Numbers]:
        return [_numbers(item, values) for item in queue]

    record = GridRecord(
        state.current,
        state.counted,
        [_process_record(part.without_dead(), values, points) for part in state.processes],
        [(number, rows(infeed), rows(outfeed)) for number, (infeed, outfeed) in state.queues.items()],
        [(channel_record(key), rows(items)) for key, items in state.channels.items()],
        list(state.under_way.waiting),
    )
    packed = encoded(record)
    return CheckpointFrame(state.steps, len(packed), compress(packed))


def _numbers(items: Sequence[Value], values: ValueWriter) -> Numbers:
    return [values.number(value) for value in items]


def _process_record(state: State, values: ValueWriter, points: PointWriter) -> ProcessRecord:
    tables: dict[int, int] = {}
    registers: list[Numbers] = []
    frames: list[FrameRecord] = []
    for frame in state.frames:
        table = tables.setdefault(id(frame.registers), len(tables))
        if table == len(registers):
            held = [(number, value) for number, value in enumerate(frame.registers) if value is not None]
            registers.append([part for number, value in held for part in (number, values.number(value))])
        carried = _numbers(frame.carried, values)
        block = points.block(frame.code)
        frames.append(FrameRecord(block, frame.index, frame.region, frame.iteration, carried, table))
    return ProcessRecord(state.steps, _numbers(state.results, values), registers, frames)


def read_checkpoint(frame: CheckpointFrame, values: ValueStore, points: PointReader, size: int) -> GridState:
    """Returns the state of a grid of `size` processes that a frame holds, without what is under way: the
    processes in `waiting` have to arrive again. Raises RecordingError.
    """
    grid = converted(decoded(decompress(frame.data, frame.size)), GridRecord)

    def items_of(numbers: Numbers) -> tuple[Value, ...]:
        return tuple(map(values.value, numbers))

    states = tuple(_process(record, items_of, points) for record in grid.processes)
    if len(states) != size or grid.current >= size:
        raise RecordingError("a checkpoint has other processes than the program")
    if max([*grid.waiting, *(number for number, _, _ in grid.queues)], default=0) >= size:
        raise RecordingError("there is no such process")
    return GridState(
        states,
        frame.position,
        grid.current,
        Kept((), {}, tuple(grid.waiting), {}),
        {
            number: (tuple(map(items_of, infeed)), tuple(map(items_of, outfeed)))
            for number, infeed, outfeed in grid.queues
        },
        {channel_of(key): tuple(map(items_of, items)) for key, items in grid.channels},
        grid.counted,
    )


def _process(
    record: ProcessRecord, items_of: Callable[[Numbers], tuple[Value, ...]], points: PointReader
) -> State:
    registers: dict[int, tuple[object, list[Value]]] = {}
    frames: list[Frame] = []
    for frame in record.frames:
        code, table = points.block(frame.block), frame.table
        if table >= len(record.tables):
            raise RecordingError("a frame in a checkpoint has no registers")
        if frame.index >= len(code.instructions):
            raise RecordingError("a frame in a checkpoint is at no instruction")
        if table not in registers:
            registers[table] = code.values, _bound(code, record.tables[table], items_of)
        owner, bound = registers[table]
        if owner is not code.values:
            raise RecordingError("frames in a checkpoint share what they cannot")
        carried = items_of(frame.carried)
        frames.append(Frame(code, bound, frame.index, frame.region, frame.iteration, carried))
    if frames and frames[0].region is not None:
        raise RecordingError("a process in a checkpoint is in no function")
    return State(tuple(frames), record.steps, items_of(record.results))


def _bound(code: CodeBlock, table: Numbers, items_of: Callable[[Numbers], tuple[Value, ...]]) -> list[Value]:
    """Returns the registers of a function with the values that a table has for them."""
    types = code.values.types
    bound: list[Value] = [None] * len(types)
    for register, value in zip(table[::2], items_of(table[1::2])):
        if register >= len(types) or not check_of(types[register])(value):
            raise RecordingError("a value in a checkpoint is not of the type that the program says")
        bound[register] = value
    return bound
