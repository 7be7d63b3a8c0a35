"""VHLO's operations as StableHLO's of today, upgrades included.

Attributes and types have become StableHLO's when they were decoded. What is left: names; attributes that
VHLO keeps in parts (`parts.py`); attributes that VHLO must write out where StableHLO leaves them out
(`defaults.py`); and forms that StableHLO's definitions ask for (`array<i64>`, symbols, units). What an
operation of an earlier version lacks means what it means where StableHLO leaves it out. The way back is in
`writer/vhlo_forms.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    BOOL_ARRAY_ATTR,
    I64_ARRAY_ATTR,
    SYMBOL_ATTR,
    UNIT_ATTR,
    AttrConstraint,
)
from shlo.dialects.vhlo.versions import OPS
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Span
from shlo.ir.suggestions import advise
from shlo.ir.types import I1, I64, Type
from shlo.ir.version import STABLEHLO_VERSION
from shlo_bytecode.vhlo.defaults import Attributes, without_defaults
from shlo_bytecode.vhlo.parts import join_parts, numbers
from shlo_bytecode.vhlo.versions import artifact_version

NO_SPAN = Span(0, 0)
CAST = "builtin.unrealized_conversion_cast"
"""The operation between VHLO's form of a type and the builtin one."""
NEWER_ARTIFACT = "newer-artifact"
"""The code of findings about operations that a later version of StableHLO brought."""
UNKNOWN_OPERATION = f"VHLO has no such operation up to version {STABLEHLO_VERSION}"


def unknown_operations(names: Iterable[str], producer: str) -> tuple[Diagnostic, ...]:
    """Returns findings about the operations of known dialects in a file that have no definition."""
    return tuple([_unknown(name, producer) for name in names if _is_unknown(name)])


def _is_unknown(name: str) -> bool:
    dialect = find_dialect(name.partition(".")[0])
    return dialect is not None and dialect.complete and find_op_def(name) is None


def _unknown(name: str, producer: str) -> Diagnostic:
    version = artifact_version(producer)
    if version is None or not is_vhlo(name):
        return Diagnostic(f"unknown operation '{name}'", NO_SPAN)
    message = f"{name}: {UNKNOWN_OPERATION}; the artifact is of version {version}"
    advice = f"export the program for version {STABLEHLO_VERSION} or earlier, or update shlo"
    return Diagnostic(message, NO_SPAN, NEWER_ARTIFACT, suggestions=advise(advice))


def is_vhlo(name: str) -> bool:
    """Returns whether an operation is VHLO's."""
    return name.startswith("vhlo.")


def stablehlo_form(
    name: str,
    attributes: Attributes,
    operand_types: tuple[Type, ...],
    result_types: tuple[Type, ...],
    in_function: bool,
) -> tuple[str, Attributes]:
    """Returns the name and the inherent attributes of what a VHLO operation represents; `in_function` says
    that it is directly in a function. Raises ValueError where there is none.
    """
    op = OPS.get(name)
    if op is None:
        raise ValueError(UNKNOWN_OPERATION)
    for expected in op.attributes:
        if expected not in attributes:
            raise ValueError(f"it lacks the attribute {expected}")
    if op.base == "return":
        return ("func.return" if in_function else "stablehlo.return"), attributes
    new = op.stablehlo_name
    left = without_defaults(new, attributes)
    join_parts(new, left)
    properties: Attributes = {}
    for key, value in left.items():
        constraint = attribute_constraint(new, key)
        if constraint is UNIT_ATTR and value == IntegerAttr(0, I1):
            continue  # a unit that is absent
        try:
            properties[key] = _as_defined(constraint, key, value)
        except ValueError as error:
            raise ValueError(f"its attribute {key}: {error}") from None
    return new, properties


@cache
def attribute_constraint(name: str, attribute: str) -> AttrConstraint:
    """Returns what an operation's definition says that an attribute may be."""
    op_def = find_op_def(name)
    spec = op_def.attribute(attribute) if op_def else None
    return spec.constraint if spec else ANY_ATTR


def _as_defined(constraint: AttrConstraint, attribute: str, value: Attribute) -> Attribute:
    """Returns the attribute in the form that StableHLO has for it; raises ValueError."""
    if constraint in (I64_ARRAY_ATTR, BOOL_ARRAY_ATTR):
        return DenseArrayAttr(I64 if constraint is I64_ARRAY_ATTR else I1, numbers(value))
    if constraint is SYMBOL_ATTR:
        return _symbol(value)
    if constraint is UNIT_ATTR:
        return UnitAttr()
    if attribute == "called_computations" and isinstance(value, ArrayAttr):
        return ArrayAttr(tuple([_symbol(entry) for entry in value]))
    return value


def _symbol(value: Attribute) -> SymbolRefAttr:
    if not isinstance(value, StringAttr):
        raise ValueError("the name of a function is no string")
    return SymbolRefAttr(value.value)
