"""Machine code for kernels: a loop around the calls of a routine of LAPACK or BLAS; scatters of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.routine_calls import Arity
from shlo.interpreter.loops.expressions import ArrayMemory, Expr, NameExpr, index_of
from shlo.interpreter.loops.llvm import print_functions
from shlo.interpreter.loops.machine import Machine
from shlo.interpreter.loops.movement import write_scatter
from shlo.interpreter.loops.numbers import INDEX, POINTER, number_of
from shlo.interpreter.loops.statements import LoopBuilder
from shlo.interpreter.runtime.tiers import Unsupported


@cache
def _machine(arguments: int) -> Machine:
    b, frame, count = LoopBuilder(), NameExpr(POINTER, "frame"), NameExpr(INDEX, "count")
    pointers, numbers = (ArrayMemory(number, (), frame) for number in (POINTER, INDEX))
    routine = b.let(pointers.at(index_of(0)))
    places = [
        (
            b.let(b.array_data(pointers.at(index_of(word))).bytes_on(numbers.at(index_of(word + 1)))),
            b.let(numbers.at(index_of(word + 2))),
        )
        for word in range(1, 1 + 3 * arguments, 3)
    ]
    b.loop(count, lambda i: b.call(routine, *[first.bytes_on(i * step) for first, step in places]))
    return Machine(print_functions([b.function("calls", (frame, count))]), "calls")


def native_calls(arity: Arity) -> Callable[[bytes, int], int]:
    """Returns machine code of a frame and a number of calls.

    The frame holds numbers of 64 bits: the routine's address, and for each argument the address of an array's
    object, where in its data the first call's argument is, and by how many bytes each next one is further on.
    """
    return _machine(arity.arguments).function


def row_updates(op: OpView) -> Machine:
    """Returns machine code of a scatter of rows into its first operand. Its frame has the addresses of the
    objects of three arrays that lie row by row. Raises Unsupported for what cannot be written.
    """
    b, frame = LoopBuilder(), NameExpr(POINTER, "frame")
    operands: list[ArrayMemory] = []
    for position, type_ in enumerate(op.operand_types):
        shape = op.tensor_type(position).static_shape
        operands.append(b.array_at(frame, position, number_of(type_), shape))
    table, _, updates = operands
    if table.number != updates.number:
        raise Unsupported("a region")

    def each(shape: Sequence[int], body: Callable[[list[Expr]], None]) -> None:
        first, *rest = shape
        b.one_pass(index_of(first), lambda index: b.each(rest, lambda indices: body([index, *indices])))

    write_scatter(b, op, operands, table, each)
    return Machine(print_functions([b.function("rows", (frame,))]), "rows", integers=0, packs=True)
