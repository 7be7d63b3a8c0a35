"""chlo.top_k: the tensor sorted together with the places of its elements, and the first ones of both."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import EnumAttr, IntegerAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.types import I1, I32, I64, FloatType, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.shapes import joined, list_of, size_of, sliced


def rewrite_top_k(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """iota, sort and two slices; None for a tensor of unknown rank."""
    (value,) = rewriter.refs(operation.operands)
    type_, k = value.type, operation.attribute("k")
    if not isinstance(type_, RankedTensorType) or not isinstance(k, IntegerAttr) or not type_.rank:
        return None
    last = type_.rank - 1
    size = type_.shape[last]
    count = k.value if size is None else min(k.value, size)
    places_type = RankedTensorType(type_.shape, I32)
    dimension = {"iota_dimension": IntegerAttr(last, I64)}
    if type_.is_static:
        places = rewriter.one("stablehlo.iota", (), places_type, dimension)
        both = _sorted(rewriter, operation, value, places)
        return [_first(each, count) for each in both]
    sizes = [list_of(size_of(value, axis)) for axis in range(type_.rank)]
    shape = joined(sizes)
    sizes[last] = list_of(rewriter.splat(RankedTensorType((), I64), count))
    limits = joined(sizes)
    places = rewriter.one("stablehlo.dynamic_iota", (shape,), places_type, dimension)
    both = _sorted(rewriter, operation, value, places)
    starts, strides = rewriter.integers([0] * type_.rank), rewriter.integers([1] * type_.rank)
    return [
        rewriter.one("stablehlo.real_dynamic_slice", (each, starts, limits, strides), result)
        for each, result in zip(both, operation.result_types)
    ]


def _first(value: ValueRef, count: int) -> ValueRef:
    """Returns the first elements along the last dimension."""
    shape = (*value.tensor.static_shape[:-1], count)
    return sliced(value, [0] * len(shape), shape)


def _sorted(
    rewriter: Rewriter, operation: Operation, value: ValueRef, places: ValueRef
) -> tuple[ValueRef, ...]:
    """Returns the tensor and the places of its elements, largest first."""
    stable = operation.attribute("is_stable")
    properties = {
        "dimension": IntegerAttr(value.tensor.rank - 1, I64),
        "is_stable": stable if isinstance(stable, IntegerAttr) else IntegerAttr(1, I1),
    }
    region = _larger_first(rewriter, value.element_type)
    return rewriter.create(
        "stablehlo.sort", (value, places), (value.type, places.type), properties, (region,)
    )


def _larger_first(rewriter: Rewriter, element_type: Type) -> Region:
    scalar, place = RankedTensorType((), element_type), RankedTensorType((), I32)
    with rewriter.region((scalar, scalar, place, place)) as built:
        one, other = built.arguments[:2]
        properties = {"comparison_direction": EnumAttr("stablehlo", "comparison_direction", "GT")}
        if isinstance(element_type, FloatType):
            properties["compare_type"] = EnumAttr("stablehlo", "comparison_type", "TOTALORDER")
        result = rewriter.one("stablehlo.compare", (one, other), RankedTensorType((), I1), properties)
        rewriter.create("stablehlo.return", (result,), ())
    return built.region
