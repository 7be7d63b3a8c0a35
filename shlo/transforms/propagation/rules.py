"""What each operation ties and relates: sizes of operands, results and attributes, element types.

The definition says which sizes of results are those of operands, and for an operation without a rule how
the others follow (`InferredSizes`). A rule is a function of an op that says what else holds: of operands
among each other, of numbers in attributes. `RULES` holds them by the operation's name; elementwise operations
need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, islice
from typing import Final

from shlo.dialects.constants import constant_elements
from shlo.dialects.inference import infer_operation
from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS
from shlo.ir.attributes import StringAttr, SymbolRefAttr
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.propagation.program import OpInstance
from shlo.transforms.propagation.relations import (
    AtMost,
    Derived,
    Foreign,
    Grows,
    InferredSizes,
    Listed,
    SlicedPart,
)
from shlo.transforms.propagation.sizes import Sizes
from shlo.verifier.op_context import region_type

Rule = Callable[[OpInstance], None]


def relate(op: OpInstance) -> None:
    """Adds what an operation says of sizes and element types."""
    op_def = op.op_def
    if op_def is None:
        _foreign(op)
    elif op_def.has("elementwise") or op_def.has("annotation"):
        tie_shapes(op)
    else:
        _tie_results(op)
        RULES.get(op.operation.name, _inferred)(op)
    if op.operation.name not in _OWN_ELEMENTS:
        _tie_elements(op, _DATA.get(op.operation.name))


# --- parts of rules ----------------------------------------------------------------------------------------


def tie_shapes(op: OpInstance) -> None:
    """Ties the shapes of all operands and results that are of the rank of the first result or operand."""
    values = [*op.results, *op.operands]
    shapes = [op.program.dims(value) for value in values]
    for shape in shapes[1:]:
        op.program.sizes.tie_all(shapes[0], shape)


def _pairwise(op: OpInstance) -> None:
    """Ties each operand to the result of its number."""
    for operand, result in zip(op.operands, op.results):
        op.program.tie_values(operand, result)


def _foreign(op: OpInstance) -> None:
    dims = _all_dims(op, op.operands)
    if dims and any(op.program.dims(result) for result in op.results):
        op.relate(Foreign(dims, op.operation.name))


def _all_dims(op: OpInstance, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(variable for value in values for variable in op.program.dims(value))


def _tie_results(op: OpInstance) -> None:
    """Ties the sizes of results that are those of operands by the definition, whatever these are."""
    operands, results = _all_dims(op, op.operands), _all_dims(op, op.results)
    if not operands or not results:
        return
    known, signature = op.program.probed, op.operation.signature
    sizes = known.get(signature) if not op.regions else None
    if sizes is None:
        known[signature] = sizes = _inferred_dims(op, _probes(op))
    probed = dict(zip(count(PROBE, STEP), operands))
    for size, variable in zip(sizes, results):
        if size in probed:
            op.tie(probed[size], variable)


def _probes(op: OpInstance) -> Iterator[Type]:
    """Yields the types of operands with sizes that nothing else is, from PROBE on."""
    sizes = count(PROBE, STEP)
    for type_, operand in zip(op.operation.operand_types, op.operands):
        if isinstance(type_, RankedTensorType):
            type_ = RankedTensorType(tuple(islice(sizes, len(op.program.dims(operand)))), type_.element_type)
        yield type_


def _inferred(op: OpInstance) -> None:
    operands, results = _all_dims(op, op.operands), _all_dims(op, op.results)
    if operands and results:
        op.relate(InferredSizes(operands, results, partial(_inferred_sizes, op), op.operation.name))


def _inferred_sizes(op: OpInstance, sizes: Sizes) -> list[int | None]:
    """Returns the sizes of an operation's results for the operands of now."""
    return _inferred_dims(op, map(op.program.type_of, op.operands))


