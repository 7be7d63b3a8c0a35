"""Requests of shlo's own: timeline, grid, graph and tensors for views beside an editor."""

from __future__ import annotations

import base64
from typing import Any, get_type_hints

import numpy as np
import pytest

from shlo.debugger.adapter import kept, tensor_views, views
from shlo.debugger.adapter.views import VIEWS
from tests.dap.client import Client, Failure
from tests.dap.conftest import Write
from tests.dap.programs import CALLS, EXAMPLES, MATRIX, SQUARES, line_of

DEADLOCK = EXAMPLES / "deadlock.mlir"


def numbers(plane: dict[str, Any]) -> list[float]:
    """Returns the numbers of a plane's cells."""
    return np.frombuffer(base64.b64decode(plane["numbers"]), plane["format"]).tolist()


def test_the_timeline_marks_rounds_breakpoints_and_stops(client: Client) -> None:
    line = line_of(SQUARES, "%square =")
    client.launch(SQUARES, "5", lines=[{"line": line, "condition": "%i == 2"}])
    client.move("continue")
    stop = client.request("shlo/timeline", columns=1000)
    assert stop["stops"] == [0, stop["position"]]
    assert stop["round"] == 2
    assert len(stop["rounds"]) == 3
    assert len(stop["depths"]) == stop["last"] + 1
    assert stop["position"] in stop["breakpoints"]
    client.move("continue")
    few = client.request("shlo/timeline", columns=10)
    assert (len(few["depths"]), few["isDone"]) == (10, True)


def test_the_timeline_has_no_stops_of_a_future_that_an_edit_replaced(client: Client) -> None:
    client.launch(SQUARES, "5")
    client.move("next")
    client.move("next")
    replaced = client.request("shlo/timeline", columns=1000)["position"]
    client.move("stepBack")
    client.request("setVariable", **_first_variable(client), value="3")
    client.move("continue")
    timeline = client.request("shlo/timeline", columns=1000)
    assert replaced < timeline["last"]
    assert replaced not in timeline["stops"]
    assert 0 in timeline["stops"]


