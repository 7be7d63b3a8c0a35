"""Dense elements: what is accepted, what array it becomes, how it is printed, beside the oracle."""

from __future__ import annotations

import math
import random
import re
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shlo.ir.dense import (
    DenseElementsAttr,
    DenseStringElementsAttr,
    array_from_bits,
    array_from_raw,
    bits_from_array,
    raw_from_array,
)
from shlo.ir.dtypes import FLOAT_FORMATS, dtype_of, raw_item_size, storage_dtype
from shlo.ir.floats import float_from_bits, unpack_float
from shlo.ir.types import ComplexType, FloatType, IntegerType, RankedTensorType, Type
from shlo.syntax import parse_attribute, parse_type
from shlo.syntax.numbers.print import float_text
from tests.oracle import JAXLIB, Oracle
from tests.syntax.texts import ours, theirs

IS_ROUNDED_ONCE = JAXLIB >= (0, 12)
"""Whether the oracle rounds a decimal number straight to its type, not to a double first."""

SHAPES = [
    "dense<1> : tensor<2xi32>",
    "dense<[1, 1]> : tensor<2xi32>",
    "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
    "dense<[[[1,2]],[[3,4]]]> : tensor<2x1x2xi32>",
    "dense< [ 1 , // one\n 2 ] > : tensor<2xi32>",
    "dense<7> : tensor<i32>",
    "dense<[7]> : tensor<1xi32>",
    "dense<> : tensor<0x2xi32>",
    "dense<[]> : tensor<0xi32>",
    "dense<[[], []]> : tensor<2x0xi32>",
    "dense<1> : tensor<0xi32>",
    "dense<1> : tensor<1000000x1000000x1000000xi8>",
    "dense<[1, 2]> : vector<[2]xi32>",
    "dense<1> : memref<2xi32>",
    "dense<1> : tensor<2xi32, #foo.bar>",
]

INTEGERS = [
    "dense<[255, -128, 0xFF]> : tensor<3xi8>",
    "dense<[127, -128]> : tensor<2xsi8>",
    "dense<255> : tensor<2xui8>",
    "dense<[15, -8, 7]> : tensor<3xi4>",
    "dense<[3, 1]> : tensor<2xui2>",
    "dense<[18446744073709551615, -9223372036854775808]> : tensor<2xi64>",
    "dense<18446744073709551615> : tensor<2xui64>",
    "dense<-1> : tensor<2xindex>",
    "dense<[-64, 63]> : tensor<2xi7>",
    "dense<[1, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF]> : tensor<2xi128>",
    "dense<[true, false, 1, 0, -1]> : tensor<5xi1>",
    "dense<true> : tensor<2xui1>",
    "dense<0> : tensor<2xi0>",
    "dense<-0x1> : tensor<2xi8>",
    "dense<- 1> : tensor<i8>",
]

FLOATS = [
    "dense<[1.0, -2.5e10, 1.e5, 0.1]> : tensor<4xf32>",
    "dense<[0x7F800000, 0xFF800000, 0x7FC00001, 1.0]> : tensor<4xf32>",
    "dense<[-0.0, 0.0]> : tensor<2xf32>",
    "dense<[1.0e40, 1.0e-46, 16777217.0]> : tensor<3xf32>",
    "dense<[0.7, 0.3333333333333333, 1.0e400]> : tensor<3xf64>",
    "dense<[0.1, 0x7F, -1000.0]> : tensor<3xf8E4M3FN>",
    "dense<[0.1, 0x80]> : tensor<2xf8E4M3FNUZ>",
    "dense<[0.0, 0.75, 3.0]> : tensor<3xf8E8M0FNU>",
    "dense<[7.0, -0.25, 0.75]> : tensor<3xf4E2M1FN>",
    "dense<[0.1, 0x7FFFF]> : tensor<2xtf32>",
    "dense<0.1> : tensor<2xf128>" if not IS_ROUNDED_ONCE else "dense<0.125> : tensor<2xf128>",
    "dense<[(1.0, 2.0), (0x7FC00000,-2.0)]> : tensor<2xcomplex<f32>>",
    "dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>",
    "dense<[(1, 2), (3, -4)]> : tensor<2xcomplex<i4>>",
    "dense<(0.1, 2.0)> : tensor<complex<bf16>>",
]

BYTES = [
    'dense<"0x0000803F00000040"> : tensor<2xf32>',
    'dense<"0x0000803f"> : tensor<2xf32>',
    'dense<"0x"> : tensor<0xf32>',
    'dense<"0x01"> : tensor<0xi8>',
    'dense<"0x010001"> : tensor<3xi1>',
    'dense<"0xFF"> : tensor<9xi1>',
    'dense<"0x0F01"> : tensor<2xi4>',
    'dense<"0x0203"> : tensor<2xf4E2M1FN>',
    'dense<"0x000100020003"> : tensor<3xi10>',
    'dense<"0x010203040506"> : tensor<2xi17>',
    'dense<"0x0000000000000100"> : tensor<1xindex>',
    'dense<"0x0000803F00000040"> : tensor<3xcomplex<f32>>',
    'dense<"0x00000000" // bytes\n> : tensor<f32>',
]

