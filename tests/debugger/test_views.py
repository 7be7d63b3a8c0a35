"""What panes show, decided once: the same data for terminal, notebook and web views."""

from __future__ import annotations

import numpy as np
from msgspec import to_builtins

import shlo
from shlo.debugger import Session
from shlo.debugger.futures.marks import Marks
from shlo.debugger.session import session_for
from shlo.debugger.views.grid import grid_page, wait_marks
from shlo.debugger.views.source import source_view
from shlo.debugger.views.timeline import timeline_of
from shlo.debugger.views.values import RESULT, label_of, listed_values, summaries_of, value_of

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
