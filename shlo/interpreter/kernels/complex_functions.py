"""Functions of complex arrays, with XLA's values at infinities and zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.ir.dtypes import Array

divide = np.divide
exponential = np.exp
exponential_minus_one = np.expm1
log = np.log
log_plus_one = np.log1p
power = np.power
sqrt = np.sqrt
tanh = np.tanh
tan = np.tan
sine = np.sin
cosine = np.cos
sign = np.sign


def rsqrt(x: Array) -> Any:
    return 1 / np.sqrt(x)


def cbrt(x: Array) -> Any:
    return np.power(x, 1 / 3)


def logistic(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def atan2(y: Array, x: Array) -> Any:
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))
