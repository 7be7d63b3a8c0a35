"""Tensors as levels, marks and colours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.runner.statistics import statistics_of
from shlo.runner.tensors.colormap import ANCHORS, PALETTES, Scale, color_levels, marks, scale_of


def levels(array: Any) -> list[Any]:
    return color_levels(np.asarray(array), scale_of(statistics_of(array))).tolist()


@pytest.mark.parametrize(
    "dtype",
    [
        *(np.int8, np.uint64, np.float16, np.float64, np.complex64, ml_dtypes.bfloat16),
        *(ml_dtypes.float8_e5m2, ml_dtypes.float4_e2m1fn, ml_dtypes.int4, ml_dtypes.uint2),
    ],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_one_sign_goes_from_the_least_to_the_greatest(dtype: Any) -> None:
    assert levels(np.array([[0, 1, 1]]).astype(dtype)) == [[0, 255, 255]]


def test_both_signs_meet_in_the_middle() -> None:
    assert levels(np.array([-1, 0, 4], np.int32)) == [96, 128, 255]
    assert levels(np.array([False, True])) == [0, 255]
    assert levels(np.array([3j, -4], np.complex64)) == [0, 255]  # magnitudes have one sign
    assert levels(np.array([-3, -1], np.float32)) == [0, 255]
    assert levels(np.array([-1.7e308, 1.7e308])) == [0, 255]


def test_nothing_to_compare_is_in_the_middle() -> None:
    assert levels(np.full((2, 1), 7.0)) == [[128], [128]]
    assert levels(np.float32(2)) == 128
    assert scale_of(None) == Scale(0, 0, False)


def test_what_is_no_finite_number_is_marked() -> None:
    values = [[np.nan, np.inf, -np.inf, 1]]
    for dtype in (np.float32, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2):
        assert marks(np.array(values).astype(dtype)).tolist() == [[1, 2, 3, 0]]
    assert marks(np.array([complex(np.nan, 1), complex(0, np.inf), 1j])).tolist() == [1, 2, 0]
    assert marks(np.array([1, 2], ml_dtypes.int4)).tolist() == [0, 0]
    assert levels(np.array([np.nan, 0, 1, np.inf, -np.inf])) == [0, 0, 255, 255, 0]


def test_palettes_are_told_apart_by_people_who_confuse_red_with_green() -> None:
    # What a dichromat sees: Viénot, Brettel and Mollon (1999), in linear light, for protanopes and
    # deuteranopes.
    views = {
        "protan": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
        "deutan": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
    }
    for palette in PALETTES.values():
        colors = np.array(palette[::32]) / 255
        assert (len(palette), colors.shape) == (256, (8, 3))
        for view in views.values():
            seen = colors**2.2 @ view.T
            steps = np.abs(np.diff(seen.clip(0, 1) ** (1 / 2.2), axis=0)).max(axis=1)
            assert steps.min() > 0.03
    light = np.array(PALETTES["sequential"]) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(light) > -1).all()
    middle = np.array(PALETTES["diverging"]) @ [0.2126, 0.7152, 0.0722]
    assert middle.argmax() in (127, 128)
    left, right = PALETTES["diverging"][40], PALETTES["diverging"][215]
    assert left[2] > left[0] + 60
    assert right[0] > right[2] + 60


def test_the_view_for_web_pages_has_the_same_palettes() -> None:
    source = Path(__file__).parents[2].joinpath("web/src/colormap.ts").read_text()
    for name, anchors in ANCHORS.items():
        found = re.search(rf"  {name}: (\[\[.*\]\]),", source)
        assert found
        assert json.loads(found[1]) == [list(anchor) for anchor in anchors]
