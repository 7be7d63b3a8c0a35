"""Regions that combine two scalars."""

from __future__ import annotations

from typing import Final

from shlo.fuzzing.scope import Scope, Value, kind_of, region_text
from shlo.ir.types import I1, I32, RankedTensorType, Type

BITWISE: Final = ("and", "or", "xor")
IDEMPOTENT: Final = ("and", "or", "maximum", "minimum")
_OF_KIND: Final = {
    "boolean": BITWISE,
    "integer": ("add", "multiply", "maximum", "minimum", *BITWISE),
    "float": ("add", "maximum", "minimum"),
}
"""Operations that may combine elements of a kind in any order."""


def combining(scope: Scope, element: Type) -> tuple[str, str]:
    """Returns an operation that combines elements in any order, and a region that consists of it, or does the
    same in several operations.
    """
    name = scope.make.choice(_OF_KIND[kind_of(element)])
    return name, region_of(scope, name, element)


def simple_region(scope: Scope, element: Type) -> str:
    """Returns a region that XLA's collectives take: a sum, product, maximum or minimum of integers, one of
    booleans.
    """
    names = ("and", "or") if kind_of(element) == "boolean" else ("add", "multiply", "maximum", "minimum")
    scalar = RankedTensorType((), element)
    block, (left, right) = scope.inner((scalar, scalar), is_isolated=True)
    result = _written(block, f"stablehlo.{scope.make.choice(names)}", left, right, scalar)
    return region_text(block, (left, right), (result,))


def region_of(scope: Scope, name: str, element: Type) -> str:
    """Returns the text of a region that combines two scalars with an operation."""
    scalar = RankedTensorType((), element)
    block, (left, right) = scope.inner((scalar, scalar), is_isolated=True)
    if name == "maximum" and kind_of(element) == "integer" and scope.make.chance(0.3):
        result = _selected(block, left, right, scalar)
    else:
        result = _written(block, f"stablehlo.{name}", left, right, scalar)
    return region_text(block, (left, right), (result,))


def first_largest(scope: Scope, element: Type) -> str:
    """Returns a region that gives the larger of two scalars and its position, of equal ones the first."""
    number, index, truth = (RankedTensorType((), element) for element in (element, I32, I1))
    block, (x, i, y, j) = scope.inner((number, index, number, index), is_isolated=True)

    def compared(direction: str, left: Value, right: Value) -> Value:
        attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
        return block.write("stablehlo.compare", (left, right), (truth,), attributes)[0]

    is_tie = block.write(
        "stablehlo.and", (compared("EQ", x, y), compared("LT", i, j)), (truth,)
    )[0]  # fmt: skip
    is_first = block.write("stablehlo.or", (compared("GT", x, y), is_tie), (truth,))[0]
    returned = [
        block.write("stablehlo.select", (is_first, *pair), (pair[0].type,))[0] for pair in ((x, y), (i, j))
    ]
    return region_text(block, (x, i, y, j), returned)


def _written(block: Scope, name: str, left: Value, right: Value, scalar: RankedTensorType) -> Value:
    """Returns the result of an operation, however exact it is: the whole reduction is judged."""
    target = block.draft.name()
    operation = f'%{target} = "{name}"({left.name}, {right.name}) : ({scalar}, {scalar}) -> ({scalar})'
    block.lines.append(operation)
    return Value(f"%{target}", scalar)


def _selected(block: Scope, left: Value, right: Value, scalar: RankedTensorType) -> Value:
    """Returns the larger of two scalars as a comparison and a selection."""
    (is_larger,) = block.write(
        "stablehlo.compare",
        (left, right),
        (RankedTensorType((), I1),),
        "comparison_direction = #stablehlo<comparison_direction GT>",
    )
    (result,) = block.write("stablehlo.select", (is_larger, left, right), (scalar,))
    return result
