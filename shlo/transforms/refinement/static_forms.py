"""Static forms of operations of sizes known at run time, as `OpDef.static_form` says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from shlo.dialects import find_op_def
from shlo.dialects.struct_attributes import OutputOperandAlias
from shlo.interpreter.custom_calls.checks import SIZE_MISMATCH, filled_message
from shlo.interpreter.program.sync_points import call_target
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import NO_ATTRIBUTES, Block, Operation, Region, Signature
from shlo.ir.types import I64, RankedTensorType, Shape, Type, UnrankedTensorType
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
    operand_count = len(operation.operands) - max(len(form.attributes), 1)
    sizes = [values.get(operand) for operand in operation.operands[operand_count:]] if form.attributes else []
    properties = _shared_properties(operation.signature, form.name)
    for name, value in zip(form.attributes, sizes):
        if value is None:
            return None
        properties[name] = _as_attribute(value)
    return static_operation(
        operation, form.name, properties, operand_count, attributes=operation.signature.attributes
    )


def static_operation(
    operation: Operation,
    name: str,
    properties: Mapping[str, Attribute],
    operands: int,
    results: tuple[Type, ...] | None = None,
    attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
) -> Operation:
    """Returns another operation in the place of one, with its first operands."""
    old = operation.signature
    types = old.operand_types[:operands], results or old.result_types
    return remade(operation, Signature(name, *types, properties, attributes), operation.operands[:operands])


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


# --- custom calls of JAX whose sizes are operands -----------------------------------------------------------


SHAPE_OPERANDS = "indices_of_shape_operands"
"""The attribute that tells which operand is the shape of which result."""

UNKNOWN_SIZE: Final = np.iinfo(np.int64).min
"""The size `?` where sizes are numbers."""

BodyOf = Callable[[str], Region | None]
"""The body of a function of the module, as a region with its own values."""


ASSERTION = "shape_assertion"
"""The target of custom calls that assert something of sizes."""


def assertion_message(operation: Operation, sizes: Sequence[object]) -> str:
    """Returns what an assertion that does not hold says of sizes, of which None is not known."""
    message = operation.attribute("error_message")
    text = message.value if isinstance(message, StringAttr) else SIZE_MISMATCH
    return filled_message(text, ["?" if size is None else str(size) for size in sizes])


def operation_behind(operation: Operation, values: Values, body_of: BodyOf) -> Operation:
    """Returns the operation that a custom call with known sizes represents; the call itself where there is
    none.
    """
    form = _FORMS.get(call_target(operation))
    operand_values = [values.get(operand) for operand in operation.operands]
    return (form(operation, operand_values, body_of) if form else None) or operation


def shapes_in_operands(operation: Operation, values: Values) -> list[Shape | None]:
    """Returns the shapes of the results that operands tell; None for one that is not known."""
    shapes = _shapes(_shape_operands(operation), [values.get(operand) for operand in operation.operands])
    return shapes if len(shapes) == len(operation.results) else [None] * len(operation.results)


def with_shape(type_: Type, shape: Shape | None) -> Type:
    """Returns a tensor's type with a shape, where that is known."""
    if shape is None or not isinstance(type_, (RankedTensorType, UnrankedTensorType)):
        return type_
    return RankedTensorType(shape, type_.element_type)


def _shapes(indices: Sequence[int], values: Sequence[Array | None]) -> list[Shape | None]:
    return [None if array is None else _shape(array) for array in map(values.__getitem__, indices)]


def _shape(sizes: Array) -> Shape:
    return tuple([None if size == UNKNOWN_SIZE else int(size) for size in sizes.ravel().tolist()])


def without_shape_operands(operation: Operation) -> Operation:
    """Returns a custom call, whose results are of known sizes, without the operands that told them."""
    dropped = set(_shape_operands(operation))
    if not dropped or _is_aliased_behind(operation, min(dropped)):
        return operation
    old = operation.signature
    staying = [index for index in range(len(operation.operands)) if index not in dropped]
    layouts = old.properties.get("operand_layouts")
    properties = dict(old.properties)
    if isinstance(layouts, ArrayAttr) and len(layouts) == len(operation.operands):
        properties["operand_layouts"] = ArrayAttr(tuple(layouts.values[index] for index in staying))
    signature = Signature(
        old.name,
        tuple(old.operand_types[index] for index in staying),
        old.result_types,
        properties,
        {name: value for name, value in old.attributes.items() if name != SHAPE_OPERANDS},
    )
    return remade(operation, signature, tuple(operation.operands[index] for index in staying))


