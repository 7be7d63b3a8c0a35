"""What is found where two runs part, and how values are judged."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct, field

from shlo.debugger.tensors.difference import TensorDifference, difference_of
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation
from shlo.runner.statistics import is_floating

WORST: Final = 3
"""How many elements of a finding are kept."""

MOST_FINDINGS: Final = 100
"""How many findings are kept; further ones are counted."""

How = Literal["alone", "together", "result"]
"""An operation on the operands that the interpreter has, on those that the engine made, or a result of the
program that the engine ran as a whole."""


class Finding(Struct, frozen=True):
    """Results that are further apart than their tolerance.

    Args:
        how: what was compared.
        operation: the operation's name; empty for a result of the program.
        place: `file:line:column`, None where nothing tells.
        path: the calls and iterations that lead there, outermost first.
        process: the number of the process.
        result: the number of the result.
        difference: how the tensors differ, with the worst elements: the interpreter's and the engine's.
        allowed: how far the worst element might have been.
        source: the operation itself; None for a result of the program.
        counterpart: the operation of another program that it was compared with, with its place; empty for the
            operation itself.
        position: how many steps the interpreter's grid takes before the operation, which is the debugger's
            position there; None for a result of the program.
        known: why this difference is a known one of the engine; empty where it is not.
    """

    how: How
    operation: str
    place: str | None
    path: tuple[str, ...]
    process: int
    result: int
    difference: TensorDifference
    allowed: float
    source: Operation | None = None
    counterpart: str = ""
    position: int | None = None
    known: str = ""


class RunDifference(Struct):
    """Where a run parts from a reference, as an engine's from the interpreter's; false where it does not.

    Args:
        engine: what is compared with the reference: an engine's name, or another program's.
        processes: how many there are.
        compared: how many operations were compared.
        alone: operations whose own results are wrong, the first occurrence of each; and how often.
        together: the first operation at which the errors of all before it exceed half of the digits.
        results: results of the whole program that do.
        growth: operations at which the largest error, relative to the tensor, grew tenfold.
        not_compared: operations, or the whole program, and why the engine did not run them.
        parted: where control flow went another way, None where it did not.
        reference: what it is compared with.
    """

    engine: str
    processes: int
    compared: int = 0
    alone: list[Finding] = field(default_factory=list[Finding])
    occurrences: dict[tuple[str, str | None], int] = field(default_factory=dict[tuple[str, str | None], int])
    together: Finding | None = None
    results: list[Finding] = field(default_factory=list[Finding])
    growth: list[tuple[str, str | None, float]] = field(default_factory=list[tuple[str, str | None, float]])
    not_compared: dict[str, str] = field(default_factory=dict[str, str])
    parted: str | None = None
    reference: str = "interpreter"

    def __bool__(self) -> bool:
        return bool(self.alone or self.together or self.results or self.parted)


def same_values(one: Any, other: Any) -> bool:
    """Returns whether two tensors have the same numbers, a NaN being the same as another."""
    left, right = np.asarray(one), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind in "biu":
        return bool((left == right).all())
    with np.errstate(all="ignore"):
        return bool(((left == right) | ((left != left) & (right != right))).all())


def is_beyond(value: Any, other: Any, allowed: Any) -> bool:
    """Returns whether an element is further away than is allowed, or is a NaN or infinity in one alone."""
    left, right = np.asarray(value), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return True
    return not same_values(left, right) and bool(elements_beyond(left, right, allowed).any())


def elements_beyond(value: Array, other: Array, allowed: Any) -> Array:
    """Returns which elements of two tensors of one type are further apart than is allowed, or are a NaN or
    infinity in one alone.
    """
    if not is_floating(value):
        return np.asarray(value != other)
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one, two = value.astype(wide), other.astype(wide)
        is_same = (one == two) | (np.isnan(one) & np.isnan(two))
        is_near = np.isfinite(one) & np.isfinite(two) & (np.abs(one - two) <= allowed)
        return np.asarray(~(is_same | is_near))


def relative_error(value: Array, other: Any) -> float:
    """Returns the largest distance of two elements, as a part of the largest element."""
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one = value.astype(wide)
        distance = np.abs(one - np.asarray(other).astype(wide))
        sizes = np.abs(one)
        finite = sizes[np.isfinite(sizes)]
        largest = float(finite.max()) if finite.size else 0.0
        apart = distance[np.isfinite(distance)]
        error = float(apart.max()) if apart.size else 0.0
    return error / largest if largest else (inf if error else 0.0)


def finding_of(
    how: How,
    name: str,
    place: str | None,
    path: tuple[str, ...],
    process: int,
    index: int,
    value: Any,
    other: Any,
    allowed: Any,
) -> Finding:
    """Returns a finding: a value, the other one, and how far each element might have been from it."""
    array = np.asarray(value)
    difference = difference_of(array, np.asarray(other), WORST)
    most = np.broadcast_to(np.asarray(allowed, np.float64), array.shape)
    at = difference.worst[0].index if difference.worst else ()
    limit = float(most[at]) if difference.worst else 0.0
    return Finding(how, name, place, path, process, index, difference, limit if isfinite(limit) else inf)


def locked(value: Any) -> Any:
    """Returns an engine's result as the interpreter holds values."""
    array = np.asarray(value)
    if array.ndim == 0:
        return array[()]
    array.flags.writeable = False
    return array
