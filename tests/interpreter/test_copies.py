"""Copies of large arrays whose elements are not row by row: the same elements, whoever makes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from unittest.mock import Mock

import numpy as np
import pytest

from shlo.interpreter.loops.tiles import native_tiles
from shlo.interpreter.runtime import copies, machine_code
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.copies import LEAST_STRIPED, SIDES, copied_by_rows
from shlo.interpreter.runtime.threads import Part
from shlo.interpreter.runtime.tiers import is_installed, use_policy
from shlo.ir.dtypes import Array
from tests.interpreter.policies import eager

SIZES = [(600, 517), (1024, 512), (130, 7, 301), (3, 513, 9, 33), (5000, 70)]


def views(array: Array) -> list[Array]:
    """Returns views of an array in all orders of its dimensions: whole, backwards, and without its edges."""
    turned = [array.transpose(order) for order in permutations(range(array.ndim))]
    return [view for each in turned for view in (each, each[..., ::-1], each[1:, ..., 3:])]


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes the test a run with so many threads, which share copies of any size."""
    shared_by, in_parts = set[int](), copies.in_parts

    def noted(function: Part, count: int, size: int, threads: int) -> None:
        shared_by.add(threads)
        in_parts(function, count, size, threads)

    monkeypatch.setattr(copies, "LEAST_SHARED", 0)
    monkeypatch.setattr(copies, "in_parts", noted)
    with ExecutionContext(given_threads=request.param).active():
        yield
    assert max(shared_by, default=1) == request.param


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
@pytest.mark.parametrize("is_uncached", [False, True])
@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("shape", SIZES)
def test_machine_code_copies_all_elements(
    shape: tuple[int, ...], is_uncached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "LEAST_STRIPED", 1 << 12)
    monkeypatch.setattr(machine_code, "current_compiler", lambda: native_tiles)
    copied = Mock(wraps=copies.Matrices)
    monkeypatch.setattr(copies, "Matrices", copied)
    if is_uncached:
        monkeypatch.setattr(copies, "LEAST_UNCACHED", 0)
    numbers = np.random.default_rng(5).integers(0, 256, (*shape, max(SIDES)), np.uint8)
    with use_policy(eager()):
        for size in SIDES:
            array = np.ascontiguousarray(numbers[..., :size]).view(f"u{size}")[..., 0]
            for view in views(array):
                copy = copied_by_rows(view)
                assert copy.flags.c_contiguous
                assert np.array_equal(copy, view)
            assert copied.called
            copied.reset_mock()


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("columns", [512, 513])
@pytest.mark.parametrize("dtype", ["f4", "c16"])
def test_numpy_copies_all_elements(dtype: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "SIDES", {})
    array = np.arange(1024 * columns).reshape(1024, columns).astype(dtype)
    for view in views(array):
        assert view.nbytes >= LEAST_STRIPED
        copy = copied_by_rows(view)
        assert copy.flags.c_contiguous
        assert np.array_equal(copy, view)
