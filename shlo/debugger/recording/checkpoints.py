"""Checkpoints of a recording: states of a grid from which it goes on.

A checkpoint is `["checkpoint", position, size, bytes]`, which holds the process whose turn it was, the steps
that count against a limit, the processes, what is in their queues and in channels, and which processes wait.
Only values that something still needs are in it, as the numbers of values (`value_store`). Processes that
wait are before the operation at which they do: they arrive there again. A state in which an asynchronous
operation is under way has no checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.columns import compress, decompress
from shlo.debugger.recording.frames import decoded, encoded
from shlo.debugger.recording.points import PointReader, PointWriter
from shlo.debugger.recording.value_store import ValueStore, ValueWriter
from shlo.debugger.recording.values import as_list
from shlo.interpreter.engine.frames import Frame, State
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.runtime.values import check_of
from shlo.interpreter.spmd.blocking_ops import Kept
from shlo.interpreter.spmd.grid import GridState

Queues = Mapping[int, tuple[tuple[tuple[Value, ...], ...], tuple[tuple[Value, ...], ...]]]


def may_write(state: GridState) -> bool:
    """Returns whether a file can hold a state."""
    if state.error is not None or state.failed is not None or state.under_way.futures:
        return False
    rendezvous = state.under_way.rendezvous_table
    return all(one.future is None for _, participants, _ in rendezvous for one in participants.values())


def checkpoint_frame(state: GridState, values: ValueWriter, points: PointWriter) -> list[Any]:
    """Returns the frame of a state; raises UnrecordableError where a file cannot hold one of its values."""
    plain = [
        state.current,
        state.counted,
        [_plain_process(part.without_dead(), values, points) for part in state.processes],
        [
            [number, *([_numbers(item, values) for item in queue] for queue in queues)]
            for number, queues in state.queues.items()
        ],
        [
            [[key] if isinstance(key, int) else list(key), [_numbers(item, values) for item in items]]
            for key, items in state.channels.items()
        ],
        list(state.under_way.waiting),
    ]
    packed = encoded(plain)
    return ["checkpoint", state.steps, len(packed), compress(packed)]


def _numbers(items: Sequence[Value], values: ValueWriter) -> list[int]:
    return [values.number(value) for value in items]


def _plain_process(state: State, values: ValueWriter, points: PointWriter) -> list[Any]:
    tables: dict[int, int] = {}
    registers: list[list[int]] = []
    frames: list[list[Any]] = []
    for frame in state.frames:
        table = tables.setdefault(id(frame.registers), len(tables))
        if table == len(registers):
            held = [(number, value) for number, value in enumerate(frame.registers) if value is not None]
            registers.append([part for number, value in held for part in (number, values.number(value))])
        carried = _numbers(frame.carried, values)
        code = points.block(frame.code)
        frames.append([code, frame.index, frame.region, frame.iteration, carried, table])
    return [state.steps, _numbers(state.results, values), registers, frames]


def read_checkpoint(content: Any, values: ValueStore, points: PointReader, size: int) -> GridState:
    """Returns the state of a grid of `size` processes that a frame holds, without what is under way: the
    processes in `waiting` have to arrive again. Raises RecordingError.
    """
    match content:
        case ["checkpoint", int(position), packed_size, data] if position >= 0:
            plain = decoded(decompress(data, packed_size))
        case _:
            raise RecordingError("a checkpoint is of no kind that is known")

    def items_of(numbers: Any) -> tuple[Value, ...]:
        return tuple(values.value(_natural(number)) for number in as_list(numbers))

    match plain:
        case [int(current), int(counted), processes, queues, channels, waiting]:
            pass
        case _:
            raise RecordingError("a checkpoint is of no kind that is known")
    states = [_process(part, items_of, points) for part in as_list(processes)]
    if len(states) != size or not 0 <= current < size:
        raise RecordingError("a checkpoint has other processes than the program")
    return GridState(
        tuple(states),
        position,
        current,
        Kept((), {}, tuple(_process_number(number, size) for number in as_list(waiting)), {}),
        {
            _process_number(number, size): (
                tuple(map(items_of, as_list(infeed))),
                tuple(map(items_of, as_list(outfeed))),
            )
            for number, infeed, outfeed in _rows(queues, 3)
        },
        {_channel(key): tuple(map(items_of, as_list(items))) for key, items in _rows(channels, 2)},
        counted,
    )


def _rows(plain: Any, length: int) -> list[list[Any]]:
    rows = list(map(as_list, as_list(plain)))
    if any(len(row) != length for row in rows):
        raise RecordingError("a checkpoint is of no kind that is known")
    return rows


def _natural(plain: Any) -> int:
    if not isinstance(plain, int) or plain < 0:
        raise RecordingError("a number in a checkpoint is wrong")
    return plain


def _process_number(plain: Any, size: int) -> int:
    if _natural(plain) >= size:
        raise RecordingError("there is no such process")
    return int(plain)


def _channel(plain: Any) -> ChannelKey:
    match plain:
        case [int(channel)]:
            return channel
        case [int(channel), int(receiver)]:
            return channel, receiver
        case _:
            raise RecordingError("a channel is of no kind that is known")


def _process(plain: Any, items_of: Callable[[Any], tuple[Value, ...]], points: PointReader) -> State:
    match plain:
        case [int(steps), results, tables, frames] if steps >= 0:
            pass
        case _:
            raise RecordingError("a process in a checkpoint is of no kind that is known")
    numbers = list(map(as_list, as_list(tables)))
    registers: dict[int, tuple[object, list[Value]]] = {}
    frames_read: list[Frame] = []
    for frame in as_list(frames):
        match frame:
            case [block, int(index), None | int() as region, int(iteration), carried, int(table)] if (
                0 <= table < len(numbers)
            ):
                code = points.block(block)
            case _:
                raise RecordingError("a frame in a checkpoint is of no kind that is known")
        if not 0 <= index < len(code.instructions):
            raise RecordingError("a frame in a checkpoint is at no instruction")
        if table not in registers:
            held = numbers[table]
            types = code.values.types
            bound: list[Value] = [None] * len(types)
            for register, value in zip(map(_natural, held[::2]), items_of(held[1::2])):
                if register >= len(types) or not check_of(types[register])(value):
                    raise RecordingError("a value in a checkpoint is not of the type that the program says")
                bound[register] = value
            registers[table] = code.values, bound
        owner, bound = registers[table]
        if owner is not code.values:
            raise RecordingError("frames in a checkpoint share what they cannot")
        frames_read.append(Frame(code, bound, index, region, iteration, items_of(carried)))
    if frames_read and frames_read[0].region is not None:
        raise RecordingError("a process in a checkpoint is in no function")
    return State(tuple(frames_read), steps, items_of(results))
