"""Every request, event and capability of `shlo dap` on standard input and output.

The tables below are held against what the adapter answers, sends and announces: what is added there wants a row
here. Messages are good, wrong, malformed, too early, too late, cancelled, and sent while the program runs.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import numpy as np
import pytest

from shlo.debugger.adapter.clients.connection import INTERRUPTING
from shlo.debugger.adapter.conversation import ENDING, Conversation
from shlo.debugger.adapter.debuggee import EventName
from shlo.debugger.adapter.protocol import ARGUMENTS
from shlo_dap.launch import Launcher
from tests.dap.client import Client, Message
from tests.dap.conftest import Call, attached
from tests.dap.programs import FOREVER, line_of

ANSWERED = Conversation(lambda message: None, Launcher().requests).requests
LATE = frozenset({"frameId", "variablesReference", "memoryReference"})
"""Arguments that mean something at one position alone."""
LOOP = Path(__file__).with_name("loop.mlir")
SOURCE = {"path": str(LOOP)}
SQUARE = line_of(LOOP, "%square =")
AT_ONCE = ("pause", "cancel")
"""Requests that are answered before those that wait."""
BEGINNING = ("initialize", "launch", "attach", "disconnect", "terminate")
"""Requests that are good once in a session."""
ANY_TIME = ("initialize", "configurationDone", *AT_ONCE, *ENDING)
"""Requests that need no program."""

Arguments = Mapping[str, Any]
Look = Callable[[Client], Arguments]


def frame(client: Client) -> Arguments:
    return {"frameId": client.frames()[0]["id"]}


def reference(client: Client, scope: str = "Values") -> Arguments:
    return {"variablesReference": client.scope(scope)}


def memory(client: Client) -> Arguments:
    row = client.request("evaluate", expression="%row", context="watch", **frame(client))
    return {"memoryReference": row["memoryReference"], "count": 4}


def instruction(client: Client) -> Arguments:
    return {"breakpoints": [{"instructionReference": client.frames()[0]["instructionPointerReference"]}]}


def overflowing(client: Client) -> Arguments:
    client.request("setExceptionBreakpoints", filters=["overflow"])
    client.move("stepBack")
    client.move("stepBack")
    client.request("setExpression", expression="%i", value="300")
    client.move("continue")
    return {"threadId": 1}


def fixed(**arguments: Any) -> Look:
    return lambda client: arguments


MOVE = fixed(threadId=1)
GOOD: dict[str, Look] = {
    "configurationDone": fixed(),
    "setBreakpoints": fixed(source=SOURCE, breakpoints=[{"line": SQUARE, "condition": "%i == 3"}]),
    "breakpointLocations": fixed(source=SOURCE, line=1, endLine=99),
    "setFunctionBreakpoints": fixed(breakpoints=[{"name": "main"}, {"name": "convert"}]),
    "setInstructionBreakpoints": instruction,
    "dataBreakpointInfo": lambda client: {**reference(client, "Arguments"), "name": "%sum"},
    "setDataBreakpoints": fixed(breakpoints=[{"dataId": "%i", "accessType": "write"}]),
    "setExceptionBreakpoints": fixed(filters=["nan"], filterOptions=[{"filterId": "overflow"}]),
    "continue": MOVE,
    "next": fixed(threadId=1, granularity="line"),
    "stepIn": MOVE,
    "stepInTargets": frame,
    "stepOut": MOVE,
    "stepBack": MOVE,
    "reverseContinue": MOVE,
    "restartFrame": lambda client: {"frameId": client.frames()[1]["id"]},
    "gotoTargets": fixed(source=SOURCE, line=SQUARE),
    "goto": fixed(threadId=1, targetId=SQUARE),
    "threads": fixed(),
    "stackTrace": fixed(threadId=1, startFrame=0, levels=1),
    "source": fixed(sourceReference=1),
    "modules": fixed(startModule=0, moduleCount=1),
    "loadedSources": fixed(),
    "scopes": frame,
    "variables": reference,
    "readMemory": memory,
    "evaluate": lambda client: {**frame(client), "expression": "%i + 1", "context": "watch"},
    "setVariable": lambda client: {**reference(client), "name": "%product", "value": "4"},
    "setExpression": lambda client: {**frame(client), "expression": "%product", "value": "5"},
    "completions": lambda client: {**frame(client), "text": "print %pr", "column": 10},
    "exceptionInfo": overflowing,
    "restart": fixed(),
    "pause": MOVE,
    "cancel": fixed(requestId=99_999),
    "shlo/timeline": fixed(columns=10),
    "shlo/goTo": fixed(position=1),
    "shlo/grid": fixed(),
    "shlo/selectThread": MOVE,
    "shlo/graph": frame,
    "shlo/tensors": lambda client: {**frame(client), "expressions": ["%product", "%nowhere"]},
    "shlo/tensor": lambda client: {**frame(client), "tensor": "%product"},
    "shlo/keep": lambda client: {**frame(client), "tensor": "%product"},
    "shlo/forget": fixed(tensor="kept:1"),
}
"""Arguments at a stop in the body of a loop."""

HERE = "of this position, got 99999"
NO_PROCESS = "there is one process"
WRONG: dict[str, Sequence[tuple[Arguments, str]]] = {
    "launch": [({"program": str(LOOP)}, "launched already")],
    "attach": [({"port": 1}, "launched already")],
    "setBreakpoints": [
        (
            {"source": {"path": "/none.mlir"}, "breakpoints": [{"line": 1}]},
            "not the program that is debugged",
        ),
        ({"source": SOURCE, "breakpoints": [{"line": 99_999}, {"line": -3}]}, "no operation on line"),
        ({"source": SOURCE, "breakpoints": [{"line": 1, "condition": "%"}]}, "expected"),
        ({"source": SOURCE, "breakpoints": [{"line": 1, "hitCondition": "0"}]}, "number of hits"),
    ],
    "setFunctionBreakpoints": [({"breakpoints": [{"name": "none"}]}, "no operation stablehlo.none")],
    "setInstructionBreakpoints": [
        ({"breakpoints": [{"instructionReference": each}]}, "expected the reference of an operation")
        for each in ("", "x", "-1", "0xfffffffffff", "9" * 5_000)
    ],
    "dataBreakpointInfo": [({"name": "%i", "frameId": 99_999}, HERE)],
    "setDataBreakpoints": [({"breakpoints": [{"dataId": "%nowhere"}]}, "nowhere")],
    "setExceptionBreakpoints": [({"filters": ["none"]}, "none")],
    "continue": [({"threadId": 99}, NO_PROCESS)],
    "next": [({"threadId": 0}, NO_PROCESS)],
    "stepIn": [({"threadId": 99}, NO_PROCESS), ({"threadId": 1, "targetId": 7}, "target of stepInTargets")],
    "stepInTargets": [({"frameId": 99_999}, HERE)],
    "stepOut": [({"threadId": -1}, NO_PROCESS)],
    "stepBack": [({"threadId": 99}, NO_PROCESS)],
    "reverseContinue": [({"threadId": 10**30}, NO_PROCESS)],
    "restartFrame": [({"frameId": 99_999}, HERE)],
    "goto": [
        ({"threadId": 1, "targetId": 99_999}, "target of gotoTargets"),
        ({"threadId": 9, "targetId": 1}, ""),
    ],
    "stackTrace": [
        ({"threadId": 99}, NO_PROCESS),
        ({"threadId": 1, "startFrame": -1}, "expected startFrame and levels from 0"),
    ],
    "source": [({"sourceReference": 99_999}, "expected the reference of a source")],
    "scopes": [({"frameId": 99_999}, HERE)],
    "variables": [
        ({"variablesReference": 99_999}, HERE),
        ({"variablesReference": 10**30}, "of this position"),
    ],
    "readMemory": [
        ({"memoryReference": each, "count": 1}, "expected the memory of a value")
        for each in ("", "x", "-1", "9" * 5_000)
    ],
    "evaluate": [
        ({"expression": "%", "context": "watch"}, "expected"),
        ({"expression": "(" * 100_000, "context": "hover"}, ""),
        ({"expression": "print %nowhere", "context": "repl"}, "nowhere"),
        ({"expression": "%i", "frameId": 99_999}, HERE),
    ],
    "setVariable": [({"variablesReference": 99_999, "name": "%i", "value": "1"}, HERE)],
    "setExpression": [
        ({"expression": "%i", "value": "soon"}, "soon"),
        ({"expression": "%nowhere", "value": "1"}, "nowhere"),
    ],
    "completions": [({"text": "print", "column": 1, "line": 99}, "expected one of 1 lines, got 98")],
    "exceptionInfo": [({"threadId": 99}, NO_PROCESS), ({"threadId": 1}, "expected a stop at an error")],
    "shlo/timeline": [({"columns": 0}, "columns"), ({"columns": 10, "threadId": 9}, NO_PROCESS)],
    "shlo/goTo": [({"position": -1}, "expected a position from 0")],
    "shlo/selectThread": [({"threadId": 99}, NO_PROCESS)],
    "shlo/graph": [({"frameId": 99_999}, HERE)],
    "shlo/tensors": [({"expressions": ["%i"] * 99}, "expected at most")],
    "shlo/tensor": [({"tensor": "%nowhere"}, "nowhere"), ({"tensor": "%i", "at": "x"}, "")],
    "shlo/keep": [({"tensor": "%nowhere"}, "nowhere")],
}
"""Arguments of the right types that mean nothing, and what is said of them: of the request, or of each
breakpoint that it sets.
"""
NEVER_WRONG = {
    *("initialize", "disconnect", "terminate", "configurationDone", "restart", "pause", "cancel"),
    *(
        "threads",
        "modules",
        "loadedSources",
        "breakpointLocations",
        "gotoTargets",
        "shlo/grid",
        "shlo/forget",
    ),
}
"""Requests without arguments, and those that answer with nothing where there is nothing."""


def test_the_tables_have_every_request() -> None:
    assert GOOD.keys() | set(BEGINNING) == ANSWERED.keys()
    assert WRONG.keys() | NEVER_WRONG == ANSWERED.keys()


# --- a process that several tests share ---


def forget(client: Client) -> None:
    """Drops the answers and events up to here."""
    last = client.send("threads")
    while client.answer()["request_seq"] != last:
        pass
    while not client.events.empty():
        client.events.get()


class Shared:
    """An adapter in a process, with a program; one that has ended is replaced."""

    def __init__(self, program: Path, *arguments: str) -> None:
        self._program, self._arguments = program, arguments
        self.client: Client | None = None

    def running(self) -> Client:
        """Returns a client of it, whose answers and events so far are dropped."""
        client = self.client
        if client is None or client.process is None or client.process.poll() is not None:
            client = self.client = Client(in_process=True)
            client.launch(self._program, *self._arguments)
        forget(client)
        return client

    def close(self) -> None:
        if self.client is not None:
            self.client.close()


@pytest.fixture(scope="module")
def squares_process() -> Iterator[Shared]:
    shared = Shared(LOOP, "20")
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def endless_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    path = tmp_path_factory.mktemp("endless") / "program.mlir"
    path.write_text(FOREVER, encoding="utf-8")
    shared = Shared(path)
    yield shared
    shared.close()


def at_body(client: Client) -> Client:
    """Goes to the body of the loop, without breakpoints or edits."""
    client.request("setBreakpoints", source=SOURCE, breakpoints=[])
    for kind in ("Function", "Data", "Instruction"):
        client.request(f"set{kind}Breakpoints", breakpoints=[])
    client.request("setExceptionBreakpoints", filters=["failure", "deadlock"])
    client.request("evaluate", expression="future f1", context="repl")
    client.request("restart")
    forget(client)
    client.request("goto", threadId=1, targetId=SQUARE)
    client.event("stopped")
    return client


@pytest.fixture
def stopped(squares_process: Shared) -> Iterator[Client]:
    """Yields a client of a program that is stopped in the body of a loop."""
    client = at_body(squares_process.running())
    yield client
    assert client.faults == []


@pytest.fixture
def running(endless_process: Shared) -> Iterator[Client]:
    """Yields a client of a program that runs without end."""
    client = endless_process.running()
    client.request("setExceptionBreakpoints", filters=[])
    client.request("restart")
    client.event("stopped")
    client.request("continue", threadId=1)
    yield client
    assert client.faults == []


def answer_of(client: Client, command: str, arguments: Any) -> Message:
    """Returns the only answer to a request: the next one is that of another request."""
    sent = client.send(command, **arguments)
    last = client.send("threads")
    answer = client.answer()
    assert (answer["request_seq"], answer["command"]) == (sent, command)
    assert client.answer()["request_seq"] == last
    assert "internal error" not in answer.get("message", "")
    return answer


# --- good ---


@pytest.mark.parametrize("command", GOOD)
def test_a_good_request_is_answered_once(stopped: Client, command: str) -> None:
    answer = answer_of(stopped, command, GOOD[command](stopped))
    assert answer["success"], answer
    assert all(each.get("verified", True) for each in answer["body"].get("breakpoints", []))


def test_a_session_begins_and_ends_over_standard_streams(process: Client) -> None:
    assert process.launch(LOOP, "3")["reason"] == "entry"
    process.request("terminate")
    assert process.event("exited") == {"exitCode": 0}
    assert process.event("terminated") == {}
    process.request("disconnect")
    assert process.process is not None
    assert process.process.wait(60) == 0
    assert process.events.empty()


# --- wrong ---


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [(command, *row) for command, rows in WRONG.items() for row in rows],
)
def test_a_wrong_request_says_why(stopped: Client, command: str, arguments: Arguments, message: str) -> None:
    position = stopped.request("shlo/timeline", columns=1)["position"]
    answer = answer_of(stopped, command, arguments)
    if answer["success"]:
        found = [each["message"] for each in answer["body"]["breakpoints"] if not each["verified"]]
        assert len(found) == len(answer["body"]["breakpoints"])
    else:
        found = [answer["message"]]
    assert found
    assert all(message in each for each in found), found
    assert max(map(len, found)) < 500
    assert stopped.request("shlo/timeline", columns=1)["position"] == position


# --- malformed ---


def wrong_values(hint: Any, depth: int) -> list[Any]:
    """Returns values that are not of a type."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return []
    if origin is list:
        inner = [[each] for each in wrong_values(parts[0], depth)]
        return [5, "x", None, *inner]
    if origin is dict:
        return [5, [], *({"key": each} for each in wrong_values(parts[1], depth))]
    if origin is Literal:
        return ["none of them", 5]
    if is_typeddict(hint):
        return [5, [], "x", *(malformed(hint, depth - 1) if depth else ())]
    kinds = parts if origin in (Union, types.UnionType) else (hint,)
    values = {str: "x", bool: True, int: 5, float: 0.5, type(None): None, list: []}
    return [
        value for kind, value in values.items() if kind not in kinds and not (kind is int and float in kinds)
    ]


