"""Follows a run with shadows: makes those of each step's results, and says what digits the step loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, program_of
from shlo.interpreter.semantics import Semantics
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.shadow.measures import (
    FEWEST,
    digits_lost,
    errors_relative_to,
    is_measured,
    overall_error,
    precision_of,
    relative_errors,
)
from shlo.shadow.rules import Rule, ShadowedStep, WideProgram, is_elementwise, rule_of
from shlo.shadow.values import ShadowValues
from shlo.shadow.widening import widened_value

Cause = Literal["cancellation", "rounding", "amplification", "overflow", "narrowing"]

SENTENCES: Final[dict[Cause, str]] = {
    "cancellation": "catastrophic cancellation",
    "rounding": "its own rounding",
    "amplification": "errors of its operands become larger",
    "overflow": "overflow",
    "narrowing": "conversion to fewer digits",
}
"""Why an operation loses digits."""


NARROWING: Final = frozenset({"stablehlo.convert", "stablehlo.reduce_precision"})
"""Operations that take digits away on purpose."""


class Pair(Struct, frozen=True):
    """An element and its shadow, with the name of its value in the source, without `%`."""

    name: str
    value: Any
    shadow: Any


class Loss(Struct, frozen=True):
    """What digits an operation loses in one execution: those of its worst element.

    Args:
        here: how many it loses itself.
        overall: how many it loses itself of the tensor as a whole, by the root of the mean square error.
        total: how many its result lacks, with what its operands lacked before.
        digits: how many the widest of its types has.
        cause: why it loses them.
        count: how many elements lose at least `FEWEST` here.
        index: where the worst element is.
        element: that element.
        operands: the operands' elements at the same place, of an elementwise operation.
        terms: how large the terms are together that it adds up, None where it adds up none.
    """

    here: float
    overall: float
    total: float
    digits: float
    cause: Cause
    count: int
    index: tuple[int, ...]
    element: Pair
    operands: tuple[Pair, ...] = ()
    terms: float | None = None

    @property
    def rank(self) -> tuple[bool, float, float, float]:
        """Less for a loss that is told before another one."""
        return self.cause == "narrowing", -self.overall, -self.here, -self.total


class _Result(Struct, frozen=True):
    """A floating-point result of a step in f64, beside its shadow; `errors` are relative to that, `unit` is
    the rounding error of the most precise type that the step has, `least` the smallest normal number of its
    own.
    """

    number: int
    value: Array
    shadow: Array
    errors: Array
    unit: float
    least: float


class ShadowTracker:
    """Follows the steps of one process from its start, one thread at a time.

    Args:
        module: the program.
        semantics: whose results kernels compute.
        fewest: from how many digits on a step is a loss.
    """

    def __init__(self, module: Module, semantics: Semantics = "spec", fewest: float = FEWEST) -> None:
        self.values = ShadowValues()
        self._fewest = fewest
        self._wide = WideProgram(program_of(module, semantics), module)
        self._rules: dict[tuple[int, int], tuple[CodeBlock, Rule | None]] = {}
        self.has_shadow = True
        """Whether the results of the last step have shadows, or need none."""

    def step(
        self, code: CodeBlock, index: int, operands: Sequence[Any], results: Sequence[Any]
    ) -> Loss | None:
        """Notes an instruction that a kernel has carried out, in the context of the run; returns what digits
        it loses, None for less than the fewest.
        """
        self.has_shadow = True
        if self._rule(code, index) is None:
            return None
        shadows = [self.values.of(operand) for operand in operands]
        step = ShadowedStep(code, index, operands, shadows, results)
        losses: list[Loss] = []
        for number, (value, shadow) in enumerate(zip(results, self._shadows_of_results(step))):
            if not is_measured(value):
                continue
            self.values.put(value, shadow)
            loss = self._loss(step, number, np.asarray(value), np.asarray(shadow))
            if loss is not None:
                losses.append(loss)
        return max(losses, key=lambda loss: loss.here, default=None)

    def _rule(self, code: CodeBlock, index: int) -> Rule | None:
        key = id(code), index
        cached = self._rules.get(key)
        if cached is None:
            cached = self._rules[key] = code, rule_of(code, index)
        return cached[1]

    def _shadows_of_results(self, step: ShadowedStep) -> Sequence[Any]:
        """Returns the shadows of results: the results themselves where there are no others."""
        computed = self._computed(step, step.shadows)
        if computed is not None and list(map(np.shape, computed)) == list(map(np.shape, step.results)):
            return computed
        self.has_shadow = all(map(self.values.has, step.results))
        return [self.values.of(result) for result in step.results]

    def _computed(self, step: ShadowedStep, operands: Sequence[Any]) -> Sequence[Any] | None:
        """Returns the results of a step on operands in f64, None where there are none."""
        rule = self._rule(step.code, step.index)
        try:
            return None if rule is None else rule(self._wide, step, operands)
        except KernelError:
            return None

    def _loss(self, step: ShadowedStep, number: int, value: Array, shadow: Array) -> Loss | None:
        precision, wide = precision_of(value.dtype), widened_value(value)
        units = [
            precision_of(np.asarray(operand).dtype).unit for operand in step.operands if is_measured(operand)
        ]
        unit = min([precision.unit, *units])
        errors = relative_errors(wide, shadow, precision.least)
        if float(errors.max()) < unit * 10**self._fewest:
            return None
        return self._diagnosed(step, _Result(number, wide, shadow, errors, unit, precision.least))

    def _diagnosed(self, step: ShadowedStep, result: _Result) -> Loss | None:
        """Returns the loss of a step whose result lacks digits, None where its operands lacked them."""
        shadow, unit = result.shadow, result.unit
        computed = self._computed(step, list(map(widened_value, step.operands)))
        on_real = None if computed is None else np.asarray(computed[result.number])
        terms = None if result.number else self._wide.magnitudes(step.code, step.index, step.operands)
        if terms is None or on_real is None:
            inherited, carried = _errors_of_operands(step, result)
        else:
            terms = np.broadcast_to(np.abs(terms), shadow.shape)
            inherited = errors_relative_to(on_real, shadow, np.maximum(terms, result.least))
            carried = overall_error(on_real, shadow, terms)
        total = digits_lost(result.errors, unit)
        here = np.where(np.isfinite(shadow), total - digits_lost(inherited, unit), 0.0)
        position = np.unravel_index(int(here.argmax()), here.shape)
        index = tuple(int(axis_index) for axis_index in position)
        if float(here[index]) < self._fewest:
            return None
        overall = overall_error(result.value, shadow, shadow)
        return Loss(
            float(here[index]),
            max(0.0, float(digits_lost(overall, unit) - digits_lost(carried, unit))),
            float(total[index]),
            float(-np.log10(unit)),
            _cause(step, result, index, on_real, terms),
            int(np.count_nonzero(here >= self._fewest)),
            index,
            Pair(
                _name(step.code, step.code.instructions[step.index].results[result.number]),
                result.value[index],
                shadow[index],
            ),
            _operands_at(step, shadow.shape, index),
            None if terms is None else float(terms[index]),
        )


def _errors_of_operands(step: ShadowedStep, result: _Result) -> tuple[Any, float]:
    """Returns the errors that operands have: at each element for an elementwise operation, else the largest
    of all; and the largest of a tensor as a whole. What is lost below the range of an operand's type is an
    error where the result's type has that range.
    """
    worst: Any = 0.0
    overall = 0.0
    for value, other in zip(step.operands, step.shadows):
        if not is_measured(value):
            continue
        wide, least = widened_value(value), precision_of(np.asarray(value).dtype).least
        errors = relative_errors(wide, np.asarray(other), min(least, result.least))
        fits = is_elementwise(step.operation.name) and errors.shape == result.shadow.shape
        worst = np.maximum(worst, errors if fits else errors.max())
        overall = max(overall, overall_error(wide, other, other))
    return worst, overall


def _operands_at(step: ShadowedStep, shape: tuple[int, ...], index: tuple[int, ...]) -> tuple[Pair, ...]:
    """Returns the elements of operands at an index, of an elementwise operation."""
    if not is_elementwise(step.operation.name):
        return ()
    registers = step.code.instructions[step.index].operands
    return tuple(
        Pair(_name(step.code, register), np.asarray(widened_value(value))[index], np.asarray(shadow)[index])
        for register, value, shadow in zip(registers, step.operands, step.shadows)
        if np.shape(value) == shape
    )


def _cause(
    step: ShadowedStep, result: _Result, index: tuple[int, ...], on_real: Array | None, terms: Array | None
) -> Cause:
    value, shadow = result.value[index], result.shadow[index]
    if not np.isfinite(value) and (on_real is None or np.isfinite(on_real[index])):
        return "overflow"
    if step.operation.name in NARROWING:
        return "narrowing"
    if on_real is None:
        return "rounding"
    if terms is not None and terms[index] >= 10**FEWEST * abs(shadow):
        return "cancellation"
    return "rounding" if abs(value - on_real[index]) >= abs(on_real[index] - shadow) else "amplification"


def _name(code: CodeBlock, register: int) -> str:
    return code.values.names[register]
