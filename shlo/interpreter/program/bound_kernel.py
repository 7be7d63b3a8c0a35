"""Kernels specialized for one operation, beside what must be known of it to run it safely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from shlo.dialects import find_op_def
from shlo.dialects.opdef import OperandDef, RegionDef
from shlo.interpreter.kernel_api import KernelEntry, KernelError, KernelFn, OpView, Value, kernel_for
from shlo.interpreter.program.shape_checks import checked
from shlo.interpreter.runtime.values import Check, byte_size, check_of, is_number_type, is_static, type_words
from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.interpreter.program.region import RegionBody


@dataclass(frozen=True, slots=True)
class BoundKernel:
    """A kernel specialized for one signature: its function, the checks of its results, their size in
    bytes.

    `may_trust` tells that results which once had the declared types always have them. `in_place` is the
    function that may write into operand 0.
    """

    entry: KernelEntry
    op_view: OpView
    evaluate: KernelFn
    checks: tuple[Check, ...]
    size: int
    may_trust: bool
    in_place: KernelFn | None

    def check(self, result: Value) -> None:
        """Raises KernelError where a result is not of its declared type."""
        checks = self.checks
        if len(checks) == 1:
            if not checks[0](result):
                self._refuse(0, result)
            return
        values: tuple[Value, ...] = () if result is None else result
        if not isinstance(values, tuple) or len(values) != len(checks):  # type: ignore[redundant-expr]
            raise KernelError(f"gave {type_words(result)} where {len(checks)} results are declared")
        for index, (check, value) in enumerate(zip(checks, values)):
            if not check(value):
                self._refuse(index, value)

    def _refuse(self, index: int, value: Value) -> None:
        declared = self.op_view.result_types[index]
        which = "the result" if len(self.checks) == 1 else f"result {index}"
        raise KernelError(f"{which} is {type_words(value)}, but the program declares {declared}")


def bind_kernel(op_view: OpView) -> BoundKernel:
    """The kernel specialized; raises KernelError where the operation has none, has not as many operands or
    results as its definition says, or its kernel refuses it.
    """
    entry = _entry_of(op_view)
    evaluate = _of_one_shape(op_view, entry.kernel(op_view))
    safe = checked(op_view, evaluate, entry.needs_context)
    in_place = _in_place(op_view, entry) if safe is evaluate else None
    return _bound_kernel(op_view, entry, safe, in_place)


def bind_capturing_kernel(op_view: OpView, bodies: tuple[RegionBody, ...], extra: int) -> BoundKernel:
    """A kernel whose regions use values from outside, which come as operands at the end, is specialized as it
    runs.
    """
    entry = _entry_of(op_view)

    def evaluate(*values: Value) -> Value:
        bound = tuple(body.bound(values[-extra:]) for body in bodies)
        return entry.kernel(replace(op_view, bodies=bound))(*values[:-extra])

    return _bound_kernel(op_view, entry, checked(op_view, evaluate, entry.needs_context), None)


def _entry_of(op_view: OpView) -> KernelEntry:
    op_def = find_op_def(op_view.name)
    if op_def is not None:
        _require_count("operand", op_def.operands, len(op_view.operand_types))
        _require_count("result", op_def.results, len(op_view.result_types))
        _require_count("region", op_def.regions, len(op_view.bodies))
    entry = kernel_for(op_view)
    if entry is None:
        raise KernelError(f"nothing is known about how {op_view.name} runs")
    return entry


def _require_count(what: str, specs: Sequence[OperandDef | RegionDef], count: int) -> None:
    least = sum(spec.arity == "one" for spec in specs)
    most = None if any(spec.arity == "variadic" for spec in specs) else len(specs)
    if count < least or (most is not None and count > most):
        wanted = str(least) if least == most else f"at least {least}"
        raise KernelError(f"has {count} {what}s, but needs {wanted}")


def _of_one_shape(op_view: OpView, evaluate: KernelFn) -> KernelFn:
    """An elementwise operation's function, which refuses what NumPy would broadcast: operands of several
    shapes. Shapes that the types leave open are looked at each time it runs.
    """
    op_def = find_op_def(op_view.name)
    operands = op_view.operand_types
    if op_def is None or not op_def.has("elementwise") or len(operands) == 1:
        return evaluate
    scalars = {index for index, spec in enumerate(op_def.operands) if spec.name in op_def.scalar_operands}
    places = [index for index in range(len(operands)) if index not in scalars or _rank(operands[index])]
    if all(is_static(operands[index]) for index in places):
        _require_one_shape([_shape(op_view, index) for index in places])
        return evaluate

    def evaluate_if_of_one_shape(*values: Value) -> Value:
        _require_one_shape([np.shape(values[index]) for index in places])
        return evaluate(*values)

    return evaluate_if_of_one_shape


def _shape(op_view: OpView, index: int) -> tuple[int, ...]:
    """The sizes of an operand, none for a number."""
    is_number = is_number_type(op_view.operand_types[index])
    return () if is_number else op_view.tensor_type(index).static_shape


def _rank(type_: Type) -> int | None:
    return type_.rank if isinstance(type_, RankedTensorType) else None


def _require_one_shape(shapes: Sequence[tuple[int, ...]]) -> None:
    if len(set(shapes)) > 1:
        words = " and ".join(str(list(shape)) for shape in shapes)
        raise KernelError(f"operands must be of one shape, but are of {words}")


def _in_place(op_view: OpView, entry: KernelEntry) -> KernelFn | None:
    if entry.in_place is None or op_view.operand_types[:1] != op_view.result_types[:1]:
        return None
    return entry.in_place(op_view)


def _bound_kernel(
    op_view: OpView, entry: KernelEntry, evaluate: KernelFn, in_place: KernelFn | None
) -> BoundKernel:
    results = op_view.result_types
    may_trust = _follows_from_types(op_view.name) and all(
        is_static(type_) for type_ in (*results, *op_view.operand_types)
    )
    size = sum(byte_size(type_) for type_ in results)
    checks = tuple(check_of(type_) for type_ in results)
    return BoundKernel(entry, op_view, evaluate, checks, size, may_trust, in_place)


def _follows_from_types(name: str) -> bool:
    """Whether results of their declared types follow from operands of theirs, whatever their values are."""
    op_def = find_op_def(name)
    return op_def is None or (op_def.static_form is None and not op_def.has("checked_results"))
