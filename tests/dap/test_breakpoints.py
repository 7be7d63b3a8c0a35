"""Breakpoints of every kind: where they are, under which conditions they stop, what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.dap.client import Client, Message
from tests.dap.conftest import Write
from tests.dap.programs import CALLS, EXAMPLES, FOREVER, SQUARES, line_of

SOURCE = {"path": str(SQUARES)}
SQUARE = line_of(SQUARES, "%square =")


def set_lines(client: Client, *breakpoints: Message, source: Any = None) -> list[Message]:
    return client.request("setBreakpoints", source=source or SOURCE, breakpoints=list(breakpoints))[
        "breakpoints"
    ]


def test_a_condition_is_about_values(client: Client) -> None:
    client.launch(SQUARES, "20", lines=[{"line": SQUARE, "condition": "%i == 12"}])
    stopped = client.move("continue")
    assert (stopped["reason"], client.place()[1]) == ("breakpoint", SQUARE)
    assert client.variables(client.scope("Values"))["%product"]["value"] == "-112"


@pytest.mark.parametrize(("hits", "round_"), [("3", "2"), ("> 2", "2"), (">= 3", "2"), ("== 1", "0")])
def test_hits_are_counted_from_the_beginning(client: Client, hits: str, round_: str) -> None:
    client.launch(SQUARES, "20", lines=[{"line": SQUARE, "hitCondition": hits}])
    client.move("continue")
    assert client.evaluate("%i") == round_


def test_log_points_say_where_they_are_and_go_on(client: Client) -> None:
    client.launch(SQUARES, "3", lines=[{"line": SQUARE, "logMessage": "round {%i}"}])
    client.request("continue", threadId=1)
    said = [client.event("output") for _ in range(3)]
    assert [each["output"].rpartition(": ")[2] for each in said] == [
        f"round {number}\n" for number in range(3)
    ]
    assert {(each["source"]["path"], each["line"]) for each in said} == {(str(SQUARES), SQUARE)}
    assert "ended" in client.event("stopped")["description"]


def test_what_cannot_be_set_says_why_and_others_are_set(client: Client) -> None:
    client.launch(SQUARES, "20")
    answers = set_lines(
        client,
        {"line": SQUARE, "condition": "%i +"},
        {"line": SQUARE, "hitCondition": "soon"},
        {"line": SQUARE, "logMessage": "{%i +}"},
        {"line": 999},
        {"line": SQUARE},
    )
    assert [each["verified"] for each in answers] == [False] * 4 + [True]
    assert all(each["message"] for each in answers[:4])
    assert client.move("continue")["hitBreakpointIds"] == [answers[4]["id"]]
    (other,) = set_lines(client, {"line": 1}, source={"path": "/nowhere/other.mlir"})
    assert not other["verified"]


def test_breakpoints_are_set_while_the_program_runs(client: Client, program: Write) -> None:
    path = program(FOREVER)
    client.launch(path)
    client.request("continue", threadId=1)
    (never,) = set_lines(client, {"line": 10}, source={"path": str(path)})
    assert never["verified"]
    (answer,) = set_lines(client, {"line": 8}, source={"path": str(path)})
    stopped = client.event("stopped")
    assert (stopped["reason"], stopped["hitBreakpointIds"]) == ("breakpoint", [answer["id"]])
    set_lines(client, source={"path": str(path)})
    client.request("continue", threadId=1)
    client.request("setFunctionBreakpoints", breakpoints=[])
    client.request("pause", threadId=1)
    assert client.event("stopped")["reason"] == "pause"


def test_a_line_without_an_operation_moves_the_breakpoint(client: Client) -> None:
    client.launch(SQUARES, "20")
    (moved,) = set_lines(client, {"line": 2})
    assert (moved["verified"], moved["line"]) == (True, 3)
    last = line_of(SQUARES, "return %out")
    (back,) = set_lines(client, {"line": last + 1})
    assert (back["verified"], back["line"]) == (True, last)
    assert back["message"] == f"the last operation is on line {last}"
    assert client.move("continue")["hitBreakpointIds"] == [back["id"]]
    found = client.request("breakpointLocations", source=SOURCE, line=1, endLine=6)["breakpoints"]
    assert [each["line"] for each in found] == [3, 4, 5]


def test_breakpoints_replace_those_of_their_source_alone(client: Client) -> None:
    client.launch(SQUARES, "20", lines=[{"line": SQUARE}])
    (function,) = client.request("setFunctionBreakpoints", breakpoints=[{"name": "multiply"}])["breakpoints"]
    set_lines(client)
    assert client.move("continue")["hitBreakpointIds"] == [function["id"]]
    assert client.place()[0] == "body of @main: stablehlo.multiply"
    client.request("setFunctionBreakpoints", breakpoints=[])
    assert "ended" in client.move("continue")["description"]


def test_functions_and_operations_are_stopped_at_by_name(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    found = client.request(
        "setFunctionBreakpoints",
        breakpoints=[{"name": "twice"}, {"name": "sqrt", "condition": "%t[0] > 2.5"}, {"name": "nothing"}],
    )["breakpoints"]
    assert [each["verified"] for each in found] == [True, True, False]
    assert client.place()[1] == 2
    client.move("continue")
    assert client.place()[0] == "@twice: stablehlo.add"
    client.move("continue")
    client.move("continue")
    assert client.place()[0] == "@twice: stablehlo.sqrt"


def test_a_value_is_watched_for_changes(client: Client) -> None:
    client.launch(SQUARES, "20", lines=[{"line": SQUARE}])
    client.move("continue")
    reference = client.scope("Arguments")
    info = client.request("dataBreakpointInfo", variablesReference=reference, name="%sum")
    assert (info["dataId"], info["accessTypes"]) == ("%sum", ["write"])
    assert client.request("dataBreakpointInfo", name="%nowhere")["dataId"] is None
    assert client.request("dataBreakpointInfo", name="%i * 2")["dataId"] == "%i * 2"
    set_lines(client)
    answer = client.request("setDataBreakpoints", breakpoints=[{"dataId": "%sum", "condition": "> 10"}])
    stopped = client.move("continue")
    assert (stopped["reason"], stopped["hitBreakpointIds"]) == (
        "data breakpoint",
        [answer["breakpoints"][0]["id"]],
    )
    assert client.evaluate("%sum") == "14"


def test_a_nan_is_an_exception_that_says_where_it_comes_from(client: Client) -> None:
    client.launch(EXAMPLES / "diverging.mlir", filters=["nan"])
    stopped = client.move("continue")
    assert (stopped["reason"], stopped["description"]) == ("exception", "NaN made")
    info = client.request("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "nan"
    assert "diverging.py" in info["details"]["stackTrace"]
    assert info["description"] not in info["details"]["stackTrace"]  # the box shows both
    position = client.place()
    client.move("stepBack")
    client.move("next")
    assert client.place() == position


NANS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.divide %zero, %zero : tensor<f32>
  %second = stablehlo.sqrt %x : tensor<f32>
  %third = stablehlo.add %first, %second : tensor<f32>
  return %third : tensor<f32>
}
"""


