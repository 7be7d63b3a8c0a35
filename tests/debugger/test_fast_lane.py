"""A run in the fast lane has the history, stops, values and states of one that takes each step by itself."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shlo.debugger import Session
from shlo.debugger.replay import fast_lane
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import NOWHERE
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.jit import traced
from shlo.interpreter.jit.traced import TracedLoop
from shlo.ir.operations import Module
from tests.debugger.programs import LONG_LOOP, NESTED, read
from tests.debugger.stops import checkpoints_every, programs
from tests.debugger.walk import Digests, session_look
from tests.jax_programs import PROGRAMS

BRANCHES = """\
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %out:2 = stablehlo.while(%n = %x, %longest = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %steps = func.call @length(%n) : (tensor<i32>) -> tensor<i32>
    %new = stablehlo.maximum %longest, %steps : tensor<i32>
    %less = stablehlo.subtract %n, %one : tensor<i32>
    stablehlo.return %less, %new : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
func.func private @length(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %out:2 = stablehlo.while(%n = %x, %i = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %rest = stablehlo.remainder %n, %two : tensor<i32>
    %next = "stablehlo.case"(%rest) ({
      %down = stablehlo.divide %n, %two : tensor<i32>
      stablehlo.return %down : tensor<i32>
    }, {
      %tripled = stablehlo.multiply %n, %three : tensor<i32>
      %up = stablehlo.add %tripled, %one : tensor<i32>
      stablehlo.return %up : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %count = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %count : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
"""

FAILING = """\
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %out:2 = stablehlo.while(%n = %x, %y = %x) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %less = stablehlo.subtract %n, %one : tensor<i32>
    %difference = stablehlo.subtract %less, %x : tensor<i32>
    %sixty = stablehlo.constant dense<60> : tensor<i32>
    %size = stablehlo.add %difference, %sixty : tensor<i32>
    %shape = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
    %negative_at_last = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %less, %n : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
"""

Case = tuple[str, Module, list[Any]]


def cases() -> Iterator[Case]:
    """Yields programs that run alone, with arguments."""
    for program in programs(seed=4):
        if program.is_alone:
            yield program.name, program.module, list(program.inputs)
    yield "nested", read(NESTED), [np.int32(3)]
    yield "long loop", read(LONG_LOOP), [np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)]
    yield "branches", read(BRANCHES), [np.int32(40)]
    yield "failing", read(FAILING), [np.int32(100)]
    for name in ("nested_loops", "scan_reverse_with_outputs", "fori_dynamic_slice", "random_randint"):
        yield name, read(PROGRAMS[name].text()), PROGRAMS[name].arguments


@pytest.fixture(autouse=True)
def _generate_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_lane, "ROUNDS_BEFORE_GENERATING", 2)


def stepped_and_fast(module: Module, arguments: list[Any], memory: int = 1 << 30) -> tuple[Session, Session]:
    """Returns a session that takes each step by itself, and one with a fast lane."""
    stepped, fast = (Session(module, arguments, memory=memory, seed=5) for _ in range(2))
    stepped.cursor.has_fast_lane = False
    return stepped, fast


def places(session: Session) -> list[Any]:
    """Returns what the trace has of each step."""
    trace, points = session.cursor.trace, session.cursor.points
    known = {number: points.place(number) for number in set(trace.numbers) if number != NOWHERE}
    return [
        (known.get(number), depth, position)
        for number, depth, position in zip(trace.numbers, trace.depths, trace.positions)
    ]


def look(session: Session) -> Any:
    """Returns all that a session shows where it is."""
    return session.position, session_look(session, Digests())


@pytest.mark.parametrize(("spacing", "memory"), [(256, 1 << 30), (7, 1 << 30), (64, 1 << 14)])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case[0])
def test_history_values_and_stops_are_those_of_single_steps(case: Case, spacing: int, memory: int) -> None:
    name, module, arguments = case
    choice = random.Random(spacing)
    with checkpoints_every(spacing):
        stepped, fast = stepped_and_fast(module, arguments, memory)
        Session(module, arguments).resume()  # counts rounds, so that loops are generated at once
        assert (fast.resume().reason, fast.position) == (stepped.resume().reason, stepped.position)
        assert (fast.snapshot.status == "failed") == (name == "failing")
        assert places(fast) == places(stepped)
        history = fast.cursor.history
        assert (len(history.schedule), len(history.scanned)) == (history.last, history.last + 1)
        last = stepped.cursor.last
        for round_ in range(16):
            target = choice.randint(0, last)
            for session in (stepped, fast):
                session.goto(target)
            assert look(fast) == look(stepped)
            if round_ % 4 == 0 and stepped.snapshot.status == "ready":
                op = stepped.snapshot.frames[-1].op
                for session in (stepped, fast):
                    for point in session.breakpoints:
                        session.remove_breakpoint(point.number)
                    if op.startswith("stablehlo."):
                        session.break_on_op(op)
            move = choice.choice(["resume", "reverse", "step_over", "back_in", "back_out", "step_out"])
            stops = [getattr(session, move)() for session in (stepped, fast)]
            assert (stops[0].position, stops[0].reason) == (stops[1].position, stops[1].reason)
            assert look(fast) == look(stepped)
        assert places(fast) == places(stepped)


def test_a_position_ahead_is_reached_and_not_passed() -> None:
    module = read(BRANCHES)
    for target in (50, 51, 52, 53, 300, 1000, 1001, 2500):
        stepped, fast = stepped_and_fast(module, [np.int32(60)])
        for session in (stepped, fast):
            session.goto(target)
        assert (look(fast), fast.cursor.last) == (look(stepped), target)
        assert places(fast) == places(stepped)


def test_rounds_are_not_recorded_and_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stepped, fast = stepped_and_fast(read(LONG_LOOP), [np.ones((64, 64), np.float32)])
    calls: list[int] = []
    original = TracedLoop.call

    def call(loop: TracedLoop, *arguments: Any) -> Any:
        calls.append(arguments[-1])
        return original(loop, *arguments)

    monkeypatch.setattr(TracedLoop, "call", call)
    fast.resume()
    stepped.resume()
    assert calls
    assert fast.recorded_bytes < stepped.recorded_bytes / 10


def test_inner_loops_that_take_long_are_run_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traced, "INNER_ROUNDS", 30)
    stepped, fast = stepped_and_fast(read(BRANCHES), [np.int32(60)])
    for session in (stepped, fast):
        session.resume()
    assert places(fast) == places(stepped)


def test_limits_look_at_each_step() -> None:
    session = Session(read(LONG_LOOP), [np.ones((64, 64), np.float32)], max_steps=700)
    assert (session.resume().status, session.position) == ("failed", 700)


def test_a_request_stops_a_loop_soon() -> None:
    started = time.monotonic()
    endless = LONG_LOOP.replace("LT, %i, %end", "GE, %i, %zero")
    session = Session(
        read(endless), [np.ones((64, 64), np.float32)], stop=lambda: time.monotonic() > started + 0.5
    )
    assert session.resume().reason == "stopped"
    assert time.monotonic() < started + 5
    position = session.position
    assert session.step_in().position == position + 1


def test_an_interrupt_leaves_the_session_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    stepped, _ = stepped_and_fast(read(LONG_LOOP), [x])
    stepped.resume()
    for owner, name in (
        (TracedLoop, "call"),
        (Process, "end_rounds"),
        (Process, "run_kernels"),
        (History, "arrive_alone"),
        (History, "record_kernels"),
    ):
        fast = Session(stepped.module, [x])
        Session(stepped.module, [x]).resume()
        original = getattr(owner, name)

        def interrupted(*arguments: Any, original: Any = original) -> Any:
            original(*arguments)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                fast.resume()
        here = fast.position
        assert here <= fast.cursor.last
        stepped.goto(here)
        assert look(fast) == look(stepped)
        fast.resume()
        assert places(fast) == places(stepped)
