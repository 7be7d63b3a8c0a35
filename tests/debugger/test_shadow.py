"""The debugger beside a shadow in float64: values, breakpoints on lost digits, both directions, other futures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.interpreter import RunOptions
from shlo.shadow.run import ShadowRun

VARIANCE = shlo.load("examples/variance.mlir")
X = np.array([1000.1, 1000.4, 999.7, 1000.2], np.float32)

LOGISTIC = shlo.parse("""func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %count = stablehlo.constant dense<60> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %unit = stablehlo.constant dense<1.0> : tensor<f32>
  %four = stablehlo.constant dense<4.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32> cond {
    %c = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.subtract %unit, %v : tensor<f32>
    %p = stablehlo.multiply %v, %w : tensor<f32>
    %q = stablehlo.multiply %p, %four : tensor<f32>
    stablehlo.return %j, %q : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
""")


def stops(session: Session, command: str) -> list[int]:
    """Returns the positions at which a command stops when it is repeated to the end."""
    found: list[int] = []
    while session.snapshot.status == "ready":
        run_command(session, command)
        if session.snapshot.reason != "breakpoint":
            break
        found.append(session.position)
    return found


def test_a_breakpoint_on_lost_digits_stops_behind_the_steps_that_lose_them_both_ways() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    session.break_on_loss(1)
    forwards = stops(session, "continue")
    run = ShadowRun()
    run.execute(LOGISTIC, [np.float32(0.3)], RunOptions())
    (found,) = run.losses
    assert len(forwards) == found.executions
    worst = [at for at in forwards if session.goto(at) and session.last_loss == found.worst]
    assert len(worst) == 1
    session.goto(session.cursor.last)
    backwards: list[int] = []
    while session.reverse().reason == "breakpoint":
        backwards.append(session.position)
    assert backwards == forwards[::-1]


def test_values_say_what_they_lack_where_shadows_are_shown() -> None:
    session = Session(VARIANCE, X)
    session.show_shadow()
    session.resume()
    session.back_in()
    assert session.summary("variance") == "0.125 (7.2 of 7.2 digits lost, in f64 0.0650018314)"
    assert session.summary("mean") == "1000.1"
    value, shadow = session.shadow("variance")
    assert value == np.float32(0.125)
    assert shadow == pytest.approx(X.astype(np.float64).var())
    assert "in f64 0.065" in run_command(session, "shadow %variance").text
    assert run_command(session, "print %variance").text.splitlines()[1].startswith("in f64 0.065")
    assert run_command(session, "print %mean").text == "1000.1"
    assert "subtract: catastrophic cancellation" in run_command(session, "shadow").text
    run_command(session, "shadow off")
    assert session.summary("variance") == "0.125"


def test_a_value_that_is_set_is_exact_and_what_follows_is_compared_with_that() -> None:
    session = Session(VARIANCE, X)
    session.show_shadow()
    run_command(session, "break value %variance")
    session.resume()
    assert "digits lost" in (session.summary("variance") or "")
    session.restart()
    run_command(session, "break value %mean_of_squares")
    session.resume()
    run_command(session, "set %mean_of_squares = 2000200.0")
    run_command(session, "continue")
    # what %square_of_mean lacks is not seen beside so large a number
    assert session.summary("variance") == "1.00000006e+06"


def test_rounds_of_a_loop_have_shadows_of_their_own_wherever_the_session_goes() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    run_command(session, "break op multiply if %i == 20")
    session.resume()
    value, shadow = session.shadow("v")
    narrow, wide = np.float32(0.3), np.float64(np.float32(0.3))
    for _ in range(20):
        narrow, wide = narrow * (1 - narrow) * np.float32(4), wide * (1 - wide) * 4
    assert (value, shadow) == (narrow, wide)
    there = session.position
    session.goto(session.cursor.position - 30)
    assert session.shadow("v")[1] != wide
    session.goto(there)
    assert session.shadow("v")[1] == wide


def test_a_recording_keeps_a_breakpoint_on_lost_digits(tmp_path: Path) -> None:
    path = str(tmp_path / "r.shlorec")
    session = Session(VARIANCE, X)
    session.break_on_loss(3)
    recorder = record(session, path)
    session.resume()
    recorder.close()
    opened = open_recording(path)
    opened.restart()
    assert [point.kind for point in opened.breakpoints] == ["shadow"]
    assert opened.resume().reason == "breakpoint"
    assert opened.snapshot.last_step is not None
    assert opened.snapshot.last_step.op == "stablehlo.subtract"


def test_what_has_no_shadow_is_said() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    session.resume()
    session.back_in()
    with pytest.raises(DebuggerError, match="%count has no shadow here"):
        session.shadow("count")
    with pytest.raises(DebuggerError, match="expected 1 digit or more"):
        session.break_on_loss(0.5)
    grid = Session(VARIANCE, inputs=[[X]], partitions=2)
    with pytest.raises(DebuggerError, match="a grid of processes has no shadow"):
        grid.show_shadow()
