"""Rounds of a loop in all of which an element that it carries is not finite."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from shlo.debugger.replay.block_index import BlockSet
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.spans import Armed
from shlo.interpreter.jit.traced import Probe, Probes
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.runner.statistics import is_finite
from shlo.support.cancellation import checkpoint

if TYPE_CHECKING:
    from shlo.debugger.provenance.chain import ChainElement


def first_nonfinite_round(fork: ReplayCursor, element: ChainElement) -> tuple[int, int] | None:
    """Returns the first of the rounds, up to that of an element of an argument of the loop's region, in all
    of which the argument's element is not finite, and the position where that begins; None where it is not
    found faster than by following each. Takes one pass from the beginning of the loop, with probes in
    generated code. Moves the fork.
    """
    outside, history = element.code.outside, fork.history
    if outside is None or not fork.grid.is_alone or history.has_edits or history.replayed > element.position:
        return None
    if outside[0].instructions[outside[1]].kind is not Kind.WHILE:
        return None
    trace, number = fork.trace, fork.points.number(*outside)
    entered = trace.positions[trace.last_visit(number, element.depth - 1, trace.step_at(element.position))]
    starts = trace.visits(element.code, 0, element.depth)
    starts = starts[bisect_right(starts, entered) : bisect_right(starts, element.position)]
    if len(starts) != element.iteration + 1 or starts[-1] != element.position:
        return None
    watch = _Watch(element, outside)
    fork.go(entered)
    while fork.position < element.position:
        checkpoint()
        if not fork.forward_many(watch.armed, element.position - fork.position) and not fork.forward():
            return None
        watch.look(fork)
    first = watch.last_finite + 1
    return (first, starts[first]) if first < element.iteration else None


class _Watch:
    """Notes the last round, before that of an element, at whose beginning it is finite."""

    def __init__(self, element: ChainElement, loop: tuple[CodeBlock, int]) -> None:
        self.last_finite = -1
        self._element = element
        self._loop = loop
        self._first = 0
        probe = Probe(self._ask, (element.register,), takes_round=True)
        self._probes = Probes(
            before=lambda code, index: probe if code is element.code and index == 0 else None,
            kept=lambda function: (element.register,) if function is element.code.function else (),
            begin=self._begin,
        )
        self.armed = Armed(lambda blocks: element.code in blocks.codes, lambda frame: (), self._in_rounds)

    def look(self, fork: ReplayCursor) -> None:
        """Looks at the element where the process is at the beginning of a round."""
        frame = fork.process.frames[-1]
        is_there = frame.code is self._element.code and frame.index == 0
        if is_there and len(fork.process.frames) == self._element.depth:
            self._note(frame.iteration, frame.registers[self._element.register])

    def _begin(self, first: int) -> None:
        self._first = first

    def _ask(self, passed: int, value: Value) -> None:
        self._note(self._first + passed, value)

    def _note(self, number: int, value: Value) -> None:
        number_at: Any = np.asarray(value)[self._element.index]
        is_native = number_at.dtype.kind in "fc"  # which NumPy answers faster for itself
        if number < self._element.iteration and (np.isfinite if is_native else is_finite)(number_at):
            self.last_finite = max(self.last_finite, number)

    def _in_rounds(self, code: CodeBlock, index: int, blocks: BlockSet) -> Probes | None:
        return self._probes if (code, index) == self._loop else None
