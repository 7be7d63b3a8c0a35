"""How the dimensions of an operation map: the lines of a table with its own numbers.

A line says of a dimension of an operand or a result where it is and what it is for. Names of dimensions are
letters that the operands and results of one operation share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from shlo.dialects.formula.values import Placeholder, Undefined
from shlo.dialects.op_bindings import OpBindings
from shlo.ir.types import RankedTensorType

Names = dict[int, str]
"""What the dimensions of a tensor are called, by their number."""

_LETTERS: Final = "mnopqrstuvwxyzacdefghijl"


class Diagram(NamedTuple):
    """Lines like `lhs [b=2, m=4, k=3]`, in the notation of a program, and what the names refer to."""

    lines: tuple[str, ...]
    legend: str


def diagram_of(bindings: OpBindings) -> Diagram | None:
    """Returns how the dimensions of an operation map, None where it is not one of those that have a picture
    or its numbers do not fit together."""
    draw = DIAGRAMS.get(bindings.op_def.name)
    if draw is None:
        return None
    try:
        return draw(bindings)
    except (Undefined, IndexError, KeyError, TypeError, ValueError, AttributeError):
        return None  # a broken constraint says why


def _dot_general(bindings: OpBindings) -> Diagram:
    lhs, rhs = _sizes(bindings, "lhs"), _sizes(bindings, "rhs")
    left, right = dict[int, str](), dict[int, str]()
    for letter, kind in (("b", "batching"), ("k", "contracting")):
        pairs = zip(bindings[f"lhs_{kind}_dimensions"], bindings[f"rhs_{kind}_dimensions"], strict=True)
        for number, (one, other) in enumerate(pairs):
            left[one] = right[other] = _numbered(letter, number, len(bindings[f"lhs_{kind}_dimensions"]))
    result = [left[each] for each in bindings["lhs_batching_dimensions"]]
    letters = iter(_LETTERS)
    for names, sizes in ((left, lhs), (right, rhs)):
        for number in range(len(sizes)):
            if number not in names:
                names[number] = next(letters)
                result.append(names[number])
    text = f"{_shown('lhs', lhs, left)} x {_shown('rhs', rhs, right)} -> [{', '.join(result)}]"
    return Diagram((text,), "b: batching, k: contracting (summed)")


def _convolution(bindings: OpBindings) -> Diagram:
    sizes = {name: _sizes(bindings, name) for name in ("lhs", "rhs", "result")}
    named: dict[str, Names] = {
        "lhs": _roles(bindings, "input", batch="b", feature="f"),
        "rhs": _roles(bindings, "kernel", input_feature="i", output_feature="o"),
        "result": _roles(bindings, "output", batch="b", feature="f"),
    }
    lhs, rhs, result = (_shown(name, sizes[name], named[name]) for name in sizes)
    windows = [
        _window(
            f"dimension {number}",
            sizes["lhs"][one],
            sizes["rhs"][other],
            sizes["result"][out],
            _at(bindings["window_strides"], number, 1),
            _at(bindings["padding"], number, (0, 0)),
            _at(bindings["lhs_dilation"], number, 1),
            _at(bindings["rhs_dilation"], number, 1),
        )
        for number, (one, other, out) in enumerate(
            zip(
                bindings["input_spatial_dimensions"],
                bindings["kernel_spatial_dimensions"],
                bindings["output_spatial_dimensions"],
                strict=True,
            )
        )
    ]
    legend = "b: batch, f: feature, i and o: features in and out, numbers: space"
    return Diagram((f"{lhs} x {rhs} -> {result}", *windows), legend)


def _roles(bindings: OpBindings, prefix: str, **letters: str) -> Names:
    names = {bindings[f"{prefix}_{role}_dimension"]: letter for role, letter in letters.items()}
    spatial = bindings[f"{prefix}_spatial_dimensions"]
    return {**names, **{dimension: str(number) for number, dimension in enumerate(spatial)}}


def _reduce_window(bindings: OpBindings) -> Diagram:
    sizes, results = _sizes(bindings, "inputs"), _sizes(bindings, "results")
    lines = tuple(
        _window(
            f"dimension {number}",
            size,
            bindings["window_dimensions"][number],
            results[number],
            _at(bindings["window_strides"], number, 1),
            _at(bindings["padding"], number, (0, 0)),
            _at(bindings["base_dilations"], number, 1),
            _at(bindings["window_dilations"], number, 1),
        )
        for number, size in enumerate(sizes)
    )
    return Diagram(lines, "each window becomes one element of the result")


def _window(
    name: str,
    size: Any,
    window: Any,
    result: Any,
    stride: int,
    padding: Sequence[int],
    base: int,
    dilation: int,
) -> str:
    """Returns how a window moves along a dimension; what is as usual is left out."""
    extras = [
        f"stride {stride}" if stride != 1 else "",
        f"padding {padding[0]} and {padding[1]}" if any(padding) else "",
        f"base dilation {base}" if base != 1 else "",
        f"window dilation {dilation}" if dilation != 1 else "",
    ]
    said = "".join(f", {each}" for each in extras if each)
    return f"{name}: {_size(size)} in windows of {_size(window)}{said} -> {_size(result)}"


def _gather(bindings: OpBindings) -> Diagram:
    operand, indices, result = (_sizes(bindings, name) for name in ("operand", "start_indices", "result"))
    vector = bindings["index_vector_dim"]
    slices: Names = dict.fromkeys(bindings["collapsed_slice_dims"], "collapsed")
    offsets = list(bindings["offset_dims"])
    batch = _batch_names(len(indices), vector, bindings["start_indices_batching_dims"])
    slices.update(_pairs(bindings["operand_batching_dims"], bindings["start_indices_batching_dims"], batch))
    kept = [number for number in range(len(operand)) if number not in slices]
    slices.update({number: f"o{index}" for index, number in enumerate(kept)})
    named = {dimension: f"o{index}" for index, dimension in enumerate(offsets)}
    named.update(_filled(len(result), offsets, [batch[each] for each in sorted(batch)]))
    return Diagram(
        (
            _shown("operand", operand, slices),
            f"slices of [{', '.join(map(_size, bindings['slice_sizes']))}] start at the indices of"
            f" dimensions [{', '.join(map(str, bindings['start_index_map']))}]",
            _shown("start_indices", indices, {**batch, vector: "index"}),
            _shown("result", result, named),
        ),
        "o: offset in the slice, b: which slice, index: the numbers of one index",
    )


def _scatter(bindings: OpBindings) -> Diagram:
    inputs, indices, updates = (_sizes(bindings, name) for name in ("inputs", "scatter_indices", "updates"))
    vector = bindings["index_vector_dim"]
    windows: Names = dict.fromkeys(bindings["inserted_window_dims"], "inserted")
    batch = _batch_names(len(indices), vector, bindings["scatter_indices_batching_dims"])
    windows.update(_pairs(bindings["input_batching_dims"], bindings["scatter_indices_batching_dims"], batch))
    kept = [number for number in range(len(inputs)) if number not in windows]
    windows.update({number: f"w{index}" for index, number in enumerate(kept)})
    own = list(bindings["update_window_dims"])
    named = {dimension: f"w{index}" for index, dimension in enumerate(own)}
    named.update(_filled(len(updates), own, [batch[each] for each in sorted(batch)]))
    return Diagram(
        (
            _shown("updates", updates, named),
            _shown("scatter_indices", indices, {**batch, vector: "index"}),
            "windows start at the indices of dimensions "
            f"[{', '.join(map(str, bindings['scatter_dims_to_operand_dims']))}]",
            _shown("inputs", inputs, windows),
        ),
        "w: place in the window, b: which window, index: the numbers of one index",
    )


def _batch_names(rank: int, vector: int, shared: Sequence[int]) -> Names:
    """What the dimensions of indices are called that are no numbers of one index; `shared` ones are also the
    operand's."""
    others = [number for number in range(rank) if number != vector]
    return {number: f"b{index}{'*' if number in shared else ''}" for index, number in enumerate(others)}


