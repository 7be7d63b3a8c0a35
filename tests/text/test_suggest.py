"""The name that is meant where another one is written."""

from __future__ import annotations

import difflib

import pytest

from shlo.dialects import find_dialect
from shlo.text.suggest import nearest_name
from tests.growth.work import count_steps

STABLEHLO = find_dialect("stablehlo")
assert STABLEHLO
NAMES = list(STABLEHLO.op_defs)


@pytest.mark.parametrize("typed", ["mul", "addd", "subtrakt", "frobnicate", "", "scater_select", "x" * 90])
def test_the_nearest_name_is_the_most_similar_one_of_all(typed: str):
    name = f"stablehlo.{typed}"
    assert [nearest_name(name, NAMES)] == (difflib.get_close_matches(name, NAMES, 1) or [None])


def test_few_names_are_compared_letter_by_letter():
    nearest_name("stablehlo.abs", NAMES)  # what is imported late
    steps = count_steps(lambda: nearest_name("stablehlo.frobnicate_anew", NAMES), 100_000)
    everything = count_steps(
        lambda: difflib.get_close_matches("stablehlo.frobnicate_anew", NAMES, 1), 100_000
    )
    assert steps < everything / 4
