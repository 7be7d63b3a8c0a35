"""Special values of element types, every pair of which the cases of an operation on each element have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from math import copysign
from typing import Any, Final, Literal, cast

import ml_dtypes
import numpy as np

from shlo.dialects.attr_constraints import EnumOf
from shlo.dialects.opdef import OpDef
from shlo.divergence.known import is_subnormal
from shlo.fuzzing.by_definition import enum_texts
from shlo.fuzzing.comparing import results_of, steps_of
from shlo.fuzzing.programs import Case
from shlo.fuzzing.values import COMPLEX, INTEGERS, UNSIGNED, WIDE_FLOATS, dtype_named, edge_values
from shlo.interpreter import run
from shlo.ir.dtypes import Array, float_limits, largest_finite
from shlo.ir.operations import Module

Kind = Literal["values", "nonfinite", "subnormals"]
"""Which of them a case has: infinities and NaN, and subnormal numbers of wide types, have cases of their own,
as operands or as results."""

MOST: Final = 529
"""Elements of a case; of more combinations of operands some are taken."""
PARTS: Final = 14
"""How many numbers the parts of complex ones are; without -0, on which side of a cut nothing defines."""
_BY_PARTS: Final = tuple(
    f"stablehlo.{name}"
    for name in ("add", "compare", "convert", "imag", "negate", "real", "select", "subtract")
)
"""Operations that have complex numbers as two numbers."""
_CONVERT: Final = "stablehlo.convert"
FEWER: Final = 9
"""Of the 256 numbers of a byte, beside an operand of the same type each such one is taken."""


def special_values(name: str) -> Array:
    """Returns the special values of an element type, by NumPy's name: zeros of both signs, infinities, NaN,
    subnormals, halves, neighbours of powers of two, the smallest and largest."""
    if name in COMPLEX:
        dtype = dtype_named(name)
        numbers = _float_values(dtype.type(0).real.dtype)[:PARTS].tolist()
        parts = [number for number in numbers if number or copysign(1, number) > 0]
        return np.array([complex(*pair) for pair in product(parts, repeat=2)], dtype)
    return _float_values(dtype_named(name)) if name in WIDE_FLOATS else edge_values(name)


def _float_values(dtype: np.dtype[Any]) -> Array:
    """Returns special numbers of a wide type, each with its negative."""
    limits = float_limits(dtype)
    tiny, epsilon = limits.smallest_normal, limits.epsilon
    numbers = [
        *(0.0, np.nan, 1.0, np.inf, 0.5, tiny * epsilon, 1.5, tiny * (1 - epsilon), 2.5, tiny),
        *(0.5 - epsilon / 4, largest_finite(dtype), 1 / epsilon + 1, 1 + epsilon),
        *(3.0, 0.1, 7.75, 1e-3, 100.0, np.pi),
    ]
    with np.errstate(all="ignore"):
        positive = np.array(numbers, np.float64).astype(dtype)
        return np.stack([positive, -positive], 1).reshape(-1)


def chosen_attributes(op_def: OpDef) -> Iterator[Mapping[str, str]]:
    """Yields texts of the enumerations that an operation must have as attributes: all combinations."""
    enums = {
        attribute.name: enum_texts(attribute.constraint)
        for attribute in op_def.attributes
        if not attribute.optional and isinstance(attribute.constraint, EnumOf)
    }
    for words in product(*enums.values()):
        yield dict(zip(enums, words))


def combinations_of(names: Sequence[str]) -> list[Array]:
    """Returns operands of some element types, by NumPy's names: every combination of special values, as far
    as there is room for them."""
    columns = [special_values(name) for name in names]
    if len(columns) > 1:
        columns = [column[::FEWER] if len(column) > 200 else column for column in columns]
    sizes = [len(column) for column in columns]
    count = int(np.prod(sizes))
    chosen = np.arange(count)
    if count > MOST:
        chosen = np.sort(np.random.default_rng(count).permutation(count)[:MOST])
    indices = np.unravel_index(chosen, sizes)
    return [column[index] for column, index in zip(columns, indices)]


def by_kind(op_def: OpDef, module: Module, operands: Sequence[Array]) -> dict[Kind, list[Array]]:
    """Returns the operands of a program of an operation on each element that it defines, by what they or its
    results are; those of all kinds have the same shapes."""
    with np.errstate(all="ignore"):
        results = [np.asarray(result) for result in run(module, *operands)]
    arrays = [*operands, *results]
    small, large = _is_any(is_subnormal, arrays), _is_any(_is_not_finite, arrays)
    is_open = _is_open(op_def.name, operands, results)
    masks: dict[Kind, Array] = {"values": ~small & ~large, "nonfinite": ~small & large, "subnormals": small}
    return _chosen(operands, {kind: mask & ~is_open for kind, mask in masks.items()})


def leaves_open(name: str, case: Case) -> bool:
    """Returns whether the specification leaves open what some results of a program's operation on each
    element are."""
    steps = steps_of(case.module, case.inputs, case.grid, "spec")
    judged = (step for step in steps if step.operation.name == name)
    return any(_is_open(name, step.operands, step.results).any() for step in judged)


def _is_open(name: str, operands: Sequence[Array], results: Sequence[Array]) -> Array:
    """Returns for which elements the specification leaves the result open."""
    if operands[0].dtype.kind == "c" and name not in _BY_PARTS:
        # no two libraries agree on complex numbers there, IEEE 754 says nothing
        return _is_any(lambda array: is_subnormal(array) | _is_not_finite(array), [*operands, *results])
    if name == _CONVERT:
        return _is_out_of_range(operands[0], results[0].dtype.name)
    return np.zeros(results[0].shape, bool)


def overflows(case: Case) -> bool:
    """Returns whether a result of a program is not finite in some process."""
    with np.errstate(all="ignore"):
        processes = results_of(case.module, case.inputs, case.grid, "spec")
    return any(_is_not_finite(np.asarray(result)).any() for results in processes for result in results)


def _is_out_of_range(operand: Array, name: str) -> Array:
    """Returns which elements an integer type cannot hold: the specification leaves open what becomes of
    them."""
    if operand.dtype.name in ("bool", *INTEGERS, *UNSIGNED) or name not in (*INTEGERS, *UNSIGNED):
        return np.zeros(operand.shape, bool)
    with np.errstate(all="ignore"):
        whole = np.trunc(np.real(operand.astype(np.complex128)))
    info = cast("Any", ml_dtypes).iinfo(dtype_named(name))
    return ~((whole >= float(info.min)) & (whole < float(info.max) + 1))


def _chosen(operands: Sequence[Array], masks: Mapping[Kind, Array]) -> dict[Kind, list[Array]]:
    """Returns the elements of each kind, those of a kind with fewer several times: all have the same size."""
    most = max(int(np.count_nonzero(mask)) for mask in masks.values())
    places: dict[Kind, Array] = {
        kind: np.resize(np.flatnonzero(mask), most) for kind, mask in masks.items() if mask.any()
    }
    return {kind: [operand[chosen] for operand in operands] for kind, chosen in places.items()}


def _is_any(predicate: Callable[[Array], Array], arrays: Sequence[Array]) -> Array:
    """Returns where a predicate is true of any of some arrays."""
    return reduce(np.logical_or, map(predicate, arrays))


def _is_not_finite(array: Array) -> Array:
    if array.dtype.name in ("bool", *INTEGERS, *UNSIGNED):
        return np.zeros(array.shape, bool)
    return ~np.isfinite(array.astype(np.complex128))