def _pairs(ours: Sequence[int], theirs: Sequence[int], names: Names) -> Names:
    return {one: names[other] for one, other in zip(ours, theirs, strict=True)}


def _filled(rank: int, used: Sequence[int], names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yields the names for the dimensions that are not taken, in their order."""
    return zip((number for number in range(rank) if number not in used), names)


def _broadcast_in_dim(bindings: OpBindings) -> Diagram:
    operand, result = _sizes(bindings, "operand"), _sizes(bindings, "result")
    targets = bindings["broadcast_dimensions"]
    named = dict(zip(targets, _LETTERS))
    own = {number: named[target] for number, target in enumerate(targets)}
    grown = [own[number] for number, target in enumerate(targets) if operand[number] != result[target]]
    new = {number: "new" for number in range(len(result)) if number not in named}
    legend = "new: repeated along it" if new else "every dimension of the result is one of the operand"
    stretched = f"; {', '.join(grown)}: stretched from 1" if grown else ""
    text = f"{_shown('operand', operand, own)} -> {_shown('result', result, {**named, **new})}"
    return Diagram((text,), legend + stretched)


DIAGRAMS: Final[Mapping[str, Callable[[OpBindings], Diagram]]] = {
    "stablehlo.dot_general": _dot_general,
    "stablehlo.convolution": _convolution,
    "stablehlo.gather": _gather,
    "stablehlo.scatter": _scatter,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.broadcast_in_dim": _broadcast_in_dim,
}
"""What draws the dimensions of an operation."""


def _sizes(bindings: OpBindings, name: str) -> tuple[Any, ...]:
    """Returns the sizes of a tensor, or of the first of a list of tensors."""
    value = bindings[name]
    first = value if isinstance(value, Placeholder) else cast("tuple[Placeholder, ...]", value)[0]
    type_ = first.type
    if not isinstance(type_, RankedTensorType):
        raise Undefined("no rank")
    return type_.shape


def _shown(name: str, sizes: Sequence[Any], names: Mapping[int, str]) -> str:
    """`lhs [b=2, m=4, k=3]`."""
    items = (f"{names.get(number, '?')}={_size(size)}" for number, size in enumerate(sizes))
    return f"{name} [{', '.join(items)}]"


def _size(size: Any) -> str:
    return str(size) if isinstance(size, int) else "?"


def _numbered(letter: str, number: int, count: int) -> str:
    return f"{letter}{number}" if count > 1 else letter


def _at(values: Any, number: int, usual: Any) -> Any:
    """Returns an item of an attribute that may be absent or empty."""
    return values[number] if values else usual
