"""What each operation ties and relates: sizes of operands, results and attributes, element types.

A rule is a function of a site; `RULES` holds them by the operation's name. Elementwise operations need none,
and of others that have none the definition is asked what results follow (`Inferred`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from shlo.dialects.inference import infer_operation
from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS
from shlo.ir.attributes import StringAttr, SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import RankedTensorType
from shlo.transforms.propagation.program import Site
from shlo.transforms.propagation.relations import (
    AtMost,
    Derived,
    Foreign,
    Grows,
    Inferred,
    Listed,
    Part,
)
from shlo.transforms.propagation.sizes import Sizes
from shlo.verifier.op_context import region_type

Rule = Callable[[Site], None]


def relate_site(site: Site) -> None:
    """Adds what an operation says of sizes and element types."""
    rule = RULES.get(site.operation.name)
    if rule is not None:
        rule(site)
    elif site.op_def is None:
        _foreign(site)
    elif site.op_def.has("elementwise") or site.op_def.has("annotation"):
        tie_shapes(site)
    elif not site.op_def.has("constant"):
        _inferred(site)
    if site.operation.name not in _OWN_ELEMENTS:
        _tie_elements(site, _DATA.get(site.operation.name))


# --- parts of rules ----------------------------------------------------------------------------------------


def tie_shapes(site: Site) -> None:
    """Ties the shapes of all operands and results that are of the rank of the first result or operand."""
    values = [*site.results, *site.operands]
    shapes = [site.program.dims(value) for value in values]
    for shape in shapes[1:]:
        site.program.sizes.tie_all(shapes[0], shape)


def _pairwise(site: Site) -> None:
    """Ties each operand to the result of its number."""
    for operand, result in zip(site.operands, site.results):
        site.program.tie_values(operand, result)


def _foreign(site: Site) -> None:
    dims = _all_dims(site, site.operands)
    if dims and any(site.program.dims(result) for result in site.results):
        site.relate(Foreign(dims, site.operation.name))


def _all_dims(site: Site, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(variable for value in values for variable in site.program.dims(value))


def _inferred(site: Site) -> None:
    operands, results = _all_dims(site, site.operands), _all_dims(site, site.results)
    if operands and results:
        site.relate(Inferred(operands, results, partial(_inferred_sizes, site), site.operation.name))


def _inferred_sizes(site: Site, sizes: Sizes) -> list[int | None]:
    """Returns the sizes of an operation's results for the operands of now, None for one that is not known."""
    operation = site.operation
    operands = tuple(map(site.program.type_of, site.operands))
    regions = tuple(map(region_type, operation.regions))
    inferred = infer_operation(
        operation.name, operands, operation.signature.properties, regions, len(site.results)
    )
    collected: list[int | None] = []
    for type_, result in zip(inferred, site.results):
        dims = site.program.dims(result)
        is_known = isinstance(type_, RankedTensorType) and type_.rank == len(dims)
        collected += type_.shape if is_known and isinstance(type_, RankedTensorType) else [None] * len(dims)
    return collected


def _window(site: Site, part: int, whole: int, parameter: int | None = None) -> None:
    """Ties a part of a dimension to the whole where it is all of it; otherwise it stays as long as it is."""
    if parameter is not None:
        site.tie(part, parameter)
    if site.old(part) == site.old(whole):
        site.tie(part, whole)
    else:
        site.relate(AtMost(part, whole, site.operation.name))


# --- rules -------------------------------------------------------------------------------------------------


def _constant(site: Site) -> None:
    value = site.operation.attribute("value")
    if not isinstance(value, DenseElementsAttr) or not (value.array.ndim == 0 or value.is_splat):
        site.relate(Listed(site.out()))


def _transpose(site: Site) -> None:
    for result, operand in zip(site.out(), site.numbers("permutation")):
        site.tie(site.dims(0)[operand], result)


def _broadcast_in_dim(site: Site) -> None:
    for operand, axis in zip(site.dims(0), site.numbers("broadcast_dimensions")):
        result = site.out()[axis]
        if site.old(operand) != 1:
            site.tie(operand, result)
        else:
            site.relate(Grows(operand, result))


def _reshape(site: Site) -> None:
    for ones, others in grouped_dims(site.dims(0), site.out(), site.program.sizes.old):
        if len(ones) == len(others) == 1:
            site.tie(ones[0], others[0])
        elif ones or others:
            site.program.products.append((site, ones, others))


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


