"""Flat cuts through tensors of any rank."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.runner.tensors.slices import TensorSlice


@pytest.mark.parametrize(
    ("shape", "label", "size"),
    [
        ((), "[]", (1, 1)),
        ((5,), "[:]", (1, 5)),
        ((2, 3), "[:, :]", (2, 3)),
        ((4, 2, 3), "[0, :, :]", (2, 3)),
        ((0, 2, 3), "[0, :, :]", (0, 0)),
        ((2, 0), "[:, :]", (0, 0)),
    ],
)
def test_the_first_cut_of_every_rank(shape: tuple[int, ...], label: str, size: tuple[int, int]) -> None:
    plane = TensorSlice.of(shape)
    assert (plane.label, plane.size) == (label, size)
    assert plane.arranged(np.zeros(shape)[plane.index_of()]).shape == size


def test_axes_move_and_change_places() -> None:
    array = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    plane = TensorSlice.of(array.shape).shifted(0, 1).shifted(1, 99)
    assert (plane.label, plane.fixed_axes) == ("[1, 2, :, :]", (0, 1))
    assert plane.shifted(1, -1).label == "[1, 1, :, :]"
    assert plane.shifted(3, 1) == plane  # it is shown
    np.testing.assert_array_equal(plane.arranged(array[plane.index_of()]), array[1, 2])
    turned = plane.with_axes(3, 0)
    assert (turned.label, turned.size) == ("[:, 2, 0, :]", (5, 2))
    np.testing.assert_array_equal(turned.arranged(array[turned.index_of()]), array[:, 2, 0, :].T)
    part = turned.arranged(array[turned.index_of(slice(1, 3), slice(0, 1))])
    np.testing.assert_array_equal(part, array[0:1, 2, 0, 1:3].T)
    np.testing.assert_array_equal(
        turned.transposed().arranged(array[turned.transposed().index_of()]), array[:, 2, 0, :]
    )
    assert TensorSlice.of((3,)).transposed() == TensorSlice.of((3,))


def test_axes_that_are_none() -> None:
    for wrong in (lambda p: p.shifted(3, 1), lambda p: p.with_axes(0, 3), lambda p: p.with_axes(1, 1)):
        with pytest.raises(ValueError, match="axis"):
            wrong(TensorSlice.of((2, 3, 4)))
