"""Findings of the sanitizer that reach no result: what a program computes at odds with the specification's
limits, and does not use, as an element read behind the end of an array that a predicate then leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np
from msgspec.structs import replace

from shlo.dialects.struct_attributes import GatherDimensionNumbers
from shlo.interpreter.execution import make_process
from shlo.interpreter.kernel_steps import KernelStep, kernel_steps
from shlo.interpreter.options import RunOptions
from shlo.interpreter.runtime.program_output import drop_output
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.sanitizer.findings import Finding, Findings
from shlo.sanitizer.objections import Objection
from shlo.sanitizer.run import objections
from shlo.sanitizer.steps import OperationStep
from shlo.support.cancellation import checkpoint

_DISTURBED: Final = frozenset(("clamped", "divided", "wrapped"))
"""Checks whose elements get other values, to see whether results depend on them."""

_MOST_STEPS: Final = 8
"""How many times as many steps as the operations of the first run a disturbed one may take."""

_MOST_SINGLE: Final = 8
"""How many findings are looked at one by one, where not all of them are unused."""

Disturbance = Callable[[Array], Array]


def unused_findings(
    findings: Findings,
    module: Module,
    arguments: Sequence[Any],
    new_options: Callable[[], RunOptions],
    results: Sequence[Any],
) -> list[Finding]:
    """Returns the findings that reach no result: the program gives the same with other values in the place of
    the elements that are objected to, larger ones and ones of the other sign.

    Args:
        findings: those of a run of one process.
        module: the program.
        arguments: what its entry function takes.
        new_options: returns the options of another run.
        results: what the run has given.
    """
    candidates = [finding for finding in findings if finding.check.name in _DISTURBED]
    if not candidates:
        return []

    def options() -> RunOptions:
        chosen = new_options()
        callbacks, most_steps = [_refuse_callback] * len(chosen.callbacks), _MOST_STEPS * findings.steps
        return replace(chosen, callbacks=callbacks, output=drop_output, max_steps=most_steps)

    def are_unused(some: Sequence[Finding]) -> bool:
        runs = (_disturbed(some, module, arguments, options(), change) for change in _CHANGES)
        return all(values is not None and _are_same(values, results) for values in runs)

    if are_unused(candidates):
        return candidates
    return [finding for finding in candidates[:_MOST_SINGLE] if len(candidates) > 1 and are_unused([finding])]


def _refuse_callback(*arguments: Any) -> Any:
    """Raises NotImplementedError, which ends the run: a callback may have effects."""
    raise NotImplementedError


def _disturbed(
    findings: Sequence[Finding],
    module: Module,
    arguments: Sequence[Any],
    options: RunOptions,
    change: Disturbance,
) -> Sequence[Any] | None:
    """Returns the results of a run with other values in the place of what is objected to; None where it does
    not reach its end, or an operation's elements cannot be told.
    """
    checks = {id(finding.operation): finding.check for finding in findings}
    try:
        process = make_process(module, arguments, options)
        for step in kernel_steps(ProcessGrid([process], GridShape(), is_alone=True)):
            checkpoint()
            check = checks.get(id(step.operation))
            if check is None:
                continue
            seen = OperationStep(step.code, step.instruction, step.operands, step.values, 0, GridShape())
            for _, objection in objections(process.context, [check], seen):
                if not _disturb(step, objection, change):
                    return None
    except ExecutionError:
        return None
    return process.results


def _disturb(step: KernelStep, objection: Objection, change: Disturbance) -> bool:
    """Puts other values in the place of a step's elements that are objected to; returns whether that can be
    done.
    """
    mask = _mask(step, objection)
    if mask is None:
        return False
    (value,), (register,) = step.values, step.code.instructions[step.instruction].results
    other = np.where(mask, change(np.asarray(value)), value).astype(np.asarray(value).dtype)
    other.flags.writeable = False
    registers = step.frames[-1].registers
    if registers[register] is not None:
        registers[register] = other
    return True


def _mask(step: KernelStep, objection: Objection) -> Array | None:
    """Returns which elements of a step's result are objected to; None where that is not told."""
    name, flags = step.operation.name, objection.flags
    if name == "stablehlo.dynamic_slice":
        return np.array(True)
    if name == "stablehlo.dynamic_update_slice":
        return None
    numbers = step.operation.attribute("dimension_numbers")
    if isinstance(numbers, GatherDimensionNumbers):
        flags = np.expand_dims(flags, numbers.offset_dims)
    shape = np.shape(step.values[0])
    return flags if np.broadcast_shapes(np.shape(flags), shape) == shape else None


def _opposite(values: Array) -> Array:
    """Returns values of the other sign, none of them the same."""
    if values.dtype.kind in "biu":
        return ~values
    one = values.dtype.type(1)
    return cast("Array", np.where(values == values.dtype.type(-0.5), one, -values - one))


def _larger(values: Array) -> Array:
    """Returns values that are larger; those of integers may wrap, too."""
    if values.dtype.kind in "biu":
        return values ^ values.dtype.type(values.dtype.kind == "b" or 0x55)
    return np.abs(values) * values.dtype.type(16) + values.dtype.type(16)


_CHANGES: Final[Sequence[Disturbance]] = (_opposite, _larger)


def _are_same(values: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(
        np.asarray(value).tobytes() == np.asarray(other).tobytes() for value, other in zip(values, others)
    )
