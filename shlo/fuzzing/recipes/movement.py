"""Operations that move elements."""

from __future__ import annotations

from shlo.fuzzing.maker import HIGHEST_RANK, array_i64
from shlo.fuzzing.scope import ELEMENTS, NotHere, Scope, Value, kind_of
from shlo.fuzzing.values import dtype_named
from shlo.ir.dtypes import bit_width, element_type_for
from shlo.ir.types import ComplexType, RankedTensorType, Type


def reshape(scope: Scope, op: str) -> None:
    """Writes a reshape."""
    value = scope.pick()
    scope.write(op, (value,), (RankedTensorType(other_shape(scope, value), value.element),))


def other_shape(scope: Scope, value: Value) -> tuple[int, ...]:
    """Returns another shape with as many elements."""
    make = scope.make
    sizes = [size for size in value.shape if size != 1]
    make.random.shuffle(sizes)
    while len(sizes) > 1 and make.chance(0.4):
        sizes[:2] = [sizes[0] * sizes[1]]
    for _ in range(make.integer(0, 2)):
        sizes.insert(make.integer(0, len(sizes)), 1)
    return tuple(int(size) for size in sizes)


def transpose(scope: Scope, op: str) -> None:
    """Writes a transpose."""
    value = scope.pick()
    order = scope.make.permutation(len(value.shape))
    type_ = RankedTensorType(tuple(value.shape[axis] for axis in order), value.element)
    scope.write(op, (value,), (type_,), f"permutation = {array_i64(order)}")


def broadcast_in_dim(scope: Scope, op: str) -> None:
    """Writes a broadcast_in_dim."""
    value, shape, axes = broadcasting(scope)
    attributes = f"broadcast_dimensions = {array_i64(axes)}"
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, (value,), (type_,), attributes)


def broadcasting(scope: Scope) -> tuple[Value, tuple[int, ...], list[int]]:
    """Returns a value, a shape to broadcast it to, and the dimensions that its own become."""
    make, value = scope.make, scope.pick()
    rank = make.integer(len(value.shape), max(HIGHEST_RANK, len(value.shape)))
    axes = make.permutation(rank)[: len(value.shape)]
    shape = list(make.shape(rank))
    for size, axis in zip(value.shape, axes):
        shape[axis] = shape[axis] if size == 1 else size
    return value, tuple(shape), axes


def broadcast(scope: Scope, op: str) -> None:
    """Writes a broadcast, the older form."""
    value = scope.pick()
    sizes = scope.make.shape(scope.make.integer(0, 2))
    type_ = RankedTensorType((*sizes, *value.shape), value.element)
    scope.write(op, (value,), (type_,), f"broadcast_sizes = {array_i64(sizes)}")


def slice_(scope: Scope, op: str) -> None:
    """Writes a slice."""
    value = scope.pick()
    starts, limits, strides, shape = slicing(scope, value)
    attributes = (
        f"start_indices = {array_i64(starts)}, limit_indices = {array_i64(limits)}, "
        f"strides = {array_i64(strides)}"
    )
    scope.write(op, (value,), (RankedTensorType(shape, value.element),), attributes)


