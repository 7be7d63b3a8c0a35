"""A program as lints look at it: its instructions with the calls and regions that lead to them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.nested_code import runnable_below
from shlo.ir.operations import Operation
from shlo.ir.types import RankedTensorType
from shlo.places.origins import Origin, origin_of_path
from shlo.places.place import Place


class ProgramOp(Struct, frozen=True, eq=False):
    """An instruction, and the calls and operations with regions around it, the outermost first."""

    code: CodeBlock
    index: int
    around: tuple[Operation, ...] = ()

    @property
    def operation(self) -> Operation:
        """The operation of the instruction."""
        return self.code.instructions[self.index].operation

    @property
    def origin(self) -> Origin:
        """Where the operation came from, or else the innermost call that leads to it."""
        return origin_of_path([*self.around, self.operation])

    @property
    def place(self) -> Place:
        """The operation with its lines."""
        source = self.code.function.program.source
        line = None if source is None else source.position(self.code.span(self.index).start).line
        return Place(self.operation.name, line, self.origin)


def program_ops(code: CodeBlock) -> Iterator[ProgramOp]:
    """Yields the instructions of a block, of the regions in it, and of the functions that it calls, each
    function once.
    """
    to_visit: list[tuple[CodeBlock, tuple[Operation, ...]]] = [(code, ())]
    seen = {id(code)}
    while to_visit:
        block, outer = to_visit.pop()
        for index, instruction in enumerate(block.instructions):
            yield ProgramOp(block, index, outer)
            for inner in runnable_below(block, index):
                if id(inner) not in seen:
                    seen.add(id(inner))
                    to_visit.append((inner, (*outer, instruction.operation)))


def shape_of(code: CodeBlock, register: int) -> tuple[int | None, ...] | None:
    """Returns the shape of a value; None for one that is no ranked tensor."""
    type_ = code.values.types[register]
    return type_.shape if isinstance(type_, RankedTensorType) else None
