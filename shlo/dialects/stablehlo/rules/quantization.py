"""Constraints on the results of operations that move elements: quantized types, sizes that are known."""

from __future__ import annotations

from shlo.dialects.opdef import Constraint, constraint, formulas


def same_but_quantization(label: str) -> Constraint:
    """The result has the operand's element type, but for the axis of one that is quantized per axis."""
    return constraint(
        label,
        "is_per_axis_quantized(operand) and is_per_axis_quantized(result)"
        " ? without_axis(result) = without_axis(operand) : element_type(result) = element_type(operand)",
    )


def same_but_scales(label: str) -> Constraint:
    """The result has the operand's element type, but for the axis and the scales of one that is quantized per
    axis, which are broadcast."""
    return constraint(
        label,
        "is_per_axis_quantized(operand) and is_per_axis_quantized(result)"
        " ? storage_type(result) = storage_type(operand) and expressed_type(result) = expressed_type(operand)"
        " : element_type(result) = element_type(operand)",
    )


def unquantized_alike(label: str) -> tuple[Constraint, Constraint]:
    """The result of an operation of unknown sizes has the operand's element type."""
    return (
        constraint(
            label,
            "if not is_quantized(operand) and not is_quantized(result)"
            " then element_type(result) = element_type(operand)",
            erratum="the MLIR tools take any element type where one is quantized",
        ),
        constraint(
            label,
            "is_per_axis_quantized(operand) and is_per_axis_quantized(result)"
            " ? without_axis(result) = without_axis(operand) : element_type(result) = element_type(operand)",
            enforced=False,
        ),
    )


SAME_SCALES: Constraint = constraint(
    "C1",
    "(if is_per_tensor_quantized(operand) and is_per_tensor_quantized(result)"
    " then element_type(result) = element_type(operand))"
    " and (if is_per_axis_quantized(operand) and is_per_axis_quantized(result)"
    " then scales(result) = scales(operand) and zero_points(result) = zero_points(operand))",
)
"""Where both are quantized, scales and zero points are the same."""


BROADCAST: tuple[Constraint, ...] = formulas("""
    C2: size(broadcast_dimensions) = rank(operand)
    C3: 0 <= broadcast_dimensions < rank(result)
    C4: is_unique(broadcast_dimensions)
    C5: all(lambda d: dim(operand, d) = 1
        or dim(operand, d) = dim(result, broadcast_dimensions[d]), axes(operand))
    C6: if is_per_axis_quantized(result) then is_per_axis_quantized(operand)
        and quantization_dimension(result) = broadcast_dimensions[quantization_dimension(operand)]
        and (if dim(operand, quantization_dimension(operand)) = 1
        then scales(result) = scales(operand)[0] and zero_points(result) = zero_points(operand)[0])
""")
"""Where the operand's dimensions go in a broadcast; the quantized one with its scales."""

QUANTIZED_ALIKE: Constraint = constraint(
    "C3",
    "if is_per_axis_quantized(operand) and is_per_axis_quantized(result)"
    " then dim(operand, i) = dim(result, j) and product(shape(operand)[:i]) = product(shape(result)[:j])"
    " where i = quantization_dimension(operand); j = quantization_dimension(result)",
)
"""A reshape leaves what is before and behind the quantized dimension together."""

STATIC_RESULT: Constraint = constraint(
    "A1",
    "is_static_or_bounded(result)",
    erratum="a result of unknown size is that of the operation's dynamic form",
)
"""The sizes of the result are known, but for one that has a bound."""
