"""A value in a few words."""

from __future__ import annotations

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger.tensors import summaries
from shlo.debugger.tensors.summaries import Summaries, summary_of
from shlo.interpreter.kernel_api import TOKEN


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.int32(7), "7"),
        (np.array([[1, 2], [3, 4]]), "[[1, 2], [3, 4]]"),
        (np.arange(10) - 2, "-2..7 mean 2.5"),
        (np.array([0.5] * 8, ml_dtypes.bfloat16), "all 0.5"),
        (np.array([np.nan, np.inf, 1, 2, 3]), "1..3 mean 2 NaN! Inf!"),
        (np.full(5, np.nan), "all NaN!"),
        (np.arange(6) > 3, "2 of 6 true"),
        (np.zeros((0, 9)), "[]"),
        (TOKEN, "token"),
        ((np.int32(1), (), TOKEN, 2), "(1, (), token, ...)"),
    ],
)
def test_words(value: Any, words: str) -> None:
    assert summary_of(value) == words


def test_a_summary_is_made_once_for_an_array_and_forgotten_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(summaries, "summary_of", lambda value: made.append(value.size) or str(value.size))
    monkeypatch.setattr(summaries, "KEPT", 2)
    known, first, second = Summaries(), np.zeros(5), np.zeros(6)
    assert [known.of(first), known.of(first), known.of(second)] == ["5", "5", "6"]
    known.of(np.zeros(7))
    gc.collect()
    known.of(second)
    known.of(first)
    assert made == [5, 6, 7, 5]
