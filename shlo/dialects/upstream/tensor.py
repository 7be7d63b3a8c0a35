"""OpDefs of MLIR's tensor dialect, those that StableHLO's programs use: elements in and out of tensors."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from shlo.dialects.attr_constraints import ARRAY_ATTR, I64_ARRAY_ATTR, I64_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, operand, required, variadic
from shlo.dialects.type_constraints import (
    ANY_RANKED_TENSOR,
    ANY_STATIC_TENSOR,
    ANY_TENSOR,
    ANY_TYPE,
    INDEX_TYPE,
    SIGNLESS_TYPE,
    TypeConstraint,
    tensor,
)
from shlo.dialects.upstream.tensor_rules import (
    BITCAST,
    CAST,
    COLLECTED,
    CONCATENATED,
    EXTRACTED,
    GROUPED,
    INSERTED,
    OUTPUT_SHAPE,
    RESHAPED,
    SIZED,
    SPLAT,
)
from shlo.ir.types import FloatType, IntegerType, RankedTensorType, element_type_of

_TENSOR = ANY_TENSOR
_RANKED = ANY_RANKED_TENSOR
_WITH_DIMENSIONS = TypeConstraint(
    "any tensor of rank 1 or more",
    lambda type_: ANY_TENSOR.test(type_) and not (isinstance(type_, RankedTensorType) and type_.rank == 0),
)
_OF_NUMBERS = TypeConstraint(
    "any tensor of integers or floating-point numbers",
    lambda type_: ANY_TENSOR.test(type_) and isinstance(element_type_of(type_), IntegerType | FloatType),
)
_INDEX = INDEX_TYPE
_ELEMENT = replace(ANY_TYPE, description="element type")

_op = partial(OpDef, quantized="own")

OP_DEFS = (
    _op(
        "tensor.cast",
        "Converts a tensor to a type with more or fewer known sizes.",
        operands=(operand("source", _TENSOR),),
        results=(operand("dest", _TENSOR),),
        format="$source attr-dict `:` type(operands) `to` type(results)",
        result_names=("cast",),
        constraints=(CAST,),
    ),
    _op(
        "tensor.dim",
        "Returns the size of a dimension.",
        operands=(operand("source", _WITH_DIMENSIONS), operand("index", _INDEX)),
        results=(operand("result", _INDEX),),
        format="attr-dict $source `,` $index `:` type(dimension)",
        result_names=("dim",),
    ),
    _op(
        "tensor.extract",
        "Takes an element of a tensor.",
        operands=(operand("tensor", _RANKED), variadic("indices", _INDEX)),
        results=(operand("result", _ELEMENT),),
        format="$tensor `[` $indices `]` attr-dict `:` type(extracted)",
        result_names=("extracted",),
        constraints=EXTRACTED,
    ),
    _op(
        "tensor.insert",
        "Replaces one element of a tensor.",
        operands=(operand("scalar", _ELEMENT), operand("dest", _RANKED), variadic("indices", _INDEX)),
        results=(operand("result", _RANKED),),
        format="$scalar `into` $dest `[` $indices `]` attr-dict `:` type(inserted)",
        result_names=("inserted",),
        constraints=INSERTED,
    ),
    _op(
        "tensor.rank",
        "Returns the number of dimensions of a tensor.",
        operands=(operand("tensor", _TENSOR),),
        results=(operand("result", _INDEX),),
        format="$tensor attr-dict `:` type(ranked)",
        result_names=("rank",),
    ),
    _op(
        "tensor.collapse_shape",
        "Merges neighbouring dimensions of a tensor.",
        operands=(operand("src", _RANKED),),
        attributes=(required("reassociation", ARRAY_ATTR),),
        results=(operand("result", _RANKED),),
        format="$src $reassociation attr-dict `:` type(operands) `into` type(results)",
        result_names=("collapsed",),
        constraints=(GROUPED,),
    ),
    _op(
        "tensor.expand_shape",
        "Splits dimensions of a tensor into several.",
        operands=(operand("src", _RANKED), variadic("output_shape", _INDEX)),
        attributes=(required("reassociation", ARRAY_ATTR), required("static_output_shape", I64_ARRAY_ATTR)),
        results=(operand("result", _RANKED),),
        format="custom(expand_shape) attr-dict `:` type(expanded)",
        result_names=("expanded",),
        constraints=(GROUPED, OUTPUT_SHAPE),
    ),
    _op(
        "tensor.empty",
        "Makes a tensor whose elements are not set.",
        operands=(variadic("dynamicSizes", _INDEX),),
        results=(operand("result", _RANKED),),
        format="`(` $dynamicSizes `)` attr-dict `:` type(sized)",
        constraints=(SIZED,),
    ),
    _op(
        "tensor.splat",
        "Fills a tensor with one value.",
        operands=(operand("input", _ELEMENT), variadic("dynamicSizes", _INDEX)),
        results=(operand("aggregate", _RANKED),),
        format="$input [ `[` $dynamicSizes `]` ]? attr-dict `:` type(splat)",
        result_names=("splat",),
        constraints=SPLAT,
    ),
    _op(
        "tensor.reshape",
        "Reshapes a tensor to a shape that an operand gives.",
        operands=(operand("source", _TENSOR), operand("shape", tensor(SIGNLESS_TYPE | INDEX_TYPE, rank=1))),
        results=(operand("result", _TENSOR),),
        format="$source `(` $shape `)` attr-dict `:` type(function)",
        result_names=("reshape",),
        constraints=(RESHAPED,),
    ),
    _op(
        "tensor.bitcast",
        "Reads the bits of a tensor's elements as elements of another type.",
        operands=(operand("source", _OF_NUMBERS),),
        results=(operand("dest", _OF_NUMBERS),),
        format="$source attr-dict `:` type(operands) `to` type(results)",
        constraints=(BITCAST,),
    ),
    _op(
        "tensor.concat",
        "Joins tensors along one dimension.",
        operands=(variadic("inputs", _RANKED),),
        attributes=(required("dim", I64_ATTR),),
        results=(operand("result", _RANKED),),
        format="`dim` `` `(` `` $dim `` `)` $inputs attr-dict `:` type(function)",
        result_names=("concat",),
        constraints=(CONCATENATED,),
    ),
    _op(
        "tensor.from_elements",
        "Makes a tensor of single values.",
        operands=(variadic("elements", _ELEMENT),),
        results=(operand("result", ANY_STATIC_TENSOR),),
        format="$elements attr-dict `:` type(collected)",
        result_names=("from_elements",),
        constraints=COLLECTED,
    ),
)

DIALECT = dialect_of("tensor", OP_DEFS, complete=False, kernels=("shlo.interpreter.kernels.upstream.tensor",))
