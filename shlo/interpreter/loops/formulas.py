"""Formulas as machine code: the steps of `kernels.elementwise.formula` as a loop of vector instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from struct import pack
from typing import Final

from shlo.interpreter.kernels.elementwise.formula import (
    FLOAT,
    NATIVE_SECONDS,
    Formula,
    FormulaStep,
    NativeLoop,
)
from shlo.interpreter.loops.elements import called, of_one
from shlo.interpreter.loops.expressions import ZERO, ArrayMemory, ConstantExpr, Expr, NameExpr, index_of
from shlo.interpreter.loops.llvm import print_functions
from shlo.interpreter.loops.machine import OPTIMIZED_SHARE, Machine
from shlo.interpreter.loops.numbers import FLOAT32, FLOAT64, INDEX, POINTER, UINT64
from shlo.interpreter.loops.statements import LoopBuilder, LoopFunction
from shlo.ir.dtypes import Array

CHUNK: Final = 512
"""Elements that a loop with strides copies together at a time."""


def _of_two(compute: Callable[[Expr, Expr], Expr]) -> Callable[..., Expr]:
    return compute


_STEPS: Final[dict[str, Callable[..., Expr]]] = {
    "absolute": called("abs"),
    "add": Expr.__add__,
    "add_bits": Expr.__add__,
    "bits": of_one(lambda x: x.bitcast(UINT64)),
    "both": Expr.__and__,
    "divide": Expr.__truediv__,
    "equal": Expr.equals,
    "less": Expr.__lt__,
    "maximum": _of_two(lambda x, limit: (x < limit).choose(limit, x)),
    "minimum": _of_two(lambda x, limit: (x > limit).choose(limit, x)),
    "multiply": Expr.__mul__,
    "negative": Expr.__neg__,
    "or_bits": Expr.__or__,
    "select": Expr.choose,
    "shift_left": _of_two(lambda x, count: x.call("shl", count)),
    "shift_right": _of_two(lambda x, count: x.call("lshr", count)),
    "sqrt": called("sqrt"),
    "subtract": Expr.__sub__,
    "subtract_bits": Expr.__sub__,
    "value": of_one(lambda x: x.bitcast(FLOAT64)),
}
"""The steps. A limit takes the place of a value where that is beyond it: NaN stays."""


@cache
def _machine(formula: Formula) -> Machine:
    count = formula.operands + 1
    functions = [_elements(formula, count), _on_arrays(count), _strided(count)]
    return Machine(print_functions(functions), "formula", integers=2, first="all")


def native_loop(formula: Formula) -> NativeLoop:
    """Returns machine code that computes a formula."""
    machine, form = _machine(formula), f"={formula.operands + 1}Q"
    saved = NATIVE_SECONDS * len(formula.steps) * OPTIMIZED_SHARE

    def loop(arrays: Sequence[Array], start: int, end: int) -> None:
        machine.function(pack(form, *map(id, arrays)), start, end)
        machine.spend(saved * (end - start))

    return loop


def loop_address(formula: Formula) -> int:
    """Returns the address of machine code like that of a ufunc's loop for float32; raises Unsupported, or
    what LLVM raises, where there can be none.
    """
    return _machine(formula).address("strided")


def _floats(pointer: Expr) -> ArrayMemory:
    return ArrayMemory(FLOAT32, (), pointer)


def _elements(formula: Formula, count: int) -> LoopFunction:
    """Returns the function of the addresses of elements that lie one behind the other, and their number."""
    b, pointers, n = (
        LoopBuilder(),
        [NameExpr(POINTER, f"p{word}") for word in range(count)],
        NameExpr(INDEX, "n"),
    )

    def element(index: Expr) -> None:
        values = [_floats(pointer).at(index).convert(FLOAT64) for pointer in pointers[:-1]]
        for step in formula.steps:
            values.append(_step(step, [values[number] for number in step.operands]))
        b.store(_floats(pointers[-1]), index, values[-1].convert(FLOAT32))

    b.loop(n, element)
    return b.function("elements", [*pointers, n], is_inner=True)


def _step(step: FormulaStep, operands: Sequence[Expr]) -> Expr:
    if step.name == "constant":
        return ConstantExpr(FLOAT64 if step.dtype == FLOAT else UINT64, step.constant)
    return _STEPS[step.name](*operands)


def _on_arrays(count: int) -> LoopFunction:
    """Returns the function of a frame, with the addresses of arrays' objects, and a range of elements."""
    b, frame = LoopBuilder(), NameExpr(POINTER, "frame")
    start, end = NameExpr(INDEX, "from"), NameExpr(INDEX, "to")
    arrays = [b.array_at(frame, word, FLOAT32) for word in range(count)]
    b.call("elements", *[array.address(start) for array in arrays], end - start)
    return b.function("formula", (frame, start, end))


def _strided(count: int) -> LoopFunction:
    """Returns the function that is called as the loops of ufuncs are. It copies elements together that do not
    lie one behind the other, chunk by chunk: those of an operand that is one number have a stride of 0.
    """
    b = LoopBuilder()
    arguments, counts, strides, unused = (
        NameExpr(POINTER, name) for name in ("arguments", "counts", "strides", "data")
    )
    total = b.let(ArrayMemory(INDEX, (), counts).at(ZERO))
    buffers = [b.scratch(FLOAT32, CHUNK) for _ in range(count)]
    data = [b.let(ArrayMemory(POINTER, (), arguments).at(index_of(word))) for word in range(count)]
    steps = [b.let(ArrayMemory(INDEX, (), strides).at(index_of(word))) for word in range(count)]

    def chunk(number: Expr) -> None:
        done = b.let(number * CHUNK)
        n = b.let((total - done).minimum(CHUNK))

        def at(word: int, index: Expr) -> ArrayMemory:
            return _floats(data[word].bytes_on((done + index) * steps[word]))

        for word, buffer in enumerate(buffers[:-1]):
            b.loop(n, lambda i, word=word, buffer=buffer: b.store(buffer, i, at(word, i).at(ZERO)))
        b.call("elements", *[buffer.pointer for buffer in buffers], n)
        b.loop(n, lambda i: b.store(at(count - 1, i), ZERO, buffers[-1].at(i)))

    is_plain = steps[0].equals(FLOAT32.size)
    for step in steps[1:]:
        is_plain = is_plain & step.equals(FLOAT32.size)
    b.when(is_plain, lambda: b.call("elements", *data, total))
    chunks = (total + (CHUNK - 1)) / CHUNK
    b.loop(b.let(is_plain.choose(ZERO, chunks)), chunk)
    return b.function("strided", (arguments, counts, strides, unused))