def malformed(type_: Any, depth: int = 2) -> Iterator[Any]:
    """Yields objects that lack what a type requires, or have something else in its place, and objects inside
    of them down to a depth: a source may have sources.
    """
    hints = get_type_hints(type_)
    whole = {key: right_value(hints[key]) for key in type_.__required_keys__}
    for key in whole:
        yield {name: value for name, value in whole.items() if name != key}
    for key, hint in hints.items():
        for value in wrong_values(hint, depth):
            yield {**whole, key: value}


def right_value(hint: Any) -> Any:
    """Returns a value of a type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return parts[0]
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        return {key: right_value(hints[key]) for key in hint.__required_keys__}
    plain = {str: "x", bool: True, int: 1, float: 0.5, Any: 1}
    return [] if origin is list else {} if origin is dict else plain[parts[0] if parts else hint]


@pytest.mark.parametrize("command", sorted(ANSWERED.keys() - {"disconnect"}))
def test_a_malformed_request_says_what_was_expected(stopped: Client, command: str) -> None:
    type_ = ANSWERED[command].arguments or ARGUMENTS[command]
    wrong = [[], 5, "x", True]
    if is_typeddict(type_):
        wrong += malformed(type_)
    sent = [stopped.send_with(command, arguments) for arguments in wrong]
    last = stopped.send("threads")
    for number, arguments in zip(sent, wrong):
        answer = stopped.answer()
        assert answer["request_seq"] == number
        assert not answer["success"], arguments
        assert answer["message"].startswith("expected "), (arguments, answer["message"])
    assert stopped.answer()["request_seq"] == last
    assert stopped.events.empty()


# --- early and late ---


def least(command: str) -> Arguments:
    """Returns arguments of the right types, with nothing that is not required."""
    type_ = ANSWERED[command].arguments or ARGUMENTS[command]
    return right_value(type_) if is_typeddict(type_) else {}


@pytest.mark.parametrize("command", sorted(GOOD.keys() - set(ANY_TIME)))
def test_a_request_before_there_is_a_program_is_answered_once(client: Client, command: str) -> None:
    answer = answer_of(client, command, least(command))
    if answer["success"]:
        assert not any(answer["body"].values())  # nothing was asked for
    else:
        assert answer["message"].startswith(("no program was launched", "expected "))


@pytest.mark.parametrize("command", GOOD)
def test_a_request_behind_a_move_is_refused_where_it_means_the_place_before(
    stopped: Client, command: str
) -> None:
    arguments = GOOD[command](stopped)
    stopped.move("stepBack")
    answer = answer_of(stopped, command, arguments)
    if LATE & arguments.keys():
        refused = answer.get("message") or answer["body"]["description"]
        assert "of this position" in refused
    elif command != "exceptionInfo":
        assert answer["success"], answer


def test_requests_behind_the_end_change_nothing(process: Client) -> None:
    process.launch(LOOP, "20")
    arguments = {command: GOOD[command](process) for command in ("evaluate", "scopes")}
    process.request("terminate")
    process.event("terminated")
    for command in ANSWERED.keys() - {"disconnect"}:
        answer = answer_of(process, command, arguments.get(command, least(command)))
        if command not in (*AT_ONCE, *ENDING):
            assert answer["message"] == "the session has ended"
    assert process.events.empty()
    process.request("disconnect")


# --- while the program runs ---

WAITING = sorted(ANSWERED.keys() - {*AT_ONCE, *INTERRUPTING, *ENDING})


@pytest.mark.parametrize("command", sorted(ANSWERED.keys() - set(ENDING)))
def test_a_request_while_the_program_runs_is_answered_once(running: Client, command: str) -> None:
    sent = running.send(command, **least(command))
    if command in (*AT_ONCE, *INTERRUPTING):
        assert running.answer()["request_seq"] == sent
        pause = running.send("pause", threadId=1)
        assert running.answer()["request_seq"] == pause
    else:
        pause = running.send("pause", threadId=1)
        assert [running.answer()["request_seq"] for _ in range(2)] == [pause, sent]
    assert running.event("stopped")["reason"] == "pause"
    assert running.request("threads")["threads"]


@pytest.mark.parametrize("command", WAITING)
def test_a_request_that_waits_is_cancelled(running: Client, command: str) -> None:
    sent = running.send(command, **least(command))
    cancel = running.send("cancel", requestId=sent)
    assert running.answer()["request_seq"] == cancel
    pause = running.send("pause", threadId=1)
    assert running.answer()["request_seq"] == pause
    answer = running.answer()
    assert (answer["request_seq"], answer.get("message")) == (sent, "cancelled")
    assert running.event("stopped")["reason"] == "pause"


def test_all_requests_at_once_are_answered_in_their_order(process: Client) -> None:
    at_body(process) if process.launch(LOOP, "20") else None
    asked = {command: GOOD[command](process) for command in GOOD if command != "exceptionInfo"}
    sent = [process.send(command, **arguments) for command, arguments in asked.items() for _ in range(3)]
    answers = [process.answer() for _ in sent]
    assert sorted(each["request_seq"] for each in answers) == sent
    waited = [each["request_seq"] for each in answers if each["command"] not in AT_ONCE]
    assert waited == sorted(waited)
    assert not any("internal error" in each.get("message", "") for each in answers)


def test_a_late_cancel_of_a_progress_ends_no_other_move(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(FOREVER, encoding="utf-8")
    client.initialize(supportsProgressReporting=True)
    client.request("launch", program=str(path))
    client.request("configurationDone")
    client.event("stopped")
    client.request("continue", threadId=1)
    begun = client.event("progressStart")["progressId"]
    client.request("pause", threadId=1)
    client.event("stopped")
    client.request("continue", threadId=1)
    assert client.event("progressStart")["progressId"] != begun
    client.request("cancel", progressId=begun)
    client.event("progressUpdate")
    client.request("pause", threadId=1)
    assert client.event("stopped")["reason"] == "pause"


# --- events ---


def test_every_event_is_sent(process: Client, call: Callable[..., Call], tmp_path: Path) -> None:
    seen: list[str] = []

    def see(client: Client, name: EventName) -> Message:
        while True:
            event = client.events.get(timeout=60)
            seen.append(event["event"])
            if event["event"] == name:
                return event["body"]

    path = tmp_path / "program.mlir"
    path.write_text(FOREVER, encoding="utf-8")
    process.initialize(supportsProgressReporting=True, supportsInvalidatedEvent=True)
    process.request("launch", program=str(path))
    see(process, "initialized")
    wanted = [{"line": 3, "logMessage": "!"}]
    process.request("setBreakpoints", source={"path": str(path)}, breakpoints=wanted)
    process.request("configurationDone")
    see(process, "stopped")
    process.request("next", threadId=1)
    assert see(process, "output")["line"] == 3
    see(process, "stopped")
    process.request("setExpression", expression="%0", value="2")
    assert see(process, "invalidated")["areas"] == ["all"]
    path.write_text(f"{FOREVER}// changed", encoding="utf-8")
    process.request("restart")
    assert see(process, "breakpoint")["reason"] == "changed"
    see(process, "stopped")
    process.request("continue", threadId=1)
    see(process, "progressStart")
    see(process, "progressUpdate")
    process.request("terminate")
    see(process, "progressEnd")
    see(process, "exited")
    see(process, "terminated")
    debugged = call(LOOP, np.int32(20))
    with attached(debugged) as one, attached(debugged, "adapter") as other:
        one.move("next")
        see(other, "continued")
    assert {*seen, "process"} == set(get_args(EventName))
    assert "process" in seen


# --- capabilities ---


def going_on(client: Client, expression: str, *breakpoints: Message) -> str:
    """Returns what an expression is at the next breakpoint on the line of the squares."""
    wanted = [{"line": SQUARE, **each} for each in breakpoints]
    client.request("setBreakpoints", source=SOURCE, breakpoints=wanted)
    client.move("continue")
    return client.evaluate(expression)


def set_others(client: Client, kind: str, **wanted: Any) -> str:
    """Returns why the program stops next, with breakpoints of a kind."""
    (placed,) = client.request(f"set{kind}Breakpoints", breakpoints=[wanted])["breakpoints"]
    stopped = client.move("continue")
    assert stopped["hitBreakpointIds"] == [placed["id"]]
    return stopped["reason"]


def logged(client: Client) -> bool:
    client.request("setBreakpoints", source=SOURCE, breakpoints=[{"line": SQUARE, "logMessage": "at {%i}"}])
    client.request("continue", threadId=1)
    return client.event("output")["output"].endswith("at 1\n")


def cancelled(client: Client) -> bool:
    client.send("cancel", requestId=client.send("evaluate", expression="continue", context="repl"))
    return {client.answer()["command"] for _ in range(2)} == {"cancel", "evaluate"}


def terminated(client: Client) -> bool:
    client.request("terminate")
    return client.event("exited") == {"exitCode": 0}


def target(client: Client) -> bool:
    client.move("stepOut")
    client.move("stepBack")
    targets = client.request("stepInTargets", **frame(client))["targets"]
    client.move("stepIn", targetId=targets[1]["id"])
    return client.place()[0].startswith("body")


def restarted_frame(client: Client) -> bool:
    client.move("restartFrame", **GOOD["restartFrame"](client))
    return client.place()[1] == line_of(LOOP, "%zero =")


def filtered(client: Client) -> bool:
    filters = [each["filter"] for each in client.capabilities["exceptionBreakpointFilters"]]
    found = client.request("setExceptionBreakpoints", filters=filters)["breakpoints"]
    return len(found) == len(filters) and all(each["verified"] for each in found)


def filtered_with_condition(client: Client) -> bool:
    options = [{"filterId": "overflow", "condition": "%i > 299"}]
    client.request("setExceptionBreakpoints", filters=[], filterOptions=options)
    client.move("stepBack")
    client.move("stepBack")
    client.request("setExpression", expression="%i", value="300")
    return client.move("continue")["reason"] == "exception"


def completed(client: Client) -> list[str]:
    found = client.request("completions", **GOOD["completions"](client))["targets"]
    return [each["label"] for each in found]


def copied(client: Client) -> bool:
    return client.evaluate("%i", "clipboard") == "0"


def hovered(client: Client) -> bool:
    return client.evaluate("%product", "hover") == "0"


def asked(client: Client, command: str) -> Message:
    return client.request(command, **GOOD[command](client))


CAPABILITIES: dict[str, Callable[[Client], object]] = {
    "supportsConfigurationDoneRequest": lambda client: asked(client, "configurationDone") == {},
    "supportsConditionalBreakpoints": lambda client: going_on(client, "%i", {"condition": "%i == 3"}) == "3",
    "supportsHitConditionalBreakpoints": lambda client: going_on(client, "%i", {"hitCondition": "5"}) == "4",
    "supportsLogPoints": logged,
    "supportsBreakpointLocationsRequest": lambda client: asked(client, "breakpointLocations")["breakpoints"],
    "supportsFunctionBreakpoints": lambda client: (
        set_others(client, "Function", name="compare") == "breakpoint"
    ),
    "supportsDataBreakpoints": lambda client: set_others(client, "Data", dataId="%i") == "data breakpoint",
    "supportsInstructionBreakpoints": lambda client: (
        set_others(client, "Instruction", **instruction(client)["breakpoints"][0]) == "instruction breakpoint"
    ),
    "exceptionBreakpointFilters": filtered,
    "supportsExceptionFilterOptions": filtered_with_condition,
    "supportsSingleThreadExecutionRequests": lambda client: (
        client.request("continue", threadId=1, singleThread=True) == {"allThreadsContinued": False}
    ),
    "supportsSteppingGranularity": lambda client: client.move("next", threadId=1, granularity="instruction"),
    "supportsStepInTargetsRequest": target,
    "supportsStepBack": lambda client: client.move("stepBack")["reason"] == "step",
    "supportsRestartFrame": restarted_frame,
    "supportsGotoTargetsRequest": lambda client: asked(client, "gotoTargets")["targets"],
    "supportsDelayedStackTraceLoading": lambda client: (
        len(asked(client, "stackTrace")["stackFrames"]) < asked(client, "stackTrace")["totalFrames"]
    ),
    "supportsModulesRequest": lambda client: asked(client, "modules")["totalModules"] == 1,
    "supportsLoadedSourcesRequest": lambda client: asked(client, "loadedSources")["sources"],
    "supportsReadMemoryRequest": lambda client: asked(client, "readMemory")["data"],
    "supportsEvaluateForHovers": hovered,
    "supportsClipboardContext": copied,
    "supportsSetVariable": lambda client: asked(client, "setVariable")["value"] == "4",
    "supportsSetExpression": lambda client: asked(client, "setExpression")["value"] == "5",
    "supportsCompletionsRequest": lambda client: "%product" in completed(client),
    "completionTriggerCharacters": lambda client: "%" in client.capabilities["completionTriggerCharacters"],
    "supportsExceptionInfoRequest": lambda client: (
        asked(client, "exceptionInfo")["exceptionId"] == "overflow"
    ),
    "supportsRestartRequest": lambda client: client.move("restart")["reason"] == "goto",
    "supportsCancelRequest": cancelled,
    "supportsTerminateRequest": terminated,
}
"""What shows each capability, at a stop in the body of a loop."""


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_capability_is_there(squares_process: Shared, name: str) -> None:
    client = at_body(squares_process.running())
    assert client.capabilities[name]
    assert CAPABILITIES[name](client)
    assert client.faults == []


def test_a_program_to_which_a_client_attached_ends_with_it(call: Callable[..., Call]) -> None:
    debugged = call(LOOP, np.int32(20))
    with attached(debugged, "adapter") as client:
        assert client.capabilities["supportTerminateDebuggee"]
        client.request("disconnect", terminateDebuggee=True)
        debugged.join(60)
    assert debugged.has_returned


def test_what_is_announced_is_shown(squares_process: Shared) -> None:
    announced = squares_process.running().capabilities.keys()
    assert announced == CAPABILITIES.keys() | {"supportTerminateDebuggee"}
