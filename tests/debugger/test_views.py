"""What panes show, decided once: the same data for terminal, notebook and web views."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec import to_builtins

import shlo
from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.futures.marks import Marks
from shlo.debugger.session import session_for
from shlo.debugger.views.blame import blame_tree
from shlo.debugger.views.grid import grid_page, wait_marks
from shlo.debugger.views.python import python_notes, python_view
from shlo.debugger.views.source import source_view
from shlo.debugger.views.timeline import timeline_of
from shlo.debugger.views.values import RESULT, label_of, listed_values, summaries_of, value_of

ROOT = Path(__file__).parents[2]

PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.multiply %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""


def opened() -> Session:
    return session_for(shlo.parse(PROGRAM), [np.array([1.0, 2.0], np.float32)])


def test_the_source_has_the_current_line_and_the_breakpoint_of_each_line() -> None:
    session = opened()
    session.breakpoints.on_line(3)
    view = source_view(session)
    assert (view.current, view.open_lines, list(view.breakpoints)) == (2, (2,), [3])
    session.resume()
    session.resume()
    done = source_view(session)
    assert (done.current, done.open_lines) == (4, ())


def test_the_python_has_the_current_line_and_the_values_of_names_that_lines_assign() -> None:
    session = session_for(shlo.parse((ROOT / "examples/diverging.mlir").read_text(encoding="utf-8")), [])
    session.structure.python.add_folder(str(ROOT))
    run_command(session, "break lower_diverging.py:43")
    run_command(session, "until lower_diverging.py:44")
    view = python_view(session)
    assert view is not None
    assert (view.lines[view.current - 1].strip(), list(view.stops)) == ("weights = jnp.exp(scores)", [43])
    assert [(line, values[0].name) for line, values in view.values.items()] == [(42, "scores")]
    run_command(session, "until lower_diverging.py:44")
    session.step_over()
    view = python_view(session)
    assert view is not None
    notes = python_notes(session, view, range(1, 100))
    assert [note.partition(" = ")[0] for note in notes.values()] == ["scores", "weights"]
    session.breakpoints.remove(1)
    session.resume()
    view = python_view(session)
    assert view is not None
    assert view.lines[view.current - 1].startswith("    return")
    assert not view.values


COUNTED = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<20> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.add %y, %y : tensor<f32>
    stablehlo.return %j, %z : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""


def test_blame_has_the_root_on_top_and_rounds_that_repeat_in_one_row() -> None:
    session = session_for(shlo.parse(COUNTED), [np.array(np.nan, np.float32)])
    with pytest.raises(DebuggerError, match="no number that is not finite is here"):
        blame_tree(session)
    session.resume()
    tree = blame_tree(session)
    assert tree.title == "argument %x holds 1 NaN from the start"
    assert "argument" in tree.rows[0].text
    (fold,) = (row for row in tree.rows if row.folded)
    assert "more rounds" in fold.text
    places = [row.link.element.position for row in (*tree.rows[:1], *fold.folded) if row.link]
    assert places == sorted(places)
    assert tree.rows[-1].link is not None
    assert tree.rows[-1].link.element.position > max(places)


def test_values_are_those_in_scope_and_at_the_end_the_results() -> None:
    session = opened()
    session.step_over()
    assert [view.name for view in listed_values(session)] == ["x", "0"]
    assert summaries_of(session, ["0"]).keys() == {"0"}
    session.resume()
    (result,) = listed_values(session)
    assert (result.name, label_of(result.name), label_of("0")) == (f"{RESULT}0", f"{RESULT}0", "%0")
    assert value_of(session, result.name).tolist() == [2.0, 8.0]


def test_a_timeline_says_nothing_of_searches_that_are_not_noted() -> None:
    session, stops = opened(), Marks()
    stops.add(session.futures, 0)
    session.resume()
    timeline = to_builtins(timeline_of(session, 100, stops))
    assert (timeline["stops"], timeline["isDone"], timeline["last"]) == ([0], True, session.position)
    assert "nonfinite" not in timeline
    assert to_builtins(timeline_of(session, 100, stops, Marks()))["nonfinite"] == []


def test_a_page_of_a_grid_has_the_processes_in_the_order_of_the_mesh() -> None:
    module = shlo.parse(PROGRAM)
    session = Session([module] * 4, inputs=[[np.ones(2, np.float32)]] * 4, replicas=2, partitions=2)
    assert session.grid is not None
    page = to_builtins(grid_page(session.grid, 1, 2))
    assert [cell["process"] for cell in page["cells"]] == [1, 2]
    assert page["cells"][0]["operation"] == "add"
    assert (page["total"], page["counts"], page["lines"]) == (4, {"ready": 4}, [])
    assert wait_marks(session.grid.graph, 0).awaited == frozenset()
    assert grid_page(None).total == 1
