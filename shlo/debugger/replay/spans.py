"""Spans of a block: instructions that follow each other, with the control flow among them, that may run at
once as generated code.

What is known of a block's spans is kept with the block, for all sessions.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Collection
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from msgspec import Struct

from shlo.debugger.replay.block_index import BlockSet, block_index
from shlo.debugger.replay.scanning import SCANNING
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.jit.traced import (
    NO_PROBES,
    CannotTrace,
    OutOfRounds,
    ProbeHit,
    Probes,
    TracedSpan,
    generate_traced_span,
)
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.nested_code import codes_within

MOST_BYTES: Final = 64 << 20
"""How many bytes the results in a span have, about, so that it does not take long."""

MOST_INSTRUCTIONS: Final = 1000
"""How many instructions a span has of its block, at most."""

MOST_SPANS: Final = 64
"""How many spans of a block are generated at most."""

MOST_HITS: Final = 3
"""How often probes may end a call of a span's code."""

PASSES: Final = 10
"""How often a span in a region is passed before it is generated: loops without breakpoints are by then."""


class Armed(Struct, frozen=True):
    """The instructions before which to stop: whether blocks have any; those that the innermost frame, as it
    is now, may stop at before its block ends; probes that raise ProbeHit before any of some blocks in rounds
    of the loop at an instruction, the same object while these stay the same, None where there are no such
    probes.
    """

    within: Callable[[BlockSet], bool]
    ahead: Callable[[Frame], Collection[int]]
    in_rounds: Callable[[CodeBlock, int, BlockSet], Probes | None]


UNARMED: Final = Armed(lambda blocks: False, lambda frame: (), lambda code, index, blocks: None)


