"""Each place that a reader sees is the line of Python of the operation that it is about, or of the call."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from shlo.costs.analysis import cost
from shlo.debugger import Session
from shlo.debugger.commands.table import run_command
from shlo.language.document import Document
from shlo.language.source_lines import origin_around
from shlo.places.expressions import expression_at
from shlo.places.origins import Origin, SourceLine, is_library
from tests.debugger.programs import read

STRAIGHT = """\
func.func @main(%x: tensor<2xf32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<1xf32>) {
  %root = stablehlo.sqrt %x : tensor<2xf32> loc("root"("train.py":3:5))
  %sine = stablehlo.sine %root : tensor<2xf32> loc("train.py":4:5)
  %part = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<1xf32> loc("train.py":5:5)
  return %sine, %part : tensor<2xf32>, tensor<1xf32> loc("train.py":6:5)
}
"""

CALLED = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = func.call @half(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("first"("train.py":3:5))
  %two = func.call @half(%one) : (tensor<2xf32>) -> tensor<2xf32> loc("second"("train.py":4:5))
  %root = func.call @root(%two) : (tensor<2xf32>) -> tensor<2xf32> loc("third"("train.py":5:5))
  return %root : tensor<2xf32>
}
func.func private @half(%x: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %x, %x : tensor<2xf32> loc("add")
  return %sum : tensor<2xf32>
}
func.func private @root(%x: tensor<2xf32>) -> tensor<2xf32> {
  %root = stablehlo.sqrt %x : tensor<2xf32> loc("linalg"("/venv/lib/python3.12/site-packages/lib/linalg.py":7:1))
  return %root : tensor<2xf32>
}
"""


def said(session: Session, line: str) -> str:
    return run_command(session, line).text


def places(session: Session) -> list[Any]:
    """The line of MLIR and of Python that a stop is at."""
    frame = session.snapshot.frames[-1]
    assert frame.origin.line is not None
    return [frame.line, frame.origin.line.line]


@pytest.mark.parametrize(
    ("ask", "made", "place"),
    [
        ("nonfinite", "stablehlo.sqrt at train.py:3 root (MLIR line 2) made a NaN", [2, 3]),
        ("break nonfinite\nc", "train.py:3 root (MLIR line 2) made a NaN", [2, 3]),
        ("break finding\nc", "stablehlo.dynamic_slice at train.py:5 (MLIR line 4) made a finding", [4, 5]),
    ],
)
def test_a_stop_about_what_an_operation_did_is_at_that_operation(ask: str, made: str, place: list[int]):
    session = Session(read(STRAIGHT), np.float32([1, -1]), np.int32(9))
    answers = [said(session, line) for line in ask.split("\n")]
    assert made in answers[-1]
    assert places(session) == place
    assert f"train.py:{place[1]}" in said(session, "list python")
    assert said(session, "info frames").splitlines()[-1] in said(session, "where").splitlines()
    upcoming = session.snapshot.upcoming
    assert upcoming
    assert upcoming.line == place[0] + 1
    assert f"next: {upcoming.op}" in said(session, "info step")
    upcoming_at = session.position
    assert not session.step_in().is_behind
    assert session.goto(upcoming_at).frame == upcoming


def test_without_lines_of_its_own_an_operation_is_at_the_call_that_led_to_it():
    session = Session(read(CALLED), np.float32([1, -1]))
    lines: list[int] = []
    while session.snapshot.frame:
        if session.snapshot.frame.op in ("stablehlo.add", "stablehlo.sqrt"):
            lines.append(places(session)[1])
        session.step_in()
    assert lines == [3, 4, 5]
    assert "stablehlo.sqrt, train.py:5 third (MLIR line 12), step 8" in said(session, "blame")


def test_where_nothing_runs_the_call_counts_if_all_calls_are_on_one_line():
    document = Document(CALLED)
    known = [origin_around(document, CALLED.index(op)).line for op in ("stablehlo.add", "stablehlo.sqrt")]
    assert known == [None, SourceLine("train.py", 5, 5, "third")]
    costs = {op.operation.name: op.origin.line for op in cost(read(CALLED)).operations}
    assert costs["stablehlo.sqrt"] == known[1]


@pytest.mark.parametrize("path", ["/v/lib/python3.13/site-packages/jax/a.py", r"C:\v\Lib\site-packages\a.py"])
def test_lines_of_libraries_are_passed_over(path: str):
    assert is_library(path)
    inner, outer = SourceLine(path, 1, 1), SourceLine("/home/me/train.py", 2, 1)
    assert Origin(lines=(inner, outer)).line == outer
    assert Origin(lines=(inner,)).line == inner


@pytest.mark.oracle
def test_the_nan_of_a_gradient_of_a_norm_is_at_the_line_that_takes_the_norm():
    import jax
    import jax.numpy as jnp

    def loss(z: Any) -> Any:
        return jnp.sum(jnp.linalg.norm(z, axis=-1))  # the norm

    z = np.zeros((2, 3), np.float32)
    session = Session(read(jax.jit(jax.grad(loss)).lower(z).as_text(debug_info=True)), z)
    answer = said(session, "nonfinite nan")
    line = session.snapshot.frames[-1].origin.line
    assert line is not None
    with open(__file__, encoding="utf-8") as file:
        assert "# the norm" in file.read().splitlines()[line.line - 1]
    assert f"test_places.py:{line.line}" in answer
    assert f"test_places.py:{line.line}" in said(session, "blame")


PARTS = """\
sdy.mesh @mesh = <["stage"=2]>
func.func @main(%w: tensor<4xf32> loc("w")) -> tensor<4xf32> {
  %all = sdy.manual_computation(%w) in_shardings=[<@mesh, [{"stage"}]>] out_shardings=[<@mesh, [{"stage"}]>] manual_axes={"stage"} (%part: tensor<2xf32> loc("shard_map:"("shard_map"))) {
    %number = stablehlo.partition_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %is_first = stablehlo.compare EQ, %number, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %sum = "stablehlo.if"(%is_first) ({
      %own = func.call @sync(%part) : (tensor<2xf32>) -> tensor<2xf32> loc("sync"("train.py":9:5))
      stablehlo.return %own : tensor<2xf32>
    }, {
      stablehlo.return %part : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    %next = "stablehlo.collective_permute"(%sum) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32> loc("stage"("train.py":11:5))
    sdy.return %next : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %all : tensor<4xf32>
}
func.func private @sync(%x: tensor<2xf32>) -> tensor<2xf32> {
  %sum = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %both = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %both : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}
"""


def test_a_deadlock_names_the_lines_of_python_at_which_processes_wait():
    session = Session(read(PARTS), inputs=[[np.ones(4, np.float32)]], partitions=2)
    assert session.resume().status == "failed"
    waits = said(session, "waits")
    assert "stablehlo.all_reduce at train.py:9 sync (" in waits
    assert "stablehlo.collective_permute at train.py:11 stage (" in waits
    assert session.grid
    assert any("at train.py:9 sync (" in line for line in session.grid.graph.lines())
    said(session, "process 1")
    assert "%part (w) : tensor<2xf32>" in said(session, "values %part")
    assert "of stablehlo.if on line 7" in said(session, "compare %sum")


def test_an_expression_of_a_file_with_a_doubtful_escape_is_read_without_a_warning() -> None:
    lines = ["pattern = '\\d'", "y = f(x)"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expression = expression_at(lines, SourceLine("train.py", 2, 4, "", 2, 8))
    assert expression is not None
    assert expression.function == "f"
    assert expression_at([*lines, "#" * (1 << 20)], SourceLine("train.py", 2, 4, "", 2, 8)) is None
