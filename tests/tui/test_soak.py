"""Some hundred random keys; `python -m tests.tui.soak` presses more."""

from __future__ import annotations

import pytest

from .soak import drive, subjects


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(10))
async def test_random_keys_raise_nothing_and_end_where_a_fresh_run_is(number, tmp_path):
    await drive(subjects(tmp_path)[number], 40, seed=number)
