"""A Session steps, stops and goes back."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session, Snapshot
from shlo.debugger.replay.checkpoints import SPACING, Checkpoints
from shlo.debugger.replay.history import History
from shlo.debugger.replay.result_cache import MemoryUse
from shlo.interpreter import Process, run
from shlo.ir.diagnostics import ExecutionError
from tests.debugger.programs import (
    ARGUMENTS,
    CONSTANTS,
    EFFECTS,
    LOGARITHMS,
    LONG_LOOP,
    NESTED,
    NOT_FINITE,
    RECURSIVE,
    read,
)
from tests.debugger.walk import walk
from tests.jax_programs import PROGRAMS


def nested(**options: Any) -> Session:
    return Session(read(NESTED), [np.int32(5)], **options)


def place(snapshot: Snapshot) -> tuple[str, int | None]:
    frame = snapshot.frame
    return (f"@{frame.function} {frame.region_name}".rstrip(), frame.line) if frame else ("done", None)


def places(session: Session, move: str, count: int) -> list[tuple[str, int | None]]:
    return [place(getattr(session, move)()) for _ in range(count)]


def test_stepping_in_over_and_out_through_while_case_calls_and_composites() -> None:
    session = nested()
    assert place(session.snapshot) == ("@main", 2)
    assert places(session, "step_over", 4) == [("@main", 3), ("@main", 13), ("@main", 17), ("@main", 18)]
    session.restart()
    assert places(session, "step_in", 7) == [
        ("@main", 3),
        ("@main cond", 5),
        ("@main cond", 6),
        ("@main cond", 7),
        ("@main body", 9),
        ("@next", 21),
        ("@next", 22),
    ]
    assert places(session, "step_out", 2) == [("@main body", 10), ("@main", 13)]
    assert places(session, "step_in", 1) == [("@main branches 0", 14)]
    session.run_to_line(17)
    assert places(session, "step_in", 1) == [("@next", 21)]
    assert place(session.resume()) == ("done", None)
    assert [int(result) for result in session.results] == [17]
    assert session.step_in().reason == "done"


@pytest.mark.parametrize("arguments", [([1, 2],), ((1, 2),), (1, 2), (np.int32(1), np.array(2, np.int32))])
def test_arguments_are_written_as_for_run_or_as_one_list(arguments: tuple[Any, ...]) -> None:
    module = read(
        "func.func @main(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {\n"
        "  %z = stablehlo.add %x, %y : tensor<i32>\n  return %z : tensor<i32>\n}"
    )
    session = Session(module, *arguments)
    session.resume()
    assert int(session.results[0]) == 3
    session = Session(read(NOT_FINITE), np.array([1, 2], np.float32))
    assert session.inspector.value("x").tolist() == [1, 2]


def test_stepping_back_is_stepping_forward_seen_from_the_end() -> None:
    session = nested()
    session.resume()
    assert places(session, "back_over", 5) == [
        ("@main", 18),
        ("@main", 17),
        ("@main", 13),
        ("@main", 3),
        ("@main", 2),
    ]
    session.goto(6)
    assert places(session, "back_out", 3) == [("@main body", 9), ("@main", 3), ("@main", 2)]
    assert session.back_in().reason == "beginning"
    session.resume()
    last = session.snapshot.position
    assert [session.back_in().position for _ in range(3)] == [last - 1, last - 2, last - 3]


def test_frames_tell_functions_regions_iterations_and_places() -> None:
    session = nested()
    session.breakpoints.on_line(22)
    session.resume()
    snapshot = session.resume()
    assert [(f.function, f.region_name, f.iteration, f.op, f.line) for f in snapshot.frames] == [
        ("main", "", 0, "stablehlo.while", 3),
        ("main", "body", 1, "func.call", 9),
        ("next", "", 0, "stablehlo.add", 22),
    ]
    source = session.module.source
    assert source
    assert snapshot.frame
    assert snapshot.frame.span
    assert source.text[slice(*snapshot.frame.span)].startswith("%after = stablehlo.add")
    assert snapshot.last_step
    assert (snapshot.last_step.op, snapshot.last_step.bound) == ("stablehlo.constant", ("one",))


def test_values_in_scope_of_any_frame() -> None:
    session = nested()
    session.breakpoints.on_line(10)
    session.resume()
    session.resume()
    assert [view.name for view in session.inspector.values()] == ["x", "zero", "i", "total", "next"]
    assert [int(session.inspector.value(name)) for name in ("x", "%i", "total", "next")] == [5, 1, 6, 2]
    assert [view.name for view in session.inspector.values(frame=0)] == ["x", "zero"]
    session.goto(session.inspector.bound_at("total"))
    assert place(session.snapshot) == ("@main body", 9)
    with pytest.raises(DebuggerError, match="%more is not in scope"):
        session.inspector.value("more")


@pytest.mark.parametrize(
    ("method", "where", "lines"),
    [
        ("on_line", 10, [10, 10]),
        ("on_line", 8, [9, 9]),  # the next line below that has an operation
        ("on_op", "add", [22, 10, 22, 10, 14, 22]),
        ("on_op", "func.call", [9, 9]),
        ("on_value", "%new", [11, 11]),
        ("on_value", "sum#1", [13]),
        ("on_value", "n", [21, 21, 21]),
    ],
)
def test_breakpoints_stop_on_the_way_there_and_back(method: str, where: Any, lines: list[int]) -> None:
    session = nested()
    point = getattr(session.breakpoints, method)(where)
    there: list[Snapshot] = []
    while (snapshot := session.resume()).reason == "breakpoint":
        there.append(snapshot)
    assert [place(snapshot)[1] for snapshot in there] == lines
    assert all(snapshot.breakpoints == (point.number,) for snapshot in there)
    back = [session.reverse() for _ in there]
    assert [snapshot.position for snapshot in back] == [snapshot.position for snapshot in reversed(there)]
    assert session.reverse().reason == "beginning"
    session.breakpoints.enable(point.number, False)
    assert session.resume().reason == "done"


def test_lines_in_both_directions_and_requests_that_make_no_sense() -> None:
    session = nested()
    assert (place(session.run_to_line(14)), session.snapshot.reason) == (("@main branches 0", 14), "line")
    assert place(session.reverse_to_line(11)) == ("@main body", 11)
    for request in (
        lambda: session.breakpoints.on_line(99),
        lambda: session.breakpoints.on_op("ad"),
        lambda: session.breakpoints.on_nonfinite("nans"),
        lambda: session.breakpoints.remove(7),
        lambda: session.goto(-1),
        lambda: session.inspector.values(frame=9),
        lambda: Session(read(NESTED), [1], replicas=2),
    ):
        with pytest.raises(DebuggerError):
            request()


def test_the_first_nan_and_the_first_infinity_are_found_from_both_sides() -> None:
    session = Session(read(NOT_FINITE), [np.array([1, 2], np.float32)])
    session.breakpoints.on_nonfinite("nan")
    found = session.resume()
    assert found.last_step
    assert (found.last_step.bound, found.last_step.line, found.last_step.finding) == (("wrong",), 6, ("nan",))
    statistics = session.inspector.statistics("wrong")
    assert statistics
    assert (statistics.nans, statistics.low, session.resume().reason) == (2, None, "done")
    assert session.reverse().position == found.position

    session = Session(read(NOT_FINITE), [np.array([1, 2], np.float32)])
    session.resume()
    session.breakpoints.on_nonfinite("any")  # nothing was looked at on the way there
    names = [session.reverse().last_step for _ in range(2)]
    assert [last_step.bound for last_step in names if last_step] == [("large",), ("wrong",)]
    assert session.reverse().reason == "beginning"


@pytest.mark.parametrize("memory", [1 << 30, 0])
def test_numbers_that_are_not_finite_are_found_across_checkpoints_backwards(memory: int) -> None:
    session = Session(read(LOGARITHMS), [np.zeros(4, np.float32)], memory=memory)
    session.resume()
    assert session.position > 3 * SPACING
    steps = [session.nonfinite.reverse_to().last_step for _ in range(2)]
    assert [step.bound for step in steps if step] == [("late",), ("early",)]


TAKE = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %fill = stablehlo.broadcast_in_dim %nan, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %fits = stablehlo.compare GE, %x, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %masked = stablehlo.select %fits, %x, %inf : tensor<2xi1>, tensor<2xf32>
  %taken = stablehlo.select %fits, %x, %fill : tensor<2xi1>, tensor<2xf32>
  %sine = stablehlo.sine %taken : tensor<2xf32>
  return %sine : tensor<2xf32>
}
"""


