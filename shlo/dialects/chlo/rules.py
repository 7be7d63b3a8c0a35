"""The constraints of chlo's operations. No document states them: they are what the MLIR tools enforce."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import Constraint, constraint
from shlo.ir.suggestions import Set, Subject, WriteAttribute
from shlo.ir.types import element_type_of


def rules(*formulas: str, first: int = 1) -> tuple[Constraint, ...]:
    """Constraints with labels of our own, in order."""
    return tuple(constraint(f"A{first + index}", formula) for index, formula in enumerate(formulas))


BROADCASTING = rules(
    "baseline_element_type(lhs) = baseline_element_type(rhs)",
    "shape(result) = broadcast_shape(shape(lhs), shape(rhs), broadcast_dimensions)",
)
SAME_ELEMENTS = rules("element_type(result) = element_type(lhs) = element_type(rhs)", first=3)
PLACED: Constraint = constraint(
    "A4",
    "if broadcast_dimensions is not None then size(broadcast_dimensions) = min(rank(lhs), rank(rhs))"
    " and 0 <= broadcast_dimensions < max(rank(lhs), rank(rhs))"
    " and is_sorted(broadcast_dimensions) and is_unique(broadcast_dimensions)",
    erratum="the MLIR tools accept others, and cannot lower them",
    enforced=False,
    needed=True,
)
COMPATIBLE_ELEMENTS = rules("baseline_element_type(result) = baseline_element_type(lhs)", first=3)
COMPLEX_ELEMENTS = rules("element_type(result) = complex_type(element_type(lhs))", first=3)

SELECTING = rules(
    "element_type(on_true) = element_type(on_false)",
    "shape(result) = broadcast_shape(broadcast_shape(shape(pred), shape(on_true), None),"
    " shape(on_false), None)",
)
SELECTED_ELEMENTS: Constraint = constraint(
    "A3", "element_type(result) = element_type(on_true)", enforced=False
)


def constant_element(bindings: OpBindings) -> Broken | None:
    """The number has the type of the result's elements."""
    value = bindings.signature.properties.get("value")
    wanted = element_type_of(bindings.signature.result_types[0])
    type_ = getattr(value, "type", None)
    if value is None or type_ == wanted:
        return None
    if type_ is None:
        message = f"value must be a number of type {wanted}, but is {value}"
        return Broken(message, ("value",), (WriteAttribute("value", f"0 : {wanted}"),))
    message = f"value has type {type_}, but result has elements of type {wanted}"
    return Broken(message, ("value",), (Set(Subject("value").of("type"), "=", wanted),))


CONSTANT_ELEMENT: Constraint = constraint(
    "A2", "the value's type is that of the result's elements", check=constant_element
)

TOP_K = rules(
    "1 <= rank(operand)",
    "k <= dim(operand, -1)",
    "shape(values) = with_items(shape(operand), [rank(operand) - 1], [k])",
    "shape(indices) = with_items(shape(operand), [rank(operand) - 1], [k])",
    "element_type(values) = element_type(operand)",
    "element_type(indices) = i32",
)

SCAN = rules(
    "0 < size(inputs) + size(outputs)",
    "all(lambda x: dimension < rank(x), inputs)",
    "same(dim(inputs..., dimension) ++ (scan_dim_size is None ? [] : [scan_dim_size]))",
    "size(input_types(body)) = size(inputs) + size(inits)",
    "baseline_type(input_types(body)...)"
    " = [tensor(without_items(shape(x), [dimension]), baseline_element_type(x)) for x in inputs]"
    " ++ baseline_type(inits...)",
    "size(output_types(body)) = size(outputs) + size(carries) and size(carries) = size(inits)",
    "shape(carries...) = [shape(x) for x in output_types(body)[size(outputs):]]",
    "all(lambda x, y: without_items(shape(x), [dimension]) = shape(y) and rank(x) = rank(y) + 1"
    " and dim(x, dimension) = length, outputs, output_types(body)[:size(outputs)])"
    " where length = (scan_dim_size is None ? dim(inputs[0], dimension) : scan_dim_size)",
    "size(operandSegmentSizes) = 2 and size(resultSegmentSizes) = 2",
)
SCANNED_ELEMENTS: Constraint = constraint(
    "A10",
    "[baseline_element_type(x) for x in outputs ++ carries]"
    " = [baseline_element_type(x) for x in output_types(body)]",
    enforced=False,
)


def ragged_dot() -> Iterator[Constraint]:
    """Yields those of a dot_general, and how rows belong to groups."""
    yield from rules(
        "size(lhs_batching_dimensions) = size(rhs_batching_dimensions)",
        "size(lhs_contracting_dimensions) = size(rhs_contracting_dimensions)",
        "is_unique(lhs_batching_dimensions ++ lhs_contracting_dimensions)",
        "is_unique(rhs_batching_dimensions ++ rhs_contracting_dimensions)",
        "0 <= lhs_batching_dimensions < rank(lhs)",
        "0 <= lhs_contracting_dimensions < rank(lhs)",
        "0 <= rhs_batching_dimensions < rank(rhs)",
        "0 <= rhs_contracting_dimensions < rank(rhs)",
        "dim(lhs, lhs_batching_dimensions...) = dim(rhs, rhs_batching_dimensions...)",
        "dim(lhs, lhs_contracting_dimensions...) = dim(rhs, rhs_contracting_dimensions...)",
        "size(lhs_ragged_dimensions) = 1",
        "0 <= lhs_ragged_dimensions < rank(lhs)",
        "rank(group_sizes) = 1 or identical(shape(group_sizes)[:-1], dim(lhs, before...))"
        " where ragged = lhs_ragged_dimensions[0];"
        " before = (ragged in lhs_batching_dimensions ? leading(lhs_batching_dimensions, ragged)"
        " : lhs_batching_dimensions ++ (ragged in lhs_contracting_dimensions"
        " ? leading(lhs_contracting_dimensions, ragged)"
        " : [d for d in range(ragged) if d not in lhs_batching_dimensions ++ lhs_contracting_dimensions]))",
        "0 <= rhs_group_dimensions < rank(rhs)",
        "is_unique(rhs_group_dimensions ++ rhs_batching_dimensions)",
        "is_unique(rhs_group_dimensions ++ rhs_contracting_dimensions)",
        "size(rhs_group_dimensions)"
        " = (lhs_ragged_dimensions[0] in lhs_batching_dimensions ++ lhs_contracting_dimensions ? 0 : 1)",
        "size(rhs_group_dimensions) = 0 or dim(rhs, rhs_group_dimensions[0]) = dim(group_sizes, -1)",
        "shape(result)"
        " = (lhs_ragged_dimensions[0] in lhs_contracting_dimensions ? [dim(group_sizes, -1)] : [])"
        " ++ dim(lhs, lhs_batching_dimensions...) ++ dim(lhs, lhs_result_dimensions...)"
        " ++ dim(rhs, rhs_result_dimensions...)"
        " where lhs_result_dimensions = [d for d in axes(lhs)"
        " if d not in lhs_batching_dimensions ++ lhs_contracting_dimensions];"
        " rhs_result_dimensions = [d for d in axes(rhs) if d not in"
        " rhs_batching_dimensions ++ rhs_contracting_dimensions ++ rhs_group_dimensions]",
        "0 < rank(group_sizes)",
    )
    yield constraint(
        "A30",
        "if precision_config is not None then size(precision_config) <= 2",
        erratum="one that is not given is DEFAULT",
    )
