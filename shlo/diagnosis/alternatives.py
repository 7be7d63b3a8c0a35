"""Alternatives in a block: values of which a `select` takes one, as of a `cond` that was batched."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind

_SHAPED: Final = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")
"""Operations that give the elements of their operand in another shape."""

_Label = frozenset[Hashable]
"""Which of two instructions, or of selects between them, a value depends on; a select is told by its
predicate.
"""


def are_alternatives(code: CodeBlock, first: int, second: int) -> bool:
    """Returns whether nothing depends on the results of both of two instructions of a block, but for selects
    that take one or the other.
    """
    block = _LabelledBlock(code, _Label((first, second)))
    return block.label({number: _Label((number,)) for number in (first, second)})


class _LabelledBlock:
    """The labels of a block's values, and what they are reshaped from; `both` is the label of what depends on
    both instructions.
    """

    def __init__(self, code: CodeBlock, both: _Label, around: Sequence[CodeBlock] = ()) -> None:
        self._code, self._both, self._around = code, both, around
        self.labels: dict[int, _Label] = {}
        self.roots: dict[int, Hashable] = {}

    def label(self, instructions: Mapping[int, _Label]) -> bool:
        """Labels all values, of some instructions as told; returns whether none depends on both."""
        for number, instruction in enumerate(self._code.instructions):
            label = instructions.get(number) or self._label_of(instruction)
            if instruction.kind is Kind.CALL and label == self._both:
                if not self._label_call(number, instruction):
                    return False
                continue
            if len(label) > 1:
                return False
            if instruction.operation.name in _SHAPED:
                self.roots[instruction.results[0]] = self._root(instruction.operands[0])
            self.labels.update(dict.fromkeys(instruction.results, label))
        return True

    def _root(self, register: int) -> Hashable:
        return self.roots.get(register, (self, register))

    def _used(self, registers: Sequence[int]) -> list[_Label]:
        return [self.labels.get(register, _Label()) for register in registers]

    def _label_of(self, instruction: Instruction) -> _Label:
        used = self._used((*instruction.operands, *instruction.captures))
        label = _Label().union(*used)
        if instruction.operation.name == "stablehlo.select" and not used[0] and label == self._both:
            return _Label((("either", self._root(instruction.operands[0])),))
        return label

    def _label_call(self, number: int, instruction: Instruction) -> bool:
        """Labels the results of a call as its function's; returns whether nothing in it depends on both."""
        try:
            callee = self._code.callee(number).code
        except KernelError:
            return False
        around = (*self._around, self._code)
        if callee in around:
            return False
        inner = _LabelledBlock(callee, self._both, around)
        inner.labels.update(zip(callee.arguments, self._used(instruction.operands)))
        inner.roots.update(zip(callee.arguments, map(self._root, instruction.operands)))
        if not inner.label({}):
            return False
        self.labels.update(zip(instruction.results, inner._used(callee.instructions[-1].operands)))
        return True