def _concatenate(site: Site) -> None:
    axis = site.number("dimension")
    for operand in range(len(site.operands)):
        for number, (one, other) in enumerate(zip(site.dims(operand), site.out())):
            if number != axis:
                site.tie(one, other)
    parts = tuple(site.dims(operand)[axis] for operand in range(len(site.operands)))
    site.relate(Derived(site.out()[axis], parts, sum, "the concatenated dimension"))


def _slice(site: Site) -> None:
    starts, limits, strides = (site.numbers(name) for name in ("start_indices", "limit_indices", "strides"))
    for axis, (start, limit, stride) in enumerate(zip(starts, limits, strides)):
        whole, result = site.dims(0)[axis], site.out()[axis]
        limit_variable = site.parameter("limit_indices", axis, limit)
        if (start, limit, stride) == (0, site.old(whole), 1):
            site.tie(whole, result)
            site.tie(whole, limit_variable)
            continue
        start_variable = site.parameter("start_indices", axis, start)
        share = _share(start, limit, stride, site.old(whole))
        site.relate(Part(whole, start_variable, limit_variable, result, stride, share))


def _share(start: int, limit: int, stride: int, whole: int) -> tuple[int, int]:
    """Returns the number of a part among equal ones and their number; (0, 0) where it need not be one: a part
    of one element is an element, and the first and last of many are short ends."""
    length = limit - start
    if stride != 1 or length < 2 or whole % length or start % length or whole // length > 4:
        return 0, 0
    return start // length, whole // length


def _dynamic_slice(site: Site) -> None:
    for axis, (whole, result) in enumerate(zip(site.dims(0), site.out())):
        _window(site, result, whole, site.parameter("slice_sizes", axis, site.old(result)))


def _dynamic_update_slice(site: Site) -> None:
    for whole, result, update in zip(site.dims(0), site.out(), site.dims(1)):
        site.tie(whole, result)
        _window(site, update, whole)


def _pad(site: Site) -> None:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    for axis, (low, high, interior) in enumerate(zip(*(site.numbers(name) for name in names))):
        operand, result = site.dims(0)[axis], site.out()[axis]
        if (low, high, interior) == (0, 0, 0):
            site.tie(operand, result)
        else:
            padded = partial(_padded, low + high, interior)
            site.relate(Derived(result, (operand,), padded, "the padded dimension"))


def _padded(edges: int, interior: int, sizes: Sequence[int]) -> int:
    return sizes[0] + edges + max(0, sizes[0] - 1) * interior


def _dot_general(site: Site) -> None:
    lhs, rhs, result = site.dims(0), site.dims(1), iter(site.out())
    batching = [*zip(site.numbers("lhs_batching_dimensions"), site.numbers("rhs_batching_dimensions"))]
    contracting = [
        *zip(site.numbers("lhs_contracting_dimensions"), site.numbers("rhs_contracting_dimensions"))
    ]
    for one, other in (*batching, *contracting):
        site.tie(lhs[one], rhs[other])
    for one, _ in batching:
        site.tie(lhs[one], next(result))
    for side, number in ((lhs, 0), (rhs, 1)):
        taken = {pair[number] for pair in (*batching, *contracting)}
        for axis, variable in enumerate(side):
            if axis not in taken:
                site.tie(variable, next(result))


def _convolution(site: Site) -> None:
    lhs, rhs, result, number = site.dims(0), site.dims(1), site.out(), site.number
    if number("batch_group_count") == 1:
        site.tie(lhs[number("input_batch_dimension")], result[number("output_batch_dimension")])
        site.tie(rhs[number("kernel_output_feature_dimension")], result[number("output_feature_dimension")])
    if number("feature_group_count") == 1:
        site.tie(lhs[number("input_feature_dimension")], rhs[number("kernel_input_feature_dimension")])
    _inferred(site)


def _reduce(site: Site) -> None:
    reduced = set(site.numbers("dimensions"))
    inputs = len(site.operands) // 2
    kept = [axis for axis in range(len(site.dims(0))) if axis not in reduced]
    for operand in range(inputs):
        site.program.sizes.tie_all(site.dims(operand), site.dims(0))
        site.program.sizes.tie_all([site.dims(operand)[axis] for axis in kept], site.out(operand))


