"""Processes of a grid are called by the axes of the program's mesh, in every text and at the prompt."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.breakpoints import read_process
from shlo.debugger.commands.completion import complete_command
from shlo.debugger.commands.table import run_command
from shlo.interpreter.program.code import program_of
from shlo.interpreter.spmd.wait_for_graph import names_of
from shlo.interpreter.topology.mesh import grid_shape
from tests.debugger.programs import read

ON_MESH = """\
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func @main(%x: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}, {"model"}]>] \
out_shardings=[<@mesh, [{}, {"model"}]>] manual_axes={"data", "model"} (%p: tensor<4x2xf32>) {
      %log = stablehlo.log %p : tensor<4x2xf32>
      %sum = "stablehlo.all_reduce"(%log) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : \
tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
      sdy.return %sum : tensor<4x2xf32>
    } : (tensor<8x8xf32>) -> tensor<4x8xf32>
    return %r : tensor<4x8xf32>
  }
}
"""


def on_mesh() -> Session:
    values = np.ones((8, 8), np.float32)
    values[5, 3] = -1  # of data=1, model=1
    return Session(read(ON_MESH), [[values]], partitions=8)


def said(session: Session, *lines: str) -> str:
    return "\n".join(run_command(session, line).text for line in lines)


def test_texts_name_processes_by_axes() -> None:
    session = on_mesh()
    assert "[0], process (data=0, model=0), @main" in said(session, "goto 0")
    assert "     6 (data=1, model=2) ready" in said(session, "processes")
    assert said(session, "nonfinite").startswith("[19], process (data=1, model=1), @main body #0")
    assert said(session, "process 2", "next").count("process (data=0, model=2)") == 2
    assert "(data=0, model=3) --> (data=1, model=3)" in said(session, "waits")
    assert "%log : tensor<4x2xf32> has 2 different values" in said(session, "process 5", "compare %log")


@pytest.mark.parametrize("text", ["data=1,model=1", "(data=1, model=1)", "model=1, data=1", "5", "0,5"])
def test_a_process_is_chosen_by_axes(text: str) -> None:
    assert read_process(on_mesh(), text) == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data=1", "4 processes are at data=1; the axes are data .0 to 1., model .0 to 3."),
        ("data=1,model=4", "there is no process at data=1,model=4"),
        ("row=1", "there is no process at row=1"),
    ],
)
def test_axes_that_name_no_process_are_refused(text: str, message: str) -> None:
    with pytest.raises(DebuggerError, match=message):
        read_process(on_mesh(), text)


def test_breakpoints_and_completion_take_axes() -> None:
    session = on_mesh()
    assert "in process 7" in said(session, "break op log process data=1,model=3")
    assert "process (data=1, model=3)" in said(session, "continue")
    assert complete_command(session, "process data=1").words == tuple(
        f"data=1,model={number}" for number in range(4)
    )


def test_the_message_of_a_run_names_axes() -> None:
    text = ON_MESH.replace("stablehlo.log %p", "stablehlo.custom_call @none(%p)").replace(
        "%p) : tensor<4x2xf32>", "%p) : (tensor<4x2xf32>) -> tensor<4x2xf32>"
    )
    with pytest.raises(shlo.ExecutionError) as caught:
        shlo.run_grid(shlo.parse(text), [[np.ones((8, 8), np.float32)]], partitions=8)
    assert caught.value.__notes__ == ["in process (data=0, model=0) of the grid"]


@pytest.mark.parametrize(
    ("mesh", "shape", "labels"),
    [
        ('<["x"=4]>', (1, 4), "(x=0) (x=1) (x=2) (x=3)"),
        ('<["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>', (1, 4), "(x=0, y=0) (x=1, y=0) (x=0, y=1) (x=1, y=1)"),
        ('<["x"=2]>', (2, 2), "(replica=0, x=0) (replica=0, x=1) (replica=1, x=0) (replica=1, x=1)"),
        ('<["x"=4]>', (2, 2), "(x=0) (x=1) (x=2) (x=3)"),
        ('<["x"=3]>', (2, 2), "(0, 0) (0, 1) (1, 0) (1, 1)"),
        ("<[], device_ids=[0]>", (1, 2), "(0, 0) (0, 1)"),
        ('<["a\\1B[2Jvery long name of an axis"=2]>', (1, 2), r"(a\x1b[2Jvery lo…=0) (a\x1b[2Jvery lo…=1)"),
    ],
)
def test_the_mesh_of_as_many_devices_names_processes(mesh: str, shape: tuple[int, int], labels: str) -> None:
    module = shlo.parse(f"sdy.mesh @m = {mesh}\nfunc.func @main() {{ return }}")
    found = grid_shape(*shape, program_of(module).symbols)
    assert " ".join(found.label(number) for number in range(found.size)) == labels
    assert found == shape


def test_a_part_of_a_mesh_is_named_by_ranges() -> None:
    shape = on_mesh().cursor.grid.shape
    assert names_of(shape, range(8)) == "(data=0..1, model=0..3)"
    assert names_of(shape, [5, 6, 7]) == "(data=1, model=1..3)"
    assert names_of(shape, [0, 5, 6]) == "(data=0, model=0), (data=1, model=1), (data=1, model=2)"
    assert names_of(shape, [4, 5]) == "(data=1, model=0), (data=1, model=1)"
