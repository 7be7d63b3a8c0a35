"""Constraints of quantized types and of constants.

All of them are checked where a type or a constant is read, or by the kinds of operands, which take
well-formed types alone; so they have no codes of their own.

Specification: "Types", "Constants".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shlo.dialects.opdef import Constraint, constraint

TYPE_CONSTRAINTS: Final[Mapping[str, tuple[Constraint, ...]]] = {
    "quantized_type": (
        constraint("C1", "type(storage_min) = storage_type"),
        constraint("C2", "type(storage_max) = storage_type"),
        constraint(
            "C3",
            "min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)",
        ),
        constraint("C4", "type(scales...) = expressed_type"),
        constraint("C5", "0 < scales"),
        constraint("C6", "is_finite(scales...)"),
        constraint(
            "C7",
            "storage_min <= zero_points <= storage_max",
            erratum="types are read without it, but no operand may be of such a type",
        ),
        constraint("C8", "type(zero_points...) = storage_type"),
        constraint("C9", "size(scales) = size(zero_points)"),
        constraint("C10", "if quantization_dimension is None then size(scales) = 1"),
        constraint("C11", "0 <= quantization_dimension"),
        constraint(
            "C12",
            "quantization_dimension < rank(self)",
            erratum="types are read without it, but no operand may be of such a type",
        ),
        constraint(
            "C13",
            "dim(self, quantization_dimension) = size(scales)",
            erratum="types are read without it, but no operand may be of such a type",
        ),
    ),
    "integer_constant": (
        constraint(
            "C1",
            "is_wellformed(integer_literal, integer_type)",
            erratum="patterns of a signless type's width are read as the MLIR tools do, with a warning",
        ),
    ),
    "float_constant": (
        constraint(
            "C1", "if not is_hexadecimal(float_literal) then is_wellformed(float_literal, float_type)"
        ),
        constraint(
            "C2",
            "if is_hexadecimal(float_literal) then size(hexadecimal_digits) = num_bits(float_type) / 4",
            erratum="leading zeros may be written, and left out with a warning, as the MLIR tools allow it",
        ),
    ),
    "complex_constant": (
        constraint("C1", "is_wellformed(real_part, complex_element_type(complex_type))"),
        constraint("C2", "is_wellformed(imaginary_part, complex_element_type(complex_type))"),
    ),
    "tensor_constant": (
        constraint("C1", "has_syntax(tensor_literal, element_type(tensor_type))"),
        constraint("C2", "has_shape(tensor_literal, shape(tensor_type))"),
    ),
    "quantized_tensor_constant": (
        constraint("C1", "has_syntax(quantized_tensor_literal, storage_type(quantized_tensor_type))"),
        constraint("C2", "has_shape(quantized_tensor_literal, shape(quantized_tensor_type))"),
    ),
}
"""By what they are constraints of."""
