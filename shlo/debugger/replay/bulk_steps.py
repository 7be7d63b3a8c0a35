"""Bulk steps: many steps of a process at once, where nothing has to be looked at in between.

What is passed often runs as generated code, which records the way that it takes: spans of a block from one
instruction at which to stop to the next, and some rounds of a loop at a time where that takes long. The
history is extended by that way. The frames hold what the instructions of their own blocks bound, as after
single steps. What ran inside is not kept: it is computed again from the checkpoint before, as what was
dropped for want of memory is. Elsewhere, kernels that follow each other are carried out in one go.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.debugger.replay.block_index import BlockSet, block_index
from shlo.debugger.replay.history import History
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite, search
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoints, program_point
from shlo.debugger.replay.scanning import SCANNING
from shlo.debugger.replay.spans import Armed, block_spans
from shlo.debugger.replay.trace_blocks import FEWEST_PACKED, RepeatedBlock, TraceBlock, TraceRows
from shlo.interpreter.engine.binding import LINKER
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.jit.traced import (
    NO_PROBES,
    ProbeHit,
    Probes,
    Rounds,
    TracedLayout,
    TracedLoop,
    generate_traced_loop,
    segments_of,
)
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Kind, Program
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.ir.dtypes import Array

SECONDS: Final = 0.01
"""How long it takes to come to a position between two steps, about, so that a command can be stopped."""

LONGEST_ROUND: Final = 0.05
"""Seconds; a loop with longer rounds is stepped through."""

MOST_STEPS: Final = 1 << 16
"""How many steps lie between two checkpoints at most, about."""

ROUNDS_BEFORE_GENERATING: Final = 8

if TYPE_CHECKING:
    from shlo.sanitizer.selection import Selection

FEW_ROUNDS: Final = 2

FEWEST_ROUNDS: Final = 16
"""From how many rounds on, that are the same, they are noted as one round that is repeated."""

MOST_HITS: Final = 16
"""How often in turn probes may hit after few rounds of a loop."""

LONGEST_SPAN: Final = 0.1
"""Seconds; a span that takes longer is divided."""


class BulkStepper:
    """Takes steps of a process that runs alone, and records them in its history."""

    def __init__(self, grid: ProcessGrid, history: History) -> None:
        self._grid = grid
        self.history = history
        self._paths = dict[Program, _Paths]()
        self._probed = dict[tuple[CodeBlock, int], tuple[Probes, _Loop]]()

    def advance(
        self, most: int, armed: Armed, kinds: Nonfinite = NOTHING, selection: Selection | None = None
    ) -> bool:
        """Takes up to `most` steps, none of them from an instruction that is not the first and is armed; all
        are searched for `kinds`, and none makes one. Returns False where the next step must be taken by
        itself. Generated code cannot ask the sanitizer, which looks for `selection`: kernels alone are taken.
        """
        process, history = self._grid.processes[0], self.history
        if history.failing_step >= 0:
            most = min(most, history.failing_step - self._grid.steps)
        if most < 2 or process.status != "ready":
            return False
        frame, scans = process.frames[-1], bool(kinds)
        is_generated = Nonfinite.FINDING not in kinds
        if is_generated and frame.index == 0 and frame.region == 0:
            loop = self._loop(process.frames, armed, scans)
            if loop is not None and loop.is_usable and self._run_rounds(process, loop, most, scans):
                return True
        if block_spans(frame.code).limit(frame.index) == frame.index:
            return False
        stops = armed.ahead(frame)
        if is_generated and self._run_span(process, frame, most, stops, armed, scans):
            return True
        return self._run_kernels(process, frame, most, stops, kinds, selection)

    # --- spans ---

    def _run_span(
        self, process: Process, frame: Frame, most: int, stops: Collection[int], armed: Armed, scans: bool
    ) -> bool:
        spans, start, position = block_spans(frame.code), frame.index, self._grid.steps
        end = spans.end(start, stops, armed)
        span = spans.span(start, end, scans)
        if span is None or most < span.steps:
            return False
        depth = len(process.frames)
        if position < self.history.last and most < sys.maxsize:
            number = self.history.points.number(frame.code, end)
            if self.history.traces[0].next_visit(number, depth, process.steps, most) < 0:
                return False
        with process.context.active():
            traced = span.generated(LINKER)
        if traced is None:
            return False
        path, began = array("i"), perf_counter()
        try:
            with process.context.active():
                values = traced.call(process.context, frame.registers, path)
        except Exception as error:  # a step that fails is taken again, and raises it
            span.fail(error, path)
            return False
        paths = self._paths_of(frame.code)
        span.steps = paths.steps(path)
        if span.steps > most:
            return False
        if perf_counter() > began + LONGEST_SPAN:
            span.divide()
        process.end_span(end, span.steps, span.unbound, traced.bound, values)
        returns = end not in stops and most > span.steps and process.leave_function()
        ending = self.history.points.number(frame.code, end) if returns else None
        self._arrive(process, position, paths, path, depth, span.bytes, ending)
        if scans:
            self.history.note_searched(position, span.steps + returns)
        return True

    def _paths_of(self, code: CodeBlock) -> _Paths:
        program = code.function.program
        paths = self._paths.get(program)
        if paths is None or paths.points is not self.history.points:
            paths = self._paths[program] = _Paths(program, self.history.points)
        return paths

    def _arrive(
        self,
        process: Process,
        position: int,
        paths: _Paths,
        path: array[int],
        depth: int,
        size_bytes: int = 0,
        ending: int | None = None,
        first: int | None = None,
    ) -> None:
        """Records the steps from a position on, a path of code that was called in frame number `depth` and
        bound values of so many bytes, about; then the one from point number `ending`, if that is given.
        Rounds of a loop begin with segment `first`.
        """
        self._grid.note_steps()
        frames = process.frames
        number = self.history.points.number(frames[-1].code, frames[-1].index) if frames else NOWHERE
        behind = [(number, len(frames))]
        if ending is not None:
            behind.insert(0, (ending, depth))
        count = process.steps - position
        blocks = paths.blocks(path, depth, behind, count, first)
        self.history.arrive_alone(self._grid, position, count, blocks, size_bytes)

    # --- kernels ---

    def _run_kernels(
        self,
        process: Process,
        frame: Frame,
        most: int,
        stops: Collection[int],
        kinds: Nonfinite,
        selection: Selection | None,
    ) -> bool:
        code, index, depth = frame.code, frame.index, len(process.frames)
        barriers = block_index(code).barriers
        at = bisect_left(barriers, index)
        end = min(index + most, barriers[at] if at < len(barriers) else len(code.instructions))
        end = min((stop for stop in stops if index < stop < end), default=end)
        if end - index < 2:
            return False
        history, position = self.history, self._grid.steps
        recorded = history.cache.results if position < history.last else None

        def makes_none(at: int, operands: Sequence[Value], values: Sequence[Value]) -> bool:
            return not search(process, program_point(code, at), operands, values, kinds, selection)

        results = process.run_kernels(end, SECONDS, recorded, makes_none if kinds else None)
        if not results:
            return False
        self._grid.note_steps()
        history.record_kernels(position, code, index, results)
        count = len(results)
        first = history.points.number(code, index) + 1

        def expand() -> TraceRows:
            return TraceRows(np.arange(first, first + count, dtype=np.int32), np.full(count, depth, np.int32))

        blocks = [TraceBlock(count, expand, (first + count - 2, first + count - 1))]
        history.arrive_alone(self._grid, position, count, blocks)
        if kinds:
            history.note_searched(position, count)
        return True

    # --- rounds of loops ---

    def _loop(self, frames: list[Frame], armed: Armed, scans: bool) -> _Loop | None:
        """Returns the loop whose condition is the innermost frame, None where something inside is armed that
        no probe can look at.
        """
        loop = _loop_of(frames)
        if loop is None or not loop.is_usable:
            return None
        if not armed.within(loop.blocks):
            return loop.scanning if scans else loop
        frame = frames[-2]
        probes = None if scans else armed.in_rounds(frame.code, frame.index, loop.blocks)
        if probes is None:
            return None
        probed = self._probed.get((frame.code, frame.index))
        if probed is None or probed[0] is not probes:
            probed = probes, _Loop(frame.code, frame.index, probes)
            self._probed[frame.code, frame.index] = probed
        return probed[1]

    def _run_rounds(self, process: Process, loop: _Loop, most: int, scans: bool) -> bool:
        frames, position = process.frames, self._grid.steps
        condition, outer = frames[-1], frames[-2]
        with process.context.active():
            traced = loop.generated(outer, LINKER)
        if traced is None:
            return False
        paths = self._paths_of(outer.code)
        count = min(loop.rounds, max(1, most // traced.shortest))
        captured = [outer.registers[register] for register in traced.inputs]
        if any(value is None for value in captured):  # dropped, and only probes take it
            return False
        while True:
            start = perf_counter()
            loop.probes.begin(condition.iteration)
            try:
                with process.context.active():
                    rounds = traced.call(process.context, captured, condition.carried, count)
            except ProbeHit as hit:
                loop.note_hit(hit.rounds)
                if not hit.rounds:
                    return False
                count = hit.rounds
                continue
            except Exception:
                rounds = None  # a step that fails, or long loops inside
            if rounds is None:
                if count == 1:
                    loop.give_up()
                    return False
                count = loop.rounds = count // 2
                continue
            steps = paths.steps(rounds.path)
            if steps <= most:
                break
            count = paths.rounds_within(rounds, traced.first, most)
            if count == 0:
                return False
        loop.note(count, steps, perf_counter() - start)
        depth = len(frames) - 1
        process.end_rounds(rounds, steps, loop.inside)
        self._arrive(process, position, paths, rounds.path, depth, first=traced.first)
        if scans:
            self.history.note_searched(position, steps)
        return True


class _Loop:
    """A loop, and how it runs in bulk; `is_usable` where all in it can be carried out more than once
    and there may be code for it.
    """

    def __init__(self, code: CodeBlock, index: int, probes: Probes = NO_PROBES) -> None:
        self.rounds = 64
        self.inside: tuple[int, ...] = ()
        self.blocks = BlockSet(())
        self.probes = probes
        self._place = code, index
        self._traced: TracedLoop | None = None
        self._to_see = ROUNDS_BEFORE_GENERATING
        self._hits = 0
        self.is_usable = code.instructions[index].operation.name == "stablehlo.while"
        if self.is_usable:
            try:
                self.blocks = BlockSet(codes_within(code, index))
            except KernelError:
                self.is_usable = False
            self.is_usable = self.is_usable and all(
                block_index(inner_code).is_pure for inner_code in self.blocks.codes
            )
            inner_codes = (inner_code for inner_code in self.blocks.codes if inner_code.values is code.values)
            self.inside = tuple(register for inner_code in inner_codes for register in inner_code.defined_at)

    @cached_property
    def scanning(self) -> _Loop:
        """The same loop, searched for NaN and infinities."""
        return _Loop(*self._place, SCANNING)

    def generated(self, outer: Frame, linker: Any) -> TracedLoop | None:
        """Returns the loop's code once some rounds were seen."""
        if self._to_see:
            self._to_see -= 1
            if self._to_see:
                return None
            self._traced = generate_traced_loop(outer.code, outer.index, linker, self.probes)
            self.is_usable = self._traced is not None
        return self._traced

    def give_up(self) -> None:
        """Has the loop be stepped through from now on."""
        self.is_usable = False

    def note_hit(self, rounds: int) -> None:
        """Notes that a probe hit after so many rounds. The loop is stepped through once that is so in nearly
        every round.
        """
        self._hits = self._hits + 1 if rounds <= FEW_ROUNDS else 0
        if self._hits > MOST_HITS:
            self.give_up()

    def note(self, rounds: int, steps: int, seconds: float) -> None:
        """Chooses how many rounds to run at a time, after so many that took so long."""
        if seconds > 2 * SECONDS or steps > MOST_STEPS:
            self.rounds = max(1, rounds // 2)
            if rounds == 1 and seconds > LONGEST_ROUND:
                self.give_up()
        elif rounds == self.rounds and seconds < SECONDS / 2 and steps < MOST_STEPS / 2:
            self.rounds *= 2


class _Paths:
    """Paths that traced code of a program records, as program points of a session by their numbers."""

    def __init__(self, program: Program, points: ProgramPoints) -> None:
        self.points = points
        self._segments = segments_of(program)
        self._layout: TracedLayout | None = None

    def _numbered(self) -> tuple[TracedLayout, Array]:
        """Returns the segments that there are now, and the numbers of their points."""
        layout = self._segments.layout()
        if layout is not self._layout:
            self._layout = layout
            firsts = np.array([self.points.number(code, 0) for code in layout.codes], np.int32)
            self._numbers = firsts[layout.blocks] + layout.instructions
        return layout, self._numbers

    def steps(self, path: array[int]) -> int:
        """Returns how many steps a path has."""
        return int(self._segments.layout().lengths[np.frombuffer(path, np.int32)].sum())

    def last_point(self, path: array[int]) -> int:
        """Returns the point from which the last step was taken."""
        layout = self._segments.layout()
        segment = next(candidate for candidate in reversed(path) if layout.lengths[candidate])
        at = layout.starts[segment] + layout.lengths[segment] - 1
        return self.points.number(layout.codes[layout.blocks[at]], int(layout.instructions[at]))

    def blocks(
        self, path: array[int], depth: int, behind: list[tuple[int, int]], count: int, first: int | None
    ) -> list[TraceBlock]:
        """Returns `count` steps as blocks: those of a path that was called in frame number `depth`, and which
        ended where `behind` says (numbers and depths), after the last one or the last two of them. Rounds of
        a loop that are the same begin with segment `first`.
        """
        repeated = None
        if first is not None and len(path) >= FEWEST_ROUNDS:
            repeated = self._repeated(np.frombuffer(path, np.int32), depth, first)
        if repeated is None:
            return [self._block(path, depth, behind, count)]
        block, rest = repeated
        left, unit = count - block.count, block.unit
        if left == len(unit.numbers) and rest == path[: len(rest)] and behind == [unit.last]:
            return [RepeatedBlock(unit, block.repeats + 1)]
        return [block, self._block(rest, depth, behind, left)]

    def _repeated(self, path: Array, depth: int, first: int) -> tuple[RepeatedBlock, array[int]] | None:
        """Returns the rounds at the beginning of a path that are the same, and the rest of it."""
        size = int((path[1:] == first).argmax()) + 1
        rounds = path[: len(path) // size * size].reshape(-1, size)
        same = (rounds == rounds[0]).all(axis=1)
        count = len(rounds) if same.all() else int(same.argmin())
        count -= count * size == len(path)  # the last step leads to somewhere else, maybe
        if count < FEWEST_ROUNDS or path[0] != first or path[count * size] != first:
            return None
        if self._segments.layout().shifts[rounds[0]].sum():
            return None
        numbers, depths = self.visited(rounds[0], depth)
        unit = TraceRows(np.roll(numbers, -1), np.roll(depths, -1))
        return RepeatedBlock(unit, count), array("i", path[count * size :].tobytes())

    def _block(self, path: array[int], depth: int, behind: list[tuple[int, int]], count: int) -> TraceBlock:
        """Returns the steps of a path as one block."""
        data = path if len(path) < FEWEST_PACKED else zlib.compress(path, 1)

        def expand() -> TraceRows:
            numbers, depths = self.visited(zlib.decompress(data) if isinstance(data, bytes) else data, depth)
            added = np.array(behind, np.int32)
            return TraceRows(np.append(numbers[1:], added[:, 0]), np.append(depths[1:], added[:, 1]))

        before = behind[-2][0] if len(behind) > 1 else self.last_point(path)
        return TraceBlock(count, expand, (before, behind[-1][0]))

    def visited(self, path: array[int] | Array | bytes, depth: int) -> tuple[Array, Array]:
        """Returns the points from which steps were taken, and how many frames were open; the code was called
        in frame number `depth`.
        """
        (layout, points), segments = self._numbered(), np.frombuffer(path, np.int32)
        lengths = layout.lengths[segments]
        ends = lengths.cumsum()
        places = (layout.starts[segments] - ends + lengths).repeat(lengths)
        places += np.arange(len(places))
        numbers, depths = points[places], layout.depths[places]
        depths += depth
        if layout.has_shifts:
            depths += layout.shifts[segments].cumsum(dtype=np.int32).repeat(lengths)
        return numbers, depths

    def rounds_within(self, rounds: Rounds, first: int, most: int) -> int:
        """Returns how many of the rounds, which begin with segment `first`, take no more than `most` steps
        together.
        """
        layout, path = self._segments.layout(), np.frombuffer(rounds.path, np.int32)
        lengths = layout.lengths[path]
        before = lengths.cumsum() - lengths
        return int(bisect_right(before[path == first].tolist(), most)) - 1


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
