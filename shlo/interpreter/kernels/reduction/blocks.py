"""Reductions of large arrays block by block, which kernels and chains of elementwise operations make."""

from __future__ import annotations

from collections.abc import Callable

from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.copies import copied_by_rows
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array


class InRowOrder:
    """A reduction of an array that is stored row by row first."""

    __slots__ = ("function",)

    def __init__(self, function: KernelFn) -> None:
        self.function = function

    def __call__(self, x: Value, initial: Value) -> Value:
        """Returns the reduction."""
        return self.function(x if x.flags.c_contiguous else copied_by_rows(x), initial)


class BlockReduction:
    """A reduction of a large array by blocks of elements, in the order of memory, which threads share. The
    blocks are the same for any number of threads, so the result is, too.

    Args:
        count: the elements of the array.
        block: the elements of a block; the last one may have fewer.
        totals: makes the memory for what the blocks give.
        reduce_block: reduces one of them, by its number, a line of elements, into that memory.
        finish: the result, from that memory and an initial value.
    """

    def __init__(
        self,
        count: int,
        block: int,
        totals: Callable[[], Array],
        reduce_block: Callable[[Array, int, Array], None],
        finish: Callable[[Array, Value], Value],
    ) -> None:
        self.count = count
        self.block = block
        self.totals = totals
        self.reduce_block = reduce_block
        self.finish = finish

    def __call__(self, x: Value, initial: Value) -> Value:
        """Returns the reduction of an array, which is stored row by row where the order matters."""
        flat, totals, block = x.reshape(-1), self.totals(), self.block

        def part(start: int, end: int) -> None:
            for number in range(start, end):
                self.reduce_block(totals, number, flat[number * block : (number + 1) * block])

        in_parts(part, -(-self.count // block), 1, current_context().threads)
        return self.finish(totals, initial)


def block_reduction(evaluate: KernelFn) -> BlockReduction | None:
    """Returns the reduction by blocks that a kernel's function is, None for any other."""
    function = evaluate.function if isinstance(evaluate, InRowOrder) else evaluate
    return function if isinstance(function, BlockReduction) else None
