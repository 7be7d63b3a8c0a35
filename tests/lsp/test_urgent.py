"""Quick answers beside long ones: at its checkpoints long work pauses for what is urgent."""

from __future__ import annotations

import threading

import pytest

from shlo.support import cancellation
from shlo.support.cancellation import Cancellation, Cancelled, Urgent, checkpoint


def test_long_work_goes_on_once_nothing_is_urgent_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "PAUSE", 60.0)
    urgent, pauses, done = Urgent(), threading.Event(), threading.Event()
    wait = urgent.wait

    def noted(seconds: float) -> None:
        pauses.set()
        wait(seconds)

    monkeypatch.setattr(urgent, "wait", noted)
    with urgent.work():
        urgent.begin()
        thread = threading.Thread(target=Cancellation(urgent).run, args=(done.set,), daemon=True)
        thread.start()
        assert pauses.wait(60)
        urgent.end()
        assert not done.is_set()
    thread.join(60)
    assert done.is_set()


def test_long_work_does_not_starve_beside_what_is_urgent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "PAUSE", 0.001)
    urgent = Urgent()

    def work() -> int:
        for _ in range(20):
            checkpoint()
        return 7

    with urgent.work():
        assert Cancellation(urgent).run(work) == 7


def test_work_that_pauses_is_cancelled() -> None:
    urgent = Urgent()
    cancelled = Cancellation(urgent)
    cancelled.cancel()
    with urgent.work(), pytest.raises(Cancelled):
        cancelled.run(pytest.fail)
