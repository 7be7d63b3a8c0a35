"""Edits of a run: the future that follows is that of a program in which the value was this one, and the one
before stays as it was.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportIndexIssue=false

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.interpreter import RunOptions, make_process
from shlo.interpreter.engine.frames import Frame
from tests.debugger.programs import EFFECTS, LOGARITHMS, LONG_LOOP, NESTED, ROUNDS_IN_GRID, read


def said(session: Session, *lines: str) -> list[str]:
    return [run_command(session, line).text for line in lines]


def bits(values: Any) -> list[bytes]:
    return [np.asarray(value).tobytes() for value in values]


def finish(session: Session) -> list[bytes]:
    session.goto(100_000)
    return bits(session.results)


def naive(text: str, arguments: list[Any], position: int, name: str, value: Any) -> list[bytes]:
    """Returns the results of a process that goes forwards alone, with a value put in its place on the way."""
    process = make_process(read(text), arguments, RunOptions(keep_values=True))
    for _ in range(position):
        process.step()
    frame, register = _bound(process.frames, name)
    frame.registers[register] = value
    return bits(process.run())


def _bound(frames: list[Frame], name: str) -> tuple[Frame, int]:
    for frame in reversed(frames):
        for register in frame.code.defined_at:
            if frame.code.values.names[register] == name and frame.code.defined_at[register] < frame.index:
                return frame, register
    raise AssertionError(name)


PROGRAMS: list[tuple[str, list[Any], str]] = [
    (NESTED, [np.int32(5)], "next"),
    (LONG_LOOP, [np.linspace(-1, 1, 4096, dtype=np.float32).reshape(64, 64)], "z"),
    (LOGARITHMS, [np.float32([1, 2, 3, 4])], "z"),
]


@pytest.mark.parametrize("memory", [1 << 30, 1 << 12, 0])
@pytest.mark.parametrize(("text", "arguments", "name"), PROGRAMS, ids=["nested", "loop", "logarithms"])
def test_a_future_is_the_run_of_a_program_in_which_the_value_was_that(
    text: str, arguments: list[Any], name: str, memory: int
) -> None:
    session, choose = Session(read(text), *arguments, memory=memory), random.Random(memory)
    before = finish(session)
    session.goto(session.position - 1)
    session.breakpoints.on_value(name)
    positions: list[int] = []
    session.restart()
    while session.resume().reason == "breakpoint":
        positions.append(session.position)
    for position in choose.sample(positions, 2):
        session.futures.switch("f1")
        session.goto(position)
        old = np.asarray(session.inspector.value(name))
        new = np.array(old, order="C")
        new[(0,) * new.ndim] = choose.randrange(3, 9)
        session.futures.set(name, new[(0,) * new.ndim], (0,) * new.ndim)
        assert bits([session.inspector.value(name)]) == bits([new])
        assert finish(session) == naive(text, arguments, position, name, new[()])
        after = bits(session.results)
        for place in (position - 1, position, position + 1, 0):
            session.goto(place)
            if place == position:
                assert bits([session.inspector.value(name)]) == bits([new])
        assert finish(session) == after
        session.futures.switch("f1")
        assert bits([session.inspector.value(name)]) == bits([old])
        assert finish(session) == before


def test_an_argument_that_is_set_at_the_start_is_another_argument() -> None:
    x = np.float32([[1, 2], [3, 4]])
    session = Session(read(LONG_LOOP.replace("64x64", "2x2")), x)
    other = x.copy()
    other[0, 1] = np.nan
    session.futures.set("x", np.nan, (0, 1))
    assert session.nonfinite.arguments("nan")[0].name == "x"
    assert finish(session) == bits(shlo.run(read(LONG_LOOP.replace("64x64", "2x2")), other))
    assert x[0, 1] == 2
    session.futures.switch("1")
    assert not session.nonfinite.arguments("nan")


def test_the_value_of_a_round_in_a_condition_goes_on_to_its_body() -> None:
    session = Session(read(NESTED), np.int32(5))
    session.goto(3)
    assert session.snapshot.frames[-1].region_name == "cond"
    said(session, "set %total = 50")
    session.goto(9)
    assert session.inspector.value("total") == 50


def test_skipped_operations_have_the_results_that_are_given() -> None:
    session = Session(read(NESTED), np.int32(5))
    session.goto(1)
    said(session, "skip = 7, 8")  # the loop as a whole
    assert session.inspector.value("sum#1") == 8
    assert finish(session) == bits([np.int32(17)])
    assert session.futures.diff("f1", "f2").results is None
    session.futures.switch("f1")
    assert session.position == 1
    assert finish(session) == bits([np.int32(17)])


def test_an_operation_is_replaced_each_time_from_there_on_or_once() -> None:
    text = NESTED.replace("%new = stablehlo.add %total, %next", "%new = stablehlo.multiply %total, %next")
    session = Session(read(NESTED), np.int32(5))
    session.goto(9)
    said(session, "replace %r = stablehlo.multiply %total, %next : tensor<i32> loc(#loc7)")
    assert finish(session) == bits(shlo.run(read(text), np.int32(5)))
    session.goto(20)
    session.goto(9)
    said(session, "undo")
    assert session.futures.current.name == "f1"
    said(session, "replace once stablehlo.multiply %total, %next : tensor<i32>")
    assert (session.position, int(session.inspector.value("new"))) == (10, 5)
    session.goto(19)
    assert session.inspector.value("new") == 7  # as written again in the next round


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("set %total = 3.5", "expected tensor<i32>, got value: 3.5 is no value of type i32"),
        ("set %nothing = 3", "%nothing is not in scope"),
        ("set %total", "expected set %NAME"),
        ("set %total = wide.npy", "expected tensor<i32>, got float64 of shape (3,) in wide.npy"),
        ("set %total = pickled.npy", "pickled.npy"),
        ("set %total = missing.npy", "missing.npy"),
        ("replace stablehlo.negate %total : tensor<f32>", "%total"),
        ("replace stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>", "expected an op"),
        ("replace func.return %total : tensor<i32>", "expected an operation"),
        ("replace stablehlo.add %total, %other : tensor<i32>", "other"),
        ("replace stablehlo.custom_call @f(%i) : (tensor<i32>) -> tensor<i32>", "without effects"),
        ("skip = 1, 2", "expected skip"),
        ("undo", "nothing was edited"),
        ("future f7", "there is no future 'f7'; there are f1"),
        ("diff f1", "expected two futures"),
    ],
)
def test_what_cannot_be_edited(line: str, message: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("wide.npy", np.zeros(3))
    np.save("pickled.npy", np.array([{}], dtype=object), allow_pickle=True)
    session = Session(read(NESTED), np.int32(5))
    session.goto(9)
    with pytest.raises(DebuggerError) as raised:
        run_command(session, line)
    assert message in str(raised.value)
    assert len(session.futures) == 1
    assert finish(session) == bits([np.int32(17)])


def test_a_file_and_a_part_of_another_value_are_values(tmp_path: Path) -> None:
    session = Session(read(LONG_LOOP), np.eye(64, dtype=np.float32))
    session.goto(20)
    np.save(tmp_path / "a.npy", np.full((64, 64), 2, np.float32))
    said(session, f"set %y = {tmp_path / 'a.npy'}", "set %y[1, :] = %x[5, :]", "set %y[2:4, ::32] = 9")
    y = session.inspector.value("y")
    assert (y[0] == 2).all()
    assert np.array_equal(y[1], np.eye(64)[5])
    assert (y[2:4, ::32] == 9).all()
    assert y[2, 1] == 2
    said(session, "set %y[0, :] = %y[1, :] * 0.5 + %i")
    assert np.array_equal(
        session.inspector.value("y")[0], y[1] * np.float32(0.5) + session.inspector.value("i")
    )
    assert len(session.futures) == 2


def test_futures_are_listed_undone_and_compared() -> None:
    session = Session(read(NESTED), np.int32(5))
    finish(session)
    session.goto(9)
    said(session, "set %total = 100", "goto 99")
    assert said(session, "futures") == [
        "  f1: done at [31]\n* f2 from f1 at [9], @main body #0: done at [31]\n    [9] set %total = 100"
    ]
    text = said(session, "diff f1")[0].splitlines()
    assert text[:3] == [
        "f1 and f2 are the same up to [9]",
        "7 of 12 values differ; the first is %new at [10]",
        "[10] %new stablehlo.add, line 10: differs by 95",
    ]
    assert text[-1] == "result 0: differs by 190"
    said(session, "future f1", "goto 7", "skip", "undo")
    assert [future.name for future in session.futures] == ["f1", "f2"]
    assert session.position == 7
    said(session, "future drop f2")
    assert len(session.futures) == 1


def test_futures_of_many_rounds_are_compared_by_round() -> None:
    x = np.full((2, 2), 0.5, np.float32)
    session = Session(read(LONG_LOOP.replace("64x64", "2x2")), x)
    finish(session)
    before = session.results
    session.goto(7)
    session.futures.set("i", 198)
    finish(session)
    diff = session.futures.diff("f1", "f2")
    assert diff.only[0] > 0
    assert diff.only[1] == 0
    (result,) = diff.results or ()
    assert (result.differing, result.size) == (4, 4)
    apart = np.abs(session.results[0] - before[0]).max()
    assert result.largest == pytest.approx(float(apart))
    assert result.ulps == int(np.abs(session.results[0].view(np.int32) - before[0].view(np.int32)).max())


def test_numbers_drawn_in_a_future_are_those_of_a_run_of_its_own() -> None:
    session = Session(read(EFFECTS), np.float32(1), seed=3, handlers={"count": lambda call: lambda x: x})
    before = finish(session)
    session.restart()
    session.futures.set("x", np.float32(2))
    after = finish(session)
    options = {"seed": 3, "handlers": {"count": lambda call: lambda x: x}}
    assert after == bits(shlo.run(read(EFFECTS), np.float32(2), **options))
    session.futures.switch("f1")
    session.restart()
    assert finish(session) == before


@pytest.mark.slow
def test_edits_are_in_recordings(tmp_path: Path) -> None:
    path = str(tmp_path / "a.shlorec")
    session = Session(read(NESTED), np.int32(5))
    finish(session)
    recorder = record(session, path)
    session.goto(9)
    said(session, "set %total = 100", "goto 16", "skip = 40")
    said(session, "g 18", "replace stablehlo.multiply %total, %total : tensor<i32>")
    results = finish(session)
    session.goto(12)
    recorder.close()
    opened = open_recording(path)
    assert opened.position == 12
    assert finish(opened) == results
    opened.goto(9)
    assert opened.inspector.value("total") == 100
    assert "set %total = 100" in said(opened, "futures")[0]


@pytest.mark.slow
def test_a_recording_holds_the_future_that_was_chosen_last(tmp_path: Path) -> None:
    path = str(tmp_path / "a.shlorec")
    session = Session(read(NESTED), np.int32(5))
    recorder = record(session, path)
    before = finish(session)
    session.goto(9)
    said(session, "set %total = 100")
    finish(session)
    session.futures.switch("f1")
    recorder.close()
    opened = open_recording(path)
    assert finish(opened) == before
    assert "set" not in said(opened, "futures")[0]


def grid(*arguments: Any) -> Session:
    return Session(read(ROUNDS_IN_GRID), list(arguments), replicas=2, partitions=2, seed=5)


def all_results(session: Session) -> list[bytes]:
    session.goto(100_000)
    assert session.cursor.is_over
    return [each for process in session.cursor.grid.results for each in bits(process)]


def test_an_edit_in_a_grid_is_of_one_process() -> None:
    x, other = np.float32([1, 2, 3]), np.float32([1, 5, 3])
    session = grid([x])
    before = all_results(session)
    session.restart()
    session.select_process(1)
    session.futures.set("x", 5, (1,))
    assert all_results(session) == all_results(grid([x], [other], [x], [x]))
    assert "set %x[1] = 5. in process (0, 1)" in said(session, "futures")[0]
    session.goto(60)
    session.futures.switch("f1")
    assert session.position == 0
    assert all_results(session) == before
    session.breakpoints.on_value("noise", process=0)
    session.goto(1364)
    session.reverse()
    assert session.cursor.selected == 0
    at = session.position
    session.futures.set("noise", [0.25, 0.5, 0.75])
    after = all_results(session)
    assert after != before
    session.goto(at)
    assert session.inspector.value("noise").tolist() == [0.25, 0.5, 0.75]
    session.select_process(1)
    session.restart()
    assert all_results(session) == after
    session.futures.switch("f1")
    assert all_results(session) == before


def test_a_collective_is_skipped_by_each_process_and_a_process_that_waits_is_not_edited() -> None:
    session = grid([np.float32([1, 2, 3])])
    session.run_to_sync()
    assert session.snapshot.frame is not None
    assert session.snapshot.frame.op == "stablehlo.all_reduce"
    for process in range(4):
        session.select_process(process)
        said(session, "skip = %own")
        assert np.array_equal(session.inspector.value("sum"), session.inspector.value("own"))
    assert len(session.futures) == 2
    all_results(session)
    session.futures.switch("f1")
    session.step_process(0)
    with pytest.raises(DebuggerError, match=r"process \(0, 0\) waits for others; goto \d+"):
        session.futures.skip()
