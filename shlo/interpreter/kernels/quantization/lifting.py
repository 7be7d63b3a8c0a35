"""How operations made for other numbers work on quantized tensors.

What is decided here once for a signature: whether numbers are dequantized first and quantized again
(`dequantize_op_quantize` of the specification), moved as they are stored, or brought to the type that a
region combines. A signature without quantized types never comes here. Specification: "Quantization
computations".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import KernelEntry, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.quantization.arithmetic import Convert, converter, quantized_type
from shlo.ir.operations import Signature
from shlo.ir.types import QuantizedType, RankedTensorType, Type, element_type_of

_COMPUTED = frozenset(
    {
        "stablehlo.abs",
        "stablehlo.add",
        "stablehlo.atan2",
        "stablehlo.batch_norm_grad",
        "stablehlo.batch_norm_inference",
        "stablehlo.batch_norm_training",
        "stablehlo.cbrt",
        "stablehlo.ceil",
        "stablehlo.cholesky",
        "stablehlo.clamp",
        "stablehlo.compare",
        "stablehlo.convolution",
        "stablehlo.cosine",
        "stablehlo.divide",
        "stablehlo.dot",
        "stablehlo.dot_general",
        "stablehlo.dynamic_conv",
        "stablehlo.dynamic_iota",
        "stablehlo.exponential",
        "stablehlo.exponential_minus_one",
        "stablehlo.floor",
        "stablehlo.iota",
        "stablehlo.log",
        "stablehlo.log_plus_one",
        "stablehlo.logistic",
        "stablehlo.maximum",
        "stablehlo.minimum",
        "stablehlo.multiply",
        "stablehlo.negate",
        "stablehlo.power",
        "stablehlo.reduce_precision",
        "stablehlo.remainder",
        "stablehlo.round_nearest_afz",
        "stablehlo.round_nearest_even",
        "stablehlo.rsqrt",
        "stablehlo.select",
        "stablehlo.sign",
        "stablehlo.sine",
        "stablehlo.sqrt",
        "stablehlo.subtract",
        "stablehlo.tan",
        "stablehlo.tanh",
        "stablehlo.triangular_solve",
    }
)
"""Their operands are dequantized, their results quantized."""

_MOVED = frozenset(
    {
        "stablehlo.broadcast",
        "stablehlo.broadcast_in_dim",
        "stablehlo.concatenate",
        "stablehlo.dynamic_broadcast_in_dim",
        "stablehlo.dynamic_gather",
        "stablehlo.dynamic_pad",
        "stablehlo.dynamic_reshape",
        "stablehlo.dynamic_slice",
        "stablehlo.dynamic_update_slice",
        "stablehlo.gather",
        "stablehlo.pad",
        "stablehlo.reshape",
        "stablehlo.reverse",
        "stablehlo.slice",
        "stablehlo.transpose",
    }
)
"""They put stored numbers into other places."""


@dataclass(frozen=True, slots=True)
class Lifting:
    """An operation that a kernel knows, in place of one on quantized tensors, and what to do with operands
    before it and with results after it (None: nothing)."""

    operation: OpView
    before: Sequence[Convert | None] = ()
    after: Sequence[Convert | None] = ()

    def around(self, function: KernelFn) -> KernelFn:
        """The function of stored numbers that a kernel's function stands for."""
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
    """The kernel of an operation as one for quantized tensors; it raises KernelError where the operation has
    no meaning for them.
    """

    def specialize(op: OpView) -> KernelFn:
        lifting = lifting_of(op)
        return _always if op.name == _ALWAYS_TRUE else lifting.around(entry.kernel(lifting.operation))

    def in_place(op: OpView) -> KernelFn | None:
        lifting = lifting_of(op)
        function = None if entry.in_place is None else entry.in_place(lifting.operation)
        return None if function is None else lifting.around(function)

    return replace(entry, kernel=specialize, expression=None, in_place=in_place)


def _always(x: Value) -> Value:
    return np.ones(np.shape(x), np.bool_)


def lifting_of(op: OpView) -> Lifting:
    """How an operation works on quantized tensors; raises KernelError where it does not."""
    if op.name in _COMPUTED:
        return _computed(op)
    if op.name in _REGIONS:
        return _combined(op)
    if op.name in _MOVED:
        _require_one_quantization(op)
    elif not _takes_quantized(op.name):
        raise KernelError("is not defined for quantized tensors")
    return Lifting(op)


def _takes_quantized(name: str) -> bool:
    """Whether an operation takes quantized tensors by its definition; other dialects take whatever comes."""
    op_def = find_op_def(name)
    if op_def is None or op_def.dialect not in ("stablehlo", "chlo"):
        return True
    return any(spec.constraint.takes_quantized for spec in (*op_def.operands, *op_def.results))


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
    """A tensor type with the expressed type for elements that are quantized."""
    element = quantized_type(type_)
    if element is None or not isinstance(type_, RankedTensorType):
        return type_
    return RankedTensorType(type_.shape, element.expressed_type, type_.encoding)


def _combined(op: OpView) -> Lifting:
    """Operands are brought to the types that the region takes (`to_destination_type`)."""
    targets = _REGIONS[op.name](op)
    body = op.bodies[-1]
    for result, given in zip(op.result_types, body.result_types):
        if element_type_of(result) != element_type_of(given):
            raise KernelError(f"has a region that gives {given} for {result}")
    return Lifting(op, tuple(map(converter, op.operand_types, targets)), (None,) * len(op.result_types))


def _reduced_types(op: OpView) -> Sequence[Type]:
    return op.bodies[0].argument_types


def _scattered_types(op: OpView) -> Sequence[Type]:
    arguments, count = op.bodies[0].argument_types, len(op.result_types)
    return (*arguments[:count], op.operand_types[count], *arguments[count:])


def _selected_types(op: OpView) -> Sequence[Type]:
    return (op.operand_types[0], *op.bodies[1].argument_types)


_REGIONS: dict[str, Callable[[OpView], Sequence[Type]]] = {
    "stablehlo.reduce": _reduced_types,
    "stablehlo.reduce_window": _reduced_types,
    "stablehlo.scatter": _scattered_types,
    "stablehlo.select_and_scatter": _selected_types,
}
"""Operations whose regions combine quantized numbers, and the types that their operands take for it."""

_ALWAYS_TRUE = "stablehlo.is_finite"


def _require_one_quantization(op: OpView) -> None:
    """Raises KernelError where numbers would mean something else at the place that they are moved to."""
    result = op.result_types[0]
    stored = [type_ for type_ in op.operand_types[1:] if quantized_type(type_) is not None]
    for type_ in (op.operand_types[0], *stored):
        if _unscaled(type_) != _unscaled(result):
            taken, given = element_type_of(type_), element_type_of(result)
            raise KernelError(f"takes elements of type {taken}, but gives {given}")


def _unscaled(type_: Type) -> Type:
    """The element type; of one with scales for parts of a tensor what moving cannot change."""
    element = element_type_of(type_)
    if not isinstance(element, QuantizedType) or (element.axis is None and element.block_shape is None):
        return element
    return replace(element, scales=(), zero_points=(), axis=-1, block_sizes=None, block_shape=None)
