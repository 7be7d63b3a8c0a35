"""Cards of the operations that decide what runs, and of tuples."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, operand, region, required, traits, variadic
from shlo.dialects.stablehlo.parts import BOOLEAN, VALUE

_TUPLE_ELEMENT = "tensor, quantized tensor, token or tuple"

CARDS = (
    Card(
        "stablehlo.if",
        "Runs one of two regions, as a predicate says.",
        operands=(operand("pred", BOOLEAN),),
        regions=(region("true_branch"), region("false_branch")),
        results=(variadic("results", VALUE),),
        traits=traits("control_flow"),
        section="if",
    ),
    Card(
        "stablehlo.case",
        "Runs the region of an index, the last one where there is none.",
        operands=(operand("index", "0-dimensional tensor of type si32"),),
        regions=(region("branches", "variadic"),),
        results=(variadic("results", VALUE),),
        traits=traits("control_flow"),
        section="case",
    ),
    Card(
        "stablehlo.while",
        "Runs a region as long as another one says so.",
        operands=(variadic("operand", VALUE),),
        regions=(region("cond"), region("body")),
        results=(variadic("results", VALUE),),
        format="custom(while)",
        traits=traits("control_flow"),
        section="while",
    ),
    Card(
        "stablehlo.composite",
        "An operation made of others: runs the function that decomposes it.",
        operands=(variadic("inputs", _TUPLE_ELEMENT),),
        attributes=(
            required("name", "string"),
            defaulted("composite_attributes", "dict", "{}"),
            required("decomposition", "symbol"),
            defaulted("version", "i32", "0 : i32"),
        ),
        regions=(region("composite_regions", "variadic"),),
        results=(variadic("results", _TUPLE_ELEMENT),),
        format="custom(composite)",
        traits=traits("control_flow"),
        section="composite",
    ),
    Card(
        "stablehlo.optimization_barrier",
        "Its operands, unchanged; nothing is moved across it.",
        operands=(variadic("operand", VALUE),),
        results=(variadic("result", VALUE),),
        format="custom(optimization_barrier)",
        section="optimization_barrier",
    ),
    Card(
        "stablehlo.return",
        "Ends a region and gives its results.",
        operands=(variadic("results", VALUE),),
        format="$results attr-dict [ `:` type(operands) ]?",
        traits=traits("terminator"),
    ),
    Card(
        "stablehlo.tuple",
        "A tuple of values.",
        operands=(variadic("val", _TUPLE_ELEMENT),),
        results=(operand("result", "tuple"),),
        format="$val attr-dict `:` type(tuple)",
        section="tuple",
    ),
    Card(
        "stablehlo.get_tuple_element",
        "A value of a tuple.",
        operands=(operand("operand", "tuple"),),
        attributes=(required("index", "i32"),),
        results=(operand("result", _TUPLE_ELEMENT),),
        format="$operand `[` $index `]` attr-dict `:` type(function)",
        section="get_tuple_element",
    ),
)
