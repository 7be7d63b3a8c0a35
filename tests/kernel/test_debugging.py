"""Jupyter's debugger protocol as JupyterLab speaks it: breakpoints in cells, frames, values, both ways."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from .clients import KernelClient

pytestmark = pytest.mark.slow

HELPER = """func.func @h(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.negate %x : tensor<2xf32>
  return %a : tensor<2xf32>
}"""
CELL = """%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
%y = func.call @h(%x) : (tensor<2xf32>) -> tensor<2xf32>
%z = stablehlo.add %y, %y : tensor<2xf32>"""


class Debugger(KernelClient):
    """A front end with a debugger panel."""

    def __init__(self, client: BlockingKernelClient) -> None:
        super().__init__(client)
        self.number = 0

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Returns the answer to a request."""
        self.number += 1
        content = {"type": "request", "seq": self.number, "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=20)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                assert (reply["content"]["request_seq"], reply["content"]["command"]) == (
                    self.number,
                    command,
                )
                return reply["content"]

    def body(self, command: str, **arguments: Any) -> Any:
        """Returns the body of the answer to a request that succeeds."""
        answer = self.ask(command, **arguments)
        assert answer["success"], answer
        return answer["body"]

    def event(self, name: str) -> dict[str, Any]:
        """Waits for an event; returns its body."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            message = self.client.get_iopub_msg(timeout=20)
            if message["msg_type"] == "debug_event" and message["content"]["event"] == name:
                return message["content"]["body"]
        raise AssertionError(f"there was no event {name}")

    def attach(self) -> None:
        self.body("initialize", clientID="jupyterlab", adapterID="", linesStartAt1=True, columnsStartAt1=True)
        self.body("attach")

    def break_at(self, code: str, *lines: int) -> str:
        """Sets the breakpoints of a cell; returns its path."""
        path = self.body("dumpCell", code=code)["sourcePath"]
        points = [{"line": line} for line in lines]
        body = self.body("setBreakpoints", source={"path": path}, breakpoints=points, sourceModified=False)
        assert [each["verified"] for each in body["breakpoints"]] == [True] * len(lines)
        self.body("configurationDone")
        return path

    def top(self) -> tuple[str, int, int]:
        """Returns path, line and number of the innermost frame."""
        frame = self.body("stackTrace", threadId=1)["stackFrames"][0]
        return frame["source"]["path"], frame["line"], frame["id"]

    def values(self, frame: int) -> dict[str, str]:
        """Returns the values of a frame."""
        scopes = self.body("scopes", frameId=frame)["scopes"]
        found = [each for scope in scopes for each in self.listed(scope["variablesReference"])]
        return {each["name"]: each["value"] for each in found}

    def listed(self, reference: int) -> list[dict[str, Any]]:
        return self.body("variables", variablesReference=reference)["variables"]


@pytest.fixture
def debugger(kernel_name: str) -> Iterator[Debugger]:
    manager, client = start_new_kernel(kernel_name=kernel_name)
    yield Debugger(client)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(debugger: Debugger, code: str) -> dict[str, Any]:
    return debugger.reply_to(debugger.client.execute(code))


def test_a_cell_stops_at_its_breakpoint_and_goes_both_ways(debugger: Debugger) -> None:
    information = debugger.body("debugInfo")
    assert not information["isStarted"]
    assert run(debugger, HELPER)["status"] == "ok"
    debugger.attach()
    cell, helper = debugger.break_at(CELL, 3), debugger.break_at(HELPER, 2)
    information = debugger.body("debugInfo")
    assert information["isStarted"]
    assert {each["source"] for each in information["breakpoints"]} == {cell, helper}
    assert all(path.startswith(information["tmpFilePrefix"]) for path in (cell, helper))
    request = debugger.client.execute(CELL)
    assert debugger.event("stopped")["reason"] == "breakpoint"
    assert debugger.body("debugInfo")["stoppedThreads"] == [1]
    path, line, frame = debugger.top()
    assert (path, line) == (helper, 2)
    assert debugger.values(frame)["%x"] == "[1., 2.]"
    debugger.body("next", threadId=1)
    debugger.event("stopped")
    path, line, frame = debugger.top()
    assert (path, line) == (helper, 3)
    assert debugger.values(frame)["%a"] == "[-1., -2.]"
    assert debugger.body("evaluate", expression="%a * 2", frameId=frame, context="watch")["result"]
    debugger.body("stepBack", threadId=1)
    debugger.event("stopped")
    assert debugger.top()[:2] == (helper, 2)
    debugger.body("continue", threadId=1)
    debugger.event("stopped")
    assert debugger.top()[:2] == (cell, 3)
    debugger.body("continue", threadId=1)
    debugger.event("continued")
    assert debugger.reply_to(request)["status"] == "ok"
    assert debugger.body("debugInfo")["stoppedThreads"] == []
    shown = {each["name"]: each["value"] for each in debugger.body("inspectVariables")["variables"]}
    assert shown["%z"].endswith("[-2., -4.]")
    assert "text/html" in debugger.body("richInspectVariables", variableName="%z")["data"]


def test_a_breakpoint_is_where_an_operation_is(debugger: Debugger) -> None:
    loop = """// what the loop counts
