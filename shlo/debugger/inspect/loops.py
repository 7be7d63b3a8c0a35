"""Loops as things: the rounds of the loop that a process is in, and values over them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.scope import find_value, read_value
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import value_name
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.nested_code import codes_below


class Loop(Struct, frozen=True):
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

    def __init__(self, cursor: ReplayCursor) -> None:
        self._cursor = cursor

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
        number = points.number(outer.code, outer.index)
        entered = trace.last_visit(number, depth - 1, now)
        left = trace.first_where(lambda numbers, depths: depths < depth, entered + 1, trace.last + 1)
        last = left - 1 if left >= 0 else trace.last
        starts = trace.visits(body, 0, depth)
        first, end = trace.positions[entered], trace.positions[last]
        point = points[number]
        return Loop(
            body,
            depth,
            frames[depth - 1].iteration,
            point.position.line if point.position else None,
            tuple(starts[bisect_right(starts, first) : bisect_right(starts, end)]),
            end,
        )

    def values(
        self, loop: Loop, name: str, frame: int = -1, rounds: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Value]]:
        """Yields the last value that a name had in each round that was reached, with the round's number; in
        some `rounds`, from 0, if these are given, in order. A name is one of the body, of a frame from the
        loop's to `frame`, or of what a round calls. Raises DebuggerError where no round binds it.
        """
        wanted = name.removeprefix("%")
        visits, bounds, depth = self._visits(loop, wanted, frame)
        chosen = range(len(loop.starts)) if rounds is None else rounds
        with self._cursor.fork_at(loop.starts[chosen[0] if chosen else 0]) as fork:
            for number in chosen:
                start, end = bounds[number : number + 2]
                if start < end:
                    fork.go(visits[end - 1])
                    bound = find_value(fork.process.frames, depth - 1, wanted)
                    yield number, read_value(fork, bound)

    def _visits(self, loop: Loop, name: str, frame: int) -> tuple[list[int], list[int], int]:
        """Returns the positions at which a name was bound in the rounds of a loop, where in them each round
        begins, and the depth of the frames that bind it.
        """
        frames = self._cursor.process.frames
        open_frames = range(frame % len(frames) + 1, loop.depth, -1)
        for code, depth in (*((frames[at - 1].code, at) for at in open_frames), *_inside(loop)):
            defined = (at for register, at in code.defined_at.items() if value_name(code, register) == name)
            for at in defined:
                visits = self._cursor.trace.visits(code, at + 1, depth)
                bounds = [bisect_left(visits, position) for position in (*loop.starts, loop.end + 1)]
                if bounds[0] < bounds[-1]:
                    return visits, bounds, depth
        raise DebuggerError(f"%{name} is bound in no round of the loop")


def _inside(loop: Loop) -> Iterator[tuple[CodeBlock, int]]:
    """Yields the body of a loop and the blocks that it runs, with the depths of their frames, outer ones
    first.
    """
    waiting, met = deque([(loop.body, loop.depth)]), {id(loop.body)}
    while waiting:
        code, depth = waiting.popleft()
        yield code, depth
        for index, instruction in enumerate(code.instructions):
            for block in codes_below(code, index) if instruction.kind is not Kind.KERNEL else ():
                if id(block) not in met:
                    met.add(id(block))
                    waiting.append((block, depth + 1))


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
