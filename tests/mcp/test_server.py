"""The server for agents, by the client of the `mcp` package: every tool, the folders and the limits."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from shlo_mcp.calls import Limits
from shlo_mcp.server import NAMES, make_server

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
PATIENT = Limits(seconds=120)


def asked(
    tool: str, folders: Sequence[Path] = (), limits: Limits = PATIENT, **arguments: Any
) -> tuple[bool, str]:
    """Returns whether a tool did what it was asked for, and what it said."""

    async def ask() -> tuple[bool, str]:
        async with Client(make_server(folders, limits)) as client:
            result = await client.call_tool(tool, arguments)
            return not result.is_error, "".join(each.text for each in result.content if each.type == "text")

    return asyncio.run(ask())


def test_the_tools_say_what_they_are_for() -> None:
    async def listed() -> list[Any]:
        async with Client(make_server([], PATIENT)) as client:
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
    assert "breaking it is an error" in text
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


def test_a_program_runs_on_literals() -> None:
    fine, text = asked("run", program=DOUBLE, arguments=["[1, 2]"])
    assert fine, text
    assert "4.0" in text


def test_the_first_nan_is_followed_to_its_argument() -> None:
    fine, text = asked("first_nan", program=LOGARITHM, arguments=["[1, -1]"])
    assert fine, text
    assert "stablehlo.log, line 2" in text
    assert "%x[1] = -1.  argument" in text


def test_programs_are_compared_by_structure_and_by_their_runs() -> None:
    fine, text = asked("diff", before=DOUBLE, after=DOUBLE.replace("%y", "%z"))
    assert fine, text
    fine, text = asked(
        "diff_runs", before=DOUBLE, after=DOUBLE.replace("add", "multiply"), arguments=["[1, 2]"]
    )
    assert fine, text
    assert "stablehlo.multiply" in text


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


@pytest.mark.parametrize("argument", ["--save=x.npz", "--args", "/etc/passwd", "../x.npz", "x.npy", "-"])
def test_arguments_are_literals_or_allowed_arrays(argument: str, tmp_path: Path) -> None:
    fine, text = asked("run", [tmp_path], program=DOUBLE, arguments=[argument])
    assert (fine, "expected a" in text) == (False, True)


def test_an_entry_is_a_name(tmp_path: Path) -> None:
    assert not asked("run", program=DOUBLE, arguments=["[1, 2]"], entry="main --save x.npz")[0]


def test_a_run_without_end_is_stopped_by_its_operations_or_by_time() -> None:
    fine, text = asked("run", limits=Limits(120, max_steps=1000), program=ENDLESS)
    assert (fine, "1000" in text.replace(",", "")) == (False, True), text
    fine, text = asked("run", limits=Limits(3, max_steps=10**12), program=ENDLESS)
    assert (fine, text.endswith("not done after 3 s, which a call may take")) == (False, True)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_limited() -> None:
    huge = "func.func @main() -> tensor<1000000000xf32> {\n  %x = stablehlo.constant dense<1.0> : tensor<1000000000xf32>\n  %y = stablehlo.add %x, %x : tensor<1000000000xf32>\n  return %y : tensor<1000000000xf32>\n}\n"
    fine, text = asked("run", limits=Limits(120, memory_bytes=1 << 30), program=huge)
    assert (fine, "memory" in text) == (False, True), text


def test_the_command_serves_a_client_on_standard_input_and_output(tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "examples" / "distance.mlir", tmp_path / "distance.mlir")
    code = (
        "import sys; from argparse import ArgumentParser; from shlo.command_line.console import Console; "
        "from shlo_mcp import command; parser = ArgumentParser(); command.configure(parser); "
        "sys.exit(command.execute(parser.parse_args(), Console()))"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "bytecode")])
    server = StdioServerParameters(
        command=sys.executable, args=["-c", code, "--allow", str(tmp_path)], env={"PYTHONPATH": path}
    )

    async def ask() -> str:
        async with Client(stdio_client(server)) as client:
            arguments = {"program": "distance.mlir", "arguments": ["[0, 3, 0]", "[4, 0, 0]"]}
            result = await client.call_tool("run", arguments)
            return "".join(each.text for each in result.content if each.type == "text")

    assert "5.0" in asyncio.run(asyncio.wait_for(ask(), 120))
