"""Operations that move elements: from where in the operands each element of a result comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.interpreter.jit.native.elementwise import Emit, elementwise
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number, number_of
from shlo.interpreter.jit.native.operations.products import sum_layout, write_row_sums
from shlo.interpreter.jit.native.values import Memory, NativeValue, Places, Scalar, copy, load, store
from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.shapes import Sizes, row_major_strides
from shlo.interpreter.runtime.tiers import Unsupported

Write = Callable[[Lines, OpView, Sequence[NativeValue], Memory | Scalar], None]
"""Writes the elements of an operation's result."""


def _strides(shape: Sizes) -> Sizes:
    return tuple(row_major_strides(shape, 1))


def copy_all(lines: Lines, target: Memory | Scalar, source: NativeValue) -> None:
    """Writes the copying of a whole array."""
    whole = Places("0", _strides(target.shape))
    copy(lines, target.shape, target, whole, source, whole)


def _broadcast(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    (source,) = operands
    strides = [0] * len(target.shape)
    own = zip(source.shape, _strides(source.shape), op.integers("broadcast_dimensions"))
    for size, stride, dimension in own:
        strides[dimension] = stride if size != 1 else 0
    copy(lines, target.shape, target, Places("0", _strides(target.shape)), source, Places("0", strides))


def _transpose(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    (source,) = operands
    own = _strides(source.shape)
    strides = [own[dimension] for dimension in op.integers("permutation")]
    copy(lines, target.shape, target, Places("0", _strides(target.shape)), source, Places("0", strides))


def _slice(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    (source,) = operands
    own = _strides(source.shape)
    offset = sum(start * stride for start, stride in zip(op.integers("start_indices"), own))
    strides = [step * stride for step, stride in zip(op.integers("strides"), own)]
    places = Places(str(offset), strides)
    copy(lines, target.shape, target, Places("0", _strides(target.shape)), source, places)


def _reverse(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    (source,) = operands
    dimensions, own = op.integers("dimensions"), _strides(source.shape)
    offset = sum((source.shape[dimension] - 1) * own[dimension] for dimension in dimensions)
    strides = [-stride if dimension in dimensions else stride for dimension, stride in enumerate(own)]
    places = Places(str(offset), strides)
    copy(lines, target.shape, target, Places("0", _strides(target.shape)), source, places)


def _concatenate(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    dimension, strides = op.integer("dimension"), _strides(target.shape)
    start = 0
    for source in operands:
        places = Places(str(start * strides[dimension]), strides)
        copy(lines, source.shape, target, places, source, Places("0", _strides(source.shape)))
        start += source.shape[dimension]


def _pad(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    source, padding = operands
    low, high = op.integers("edge_padding_low"), op.integers("edge_padding_high")
    interior = op.integers("interior_padding")
    if min((*low, *high), default=0) < 0:
        raise Unsupported("negative padding")
    own = _strides(target.shape)
    copy(lines, target.shape, target, Places("0", own), padding, Places("0", [0] * len(own)))
    offset = sum(before * stride for before, stride in zip(low, own))
    strides = [(between + 1) * stride for between, stride in zip(interior, own)]
    copy(
        lines, source.shape, target, Places(str(offset), strides), source, Places("0", _strides(source.shape))
    )


def clamped(lines: Lines, start: NativeValue, index: str, most: int) -> str:
    """Writes the loading of a start index, as 64 bits from 0 to `most`."""
    if most == 0:
        return "0"
    place = wide_index(lines, start, index)
    if start.number.kind is Kind.UNSIGNED:
        return lines.value(f"call i64 @llvm.umin.i64(i64 {place}, i64 {most})")
    place = lines.value(f"call i64 @llvm.smin.i64(i64 {place}, i64 {most})")
    return lines.value(f"call i64 @llvm.smax.i64(i64 {place}, i64 0)")


def wide_index(lines: Lines, start: NativeValue, index: str) -> str:
    """Writes the loading of an index as 64 bits."""
    number, place = start.number, load(lines, start, index)
    if number.kind not in (Kind.SIGNED, Kind.UNSIGNED):
        raise Unsupported("indices")
    if number.bits == 64:
        return place
    extend = "sext" if number.kind is Kind.SIGNED else "zext"
    return lines.value(f"{extend} {number.llvm} {place} to i64")


def _window(lines: Lines, shape: Sizes, sizes: Sizes, starts: Sequence[NativeValue]) -> Places:
    """Returns the places of a window at start indices that are clamped into an array."""
    own = _strides(shape)
    indices = [clamped(lines, start, "0", whole - size) for start, whole, size in zip(starts, shape, sizes)]
    return Places(lines.affine("0", indices, own), own)


def _dynamic_slice(
    lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar
) -> None:
    source, *starts = operands
    places = _window(lines, source.shape, target.shape, starts)
    copy(lines, target.shape, target, Places("0", _strides(target.shape)), source, places)


def _dynamic_update_slice(
    lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar
) -> None:
    source, update, *starts = operands
    if source != target:
        copy_all(lines, target, source)
    places = _window(lines, target.shape, update.shape, starts)
    copy(lines, update.shape, target, places, update, Places("0", _strides(update.shape)))


def _gather(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    source, starts = operands
    numbers, sizes = op.require("dimension_numbers", GatherDimensionNumbers), op.integers("slice_sizes")
    kept = [
        axis
        for axis in range(len(source.shape))
        if axis not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    ]
    own, own_starts = _strides(source.shape), _strides(starts.shape)
    vector, strides = numbers.index_vector_dim, _strides(target.shape)
    batch_axes = [axis for axis in range(len(starts.shape)) if axis != vector]
    step = own_starts[vector] if vector < len(starts.shape) else 0

    def body(indices: list[str]) -> None:
        batch = [index for axis, index in enumerate(indices) if axis not in numbers.offset_dims]
        first = lines.affine("0", batch, [own_starts[axis] for axis in batch_axes])
        place = lines.affine(
            "0", [indices[axis] for axis in numbers.offset_dims], [own[axis] for axis in kept]
        )
        for number, axis in enumerate(numbers.start_index_map):
            at = lines.affine(first, ["1"], [number * step]) if number * step else first
            start = clamped(lines, starts, at, source.shape[axis] - sizes[axis])
            place = lines.affine(place, [start], [own[axis]])
        pairs = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims)
        for axis, paired in pairs:
            place = lines.affine(place, [batch[batch_axes.index(paired)]], [own[axis]])
        store(lines, target, lines.affine("0", indices, strides), load(lines, source, place))

    if 0 not in target.shape:
        lines.each(target.shape, body)


def _scatter(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    """One window in each part of the operand that batching dimensions make: with several, the order of what
    is combined would count."""
    if len(operands) != 3 or op.semantics != "spec":
        raise Unsupported("scatter")
    source, starts, updates = operands
    numbers = op.require("scatter_dimension_numbers", ScatterDimensionNumbers)
    vector = numbers.index_vector_dim
    batch_axes = [axis for axis in range(len(starts.shape)) if axis != vector]
    batching = dict(zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims))
    counts = [starts.shape[axis] for axis in batch_axes if axis not in batching.values()]
    if starts.number.kind is Kind.UNSIGNED and starts.number.bits == 64:
        raise Unsupported("starts whose sums wrap")
    if any(count != 1 for count in counts) or 0 in updates.shape:
        raise Unsupported("several windows")
    combine = combiner(op.bodies[0], op)
    if source != target:
        copy_all(lines, target, source)
    shape, own, strides = target.shape, _strides(target.shape), _strides(updates.shape)
    own_starts = _strides(starts.shape)
    step = own_starts[vector] if vector < len(starts.shape) else 0
    windows = [axis for axis in range(len(shape)) if axis not in (*numbers.inserted_window_dims, *batching)]

    def body(indices: list[str]) -> None:
        coordinates: list[str] = ["0"] * len(shape)
        for axis, dimension in zip(windows, numbers.update_window_dims):
            coordinates[axis] = indices[dimension]
        batch = [index for axis, index in enumerate(indices) if axis not in numbers.update_window_dims]
        for axis, paired in batching.items():
            coordinates[axis] = batch[batch_axes.index(paired)]
        first = lines.affine("0", batch, [own_starts[axis] for axis in batch_axes])
        inside = "true"
        for number, axis in enumerate(numbers.scatter_dims_to_operand_dims):
            start = wide_index(lines, starts, lines.affine(first, ["1"], [number * step]))
            place = coordinates[axis]
            place = start if place == "0" else lines.value(f"add i64 {start}, {place}")
            fits = lines.value(f"icmp ult i64 {place}, {shape[axis]}")
            inside = fits if inside == "true" else lines.value(f"and i1 {inside}, {fits}")
            coordinates[axis] = place
        then, after = lines.label(), lines.label()
        lines.branch(inside, then, after)
        lines.begin(then)
        at = lines.affine("0", coordinates, own)
        update = load(lines, updates, lines.affine("0", indices, strides))
        if combine is not None:
            update = combine(lines, target.number, [load(lines, target, at), update])
        store(lines, target, at, update)
        lines.jump(after)
        lines.begin(after)

    lines.each(updates.shape, body)


def combiner(body: Body, op: OpView) -> Emit | None:
    """Returns what combines an element and an update, None where the update takes its place; raises
    Unsupported for any other region."""
    if body.returned_arguments == (1,):
        return None
    signature = body.single_operation
    if signature is None or len(signature.operand_types) != 2:
        raise Unsupported("a region")
    number = number_of(signature.operand_types[0])
    emit = elementwise(OpView(signature), number, number_of(signature.result_types[0]))
    if emit is None or number != number_of(op.result_types[0]):
        raise Unsupported("a region")
    return emit


_EXACT = ("add", "and", "maximum", "minimum", "multiply", "or", "xor")
"""Operations whose order of combination changes no bit of integers; of floats only the extremes."""


def exact_combiner(op: OpView, number: Number) -> Emit | None:
    """Returns what combines two elements of a reduction of a type whose order changes no bit; None for any
    other. Raises Unsupported where there is no machine code.
    """
    exact = _EXACT if number.kind is not Kind.FLOAT else ("maximum", "minimum")
    return combiner(op.bodies[0], op) if _combines_by(op) in exact else None


def _combines_by(op: OpView) -> str:
    signature = op.bodies[0].single_operation
    return "" if signature is None else signature.name.removeprefix("stablehlo.")


def _reduce(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    number = target.number
    if number.kind is Kind.FLOAT and _combines_by(op) == "add" and len(operands) == 2:
        _sum(lines, op, operands, target)
        return
    combine = exact_combiner(op, number)
    if len(operands) != 2 or combine is None or operands[0].number != number:
        raise Unsupported("reduce")
    source, initial = operands
    dimensions, own = op.integers("dimensions"), _strides(source.shape)
    kept = [axis for axis in range(len(source.shape)) if axis not in dimensions]
    total = Scalar(number, lines.variable(number.llvm), is_variable=True)

    def body(indices: list[str]) -> None:
        first = lines.affine("0", indices, [own[axis] for axis in kept])
        store(lines, total, "0", load(lines, initial, "0"))

        def more(inner: list[str]) -> None:
            at = lines.affine(first, inner, [own[axis] for axis in dimensions])
            store(
                lines, total, "0", combine(lines, number, [load(lines, total, "0"), load(lines, source, at)])
            )

        if 0 not in source.shape:
            lines.each([source.shape[axis] for axis in dimensions], more)
        at = lines.affine("0", indices, _strides(target.shape))
        store(lines, target, at, load(lines, total, "0"))

    if 0 not in target.shape:
        lines.each(target.shape, body)


def _sum(lines: Lines, op: OpView, operands: Sequence[NativeValue], target: Memory | Scalar) -> None:
    """Writes the sums of floats along dimensions, in NumPy's order."""
    (source, initial), number = operands, target.number
    if not isinstance(source, Memory) or any(operand.number != number for operand in operands):
        raise Unsupported("a sum of floats")
    rows, columns, is_of_rows = sum_layout(source.shape, op.integers("dimensions"))
    totals = target if isinstance(target, Memory) else Memory(number, (), lines.scratch(number.llvm))
    start = load(lines, initial, "0")
    lines.each([rows if is_of_rows else columns], lambda at: store(lines, totals, at[0], start))
    if is_of_rows:
        write_row_sums(lines, number, source.pointer, totals.pointer, rows, columns)
    else:

        def add(indices: list[str]) -> None:
            each = load(lines, source, lines.affine("0", indices, [columns, 1]))
            total = load(lines, totals, indices[1])
            store(lines, totals, indices[1], lines.value(f"fadd {number.llvm} {total}, {each}"))

        lines.each([rows, columns], add)
    if not isinstance(target, Memory):
        store(lines, target, "0", load(lines, totals, "0"))


MOVEMENT: dict[str, Write] = {
    "broadcast_in_dim": _broadcast,
    "concatenate": _concatenate,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "pad": _pad,
    "reverse": _reverse,
    "reduce": _reduce,
    "scatter": _scatter,
    "slice": _slice,
    "transpose": _transpose,
}
IN_PLACE = ("dynamic_update_slice", "scatter")
"""Operations that may write into the memory of their first operand."""
