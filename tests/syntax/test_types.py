"""Types: what is accepted and how it is printed, beside the oracle; what is said of mistakes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shlo.ir.diagnostics import ParseError
from shlo.ir.dtypes import FLOAT_FORMATS, INTEGER_WIDTHS, dtype_of
from shlo.ir.types import (
    F32,
    F64,
    I1,
    INDEX,
    NONE,
    TOKEN,
    ComplexType,
    FloatType,
    FunctionType,
    IntegerType,
    OpaqueType,
    QuantizedType,
    RankedTensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from shlo.syntax import parse_type
from shlo.syntax.lexer.context import Context
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.types.parse import parse_type as read_type
from tests.oracle import Oracle
from tests.syntax.texts import ours, theirs

SCALARS = ["i0", "i1", "i007", "si8", "ui4", "i16777215", "index", "none", *FLOAT_FORMATS]

TENSORS = [
    "tensor<f32>",
    "tensor<2x?x3xf32>",
    "tensor<0x4xf32>",
    "tensor<0x0xbf16>",
    "tensor<04x00xi1>",
    "tensor< 2 x ? x // size\n f32 >",
    "tensor<*xf32>",
    "tensor<* x f32,>",
    "tensor<9223372036854775807xi8>",
    "tensor<2xvector<2xf32>>",
    "tensor<2xindex>",
    "tensor<2x!stablehlo.token>",
    "tensor<2xf32, 5>",
    "tensor<2xf32, [1]>",
    "tensor<2xf32, #foo.bar<a, (b)>>",
    "tensor<?x?xf32, #stablehlo.bounds<?, 4>>",
    "tensor<?x?xf32, #stablehlo.type_extensions<bounds = [?, 4]>>",
    "tensor<f32, #stablehlo.bounds<>>",
    "tensor<2x3xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
]

COMPOUND = [
    "complex< f32 >",
    "complex<ui8>",
    "tuple<>",
    "tuple<i32, tuple<none>, () -> ()>",
    "vector<4x[8]xf32>",
    "vector< [ 4 ] x f32>",
    "vector<f32>",
    "memref<?x2xf32>",
    "memref<*xf32, 1>",
    "memref<2xf32, strided<[2], offset: ?>, 1 : i32>",
    "memref<2xf32, affine_map<(i) -> (i)>, 0>",
    "memref<2x3xf32, affine_map<(i, j) -> (j, i)>>",
    "!stablehlo.token",
    "!stablehlo< token >",
    "!stablehlo.future<tensor<2xf32>, tensor<i1>>",
]

FUNCTIONS = ["() -> ()", "(i32) -> (i32)", "(i32, f32) -> (i32, f32)", "() -> (() -> i1)"]

QUANTIZED = [
    "!quant.calibrated<f32<-0.99:0.5>>",
    "!quant.calibrated<f32<-1.0e-30:5.0e20>>",
    "!quant.uniform<i8:f32, 2.0>",
    "!quant.uniform< i8 < -127 : 127 > : f32 , 0.1 : - 5>",
    "!quant.uniform<i8<-128:127>:f32, 0.00392156862745098:0>",
    "!quant.uniform<u8:f32, 0.5>",
    "!quant.uniform<ui8<1:255>:f64, 1.0e-50:200>",
    "!quant.uniform<si4:bf16, 0x3FF0000000000000>",
    "!quant.uniform<i8:f32:0x1, {2.0e-2, 1.0e-3:1}>",
    "!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0:3}, {3.0, 4.0}}>",
    "!quant.uniform<i8:f32:{0:1}, {1.0:170, 2.0}>",
    "!quant.uniform<i8:f32:{0:1}, {2.00006103515625, 0.1}>",
    "!quant.uniform<i8:f64:{0:1}, {2.00006103515625, 0.1}>",
    "!quant.uniform<i8:f32:0, {2.00006103515625, 0.1}>",
    "!quant.uniform<f8E4M3FN<-448:447>:f32, 1.0>",
    "!quant.any<i8<-8:7>:f32>",
]

OPAQUE = [
    "!foo.bar",
    "!foo<bar>",
    '!foo<"bar">',
    "!foo<bar<1, [2], (->)>>",
    '!foo.bar<"a>b">',
    "!foo.",
    "!foo<bar<1>2>",
    "!tf_type.string",
]

WRONG = [
    "i16777216",
    "i99999999999999999999",
    "i",
    "f16x",
    "tensor",
    "tensor<2xf32",
    "tensor<2x>",
    "tensor<xf32>",
    "tensor<2f32>",
    "tensor<2xxf32>",
    "tensor<0xFFxf32>",
    "tensor<-2xf32>",
    "tensor<9223372036854775808xf32>",
    "tensor<*xf32, 5>",
    "tensor<2xnone>",
    "tensor<2xtensor<2xf32>>",
    "tensor<2xtuple<i32>>",
    "tensor<?x?xf32, #stablehlo.bounds<4>>",
    "tensor<?x2xf32, #stablehlo.bounds<?, 4>>",
    "complex<index>",
    "complex<complex<f32>>",
    "vector<0xf32>",
    "vector<?xf32>",
    "vector<[2xf32>",
    "vector<2xcomplex<f32>>",
    "memref<2xf32, 5, 6>",
    "memref<2xf32, strided<[1, 2]>>",
    "memref<2xtensor<2xf32>>",
    "(i32",
    "!foo",
    "!stablehlo.foo",
    "!stablehlo.future<>",
    "!chlo.foo",
    "!quant.foo",
    "!quant.uniform<i8:f32:0, {}>",
    "!quant.uniform<i8:f32, -2.0>",
    "!quant.uniform<i8:f16, 1.0e6>",
    "!quant.uniform<i33:f32, 1.0>",
    "!quant.uniform<i8<5:4>:f32, 1.0>",
    "!quant.uniform<i8:i32, 1.0>",
    "!quant.uniform<i8:f32:{0:0}, {1.0}>",
    "!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0}}>",
    "!foo.bar<[>",
]


@pytest.mark.parametrize("text", SCALARS + TENSORS + COMPOUND + FUNCTIONS + QUANTIZED + OPAQUE)
def test_types_print_as_the_oracle_prints_them(oracle: Oracle, text: str) -> None:
    expected = theirs(oracle, text, is_type=True)
    assert expected is not None
    assert ours(text, is_type=True) in (expected, expected.removeprefix("(").removesuffix(")"))


@pytest.mark.parametrize("text", WRONG)
def test_what_the_oracle_refuses_is_no_type(oracle: Oracle, text: str) -> None:
    assert (ours(text, is_type=True), theirs(oracle, text, is_type=True)) == (None, None)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("tensor<2xf33>", 9, "expected a type, but found 'f33'"),
        ("tensor<2x3 f32>", 11, "expected 'x' after a dimension, but found 'f32'"),
        ("tuple<i32 f32>", 10, "expected ',' or '>', but found 'f32'"),
        ("!undefined", 0, "the type alias '!undefined' is not defined"),
        ("!foo.bar<(]>", 10, "']' closes a bracket of another kind"),
        ("tensor<2xf32", 12, "expected '>' at the end of a tensor type, but found the end of the text"),
    ],
)
def test_a_mistake_is_told_where_it_is(text: str, place: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_type(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.span.start, diagnostic.message) == (place, message)


NAMED_ELSEWHERE = [
    *(IntegerType(width, sign) for width in INTEGER_WIDTHS for sign in ("signless", "unsigned")),
    *(FloatType(name) for name, layout in FLOAT_FORMATS.items() if layout.dtype),
    *(I1, ComplexType(F32), ComplexType(F64)),
]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((str(dtype_of(each).name), str(each)) for each in NAMED_ELSEWHERE),
        *(("float", "f32"), ("double", "f64"), ("half", "f16"), ("int", ""), ("float33", "")),
    ],
)
def test_a_type_that_numpy_or_c_has_another_name_for_is_told_as_it_is_written(
    written: str, meant: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse_type(f"tensor<2x{written}>")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == f"expected a type, but found '{written}'"
    assert diagnostic.help == (f"did you mean {meant}?" if meant else "")


@pytest.mark.parametrize("text", ["tuple<" * 100_000, "(" * 100_000, "!foo.bar<" + "<" * 100_000])
def test_deep_nesting_is_refused(text: str) -> None:
    assert ours(text, is_type=True) is None


def test_an_alias_stands_for_its_type_and_equal_types_are_one_object() -> None:
    context = Context()
    cursor = Cursor("(!t, tensor<2xf32>)", context)
    cursor.aliases.types["t"] = read_type(Cursor("tensor<2xf32>", context))
    cursor.expect("(")
    first, second = cursor.comma_list(lambda: read_type(cursor), ")")
    assert first is second


INTEGERS = st.builds(IntegerType, st.integers(0, 200), st.sampled_from(["signless", "signed", "unsigned"]))
FLOATS = st.sampled_from(sorted(FLOAT_FORMATS)).map(FloatType)
QUANTIZED_TYPES = st.builds(
    lambda scales, zero, axis: QuantizedType(
        IntegerType(8),
        -128,
        127,
        FloatType("f32"),
        tuple(scales) if axis is not None else (scales[0],),
        (zero,) * (len(scales) if axis is not None else 1),
        axis,
    ),
    st.lists(st.floats(1e-30, 1e30), min_size=1, max_size=4),
    st.integers(-300, 300),
    st.none() | st.integers(0, 5),
)
ELEMENTS = st.one_of(
    INTEGERS,
    FLOATS,
    st.just(INDEX),
    st.builds(ComplexType, FLOATS | INTEGERS),
    QUANTIZED_TYPES,
    st.just(OpaqueType("foo", 'bar<"a>">')),
)
SIZES = st.lists(st.none() | st.integers(0, 2**40), max_size=5).map(tuple)
LEAVES = st.one_of(
    ELEMENTS,
    st.just(NONE),
    st.just(TOKEN),
    st.builds(RankedTensorType, SIZES, ELEMENTS),
    st.builds(UnrankedTensorType, ELEMENTS),
    st.builds(
        lambda dimensions, element: VectorType(
            tuple(size for size, _ in dimensions), element, tuple(scales for _, scales in dimensions)
        ),
        st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=3).filter(
            lambda dimensions: any(scales for _, scales in dimensions)
        ),
        INTEGERS | FLOATS,
    ),
)
TYPES: st.SearchStrategy[Type] = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(TupleType, st.lists(inner, max_size=3).map(tuple))
        | st.builds(
            FunctionType, st.lists(inner, max_size=3).map(tuple), st.lists(inner, max_size=3).map(tuple)
        )
    ),
    max_leaves=8,
)


@given(TYPES)
def test_a_printed_type_reads_back_as_itself(type_: Type) -> None:
    assert parse_type(str(type_)) == type_
