"""A loop, or a straight run of operations, with all control flow inside, as a function in LLVM's language.

The function is passed the addresses of Python's objects: the code's inputs, arrays for its results, and a
frame, which is memory for its arrays and, while it pauses, its variables. It pauses after so many rounds of
all loops in it together, so that Python can look for signals, and goes on where it was when it is called
again. Arrays that no other value shares are written in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from shlo.dialects import find_op_def
from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.jit.native.elementwise import convert, elementwise, function_of_floats
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import FLOAT64, Number, number_of, number_of_dtype
from shlo.interpreter.jit.native.objects import data_offset, scalar_offset
from shlo.interpreter.jit.native.operations.arg_reduce import chosen_axis, write_arg_reduce
from shlo.interpreter.jit.native.operations.movement import IN_PLACE, MOVEMENT, copy_all, exact_combiner
from shlo.interpreter.jit.native.operations.products import write_product
from shlo.interpreter.jit.native.operations.routines import plan_of, write_routine
from shlo.interpreter.jit.native.operations.sort import write_sort
from shlo.interpreter.jit.native.pending import (
    LEAST_PASS,
    BlockValue,
    Pending,
    elementwise_write,
    known,
    pass_text,
    select_write,
)
from shlo.interpreter.jit.native.pending import Write as PendingWrite
from shlo.interpreter.jit.native.ufunc_loops import call_loop, write_power
from shlo.interpreter.jit.native.values import Memory, NativeValue, Scalar, Splat, load, store
from shlo.interpreter.kernels.numeric import Kind as NumberKind
from shlo.interpreter.kernels.routine_calls import RoutinePlan, Storage
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.interpreter.program.control_flow import needed_results
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.tiers import Unsupported, policy
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType

MOST_ELEMENTS: Final = 1 << 14
"""Elements of an array up to which machine code without vectors over operations is worth it."""
MOST_CARRIED: Final = 1 << 18
"""The same of an array that an outermost loop carries and changes in place only."""
MOST_BYTES: Final = 1 << 23
"""Bytes of a frame."""
MOST_OPERATIONS: Final = 2000


class Location(Struct, frozen=True):
    """Where a frame has a value."""

    offset: int
    number: Number
    shape: Sizes


class NativeCode(Struct):
    """A function's text, and what it takes and leaves. It holds addresses of `constants`.

    The words that it is passed are the addresses of the objects of the frame, an array of `size` bytes, of
    the inputs (NumPy scalars, and arrays that lie row by row) and of the arrays that take the results.
    `targets` are those of its custom calls, which it carries out as the handlers of this package do.
    """

    text: str
    size: int
    inputs: list[tuple[Number, Sizes]]
    results: list[tuple[Number, Sizes]]
    constants: list[Any] = field(default_factory=list[Any])
    targets: frozenset[str] = frozenset()


class _Scope:
    """The values of one function, or of one place where a call was put in, by register."""

    def __init__(self) -> None:
        self.values: dict[int, BlockValue] = {}


class NativeEmitter:
    """Writes one loop, or some of a block's instructions. Raises Unsupported for what it cannot write.

    Args:
        linker: binds kernels.
        most_elements: how many elements arrays may have outside of loops.
    """

    def __init__(self, linker: Linker, most_elements: int = MOST_ELEMENTS) -> None:
        self.lines = Lines()
        self.constants: list[Any] = []
        self._targets: set[str] = set()
        self._linker = linker
        self._size = 0
        self._words = 1  # the frame's is the first
        self._most_elements = most_elements
        self._loops = 0
        self._arrays: dict[str, Any] = {}  # constants as kernels get them, by their addresses here
        self._work = 0
        self._operations = 0
        self._heads: list[str] = []
        self._holders: Counter[str] = Counter()
        self._owners: dict[str, CodeBlock] = {}
        self._homes: dict[CodeBlock, CodeBlock] = {}  # of callees that are being put in: where that is
        self._known: dict[tuple[BoundKernel, tuple[NativeValue, ...]], Scalar | Splat] = {}
        self._pending: dict[int, list[Pending]] = {}  # by how many elements they have
        self._passes: list[str] = []

    # The function

    def emit_loop(self, code: CodeBlock, index: int) -> NativeCode:
        """Returns the code of a loop, which takes the values that it captures and those that it carries, and
        leaves those of its results that it changes and that something uses.
        """
        instruction, scope = code.instructions[index], _Scope()
        types = code.values.types
        captured = [self._input(types[register]) for register in instruction.captures]
        scope.values.update(zip(instruction.captures, captured))
        initial = [self._input(types[register]) for register in instruction.operands]
        self._loop(scope, code, index, instruction, initial)
        return self._finished(scope, code, (*captured, *initial), needed_results(code, index))

    def emit_run(
        self,
        code: CodeBlock,
        indices: Sequence[int],
        inputs: Sequence[int],
        constants: Mapping[int, Any],
        results: Sequence[int],
    ) -> NativeCode:
        """Returns the code of some instructions of a block, one after the other.

        Args:
            code: the block.
            indices: the instructions.
            inputs: the registers whose values the code takes.
            constants: the values of other registers, known now.
            results: the registers whose values the code leaves.
        """
        scope = self._begun(code, inputs, constants)
        given = [self._stored(scope.values[register]) for register in inputs]
        for index in indices:
            instruction = code.instructions[index]
            self._instruction(scope, code, index, instruction)
            for register in instruction.results:
                if register in results:
                    self._hold(scope.values[register], 1)  # to the end
        return self._finished(scope, code, given, results)

    def count_writable(self, code: CodeBlock, indices: Sequence[int], constants: Mapping[int, Any]) -> int:
        """Returns how many of some instructions of a block, from the first on, can be written. Nothing else
        can be written afterwards.
        """
        try:
            scope = self._begun(code, (), constants)
        except Unsupported:
            return 0
        for count, index in enumerate(indices):
            instruction = code.instructions[index]
            try:
                for register in (*instruction.operands, *instruction.captures):
                    if register not in scope.values:
                        scope.values[register] = self._input(code.values.types[register])
                self._instruction(scope, code, index, instruction)
            except (Unsupported, ShloError):
                return count
        return len(indices)

    def _begun(self, code: CodeBlock, inputs: Sequence[int], constants: Mapping[int, Any]) -> _Scope:
        """Returns a scope with the values that code takes, and with constants."""
        scope, types = _Scope(), code.values.types
        for register in inputs:
            scope.values[register] = self._input(types[register])
        for register, value in constants.items():
            scope.values[register] = self._constant(number_of(types[register]), value)
        return scope

    def _finished(
        self, scope: _Scope, code: CodeBlock, inputs: Sequence[NativeValue], registers: Sequence[int]
    ) -> NativeCode:
        """Writes the storing of the results, which registers hold, and returns the code."""
        types = code.values.types
        self._write_pending()
        results: list[tuple[Number, Sizes]] = []
        for register in registers:
            number, shape = number_of(types[register]), _shape(types[register])
            result = Memory(number, shape, self._data(self._word()))
            copy_all(self.lines, result, self._stored(scope.values[register]))
            results.append((number, shape))
        self.lines.line("ret i64 0")
        passed = [(value.number, value.shape) for value in inputs]
        targets = frozenset(self._targets)
        return NativeCode(self._text(), self._size, passed, results, self.constants, targets)

    def _word(self) -> str:
        """Returns the name of the next object's address."""
        name = self.lines.name("%o")
        self.lines.entry += [
            f"  {name}.at = getelementptr i8, ptr %words, i64 {8 * self._words}",
            f"  {name} = load ptr, ptr {name}.at",
        ]
        self._words += 1
        return name

    def _data(self, word: str) -> str:
        """Returns the name of the address of an array's elements, whose object's address is given."""
        pointer = self.lines.name("%m")
        self.lines.entry += [
            f"  {pointer}.at = getelementptr i8, ptr {word}, i64 {data_offset()}",
            f"  {pointer} = load ptr, ptr {pointer}.at",
        ]
        return pointer

    def _input(self, type_: Any) -> NativeValue:
        """Returns a value that Python passes: an array where it is, which stays as it is, or a variable with
        a number."""
        number, shape, word = number_of(type_), _shape(type_), self._word()
        if shape:
            return Memory(number, shape, self._data(word))
        pointer = self.lines.name("%m")
        self.lines.entry.append(f"  {pointer} = getelementptr i8, ptr {word}, i64 {scalar_offset()}")
        variable = self._variable(number)
        store(self.lines, variable, "0", load(self.lines, Memory(number, (), pointer), "0"))
        return variable

    def _text(self) -> str:
        """Returns the whole function: variables, where it goes on, the lines, how it pauses."""
        lines = self.lines
        saved = {name: self._reserve(8) for name, _ in lines.variables}
        saves, restores = ["pause:"], ["restore:"]
        saves.append("  %head = load i64, ptr %paused")
        for name, type_ in lines.variables:
            address = f"{name}.kept"
            lines.entry.append(f"  {address} = getelementptr i8, ptr %frame, i64 {saved[name]}")
            saves += [
                f"  {name}.now = load {type_}, ptr {name}",
                f"  store {type_} {name}.now, ptr {address}",
            ]
            restores += [
                f"  {name}.old = load {type_}, ptr {address}",
                f"  store {type_} {name}.old, ptr {name}",
            ]
        saves.append("  ret i64 %head")
        choices = " ".join(f"i64 {number}, label %{head}" for number, head in enumerate(self._heads, 1))
        restores.append(f"  switch i64 %from, label %begin [{choices}]")
        fuel = max(1, policy().pause_work // max(1, self._work))
        return "\n".join(
            [
                *self.lines.functions.values(),
                *self._passes,
                "define i64 @loop(ptr %words, i64 %from) {",
                "enter:",
                *(f"  {name} = alloca {type_}" for name, type_ in lines.variables),
                "  %paused = alloca i64",
                "  %fuel = alloca i64",
                f"  store i64 {fuel}, ptr %fuel",
                "  %frame.object = load ptr, ptr %words",
                f"  %frame.data = getelementptr i8, ptr %frame.object, i64 {data_offset()}",
                "  %frame = load ptr, ptr %frame.data",
                *lines.entry,
                "  %is.new = icmp eq i64 %from, 0",
                "  br i1 %is.new, label %begin, label %restore",
                "begin:",
                *lines.lines,
                *saves,
                *restores,
                "}",
            ]
        )

    # Memory

    def _reserve(self, size: int) -> int:
        offset = self._size
        self._size += (size + 15) // 16 * 16
        if self._size > MOST_BYTES:
            raise Unsupported("too large")
        return offset

    def _location(self, number: Number, type_: Any, most: int) -> Location:
        shape = _shape(type_)
        count = _count(shape)
        if count > most:
            raise Unsupported("a large array")
        return Location(self._reserve(count * number.dtype.itemsize), number, shape)

    def _memory_at(self, location: Location) -> Memory:
        pointer = self.lines.name("%m")
        self.lines.entry.append(f"  {pointer} = getelementptr i8, ptr %frame, i64 {location.offset}")
        return Memory(location.number, location.shape, pointer)

    def _memory(self, type_: Any, owner: CodeBlock | None = None, most: int = MOST_ELEMENTS) -> Memory:
        memory = self._memory_at(self._location(number_of(type_), type_, most))
        if owner is not None:
            self._owners[memory.pointer] = owner
        return memory

    def _variable(self, number: Number) -> Scalar:
        return Scalar(number, self.lines.variable(number.llvm), is_variable=True)

    # Blocks

    def _block(self, scope: _Scope, code: CodeBlock) -> list[BlockValue]:
        """Writes a block, or a callee's in its caller's; returns the values that its terminator returns, of
        which some may wait.
        """
        if len(code.siblings) > 1:
            raise Unsupported("several blocks")
        known = self._known
        if code not in self._homes:
            self._known = {}
        values = self._instructions(scope, code)
        self._known = known
        return values

    def _instructions(self, scope: _Scope, code: CodeBlock) -> list[BlockValue]:
        for index, instruction in enumerate(code.instructions):
            if instruction.kind is Kind.RETURN:
                values = [scope.values[register] for register in instruction.operands]
                self._die(scope, instruction.last_uses)
                return values
            self._instruction(scope, code, index, instruction)
        raise Unsupported("a block without an end")

    def _instruction(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        """Writes an instruction that does not end its block."""
        self._operations += 1
        if self._operations > MOST_OPERATIONS:
            raise Unsupported("too many operations")
        if instruction.kind is not Kind.KERNEL:
            check_region_types(code, index)
        if instruction.kind is Kind.KERNEL:
            self._kernel(scope, code, index, instruction)
        elif instruction.kind is Kind.WHILE and instruction.operation.name == "stablehlo.while":
            self._write_pending()
            initial = [self._stored(scope.values[register]) for register in instruction.operands]
            self._loop(scope, code, index, instruction, initial)
        elif instruction.kind is Kind.BRANCH:
            self._branch(scope, code, index, instruction)
        elif instruction.kind is Kind.CALL:
            self._call(scope, code, index, instruction)
        else:
            raise Unsupported(instruction.operation.name)
        is_kernel = instruction.kind is Kind.KERNEL
        dead = () if is_kernel else instruction.dead_inside
        self._die(scope, [register for register in instruction.last_uses if register not in dead])

    def _bind(self, scope: _Scope, register: int, value: BlockValue) -> None:
        scope.values[register] = value
        self._hold(value, 1)

    def _die(self, scope: _Scope, registers: Sequence[int]) -> None:
        for register in registers:
            if register in scope.values:
                self._hold(scope.values[register], -1)

    def _hold(self, value: BlockValue, more: int) -> None:
        value = known(value)
        if isinstance(value, Pending):
            value.holders += more
        elif isinstance(value, Memory):
            self._holders[value.pointer] += more

    # Operations that wait

    def _stored(self, value: BlockValue) -> NativeValue:
        """Returns a value where it is; writes the pass that computes it, if it waits."""
        if isinstance(value, Pending) and value.value is None:
            self._write_pass(value.count, {value: []})
        value = known(value)
        assert not isinstance(value, Pending)
        return value

    def _write_pending(self, targets: Mapping[Pending, Sequence[Memory | Scalar]] | None = None) -> None:
        """Writes all that waits and that something needs; `targets` says where values go beside."""
        for count in tuple(self._pending):
            self._write_pass(count, targets or {})

    def _write_pass(self, count: int, wanted: Mapping[Pending, Sequence[Memory | Scalar]]) -> None:
        """Writes one pass over the arrays of a size. What registers hold, and what `wanted` names without a
        place, gets memory, or a variable, of its own.
        """
        nodes, targets = self._pending.pop(count), dict[Pending, list[Memory | Scalar]]()
        for node in nodes:
            places = list(wanted.get(node, ()))
            if node.holders or (node in wanted and not places):
                node.value = self._place_of(node)
                places.append(node.value)
            if places:
                targets[node] = places
        if targets:
            name = f"@pass{len(self._passes)}"
            self._passes.append(pass_text(self.lines, name, nodes, targets))

    def _place_of(self, node: Pending) -> Memory | Scalar:
        if node.is_total:
            return self._variable(node.number)
        offset = self._reserve(node.count * node.number.dtype.itemsize)
        memory = self._memory_at(Location(offset, node.number, node.shape))
        self._owners[memory.pointer] = node.owner
        self._holders[memory.pointer] = node.holders
        return memory

    # Kernels

    def _kernel(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        bound = self._linker.kernel(code, index)
        routine = plan_of(bound)
        if routine is not None:
            self._routine(scope, code, instruction, bound, *routine)
            return
        op_def = find_op_def(instruction.operation.name)
        if bound.entry.needs_context or op_def is None or op_def.has("effect"):
            raise Unsupported(instruction.operation.name)
        types = bound.op_view.operand_types
        if len(types) != len(instruction.operands):
            raise Unsupported("a region that uses values from outside")
        if instruction.operation.name == "stablehlo.sort":
            self._sort(scope, code, instruction, bound)
            return
        if len(instruction.results) != 1:
            self._arg_reduce(scope, code, instruction, bound)
            return
        result_type = bound.op_view.result_types[0]
        result = number_of(result_type)
        given = [known(scope.values[register]) for register in instruction.operands]
        name = bound.op_view.name.removeprefix("stablehlo.")
        shape = _shape(result_type)
        work = max(map(_count, (shape, *(each.shape for each in given))))
        if work > self._most_elements and not self._loops:
            raise Unsupported("a large array")
        self._work += work
        node = self._waiting(code, bound, name, given, result)
        if node is not None:
            self._bind(scope, instruction.results[0], node)
            return
        operands = [self._stored(value) for value in given]
        if not operands:
            if name != "constant" and _count(shape) > MOST_ELEMENTS:
                raise Unsupported("a large array")
            value = self._constant(result, bound.evaluate())
        elif name == "reshape":
            value = self._reshaped(operands[0], shape)
        elif name == "broadcast_in_dim" and not operands[0].shape and isinstance(operands[0], Scalar):
            value = Splat(operands[0], shape) if shape else operands[0]
        elif name == "dot_general":
            value = self._product(code, bound, operands, result)
        elif name in MOVEMENT:
            value = self._copied(code, scope, instruction, bound, name, operands)
        else:
            value = self._number_once(code, bound, name, operands, result)
        self._bind(scope, instruction.results[0], value)

    def _waiting(
        self, code: CodeBlock, bound: BoundKernel, name: str, operands: Sequence[BlockValue], result: Number
    ) -> Pending | None:
        """Returns an operation that need not be written at once; None for any other."""
        if not operands or not any(isinstance(operand, Memory | Pending) for operand in operands):
            return None
        first, shape = operands[0], _shape(bound.op_view.result_types[0])
        count, home = _count(shape or first.shape), self._home(code)
        if not LEAST_PASS <= count <= MOST_ELEMENTS or len(bound.op_view.result_types) != 1:
            return None
        if name == "reduce":
            write = self._total_write(bound, operands, result)
            count = _count(first.shape)
        else:
            write = self._element_write(bound, name, operands, result)
        if write is None:
            return None
        given = (
            self._stored(each) if isinstance(each, Pending) and each.is_total else each for each in operands
        )
        node = Pending(result, shape, count, tuple(given), write, home)
        self._pending.setdefault(count, []).append(node)
        return node

    def _element_write(
        self, bound: BoundKernel, name: str, operands: Sequence[BlockValue], result: Number
    ) -> PendingWrite | None:
        """Returns what writes an element of an operation that is instructions; None for any other."""
        number = operands[0].number
        if not _is_elementwise(bound) or any(
            isinstance(each, Pending) and each.is_total for each in operands
        ):
            return None
        if name == "select":
            return select_write(result)
        emit = elementwise(bound.op_view, number, result)
        return None if emit is None else elementwise_write(emit, number)

    def _total_write(
        self, bound: BoundKernel, operands: Sequence[BlockValue], result: Number
    ) -> PendingWrite | None:
        """Returns what adds an element to the total of an array that waits, whatever the order; None for any
        other reduction.
        """
        if len(operands) != 2 or not isinstance(operands[0], Pending) or isinstance(operands[1], Pending):
            return None
        if _shape(bound.op_view.result_types[0]) or any(operand.number != result for operand in operands):
            return None
        emit = exact_combiner(bound.op_view, result)
        return None if emit is None else elementwise_write(emit, result)

    def _number_once(
        self, code: CodeBlock, bound: BoundKernel, name: str, operands: Sequence[NativeValue], result: Number
    ) -> NativeValue:
        """Writes an elementwise operation, but no second time in a block where its result is a number."""
        key = bound, tuple(operands)
        value = self._known.get(key)
        if value is None:
            value = self._elementwise(code, bound, name, operands, result)
            if not isinstance(value, Memory) and not any(isinstance(each, Memory) for each in operands):
                self._known[key] = value
        return value

    def _routine(
        self,
        scope: _Scope,
        code: CodeBlock,
        instruction: Instruction,
        bound: BoundKernel,
        plan: RoutinePlan,
        target: str,
    ) -> None:
        """Writes the calls of a routine; `target` is that of a custom call."""
        operands, targets = self._operands_and_targets(scope, code, instruction, bound)
        self._work += write_routine(self.lines, plan, operands, targets, self._storage, self._kept)
        if target:
            self._targets.add(target)
        for register, each in zip(instruction.results, targets):
            self._bind(scope, register, each)

    def _sort(self, scope: _Scope, code: CodeBlock, instruction: Instruction, bound: BoundKernel) -> None:
        operands, targets = self._operands_and_targets(scope, code, instruction, bound)
        self._work += write_sort(self.lines, bound.op_view, operands, targets, self._numbers)
        for register, each in zip(instruction.results, targets):
            self._bind(scope, register, each)

    def _operands_and_targets(
        self, scope: _Scope, code: CodeBlock, instruction: Instruction, bound: BoundKernel
    ) -> tuple[list[NativeValue], list[Memory | Scalar]]:
        """Returns the operands of an operation where they are, and where its results go."""
        operands = [self._stored(scope.values[register]) for register in instruction.operands]
        types = bound.op_view.result_types
        most = max(_count(shape) for shape in (*(each.shape for each in operands), *map(_shape, types)))
        if most > self._most_elements and not self._loops:
            raise Unsupported("a large array")
        return operands, [self._result(type_, code) for type_ in types]

    def _storage(self, storage: Storage) -> Memory:
        """Returns memory for a matrix, vector or number that a routine is passed."""
        number = number_of_dtype(storage.dtype)
        offset = self._reserve(_count(storage.shape) * number.dtype.itemsize)
        return self._memory_at(Location(offset, number, storage.shape))

    def _numbers(self, number: Number, count: int) -> Memory:
        """Returns memory for numbers that no pause interrupts."""
        return self._memory_at(Location(self._reserve(count * number.dtype.itemsize), number, (count,)))

    def _kept(self, array: Array) -> str:
        """Returns the address of an array, which lives as long as the code."""
        self.constants.append(array)
        return f"inttoptr (i64 {array.__array_interface__['data'][0]} to ptr)"

    def _arg_reduce(
        self, scope: _Scope, code: CodeBlock, instruction: Instruction, bound: BoundKernel
    ) -> None:
        operands = [self._stored(scope.values[register]) for register in instruction.operands]
        places = operands[1] if len(operands) == 4 else None
        array = self._arrays.get(places.pointer) if isinstance(places, Memory) else None
        if array is not None:  # a reshape has the same memory
            array = array.reshape(operands[1].shape)
        axis, largest = chosen_axis(bound.op_view, array)
        targets = [self._result(type_, code) for type_ in bound.op_view.result_types]
        self._work += _count(operands[0].shape)
        write_arg_reduce(self.lines, axis, largest, operands, targets)
        for register, target in zip(instruction.results, targets):
            self._bind(scope, register, target)

    def _constant(self, number: Number, array: Any) -> NativeValue:
        array = np.asarray(array)
        is_one = array.size > 0 and not any(array.strides)
        if array.size > MOST_ELEMENTS and not is_one:
            raise Unsupported("a large array")
        given, array = array, array if is_one else np.array(array, order="C")
        flat = array.reshape(-1)[:1] if is_one else array.reshape(-1)
        bits = flat.view(f"u{number.dtype.itemsize}")
        if bits.size and (bits == bits[0]).all():
            scalar = Scalar(number, number.literal(flat[0]), is_variable=False)
            return Splat(scalar, array.shape) if array.ndim else scalar
        self.constants.append(array)
        pointer = self.lines.name("%m")
        self._arrays[pointer] = given
        address = array.__array_interface__["data"][0]
        self.lines.entry.append(f"  {pointer} = inttoptr i64 {address} to ptr")
        return Memory(number, array.shape, pointer)

    def _reshaped(self, value: NativeValue, shape: tuple[int, ...]) -> NativeValue:
        if isinstance(value, Memory):
            if shape:
                return Memory(value.number, shape, value.pointer)
            variable = self._variable(value.number)
            store(self.lines, variable, "0", load(self.lines, value, "0"))
            return variable
        scalar = value.scalar if isinstance(value, Splat) else value
        return Splat(scalar, shape) if shape else scalar

    def _copied(
        self,
        code: CodeBlock,
        scope: _Scope,
        instruction: Instruction,
        bound: BoundKernel,
        name: str,
        operands: Sequence[NativeValue],
    ) -> NativeValue:
        first = operands[0]
        target: Memory | Scalar | None = None
        if (
            name in IN_PLACE
            and isinstance(first, Memory)
            and instruction.operands[0] in instruction.last_uses
        ):
            is_own = self._owners.get(first.pointer) is self._home(code) and self._holders[first.pointer] == 1
            target = first if is_own and first not in operands[1:] else None
            if target is not None and (count := _count(first.shape)) in self._pending:
                self._write_pass(count, {})
        if target is None:
            target = self._result(bound.op_view.result_types[0], code)
        MOVEMENT[name](self.lines, bound.op_view, operands, target)
        return target

    def _product(
        self, code: CodeBlock, bound: BoundKernel, operands: Sequence[NativeValue], result: Number
    ) -> NativeValue:
        result_type = bound.op_view.result_types[0]
        if any(operand.number != result for operand in operands):
            raise Unsupported("a product of several types")
        left, right = (
            self._passed(operand, result, _count(operand.shape), negated=False) for operand in operands
        )
        target = self._result(result_type, code)
        is_number = isinstance(target, Scalar)
        pointer = self.lines.scratch(result.llvm) if is_number else target.pointer
        self._work += write_product(self.lines, bound.op_view, result, (left, right, pointer))
        if is_number:
            store(self.lines, target, "0", self.lines.value(f"load {result.llvm}, ptr {pointer}"))
        return target

    def _elementwise(
        self, code: CodeBlock, bound: BoundKernel, name: str, operands: Sequence[NativeValue], result: Number
    ) -> NativeValue:
        if not _is_elementwise(bound):
            raise Unsupported(bound.op_view.name)
        result_type = bound.op_view.result_types[0]
        shape = _shape(result_type)
        if shape and not any(isinstance(operand, Memory) for operand in operands):
            numbers = [each.scalar if isinstance(each, Splat) else each for each in operands]
            number = self._variable(result)
            self._compute(bound, name, numbers, number)
            return Splat(number, shape)
        target = self._result(result_type, code)
        self._compute(bound, name, operands, target)
        return target

    def _compute(
        self, bound: BoundKernel, name: str, operands: Sequence[NativeValue], target: Memory | Scalar
    ) -> None:
        """Writes an operation on each element."""
        shape = target.shape
        if 0 in shape:
            return
        number = operands[0].number
        if name == "select":
            self.lines.each([_count(shape)], lambda at: self._select(operands, target, at[0]))
            return
        emit = elementwise(bound.op_view, number, target.number)
        if emit is None:
            self._by_numpy(bound, operands, target)
            return

        def body(indices: list[str]) -> None:
            loaded = [load(self.lines, operand, indices[0]) for operand in operands]
            store(self.lines, target, indices[0], emit(self.lines, number, loaded))

        self.lines.each([_count(shape)], body)

    def _select(self, operands: Sequence[NativeValue], target: Memory | Scalar, index: str) -> None:
        condition, then, otherwise = (load(self.lines, operand, index) for operand in operands)
        type_ = target.number.llvm
        chosen = self.lines.value(f"select i1 {condition}, {type_} {then}, {type_} {otherwise}")
        store(self.lines, target, index, chosen)

    def _by_numpy(self, bound: BoundKernel, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
        """Writes the call of NumPy's own loop, for all elements at once."""
        if bound.op_view.name == "stablehlo.power" and bound.op_view.result_type().rank == 0:
            write_power(self.lines, operands, target)
            return
        is_logistic = bound.op_view.name == "stablehlo.logistic"
        found = (np.exp, True) if is_logistic else function_of_floats(bound.op_view, bound.evaluate)
        if found is None or target.number.kind is not NumberKind.FLOAT:
            raise Unsupported(bound.op_view.name)
        ufunc, in_float64 = found
        number = FLOAT64 if in_float64 else target.number
        if any(operand.number != target.number for operand in operands):
            raise Unsupported(bound.op_view.name)
        count = _count(target.shape)
        given = [self._passed(operand, number, count, negated=is_logistic) for operand in operands]
        if isinstance(target, Memory) and number == target.number and not is_logistic:
            call_loop(self.lines, ufunc, number, [*given, target.pointer], count)
            return
        computed = Memory(number, (count,), self._buffer(number, count))
        call_loop(self.lines, ufunc, number, [*given, computed.pointer], count)

        def body(indices: list[str]) -> None:
            element = load(self.lines, computed, indices[0])
            if is_logistic:
                more = self.lines.value(f"fadd double {element}, {number.literal(1)}")
                element = self.lines.value(f"fdiv double {number.literal(1)}, {more}")
            store(self.lines, target, indices[0], convert(self.lines, number, target.number, element))

        self.lines.each([count], body)

    def _passed(self, operand: NativeValue, number: Number, count: int, negated: bool) -> str:
        """Returns the address of an operand's elements as a type, one behind the other."""
        if isinstance(operand, Memory) and operand.number == number and not negated:
            return operand.pointer
        buffer = Memory(number, (count,), self._buffer(number, count))

        def body(indices: list[str]) -> None:
            element = convert(self.lines, operand.number, number, load(self.lines, operand, indices[0]))
            if negated:
                element = self.lines.value(f"fneg {number.llvm} {element}")
            store(self.lines, buffer, indices[0], element)

        self.lines.each([count], body)
        return buffer.pointer

    def _buffer(self, number: Number, count: int) -> str:
        if count == 1:
            return self.lines.scratch(number.llvm)
        return self._numbers(number, count).pointer

    # Control flow

    def _loop(
        self,
        scope: _Scope,
        code: CodeBlock,
        index: int,
        instruction: Instruction,
        initial: Sequence[NativeValue],
    ) -> None:
        self._loops += 1
        condition, body = code.regions(index)
        returned = body.instructions[-1].operands
        carried: list[NativeValue] = []
        for position, value in enumerate(initial):
            if returned[position] == body.arguments[position]:
                carried.append(value)
                continue
            type_ = code.values.types[instruction.operands[position]]
            target = self._result(type_, body, MOST_CARRIED if self._loops == 1 else MOST_ELEMENTS)
            self._put(target, value)
            carried.append(target)
        self._die(scope, instruction.dead_inside)
        lines, head, inside, after = self.lines, self.lines.label(), self.lines.label(), self.lines.label()
        out_of_fuel, go_on = self.lines.label(), self.lines.label()
        self._heads.append(head)
        lines.jump(head)
        lines.begin(head)
        left = lines.value("load i64, ptr %fuel")
        lines.line(f"store i64 {lines.value(f'sub i64 {left}, 1')}, ptr %fuel")
        lines.branch(lines.value(f"icmp sle i64 {left}, 0"), out_of_fuel, go_on)
        lines.begin(out_of_fuel)
        lines.line(f"store i64 {len(self._heads)}, ptr %paused")
        lines.jump("pause")
        lines.begin(go_on)
        for register, value in zip(condition.arguments, carried):
            self._bind(scope, register, value)
        (goes_on,) = self._block(scope, condition)
        is_going_on = load(lines, self._stored(goes_on), "0")
        self._write_pending()
        lines.branch(is_going_on, inside, after)
        lines.begin(inside)
        for register, value in zip(body.arguments, carried):
            self._bind(scope, register, value)
        values = self._block(scope, body)
        self._assign(carried, values)
        lines.jump(head)
        lines.begin(after)
        for register, value in zip(instruction.results, carried):
            self._bind(scope, register, value)
            if isinstance(value, Memory) and value.pointer in self._owners:
                self._owners[value.pointer] = self._home(code)
        self._loops -= 1

    def _assign(self, targets: Sequence[NativeValue], values: Sequence[BlockValue]) -> None:
        """Writes the assignment of values to what a loop carries, all at once."""
        all_pairs = zip(targets, map(known, values))
        pairs = [(target, value) for target, value in all_pairs if not _is_same(target, value)]
        if any(_count(target.shape) > MOST_ELEMENTS for target, _ in pairs):
            raise Unsupported("a large array that is not changed in place")
        pointers = {target.pointer for target, _ in pairs if isinstance(target, Memory)}
        arrays: list[tuple[Memory, NativeValue]] = []
        places: dict[Pending, list[Memory | Scalar]] = {}
        for target, value in pairs:
            if isinstance(value, Pending):
                places.setdefault(value, [])
                if isinstance(target, Memory):
                    places[value].append(target)
                continue
            if not isinstance(target, Memory):
                continue
            if isinstance(value, Memory) and value.pointer in pointers - {target.pointer}:
                saved = self._memory_at(
                    Location(self._reserve(self._bytes(value)), value.number, value.shape)
                )
                copy_all(self.lines, saved, value)
                value = saved
            arrays.append((target, value))
        self._write_pending(places)
        for target, value in arrays:
            copy_all(self.lines, target, value)
        numbers = [(target, self._stored(value)) for target, value in pairs if isinstance(target, Scalar)]
        loaded = [load(self.lines, value, "0") for _, value in numbers]
        for (target, _), element in zip(numbers, loaded):
            store(self.lines, target, "0", element)

    def _bytes(self, value: Memory) -> int:
        return _count(value.shape) * value.number.dtype.itemsize

    def _branch(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        if instruction.operation.name not in ("stablehlo.if", "stablehlo.case"):
            raise Unsupported(instruction.operation.name)
        lines, regions = self.lines, code.regions(index)
        targets = [self._result(code.values.types[register], code) for register in instruction.results]
        labels, after = [lines.label() for _ in regions], lines.label()
        selector = load(lines, self._stored(scope.values[instruction.operands[0]]), "0")
        self._write_pending()
        if instruction.operation.name == "stablehlo.if":
            lines.branch(selector, labels[0], labels[1])
        else:
            choices = " ".join(f"i32 {number}, label %{label}" for number, label in enumerate(labels))
            lines.line(f"switch i32 {selector}, label %{labels[-1]} [{choices}]")
        self._die(scope, instruction.dead_inside)
        for label, region in zip(labels, regions):
            lines.begin(label)
            self._assign(targets, self._block(scope, region))
            lines.jump(after)
        lines.begin(after)
        for register, target in zip(instruction.results, targets):
            self._bind(scope, register, target)

    def _result(self, type_: Any, owner: CodeBlock, most: int = MOST_ELEMENTS) -> Memory | Scalar:
        """Returns where a result of a type goes that is not there yet."""
        if not _shape(type_):
            return self._variable(number_of(type_))
        return self._memory(type_, self._home(owner), most)

    def _home(self, code: CodeBlock) -> CodeBlock:
        """Returns the block that the lines of a block are in: of a callee that of the call."""
        return self._homes.get(code, code)

    def _put(self, target: Memory | Scalar, value: NativeValue) -> None:
        if isinstance(target, Memory):
            copy_all(self.lines, target, value)
        else:
            store(self.lines, target, "0", load(self.lines, value, "0"))

    def _call(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        """Puts a callee's operations in place of the call."""
        callee, inner = code.callee(index).code, _Scope()
        if callee in self._homes:
            raise Unsupported("recursion")
        for register, operand in zip(callee.arguments, instruction.operands):
            self._bind(inner, register, scope.values[operand])
        self._die(scope, instruction.dead_inside)
        self._homes[callee] = self._home(code)
        values = self._block(inner, callee)
        del self._homes[callee]
        for register, value in zip(instruction.results, values):
            self._bind(scope, register, value)


def _is_elementwise(bound: BoundKernel) -> bool:
    op_def = find_op_def(bound.op_view.name)
    return op_def is not None and (
        op_def.has("elementwise") or bound.op_view.name == "stablehlo.bitcast_convert"
    )


def _is_same(target: NativeValue, value: BlockValue) -> bool:
    """Returns whether a value is what a target holds already."""
    if isinstance(target, Memory) and isinstance(value, Memory):
        return target.pointer == value.pointer
    return target == value


def _count(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _shape(type_: Any) -> tuple[int, ...]:
    assert isinstance(type_, RankedTensorType)
    return type_.static_shape