STRINGS = [
    'dense<["a", "b\\22"]> : tensor<2x!foo.string>',
    'dense<["a", "a"]> : tensor<2x!foo.string>',
    'dense<"0x01"> : tensor<2x!foo.string>',
    "dense<> : tensor<0x!foo.string>",
    'dense<"0x01"> : tensor<2x!quant.uniform<i8:f32, 1.0>>',
]

SPARSE = [
    "sparse<[[0, 0], [1, 1]], [1, 2]> : tensor<2x2xi32>",
    "sparse<[[0, 1], [1, 0]], 1.0> : tensor<2x2xf32>",
    "sparse<0, 1.0> : tensor<2x2xf32>",
    "sparse<[0, 1], [1.0, 2.0]> : tensor<2xf32>",
    "sparse<> : tensor<2x2xf32>",
    "sparse<[], []> : tensor<2xf32>",
]

WRONG = [
    "dense<1>",
    "dense<1> : i32",
    "dense<1> : tensor<?xi32>",
    "dense<1> : tensor<*xi32>",
    "dense<[1, 2, 3, 4]> : tensor<2x2xi32>",
    "dense<[[1, 2], [3]]> : tensor<2x2xi32>",
    "dense<[[1, 2], 3]> : tensor<2x2xi32>",
    "dense<[1]> : tensor<2xi32>",
    "dense<[[1]]> : tensor<1xi32>",
    "dense<> : tensor<2xi32>",
    "dense<[]> : tensor<0x2xi32>",
    "dense<[1 2]> : tensor<2xi32>",
    "dense<[1, 2> : tensor<2xi32>",
    "dense<[1, 2,]> : tensor<2xi32>",
    "dense<-0> : tensor<2xi32>",
    "dense<[1, -0]> : tensor<2xi32>",
    "dense<1.0> : tensor<2xi32>",
    "dense<256> : tensor<2xi8>",
    "dense<-129> : tensor<2xi8>",
    "dense<128> : tensor<2xsi8>",
    "dense<-1> : tensor<2xui8>",
    "dense<2> : tensor<2xi1>",
    "dense<1> : tensor<2xi0>",
    "dense<16> : tensor<2xi4>",
    "dense<18446744073709551615> : tensor<2xindex>",
    "dense<18446744073709551616> : tensor<2xui64>",
    "dense<true> : tensor<2xi8>",
    "dense<true> : tensor<2xf32>",
    "dense<0xFFFFFFFFF> : tensor<2xf32>",
    "dense<0x1F> : tensor<2xf4E2M1FN>",
    "dense<-0xFF> : tensor<2xf32>",
    "dense<1.0> : tensor<2xcomplex<f32>>",
    "dense<[1.0, 2.0]> : tensor<2xcomplex<f32>>",
    "dense<[(1.0, 2.0), 3.0]> : tensor<2xcomplex<f32>>",
    "dense<(1.0)> : tensor<2xcomplex<f32>>",
    'dense<"abc"> : tensor<3xi8>',
    'dense<"0x0000803F0000004"> : tensor<2xf32>',
    'dense<"0x0000803F000000"> : tensor<2xf32>',
    'dense<"0x0000803F0000000g"> : tensor<2xf32>',
    'dense<"0X0000803F"> : tensor<2xf32>',
    'dense<"0xFF01"> : tensor<9xi1>',
    'dense<["0x01", "0x02"]> : tensor<2xi8>',
    "dense<1> : tensor<2x!foo.bar>",
    "dense<@a> : tensor<2xi32>",
    "dense<[1.0]> : tensor<4294967296x4294967296xf32>",
    "sparse<[[0], [0]], [1.0]> : tensor<2x2xf32>",
    "sparse<[[0, 5]], [1.0]> : tensor<2x2xf32>",
    "sparse<[[0, 1], [1, 0]], [1.0, 2.0, 3.0]> : tensor<2x2xf32>",
]


@pytest.mark.parametrize("text", SHAPES + INTEGERS + FLOATS + BYTES + STRINGS + SPARSE)
def test_elements_print_as_the_oracle_prints_them(oracle: Oracle, text: str) -> None:
    expected = theirs(oracle, text)
    assert expected is not None
    assert ours(text) == expected


@pytest.mark.parametrize("text", WRONG)
def test_what_the_oracle_refuses_are_no_elements(oracle: Oracle, text: str) -> None:
    assert (ours(text), theirs(oracle, text)) == (None, None)


