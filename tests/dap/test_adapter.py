"""How sessions begin and end, and what is no request."""

from __future__ import annotations

import io
import json
import math
import os
import socket
import threading
from pathlib import Path

import pytest

from shlo.debugger.adapter.clients.transport import Writer, messages
from shlo.debugger.adapter.conversation import capabilities_of
from shlo.debugger.adapter.debuggee import Debuggee
from shlo.debugger.adapter.protocol import ARGUMENTS, Capabilities
from shlo.debugger.adapter.requests import REQUESTS, Request
from shlo.runner.errors import RequestError
from shlo_dap.adapter import Adapter
from shlo_dap.launch import OPTIONS, LaunchArguments, Launcher
from tests.dap.client import Client, Failure
from tests.dap.conftest import Write
from tests.dap.programs import CALLS, EXAMPLES, FOREVER, SQUARES, line_of

KNOWN = {**REQUESTS, **Launcher().requests}


def test_processes_of_a_grid_are_threads(client: Client) -> None:
    client.launch(EXAMPLES / "mean.mlir", "[1, 2, 3, 6]", grid="2x1", split=["0"])
    names = [each["name"] for each in client.request("threads")["threads"]]
    assert names == ["process (0, 0): ready", "process (1, 0): ready"]
    client.request("next", threadId=2)
    assert client.event("stopped")["threadId"] == 2
    assert (client.place(1), client.place(2)[1]) == (
        ("@main: stablehlo.constant", line_of(EXAMPLES / "mean.mlir", "%zero =")),
        line_of(EXAMPLES / "mean.mlir", "%sum ="),
    )
    assert list(client.variables(client.scope("Processes"))) == ["process (0, 0)", "process (1, 0)"]


def test_one_process_goes_on_alone(client: Client) -> None:
    path = EXAMPLES / "mean.mlir"
    client.launch(path, "[1, 2, 3, 6]", grid="2x1", split=["0"], lines=[{"line": line_of(path, "%total =")}])
    assert client.request("continue", threadId=2, singleThread=True) == {"allThreadsContinued": False}
    assert client.event("stopped")["threadId"] == 2
    assert client.place(1)[1] == line_of(path, "%zero =")
    with pytest.raises(Failure, match="no process"):
        client.request("continue", threadId=9)


def test_processes_of_a_mesh_are_named_by_its_axes(client: Client) -> None:
    client.launch(EXAMPLES / "mesh.mlir", str(EXAMPLES / "mesh.npz"))
    assert "=" in client.request("threads")["threads"][0]["name"]


@pytest.mark.parametrize("stops", [True, False])
def test_a_deadlock_stops_or_ends_the_session(client: Client, stops: bool) -> None:
    filters = ["deadlock"] if stops else []
    client.launch(EXAMPLES / "deadlock.mlir", "1.0", grid="2x1", entry="replica_{replica}", filters=filters)
    client.request("continue", threadId=1)
    if not stops:
        assert client.event("exited") == {"exitCode": 1}
        return
    assert client.event("stopped")["reason"] == "exception"
    assert client.request("exceptionInfo", threadId=1)["exceptionId"] == "deadlock"
    waiting = client.variables(client.scope("Processes"))
    assert all("waits for" in each["value"] for each in waiting.values())


def test_negative_numbers_are_arguments(client: Client, tmp_path: Path) -> None:
    program = tmp_path / "identity.mlir"
    program.write_text("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n")
    client.launch(program, "-inf")
    assert client.variables(client.scope("Arguments"))["%x"]["value"] == "-inf"


def test_a_program_runs_without_debugging(client: Client) -> None:
    client.initialize()
    client.request("launch", program=str(SQUARES), args=["3"], noDebug=True)
    client.event("initialized")
    client.request("setBreakpoints", source={"path": str(SQUARES)}, breakpoints=[])
    client.request("configurationDone")
    assert client.event("output")["output"].endswith("5\n")
    assert client.event("exited") == {"exitCode": 0}
    client.event("terminated")


def test_a_program_runs_to_its_breakpoint_without_a_stop_on_entry(client: Client) -> None:
    line = line_of(SQUARES, "%square =")
    stopped = client.launch(SQUARES, "3", lines=[{"line": line}], stopOnEntry=False)
    assert (stopped["reason"], client.place()[1]) == ("breakpoint", line)


