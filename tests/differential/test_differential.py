"""A sample of the random instances, of which `python -m tests.differential` compares thousands.

Operations that no family makes (control flow, collectives, quantized and random numbers, older forms) have
the check programs of tests/ops, whose values XLA gives, too.
"""

from __future__ import annotations

import pytest

from tests.differential.batches import FINE, compare_batch

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_operations_give_what_xla_and_the_formulas_give(seed: int):
    found = compare_batch(seed, 60, "")
    assert [
        (name, comparison, text) for name, text, comparison in found if comparison.verdict not in FINE
    ] == []