def _reduce_window(site: Site) -> None:
    names, whole, out = site.bindings, site.dims(0), site.out()
    windows = site.numbers("window_dimensions")
    strides, bases, dilations = (
        site.numbers(name) or (1,) * len(windows)
        for name in ("window_strides", "base_dilations", "window_dilations")
    )
    paddings = [tuple(pair) for pair in names["padding"] or ()] or [(0, 0)] * len(windows)
    for axis, window in enumerate(windows):
        if (strides[axis], bases[axis], dilations[axis]) != (1, 1, 1):
            continue
        if (window, paddings[axis]) == (1, (0, 0)):
            site.tie(whole[axis], out[axis])
        elif window == site.old(whole[axis]) and sorted(paddings[axis]) == [0, window - 1]:
            _cumulative(site, axis, window, paddings[axis])
    for number in range(1, len(site.results)):
        site.program.sizes.tie_all(site.dims(number), whole)
        site.program.sizes.tie_all(site.out(number), out)
    _inferred(site)


def _cumulative(site: Site, axis: int, window: int, padding: tuple[int, ...]) -> None:
    """Lets a window over all elements so far go on to be one, as those of cumulative sums are."""
    site.tie(site.dims(0)[axis], site.out()[axis])
    site.tie(site.dims(0)[axis], site.parameter("window_dimensions", axis, window))
    index = 2 * axis + padding.index(max(padding))
    edge = site.parameter("padding", index, window - 1)
    site.relate(Derived(edge, (site.dims(0)[axis],), lambda sizes: sizes[0] - 1, "the padding"))


def _select_and_scatter(site: Site) -> None:
    site.program.sizes.tie_all(site.dims(0), site.out())
    strides, windows = (site.numbers(f"window_{name}") for name in ("strides", "dimensions"))
    paddings = [tuple(pair) for pair in site.bindings["padding"] or ()]
    for axis, (whole, source) in enumerate(zip(site.dims(0), site.dims(1))):
        window = windows[axis] if windows else 1
        stride, padding = (strides[axis] if strides else 1), (sum(paddings[axis]) if paddings else 0)
        if (window, stride, padding) == (1, 1, 0):
            site.tie(whole, source)
        else:
            count = partial(_window_count, window, stride, padding)
            site.relate(Derived(source, (whole,), count, "the number of windows"))


