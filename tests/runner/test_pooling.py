"""Large tensors as pictures: NaN, infinities and extremes survive, on the terminal as in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import Session
from shlo.debugger.views.tensor import TensorReader, TensorRequest
from shlo.pages.pictures import MARK_COLORS
from shlo.pages.tensor import PIXELS, PLANE_SIDE
from shlo.runner.statistics import statistics_of
from shlo.runner.tensors import pooling
from shlo.runner.tensors.colormap import NAN, PALETTES, marks
from shlo.runner.tensors.pooling import pool
from shlo.syntax import parse, parse_type
from shlo_kernel.mime.bundle import mime_of
from tests.kernel.test_display import Tags, pixels

pytestmark = pytest.mark.slow

SIDE = 1500
AT = 977, 401
"""Where the special element is: in none of the rows or columns of a coarse grid."""
TYPE = f"tensor<{SIDE}x{SIDE}xf32>"


def terminal(array: Any) -> tuple[Any, Any]:
    """Levels and marks of the picture on the terminal."""
    module, _ = parse(f"func.func @main(%x: {TYPE}) -> {TYPE} {{ return %x : {TYPE} }}")
    request = TensorRequest("x", 0, map_rows=20, map_columns=60)
    level_map = TensorReader().read(Session(module, [array]), request).level_map
    assert level_map is not None
    return np.array(level_map.levels), np.array(level_map.marks)


def notebook(array: Any) -> tuple[Any, Any]:
    """Returns the same of the picture in a notebook, read back from its pixels."""
    picture = pixels(Tags(mime_of("x", parse_type(TYPE), array)["text/html"]).named("img")[0])
    assert picture.shape == (PIXELS, PIXELS, 3)
    levels = (picture[..., None, :] == np.array(PALETTES["sequential"])).all(-1).argmax(-1)
    found = sum(mark * (picture == color).all(-1) for mark, color in MARK_COLORS.items())
    return levels, found


@pytest.mark.parametrize("picture", [terminal, notebook])
@pytest.mark.parametrize(("special", "mark"), [(np.nan, 1), (np.inf, 2), (-np.inf, 3)])
def test_one_special_element_is_marked(picture: Callable[[Any], Any], special: float, mark: int) -> None:
    array = np.random.default_rng(0).uniform(10, 11, (SIDE, SIDE)).astype(np.float32)
    array[AT] = special
    levels, found = picture(array)
    place = tuple(np.array(AT) * levels.shape // SIDE)
    assert found[place] == mark
    assert np.count_nonzero(found) == 1


@pytest.mark.parametrize("picture", [terminal, notebook])
@pytest.mark.parametrize(("spike", "is_shown"), [(15.0, np.argmax), (0.0, np.argmin)])
def test_one_spike_is_seen(
    picture: Callable[[Any], Any], spike: float, is_shown: Callable[[Any], Any]
) -> None:
    array = np.random.default_rng(0).uniform(10, 11, (SIDE, SIDE)).astype(np.float32)
    array[AT] = spike
    levels, _ = picture(array)
    assert np.unravel_index(is_shown(levels), levels.shape) == tuple(np.array(AT) * levels.shape // SIDE)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.bool_, np.uint64, np.complex64, ml_dtypes.float8_e4m3fn, ml_dtypes.int4]
)
@pytest.mark.parametrize("shape", [(1, 7), (5, 1), (6, 4), (13, 11), (70, 3), (29, 40)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_each_block_gives_its_element_farthest_from_the_mean(
    dtype: Any, shape: tuple[int, int], order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooling, "ELEMENTS_AT_A_TIME", 8)
    monkeypatch.setattr(pooling, "ELEMENTS_SIDE_BY_SIDE", 8)
    array = np.random.default_rng(1).integers(0, 7, shape).astype(dtype, order=order)
    statistics = statistics_of(array)
    assert statistics is not None
    assert statistics.mean is not None
    cells = pool(array, 3, 4, statistics)
    numbers = np.abs(array).astype(float) if np.dtype(dtype).kind == "c" else array.astype(float)
    starts = [pooling.block_starts(size, min(size, most)) for size, most in zip(shape, (3, 4))]
    assert cells.numbers.shape == tuple(map(len, starts))
    for row, top in enumerate(starts[0]):
        for column, left in enumerate(starts[1]):
            bottom, right = ([*edges, size][at + 1] for edges, size, at in zip(starts, shape, (row, column)))
            block = numbers[top:bottom, left:right]
            farthest = np.abs(block - statistics.mean).max()
            assert abs(cells.numbers[row, column] - statistics.mean) == pytest.approx(farthest)
            assert cells.numbers[row, column] in block


@pytest.mark.parametrize("shape", [(70, 3), (29, 40), (1, 90)])
@pytest.mark.parametrize("marked", [[np.nan], [np.inf, np.nan], [np.inf, -np.inf]])
def test_numbers_beside_what_is_none_are_those_of_its_block(
    shape: tuple[int, int], marked: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooling, "ELEMENTS_SIDE_BY_SIDE", 8)
    random = np.random.default_rng(2)
    array = random.normal(3, 1, shape).astype(np.float32)
    is_marked = random.random(shape) < 0.4
    array[is_marked] = random.choice(marked, np.count_nonzero(is_marked))
    statistics = statistics_of(array)
    assert statistics is not None
    cells = pool(array, 6, 2, statistics)
    rows, columns = (pooling.block_starts(size, count) for size, count in zip(shape, cells.numbers.shape))
    for at in np.ndindex(cells.numbers.shape):
        block = np.split(np.split(array, rows[1:])[at[0]], columns[1:], axis=1)[at[1]]
        finite = block[np.isfinite(block)].astype(float)
        farthest = finite[np.abs(finite - statistics.mean).argmax()] if finite.size else np.nan
        np.testing.assert_equal(cells.numbers[at], farthest)
        assert (cells.marks[at] == NAN) == np.isnan(block).any()
        assert (cells.marks[at] != 0) == (not np.isfinite(block).all())


@pytest.mark.parametrize("shape", [(997, 1201), (200, 1300), (1, 5000), (50, 3)])
def test_a_picture_of_a_picture_is_that_of_the_plane(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(3)
    array = random.normal(3, 1, shape).astype(np.float32)
    is_marked = random.random(shape) < 0.02
    array[is_marked] = random.choice([np.nan, np.inf, -np.inf], np.count_nonzero(is_marked))
    array[:40, :40] = -np.inf
    statistics = statistics_of(array)
    fine = pool(array, pooling.FINE, pooling.FINE, statistics)
    for side in (PIXELS, PLANE_SIDE):
        cells, direct = pooling.pool_again(fine, side, side, statistics), pool(array, side, side, statistics)
        np.testing.assert_array_equal(cells.numbers, direct.numbers)
        np.testing.assert_array_equal(cells.marks, direct.marks)


def test_a_block_without_numbers_has_none_and_nan_comes_before_infinity() -> None:
    array = np.array([[np.nan, np.inf, np.inf, np.inf, -1, np.inf]], np.float32)
    cells = pool(array, 1, 3, statistics_of(array))
    assert cells.marks.tolist() == [[1, 2, 2]]
    np.testing.assert_array_equal(cells.numbers, [[np.nan, np.nan, -1]])
    assert pool(np.zeros((0, 0)), 3, 3, None).marks.size == 0
    assert marks(array).shape == pool(array, 9, 9, None).marks.shape
