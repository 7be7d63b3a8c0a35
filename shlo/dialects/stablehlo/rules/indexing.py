"""The constraints of gather and scatter."""

from __future__ import annotations

from shlo.dialects.opdef import Constraint, constraint
from shlo.dialects.stablehlo.rules.reducers import reducer_type


def gather_constraints(sizes: str) -> tuple[Constraint, ...]:
    """Returns those of gather and dynamic_gather; `sizes` is the formula of the slices' sizes."""
    return (
        constraint(
            "C1",
            "rank(operand) = size(offset_dims) + size(collapsed_slice_dims) + size(operand_batching_dims)",
            erratum="batching dimensions came after the specification of 2024",
        ),
        constraint("C2", "0 <= index_vector_dim <= rank(start_indices)"),
        constraint(
            "C3",
            "size(start_index_map)"
            " = (index_vector_dim < rank(start_indices) ? dim(start_indices, index_vector_dim) : 1)",
        ),
        constraint("C4", "is_unique(offset_dims) and is_sorted(offset_dims)"),
        constraint("C5", "0 <= offset_dims < rank(result)"),
        constraint("C6", "is_unique(collapsed_slice_dims ++ operand_batching_dims)"),
        constraint("C7", "is_sorted(collapsed_slice_dims)", was="C6"),
        constraint("C8", "0 <= collapsed_slice_dims < rank(operand)", was="C7"),
        constraint("C9", f"item({sizes}, collapsed_slice_dims...) <= 1", was="C8", at="slice_sizes"),
        constraint("C10", "is_sorted(operand_batching_dims)", was=""),
        constraint("C11", "0 <= operand_batching_dims < rank(operand)", was=""),
        constraint("C12", f"item({sizes}, operand_batching_dims...) <= 1", was="", at="slice_sizes"),
        constraint("C13", "is_unique(start_indices_batching_dims)", was=""),
        constraint("C14", "0 <= start_indices_batching_dims < rank(start_indices)", was=""),
        constraint("C15", "index_vector_dim not in start_indices_batching_dims", was=""),
        constraint("C16", "size(operand_batching_dims) = size(start_indices_batching_dims)", was=""),
        constraint(
            "C17",
            "dim(operand, operand_batching_dims...) = dim(start_indices, start_indices_batching_dims...)",
            was="",
        ),
        constraint("C18", "is_unique(start_index_map ++ operand_batching_dims)", was="C9"),
        constraint("C19", "0 <= start_index_map < rank(operand)", was="C10"),
        constraint("C20", "size(slice_sizes) = rank(operand)", was="C11", at="slice_sizes"),
        constraint("C21", f"0 <= {sizes} <= shape(operand)", was="C12", at="slice_sizes"),
        constraint(
            "C22",
            "shape(result) = combined(batch_dim_sizes, offset_dims, offset_dim_sizes)"
            " where batch_dim_sizes = without_items(shape(start_indices), [index_vector_dim]);"
            f" offset_dim_sizes = without_items({sizes}, collapsed_slice_dims ++ operand_batching_dims)",
            was="C13",
        ),
        constraint("C23", "element_type(operand) = element_type(result)", was="C14"),
    )


SCATTER_CONSTRAINTS: tuple[Constraint, ...] = (
    constraint("C1", "same(shape(inputs...))"),
    constraint(
        "C2",
        "rank(inputs[0]) = size(update_window_dims) + size(inserted_window_dims) + size(input_batching_dims)",
        erratum="batching dimensions came after the specification of 2024",
    ),
    constraint("C3", "same(shape(updates...))"),
    constraint(
        "I2", "is_integer(scatter_indices)", erratum="the MLIR tools take truth values", enforced=False
    ),
    constraint(
        "C4",
        "rank(updates[0]) = size(scatter_sizes) + size(update_window_dims)"
        " and dims(updates[0], scatter_dims) = scatter_sizes"
        " and dims(updates[0], update_window_dims) <= window_sizes"
        " where scatter_sizes = without_items(shape(scatter_indices), [index_vector_dim]);"
        " scatter_dims = [d for d in axes(updates[0]) if d not in update_window_dims];"
        " window_sizes = without_items(shape(inputs[0]), inserted_window_dims ++ input_batching_dims)",
    ),
    constraint("C5", "0 < size(inputs) = size(updates)"),
    constraint("C6", "element_type(updates...) = element_type(inputs...)", enforced=False),
    constraint("C7", "is_unique(update_window_dims) and is_sorted(update_window_dims)"),
    constraint("C8", "0 <= update_window_dims < rank(updates[0])"),
    constraint("C9", "is_unique(inserted_window_dims ++ input_batching_dims)"),
    constraint(
        "C10",
        "is_sorted(inserted_window_dims)",
        was="C9",
        erratum="the text of 2024 says update_window_dims",
    ),
    constraint("C11", "0 <= inserted_window_dims < rank(inputs[0])", was="C10"),
    constraint("C12", "is_sorted(input_batching_dims)", was=""),
    constraint("C13", "0 <= input_batching_dims < rank(inputs[0])", was=""),
    constraint("C14", "is_unique(scatter_indices_batching_dims)", was=""),
    constraint("C15", "0 <= scatter_indices_batching_dims < rank(scatter_indices)", was=""),
    constraint("C16", "index_vector_dim not in scatter_indices_batching_dims", was=""),
    constraint("C17", "size(input_batching_dims) = size(scatter_indices_batching_dims)", was=""),
    constraint(
        "C18",
        "dim(inputs[0], input_batching_dims...) = dim(scatter_indices, scatter_indices_batching_dims...)",
        was="",
    ),
    constraint(
        "C19",
        "size(scatter_dims_to_operand_dims)"
        " = (index_vector_dim < rank(scatter_indices) ? dim(scatter_indices, index_vector_dim) : 1)",
        was="C11",
    ),
    constraint("C20", "is_unique(scatter_dims_to_operand_dims ++ input_batching_dims)", was="C12"),
    constraint("C21", "0 <= scatter_dims_to_operand_dims < rank(inputs[0])", was="C13"),
    constraint("C22", "0 <= index_vector_dim <= rank(scatter_indices)", was="C14"),
    *reducer_type("C23", "update_computation", "[[] for x in inputs]", "inputs", "updates", was="C15"),
    constraint("C24", "shape(inputs...) = shape(results...)", was="C16"),
    constraint(
        "C25", "element_type(results...) = element_type(output_types(update_computation)...)", was="C17"
    ),
)
