"""Kernels of other numbers as kernels of quantized tensors, as `OpDef.quantized` says.

Decided once for a signature that has quantized types: numbers are dequantized first and quantized again
(`dequantize_op_quantize` of the specification), moved as they are stored, or brought to the type that a
region combines. Specification: "Quantization computations".
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.opdef import Combined
from shlo.dialects.operand_groups import operand_groups
from shlo.interpreter.kernel_api import KernelEntry, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.quantization.arithmetic import Convert, converter
from shlo.ir.operations import Signature
from shlo.ir.types import QuantizedType, RankedTensorType, Type, element_type_of, quantized_type


class Lifting(Struct, frozen=True):
    """Operation that a kernel runs for one on quantized tensors, and conversions of operands and results."""

    operation: OpView
    before: Sequence[Convert | None] = ()
    after: Sequence[Convert | None] = ()

    def around(self, function: KernelFn) -> KernelFn:
        """Returns a kernel's function as a function of stored numbers."""
        before, after = self.before, self.after
        if not any(before) and not any(after):
            return function

        def evaluate(*operands: Value) -> Value:
            results = function(*_converted(before, operands))
            return _converted(after, results) if len(after) > 1 else _converted(after, (results,))[0]

        return evaluate


def _converted(functions: Sequence[Convert | None], values: Sequence[Value]) -> tuple[Value, ...]:
    return tuple([x if convert is None else convert(x) for convert, x in zip(functions, values)])


def lifted(entry: KernelEntry) -> KernelEntry:
    """Returns a kernel as one for quantized tensors, which raises KernelError where that is not defined."""

    def specialize(op: OpView) -> KernelFn:
        lifting = lifting_of(op)
        return lifting.around(entry.kernel(lifting.operation))

    def in_place(op: OpView) -> KernelFn | None:
        lifting = lifting_of(op)
        function = None if entry.in_place is None else entry.in_place(lifting.operation)
        return None if function is None else lifting.around(function)

    return replace(entry, kernel=specialize, expression=None, in_place=in_place)


def lifting_of(op: OpView) -> Lifting:
    """Returns how an operation works on quantized tensors; raises KernelError if it is not defined."""
    op_def = find_op_def(op.name)
    match None if op_def is None else op_def.quantized:
        case None:
            raise KernelError("is not defined for quantized tensors")
        case "dequantize":
            return _computed(op)
        case "storage":
            _require_one_quantization(op)
            return Lifting(op)
        case "own":
            return Lifting(op)
        case Combined(names):
            return _combined(op, names)


def _computed(op: OpView) -> Lifting:
    operands = tuple(_expressed(type_) for type_ in op.operand_types)
    results = tuple(_expressed(type_) for type_ in op.result_types)
    signature = Signature(op.name, operands, results, op.signature.properties, op.signature.attributes)
    return Lifting(
        replace(op, signature=signature),
        tuple(map(converter, op.operand_types, operands)),
        tuple(map(converter, results, op.result_types)),
    )


def _expressed(type_: Type) -> Type:
    """Returns a tensor type with the expressed type in place of quantized elements."""
    element = quantized_type(type_)
    if element is None or not isinstance(type_, RankedTensorType):
        return type_
    return RankedTensorType(type_.shape, element.expressed_type, type_.encoding)


def _combined(op: OpView, names: Sequence[str]) -> Lifting:
    """Brings these operands to the types of the last region's arguments (`to_destination_type`)."""
    op_def, body = find_op_def(op.name), op.bodies[-1]
    assert op_def is not None
    for result, body_type in zip(op.result_types, body.result_types):
        if element_type_of(result) != element_type_of(body_type):
            raise KernelError(f"has a region that gives {body_type} for {result}")
    groups = operand_groups(op_def, len(op.operand_types), op.signature.properties)
    targets = list(op.operand_types)
    for index, type_ in zip([index for name in names for index in groups[name]], body.argument_types):
        targets[index] = type_
    return Lifting(op, tuple(map(converter, op.operand_types, targets)), (None,) * len(op.result_types))


def _require_one_quantization(op: OpView) -> None:
    """Raises KernelError if stored numbers have another meaning in the tensor that they are moved to."""
    result = op.result_types[0]
    stored = [type_ for type_ in op.operand_types[1:] if quantized_type(type_) is not None]
    for type_ in (op.operand_types[0], *stored):
        if _unscaled(type_) != _unscaled(result):
            source, result_element = element_type_of(type_), element_type_of(result)
            raise KernelError(f"takes elements of type {source}, but gives {result_element}")


def _unscaled(type_: Type) -> Type:
    """Returns the element type; for scales per axis or block, only what moving elements leaves unchanged."""
    element = element_type_of(type_)
    if not isinstance(element, QuantizedType) or (element.axis is None and element.block_shape is None):
        return element
    return replace(element, scales=(), zero_points=(), axis=-1, block_sizes=None, block_shape=None)
