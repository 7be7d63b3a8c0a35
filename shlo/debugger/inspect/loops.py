"""Loops as things: the rounds of the loop that a process is in, and values over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.scope import find_value, read_value
from shlo.debugger.replay.cursor import ReplayCursor, ShouldStop
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that the selected process is in.

    `body` is what a round runs, in frames of this `depth` (from 1); `round` is the one that is open, from 0.
    `starts` are the positions at which the rounds of this execution of the loop began, as far as they were
    reached; `end` is the position behind the last of them that was reached.
    """

    body: CodeBlock
    depth: int
    round: int
    line: int | None
    starts: tuple[int, ...]
    end: int


class Loops:
    """Reads the loops around the innermost frame of the selected process."""

    def __init__(self, cursor: ReplayCursor, stop: ShouldStop) -> None:
        self._cursor = cursor
        self._stop = stop

    def innermost(self, frame: int = -1, level: int = 0) -> Loop:
        """Returns the loop around a frame; with a `level`, the one so many loops farther out. Raises
        DebuggerError where there is none.
        """
        frames = self._cursor.process.frames
        top = frame % len(frames) + 1 if frames else 0
        depths = [depth for depth in range(top, 1, -1) if is_round(frames, depth)]
        if level >= len(depths):
            raise DebuggerError(
                "no loop is open here" if not depths else f"{len(depths)} loops are open here"
            )
        return self._loop(frames, depths[level])

    def _loop(self, frames: Sequence[Frame], depth: int) -> Loop:
        outer, trace, points = frames[depth - 2], self._cursor.trace, self._cursor.points
        body = outer.code.regions(outer.index)[-1]
        now = self._cursor.process.steps
        entered = trace.last_visit(points.number(outer.code, outer.index), depth - 1, now)
        depths, numbers = np.array(trace.depths), np.array(trace.numbers)
        left = np.flatnonzero(depths[entered + 1 :] < depth)
        last = entered + int(left[0]) if len(left) else len(depths) - 1
        inside = slice(entered + 1, last + 1)
        begun = np.flatnonzero((depths[inside] == depth) & (numbers[inside] == points.number(body, 0)))
        positions = np.array(trace.positions)
        point = points[points.number(outer.code, outer.index)]
        return Loop(
            body,
            depth,
            frames[depth - 1].iteration,
            point.position.line if point.position else None,
            tuple(positions[inside][begun].tolist()),
            int(positions[last]),
        )

    def values(self, loop: Loop, name: str) -> Iterator[tuple[int, Value]]:
        """Yields the last value that a name had in each round that was reached, with the round's number.
        Raises DebuggerError where no round binds it.
        """
        found = False
        bounds = [*loop.starts, loop.end + 1]
        with self._cursor.fork_at(loop.starts[0] if loop.starts else 0) as fork:
            for number, (start, end) in enumerate(pairwise(bounds)):
                position = self._bound_in(loop, name, start, end)
                if position is None:
                    continue
                found = True
                fork.go(position, self._stop)
                bound = find_value(fork.process.frames, loop.depth - 1, name)
                yield number, read_value(fork, bound, self._stop)
        if not found:
            raise DebuggerError(f"%{name.removeprefix('%')} is bound in no round of the loop")

    def _bound_in(self, loop: Loop, name: str, start: int, end: int) -> int | None:
        """Returns the position, of those from `start` up to `end`, at which the body last bound a name."""
        body, wanted = loop.body, name.removeprefix("%")
        numbers = [register for register in body.defined_at if body.values.names[register] == wanted]
        if not numbers:
            return None
        defined = body.defined_at[numbers[0]]
        trace = self._cursor.trace
        number = self._cursor.points.number(body, defined + 1)
        for step in range(trace.step_at(end - 1), trace.step_at(start) - 1, -1):
            if trace.numbers[step] == number and trace.depths[step] == loop.depth:
                return trace.positions[step]
        return None


def is_round(frames: Sequence[Frame], depth: int) -> bool:
    """Returns whether the frame of a depth (from 1) is a round of a loop, its condition included."""
    return frames[depth - 1].region is not None and frames[depth - 2].instruction.kind in (
        Kind.WHILE,
        Kind.COUNT,
    )


def starts_round(frames: Sequence[Frame], loop: Loop, number: int) -> bool:
    """Returns whether a process is at the beginning of a round of a loop."""
    if len(frames) != loop.depth:
        return False
    frame = frames[-1]
    return frame.code is loop.body and frame.index == 0 and frame.iteration == number
