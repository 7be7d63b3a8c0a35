"""What of an operation's surroundings its constraints ask for, and what they say with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from shlo.dialects import has_trait
from shlo.dialects.op_bindings import Judged, OpBindings
from shlo.dialects.opdef import OpDef
from shlo.dialects.signature_findings import constraint_findings, needs_constants
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr
from shlo.ir.operations import Operation, Region, Signature
from shlo.ir.types import FunctionType
from shlo.verifier.op_cursor import OpCursor

CLEAN = Judged(())
"""What is known of an operation that nothing is wrong with."""
SHARDY: Final = "sdy."
"""How the names of Shardy's attributes begin."""


class Context(NamedTuple):
    """Whether an operation's constraints depend on its regions, on what constants its operands are, or on
    what is around it; and whether its structure is to be looked at."""

    regions: bool
    constants: bool
    around: bool
    structure: bool


def has_references(signature: Signature) -> bool:
    """Returns whether attributes of an operation speak of what is around it (see `verifier.references`)."""
    properties = signature.properties
    return (
        any(value.has_references for value in properties.values())
        or any(name.startswith(SHARDY) for name in signature.attributes)
        or any(_has_shardings(properties.get(name)) for name in ("arg_attrs", "res_attrs"))
    )


def _has_shardings(attributes: Attribute | None) -> bool:
    """Returns whether one of a function's arguments or results has an attribute of Shardy."""
    entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
    return any(
        name.startswith(SHARDY)
        for entry in entries
        if isinstance(entry, DictionaryAttr)
        for name, _ in entry.entries
    )


@cache
def context_of(op_def: OpDef) -> Context:
    """Returns what the constraints of a definition depend on beside the signature."""
    return Context(
        bool(op_def.regions and op_def.constraints),
        needs_constants(op_def),
        any(constraint.needs_context for constraint in op_def.constraints),
        bool(op_def.regions) or op_def.has("terminator"),
    )


def judged_in_context(op_def: OpDef, cursor: OpCursor, regions: Sequence[FunctionType | None]) -> Judged:
    """What is wrong with an operation where it is."""
    bindings = OpBindings(op_def, cursor.operation.signature, regions, cursor.constant, cursor)
    findings = tuple(constraint_findings(bindings, op_def.constraints))
    return Judged(findings, bindings) if findings else CLEAN


def judged_around(op_def: OpDef, cursor: OpCursor, alone: Judged) -> Judged:
    """What is wrong with an operation where it is, of which the signature has been judged alone, and
    which nothing else depends on but what is around it."""
    bindings = OpBindings(op_def, cursor.operation.signature, around=cursor)
    around = (constraint for constraint in op_def.constraints if constraint.needs_context)
    findings = (*alone.findings, *constraint_findings(bindings, around))
    return Judged(findings, bindings) if findings else CLEAN


def region_type(region: Region) -> FunctionType | None:
    """Returns a region as a function: its first block's arguments, and what its last operation is given. None
    where it has no blocks or does not end."""
    if not region.blocks or not region.blocks[-1].operations:
        return None
    values = region.values.types
    last: Operation = region.blocks[-1].operations[-1]
    if not has_trait(last.name, "terminator"):
        return None
    inputs = tuple(values[value] for value in region.blocks[0].arguments)
    return FunctionType(inputs, last.operand_types)
