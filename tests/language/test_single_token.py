"""One wrong token harms the operation that it is in, and nothing else: a sample of the measurement."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.language.single_token import survey

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", ["examples/squares.mlir", "tests/ops/while.mlir"])
def test_one_token_harms_its_operation_alone(name: str) -> None:
    tally = survey(name, (ROOT / name).read_text(), random.Random(20261122), all_up_to=0, sample=60)
    assert tally.harmed == []
