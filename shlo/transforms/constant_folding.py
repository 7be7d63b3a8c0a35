"""Constant folding: what can be computed before a program runs is computed, with the interpreter's kernels.

An operation is evaluated where all its operands, and all that its regions use from outside, are constants,
and where running it has no effect and needs nothing but its operands. Control flow and calls are evaluated
as a whole, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from shlo.dialects.constants import is_constant
from shlo.interpreter.engine.binding import run_instruction
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Kind, program_of
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.semantics import Semantics
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.types import INDEX, QuantizedType, RankedTensorType, Type
from shlo.transforms.rewriting.purity import has_pure_kernel
from shlo.transforms.rewriting.rebuild import block_of, collect_uses, with_blocks, with_body, with_regions

MAX_ELEMENTS = 65_536
MAX_STEPS = 100_000


@recursive
def fold(
    module: Module,
    *,
    max_elements: int = MAX_ELEMENTS,
    max_steps: int = MAX_STEPS,
    semantics: Semantics = "spec",
) -> Module:
    """Returns the module with `stablehlo.constant` in place of operations that constants alone decide.

    Results of more than `max_elements` elements stay operations, and so does control flow that takes more
    than `max_steps` operations. Values keep their names and numbers, operations their places in the source.
    Constants that nothing uses any more are left out. An operation that fails stays: it fails when it runs.
    `semantics` is that of `run`.
    """
    folding = _Folding(max_elements, max_steps)
    with np.errstate(all="ignore"):
        for function in program_of(module, semantics).functions.values():
            folding.evaluate(function)
    return with_body(module, folding.folded_region(module.body))


class _Folding:
    """What is known of the values of a module's functions, by table of values and number."""

    def __init__(self, max_elements: int, max_steps: int) -> None:
        self._max_elements = max_elements
        self._max_steps = max_steps
        self._known: dict[ValueTable, list[Value]] = {}
        self._used: dict[ValueTable, set[int]] = {}
        self._needed: dict[ValueTable, set[int]] = {}
        self._constants: set[Operation] = set()
        self._replaced: set[Operation] = set()
        self._purity: dict[str, bool] = {}

    def evaluate(self, function: FunctionCode) -> None:
        """Evaluates what can be in a function of one block, and finds out which values are still needed."""
        if len(function.region.blocks) != 1:
            return
        collect_uses(function.region, self._used)
        with suppress(KernelError):  # a region of several blocks, a function that there is not
            self._evaluate_block(function.code)
        collect_uses(function.region, self._needed, self._replaced)

    def _evaluate_block(self, code: CodeBlock) -> None:
        registers = self._known.setdefault(code.values, [None] * len(code.values.types))
        for index, instruction in enumerate(code.instructions):
            if instruction.kind in (Kind.RETURN, Kind.JUMP):
                continue
            inputs = (*instruction.operation.operands, *instruction.captures)
            if all(registers[register] is not None for register in inputs) and self._may_evaluate(
                code, index
            ):
                self._evaluate(code, index, registers)
            else:
                for region in code.regions(index) if instruction.operation.regions else ():
                    self._evaluate_block(region)

    def _evaluate(self, code: CodeBlock, index: int, registers: list[Value]) -> None:
        instruction = code.instructions[index]
        inputs = (*instruction.operation.operands, *instruction.captures)
        inputs_before = [(register, registers[register]) for register in inputs]
        context = ExecutionContext(budget=Budget(self._max_steps))
        try:
            with context.active():
                run_instruction(context, code, index, registers)
            evaluated = self._constants if is_constant(instruction.operation) else self._replaced
            evaluated.add(instruction.operation)
        except Exception:  # whatever is wrong with it is reported where the program runs
            for register in instruction.results:
                registers[register] = None
        for register, value in inputs_before:  # a run drops what it needs no more
            registers[register] = value

    def _may_evaluate(self, code: CodeBlock, index: int) -> bool:
        operation = code.instructions[index].operation
        if not all(_is_tensor(type_) for type_ in operation.result_types):
            return False
        return is_constant(operation) or (self._is_small(operation) and self._is_pure(code, index))

    def _is_small(self, operation: Operation) -> bool:
        """Returns whether constants may hold the results; StableHLO's hold no indices."""
        tensors = [type_ for type_ in operation.result_types if isinstance(type_, RankedTensorType)]
        return all(
            tensor.element_count <= self._max_elements and tensor.element_type != INDEX for tensor in tensors
        )

    def _is_pure(self, code: CodeBlock, index: int) -> bool:
        """Returns whether an instruction, with all that it calls, depends on its operands alone and has no
        effect.
        """
        instruction = code.instructions[index]
        if instruction.kind is Kind.CALL:
            return self._is_pure_function(code.callee(index))
        if instruction.kind is Kind.KERNEL and not has_pure_kernel(instruction.operation.name):
            return False
        return all(self._is_pure_block(region) for region in code.regions(index))

    def _is_pure_block(self, code: CodeBlock) -> bool:
        """Returns whether a block, and those that it may go on with, are pure."""
        return all(
            self._is_pure(block, index) for block in code.siblings for index in range(len(block.instructions))
        )

    def _is_pure_function(self, function: FunctionCode) -> bool:
        if function.name not in self._purity:
            self._purity[function.name] = True  # what a recursion adds is found in its body
            self._purity[function.name] = self._is_pure_block(function.code)
        return self._purity[function.name]

    # --- the new module ------------------------------------------------------------------------------------

    def folded_region(self, region: Region) -> Region:
        """Returns the region with constants in it; the region itself where nothing changes."""
        blocks = tuple(self._folded_block(block, region.values) for block in region.blocks)
        return with_blocks(region, blocks)

    def _folded_block(self, block: Block, values: ValueTable) -> Block:
        return block_of(
            block,
            (
                (index, new)
                for index, op in enumerate(block.operations)
                for new in self._folded_operation(op, values)
            ),
        )

    def _folded_operation(self, operation: Operation, values: ValueTable) -> Iterator[Operation]:
        if operation in self._replaced:
            yield from self._new_constants(operation, values)
        elif operation not in self._constants:
            yield with_regions(operation, tuple(map(self.folded_region, operation.regions)))
        elif not self._has_lost_its_uses(operation, values):
            yield operation

    def _has_lost_its_uses(self, operation: Operation, values: ValueTable) -> bool:
        results = operation.results
        return self._needed[values].isdisjoint(results) and not self._used[values].isdisjoint(results)

    def _new_constants(self, operation: Operation, values: ValueTable) -> Iterator[Operation]:
        """Yields a constant for each result that is still needed."""
        for register, type_ in zip(operation.results, operation.result_types):
            if register in self._needed[values]:
                assert isinstance(type_, RankedTensorType)
                elements = np.array(self._known[values][register], dtype_of(type_.element_type))
                value = DenseElementsAttr(type_, elements)
                signature = Signature("stablehlo.constant", (), (type_,), {"value": value})
                yield Operation(signature, results=(register,), location=operation.location)


def _is_tensor(type_: Type) -> bool:
    """Returns whether values of a type are arrays that a constant can hold."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    return not isinstance(type_.element_type, QuantizedType)
