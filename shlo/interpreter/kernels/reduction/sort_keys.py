"""Keys by which the comparator of a sort orders, the most important one first.

A comparator is understood if it compares a function of the left elements with the same function of the right
ones, or orders by several such keys one after the other: `a < b or (a = b and ...)`. Values are numbered so
that equal computations have equal numbers; that makes "the same function" easy to see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value
from shlo.interpreter.kernels.elementwise.comparison import is_total_order, total_order_key
from shlo.interpreter.kernels.numeric import wide_dtype
from shlo.interpreter.registry import kernel_for
from shlo.ir.attributes import EnumAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, bit_width
from shlo.ir.operations import Block, Signature
from shlo.ir.types import ComplexType, FloatType, QuantizedType, Type, element_type_of

LEFT, RIGHT = 1, 2
"""Which of a comparator's arguments a value depends on, as bits."""

_UNSIGNED_FLOAT = FloatType("f8E8M0FNU")


class SortKeyNode(Struct, frozen=True):
    """Value in a comparator: an argument, or an operation on numbered values."""

    argument: int
    signature: Signature | None
    operands: tuple[int, ...]
    sides: int


class Numbering:
    """Values of a comparator that its result depends on, equal ones under one number."""

    def __init__(self) -> None:
        self.nodes: list[SortKeyNode] = []
        self._numbers: dict[object, int] = {}

    def argument(self, index: int) -> int:
        """Returns the number of an argument."""
        return self._number(index, SortKeyNode(index, None, (), RIGHT if index % 2 else LEFT))

    def operation(self, signature: Signature, operands: tuple[int, ...]) -> int:
        """Returns the number of an operation's only result."""
        attributes = (*sorted(signature.properties.items()), *sorted(signature.attributes.items()))
        key = (signature.name, attributes, signature.operand_types, signature.result_types, operands)
        sides = 0
        for operand in operands:
            sides |= self.nodes[operand].sides
        return self._number(key, SortKeyNode(-1, signature, operands, sides))

    def mirrored(self, number: int) -> int:
        """Returns the number of the same value with left and right elements exchanged."""
        exchanged: list[int] = []
        for node in self.nodes[: number + 1]:
            if node.signature is None:
                exchanged.append(self.argument(node.argument ^ 1))
            else:
                operands = tuple([exchanged[operand] for operand in node.operands])
                exchanged.append(self.operation(node.signature, operands))
        return exchanged[number]

    def _number(self, key: object, node: SortKeyNode) -> int:
        number = self._numbers.setdefault(key, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number


class Key(Struct, frozen=True):
    """Key of an order. `argument` is the operand whose elements are compared as they are, if that is so;
    `is_canonical` tells that all NaNs count as one, behind all numbers, and -0 as 0."""

    compute: KernelFn
    element_type: Type
    is_descending: bool
    is_total: bool
    is_canonical: bool
    argument: int | None

    def codes(self, arrays: Sequence[Array]) -> Array:
        """Returns integers that have the order of the keys of all elements."""
        codes = self._ascending(self.compute(*arrays))
        return np.invert(codes) if self.is_descending else codes

    def _ascending(self, keys: Array) -> Array:
        if not isinstance(self.element_type, FloatType):
            return (
                keys.view(np.uint8)
                if keys.dtype == np.bool_
                else keys.astype(wide_dtype(keys.dtype), copy=False)
            )
        if not self.is_total:
            keys = np.where(np.isnan(keys), np.array(np.nan, keys.dtype), keys + np.zeros((), keys.dtype))
        width = bit_width(self.element_type)
        return total_order_key(keys, width, not str(keys.dtype).endswith("fnuz"))


def keys_of(comparator: Body) -> tuple[Key, ...] | None:
    """Returns the keys by which a comparator orders (none: all are equal); None if it is not understood."""
    if not comparator.is_vectorizable:
        return None
    numbering = Numbering()
    numbers = number_values(numbering, comparator.block)
    return None if numbers is None else _keys(numbering, numbers[comparator.block.operations[-1].operands[0]])


def number_values(numbering: Numbering, block: Block) -> dict[int, int] | None:
    """Returns the numbers of a block's values; None for outer values or operations of several results."""
    numbers = {value: numbering.argument(index) for index, value in enumerate(block.arguments)}
    for operation in block.operations:
        if any(operand not in numbers for operand in operation.operands):
            return None
        if operation is block.operations[-1]:
            break
        if len(operation.results) != 1:
            return None
        operands = tuple([numbers[operand] for operand in operation.operands])
        numbers[operation.results[0]] = numbering.operation(operation.signature, operands)
    return numbers


def _keys(numbering: Numbering, number: int) -> tuple[Key, ...] | None:
    keys: list[Key] = []
    while True:
        node = numbering.nodes[number]
        if _is_constant(node, False):
            return tuple(keys)
        key = _key(numbering, node)
        if key is not None:
            return (*keys, key)
        chained = _first_and_rest(numbering, node)
        if chained is None:
            return None
        key, number = chained
        keys.append(key)


def _key(numbering: Numbering, node: SortKeyNode) -> Key | None:
    """Returns the key of a comparison `f(left) < f(right)`, its sides or direction possibly exchanged."""
    direction = direction_of(node)
    if direction not in ("LT", "GT") or node.signature is None:
        return None
    first, second = node.operands
    element = element_type_of(node.signature.operand_types[0])
    if isinstance(element, (ComplexType, QuantizedType)) or element == _UNSIGNED_FLOAT:
        return None
    if numbering.nodes[first].sides not in (LEFT, RIGHT) or numbering.mirrored(first) != second:
        return None
    is_swapped = numbering.nodes[first].sides == RIGHT
    left = second if is_swapped else first
    raw = _canonicalized(numbering, left)
    is_total = is_total_order(OpView(node.signature))
    is_canonical = raw is not None and is_total
    value = numbering.nodes[raw if raw is not None and is_canonical else left]
    return Key(
        _argument(value.argument // 2) if value.signature is None else _computation(numbering, left),
        element,
        (direction == "GT") != is_swapped,
        is_total and not is_canonical,
        is_canonical,
        value.argument // 2 if value.signature is None else None,
    )


def _first_and_rest(numbering: Numbering, node: SortKeyNode) -> tuple[Key, int] | None:
    """Returns, for `a < b or (a = b and rest)`, the key of a and b, and the number of the rest."""
    for less, other in both_ways(node, "stablehlo.or"):
        key = _key(numbering, numbering.nodes[less])
        if key is None:
            continue
        for equal, rest in both_ways(numbering.nodes[other], "stablehlo.and"):
            if _are_equal(numbering.nodes[equal], numbering.nodes[less]):
                return key, rest
    return None


def _are_equal(node: SortKeyNode, less: SortKeyNode) -> bool:
    """Returns whether a node says that the values which another one compares are equal."""
    if direction_of(node) != "EQ" or node.signature is None or less.signature is None:
        return False
    alike = is_total_order(OpView(node.signature)) == is_total_order(OpView(less.signature))
    return alike and set(node.operands) == set(less.operands)


def both_ways(node: SortKeyNode, name: str) -> list[tuple[int, int]]:
    """Returns the operands of a node in either order if it is an operation of that name, else nothing."""
    if node.signature is None or node.signature.name != name:
        return []
    first, second = node.operands
    return [(first, second), (second, first)]


def direction_of(node: SortKeyNode) -> str | None:
    """Returns the direction of a compare, None for any other node."""
    if node.signature is None or node.signature.name != "stablehlo.compare":
        return None
    direction = node.signature.attribute("comparison_direction")
    return direction.value if isinstance(direction, EnumAttr) else None


def _canonicalized(numbering: Numbering, number: int) -> int | None:
    """Returns the x of `select(x != x, NaN, select(x = 0, 0, x))`, by which JAX sorts floats; else None."""
    outer = numbering.nodes[number]
    if not is_select(outer) or not _is_constant(numbering.nodes[outer.operands[1]], np.nan):
        return None
    inner = numbering.nodes[outer.operands[2]]
    if not is_select(inner) or not _is_constant(numbering.nodes[inner.operands[1]], 0):
        return None
    x, differs, is_zero = (
        inner.operands[2],
        numbering.nodes[outer.operands[0]],
        numbering.nodes[inner.operands[0]],
    )
    if direction_of(differs) != "NE" or differs.operands != (x, x) or direction_of(is_zero) != "EQ":
        return None
    zero = is_zero.operands[1]
    return x if is_zero.operands[0] == x and _is_constant(numbering.nodes[zero], 0) else None


def is_select(node: SortKeyNode) -> bool:
    """Returns whether a node is a select."""
    return node.signature is not None and node.signature.name == "stablehlo.select"


def _is_constant(node: SortKeyNode, value: float) -> bool:
    if node.signature is None or node.signature.name != "stablehlo.constant":
        return False
    elements = node.signature.attribute("value")
    if not isinstance(elements, DenseElementsAttr) or elements.array.size != 1:
        return False
    return bool(np.array_equal(elements.array.astype(np.complex128), np.complex128(value), equal_nan=True))


def _argument(index: int) -> KernelFn:
    return lambda *arrays: arrays[index]


def _computation(numbering: Numbering, number: int) -> KernelFn:
    """Returns the function of the sorted arrays that computes a value of the left elements."""
    needed, functions = {number}, dict[int, Callable[..., Value]]()
    for other in range(number, -1, -1):
        signature = numbering.nodes[other].signature
        if other in needed and signature is not None:
            needed.update(numbering.nodes[other].operands)
            operation = OpView(signature)
            entry = kernel_for(operation)
            assert entry is not None, "an elementwise operation has a kernel"
            functions[other] = entry.kernel(operation)

    def compute(*arrays: Array) -> Array:
        values: dict[int, Any] = {}
        for other in sorted(needed):
            node = numbering.nodes[other]
            if node.signature is None:
                values[other] = arrays[node.argument // 2]
            else:
                values[other] = functions[other](*[values[operand] for operand in node.operands])
        return np.broadcast_to(values[number], arrays[0].shape)

    return compute
