"""Attributes: what is accepted and how it is printed, beside the oracle; what is said of mistakes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shlo.dialects.struct_attributes import AxisRef, GatherDimensionNumbers, SubAxisInfo
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.diagnostics import ParseError
from shlo.ir.types import F32, F64, I32, I64, INDEX, FloatType, IntegerType
from shlo.syntax import parse_attribute
from shlo.syntax.attributes.parse import parse_attribute as read_attribute
from shlo.syntax.dense.resources import parse_resources, resources_text
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from tests.oracle import Oracle
from tests.syntax.texts import ours, theirs

NUMBERS = [
    "5",
    "-5 : i32",
    "- 5",
    "true",
    "1 : i1",
    "-1 : i1",
    "255 : i8",
    "255 : ui8",
    "-128 : si8",
    "5 : index",
    "9223372036854775808",
    "0xFF : i8",
    "007 : i32",
    "0 : i0",
    "0xFFFFFFFFFFFFFFFFF : i128",
    "1.5",
    "1.",
    "-1.e5 : f32",
    "0.1 : bf16",
    "0.3333333333333333",
    "1.0e400",
    "0x7FC00001 : f32",
    "0x7FFF8000000000000000 : f80",
]

STRINGS_AND_SYMBOLS = [
    '"a\\"b\\\\c\\n\\t\\00\\FFé"',
    '"abc" : i32',
    "@foo",
    '@"foo"::@bar :: @"b c"',
    '@"foo.bar$x-y"',
]

COLLECTIONS = [
    "[]",
    '[1, 2.0, "a", 3 : i32, 1.0e400]',
    "{}",
    '{b = 1, a, "a b" = [unit], "0x" = {c = 2.0}, a.b$c = i32, "x\\22y" = true}',
    "array<i64>",
    "array<i64: 1, -2>",
    "array<i1: true, false>",
    "array<i8: 255, 0x10>",
    "array<ui8: -1>",
    "array<f32: 1.5, 0x7FC00000>",
    "array<f80: 1.0>",
]

OTHERS = [
    "tensor<2xf32>",
    "(i32) -> i32",
    "affine_map<(i, j)[n] -> (j + i * 2 - n, i floordiv 4)>",
    "affine_set<(d0) : (d0 - 1 >= 0, d0 - 3 == 0)>",
    "strided<[1, ?], offset: 0x10>",
    "strided<[- 1], offset: 0>",
    "distinct[0]<unit>",
    "#foo.bar",
    "#foo<bar>",
    '#foo<"a">',
    "#foo<bar baz>",
    '#foo.bar<1, [2, "x>"], (->)>',
    "#foo<bar<1>2>",
    "#foo.bar : i32",
    "#foo.",
]

ENUMERATIONS = [
    "#stablehlo<precision  HIGHEST >",
    "#stablehlo< comparison_direction EQ>",
    "#stablehlo<transpose ADJOINT>",
    "#stablehlo<result_accuracy_mode<TOLERANCE>>",
    "#chlo<comparison_type FLOAT>",
]

WITH_FIELDS = [
    "#stablehlo.gather<>",
    "#stablehlo.gather<index_vector_dim = 2, offset_dims = [0, - 1],>",
    "#stablehlo<gather<index_vector_dim = 0, offset_dims = []>>",
    "#stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [4], index_vector_dim = 5>",
    "#stablehlo.dot<rhs_batching_dimensions = [0]>",
    "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, "
    "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
    "allow_imprecise_accumulation = false>",
    "#stablehlo.conv<[b,0,f] x [0,i,o] -> [b,0,f]>",
    "#stablehlo.conv<[f, 1, b, 0]x[1, i, 0, o]->[0, b, f, 1]>",
    "#stablehlo.channel_handle<type = 0, handle = -1>",
    "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
    "operand_tuple_indices = [1]>",
    "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
    "#stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.1, ulps = 3000000000, "
    "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    "#stablehlo.bounds<?, 4>",
    "#stablehlo.type_extensions<bounds = [?, 4]>",
    '#stablehlo.axis_ref<sub_axis_info = (1)2, name = "x">',
    '#stablehlo.mesh<axes = [<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 4>], '
    "device_ids = dense<[0, 1]> : tensor<2xi64>>",
    '#stablehlo.replica_group_mesh_axes<axes = [#stablehlo.axis_ref<name = "x">], '
    'mesh = #stablehlo.mesh<axes = [<name = "x", size = 2>]>>',
    "#chlo.ragged_dot<rhs_group_dimensions = [0], lhs_ragged_dimensions = [0]>",
    '#sdy.sharding<@mesh, [{"x"}, {?}]>',
]

WRONG = [
    "true : i1",
    "2 : i1",
    "256 : i8",
    "-129 : i8",
    "-0 : i32",
    "-1 : ui8",
    "128 : si8",
    "18446744073709551615 : index",
    "18446744073709551616",
    "-0x7FC00000 : f32",
    "0x1FFFFFFFF : f32",
    "1.5 : i32",
    "1 : complex<i32>",
    ".5",
    "-",
    '"abc',
    '"\\z"',
    "@",
    "@1",
    "@-a",
    "@a::b",
    "[1,]",
    "{a = 1, a = 2}",
    "{a = 1,}",
    '{"" = 1}',
    "{2 = 1}",
    "array<i64:>",
    "array<i1: 1, 0>",
    "array<i8: 256>",
    "array<i4: 1>",
    "array<index: 1>",
    "affine_map<(d0) -> (d1)>",
    "affine_map<(d0) -> (d0 2)>",
    "strided<1>",
    "distinct[0]",
    "distinct[-1]<>",
    "dense_resource<foo>",
    "dense_resource<foo> : i32",
    "#map",
    "#foo.bar<[>",
    "#1.bar",
    "foo",
    "[",
    "#stablehlo.precision<HIGHEST>",
    "#stablehlo<precision FOO>",
    "#stablehlo<result_accuracy_mode TOLERANCE>",
    "#stablehlo.foo<a>",
    "#chlo.foo",
    "#stablehlo.gather",
    "#stablehlo.gather<foo = [0]>",
    "#stablehlo.gather<offset_dims = [0], offset_dims = [1]>",
    "#stablehlo.gather<offset_dims = [9223372036854775808]>",
    "#stablehlo.dot_algorithm<rhs_precision_type = tf32>",
    "#stablehlo.conv<[b, 0, 0, f]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.conv<[b, 1, f]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.conv<[b, 0]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.channel_handle<handle = 1>",
    "#stablehlo.channel_handle<handle = 1, type = 0,>",
    "#stablehlo.output_operand_alias<operand_index = 0, output_tuple_indices = [], "
    "operand_tuple_indices = []>",
    "#stablehlo.result_accuracy<>",
    "#stablehlo.result_accuracy<atol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    "#stablehlo.mesh<axes = []>",
    "#stablehlo.type_extensions<>",
]


@pytest.mark.parametrize(
    "text", NUMBERS + STRINGS_AND_SYMBOLS + COLLECTIONS + OTHERS + ENUMERATIONS + WITH_FIELDS
)
def test_attributes_print_as_the_oracle_prints_them(oracle: Oracle, text: str) -> None:
    expected = theirs(oracle, text)
    assert expected is not None
    assert ours(text) == expected


@pytest.mark.parametrize("text", WRONG)
def test_what_the_oracle_refuses_is_no_attribute(oracle: Oracle, text: str) -> None:
    assert (ours(text), theirs(oracle, text)) == (None, None)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("true", IntegerAttr(1, IntegerType(1))),
        ("255 : i8", IntegerAttr(-1, IntegerType(8))),
        ("0.5 : f32", FloatAttr(0x3F000000, F32)),
        ("unit", UnitAttr()),
        ("@a::@b", SymbolRefAttr("a", ("b",))),
        ("array<f32: 0.5>", DenseArrayAttr(F32, (0x3F000000,))),
        ('"\\FF\\C3\\A9"', StringAttr("\udcffé")),
        ("#stablehlo<precision HIGH>", EnumAttr("stablehlo", "precision", "HIGH")),
        ("#stablehlo.gather<offset_dims = [1]>", GatherDimensionNumbers(offset_dims=(1,))),
        (
            '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>',
            AxisRef("x", SubAxisInfo(1, 2)),
        ),
        ("#foo<bar> : i32", OpaqueAttr("foo", ".bar", I32)),
    ],
)
def test_texts_and_their_values(text: str, attribute: Attribute) -> None:
    assert parse_attribute(text) == attribute


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("300 : i8", 0, "300 is out of the range of i8"),
        ("{a, b, a}", 7, "the attribute 'a' is given twice"),
        ("#alias", 0, "the attribute alias '#alias' is not defined"),
        ('["ab]', 1, "the string has no end on its line, or a bad escape in it"),
        ("dense<[[1, 2], [3]]> : tensor<2x2xi8>", 6, "the lists of elements differ in their lengths"),
        ("dense<[1, x]> : tensor<2xi8>", 10, "expected an element, but found 'x'"),
        ("#stablehlo<precision FOO>", 21, "expected one of DEFAULT, HIGH, HIGHEST, but found 'FOO'"),
    ],
)
def test_a_mistake_is_told_where_it_is(text: str, place: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_attribute(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.span.start, diagnostic.message) == (place, message)


def test_a_hint_stands_for_the_type() -> None:
    assert read_attribute(Cursor("5"), I32) == IntegerAttr(5, I32)
    with pytest.raises(SyntaxFault, match="dense elements fill a tensor or a vector, not i64"):
        read_attribute(Cursor("dense<1>"), I64)


# -- resources -----------------------------------------------------------------------------------------------

SECTION = """{-#
  dialect_resources: {
    builtin: {
      "a b": "0x040000000100000002000000",
      c: "0x0100000003"
    }
  }
#-}
"""


def test_a_resource_is_found_in_the_section_behind_its_use() -> None:
    attribute = read_attribute(Cursor(f'dense_resource<"a b"> : tensor<2xi32>\n{SECTION}'))
    assert isinstance(attribute, DenseResourceAttr)
    assert attribute.blob == b"\1\0\0\0\2\0\0\0"
    assert str(attribute) == 'dense_resource<"a b"> : tensor<2xi32>'


def test_a_section_prints_as_it_was_read_with_the_resources_in_use() -> None:
    cursor = Cursor(SECTION)
    parse_resources(cursor)
    assert cursor.at_end
    assert resources_text(cursor.resources, ["a b", "c", "unknown"]) == SECTION
    assert "a b" not in resources_text(cursor.resources, ["c"])
    assert resources_text(cursor.resources, []) == ""


@pytest.mark.parametrize(
    "value",
    ['"abc"', '"0x01"', '"0x0300000001"', '"0x04000000012"', "true", "", '"0x01000000'],
)
def test_a_resource_that_is_no_blob_is_refused(oracle: Oracle, value: str) -> None:
    section = f"{{-# dialect_resources: {{ builtin: {{ key: {value} }} }} #-}}"
    with pytest.raises(SyntaxFault):
        parse_resources(Cursor(section))
    assert not oracle.accepts(f"module {{}} {section}").accepted


# -- anything ------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
LEAVES: st.SearchStrategy[Attribute] = st.one_of(
    st.just(UnitAttr()),
    st.builds(IntegerAttr, st.integers(-(2**63), 2**63 - 1), st.sampled_from([I64, INDEX])),
    st.builds(IntegerAttr, st.integers(0, 255), st.just(IntegerType(8, "unsigned"))),
    st.builds(FloatAttr, st.integers(0, 2**64 - 1), st.just(F64)),
    st.builds(FloatAttr, st.integers(0, 2**16 - 1), st.sampled_from([FloatType("bf16"), FloatType("f16")])),
    st.builds(StringAttr, TEXTS, st.none() | st.just(I32)),
    st.builds(TypeAttr, st.just(F32)),
    st.builds(SymbolRefAttr, TEXTS, st.lists(TEXTS, max_size=2).map(tuple)),
    st.builds(DenseArrayAttr, st.just(I32), st.lists(st.integers(-9, 9), max_size=3).map(tuple)),
    st.builds(EnumAttr, st.just("stablehlo"), st.just("precision"), st.sampled_from(["HIGH", "DEFAULT"])),
    st.builds(
        GatherDimensionNumbers,
        offset_dims=st.lists(st.integers(0, 9), max_size=3).map(tuple),
        index_vector_dim=st.integers(0, 9),
    ),
)
ATTRIBUTES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ArrayAttr, st.lists(inner, max_size=3).map(tuple))
        | st.dictionaries(TEXTS.filter(bool), inner, max_size=3).map(DictionaryAttr.of)
    ),
    max_leaves=8,
)


@given(ATTRIBUTES)
def test_a_printed_attribute_reads_back_as_itself(attribute: Attribute) -> None:
    assert parse_attribute(str(attribute)) == attribute


CHARACTERS = '<>[](){}"\\,:=#!@%-+.0123456789xeEabcdfinstu?*/ \n\0é\ud800'


def test_mutated_texts_are_read_or_refused_and_nothing_else() -> None:
    source = random.Random(0)
    texts = NUMBERS + STRINGS_AND_SYMBOLS + COLLECTIONS + OTHERS + ENUMERATIONS + WITH_FIELDS + WRONG
    texts += ["dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", 'dense<"0x00"> : tensor<i8>', 'loc(fused<1>["a"])']
    for _ in range(5000):
        ours(_mutated(source.choice(texts), source))


def _mutated(text: str, source: random.Random) -> str:
    for _ in range(source.randint(1, 3)):
        start = source.randrange(len(text) + 1)
        end = min(len(text), start + source.randint(0, 4))
        inserted = source.choice(
            [source.choice(CHARACTERS), text[start:end] * source.randint(0, 200), "9" * 5000]
        )
        text = text[:start] + inserted + text[end:]
    return text
