"""Values in machine code: numbers in variables, arrays in memory, numbers that are repeated over arrays."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.kernels.shapes import Sizes


class Scalar(Struct, frozen=True):
    """A number: the literal or, where it is a variable, the name of that."""

    number: Number
    text: str
    is_variable: bool

    @property
    def shape(self) -> Sizes:
        """No dimensions."""
        return ()


class Splat(Struct, frozen=True):
    """An array that repeats a number."""

    scalar: Scalar
    shape: Sizes

    @property
    def number(self) -> Number:
        """The type of the elements."""
        return self.scalar.number


class Memory(Struct, frozen=True):
    """An array, row by row. `pointer` is the name of its address; values of one memory have the same."""

    number: Number
    shape: Sizes
    pointer: str


NativeValue = Scalar | Splat | Memory


def load(lines: Lines, value: NativeValue, index: str) -> str:
    """Writes the loading of an element, by its place row by row; any place of a number is itself."""
    if isinstance(value, Splat):
        value = value.scalar
    if isinstance(value, Scalar):
        return lines.value(f"load {value.number.llvm}, ptr {value.text}") if value.is_variable else value.text
    number = value.number
    loaded = lines.value(f"load {number.memory}, ptr {_address(lines, value, index)}")
    return loaded if number.memory == number.llvm else lines.value(f"icmp ne {number.memory} {loaded}, 0")


def store(lines: Lines, target: Memory | Scalar, index: str, element: str) -> None:
    """Writes the storing of an element."""
    if isinstance(target, Scalar):
        lines.line(f"store {target.number.llvm} {element}, ptr {target.text}")
        return
    number = target.number
    if number.memory != number.llvm:
        element = lines.value(f"zext {number.llvm} {element} to {number.memory}")
    lines.line(f"store {number.memory} {element}, ptr {_address(lines, target, index)}")


def _address(lines: Lines, value: Memory, index: str) -> str:
    if index == "0":
        return value.pointer
    return lines.value(f"getelementptr inbounds {value.number.memory}, ptr {value.pointer}, i64 {index}")


class Places(Struct, frozen=True):
    """Where the elements of a part of an array are: at `offset` and the sum of indices times strides."""

    offset: str
    strides: Sequence[int]


def copy(
    lines: Lines, shape: Sizes, target: Memory | Scalar, to: Places, source: NativeValue, origin: Places
) -> None:
    """Writes the copying of elements, one for each index of a shape."""
    if 0 in shape:
        return
    merged, to_strides, from_strides = merged_dimensions(shape, to.strides, origin.strides)
    if isinstance(source, Memory) and isinstance(target, Memory) and (to_strides, from_strides) == ([1], [1]):
        places = _address(lines, target, to.offset), _address(lines, source, origin.offset)
        size = merged[0] * target.number.dtype.itemsize
        lines.line(
            f"call void @llvm.memmove.p0.p0.i64(ptr {places[0]}, ptr {places[1]}, i64 {size}, i1 false)"
        )
        return

    def body(indices: list[str]) -> None:
        element = load(lines, source, lines.affine(origin.offset, indices, from_strides))
        store(lines, target, lines.affine(to.offset, indices, to_strides), element)

    lines.each(merged, body)


def merged_dimensions(shape: Sizes, first: Sequence[int], second: Sequence[int]) -> tuple[list[int], ...]:
    """Returns a shape and strides in which dimensions that lie behind each other in both are one."""
    parts: list[tuple[int, int, int]] = []
    for size, one, other in zip(shape, first, second):
        if parts and parts[-1][1] == one * size and parts[-1][2] == other * size:
            parts[-1] = (parts[-1][0] * size, one, other)
        else:
            parts.append((size, one, other))
    return [part[0] for part in parts], [part[1] for part in parts], [part[2] for part in parts]