%n = stablehlo.constant dense<3> : tensor<i32>

%i = stablehlo.while(%at = %n) : tensor<i32>
cond {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %more = stablehlo.compare GT, %at, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %more : tensor<i1>
} do {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.subtract %at, %one : tensor<i32>
  stablehlo.return %next : tensor<i32>
}
%who
%i
"""
    debugger.attach()
    path = debugger.body("dumpCell", code=loop)["sourcePath"]

    def placed(*lines: int) -> list[tuple[bool, int]]:
        points = [{"line": line} for line in lines]
        answers = debugger.body("setBreakpoints", source={"path": path}, breakpoints=points)["breakpoints"]
        messages = [each.get("message") for each in answers]
        assert [message is not None for message in messages] == [
            not each["verified"] or each["line"] != line for line, each in zip(lines, answers)
        ]
        return [(each["verified"], each["line"]) for each in answers]

    moved = [(True, 2), (True, 4), (True, 6), (True, 11)]
    assert placed(1, 3, 5, 11, 13, 14, 15) == [*moved, (True, 12), (False, 14), (False, 15)]
    (kept,) = debugger.body("debugInfo")["breakpoints"]
    assert [point["line"] for point in kept["breakpoints"]] == [2, 4, 6, 11, 12]
    placed(9, 14)
    request = debugger.client.execute(loop)
    debugger.event("stopped")
    assert debugger.top()[:2] == (path, 10)
    debugger.body("disconnect", restart=False, terminateDebuggee=False)
    assert debugger.reply_to(request)["status"] == "ok"


def test_a_call_stops_and_goes_on_when_the_debugger_leaves(debugger: Debugger) -> None:
    run(debugger, HELPER)
    debugger.attach()
    debugger.break_at(HELPER, 2)
    request = debugger.client.execute("%run @h([3.0, 4.0])")
    debugger.event("stopped")
    refused = debugger.ask("scopes", frameId=999)
    assert not refused["success"]
    debugger.body("disconnect", restart=False, terminateDebuggee=False)
    assert debugger.reply_to(request)["status"] == "ok"
    assert run(debugger, "%run @h([3.0, 4.0])")["status"] == "ok"


def test_an_interrupt_ends_a_cell_that_is_stopped(debugger: Debugger, kernel_name: str) -> None:
    run(debugger, HELPER)
    debugger.attach()
    debugger.break_at(HELPER, 2)
    request = debugger.client.execute("%run @h([3.0, 4.0])", stop_on_error=False)
    debugger.event("stopped")
    content: dict[str, Any] = {}
    debugger.client.control_channel.send(debugger.client.session.msg("interrupt_request", content))
    assert debugger.reply_to(request)["ename"] == "KeyboardInterrupt"
    assert not debugger.ask("stackTrace", threadId=1)["success"]


def test_a_nan_stops_a_cell(debugger: Debugger) -> None:
    debugger.attach()
    debugger.body("setExceptionBreakpoints", filters=["nan"])
    cell = "%x = stablehlo.constant dense<-1.0> : tensor<f32>\n%y = stablehlo.log %x : tensor<f32>\n%y"
    request = debugger.client.execute(cell)
    assert debugger.event("stopped")["reason"] == "exception"
    debugger.body("continue", threadId=1)
    assert debugger.reply_to(request)["status"] == "ok"


def test_a_grid_stops_in_the_process_that_hit_the_breakpoint(debugger: Debugger) -> None:
    shared = """func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.negate %x : tensor<2xf32>
  %b = stablehlo.abs %a : tensor<2xf32>
  %all = "stablehlo.all_reduce"(%b) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %all : tensor<2xf32>
}"""
    assert run(debugger, shared)["status"] == "ok"
    debugger.attach()
    path = debugger.break_at(shared, 3)
    request = debugger.client.execute("%grid 2x1 --split 0 @g([1.0, 2.0, 3.0, 4.0])")
    values: list[str] = []
    for process in ("(0, 0)", "(1, 0)"):
        assert debugger.event("stopped")["threadId"] == 1
        threads = debugger.body("threads")["threads"]
        assert (threads[0]["name"], len(threads)) == (f"process {process}", 3)
        frame = debugger.body("stackTrace", threadId=1)["stackFrames"][0]
        assert (frame["source"]["path"], frame["line"]) == (path, 3)
        assert frame["name"].startswith(process)
        values.append(debugger.values(frame["id"])["%a"])
        if not values[1:]:
            debugger.body("continue", threadId=1)
    assert values == ["[-1., -2.]", "[-3., -4.]"]
    debugger.body("stepBack", threadId=1)
    debugger.event("stopped")
    other = debugger.body("stackTrace", threadId=2)["stackFrames"][0]
    assert other["name"].startswith("(0, 0)")
    debugger.body("disconnect")
    assert debugger.reply_to(request)["status"] == "ok"
    assert debugger.body("debugInfo")["stoppedThreads"] == []


@pytest.mark.parametrize(
    ("line", "call", "stops"),
    [
        (2, "@stage_{replica}", ["(0, 0) @stage_0: stablehlo.sine"]),
        (6, "@stage_{replica}", ["(1, 0) @stage_1: stablehlo.cosine"]),
        (10, "@g", ["(0, 0) @g: stablehlo.negate", "(1, 0) @g: stablehlo.negate"]),
    ],
)
def test_a_grid_stops_at_the_first_operation_of_each_process(
    debugger: Debugger, line: int, call: str, stops: list[str]
) -> None:
    shared = """func.func @stage_0(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.sine %x : tensor<2xf32>
  return %a : tensor<2xf32>
}
func.func @stage_1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.cosine %x : tensor<2xf32>
  return %a : tensor<2xf32>
}
func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.negate %x : tensor<2xf32>
  return %a : tensor<2xf32>
}"""
    assert run(debugger, shared)["status"] == "ok"
    debugger.attach()
    debugger.break_at(shared, line)
    request = debugger.client.execute(f"%grid 2x1 --split 0 {call}([1.0, 2.0, 3.0, 4.0])")
    for where in stops:
        debugger.event("stopped")
        assert debugger.body("stackTrace", threadId=1)["stackFrames"][0]["name"] == where
        debugger.body("continue", threadId=1)
        debugger.event("continued")
    assert debugger.reply_to(request)["status"] == "ok"


def test_where_nothing_is_stopped_there_is_nothing_to_list(debugger: Debugger) -> None:
    debugger.attach()
    for command, arguments, name in (
        ("stackTrace", {"threadId": 1}, "stackFrames"),
        ("scopes", {"frameId": 1}, "scopes"),
        ("variables", {"variablesReference": 1}, "variables"),
    ):
        answer = debugger.ask(command, **arguments)
        assert (answer["success"], answer["body"][name]) == (False, [])
