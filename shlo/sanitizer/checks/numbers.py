"""Numbers that a conversion loses, that are made out of range, and random numbers of no distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.ir.attributes import EnumAttr
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating, nan_mask, out_of_range, real_numbers, tensor_of
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep


def lost(step: OperationStep) -> Objection | None:
    """Conversions of what the new type cannot hold: numbers out of its range, NaN to an integer. Unsigned
    integers wrap by design, also to fewer bits.
    """
    before, after = np.asarray(step.operands[0]), np.asarray(step.results[0])
    if before.dtype == after.dtype or after.dtype.kind == "b":
        return None
    beyond = out_of_range(before, after)
    if is_floating(before) and not is_floating(after):
        is_nan = nan_mask(before)
        beyond = is_nan if beyond is None else beyond | is_nan
    if beyond is None or (_is_unsigned(before) and _is_unsigned(after)):
        return None
    return objection(beyond, {"operand": before, "result": after}, np.abs(real_numbers(before).astype(float)))


def _is_unsigned(array: Array) -> bool:
    return array.dtype.name.startswith("uint")


def empty_range(step: OperationStep) -> Objection | None:
    """Random numbers between bounds that are not in order, or with a negative deviation."""
    kind = step.operation.attribute("rng_distribution")
    first, second = (np.asarray(operand) for operand in step.operands[:2])
    is_uniform = not isinstance(kind, EnumAttr) or kind.value == "UNIFORM"
    is_wrong = first >= second if is_uniform else second < 0
    return objection(is_wrong, {"a": first, "b": second})


def new_nan(step: OperationStep) -> Objection | None:
    """Results with a NaN where no operand has one; what constants hold is written there."""
    return _appeared(step, np.isnan, np.isnan)


def new_infinity(step: OperationStep) -> Objection | None:
    """Results with an infinity where all operands are finite."""
    return _appeared(step, np.isinf, lambda array: ~np.isfinite(array))


def _appeared(
    step: OperationStep, is_one: Callable[[Array], Array], excuses: Callable[[Array], Array]
) -> Objection | None:
    if not step.operands:
        return None
    masks = [(value, is_one(floats)) for value in step.results if (floats := _floats(value)) is not None]
    if not any(mask.any() for _, mask in masks):
        return None
    if any(excuses(floats).any() for value in step.operands if (floats := _floats(value)) is not None):
        return None
    value, mask = next((value, mask) for value, mask in masks if mask.any())
    count = len(step.operation.operands)
    same = {
        f"operand {number}": floats
        for number, floats in enumerate(step.operands[:count])
        if np.shape(floats) == mask.shape
    }
    return objection(mask, {**same, "result": value})


def _floats(value: Any) -> Array | None:
    array = tensor_of(value)
    if array is None or not is_floating(array):
        return None
    return array.astype(np.float32) if array.dtype.kind == "V" else array
