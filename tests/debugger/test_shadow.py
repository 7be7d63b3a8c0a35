"""The debugger beside a shadow in float64: values, breakpoints on lost digits, both directions, other futures."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.recording import recorder
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.head_frames import BreakpointRecord
from shlo.debugger.recording.recorder import record
from shlo.interpreter import RunOptions
from shlo.shadow.run import ShadowRun
from shlo.shadow.values import ShadowValues

VARIANCE = shlo.load("examples/variance.mlir")
X = np.array([1000.1, 1000.4, 999.7, 1000.2], np.float32)

LOGISTIC_TEXT = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
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
"""
LOGISTIC = shlo.parse(LOGISTIC_TEXT)


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
    session.breakpoints.on_loss(1)
    forwards = stops(session, "continue")
    run = ShadowRun()
    run.execute(LOGISTIC, [np.float32(0.3)], RunOptions())
    (found,) = run.losses
    assert len(forwards) == found.executions
    worst = [at for at in forwards if session.goto(at) and session.stepping.last_loss == found.worst]
    assert len(worst) == 1
    session.goto(session.cursor.last)
    backwards: list[int] = []
    while session.reverse().reason == "breakpoint":
        backwards.append(session.position)
    assert backwards == forwards[::-1]


def test_log_points_on_lost_digits_tell_where_and_what_values_were_there() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    session.breakpoints.on_loss(1)
    found: list[tuple[int, str]] = []
    while session.resume().reason == "breakpoint":
        found.append((session.position, f"{session.inspector.summary('i')} {session.inspector.summary('w')}"))
    logging = Session(LOGISTIC, np.float32(0.3))
    run_command(logging, 'break shadow 1 log "{%i} {%w}"')
    assert logging.resume().reason == "done"
    assert [(each.position, each.text) for each in logging.breakpoints.messages.since(0)] == found


def test_states_on_the_way_and_their_shadows_take_no_more_memory_than_there_is_for_them() -> None:
    with_integers = LOGISTIC_TEXT.replace("return %j, %q", "return %j, %q, %u")
    tensor = "tensor<262144xi32>"
    for old, new in (
        ("(%x: tensor<f32>", f"(%x: tensor<f32>, %s: {tensor}"),
        ("%r:2 = ", "%r:3 = "),
        ("%v = %x)", "%v = %x, %t = %s)"),
        ("%j = ", f"%u = stablehlo.add %t, %t : {tensor}\n%j = "),
        ("tensor<i32>, tensor<f32> cond", f"tensor<i32>, tensor<f32>, {tensor} cond"),
        ("%j, %q, %u : tensor<i32>, tensor<f32>", f"%j, %q, %u : tensor<i32>, tensor<f32>, {tensor}"),
    ):
        assert old in with_integers
        with_integers = with_integers.replace(old, new)
    session = Session(shlo.parse(with_integers), [np.float32(0.3), np.ones(262144, np.int32)], memory=4 << 20)
    session.resume()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        assert len(session.shadow.losses) == 1
        assert tracemalloc.get_traced_memory()[0] - before < 8 << 20
    finally:
        tracemalloc.stop()


def test_shadows_are_dropped_as_the_values_are_where_steps_are_followed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shlo.shadow.values.FEW", 16)
    session = Session(LOGISTIC, np.float32(0.3), memory=4)
    session.resume()
    assert len(session.shadow.losses) == 1
    largest, put = 0, ShadowValues.put

    def counting(self: ShadowValues, value: object, shadow: object) -> None:
        nonlocal largest
        put(self, value, shadow)
        largest = max(largest, len(self))

    monkeypatch.setattr(ShadowValues, "put", counting)
    session.goto(session.position - 20)
    session.shadow.pair("v")
    assert 0 < largest <= 18


