"""Constraints of the tensor dialect's operations, as MLIR checks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, cast

from shlo.dialects.formula.values import Placeholder
from shlo.dialects.op_bindings import Broken, Check, OpBindings
from shlo.dialects.upstream.numbers import may_be_same_shape, rule
from shlo.ir.attributes import ArrayAttr, Attribute, IntegerAttr
from shlo.ir.dtypes import bit_width
from shlo.ir.suggestions import UseType, advise
from shlo.ir.types import INDEX, FloatType, IntegerType, RankedTensorType, Shape, element_type_of

DYNAMIC: Final = -(2**63)
"""What MLIR writes in a list of numbers for one that an operand gives."""


def groups_of(reassociation: Attribute | None) -> list[list[int]] | None:
    """Returns the dimensions that belong together, None where the attribute is no list of lists of
    numbers."""
    if not isinstance(reassociation, ArrayAttr):
        return None
    groups: list[list[int]] = []
    for group in reassociation:
        if not isinstance(group, ArrayAttr):
            return None
        groups.append([dimension.value for dimension in group if isinstance(dimension, IntegerAttr)])
    return groups


def _is_grouped(bindings: OpBindings) -> Broken | None:
    groups = groups_of(bindings.signature.properties.get("reassociation"))
    types = (bindings.signature.operand_types[0], bindings.signature.result_types[0])
    if groups is None or not all(isinstance(type_, RankedTensorType) for type_ in types):
        return None
    ranked = [type_ for type_ in types if isinstance(type_, RankedTensorType)]
    if ranked[0].element_type != ranked[1].element_type:
        message = f"the elements of {ranked[0]} and {ranked[1]} must be of one type"
        return Broken(message, ("result", "src"), advise("make the element types equal"))
    low, high = sorted(ranked, key=lambda type_: type_.rank)
    is_scalar = not groups and low.rank == 0 and all(size in (1, None) for size in high.shape)
    listed = [dimension for group in groups for dimension in group]
    if not is_scalar and (low.rank != len(groups) or listed != list(range(high.rank))):
        words = f"list the dimensions 0 to {high.rank - 1} in {low.rank} groups, in order"
        return Broken("reassociation does not fit the types", ("reassociation",), advise(words))
    for number, group in enumerate(groups):
        if not _holds(low.shape[number], tuple(high.shape[dimension] for dimension in group)):
            message = f"dimension {number} of {low} does not hold dimensions {group} of {high}"
            return Broken(message, ("result", "src"), advise("make the sizes of the types agree"))
    return None


def _holds(size: int | None, parts: Shape) -> bool:
    """Returns whether a dimension has the size of all those that it is made of."""
    if size is None or None in parts:
        return (size is None) == (None in parts)
    return size == prod(part for part in parts if part is not None)


def _is_cast(bindings: OpBindings) -> Broken | None:
    operand_type, result = bindings.signature.operand_types[0], bindings.signature.result_types[0]
    if element_type_of(operand_type) == element_type_of(result) and may_be_same_shape(operand_type, result):
        return None
    message = (
        f"{operand_type} and {result} must have the same elements, and sizes that agree where both tell them"
    )
    return Broken(message, ("dest", "source"), advise("make the types agree"))


def _is_bitcast(bindings: OpBindings) -> Broken | None:
    operand_type, result = bindings.signature.operand_types[0], bindings.signature.result_types[0]
    elements = element_type_of(operand_type), element_type_of(result)
    numbers = [element for element in elements if isinstance(element, (FloatType, IntegerType))]
    is_as_wide = len(numbers) == 2 and bit_width(numbers[0]) == bit_width(numbers[1])
    if is_as_wide and may_be_same_shape(operand_type, result):
        return None
    message = f"{operand_type} and {result} must have elements of as many bits, and sizes that agree"
    return Broken(message, ("dest", "source"), advise("make the types agree"))


def _elements_fit(tensor: str, element: str) -> Check:
    """Returns a check that values are of the type of a tensor's elements."""

    def check(bindings: OpBindings) -> Broken | None:
        holder = bindings[tensor]
        entries: Any = bindings[element]
        wanted = element_type_of(holder.type)
        values = cast("tuple[Placeholder, ...]", entries if isinstance(entries, tuple) else (entries,))
        for value in values:
            if value.type != wanted:
                message = f"{element} must be {wanted}, as {tensor}'s elements are, but is {value.type}"
                return Broken(message, (element, tensor), (UseType(wanted),))
        return None

    return check


