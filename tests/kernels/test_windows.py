"""reduce_window and select_and_scatter, compared with the specification's words on drawn windows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import F32, I1, I32, I64
from tests.kernels.bodies import ListedBody, applying, compared
from tests.kernels.helpers import evaluate, tensor, tensor_type


def padding_of(pairs: Any) -> DenseElementsAttr:
    return DenseElementsAttr(tensor(I64, len(pairs), 2), np.array(pairs, np.int64).reshape(len(pairs), 2))


def padded(x: Any, value: Any, pairs: Any, base: Any) -> np.ndarray:
    """Dilated, then padded; a negative edge cuts off."""
    dilated = np.full([size and (size - 1) * step + 1 for size, step in zip(x.shape, base)], value, x.dtype)
    dilated[tuple(slice(None, None, step) for step in base)] = x
    grown = np.pad(dilated, [(max(low, 0), max(high, 0)) for low, high in pairs], constant_values=value)
    ends = [size + min(high, 0) for size, (_, high) in zip(grown.shape, pairs)]
    return grown[tuple(slice(max(-low, 0), end) for (low, _), end in zip(pairs, ends))]


def windows_of(x: np.ndarray, sizes: Any, strides: Any, dilations: Any) -> np.ndarray:
    """Returns all windows, the elements of each in the last dimension."""
    counts = [
        max((n - (w - 1) * d - 1) // s + 1, 0) for n, w, s, d in zip(x.shape, sizes, strides, dilations)
    ]
    result = np.empty((*counts, *sizes), x.dtype)
    for at in np.ndindex(*counts):
        index = tuple(
            slice(i * s, i * s + (w - 1) * d + 1, d) for i, s, w, d in zip(at, strides, sizes, dilations)
        )
        result[at] = x[index]
    return result.reshape((*counts, int(np.prod(sizes))))


def drawn_windows(draw: Any, shape: Any) -> tuple[list[list[int]], list[tuple[int, int]]]:
    lists = [[int(value) for value in draw.integers(1, 4, len(shape))] for _ in range(4)]
    return lists, [(int(low), int(high)) for low, high in draw.integers(-1, 4, (len(shape), 2))]


KEEP_LARGER_SECOND = ListedBody(
    (F32, I32, F32, I32),
    [
        ("compare", (1, 3), {"comparison_direction": "GE"}),
        ("select", (4, 0, 2), {}, F32),
        ("select", (4, 1, 3), {}, I32),
    ],
    (5, 6),
)


@pytest.mark.parametrize("seed", range(60))
def test_reduce_window_with_drawn_windows(seed: int) -> None:
    draw = np.random.default_rng(seed)
    shape = [int(size) for size in draw.integers(2, 7, int(draw.integers(1, 4)))]
    (sizes, strides, base, dilations), pairs = drawn_windows(draw, shape)
    x = draw.integers(-9, 9, shape).astype(np.float32)
    initial = np.float32(draw.choice([0, 2]))
    name, function = [("add", np.sum), ("maximum", np.max), ("subtract", None)][seed % 3]
    attributes = {
        "window_dimensions": sizes,
        "window_strides": strides,
        "base_dilations": base,
        "window_dilations": dilations,
        "padding": padding_of(pairs),
    }
    windows = windows_of(padded(x, initial, pairs, base), sizes, strides, dilations)
    if function is not None:
        expected = function(windows, axis=-1, initial=initial)
        result = evaluate(
            "reduce_window",
            x,
            initial,
            result_types=[tensor_type(expected)],
            bodies=(applying(name, F32),),
            **attributes,
        )
        np.testing.assert_array_equal(result, expected)
        return
    numbers = np.arange(x.size, dtype=np.int32).reshape(shape)
    places = windows_of(padded(numbers, -1, pairs, base), sizes, strides, dilations)
    best = places.argmax(-1)[..., None] if places.size else np.zeros((*places.shape[:-1], 1), np.intp)
    expected = [np.take_along_axis(values, best, -1)[..., 0] for values in (windows, places)]
    results = evaluate(
        "reduce_window",
        x,
        numbers,
        initial,
        np.int32(-1),
        result_types=[tensor_type(value) for value in expected],
        bodies=(KEEP_LARGER_SECOND,),
        **attributes,
    )
    for result, right in zip(results, expected):
        np.testing.assert_array_equal(result, right)


@pytest.mark.parametrize("is_reverse", [False, True])
@pytest.mark.parametrize("initial", [0, 3])
def test_reduce_window_as_a_scan(is_reverse: bool, initial: int) -> None:
    x = np.random.default_rng(1).integers(-5, 5, (3, 50)).astype(np.float32)
    pairs = [(0, 0), (0, 59) if is_reverse else (59, 0)]
    result = evaluate(
        "reduce_window",
        x,
        np.float32(initial),
        bodies=(applying("add", F32),),
        window_dimensions=[1, 60],
        padding=padding_of(pairs),
    )
    windows = windows_of(padded(x, initial, pairs, [1, 1]), [1, 60], [1, 1], [1, 1])
    np.testing.assert_array_equal(result, windows.sum(-1) + initial)


def test_reduce_window_as_a_long_scan_is_exact_and_quick() -> None:
    x = np.full(1 << 20, 0.1, np.float32)
    arguments = {"window_dimensions": [x.size], "padding": padding_of([(x.size - 1, 0)])}
    result = evaluate("reduce_window", x, np.float32(0), bodies=(applying("add", F32),), **arguments)
    np.testing.assert_allclose(result, np.cumsum(x, dtype=np.float64), rtol=1e-6)


def test_reduce_window_of_long_windows_with_any_body_keeps_their_order() -> None:
    # Keeps the left value while its square differs from it: the first that is neither 0 nor 1.
    first = ListedBody(
        (I32, I32),
        [
            ("multiply", (0, 0)),
            ("compare", (2, 0), {"comparison_direction": "NE"}),
            ("select", (3, 0, 1), {}, I32),
        ],
        (4,),
    )
    x = np.random.default_rng(2).integers(0, 9, 200).astype(np.int32)
    x[np.random.default_rng(3).random(200) < 0.9] = 1
    for size, stride, dilation in ((37, 1, 1), (64, 2, 1), (25, 1, 3)):
        windows = windows_of(x, [size], [stride], [dilation])
        special = windows > 1
        first_one = np.where(special.any(-1), special.argmax(-1), size - 1)
        result = evaluate(
            "reduce_window",
            x,
            np.int32(0),
            result_types=[tensor(I32, len(windows))],
            bodies=(first,),
            window_dimensions=[size],
            window_strides=[stride],
            window_dilations=[dilation],
        )
        np.testing.assert_array_equal(result, np.take_along_axis(windows, first_one[:, None], -1)[:, 0])
    assert first.calls < 60


def test_padding_that_cuts_off_more_than_there_is_leaves_no_windows() -> None:
    x, empty = np.ones((3, 2), np.float32), np.empty((0, 2), np.float32)
    attributes = {"window_dimensions": [2, 1], "padding": padding_of([(-5, 1), (0, 0)])}
    for bodies in ((applying("add", F32),), (applying("subtract", F32),)):
        result = evaluate(
            "reduce_window", x, np.float32(0), result_types=[tensor(F32, 0, 2)], bodies=bodies, **attributes
        )
        assert result.shape == (0, 2)
    bodies = (compared("GE", F32), applying("add", F32))
    result = evaluate("select_and_scatter", x, empty, np.float32(7), bodies=bodies, **attributes)
    np.testing.assert_array_equal(result, np.full_like(x, 7))


def test_reduce_window_without_windows_or_dimensions() -> None:
    x = np.ones((2, 3), np.float32)
    add = (applying("add", F32),)
    result = evaluate(
        "reduce_window",
        x,
        np.float32(0),
        result_types=[tensor(F32, 0, 3)],
        bodies=add,
        window_dimensions=[4, 1],
    )
    assert result.shape == (0, 3)
    assert evaluate("reduce_window", np.float32(2), np.float32(3), bodies=add, window_dimensions=[]) == 5


def selected(
    x: Any, source: Any, initial: float, sizes: Any, strides: Any, pairs: Any, keeps: Any
) -> np.ndarray:
    """Returns the specification's definition, one window at a time."""
    result = np.full(x.shape, initial, x.dtype)
    for at in np.ndindex(*source.shape):
        best = None
        for place in np.ndindex(*sizes):
            index = tuple(i * s + p - low for i, s, p, (low, _) in zip(at, strides, place, pairs))
            if not all(0 <= position < size for position, size in zip(index, x.shape)):
                continue
            if best is None or not keeps(x[best], x[index]):
                best = index
        if best is not None:
            result[best] += source[at]
    return result


