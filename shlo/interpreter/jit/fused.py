"""A chain of elementwise operations as one function of arrays.

It goes operation by operation, or block by block with the values of a block in the cache, or as machine code
(`native.chain`), on as many threads as its work is worth. Which way it takes depends on sizes and time alone;
the bits are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, UfuncLike, Value
from shlo.interpreter.kernels.reduction.blocks import BlockReduction, block_reduction
from shlo.interpreter.loops.chain import ChainStep, FusedChain, is_broadcast
from shlo.interpreter.loops.frame import ArrayType, NativeFrame, array_types
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Program
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.freed_memory import empty
from shlo.interpreter.runtime.threads import in_parts
from shlo.interpreter.runtime.tiers import Tier, policy
from shlo.interpreter.runtime.values import is_scalar_type

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
        steps = zip(chain.steps, map(_callable_of, chain.steps), chain.last_uses())
        self._steps = [part for part in steps if not is_broadcast(part[0].bound)]
        self.tier = Tier[NativeChain]("chain", len(chain.steps), program)
        self._block_rows = _block_rows(chain)

    def __call__(self, *inputs: Value) -> Value:
        """Returns the outputs: one itself, several as a tuple."""
        count = len(inputs) - len(self.chain.reductions)
        initials = inputs[count:]
        if self.tier.code is not None:
            results = self.tier.code(inputs[:count], initials)
        else:
            compiled = partial(NativeChain, self.chain)
            results = self.tier.in_slower_form(compiled, self._reduced, inputs[:count], initials)
        return results[0] if len(results) == 1 else tuple(results)

    def _reduced(self, inputs: Sequence[Value], initials: Sequence[Value]) -> list[Value]:
        """Returns the outputs that are needed, and the reductions."""
        chain = self.chain
        values = dict(zip(chain.computed, self._in_python(inputs)))
        reductions = zip(chain.reductions, initials)
        reduced = [reduction.bound.evaluate(values[reduction.source], x) for reduction, x in reductions]
        return [*(values[name] for name in chain.outputs), *reduced]

    # Without machine code

    def _in_python(self, inputs: Sequence[Value]) -> list[Value]:
        chain, rows, threads = self.chain, self._block_rows, 1
        values = {**chain.constants, **dict(zip(chain.passed, inputs))}
        for step in chain.steps:
            if is_broadcast(step.bound):  # of an input; of one number that number
                x = values[step.operands[0]]
                values[step.result] = step.bound.evaluate(x) if np.ndim(x) else x
        if rows:
            threads = current_context().threads
        if threads == 1:
            return self._outputs(values)
        outputs: list[Value]
        outputs = [empty(shape, dtype) for dtype, shape in _computed_types(chain)]
        whole = [name for name, value in values.items() if np.shape(value) == chain.shape]

        def part(start: int, end: int) -> None:
            block = self._outputs({**values, **{name: values[name][start:end] for name in whole}})
            for output, value in zip(outputs, block):
                output[start:end] = value

        in_parts(part, chain.shape[0], rows, threads)
        return outputs

    def _outputs(self, values: dict[str, Value]) -> list[Value]:
        """Returns the outputs, on the values of the inputs and of their broadcasts, whole or some rows."""
        for step, function, dead in self._steps:
            values[step.result] = function(*[values[name] for name in step.operands])
            for name in dead:
                del values[name]
        return [values[name] for name in self.chain.computed]


class NativeChain:
    """A chain's machine code."""

    def __init__(self, chain: FusedChain) -> None:
        from shlo.interpreter.loops.chain_code import ChainEmitter
        from shlo.interpreter.loops.machine import OPTIMIZED_SHARE, Machine

        emitter = ChainEmitter(chain)
        self._machine = Machine(emitter.emit(), "chain", integers=2, first="all")
        outputs, count = _computed_types(chain), len(chain.outputs)
        passed = array_types(chain.types[name] for name in chain.passed)
        self._frame = NativeFrame(passed, outputs[:count], len(outputs) - count)
        self._only_reduced = [dtype for dtype, _ in outputs[count:]]
        self._chain = chain
        functions, least = emitter.functions, policy().part_elements
        seconds = ELEMENT + INSTRUCTION * len(chain.steps)
        self._saved = seconds * chain.count * OPTIMIZED_SHARE
        seconds += FUNCTION * functions
        self._part = max(least, int(policy().part_seconds / seconds) // least * least)

    def __call__(self, inputs: Sequence[Value], initials: Sequence[Value]) -> list[Value]:
        """Returns the outputs that are stored, and the reductions with these initial values."""
        self._machine.spend(self._saved)
        objects, outputs = self._frame.objects(inputs)
        if self._chain.reductions:
            return [*outputs, *self._run_blocks(objects, outputs, initials)]
        count, values = self._chain.count, (*objects, *outputs)
        threads = 1 if count < 2 * self._part else current_context().threads
        size = count if threads == 1 else self._part
        in_parts(partial(_run, self._machine, self._frame.words(values), values), count, size, threads)
        return outputs

    def _run_blocks(
        self, objects: Sequence[Any], outputs: Sequence[Any], initials: Sequence[Value]
    ) -> list[Value]:
        """Computes block by block, and reduces each while the cache has it."""
        chain, count, function = self._chain, self._chain.count, self._machine.function
        reductions = [_blocks_of(reduction.bound) for reduction in chain.reductions]
        places = [chain.computed.index(reduction.source) for reduction in chain.reductions]
        totals, block = [reduction.totals() for reduction in reductions], reductions[0].block
        lines = [output.reshape(-1) for output in outputs]

        def part(first: int, last: int) -> None:
            scratch = [np.empty(block, dtype) for dtype in self._only_reduced]
            words = self._frame.words((*objects, *outputs, *scratch))
            for number in range(first, last):
                start, end = number * block, min((number + 1) * block, count)
                function(words, start, end)
                values = [
                    *[line[start:end] for line in lines],
                    *[block_of[: end - start] for block_of in scratch],
                ]
                for reduction, index, total in zip(reductions, places, totals):
                    reduction.reduce_block(total, number, values[index])

        in_parts(part, -(-count // block), 1, current_context().threads)
        return [reduction.finish(*pair) for reduction, pair in zip(reductions, zip(totals, initials))]


def _run(machine: Machine, words: bytes, values: Sequence[Any], start: int, end: int) -> None:
    """Computes elements by machine code; holds that and the `values` whose addresses are the words."""
    machine.function(words, start, end)


def _blocks_of(bound: BoundKernel) -> BlockReduction:
    reduction = block_reduction(bound.evaluate)
    assert reduction is not None
    return reduction


def _computed_types(chain: FusedChain) -> list[ArrayType]:
    return array_types(chain.types[name] for name in chain.computed)


def _block_rows(chain: FusedChain) -> int:
    """Returns how many rows a block has; 0 where blocks do not pay."""
    if not chain.shape:
        return 0
    row = chain.count // chain.shape[0] * max(dtype.itemsize for dtype, _ in _computed_types(chain))
    rows = max(1, policy().block_bytes // row)
    return rows if chain.shape[0] >= policy().least_blocks * rows else 0


def _callable_of(step: ChainStep) -> KernelFn:
    """Returns the function of operands of the shape of the chain, or numbers."""
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