def slicing(scope: Scope, value: Value) -> tuple[list[int], list[int], list[int], tuple[int, ...]]:
    """Returns starts, limits and strides of a slice, and its shape."""
    make = scope.make
    starts = [make.integer(0, max(size - 1, 0)) for size in value.shape]
    limits = [make.integer(start if make.chance(0.1) else min(start + 1, size), size)
              for start, size in zip(starts, value.shape)]  # fmt: skip
    strides = make.integers(len(value.shape), 1, 3)
    shape = tuple(-(-(limit - start) // stride) for start, limit, stride in zip(starts, limits, strides))
    return starts, limits, strides, shape


def pad(scope: Scope, op: str) -> None:
    """Writes a pad, which may cut elements off."""
    value = scope.pick()
    low, high, interior, shape = padding(scope, value)
    filling = scope.value((), value.element, is_small=value.is_small)
    attributes = (
        f"edge_padding_low = {array_i64(low)}, edge_padding_high = {array_i64(high)}, "
        f"interior_padding = {array_i64(interior)}"
    )
    scope.write(op, (value, filling), (RankedTensorType(shape, value.element),), attributes)


def padding(scope: Scope, value: Value) -> tuple[list[int], list[int], list[int], tuple[int, ...]]:
    """Returns padding low, high and between elements, and the shape that it gives."""
    make, rank = scope.make, len(value.shape)
    low, high, interior = make.integers(rank, -1, 2), make.integers(rank, -1, 2), make.integers(rank, 0, 1)
    spread = [size + max(size - 1, 0) * inner for size, inner in zip(value.shape, interior)]
    high = [max(after, -before - size) for before, after, size in zip(low, high, spread)]
    shape = tuple(size + before + after for size, before, after in zip(spread, low, high))
    return low, high, interior, shape


def concatenate(scope: Scope, op: str) -> None:
    """Writes a concatenation of one to three values."""
    make, first = scope.make, scope.pick()
    if not first.shape:
        raise NotHere
    axis = make.integer(0, len(first.shape) - 1)
    parts = [first]
    for _ in range(make.integer(0, 2)):
        size = first.shape[axis] if make.chance(0.5) else make.integer(0, 4)
        shape = (*first.shape[:axis], size, *first.shape[axis + 1 :])
        parts.append(scope.value(shape, first.element))
    total = sum(part.shape[axis] for part in parts)
    type_ = RankedTensorType((*first.shape[:axis], total, *first.shape[axis + 1 :]), first.element)
    scope.write(op, parts, (type_,), f"dimension = {axis} : i64")


def iota(scope: Scope, op: str) -> None:
    """Writes an iota."""
    shape = scope.make.shape(scope.make.integer(1, 3))
    axis = scope.make.integer(0, len(shape) - 1)
    type_ = RankedTensorType(shape, scope.element("integer", "float", "complex"))
    scope.write(op, (), (type_,), f"iota_dimension = {axis} : i64")


def start_indices(scope: Scope, shape: tuple[int, ...]) -> list[Value]:
    """Returns scalars of one integer type, some of them outside of a value of this shape."""
    element = element_type_for(dtype_named(scope.make.index_name(("int32", "int64", "uint32"))))
    return [scope.value((), element, is_small=scope.make.chance(0.7)) for _ in shape]


def dynamic_slice(scope: Scope, op: str) -> None:
    """Writes a dynamic_slice."""
    value = scope.pick()
    if not value.shape:
        raise NotHere  # jaxlib prints one of a scalar with a comma too many
    sizes = tuple(scope.make.integer(min(size, 1), size) for size in value.shape)
    starts = start_indices(scope, value.shape)
    type_ = RankedTensorType(sizes, value.element)
    scope.write(op, (value, *starts), (type_,), f"slice_sizes = {array_i64(sizes)}")


def dynamic_update_slice(scope: Scope, op: str) -> None:
    """Writes a dynamic_update_slice."""
    value = scope.pick()
    update = scope.value(
        tuple(scope.make.integer(min(size, 1), size) for size in value.shape), value.element, value.is_small
    )
    starts = start_indices(scope, value.shape)
    scope.write(op, (value, update, *starts), (value.type,))


def bitcast_convert(scope: Scope, op: str) -> None:
    """Writes a bitcast_convert, to elements of the same, a smaller or a larger size."""
    value = scope.pick("integer", "float")
    width = bit_width(value.element)
    fitting = [
        type_ for type_ in set_of_bits() if bit_width(type_) % width == 0 or width % bit_width(type_) == 0
    ]
    element = scope.make.choice(fitting)
    other = bit_width(element)
    shape = value.shape
    if other > width:
        if not shape or shape[-1] != other // width:
            shape = (*shape, other // width)
            value = scope.value(shape, value.element)
        shape = shape[:-1]
    elif other < width:
        shape = (*shape, width // other)
    scope.write(op, (value,), (RankedTensorType(shape, element),))


def set_of_bits() -> list[Type]:
    """Returns the types of elements whose bits are all numbers of other types: no booleans, no complex
    numbers.
    """
    return [
        element
        for element in ELEMENTS
        if not isinstance(element, ComplexType) and kind_of(element) != "boolean" and bit_width(element) >= 8
    ]