def _shape_operands(operation: Operation) -> tuple[int, ...]:
    """Returns the operands that are shapes of results; none where one of them does not exist."""
    attribute = operation.attribute(SHAPE_OPERANDS)
    if not isinstance(attribute, DenseElementsAttr):
        return ()
    indices: tuple[int, ...] = tuple(map(int, attribute.array.ravel().tolist()))
    return indices if all(0 <= index < len(operation.operands) for index in indices) else ()


def _is_aliased_behind(operation: Operation, index: int) -> bool:
    """Returns whether a result shares its memory with an operand whose number would change."""
    aliases = operation.attribute("output_operand_aliases")
    return isinstance(aliases, ArrayAttr) and any(
        isinstance(alias, OutputOperandAlias) and alias.operand_index > index for alias in aliases
    )


# --- what the calls represent ------------------------------------------------------------------------------


Form = Callable[[Operation, Sequence[Array | None], BodyOf], Operation | None]


def _top_k(operation: Operation, values: Sequence[Array | None], body_of: BodyOf) -> Operation | None:
    if len(values) != 2 or values[1] is None or len(operation.results) != 2:
        return None
    return static_operation(operation, "chlo.top_k", {"k": IntegerAttr(int(values[1]), I64)}, 1)


def _random_bits(operation: Operation, values: Sequence[Array | None], body_of: BodyOf) -> Operation | None:
    algorithm = operation.attribute("rng_algorithm")
    if len(values) != 2 or values[1] is None or algorithm is None or len(operation.results) != 2:
        return None
    bits = operation.result_types[1]
    if not isinstance(bits, RankedTensorType):
        return None
    shape = tuple(map(int, values[1].ravel().tolist()))
    types = operation.operand_types[0], RankedTensorType(shape, bits.element_type)
    return static_operation(operation, "stablehlo.rng_bit_generator", {"rng_algorithm": algorithm}, 1, types)


_WINDOW = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")


def _reduce_window(operation: Operation, values: Sequence[Array | None], body_of: BodyOf) -> Operation | None:
    inputs = 2 * len(operation.results)
    settings: list[Any] = [value for value in values[inputs:] if value is not None]
    reducer = _reducer(operation, body_of)
    if len(values) != inputs + 5 or len(settings) != 5 or reducer is None:
        return None
    properties: dict[str, Attribute] = {
        name: sizes_attribute(value) for name, value in zip(_WINDOW, settings)
    }
    properties["padding"] = DenseElementsAttr(
        RankedTensorType(settings[4].shape, I64), settings[4].astype("int64")
    )
    built = static_operation(operation, "stablehlo.reduce_window", properties, inputs)
    return remade(built, built.signature, regions=(reducer,))


def _reducer(operation: Operation, body_of: BodyOf) -> Region | None:
    """Returns the body of the function that a call names, as a region."""
    called = operation.attribute("called_computations")
    names = (
        [symbol.root for symbol in called if isinstance(symbol, SymbolRefAttr)]
        if isinstance(called, ArrayAttr)
        else []
    )
    body = body_of(names[0]) if len(names) == 1 else None
    if body is None or len(body.blocks) != 1 or not body.blocks[0].operations:
        return None
    block = body.blocks[0]
    last = block.operations[-1]
    end = remade(last, Signature("stablehlo.return", last.operand_types))
    return Region((Block([*block.operations[:-1], end], block.arguments, block.label),), body.values)


def _approximate_top_k(
    operation: Operation, values: Sequence[Array | None], body_of: BodyOf
) -> Operation | None:
    """Returns the same call with the number of elements in its options; XLA knows it as ApproxTopK."""
    options, at = operation.attribute("mhlo.backend_config"), 2 * len(operation.results)
    count = values[at] if at < len(values) else None
    shapes = _shapes(_shape_operands(operation), values)
    if not isinstance(options, DictionaryAttr) or count is None or len(shapes) != len(operation.results):
        return None
    old = operation.signature
    attributes = {name: value for name, value in old.attributes.items() if name != SHAPE_OPERANDS}
    attributes["mhlo.backend_config"] = DictionaryAttr.of(
        {**options.as_dict(), "top_k": IntegerAttr(int(count), I64)}
    )
    properties = {**old.properties, "call_target_name": StringAttr("ApproxTopK")}
    types = tuple(map(with_shape, old.result_types, shapes))
    signature = Signature(old.name, old.operand_types[:at], types, properties, attributes)
    return remade(operation, signature, operation.operands[:at])


_FORMS: Final[Mapping[str, Form]] = {
    "stablehlo.dynamic_approx_top_k": _approximate_top_k,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _random_bits,
    "stablehlo.dynamic_top_k": _top_k,
}
