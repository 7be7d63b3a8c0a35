"""Which of an operation's operands or results belong to which name on its definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from shlo.dialects.opdef import OpDef, OperandDef
from shlo.ir.attributes import Attribute, DenseArrayAttr

SEGMENTS: Final = ("operandSegmentSizes", "resultSegmentSizes")
"""The properties that say how long several lists of operands or results are."""


def operand_groups(op_def: OpDef, count: int, properties: Mapping[str, Attribute]) -> dict[str, range]:
    """Returns the numbers of an operation's operands under the names on its definition. `count` is how many
    operands it has.

    Several lists of unknown length are told apart by the property `operandSegmentSizes`, or else have one
    length.
    """
    return _groups(op_def.operands, count, properties.get(SEGMENTS[0]))


def result_groups(op_def: OpDef, count: int, properties: Mapping[str, Attribute]) -> dict[str, range]:
    """Returns the numbers of an operation's results under the names on its definition, as for operands."""
    return _groups(op_def.results, count, properties.get(SEGMENTS[1]))


def _groups(specs: Sequence[OperandDef], count: int, segments: Attribute | None) -> dict[str, range]:
    sizes = _sizes(specs, count)
    if isinstance(segments, DenseArrayAttr) and len(segments) == len(specs):
        sizes = list(segments)
    groups: dict[str, range] = {}
    start = 0
    for spec, size in zip(specs, sizes, strict=True):
        groups[spec.name] = range(min(start, count), min(start + size, count))
        start += size
    return groups


def _sizes(specs: Sequence[OperandDef], count: int) -> list[int]:
    lists = sum(spec.arity != "one" for spec in specs)
    free = max(count - (len(specs) - lists), 0)
    return [1 if spec.arity == "one" else free // lists for spec in specs]
