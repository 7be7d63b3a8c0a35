"""A Session of a grid: moves of one process and of all, both ways; what it tells of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.interpreter import Channels, GridError, run_grid

from .programs import NESTED, read
from .stops import checkpoints_every
from .walk_grid import walk_grid

SUM = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>"""

LOOP = f"""\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {{
    %end = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %square = stablehlo.multiply %v, %v : tensor<2xf32>
    %sum = "stablehlo.all_reduce"(%square) {SUM}
    stablehlo.return %j, %sum : tensor<i32>, tensor<2xf32>
  }}
  return %r#1 : tensor<2xf32>
}}
"""

CROSSED = f"""\
func.func @p0(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %sum = "stablehlo.all_reduce"(%x) {SUM}
  return %sum : tensor<2xf32>
}}
func.func @p1(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %part = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %all = "stablehlo.all_gather"(%part) {{all_gather_dim = 0 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<1xf32>) -> tensor<2xf32>
  return %all : tensor<2xf32>
}}
"""

INPUTS = [[np.array([1, 2], np.float32)], [np.array([1, 3], np.float32)]]


def grid_session(text: str, inputs=INPUTS, **options) -> Session:
    return Session(read(text), inputs, replicas=len(inputs), **options)


def own_steps(session: Session) -> list[int]:
    return [process.steps for process in session.grid.processes]


def test_a_step_is_one_of_the_selected_process_and_of_others_where_it_waits():
    session = grid_session(LOOP)
    session.breakpoints.on_op("all_reduce", process=0)
    session.resume()
    before = own_steps(session)
    after = session.step_in()
    assert after.last_step is not None
    assert after.last_step.bound == ("sum",)
    assert own_steps(session) == [before[0] + 1, before[0] + 1], "the other one had to come, too"
    assert session.grid.process.label == "(0, 0)"
    session.back_in()
    assert own_steps(session)[0] == before[0]


def test_going_over_an_operation_takes_the_loop_with_all_its_meetings():
    session = grid_session(LOOP)
    session.step_in()
    after = session.step_over()
    assert after.frame is not None
    assert after.frame.op == "func.return"
    assert [view.name for view in session.inspector.values()][-2:] == ["r#0", "r#1"]
    assert session.back_over().position == 1


def test_all_go_on_to_their_meeting_points_and_back():
    session = grid_session(LOOP)
    positions = [0]
    while session.run_to_sync().reason == "step":
        positions.append(session.position)
    met = positions[1:]
    assert len(met) == 4, "three meetings in the loop, and the end"
    for position in [*met[-2::-1], 0]:
        session.reverse_to_sync()
        assert session.position == position
    session.run_to_sync()
    operations = {process.operation for process in session.grid.processes}
    assert operations == {"stablehlo.all_reduce"}


def test_a_breakpoint_stops_whichever_process_comes_there_in_both_directions():
    forwards, backwards = [], []
    session = grid_session(LOOP)
    session.breakpoints.on_value("square")
    while (stop := session.resume()).reason == "breakpoint":
        forwards.append((stop.position, session.grid.selected))
    while (stop := session.reverse()).reason == "breakpoint":
        backwards.append((stop.position, session.grid.selected))
    assert forwards == backwards[::-1]
    assert [process for _, process in forwards] == [0, 1, 1, 0, 0, 1], "the last one to meet goes on"


def test_a_condition_is_one_on_the_process_that_comes():
    session = grid_session(LOOP)
    session.breakpoints.on_value("square", "max == 9")
    assert session.resume().reason == "breakpoint"
    assert session.grid.selected == 1
    assert session.resume().reason == "done"


def test_numbers_that_are_not_finite_are_found_in_the_process_that_makes_them():
    inputs = [[np.array([1, 2], np.float32)], [np.array([1, 3e19], np.float32)]]
    session = grid_session(LOOP, inputs)
    session.select_process(0)
    stop = session.nonfinite.run_to("infinity")
    assert (session.grid.selected, stop.last_step and stop.last_step.bound) == (1, ("square",))
    assert not session.breakpoints


def test_what_a_collective_makes_is_found_in_all_processes_that_get_it():
    inputs = [[np.array([1, 1.7e19], np.float32)]] * 2
    session = grid_session(LOOP, inputs)
    session.breakpoints.on_nonfinite("infinity", process=0)
    stop = session.resume()
    assert stop.last_step is not None
    assert (stop.last_step.op, stop.last_step.finding) == (
        "stablehlo.all_reduce",
        ("infinity",),
    )


def test_stepping_another_process_than_before_begins_another_future():
    session = grid_session(LOOP)
    last = session.resume().position
    session.goto(2)
    session.step_process(1)
    assert session.snapshot.last == 3 < last
    expected = run_grid(read(LOOP), INPUTS, replicas=2)
    session.resume()
    for number, results in enumerate(expected):
        session.select_process(number)
        np.testing.assert_array_equal(session.results[0], results[0])


