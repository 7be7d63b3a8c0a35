"""Lint: work in a loop that gives the same in every round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shlo.costs.analysis import cost
from shlo.debugger.replay.program_points import program_point
from shlo.diagnosis.program import ProgramOp, program_ops
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.sync_points import call_target
from shlo.ir.operations import Module, Operation
from shlo.places.card import Card
from shlo.places.origins import Origin, is_library
from shlo.places.remedies import HOIST
from shlo.runner.python_source import PythonSources

HEAVY: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("cholesky", "convolution", "dot_general", "fft", "sort", "triangular_solve")
)
"""Operations whose work is worth a word; a compiler moves lighter ones out of loops, and they cost little."""

_LAPACK: Final = ("lapack_", "Qr", "Eigh", "cusolver", "hipsolver")
LEAST_SHARE: Final = 0.02
"""The share of the program's arithmetic from which on an operation is reported."""


def invariant_work(module: Module, entry: str, code: CodeBlock, sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each heavy operation in a loop whose operands are the same in all rounds."""
    ops = {
        id(op.operation): op
        for loop in program_ops(code)
        if loop.code.instructions[loop.index].kind is Kind.WHILE
        for op in _invariant_in(loop)
        if not _is_in_one_call(loop.origin, op.origin)
    }
    if not ops:
        return
    counted = cost(module, entry)
    total = counted.total.operations or 1
    for operation in counted.operations:
        op = ops.pop(id(operation.operation), None)
        share = operation.total.operations / total
        is_counted = op is not None and op.operation.name in HEAVY and bool(operation.total.operations)
        if op is None or operation.times < 2 or (is_counted and share < LEAST_SHARE):
            continue
        part = f", {share:.0%} of the arithmetic of the program" if is_counted else ""
        deed = f"computes the same {operation.times:,} times in a loop{part}"
        yield sources.card_at("loop_invariant", op.place, deed, HOIST)


def _is_in_one_call(loop: Origin, origin: Origin) -> bool:
    """Returns whether a loop and an operation in it come from one call of a library, which a reader cannot
    take apart: the library may compute again what would take memory to keep.
    """
    both = loop.lines[:1] + origin.lines[:1]
    return loop.line == origin.line and all(is_library(line.file) for line in both)


def _invariant_in(loop: ProgramOp) -> Iterator[ProgramOp]:
    """Yields the heavy operations of a loop's body whose operands no round changes."""
    body = loop.code.regions(loop.index)[1]
    returned = body.instructions[-1].operation.operands
    same = {register for register, after in zip(body.arguments, returned) if register == after}
    same.update(loop.code.instructions[loop.index].captures)
    yield from _invariant_ops(body, same, (*loop.around, loop.operation), ())[0]


def _invariant_ops(
    code: CodeBlock, same: set[int], around: tuple[Operation, ...], callers: tuple[str, ...]
) -> tuple[list[ProgramOp], list[bool]]:
    """Returns the heavy operations of a block that depend on `same` values alone, and which of what it
    returns does.
    """
    ops: list[ProgramOp] = []
    for index, instruction in enumerate(code.instructions):
        operation = instruction.operation
        if instruction.kind is Kind.CALL:
            inner, results = _in_callee(code, index, same, (*around, operation), callers)
            ops += inner
            same |= {result for result, is_same in zip(operation.results, results) if is_same}
        elif instruction.kind is Kind.KERNEL and same.issuperset(instruction.operands):
            if program_point(code, index).has_effect:
                continue
            same |= set(operation.results)
            if operation.operands and _is_heavy(operation):
                ops.append(ProgramOp(code, index, around))
    return ops, [register in same for register in code.instructions[-1].operands]


def _in_callee(
    code: CodeBlock, index: int, same: set[int], around: tuple[Operation, ...], callers: tuple[str, ...]
) -> tuple[list[ProgramOp], list[bool]]:
    try:
        callee = code.callee(index)
    except KernelError:
        return [], []
    if callee.name in callers or len(callee.code.siblings) > 1:
        return [], []
    operands = code.instructions[index].operands
    inner = {argument for argument, operand in zip(callee.code.arguments, operands) if operand in same}
    return _invariant_ops(callee.code, inner, around, (*callers, callee.name))


def _is_heavy(operation: Operation) -> bool:
    return operation.name in HEAVY or call_target(operation).startswith(_LAPACK)
