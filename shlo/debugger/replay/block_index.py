"""Index of a block: at which of its instructions operations, lines and values are, and which the debugger
may carry out without a look in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeVar

from shlo.debugger.replay.program_points import ProgramPoint, position_of, program_point, value_name
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Kind

Key = TypeVar("Key")


class BlockIndex:
    """Instructions of a block by what a breakpoint can be on; made once for a block."""

    def __init__(self, code: CodeBlock) -> None:
        self._code = code
        self.is_pure = True
        """Whether no kernel has an effect or concerns other processes."""
        self.barriers: list[int] = []
        """The instructions that are no such kernels, in order."""
        for index, instruction in enumerate(code.instructions):
            if instruction.kind is not Kind.KERNEL:
                self.barriers.append(index)
            elif _reaches_out(program_point(code, index)):
                self.barriers.append(index)
                self.is_pure = False

    @cached_property
    def constants(self) -> frozenset[int]:
        """The instructions whose results are a part of the program."""
        count = len(self._code.instructions)
        return frozenset(index for index in range(count) if program_point(self._code, index).is_constant)

    @cached_property
    def operations(self) -> dict[str, list[int]]:
        """The instructions before which to stop for an operation."""
        return _by_key(
            (instruction.operation.name, index) for index, instruction in enumerate(self._code.instructions)
        )

    @cached_property
    def lines(self) -> dict[int, list[int]]:
        """The instructions before which to stop for a line."""
        positions = ((position_of(self._code, index), index) for index in range(len(self._code.instructions)))
        return _by_key((position.line, index) for position, index in positions if position is not None)

    @cached_property
    def names(self) -> dict[str, list[int]]:
        """The instructions before which to stop for a value that is bound then."""
        code = self._code
        bound = [code.arguments, *(instruction.results for instruction in code.instructions)]
        return _by_key(
            (value_name(code, register), index)
            for index, registers in enumerate(bound)
            for register in dict.fromkeys(registers)
        )


def block_index(code: CodeBlock) -> BlockIndex:
    """Returns the index of a block."""
    index = code.index
    if not isinstance(index, BlockIndex):
        index = code.index = BlockIndex(code)
    return index


def _reaches_out(point: ProgramPoint) -> bool:
    try:
        return point.has_effect or point.is_sync_point
    except KernelError:
        return True  # an operation that is wrong


def _by_key(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = {}
    for key, index in pairs:
        indices = found.setdefault(key, [])
        if index not in indices[-1:]:
            indices.append(index)
    return found
