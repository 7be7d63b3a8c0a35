"""Layouts of inherent attributes in the properties section, in the order of their names.

They follow from the operation's definition. The tables here hold operations without a definition, and what
MLIR's tools have beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.vhlo.versions import OPS

OPERAND_SEGMENTS, RESULT_SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
SEGMENTS = (OPERAND_SEGMENTS, RESULT_SEGMENTS)


class Slot(NamedTuple):
    """An inherent attribute's name, and whether its place says that it may be absent."""

    name: str
    optional: bool


class Layout(Struct, frozen=True):
    """The attributes in their order, and how many segments of operands and results are stored."""

    slots: tuple[Slot, ...]
    segments: Mapping[str, int]


MISSING: dict[str, str] = {
    **dict.fromkeys(("arith.addf", "arith.divf", "arith.mulf", "arith.subf"), "roundingmode"),
    "arith.divsi": "isExact",
    "scf.for": "unsignedCmp",
}
"""Optional attributes that the definitions leave out."""

WITH_SEGMENTS: dict[str, dict[str, int]] = {
    "cf.cond_br": {OPERAND_SEGMENTS: 3},
    "cf.switch": {OPERAND_SEGMENTS: 3},
    "chlo.scan": {OPERAND_SEGMENTS: 2, RESULT_SEGMENTS: 2},
    "memref.alloc": {OPERAND_SEGMENTS: 2},
    "memref.alloca": {OPERAND_SEGMENTS: 2},
    "memref.reinterpret_cast": {OPERAND_SEGMENTS: 4},
    "memref.subview": {OPERAND_SEGMENTS: 4},
    "scf.forall": {OPERAND_SEGMENTS: 4},
    "scf.parallel": {OPERAND_SEGMENTS: 4},
}
"""Operations with several groups of operands or results of any size: how many groups."""

WITHOUT_OP_DEF: dict[str, dict[str, str]] = {
    "arith": {
        "cmpf": "fastmath? predicate",
        "convertf scaling_truncf truncf": "fastmath? roundingmode?",
        "divui shrsi shrui": "isExact?",
        "extf flush_denormals maximumf maxnumf minimumf minnumf negf remf scaling_extf": "fastmath?",
        "maximumnumf minimumnumf": "fastmath?",
        "extui index_castui uitofp": "nonNeg?",
        "shli trunci": "overflowFlags?",
    },
    "cf": {"assert": "msg", "switch": "case_operand_segments case_values?"},
    "math": {
        "absf acos acosh asin asinh atan atan2 atanh cbrt ceil clampf copysign cos cosh erf erfc exp exp2 "
        "expm1 floor fpowi isfinite isinf isnan isnormal log log10 log1p log2 powf round roundeven rsqrt "
        "sin sincos sinh sqrt tan tanh trunc": "fastmath?",
        "fma": "fastmath? roundingmode?",
    },
    "memref": {
        "alloc alloca realloc": "alignment?",
        "assume_alignment": "alignment",
        "atomic_rmw": "kind",
        "collapse_shape": "reassociation",
        "expand_shape": "reassociation static_output_shape",
        "get_global": "name",
        "global": "alignment? constant? initial_value? sym_name sym_visibility? type",
        "load store": "alignment? nontemporal?",
        "prefetch": "isDataCache isWrite localityHint",
        "reinterpret_cast subview": "static_offsets static_sizes static_strides",
        "transpose": "permutation",
    },
    "scf": {
        "execute_region": "no_inline?",
        "forall": "mapping? staticLowerBound staticStep staticUpperBound",
        "index_switch": "cases",
        "parallel": "",
    },
    "shape": {"const_size": "value", "const_witness": "passing", "cstr_require": "msg"},
}
"""Layouts of MLIR's own dialects: operations, and their attributes with `?` where they may be absent."""

_PLAIN = {
    f"{dialect}.{name}": attributes
    for dialect, rows in WITHOUT_OP_DEF.items()
    for names, attributes in rows.items()
    for name in names.split()
}


@cache
def layouts_of(name: str) -> tuple[Layout, ...]:
    """Returns the layouts that an operation's properties may have, today's first; none if unknown."""
    slots = _slots(name)
    if slots is None:
        return ()
    op_def = find_op_def(name)
    newer = op_def.later_attributes if op_def is not None else ()
    segments = WITH_SEGMENTS.get(name, {})
    return tuple(
        Layout(tuple([slot for slot in slots if slot.name not in left_out]), segments)
        for left_out in _subsets(newer)
    )


@cache
def inherent_names(name: str) -> frozenset[str]:
    """Returns the names of an operation's inherent attributes."""
    return frozenset([slot.name for slot in _slots(name) or ()]) | frozenset(WITH_SEGMENTS.get(name, ()))


def _slots(name: str) -> list[Slot] | None:
    """Returns an operation's attributes in their order, sizes of segments left out."""
    if name in OPS:
        return [Slot(attribute, False) for attribute in OPS[name].attributes]
    op_def = find_op_def(name)
    if op_def is not None:
        slots = [
            Slot(spec.name, not spec.required) for spec in op_def.attributes if spec.name not in SEGMENTS
        ]
        slots += [
            Slot(other, True) for other in MISSING.get(name, "").split() if op_def.attribute(other) is None
        ]
        return sorted(slots)
    if name in _PLAIN:
        return [Slot(part.rstrip("?"), part.endswith("?")) for part in _PLAIN[name].split()]
    return None


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for size in range(len(names) + 1):
        yield from combinations(names, size)