def _inferred_dims(op: OpInstance, operands: Iterable[Type]) -> list[int | None]:
    """Returns the sizes of an operation's results for types of operands, None for one that is not known."""
    operation = op.operation
    regions = tuple(map(region_type, operation.regions))
    inferred = infer_operation(
        operation.name, tuple(operands), operation.signature.properties, regions, len(op.results)
    )
    collected: list[int | None] = []
    for type_, result in zip(inferred, op.results):
        dims = op.program.dims(result)
        is_known = isinstance(type_, RankedTensorType) and type_.rank == len(dims)
        collected += type_.shape if is_known and isinstance(type_, RankedTensorType) else [None] * len(dims)
    return collected


def _window(op: OpInstance, part: int, whole: int, parameter: int | None = None) -> None:
    """Ties a part of a dimension to the whole where it is all of it; otherwise it stays as long as it is."""
    if parameter is not None:
        op.tie(part, parameter)
    if op.old(part) == op.old(whole):
        op.tie(part, whole)
    else:
        op.relate(AtMost(part, whole, op.operation.name))


# --- rules -------------------------------------------------------------------------------------------------


def _constant(op: OpInstance) -> None:
    value = constant_elements(op.operation)
    if value is None or not (value.array.ndim == 0 or value.is_splat):
        op.relate(Listed(op.out()))


def _broadcast_in_dim(op: OpInstance) -> None:
    for operand, axis in zip(op.dims(0), op.numbers("broadcast_dimensions")):
        result = op.out()[axis]
        if op.old(operand) != 1:
            op.tie(operand, result)
        else:
            op.relate(Grows(operand, result))


def _reshape(op: OpInstance) -> None:
    for ones, others in grouped_dims(op.dims(0), op.out(), op.program.sizes.old):
        if len(ones) == len(others) == 1:
            op.tie(ones[0], others[0])
        elif ones or others:
            op.program.products.append((op, ones, others))


