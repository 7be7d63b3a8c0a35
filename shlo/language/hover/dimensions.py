"""How the dimensions of an operation map: the lines of a table with its own numbers.

A line says of a dimension of an operand or a result where it is and what it is for. Names of dimensions are
letters that the operands and results of one operation share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import Struct

from shlo.dialects.formula.values import Placeholder, Undefined
from shlo.dialects.op_bindings import OpBindings
from shlo.ir.types import RankedTensorType

Names = dict[int, str]
"""What the dimensions of a tensor are called, by their number."""

MAX_PIECES: Final = 8
"""How many inputs of a concatenation are drawn."""
_LETTERS: Final = "mnopqrstuvwxyzacdefghijl"


class Diagram(Struct, frozen=True):
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
    result = [left[dimension] for dimension in bindings["lhs_batching_dimensions"]]
    letters = iter(_LETTERS)
    for names, sizes in ((left, lhs), (right, rhs)):
        for number in range(len(sizes)):
            if number not in names:
                names[number] = next(letters)
                result.append(names[number])
    text = f"{_shown('lhs', lhs, left)} x {_shown('rhs', rhs, right)} -> [{', '.join(result)}]"
    roles = (("b", "batching"), ("k", "contracting (summed)"))
    used = {name[0] for name in left.values()}
    return Diagram((text,), ", ".join(f"{letter}: {role}" for letter, role in roles if letter in used))


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
    space = ", numbers: space" if sizes["lhs"][2:] else ""
    legend = f"b: batch, f: feature, i and o: features in and out{space}"
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
    lines = (_window(bindings, number, window_sizes, attributes) for number, window_sizes in enumerate(sizes))
    return Diagram(tuple(lines), "each window becomes one element of the result")


def _window(bindings: OpBindings, number: int, sizes: tuple[Any, Any, Any], attributes: Sequence[str]) -> str:
    """Returns how a window moves along a dimension; `sizes` are of the operand, the window and the result."""
    strides, paddings, *dilations = (bindings[name] for name in attributes)
    stride, base, dilation = (factors[number] if factors else 1 for factors in (strides, *dilations))
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
    legend = _legend(operand + indices + result, o="offset in the slice", b="which slice")
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
    legend = _legend(updates + indices + inputs, w="place in the window", b="which window")
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
    remaining = [number for number in range(len(operand)) if number not in named]
    named.update({number: f"{letter}{index}" for index, number in enumerate(remaining)})
    slice_names = {dimension: f"{letter}{index}" for index, dimension in enumerate(offsets)}
    rest = [number for number in range(len(slices)) if number not in slice_names]
    slice_names.update(zip(rest, batch.values()))
    names = named, {**batch, vector: "index"}, slice_names
    return map(_shown, tensors, (operand, indices, slices), names)


def _broadcast_in_dim(bindings: OpBindings) -> Diagram:
    operand, result = _sizes(bindings, "operand"), _sizes(bindings, "result")
    targets = bindings["broadcast_dimensions"]
    named = dict(zip(targets, _LETTERS))
    operand_names = {number: named[target] for number, target in enumerate(targets)}
    grown = [
        operand_names[number] for number, target in enumerate(targets) if operand[number] != result[target]
    ]
    new = {number: "new" for number in range(len(result)) if number not in named}
    legend = "new: repeated along it" if new else "every dimension of the result is one of the operand"
    stretched = f"; {', '.join(grown)}: stretched from 1" if grown else ""
    text = f"{_shown('operand', operand, operand_names)} -> {_shown('result', result, {**named, **new})}"
    return Diagram((text,), legend + stretched)


def _transpose(bindings: OpBindings) -> Diagram:
    operand, permutation = _sizes(bindings, "operand"), bindings["permutation"]
    operand_names = dict(zip(range(len(operand)), _LETTERS))
    permuted = {number: operand_names[source] for number, source in enumerate(permutation)}
    result = tuple(operand[source] for source in permutation)
    return Diagram(
        (f"{_shown('operand', operand, operand_names)} -> {_shown('result', result, permuted)}",), ""
    )


def _reshape(bindings: OpBindings) -> Diagram:
    """Draws which dimensions are merged or split: the smallest groups of equal products."""
    operand, result = _sizes(bindings, "operand"), _sizes(bindings, "result")
    if 0 in operand or not all(isinstance(size, int) for size in operand + result):
        raise Undefined("no sizes")
    groups: list[str] = []
    left, right = 0, 0
    while left < len(operand) or right < len(result):
        first, other = left, right
        one, two = 1, 1
        while (left == first and right == other) or one != two:
            if (one <= two and left < len(operand)) or right == len(result):
                one, left = one * operand[left], left + 1
            else:
                two, right = two * result[right], right + 1
        if operand[first:left] != result[other:right]:
            groups.append(f"[{_joined(operand[first:left])}] -> [{_joined(result[other:right])}]")
        else:
            groups.append(f"[{_joined(operand[first:left])}]")
    return Diagram((", ".join(groups),), "in the order of memory; each bracket keeps its elements")


def _slice(bindings: OpBindings) -> Diagram:
    operand, result = _sizes(bindings, "operand"), _sizes(bindings, "result")
    ranges = zip(*(bindings[name] for name in ("start_indices", "limit_indices", "strides")), strict=True)
    lines = tuple(
        f"dimension {number}: {start} to {limit - 1} of {_size(operand[number])}"
        f"{f', every {stride}.' if stride != 1 else ''} -> {_size(result[number])}"
        for number, (start, limit, stride) in enumerate(ranges)
        if (start, limit, stride) != (0, operand[number], 1)
    )
    return Diagram(lines or ("the whole operand",), "other dimensions are whole" if lines else "")


def _concatenate(bindings: OpBindings) -> Diagram:
    dimension, start = bindings["dimension"], 0
    pieces: list[str] = []
    for number, input_ in enumerate(bindings["inputs"]):
        size = input_.type.shape[dimension]
        if number < MAX_PIECES:
            pieces.append(f"{start} to {start + size - 1}: input {number}")
        start += size
    more = f" and {len(bindings['inputs']) - MAX_PIECES} more" if len(bindings["inputs"]) > MAX_PIECES else ""
    return Diagram((f"dimension {dimension} of {start}", *pieces), more.strip())


def _reduce(bindings: OpBindings) -> Diagram:
    operand, dimensions = _sizes(bindings, "inputs"), bindings["dimensions"]
    letters = iter(_LETTERS)
    operand_names = {
        number: "reduced" if number in dimensions else next(letters) for number in range(len(operand))
    }
    remaining = [number for number in range(len(operand)) if number not in dimensions]
    result = {index: operand_names[number] for index, number in enumerate(remaining)}
    shape = tuple(operand[number] for number in remaining)
    return Diagram((f"{_shown('input', operand, operand_names)} -> {_shown('result', shape, result)}",), "")


def _legend(drawn: str, **roles: str) -> str:
    """Returns what those letters mean that occur in a drawing."""
    meanings = [f"{letter}: {role}" for letter, role in roles.items() if re.search(rf"\b{letter}\d", drawn)]
    return ", ".join([*meanings, *(["index: the numbers of one index"] if "index=" in drawn else [])])


def _joined(sizes: Sequence[int]) -> str:
    return ", ".join(map(str, sizes))


DIAGRAMS: Final[Mapping[str, Callable[[OpBindings], Diagram]]] = {
    "stablehlo.dot_general": _dot_general,
    "stablehlo.convolution": _convolution,
    "stablehlo.gather": _gather,
    "stablehlo.scatter": _scatter,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.broadcast_in_dim": _broadcast_in_dim,
    "stablehlo.transpose": _transpose,
    "stablehlo.reshape": _reshape,
    "stablehlo.slice": _slice,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.reduce": _reduce,
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
