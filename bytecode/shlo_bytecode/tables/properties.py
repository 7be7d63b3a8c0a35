"""Layouts of inherent attributes in the properties section, in the order of their names.

They follow from the operation's definition. The tables here hold operations without a definition, and what
MLIR's tools have beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.vhlo.versions import OPS, ROWS, Version, version_of

OPERAND_SEGMENTS, RESULT_SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
SEGMENTS = (OPERAND_SEGMENTS, RESULT_SEGMENTS)


class Slot(NamedTuple):
    """An inherent attribute's name, and whether its place says that it may be absent."""

    name: str
    optional: bool


class PropertyLayout(Struct, frozen=True):
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
        "parallel": "unsignedCmp?",
    },
    "shape": {"const_size": "value", "const_witness": "passing", "cstr_require": "msg"},
}
"""Layouts of MLIR's own dialects: operations, and their attributes with `?` where they may be absent."""

_LATER = """
    1.8.5 chlo.square
    1.8.7 chlo.ragged_dot
    1.8.9 func.call no_inline
    1.8.9 func.func no_inline
    1.8.9 sdy.all_gather sdy.all_reduce sdy.all_slice sdy.all_to_all sdy.collective_permute
    1.10.0 func.call arg_attrs res_attrs
    1.11.0 cf.cond_br branch_weights
    1.11.0 sdy.reduce_scatter
    1.12.0 arith.trunci overflowFlags
    1.13.0 scf.for unsignedCmp
    1.13.1 scf.execute_region no_inline
    1.13.1 sdy.replicated_to_unreduced sdy.sharded_to_unreduced
    1.13.5 arith.divsi isExact
    1.13.5 arith.divui isExact
    1.13.5 arith.shrsi isExact
    1.13.5 arith.shrui isExact
    1.14.0 arith.extui nonNeg
    1.14.0 arith.index_castui nonNeg
    1.14.0 arith.uitofp nonNeg
    1.14.0 chlo.scan
    1.17.0 arith.addf roundingmode
    1.17.0 arith.divf roundingmode
    1.17.0 arith.mulf roundingmode
    1.17.0 arith.subf roundingmode
    1.17.0 chlo.mulhi sdy.func_data_flow_edge
    1.17.0 math.fma roundingmode
    1.18.0 chlo.top_k is_stable
    1.18.0 sdy.reduce_scatter reduction_op
    1.19.0 sdy.all_reduce reduction_op
    1.22.0 scf.parallel unsignedCmp
"""
"""From which version of StableHLO on jaxlib has an attribute of an operation, or operations: as the Python
bindings of its releases name them. Those of StableHLO follow from `shlo/dialects/vhlo/versions.py`."""


def _later() -> tuple[dict[str, Version], dict[str, dict[str, Version]]]:
    """Returns first versions of operations, and of attributes by operation."""
    operations = {row.stablehlo_name: row.first for row in ROWS if row.number == 1}
    attributes: dict[str, dict[str, Version]] = {}
    for before, row in pairwise(ROWS):  # those of an operation are in the order of its versions
        op_def = find_op_def(row.stablehlo_name)
        if op_def is not None and row.number > 1:
            names = {spec.name for spec in op_def.attributes}.intersection(row.attributes)
            new = dict.fromkeys(names.difference(before.attributes), row.first)
            attributes.setdefault(op_def.name, {}).update(new)
    for line in _LATER.strip().splitlines():
        first, *names = line.split()
        operation, *rest = names
        if any("." in name for name in rest) or not rest:
            operations |= dict.fromkeys(names, version_of(first))
        else:
            attributes.setdefault(operation, {}).update(dict.fromkeys(rest, version_of(first)))
    return operations, attributes


FIRST_VERSIONS, LATER_ATTRIBUTES = _later()
NEWEST: Version = max(first for later in LATER_ATTRIBUTES.values() for first in later.values())
"""The version of StableHLO from which on layouts are those of today."""

_PLAIN = {
    f"{dialect}.{name}": attributes
    for dialect, rows in WITHOUT_OP_DEF.items()
    for names, attributes in rows.items()
    for name in names.split()
}


@cache
def layout_of(name: str, library: Version = NEWEST) -> PropertyLayout | None:
    """Returns the layout of an operation's properties in a version of the library; None if unknown."""
    slots = _slots(name)
    if slots is None:
        return None
    later = LATER_ATTRIBUTES.get(name, {})
    present = [slot for slot in slots if later.get(slot.name, library) <= library]
    return PropertyLayout(tuple(present), WITH_SEGMENTS.get(name, {}))


@cache
def layouts_of(name: str) -> tuple[PropertyLayout, ...]:
    """Returns the layouts that an operation's properties may have, today's first; none if unknown."""
    firsts = sorted({*LATER_ATTRIBUTES.get(name, {}).values()}, reverse=True)
    before = [(*first[:2], first[2] - 1) for first in firsts]  # a number of -1 is before all of that version
    return tuple([layout for library in (NEWEST, *before) if (layout := layout_of(name, library))])


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
