"""A chain of elementwise operations as one function of arrays.

It goes operation by operation, or block by block with the values of a block in the cache, or as machine code
(`native.chain`), on as many threads as its work is worth. Which way it takes depends on sizes and time alone;
the bits are the same.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, UfuncLike, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.blocks import BlockReduction, block_reduction
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.chain import ChainStep, FusedChain, is_broadcast
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Program
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.copies import by_rows
from shlo.interpreter.runtime.freed_memory import empty
from shlo.interpreter.runtime.threads import in_parts
from shlo.interpreter.runtime.tiers import Tier, policy, work_seconds
from shlo.interpreter.runtime.values import is_scalar_type
from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.interpreter.loops.machine import Machine

ELEMENT: Final = 0.3e-9
"""Seconds that machine code takes for an element, about, to read and write it."""
INSTRUCTION: Final = 0.03e-9
FUNCTION: Final = 1.5e-9
"""Seconds for an operation of an element that is an instruction, or a function such as the exponential."""


class FusedKernel:
    """A chain, ready to run on arrays that have the types of its inputs."""

    def __init__(self, chain: FusedChain, program: Program) -> None:
        self.chain = chain
        self._given = [position for position in range(len(chain.inputs)) if position not in chain.constants]
        self._steps = list(zip(chain.steps, map(_callable_of, chain.steps), _last_uses(chain)))
        self.tier = Tier[NativeChain]("chain", len(chain.steps), program)
        self._block_rows = _block_rows(chain)

    def __call__(self, *inputs: Value) -> Value:
        """Returns the outputs: one itself, several as a tuple."""
        count = len(inputs) - len(self.chain.reductions)
        initials = inputs[count:]
        native = self.tier.code
        if native is not None:
            call = native.call(inputs[:count])
            if call is not None:
                return _as_result(native.run(call, initials))
        start = work_seconds()
        results = self._in_python(inputs[:count])
        if self.chain.reductions:
            results = self._reduced(results, initials)
        if native is None and self.tier.is_due(work_seconds() - start):
            self.tier.begin(lambda: NativeChain(self.chain))
        return _as_result(results)

    def _reduced(self, outputs: list[Value], initials: Sequence[Value]) -> list[Value]:
        """Returns the outputs that are needed, and the reductions."""
        places = [self.chain.outputs.index(reduction.number) for reduction in self.chain.reductions]
        reduced = [
            reduction.bound.evaluate(outputs[index], initial)
            for reduction, index, initial in zip(self.chain.reductions, places, initials)
        ]
        return [*outputs[: self.chain.stored], *reduced]

    # Without machine code

    def _in_python(self, inputs: Sequence[Value]) -> list[Value]:
        rows, threads = self._block_rows, 1
        if rows:
            threads = current_context().threads
        if threads == 1:
            return self._values(inputs, None)
        outputs: list[Value]
        outputs = [empty(self.chain.shape, dtype) for dtype in _output_dtypes(self.chain)]

        def part(start: int, end: int) -> None:
            self._values([_rows(value, self.chain, start, end) for value in inputs], (start, end), outputs)

        in_parts(part, self.chain.shape[0], rows, threads)
        return outputs

    def _values(
        self, inputs: Sequence[Value], rows: tuple[int, int] | None, outputs: Sequence[Any] = ()
    ) -> list[Value]:
        """Returns the outputs on whole inputs, or puts those of some rows into `outputs`."""
        chain = self.chain
        values: list[Value] = [chain.constants.get(position) for position in range(len(chain.inputs))]
        for position, value in zip(self._given, inputs):
            values[position] = value
        for step, function, dead in self._steps:
            operands = [values[number] for number in step.operands]
            if function is None:
                values.append(_broadcast(step.bound.evaluate, operands[0], chain, rows))
            else:
                values.append(function(*operands))
            del operands
            for number in dead:
                values[number] = None
        if rows is None:
            return [values[number] for number in chain.outputs]
        for output, number in zip(outputs, chain.outputs):
            output[slice(*rows)] = values[number]
        return []


class NativeCall:
    """A call of a chain's machine code: computes parts. It holds the machine code and the arrays, whose
    addresses are in the frame, so that they live as long as a thread computes. `outputs` are those that are
    stored as a whole; memory for a block of each of the others is given with its part.
    """

    __slots__ = ("_arrays", "_frame", "_machine", "outputs")

    def __init__(self, machine: Machine, frame: bytes, arrays: Sequence[Any], outputs: list[Any]) -> None:
        self._machine = machine
        self._frame = frame
        self._arrays = arrays
        self.outputs = outputs

    def block(self, start: int, end: int, scratch: Sequence[Any]) -> None:
        """Computes the elements of a block; `scratch` has the memory for what is not stored."""
        words = b"".join(id(array).to_bytes(8, sys.byteorder) for array in scratch)
        self._machine.function(self._frame + words, start, end)

    def __call__(self, start: int, end: int) -> None:
        """Computes the elements from a start up to an end."""
        self._machine.function(self._frame, start, end)


class NativeChain:
    """A chain's machine code."""

    def __init__(self, chain: FusedChain) -> None:
        from shlo.interpreter.loops.chain_code import ChainEmitter
        from shlo.interpreter.loops.machine import Machine

        emitter = ChainEmitter(chain)
        self._machine = Machine(emitter.emit(), "chain", integers=2)
        self._shape, self._count = chain.shape, chain.count
        self._dtypes = _output_dtypes(chain)
        input_types = [
            type_ for position, type_ in enumerate(chain.inputs) if position not in chain.constants
        ]
        self._inputs = [(_shape_of(type_), element_dtype(type_)) for type_ in input_types]
        self._frame = struct.Struct(f"={len(input_types) + chain.stored}Q")
        self._chain = chain
        functions, least = emitter.functions, policy().part_elements
        seconds = ELEMENT + FUNCTION * functions + INSTRUCTION * len(chain.steps)
        self._part = max(least, int(policy().part_seconds / seconds) // least * least)

    def call(self, inputs: Sequence[Value]) -> NativeCall | None:
        """Returns the call on these inputs, None where one is no array, or number, of its type."""
        words: list[int] = []
        arrays: list[Any] = []
        for value, (shape, dtype) in zip(inputs, self._inputs, strict=True):
            array = np.asarray(value)
            if array.shape != shape or array.dtype != dtype:
                return None
            if not shape:
                words.append(int.from_bytes(array.tobytes(), "little"))
                continue
            arrays.append(by_rows(array, shape, dtype))
            words.append(id(arrays[-1]))
        outputs = [empty(self._shape, dtype) for dtype in self._dtypes[: self._chain.stored]]
        frame = self._frame.pack(*words, *map(id, outputs))
        return NativeCall(self._machine, frame, arrays, outputs)

    def run(self, call: NativeCall, initials: Sequence[Value]) -> list[Value]:
        """Returns the outputs that are stored, and the reductions with these initial values."""
        count = self._count
        if self._chain.reductions:
            return [*call.outputs, *self._run_blocks(call, initials)]
        threads = 1 if count < 2 * self._part else current_context().threads
        if threads == 1:
            call(0, count)
        else:
            in_parts(call, count, self._part, threads)
        return call.outputs

    def _run_blocks(self, call: NativeCall, initials: Sequence[Value]) -> list[Value]:
        """Computes block by block, and reduces each while the cache has it."""
        chain, count = self._chain, self._count
        reductions = [_blocks_of(reduction.bound) for reduction in chain.reductions]
        places = [chain.outputs.index(reduction.number) for reduction in chain.reductions]
        totals, block = [reduction.totals() for reduction in reductions], reductions[0].block
        lines = [output.reshape(-1) for output in call.outputs]

        def part(first: int, last: int) -> None:
            scratch = [np.empty(block, dtype) for dtype in self._dtypes[chain.stored :]]
            for number in range(first, last):
                start, end = number * block, min((number + 1) * block, count)
                call.block(start, end, scratch)
                values = [
                    *[line[start:end] for line in lines],
                    *[block_of[: end - start] for block_of in scratch],
                ]
                for reduction, index, total in zip(reductions, places, totals):
                    reduction.reduce_block(total, number, values[index])

        in_parts(part, -(-count // block), 1, current_context().threads)
        return [reduction.finish(*pair) for reduction, pair in zip(reductions, zip(totals, initials))]


def _blocks_of(bound: BoundKernel) -> BlockReduction:
    reduction = block_reduction(bound.evaluate)
    assert reduction is not None
    return reduction


def _shape_of(type_: Type) -> Sizes:
    return type_.static_shape if isinstance(type_, RankedTensorType) else ()


def _as_result(values: Sequence[Value]) -> Value:
    return values[0] if len(values) == 1 else tuple(values)


def _output_dtypes(chain: FusedChain) -> list[np.dtype[Any]]:
    return [element_dtype(chain.type_of(number)) for number in chain.outputs]


def _last_uses(chain: FusedChain) -> list[list[int]]:
    """Returns the numbers of the values that are not needed after each step."""
    last: dict[int, int] = {}
    for position, step in enumerate(chain.steps):
        last[len(chain.inputs) + position] = position
        last |= dict.fromkeys(step.operands, position)
    dead: list[list[int]] = [[] for _ in chain.steps]
    for number, position in last.items():
        if number not in chain.outputs:
            dead[position].append(number)
    return dead


def _block_rows(chain: FusedChain) -> int:
    """Returns how many rows a block has; 0 where blocks do not pay."""
    if not chain.shape:
        return 0
    row = chain.count // chain.shape[0] * max(dtype.itemsize for dtype in _output_dtypes(chain))
    rows = max(1, policy().block_bytes // row)
    return rows if chain.shape[0] >= policy().least_blocks * rows else 0


def _broadcast(function: KernelFn, operand: Value, chain: FusedChain, rows: tuple[int, int] | None) -> Value:
    """Returns a broadcast, of one number that number."""
    if np.ndim(operand) == 0:
        return operand
    return function(operand) if rows is None else _rows(function(operand), chain, *rows)


def _callable_of(step: ChainStep) -> KernelFn | None:
    """Returns the function of operands of the shape of the chain, or numbers; None for a broadcast."""
    if is_broadcast(step.bound):
        return None
    is_flexible = isinstance(step.bound.evaluate, (np.ufunc, UfuncLike))
    return step.bound.evaluate if is_flexible else _InFull(step)


class _InFull:
    """A kernel that does not broadcast: it is called with arrays that repeat numbers."""

    def __init__(self, step: ChainStep) -> None:
        self._function = step.bound.evaluate
        self._is_number = [is_scalar_type(type_) for type_ in step.bound.op_view.operand_types]

    def __call__(self, *operands: Value) -> Value:
        shape = max((np.shape(operand) for operand in operands), key=len)
        repeated = [
            np.broadcast_to(operand, shape) if np.ndim(operand) == 0 and not is_number else operand
            for operand, is_number in zip(operands, self._is_number)
        ]
        return self._function(*repeated)


def _rows(value: Value, chain: FusedChain, start: int, end: int) -> Value:
    """Returns some rows of a value of the chain's shape; any other value whole."""
    return value[start:end] if np.shape(value) == chain.shape else value
