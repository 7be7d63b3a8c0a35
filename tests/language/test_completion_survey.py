"""Completion offers what stands in programs, where it was taken out of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.language.completion_survey import survey

LEAST = 0.7
"""The share of tokens that is offered; names that a program defines, or that it spells as it likes, cannot be."""


@pytest.mark.parametrize("every", [150, 450])
def test_what_was_taken_out_of_a_program_is_offered_operands_first(every: int):
    cases = [*survey(every)]
    kinds = Counter((case.token.kind, case.is_offered) for case in cases)
    offered = sum(count for (_, is_offered), count in kinds.items() if is_offered)
    assert offered >= LEAST * kinds.total()
    assert kinds["word", True] >= 0.8 * (kinds["word", True] + kinds["word", False])
    operands = [case.is_first for case in cases if case.is_operand and not case.is_typing]
    assert sum(operands) >= LEAST * len(operands)
