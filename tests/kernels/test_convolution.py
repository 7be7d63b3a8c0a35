"""Convolutions against XLA on CPU."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.dialects.struct_attributes import ConvDimensionNumbers
from shlo.interpreter import run
from shlo.interpreter.kernels.contraction import convolution_phases, convolution_products
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import element_type_for
from shlo.ir.types import F32, I64, RankedTensorType
from shlo.syntax import parse

from .helpers import evaluate, random_array, specialize, tensor

pytestmark = pytest.mark.slow

jax = pytest.importorskip("jax")

NCHW = ("NCHW", "OIHW", "NCHW")


def pairs(padding: Any) -> DenseElementsAttr:
    array = np.array(padding, np.int64).reshape(-1, 2)
    return DenseElementsAttr(RankedTensorType(array.shape, I64), array)


def numbers_of(layout: Any, lhs: tuple[int, ...], rhs: tuple[int, ...]) -> ConvDimensionNumbers:
    i, r, o = jax.lax.conv_dimension_numbers(lhs, rhs, layout)
    return ConvDimensionNumbers(i[0], i[1], i[2:], r[1], r[0], r[2:], o[0], o[1], o[2:])


def check(
    lhs: Any, rhs: Any, layout: Any = None, result: Any = None, tolerance: float = 1e-4, **options: Any
) -> None:
    """`options` are named as the op's attributes, `padding` a list of pairs."""
    rank = lhs.ndim - 2
    options = {"window_strides": [1] * rank, "padding": [(0, 0)] * rank} | options
    reversal = options.pop("window_reversal", [False] * rank)
    numbers = numbers_of(layout, lhs.shape, rhs.shape)
    turned = np.flip(rhs, [d for d, turn in zip(numbers.kernel_spatial_dimensions, reversal) if turn])
    with jax.enable_x64(True):
        expected = jax.lax.conv_general_dilated(
            lhs, turned, dimension_numbers=layout, preferred_element_type=result, **options
        )
    expected = np.asarray(expected)
    attributes = options | {"padding": pairs(options["padding"]), "window_reversal": reversal}
    declared = tensor(element_type_for(expected.dtype), *expected.shape)
    actual = evaluate(
        "convolution", lhs, rhs, result_types=[declared], dimension_numbers=numbers, **attributes
    )
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    if actual.dtype.kind in "iu":
        np.testing.assert_array_equal(actual, expected)
    else:
        wide = np.complex128 if actual.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(actual.astype(wide), expected.astype(wide), tolerance, tolerance)


CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "plain": ((2, 3, 8, 9), (4, 3, 3, 3), {}),
    "no spatial dimension": ((3, 4), (5, 4), {}),
    "one spatial dimension": ((2, 3, 12), (4, 3, 5), {"window_strides": (2,), "padding": [(1, 2)]}),
    "three spatial dimensions": ((1, 2, 5, 6, 7), (3, 2, 2, 3, 2), {"window_strides": (1, 2, 1)}),
    "one by one": ((2, 3, 5, 5), (8, 3, 1, 1), {}),
    "strides": ((2, 3, 9, 9), (4, 3, 3, 3), {"window_strides": (2, 3)}),
    "padding": ((1, 2, 6, 6), (3, 2, 3, 3), {"padding": [(2, 0), (1, 3)]}),
    "negative padding": ((1, 2, 8, 8), (3, 2, 3, 3), {"padding": [(-1, 0), (2, -2)]}),
    "negative padding into holes": (
        (1, 2, 5, 5),
        (3, 2, 2, 2),
        {"padding": [(-2, -3), (-4, 1)], "lhs_dilation": (3, 2)},
    ),
    "both dilations": (
        (2, 3, 7, 7),
        (4, 3, 3, 3),
        {
            "lhs_dilation": (2, 1),
            "rhs_dilation": (2, 2),
            "padding": [(1, 1), (3, 2)],
            "window_strides": (1, 2),
        },
    ),
    "reversed window": ((1, 2, 6, 6), (3, 2, 3, 3), {"window_reversal": [True, False]}),
    "feature groups": ((2, 6, 7, 7), (4, 3, 3, 3), {"feature_group_count": 2}),
    "depthwise": ((2, 6, 7, 7), (12, 1, 3, 3), {"feature_group_count": 6, "rhs_dilation": (2, 1)}),
    "batch groups": ((4, 3, 7, 7), (6, 3, 3, 3), {"batch_group_count": 2}),
    "batch groups of one feature": ((6, 1, 7, 7), (6, 1, 3, 3), {"batch_group_count": 3}),
    "window as large as the image": ((3, 2, 9, 9), (4, 2, 8, 8), {}),
    "window larger than the image": ((1, 1, 2, 2), (1, 1, 3, 3), {}),
    "empty batch": ((0, 3, 5, 5), (4, 3, 3, 3), {}),
    "no features": ((2, 0, 5, 5), (4, 0, 3, 3), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_convolution_attributes(name: str) -> None:
    lhs, rhs, options = CASES[name]
    check(random_array("f4", *lhs), random_array("f4", *rhs, seed=1), **options)


@pytest.mark.parametrize(
    ("layout", "lhs", "rhs"),
    [
        (("NHWC", "HWIO", "NHWC"), (2, 8, 9, 6), (3, 2, 3, 4)),
        (("CHWN", "IOHW", "HWNC"), (6, 8, 9, 2), (3, 4, 2, 3)),
        (("HNWC", "OHIW", "CWHN"), (8, 2, 9, 6), (4, 3, 3, 2)),
    ],
)
@pytest.mark.parametrize("groups", [1, 2])
def test_convolution_layouts(layout: Any, lhs: tuple[int, ...], rhs: tuple[int, ...], groups: int) -> None:
    if groups == 1:
        lhs = tuple(3 if size == 6 else size for size in lhs)
    a, b = random_array("f4", *lhs), random_array("f4", *rhs, seed=1)
    check(a, b, layout, padding=[(1, 0), (0, 2)], feature_group_count=groups)


@pytest.mark.parametrize("layout", [NCHW, ("NHWC", "HWIO", "NHWC"), ("CHWN", "IHWO", "HWNC")])
def test_convolution_in_pieces(layout: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Images whose windows do not fit the memory budget are done piece by piece."""
    monkeypatch.setattr(convolution_products, "_PATCH_ELEMENTS", 50)
    sizes = {"N": 3, "C": 4, "H": 9, "W": 8}, {"O": 5, "I": 4, "H": 3, "W": 2}
    lhs, rhs = (tuple(size[letter] for letter in letters) for size, letters in zip(sizes, layout))
    check(random_array("f4", *lhs), random_array("f4", *rhs, seed=1), layout, padding=[(1, 1), (0, 1)])


@pytest.mark.parametrize(
    "options",
    [
        {"lhs_dilation": (2, 2), "padding": [(1, 2), (2, 1)]},
        {"lhs_dilation": (2, 3), "window_strides": (3, 2), "padding": [(0, 2), (4, 1)]},
        {"lhs_dilation": (4, 1), "rhs_dilation": (2, 2), "padding": [(3, 5), (0, 0)]},
        {"lhs_dilation": (3, 2), "rhs_dilation": (3, 2), "padding": [(-2, 0), (1, -1)]},
        {"lhs_dilation": (2, 5), "window_reversal": [True, False], "feature_group_count": 2},
        {"lhs_dilation": (1, 2), "batch_group_count": 2},
    ],
)
def test_convolution_of_a_dilated_lhs_in_phases(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large ones are done without the holes."""
    monkeypatch.setattr(convolution_phases, "_WORTHWHILE", 0)
    channels = 2 * options.get("feature_group_count", 1)
    check(random_array("f4", 4, channels, 5, 6), random_array("f4", 4, 2, 3, 3, seed=1), **options)


@pytest.mark.parametrize(
    ("operand", "result"),
    [
        ("float64", "float64"),
        ("float16", "float16"),
        ("bfloat16", "bfloat16"),
        ("bfloat16", "float32"),
        ("complex64", "complex64"),
        ("int8", "int32"),
        ("int32", "int32"),
        ("uint64", "uint64"),
    ],
)
@pytest.mark.parametrize("groups", [1, 6])
def test_convolution_element_types(operand: str, result: str, groups: int) -> None:
    """Sums of narrow floats are rounded once; integers wrap exactly."""
    dtype, to = (np.dtype(getattr(ml_dtypes, name, name)) for name in (operand, result))
    a, b = random_array(dtype, 2, 6, 9, 9), random_array(dtype, 12, 6 // groups, 3, 3, seed=1)
    check(a, b, result=to, tolerance=1e-2 if to.itemsize == 2 else 1e-4, feature_group_count=groups)


def test_dynamic_conv_takes_padding_from_an_operand() -> None:
    a, b = random_array("f4", 1, 3, 6, 6), random_array("f4", 2, 3, 3, 3, seed=1)
    numbers = numbers_of(NCHW, a.shape, b.shape)
    types = tensor(F32, 1, 3, None, 6), tensor(F32, 2, 3, 3, 3), tensor(I64, 2, 2)  # type: ignore[arg-type]
    results = [tensor(F32, 1, 2, None, None)]  # type: ignore[arg-type]
    run = specialize("dynamic_conv", types, results, {"dimension_numbers": numbers})
    for padding in ([(1, 2), (0, 1)], [(0, 0), (-1, 3)]):
        expected = jax.lax.conv_general_dilated(a, b, (1, 1), padding)
        np.testing.assert_allclose(run(a, b, np.array(padding)), expected, 1e-4, 1e-5)


def test_convolution_of_sizes_known_at_run_time() -> None:
    text = """
    func.func @main(%lhs: tensor<1x1x?xf64>, %rhs: tensor<1x1x2xf64>) -> tensor<1x1x?xf64> {
      %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x?xf64>, tensor<1x1x2xf64>) -> tensor<1x1x?xf64>
      return %result : tensor<1x1x?xf64>
    }
    """
    (result,) = run(parse(text)[0], np.array([[[1.0, 2.0, 3.0]]]), np.array([[[1.0, 10.0]]]))
    np.testing.assert_array_equal(result, [[[21.0, 32.0]]])
