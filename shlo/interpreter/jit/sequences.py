"""Runs of operations on small arrays outside of loops as machine code: one call in place of one for each
operation.

A function that has been called so often that this pays is generated once more. Of each block, instructions
that machine code can do, one behind the other, become a sequence: kernels of small arrays, and whole loops,
branches and calls. What is left stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec import Struct

from shlo.dialects import has_trait
from shlo.interpreter.jit.codegen import HOIST_TOTAL, Emitter
from shlo.interpreter.jit.writer import CannotGenerate, EmittedOp, SourceOrigin, SourceScope, interface
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import (
    CodeBlock,
    FunctionCode,
    Instruction,
    Kind,
    Program,
)
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.runtime.tiers import REFUSALS, Tier, Unsupported, policy
from shlo.interpreter.runtime.values import is_scalar_type
from shlo.ir.diagnostics import ShloError
from shlo.ir.symbols import symbols_in
from shlo.ir.types import RankedTensorType, Type

MOST_ELEMENTS: Final = 4096
"""Elements of an array up to which a call from Python costs more than the operation."""
MOST_INSTRUCTIONS: Final = 500
"""Instructions of a sequence."""
DEEPEST: Final = 8
"""How deep calls and branches are that count as work."""
ARRAY_SECONDS: Final = 2e-6
HEAVY_SECONDS: Final = 5e-6
ROUTINE_SECONDS: Final = 4e-5
NUMBER_SECONDS: Final = 1.5e-7
LOOP_SECONDS: Final = 4e-6
"""What Python takes for an operation on small arrays that computes or moves elements, one that does more (a
product, a reduction, a gather), a call of a routine or a sort, one on numbers, and the call of a loop of
machine code."""
ROUTINES: Final = frozenset({"stablehlo.cholesky", "stablehlo.triangular_solve"})
"""Operations that call a routine of LAPACK or BLAS for each matrix, beside custom calls."""
GIVE_ROWS: Final = ROUTINES | {"stablehlo.custom_call", "stablehlo.dot_general"}
"""Operations whose small results lie row by row, if machine code can do them."""
CALLING: Final = ROUTINES | {"stablehlo.custom_call", "stablehlo.sort"}
"""Operations that take as long as twenty others."""
HEAVY: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("dot_general", "dynamic_slice", "dynamic_update_slice", "gather", "pad", "reduce", "scatter")
)


class _SequenceWork(Struct, frozen=True):
    """What small operations take from Python for each call, and how many there are to compile."""

    seconds: float
    operations: int


def sequences_due(function: FunctionCode) -> Callable[[], bool] | None:
    """Returns what counts a call of a function and tells whether sequences pay; None where there are none."""
    if not policy().makes("sequence") or function.program.hoisted_bytes > HOIST_TOTAL // 2:
        return None
    code = function.code
    try:
        work = _work_of(code, range(len(code.instructions)))
    except ShloError:  # a callee that there is not
        return None
    if work.seconds < policy().sequence_seconds:
        return None
    return partial(Tier[None]("sequence", work.operations, function.program).is_due, work.seconds)


class SequenceEmitter(Emitter):
    """Writes a function's source with calls of sequences."""

    picks = False

    def __init__(self, program: Program, linker: Linker, entry: CodeBlock) -> None:
        super().__init__(program, linker)
        self._entry = None if _is_called(entry.function) else entry
        self.targets: set[str] = set()
        """Those of the custom calls that sequences carry out as the handlers of this package do."""

    def block(self, scope: SourceScope, code: CodeBlock) -> tuple[str, ...]:
        """Writes a block; gives the variables that its terminator returns, whose values have not died yet."""
        hoisted = self._hoist(scope, code)
        index = refused = 0
        while index < len(code.instructions):
            instruction = code.instructions[index]
            if instruction.kind is Kind.RETURN:
                return tuple(scope.names_of(instruction.operands))
            if index in hoisted:
                self.die(scope, instruction.last_uses)
                index += 1
                continue
            if index >= refused:
                refused = stop = self._sequence_end(scope, code, index, hoisted)
                if self._sequence(scope, code, range(index, stop), hoisted):
                    index = stop
                    continue
            self.instruction(scope, SourceOrigin(code, index))
            index += 1
        raise CannotGenerate("a block without an end")

    def _hoist(self, scope: SourceScope, code: CodeBlock) -> set[int]:
        """Evaluates what depends on constants only; returns which instructions that are."""
        hoisted: set[int] = set()
        for index, instruction in enumerate(code.instructions):
            names = [scope.names.get(register, "") for register in instruction.operands]
            if instruction.kind is not Kind.KERNEL or not self.constants.keys() >= set(names):
                continue
            with suppress(ShloError):
                kernel, origin = self.linker.kernel(code, index), SourceOrigin(code, index)
                if self.hoisted(EmittedOp(scope, origin, instruction, kernel, names)):
                    hoisted.add(index)
        return hoisted

    def _sequence_end(self, scope: SourceScope, code: CodeBlock, start: int, hoisted: Collection[int]) -> int:
        """Returns up to where instructions from one on can be machine code, `start + 1` where it cannot."""
        from shlo.interpreter.loops.emitter import NativeEmitter

        stop = start
        while stop < len(code.instructions) and code.instructions[stop].kind is not Kind.RETURN:
            stop += 1
        indices = [index for index in range(start, stop) if index not in hoisted][:MOST_INSTRUCTIONS]
        constants = self._constants_of(scope, code, indices)
        try:
            count = NativeEmitter(self.linker, MOST_ELEMENTS).count_writable(code, indices, constants)
        except Unsupported:
            return start + 1
        return start + 1 if count == 0 else indices[count] if count < len(indices) else indices[-1] + 1

    def _constants_of(self, scope: SourceScope, code: CodeBlock, indices: Iterable[int]) -> dict[int, Value]:
        """Returns the constants that instructions use, by register."""
        used = {register for index in indices for register in _uses(code.instructions[index])}
        names = {register: scope.names.get(register) for register in sorted(used)}
        return {register: self.constants[name] for register, name in names.items() if name in self.constants}

    def _sequence(self, scope: SourceScope, code: CodeBlock, whole: range, hoisted: Collection[int]) -> bool:
        """Writes the call of a sequence; False where it does not pay or there is no machine code."""
        indices = [index for index in whole if index not in hoisted]
        left = _left(code, whole, indices, code is self._entry)
        if left is None or _work_of(code, indices).seconds < policy().sequence_seconds:
            return False
        constants, (results, again) = self._constants_of(scope, code, indices), left
        used, _ = interface(code.instructions[index] for index in indices)
        inputs = sorted(set(used) - constants.keys())
        function = self._compiled(code, indices, inputs, constants, results)
        if function is None:
            return False
        self.targets |= function.targets
        arguments = ", ".join(scope.name_of(register) for register in inputs)
        targets = "".join(f"{self.define(scope, register)}, " for register in results)
        call = f"{self.global_name('s', function)}({arguments})"
        self.line(f"{targets}= {call}" if targets else call, SourceOrigin(code, whole[0]))
        for index in again:
            self.kernel(scope, SourceOrigin(code, index))
        dead = [register for index in whole for register in code.instructions[index].last_uses]
        self.die(scope, dead)
        return True

    def _compiled(
        self,
        code: CodeBlock,
        indices: Sequence[int],
        inputs: Sequence[int],
        constants: dict[int, Value],
        results: Sequence[int],
    ) -> Any:
        """Returns the machine code of instructions as a function, None where there is none."""
        from shlo.interpreter.jit.native_loop import NativeFunction
        from shlo.interpreter.loops.emitter import NativeEmitter

        try:
            emitter = NativeEmitter(self.linker, MOST_ELEMENTS)
            return NativeFunction(emitter.emit_run(code, indices, inputs, constants, results))
        except REFUSALS:
            return None


