"""Kernels specialized for one operation, beside what must be known of it to run it safely."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_dialect, find_op_def
from shlo.interpreter.kernel_api import (
    Body,
    KernelEntry,
    KernelError,
    KernelFn,
    OpView,
    Value,
    is_like_ufunc,
)
from shlo.interpreter.program.row_order import by_rows
from shlo.interpreter.program.shape_checks import checked, refuse_invalid, region_types
from shlo.interpreter.registry import kernel_for
from shlo.interpreter.runtime.buffer_reuse import OVERWRITE_FROM
from shlo.interpreter.runtime.freed_memory import LARGE, keep_freed_memory
from shlo.interpreter.runtime.values import Check, byte_size, check_of, is_static, type_words


class BoundKernel(Struct, frozen=True):
    """A kernel specialized for one signature: its function, the checks of its results, their size in
    bytes.

    `may_trust` tells that results which once had the declared types always have them. `in_place` is the
    function that may write into operand 0. `overwritten` are the operands whose memory the result may take
    where nothing else refers to it: as `out` of a ufunc, or by `in_place`.
    """

    entry: KernelEntry
    op_view: OpView
    evaluate: KernelFn
    checks: tuple[Check, ...]
    size: int
    may_trust: bool
    in_place: KernelFn | None
    overwritten: tuple[int, ...]

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
    """Returns the specialized kernel. Raises KernelError where the operation breaks a constraint of its
    definition, has no kernel, or its kernel refuses it.
    """
    entry = _entry_of(op_view)
    evaluate = by_rows(op_view, entry.kernel(op_view))
    safe = checked(op_view, evaluate, entry.needs_context)
    in_place = _in_place(op_view, entry) if safe is evaluate else None
    return _bound_kernel(op_view, entry, safe, in_place)


def bind_capturing_kernel(
    op_view: OpView, bind: Callable[[tuple[Value, ...]], tuple[Body, ...]], extra: int
) -> BoundKernel:
    """Returns a kernel whose regions use values from outside, which come as the last `extra` operands: it is
    specialized each time it runs, on the regions that `bind` makes of those values.
    """
    entry = _entry_of(op_view)

    def evaluate(*values: Value) -> Value:
        return entry.kernel(replace(op_view, bodies=bind(values[-extra:])))(*values[:-extra])

    return _bound_kernel(op_view, entry, checked(op_view, evaluate, entry.needs_context), None)


def _entry_of(op_view: OpView) -> KernelEntry:
    refuse_invalid(op_view.signature, region_types(op_view.bodies))
    entry = kernel_for(op_view)
    if entry is None:
        raise KernelError(_without_kernel(op_view.name))
    return entry


def _without_kernel(name: str) -> str:
    """Returns the message about an operation that cannot run, with what to do where that is known."""
    from shlo.syntax.parser.definitions import HELP

    dialect = name.partition(".")[0]
    why = HELP.get(dialect) or ("" if find_dialect(dialect) else f"the dialect '{dialect}' is not known")
    return f"no kernel is registered for {name}" + (f"; {why}" if why else "")


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
    if size >= LARGE:
        keep_freed_memory()
    overwritten = _overwritten(op_view, evaluate, size) if in_place is None else (0,)
    return BoundKernel(entry, op_view, evaluate, checks, size, may_trust, in_place, overwritten)


def _overwritten(op_view: OpView, evaluate: KernelFn, size: int) -> tuple[int, ...]:
    """Returns the operands of an elementwise operation whose memory its result fits into."""
    if size < OVERWRITE_FROM or not is_like_ufunc(evaluate):
        return ()
    (result,) = op_view.result_types
    return tuple(number for number, type_ in enumerate(op_view.operand_types) if type_ == result)


def _follows_from_types(name: str) -> bool:
    """Returns whether results of their declared types follow from operands of theirs, whatever their
    values are."""
    op_def = find_op_def(name)
    return op_def is None or (op_def.static_form is None and not op_def.has("checked_results"))