WHERE = TAKE.replace(
    "stablehlo.select %fits, %x, %fill : tensor<2xi1>, tensor<2xf32>",
    "call @_where(%fits, %x, %nan) : (tensor<2xi1>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>",
)
WHERE += """\
func.func private @_where(%c: tensor<2xi1>, %x: tensor<2xf32>, %other: tensor<f32>) -> tensor<2xf32> {
  %wide = stablehlo.broadcast_in_dim %other, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %chosen = stablehlo.select %c, %x, %wide : tensor<2xi1>, tensor<2xf32>
  return %chosen : tensor<2xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "x", "expected"),
    [
        (WHERE, [1, 2], []),
        (WHERE, [1, -2], ["chosen"]),
        (WHERE.replace("return %chosen", "return %wide"), [1, 2], ["wide"]),
        (
            WHERE.replace("%sine = stablehlo.sine %taken :", "%sine = call @_where(%fits, %x, %e) :")
            .replace(
                ": tensor<2xf32>\n  return %sine",
                ": (tensor<2xi1>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>\n  return %sine",
            )
            .replace(
                "  %zero =",
                "  %r = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2xf32>\n  %one = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>\n  %e = stablehlo.reshape %one : (tensor<1xf32>) -> tensor<f32>\n  %zero =",
            ),
            [1, 2],
            ["nan"],
        ),
        (TAKE, [1, 2], []),
        (TAKE, [1, -2], ["taken"]),
        (TAKE.replace("return %sine", "return %fill"), [1, 2], ["fill"]),
        (CONSTANTS, [0, 0, 0, 0], ["passed_wide", "passed_nan", "overflow"]),
    ],
    ids=[
        "not taken in a function",
        "taken in a function",
        "returned from a function",
        "function is called with others",
        "not taken",
        "taken",
        "returned",
        "in a loop",
    ],
)
def test_a_nan_of_a_constant_is_made_where_it_is_taken(
    text: str, x: list[float], expected: list[str]
) -> None:
    session = Session(read(text), [np.array(x, np.float32)])
    found: list[str] = []
    while (snapshot := session.nonfinite.run_to()).reason == "breakpoint" and len(found) < 3:
        assert snapshot.last_step
        found += snapshot.last_step.bound
    assert found[:3] == expected
    session.goto(session.snapshot.last)
    if expected and len(expected) < 3:
        stop = session.nonfinite.reverse_to().last_step
        assert stop
        assert stop.bound == (expected[-1],)


@pytest.mark.parametrize("entry", ["main", "called", "direct"])
def test_a_nan_in_an_argument_is_that_of_the_argument_and_of_no_step(entry: str) -> None:
    session = Session(read(ARGUMENTS), [np.array([[1, np.nan], [np.inf, np.nan]], np.float32)], entry=entry)
    (argument,) = session.nonfinite.arguments()
    assert (argument.name, argument.label, argument.nan.count, argument.nan.first) == ("x", "xs", 2, (0, 1))
    assert argument.infinity.first == (1, 0)
    found = session.nonfinite.run_to("nan")
    assert (found.position, found.reason) == (0, "arguments")
    assert session.nonfinite.run_to("nan").reason == "missed"
    point = session.breakpoints.on_nonfinite("any")
    assert session.resume().reason == "done"
    found = session.reverse()
    assert (found.position, found.reason, found.breakpoints) == (0, "breakpoint", (point.number,))
    session.goto(2)
    found = session.nonfinite.reverse_to()
    assert (found.position, found.reason) == (0, "arguments")


TWO_FUNCTIONS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = call @twice(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %x, %x : tensor<f32>
  return %y : tensor<f32>

}
func.func private @refused(%x: tensor<f32>) -> tensor<f64> {
  return %x : tensor<f32>
}
func.func private @never(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
"""


