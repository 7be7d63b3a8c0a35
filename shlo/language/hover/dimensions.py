"""How the dimensions of an operation map: the lines of a table with its own numbers.

A line says of a dimension of an operand or a result where it is and what it is for. Names of dimensions are
letters that the operands and results of one operation share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """Returns how an operation's dimensions map, None without a diagram or for a broken operation."""
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
        sides = (bindings[f"{side}_{kind}_dimensions"] for side in ("lhs", "rhs"))
        pairs = list(zip(*sides, strict=True))
        for number, (one, other) in enumerate(pairs):
            left[one] = right[other] = f"{letter}{number}" if len(pairs) > 1 else letter
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
    spatial = (bindings[f"{part}_spatial_dimensions"] for part in ("input", "kernel", "output"))
    windows = [
        _window(
            bindings,
            number,
            (sizes["lhs"][one], sizes["rhs"][other], sizes["result"][out]),
            ("window_strides", "padding", "lhs_dilation", "rhs_dilation"),
        )
        for number, (one, other, out) in enumerate(zip(*spatial, strict=True))
    ]
    legend = "b: batch, f: feature, i and o: features in and out, numbers: space"
    return Diagram((f"{lhs} x {rhs} -> {result}", *windows), legend)


def _roles(bindings: OpBindings, prefix: str, **letters: str) -> Names:
    names = {bindings[f"{prefix}_{role}_dimension"]: letter for role, letter in letters.items()}
    spatial = bindings[f"{prefix}_spatial_dimensions"]
    return {**names, **{dimension: str(number) for number, dimension in enumerate(spatial)}}


def _reduce_window(bindings: OpBindings) -> Diagram:
    windows, attributes = (
        bindings["window_dimensions"],
        ("window_strides", "padding", "base_dilations", "window_dilations"),
    )
    sizes = zip(_sizes(bindings, "inputs"), windows, _sizes(bindings, "results"), strict=True)
    lines = (_window(bindings, number, each, attributes) for number, each in enumerate(sizes))
    return Diagram(tuple(lines), "each window becomes one element of the result")


def _window(bindings: OpBindings, number: int, sizes: tuple[Any, Any, Any], attributes: Sequence[str]) -> str:
    """Returns how a window moves along a dimension; `sizes` are of the operand, the window and the result."""
    strides, paddings, *dilations = (bindings[name] for name in attributes)
    stride, base, dilation = (each[number] if each else 1 for each in (strides, *dilations))
    low, high = paddings[number] if paddings else (0, 0)
    extras = [
        f", stride {stride}" if stride != 1 else "",
        f", padding {low} and {high}" if low or high else "",
        f", base dilation {base}" if base != 1 else "",
        f", window dilation {dilation}" if dilation != 1 else "",
    ]
    operand, window, result = map(_size, sizes)
    return f"dimension {number}: {operand} in windows of {window}{''.join(extras)} -> {result}"


def _gather(bindings: OpBindings) -> Diagram:
    operand, indices, result = _indexed(
        bindings,
        ("operand", "start_indices", "result"),
        ("operand_batching_dims", "start_indices_batching_dims"),
        dict.fromkeys(bindings["collapsed_slice_dims"], "collapsed"),
        bindings["offset_dims"],
        "o",
    )
    slices = (
        f"slices of [{', '.join(map(_size, bindings['slice_sizes']))}] start at the indices of"
        f" dimensions [{', '.join(map(str, bindings['start_index_map']))}]"
    )
    legend = "o: offset in the slice, b: which slice, index: the numbers of one index"
    return Diagram((operand, slices, indices, result), legend)


def _scatter(bindings: OpBindings) -> Diagram:
    inputs, indices, updates = _indexed(
        bindings,
        ("inputs", "scatter_indices", "updates"),
        ("input_batching_dims", "scatter_indices_batching_dims"),
        dict.fromkeys(bindings["inserted_window_dims"], "inserted"),
        bindings["update_window_dims"],
        "w",
    )
    places = ", ".join(map(str, bindings["scatter_dims_to_operand_dims"]))
    windows = f"windows start at the indices of dimensions [{places}]"
    legend = "w: place in the window, b: which window, index: the numbers of one index"
    return Diagram((updates, indices, windows, inputs), legend)


def _indexed(
    bindings: OpBindings,
    tensors: tuple[str, str, str],
    batching: tuple[str, str],
    operand_names: Names,
    offsets: Sequence[int],
    letter: str,
) -> Iterator[str]:
    """Returns the operand, the indices and the slices of a gather or scatter with their dimensions named.

    Args:
        bindings: Those of the operation.
        tensors: What they are called.
        batching: Attributes with the batching dimensions of the operand and of the indices.
        operand_names: Names of dimensions of the operand that slices lack.
        offsets: Dimensions of the slices that are dimensions of the operand.
        letter: What the names of `offsets` begin with.
    """
    operand, indices, slices = (_sizes(bindings, name) for name in tensors)
    vector, shared = bindings["index_vector_dim"], bindings[batching[1]]
    others = (number for number in range(len(indices)) if number != vector)
    batch = {number: f"b{index}{'*' if number in shared else ''}" for index, number in enumerate(others)}
    named = {one: batch[other] for one, other in zip(bindings[batching[0]], shared, strict=True)}
    named = {**operand_names, **named}
    kept = [number for number in range(len(operand)) if number not in named]
    named.update({number: f"{letter}{index}" for index, number in enumerate(kept)})
    slice_names = {dimension: f"{letter}{index}" for index, dimension in enumerate(offsets)}
    rest = [number for number in range(len(slices)) if number not in slice_names]
    slice_names.update(zip(rest, batch.values()))
    names = named, {**batch, vector: "index"}, slice_names
    return map(_shown, tensors, (operand, indices, slices), names)


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
