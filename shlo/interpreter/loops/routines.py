"""Calls of routines of LAPACK and BLAS, by the plans that kernels have for batches of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.expressions import (
    ZERO,
    ArrayMemory,
    ConstantExpr,
    Expr,
    NameExpr,
    Place,
    RepeatedValue,
    Value,
    affine,
    index_of,
)
from shlo.interpreter.loops.movement import strides_of
from shlo.interpreter.loops.numbers import INDEX, POINTER, Number, number_of
from shlo.interpreter.loops.statements import ArrayRegion, LoopBuilder, copy
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.dtypes import Array

if TYPE_CHECKING:
    from shlo.interpreter.kernels.routine_calls import RoutinePlan, Storage


def plan_of(bound: BoundKernel) -> tuple[RoutinePlan, str] | None:
    """Returns the plan of an operation that calls a routine for each matrix, and the target of a custom call
    (else an empty text); None for any other operation. Raises Unsupported where there is no plan, and
    KernelError where the call is wrong.
    """
    op_view, evaluate, target = bound.op_view, bound.evaluate, ""
    if op_view.name == "stablehlo.custom_call":
        from shlo.interpreter.custom_calls.registry import pure_function

        call = CustomCall(op_view)
        evaluate, target = pure_function(call), call.target
    make_plan = getattr(evaluate, "plan", None)  # of a `ByRoutine`, whose module is not loaded to ask
    if make_plan is None:
        return None
    plan: RoutinePlan | None = make_plan()
    if plan is None or plan.routine.address is None:
        raise Unsupported(op_view.name)
    for type_ in (*op_view.operand_types, *op_view.result_types):
        number_of(type_)
    return plan, target


def write_routine(
    b: LoopBuilder,
    plan: RoutinePlan,
    operands: Sequence[Value],
    targets: Sequence[Place],
    reserve: Callable[[Storage], ArrayMemory],
    address_of: Callable[[Array], Expr],
) -> int:
    """Writes the calls of a routine for each matrix; returns how many multiplications they take, about.

    Args:
        b: where to.
        plan: what is called.
        operands: matrices `[batch..., rows, columns]`, row by row.
        targets: where the results go.
        reserve: gives memory for a storage.
        address_of: gives the address of an array that lives as long as the code.
    """
    from shlo.interpreter.kernels.routine_calls import MOST_ELEMENTS

    if any(math.prod(value.shape) > MOST_ELEMENTS for value in (*operands, *targets)):
        raise Unsupported("large matrices")
    memory = [reserve(storage) for storage in plan.storages]
    first = next(storage for storage in plan.storages if storage.operand is not None)
    count = math.prod(operands[first.operand or 0].shape) // math.prod(first.shape)
    routine = ConstantExpr(POINTER, plan.routine.address)

    def argument(value: Array | tuple[int, int]) -> Expr:
        if not isinstance(value, tuple):
            return address_of(value)
        number, column = value
        return memory[number].address(column * memory[number].shape[0] if column else 0)

    def matrix(at: list[Expr]) -> None:
        for storage, storage_memory in zip(plan.storages, memory):
            if storage.operand is not None:
                _move(b, storage.shape, storage_memory, operands[storage.operand], at[0])
        for arguments in plan.calls:
            b.call(routine, *map(argument, arguments))
        for position, (number, target) in enumerate(zip(plan.results, targets)):
            if plan.triangle and position == 0:
                _leave_triangle(b, plan, (memory[number], memory[1]), target, at[0])
            else:
                _move(b, plan.storages[number].shape, memory[number], target, at[0], is_read=True)

    b.each([count], matrix)
    return count * plan.work * len(plan.calls)


def _in_columns(shape: Sizes) -> list[int]:
    """Returns the steps between elements of a matrix that lies column by column, or of a vector."""
    return list(reversed(strides_of(tuple(reversed(shape)))))


def _in_batch(shape: Sizes, index: Expr) -> ArrayRegion:
    """Returns where the elements of one matrix of a batch are."""
    return ArrayRegion(index * math.prod(shape), strides_of(shape))


def _move(
    b: LoopBuilder,
    shape: Sizes,
    storage_memory: ArrayMemory,
    value: Value,
    index: Expr,
    is_read: bool = False,
) -> None:
    """Writes the copying of one matrix of a value to memory of a routine, or from there if it `is_read`."""
    columns, rows = ArrayRegion(ZERO, _in_columns(shape)), _in_batch(shape, index)
    if isinstance(value, ArrayMemory) and min(shape, default=0) > 1 and len(shape) == 2:
        turned = shape[::-1] if is_read else shape
        pointers = [storage_memory.pointer, value.address(rows.offset)]
        source, target = pointers if is_read else pointers[::-1]
        b.call(_turning(b, storage_memory.number), source, target, *map(index_of, turned))
    elif is_read:
        assert not isinstance(value, RepeatedValue)
        copy(b, shape, value, rows, storage_memory, columns)
    else:
        copy(b, shape, storage_memory, columns, value, rows)


def _turning(b: LoopBuilder, number: Number) -> str:
    """Returns the name of a function that transposes matrices. It is compiled once, for all sizes."""
    name = f"turn.{number.memory}"
    if name not in b.functions:
        inner = LoopBuilder()
        source, target = NameExpr(POINTER, "from"), NameExpr(POINTER, "to")
        rows, columns = NameExpr(INDEX, "rows"), NameExpr(INDEX, "columns")

        def element(row: Expr, column: Expr) -> None:
            value = ArrayMemory(number, (), source).at(row * columns + column)
            inner.store(ArrayMemory(number, (), target), column * rows + row, value)

        inner.loop(rows, lambda row: inner.loop(columns, lambda column: element(row, column)))
        b.functions[name] = inner.function(name, (source, target, rows, columns), is_inner=True)
    return name


def _leave_triangle(
    b: LoopBuilder, plan: RoutinePlan, read: tuple[ArrayMemory, ArrayMemory], target: Place, index: Expr
) -> None:
    """Writes the copying of a triangle, with zeros for the other one, or NaN for all where the routine
    failed.
    """
    (factor, info), shape = read, plan.storages[0].shape
    failed, rows = b.let(info.at(ZERO).differs(0)), _in_batch(shape, index)

    def element(at: list[Expr]) -> None:
        row, column = at
        is_within = row >= column if plan.triangle == "L" else row <= column
        value = is_within.choose(factor.at(affine(ZERO, at, _in_columns(shape))), 0)
        value = failed.choose(ConstantExpr(factor.number, np.nan), value)
        b.store(target, affine(rows.offset, at, rows.strides), value)

    b.each(shape, element)
