"""The constraints of gather and scatter."""

from __future__ import annotations

from shlo.dialects.opdef import Constraint, constraint, formulas
from shlo.dialects.stablehlo.rules.reducers import reducer_type


def gather_constraints(sizes: str) -> tuple[Constraint, ...]:
    """Returns those of gather and dynamic_gather; `sizes` is the formula of the slices' sizes."""
    return formulas(f"""
        C1: rank(operand) = size(offset_dims) + size(collapsed_slice_dims) + size(operand_batching_dims)
            # batching dimensions came after the specification of 2024
        C2: 0 <= index_vector_dim <= rank(start_indices)
        C3: size(start_index_map)
            = (index_vector_dim < rank(start_indices) ? dim(start_indices, index_vector_dim) : 1)
        C4: is_unique(offset_dims) and is_sorted(offset_dims)
        C5: 0 <= offset_dims < rank(result)
        C6: is_unique(collapsed_slice_dims ++ operand_batching_dims)
        C7 (C6): is_sorted(collapsed_slice_dims)
        C8 (C7): 0 <= collapsed_slice_dims < rank(operand)
        C9 (C8) at slice_sizes: item({sizes}, collapsed_slice_dims...) <= 1
        C10 (new): is_sorted(operand_batching_dims)
        C11 (new): 0 <= operand_batching_dims < rank(operand)
        C12 (new) at slice_sizes: item({sizes}, operand_batching_dims...) <= 1
        C13 (new): is_unique(start_indices_batching_dims)
        C14 (new): 0 <= start_indices_batching_dims < rank(start_indices)
        C15 (new): index_vector_dim not in start_indices_batching_dims
        C16 (new): size(operand_batching_dims) = size(start_indices_batching_dims)
        C17 (new): dim(operand, operand_batching_dims...) = dim(start_indices, start_indices_batching_dims...)
        C18 (C9): is_unique(start_index_map ++ operand_batching_dims)
        C19 (C10): 0 <= start_index_map < rank(operand)
        C20 (C11) at slice_sizes: size(slice_sizes) = rank(operand)
        C21 (C12) at slice_sizes: 0 <= {sizes} <= shape(operand)
        C22 (C13): shape(result) = combined(batch_dim_sizes, offset_dims, offset_dim_sizes)
            where batch_dim_sizes = without_items(shape(start_indices), [index_vector_dim]);
            offset_dim_sizes = without_items({sizes}, collapsed_slice_dims ++ operand_batching_dims)
        C23 (C14): element_type(operand) = element_type(result)
    """)


SCATTER_CONSTRAINTS: tuple[Constraint, ...] = (
    *formulas("""
        C1: same(shape(inputs...))
        C2: rank(inputs[0]) = size(update_window_dims) + size(inserted_window_dims) +
            size(input_batching_dims) # batching dimensions came after the specification of 2024
        C3: same(shape(updates...))
        I2 unenforced: is_integer(scatter_indices) # the MLIR tools take truth values
        C4: rank(updates[0]) = size(scatter_sizes) + size(update_window_dims)
            and dims(updates[0], scatter_dims) = scatter_sizes
            and dims(updates[0], update_window_dims) <= window_sizes
            where scatter_sizes = without_items(shape(scatter_indices), [index_vector_dim]);
            scatter_dims = [d for d in axes(updates[0]) if d not in update_window_dims];
            window_sizes = without_items(shape(inputs[0]), inserted_window_dims ++ input_batching_dims)
        C5: 0 < size(inputs) = size(updates)
        C6 unenforced: element_type(updates...) = element_type(inputs...)
        C7: is_unique(update_window_dims) and is_sorted(update_window_dims)
        C8: 0 <= update_window_dims < rank(updates[0])
        C9: is_unique(inserted_window_dims ++ input_batching_dims)
        C10 (C9): is_sorted(inserted_window_dims) # the text of 2024 says update_window_dims
        C11 (C10): 0 <= inserted_window_dims < rank(inputs[0])
        C12 (new): is_sorted(input_batching_dims)
        C13 (new): 0 <= input_batching_dims < rank(inputs[0])
        C14 (new): is_unique(scatter_indices_batching_dims)
        C15 (new): 0 <= scatter_indices_batching_dims < rank(scatter_indices)
        C16 (new): index_vector_dim not in scatter_indices_batching_dims
        C17 (new): size(input_batching_dims) = size(scatter_indices_batching_dims)
        C18 (new): dim(inputs[0], input_batching_dims...) = dim(scatter_indices,
            scatter_indices_batching_dims...)
        C19 (C11): size(scatter_dims_to_operand_dims)
            = (index_vector_dim < rank(scatter_indices) ? dim(scatter_indices, index_vector_dim) : 1)
        C20 (C12): is_unique(scatter_dims_to_operand_dims ++ input_batching_dims)
        C21 (C13): 0 <= scatter_dims_to_operand_dims < rank(inputs[0])
        C22 (C14): 0 <= index_vector_dim <= rank(scatter_indices)
    """),
    *reducer_type("C23", "update_computation", "[[] for x in inputs]", "inputs", "updates", was="C15"),
    constraint("C24", "shape(inputs...) = shape(results...)", was="C16"),
    constraint(
        "C25", "element_type(results...) = element_type(output_types(update_computation)...)", was="C17"
    ),
)