def _window_count(window: int, stride: int, padding: int, sizes: Sequence[int]) -> int:
    return max(0, (sizes[0] + padding - window) // stride + 1)


def _gather(site: Site) -> None:
    operand, indices, result = site.dims(0), site.dims(1), site.out()
    batching = site.numbers("operand_batching_dims")
    for one, other in zip(batching, site.numbers("start_indices_batching_dims")):
        site.tie(operand[one], indices[other])
    offsets, vector = site.numbers("offset_dims"), site.number("index_vector_dim")
    batch = [variable for axis, variable in enumerate(indices) if axis != vector]
    site.program.sizes.tie_all(
        batch, [variable for axis, variable in enumerate(result) if axis not in offsets]
    )
    left_out = {*batching, *site.numbers("collapsed_slice_dims")}
    kept = [axis for axis in range(len(operand)) if axis not in left_out]
    for axis, offset in zip(kept, offsets):
        _window(
            site, result[offset], operand[axis], site.parameter("slice_sizes", axis, site.old(result[offset]))
        )


def _scatter(site: Site) -> None:
    inputs = len(site.results)
    whole, indices, updates = site.dims(0), site.dims(inputs), site.dims(inputs + 1)
    for number in range(inputs):
        site.program.sizes.tie_all(site.dims(number), site.out(number))
        site.program.sizes.tie_all(site.dims(number), whole)
        site.program.sizes.tie_all(site.dims(inputs + 1 + number), updates)
    batching = site.numbers("input_batching_dims")
    for one, other in zip(batching, site.numbers("scatter_indices_batching_dims")):
        site.tie(whole[one], indices[other])
    windows, vector = site.numbers("update_window_dims"), site.number("index_vector_dim")
    batch = [variable for axis, variable in enumerate(indices) if axis != vector]
    site.program.sizes.tie_all(
        batch, [variable for axis, variable in enumerate(updates) if axis not in windows]
    )
    left_out = {*batching, *site.numbers("inserted_window_dims")}
    kept = [axis for axis in range(len(whole)) if axis not in left_out]
    for axis, window in zip(kept, windows):
        _window(site, updates[window], whole[axis])


def _top_k(site: Site) -> None:
    *leading, last = site.dims(0)
    for result in range(len(site.results)):
        for one, other in zip(leading, site.out(result)):
            site.tie(one, other)
    for result in range(1, len(site.results)):
        site.tie(site.out(0)[-1], site.out(result)[-1])
    site.relate(AtMost(site.out(0)[-1], last, site.operation.name))


def _linear_solve(site: Site) -> None:
    site.program.sizes.tie_all(site.dims(1), site.out())
    site.program.sizes.tie_all(site.dims(0)[:-2], site.out()[:-2])
    axis = -2 if site.bindings["left_side"] else -1
    for variable in site.dims(0)[-2:]:
        site.tie(variable, site.out()[axis])


def _custom_call(site: Site) -> None:
    target = site.operation.attribute("call_target_name")
    rule = site.operation.attribute(SHARDING_RULE)
    if isinstance(target, StringAttr) and target.value in ANNOTATIONS:
        tie_shapes(site)
    elif isinstance(rule, OpShardingRule):
        _sharding_rule(site, rule)
    else:
        _foreign(site)


def _sharding_rule(site: Site, rule: OpShardingRule) -> None:
    """Ties dimensions that a sharding rule splits along one factor; those that no result has are decided."""
    factors = [site.parameter(SHARDING_RULE, *pair) for pair in enumerate(rule.factor_sizes)]
    kept = {factor for mapping in rule.result_mappings for (factor, *_) in mapping}
    open_dims: list[int] = []
    mappings = (*rule.operand_mappings, *rule.result_mappings)
    for number, (value, mapping) in enumerate(zip((*site.operands, *site.results), mappings)):
        for variable, (factor, *more) in zip(site.program.dims(value), mapping):
            if not more:
                site.tie(variable, factors[factor])
            if number < len(site.operands) and (more or factor not in kept):
                open_dims.append(variable)
    if open_dims:
        site.relate(Foreign(tuple(open_dims), site.operation.name))


def _while(site: Site) -> None:
    condition, body = site.regions
    for values in zip(site.operands, site.results, condition.arguments, body.arguments, body.returned):
        for value in values[1:]:
            site.program.tie_values(values[0], value)


def _branch(site: Site) -> None:
    for region in site.regions:
        for returned, result in zip(region.returned, site.results):
            site.program.tie_values(returned, result)


def _call(attribute: str, site: Site) -> None:
    symbol = site.operation.attribute(attribute)
    callee = site.program.instance(symbol.root) if isinstance(symbol, SymbolRefAttr) else None
    if callee is None:
        _foreign(site)
        return
    site.callee = callee
    for operand, argument in zip(site.operands, callee.arguments):
        site.program.tie_values(operand, argument)
    for result, returned in zip(site.results, callee.results):
        site.program.tie_values(result, returned)


SHARDING_RULE: Final = "sdy.sharding_rule"
CALLEES: Final[Mapping[str, str]] = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that call a function, and the attribute that names it."""

_STABLEHLO: Final[Mapping[str, Rule]] = {
    "all_reduce": tie_shapes,
    "broadcast_in_dim": _broadcast_in_dim,
    "case": _branch,
    "cholesky": tie_shapes,
    "collective_broadcast": tie_shapes,
    "collective_permute": tie_shapes,
    "concatenate": _concatenate,
    "constant": _constant,
    "convolution": _convolution,
    "custom_call": _custom_call,
    "dot_general": _dot_general,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "if": _branch,
    "iota": lambda site: None,
    "map": tie_shapes,
    "optimization_barrier": _pairwise,
    "pad": _pad,
    "reduce": _reduce,
    "reduce_window": _reduce_window,
    "reshape": _reshape,
    "reverse": tie_shapes,
    "scatter": _scatter,
    "select_and_scatter": _select_and_scatter,
    "slice": _slice,
    "sort": tie_shapes,
    "transpose": _transpose,
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


def _tie_elements(site: Site, data: int | None) -> None:
    """Ties the elements that are of one type, those of regions with them."""
    values = [*site.operands[:data], *site.results]
    for region in site.regions:
        values += [*region.arguments, *region.returned]
    first: dict[object, int] = {}
    for value in values:
        variables = site.program.values[value]
        if variables is not None:
            type_ = site.old(variables.element)
            site.tie(first.setdefault(type_, variables.element), variables.element)
