"""OpDefs of the operations that slide a window over a tensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shlo.dialects.attr_constraints import I64_ARRAY_ATTR, I64_ELEMENTS_ATTR
from shlo.dialects.opdef import (
    Combined,
    Constraint,
    OpDef,
    constraint,
    formulas,
    may,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED
from shlo.dialects.stablehlo.rules.reducers import SCALARS, reducer_type
from shlo.dialects.stablehlo.rules.work import reduce_window_work, select_and_scatter_work
from shlo.dialects.type_constraints import quantized_tensor, tensor

REDUCE_WINDOW_LABELS = {
    "window_dimensions": ("C4", "C5"),
    "window_strides": ("C6", "C7"),
    "base_dilations": ("C8", "C9"),
    "window_dilations": ("C10", "C11"),
    "padding": ("C12", ""),
}
SELECT_AND_SCATTER_LABELS = {
    "window_dimensions": ("C4", "C5"),
    "window_strides": ("C6", "C7"),
    "padding": ("C8", ""),
}


def window_attributes(rank: str, labels: Mapping[str, tuple[str, str]]) -> Iterator[Constraint]:
    """Yields an entry for each dimension (`rank` of them, as a formula), and none below one; by attribute,
    the labels of the two. An attribute that is absent or empty is right."""
    for name, (size_label, value_label) in labels.items():
        length = f"shape({name}) = [{rank}, 2]" if name == "padding" else f"size({name}) = {rank}"
        is_present = f"{name} is not None" + ("" if name == "window_dimensions" else f" and {name} != []")
        yield constraint(size_label, f"if {is_present} then {length}")
        if value_label:
            yield constraint(value_label, f"if {name} is not None then 0 < {name}")


OP_DEFS = (
    OpDef(
        "stablehlo.reduce_window",
        "Combines the elements in each window with a region.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED), variadic("init_values", ANY_OR_QUANTIZED)),
        attributes=(
            required("window_dimensions", I64_ARRAY_ATTR),
            may("window_strides", I64_ARRAY_ATTR),
            may("base_dilations", I64_ARRAY_ATTR),
            may("window_dilations", I64_ARRAY_ATTR),
            may("padding", I64_ELEMENTS_ATTR),
        ),
        regions=(region("body"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        constraints=(
            constraint("C1", "0 < size(inputs) = size(init_values) = size(results)"),
            constraint("C2", "same(shape(inputs...))"),
            constraint("C3", "element_type(inputs...) = element_type(init_values...)", enforced=False),
            *window_attributes("rank(inputs[0])", REDUCE_WINDOW_LABELS),
            *reducer_type(
                "C13", "body", "shape(init_values...)", "inputs", "init_values", allowed="window_dimensions"
            ),
            SCALARS,
            *formulas("""
                C14: same(shape(results...))
                C15: shape(results...) = [num_windows for x in inputs]
                    where num_windows = [count(i) for i in axes(inputs[0])];
                    count = lambda i: (padded(i) = 0 or window(i) > padded(i)
                    ? 0 : floor((padded(i) - window(i)) / filled(window_strides, ones)[i]) + 1);
                    padded = lambda i: sum(filled(padding, zeros)[i]) + dilated(i);
                    dilated = lambda i: (dim(inputs[0], i) = 0
                    ? 0 : (dim(inputs[0], i) - 1) * filled(base_dilations, ones)[i] + 1);
                    window = lambda i: (window_dimensions[i] - 1) * filled(window_dilations, ones)[i] + 1;
                    ones = [1 for i in axes(inputs[0])]; zeros = [[0, 0] for i in axes(inputs[0])]
                C16: element_type(results...) = element_type(output_types(body)...)
            """),
        ),
        quantized=Combined(("inputs", "init_values")),
        work=reduce_window_work,
    ),
    OpDef(
        "stablehlo.select_and_scatter",
        "Selects an element in each window and combines the source's element into that place.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("source", ANY_OR_QUANTIZED),
            operand("init_value", tensor(rank=0) | quantized_tensor(rank=0)),
        ),
        attributes=(
            may("window_dimensions", I64_ARRAY_ATTR),
            may("window_strides", I64_ARRAY_ATTR),
            may("padding", I64_ELEMENTS_ATTR),
        ),
        regions=(region("select"), region("scatter")),
        results=(operand("result", ANY_OR_QUANTIZED),),
        constraints=(
            *formulas("""
                C1 unenforced: element_type(operand) = element_type(source)
                C2: shape(source) = [count(i) for i in axes(operand)]
                    where count = lambda i: (padded(i) = 0 or window(i) > padded(i)
                    ? 0 : floor((padded(i) - window(i)) / filled(window_strides, ones)[i]) + 1);
                    padded = lambda i: sum(filled(padding, zeros)[i]) + dim(operand, i);
                    window = lambda i: given(window_dimensions, ones)[i];
                    ones = [1 for i in axes(operand)]; zeros = [[0, 0] for i in axes(operand)]
                C3 unenforced: element_type(init_value) = element_type(operand)
            """),
            *window_attributes("rank(operand)", SELECT_AND_SCATTER_LABELS),
            *formulas("""
                C4: window_dimensions is not None or rank(operand) = 0
                    # the MLIR tools let the attribute be absent, for which they want no dimensions
                C9: select has type (tensor<A>, tensor<B>) -> tensor<i1>
                    where is_float_alike(A, element_type(operand))
                    and is_float_alike(B, element_type(operand))
                    # the MLIR tools take floats of any width for each other
                C9 unenforced: input_types(select) = [scalar, scalar] where scalar = tensor([],
                    element_type(operand))
            """),
            *reducer_type("C10", "scatter", "[[]]", "[source]", "[init_value]"),
            constraint("C11", "shape(result) = shape(operand)"),
            constraint("C12", "element_type(result) = element_type(output_types(scatter)[0])"),
        ),
        quantized=Combined(("source", "init_value")),
        traits=traits("any_terminator"),
        work=select_and_scatter_work,
    ),
)
