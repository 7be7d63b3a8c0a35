"""Values of processes side by side: which are the same bit by bit, and where others differ."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger.inspect.compare import Brought, compare
from shlo.debugger.tensors.summaries import Summaries


def groups(*values):
    made = compare("x", [Brought(number, None, 0, value) for number, value in enumerate(values)], Summaries())
    return [(group.processes, group.differing, group.places, group.largest) for group in made.groups]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((np.float32(1), np.float32(2), np.float32(2)), [((0,), 1, ((),), 1.0), ((1, 2), 0, (), None)]),
        (([np.nan, 1], [np.nan, 1], [np.inf, 1]), [((0, 1), 0, (), None), ((2,), 1, ((0,),), 0.0)]),
        (([0.0, 1], [-0.0, 1]), [((0,), 0, (), None), ((1,), 1, ((0,),), 0.0)]),
        (([], []), [((0, 1), 0, (), None)]),
        (([True], [False]), [((0,), 0, (), None), ((1,), 1, ((0,),), None)]),
    ],
)
def test_groups_are_of_the_same_bits_and_compared_with_the_largest(values, expected):
    assert groups(*map(np.asarray, values)) == expected


def test_narrow_types_and_large_tensors_are_compared_by_element():
    zeros = np.zeros((2, 3), ml_dtypes.bfloat16)
    assert groups(zeros, np.eye(2, 3, dtype=ml_dtypes.bfloat16))[1][1:] == (2, ((0, 0), (1, 1)), 1.0)
    large = np.zeros((100, 100))
    other = large.copy()
    other[7, 9] = 3
    assert groups(large, other, large.T)[1] == ((1,), 1, ((7, 9),), 3.0)


def test_tensors_of_other_shapes_and_tuples_are_not_compared_by_element():
    made = compare("x", [Brought(0, None, 0, np.zeros(2)), Brought(1, None, 0, np.zeros(3))], Summaries())
    assert [group.is_comparable for group in made.groups] == [True, False]
    assert groups((np.zeros(2), 1), (np.zeros(2), 1)) == [((0, 1), 0, (), None)]
