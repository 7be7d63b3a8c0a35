"""chlo.scan as a loop over the slices along its dimension."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import DenseArrayAttr, EnumAttr, IntegerAttr, as_bool
from shlo.ir.operations import Operation, Region
from shlo.ir.types import I1, I32, I64, FloatType, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.matching import is_static
from shlo.transforms.rewriting.shapes import joined, list_of, reshaped, run_time_size, size_of, sliced

_SCALAR = RankedTensorType((), I64)


def rewrite_scan(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a while loop over a counter, the carried values and the outputs; None where sizes are
    unknown, and where an input or output lacks the dimension."""
    types = (*operation.operand_types, *operation.result_types)
    axis = operation.attribute("dimension")
    if not isinstance(axis, IntegerAttr) or not all(map(is_static, types)):
        return None
    scan = _Scan(rewriter, operation, axis.value)
    return scan.loop() if scan.has_dimension() else None


class _Scan:
    """Builds the loop of a scan. It carries the counter, the carried values, the outputs."""

    def __init__(self, rewriter: Rewriter, operation: Operation, axis: int) -> None:
        self._rewriter = rewriter
        self._axis = axis
        self._body = operation.regions[0]
        arguments = len(self._body.blocks[0].arguments)
        reverse = operation.attribute("is_reverse")
        self._is_reverse = reverse is not None and as_bool(reverse)
        operands = rewriter.refs(operation.operands)
        carried = _carry_count(operation, arguments)
        self._inputs = operands[: arguments - carried]
        self._inits = operands[len(operands) - carried :]
        self._output_types = [
            type_
            for type_ in operation.result_types[: len(operation.result_types) - carried]
            if isinstance(type_, RankedTensorType)
        ]

    def has_dimension(self) -> bool:
        """Returns whether all inputs and outputs, of which there is one, have the dimension."""
        types = [*(value.tensor for value in self._inputs), *self._output_types]
        return bool(types) and all(0 <= self._axis < type_.rank for type_ in types)

    def loop(self) -> Sequence[ValueRef]:
        """Returns the outputs and the last carried values."""
        rewriter, carried = self._rewriter, len(self._inits)
        count = self._count()
        start = rewriter.splat(_SCALAR, 0)
        initial = (start, *self._inits, *map(self._empty, self._output_types))
        types = [value.type for value in initial]
        with rewriter.region(types) as condition:
            rewriter.create("stablehlo.return", (condition.arguments[0] < count,), ())
        with rewriter.region(types) as body:
            self._step(body.arguments, count)
        regions: tuple[Region, ...] = (condition.region, body.region)
        built = rewriter.create("stablehlo.while", initial, types, regions=regions)
        return (*built[1 + carried :], *built[1 : 1 + carried])

    def _count(self) -> ValueRef:
        """Returns how many slices there are."""
        if self._inputs:
            return run_time_size(self._inputs[0], self._axis).converted(I64)
        size = self._output_types[0].shape[self._axis]
        return self._rewriter.splat(_SCALAR, size)

    def _empty(self, type_: RankedTensorType) -> ValueRef:
        zero = self._rewriter.splat(RankedTensorType((), type_.element_type), 0)
        properties = {"broadcast_dimensions": int64s(())}
        return self._rewriter.one("stablehlo.broadcast_in_dim", (zero,), type_, properties)

    def _step(self, arguments: Sequence[ValueRef], count: ValueRef) -> None:
        """One pass of the loop."""
        rewriter, carried = self._rewriter, len(self._inits)
        counter, carries, outputs = arguments[0], arguments[1 : 1 + carried], arguments[1 + carried :]
        index = counter
        if self._is_reverse:
            one = rewriter.splat(_SCALAR, 1)
            index = count - one - counter
        slices = [self._slice(value, index) for value in self._inputs]
        results = rewriter.inlined(self._body, (*slices, *carries))
        updated = [self._updated(output, result, index) for output, result in zip(outputs, results)]
        following = counter + rewriter.splat(_SCALAR, 1)
        rewriter.create("stablehlo.return", (following, *results[len(outputs) :], *updated), ())

    def _starts(self, rank: int, index: ValueRef) -> list[ValueRef]:
        starts = [self._rewriter.splat(_SCALAR, 0)] * rank
        starts[self._axis] = index
        return starts

    def _slice(self, value: ValueRef, index: ValueRef) -> ValueRef:
        shape = value.tensor.static_shape
        sizes = (*shape[: self._axis], 1, *shape[self._axis + 1 :])
        type_ = RankedTensorType(sizes, value.element_type)
        properties = {"slice_sizes": int64s(sizes)}
        operands = (value, *self._starts(len(shape), index))
        part = self._rewriter.one("stablehlo.dynamic_slice", operands, type_, properties)
        return reshaped(part, shape[: self._axis] + shape[self._axis + 1 :])

    def _updated(self, output: ValueRef, result: ValueRef, index: ValueRef) -> ValueRef:
        shape = output.tensor.static_shape
        part = reshaped(result, (*shape[: self._axis], 1, *shape[self._axis + 1 :]))
        operands = (output, part, *self._starts(len(shape), index))
        return self._rewriter.one("stablehlo.dynamic_update_slice", operands, output.type)


def _carry_count(operation: Operation, arguments: int) -> int:
    """Returns how many values each slice passes to the next."""
    sizes = operation.attribute("operandSegmentSizes")
    if isinstance(sizes, DenseArrayAttr) and len(sizes) == 2:
        return sizes.values[1]
    return max(0, arguments - 1)


# --- top_k: the tensor sorted together with the positions of its elements, and the first ones of both ------


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
        return [_first(tensor, count) for tensor in both]
    sizes = [list_of(size_of(value, axis)) for axis in range(type_.rank)]
    shape = joined(sizes)
    sizes[last] = list_of(rewriter.splat(RankedTensorType((), I64), count))
    limits = joined(sizes)
    places = rewriter.one("stablehlo.dynamic_iota", (shape,), places_type, dimension)
    both = _sorted(rewriter, operation, value, places)
    starts, strides = rewriter.integers([0] * type_.rank), rewriter.integers([1] * type_.rank)
    return [
        rewriter.one("stablehlo.real_dynamic_slice", (tensor, starts, limits, strides), result)
        for tensor, result in zip(both, operation.result_types)
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
    scalar, position = RankedTensorType((), element_type), RankedTensorType((), I32)
    with rewriter.region((scalar, scalar, position, position)) as built:
        one, other = built.arguments[:2]
        properties = {"comparison_direction": EnumAttr("stablehlo", "comparison_direction", "GT")}
        if isinstance(element_type, FloatType):
            properties["compare_type"] = EnumAttr("stablehlo", "comparison_type", "TOTALORDER")
        result = rewriter.one("stablehlo.compare", (one, other), RankedTensorType((), I1), properties)
        rewriter.create("stablehlo.return", (result,), ())
    return built.region
