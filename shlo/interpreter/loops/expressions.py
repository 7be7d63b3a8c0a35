"""Expressions over elements and indices: constants, loads, operations. They are values of the functions that
`statements` describe, and evaluated where a statement uses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.numbers import INDEX, POINTER, TRUTH, Number


def _operator(name: str) -> Callable[[Expr, Operand], Expr]:
    def apply(self: Expr, other: Operand) -> Expr:
        return operate(name, self, other)

    return apply


class Expr(Struct, frozen=True, eq=False):
    """A value of a type. Python's operators make expressions of expressions and numbers. Of floats NaN equals
    nothing, differs from all, and is the minimum and maximum where one value is."""

    number: Number

    __add__, __sub__, __mul__, __truediv__, __mod__ = map(_operator, ("add", "sub", "mul", "div", "rem"))
    __and__, __or__, __xor__ = map(_operator, ("and", "or", "xor"))
    __lt__, __le__, __gt__, __ge__ = map(_operator, ("lt", "le", "gt", "ge"))
    equals, differs, minimum, maximum = map(_operator, ("eq", "ne", "min", "max"))

    def __neg__(self) -> Expr:
        return operate("neg", self)

    def is_nan(self) -> Expr:
        """Returns whether a float is NaN."""
        return operate("unordered", self, self)

    def call(self, name: str, *others: Operand) -> Expr:
        """Returns an operation by its name."""
        return operate(name, self, *others)

    def choose(self, then: Expr, otherwise: Operand) -> Expr:
        """Returns one value where this is true, elsewhere another."""
        return OpExpr(then.number, "select", (self, then, lifted(then.number, otherwise)))

    def bitcast(self, number: Number) -> Expr:
        """Returns the value of another type that has the same bits."""
        return OpExpr(number, "bitcast", (self,))

    def convert(self, number: Number) -> Expr:
        """Returns the value as another type."""
        if number.dtype == self.number.dtype and number.is_index == self.number.is_index:
            return self
        if isinstance(self, ConstantExpr) and self.number.is_index:
            return ConstantExpr(number, self.value)
        return OpExpr(number, "convert", (self,))

    def bytes_on(self, count: Operand) -> Expr:
        """Returns the address so many bytes further on."""
        return OpExpr(POINTER, "bytes", (self, lifted(INDEX, count)))


class ConstantExpr(Expr, frozen=True, eq=False):
    """A number that is known."""

    value: Any


class NameExpr(Expr, frozen=True, eq=False):
    """A parameter, the index of a loop, or the value of a `Let`."""

    text: str


class LoadExpr(Expr, frozen=True, eq=False):
    """An element of memory, by its place row by row, or what a variable holds."""

    place: ArrayMemory | LoopVariable
    index: Expr


class OpExpr(Expr, frozen=True, eq=False):
    """An operation; the names are those of the printer's tables."""

    name: str
    operands: tuple[Expr, ...]


Operand = Expr | float | bool


class ArrayMemory(Struct, frozen=True):
    """An array, row by row, at an address; values of one memory have the same."""

    number: Number
    shape: Sizes
    pointer: Expr

    def at(self, index: Expr) -> Expr:
        """Returns an element, by its place row by row."""
        return LoadExpr(self.number, self, index)

    def address(self, index: Operand) -> Expr:
        """Returns the address of an element."""
        return self.pointer.bytes_on(lifted(INDEX, index) * self.number.size)


class LoopVariable(Struct, frozen=True):
    """A number that statements assign."""

    number: Number
    text: str

    @property
    def shape(self) -> Sizes:
        """No dimensions."""
        return ()

    def at(self, index: Expr) -> Expr:
        """Returns the number, whatever the index."""
        return LoadExpr(self.number, self, ZERO)


class RepeatedValue(Struct, frozen=True):
    """A constant, or an array that repeats a number."""

    scalar: ConstantExpr | LoopVariable
    shape: Sizes

    @property
    def number(self) -> Number:
        """The type of the elements."""
        return self.scalar.number

    def at(self, index: Expr) -> Expr:
        """Returns the number, whatever the index."""
        return self.scalar.at(index) if isinstance(self.scalar, LoopVariable) else self.scalar


Place = ArrayMemory | LoopVariable
Value = ArrayMemory | LoopVariable | RepeatedValue
ZERO: Final = ConstantExpr(INDEX, 0)

_COMPARISONS: Final = frozenset({"eq", "ge", "gt", "le", "lt", "ne", "unordered"})
_FOLDED: Final[dict[str, Callable[[int, int], int]]] = {
    "add": int.__add__,
    "div": int.__floordiv__,
    "mul": int.__mul__,
    "rem": int.__mod__,
    "sub": int.__sub__,
}
_NEUTRAL: Final = {"add": 0, "div": 1, "mul": 1, "sub": 0}


def lifted(number: Number, value: Operand) -> Expr:
    """Returns an expression, a number as a constant of a type."""
    return value if isinstance(value, Expr) else ConstantExpr(number, value)


def operate(name: str, first: Expr, *others: Operand) -> Expr:
    """Returns an operation on values of one type; of indices what needs no operation is none."""
    operands = (first, *[lifted(first.number, other) for other in others])
    if first.number.is_index and name in _FOLDED:
        one, other = operands
        left, right = (operand.value if isinstance(operand, ConstantExpr) else None for operand in operands)
        if left is not None and right is not None:
            return ConstantExpr(INDEX, _FOLDED[name](left, right))
        if right is not None and right == _NEUTRAL.get(name):
            return one
        if left is not None and name in ("add", "mul") and left == _NEUTRAL[name]:
            return other
        if (name == "mul" and 0 in (left, right)) or (name == "rem" and right == 1):
            return ZERO
    return OpExpr(TRUTH if name in _COMPARISONS else first.number, name, operands)


def index_of(value: int) -> Expr:
    """Returns a constant index."""
    return ConstantExpr(INDEX, value)


def affine(offset: Expr, indices: Sequence[Expr], strides: Sequence[int]) -> Expr:
    """Returns offset + sum of indices times strides."""
    for index, stride in zip(indices, strides):
        offset = offset + index * stride
    return offset


def is_unsigned(number: Number) -> bool:
    """Returns whether numbers are unsigned integers, or booleans."""
    return number.kind in (Kind.UNSIGNED, Kind.BOOLEAN)
