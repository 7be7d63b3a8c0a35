"""What is found where two runs part, and how values are judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import inf, isfinite
from typing import Any, Final, Literal, cast

import numpy as np
from msgspec import Struct, field

from shlo.debugger.tensors.difference import ElementDifference, TensorDifference, difference_of
from shlo.interpreter.runtime.values import type_words
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module, Operation
from shlo.runner.statistics import is_floating, largest_finite, same_elements, tensor_of, wide
from shlo.support.conclusion import Conclusion

WORST: Final = 3
"""How many elements of a finding are kept."""

MOST_FINDINGS: Final = 100
"""How many findings are kept; further ones are counted."""

MISSING: Final = object()
"""In place of a result that one side does not have."""

How = Literal["alone", "together", "bisected", "result"]
"""An operation on the operands that the interpreter has, on those that the engine made alone, or as a part of
the whole program; or a result of the program that the engine ran as a whole."""


class Judgement(Struct, frozen=True):
    """What values in float64 say of the worst elements of a finding.

    Args:
        by: who computed them: "f64" is the interpreter.
        exact: the values, complex numbers or such without an imaginary part.
        distances: how far both sides are from them at most.
        nearer: the side that is nearer; empty where none is.
        note: that they are zero in exact arithmetic, or why there are none.
    """

    by: str
    exact: tuple[complex, ...] = ()
    distances: tuple[float, float] = (0.0, 0.0)
    nearer: str = ""
    note: str = ""


class ChaoticLoop(Struct):
    """How a change of the last bit of the arguments grows in a loop.

    Args:
        title: its place and operation.
        iterations: how many there were after the first one.
        first: how far what it carries is apart as the first one begins, as a part of the largest element.
        last: at most, as a later one begins.
        epsilon: that of the least precise type that it carries.
    """

    title: str
    iterations: int
    first: float
    last: float
    epsilon: float

    @property
    def growth(self) -> float:
        """By how much it grows in an iteration."""
        return (self.last / self.first) ** (1 / self.iterations)


class OperationCall(Struct, frozen=True):
    """An operation as a program, and what that is called with."""

    module: Module
    arguments: Sequence[Any]


class DivergenceFinding(Struct, frozen=True):
    """Results that are further apart than their tolerance.

    Args:
        how: what was compared.
        operation: the operation's name; empty for a result of the program.
        place: `file:line:column`, None where nothing tells.
        path: the calls and iterations that lead there, outermost first.
        process: the number of the process.
        result: the number of the result.
        difference: how the tensors differ, with the worst elements: the interpreter's and the engine's; None
            where they are of different types, or one is missing.
        allowed: how far the worst element might have been.
        reason: why so far.
        types: the types of both where they are different, empty for a result that is missing; else None.
        source: the operation itself; None for a result of the program.
        counterpart: the operation of another program that it was compared with, with its place; empty for the
            operation itself.
        position: how many steps the interpreter's grid takes before the operation, which is the debugger's
            position there; None for a result of the program.
        judgement: what exact values say; None where that was not asked.
        call: the operation alone, where it is the first finding of its kind.
        known: why this difference is a known one of the engine; empty where it is not.
    """

    how: How
    operation: str
    place: str | None
    path: tuple[str, ...]
    process: int
    result: int
    difference: TensorDifference | None
    allowed: float
    reason: str = ""
    types: tuple[str, str] | None = None
    source: Operation | None = None
    counterpart: str = ""
    position: int | None = None
    known: str = ""
    judgement: Judgement | None = None
    call: OperationCall | None = None

    @property
    def worst(self) -> tuple[ElementDifference, ...]:
        """The elements that differ most; none where the types do."""
        return () if self.difference is None else self.difference.worst


class LargestDifference(Struct, frozen=True):
    """The difference that is nearest to what is allowed, or farthest beyond it.

    Args:
        distance: of its elements; infinite where one alone is finite.
        allowed: how far they might have been.
        reason: why so far.
        operation: the operation's name; empty for a result of the program.
        place: as in `DivergenceFinding`.
    """

    distance: float
    allowed: float
    reason: str
    operation: str
    place: str | None

    @property
    def share(self) -> float:
        """The distance as a part of what is allowed."""
        return self.distance / self.allowed if self.allowed else inf


class Bisection(Struct):
    """What became of the search for the first wrong operation of a program that was run as a whole.

    Args:
        runs: how many programs the engine ran, the whole one among them.
        finding: the first operation that is wrong for the operands that the engine itself computes, with what
            it gives and should give; None where there is no single one.
        between: the operations that are left then: the first, the last, and how many.
        note: why no single one is found.
    """

    runs: int = 1
    finding: DivergenceFinding | None = None
    between: tuple[str, str, int] | None = None
    note: str = ""


class PassBisection(Struct):
    """What became of the search for the pass of XLA that makes results wrong.

    Args:
        passes: without these the results are right; none where that is not so for any.
        candidates: the passes that change the program, in the order in which they first do.
        runs: how many programs were compiled and run.
        refused: why XLA did not compile or run the program without some passes, by the passes.
    """

    passes: list[str] = field(default_factory=list[str])
    candidates: list[str] = field(default_factory=list[str])
    runs: int = 0
    refused: dict[str, str] = field(default_factory=dict[str, str])


class RunDifference(Struct):
    """Where a run parts from a reference, as an engine's from the interpreter's; false where it does not.

    Args:
        engine: what is compared with the reference: an engine's name, or another program's.
        processes: how many there are.
        operations: how many operations were compared.
        whole: how many results of the whole program were.
        alone: operations whose own results are wrong, the first occurrence of each; and how often.
        together: the first operation at which the errors of all before it exceed half of the digits.
        results: results of the whole program that do.
        bisection: which operation of the whole program makes them wrong; None where that was not searched.
        passes: which pass of XLA makes them wrong; None where that was not searched.
        chaotic: loops in which no two results need to agree.
        growth: operations at which the largest error, relative to the tensor, grew tenfold.
        largest: the largest difference, as a part of what is allowed; None where all elements are the same.
        not_compared: operations, values or the whole program that were not compared, and why.
        not_alone: operations that were compared only by the results of the whole program, and why.
        parted: where control flow went another way, None where it did not.
        reference: what it is compared with.
    """

    engine: str
    processes: int
    operations: int = 0
    whole: int = 0
    alone: list[DivergenceFinding] = field(default_factory=list[DivergenceFinding])
    occurrences: dict[tuple[str, str | None], int] = field(default_factory=dict[tuple[str, str | None], int])
    together: DivergenceFinding | None = None
    largest: LargestDifference | None = None
    results: list[DivergenceFinding] = field(default_factory=list[DivergenceFinding])
    bisection: Bisection | None = None
    passes: PassBisection | None = None
    chaotic: list[ChaoticLoop] = field(default_factory=list[ChaoticLoop])
    growth: list[tuple[str, str | None, float]] = field(default_factory=list[tuple[str, str | None, float]])
    not_compared: dict[str, str] = field(default_factory=dict[str, str])
    not_alone: dict[str, str] = field(default_factory=dict[str, str])
    parted: str | None = None
    reference: str = "interpreter"

    def __bool__(self) -> bool:
        return bool(self.alone or self.together or self.results or self.parted)

    @property
    def conclusion(self) -> Conclusion:
        """What this says of the runs."""
        return Conclusion(bool(self), self.operations + self.whole, len(self.not_compared))

    @property
    def compared(self) -> bool:
        """Whether all that was asked for was compared."""
        return self.conclusion.compared

    def is_beyond(
        self, operation: str, location: str | None, value: Any, other: Any, allowed: Any, reason: str
    ) -> bool:
        """Takes a comparison; returns whether values are further apart than is allowed, or of other types."""
        left, right = tensor_of(value), tensor_of(other)
        if left is None or right is None or types_apart(left, right) is not None:
            return True
        if not left.size or same_values(left, right):
            return False
        apart = distances(left, right)
        limits = np.broadcast_to(np.asarray(allowed, np.float64), apart.shape)
        with np.errstate(all="ignore"):
            shares = np.where(apart > 0, apart / limits, 0)
        at = np.unravel_index(int(np.argmax(shares)), shares.shape)
        largest = LargestDifference(float(apart[at]), float(limits[at]), reason, operation, location)
        if self.largest is None or largest.share > self.largest.share:
            self.largest = largest
        return bool((apart > limits).any())


def types_apart(value: Any, other: Any) -> tuple[str, str] | None:
    """Returns the types of two values, empty for MISSING; None where they are the same."""
    one, two = tensor_of(value), tensor_of(other)
    if one is not None and two is not None and (one.dtype, one.shape) == (two.dtype, two.shape):
        return None
    types = ["" if one is MISSING else type_words(one) for one in (value, other)]
    return None if types[0] == types[1] else (types[0], types[1])


def counterparts(values: Sequence[Any], others: Sequence[Any]) -> Iterator[tuple[int, Any, Any]]:
    """Yields the results of two sides with their numbers, the elements of tuples one by one; tokens have
    nothing to compare. One that a side lacks is MISSING.
    """
    for index, (value, other) in enumerate(zip_longest(values, others, fillvalue=MISSING)):
        is_missing = value is MISSING or other is MISSING
        if is_missing or tensor_of(value) is not None or tensor_of(other) is not None:
            yield index, value, other
        elif isinstance(value, tuple) and isinstance(other, tuple):
            pairs = counterparts(cast("tuple[Any, ...]", value), cast("tuple[Any, ...]", other))
            yield from ((index, one, two) for _, one, two in pairs)


def same_values(one: Any, other: Any) -> bool:
    """Returns whether two tensors have the same numbers, a NaN being the same as another."""
    left, right = np.asarray(one), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    return bool(same_elements(left, right).all())


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
    return np.asarray(distances(value, other) > (allowed if is_floating(value) else 0))


def distances(value: Array, other: Array) -> Array:
    """Returns how far the elements of two tensors of one type are apart, infinitely where one alone is finite
    or a NaN.
    """
    with np.errstate(all="ignore"):
        one, two = wide(value), wide(other)
        apart = np.abs(one - two)
        if not is_floating(value):
            apart = np.maximum(apart, 1)  # large integers may differ by less than float64 tells
        return np.where(same_elements(value, other), 0.0, np.where(np.isfinite(apart), apart, inf))


def relative_error(value: Array, other: Any) -> float:
    """Returns the largest distance of two elements, as a part of the largest element."""
    with np.errstate(all="ignore"):
        one = wide(value)
        error, largest = (largest_finite(np.abs(numbers)) or 0.0 for numbers in (one - wide(other), one))
    return error / largest if largest else (inf if error else 0.0)


def finding_of(
    how: How,
    name: str,
    location: str | None,
    path: tuple[str, ...],
    process: int,
    index: int,
    value: Any,
    other: Any,
    allowed: Any,
    reason: str = "",
) -> DivergenceFinding:
    """Returns a finding: a value, the other one, and how far each element might have been from it."""
    types = types_apart(value, other)
    if types is not None:
        return DivergenceFinding(how, name, location, path, process, index, None, 0.0, reason, types)
    array = np.asarray(value)
    difference = difference_of(array, np.asarray(other), WORST)
    most = np.broadcast_to(np.asarray(allowed, np.float64), array.shape)
    at = difference.worst[0].index if difference.worst else ()
    limit = float(most[at]) if difference.worst else 0.0
    limit = limit if isfinite(limit) else inf
    return DivergenceFinding(how, name, location, path, process, index, difference, limit, reason)


def locked(value: Any) -> Any:
    """Returns an engine's result as the interpreter holds values."""
    array = np.asarray(value)
    if array.ndim == 0:
        return array[()]
    array.flags.writeable = False
    return array