def test_a_breakpoint_without_an_operation_moves_within_its_function() -> None:
    session = Session(read(TWO_FUNCTIONS), [np.float32(1)])
    for asked, line in ((10, 8), (9, 8), (6, 7), (4, 3)):
        session.restart()
        assert session.breakpoints.on_line(asked).where == line
        assert place(session.resume())[1] == line
        session.breakpoints.remove(next(iter(session.breakpoints)).number)
    session.restart()
    assert place(session.run_to_line(10)) == ("@twice", 8)
    for line in (11, 13):
        with pytest.raises(DebuggerError, match=f"no operation on line {line}, nor"):
            session.breakpoints.on_line(line)
    assert nested().breakpoints.on_line(12).where == 13  # a loop's end: the operation below the loop


def test_a_search_that_finds_nothing_stays_where_it_began() -> None:
    session = Session(read(NOT_FINITE), [np.array([1, 2], np.float32)])
    session.goto(6)
    for search in (
        lambda: session.nonfinite.run_to("nan"),
        lambda: session.nonfinite.reverse_to("infinity"),
        lambda: session.run_to_line(6),
        lambda: session.reverse_to_line(9),
    ):
        stop = search()
        assert (stop.position, stop.reason) == (6, "missed")
    session.resume()
    assert (session.nonfinite.run_to().reason, session.snapshot.status) == ("missed", "done")


