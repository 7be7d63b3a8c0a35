"""Values of a run of the entry function: of its operations, and on entry to regions and functions inside."""

from __future__ import annotations

from collections import deque
from itertools import chain
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.interpreter import RunOptions
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.execution import make_process
from shlo.interpreter.program.liveness import captures_of
from shlo.interpreter.runtime.program_output import drop_output
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.types import Type
from shlo.reduction.candidate import Candidate, Execution, Values
from shlo.runner.errors import RequestError

MOST_BYTES: Final = 2 << 30
"""Bytes of values that are kept."""

MOST_EXECUTIONS: Final = 64
"""How many first, and how many last, executions of all regions are kept."""

MOST_STEPS: Final = 2_000_000
"""Operations after which values are random, not captured."""


def captured(candidate: Candidate, steps: int = MOST_STEPS) -> Candidate:
    """Returns the candidate with the values that a run of the interpreter gives, as far as it comes in a
    number of `steps`, at most MOST_STEPS; nothing is known of what was not reached, or does not fit into
    memory.
    """
    capture = _Capture(candidate, min(steps, MOST_STEPS))
    capture.run()
    return replace(candidate, values=capture.values, executions=(*capture.first, *capture.last))


def arguments_of(candidate: Candidate) -> list[Any]:
    """Returns what the entry function is called with: what is known, else random values."""
    types = candidate.body.values.types
    values = candidate.values
    return [
        values[argument] if argument in values else random_value(types[argument], argument)
        for argument in candidate.block.arguments
    ]


def random_value(type_: Type, seed: int) -> Array:
    """Returns a random value of a tensor's type; raises RequestError where there is none."""
    from shlo.ir.types import RankedTensorType
    from shlo.runner.arguments.literals import random_tensor

    if not isinstance(type_, RankedTensorType):
        raise RequestError(f"expected a tensor, of which a value can be made up, got {type_}")
    return random_tensor(type_, f"value {seed}", np.random.default_rng(seed))


class _Capture:
    """One run, step by step."""

    def __init__(self, candidate: Candidate, steps: int) -> None:
        self._candidate, self._steps = candidate, steps
        self._left = MOST_BYTES
        self.values: dict[int, Any] = dict(candidate.values)
        self.first: list[Execution] = []
        self.last: deque[Execution] = deque(maxlen=MOST_EXECUTIONS)

    def run(self) -> None:
        """Runs to the end, or as far as it goes."""
        candidate = self._candidate
        try:
            arguments = arguments_of(candidate)
            self.values.update(zip(candidate.block.arguments, arguments))
            options = RunOptions(entry=candidate.entry, output=drop_output)
            process = make_process(candidate.module, arguments, options)
            process.keeps_values = True
            while process.status == "ready" and process.steps < self._steps:
                frames = process.frames
                if len(frames) == 2 and frames[1].index == 0:
                    self._enter(frames[0], frames[1])
                step = process.step()
                if len(process.frames) <= 1:
                    for number, value in step.results:
                        self._keep(number, value)
        except (ExecutionError, RequestError, ValueError):
            return  # what was captured so far is good

    def _keep(self, number: int, value: Any) -> None:
        size = int(getattr(value, "nbytes", 0))
        if number not in self.values and size <= self._left and hasattr(value, "dtype"):
            self._left -= size
            self.values[number] = np.asarray(value)

    def _enter(self, outer: Frame, inner: Frame) -> None:
        """Keeps the values with which a region or function directly in the entry function is entered."""
        operation = outer.instruction.operation
        numbers = chain(inner.code.arguments, captures_of(operation, outer.code.values))
        values: dict[int, Any] = {}
        for number in numbers:
            value = inner.registers[number] if number < len(inner.registers) else None
            if hasattr(value, "dtype"):
                values[number] = np.asarray(value)
        execution = outer.index, -1 if inner.region is None else inner.region, values
        if len(self.first) < MOST_EXECUTIONS:
            self.first.append(execution)
        else:
            self.last.append(execution)


def values_of(candidate: Candidate, execution: Execution) -> Values:
    """Returns the values of a region's execution, with those of the entry function around it."""
    return {**candidate.values, **execution[2]}
