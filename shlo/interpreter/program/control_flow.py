"""What control flow chooses: the branch that runs, the block that follows, the numbers that a loop counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from shlo.dialects import find_op_def
from shlo.dialects.operand_groups import operand_groups
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Instruction
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.operations import Operation

COUNTED: Final = 3
"""How many operands of a counting loop are its bounds and step."""


def chosen_branch(instruction: Instruction, registers: Sequence[Value]) -> int:
    """Returns which region of an instruction runs; the first one where no value decides it."""
    operation = instruction.operation
    return branch_of(operation, registers[operation.operands[0]]) if operation.operands else 0


def branch_of(operation: Operation, selector: Value) -> int:
    """Returns which region of an operation a value selects. Specification: "if", "case"."""
    if operation.name in ("stablehlo.if", "scf.if"):
        return 0 if selector else 1
    cases = operation.attribute("cases")
    if isinstance(cases, DenseArrayAttr):
        return cases.values.index(int(selector)) + 1 if int(selector) in cases.values else 0
    last, index = len(operation.regions) - 1, int(selector)
    return index if 0 <= index <= last else last


def after_condition(instruction: Instruction, carried: Sequence[Value], returned: Sequence[Value]) -> Any:
    """Returns what a loop hands on once its condition gave values: those that it carries, or in structured
    control flow those that the condition gave."""
    return tuple(returned[1:]) if instruction.operation.name == "scf.while" else tuple(carried)


def next_block(code: CodeBlock, index: int, registers: Sequence[Value]) -> tuple[CodeBlock, list[Value]]:
    """Returns the block that a jump goes on with, and the values that it passes."""
    operation = code.instructions[index].operation
    op_def = find_op_def(operation.name)
    assert op_def is not None
    groups = operand_groups(op_def, len(operation.operands), operation.signature.properties)
    chosen = 0
    if operation.name == "cf.cond_br":
        chosen = 0 if registers[operation.operands[0]] else 1
    number, passed = operation.successors[chosen]
    places = list(groups.values())[-len(operation.successors) :][chosen]
    values = passed or [operation.operands[number] for number in places]
    return code.siblings[number], [registers[value] for value in values]


def first_count(instruction: Instruction, registers: Sequence[Value]) -> Value | None:
    """Returns the first number that a loop counts, None where there is none."""
    return next(counts(*[registers[register] for register in instruction.operation.operands[:COUNTED]]), None)


def count_after(instruction: Instruction, registers: Sequence[Value], number: Value) -> Value | None:
    """Returns the number that a loop counts after another one, None where there is none."""
    _, end, step = (registers[register] for register in instruction.operation.operands[:COUNTED])
    following = int(number) + int(step)
    return end.dtype.type(following) if following < int(end) else None


def counts(start: Value, end: Value, step: Value) -> Iterator[Value]:
    """Yields the numbers from one up to another; raises KernelError for a step that does not lead there."""
    if int(step) <= 0:
        raise KernelError(f"needs a step above 0, but it is {int(step)}")
    make = end.dtype.type
    return (make(number) for number in range(int(start), int(end), int(step)))


def needed_results(code: CodeBlock, index: int) -> list[int]:
    """Returns the results of a `stablehlo.while` that its body changes and that something uses."""
    instruction, body = code.instructions[index], code.regions(index)[1]
    changes = zip(instruction.results, body.instructions[-1].operands, body.arguments)
    return [
        register
        for register, returned, argument in changes
        if returned != argument and register not in instruction.last_uses
    ]
