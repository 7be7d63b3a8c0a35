"""Purity: operations that depend on their operands alone, so that they may be computed early or left out."""

from __future__ import annotations

from typing import Final

from shlo.dialects import find_op_def
from shlo.dialects.opdef import Trait
from shlo.interpreter.registry import find_kernel
from shlo.ir.attributes import as_bool
from shlo.ir.operations import Operation, inner_operations
from shlo.verifier.op_cursor import is_terminator

_EFFECTS: Final[tuple[Trait, ...]] = ("effect", "symbol", "annotation", "terminator")


def has_pure_kernel(name: str) -> bool:
    """Returns whether a kernel carries an operation out that has no effect and needs nothing but its
    operands.
    """
    entry, op_def = find_kernel(name), find_op_def(name)
    is_alone = entry is not None and not entry.needs_context
    return is_alone and op_def is not None and not op_def.has("effect") and not op_def.has("barrier")


def is_pure(operation: Operation) -> bool:
    """Returns whether an operation that a kernel carries out has no effect, nor any in its regions."""
    return has_pure_kernel(operation.name) and all(
        has_pure_kernel(inner.name) or is_terminator(inner) for inner in inner_operations(operation)
    )


def has_no_effect(operation: Operation) -> bool:
    """Returns whether an operation, with all inside it, does nothing but give results, as the MLIR tools see
    it: those that meet other processes or change a sharding have effects, barriers have none.
    """
    if operation.name == "stablehlo.custom_call":
        effect = operation.attribute("has_side_effect")
        return effect is None or not as_bool(effect)
    op_def = find_op_def(operation.name)
    if op_def is None or any(map(op_def.has, _EFFECTS)) or op_def.synchronizes in ("group", "wait"):
        return False
    if op_def.control_flow == "call" or op_def.attribute("out_sharding") is not None:
        return False
    return all(
        has_no_effect(inner)
        for region in operation.regions
        for block in region.blocks
        for inner in block.operations
        if not is_terminator(inner)
    )