def test_values_say_what_they_lack_where_shadows_are_shown() -> None:
    session = Session(VARIANCE, X)
    session.shadow.show()
    session.resume()
    session.back_in()
    assert session.inspector.summary("variance") == "0.125 (7.2 of 7.2 digits lost, in f64 0.0650018314)"
    assert session.inspector.summary("mean") == "1000.1"
    value, shadow = session.shadow.pair("variance")
    assert value == np.float32(0.125)
    assert shadow == pytest.approx(X.astype(np.float64).var())
    assert "in f64 0.065" in run_command(session, "shadow %variance").text
    assert run_command(session, "print %variance").text.splitlines()[1].startswith("in f64 0.065")
    assert run_command(session, "print %mean").text == "1000.1"
    assert (
        "stablehlo.subtract loses 7.2 of 7.2 digits, catastrophic cancellation, at"
        in run_command(session, "shadow").text
    )
    run_command(session, "shadow off")
    assert session.inspector.summary("variance") == "0.125"


def test_a_value_that_is_set_is_exact_and_what_follows_is_compared_with_that() -> None:
    session = Session(VARIANCE, X)
    session.shadow.show()
    run_command(session, "break value %variance")
    session.resume()
    assert "digits lost" in (session.inspector.summary("variance") or "")
    session.restart()
    run_command(session, "break value %mean_of_squares")
    session.resume()
    run_command(session, "set %mean_of_squares = 2000200.0")
    run_command(session, "continue")
    # what %square_of_mean lacks is not seen beside so large a number
    assert session.inspector.summary("variance") == "1.00000006e+06"


def test_rounds_of_a_loop_have_shadows_of_their_own_wherever_the_session_goes() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    run_command(session, "break op multiply if %i == 20")
    session.resume()
    value, shadow = session.shadow.pair("v")
    narrow, wide = np.float32(0.3), np.float64(np.float32(0.3))
    for _ in range(20):
        narrow, wide = narrow * (1 - narrow) * np.float32(4), wide * (1 - wide) * 4
    assert (value, shadow) == (narrow, wide)
    there = session.position
    session.goto(session.cursor.position - 30)
    assert session.shadow.pair("v")[1] != wide
    session.goto(there)
    assert session.shadow.pair("v")[1] == wide


def test_a_recording_keeps_a_breakpoint_on_lost_digits(tmp_path: Path) -> None:
    path = str(tmp_path / "r.shlorec")
    session = Session(VARIANCE, X)
    session.breakpoints.on_loss(3)
    recording = record(session, path)
    session.resume()
    recording.close()
    opened = open_recording(path)
    opened.restart()
    assert [point.kind for point in opened.breakpoints] == ["shadow"]
    assert opened.resume().reason == "breakpoint"
    assert opened.snapshot.last_step is not None
    assert opened.snapshot.last_step.op == "stablehlo.subtract"


def test_a_recording_keeps_conditions_on_numbers_and_leaves_digits_out_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "r.shlorec")
    session = Session(VARIANCE, X)
    plain = recorder._breakpoint_record
    session.breakpoints.on_nonfinite("nan", None, "%sum > 1")
    session.breakpoints.on_loss(3, "%variance > 1")
    record(session, path).close()
    assert list(map(plain, open_recording(path).breakpoints)) == list(map(plain, session.breakpoints))
    for number, text in enumerate(("abc", "", "inf", "1e999", "nan", "0")):
        hostile = str(tmp_path / f"{number}.shlorec")

        def damaged(point: Breakpoint, text: str = text) -> BreakpointRecord:
            whole = plain(point)
            return replace(whole, where=text) if point.kind == "shadow" else whole

        monkeypatch.setattr(recorder, "_breakpoint_record", damaged)
        record(session, hostile).close()
        assert [point.kind for point in open_recording(hostile).breakpoints] == ["nonfinite"]


def test_what_has_no_shadow_is_said() -> None:
    session = Session(LOGISTIC, np.float32(0.3))
    session.resume()
    session.back_in()
    with pytest.raises(DebuggerError, match="%count has no shadow here"):
        session.shadow.pair("count")
    with pytest.raises(DebuggerError, match="expected 1 digit or more"):
        session.breakpoints.on_loss(0.5)
    with pytest.raises(DebuggerError, match="expected process 0 for a shadow, got 3"):
        run_command(session, "break shadow 3 process 3")
    grid = Session(VARIANCE, inputs=[[X]], partitions=2)
    with pytest.raises(DebuggerError, match="a grid of processes has no shadow"):
        grid.shadow.show()
