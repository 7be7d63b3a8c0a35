"""Operations of sizes known at run time as the operations of known sizes that they are, once they are known.

A form gives the static operation's signature and operands; the operands that held sizes are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from shlo.ir.attributes import Attribute, DenseArrayAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import I64, RankedTensorType
from shlo.transforms.rewriting.rebuild import remade

Values = Mapping[int, Array]
"""What is known of values, by number."""

Form = Callable[[Operation, Values], Operation | None]
"""The static form of an operation whose results are of known sizes; None where it lacks a value."""


def static_form(operation: Operation, values: Values) -> Operation:
    """The static form of an operation, or the operation itself."""
    form = _FORMS.get(operation.name)
    if form is None or not all(
        isinstance(type_, RankedTensorType) and type_.is_static for type_ in operation.result_types
    ):
        return operation
    return form(operation, values) or operation


def form_with_values(operation: Operation, values: Values) -> Operation | None:
    """The static form of an operation for known values of its operands, of whatever result type; None for an
    operation that has none, or whose values are not known."""
    form = _FORMS.get(operation.name)
    return form(operation, values) if form else None


def static_operation(
    operation: Operation,
    name: str,
    properties: Mapping[str, Attribute],
    operands: int,
) -> Operation:
    """Another operation in the place of one, with its first operands."""
    old = operation.signature
    signature = Signature(name, old.operand_types[:operands], old.result_types, properties, old.attributes)
    return remade(operation, signature, operation.operands[:operands])


def sizes_attribute(array: Array) -> DenseArrayAttr:
    """A value as an attribute `array<i64: ...>`."""
    return DenseArrayAttr(I64, tuple(map(int, array.ravel().tolist())))


def without(operation: Operation, *names: str) -> dict[str, Attribute]:
    """An operation's properties but for some."""
    return {name: value for name, value in operation.signature.properties.items() if name not in names}


def _renamed(name: str, *dropped: str) -> Form:
    """A form that drops the last operand, which the result's type tells."""
    return lambda operation, values: static_operation(
        operation, name, without(operation, *dropped), len(operation.operands) - 1
    )


def _with_values(name: str, operands: int, *attributes: str) -> Form:
    """A form whose operands, from a number on, become attributes."""

    def form(operation: Operation, values: Values) -> Operation | None:
        found = [values.get(operand) for operand in operation.operands[operands:]]
        known = [value for value in found if value is not None]
        if len(known) != len(found):
            return None
        made = dict(zip(attributes, map(sizes_attribute, known)))
        return static_operation(operation, name, {**operation.signature.properties, **made}, operands)

    return form


def _convolution(operation: Operation, values: Values) -> Operation | None:
    padding = values.get(operation.operands[2])
    if padding is None:
        return None
    made = {"padding": DenseElementsAttr(RankedTensorType(padding.shape, I64), padding.astype("int64"))}
    return static_operation(operation, "stablehlo.convolution", {**operation.signature.properties, **made}, 2)


_KNOWN = "known_expanding_dimensions", "known_nonexpanding_dimensions"

_FORMS: Final[Mapping[str, Form]] = {
    "stablehlo.dynamic_broadcast_in_dim": _renamed("stablehlo.broadcast_in_dim", *_KNOWN),
    "stablehlo.dynamic_conv": _convolution,
    "stablehlo.dynamic_gather": _with_values("stablehlo.gather", 2, "slice_sizes"),
    "stablehlo.dynamic_iota": _renamed("stablehlo.iota"),
    "stablehlo.dynamic_pad": _with_values(
        "stablehlo.pad", 2, "edge_padding_low", "edge_padding_high", "interior_padding"
    ),
    "stablehlo.dynamic_reshape": _renamed("stablehlo.reshape"),
    "stablehlo.real_dynamic_slice": _with_values(
        "stablehlo.slice", 1, "start_indices", "limit_indices", "strides"
    ),
}
