"""Elementwise operations on all element types, with operands of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

FLOATS = {"f32": np.float32, "f64": np.float64}
INTEGERS = {
    f"{prefix}i{width}": np.dtype(f"{kind}{width // 8}")
    for prefix, kind in (("", "i"), ("u", "u"))
    for width in (8, 16, 32, 64)
}
TYPES = {**FLOATS, **INTEGERS, "i1": np.bool_}
UNARY = "abs negate sign not popcnt count_leading_zeros"
OF_FLOATS = (
    "abs negate sign ceil floor sqrt rsqrt cbrt exponential exponential_minus_one log log_plus_one logistic tanh "
    "sine cosine tan round_nearest_afz round_nearest_even"
)
BINARY = "add subtract multiply divide remainder maximum minimum and or xor atan2"
SHIFTS = "shift_left shift_right_arithmetic shift_right_logical"
COMPARISONS = ("EQ", "NE", "GE", "GT", "LE", "LT")
Operation = tuple[str, list[str], str]
"""Name with attributes, types of operands, type of the result."""


def bits(array: Any) -> Any:
    """The bits of an array, those of any NaN the same."""
    if array.dtype.kind in "fc":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.tobytes()


def types_of(operations: list[Operation]) -> list[tuple[str, int]]:
    """The types of the arguments that operations take, each with the place of the operand."""
    return sorted({(type_, place) for _, operands, _ in operations for place, type_ in enumerate(operands)})


def arguments_of(operations: list[Operation], size: int) -> list[Any]:
    """Arguments of `looped`: samples, and zeros."""
    given = [np.resize(samples(type_, place), size) for type_, place in types_of(operations)]
    return [*given, *(np.zeros(size, TYPES[result]) for _, _, result in operations)]


def samples(element: str, seed: int) -> Any:
    """Numbers of all magnitudes and special ones, in another order for each seed."""
    dtype, generator = np.dtype(TYPES[element]), np.random.default_rng(seed)
    if element == "i1":
        return generator.integers(0, 2, 97).astype(bool)
    raw = generator.integers(0, 256, 64 * dtype.itemsize, np.uint8).view(dtype)
    if dtype.kind == "f":
        small = (generator.standard_normal(40) * 3).astype(dtype)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 2.5], dtype)
    else:
        limits = np.iinfo(dtype)
        small = generator.integers(0, min(limits.max, 80), 40).astype(dtype)
        special = np.array([0, 1, limits.max, limits.min, limits.max - 1], dtype)
        special = np.concatenate([special, -special])
    return generator.permutation(np.concatenate([raw, small, special]))


def cases() -> Iterator[Operation]:
    for element in TYPES:
        is_float = element in FLOATS
        unary = OF_FLOATS if is_float else "not" if element == "i1" else UNARY
        binary = [name for name in BINARY.split() if is_float or name != "atan2"]
        if is_float:
            binary = [name for name in binary if name not in ("and", "or", "xor")]
        if element == "i1":
            binary = ["add", "multiply", "maximum", "minimum", "and", "or", "xor"]
        for name in unary.split():
            if not (element.startswith("ui") and name in ("abs", "negate", "sign")):
                yield name, [element], element
        for name in binary:
            yield name, [element] * 2, element
        for name in SHIFTS.split() if element in INTEGERS else ():
            yield name, [element] * 2, element
        if element != "i1":
            yield "clamp", [element] * 3, element
        yield "select", ["i1", element, element], element
        for direction in COMPARISONS:
            yield (
                f"compare {{comparison_direction = #stablehlo<comparison_direction {direction}>}}",
                [element] * 2,
                "i1",
            )
            if is_float:
                order = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
                kind = "compare_type = #stablehlo<comparison_type TOTALORDER>"
                yield f"compare {{{order}, {kind}}}", [element] * 2, "i1"
        for target in TYPES:
            yield "convert", [element], target
            if (
                element != "i1" != target
                and np.dtype(TYPES[element]).itemsize == np.dtype(TYPES[target]).itemsize
            ):
                yield "bitcast_convert", [element], target
        if is_float:
            yield "is_finite", [element], "i1"
