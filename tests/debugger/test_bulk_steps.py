"""A run in bulk steps has the history, stops, values and states of one that takes each step by itself."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

from shlo.debugger import Session
from shlo.debugger.replay import bulk_steps, spans
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import NOWHERE
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.jit import traced
from shlo.interpreter.jit.traced import TracedLoop, TracedSpan
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

SEED = 4
ARGUMENTS: dict[str, tuple[str, Any]] = {
    "nested": (NESTED, np.int32(3)),
    "long loop": (LONG_LOOP, np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)),
    "branches": (BRANCHES, np.int32(40)),
    "failing": (FAILING, np.int32(100)),
}
CASES = [
    *(program.name for program in programs(SEED) if program.is_alone),
    *ARGUMENTS,
    *("nested_loops", "scan_reverse_with_outputs", "fori_dynamic_slice", "random_randint"),
]
"""Names of programs that run alone."""


def case_of(name: str) -> tuple[Module, list[Any]]:
    """Returns the program of a name, without what a run has generated for it, and arguments."""
    if name in ARGUMENTS:
        text, argument = ARGUMENTS[name]
        return read(text), [argument]
    if name in PROGRAMS:
        return read(PROGRAMS[name].text()), PROGRAMS[name].arguments
    program = next(program for program in programs(SEED) if program.name == name)
    return program.module, list(program.inputs)


@pytest.fixture(autouse=True)
def _generate_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_steps, "ROUNDS_BEFORE_GENERATING", 2)
    monkeypatch.setattr(spans, "PASSES", 3)


def stepped_and_fast(module: Module, arguments: list[Any], memory: int = 1 << 30) -> tuple[Session, Session]:
    """Returns a session that takes each step by itself, and one with bulk steps."""
    stepped, fast = (Session(module, arguments, memory=memory, seed=5) for _ in range(2))
    stepped.cursor.takes_bulk_steps = False
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


def shown(session: Session) -> list[Any]:
    """Returns what a screen shows of the values in scope of each frame, without computing any again."""
    frames = range(len(session.snapshot.frames))
    return [
        (view, session.inspector.summary(view.name, frame))
        for frame in frames
        for view in session.inspector.values(frame)
    ]


@pytest.mark.parametrize("name", CASES)
def test_values_are_shown_as_after_single_steps(name: str) -> None:
    module, arguments = case_of(name)
    for target in ("stablehlo.compare", "stablehlo.add", "stablehlo.subtract", "func.return"):
        stepped, fast = stepped_and_fast(module, arguments)
        for session in (stepped, fast):
            session.breakpoints.on_op(target)
        for stops in range(8):
            for session in (stepped, fast):
                session.resume()
            assert fast.position == stepped.position
            assert shown(fast) == shown(stepped)
            point = next(iter(stepped.breakpoints)).number
            for session in (stepped, fast):
                session.breakpoints.ignore(point, 3**stops)
        middle = stepped.position * 2 // 3
        for session in (stepped, fast):
            session.goto(middle)
        assert shown(fast) == shown(stepped)


@pytest.mark.parametrize(("spacing", "memory"), [(256, 1 << 30), (7, 1 << 30), (64, 1 << 14)])
@pytest.mark.parametrize("name", CASES)
def test_history_values_and_stops_are_those_of_single_steps(name: str, spacing: int, memory: int) -> None:
    module, arguments = case_of(name)
    choice = random.Random(spacing)
    with checkpoints_every(spacing):
        stepped, fast = stepped_and_fast(module, arguments, memory)
        Session(module, arguments).resume()  # counts rounds, so that loops are generated at once
        assert (fast.resume().reason, fast.position) == (stepped.resume().reason, stepped.position)
        assert (fast.snapshot.status == "failed") == (name == "failing")
        assert places(fast) == places(stepped)
        history = fast.cursor.history
        assert len(history.schedule) == history.last
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
                        session.breakpoints.remove(point.number)
                    if op.startswith("stablehlo."):
                        session.breakpoints.on_op(op)
            move = choice.choice(["resume", "reverse", "step_over", "back_in", "back_out", "step_out"])
            stops = [getattr(session, move)() for session in (stepped, fast)]
            assert (stops[0].position, stops[0].reason) == (stops[1].position, stops[1].reason)
            assert look(fast) == look(stepped)
        assert places(fast) == places(stepped)


LOOP_CONDITIONS = {
    "branches": [
        "%n == 7",
        "%rest == 0 and %i > 3",
        "%count < 0",
        "iter == 5",
        "iter(1) == 30",
        "%longest > 50",
    ],
    "failing": ["%n == 60", "%difference < -20", "%y == 3", "iter >= 40 and %n < 50", "%x > 100"],
    "scan_reverse_with_outputs": ["iter == 3", "%arg0 min > 100", "iter // 2 == 1"],
    "nested": ["%i == 2", "iter + iter(1) == 3"],
}


DRAWS = 40
"""How many times breakpoints and conditions are drawn for each program."""
SEEDS = {"branches": 4, "failing": 4}
"""Programs of many steps, whose draws are several tests."""


@pytest.mark.parametrize(
    ("name", "seed"), [(name, seed) for name in LOOP_CONDITIONS for seed in range(1, SEEDS.get(name, 1) + 1)]
)
def test_conditions_in_loops_stop_where_single_steps_do(name: str, seed: int) -> None:
    module, arguments = case_of(name)
    for _ in range(2):
        session = Session(module, arguments)
        session.resume()  # counts rounds, so that loops are generated at once
    passed = [place for place, _, _ in places(session) if place is not None]
    names = sorted({code.instructions[index].operation.name for code, index in passed})
    choice, stops = random.Random(f"{name} {seed}"), 0
    for _ in range(DRAWS // SEEDS.get(name, 1)):
        stepped, fast = stepped_and_fast(module, arguments)
        for _ in range(choice.randint(1, 3)):
            op, condition = choice.choice(names), choice.choice(LOOP_CONDITIONS[name])
            message, ignored = choice.choice([None, None, "in round {iter}"]), choice.choice([0, 0, 2])
            for session in (stepped, fast):
                number = session.breakpoints.on_op(op, condition).number
                if message:
                    number = session.breakpoints.log(number, message, in_place=True).number
                elif ignored:
                    session.breakpoints.ignore(number, ignored)
        for _ in range(6):
            snapshots = [session.resume() for session in (stepped, fast)]
            assert snapshots[0] == snapshots[1]
            stops += snapshots[0].reason == "breakpoint"
            assert fast.breakpoints.messages.since(0) == stepped.breakpoints.messages.since(0)
        for point in stepped.breakpoints:
            assert fast.stepping.times_hit(point.number) == stepped.stepping.times_hit(point.number)
        assert shown(fast) == shown(stepped)
    assert stops > 5


@pytest.fixture
def single_steps(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """Returns the processes that take a step by itself, one for each step."""
    singly, step = list[Process](), Process.step

    def noted(process: Process, *arguments: Any) -> Any:
        singly.append(process)
        return step(process, *arguments)

    monkeypatch.setattr(Process, "step", noted)
    return singly


def test_a_condition_in_a_loop_is_asked_by_generated_code(single_steps: list[Process]) -> None:
    module = read(BRANCHES)
    Session(module, [np.int32(60)]).resume()
    for condition in ("%n == 28", "iter(1) == 57"):
        session = Session(module, [np.int32(60)])
        session.breakpoints.on_op("divide", condition)
        single_steps.clear()
        assert session.resume().reason == "breakpoint"
        assert len(single_steps) < session.position / 10


NAN_IN_A_ROUND = """\
func.func @main(%x: tensor<f32>, %bad: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<500> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %left = stablehlo.subtract %i, %bad : tensor<i32>
    %divisor = stablehlo.convert %left : (tensor<i32>) -> tensor<f32>
    %quotient = stablehlo.divide %x, %divisor : tensor<f32>
    %again = stablehlo.subtract %quotient, %quotient : tensor<f32>
    %new = stablehlo.add %y, %again : tensor<f32>
    stablehlo.return %next, %new : tensor<i32>, tensor<f32>
  }
  return %out#1 : tensor<f32>
}
"""


@pytest.mark.parametrize("name", CASES)
def test_nonfinite_numbers_are_found_where_single_steps_find_them(name: str) -> None:
    module, arguments = case_of(name)
    for kind in ("any", "nan"):
        for _ in range(3):
            stepped, fast = stepped_and_fast(module, arguments)
            for session in (stepped, fast):
                session.breakpoints.on_nonfinite(kind)
            for _ in range(5):
                snapshots = [session.resume() for session in (stepped, fast)]
                assert snapshots[0] == snapshots[1]
            assert shown(fast) == shown(stepped)
            assert list(fast.cursor.history.scanned) == list(stepped.cursor.history.scanned)
            assert fast.cursor.history.nonfinite == stepped.cursor.history.nonfinite
            for _ in range(4):
                snapshots = [session.nonfinite.reverse_to(kind) for session in (stepped, fast)]
                assert snapshots[0] == snapshots[1]


def test_nonfinite_numbers_are_searched_for_by_generated_code(single_steps: list[Process]) -> None:
    module = read(NAN_IN_A_ROUND)
    session = Session(module, [np.float32(1), np.int32(320)])
    assert session.nonfinite.run_to("nan").last_step.op == "stablehlo.subtract"
    stop = session.position
    assert session.inspector.value("quotient") == np.inf
    assert len(single_steps) < stop / 10
    session = Session(module, [np.float32(1), np.int32(320)])
    session.resume()
    single_steps.clear()
    assert session.nonfinite.reverse_to("nan").position == stop
    assert len(single_steps) < stop / 10


def test_values_that_do_not_fit_are_dropped() -> None:
    lines = [f"  %v{at + 1} = stablehlo.add %v{at}, %v0 : tensor<1024xf32>" for at in range(500)]
    head = "func.func @main(%v0: tensor<1024xf32>) -> tensor<1024xf32> {"
    module = read("\n".join([head, *lines, "  return %v500 : tensor<1024xf32>", "}"]))
    budget = 1 << 18
    for _ in range(4):  # kernel by kernel, then generated
        session = Session(module, [np.ones(1024, np.float32)], memory=budget)
        session.breakpoints.on_op("func.return")
        session.resume()
        held = [view for view in session.inspector.values() if view.is_held]
        assert 4096 * len(held) < budget
        assert session.cursor.history.cache.bytes <= budget
        assert session.inspector.value("v250")[0] == 251


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
    assert fast.cursor.history.cache.bytes < stepped.cursor.history.cache.bytes / 10


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
    position = session.position
    assert session.step_in().position == position + 1


def test_an_interrupt_leaves_the_session_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    for owner, name, sessions_before in (
        (TracedLoop, "call", 0),
        (Process, "end_rounds", 0),
        (Process, "run_kernels", 0),
        (TracedSpan, "call", 1),
        (Process, "end_span", 1),
        (History, "arrive_alone", 0),
        (History, "record_kernels", 0),
    ):
        module = read(LONG_LOOP)
        for _ in range(sessions_before):
            Session(module, [x]).resume()
        stepped, fast = stepped_and_fast(module, [x])
        stepped.resume()
        original = getattr(owner, name)

        with monkeypatch.context() as patch:

            def interrupted(*arguments: Any, original: Any = original, patch: Any = patch) -> Any:
                original(*arguments)
                patch.undo()
                raise KeyboardInterrupt

            patch.setattr(owner, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                fast.resume()
        here = fast.position
        assert here <= fast.cursor.last
        stepped.goto(here)
        assert look(fast) == look(stepped)
        fast.resume()
        assert places(fast) == places(stepped)


ERF = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = stablehlo.add %y, %y : tensor<4xf32>
  %w = stablehlo.custom_call @mhlo.erf(%z) : (tensor<4xf32>) -> tensor<4xf32>
  return %w : tensor<4xf32>
}
"""


