"""Operations with regions on scalars: reductions, windows, sorts, maps."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.maker import array_i64, pairs_i64
from shlo.fuzzing.recipes.bodies import BITWISE, IDEMPOTENT, combining, first_largest, region_of
from shlo.fuzzing.scope import NotHere, Scope, Value, kind_of, region_text
from shlo.fuzzing.structures import size_of, window_count, windows
from shlo.ir.types import I1, I32, RankedTensorType, Type
from shlo.transforms.rewriting.reductions import neutral


def _source(scope: Scope, shape: tuple[int, ...], is_combined: bool) -> tuple[Value, Value, str]:
    """Returns a value to reduce, an initial value, and the region that combines two elements. The initial
    value is the neutral element, unless results are of several elements (`is_combined`), and to combine with
    another one several times is as good as once: `reduce-initial-value` of docs/differences.md.
    """
    element = scope.summed_element() if scope.make.chance(0.85) else scope.element("boolean")
    name, body = combining(scope, element)
    value = scope.value(shape, element, is_small=kind_of(element) == "float" and name == "add")
    if is_combined and name in IDEMPOTENT and scope.make.chance(0.5):
        return value, scope.new((), element, is_small=True), body
    return value, scope.constant(neutral(name, element)), body


def _reduce_one(scope: Scope, op: str) -> None:
    """Writes a reduction of one value."""
    whole = scope.shape()
    axes = scope.make.subset(range(len(whole)))
    value, initial, body = _source(scope, whole, any(whole[axis] > 1 for axis in axes))
    shape = tuple(size for axis, size in enumerate(value.shape) if axis not in axes)
    type_ = RankedTensorType(shape, value.element)
    attributes = f"dimensions = {array_i64(axes)}"
    scope.write(op, (value, initial), (type_,), attributes, (body,))


def reduce_window(scope: Scope, op: str) -> None:
    """Writes a reduction of windows."""
    shape = scope.shape(scope.make.integer(1, 3))
    chosen = windows(scope.make, shape)
    value, initial, body = _source(scope, shape, any(size > 1 for size in chosen.sizes))
    type_ = RankedTensorType(chosen.counts, value.element)
    scope.write(op, (value, initial), (type_,), chosen.attributes, (body,))


def select_and_scatter(scope: Scope, op: str) -> None:
    """Writes a select_and_scatter on distinct elements: the order decides between equal ones."""
    make = scope.make
    shape = make.shape(make.integer(1, 3), smallest=1)
    names = ("int32",) if scope.is_exact else ("int32", "float32", "float64")
    array = np.asarray(make.random.permutation(size_of(shape)).reshape(shape) - 5).astype(make.choice(names))
    value = scope.of_array(array)
    window, strides = make.integers(len(shape), 1, 3), make.integers(len(shape), 1, 3)
    counts = tuple(map(window_count, shape, window, strides, [1] * len(shape)))
    source = scope.value(counts, value.element, is_small=True)
    initial = scope.constant(neutral("add", value.element))
    attributes = (
        f"window_dimensions = {array_i64(window)}, window_strides = {array_i64(strides)}, "
        f"padding = {pairs_i64([[0, 0]] * len(shape))}"
    )
    regions = (_comparing(scope, [value.element], "GE"), region_of(scope, "add", value.element))
    operands = (value, source, initial)
    scope.write(op, operands, (value.type,), attributes, regions)


def _comparing(scope: Scope, elements: list[Type], direction: str) -> str:
    """Returns a region that compares scalars of the first of some values."""
    scalars = [RankedTensorType((), element) for element in elements for _ in range(2)]
    block, parameters = scope.inner(scalars, is_isolated=True)
    kind = "TOTALORDER" if kind_of(elements[0]) == "float" else "NOTYPE"
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    if kind != "NOTYPE":
        attributes += f", compare_type = #stablehlo<comparison_type {kind}>"
    result = block.write("stablehlo.compare", parameters[:2], (RankedTensorType((), I1),), attributes)
    return region_text(block, parameters, result)


def sort(scope: Scope, op: str) -> None:
    """Writes a stable sort of one to three values by the first."""
    make = scope.make
    shape = scope.shape(make.integer(1, 3))
    first = scope.value(shape, scope.element("integer", "float", "boolean"))
    values = [first, *(scope.value(shape, scope.element()) for _ in range(make.integer(0, 2)))]
    axis = make.integer(0, len(shape) - 1)
    region = _comparing(scope, [value.element for value in values], make.choice(("LT", "GT")))
    attributes = f"dimension = {axis} : i64, is_stable = true"
    scope.write(op, values, [value.type for value in values], attributes, (region,))


def map_(scope: Scope, op: str) -> None:
    """Writes a map of integers or booleans, whose region is a program on scalars."""
    make = scope.make
    shape = scope.shape()
    values = [scope.value(shape, scope.element("integer", "boolean")) for _ in range(make.integer(1, 2))]
    block, parameters = scope.inner(
        [RankedTensorType((), value.element) for value in values], is_isolated=True
    )
    for _ in range(make.integer(1, 3)):
        _scalar_operation(block)
    result = make.choice([value for value in block.values if not value.shape])
    region = region_text(block, parameters, (result,))
    attributes = f"dimensions = {array_i64(range(len(shape)))}"
    scope.write(op, values, (RankedTensorType(shape, result.element),), attributes, (region,))


def _scalar_operation(block: Scope) -> None:
    """Writes an operation on scalars of integers or booleans."""
    left = block.make.choice(block.values)
    right = block.value((), left.element)
    names = (*BITWISE, "maximum", "minimum")
    if kind_of(left.element) == "integer":
        names = (*names, "add", "multiply", "subtract")
    block.write(f"stablehlo.{block.make.choice(names)}", (left, right), (left.type,))


def _reduce_with_index(scope: Scope, op: str) -> None:
    """Writes the largest elements along a dimension with their first positions: two operands, one region."""
    make = scope.make
    shape = scope.shape(make.integer(1, 3), smallest=1)
    if not shape:
        raise NotHere
    axis = make.integer(0, len(shape) - 1)
    value = scope.value(shape, scope.element("integer"))
    (positions,) = scope.write(
        "stablehlo.iota", (), (RankedTensorType(shape, I32),), f"iota_dimension = {axis} : i64"
    )
    initial = (
        scope.constant(neutral("maximum", value.element)),
        scope.constant(np.asarray(np.iinfo(np.int32).max, np.int32)),
    )
    sizes = tuple(size for number, size in enumerate(shape) if number != axis)
    results = [RankedTensorType(sizes, position.element) for position in (value, positions)]
    attributes = f"dimensions = {array_i64([axis])}"
    regions = (first_largest(scope, value.element),)
    scope.write(op, (value, positions, *initial), results, attributes, regions)


def reduce(scope: Scope, op: str) -> None:
    """Writes a reduction of one value, or of values with their positions."""
    (_reduce_one if scope.make.chance(0.8) else _reduce_with_index)(scope, op)