def test_options_are_those_of_the_command_line(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "recording.shlorec"
    client.launch(SQUARES, "3", record=str(path), maxSteps=1000, seed=7)
    client.move("continue")
    client.request("terminate")
    client.event("terminated")
    client.request("disconnect")
    other = Client()
    other.launch(path)
    assert other.place()[0] == "@main: the end"
    other.move("reverseContinue")
    assert other.place()[0] == "@main: stablehlo.constant"
    assert "stablehlo" in other.request("source", sourceReference=1)["content"]
    other.close()


def test_every_option_has_a_name(client: Client, program: Write) -> None:
    own = {"program", "args", "stopOnEntry", "noDebug"}
    assert OPTIONS.keys() == LaunchArguments.__annotations__.keys() - own
    client.launch(program(CALLS), zeros=True, entry="twice")
    assert client.place()[0] == "@twice: stablehlo.add"


def test_values_are_shown_beside_their_shadows(client: Client, program: Write) -> None:
    path = program(
        "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
        "  %s = stablehlo.add %a, %b : tensor<f32>\n"
        "  %d = stablehlo.subtract %s, %a : tensor<f32>\n"
        "  return %d : tensor<f32>\n}"
    )
    client.launch(path, "1e7", "1.3", shadow="f64")
    client.move("next")
    client.move("next")
    frame = client.request("stackTrace", threadId=1)["stackFrames"][0]["id"]
    said = client.request("evaluate", expression="print %d", context="repl", frameId=frame)["result"]
    assert "digits lost" in said
    other = Client()
    with pytest.raises(Failure, match="f32"):
        other.launch(path, "1e7", "1.3", shadow="f32")
    other.close()


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("next", {"threadId": 1}, "no program was launched"),
        ("configurationDone", {}, "no program was launched"),
        ("launch", {"program": 5}, "expected a text as program, got 5"),
        ("launch", {}, "expected program, got none"),
        ("launch", {"program": "none.mlir"}, "cannot read"),
        ("launch", {"program": "-"}, "expected a file"),
        ("launch", {"program": str(SQUARES), "grid": "x"}, "grid"),
        ("launch", {"program": str(SQUARES), "args": ["1", "2"]}, "argument"),
        ("launch", {"program": str(SQUARES), "args": ["--entyr=f"]}, "did you mean --entry?"),
        ("attach", {}, "expected port"),
        ("attach", {"port": 1, "host": "192.0.2.1"}, "expected HOST:PORT of the loopback interface"),
        ("attach", {"port": 70000}, "expected HOST:PORT of the loopback interface"),
        ("attach", {"port": 1}, "no debugger listens on 127.0.0.1:1"),
        ("disassemble", {"memoryReference": "0", "instructionCount": 1}, "none of this adapter's"),
    ],
)
def test_what_cannot_begin_says_why(
    client: Client, command: str, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(Failure, match=message):
        client.request(command, **arguments)
    client.launch(SQUARES, "3")
    with pytest.raises(Failure, match="launched already"):
        client.request("launch", program=str(SQUARES))


def test_wrong_requests_are_refused_and_the_session_goes_on(client: Client) -> None:
    client.launch(SQUARES, "3")
    for command, arguments in [
        ("variables", {"variablesReference": 99}),
        ("variables", {}),
        ("variables", {"variablesReference": True}),
        ("scopes", {"frameId": -1}),
        ("stackTrace", {"threadId": 7}),
        ("stackTrace", {"threadId": 1, "levels": -3}),
        ("evaluate", {"expression": "%", "context": "watch"}),
        ("evaluate", {"expression": ["x"]}),
        ("setBreakpoints", {"source": 3}),
        ("setBreakpoints", {"source": {"path": str(SQUARES)}, "breakpoints": [{"line": "3"}]}),
        ("next", {"threadId": 1, "granularity": "week"}),
        ("exceptionInfo", {"threadId": 1}),
    ]:
        with pytest.raises(Failure) as refused:
            client.request(command, **arguments)
        assert "internal" not in str(refused.value)
    client.raw(b'{"type": "response"}')
    client.raw(b'{"type": "request"}')
    assert not client.answer()["success"]
    client.raw(json.dumps({"type": "request", "seq": 9, "command": ["next"], "arguments": 3}).encode())
    assert not client.answer()["success"]
    client.raw(json.dumps({"type": "request", "seq": [], "command": "threads", "arguments": 3}).encode())
    assert not client.answer()["success"]
    assert client.move("next")["reason"] == "step"


@pytest.mark.parametrize("data", [b"no json", b"[]", b'{"type": ' + b"[" * 100_000])
def test_what_is_no_message_ends_the_adapter(process: Client, data: bytes) -> None:
    process.launch(SQUARES, "3")
    process.raw(data)
    assert process.process is not None
    assert process.process.wait(30) == 2


@pytest.mark.parametrize(
    "header", [b"Content-Length: -5\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n", b"x" * 9_000]
)
def test_a_wrong_header_ends_the_adapter(process: Client, header: bytes) -> None:
    process.input.write(header)
    process.input.flush()
    assert process.process is not None
    assert process.process.wait(30) == 2


def test_a_client_that_is_gone_ends_a_run(process: Client, program: Write) -> None:
    process.launch(program(FOREVER))
    process.request("continue", threadId=1)
    process.input.close()
    assert process.process is not None
    assert process.process.wait(9) == 0  # before the session is given up


def test_a_killed_adapter_leaves_no_file_but_the_recording(program: Write, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    client = Client(in_process=True, environment={**os.environ, "TMPDIR": str(folder)})
    path, recording = program(FOREVER), tmp_path / "recording.shlorec"
    client.launch(path, record=str(recording))
    client.request("continue", threadId=1)
    client.close()
    assert set(tmp_path.iterdir()) == {path, recording, folder}
    assert not list(folder.iterdir())


@pytest.mark.parametrize("how", ["killed adapter", "closed client"])
def test_a_script_that_is_lowered_ends_with_the_adapter(tmp_path: Path, how: str) -> None:
    folder, script = tmp_path / "temporary", tmp_path / "script.py"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"connected = socket.create_connection({server.getsockname()})"
        script.write_text(f"import socket, time\n{connect}\ntime.sleep(600)\n", encoding="utf-8")
        client = Client(in_process=True, environment={**os.environ, "TMPDIR": str(folder)})
        client.initialize()
        client.send("launch", program=f"{script}:f")
        server.settimeout(60)
        connected, _ = server.accept()
        assert client.process is not None
        if how == "killed adapter":
            client.process.kill()
        client.input.close()
        with connected:
            connected.settimeout(60)
            assert connected.recv(1) == b""  # the process is gone
        if how == "closed client":
            assert client.process.wait(9) == 0  # before the session is given up
        client.close()
    assert not list(folder.iterdir())


def test_a_launch_that_lowers_a_script_is_cancelled(client: Client, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    client.initialize()
    launch = client.send("launch", program=f"{script}:f")
    client.request("cancel", requestId=launch)
    answer = client.answer()
    assert (answer["request_seq"], answer["message"]) == (launch, "cancelled")
    client.launch(SQUARES, "3")


@pytest.mark.parametrize("changed", [True, False])
def test_a_script_that_has_changed_is_lowered_again(client: Client, tmp_path: Path, changed: bool) -> None:
    pytest.importorskip("jax")
    script = tmp_path / "script.py"
    script.write_text("def f(x):\n    return x * x\n", encoding="utf-8")
    client.launch(Path(f"{script}:f"), "3.0")
    assert client.place()[0] == "@main: stablehlo.multiply"
    client.move("next")
    if changed:
        script.write_text("def f(x):\n    return x - x - x\n", encoding="utf-8")
    client.move("restart")
    assert client.place()[0] == f"@main: stablehlo.{'subtract' if changed else 'multiply'}"


def test_what_is_announced_is_answered(client: Client) -> None:
    client.launch(SQUARES, "3")
    assert client.capabilities == json.loads(json.dumps(capabilities_of(KNOWN)))
    assert client.capabilities.keys() <= Capabilities.__annotations__.keys()
    for command in KNOWN.keys() - {"disconnect", "terminate", "launch"}:
        assert command in ARGUMENTS
        client.send(command, threadId=1)
        assert "internal" not in client.answer().get("message", "")


def test_a_request_whose_work_fails_behind_its_answer_has_one_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("by design")

    def begin(debuggee: Debuggee, _: object) -> None:
        debuggee.then = fail

    monkeypatch.setitem(REQUESTS, "threads", Request(begin))
    monkeypatch.setitem(REQUESTS, "modules", Request(lambda *_: {"number": math.nan}))
    data = [
        json.dumps({"type": "request", "seq": number, "command": command}).encode()
        for number, command in enumerate(("threads", "modules", "loadedSources"), 1)
    ]
    output = io.BytesIO()
    framed = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(each), each) for each in data)
    assert Adapter(io.BytesIO(framed), Writer(output).send).serve() == 0
    sent = list(messages(io.BytesIO(output.getvalue())))
    answers = [(each["request_seq"], each["success"]) for each in sent if each["type"] == "response"]
    assert answers == [(1, True), (2, False), (3, False)]
    events = {each["event"]: each["body"] for each in sent if each["type"] == "event"}
    assert "by design" in events["output"]["output"]
    assert events["stopped"]["allThreadsStopped"]


def test_a_program_that_is_read_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, done = threading.Event(), threading.Event()

    def read(options: object) -> object:
        reading.set()
        done.wait()
        raise RequestError("it took too long")

    monkeypatch.setattr("shlo_dap.launch.open_for_debugging", read)
    monkeypatch.setattr("shlo_dap.adapter.PATIENCE_S", math.inf)
    sent = io.BytesIO()
    arguments = {"program": str(EXAMPLES / "squares.mlir")}
    Writer(sent).send({"seq": 1, "type": "request", "command": "launch", "arguments": arguments})
    try:
        assert Adapter(io.BytesIO(sent.getvalue()), lambda message: None).serve() == 0
        assert reading.wait()
    finally:
        done.set()