def test_elements_are_arrays_of_the_types_dtype_that_nobody_can_write_to() -> None:
    attribute = parse_attribute("dense<[[1.5, 2.5], [3.5, 4.5]]> : tensor<2x2xbf16>")
    assert isinstance(attribute, DenseElementsAttr)
    assert attribute.array.dtype == dtype_of(FloatType("bf16"))
    assert attribute.array.astype(float).tolist() == [[1.5, 2.5], [3.5, 4.5]]
    with pytest.raises(ValueError, match="read-only"):
        attribute.array[0, 0] = 0


def test_bytes_are_decoded_when_somebody_looks() -> None:
    attribute = parse_attribute('dense<"0x0100000002000000"> : tensor<2xi32>')
    assert isinstance(attribute, DenseElementsAttr)
    assert not attribute.is_decoded
    assert attribute.array.tolist() == [1, 2]
    assert attribute.is_decoded


@pytest.mark.parametrize(
    ("element_type", "little", "big"),
    [
        ("i32", "0102030405060708", "0403020108070605"),
        ("bf16", "01020304", "02010403"),
        ("complex<f32>", "0102030405060708", "0403020108070605"),
        ("i8", "0102", "0102"),
        ("f80", "0102030405060708090a", "0102030405060708090a"),
    ],
)
def test_files_have_little_endian_elements_on_a_big_endian_machine(
    monkeypatch: pytest.MonkeyPatch, element_type: str, little: str, big: str
) -> None:
    part = parse_type(element_type)
    count = len(little) // 2 // raw_item_size(part)
    shaped = RankedTensorType((count,), part)
    monkeypatch.setattr(sys, "byteorder", "big")
    array = array_from_raw(bytes.fromhex(little), shaped)
    assert array.tobytes().hex() == big
    assert raw_from_array(array).hex() == little
    bits = bits_from_array(array, part)
    assert array_from_bits(bits, part, (count,)).tobytes().hex() == big


def test_a_splat_takes_the_memory_of_one_element() -> None:
    attribute = parse_attribute("dense<3> : tensor<1000000x1000000xi8>")
    assert isinstance(attribute, DenseElementsAttr)
    assert attribute.is_splat
    assert attribute == parse_attribute("dense<3> : tensor<1000000x1000000xi8>")
    assert attribute.array[5, 7] == 3


def test_strings_that_are_all_equal_are_kept_once() -> None:
    attribute = parse_attribute('dense<["a", "a"]> : tensor<2x!foo.string>')
    assert isinstance(attribute, DenseStringElementsAttr)
    assert attribute.values == ("a",)


@pytest.mark.parametrize("count", [100, 101])
@pytest.mark.parametrize(
    "element", ["i32", "i1", "i4", "f32", "f8E4M3FN", "complex<f32>", "index", "i10", "tf32"]
)
def test_more_than_a_hundred_elements_print_as_bytes(oracle: Oracle, element: str, count: int) -> None:
    body = ", ".join(_example(element, index) for index in range(count))
    text = f"dense<[{body}]> : tensor<{count}x{element}>"
    printed = ours(text)
    assert printed == theirs(oracle, text)
    assert ('"0x' in (printed or "")) == (count > 100)


def _example(element: str, index: int) -> str:
    if element.startswith("complex"):
        return f"({index}.0, 1.0)"
    return (
        f"{index % 7}.0"
        if element.startswith(("f", "tf"))
        else str(index % 2 if element == "i1" else index % 7)
    )


@pytest.mark.parametrize("name", FLOAT_FORMATS)
def test_bit_patterns_print_as_the_oracle_prints_them(oracle: Oracle, name: str) -> None:
    width, source = FLOAT_FORMATS[name].width, random.Random(name)
    patterns = range(1 << width) if width <= 8 else [_pattern(source, name, width) for _ in range(400)]
    type_, expected = FloatType(name), _printed_by_oracle(oracle, name, list(patterns))
    assert [float_text(bits, type_) for bits in patterns] == expected


def _pattern(source: random.Random, name: str, width: int) -> int:
    bits = source.getrandbits(width)
    if name != "f80":
        return bits
    has_leading_one = (bits >> 64) & 0x7FFF != 0
    return (bits | 1 << 63) if has_leading_one else (bits & ~(1 << 63))


def _printed_by_oracle(oracle: Oracle, name: str, patterns: list[int]) -> list[str]:
    size, printed = (FLOAT_FORMATS[name].width + 7) // 8, []
    for start in range(0, len(patterns), 64):
        part = patterns[start : start + 64]
        data = b"".join(bits.to_bytes(size, "little") for bits in part)
        text = theirs(oracle, f'dense<"0x{data.hex()}"> : tensor<{len(part)}x{name}>')
        match = re.search(r"\[(.*)\]", text or "")
        assert match
        printed += match[1].split(", ")
    return printed


