"""Functions are as accurate as XLA's on CPU: 2 units in the last place of f32, or twice XLA's error."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle import Oracle

from .accuracy import measured
from .accuracy_functions import FUNCTIONS, MEASURED, ONE_ROUNDING, ROUNDED_ONCE
from .helpers import evaluate
from .values import dtype_named


@pytest.mark.parametrize("type_", MEASURED)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_within_the_goal(oracle: Oracle, name: str, type_: str) -> None:
    result = measured(name, FUNCTIONS[name], dtype_named(type_), 400, oracle)
    assert result.points > 100
    assert result.is_good, f"{result.ours}, XLA {result.xla}"


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_f32_is_rounded_once(oracle: Oracle, name: str) -> None:
    result = measured(name, FUNCTIONS[name], np.dtype(np.float32), 2000, oracle)
    assert result.ours.most <= ONE_ROUNDING
    assert result.subnormal.most <= ONE_ROUNDING


def test_digits_stay_where_parts_are_of_unlike_size() -> None:
    y, x = np.array([1e-12 + 1e-5j]), np.array([-1e9 + 1e-3j])
    # The tangent's angle is that of y / x, near -1e-14j, half a turn away.
    result = evaluate("atan2", y, x)
    np.testing.assert_allclose([result.real, result.imag], [[np.pi], [-1e-14]], rtol=1e-12)
    size = np.array([2.0 + 0j])
    np.testing.assert_allclose(evaluate("power", size, np.array([400.5 + 0j])), 2.0**400.5, rtol=1e-15)


def test_logarithm_of_gamma_near_its_zeros() -> None:
    x = np.array([1 + 2.0**-40, 2 + 2.0**-40])
    slope = np.array([-0.5772156649015329, 0.4227843350984671])
    np.testing.assert_allclose(evaluate("chlo.lgamma", x), slope * 2.0**-40, rtol=1e-11)


def test_digamma_near_a_pole() -> None:
    np.testing.assert_allclose(evaluate("chlo.digamma", np.array([-1 + 2.0**-45])), -(2.0**45), rtol=1e-13)
