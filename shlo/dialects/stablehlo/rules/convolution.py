"""The constraints of convolutions."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects.opdef import Constraint, constraint, formulas

_WINDOW = (("C2", "C3", "window_strides"), ("C5", "C6", "lhs_dilation"), ("C7", "C8", "rhs_dilation"))
_DIMENSIONS = (
    ("C12", "C13", "input", "input_batch_dimension", "input_feature_dimension"),
    ("C17", "C18", "kernel", "kernel_input_feature_dimension", "kernel_output_feature_dimension"),
    ("C19", "C20", "output", "output_batch_dimension", "output_feature_dimension"),
)


def convolution_constraints(padding: str, knows_result: bool = True) -> tuple[Constraint, ...]:
    """Returns those of convolution and dynamic_conv; `padding` is the formula of the padding, `knows_result`
    says that the padding is an attribute, and that the MLIR tools look at the result's shape."""
    return (
        constraint("C1", "rank(lhs) = rank(rhs)"),
        *_window(knows_result),
        *_dimension_numbers(),
        *formulas("""
            C10: dim(lhs, input_batch_dimension) % batch_group_count = 0
            C11: dim(lhs, input_feature_dimension) % feature_group_count = 0
            C14: dim(rhs, kernel_input_feature_dimension) * feature_group_count
                = dim(lhs, input_feature_dimension)
            C15: dim(rhs, kernel_output_feature_dimension) % batch_group_count = 0
            C16: dim(rhs, kernel_output_feature_dimension) % feature_group_count = 0
            C21: 0 < feature_group_count
            C22: 0 < batch_group_count
            C23: feature_group_count = 1 or batch_group_count = 1
            C24: if precision_config is not None then size(precision_config) <= 2
                # one that is not given is DEFAULT
        """),
        _result_shape(padding, knows_result),
        constraint("C26", "rank(result) = rank(lhs)", enforced=knows_result),
        *formulas("""
            C27: if not is_quantized(lhs) and not is_quantized(rhs) then element_type(lhs) = element_type(rhs)
            C27 unenforced: if not is_quantized(rhs) then element_type(lhs) = element_type(result)
                # the MLIR tools take a result of any element type
            C29: if is_per_axis_quantized(rhs)
                then quantization_dimension(rhs) = kernel_output_feature_dimension
            C30: if is_per_axis_quantized(result)
                then quantization_dimension(result) = output_feature_dimension
            A1: all(lambda d: 0 < dim(rhs, d), kernel_spatial_dimensions)
                # the MLIR tools want windows that are not empty
            C28: if is_quantized(lhs) or is_quantized(rhs) or is_quantized(result)
                then is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)
            C31: if is_quantized(lhs) and is_quantized(rhs) then storage_type(lhs) = storage_type(rhs)
            C32: if is_quantized(lhs) and is_quantized(rhs)
                then expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)
            C33: if is_quantized(lhs) and is_per_tensor_quantized(rhs) then is_per_tensor_quantized(result)
            C34: if is_quantized(rhs) and not is_quantized(lhs)
                then element_type(lhs) = expressed_type(rhs) = element_type(result)
        """),
    )


def _window(is_attribute: bool) -> Iterator[Constraint]:
    """The window is looked at where its padding is known: an attribute, or an operand that is a constant."""
    also = "" if is_attribute else " and value(padding) is not None"
    for size_label, value_label, name in _WINDOW:
        yield constraint(size_label, f"if {name} is not None{also} then size({name}) in [0, rank(lhs) - 2]")
        yield constraint(value_label, f"if {name} is not None{also} then 0 < {name}")
    is_present, shape = "padding is not None and padding != []", "shape(padding) = [rank(lhs) - 2, 2]"
    yield constraint("C4", f"if {is_present} then {shape}" if is_attribute else shape)
    name = "window_reversal"
    yield constraint("C9", f"if {name} is not None{also} then size({name}) in [0, rank(lhs) - 2]")


def _dimension_numbers() -> Iterator[Constraint]:
    for size_label, value_label, what, first, last in _DIMENSIONS:
        yield constraint(size_label, f"size({what}_spatial_dimensions) = rank(lhs) - 2")
        yield constraint(
            value_label,
            "is_unique(dimensions) and 0 <= dimensions < rank(lhs)"
            f" where dimensions = [{first}] ++ {what}_spatial_dimensions ++ [{last}]",
        )


def _result_shape(padding: str, enforced: bool) -> Constraint:
    return constraint(
        "C25",
        "shape(result) = with_items(axes(lhs),"
        " [output_batch_dimension, output_feature_dimension] ++ output_spatial_dimensions,"
        " [dim(lhs, input_batch_dimension) / batch_group_count, dim(rhs, kernel_output_feature_dimension)]"
        " ++ [count(i) for i in range(rank(lhs) - 2)])"
        " where count = lambda i: (padded(i) = 0 or window(i) > padded(i)"
        " ? 0 : floor((padded(i) - window(i)) / filled(window_strides, ones)[i]) + 1);"
        f" padded = lambda i: filled({padding}, zeros)[i][0] + dilated(i) + filled({padding}, zeros)[i][1];"
        " dilated = lambda i: (size_of(i) = 0 ? 0 : (size_of(i) - 1) * filled(lhs_dilation, ones)[i] + 1);"
        " size_of = lambda i: dim(lhs, input_spatial_dimensions[i]);"
        " window = lambda i: (extent(i) = 0 ? 0 : (extent(i) - 1) * filled(rhs_dilation, ones)[i] + 1);"
        " extent = lambda i: dim(rhs, kernel_spatial_dimensions[i]);"
        " ones = [1 for i in range(rank(lhs) - 2)]; zeros = [[0, 0] for i in range(rank(lhs) - 2)]",
        enforced=enforced,
    )
