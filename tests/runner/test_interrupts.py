"""An interrupt is never lost."""

from __future__ import annotations

import time

import pytest

from shlo.runner.interrupts import interrupts_kept


class InterruptedAtItsEnd:
    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_in_a_finalizer_ends_what_runs():
    with pytest.raises(KeyboardInterrupt), interrupts_kept():
        _drop_one_and_wait()


def _drop_one_and_wait() -> None:
    InterruptedAtItsEnd()
    for _ in range(100):
        time.sleep(0.1)
    raise AssertionError("the interrupt was lost")