def _count(of: str, what: str, wanted: Callable[[RankedTensorType], int]) -> Check:
    """Returns a check that there are as many operands of a name as a tensor's type asks for."""

    def check(bindings: OpBindings) -> Broken | None:
        type_, count = bindings[of].type, len(bindings[what])
        if not isinstance(type_, RankedTensorType) or count == wanted(type_):
            return None
        message = f"{type_} needs {wanted(type_)} {what}, but {count} are given"
        return Broken(message, (what,), advise(f"give {wanted(type_)}"))

    return check


def _unknown(type_: RankedTensorType) -> int:
    return sum(size is None for size in type_.shape)


def _is_concatenation(bindings: OpBindings) -> Broken | None:
    types = [*bindings.signature.operand_types, *bindings.signature.result_types]
    ranked = [type_ for type_ in types if isinstance(type_, RankedTensorType)]
    dimension = bindings["dim"]
    if len(ranked) != len(types) or len(types) < 2 or not isinstance(dimension, int):
        return None
    if not 0 <= dimension < ranked[0].rank:
        return Broken(
            f"there is no dimension {dimension}", ("dim",), advise("name a dimension of the tensors")
        )
    if len({(type_.rank, type_.element_type) for type_ in ranked}) > 1:
        return Broken("the tensors must have one rank and one type of elements", ("inputs", "result"))
    for position in range(ranked[0].rank):
        sizes = [type_.shape[position] for type_ in ranked]
        if not _may_be(sizes[-1], _total(sizes[:-1]) if position == dimension else None, sizes[:-1]):
            message = f"the sizes {sizes[:-1]} of dimension {position} do not make {sizes[-1]}"
            return Broken(message, ("result", "inputs"), advise("make the sizes agree"))
    return None


def _total(sizes: Sequence[int | None]) -> int | None:
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _may_be(result: int | None, total: int | None, sizes: Sequence[int | None]) -> bool:
    """Returns whether a size of a concatenation may be that of its operands together, or else of each."""
    if total is not None:
        return result in (None, total)
    return len(set(sizes) - {None}) < 2


def _reshapes(bindings: OpBindings) -> Broken | None:
    operand_type, shape = bindings.signature.operand_types
    (result,) = bindings.signature.result_types
    if element_type_of(operand_type) != element_type_of(result):
        return Broken("source and result must have the same elements", ("result", "source"))
    if not isinstance(shape, RankedTensorType) or not isinstance(result, RankedTensorType):
        return None
    if shape.rank == 1 and shape.shape[0] in (None, result.rank):
        return None
    message = f"shape must hold {result.rank} sizes, but is of type {shape}"
    return Broken(message, ("shape",), (UseType(RankedTensorType((result.rank,), INDEX)),))


def _static_sizes(bindings: OpBindings) -> Broken | None:
    """Returns the sizes that an expansion names are those of its result."""
    (result,), sizes = bindings.signature.result_types, bindings["static_output_shape"]
    if not isinstance(result, RankedTensorType):
        return None
    wanted = tuple(DYNAMIC if size is None else size for size in result.shape)
    if sizes == wanted:
        return None
    return Broken(f"output_shape does not give the sizes of {result}", ("static_output_shape",))


OUTPUT_SHAPE: Final = rule("A2", "output_shape = shape(result)", _static_sizes)
GROUPED: Final = rule("A1", "dim(result) = prod(dim(src, group...)), or the other way round", _is_grouped)
CAST: Final = rule("A1", "type(dest) and type(source) agree where both tell sizes", _is_cast)
BITCAST: Final = rule("A1", "elements of as many bits", _is_bitcast)
EXTRACTED: Final = (
    rule("A1", "type(result) = element_type(tensor)", _elements_fit("tensor", "result")),
    rule("A2", "size(indices) = rank(tensor)", _count("tensor", "indices", lambda type_: type_.rank)),
)
INSERTED: Final = (
    rule("A1", "type(scalar) = element_type(dest)", _elements_fit("dest", "scalar")),
    rule("A2", "size(indices) = rank(dest)", _count("dest", "indices", lambda type_: type_.rank)),
)
COLLECTED: Final = (
    rule("A1", "type(elements...) = element_type(result)", _elements_fit("result", "elements")),
    rule(
        "A2",
        "size(elements) = size(result)",
        _count("result", "elements", lambda type_: prod(size for size in type_.shape if size is not None)),
    ),
)
SIZED: Final = rule("A1", "an index for each unknown size", _count("result", "dynamicSizes", _unknown))
SPLAT: Final = (
    rule("A1", "type(input) = element_type(aggregate)", _elements_fit("aggregate", "input")),
    rule("A2", "an index for each unknown size", _count("aggregate", "dynamicSizes", _unknown)),
)
CONCATENATED: Final = rule("A1", "the sizes along dim add up, all others are equal", _is_concatenation)
RESHAPED: Final = rule("A1", "size(shape) = rank(result)", _reshapes)
