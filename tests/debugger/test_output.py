"""What programs print: callbacks without results, once for each position, both ways, in recordings and grids."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from shlo.debugger import Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from tests.debugger.programs import read

PRINTS = """\
module @jit_f {
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
  func.func @main(%t: !stablehlo.token, %n: tensor<i32>) -> !stablehlo.token {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%token = %t, %i = %zero) : !stablehlo.token, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %p = stablehlo.custom_call @xla_ffi_python_cpu_callback(%token, %i) {has_side_effect = true, \
mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<i32>) -> !stablehlo.token \
loc("/home/me/train.py":7:3)
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %p, %next : !stablehlo.token, tensor<i32>
    }
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%r#1) {has_side_effect = true, \
sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<i32>) -> ()
    return %r#0 : !stablehlo.token
  }
}
"""


def texts(session: Session) -> list[str]:
    return [entry.text for entry in session.output]


def test_each_print_is_noted_once_in_order_with_its_place() -> None:
    heard: list[str] = []
    session = Session(read(PRINTS), None, np.int32(3), output=lambda output: heard.append(str(output)))
    said = run_command(session, "continue").text.splitlines()
    assert [line.partition(" ")[2] for line in said[:-1]] == [
        "line 11, train.py:7, callback 0: 0",
        "line 11, train.py:7, callback 0: 1",
        "line 11, train.py:7, callback 0: 2",
        "line 15, callback: 3",
    ]
    assert texts(session) == heard == [line.rpartition(", ")[2] for line in said[:-1]]
    positions = [entry.position for entry in session.output]
    run_command(session, "restart")
    assert run_command(session, "info output").text == "nothing was printed"
    assert run_command(session, f"goto {positions[1]}").text.startswith(f"[{positions[1]}]")
    assert run_command(session, "info output").text == "\n".join(said[:2])
    for _ in range(2):
        run_command(session, "reverse-step")
        run_command(session, "continue")
    assert texts(session) == heard
    assert len(heard) == 4


def test_a_recording_shows_what_was_printed(tmp_path: Path) -> None:
    path = str(tmp_path / "a.shlorec")
    session = Session(read(PRINTS), None, np.int32(3))
    recorder = record(session, path)
    session.resume()
    recorder.close()
    heard: list[str] = []
    opened = open_recording(path)
    assert texts(opened) == texts(session)
    assert len(texts(opened)) == 4
    assert not heard


def test_another_future_of_a_grid_does_not_repeat_what_was_printed() -> None:
    heard: list[str] = []
    inputs = [[None, np.int32(1)]]
    session = Session(read(PRINTS), inputs, partitions=2, output=lambda output: heard.append(str(output)))
    session.resume()
    expected = [f"(0, {process}) {text}" for process in range(2) for text in ("callback 0: 0", "callback: 1")]
    assert sorted(heard) == expected
    session.restart()
    session.step_process(1)  # not the process that went first: another future begins
    assert not texts(session)
    while session.snapshot.status != "done":
        session.step_process(1)
    shown = run_command(session, "info output").text.splitlines()
    assert ["(0, 1), line" in line for line in shown] == [True, True]
    assert sorted(heard) == expected
