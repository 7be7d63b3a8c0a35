"""Builder of operations: a `Builder` appends them to a block, a `ValueRef` is a value that it can compute
with.

A rule of a rewrite is written as arithmetic: `x * x + 1` emits a multiplication, a constant and an addition,
in the order in which Python evaluates the expression.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects.inference import infer_operation
from shlo.ir.attributes import Attribute, DenseArrayAttr, EnumAttr, FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr, array_from_bits
from shlo.ir.dtypes import Array, UnsupportedTypeError, dtype_of
from shlo.ir.floats import bits_from_float
from shlo.ir.locations import Location
from shlo.ir.operations import NO_ATTRIBUTES, Block, Operation, Region, Signature, ValueTable
from shlo.ir.types import (
    I1,
    I64,
    INDEX,
    ComplexType,
    FloatType,
    QuantizedType,
    RankedTensorType,
    Type,
    element_type_of,
)


def _operator(name: str) -> Callable[[ValueRef, Term], ValueRef]:
    return lambda left, right: left.builder.elementwise(name, left, left.lifted(right))


def _comparison(direction: str) -> Callable[[ValueRef, Term], ValueRef]:
    return lambda left, right: left.compared(direction, right)


class ValueRef(Struct, frozen=True):
    """A value of the function that a builder works on, with arithmetic.

    Numbers represent constants of the other operand's type. Nothing is broadcast.
    """

    builder: Builder
    number: int

    @property
    def type(self) -> Type:
        """The type of the value."""
        return self.builder.types[self.number]

    @property
    def tensor(self) -> RankedTensorType:
        """The type, which must be a ranked tensor's."""
        assert isinstance(self.type, RankedTensorType)
        return self.type

    @property
    def element_type(self) -> Type:
        """The element type of the value."""
        return element_type_of(self.type)

    __add__ = _operator("add")
    __sub__ = _operator("subtract")
    __mul__ = _operator("multiply")
    __truediv__ = _operator("divide")
    __mod__ = _operator("remainder")
    __pow__ = _operator("power")
    __and__ = _operator("and")
    __or__ = _operator("or")
    __lt__ = _comparison("LT")
    __le__ = _comparison("LE")
    __gt__ = _comparison("GT")
    __ge__ = _comparison("GE")

    def __neg__(self) -> ValueRef:
        return self.builder.elementwise("negate", self)

    def __invert__(self) -> ValueRef:
        return self.builder.elementwise("not", self)

    def equals(self, other: Term) -> ValueRef:
        """Returns whether each element equals the other's."""
        return self.compared("EQ", other)

    def differs(self, other: Term) -> ValueRef:
        """Returns whether each element differs from the other's."""
        return self.compared("NE", other)

    def compared(self, direction: str, other: Term) -> ValueRef:
        """`stablehlo.compare` of a direction."""
        right = self.lifted(other)
        properties = {"comparison_direction": EnumAttr("stablehlo", "comparison_direction", direction)}
        result = with_element(self.type, I1)
        return self.builder.one("stablehlo.compare", (self, right), result, properties)

    def constant(self, value: Any) -> ValueRef:
        """Returns a constant of this value's type all of whose elements are `value`; for a type of unknown
        sizes `chlo.constant_like`.
        """
        return self.builder.constant_like(value, self)

    def converted(self, element_type: Type) -> ValueRef:
        """`stablehlo.convert` to an element type; the value itself where it has that type."""
        if self.element_type == element_type:
            return self
        return self.builder.one("stablehlo.convert", (self,), with_element(self.type, element_type))

    def bitcast(self, element_type: Type) -> ValueRef:
        """`stablehlo.bitcast_convert` to an element type of the same width."""
        return self.builder.one("stablehlo.bitcast_convert", (self,), with_element(self.type, element_type))

    def lifted(self, other: Term) -> ValueRef:
        """Returns a value as it is, a number as a constant of this value's type."""
        return other if isinstance(other, ValueRef) else self.constant(other)


Term = ValueRef | float
"""A value, or a number that becomes a constant."""


def with_element(type_: Type, element_type: Type) -> RankedTensorType:
    """Returns a ranked tensor's type with another element type."""
    assert isinstance(type_, RankedTensorType)
    return RankedTensorType(type_.shape, element_type, type_.encoding)


