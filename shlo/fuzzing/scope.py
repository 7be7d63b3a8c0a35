"""Values in sight while a program is written, and the operations that are written on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from shlo.dialects import find_op_def
from shlo.dialects.opdef import OpDef
from shlo.divergence.tolerances import EXACT, tolerance_of
from shlo.fuzzing.maker import Maker, Shape, array_i64
from shlo.fuzzing.refused import is_refused
from shlo.fuzzing.structures import size_of
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, dtype_of, element_type_for
from shlo.ir.types import F32, I1, ComplexType, FloatType, IntegerType, RankedTensorType, Type
from shlo.syntax import attribute_text, parse_type

MOST_ELEMENTS: Final = 600
"""Elements of the largest value."""

_WEIGHTS: Final = {
    "f32": 8,
    "i32": 8,
    "f64": 4,
    "i64": 4,
    "i1": 4,
    "bf16": 3,
    "f16": 3,
    "ui8": 3,
    "i8": 3,
    "ui32": 3,
    "i16": 2,
    "ui16": 2,
    "ui64": 2,
    "complex<f32>": 2,
    "complex<f64>": 2,
    "i4": 1,
    "ui4": 1,
    "f8E5M2": 1,
    "f8E4M3FN": 1,
    "f8E4M3": 1,
    "f8E4M3B11FNUZ": 1,
    "f8E5M2FNUZ": 1,
    "f8E4M3FNUZ": 1,
    "f8E3M4": 1,
}
"""Element types that both engines have, and how often each is chosen."""

ELEMENTS: Final = tuple(parse_type(name) for name, weight in _WEIGHTS.items() for _ in range(weight))

_ROUNDED: Final = frozenset(
    f"stablehlo.{name}" for name in ("add", "subtract", "convert", "reduce_precision")
)
"""Operations on each element whose results IEEE 754 rounds: they depend on what they are fused with."""

_NOT_FUSED: Final = frozenset(("chlo.mulhi", "stablehlo.power", "chlo.broadcast_power"))
"""Operations on integers that XLA does not compile in all fusions, or for which its folding of constants
gives something else than its code."""

_NOT_TOGETHER: Final = ("chlo.broadcast_select", "stablehlo.map")


class NotHere(Exception):
    """What was to be written does not fit the values in sight."""


class Value(NamedTuple):
    """A value: how operations refer to it, its type, and whether its elements are small whole numbers, whose
    sums and products are exact in any order.
    """

    name: str
    type: RankedTensorType
    is_small: bool = False

    @property
    def shape(self) -> Shape:
        """The sizes of its dimensions."""
        return self.type.static_shape

    @property
    def element(self) -> Type:
        """The type of its elements."""
        return self.type.element_type


class Draft(Struct):
    """A program that is being written.

    Args:
        make: what is random.
        prefix: what names of its private functions start with.
        grid: replicas and partitions.
        is_exact: whether only operations are written whose results do not depend on how they are fused.
        write_any: writes any operation into a block.
        one_of_two: the one that it has of two operations that XLA does not take in one program.
        elements: the types of elements that values are to have, each as often as it is to be chosen; where
            none of them fits, a value has another one.
    """

    make: Maker
    write_any: Callable[[Scope], None]
    prefix: str = "f"
    grid: tuple[int, int] = (1, 1)
    is_exact: bool = False
    arguments: list[tuple[Value, list[Array]]] = field(default_factory=list[tuple[Value, list[Array]]])
    functions: list[str] = field(default_factory=list[str])
    names: int = 0
    one_of_two: str = ""
    elements: Sequence[Type] = ELEMENTS

    def elements_where(self, fits: Callable[[Type], bool]) -> list[Type]:
        """Returns the types of elements to choose from where only some fit."""
        return list(filter(fits, self.elements)) or list(filter(fits, ELEMENTS))

    def name(self) -> str:
        """Returns a new name."""
        self.names += 1
        return f"v{self.names}"


class Scope:
    """A block that is being written: the values that it sees, its text.

    Args:
        draft: the program.
        values: values in sight from outside, and the block's arguments.
        depth: how many blocks are around it; blocks inside have constants of their own in place of arguments
            of the program.
    """

    def __init__(self, draft: Draft, values: Sequence[Value] = (), depth: int = 0) -> None:
        self.draft = draft
        self.make = draft.make
        self.values = list(values)
        self.depth = depth
        self.lines: list[str] = []

    @property
    def is_exact(self) -> bool:
        """Whether results must not depend on how operations are fused: those of operations with regions are
        judged as they are.
        """
        return self.draft.is_exact or self.depth > 0

    # --- values --------------------------------------------------------------------------------------------

    def element(self, *kinds: str) -> Type:
        """Returns the type of elements of one of some kinds ("integer", "float", "complex", "boolean"); of
        any kind without them.
        """
        return self.make.choice(
            self.draft.elements_where(lambda element: not kinds or kind_of(element) in kinds)
        )

    def summed_element(self) -> Type:
        """Returns the type of elements that may be summed here in any order."""
        return self.element("integer") if self.is_exact else self.element("integer", "float")

    def shape(self, rank: int | None = None, smallest: int = 0) -> Shape:
        """Returns the shape of a value in sight, or another one."""
        fitting = [
            value.shape
            for value in self.values
            if rank in (None, len(value.shape)) and min(value.shape, default=1) >= smallest
        ]
        if fitting and self.make.chance(0.6):
            return self.make.choice(fitting)
        return self.make.shape(rank, smallest)

    def pick(self, *kinds: str) -> Value:
        """Returns any value with elements of one of some kinds."""
        fitting = [value for value in self.values if not kinds or kind_of(value.element) in kinds]
        if fitting and self.make.chance(0.8):
            return self.make.choice(fitting)
        return self.new(self.make.shape(), self.element(*kinds))

    def value(self, shape: Shape, element: Type, is_small: bool = False) -> Value:
        """Returns a value of a type: one in sight, one that is made of another one, or a new one. Where it
        must be `is_small`, its elements are small whole numbers.
        """
        reuse = 1.0 if self.depth else self.make.reuse
        type_ = RankedTensorType(shape, element)
        fitting = [
            candidate
            for candidate in self.values
            if candidate.type == type_ and (candidate.is_small or not is_small)
        ]
        if fitting and self.make.chance(0.7 * reuse):
            return self.make.choice(fitting)
        others = [
            candidate
            for candidate in self.values
            if candidate.element == element and candidate.is_small >= is_small
        ]
        if others and self.make.chance(0.4 * reuse) and size_of(shape):
            return self._resized(self.make.choice(others), shape)
        return self.new(shape, element, is_small)

    def new(self, shape: Shape, element: Type, is_small: bool = False) -> Value:
        """Returns an argument of the program or a constant, with random elements."""
        name = dtype_of(element).name
        is_edge = not is_small and self.make.chance(0.3)
        make = self.make.edges if is_edge else self.make.small
        count = self.draft.grid[0] * self.draft.grid[1]
        return self._given([make(shape, name) for _ in range(count)], element, not is_edge)

    def of_array(self, array: Array) -> Value:
        """Returns an argument of the program or a constant with these elements."""
        return self._given([array], element_type_for(array.dtype), is_small=False)

    def _given(self, arrays: list[Array], element: Type, is_small: bool) -> Value:
        if self.depth or self.make.chance(0.15):
            return self.constant(arrays[0], is_small)
        count = self.draft.grid[0] * self.draft.grid[1]
        return self._argument(arrays * count if len(arrays) == 1 else arrays, element, is_small)

    def argument(self, array: Array) -> Value:
        """Returns an argument of the program with these elements."""
        return self._argument([array], element_type_for(array.dtype), is_small=False)

    def _argument(self, arrays: list[Array], element: Type, is_small: bool) -> Value:
        """Returns an argument with elements for each process."""
        value = Value(f"%{self.draft.name()}", RankedTensorType(arrays[0].shape, element), is_small)
        self.draft.arguments.append((value, arrays))
        self.values.append(value)
        return value

    def constant(self, array: Array, is_small: bool = False) -> Value:
        """Writes a constant; returns its value."""
        type_ = RankedTensorType(array.shape, element_type_for(array.dtype))
        text = attribute_text(DenseElementsAttr(type_, array))
        (value,) = self.write("stablehlo.constant", (), (type_,), f"value = {text}")
        if is_small:
            value = value._replace(is_small=True)
            self.values[-1] = value
        return value

    def numbers(self, numbers: Sequence[int], name: str = "int64") -> Value:
        """Writes a constant of integers."""
        return self.constant(np.array(numbers, name))

    def _resized(self, value: Value, shape: Shape) -> Value:
        """Returns a value with elements of another one, padded or cut to a shape."""
        if value.shape == shape:
            return value
        size, wanted = size_of(value.shape), size_of(shape)
        flat = self._reshaped(value, (size,))
        if size != wanted:
            zero = self.constant(np.zeros((), dtype_of(value.element)), is_small=True)
            attributes = (
                f"edge_padding_low = {array_i64([0])}, edge_padding_high = {array_i64([wanted - size])}, "
                f"interior_padding = {array_i64([0])}"
            )
            type_ = RankedTensorType((wanted,), value.element)
            (flat,) = self.write("stablehlo.pad", (flat, zero), (type_,), attributes)
        return self._reshaped(flat, shape)

    def _reshaped(self, value: Value, shape: Shape) -> Value:
        if value.shape == shape:
            return value
        (result,) = self.write("stablehlo.reshape", (value,), (RankedTensorType(shape, value.element),))
        return result

    # --- operations ----------------------------------------------------------------------------------------

    def write(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[Type],
        attributes: str = "",
        regions: Sequence[str] = (),
    ) -> list[Value]:
        """Writes an operation; returns those of its results that are tensors, which are in sight from now on.

        Raises NotHere where a result would be too large, or is not exact where it must be, and where XLA does
        not run the operation.
        """
        tensors = [result for result in results if isinstance(result, RankedTensorType)]
        if any(tensor.element_count > MOST_ELEMENTS for tensor in tensors):
            raise NotHere
        if self.is_exact and not is_exact(name, [operand.type for operand in operands], tensors):
            raise NotHere
        if is_refused(name, [*(operand.type for operand in operands), *tensors]):
            raise NotHere
        if self._may_fold(name, operands, attributes) or self._loses_constants(name):
            raise NotHere
        target = self.draft.name()
        count = f":{len(results)}" if len(results) > 1 else ""
        self.lines.append(
            operation_text(f"%{target}{count} = ", name, operands, results, attributes, regions)
        )
        is_small = _keeps_small(name) and all(operand.is_small for operand in operands)
        names = [f"%{target}#{index}" if count else f"%{target}" for index in range(len(results))]
        defined = [
            Value(name, type_, is_small or kind_of(type_.element_type) == "boolean")
            for name, type_ in zip(names, results)
            if isinstance(type_, RankedTensorType)
        ]
        self.values += defined
        return defined

    def _may_fold(self, name: str, operands: Sequence[Value], attributes: str) -> bool:
        """Returns whether an operation divides integers by what may be known when the program is compiled, or
        orders complex numbers that may: XLA's folding of constants ends its process where the divisor is
        zero, and at such an order.
        """
        short = name.rpartition(".")[2].removeprefix("broadcast_")
        if short in ("divide", "remainder") and kind_of(operands[1].element) == "integer":
            return not self._is_argument(operands[1])
        if short != "compare" or kind_of(operands[0].element) != "complex":
            return False
        is_equality = any(f"comparison_direction {direction}>" in attributes for direction in ("EQ", "NE"))
        return not is_equality and not any(map(self._is_argument, operands))

    def _is_argument(self, operand: Value) -> bool:
        """Returns whether a value is an argument of the program, which no block around this one replaces."""
        return self.depth == 0 and any(operand is value for value, _ in self.draft.arguments)

    def _loses_constants(self, name: str) -> bool:
        """Returns whether XLA might refuse the program with this operation: to expand chlo.broadcast_select,
        it moves constants out of regions, those that it folds there, too, but then takes values from outside
        in regions of control flow alone.
        """
        if name not in _NOT_TOGETHER:
            return False
        self.draft.one_of_two = self.draft.one_of_two or name
        return self.draft.one_of_two != name

    def inner(self, arguments: Sequence[Type] = (), is_isolated: bool = False) -> tuple[Scope, list[Value]]:
        """Returns a block inside, and its arguments, which with the values of this block it sees unless it is
        isolated.
        """
        new = [
            Value(f"%{self.draft.name()}", argument)
            for argument in arguments
            if isinstance(argument, RankedTensorType)
        ]
        return Scope(self.draft, [*(() if is_isolated else self.values), *new], self.depth + 1), new


def operation_text(
    target: str,
    name: str,
    operands: Sequence[Value],
    results: Sequence[Type],
    attributes: str = "",
    regions: Sequence[str] = (),
) -> str:
    """Returns an operation's generic text, of which `target` is the start."""
    inside = f" ({', '.join(regions)})" if regions else ""
    inputs = ", ".join(str(operand.type) for operand in operands)
    return (
        f'{target}"{name}"({", ".join(operand.name for operand in operands)}){inside}'
        f"{f' {{{attributes}}}' if attributes else ''} : ({inputs}) -> ({', '.join(map(str, results))})"
    )


