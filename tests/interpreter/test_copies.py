"""Copies of large arrays whose elements are not row by row: the same elements, whoever makes them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from shlo.interpreter.jit.native.machine import is_installed
from shlo.interpreter.runtime import copies, machine_code
from shlo.interpreter.runtime.copies import LEAST_STRIPED, SIDES, copied_by_rows
from shlo.interpreter.runtime.threads import VARIABLE
from shlo.ir.dtypes import Array

SIZES = [(600, 517), (1024, 512), (130, 7, 301), (3, 513, 9, 33), (5000, 70)]


def views(array: Array) -> list[Array]:
    """Returns views of an array in all orders of its dimensions: whole, backwards, and without its edges."""
    turned = [array.transpose(order) for order in permutations(range(array.ndim))]
    return [view for each in turned for view in (each, each[..., ::-1], each[1:, ..., 3:])]


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
@pytest.mark.parametrize("is_uncached", [False, True])
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("shape", SIZES)
def test_machine_code_copies_all_elements(
    shape: tuple[int, ...], threads: str, is_uncached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "COMPILING", 0.0)
    if is_uncached:
        monkeypatch.setattr(copies, "LEAST_UNCACHED", 0)
    monkeypatch.setenv(VARIABLE, threads)
    numbers = np.random.default_rng(5).integers(0, 256, (*shape, max(SIDES)), np.uint8)
    for size in SIDES:
        array = np.ascontiguousarray(numbers[..., :size]).view(f"u{size}")[..., 0]
        for view in views(array):
            copy = copied_by_rows(view)
            assert copy.flags.c_contiguous
            assert np.array_equal(copy, view)


@pytest.mark.parametrize("dtype", ["f4", "c16"])
def test_numpy_copies_all_elements(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "SIDES", {})
    array = np.arange(1024 * 513).reshape(1024, 513).astype(dtype)
    for view in views(array):
        assert view.nbytes >= LEAST_STRIPED
        copy = copied_by_rows(view)
        assert copy.flags.c_contiguous
        assert np.array_equal(copy, view)
