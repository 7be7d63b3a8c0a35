"""Breakpoints on findings of the sanitizer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger.commands.table import run_command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import StepView
from shlo.debugger.session import Session

LOOP = """func.func @main(%x: tensor<2xi32>, %n: tensor<i32>) -> (tensor<2xi32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xi32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.add %a, %x : tensor<2xi32>
    stablehlo.return %j, %b : tensor<i32>, tensor<2xi32>
  }
  %f = stablehlo.convert %r#1 : (tensor<2xi32>) -> tensor<2xf32>
  %l = stablehlo.log %f : tensor<2xf32>
  return %r#1, %l : tensor<2xi32>, tensor<2xf32>
}
"""
STEP = (1 << 31) // 2000


def session(*arguments: Any, **keywords: Any) -> Session:
    """Returns a session whose sum wraps in iteration 1,999."""
    return Session(shlo.parse(LOOP), arguments or (np.array([1, STEP], np.int32), 3000), **keywords)


def last_step(debugged: Session) -> StepView:
    """Returns the step that the session has stopped behind."""
    step = debugged.snapshot.last_step
    assert step is not None
    return step


def iteration(debugged: Session) -> int:
    """Returns the number of the iteration that the session is in."""
    return int(debugged.inspector.value("i"))


def test_the_session_stops_behind_what_the_sanitizer_objects_to() -> None:
    debugged = session()
    debugged.breakpoints.on_nonfinite("finding")
    snapshot = debugged.resume()
    assert (snapshot.reason, snapshot.breakpoints, iteration(debugged)) == ("breakpoint", (1,), 1999)
    step = last_step(debugged)
    assert (step.line, step.finding) == (9, ("finding",))
    total = 2000 * STEP
    assert step.details == (
        f"signed integers wrapped: the exact result does not fit its type [wrapped]: "
        f"[1]: lhs {total}, rhs {STEP}, result {total + STEP - (1 << 32)}",
    )


def test_a_finding_is_the_same_from_both_sides() -> None:
    debugged = session()
    debugged.resume()
    debugged.breakpoints.on_nonfinite("finding")
    assert debugged.reverse().reason == "breakpoint"
    assert (last_step(debugged).line, iteration(debugged)) == (9, 1999)
    position, details = debugged.position, last_step(debugged).details
    debugged.goto(0)
    debugged.resume()
    assert (debugged.position, last_step(debugged).details) == (position, details)


def test_steps_that_were_searched_for_less_are_searched_again() -> None:
    debugged = session()
    nan = debugged.breakpoints.on_nonfinite("nan")
    debugged.resume()
    debugged.breakpoints.remove(nan.number)
    debugged.breakpoints.on_nonfinite("finding")
    assert debugged.reverse().reason == "breakpoint"
    assert iteration(debugged) == 1999


def test_findings_are_left_out() -> None:
    debugged = session()
    debugged.nonfinite.sanitize("-wrapped")
    debugged.breakpoints.on_nonfinite("finding")
    assert debugged.resume().reason == "done"
    debugged.nonfinite.sanitize("infinity")
    assert debugged.reverse().reason == "beginning"
    debugged.nonfinite.sanitize("wrapped")
    debugged.goto(0)
    assert debugged.resume().reason == "breakpoint"
    with pytest.raises(DebuggerError, match="expected the name of a finding or an operation, got 'wraped'"):
        debugged.nonfinite.sanitize("wraped")


def test_a_condition_is_one_on_the_values_behind_the_step() -> None:
    debugged = session(np.array([1 << 30, 1 << 30], np.int32), 10)
    debugged.breakpoints.on_nonfinite("finding", condition="%i > 4")
    debugged.resume()
    assert iteration(debugged) == 8


def test_processes_of_a_grid_are_searched() -> None:
    inputs = [[np.array([1, 1], np.int32), 3], [np.array([1 << 30, 1], np.int32), 3]]
    debugged = Session([shlo.parse(LOOP)], inputs, partitions=2)
    debugged.breakpoints.on_nonfinite("finding")
    snapshot = debugged.resume()
    assert (snapshot.reason, debugged.cursor.selected) == ("breakpoint", 1)
    assert last_step(debugged).details


def test_commands_go_to_findings() -> None:
    debugged = session()
    assert "\nfinding: signed integers wrapped" in run_command(debugged, "nonfinite finding").text
    assert iteration(debugged) == 1999
    debugged.goto(0)
    assert (
        run_command(debugged, "break finding if %i > 2500").text
        == "breakpoint 2: nonfinite finding if %i > 2500"
    )
    assert run_command(debugged, "continue").snapshot.reason == "done"
    run_command(debugged, "reverse-nonfinite finding")
    assert last_step(debugged).finding == ("finding",)