def test_a_filter_has_a_condition(client: Client, program: Write) -> None:
    client.launch(program(NANS), "-1.0")
    options = [{"filterId": "nan", "condition": "isnan(%first) and isnan(%second)"}]
    (answer,) = client.request("setExceptionBreakpoints", filters=[], filterOptions=options)["breakpoints"]
    assert answer["verified"]
    client.move("continue")
    stopped = client.place()
    assert stopped == ("@main: stablehlo.sqrt", 4)  # which made the NaN that both have
    client.move("continue")
    client.move("reverseContinue")
    assert client.place() == stopped
    wrong = client.request("setExceptionBreakpoints", filters=["other"], filterOptions=[])["breakpoints"]
    assert [each["verified"] for each in wrong] == [False]


CHECK = """func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  check.expect_eq %0, %1 : tensor<i32>
  return
}
"""


def test_a_failed_check_stops_or_ends_the_session(client: Client, program: Write) -> None:
    client.launch(program(CHECK))
    stopped = client.move("continue")
    assert stopped["reason"] == "exception"
    assert client.place() == ("@main: check.expect_eq", 4)
    assert client.request("exceptionInfo", threadId=1)["exceptionId"] == "failure"
    client.request("setExceptionBreakpoints", filters=[])
    client.move("restart")
    client.request("continue", threadId=1)
    assert client.event("exited") == {"exitCode": 1}


def test_lines_of_python_are_breakpoints(client: Client) -> None:
    path = EXAMPLES / "diverging.mlir"
    client.launch(path)
    python = next(each for each in client.frames() if each["source"]["name"].endswith(".py"))
    source = python["source"]
    places = client.request("breakpointLocations", source=source, line=1, endLine=500)["breakpoints"]
    last = places[0]["line"]
    found = set_lines(client, {"line": last}, {"line": 100_000}, source=source)
    assert [each["verified"] for each in found] == [True, False]
    client.move("continue")
    assert last in [each["line"] for each in client.frames() if each["source"].get("path") == source["path"]]


