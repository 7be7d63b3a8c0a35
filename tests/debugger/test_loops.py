"""Rounds of loops: going to one, values over all, one round against the one before."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.text.format_loops import bars_text
from tests.debugger.programs import LONG_LOOP, read

NESTED_LOOPS = """
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %inner:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<i32>
    cond {
      %less = stablehlo.compare LE, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %u = func.call @plus(%t, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %u : tensor<i32>, tensor<i32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %inner#1 : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
func.func private @plus(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.add %a, %b : tensor<i32>
  return %c : tensor<i32>
}
"""


@pytest.fixture
def session() -> Session:
    """A session in the fourth round of the outer loop, in the third of the inner one."""
    session = Session(read(NESTED_LOOPS), [np.int32(5)])
    session.breakpoints.on_value("u", "%i == 3")
    for _ in range(3):
        session.resume()
    assert (session.inspector.value("i"), session.inspector.value("j")) == (3, 2)
    return session


def test_a_round_is_reached_forwards_and_backwards_past_breakpoints(session: Session) -> None:
    for number in (0, 3, 1, 2):
        snapshot = session.to_round(number)
        assert (snapshot.frame and snapshot.frame.iteration, session.inspector.value("j")) == (number, number)
        assert session.inspector.value("i") == 3  # the round of this execution of the inner loop


def test_the_round_of_an_outer_loop_is_one_level_out(session: Session) -> None:
    for number in (4, 1):
        session.to_round(number, level=0 if len(session.snapshot.frames) == 2 else 1)
        assert session.inspector.value("i") == number


def test_a_round_that_the_loop_does_not_reach_leaves_the_session_where_it_is(session: Session) -> None:
    position = session.position
    assert session.to_round(4).reason == "missed"
    assert session.position == position
    assert run_command(session, "round 4").text.startswith("the loop has no round 4\n")


def test_values_over_the_rounds_are_those_of_this_execution_of_the_loop(session: Session) -> None:
    position = session.position
    loop = session.loops.innermost()
    assert (loop.round, [int(value) for _, value in session.loops.values(loop, "t")]) == (2, [6, 7, 8])
    outer = session.loops.innermost(level=1)
    assert [(number, int(value)) for number, value in session.loops.values(outer, "s")] == [
        (0, 0),
        (1, 1),
        (2, 3),
        (3, 6),
    ]
    assert session.position == position


def test_commands_say_what_changed_from_round_to_round() -> None:
    session = Session(read(LONG_LOOP), [np.full((64, 64), 0.5, np.float32)])
    session.breakpoints.on_value("z", "%i == 40")
    session.resume()
    answers = {line: run_command(session, line).text for line in ("round", "round-diff %z", "rounds %i")}
    assert answers["round"] == "round 40 of the loop on line 4; 41 rounds reached"
    assert answers["round-diff %z"].startswith("%z in round 40 against round 39: ")
    assert answers["rounds %i"].splitlines()[0] == f"%i  {bars_text(range(41))}"
    assert "> #40     40" in answers["rounds %i"]
    assert "... 11 more ..." in answers["rounds %i"]
    assert run_command(session, "next-round 2").snapshot.frames[-1].iteration == 42
    assert run_command(session, "reverse-round 40").snapshot.frames[-1].iteration == 2


def test_where_no_loop_is_open_a_command_says_so() -> None:
    session = Session(read(LONG_LOOP), [np.zeros((64, 64), np.float32)])
    with pytest.raises(DebuggerError, match="no loop is open here"):
        session.to_round(1)


def test_bars_show_what_is_not_finite() -> None:
    assert bars_text([0, 1, np.nan, np.inf]) == "▁█NI"
    assert bars_text([2, 2]) == "▁▁"


CALLED_BODY = """
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %new = func.call @closed_call(%c, %i) : (tensor<f32>, tensor<i32>) -> tensor<f32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %new : tensor<i32>, tensor<f32>
  }
  return %out#1 : tensor<f32>
}
func.func private @closed_call(%c: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %float = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %half = stablehlo.add %float, %float : tensor<f32>
  %sum = stablehlo.add %c, %half : tensor<f32>
  return %sum : tensor<f32>
}
"""


def test_what_a_body_computes_in_a_function_that_it_calls_is_a_value_of_the_rounds() -> None:
    session = Session(read(CALLED_BODY), [np.float32(0), np.int32(5)])
    session.breakpoints.on_value("half", "%i == 3")
    assert session.resume().frames[-1].function == "closed_call"
    table = run_command(session, "rounds %half").text
    assert "> #3      6." in table
    session.select_frame(1)
    assert run_command(session, "rounds %half").text == table
    assert "6 -> 4" not in run_command(session, "round-diff %half").text
    assert "4 -> 6" in run_command(session, "round-diff %half").text


def test_of_many_rounds_some_at_equal_distances_are_shown_and_two_are_computed_again() -> None:
    session = Session(read(CALLED_BODY), [np.float32(0), np.int32(100_000)])
    session.breakpoints.on_value("next", "%i == 20000")
    session.resume()
    values = session.loops.values
    found = dict(values(session.loops.innermost(), "half", rounds=[19_999, 20_000]))
    assert {number: int(value) for number, value in found.items()} == {19_999: 39_998, 20_000: 40_000}
    table = run_command(session, "rounds %half").text.splitlines()
    assert table[0].endswith("(one round in 41)")
    assert table[-1] == "> #20000  40000."