def test_little_memory_drops_and_computes_again() -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    budget = 20 * x.nbytes
    rich, poor = (Session(read(LONG_LOOP), [x], memory=memory) for memory in (1 << 30, budget))
    for session in (rich, poor):
        session.cursor.takes_bulk_steps = False  # which keeps no results of rounds
        session.goto(1205)
    assert rich.cursor.history.cache.bytes > 100 * x.nbytes
    assert poor.cursor.history.cache.bytes <= budget
    for position in (1205, 9, 700, 333, 334, 1000, 332):
        assert place(rich.goto(position)) == place(poor.goto(position))
        names = [view.name for view in rich.inspector.values()]
        assert names == [view.name for view in poor.inspector.values()]
        assert "unused" in names
        for name in names:
            np.testing.assert_array_equal(rich.inspector.value(name), poor.inspector.value(name))
    assert not all(view.is_held for view in poor.inspector.values())
    assert poor.cursor.history.cache.bytes <= budget


def test_an_argument_that_was_dropped_is_not_one_of_a_function_that_it_was_given_to() -> None:
    text = """\
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = func.call @swapped(%y, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @swapped(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
"""
    session = Session(read(text), [np.float32(3), np.float32(5)], memory=0)
    session.step_over()
    assert (session.inspector.value("x"), session.inspector.value("y"), session.inspector.value("0")) == (
        3,
        5,
        2,
    )


def test_effects_are_not_repeated() -> None:
    calls: list[float] = []

    def count(call: Any) -> Any:
        return lambda x: calls.append(float(x)) or np.float32(len(calls))

    session = Session(read(EFFECTS), [np.float32(1)], handlers={"count": count}, memory=0, seed=3)
    session.resume()
    results = session.results
    for position in (0, 1, 4, 2, 3, 0):
        session.goto(position)
    session.resume()
    assert (calls, session.results) == ([1.0, 2.0], results)


def test_an_error_is_a_place_to_go_back_from() -> None:
    attempts: list[Any] = []

    def fail(call: Any) -> Any:
        def evaluate(x: Any) -> Any:
            attempts.append(x)
            raise ValueError("no")

        return evaluate

    session = Session(read(EFFECTS), [1.0], handlers={"count": fail})
    snapshot = session.resume()
    assert (snapshot.status, snapshot.reason, place(snapshot)) == ("failed", "failed", ("@main", 2))
    assert "ValueError: no" in (snapshot.error or "")
    assert session.restart().status == "ready"
    assert (session.resume().status, len(attempts)) == ("failed", 1)
    with pytest.raises(ExecutionError):
        _ = session.results


def test_a_request_to_stop_ends_a_command_between_two_operations() -> None:
    polls = iter([False] * 100)
    session = Session(read(LONG_LOOP), [np.ones((64, 64), np.float32)], stop=lambda: next(polls, True))
    session.cursor.takes_bulk_steps = False
    snapshot = session.resume()
    assert (snapshot.reason, snapshot.position) == ("stopped", 101)

    event = threading.Event()
    session = Session(read(LONG_LOOP), [np.ones((64, 64), np.float32)], stop=event)
    session.request_stop()
    assert session.resume().reason == "stopped"
    assert session.resume().reason == "done"