def _uses(instruction: Instruction) -> tuple[int, ...]:
    return (*instruction.operands, *instruction.captures)


def _left(
    code: CodeBlock, whole: range, indices: Sequence[int], is_entry: bool
) -> tuple[list[int], list[int]] | None:
    """Returns which registers a sequence leaves, and which of its instructions Python carries out again
    behind it: movements whose results lie in memory as their operands do, where that may decide bits. None
    where control flow leaves such values.
    """
    dead = {register for index in whole for register in code.instructions[index].last_uses}
    needed = {r for index in indices for r in code.instructions[index].results if r not in dead}
    again: list[int] = []
    for index in reversed(indices):
        instruction = code.instructions[index]
        views = [
            register
            for register in needed.intersection(instruction.results)
            if not _lies_by_rows(code, register)
            and _order_matters(code, register, again, whole.stop, is_entry)
        ]
        if views and instruction.kind is not Kind.KERNEL:
            return None
        if views:
            again.insert(0, index)
            needed.difference_update(instruction.results)
            needed.update(r for r in instruction.operands if code.defined_at.get(r, -1) in indices)
    return sorted(needed), again


def _lies_by_rows(code: CodeBlock, register: int) -> bool:
    """Returns whether a value lies row by row in memory however it is computed."""
    index = code.defined_at.get(register, -1)
    if is_scalar_type(code.values.types[register]):
        return True
    if index < 0:
        return False
    instruction = code.instructions[index]
    if instruction.kind is Kind.KERNEL:
        return has_trait(instruction.operation.name, "elementwise") or instruction.operation.name in GIVE_ROWS
    if instruction.kind is Kind.WHILE:
        return True
    blocks = [code.callee(index).code] if instruction.kind is Kind.CALL else code.regions(index)
    position = instruction.results.index(register)
    return all(_lies_by_rows(block, block.instructions[-1].operands[position]) for block in blocks)


