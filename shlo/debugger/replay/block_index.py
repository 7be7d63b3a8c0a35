"""Index of a block: at which of its instructions operations, lines and values are, and which the debugger
may carry out without a look in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import inf
from typing import TypeVar

from shlo.debugger.replay.program_points import position_of, program_point, value_name
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.interpreter.runtime.values import byte_size, is_static

Key = TypeVar("Key")


class BlockIndex:
    """Instructions of a block by what a breakpoint can be on; made once for a block."""

    def __init__(self, code: CodeBlock) -> None:
        self._code = code
        self.spans: object | None = None  # see spans.block_spans

    @cached_property
    def barriers(self) -> list[int]:
        """The instructions that are no kernels, have an effect, or concern other processes, in order."""
        instructions = self._code.instructions
        return [at for at in range(len(instructions)) if self._is_flow(at) or self._reaches_out(at)]

    @cached_property
    def is_pure(self) -> bool:
        """Whether no kernel has an effect or concerns other processes."""
        return all(map(self._is_flow, self.barriers))

    def _is_flow(self, at: int) -> bool:
        return self._code.instructions[at].kind is not Kind.KERNEL

    def _reaches_out(self, at: int) -> bool:
        point = program_point(self._code, at)
        try:
            return point.has_effect or point.is_sync_point
        except KernelError:
            return True  # an operation that is wrong

    @cached_property
    def constants(self) -> frozenset[int]:
        """The instructions whose results are a part of the program."""
        count = len(self._code.instructions)
        return frozenset(index for index in range(count) if program_point(self._code, index).is_constant)

    @cached_property
    def dear(self) -> frozenset[int]:
        """The instructions whose results take fewer bytes than their largest operand, such as products of
        activations and weights: worth more memory than others of their size.
        """
        instructions = self._code.instructions
        return frozenset(at for at in range(len(instructions)) if self._is_dear(instructions[at]))

    def _is_dear(self, instruction: Instruction) -> bool:
        operation = instruction.operation
        if instruction.kind is not Kind.KERNEL or not operation.operand_types:
            return False
        return sum(map(byte_size, operation.result_types)) < max(map(byte_size, operation.operand_types))

    @cached_property
    def most_bytes(self) -> float:
        """How many bytes the values of the block's function have together at most; infinity where a size is
        open.
        """
        types = self._code.values.types
        return sum(map(byte_size, types)) if all(map(is_static, types)) else inf

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


class BlockSet:
    """Blocks, and what breakpoints can be on in any of them: lines, operations, names of values."""

    def __init__(self, codes: Iterable[CodeBlock]) -> None:
        self.codes = tuple(codes)

    @cached_property
    def lines(self) -> frozenset[int]:
        """The lines of their instructions."""
        return frozenset(line for code in self.codes for line in block_index(code).lines)

    @cached_property
    def operations(self) -> frozenset[str]:
        """The names of their operations."""
        return frozenset(name for code in self.codes for name in block_index(code).operations)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the values that they bind."""
        return frozenset(name for code in self.codes for name in block_index(code).names)


def block_index(code: CodeBlock) -> BlockIndex:
    """Returns the index of a block."""
    index = code.index
    if not isinstance(index, BlockIndex):
        index = code.index = BlockIndex(code)
    return index


def _by_key(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    by_key: dict[Key, list[int]] = {}
    for key, index in pairs:
        indices = by_key.setdefault(key, [])
        if index not in indices[-1:]:
            indices.append(index)
    return by_key