def test_breakpoints_stay_where_the_file_is_changed_and_the_program_begun_again(
    client: Client, tmp_path: Path
) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(CALLS, encoding="utf-8")
    client.launch(path, "[1., 2., 3., 4.]", lines=[{"line": 9}])
    first = client.move("continue")["hitBreakpointIds"]
    path.write_text(CALLS.replace("%t = stablehlo.add", "%t = stablehlo.multiply"), encoding="utf-8")
    client.request("restart")
    changed = client.event("breakpoint")
    assert (changed["reason"], changed["breakpoint"]["id"]) == ("changed", *first)
    assert client.event("stopped")["reason"] == "entry"
    assert client.move("continue")["hitBreakpointIds"] == first
    assert client.evaluate("%t[3]") == "16"


OVERFLOW = """func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {
  %half = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf16>
  %byte = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  return %byte : tensor<2xi8>
}
"""


def test_an_overflow_on_conversion_is_an_exception(client: Client, program: Write) -> None:
    client.launch(program(OVERFLOW), "[1.0, 300.0]", filters=["overflow"])
    stopped = client.move("continue")
    assert (stopped["reason"], stopped["description"]) == ("exception", "overflow made")
    assert client.place()[1] == 3
    info = client.request("exceptionInfo", threadId=1)
    assert (info["exceptionId"], info["description"]) == (
        "overflow",
        "stablehlo.convert on line 3 made an overflow",
    )
    assert "ended" in client.move("continue")["description"]


WRAPS = """func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %twice = stablehlo.add %x, %x : tensor<2xi8>
  return %twice : tensor<2xi8>
}
"""


def test_a_finding_of_the_sanitizer_is_an_exception(client: Client, program: Write) -> None:
    client.launch(program(WRAPS), "[1, 100]", filters=["finding"])
    stopped = client.move("continue")
    assert (stopped["reason"], stopped["description"]) == ("exception", "a finding made")
    assert "[wrapped]: [1]: lhs 100, rhs 100, result -56" in stopped["text"]
    info = client.request("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "finding"
    assert info["description"].startswith("stablehlo.add on line 2: signed integers wrapped")
    assert "[wrapped]: [1]: lhs 100, rhs 100, result -56" in info["details"]["stackTrace"]
    assert "ended" in client.move("continue")["description"]


TWO_ON_A_LINE = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.add %x, %x {note = "😀"} : tensor<f32> %b = stablehlo.multiply %a, %a : tensor<f32>
  return %b : tensor<f32>
}
"""


def test_one_of_several_operations_on_a_line_is_a_breakpoint(client: Client, program: Write) -> None:
    path = program(TWO_ON_A_LINE)
    source = {"path": str(path)}
    client.launch(path, "2.0")
    places = client.request("breakpointLocations", source=source, line=1, endLine=3)["breakpoints"]
    second = TWO_ON_A_LINE.splitlines()[1].index("%b") + 2  # in units of UTF-16
    assert places == [{"line": 2, "column": 3}, {"line": 2, "column": second}, {"line": 3}]
    (placed,) = set_lines(client, {"line": 2, "column": second + 4}, source=source)
    assert (placed["line"], placed["column"]) == (2, second)
    assert client.move("continue")["hitBreakpointIds"] == [placed["id"]]
    assert client.place() == ("@main: stablehlo.multiply", 2)


def test_an_operation_of_a_frame_is_a_breakpoint(client: Client, program: Write) -> None:
    client.launch(program(TWO_ON_A_LINE), "2.0")
    client.move("next")
    reference = client.frames()[0]["instructionPointerReference"]
    client.move("next")
    wanted = [
        {"instructionReference": reference, "condition": "%a > 3"},
        {"instructionReference": reference, "offset": 1},
        {"instructionReference": "soon"},
        {"instructionReference": hex(1 << 40)},
    ]
    answers = client.request("setInstructionBreakpoints", breakpoints=wanted)["breakpoints"]
    assert [each["verified"] for each in answers] == [True, False, False, False]
    assert answers[0]["line"] == 2
    stopped = client.move("reverseContinue")
    assert (stopped["reason"], stopped["hitBreakpointIds"]) == ("instruction breakpoint", [answers[0]["id"]])
    assert client.frames()[0]["instructionPointerReference"] == reference