def test_built_in_custom_calls_are_no_effects_unless_a_handler_replaces_them() -> None:
    x, calls = np.linspace(0, 1, 4, dtype=np.float32), list[float]()

    def handler(call: CustomCall) -> Any:
        return lambda x: calls.append(float(x[1])) or x

    own, replaced = Session(read(ERF), x), Session(read(ERF), x, handlers={"mhlo.erf": handler})
    for session in (own, replaced):
        for _ in range(3):
            session.resume()
            session.reverse()
        session.resume()
        session.goto(1)
        session.goto(3)
    assert not own.cursor.log.results
    assert list(replaced.cursor.log.results) == [0, 2]
    assert len(calls) == 2

    program = PROGRAMS["linalg_gradients"]
    session = Session(read(program.text()), program.arguments)
    session.resume()
    assert not session.cursor.log.results


def test_the_trace_is_expanded_when_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    expanded: list[int] = []
    visited = bulk_steps._Paths.visited

    def counted(paths: Any, path: Any, depth: int) -> Any:
        expanded.append(len(path))
        return visited(paths, path, depth)

    monkeypatch.setattr(bulk_steps._Paths, "visited", counted)
    module = read(BRANCHES)
    for _ in range(4):
        stepped, fast = stepped_and_fast(module, [np.int32(40)])
        snapshots = stepped.resume(), fast.resume()
    assert not expanded
    assert snapshots[0] == snapshots[1]
    assert list(stepped.cursor.trace.depths) == list(fast.cursor.trace.depths)
    assert expanded