def _order_matters(code: CodeBlock, register: int, again: Sequence[int], stop: int, is_entry: bool) -> bool:
    """Returns whether how a value lies in memory may decide bits of operations behind a sequence, or how
    their results lie."""
    for instruction in (code.instructions[index] for index in (*again, *range(stop, len(code.instructions)))):
        if register not in _uses(instruction):
            continue
        if instruction.kind is Kind.RETURN:
            if not is_entry:
                return True
        elif instruction.kind is not Kind.KERNEL or not _takes_any_order(instruction.operation.name):
            return True
    return False


def _takes_any_order(name: str) -> bool:
    """Returns whether an operation stores operands row by row first, or its result whatever they are."""
    return has_trait(name, "elementwise") or name in ROUTINES or name == "stablehlo.reduce"


def _work_of(
    code: CodeBlock,
    indices: Iterable[int],
    depth: int = 0,
    known_works: dict[tuple[CodeBlock, int], _SequenceWork] | None = None,
) -> _SequenceWork:
    """Returns the work of instructions of a block, and of what they call and choose. `known` is that of
    blocks, by how deep they are: a chain of functions may call each other any number of times."""
    seconds, operations, known_works = 0.0, 0, {} if known_works is None else known_works
    for index in indices:
        instruction = code.instructions[index]
        operations += 1
        if instruction.kind is Kind.KERNEL:
            seconds += _kernel_seconds(code, instruction)
        elif instruction.kind in (Kind.CALL, Kind.BRANCH) and depth < DEEPEST:
            blocks = [code.callee(index).code] if instruction.kind is Kind.CALL else code.regions(index)
            works = [_work_of_block(block, depth + 1, known_works) for block in blocks]
            seconds += max((work.seconds for work in works), default=0.0)
            operations += sum(work.operations for work in works)
        elif instruction.kind is Kind.WHILE:
            seconds += LOOP_SECONDS
            operations += sum(len(block.instructions) for block in codes_within(code, index))
    return _SequenceWork(seconds, operations)


def _work_of_block(
    code: CodeBlock, depth: int, works: dict[tuple[CodeBlock, int], _SequenceWork]
) -> _SequenceWork:
    if (code, depth) not in works:
        works[code, depth] = _work_of(code, range(len(code.instructions)), depth, works)
    return works[code, depth]


def _kernel_seconds(code: CodeBlock, instruction: Instruction) -> float:
    types = [code.values.types[register] for register in (*instruction.operands, *instruction.results)]
    if not instruction.operands or any(map(_is_large, types)):
        return 0.0
    if all(map(is_scalar_type, types)):
        return NUMBER_SECONDS
    name = instruction.operation.name
    if name in CALLING:
        return ROUTINE_SECONDS
    return HEAVY_SECONDS if name in HEAVY else ARRAY_SECONDS


def _is_large(type_: Type) -> bool:
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return True
    return math.prod(type_.static_shape) > MOST_ELEMENTS


def _is_called(function: FunctionCode) -> bool:
    """Returns whether an operation of the program may name a function, so that it is not only an entry."""
    names, functions = function.name.split("::"), function.program.functions.values()
    return any(symbol in names for other in functions for symbol in symbols_in(other.operation))
