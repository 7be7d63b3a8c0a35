"""Which of two sides is nearer to the exact value, and whether there is one to agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

import numpy as np
from msgspec.structs import replace

from shlo.divergence.findings import ChaoticLoop, DivergenceFinding, Judgement, relative_error
from shlo.engines import Engine, EngineError, engine_of
from shlo.interpreter.execution import make_grid
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import Kind
from shlo.interpreter.runtime.program_output import drop_output
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array, float_limits
from shlo.ir.operations import Module
from shlo.runner.statistics import is_floating, tensor_of
from shlo.shadow.widening import widened_module, widened_value

By = Literal["f64", "reference"]
"""Who computes in float64: the interpreter, or the reference, whose operations are rounded correctly."""

ZERO: Final = 2.0**-20
"""A value in float64 that is a smaller part than this of one in a narrower type is rounding, as that is."""

LEAST_ITERATIONS: Final = 8
LEAST_GROWTH: Final = 1.1
"""How much a small change grows in an iteration of a loop that is called chaotic."""


class Judge:
    """Computes programs with float64 in place of narrower types, each once."""

    def __init__(self, by: By, sides: tuple[str, str]) -> None:
        self._by, self._sides = by, sides
        self._engine: Engine = engine_of("reference" if by == "reference" else "interpreter")
        self._exact: dict[int, tuple[Module, tuple[Any, ...] | str]] = {}

    def judged(
        self,
        finding: DivergenceFinding,
        module: Module,
        inputs: Sequence[Any],
        options: RunOptions | None = None,
    ) -> DivergenceFinding:
        """Returns a finding with what the exact values of its worst elements say; one of a result of a
        program.
        """
        if not finding.worst:
            return finding
        exact = self._results(module, inputs, options or RunOptions())
        if isinstance(exact, str):
            return replace(finding, judgement=Judgement(self._by, note=exact))
        array = tensor_of(exact[finding.result])
        if array is None or not is_floating(array):
            return finding
        return replace(finding, judgement=self._judgement(finding, array))

    def _results(self, module: Module, inputs: Sequence[Any], options: RunOptions) -> tuple[Any, ...] | str:
        """Returns the results in float64, or why there are none."""
        known = self._exact.get(id(module))
        if known is None:
            try:
                wide = [widened_value(np.asarray(value)) for value in inputs]
                exact = self._engine.execute(widened_module(module), wide, options)
            except (EngineError, ExecutionError) as error:
                exact = f"float64 says nothing: {error}"
            known = self._exact[id(module)] = module, exact
        return known[1]

    def _judgement(self, finding: DivergenceFinding, exact: Array) -> Judgement:
        values = tuple(exact[element.index] for element in finding.worst)
        with np.errstate(all="ignore"):
            apart = [
                float(np.max(np.abs([side - value for side, value in zip(sides, values)])))
                for sides in zip(*((element.one, element.other) for element in finding.worst))
            ]
        one, other = (distance if np.isfinite(distance) else np.inf for distance in apart)
        nearer = "" if one == other else self._sides[0] if one < other else self._sides[1]
        return Judgement(
            self._by,
            tuple(map(complex, values)),
            (float(one), float(other)),
            nearer,
            _zero_note(finding, values),
        )


def _zero_note(finding: DivergenceFinding, values: Sequence[Any]) -> str:
    """Returns that elements are zero in exact arithmetic, empty where they are not."""
    smallest = min(min(abs(element.one), abs(element.other)) for element in finding.worst)
    largest = max(float(abs(value)) for value in values)
    if not smallest or not largest < ZERO * smallest:
        return ""
    sizes = f"at least {smallest:.1e} on both sides, at most {largest:.1e} in float64"
    return f"zero in exact arithmetic, as terms cancel: {sizes}"


def chaotic_loops(module: Module, inputs: Sequence[Any], options: RunOptions) -> list[ChaoticLoop]:
    """Returns the loops in which a change of the last bit of the arguments grows until half of the digits
    are lost: each in its first execution.
    """
    quiet = replace(options, output=drop_output, profile=None, progress=None)
    chaotic: dict[int, ChaoticLoop] = {}
    for toward in (np.inf, -np.inf):
        for key, loop in _disturbed_loops(module, inputs, quiet, toward).items():
            if _is_chaotic(loop) and (key not in chaotic or loop.growth > chaotic[key].growth):
                chaotic[key] = loop
    return list(chaotic.values())


def _disturbed_loops(
    module: Module, inputs: Sequence[Any], options: RunOptions, toward: float
) -> dict[int, ChaoticLoop]:
    """Returns how far loops are apart where each number of the arguments is replaced by the next one."""
    loops: dict[int, ChaoticLoop] = {}
    disturbed = [_next_number(value, toward) for value in inputs]
    with suppress(ExecutionError, ValueError):  # the changed run fails
        for one, other in zip(_carried(module, inputs, options), _carried(module, disturbed, options)):
            if one[:2] != other[:2]:
                break
            _note(loops, one, other)
    return loops


_Carried = tuple[int, int, str, list[Any]]
"""A loop, the iteration that begins, its operation with its place, and what it carries."""


def _carried(module: Module, inputs: Sequence[Any], options: RunOptions) -> Iterator[_Carried]:
    """Yields what loops carry at the beginning of each iteration."""
    grid = make_grid([module], [inputs], options)
    while (number := grid.next_process) is not None:
        frames = grid.processes[number].frames
        frame = frames[-1]
        if len(frames) > 1 and frame.index == 0 and frames[-2].instruction.kind is Kind.WHILE:
            below = frames[-2]
            name = below.instruction.operation.name
            title = f"{below.place}: {name}" if below.place else name
            if frame.region == 1:
                values = [frame.registers[argument] for argument in frame.code.arguments]
                yield id(frame.code), frame.iteration, title, values
        grid.step(number)


def _note(loops: dict[int, ChaoticLoop], one: _Carried, other: _Carried) -> None:
    """Takes what two runs carry into an iteration."""
    key, iteration, title, values = one
    arrays = [array for value in values if (array := tensor_of(value)) is not None]
    errors = [
        relative_error(array, value)
        for array, value in zip(arrays, other[3])
        if is_floating(array) and array.size
    ]
    loop = loops.get(key)
    if not errors or (loop is not None and iteration != loop.iterations + 1):
        return  # it is executed again
    error = max(errors)
    if loop is None:
        epsilon = max(float_limits(array.dtype).epsilon for array in arrays if is_floating(array))
        loops[key] = ChaoticLoop(title, iteration, error, error, epsilon)
    else:
        loop.iterations, loop.last = iteration, max(loop.last, error)


def _is_chaotic(loop: ChaoticLoop) -> bool:
    is_long = loop.iterations >= LEAST_ITERATIONS and loop.first > 0
    return is_long and loop.last > loop.epsilon**0.5 and loop.growth >= LEAST_GROWTH


def _next_number(value: Any, toward: float) -> Any:
    """Returns a tensor with each floating-point number replaced by the next one in a direction."""
    array = np.asarray(value)
    if not is_floating(array) or array.dtype.kind == "c":
        return value
    return np.nextafter(array, np.asarray(toward, array.dtype))
