"""Breakpoints that stop under a condition, or after some times."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.expressions.expression import Expression, read_expression, value_expression
from shlo.debugger.replay.history import History
from shlo.interpreter.kernel_api import TOKEN
from tests.debugger.expression_values import Values
from tests.debugger.programs import LONG_LOOP, NOT_FINITE, read


def read_condition(text: str) -> Expression:
    return read_expression(text, value_expression("x"))


def is_met(condition: Expression, value: Any) -> bool:
    try:
        return condition.holds(Values({"x": value}))
    except DebuggerError:
        return False


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("max > 10", [1, 11.5], True),
        ("max > 10", [1, 10, np.inf], False),  # of the finite elements
        ("min<=-2.5e0", [-2.5, 9], True),
        ("mean == 2", [1, 3], True),
        ("nans >= 2", [np.nan, 1], False),
        ("nan", [np.nan, 1], True),
        ("inf", [1, -np.inf], True),
        ("%x zeros != 0", [1, 0], True),
        ("== 3", [1, 3], True),
        ("> 3", [1, 3], False),
        ("%x<0", [-1, 3], True),
        ("max > 0", [np.nan], False),
        ("min != 0", [], False),
    ],
)
def test_short_forms_are_about_the_value_of_the_breakpoint(
    text: str, value: list[float], holds: bool
) -> None:
    condition = read_condition(text)
    assert read_expression(str(condition)) == condition
    for dtype in (np.float64, np.float32, ml_dtypes.bfloat16):
        assert is_met(condition, np.array(value).astype(dtype)) is holds


def test_conditions_on_other_values() -> None:
    assert is_met(read_condition("== 18446744073709551615"), np.array([2**64 - 1], np.uint64))
    assert is_met(read_condition("> 4"), np.complex64(3 + 4j))
    assert is_met(read_condition("== 1"), np.array([False, True]))
    assert is_met(read_condition("== -8"), np.array([-8], ml_dtypes.int4))
    assert is_met(read_condition("== 0.1"), np.array([0.1], np.float32))
    assert not is_met(read_condition("== 0"), TOKEN)
    assert not is_met(read_condition("== 0"), (np.int32(0),))


@pytest.mark.parametrize("text", ["", "max >", "max => 1", "max > 1 or", "> 1" * 99, "1 < %x < 2"])
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(DebuggerError):
        read_condition(text)
    with pytest.raises(DebuggerError, match="max is a function"):
        read_expression("max > 1")


X = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)


SHORT_LOOP = LONG_LOOP.replace("dense<200>", "dense<50>")


def expected_stops() -> list[int]:
    """Returns where the conditions below hold, seen by looking at every position."""
    session, stops = Session(read(SHORT_LOOP), [X]), list[int]()
    while session.step_in().status == "ready":
        snapshot = session.snapshot
        assert snapshot.frame
        assert snapshot.last_step
        holds = {
            "%next == 40": "next" in snapshot.last_step.bound and int(session.inspector.value("next")) == 40,
            "%i == 7": snapshot.frame.line == 13 and int(session.inspector.value("i")) == 7,
            "%y max > 1.9": snapshot.frame.op == "stablehlo.sine"
            and float(session.inspector.value("y").max()) > 1.9,
        }
        if any(holds.values()):
            stops.append(session.position)
    return stops


@pytest.mark.parametrize("memory", [1 << 30, 1 << 16])
@pytest.mark.parametrize("runs_first", [False, True])
def test_conditions_stop_in_the_same_places_both_ways(memory: int, runs_first: bool) -> None:
    session = Session(read(SHORT_LOOP), [X], memory=memory)
    if runs_first:  # so that nothing was asked on the way there
        session.resume()
        session.restart()
    session.breakpoints.on_value("%next", "== 40")
    session.breakpoints.on_line(13, "%i == 7")
    session.breakpoints.on_op("sine", "%y max > 1.9")
    there: list[int] = []
    while not runs_first and (snapshot := session.resume()).reason == "breakpoint":
        there.append(snapshot.position)
    session.goto(10_000)
    back: list[int] = []
    while (snapshot := session.reverse()).reason == "breakpoint":
        back.append(snapshot.position)
    expected = expected_stops()
    assert len(expected) > 30
    assert back == expected[::-1]
    assert there == ([] if runs_first else expected)


def test_a_count_is_counted_from_the_start_whichever_way_one_goes() -> None:
    session = Session(read(LONG_LOOP), [X])
    point = session.breakpoints.on_line(11)
    session.breakpoints.ignore(point.number, 197)
    there = [session.resume() for _ in range(4)]
    assert [snapshot.reason for snapshot in there] == [*["breakpoint"] * 3, "done"]
    assert [int(session.inspector.value_at("i", snapshot.position)) for snapshot in there[:3]] == [
        197,
        198,
        199,
    ]
    assert [session.reverse().position for _ in range(3)] == [
        snapshot.position for snapshot in reversed(there[:3])
    ]
    assert session.reverse().reason == "beginning"


def test_a_breakpoint_on_numbers_has_no_count_and_no_condition_elsewhere() -> None:
    session = Session(read(NOT_FINITE), [np.array([1, 2], np.float32)])
    point = session.breakpoints.on_nonfinite()
    with pytest.raises(DebuggerError, match="ignored"):
        session.breakpoints.ignore(point.number, 1)
    session.breakpoints.on_value("later", "nan")
    session.breakpoints.on_value("low", "nan")
    session.breakpoints.remove(point.number)
    assert session.resume().last_step == session.snapshot.last_step
    assert session.snapshot.breakpoints == (2,)
    assert session.resume().reason == "done"
    session.breakpoints.restrict(3, None)
    session.restart()
    assert session.resume().breakpoints == (3,)


def test_hits_are_counted_without_a_look_at_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(read(LONG_LOOP), np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64))
    point = session.breakpoints.on_op("while")
    session.breakpoints.enable(point.number, False)
    session.resume()
    looked: list[int] = []
    arrivals = History.arrivals

    def counted(history: History, position: int) -> Any:
        looked.append(position)
        return arrivals(history, position)

    monkeypatch.setattr(History, "arrivals", counted)
    assert session.stepping.times_hit(point.number) == len(looked) == 1
    assert session.position > 1000
