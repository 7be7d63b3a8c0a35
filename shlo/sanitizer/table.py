"""The table of findings: what is looked for, at which operations, and what it means in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from shlo.sanitizer.checks.indexing import (
    clamped_gather,
    clamped_selection,
    clamped_slice,
    dropped,
    overlapping,
    unsorted,
)
from shlo.sanitizer.checks.integers import divided, shifted, wrapped
from shlo.sanitizer.checks.matrices import not_definite
from shlo.sanitizer.checks.numbers import empty_range, lost, new_infinity, new_nan
from shlo.sanitizer.checks.processes import left_out
from shlo.sanitizer.checks.regions import no_identity, no_order
from shlo.sanitizer.objections import Objection
from shlo.sanitizer.steps import OperationStep

Find = Callable[[OperationStep], Objection | None]


class Check(Struct, frozen=True):
    """A row of the table.

    Args:
        name: what the command line and `shlo.expects` call it.
        sentence: what a finding of it says.
        deed: the same of the line of Python that the operation came from, which it begins with.
        operations: patterns of the operations that are looked at; none for all.
        find: returns the elements that it objects to.
        is_default: whether it is looked for without being named.
    """

    name: str
    sentence: str
    deed: str
    operations: tuple[str, ...]
    find: Find
    is_default: bool = True


def _row(name: str, sentence: str, deed: str, operations: str, find: Find) -> Check:
    return Check(name, sentence, deed, tuple(f"stablehlo.{name}" for name in operations.split()), find)


_WRAPPED = "signed integers wrapped: the exact result does not fit its type"
_CLAMPED = "a start index is out of bounds, and was clamped"
_DID_CLAMP = "clamped a start index that is out of bounds"

CHECKS: Final[tuple[Check, ...]] = (
    _row(
        "wrapped",
        _WRAPPED,
        "wrapped around: the exact result does not fit its type",
        "add subtract multiply negate abs power divide dot dot_general convolution reduce reduce_window",
        wrapped,
    ),
    _row(
        "divided",
        "an integer was divided by zero",
        "divided an integer by zero",
        "divide remainder power",
        divided,
    ),
    _row(
        "shifted",
        "bits were shifted by a negative number, or by at least as many as there are",
        "shifted bits by a negative number, or by at least as many as there are",
        "shift_*",
        shifted,
    ),
    _row(
        "lost",
        "a number is out of the range of the type that it was converted to",
        "converted a number that is out of the range of the type",
        "convert",
        lost,
    ),
    _row("clamped", _CLAMPED, _DID_CLAMP, "dynamic_slice dynamic_update_slice", clamped_slice),
    _row("clamped", _CLAMPED, _DID_CLAMP, "gather dynamic_gather", clamped_gather),
    _row("clamped", _CLAMPED, _DID_CLAMP, "torch_index_select", clamped_selection),
    _row(
        "dropped",
        "an update is out of bounds: it was dropped, as a whole or in part",
        "dropped an update that is out of bounds, as a whole or in part",
        "scatter",
        dropped,
    ),
    _row(
        "overlap",
        "updates overlap, and unique_indices says that none do",
        "has updates that overlap, and unique_indices says that none do",
        "scatter",
        overlapping,
    ),
    _row(
        "unsorted",
        "indices are not in order, and indices_are_sorted says that they are",
        "has indices that are not in order, and indices_are_sorted says that they are",
        "gather dynamic_gather scatter",
        unsorted,
    ),
    _row(
        "init",
        "the result depends on how often the initial value takes part, which is not defined",
        "depends on how often the initial value takes part, which is not defined",
        "reduce reduce_window select_and_scatter",
        no_identity,
    ),
    _row(
        "order",
        "the comparator is no strict weak order of these elements",
        "has a comparator that is no strict weak order of these elements",
        "sort",
        no_order,
    ),
    _row(
        "definite",
        "a matrix is not Hermitian and positive definite",
        "got a matrix that is not Hermitian and positive definite",
        "cholesky",
        not_definite,
    ),
    _row(
        "range",
        "random numbers were asked for between no bounds, or with a negative deviation",
        "asked for random numbers between no bounds, or with a negative deviation",
        "rng",
        empty_range,
    ),
    _row(
        "groups",
        "a process is in no group: its result is zero",
        "leaves a process out of all groups: its result is zero",
        "collective_broadcast",
        left_out,
    ),
    Check(
        "nan",
        "a NaN was made of operands that have none",
        "made a NaN of operands that have none",
        (),
        new_nan,
        is_default=False,
    ),
    Check(
        "infinity",
        "an infinity was made of finite operands",
        "made an infinity of finite operands",
        (),
        new_infinity,
        is_default=False,
    ),
)
"""All findings; those of one name have one sentence."""

NAMES: Final[tuple[str, ...]] = tuple(dict.fromkeys(check.name for check in CHECKS))
"""The names of findings, each once."""
