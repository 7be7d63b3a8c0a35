"""Moves: steps both ways, regions, lines, pauses, cancelled ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dap.client import Client, Failure
from tests.dap.conftest import Write
from tests.dap.programs import CALLS, EXAMPLES, FOREVER, FOREVER_IN_CONDITION, SQUARES, line_of


def test_a_program_is_stepped_both_ways(client: Client) -> None:
    entry = client.launch(SQUARES, "20")
    assert (entry["reason"], entry["threadId"]) == ("entry", 1)
    first = client.place()
    assert first == ("@main: stablehlo.constant", line_of(SQUARES, "%zero ="))
    assert client.move("next")["reason"] == "step"
    client.move("next")
    client.move("stepIn")
    assert client.place()[0] == "cond of @main: stablehlo.compare"
    client.move("next")
    client.move("stepIn")
    assert client.place()[0] == "body of @main: stablehlo.convert"
    client.move("stepOut")
    assert client.place()[0] == "@main: func.return"
    client.move("stepBack")
    assert client.move("reverseContinue")["description"] == "The program's beginning."
    assert client.place() == first


def test_going_on_at_the_end_ends_the_session_with_an_exit_code(client: Client) -> None:
    client.launch(SQUARES, "4")
    assert "ended" in client.move("continue")["description"]
    client.move("stepBack")
    client.move("continue")
    client.request("continue", threadId=1)
    assert client.event("exited") == {"exitCode": 0}
    assert client.event("terminated") == {}


def test_results_are_shown_once(client: Client) -> None:
    client.launch(SQUARES, "3")
    client.request("continue", threadId=1)
    shown = client.event("output")
    assert (shown["category"], shown["output"].split("\n")[-2:]) == ("stdout", ["5", ""])
    client.event("stopped")
    client.move("stepBack")
    client.request("continue", threadId=1)
    assert client.events.get(timeout=60)["event"] == "stopped"


def test_a_region_is_the_target_of_a_step(client: Client) -> None:
    client.launch(SQUARES, "20")
    assert client.request("stepInTargets", frameId=client.frames()[0]["id"]) == {"targets": []}
    client.move("next")
    client.move("next")
    targets = client.request("stepInTargets", frameId=client.frames()[0]["id"])["targets"]
    assert [each["label"] for each in targets] == ["cond", "body"]
    client.move("stepIn", targetId=targets[1]["id"])
    assert client.place()[0] == "body of @main: stablehlo.convert"


def test_a_region_that_is_not_executed_is_passed(client: Client) -> None:
    client.launch(SQUARES, "0")
    client.move("next")
    client.move("next")
    client.move("stepIn", targetId=1)
    assert client.place()[0] == "@main: func.return"


def test_the_function_of_a_frame_is_begun_again(client: Client, program: Write) -> None:
    client.launch(program(CALLS), "[1., 2., 3., 4.]")
    client.move("next")
    client.move("stepIn")
    client.move("next")
    inner, outer = client.frames()
    assert inner["name"] == "@twice: stablehlo.sqrt"
    assert (inner["canRestart"], outer["canRestart"]) == (True, True)
    assert client.move("restartFrame", frameId=inner["id"])["reason"] == "step"
    assert client.place()[0] == "@twice: stablehlo.add"
    assert client.evaluate("%x[0]") == "1.41421354"
    client.move("restartFrame", frameId=client.frames()[1]["id"])
    assert client.place() == ("@main: func.call", 2)


def test_a_line_is_gone_to_forwards_or_back(client: Client) -> None:
    client.launch(SQUARES, "20")
    source, line = {"path": str(SQUARES)}, line_of(SQUARES, "%square =")
    (target,) = client.request("gotoTargets", source=source, line=line)["targets"]
    assert target["line"] == line
    assert client.move("goto", targetId=target["id"])["reason"] == "goto"
    assert client.place()[1] == line
    (first,) = client.request("gotoTargets", source=source, line=2)["targets"]
    assert first["line"] == line_of(SQUARES, "%zero =")
    client.move("goto", targetId=first["id"])
    assert client.place()[1] == first["line"]
    assert client.request("gotoTargets", source=source, line=999) == {"targets": []}


def test_steps_are_as_long_as_asked_for(client: Client) -> None:
    path = EXAMPLES / "diverging.mlir"
    client.launch(path)

    def python() -> tuple[str, int]:
        frame = client.frames()[1]
        return frame["source"]["name"], frame["line"]

    line = client.place()[1]
    client.move("next", granularity="instruction")
    assert client.place()[1] == line + 1
    client.move("stepBack", granularity="line")
    assert client.place()[1] == line
    client.move("next", granularity="line")
    before = python()
    client.move("next", granularity="statement")
    assert python() != before
    client.move("stepIn", granularity="statement")
    client.move("stepBack", granularity="statement")
    client.move("stepBack", granularity="statement")
    assert python() == before


def test_a_run_without_end_is_paused_and_left(process: Client, program: Write) -> None:
    process.launch(program(FOREVER))
    process.request("continue", threadId=1)
    process.request("pause", threadId=1)
    assert process.event("stopped")["reason"] == "pause"
    process.request("continue", threadId=1)
    process.request("disconnect")
    assert process.process is not None
    assert process.process.wait(30) == 0


LONG = [("next", {}), ("next", {"granularity": "line"}), ("stepIn", {"targetId": 1}), ("stepOut", {})]
"""Steps that take as long as the loop before which, or in which, they begin."""


def begin_long(client: Client, path: Path, command: str) -> None:
    """Goes to where a step of a program without end takes forever."""
    client.launch(path)
    client.move("next")
    if command == "stepIn":
        client.move("next")
    if command == "stepOut":
        client.move("stepIn")


@pytest.mark.parametrize(("command", "arguments"), LONG)
def test_a_long_step_makes_way_for_breakpoints_and_goes_on(
    client: Client, program: Write, command: str, arguments: dict[str, object]
) -> None:
    path = program(FOREVER_IN_CONDITION if command == "stepIn" else FOREVER)
    begin_long(client, path, command)
    client.request(command, threadId=1, **arguments)
    source, line = {"path": str(path)}, line_of(path, "%next =")
    client.request("setBreakpoints", source=source, breakpoints=[])
    (placed,) = client.request("setBreakpoints", source=source, breakpoints=[{"line": line}])["breakpoints"]
    assert placed["verified"]
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.events.empty()  # it stopped once


@pytest.mark.parametrize("by", ["pause", "cancel"])
@pytest.mark.parametrize(("command", "arguments"), LONG)
def test_a_long_step_is_paused_or_cancelled(
    client: Client, program: Write, command: str, arguments: dict[str, object], by: str
) -> None:
    begin_long(client, program(FOREVER_IN_CONDITION if command == "stepIn" else FOREVER), command)
    running = client.send(command, threadId=1, **arguments)
    assert client.answer()["request_seq"] == running
    client.request(by, **({"threadId": 1} if by == "pause" else {"requestId": running}))
    assert client.event("stopped")["reason"] == "pause"


@pytest.mark.parametrize(
    ("command", "granularity"), [("next", "instruction"), ("next", "line"), ("stepOut", "instruction")]
)
def test_a_step_that_made_way_ends_where_it_would_have(
    client: Client, command: str, granularity: str
) -> None:
    client.launch(SQUARES, "20000")
    client.move("next")
    client.move("next")
    if command == "stepOut":
        client.move("stepIn")
        client.move("next")
    client.request(command, threadId=1, granularity=granularity)
    for _ in range(3):
        client.request("setBreakpoints", source={"path": str(SQUARES)}, breakpoints=[])
    assert client.event("stopped")["reason"] == "step"
    assert client.place()[0] == "@main: func.return"


def test_a_move_behind_one_that_made_way_begins_where_that_ends(client: Client) -> None:
    client.launch(SQUARES, "20000")
    client.move("next")
    sent = [client.send("next", threadId=1), client.send("next", threadId=1)]
    sent.append(client.send("setBreakpoints", source={"path": str(SQUARES)}, breakpoints=[]))
    sent.append(client.send("stepBack", threadId=1))
    assert [client.answer()["request_seq"] for _ in sent] == sent
    assert [client.event("stopped")["reason"] for _ in range(3)] == ["step"] * 3
    assert client.place()[0] == "@main: stablehlo.while"


def test_a_long_move_reports_its_progress_and_can_be_cancelled(client: Client, program: Write) -> None:
    client.initialize(supportsProgressReporting=True)
    client.request("launch", program=str(program(FOREVER)))
    client.request("configurationDone")
    client.event("stopped")
    client.request("continue", threadId=1)
    begun = client.event("progressStart")
    assert (begun["title"], begun["cancellable"]) == ("continue", True)
    client.event("progressUpdate")
    client.request("cancel", progressId=begun["progressId"])
    assert client.event("progressEnd")["progressId"] == begun["progressId"]
    assert client.event("stopped")["reason"] == "pause"


def test_requests_are_cancelled_before_and_while_they_are_answered(client: Client, program: Write) -> None:
    client.launch(program(FOREVER))
    running = client.send("evaluate", expression="continue", context="repl")
    waiting = client.send("threads")
    client.send("cancel", requestId=waiting)
    client.send("cancel", requestId=running)
    client.send("cancel", requestId=12345)
    last = client.send("threads")
    answers = {}
    while last not in answers:
        answer = client.answer()
        answers[answer["request_seq"]] = answer
    assert answers[waiting]["message"] == "cancelled"
    assert answers[last]["success"]
    with pytest.raises(Failure, match="requestId"):
        client.request("cancel", requestId="x")


def test_many_steps_are_queued_and_answered_in_order(client: Client) -> None:
    client.launch(SQUARES, "100")
    sent = [client.send("next", threadId=1), client.send("next", threadId=1)]
    sent += [client.send("stepIn", threadId=1) for _ in range(98)]
    assert [client.answer()["request_seq"] for _ in sent] == sent
    for _ in sent:
        assert client.event("stopped")["reason"] == "step"
    assert "round" in client.place()[0]