def region_text(scope: Scope, arguments: Sequence[Value], returned: Sequence[Value]) -> str:
    """Returns a region's text: one block."""
    parameters = ", ".join(f"{argument.name}: {argument.type}" for argument in arguments)
    head = f"^bb0({parameters}):\n" if arguments else ""
    body = "\n".join([*scope.lines, operation_text("", "stablehlo.return", returned, ())])
    return f"{{ {head}{body} }}"


def kind_of(element: Type) -> str:
    """Returns "boolean", "integer", "float" or "complex"."""
    if isinstance(element, IntegerType):
        return "boolean" if element == I1 else "integer"
    return (
        "complex" if isinstance(element, ComplexType) else "float" if isinstance(element, FloatType) else ""
    )


def is_exact(name: str, operands: Sequence[Any], results: Sequence[RankedTensorType]) -> bool:
    """Returns whether an operation's results do not depend on how it is fused with others."""
    types: list[Any] = [*operands, *results]
    if all(kind_of(type_.element_type) in ("integer", "boolean") for type_ in types):
        return name not in _NOT_FUSED
    if name == "stablehlo.sign" and any(kind_of(type_.element_type) == "complex" for type_ in types):
        return False  # a quotient
    return _is_exact_on_floats(name)


def _is_exact_on_floats(name: str) -> bool:
    return tolerance_of(name) is EXACT and name not in _ROUNDED


def _keeps_small(name: str) -> bool:
    """Returns whether an operation makes small whole numbers of such."""
    makes_others = name.partition(".")[2] in ("bitcast_convert", "map", "while", "if", "case", "call")
    if makes_others or not (_is_exact_on_floats(name) or name == "stablehlo.abs"):
        return False
    op_def = find_op_def(name)
    is_of_bits = op_def is not None and op_def.has("elementwise") and not _takes_floats(op_def)
    return name == "stablehlo.not" or not is_of_bits


def _takes_floats(op_def: OpDef) -> bool:
    return any(operand.constraint.matches(RankedTensorType((), F32)) for operand in op_def.operands)
