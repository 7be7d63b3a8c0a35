"""Fast lane: many steps of a process at once, where nothing has to be looked at in between.

Kernels that follow each other are carried out in one go. Loops run as generated code for some rounds, which
records the way that it takes; their history is extended by that. What such rounds bound is not kept: it is
computed again from the checkpoint before them, as what was dropped for want of memory is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection
from time import perf_counter
from typing import Any, Final

import numpy as np

from shlo.debugger.replay.block_index import block_index
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoints
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.runner import LINKER
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.jit.traced import Rounds, TracedLoop, codes_within, generate_traced_loop
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.ir.dtypes import Array

SECONDS: Final = 0.01
"""How long it takes to come to a position between two steps, about, so that a command can be stopped."""

LONGEST_ROUND: Final = 0.05
"""Seconds; a loop with longer rounds is stepped through."""

MOST_STEPS: Final = 1 << 16
"""How many steps lie between two checkpoints at most, about."""

ROUNDS_BEFORE_GENERATING: Final = 8

Armed = Callable[[CodeBlock], Collection[int]]
"""Returns the instructions of a block before which to stop."""


def unarmed(code: CodeBlock) -> Collection[int]:
    """Returns no instruction."""
    return ()


class FastLane:
    """Takes steps of a process that runs alone, and records them in its history."""

    def __init__(self, grid: ProcessGrid, history: History) -> None:
        self._grid = grid
        self.history = history
        self._patterns: dict[TracedLoop, _Patterns] = {}

    def advance(self, most: int, armed: Armed) -> bool:
        """Takes up to `most` steps, none of them from an instruction that is not the first and is armed.
        Returns False where the next step must be taken by itself.
        """
        process, history = self._grid.processes[0], self.history
        if history.failing_step >= 0:
            most = min(most, history.failing_step - self._grid.steps)
        if most < 2 or process.status != "ready":
            return False
        frame = process.frames[-1]
        if frame.index == 0 and frame.region == 0:
            loop = _loop_of(process.frames)
            if loop is not None and loop.may_run(armed) and self._run_rounds(process, loop, most):
                return True
        return self._run_kernels(process, frame, most, armed)

    # --- kernels ---

    def _run_kernels(self, process: Process, frame: Frame, most: int, armed: Armed) -> bool:
        code, index, depth = frame.code, frame.index, len(process.frames)
        barriers = block_index(code).barriers
        at = bisect_left(barriers, index)
        end = min(index + most, barriers[at] if at < len(barriers) else len(code.instructions))
        end = min((each for each in armed(code) if index < each < end), default=end)
        if end - index < 2:
            return False
        history, position = self.history, self._grid.steps
        known = history.cache.results if position < history.last else None
        results = process.run_kernels(end, SECONDS, known)
        if not results:
            return False
        self._grid.steps = process.steps
        history.record_kernels(position, code, index, results)
        count = len(results)
        first = history.points.number(code, index) + 1
        numbers = np.arange(first, first + count, dtype=np.int32)
        history.arrive_alone(self._grid, position, numbers, np.full(count, depth, np.int32))
        return True

    # --- rounds of loops ---

    def _run_rounds(self, process: Process, loop: _Loop, most: int) -> bool:
        frames, position = process.frames, self._grid.steps
        condition, outer = frames[-1], frames[-2]
        traced = loop.generated(outer, LINKER)
        if traced is None:
            return False
        patterns = self._patterns.get(traced)
        if patterns is None:
            patterns = self._patterns[traced] = _Patterns(traced, self.history.points)
        count = min(loop.rounds, max(1, most // patterns.shortest))
        captured = [outer.registers[register] for register in outer.instruction.captures]
        while True:
            start = perf_counter()
            try:
                with process.context.active():
                    rounds = traced.call(process.context, captured, condition.carried, count)
            except Exception:
                rounds = None  # a step that fails, or long loops inside
            if rounds is None:
                if count == 1:
                    loop.give_up()
                    return False
                count = loop.rounds = count // 2
                continue
            numbers, depths = patterns.visited(rounds, len(frames) - 1)
            if len(numbers) <= most:
                break
            count = patterns.rounds_within(rounds, most)
            if count == 0:
                return False
        loop.note(count, len(numbers), perf_counter() - start)
        process.end_rounds(rounds, len(numbers), loop.inside)
        self._grid.steps = process.steps
        here = process.frames[-1]
        last = self.history.points.number(here.code, here.index) if process.frames else NOWHERE
        numbers = np.append(numbers[1:], np.int32(last))
        depths = np.append(depths[1:], np.int32(len(process.frames)))
        self.history.arrive_alone(self._grid, position, numbers, depths)
        return True


class _Loop:
    """A loop, and how it runs in the fast lane."""

    def __init__(self, code: CodeBlock, index: int) -> None:
        self.rounds = 64
        self.inside: tuple[int, ...] = ()
        self._codes: tuple[CodeBlock, ...] = ()
        self._traced: TracedLoop | None = None
        self._to_see = ROUNDS_BEFORE_GENERATING
        self._is_usable = code.instructions[index].operation.name == "stablehlo.while"
        if self._is_usable:
            try:
                self._codes = tuple(codes_within(code, index))
            except KernelError:
                self._is_usable = False
            self._is_usable = self._is_usable and all(block_index(each).is_pure for each in self._codes)
            own = (each for each in self._codes if each.values is code.values)
            self.inside = tuple(register for each in own for register in each.defined_at)

    def may_run(self, armed: Armed) -> bool:
        """Returns whether no instruction inside is armed, and all can be carried out more than once."""
        return self._is_usable and not any(armed(code) for code in self._codes)

    def generated(self, outer: Frame, linker: Any) -> TracedLoop | None:
        """Returns the loop's code once some rounds were seen."""
        if self._to_see:
            self._to_see -= 1
            if self._to_see:
                return None
            self._traced = generate_traced_loop(outer.code, outer.index, linker)
            self._is_usable = self._traced is not None
        return self._traced

    def give_up(self) -> None:
        """Has the loop be stepped through from now on."""
        self._is_usable = False

    def note(self, rounds: int, steps: int, seconds: float) -> None:
        """Chooses how many rounds to run at a time, after so many that took so long."""
        if seconds > 2 * SECONDS or steps > MOST_STEPS:
            self.rounds = max(1, rounds // 2)
            if rounds == 1 and seconds > LONGEST_ROUND:
                self.give_up()
        elif rounds == self.rounds and seconds < SECONDS / 2 and steps < MOST_STEPS / 2:
            self.rounds *= 2


class _Patterns:
    """The program points of a loop's segments, by their numbers in a session."""

    def __init__(self, traced: TracedLoop, points: ProgramPoints) -> None:
        segments = traced.segments
        self._lengths = np.array([len(segment) for segment in segments])
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._numbers = np.array(
            [points.number(point.code, point.instruction) for segment in segments for point in segment],
            np.int32,
        )
        self._depths = np.array([point.depth for segment in segments for point in segment], np.int32)
        self.shortest = int(self._lengths[0] + self._lengths[1])
        """How many steps a round takes at least: those of its condition and of the body's first segment."""

    def visited(self, rounds: Rounds, depth: int) -> tuple[Array, Array]:
        """Returns the points from which steps were taken, and how many frames were open; the loop is in
        frame number `depth`.
        """
        path = np.frombuffer(rounds.path, np.uint8)
        lengths = self._lengths[path]
        ends = np.cumsum(lengths)
        places = np.repeat(self._starts[path] - (ends - lengths), lengths)
        places += np.arange(len(places))
        return self._numbers[places], self._depths[places] + np.int32(depth)

    def rounds_within(self, rounds: Rounds, most: int) -> int:
        """Returns how many of the rounds take no more than `most` steps together."""
        path = np.frombuffer(rounds.path, np.uint8)
        before = np.cumsum(self._lengths[path]) - self._lengths[path]
        return int(bisect_right(before[path == 0].tolist(), most)) - 1


def _loop_of(frames: list[Frame]) -> _Loop | None:
    """Returns the loop whose condition is the innermost frame."""
    if len(frames) < 2:
        return None
    instruction = frames[-2].instruction
    if instruction.kind is not Kind.WHILE:
        return None
    loop = instruction.traced
    if not isinstance(loop, _Loop):
        loop = instruction.traced = _Loop(frames[-2].code, frames[-2].index)
    return loop
