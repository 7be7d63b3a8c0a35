"""Static forms of operations of sizes known at run time, as `OpDef.static_form` says."""

from __future__ import annotations

from collections.abc import Mapping

from shlo.dialects import find_op_def
from shlo.ir.attributes import Attribute, DenseArrayAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import I64, RankedTensorType
from shlo.transforms.rewriting.rebuild import remade

Values = Mapping[int, Array]
"""What is known of values, by number."""


def static_form(operation: Operation, values: Values) -> Operation:
    """Returns the static form of an operation whose results are of known sizes, or the operation itself."""
    if not all(isinstance(type_, RankedTensorType) and type_.is_static for type_ in operation.result_types):
        return operation
    return form_with_values(operation, values) or operation


def form_with_values(operation: Operation, values: Values) -> Operation | None:
    """Returns the static form of an operation for known values of its operands, of whatever result type; None
    for an operation that has none, or whose values are not known.
    """
    op_def = find_op_def(operation.name)
    form = op_def.static_form if op_def is not None else None
    if form is None:
        return None
    kept = len(operation.operands) - max(len(form.attributes), 1)
    known = [values.get(operand) for operand in operation.operands[kept:]] if form.attributes else []
    properties = _shared_properties(operation.signature, form.name)
    for name, value in zip(form.attributes, known):
        if value is None:
            return None
        properties[name] = _as_attribute(value)
    return static_operation(operation, form.name, properties, kept)


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
    """Returns a value as an attribute `array<i64: ...>`."""
    return DenseArrayAttr(I64, tuple(map(int, array.ravel().tolist())))


def _as_attribute(array: Array) -> Attribute:
    """Returns a value as an attribute: a list of sizes, or elements where it has more dimensions."""
    if array.ndim == 1:
        return sizes_attribute(array)
    return DenseElementsAttr(RankedTensorType(array.shape, I64), array.astype("int64"))


def _shared_properties(signature: Signature, name: str) -> dict[str, Attribute]:
    """Returns the properties that another operation has, too."""
    op_def = find_op_def(name)
    assert op_def is not None
    return {key: value for key, value in signature.properties.items() if op_def.attribute(key) is not None}