def test_what_is_shown_and_what_was_given_cannot_change_the_past() -> None:
    x = np.array([1, 2], np.float32)
    session = Session(read(NOT_FINITE), [x])
    session.goto(3)
    shown = session.inspector.value("x")
    x[:] = 7
    assert shown.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 3
    assert session.inspector.part("x", (slice(1, None),)).tolist() == [2]
    with pytest.raises(DebuggerError, match="too many indices"):
        session.inspector.part("x", (0, 0))


def test_an_interrupt_leaves_the_session_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    session = Session(read(LONG_LOOP), [x])
    for owner, name in ((History, "arrive"), (MemoryUse, "hold"), (Process, "step"), (Checkpoints, "add")):
        with monkeypatch.context() as patch:
            _interrupt_later(patch, owner, name)
            with pytest.raises(KeyboardInterrupt):
                session.resume()
        before = session.snapshot.position
        assert session.snapshot.reason == "stopped"
        assert session.step_in().position == before + 1
    session.resume()
    np.testing.assert_array_equal(session.results[0], run(session.module, x)[0])
    assert session.goto(3).position == 3


def test_an_interrupt_while_a_dropped_value_is_computed_again_harms_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    session = Session(read(LONG_LOOP), [x], memory=1 << 16)
    session.cursor.takes_bulk_steps = False
    session.goto(700)
    expected = session.inspector.value("unused")
    for owner, name in ((History, "arrive"), (MemoryUse, "hold"), (Process, "step")):
        session.goto(0)
        session.goto(700)
        with monkeypatch.context() as patch:
            _interrupt_later(patch, owner, name, at_call=1)
            with pytest.raises(KeyboardInterrupt):
                session.inspector.value("unused")
        np.testing.assert_array_equal(session.inspector.value("unused"), expected)
        assert session.position == 700
        assert session.cursor.history.cache.bytes <= 1 << 16


def test_another_thread_stops_a_program_that_never_ends() -> None:
    endless = LONG_LOOP.replace("LT, %i, %end", "GE, %i, %zero")
    session = Session(read(endless), [np.ones((64, 64), np.float32)])
    ended: list[Snapshot] = []
    worker = threading.Thread(target=lambda: ended.append(session.resume()))
    worker.start()
    while session.position < 500:
        time.sleep(0.001)
    with pytest.raises(DebuggerError, match="busy"):
        session.inspector.value("x")
    session.request_stop()
    worker.join(30)
    assert ended[0].reason == "stopped"
    session.request_stop()  # one that comes too late for a command is not for the next one
    session.inspector.value("x")
    assert session.step_in().reason == "step"


def _interrupt_later(patch: pytest.MonkeyPatch, owner: type, name: str, at_call: int = 3) -> None:
    """Has a method raise KeyboardInterrupt as it has been done a few times."""
    original, calls = getattr(owner, name), [0]

    def method(*arguments: Any) -> Any:
        result = original(*arguments)
        calls[0] += 1
        if calls[0] == at_call or (name == "add" and calls[0] == 1):
            raise KeyboardInterrupt
        return result

    patch.setattr(owner, name, method)


WALKED = (
    "nested_loops",
    "scan_reverse_with_outputs",
    "composite",
    "nested_jit_calls",
    "fori_dynamic_slice",
)


@pytest.mark.parametrize("memory", [1 << 30, 4096])
@pytest.mark.parametrize("name", WALKED)
def test_random_walks_show_what_fresh_runs_show(name: str, memory: int) -> None:
    program = PROGRAMS[name]
    assert walk(read(program.text()), program.arguments, stops=40, seed=7, memory=memory)["stops"] == 40


@pytest.mark.parametrize("memory", [1 << 30, 0])
def test_random_walks_through_a_function_that_calls_itself(memory: int) -> None:
    assert walk(read(RECURSIVE), [np.int32(5)], stops=100, seed=2, memory=memory)["stops"] == 100


@pytest.mark.parametrize("memory", [1 << 30, 1 << 16])
def test_random_walks_over_many_kept_states(memory: int) -> None:
    x = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
    assert walk(read(LONG_LOOP), [x], stops=80, seed=11, memory=memory)["stops"] == 80
