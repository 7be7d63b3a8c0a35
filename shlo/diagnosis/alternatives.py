"""Alternatives in a block: values of which a `select` takes one, as of a `cond` that was batched."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from shlo.interpreter.program.code import CodeBlock, Instruction

_SHAPED: Final = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")
"""Operations that give the elements of their operand in another shape."""


def are_alternatives(code: CodeBlock, first: int, second: int) -> bool:
    """Returns whether nothing depends on the results of both of two instructions of a block, but for selects
    that take one or the other.
    """
    labels: dict[int, frozenset[Hashable]] = {}
    roots: dict[int, int] = {}
    for number, instruction in enumerate(code.instructions):
        label = (
            frozenset([number])
            if number in (first, second)
            else _label(instruction, labels, roots, (first, second))
        )
        if len(label) > 1:
            return False
        if instruction.operation.name in _SHAPED:
            operand = instruction.operands[0]
            roots[instruction.results[0]] = roots.get(operand, operand)
        labels.update(dict.fromkeys(instruction.results, label))
    return True


def _label(
    instruction: Instruction,
    labels: dict[int, frozenset[Hashable]],
    roots: dict[int, int],
    both: tuple[int, int],
) -> frozenset[Hashable]:
    """Returns which of two instructions, or of selects between them, an instruction depends on; a select is
    told by its predicate.
    """
    nothing: frozenset[Hashable] = frozenset()
    used = [labels.get(register, nothing) for register in (*instruction.operands, *instruction.captures)]
    label = nothing.union(*used)
    if (
        instruction.operation.name == "stablehlo.select"
        and not used[0]
        and label == frozenset[Hashable](both)
    ):
        predicate = instruction.operands[0]
        return frozenset([("either", roots.get(predicate, predicate))])
    return label
