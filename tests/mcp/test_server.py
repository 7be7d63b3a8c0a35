"""The server for agents, by the client of the `mcp` package: every tool, the folders and the limits."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from shlo_mcp.calls import MOST_OUTPUT, CallError, Calls, Limits
from shlo_mcp.server import NAMES, Tools, make_server

ROOT = Path(__file__).parents[2]
DOUBLE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
LOGARITHM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.log %x : tensor<2xf32>
  %z = stablehlo.add %y, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
"""
WRONG = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "stablehlo.reverse"(%x) {dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
ENDLESS = """func.func @main() -> tensor<i32> {
  %x = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%a = %x) : tensor<i32>
  cond { %t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1> }
  do { %b = stablehlo.add %a, %a : tensor<i32> stablehlo.return %b : tensor<i32> }
  return %r : tensor<i32>
}
"""
CHATTY = """func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %most = stablehlo.constant dense<1000> : tensor<i32>
  %shown = stablehlo.iota dim = 0 : tensor<1000xi32>
  %r = stablehlo.while(%a = %zero) : tensor<i32>
  cond {
    %t = stablehlo.compare LT, %a, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }
  do {
    "interpreter.print"(%shown) : (tensor<1000xi32>) -> ()
    %b = stablehlo.add %a, %one : tensor<i32>
    stablehlo.return %b : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
PATIENT = Limits(seconds=120)


def asked(
    tool: str, folders: Sequence[Path] = (), limits: Limits = PATIENT, **arguments: Any
) -> tuple[bool, str]:
    """Returns whether a tool did what it was asked for, and what it said."""

    async def ask() -> tuple[bool, str]:
        async with Client(make_server(Calls(folders, limits))) as client:
            result = await client.call_tool(tool, arguments)
            return not result.is_error, "".join(each.text for each in result.content if each.type == "text")

    return asyncio.run(ask())


def test_the_tools_say_what_they_are_for() -> None:
    async def listed() -> list[Any]:
        async with Client(make_server(Calls([], PATIENT))) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    assert sorted(each.name for each in tools) == sorted(NAMES)
    assert all(each.description and "self" not in each.input_schema["properties"] for each in tools)


def test_findings_come_with_codes_that_can_be_explained() -> None:
    fine, text = asked("check", program=WRONG)
    assert fine, text
    (file,) = json.loads(text)["files"]
    assert [finding["code"] for finding in file["findings"]] == ["reverse-C3"]
    fine, text = asked("explain", name="reverse-C3")
    assert fine
    assert "; error where it is broken" in text
    assert "**stablehlo.reverse**" in text


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("type-mismatch", "another type than it has"),
        ("quantized_type-C6", "is_finite"),
        ("reverse-I1", "is not of its kind"),
        ("dot_general", "Constraints"),
    ],
)
def test_codes_and_operations_are_explained(name: str, part: str) -> None:
    fine, text = asked("explain", name=name)
    assert (fine, part in text) == (True, True)


def test_a_code_that_there_is_not_gets_a_suggestion() -> None:
    fine, text = asked("explain", name="revers-C3")
    assert (fine, "reverse-C3" in text) == (False, True)


def test_a_code_of_a_million_characters_is_refused_at_once() -> None:
    fine, text = asked("explain", name="reverse-C" * 100_000)
    assert (fine, "did you mean" in text, len(text) < 500) == (False, False, True)


def test_a_program_runs_on_literals() -> None:
    fine, text = asked("run", program=DOUBLE, arguments=["[1, 2]"])
    assert fine, text
    assert "4.0" in text


def test_the_first_nan_is_followed_to_its_argument() -> None:
    fine, text = asked("first_nan", program=LOGARITHM, arguments=["[1, -1]"])
    assert fine, text
    assert "stablehlo.log, line 2" in text
    assert "%x[1] = -1.  argument" in text


def test_causes_are_cards() -> None:
    fine, text = asked("why", program=LOGARITHM, arguments=["[1, -1]"])
    assert fine, text
    (card,) = json.loads(text)["causes"]
    assert (card["kind"], card["mlir_line"]) == ("nan", 2)
    assert card["causes"] == [{"value": "%x", "elements": "[1]", "numbers": ["-1"]}]


def test_programs_are_compared_by_structure_and_by_their_runs() -> None:
    fine, text = asked("diff", before=DOUBLE, after=DOUBLE.replace("%y", "%z"))
    assert fine, text
    fine, text = asked(
        "diff_runs", before=DOUBLE, after=DOUBLE.replace("add", "multiply"), arguments=["[1, 2]"]
    )
    assert fine, text
    assert "stablehlo.multiply" in text


def test_runs_of_which_nothing_can_be_compared_are_no_agreement() -> None:
    nothing = "func.func @main() { return }"
    fine, text = asked("diff_runs", before=nothing, after=nothing)
    assert fine, text
    assert '"compared": false' in text


def test_a_program_is_reduced() -> None:
    fine, text = asked("reduce", program=LOGARITHM, arguments=["[1, -1]"], fault="nan")
    assert fine, text
    assert "stablehlo.log" in text
    assert "stablehlo.add" not in text


def test_a_program_is_printed_and_counted() -> None:
    assert asked("print_program", program=DOUBLE, generic=True)[1].startswith('"builtin.module"')
    assert asked("cost", program=DOUBLE)[0]


def test_files_are_read_below_the_allowed_folders_alone(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "double.mlir").write_text(DOUBLE)
    (inside / "notes.txt").write_text("no program")
    (inside / "link.mlir").symlink_to(outside / "double.mlir")
    assert asked("check", [inside], program="double.mlir")[0]
    assert asked("check", [inside], program=str(inside / "double.mlir"))[0]
    for refused in ("../outside/double.mlir", str(outside / "double.mlir"), "link.mlir", "notes.txt"):
        fine, text = asked("check", [inside], program=refused)
        assert (fine, "expected a file" in text) == (False, True), refused
    assert "none: start shlo mcp with --allow" in asked("check", program="double.mlir")[1]


def test_a_call_writes_to_a_folder_that_it_removes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    temporary, allowed = tmp_path / "temporary", tmp_path / "allowed"
    temporary.mkdir()
    allowed.mkdir()
    (allowed / "double.mlir").write_text(DOUBLE)
    monkeypatch.chdir(allowed)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    made = list[str]()
    folder_of = tempfile.TemporaryDirectory

    def noted(**options: Any) -> tempfile.TemporaryDirectory[str]:
        folder = folder_of(**options)
        made.append(folder.name)
        return folder

    monkeypatch.setattr(tempfile, "TemporaryDirectory", noted)
    assert asked("check", [allowed], program="double.mlir")[0]
    assert [Path(each).parent for each in made] == [temporary]
    assert {each.name for each in tmp_path.rglob("*")} == {"temporary", "allowed", "double.mlir"}


def test_the_names_of_files_may_have_blanks_and_capitals(tmp_path: Path) -> None:
    (tmp_path / "my model.MLIR").write_text(DOUBLE)
    np.save(tmp_path / "my array.npy", np.ones(2, np.float32))
    (tmp_path / "my array.npy").rename(tmp_path / "my array.NPY")
    fine, text = asked("run", [tmp_path], program="my model.MLIR", arguments=["my array.NPY"])
    assert fine, text
    assert "2.0" in text


@pytest.mark.parametrize("path", ["a\0b.mlir", f"{'a' * 5000}.mlir", "loop.mlir"])
def test_what_names_no_file_is_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / "loop.mlir").symlink_to(tmp_path / "loop.mlir")
    fine, text = asked("check", [tmp_path], program=path)
    assert (fine, "expected a file below" in text, len(text) < 500) == (False, True, True)


def test_a_program_in_one_line_is_a_text() -> None:
    fine, text = asked("print_program", program="%0 = stablehlo.constant dense<1.0> : tensor<f32>")
    assert fine, text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("run", {"program": DOUBLE, "arguments": ["[1, 2\0]"]}),
        ("run", {"program": DOUBLE, "arguments": [f"[{'1, ' * 100_000}1]"]}),
        ("reduce", {"program": DOUBLE, "arguments": ["[1, 2]"], "fault": "error", "text": "a\0b"}),
    ],
)
def test_words_that_no_process_can_be_given_are_refused(tool: str, arguments: dict[str, Any]) -> None:
    fine, text = asked(tool, **arguments)
    assert (fine, "expected" in text, len(text) < 500) == (False, True, True), text


@pytest.mark.parametrize(
    "argument",
    [
        *("--save=x.npz", "--args", "/etc/passwd", "-", "-o", "x.npy", "../x.npz", "../secret.NPZ"),
        *("[0]/../../secret.NPZ", "link.npz", "x{process}.npz"),
    ],
)
def test_arguments_are_literals_or_allowed_arrays(argument: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    np.savez(tmp_path / "secret.npz", np.full(2, 12345.0, np.float32))
    (tmp_path / "secret.npz").rename(tmp_path / "secret.NPZ")
    (inside / "link.npz").symlink_to(tmp_path / "secret.NPZ")
    (inside / "[0]").mkdir()
    np.savez(inside / "x{process}.npz", np.ones(2, np.float32))
    fine, text = asked("run", [inside], program=DOUBLE, arguments=[argument])
    assert (fine, "expected a" in text, "24690" in text) == (False, True, False), text


@pytest.mark.parametrize(
    ("argument", "doubled"), [("-1e3", "-2000.0"), ("-inf", "-inf"), ("-.5", "-1.0"), ("-nan", "nan")]
)
def test_arguments_may_be_negative(argument: str, doubled: str) -> None:
    fine, text = asked("run", program=DOUBLE, arguments=[argument])
    assert (fine, doubled in text.lower().replace("infinity", "inf")) == (True, True), text


def test_an_entry_is_a_name(tmp_path: Path) -> None:
    assert not asked("run", program=DOUBLE, arguments=["[1, 2]"], entry="main --save x.npz")[0]


def test_a_run_without_end_is_stopped_by_its_operations_or_by_time() -> None:
    fine, text = asked("run", limits=Limits(120, max_steps=1000), program=ENDLESS)
    assert (fine, "1000" in text.replace(",", "")) == (False, True), text
    fine, text = asked("run", limits=Limits(3, max_steps=10**12), program=ENDLESS)
    assert (fine, text.endswith("not done after 3 s, which a call may take")) == (False, True)


def test_calls_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls([], Limits(120, calls=2))
    at_a_time, most = list[None](), list[int]()
    carry_out = calls._carry_out

    def counted(*arguments: Any) -> Any:
        at_a_time.append(None)
        most.append(len(at_a_time))
        try:
            return carry_out(*arguments)
        finally:
            at_a_time.pop()

    monkeypatch.setattr(calls, "_carry_out", counted)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: calls.run("check", [DOUBLE]), range(4)))
    assert [each.code for each in answers] == [0, 0, 0, 0]
    assert max(most) <= 2


def test_a_call_that_gets_no_turn_says_so() -> None:
    calls = Calls([], Limits(0.1, calls=1))
    with calls._turn(), pytest.raises(CallError, match="are under way"):
        calls.run("check", [DOUBLE])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("diff_runs", {"before": ENDLESS, "after": ENDLESS.replace("add", "multiply")}),
        ("reduce", {"program": ENDLESS}),
    ],
)
def test_runs_of_other_tools_are_stopped_by_their_operations(tool: str, arguments: dict[str, Any]) -> None:
    fine, text = asked(tool, limits=Limits(60, max_steps=1000), **arguments)
    assert (fine, "not done after" in text) == (False, False), text


def test_what_a_program_prints_takes_little_memory_of_the_server() -> None:
    tools = Tools(Calls([], PATIENT))
    tracemalloc.start()
    try:
        text = tools.run(CHATTY)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "is left out" in text
    assert len(text) < 2 * MOST_OUTPUT
    assert peak < 3_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_limited() -> None:
    huge = "func.func @main() -> tensor<1000000000xf32> {\n  %x = stablehlo.constant dense<1.0> : tensor<1000000000xf32>\n  %y = stablehlo.add %x, %x : tensor<1000000000xf32>\n  return %y : tensor<1000000000xf32>\n}\n"
    fine, text = asked("run", limits=Limits(120, memory_bytes=1 << 30), program=huge)
    assert (fine, "memory" in text) == (False, True), text


def _server_of(folder: Path, *options: str) -> StdioServerParameters:
    """Returns `shlo mcp --allow folder`, whose temporary files are in the folder, too."""
    code = (
        "import sys; from argparse import ArgumentParser; from shlo.command_line.console import Console; "
        "from shlo_mcp import command; parser = ArgumentParser(); command.configure(parser); "
        "sys.exit(command.execute(parser.parse_args(), Console()))"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "bytecode")])
    return StdioServerParameters(
        command=sys.executable,
        args=["-c", code, "--allow", str(folder), *options],
        env={"PYTHONPATH": path, "TMPDIR": str(folder)},
    )


def test_the_command_serves_a_client_on_standard_input_and_output(tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "examples" / "distance.mlir", tmp_path / "distance.mlir")

    async def ask() -> str:
        async with Client(stdio_client(_server_of(tmp_path))) as client:
            arguments = {"program": "distance.mlir", "arguments": ["[0, 3, 0]", "[4, 0, 0]"]}
            result = await client.call_tool("run", arguments)
            return "".join(each.text for each in result.content if each.type == "text")

    assert "5.0" in asyncio.run(asyncio.wait_for(ask(), 120))


def _working_below(folder: Path) -> set[int]:
    """Returns the numbers of the processes whose working folder is, or was, below a folder."""
    found = set[int]()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd").startswith(f"{folder}{os.sep}"):
                found.add(int(process.name))
        except OSError:
            continue
    return found


def _wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, None])
def test_a_call_ends_with_its_server(number: signal.Signals | None, tmp_path: Path) -> None:
    """The server ends by a signal, or as its client closes its input. Where it sees that, the call's folder
    goes, too.
    """
    started = _server_of(tmp_path, "--seconds=600", "--max-steps=1000000000000")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "run", "arguments": {"program": ENDLESS}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen(
        [started.command, *started.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **(started.env or {})},
    ) as server:
        try:
            assert server.stdin
            for message in messages:
                server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
            _wait_for(lambda: _working_below(tmp_path))
            (child,) = _working_below(tmp_path)
            if number is None:
                server.stdin.close()
            else:
                server.send_signal(number)
            assert server.wait(60) == -(number or 0)
        finally:
            server.kill()
    try:
        _wait_for(lambda: child not in _working_below(tmp_path))
        assert number == signal.SIGKILL or not list(tmp_path.glob("shlo-mcp-*"))
    finally:
        for left in _working_below(tmp_path):
            os.kill(left, signal.SIGKILL)