def _first_variable(client: Client) -> dict[str, Any]:
    """Returns where the first argument of the selected frame is, as a request names it."""
    frame = client.request("stackTrace", threadId=1)["stackFrames"][0]["id"]
    scope = client.request("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    (first, *_) = client.request("variables", variablesReference=scope)["variables"]
    return {"variablesReference": scope, "name": first["name"]}


def test_a_position_of_the_timeline_is_gone_to(client: Client) -> None:
    client.launch(SQUARES, "5")
    client.move("continue")
    last = client.request("shlo/timeline", columns=10)["last"]
    client.request("shlo/goTo", position=3)
    assert client.event("stopped")["reason"] == "goto"
    assert client.request("shlo/timeline", columns=10)["position"] == 3
    client.request("shlo/goTo", position=10**9)
    client.event("stopped")
    assert client.request("shlo/timeline", columns=10)["position"] == last
    for name, wrong in [
        ("goTo", {"position": -1}),
        ("timeline", {"columns": 0}),
        ("timeline", {"columns": 10**9}),
    ]:
        with pytest.raises(Failure, match="expected"):
            client.request(f"shlo/{name}", **wrong)


def test_a_grid_says_who_waits_and_who_is_to_blame(client: Client) -> None:
    client.launch(DEADLOCK, "1.0", grid="2x1", entry="replica_{replica}")
    before = client.request("shlo/grid")
    assert [cell["status"] for cell in before["cells"]] == ["ready", "ready"]
    assert before["lines"] == []
    client.move("continue")
    grid = client.request("shlo/grid")
    assert grid["axes"] == [{"name": "replica", "size": 2}, {"name": "partition", "size": 1}]
    assert [cell["waitsFor"] for cell in grid["cells"]] == [[1], [0]]
    assert all(cell["isInCycle"] for cell in grid["cells"])
    assert {cell["operation"] for cell in grid["cells"]} == {"all_reduce", "all_gather"}
    assert "deadlock" in grid["lines"][0]
    assert client.request("shlo/grid", start=1)["cells"] == grid["cells"][1:]
    assert client.request("shlo/grid", count=0)["cells"] == []


def test_one_process_has_no_grid(client: Client) -> None:
    client.launch(SQUARES, "5")
    assert client.request("shlo/grid")["cells"] == []


def test_a_selected_process_is_shown_by_the_client(client: Client) -> None:
    client.launch(DEADLOCK, "1.0", grid="2x1", entry="replica_{replica}")
    client.request("shlo/selectThread", threadId=2)
    stopped = client.event("stopped")
    assert (stopped["threadId"], stopped["allThreadsStopped"]) == (2, True)
    assert client.request("shlo/grid")["selected"] == 1
    with pytest.raises(Failure, match="no process 6"):
        client.request("shlo/selectThread", threadId=7)


def test_a_tensor_is_shown_in_planes_of_a_size_that_is_asked_for(client: Client, program: Write) -> None:
    client.launch(program(MATRIX))
    assert client.request("shlo/tensors", expressions=[])["newest"] == ""
    client.move("next")
    listed = client.request("shlo/tensors", expressions=["%0", "%0[1]", "%nowhere", "1 +"])
    assert listed["newest"] == "%0"
    assert [each["shape"] for each in listed["tensors"]] == [[3, 2000], [2000], None, None]
    assert [bool(each["note"]) for each in listed["tensors"]] == [False, False, True, True]
    plane = client.request("shlo/tensor", tensor="%0", window=[1, 10, 2, 3])
    assert numbers(plane) == [10, 11, 12] * 2
    assert client.request("shlo/tensor", tensor="%0", height=2, width=50)["cells"] == [2, 50]
    for wrong in [{"at": ["x", 0]}, {"window": [1]}, {"rows": 0, "columns": "y"}]:
        with pytest.raises(Failure, match="expected"):
            client.request("shlo/tensor", tensor="%0", **wrong)


def test_a_tensor_is_that_of_its_frame(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    client.move("stepIn")
    inner, outer = (frame["id"] for frame in client.frames()[:2])
    shown = [numbers(client.request("shlo/tensor", tensor="%x", frameId=each))[0] for each in (inner, outer)]
    assert shown == pytest.approx([2**0.5, 1])


def test_a_kept_tensor_stays_and_is_compared(client: Client) -> None:
    client.launch(SQUARES, "5", lines=[{"line": line_of(SQUARES, "%square =")}])
    client.move("continue")
    name = client.request("shlo/keep", tensor="%sum")["tensor"]
    for _ in range(3):
        client.move("continue")
    assert numbers(client.request("shlo/tensor", tensor=name)) == [0]
    assert numbers(client.request("shlo/tensor", tensor="%sum")) == [5]
    difference = client.request("shlo/tensor", tensor="%sum", other=name)
    assert numbers(difference) == [5]
    assert "1 element of 1 differ, by 5 at most" in difference["statistics"]["line"]
    (listed,) = client.request("shlo/tensors", expressions=[])["kept"]
    assert (listed["expression"], listed["tensor"]) == ("%sum", name)
    client.request("shlo/forget", tensor=name)
    with pytest.raises(Failure, match="kept"):
        client.request("shlo/tensor", tensor=name)


def test_another_future_has_other_tensors(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    assert numbers(client.request("shlo/tensor", tensor="%x"))[0] == 1
    client.request("setExpression", expression="%x[0]", value="9")
    assert numbers(client.request("shlo/tensor", tensor="%x"))[0] == 9


def test_results_are_tensors_at_the_end(client: Client, program: Write) -> None:
    client.launch(program(MATRIX))
    client.move("continue")
    listed = client.request("shlo/tensors", expressions=["%0"])
    assert [each["shape"] for each in listed["tensors"]] == [[3, 2000], None]
    assert client.request("shlo/tensor", tensor=listed["newest"])["shape"] == [3, 2000]


def test_tensors_have_limits(client: Client, program: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_views, "MAX_BYTES", 8_000)
    monkeypatch.setattr(kept, "MAX_KEPT", 2)
    client.launch(program(MATRIX))
    client.move("next")
    with pytest.raises(Failure, match="at most"):
        client.request("shlo/tensor", tensor="%0")
    for _ in range(2):
        client.request("shlo/keep", tensor="%0[0]")
    with pytest.raises(Failure, match="at most 2"):
        client.request("shlo/keep", tensor="%0[0]")
    with pytest.raises(Failure, match="at most"):
        client.request("shlo/tensors", expressions=["%0"] * 33)


def test_the_graph_comes_once_and_its_place_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.launch(SQUARES, "5")
    first = client.request("shlo/graph", frameId=client.frames()[0]["id"])
    assert first["line"] == line_of(SQUARES, "%zero =")
    assert first["source"]["path"] == str(SQUARES)
    assert first["line"] in first["data"]["line"]
    client.move("next")
    again = client.request("shlo/graph", frameId=client.frames()[0]["id"], known=first["program"])
    assert (again["line"], again["data"]) == (first["line"] + 1, None)
    monkeypatch.setattr(views, "MAX_OPS", 3)
    with pytest.raises(Failure, match="at most 3 operations"):
        client.request("shlo/graph")


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_refuses_wrong_and_missing_arguments(client: Client, name: str) -> None:
    client.launch(SQUARES, "5")
    declared = VIEWS[name].arguments
    assert declared is not None
    names, required = get_type_hints(declared), declared.__required_keys__
    wrong = [{key: object_of(key)} for key in names if names[key] is not Any] + [{}] * bool(required)
    assert wrong
    for arguments in wrong:
        with pytest.raises(Failure, match="expected"):
            client.request(name, **arguments)


def object_of(key: str) -> dict[str, str]:
    """Returns what no argument is."""
    return {key: "of a wrong type"}


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "shlo/forget"])
def test_a_view_is_refused_before_a_program_is_launched(client: Client, name: str) -> None:
    client.initialize()
    with pytest.raises(Failure, match="no program was launched"):
        client.request(name, position=1, columns=9, threadId=1, tensor="%x", expressions=["%x"])