# Of f8E8M0FNU, which has no sign, MLIR makes something arbitrary out of negative numbers, or refuses them.
@pytest.mark.parametrize("name", FLOAT_FORMATS)
def test_decimal_numbers_are_rounded_as_the_oracle_rounds_them(oracle: Oracle, name: str) -> None:
    numbers = [
        number for number in _near_midpoints(name) if math.copysign(1, number) > 0 or name != "f8E8M0FNU"
    ]
    text = f"dense<[{', '.join(map(_decimal, numbers))}]> : tensor<{len(numbers)}x{name}>"
    expected = theirs(oracle, text)
    assert ours(text) == expected
    assert ours(text.replace("[", "[ // not ordinary\n")) == expected


def _near_midpoints(name: str) -> list[float]:
    """Returns numbers of a type, the middles between neighbours, and doubles beside these."""
    type_, width, source = FloatType(name), FLOAT_FORMATS[name].width, random.Random(name)
    numbers = [0.0, -0.0, 1e300, -1e300, 1e-300, 0.7, 1e10]
    for _ in range(100):
        bits = _pattern(source, name, width) & ~1
        if unpack_float(bits, type_) and unpack_float(bits + 1, type_):
            low, high = float_from_bits(bits, type_), float_from_bits(bits + 1, type_)
            middle = low / 2 + high / 2
            numbers += [low, middle, math.nextafter(middle, math.inf), math.nextafter(middle, -math.inf)]
    return [number for number in numbers if abs(number) < 1e301]


def _decimal(number: float) -> str:
    """Returns the number in decimal. MLIR 23 rounds a text to a double and that to the type, as we do; newer MLIR
    rounds once, which is the same where the text is the double in full.
    """
    mantissa, _, exponent = str(Decimal(number) if IS_ROUNDED_ONCE else number).lower().partition("e")
    return (mantissa if "." in mantissa else f"{mantissa}.0") + (f"e{exponent}" if exponent else "")


ELEMENT_TYPES: st.SearchStrategy[Type] = st.one_of(
    st.builds(IntegerType, st.sampled_from([1, 2, 4, 7, 8, 16, 17, 32, 64, 100]), st.just("signless")),
    st.builds(IntegerType, st.sampled_from([4, 8, 64]), st.just("unsigned")),
    st.sampled_from([name for name in FLOAT_FORMATS if name not in ("f80", "f128")]).map(FloatType),
    st.just(ComplexType(FloatType("f32"))),
    st.just(ComplexType(IntegerType(8))),
)


@st.composite
def constants(draw: st.DrawFn) -> DenseElementsAttr:
    element = draw(ELEMENT_TYPES)
    shape = tuple(draw(st.lists(st.integers(0, 12), max_size=3)))
    dtype: np.dtype[Any] = storage_dtype(element)
    width = dtype.itemsize if isinstance(element, IntegerType) and element.width % 8 else 0
    source = np.random.default_rng(draw(st.integers(0, 2**32)))
    data = source.integers(0, 256, (math.prod(shape), dtype.itemsize), np.uint8)
    if width or isinstance(element, FloatType):
        bits = element.width if isinstance(element, IntegerType) else FLOAT_FORMATS[element.name].width
        data[:, -1] &= (1 << (bits - 1) % 8 + 1) - 1
    return DenseElementsAttr(RankedTensorType(shape, element), data.reshape(-1).view(dtype).reshape(shape))


@given(constants())
def test_a_printed_constant_reads_back_as_itself(constant: DenseElementsAttr) -> None:
    assert parse_attribute(str(constant)) == constant


def test_constants_have_equal_hashes_where_they_are_equal_and_seldom_where_not():
    type_ = RankedTensorType((100, 30), IntegerType(32))
    table = np.arange(3_000, dtype=np.int32).reshape(100, 30)
    same = DenseElementsAttr(type_, np.asfortranarray(table)), DenseElementsAttr(type_, lambda: table.copy())
    splats = (
        DenseElementsAttr(type_, np.int32(7).reshape(())),
        DenseElementsAttr(type_, np.full((100, 30), 7, np.int32)),
    )
    empty = (
        DenseElementsAttr(RankedTensorType((0, 2), IntegerType(32)), np.zeros(shape, np.int32))
        for shape in ((0, 2), ())
    )
    for one, other in (same, splats, empty):
        assert one == other
        assert hash(one) == hash(other)
    columns = [DenseElementsAttr(type_, np.where(np.arange(30) == n, table, 0)) for n in range(30)]
    assert len(set(map(hash, columns))) == 30