class BlockSpan:
    """Instructions of a block from one up to another, and how they run."""

    def __init__(self, spans: BlockSpans, start: int, end: int, probes: Probes) -> None:
        self._spans = spans
        self._start = start
        self._end = end
        self._probes = probes
        self._hits = 0
        self._passes = 0
        self._is_usable = True
        self.steps = end - start
        """How many steps it took last."""
        self.traced: TracedSpan | None = None

    def generated(self, linker: Any) -> TracedSpan | None:
        """Counts a pass; returns the span's code once there were enough."""
        if self.traced is None and self._is_usable:
            self._passes += 1
            if self._passes > self._spans.passes_before(self._start, self._end):
                self._is_usable = self._spans.may_generate()
                if self._is_usable:
                    self._generate(linker)
        return self.traced

    def _generate(self, linker: Any) -> None:
        code = self._spans.code
        try:
            self.traced = generate_traced_span(code, self._start, self._end, linker, self._probes)
        except CannotTrace as error:
            self._spans.exclude(error.index)
        self._is_usable = self.traced is not None

    @cached_property
    def unbound(self) -> tuple[int, ...]:
        """The registers of values that are bound inside only."""
        code, traced = self._spans.code, self.traced
        bound_outside = () if traced is None else traced.bound
        bound = [
            register
            for instruction in code.instructions[self._start : self._end]
            for register in instruction.results
        ]
        for at in range(self._start, self._end):
            for inner in self._spans.blocks_of(at):
                if inner.values is code.values:
                    bound += inner.defined_at
        return tuple(dict.fromkeys(register for register in bound if register not in bound_outside))

    @cached_property
    def bytes(self) -> int:
        """How many bytes the results in it have, about."""
        return self._spans.bytes_between(self._start, self._end)

    def fail(self, error: Exception, path: array[int]) -> None:
        """Notes that its code raised an error: what takes too many rounds is stepped into from now on, and
        where probes hit again and again, no code runs any more.
        """
        if isinstance(error, ProbeHit):
            self._hits += 1
            if self._hits > MOST_HITS:
                self._is_usable, self.traced = False, None
        if isinstance(error, OutOfRounds) and self.traced is not None:
            owners = self.traced.owners
            at = next((owners[number] for number in reversed(path) if number in owners), None)
            if at is not None:
                self._spans.exclude(at)

    def divide(self) -> None:
        """Has its two halves run by themselves, as it takes long."""
        if self._end - self._start > 1:
            self._spans.divide((self._start + self._end) // 2)


class BlockSpans:
    """Which instructions of a block may run at once."""

    def __init__(self, code: CodeBlock) -> None:
        self.code = code
        self._spans: dict[tuple[int, int, bool], BlockSpan] = {}
        self._within: dict[int, BlockSet] = {}  # of the control flow that spans may hold
        self._flow: list[int] = []
        self._excluded: list[int] = []  # the instructions that no span holds
        self._cuts: list[int] = []  # the instructions at which spans end
        self._generated = 0
        for index in block_index(code).barriers:
            blocks = _blocks_within(code, index)
            if blocks is None:
                self._excluded.append(index)
            else:
                self._within[index] = BlockSet(blocks)
                self._flow.append(index)
        self._within_any = BlockSet(
            dict.fromkeys(code for blocks in self._within.values() for code in blocks.codes)
        )
        self._limits: dict[int, int] = {}
        self._bytes = [0, *accumulate(map(self._size, range(len(code.instructions))))]

    def _size(self, index: int) -> int:
        inner = (instruction.size for code in self.blocks_of(index) for instruction in code.instructions)
        return self.code.instructions[index].size + sum(inner)

    def bytes_between(self, start: int, end: int) -> int:
        """Returns how many bytes the results of the instructions from one up to another have, about."""
        return self._bytes[end] - self._bytes[start]

    def blocks_of(self, index: int) -> tuple[CodeBlock, ...]:
        """Returns the blocks that an instruction which is control flow holds or calls."""
        return self._within[index].codes if index in self._within else ()

    def end(self, start: int, stops: Collection[int], armed: Armed) -> int:
        """Returns where a span that begins at an instruction ends at the latest, before an instruction of
        `stops` or one with armed ones inside; the same instruction where there is none.
        """
        end = min((stop for stop in stops if start < stop), default=sys.maxsize)
        end = min(end, self.limit(start))
        if not armed.within(self._within_any):
            return end
        for at in self._flow[bisect_left(self._flow, start) :]:
            if at >= end:
                break
            if armed.within(self._within[at]):
                return at
        return end

    def limit(self, start: int) -> int:
        """Returns where a span that begins at an instruction ends at the latest, wherever to stop."""
        end = self._limits.get(start)
        if end is None:
            end = min(len(self.code.instructions), start + MOST_INSTRUCTIONS)
            end = _first(self._excluded, start, end)
            end = _first(self._cuts, start + 1, end)
            if end > start:
                most = bisect_left(self._bytes, self._bytes[start] + MOST_BYTES, start, end)
                end = max(start + 1, most)
            self._limits[start] = end
        return end

    def span(self, start: int, end: int, scans: bool) -> BlockSpan | None:
        """Returns a span, one that searches for NaN and infinities on request; None for a kernel alone."""
        if end - start < 2 and (end == start or start not in self._within):
            return None
        span = self._spans.get((start, end, scans))
        if span is None:
            probes = SCANNING if scans else NO_PROBES
            span = self._spans[start, end, scans] = BlockSpan(self, start, end, probes)
        return span

    def passes_before(self, start: int, end: int) -> int:
        """Returns how often a span is passed before it is generated: as often as functions and loops are run
        before they are (see jit.compile).
        """
        size = (
            end
            - start
            + sum(len(code.instructions) for at in range(start, end) for code in self.blocks_of(at))
        )
        is_function = self.code is self.code.function.code
        return 1 + size // 1000 if is_function else PASSES + size // 40

    def may_generate(self) -> bool:
        """Counts a span that is generated; returns False where there are too many."""
        self._generated += 1
        return self._generated <= MOST_SPANS

    def exclude(self, index: int) -> None:
        """Lets no span hold an instruction from now on."""
        if index not in self._excluded:
            insort(self._excluded, index)
            self._limits.clear()

    def divide(self, index: int) -> None:
        """Lets spans end at an instruction from now on."""
        if index not in self._cuts:
            insort(self._cuts, index)
            self._limits.clear()


def block_spans(code: CodeBlock) -> BlockSpans:
    """Returns what is known of a block's spans."""
    index = block_index(code)
    if not isinstance(index.spans, BlockSpans):
        index.spans = BlockSpans(code)
    return index.spans


def _first(numbers: list[int], start: int, end: int) -> int:
    """Returns the first of sorted numbers from `start` on and below `end`, else `end`."""
    at = bisect_left(numbers, start)
    return min(end, numbers[at]) if at < len(numbers) else end


def _blocks_within(code: CodeBlock, index: int) -> tuple[CodeBlock, ...] | None:
    """Returns the blocks that an instruction holds or calls, None where something in them must not be carried
    out more than once or concerns other processes.
    """
    instruction = code.instructions[index]
    if (
        instruction.kind not in (Kind.WHILE, Kind.BRANCH, Kind.CALL)
        or instruction.operation.name == "scf.while"
    ):
        return None
    try:
        blocks = tuple(codes_within(code, index))
    except KernelError:
        return None
    return blocks if all(block_index(block).is_pure for block in blocks) else None
