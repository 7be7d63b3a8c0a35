"""Codes of findings: those that are not the label of an operation's constraint, and what they mean.

Constraints of quantized types and of constants are checked where a type or constant is read, or by the kinds
of operands, which take well-formed types alone. Specification: "Types", "Constants".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from shlo.dialects.opdef import Constraint, formulas

GENERAL_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "block-arguments": "a block has other arguments than the operation around it asks for",
        "block-count": "a region has more or fewer blocks than the operation allows",
        "duplicate-symbol": "two functions or other symbols of one module have the same name",
        "misplaced-symbol": "a symbol is defined where none can be",
        "misplaced-terminator": "an operation that ends blocks is not the last one of its block",
        "missing-terminator": "a block does not end with an operation that ends blocks",
        "region-count": "an operation has more or fewer regions than its definition",
        "syntax": "the text does not follow the grammar, or uses a value that is not defined",
        "type-mismatch": "a value is used with another type than it has",
        "unknown-dialect": "operations or types are of a dialect that shlo does not know",
        "unknown-property": "an operation has a property that its definition lacks",
        "unknown-symbol": "a call or reference names what the module does not define",
        "unknown-value": "a value is used that the text does not define",
        "unregistered-dialect": "operations are of a dialect that shlo does not know",
        "wrong-terminator": "a block ends with another operation than the one around it asks for",
    }
)
"""What each code that is no label says about a program."""

TYPE_CONSTRAINTS: Final[Mapping[str, tuple[Constraint, ...]]] = {
    "quantized_type": formulas("""
        C1: type(storage_min) = storage_type
        C2: type(storage_max) = storage_type
        C3: min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)
        C4: type(scales...) = expressed_type
        C5: 0 < scales
        C6: is_finite(scales...)
        C7: storage_min <= zero_points <= storage_max
            # types are read without it, but no operand may be of such a type
        C8: type(zero_points...) = storage_type
        C9: size(scales) = size(zero_points)
        C10: if quantization_dimension is None then size(scales) = 1
        C11: 0 <= quantization_dimension
        C12: quantization_dimension < rank(self)
            # types are read without it, but no operand may be of such a type
        C13: dim(self, quantization_dimension) = size(scales)
            # types are read without it, but no operand may be of such a type
    """),
    "integer_constant": formulas("""
        C1: is_wellformed(integer_literal, integer_type)
            # patterns of a signless type's width are read as the MLIR tools do, with a warning
    """),
    "float_constant": formulas("""
        C1: if not is_hexadecimal(float_literal) then is_wellformed(float_literal, float_type)
        C2: if is_hexadecimal(float_literal) then size(hexadecimal_digits) = num_bits(float_type) / 4
            # leading zeros may be written, and left out with a warning, as the MLIR tools allow it
    """),
    "complex_constant": formulas("""
        C1: is_wellformed(real_part, complex_element_type(complex_type))
        C2: is_wellformed(imaginary_part, complex_element_type(complex_type))
    """),
    "tensor_constant": formulas("""
        C1: has_syntax(tensor_literal, element_type(tensor_type))
        C2: has_shape(tensor_literal, shape(tensor_type))
    """),
    "quantized_tensor_constant": formulas("""
        C1: has_syntax(quantized_tensor_literal, storage_type(quantized_tensor_type))
        C2: has_shape(quantized_tensor_literal, shape(quantized_tensor_type))
    """),
}
"""By what they are constraints of."""
