"""Functions of single matrices applied to batches of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.dtypes import Array

OnMatrices = Callable[..., tuple[Any, ...]]
"""From matrices, vectors or scalars to a tuple of such, as LAPACK's routines are."""


def over_batch(
    function: OnMatrices, operands: tuple[Array, ...], ranks: tuple[int, ...]
) -> tuple[Any, ...] | None:
    """Applies a function to each element of a batch and stacks the results; None if the batch is empty.

    `ranks` are the numbers of each operand's last dimensions that are not batch dimensions.
    """
    batch = operands[0].shape[: operands[0].ndim - ranks[0]]
    if not batch:
        return function(*operands)
    count = math.prod(batch)
    flat = [array.reshape(count, *array.shape[len(batch) :]) for array in operands]
    results = [function(*(array[i] for array in flat)) for i in range(count)]
    if not results:
        return None
    return tuple(_stacked(column, batch) for column in zip(*results))


def _stacked(values: tuple[Any, ...], batch: tuple[int, ...]) -> Array:
    stack = np.stack(values)
    return stack.reshape(*batch, *stack.shape[1:])


def blas_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the type in which BLAS and LAPACK compute for a float or complex type: its own, or float32."""
    return dtype if dtype.char in "fdFD" else np.dtype(np.float32)


def blas_routine(name: str, dtype: np.dtype[Any], library: str = "lapack") -> Callable[..., Any]:
    """Returns SciPy's wrapper of a routine of LAPACK (or `library` "blas") for a dtype of `blas_dtype`.

    Raises KernelError if there is none.
    """
    letter = {"f": "s", "d": "d", "F": "c", "D": "z"}[dtype.char]
    routine = getattr(import_module(f"scipy.linalg.{library}"), letter + name, None)
    if routine is None:
        raise KernelError(f"there is no routine {letter}{name} in {library}")
    return routine