def grouped_dims(
    ones: Sequence[int], others: Sequence[int], old: Sequence[int | None]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yields the shortest lists of neighbouring dimensions of two shapes that have one product."""
    first, second = list(ones), list(others)
    while first and second:
        left, right = [first.pop(0)], [second.pop(0)]
        one, other = old[left[0]], old[right[0]]
        while one != other:
            if one is None or other is None or not (first if one < other else second):
                yield (*left, *first), (*right, *second)
                return
            if one < other:
                left.append(first.pop(0))
                one *= old[left[-1]] or 0
            else:
                right.append(second.pop(0))
                other *= old[right[-1]] or 0
        yield _without_units(left, right, old)


def _without_units(
    left: list[int], right: list[int], old: Sequence[int | None]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Leaves dimensions of size 1 out of a group where it has others."""
    sides = ([variable for variable in side if old[variable] != 1] for side in (left, right))
    ones, others = (tuple(short or side) for short, side in zip(sides, (left, right)))
    return ones, others


def _concatenate(op: OpInstance) -> None:
    axis = op.number("dimension")
    for operand in range(len(op.operands)):
        for number, (one, other) in enumerate(zip(op.dims(operand), op.out())):
            if number != axis:
                op.tie(one, other)
    parts = tuple(op.dims(operand)[axis] for operand in range(len(op.operands)))
    op.relate(Derived(op.out()[axis], parts, sum, "the concatenated dimension"))


def _slice(op: OpInstance) -> None:
    starts, limits, strides = (op.numbers(name) for name in ("start_indices", "limit_indices", "strides"))
    for axis, (start, limit, stride) in enumerate(zip(starts, limits, strides)):
        whole, result = op.dims(0)[axis], op.out()[axis]
        limit_variable = op.parameter("limit_indices", axis, limit)
        if (start, limit, stride) == (0, op.old(whole), 1):
            op.tie(whole, result)
            op.tie(whole, limit_variable)
            continue
        start_variable = op.parameter("start_indices", axis, start)
        share = _share(start, limit, stride, op.old(whole))
        op.relate(SlicedPart(whole, start_variable, limit_variable, result, stride, share))


def _share(start: int, limit: int, stride: int, whole: int) -> tuple[int, int]:
    """Returns the number of a part among equal ones and their number; (0, 0) where it need not be one: a part
    of one element is an element, and the first and last of many are short ends."""
    length = limit - start
    if stride != 1 or length < 2 or whole % length or start % length or whole // length > 4:
        return 0, 0
    return start // length, whole // length


def _dynamic_slice(op: OpInstance) -> None:
    for axis, (whole, result) in enumerate(zip(op.dims(0), op.out())):
        _window(op, result, whole, op.parameter("slice_sizes", axis, op.old(result)))


def _dynamic_update_slice(op: OpInstance) -> None:
    for whole, update in zip(op.dims(0), op.dims(1)):
        _window(op, update, whole)


def _pad(op: OpInstance) -> None:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    for axis, (low, high, interior) in enumerate(zip(*(op.numbers(name) for name in names))):
        if (low, high, interior) != (0, 0, 0):
            padded = partial(_padded, low + high, interior)
            op.relate(Derived(op.out()[axis], (op.dims(0)[axis],), padded, "the padded dimension"))


def _padded(edges: int, interior: int, sizes: Sequence[int]) -> int:
    return sizes[0] + edges + max(0, sizes[0] - 1) * interior


def _dot_general(op: OpInstance) -> None:
    for kind in ("batching", "contracting"):
        pairs = zip(op.numbers(f"lhs_{kind}_dimensions"), op.numbers(f"rhs_{kind}_dimensions"))
        for one, other in pairs:
            op.tie(op.dims(0)[one], op.dims(1)[other])


def _convolution(op: OpInstance) -> None:
    lhs, rhs, number = op.dims(0), op.dims(1), op.number
    if number("feature_group_count") == 1:
        op.tie(lhs[number("input_feature_dimension")], rhs[number("kernel_input_feature_dimension")])
    _inferred(op)


def _reduce(op: OpInstance) -> None:
    for operand in range(len(op.operands) // 2):
        op.program.sizes.tie_all(op.dims(operand), op.dims(0))


def _reduce_window(op: OpInstance) -> None:
    names, whole, out = op.bindings, op.dims(0), op.out()
    windows = op.numbers("window_dimensions")
    strides, bases, dilations = (
        op.numbers(name) or (1,) * len(windows)
        for name in ("window_strides", "base_dilations", "window_dilations")
    )
    paddings = [tuple(pair) for pair in names["padding"] or ()] or [(0, 0)] * len(windows)
    for axis, window in enumerate(windows):
        if (strides[axis], bases[axis], dilations[axis]) != (1, 1, 1):
            continue
        if (window, paddings[axis]) == (1, (0, 0)):
            op.tie(whole[axis], out[axis])
        elif window == op.old(whole[axis]) and sorted(paddings[axis]) == [0, window - 1]:
            _cumulative(op, axis, window, paddings[axis])
    for number in range(1, len(op.results)):
        op.program.sizes.tie_all(op.dims(number), whole)
        op.program.sizes.tie_all(op.out(number), out)
    _inferred(op)


def _cumulative(op: OpInstance, axis: int, window: int, padding: tuple[int, ...]) -> None:
    """Lets a window over all elements so far go on to be one, as those of cumulative sums are."""
    op.tie(op.dims(0)[axis], op.out()[axis])
    op.tie(op.dims(0)[axis], op.parameter("window_dimensions", axis, window))
    index = 2 * axis + padding.index(max(padding))
    edge = op.parameter("padding", index, window - 1)
    op.relate(Derived(edge, (op.dims(0)[axis],), lambda sizes: sizes[0] - 1, "the padding"))


def _select_and_scatter(op: OpInstance) -> None:
    strides, windows = (op.numbers(f"window_{name}") for name in ("strides", "dimensions"))
    paddings = [tuple(pair) for pair in op.bindings["padding"] or ()]
    for axis, (whole, source) in enumerate(zip(op.dims(0), op.dims(1))):
        window = windows[axis] if windows else 1
        stride, padding = (strides[axis] if strides else 1), (sum(paddings[axis]) if paddings else 0)
        if (window, stride, padding) == (1, 1, 0):
            op.tie(whole, source)
        else:
            counted = partial(_window_count, window, stride, padding)
            op.relate(Derived(source, (whole,), counted, "the number of windows"))


def _window_count(window: int, stride: int, padding: int, sizes: Sequence[int]) -> int:
    return max(0, (sizes[0] + padding - window) // stride + 1)


def _gather(op: OpInstance) -> None:
    operand, indices, result = op.dims(0), op.dims(1), op.out()
    batching = op.numbers("operand_batching_dims")
    for one, other in zip(batching, op.numbers("start_indices_batching_dims")):
        op.tie(operand[one], indices[other])
    left_out = {*batching, *op.numbers("collapsed_slice_dims")}
    kept = [axis for axis in range(len(operand)) if axis not in left_out]
    for axis, offset in zip(kept, op.numbers("offset_dims")):
        _window(op, result[offset], operand[axis], op.parameter("slice_sizes", axis, op.old(result[offset])))


def _scatter(op: OpInstance) -> None:
    inputs = len(op.results)
    whole, indices, updates = op.dims(0), op.dims(inputs), op.dims(inputs + 1)
    for number in range(inputs):
        op.program.sizes.tie_all(op.dims(number), whole)
        op.program.sizes.tie_all(op.dims(inputs + 1 + number), updates)
    batching = op.numbers("input_batching_dims")
    for one, other in zip(batching, op.numbers("scatter_indices_batching_dims")):
        op.tie(whole[one], indices[other])
    windows, vector = op.numbers("update_window_dims"), op.number("index_vector_dim")
    batch = [variable for axis, variable in enumerate(indices) if axis != vector]
    op.program.sizes.tie_all(
        batch, [variable for axis, variable in enumerate(updates) if axis not in windows]
    )
    left_out = {*batching, *op.numbers("inserted_window_dims")}
    kept = [axis for axis in range(len(whole)) if axis not in left_out]
    for axis, window in zip(kept, windows):
        _window(op, updates[window], whole[axis])


def _top_k(op: OpInstance) -> None:
    *leading, last = op.dims(0)
    for result in range(len(op.results)):
        for one, other in zip(leading, op.out(result)):
            op.tie(one, other)
    for result in range(1, len(op.results)):
        op.tie(op.out(0)[-1], op.out(result)[-1])
    op.relate(AtMost(op.out(0)[-1], last, op.operation.name))


def _linear_solve(op: OpInstance) -> None:
    op.program.sizes.tie_all(op.dims(0)[:-2], op.out()[:-2])
    axis = -2 if op.bindings["left_side"] else -1
    for variable in op.dims(0)[-2:]:
        op.tie(variable, op.out()[axis])


def _custom_call(op: OpInstance) -> None:
    target = op.operation.attribute("call_target_name")
    rule = op.operation.attribute(SHARDING_RULE)
    if isinstance(target, StringAttr) and target.value in ANNOTATIONS:
        tie_shapes(op)
    elif isinstance(rule, OpShardingRule):
        _sharding_rule(op, rule)
    else:
        _foreign(op)


def _sharding_rule(op: OpInstance, rule: OpShardingRule) -> None:
    """Ties dimensions that a sharding rule splits along one factor; those that no result has are decided."""
    factors = [op.parameter(SHARDING_RULE, *pair) for pair in enumerate(rule.factor_sizes)]
    kept = {factor for mapping in rule.result_mappings for (factor, *_) in mapping}
    open_dims: list[int] = []
    mappings = (*rule.operand_mappings, *rule.result_mappings)
    for number, (value, mapping) in enumerate(zip((*op.operands, *op.results), mappings)):
        for variable, (factor, *more) in zip(op.program.dims(value), mapping):
            if not more:
                op.tie(variable, factors[factor])
            if number < len(op.operands) and (more or factor not in kept):
                open_dims.append(variable)
    if open_dims:
        op.relate(Foreign(tuple(open_dims), op.operation.name))


def _while(op: OpInstance) -> None:
    condition, body = op.regions
    for values in zip(op.operands, op.results, condition.arguments, body.arguments, body.returned):
        for value in values[1:]:
            op.program.tie_values(values[0], value)


def _branch(op: OpInstance) -> None:
    for region in op.regions:
        for returned, result in zip(region.returned, op.results):
            op.program.tie_values(returned, result)


def _call(attribute: str, op: OpInstance) -> None:
    symbol = op.operation.attribute(attribute)
    callee = op.program.instance(symbol.root) if isinstance(symbol, SymbolRefAttr) else None
    if callee is None:
        _foreign(op)
        return
    op.callee = callee
    for operand, argument in zip(op.operands, callee.arguments):
        op.program.tie_values(operand, argument)
    for result, returned in zip(op.results, callee.results):
        op.program.tie_values(result, returned)


PROBE: Final = 1_000_000_007
STEP: Final = 1_000_003
"""Sizes of operands that no size of a result is by chance: the first, and how far apart they are."""
SHARDING_RULE: Final = "sdy.sharding_rule"
CALLEES: Final[Mapping[str, str]] = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that call a function, and the attribute that names it."""

_STABLEHLO: Final[Mapping[str, Rule]] = {
    "broadcast_in_dim": _broadcast_in_dim,
    "case": _branch,
    "concatenate": _concatenate,
    "constant": _constant,
    "convolution": _convolution,
    "custom_call": _custom_call,
    "dot_general": _dot_general,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "if": _branch,
    "iota": lambda op: None,
    "map": tie_shapes,
    "optimization_barrier": _pairwise,
    "pad": _pad,
    "reduce": _reduce,
    "reduce_window": _reduce_window,
    "reshape": _reshape,
    "scatter": _scatter,
    "select_and_scatter": _select_and_scatter,
    "slice": _slice,
    "sort": tie_shapes,
    "triangular_solve": _linear_solve,
    "while": _while,
}
RULES: Final[Mapping[str, Rule]] = {
    **{f"stablehlo.{name}": rule for name, rule in _STABLEHLO.items()},
    **{name: partial(_call, attribute) for name, attribute in CALLEES.items()},
    "chlo.top_k": _top_k,
}

# --- element types -----------------------------------------------------------------------------------------

_OWN_ELEMENTS: Final = frozenset(
    {
        "func.call",
        "stablehlo.bitcast_convert",
        "stablehlo.case",
        "stablehlo.composite",
        "stablehlo.convert",
        "stablehlo.custom_call",
        "stablehlo.if",
        "stablehlo.optimization_barrier",
        "stablehlo.rng_bit_generator",
        "stablehlo.while",
    }
)
"""Operations whose elements are told by what they tie, or are not those of their operands."""
_DATA: Final[Mapping[str, int]] = {
    "stablehlo.dynamic_slice": 1,
    "stablehlo.dynamic_update_slice": 2,
    "stablehlo.gather": 1,
}
"""How many operands are no indices."""


def _tie_elements(op: OpInstance, data: int | None) -> None:
    """Ties the elements that are of one type, those of regions with them."""
    values = [*op.operands[:data], *op.results]
    for region in op.regions:
        values += [*region.arguments, *region.returned]
    first: dict[object, int] = {}
    for value in values:
        variables = op.program.values[value]
        if variables is not None:
            type_ = op.old(variables.element)
            op.tie(first.setdefault(type_, variables.element), variables.element)
