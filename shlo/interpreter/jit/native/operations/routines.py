"""Calls of routines of LAPACK and BLAS, by the plans that kernels have for batches of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number, number_of
from shlo.interpreter.jit.native.values import Memory, NativeValue, Places, Scalar, copy, load, store
from shlo.interpreter.kernels.routine_calls import MOST_ELEMENTS, ByRoutine, RoutinePlan, Storage
from shlo.interpreter.kernels.shapes import Sizes, row_major_strides
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.dtypes import Array


def plan_of(bound: BoundKernel) -> tuple[RoutinePlan, str] | None:
    """Returns the plan of an operation that calls a routine for each matrix, and the target of a custom call
    (else an empty text); None for any other operation. Raises Unsupported where there is no plan, and
    KernelError where the call is wrong."""
    op_view, evaluate, target = bound.op_view, bound.evaluate, ""
    if op_view.name == "stablehlo.custom_call":
        from shlo.interpreter.custom_calls.registry import pure_function

        call = CustomCall(op_view)
        evaluate, target = pure_function(call), call.target
    if not isinstance(evaluate, ByRoutine):
        return None
    plan = evaluate.plan()
    if plan is None or plan.routine.address is None:
        raise Unsupported(op_view.name)
    for type_ in (*op_view.operand_types, *op_view.result_types):
        number_of(type_)
    return plan, target


def write_routine(
    lines: Lines,
    plan: RoutinePlan,
    operands: Sequence[NativeValue],
    targets: Sequence[Memory | Scalar],
    reserve: Callable[[Storage], Memory],
    address_of: Callable[[Array], str],
) -> int:
    """Writes the calls of a routine for each matrix; returns how many multiplications they take, about.

    Args:
        lines: where to.
        plan: what is called.
        operands: matrices `[batch..., rows, columns]`, row by row.
        targets: where the results go.
        reserve: gives memory for a storage.
        address_of: gives the address of an array that lives as long as the code.
    """
    if any(math.prod(value.shape) > MOST_ELEMENTS for value in (*operands, *targets)):
        raise Unsupported("large matrices")
    memory = [reserve(each) for each in plan.storages]
    first = next(place for place, each in enumerate(plan.storages) if each.operand is not None)
    used = operands[plan.storages[first].operand or 0]
    count = math.prod(used.shape) // math.prod(plan.storages[first].shape)

    def body(indices: list[str]) -> None:
        for each, own in zip(plan.storages, memory):
            if each.operand is not None:
                _move(lines, each.shape, own, operands[each.operand], indices[0])
        for arguments in plan.calls:
            passed = ", ".join(_argument(lines, each, memory, address_of) for each in arguments)
            lines.line(f"call void inttoptr (i64 {plan.routine.address} to ptr)({passed})")
        for place, (number, target) in enumerate(zip(plan.results, targets)):
            shape, own = plan.storages[number].shape, memory[number]
            if plan.triangle and place == 0:
                _leave_triangle(lines, plan, (own, memory[1]), target, indices[0])
            else:
                _move(lines, shape, own, target, indices[0], is_read=True)

    lines.each([count], body)
    return count * plan.work * len(plan.calls)


def _in_columns(shape: Sizes) -> list[int]:
    """Returns the steps between elements of a matrix that lies column by column, or of a vector."""
    return list(reversed(row_major_strides(tuple(reversed(shape)), 1)))


def _by_rows(lines: Lines, shape: Sizes, index: str) -> Places:
    """Returns where the elements of one matrix of a batch are."""
    return Places(lines.affine("0", [index], [math.prod(shape)]), row_major_strides(shape, 1))


def _move(
    lines: Lines,
    shape: Sizes,
    own: Memory,
    value: NativeValue,
    index: str,
    is_read: bool = False,
) -> None:
    """Writes the copying of one matrix of a value to memory of a routine, or from there if it `is_read`."""
    steps, places = Places("0", _in_columns(shape)), _by_rows(lines, shape, index)
    if isinstance(value, Memory) and min(shape, default=0) > 1 and len(shape) == 2:
        first = lines.value(f"getelementptr {own.number.memory}, ptr {value.pointer}, i64 {places.offset}")
        rows, columns = shape[::-1] if is_read else shape
        given, left = (own.pointer, first) if is_read else (first, own.pointer)
        turn = _turning(lines, own.number)
        lines.line(f"call void {turn}(ptr {given}, ptr {left}, i64 {rows}, i64 {columns})")
    elif is_read:
        assert isinstance(value, Memory | Scalar)
        copy(lines, shape, value, places, own, steps)
    else:
        copy(lines, shape, own, steps, value, places)


def _turning(lines: Lines, number: Number) -> str:
    """Returns the name of a function that transposes matrices. It is compiled once, for all sizes."""
    name, type_ = f"@turn.{number.memory}", number.memory
    lines.functions.setdefault(
        name,
        f"""define internal void {name}(ptr noalias %from, ptr noalias %to, i64 %rows, i64 %columns)
    noinline {{
begin:
  br label %row
row:
  %r = phi i64 [0, %begin], [%r.next, %row.end]
  %first = mul i64 %r, %columns
  br label %column
column:
  %c = phi i64 [0, %row], [%c.next, %column]
  %at = add i64 %first, %c
  %source = getelementptr inbounds {type_}, ptr %from, i64 %at
  %element = load {type_}, ptr %source
  %below = mul i64 %c, %rows
  %place = add i64 %below, %r
  %target = getelementptr inbounds {type_}, ptr %to, i64 %place
  store {type_} %element, ptr %target
  %c.next = add nuw nsw i64 %c, 1
  %c.more = icmp slt i64 %c.next, %columns
  br i1 %c.more, label %column, label %row.end
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp slt i64 %r.next, %rows
  br i1 %r.more, label %row, label %end
end:
  ret void
}}""",
    )
    return name


def _argument(
    lines: Lines,
    argument: Array | tuple[int, int],
    memory: Sequence[Memory],
    address_of: Callable[[Array], str],
) -> str:
    if not isinstance(argument, tuple):
        return f"ptr {address_of(argument)}"
    number, column = argument
    own = memory[number]
    if not column:
        return f"ptr {own.pointer}"
    offset = column * own.shape[0]
    place = lines.value(f"getelementptr inbounds {own.number.memory}, ptr {own.pointer}, i64 {offset}")
    return f"ptr {place}"


def _leave_triangle(
    lines: Lines, plan: RoutinePlan, read: tuple[Memory, Memory], target: Memory | Scalar, index: str
) -> None:
    """Writes the copying of a triangle, with zeros for the other one, or NaN for all where the routine
    failed."""
    (own, info), shape = read, plan.storages[0].shape
    failed = lines.value(f"icmp ne i32 {load(lines, info, '0')}, 0")
    type_, places = own.number.llvm, _by_rows(lines, shape, index)
    within = "sge" if plan.triangle == "L" else "sle"

    def body(at: list[str]) -> None:
        element = load(lines, own, lines.affine("0", at, _in_columns(shape)))
        is_kept = lines.value(f"icmp {within} i64 {at[0]}, {at[1]}")
        cleaned = lines.value(f"select i1 {is_kept}, {type_} {element}, {type_} {own.number.literal(0)}")
        result = lines.value(f"select i1 {failed}, {type_} {own.number.literal(np.nan)}, {type_} {cleaned}")
        store(lines, target, lines.affine(places.offset, at, places.strides), result)

    lines.each(shape, body)
