"""A loop, or a straight run of operations, with all control flow inside, as statements of one function.

The function is passed the addresses of Python's objects: the code's inputs, arrays for its results, and a
frame, which is memory for its arrays and, while it pauses, its variables. It pauses after so many rounds of
all loops in it together, so that Python can look for signals, and goes on where it was when it is called
again. Arrays that no other value shares are written in place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct, field

from shlo.dialects import find_op_def, has_trait
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.elements import Element, FloatCall, element_of
from shlo.interpreter.loops.expressions import (
    ZERO,
    ArrayMemory,
    ConstantExpr,
    Expr,
    LoopVariable,
    NameExpr,
    Place,
    RepeatedValue,
    Value,
    index_of,
)
from shlo.interpreter.loops.frame import ArrayType
from shlo.interpreter.loops.functions import call_loop, loop_of, write_power, write_product
from shlo.interpreter.loops.llvm import print_functions
from shlo.interpreter.loops.movement import IN_PLACE, MOVEMENT, copy_all
from shlo.interpreter.loops.numbers import BYTE, INDEX, POINTER, Number, number_of, number_of_dtype
from shlo.interpreter.loops.reductions import (
    chosen_axis,
    exact_combiner,
    write_arg_reduce,
    write_reduce,
    write_sort,
)
from shlo.interpreter.loops.routines import plan_of, write_routine
from shlo.interpreter.loops.statements import LoopBuilder, Pausing, Statement, Store, Switch, While
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.interpreter.program.control_flow import needed_results
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.tiers import Unsupported, policy
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType

if TYPE_CHECKING:
    from shlo.interpreter.kernels.routine_calls import Storage

MOST_ELEMENTS: Final = 1 << 14
"""Elements of an array up to which machine code without vectors over operations is worth it."""
MOST_CARRIED: Final = 1 << 18
"""The same of an array that an outermost loop carries and changes in place only."""
MOST_BYTES: Final = 1 << 23
"""Bytes of a frame."""
MOST_OPERATIONS: Final = 2000


LEAST_PASS: Final = 64
"""Elements from which on operations wait for each other; loops over fewer are unrolled."""


class Pending(Struct, eq=False):
    """An array, or the total of one, that no line computes yet.

    Args:
        number: the type of an element.
        shape: the shape, () of a total.
        count: how many elements the pass has that computes it.
        operands: what it is computed of, of a total the array and the initial value.
        element: what an element is computed by, or what adds one to the total.
        owner: the block that may overwrite its memory.
        holders: how many registers have it.
        value: where it is, once it is computed.
    """

    number: Number
    shape: Sizes
    count: int
    operands: tuple[Value | Pending, ...]
    element: Element
    owner: CodeBlock
    holders: int = 0
    value: Place | None = None

    @property
    def is_total(self) -> bool:
        """Whether it is the total of an array."""
        return not self.shape


BlockValue = Value | Pending
"""A value of a block: one that is there, or waits."""


def current(value: BlockValue) -> BlockValue:
    """Returns what a value is now."""
    return value.value if isinstance(value, Pending) and value.value is not None else value


def write_pass(b: LoopBuilder, nodes: Sequence[Pending], targets: Mapping[Pending, Sequence[Place]]) -> None:
    """Writes a pass that computes those of the nodes that have targets, and what these need. A target may be
    an array that nodes read.
    """
    needed = set(targets)
    for node in reversed(nodes):
        if node in needed:
            needed.update(operand for operand in node.operands if isinstance(operand, Pending))
    totals = {node: b.name(node.number, "total") for node in nodes if node in needed and node.is_total}
    variables = {node: LoopVariable(node.number, name.text) for node, name in totals.items()}
    before: list[Statement] = []
    for node, variable in variables.items():
        initial = current(node.operands[1])
        assert not isinstance(initial, Pending)
        before.append(Store([(variable, ZERO, initial.at(ZERO))]))
    results = {node: b.scratch(node.number) for node in variables if targets.get(node)}
    after = [Store([(memory, ZERO, variables[node].at(ZERO))]) for node, memory in results.items()]

    def element(index: NameExpr) -> None:
        values: dict[object, Expr] = {}

        def value_of(operand: BlockValue) -> Expr:
            operand = operand if operand in values else current(operand)
            if operand not in values:
                assert not isinstance(operand, Pending)
                values[operand] = operand.at(index)
            return values[operand]

        for node in nodes:
            if node in needed:
                operands = [*node.operands]
                if node.is_total:
                    array = value_of(operands[0])
                    values[node] = node.element(variables[node].at(ZERO), array)
                else:
                    values[node] = node.element(*map(value_of, operands))
        stores = [(variable, ZERO, values[node]) for node, variable in variables.items()]
        for node, places in targets.items():
            stores += [(target, index, values[node]) for target in places if not node.is_total]
        b.store_all(stores)

    b.one_pass(index_of(nodes[0].count), element, [*variables.values()], before, after)
    for node, memory in results.items():
        for target in targets[node]:
            b.store(target, ZERO, memory.at(ZERO))


class NativeCode(Struct):
    """A function's text, and what it takes and leaves. It holds addresses of `constants`.

    The words that it is passed are the addresses of the objects of the frame, an array of `size` bytes, of
    the inputs (NumPy scalars, and arrays that lie row by row) and of the arrays that take the results.
    `targets` are those of its custom calls, which it carries out as the handlers of this package do.
    """

    text: str
    size: int
    inputs: list[ArrayType]
    results: list[ArrayType]
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
        self._b = LoopBuilder()
        self._words = NameExpr(POINTER, "words")
        self._frame = self._b.array_at(self._words, 0, BYTE).pointer
        self._inputs: list[ArrayType] = []
        self._constants: list[Any] = []
        self._targets: set[str] = set()
        self._linker = linker
        self._size = 0
        self._most_elements = most_elements
        self._loops = 0
        self._arrays: dict[str, Any] = {}  # constants as kernels get them, by their addresses here
        self._numbers: dict[tuple[Number, int], ConstantExpr] = {}
        self._work = 0
        self._operations = 0
        self._holders: Counter[str] = Counter()
        self._owners: dict[str, CodeBlock] = {}
        self._homes: dict[CodeBlock, CodeBlock] = {}  # of callees that are being put in: where that is
        self._known: dict[tuple[BoundKernel, tuple[Value, ...]], Value] = {}
        self._pending: dict[int, list[Pending]] = {}  # by how many elements they have

    # The function

    def emit_loop(self, code: CodeBlock, index: int) -> NativeCode:
        """Returns the code of a loop, which takes the values that it captures and those that it carries, and
        leaves those of its results that it changes and that something uses.
        """
        instruction, scope = (
            code.instructions[index],
            self._begun(code, code.instructions[index].captures, {}),
        )
        initial = [self._input(code.values.types[register]) for register in instruction.operands]
        self._loop(scope, code, index, instruction, initial)
        return self._finished(scope, code, needed_results(code, index))

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
        for index in indices:
            instruction = code.instructions[index]
            self._instruction(scope, code, index, instruction)
            for register in instruction.results:
                if register in results:
                    self._hold(scope.values[register], 1)  # to the end
        return self._finished(scope, code, results)

    def count_writable(self, code: CodeBlock, indices: Sequence[int], constants: Mapping[int, Any]) -> int:
        """Returns how many of some instructions of a block, from the first on, can be written. Nothing else
        can be written afterwards.
        """
        scope = self._begun(code, (), constants)
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

    def _finished(self, scope: _Scope, code: CodeBlock, registers: Sequence[int]) -> NativeCode:
        """Writes the storing of the results, which registers hold, and returns the code."""
        self._write_pending()
        b, results = self._b, list[ArrayType]()
        for word, register in enumerate(registers, 1 + len(self._inputs)):
            number, shape = number_of(code.values.types[register]), _shape(code.values.types[register])
            copy_all(b, b.array_at(self._words, word, number, shape), self._stored(scope.values[register]))
            results.append((number.dtype, shape))
        offset = self._reserve(8 * len(b.variables))
        rounds, resumed = max(1, policy().pause_work // max(1, self._work)), NameExpr(INDEX, "resumed")
        pausing = Pausing(rounds, self._frame, offset, resumed)
        function = b.function("loop", (self._words, resumed), pausing=pausing)
        text = print_functions([*b.functions.values(), function])
        return NativeCode(text, self._size, self._inputs, results, self._constants, frozenset(self._targets))

    def _input(self, type_: Any) -> Value:
        """Returns a value that Python passes: an array where it is, which stays as it is, or a variable with
        a number.
        """
        b, number, shape = self._b, number_of(type_), _shape(type_)
        self._inputs.append((number.dtype, shape))
        word = len(self._inputs)
        if shape:
            return b.array_at(self._words, word, number, shape)
        variable = b.variable(number)
        b.assign(variable, b.number_at(self._words, word, number))
        return variable

    # Memory

    def _reserve(self, size: int) -> int:
        offset = self._size
        self._size += (size + 15) // 16 * 16
        if self._size > MOST_BYTES:
            raise Unsupported("too large")
        return offset

    def _memory(self, number: Number, shape: Sizes, most: int = MOST_BYTES) -> ArrayMemory:
        """Returns memory of the frame."""
        if math.prod(shape) > most:
            raise Unsupported("a large array")
        offset = self._reserve(math.prod(shape) * number.size)
        return ArrayMemory(number, shape, self._b.at_entry(self._frame.bytes_on(offset)))

    def _result(self, type_: Any, owner: CodeBlock, most: int = MOST_ELEMENTS) -> Place:
        """Returns where a result of a type goes that is not there yet."""
        number, shape = number_of(type_), _shape(type_)
        if not shape:
            return self._b.variable(number)
        memory = self._memory(number, shape, most)
        self._owners[_key(memory)] = self._home(owner)
        return memory

    def _buffer(self, number: Number, count: int) -> ArrayMemory:
        """Returns memory for numbers that no pause interrupts."""
        return self._b.scratch(number) if count == 1 else self._memory(number, (count,))

    def _home(self, code: CodeBlock) -> CodeBlock:
        """Returns the block that the lines of a block are in: of a callee that of the call."""
        return self._homes.get(code, code)

    # Blocks

    def _block(self, scope: _Scope, code: CodeBlock) -> list[BlockValue]:
        """Writes a block, or a callee's in its caller's; returns the values that its terminator returns, of
        which some may wait.
        """
        if len(code.siblings) > 1:
            raise Unsupported("several blocks")
        outer = self._known
        if code not in self._homes:
            self._known = {}
        for index, instruction in enumerate(code.instructions):
            if instruction.kind is Kind.RETURN:
                values = [scope.values[register] for register in instruction.operands]
                self._die(scope, instruction.last_uses)
                self._known = outer
                return values
            self._instruction(scope, code, index, instruction)
        raise Unsupported("a block without an end")

    def _instruction(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        """Writes an instruction that does not end its block."""
        self._operations += 1
        if self._operations > MOST_OPERATIONS:
            raise Unsupported("too many operations")
        if instruction.kind is Kind.KERNEL:
            self._kernel(scope, code, index, instruction)
            self._die(scope, instruction.last_uses)
            return
        check_region_types(code, index)
        if instruction.kind is Kind.WHILE and instruction.operation.name == "stablehlo.while":
            self._write_pending()
            initial = [self._stored(scope.values[register]) for register in instruction.operands]
            self._loop(scope, code, index, instruction, initial)
        elif instruction.kind is Kind.BRANCH:
            self._branch(scope, code, index, instruction)
        elif instruction.kind is Kind.CALL:
            self._call(scope, code, index, instruction)
        else:
            raise Unsupported(instruction.operation.name)
        self._die(
            scope, [register for register in instruction.last_uses if register not in instruction.dead_inside]
        )

    def _bind(self, scope: _Scope, registers: Sequence[int], values: Sequence[BlockValue]) -> None:
        for register, value in zip(registers, values):
            scope.values[register] = value
            self._hold(value, 1)

    def _die(self, scope: _Scope, registers: Sequence[int]) -> None:
        for register in registers:
            if register in scope.values:
                self._hold(scope.values[register], -1)

    def _hold(self, value: BlockValue, more: int) -> None:
        value = current(value)
        if isinstance(value, Pending):
            value.holders += more
        elif isinstance(value, ArrayMemory):
            self._holders[_key(value)] += more

    # Operations that wait

    def _stored(self, value: BlockValue) -> Value:
        """Returns a value where it is; writes the pass that computes it, if it waits."""
        if isinstance(value, Pending) and value.value is None:
            self._write_pass(value.count, {value: []})
        value = current(value)
        assert not isinstance(value, Pending)
        return value

    def _write_pending(self, targets: Mapping[Pending, Sequence[Place]] | None = None) -> None:
        """Writes all that waits and that something needs; `targets` says where values go beside."""
        for count in tuple(self._pending):
            self._write_pass(count, targets or {})

    def _write_pass(self, count: int, wanted: Mapping[Pending, Sequence[Place]]) -> None:
        """Writes one pass over the arrays of a size. What registers hold, and what `wanted` names without a
        place, gets memory, or a variable, of its own.
        """
        nodes, targets = self._pending.pop(count), dict[Pending, list[Place]]()
        for node in nodes:
            places = list(wanted.get(node, ()))
            if node.holders or (node in wanted and not places):
                node.value = self._place_of(node)
                places.append(node.value)
            if places:
                targets[node] = places
        if targets:
            write_pass(self._b, nodes, targets)

    def _place_of(self, node: Pending) -> Place:
        if node.is_total:
            return self._b.variable(node.number)
        memory = self._memory(node.number, node.shape)
        self._owners[_key(memory)] = node.owner
        self._holders[_key(memory)] = node.holders
        return memory

    def _waiting(
        self, code: CodeBlock, bound: BoundKernel, name: str, operands: Sequence[BlockValue], result: Number
    ) -> Pending | None:
        """Returns an operation that need not be written at once; None for any other."""
        if not operands or not any(isinstance(operand, ArrayMemory | Pending) for operand in operands):
            return None
        first, shape = operands[0], _shape(bound.op_view.result_types[0])
        count = math.prod(shape or first.shape)
        if not LEAST_PASS <= count <= MOST_ELEMENTS or len(bound.op_view.result_types) != 1:
            return None
        element: Element | None = None
        if name == "reduce":
            is_total = (
                len(operands) == 2 and isinstance(first, Pending) and not isinstance(operands[1], Pending)
            )
            if is_total and not shape and all(operand.number == result for operand in operands):
                element = exact_combiner(bound.op_view, result)
            count = math.prod(first.shape)
        elif _is_elementwise(bound) and not any(
            isinstance(operand, Pending) and operand.is_total for operand in operands
        ):
            element = element_of(bound.op_view, bound.evaluate, first.number, result)
        if element is None:
            return None
        node = Pending(result, shape, count, tuple(operands), element, self._home(code))
        self._pending.setdefault(count, []).append(node)
        return node

    # Kernels

    def _kernel(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        bound = self._linker.kernel(code, index)
        routine, name = plan_of(bound), instruction.operation.name.removeprefix("stablehlo.")
        if routine is None:
            op_def = find_op_def(instruction.operation.name)
            if bound.entry.needs_context or op_def is None or op_def.has("effect"):
                raise Unsupported(name)
            if len(bound.op_view.operand_types) != len(instruction.operands):
                raise Unsupported("a region that uses values from outside")
        values = [current(scope.values[register]) for register in instruction.operands]
        types = bound.op_view.result_types
        work = max(math.prod(shape) for shape in (*map(_shape, types), *(value.shape for value in values)))
        if work > self._most_elements and not self._loops:
            raise Unsupported("a large array")
        if routine is not None or name == "sort" or len(instruction.results) != 1:
            operands = [self._stored(value) for value in values]
            targets = [self._result(type_, code) for type_ in types]
            if routine is not None:
                plan, target = routine
                self._work += write_routine(self._b, plan, operands, targets, self._storage, self._kept)
                self._targets |= {target} - {""}
            elif name == "sort":
                self._work += write_sort(self._b, bound.op_view, operands, targets, self._buffer)
            else:
                self._arg_reduce(bound, operands, targets)
            self._bind(scope, instruction.results, targets)
            return
        self._work += work
        result = number_of(types[0])
        value = self._waiting(code, bound, name, values, result)
        if value is None:
            value = self._computed(scope, code, instruction, bound, name, result)
        self._bind(scope, instruction.results, [value])

    def _computed(
        self,
        scope: _Scope,
        code: CodeBlock,
        instruction: Instruction,
        bound: BoundKernel,
        name: str,
        result: Number,
    ) -> Value:
        """Writes an operation of one result; returns that."""
        operands = [self._stored(scope.values[register]) for register in instruction.operands]
        op, shape = bound.op_view, _shape(bound.op_view.result_types[0])
        if not operands:
            if name != "constant" and math.prod(shape) > MOST_ELEMENTS:
                raise Unsupported("a large array")
            return self._constant(result, bound.evaluate())
        first = operands[0]
        if name == "reshape":
            return self._reshaped(first, shape)
        if name == "broadcast_in_dim" and not first.shape and not isinstance(first, ArrayMemory):
            return self._reshaped(first, shape)
        if name == "dot_general":
            return self._product(code, bound, operands, result)
        if name == "reduce":
            target = self._result(op.result_types[0], code)
            write_reduce(self._b, op, operands, target)
            return target
        if name in MOVEMENT:
            target = self._overwritten(scope, code, instruction, operands) if name in IN_PLACE else None
            target = target or self._result(op.result_types[0], code)
            MOVEMENT[name](self._b, op, operands, target)
            return target
        key = bound, tuple(operands)  # no second time in a block where the result is a number
        value = self._known.get(key)
        if value is None:
            value = self._elementwise(code, bound, operands, result)
            if not isinstance(value, ArrayMemory) and not any(
                isinstance(operand, ArrayMemory) for operand in operands
            ):
                self._known[key] = value
        return value

    def _storage(self, storage: Storage) -> ArrayMemory:
        """Returns memory for a matrix, vector or number that a routine is passed."""
        return self._memory(number_of_dtype(storage.dtype), storage.shape)

    def _kept(self, array: Array) -> Expr:
        """Returns the address of an array, which lives as long as the code."""
        self._constants.append(array)
        return ConstantExpr(POINTER, array.__array_interface__["data"][0])

    def _arg_reduce(self, bound: BoundKernel, operands: Sequence[Value], targets: Sequence[Place]) -> None:
        places = operands[1] if len(operands) == 4 else None
        array = self._arrays.get(_key(places)) if isinstance(places, ArrayMemory) else None
        if array is not None:  # a reshape has the same memory
            array = array.reshape(operands[1].shape)
        axis, largest = chosen_axis(bound.op_view, array)
        self._work += math.prod(operands[0].shape)
        write_arg_reduce(self._b, axis, largest, operands, targets)

    def _constant(self, number: Number, array: Any) -> Value:
        array = np.asarray(array)
        is_one = array.size > 0 and not any(array.strides)
        if array.size > MOST_ELEMENTS and not is_one:
            raise Unsupported("a large array")
        source, array = array, array if is_one else np.array(array, order="C")
        flat = array.reshape(-1)[:1] if is_one else array.reshape(-1)
        bits = flat.view(f"u{number.size}")
        if bits.size and (bits == bits[0]).all():
            constant = ConstantExpr(number, flat[0])
            return RepeatedValue(self._numbers.setdefault((number, int(bits[0])), constant), array.shape)
        memory = ArrayMemory(number, array.shape, self._b.at_entry(self._kept(array)))
        self._arrays[_key(memory)] = source
        return memory

    def _reshaped(self, value: Value, shape: Sizes) -> Value:
        if isinstance(value, ArrayMemory) and shape:
            return ArrayMemory(value.number, shape, value.pointer)
        if isinstance(value, ArrayMemory):
            variable = self._b.variable(value.number)
            self._b.assign(variable, value.at(ZERO))
            return variable
        scalar = value.scalar if isinstance(value, RepeatedValue) else value
        return RepeatedValue(scalar, shape) if shape or isinstance(scalar, ConstantExpr) else scalar

    def _overwritten(
        self, scope: _Scope, code: CodeBlock, instruction: Instruction, operands: Sequence[Value]
    ) -> ArrayMemory | None:
        """Returns the memory of the first operand, if nothing else needs it."""
        first = operands[0]
        if not isinstance(first, ArrayMemory) or instruction.operands[0] not in instruction.last_uses:
            return None
        is_own = self._owners.get(_key(first)) is self._home(code) and self._holders[_key(first)] == 1
        if not is_own or first in operands[1:]:
            return None
        if (count := math.prod(first.shape)) in self._pending:
            self._write_pass(count, {})
        return first

    def _product(
        self, code: CodeBlock, bound: BoundKernel, operands: Sequence[Value], result: Number
    ) -> Value:
        if any(operand.number != result for operand in operands):
            raise Unsupported("a product of several types")
        passed = [self._passed(operand, None) for operand in operands]
        target = self._result(bound.op_view.result_types[0], code)
        memory = target if isinstance(target, ArrayMemory) else self._b.scratch(result)
        self._work += write_product(self._b, bound.op_view, result, [*passed, memory.pointer])
        if isinstance(target, LoopVariable):
            self._b.assign(target, memory.at(ZERO))
        return target

    def _elementwise(
        self, code: CodeBlock, bound: BoundKernel, operands: Sequence[Value], result: Number
    ) -> Value:
        if not _is_elementwise(bound):
            raise Unsupported(bound.op_view.name)
        result_type = bound.op_view.result_types[0]
        shape = _shape(result_type)
        if shape and not any(isinstance(operand, ArrayMemory) for operand in operands):
            number = self._b.variable(result)
            self._compute(bound, [self._reshaped(operand, ()) for operand in operands], number)
            return RepeatedValue(number, shape)
        target = self._result(result_type, code)
        self._compute(bound, operands, target)
        return target

    def _compute(self, bound: BoundKernel, operands: Sequence[Value], target: Place) -> None:
        """Writes an operation on each element."""
        b, count = self._b, math.prod(target.shape)
        element = element_of(bound.op_view, bound.evaluate, operands[0].number, target.number)
        if element is not None:
            compute = element
            b.each(
                [count],
                lambda at: b.store(target, at[0], compute(*[operand.at(at[0]) for operand in operands])),
            )
            return
        if bound.op_view.name == "stablehlo.power" and not target.shape:
            write_power(b, operands, target)
            return
        if count == 0:
            return
        call = FloatCall(bound, [operand.number for operand in operands], target.number)
        pointers = [self._passed(operand, call) for operand in operands]
        is_direct = isinstance(target, ArrayMemory) and call.is_plain
        computed = (
            target if isinstance(target, ArrayMemory) and is_direct else self._buffer(call.number, count)
        )
        steps = [call.number.size] * (len(pointers) + 1)
        loop = loop_of(call.ufunc, call.number, len(pointers))
        call_loop(b, loop, [*pointers, computed.pointer], [index_of(count)], steps)
        if not is_direct:
            b.each([count], lambda at: b.store(target, at[0], call.after(computed.at(at[0]))))

    def _passed(self, operand: Value, call: FloatCall | None) -> Expr:
        """Returns the address of an operand's elements, one behind the other, as the call of a function takes
        them.
        """
        b = self._b
        if isinstance(operand, ArrayMemory) and (call is None or call.is_plain):
            return operand.pointer
        count, number = math.prod(operand.shape), operand.number if call is None else call.number
        buffer = self._buffer(number, count)

        def element(at: list[Expr]) -> None:
            value = operand.at(at[0])
            b.store(buffer, at[0], value if call is None else call.before(value))

        b.each([count], element)
        return buffer.pointer

    # Control flow

    def _loop(
        self,
        scope: _Scope,
        code: CodeBlock,
        index: int,
        instruction: Instruction,
        initial: Sequence[Value],
    ) -> None:
        self._loops += 1
        condition, body = code.regions(index)
        returned = body.instructions[-1].operands
        carried: list[Value] = []
        for position, value in enumerate(initial):
            if returned[position] == body.arguments[position]:
                carried.append(value)
                continue
            type_ = code.values.types[instruction.operands[position]]
            target = self._result(type_, body, MOST_CARRIED if self._loops == 1 else MOST_ELEMENTS)
            copy_all(self._b, target, value)
            carried.append(target)
        self._die(scope, instruction.dead_inside)
        self._bind(scope, condition.arguments, carried)
        goes_on: list[Value] = []

        def decide() -> None:
            (value,) = self._block(scope, condition)
            goes_on.append(self._stored(value))
            self._write_pending()

        def go_on() -> None:
            self._bind(scope, body.arguments, carried)
            self._assign(carried, self._block(scope, body))

        before = self._b.collected(decide)
        self._b.body.append(While(before, goes_on[0].at(ZERO), self._b.collected(go_on)))
        self._bind(scope, instruction.results, carried)
        for value in carried:
            if isinstance(value, ArrayMemory) and _key(value) in self._owners:
                self._owners[_key(value)] = self._home(code)
        self._loops -= 1

    def _assign(self, targets: Sequence[Value], values: Sequence[BlockValue]) -> None:
        """Writes the assignment of values to what a loop carries, all at once."""
        pairs = [
            (target, value)
            for target, value in zip(targets, map(current, values))
            if not _is_same(target, value)
        ]
        if any(math.prod(target.shape) > MOST_ELEMENTS for target, _ in pairs):
            raise Unsupported("a large array that is not changed in place")
        keys = {_key(target) for target, _ in pairs if isinstance(target, ArrayMemory)}
        arrays: list[tuple[ArrayMemory, Value]] = []
        places: dict[Pending, list[Place]] = {}
        for target, value in pairs:
            if isinstance(value, Pending):
                places.setdefault(value, [])
                if isinstance(target, ArrayMemory):
                    places[value].append(target)
            elif isinstance(target, ArrayMemory):
                if isinstance(value, ArrayMemory) and _key(value) in keys - {_key(target)}:
                    saved = self._memory(value.number, value.shape)
                    copy_all(self._b, saved, value)
                    value = saved
                arrays.append((target, value))
        self._write_pending(places)
        for target, value in arrays:
            copy_all(self._b, target, value)
        numbers = [
            (target, self._stored(value)) for target, value in pairs if isinstance(target, LoopVariable)
        ]
        self._b.store_all([(target, ZERO, value.at(ZERO)) for target, value in numbers])

    def _branch(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        if instruction.operation.name not in ("stablehlo.if", "stablehlo.case"):
            raise Unsupported(instruction.operation.name)
        targets = [self._result(code.values.types[register], code) for register in instruction.results]
        selector = self._b.let(self._stored(scope.values[instruction.operands[0]]).at(ZERO))
        self._write_pending()
        self._die(scope, instruction.dead_inside)
        bodies: list[Sequence[Statement]] = []
        for region in code.regions(index):
            bodies.append(
                self._b.collected(lambda region=region: self._assign(targets, self._block(scope, region)))
            )
        self._b.body.append(Switch(selector, bodies))
        self._bind(scope, instruction.results, targets)

    def _call(self, scope: _Scope, code: CodeBlock, index: int, instruction: Instruction) -> None:
        """Puts a callee's operations in place of the call."""
        callee, inner = code.callee(index).code, _Scope()
        if callee in self._homes:
            raise Unsupported("recursion")
        self._bind(inner, callee.arguments, [scope.values[operand] for operand in instruction.operands])
        self._die(scope, instruction.dead_inside)
        self._homes[callee] = self._home(code)
        values = self._block(inner, callee)
        del self._homes[callee]
        self._bind(scope, instruction.results, values)


def _key(memory: ArrayMemory) -> str:
    """Returns what is the same of all values of one memory."""
    assert isinstance(memory.pointer, NameExpr)
    return memory.pointer.text


def _is_elementwise(bound: BoundKernel) -> bool:
    name = bound.op_view.name
    return has_trait(name, "elementwise") or name == "stablehlo.bitcast_convert"


def _is_same(target: Value, value: BlockValue) -> bool:
    """Returns whether a value is what a target holds already."""
    if isinstance(target, ArrayMemory) and isinstance(value, ArrayMemory):
        return target.pointer == value.pointer
    return target == value


def _shape(type_: Any) -> Sizes:
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        raise Unsupported(str(type_))
    return type_.static_shape
