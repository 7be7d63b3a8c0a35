"""Where a process of a grid meets others or waits for something: what the grid carries out, not the
process.
"""

from __future__ import annotations

from shlo.dialects import find_op_def, has_trait
from shlo.dialects.opdef import Synchronizes
from shlo.dialects.stablehlo.custom_call_targets import SHARDING_CALLS
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind, SyncPoint
from shlo.interpreter.program.nested_code import runnable_below
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Operation

COLLECTIVE_CALLS = frozenset({"ragged_all_to_all"})
"""Targets of custom calls that the processes of a group carry out together."""

MANUAL_COMPUTATION, MANUAL_RETURN = "sdy.manual_computation", "sdy.return"
NAMED_COMPUTATION = "sdy.named_computation"
ASYNC_START, ASYNC_DONE = "stablehlo.async_start", "stablehlo.async_done"
SEND, RECV, INFEED = "stablehlo.send", "stablehlo.recv", "stablehlo.infeed"

_CALLS = COLLECTIVE_CALLS | SHARDING_CALLS


def sync_point_of(code: CodeBlock, index: int) -> SyncPoint:
    """Returns how far an instruction reaches; found out once."""
    return _known_sync_point(code, index, frozenset((code.function.name,)))


def synchronizes(name: str) -> Synchronizes | None:
    """Returns how an operation concerns other processes of a grid."""
    op_def = find_op_def(name)
    return op_def.synchronizes if op_def is not None else None


def is_collective(operation: Operation) -> bool:
    """Returns whether the processes of a group carry an operation out together."""
    return synchronizes(operation.name) == "group" or call_target(operation) in COLLECTIVE_CALLS


def is_annotation(operation: Operation) -> bool:
    """Returns whether an operation says how its operand is laid out, and gives it as it is."""
    return has_trait(operation.name, "annotation") or call_target(operation) == "Sharding"


def call_target(operation: Operation) -> str:
    """Returns what a custom call calls; empty for any other operation."""
    if operation.name != "stablehlo.custom_call":
        return ""
    target = operation.attribute("call_target_name")
    return target.value if isinstance(target, StringAttr) else ""


def _known_sync_point(code: CodeBlock, index: int, callers: frozenset[str]) -> SyncPoint:
    instruction = code.instructions[index]
    if instruction.sync is None:
        instruction.sync = _sync_point(code, index, instruction, callers)
    return instruction.sync


def _sync_point(code: CodeBlock, index: int, instruction: Instruction, callers: frozenset[str]) -> SyncPoint:
    operation = instruction.operation
    if synchronizes(operation.name) in ("group", "wait") or call_target(operation) in _CALLS:
        return SyncPoint.SYNC
    if instruction.kind in (Kind.RETURN, Kind.JUMP):
        return SyncPoint.CONTAINS
    if not _is_entered(instruction) or not _meets_inside(code, index, instruction, callers):
        return SyncPoint.LOCAL
    return SyncPoint.CONTAINS if instruction.kind is not Kind.KERNEL else SyncPoint.SYNC


def _is_entered(instruction: Instruction) -> bool:
    return instruction.kind is not Kind.KERNEL or synchronizes(instruction.operation.name) == "region"


def _meets_inside(code: CodeBlock, index: int, instruction: Instruction, callers: frozenset[str]) -> bool:
    blocks = runnable_below(code, index)
    if instruction.kind is Kind.CALL:
        blocks = [block for block in blocks if block.function.name not in callers]
        callers |= {block.function.name for block in blocks}
    return any(_block_meets(block, callers) for block in blocks)


def _block_meets(code: CodeBlock, callers: frozenset[str]) -> bool:
    return any(
        instruction.kind not in (Kind.RETURN, Kind.JUMP)
        and _known_sync_point(code, index, callers) is not SyncPoint.LOCAL
        for index, instruction in enumerate(code.instructions)
    )