@pytest.mark.parametrize("seed", range(40))
def test_select_and_scatter_with_drawn_windows(seed: int) -> None:
    draw = np.random.default_rng(seed)
    shape = [int(size) for size in draw.integers(2, 7, int(draw.integers(1, 4)))]
    (sizes, strides, _, _), pairs = drawn_windows(draw, shape)
    pairs = [(low, high) for low, high in np.abs(pairs)]
    x = draw.integers(-3, 3, shape).astype(np.float32)
    if seed % 4 == 0:
        x.reshape(-1)[0] = np.nan
    counts = windows_of(padded(x, 0, pairs, [1] * x.ndim), sizes, strides, [1] * x.ndim).shape[:-1]
    source = draw.integers(1, 5, counts).astype(np.float32)
    direction, keeps = [("GE", lambda a, b: a >= b), ("LT", lambda a, b: a < b)][seed % 2]
    result = evaluate(
        "select_and_scatter",
        x,
        source,
        np.float32(0.5),
        bodies=(compared(direction, F32), applying("add", F32)),
        window_dimensions=sizes,
        window_strides=strides,
        padding=padding_of(pairs),
    )
    np.testing.assert_array_equal(result, selected(x, source, 0.5, sizes, strides, pairs, keeps))


def test_select_and_scatter_with_a_body_of_its_own() -> None:
    x = np.array([1, 5, 2, 7], np.float32)
    scatter = ListedBody((F32, F32), [("subtract", (1, 0)), ("abs", (2,))], (3,))
    result = evaluate(
        "select_and_scatter",
        x,
        np.array([1, 2, 4], np.float32),
        np.float32(10),
        bodies=(compared("GE", F32), scatter),
        window_dimensions=[2],
    )
    np.testing.assert_array_equal(result, [10, abs(2 - abs(1 - 10)), 10, abs(4 - 10)])