class Builder(ABC):
    """Creates operations of one function. `location` is that of all operations that are created."""

    def __init__(self, table: ValueTable) -> None:
        self.table = table
        self.types = table.types
        self.location: Location | None = None

    @abstractmethod
    def append(self, operation: Operation) -> Sequence[int]:
        """Adds an operation to the current block; returns the values that represent its results."""

    @abstractmethod
    def capture(self) -> Any:
        """Returns a context manager that gives the list of the operations that are appended within it."""

    def ref(self, number: int) -> ValueRef:
        """Returns a value by its number."""
        return ValueRef(self, number)

    def refs(self, numbers: Sequence[int]) -> tuple[ValueRef, ...]:
        """Returns values by their numbers."""
        return tuple(ValueRef(self, number) for number in numbers)

    def create(
        self,
        name: str,
        operands: Sequence[ValueRef] = (),
        results: Sequence[Type] | None = None,
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        regions: tuple[Region, ...] = (),
        attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
    ) -> tuple[ValueRef, ...]:
        """Appends an operation. Its result types are inferred where they are not given."""
        operand_types = tuple(operand.type for operand in operands)
        if results is None:
            inferred = infer_operation(name, operand_types, properties)
            assert None not in inferred, f"no result types can be inferred for {name}"
            results = [type_ for type_ in inferred if type_ is not None]
        signature = Signature(name, operand_types, tuple(results), properties, attributes)
        defined = tuple(self.table.define(type_) for type_ in results)
        numbers = tuple(operand.number for operand in operands)
        operation = Operation(signature, numbers, defined, regions, (), self.location)
        return self.refs(self.append(operation))

    def one(
        self,
        name: str,
        operands: Sequence[ValueRef] = (),
        result: Type | None = None,
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        regions: tuple[Region, ...] = (),
    ) -> ValueRef:
        """Appends an operation of one result."""
        results = None if result is None else (result,)
        (value,) = self.create(name, operands, results, properties, regions)
        return value

    def elementwise(self, name: str, *operands: ValueRef) -> ValueRef:
        """Returns a StableHLO operation whose result has the type of its first operand."""
        return self.one(f"stablehlo.{name}", operands, operands[0].type)

    def splat(self, type_: RankedTensorType, value: Any) -> ValueRef:
        """Returns a constant all of whose elements are `value`."""
        return self.dense(DenseElementsAttr(type_, scalar_array(value, type_.element_type)))

    def dense(self, value: DenseElementsAttr) -> ValueRef:
        """Returns a constant."""
        return self.one("stablehlo.constant", (), value.type, {"value": value})

    def array(self, elements: Array, element_type: Type) -> ValueRef:
        """Returns a constant that holds an array."""
        return self.dense(DenseElementsAttr(RankedTensorType(elements.shape, element_type), elements))

    def integers(self, values: Sequence[int], element_type: Type = I64) -> ValueRef:
        """Returns a list of 64-bit integers."""
        return self.array(np.array(values, np.int64), element_type)

    def constant_like(self, value: Any, like: ValueRef) -> ValueRef:
        """Returns a constant of a value's type; `chlo.constant_like` where its sizes are not known."""
        type_ = like.tensor
        if type_.is_static:
            return self.splat(RankedTensorType(type_.shape, type_.element_type), value)
        if is_complex(type_):
            return self.broadcast_like(self.splat(RankedTensorType((), type_.element_type), value), like)
        scalar = scalar_attribute(value, type_.element_type)
        return self.one("chlo.constant_like", (like,), type_, {"value": scalar})

    def broadcast_like(self, scalar: ValueRef, like: ValueRef) -> ValueRef:
        """Returns a scalar broadcast to the shape that a value has at run time."""
        type_ = with_element(like.type, scalar.element_type)
        properties = {"broadcast_dimensions": int64s(())}
        operands = (scalar, self.shape_of(like))
        return self.one("stablehlo.dynamic_broadcast_in_dim", operands, type_, properties)

    def shape_of(self, value: ValueRef) -> ValueRef:
        """Returns a value's shape as a list of indices."""
        return self.one("shape.shape_of", (value,), RankedTensorType((value.tensor.rank,), INDEX))

    @contextmanager
    def region(self, argument_types: Sequence[Type]) -> Generator[NewRegion]:
        """Yields a region of one block under construction: what is created within the `with` belongs to
        it."""
        arguments = tuple(self.table.define(type_) for type_ in argument_types)
        built = NewRegion(self.refs(arguments))
        with self.capture() as operations:
            yield built
        built.regions.append(Region((Block(operations, arguments),), self.table))


class NewRegion:
    """A region under construction: its block's arguments, and afterwards the region."""

    def __init__(self, arguments: tuple[ValueRef, ...]) -> None:
        self.arguments = arguments
        self.regions: list[Region] = []

    @property
    def region(self) -> Region:
        """The region, once its `with` has ended."""
        return self.regions[0]


def int64s(values: Sequence[int]) -> DenseArrayAttr:
    """Returns an attribute `array<i64: ...>`."""
    return DenseArrayAttr(I64, tuple(values))


def is_complex(type_: Type) -> bool:
    """Returns whether a tensor's elements are complex."""
    return isinstance(element_type_of(type_), ComplexType)


def scalar_attribute(value: float, type_: Type) -> Attribute:
    """Returns a number as an attribute of a floating-point or integer type."""
    if isinstance(type_, FloatType):
        return FloatAttr(bits_from_float(float(value), type_), type_)
    return IntegerAttr(int(value), type_)


def scalar_of(attribute: Attribute, type_: Type) -> Array | None:
    """Returns the number of an attribute as an array without dimensions; None for an attribute that is no
    number.
    """
    if isinstance(attribute, FloatAttr):
        return array_from_bits([attribute.bits], type_, ())
    if isinstance(attribute, IntegerAttr):
        return np.array(attribute.value, dtype_of(type_))
    return None


def scalar_array(value: Any, type_: Type) -> Array:
    """Returns a number as an array without dimensions."""
    if isinstance(type_, FloatType):
        return array_from_bits([bits_from_float(float(value), type_)], type_, ())
    if isinstance(type_, ComplexType):
        parts = [bits_from_float(float(part), type_.element_type) for part in (value.real, value.imag)]
        return array_from_bits(parts, type_, ())
    return np.array(value, dtype_of(type_))


def zeros_of(type_: Type, table: ValueTable) -> Operation | None:
    """Returns a constant of zeros, whose value is added to a table; None where a type has none."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    if isinstance(type_.element_type, QuantizedType):
        return None
    try:
        value = DenseElementsAttr(type_, scalar_array(0, type_.element_type))
    except UnsupportedTypeError:
        return None
    signature = Signature("stablehlo.constant", (), (type_,), {"value": value})
    return Operation(signature, (), (table.define(type_),))
