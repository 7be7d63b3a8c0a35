"""The regions that kernels evaluate themselves: the reducer of a reduce, the comparator of a sort."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from shlo.dialects import has_trait
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.program.sync_points import is_annotation
from shlo.interpreter.runtime.context import current_context
from shlo.ir.dtypes import Array
from shlo.ir.operations import Block, Operation, Region, Signature, ValueTable
from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.interpreter.jit.compile import Generated

_CALLS_BEFORE_GENERATING = 1


class RegionBody:
    """A region, as its operation's kernel sees it (see `kernel.Body`).

    What the region uses from outside is bound to values each time the operation runs.
    """

    def __init__(
        self,
        code: CodeBlock,
        captures: tuple[int, ...],
        linker: Linker,
        captured: tuple[Value, ...] = (),
    ) -> None:
        self._code = code
        self._captures = captures
        self._linker = linker
        self._captured = captured
        self._generated: dict[bool, Generated | None] = {}
        self._calls = [0]

    def bound(self, captured: tuple[Value, ...]) -> RegionBody:
        """Returns the same body with values for what it uses from outside."""
        body = RegionBody(self._code, self._captures, self._linker, captured)
        body._generated = self._generated
        body._calls = self._calls
        return body

    @property
    def calls(self) -> int:
        """How often the body ran on single elements."""
        return self._calls[0]

    @property
    def code(self) -> CodeBlock:
        """The region's block as instructions."""
        return self._code

    @property
    def captured(self) -> tuple[tuple[int, Value], ...]:
        """What the region uses from outside: slots and their values, where the body is bound."""
        return tuple(zip(self._captures, self._captured))

    @property
    def block(self) -> Block:
        """The region's block in the program."""
        return self._code.block

    @property
    def argument_types(self) -> tuple[Type, ...]:
        """The types of the block's arguments."""
        types = self._code.values.types
        return tuple(types[register] for register in self._code.arguments)

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the values that the region returns."""
        return self._end.operation.operand_types

    @property
    def _end(self) -> Instruction:
        instructions = self._code.instructions
        if not instructions or instructions[-1].kind is not Kind.RETURN:
            raise KernelError("its region does not end with a return")
        return instructions[-1]

    @property
    def single_operation(self) -> Signature | None:
        """The operation that the body applies to its arguments in order (in any order where that is the same)
        and whose results it returns; None where it does anything else.
        """
        if len(self._code.instructions) != 2 or self._code.instructions[0].kind is not Kind.KERNEL:
            return None
        operation = self._code.block.operations[0]
        is_returned = operation.results == self._end.operands
        if operation.regions or not is_returned or not self._takes_arguments(operation):
            return None
        return operation.signature

    def _takes_arguments(self, operation: Operation) -> bool:
        arguments = self._code.arguments
        if operation.operands == arguments:
            return True
        return has_trait(operation.name, "commutative") and operation.operands == arguments[::-1]

    @property
    def returned_arguments(self) -> tuple[int, ...] | None:
        """The argument numbers that a body without operations returns, else None."""
        arguments = self._code.arguments
        if len(self._code.instructions) != 1 or not set(self._end.operands) <= set(arguments):
            return None
        return tuple(arguments.index(register) for register in self._end.operands)

    @property
    def is_vectorizable(self) -> bool:
        """Whether every operation of the body is elementwise on rank-0 tensors."""
        return is_vectorizable(self._code, ())

    def on_arrays(self, *arrays: Array) -> tuple[Array, ...]:
        """Returns the body on whole arrays at once; the results are views where they do not depend on all
        arguments.
        """
        generated = self._function(on_arrays=True)
        if generated is None:
            raise KernelError("its region cannot be evaluated on whole arrays")
        results = generated.call(current_context(), self._captured, arrays)
        shape = np.shape(arrays[0]) if arrays else ()
        return tuple(
            value if np.shape(value) == shape else np.broadcast_to(value, shape) for value in results
        )

    def on_scalars(self, *values: Value) -> tuple[Value, ...]:
        """Returns the body once, on values of its argument types; as generated code once it is hot."""
        self._calls[0] += 1
        generated = self._function(on_arrays=False) if self._calls[0] > _CALLS_BEFORE_GENERATING else None
        if generated is not None:
            return generated.call(current_context(), self._captured, values)
        registers: list[Value] = [None] * len(self._code.values.types)
        for register, value in zip(self._captures, self._captured):
            registers[register] = value
        return self._linker.run_block(current_context(), self._code, registers, list(values))

    def _function(self, on_arrays: bool) -> Generated | None:
        if on_arrays not in self._generated:
            from shlo.interpreter.jit.compile import generate_body

            self._generated[on_arrays] = generate_body(self._code, self._captures, on_arrays, self._linker)
        return self._generated[on_arrays]

    @property
    def text_key(self) -> object:
        """A key that is equal for bodies with the same operations."""
        numbers = {register: -1 - position for position, register in enumerate(self._captures)}
        return _block_key(self._code.block, self._code.values, numbers)


def is_vectorizable(code: CodeBlock, callers: tuple[str, ...]) -> bool:
    """Returns whether a block consists of operations on scalars that work on each element alone, calls of
    such blocks included; False for a block that is wrong.
    """
    try:
        return all(_is_elementwise(code, index, callers) for index in range(len(code.instructions)))
    except KernelError:
        return False


def _is_elementwise(code: CodeBlock, index: int, callers: tuple[str, ...]) -> bool:
    kind, operation = code.instructions[index].kind, code.instructions[index].operation
    code.check_operands(index)
    if not all(_is_scalar(type_) for type_ in (*operation.operand_types, *operation.result_types)):
        return False
    if kind is Kind.CALL:
        check_region_types(code, index)
        callee = code.callee(index)
        return callee.name not in callers and is_vectorizable(callee.code, (*callers, callee.name))
    if kind is Kind.RETURN:
        return True
    is_plain = is_annotation(operation) or has_trait(operation.name, "elementwise", "constant")
    return kind is Kind.KERNEL and is_plain


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, RankedTensorType) and type_.shape == ()


def _block_key(block: Block, values: ValueTable, numbers: dict[int, int]) -> object:
    """Returns the block's operations, attributes and types, its values numbered in order."""
    _number(block.arguments, numbers)
    parts: list[object] = [tuple(values.types[register] for register in block.arguments)]
    for operation in block.operations:
        signature = operation.signature
        operands = tuple(numbers[register] for register in operation.operands)
        inner = tuple(_region_key(region, values, numbers) for region in operation.regions)
        _number(operation.results, numbers)
        attributes = (*sorted(signature.properties.items()), *sorted(signature.attributes.items()))
        types = (signature.operand_types, signature.result_types)
        parts.append((operation.name, attributes, *types, operands, inner))
    return tuple(parts)


def _region_key(region: Region, values: ValueTable, numbers: dict[int, int]) -> object:
    inner = numbers if region.values is values else {}
    return tuple(_block_key(block, region.values, inner) for block in region.blocks)


def _number(registers: Iterable[int], numbers: dict[int, int]) -> None:
    for register in registers:
        numbers[register] = len(numbers)
