"""What the functions of operations get: attributes as plain values, types of results, regions that one
can call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from shlo.dialects import find_op_def
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from shlo.ir.dense import DenseElementsAttr, static_shape
from shlo.ir.operations import Operation
from shlo.ir.types import QuantizedType, RankedTensorType, Type, element_type_of
from shlo.reference.element import Element, EvaluationError
from shlo.reference.quantized import to_destination_type
from shlo.reference.tensor import Tensor, filled, scalar

if TYPE_CHECKING:
    from shlo.reference.grid import GridProcess

Body = Callable[..., tuple[Any, ...]]
Meaning = Callable[..., Any]

MEANINGS: Final[dict[str, Meaning]] = {}
"""The function of each operation, by name."""


def meaning(*names: str) -> Callable[[Meaning], Meaning]:
    """Makes a function the meaning of StableHLO's operations; without names, of that which is called as
    it is."""

    def register(function: Meaning) -> Meaning:
        for name in names or (function.__name__.rstrip("_"),):
            MEANINGS[f"stablehlo.{name}"] = function
        return function

    return register


class Op:
    """An operation as its function sees it.

    `op.attribute("dimension", default)` is an attribute as a plain value: an `int`, a tuple of `int`, a
    `str`, a nested list for constants, a struct with fields. `op.bodies` are the regions, as functions from
    tensors to tensors. `op.process` is the process of the grid in which the operation is evaluated.
    """

    def __init__(
        self,
        operation: Operation,
        bodies: Sequence[Body],
        process: GridProcess,
        *,
        is_expressed: bool = False,
    ) -> None:
        self.operation = operation
        self.bodies = tuple(bodies)
        self.process = process
        self._is_expressed = is_expressed

    @property
    def name(self) -> str:
        """The name without the dialect."""
        return self.operation.name.partition(".")[2]

    def attribute(self, name: str, default: Any = None) -> Any:
        """Returns an attribute, or its default in the definition, or `default`."""
        value = self.operation.attribute(name)
        if value is not None:
            return plain(value)
        op_def = find_op_def(self.operation.name)
        spec = op_def.attribute(name) if op_def and default is None else None
        return spec.default_value if spec else default

    def result_type(self, number: int = 0) -> Type:
        """Returns the type of the elements of a result; where quantized operands are given as what they
        represent, the type of what the result represents."""
        type_ = element_type_of(self.operation.result_types[number])
        return type_.expressed_type if self._is_expressed and isinstance(type_, QuantizedType) else type_

    def result_shape(self, number: int = 0) -> tuple[int, ...]:
        """Returns the shape of a result; raises where the program does not say it."""
        type_ = self.operation.result_types[number]
        if not isinstance(type_, RankedTensorType) or not type_.is_static:
            raise EvaluationError(f"expected a result of known shape, got {type_}")
        return type_.static_shape

    def combine(self, number: int = 0) -> Callable[..., tuple[Element, ...]]:
        """Returns a region as a function from elements to elements: of rank 0 are its arguments and results.

        Elements are converted to the types of the region's arguments, the specification's
        `to_destination_type`.
        """
        body = self.bodies[number]
        block = self.operation.regions[number].blocks[0]
        types = [self.operation.regions[number].values.types[value] for value in block.arguments]

        def on_elements(*elements: Element) -> tuple[Element, ...]:
            scalars = [
                scalar(to_destination_type(element, type_.element_type))
                for element, type_ in zip(elements, types, strict=True)
                if isinstance(type_, RankedTensorType)
            ]
            return tuple(tensor.get(()) for tensor in body(*scalars))

        return on_elements


def plain(attribute: Attribute) -> Any:
    """Returns an attribute as a plain value."""
    match attribute:
        case (
            IntegerAttr(value=value) | StringAttr(value=value) | EnumAttr(value=value) | TypeAttr(value=value)
        ):
            return value
        case FloatAttr():
            return attribute.value
        case DenseArrayAttr(values=values):
            return values
        case ArrayAttr(values=values):
            return tuple(map(plain, values))
        case DenseElementsAttr():
            return np.broadcast_to(attribute.array, static_shape(attribute.type)).tolist()
        case SymbolRefAttr(root=root):
            return root
        case _:
            return attribute


@overload
def elementwise(result_type: Type, function: Callable[[Element], Element], operand: Tensor, /) -> Tensor: ...
@overload
def elementwise(
    result_type: Type, function: Callable[[Element, Element], Element], lhs: Tensor, rhs: Tensor, /
) -> Tensor: ...
@overload
def elementwise(
    result_type: Type, function: Callable[[Element, Element, Element], Element], *operands: Tensor
) -> Tensor: ...
@overload
def elementwise(result_type: Type, function: Callable[..., Element], *operands: Tensor) -> Tensor: ...
def elementwise(result_type: Type, function: Callable[..., Element], *operands: Tensor) -> Tensor:
    """Returns `result[i] = function(operand[i], ...)` for all indices i; an operand of rank 0 has one
    element for all."""
    shape = next((operand.shape for operand in operands if operand.rank), ())

    def at(operand: Tensor, index: tuple[int, ...]) -> Element:
        return operand.get(index if operand.rank else ())

    indices = Tensor(shape, result_type).indices()
    return filled(
        shape, result_type, (function(*(at(operand, index) for operand in operands)) for index in indices)
    )
