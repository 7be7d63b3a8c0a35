"""Kernels specialized for one operation, beside what must be known of it to run it safely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from shlo.dialects import find_card
from shlo.dialects.opdef import OperandSpec, RegionSpec
from shlo.interpreter.kernel_api import Evaluate, KernelEntry, KernelError, Specialization, Value, kernel_for
from shlo.interpreter.program.shape_checks import checked
from shlo.interpreter.program.values import Check, byte_size, check_of, is_number_type, is_static, type_words
from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.interpreter.program.region import RegionBody

# Their results depend on the values of operands, or on code that is not ours, for having the declared types.
_ALWAYS_CHECKED = frozenset(
    {
        "stablehlo.custom_call",
        "stablehlo.dynamic_broadcast_in_dim",
        "stablehlo.dynamic_conv",
        "stablehlo.dynamic_gather",
        "stablehlo.dynamic_iota",
        "stablehlo.dynamic_pad",
        "stablehlo.dynamic_reshape",
        "stablehlo.real_dynamic_slice",
        "stablehlo.async_done",
    }
)

_SCALARS = {"stablehlo.clamp": (0, 2), "stablehlo.select": (0,)}
"""The operands of elementwise operations that may be of rank 0 beside others that are not."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A kernel specialized for one signature: its function, the checks of its results, their size in
    bytes.

    `may_trust` tells that results which once had the declared types always have them. `in_place` is the
    function that may write into operand 0.
    """

    entry: KernelEntry
    specialization: Specialization
    evaluate: Evaluate
    checks: tuple[Check, ...]
    size: int
    may_trust: bool
    in_place: Evaluate | None

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
        declared = self.specialization.result_types[index]
        which = "the result" if len(self.checks) == 1 else f"result {index}"
        raise KernelError(f"{which} is {type_words(value)}, but the program declares {declared}")


def prepare(specialization: Specialization) -> Prepared:
    """The kernel specialized; raises KernelError where the operation has none, has not as many operands or
    results as its card says, or its kernel refuses it.
    """
    entry = _entry_of(specialization)
    evaluate = _of_one_shape(specialization, entry.kernel(specialization))
    safe = checked(specialization, evaluate, entry.needs_context)
    in_place = _in_place(specialization, entry) if safe is evaluate else None
    return _prepared(specialization, entry, safe, in_place)


def prepare_capturing(specialization: Specialization, bodies: tuple[RegionBody, ...], extra: int) -> Prepared:
    """A kernel whose regions use values from outside, which come as operands at the end, is specialized as it
    runs.
    """
    entry = _entry_of(specialization)

    def evaluate(*values: Value) -> Value:
        bound = tuple(body.bound(values[-extra:]) for body in bodies)
        return entry.kernel(replace(specialization, bodies=bound))(*values[:-extra])

    return _prepared(specialization, entry, checked(specialization, evaluate, entry.needs_context), None)


def _entry_of(specialization: Specialization) -> KernelEntry:
    card = find_card(specialization.name)
    if card is not None:
        _require_count("operand", card.operands, len(specialization.operand_types))
        _require_count("result", card.results, len(specialization.result_types))
        _require_count("region", card.regions, len(specialization.bodies))
    entry = kernel_for(specialization)
    if entry is None:
        raise KernelError(f"nothing is known about how {specialization.name} runs")
    return entry


def _require_count(what: str, specs: Sequence[OperandSpec | RegionSpec], count: int) -> None:
    least = sum(spec.arity == "one" for spec in specs)
    most = None if any(spec.arity == "variadic" for spec in specs) else len(specs)
    if count < least or (most is not None and count > most):
        wanted = str(least) if least == most else f"at least {least}"
        raise KernelError(f"has {count} {what}s, but needs {wanted}")


def _of_one_shape(specialization: Specialization, evaluate: Evaluate) -> Evaluate:
    """An elementwise operation's function, which refuses what NumPy would broadcast: operands of several
    shapes. Shapes that the types leave open are looked at each time it runs.
    """
    card = find_card(specialization.name)
    operands = specialization.operand_types
    if card is None or not card.has("elementwise") or len(operands) == 1:
        return evaluate
    may_be_scalars = _SCALARS.get(specialization.name, ())
    places = [
        index for index in range(len(operands)) if index not in may_be_scalars or _rank(operands[index])
    ]
    if all(is_static(operands[index]) for index in places):
        _require_one_shape([_shape(specialization, index) for index in places])
        return evaluate

    def evaluate_if_of_one_shape(*values: Value) -> Value:
        _require_one_shape([np.shape(values[index]) for index in places])
        return evaluate(*values)

    return evaluate_if_of_one_shape


def _shape(specialization: Specialization, index: int) -> tuple[int, ...]:
    """The sizes of an operand, none for a number."""
    is_number = is_number_type(specialization.operand_types[index])
    return () if is_number else specialization.tensor_type(index).static_shape


def _rank(type_: Type) -> int | None:
    return type_.rank if isinstance(type_, RankedTensorType) else None


def _require_one_shape(shapes: Sequence[tuple[int, ...]]) -> None:
    if len(set(shapes)) > 1:
        words = " and ".join(str(list(shape)) for shape in shapes)
        raise KernelError(f"operands must be of one shape, but are of {words}")


def _in_place(specialization: Specialization, entry: KernelEntry) -> Evaluate | None:
    if entry.in_place is None or specialization.operand_types[:1] != specialization.result_types[:1]:
        return None
    return entry.in_place(specialization)


def _prepared(
    specialization: Specialization, entry: KernelEntry, evaluate: Evaluate, in_place: Evaluate | None
) -> Prepared:
    results = specialization.result_types
    may_trust = specialization.name not in _ALWAYS_CHECKED and all(
        is_static(type_) for type_ in (*results, *specialization.operand_types)
    )
    size = sum(byte_size(type_) for type_ in results)
    checks = tuple(check_of(type_) for type_ in results)
    return Prepared(entry, specialization, evaluate, checks, size, may_trust, in_place)