def test_booleans_scan_as_logic() -> None:
    x = np.array([False, True, False])
    result = evaluate(
        "reduce_window",
        x,
        np.array(False),
        bodies=(applying("or", I1),),
        window_dimensions=[3],
        padding=padding_of([(2, 0)]),
    )
    np.testing.assert_array_equal(result, [False, True, True])


@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ", "f4E2M1FN"])
@pytest.mark.parametrize(
    ("name", "initial", "expected"), [("minimum", "6.0", -1.0), ("maximum", "-6.0", -1.0)]
)
def test_padding_is_skipped_in_types_without_infinity(
    element: str, name: str, initial: str, expected: float
) -> None:
    text = f"""func.func @main(%x: tensor<2x{element}>) -> tensor<4x{element}> {{
  %i = stablehlo.constant dense<{initial}> : tensor<{element}>
  %r = "stablehlo.reduce_window"(%x, %i) <{{padding = dense<[[1, 2]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %s = stablehlo.{name} %a, %b : tensor<{element}>
    stablehlo.return %s : tensor<{element}>
  }}) : (tensor<2x{element}>, tensor<{element}>) -> tensor<4x{element}>
  return %r : tensor<4x{element}>
}}
"""
    (result,) = shlo.run(shlo.parse(text), [expected, expected], semantics="xla")
    assert result.astype(np.float64).tolist() == [expected, expected, expected, float(initial)]
