"""An interrupt is never lost. `python -m tests.runner.interrupt_stress` sends thousands at random times."""

from __future__ import annotations

import _thread
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable

import pytest

from shlo.ir.collector import collector_paused
from shlo.runner.interrupts import forget_interrupts, hold_interrupts, interruptible, plain_interrupts

pytestmark = [pytest.mark.slow, pytest.mark.timeout(30)]


class Held:
    """An object that something is called for when it is freed."""


def in_finalizer() -> None:
    held = type("Held", (), {"__del__": lambda _: _thread.interrupt_main()})()
    del held


def in_weak_callback() -> None:
    held = Held()
    kept = weakref.ref(held, lambda _: _thread.interrupt_main())
    del held
    assert kept() is None


def swallowed() -> None:
    try:
        _thread.interrupt_main()
        time.sleep(1)
    except BaseException:
        return


def in_a_callback_of_the_collector() -> None:
    gc.callbacks.append(lambda *_: _thread.interrupt_main())
    try:
        gc.collect()
    finally:
        gc.callbacks.pop()


@pytest.mark.parametrize("lose", [in_finalizer, in_weak_callback, swallowed, in_a_callback_of_the_collector])
def test_an_interrupt_that_is_dropped_ends_what_runs(lose: Callable[[], None]) -> None:
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook

    def work() -> None:
        lose()
        for _ in range(200):
            time.sleep(0.1)
        raise AssertionError("the interrupt was lost")

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before
    time.sleep(0.6)  # no interrupt comes late


def test_work_that_is_done_is_not_interrupted() -> None:
    assert interruptible(lambda: interruptible(lambda: 3)) == 3
    results: list[int] = []
    thread = threading.Thread(target=lambda: results.append(interruptible(lambda: 4)))
    thread.start()
    thread.join()
    assert results == [4]


def test_a_handler_of_the_programs_own_is_left_alone() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        interruptible(_thread.interrupt_main)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


def test_an_interrupt_that_was_held_back_ends_the_next_work() -> None:
    before = signal.getsignal(signal.SIGINT)
    hold_interrupts()
    try:
        _thread.interrupt_main()
        with pytest.raises(KeyboardInterrupt):
            interruptible(lambda: time.sleep(1))
        forget_interrupts()
        assert interruptible(lambda: 5) == 5
    finally:
        signal.signal(signal.SIGINT, before)


def test_code_of_a_user_may_catch_an_interrupt_and_go_on() -> None:
    def work() -> str:
        with plain_interrupts():
            swallowed()
            time.sleep(0.8)
        return "went on"

    assert interruptible(work) == "went on"


def test_the_collector_is_on_again_after_an_interrupt_as_it_is_paused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disable = gc.disable

    def interrupted() -> None:
        disable()
        raise KeyboardInterrupt

    monkeypatch.setattr(gc, "disable", interrupted)
    with pytest.raises(KeyboardInterrupt), collector_paused():
        pass
    monkeypatch.undo()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
