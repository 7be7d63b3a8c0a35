"""The corpus benchmark has programs of many kinds, and names what got slower."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.corpus_figures import EXCEPTIONS, over_most, slower, summary
from benchmarks.corpus_programs import CORPUS


def test_corpus_has_programs_of_many_kinds() -> None:
    assert len(CORPUS) >= 70
    assert len({entry.kind for entry in CORPUS.values()}) >= 8


def figures(ours: float, theirs: float) -> dict[str, Any]:
    def side(seconds: float) -> dict[str, Any]:
        times = {"wall": seconds, "cpu": seconds}
        return {"warm": times, "cold": times, "bytes": 1}

    return {"shlo": side(ours), "xla": side(theirs)}


def test_a_program_is_slower_where_its_time_and_its_ratio_grew() -> None:
    old = {"steady": figures(2, 1), "slower": figures(2, 1), "busy": figures(2, 1), "gone": figures(1, 1)}
    new = {"steady": figures(2.1, 1), "slower": figures(4, 1), "busy": figures(4, 2), "new": figures(9, 1)}
    assert slower(old, new, 1.15) == [("slower", "warm", 2.0), ("slower", "cold", 2.0)]


def test_programs_over_the_limit_come_the_worst_first() -> None:
    programs = {"at the limit": figures(4, 1), "over": figures(5, 1), "worst": figures(9, 1)}
    assert over_most(programs) == {"worst": 9, "over": 5}


def test_reasons_are_those_of_programs() -> None:
    assert CORPUS.keys() >= EXCEPTIONS.keys()


def test_means_are_geometric() -> None:
    means = summary({"one": figures(2, 1), "other": figures(8, 1)})
    assert means["warm cpu"] == pytest.approx(4)
    assert means["bytes"] == 1