def test_effects_are_not_repeated_in_another_future():
    text = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.custom_call @count(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = stablehlo.custom_call @count(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}
"""
    calls: list[float] = []

    def count(call):
        def evaluate(value):
            calls.append(float(value[1]))
            return value + len(calls)

        return evaluate

    session = grid_session(text, handlers={"count": count}, memory=0)
    session.resume()
    assert len(calls) == 4
    results = session.results[0]
    session.restart()
    session.step_process(1)
    session.step_process(0)
    session.resume()
    assert len(calls) == 4
    session.select_process(0)
    np.testing.assert_array_equal(session.results[0], results)


def test_a_deadlock_is_a_position_to_stand_at_and_to_go_back_from():
    module = read(CROSSED)
    with pytest.raises(GridError) as caught:
        run_grid(module, INPUTS, replicas=2, entry=["p0", "p1"])
    session = grid_session(CROSSED, entry=["p0", "p1"])
    stop = session.resume()
    assert (stop.status, stop.reason, stop.error) == ("failed", "failed", str(caught.value))
    grid = session.grid
    assert (grid.status, grid.graph.cycle, grid.selected) == ("failed", (0, 1), 1)
    assert [process.status for process in grid.processes] == ["waiting", "waiting"]
    session.back_in()
    assert session.snapshot.status == "ready"
    assert session.grid.graph.cycle == ()
    assert session.goto(stop.position) == session.snapshot
    assert session.grid.graph.cycle == (0, 1)


def test_what_a_process_fails_with_is_told_with_its_place():
    text = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.custom_call @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %n : tensor<2xf32>
}
"""
    session = grid_session(text)
    stop = session.resume()
    assert stop.error is not None
    assert "nobody" in stop.error
    assert [process.status for process in session.grid.processes] == ["failed", "ready"]
    session.restart()
    assert [process.status for process in session.grid.processes] == ["ready", "ready"]


def test_a_name_is_compared_in_all_processes():
    session = grid_session(LOOP)
    session.breakpoints.on_op("all_reduce", process=1)
    session.resume()
    comparison = session.inspector.compare("%square")
    first, second = comparison.groups
    assert (first.processes, second.processes) == ((0,), (1,))
    assert (second.differing, second.places, second.largest) == (1, ((1,),), 5.0)
    assert session.inspector.compare("x").is_same is False
    session.select_process(1)
    session.goto(0)
    session.step_process(1)
    partly = session.inspector.compare("zero")
    assert [value.absent for value in partly.values] == ["not in scope here", ""]
    with pytest.raises(DebuggerError, match="in any process"):
        session.inspector.compare("square")


def test_views_of_processes_that_took_no_step_are_the_same_objects():
    session = grid_session(LOOP)
    before = session.grid
    session.step_in()
    after = session.grid
    assert before.processes[0] is not after.processes[0]
    assert before.processes[1] is after.processes[1]


def test_one_process_has_no_grid():
    session = Session(read(NESTED), [np.int32(5)])
    assert session.grid is None
    for line in ("processes", "process 1", "sync", "waits", "compare %x", "break 2 process 1"):
        with pytest.raises(DebuggerError, match="one process"):
            run_command(session, line)


COUNTED = f"""\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %one = stablehlo.custom_call @count(%x) {{has_side_effect = true}} : (tensor<2xf32>) -> tensor<2xf32>
  %sum = "stablehlo.all_reduce"(%one) {SUM}
  %two = stablehlo.custom_call @count(%sum) {{has_side_effect = true}} : (tensor<2xf32>) -> tensor<2xf32>
  return %two : tensor<2xf32>
}}
"""


class Count:
    """A custom call that adds how often it was made."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, call):
        def evaluate(value):
            self.calls += 1
            return value + np.float32(self.calls)

        return evaluate


def test_a_recorded_grid_is_opened_where_it_was_with_its_schedule_and_effects(tmp_path):
    path, count = str(tmp_path / "grid.shlorec"), Count()
    session = grid_session(COUNTED, handlers={"count": count})
    session.step_process(1)  # before the recording, and in another order than the default one
    recorder = record(session, path)
    session.breakpoints.on_value("two", process=1)
    stop = session.resume()
    assert count.calls == 4
    recorder.close()
    assert recorder.error is None
    opened = open_recording(path, handlers={"count": count})
    assert (opened.snapshot.position, opened.grid) == (stop.position, session.grid)
    assert [*opened.breakpoints] == [*session.breakpoints]
    assert opened.reverse().reason == "beginning"
    opened.goto(stop.position + 9)
    session.goto(stop.position + 9)
    for number in range(2):
        opened.select_process(number)
        session.select_process(number)
        np.testing.assert_array_equal(opened.results[0], session.results[0])
    assert count.calls == 4


def test_effects_of_discarded_futures_are_in_a_recording(tmp_path):
    path, count = str(tmp_path / "grid.shlorec"), Count()
    session = grid_session(COUNTED, handlers={"count": count})
    recorder = record(session, path)
    session.resume()
    session.restart()
    session.step_process(1)
    recorder.close()
    opened = open_recording(path, handlers={"count": count})
    assert opened.snapshot.last == opened.position == 1
    opened.resume()
    assert count.calls == 4


def test_a_recorded_grid_has_its_queues_its_programs_and_its_failure(tmp_path):
    fed = """func.func @FED() -> tensor<f32> {
  %before = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%before) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %n = stablehlo.custom_call @fails(%a#0) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  return %n : tensor<f32>
}
"""
    path, tries = str(tmp_path / "grid.shlorec"), []

    def fails(call):
        def evaluate(value):
            tries.append(float(value))
            if value > 6:
                raise ValueError("no")
            return value

        return evaluate

    modules = [read(fed.replace("FED", name)) for name in ("one", "two")]
    queues = [Channels.fed([(np.float32(number),)]) for number in (5, 7)]
    options = {"handlers": {"fails": fails}, "entry": ["one", "two"], "partitions": 2}
    session = Session(modules, channels=queues, **options)
    recorder = record(session, path)
    failed = session.resume()
    recorder.close()
    assert failed.status == "failed"
    opened = open_recording(path, handlers={"fails": fails})
    assert (opened.snapshot.status, opened.snapshot.error) == ("failed", failed.error)
    assert (opened.grid, opened.run.entry) == (session.grid, session.run.entry)
    opened.restart()
    assert opened.resume().error == failed.error
    assert tries == [5, 7]


SHARDED = """\
sdy.mesh @mesh = <["data"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}]>] out_shardings=[<@mesh, [{"data"}]>] manual_axes={"data"} (%part: tensor<2xf32>) {
    %twice = stablehlo.add %part, %part : tensor<2xf32>
    %sine = stablehlo.sine %twice : tensor<2xf32>
    sdy.return %sine : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


def test_breakpoints_in_a_manual_computation_stop_each_process_of_a_grid():
    session = Session(read(SHARDED), [[np.arange(4, dtype=np.float32)]], partitions=2)
    assert session.breakpoints.on_line(5).where == 5
    session.breakpoints.on_value("twice")
    session.breakpoints.on_op("sine")
    stops = []
    while (snapshot := session.resume()).reason == "breakpoint":
        stops.append((session.cursor.selected, snapshot.frame.line, snapshot.breakpoints))
    assert sorted(stops) == [(0, 5, (1, 2, 3)), (1, 5, (1, 2, 3))]


def test_without_a_grid_a_line_in_a_manual_computation_is_that_of_the_operation():
    session = Session(read(SHARDED), [np.arange(4, dtype=np.float32)])
    assert session.breakpoints.on_line(5).where == 3
    with pytest.raises(DebuggerError, match="twice"):
        session.breakpoints.on_value("twice")


def test_a_reopened_grid_goes_on_where_the_selected_process_is_done_and_others_are_not(tmp_path):
    path = str(tmp_path / "grid.shlorec")
    session = grid_session(LOOP)
    recorder = record(session, path)
    last = session.resume().last
    session.restart()
    while session.grid.processes[0].status != "done":  # a schedule in which process 0 ends first
        session.step_process(next(n for n in (0, 1) if session.grid.processes[n].status == "ready"))
    recorder.close()
    assert session.grid.processes[1].status != "done"
    opened = open_recording(path)
    opened.restart()
    opened.select_process(0)
    resumed = opened.resume()
    assert (resumed.status, opened.grid.status) == ("done", "done")
    assert resumed.last == last


STARVED = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sine = stablehlo.sine %x : tensor<4xf32>
  %token = stablehlo.create_token : !stablehlo.token
  %got, %after = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %sent = "stablehlo.send"(%sine, %after) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %got : tensor<4xf32>
}
"""
"""Each process waits for a message that the other one would send afterwards."""


@pytest.mark.parametrize("spacing", [1, 256])
def test_a_reopened_grid_that_waits_for_messages_without_end_has_failed(tmp_path, spacing):
    path = str(tmp_path / "grid.shlorec")
    with checkpoints_every(spacing):
        session = Session(read(STARVED), [[np.ones(4, np.float32)]], partitions=2)
        failed = session.resume()
        record(session, path).close()
        opened = open_recording(path)
        opened.restart()
        for move in (opened.resume, lambda: opened.goto(failed.last), opened.resume):
            snapshot = move()
            assert (snapshot.status, snapshot.position, snapshot.error) == (
                "failed",
                failed.last,
                failed.error,
            )
            assert opened.grid == session.grid
        assert opened.back_in().status == "ready"


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_walk_shows_what_a_fresh_grid_shows(seed):
    walk_grid(stops=40, seed=seed, memory=(1 << 30, 1 << 12, 0)[seed % 3])
