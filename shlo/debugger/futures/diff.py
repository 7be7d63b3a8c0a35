"""Difference of two futures: the values by step and name that are not the same, and the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.compare import bytes_of
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint, value_name
from shlo.debugger.tensors.difference import ulps_apart
from shlo.interpreter.agreement import FARTHEST
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import Value
from shlo.runner.equality import bits_of
from shlo.runner.statistics import largest_finite, tensor_of, wide
from shlo.support.cancellation import checkpoint

MOST_STEPS: Final = 2_000_000
"""How many steps of a future are compared."""

Place = tuple[Any, ...]
"""What is the same in two futures for the same execution of an operation: process, calls and rounds, and how
often the process was behind it before.
"""


class FutureDifference(Struct, frozen=True):
    """A value that is not the same in two futures: at which positions it was bound in each, in which process,
    its name, the operation and line, how many of its elements differ, the largest absolute difference of
    finite ones and in units in the last place (None where there is none).
    """

    positions: tuple[int, int]
    process: int
    name: str
    op: str
    line: int | None
    differing: int
    size: int
    largest: float | None
    ulps: int | None


class FuturesDiff(Struct, frozen=True):
    """What differs between two futures from position `start` on, before which they are the same.

    `compared` values were bound in both, and `count` of them differ, of which the first are in `values`.
    `only` is how many values were bound in one of them alone. `results` has those results of processes that
    differ, once both are done (None before that).
    """

    start: int
    lasts: tuple[int, int]
    compared: int
    count: int
    values: tuple[FutureDifference, ...]
    only: tuple[int, int]
    results: tuple[FutureDifference, ...] | None


class _Bound(Struct, frozen=True):
    """Values that a step bound."""

    place: Place
    position: int
    process: int
    point: ProgramPoint
    registers: tuple[int, ...]
    values: tuple[Value, ...]


def diff_histories(cursor: ReplayCursor, one: History, other: History, start: int, most: int) -> FuturesDiff:
    """Compares what two histories, which are the same up to a position, bound after it."""
    bits: dict[Place, tuple[int, Any]] = {}
    with cursor.in_history(one):
        for bound in _walk(cursor, start):
            bits[bound.place] = bound.position, bits_of(bound.values)
        returned = _returned(cursor)
    compared = count = only = 0
    listed: dict[int, _Bound] = {}
    with cursor.in_history(other):
        for bound in _walk(cursor, start):
            position, bits_before = bits.pop(bound.place, (-1, None))
            if position < 0:
                only += len(bound.values)
                continue
            compared += len(bound.values)
            if bits_before != bits_of(bound.values):
                count += sum(a != b for a, b in zip(bits_before, map(bits_of, bound.values)))
                if len(listed) < most:
                    listed[position] = bound
        results = _differing_results(cursor, returned, _returned(cursor))
    values: list[FutureDifference] = []
    if listed:
        with cursor.in_history(one):
            for bound in _walk(cursor, start, max(listed)):
                if (there := listed.get(bound.position)) is not None and there.place == bound.place:
                    values += _differences(bound, there)
    values.sort(key=lambda difference: max(difference.positions))
    return FuturesDiff(
        start, (one.last, other.last), compared, count, tuple(values[:most]), (len(bits), only), results
    )


def _walk(cursor: ReplayCursor, start: int, last: int | None = None) -> Iterator[_Bound]:
    """Yields what the steps from a position on bound, in the history of the cursor."""
    history = cursor.history
    end = history.last if last is None else last
    if end - start > MOST_STEPS:
        raise DebuggerError(f"expected at most {MOST_STEPS} steps to compare, got {end - start}")
    came: dict[Place, int] = {}
    with cursor.fork_at(start) as fork:
        fork.go(start)
        for process in fork.grid.processes:
            process.keeps_values = True
        while fork.position < end:
            steps = [process.steps for process in fork.grid.processes]
            checkpoint()
            if not fork.forward():
                break
            for number, process in enumerate(fork.grid.processes):
                if process.steps > steps[number] and process.frames and process.frames[-1].index:
                    place_key = _place_of(number, process.frames)
                    came[place_key] = came.get(place_key, 0) + 1
                    yield from _bound(fork, number, (*place_key, came[place_key]))


def _place_of(number: int, frames: Sequence[Frame]) -> Place:
    """Returns where a process is behind an operation, in which calls and rounds."""
    return number, *((id(frame.code), frame.index, frame.iteration) for frame in frames)


def _bound(cursor: ReplayCursor, number: int, place_key: Place) -> Iterator[_Bound]:
    """Yields what the last step of a process bound."""
    frame = cursor.grid.processes[number].frames[-1]
    point = ProgramPoint(frame.code, frame.index - 1)
    if point.is_constant:
        return
    registers = frame.code.instructions[frame.index - 1].results
    values = tuple(frame.registers[register] for register in registers)
    if registers and all(value is not None for value in values):
        yield _Bound(place_key, cursor.position, number, point, registers, values)


def _returned(cursor: ReplayCursor) -> list[tuple[Value, ...]] | None:
    """Returns the results of all processes, None where the history does not lead to their end."""
    history = cursor.history
    if history.failure is not None or any(trace.numbers[-1] != NOWHERE for trace in history.traces):
        return None
    with cursor.fork_at(history.last) as fork:
        fork.go(history.last)
        return [process.returned for process in fork.grid.processes]


def _differing_results(
    cursor: ReplayCursor,
    one: list[tuple[Value, ...]] | None,
    other: list[tuple[Value, ...]] | None,
) -> tuple[FutureDifference, ...] | None:
    if one is None or other is None:
        return None
    last = cursor.history.last
    differences = [
        _difference((last, last), process, f"result {number}", "", None, left, right)
        for process, (lefts, rights) in enumerate(zip(one, other))
        for number, (left, right) in enumerate(zip(lefts, rights))
        if bits_of(left) != bits_of(right)
    ]
    return tuple(differences)


def _differences(one: _Bound, other: _Bound) -> Iterator[FutureDifference]:
    line = one.point.position.line if one.point.position else None
    for register, left, right in zip(one.registers, one.values, other.values):
        if bits_of(left) != bits_of(right):
            name = f"%{value_name(one.point.code, register)}"
            positions = one.position, other.position
            yield _difference(positions, one.process, name, one.point.operation.name, line, left, right)


def _difference(
    positions: tuple[int, int], process: int, name: str, op: str, line: int | None, one: Value, other: Value
) -> FutureDifference:
    left, right = tensor_of(one), tensor_of(other)
    if left is None or right is None or left.shape != right.shape:
        return FutureDifference(positions, process, name, op, line, 1, 1, None, None)
    differs = bytes_of(left) != bytes_of(right)
    with np.errstate(all="ignore"):
        apart = np.abs(wide(left) - wide(right)).reshape(-1)
    return FutureDifference(
        positions,
        process,
        name,
        op,
        line,
        int(differs.sum()),
        int(left.size),
        largest_finite(apart[differs]),
        _ulps(left, right),
    )


def _ulps(one: Any, other: Any) -> int | None:
    """Returns the largest distance of floating-point elements that are both finite or both not."""
    distance = ulps_apart(one, other)
    if distance is None:
        return None
    near = distance[distance != np.uint64(FARTHEST)]
    return int(near.max()) if near.size else None
