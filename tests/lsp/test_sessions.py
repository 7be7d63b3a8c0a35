"""Sessions with settings of their own, and runs of programs."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.language.programs import TRACED
from tests.lsp.conftest import SERVER, Client, Document
from tests.lsp.programs import FOREVER, HUGE, NUMBERS, large

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]
Begin = Callable[..., Awaitable[Client]]
PROGRAMS = f"{NUMBERS}// -----\n{FOREVER}// -----\n{HUGE}// -----\nfunc.func @x() {{\n  oops\n}}\n"


def run(
    document: Document, function: str, program: int = 0, number: str | None = None
) -> asyncio.Future[Any]:
    argument = {"uri": document.uri, "function": function, "program": program}
    params = types.ExecuteCommandParams("shlo.run", [argument])
    return document.client.ask(types.WORKSPACE_EXECUTE_COMMAND, params, number)


async def test_runs_end_in_a_clear_outcome(begin: Begin) -> None:
    client = await begin({"run": {"seconds": 60, "megabytes": 1000}})
    document = await client.open(PROGRAMS)
    runs = (run(document, "numbers"), run(document, "huge", 2), run(document, "x", 3))
    done, huge, wrong = await asyncio.gather(*runs)
    assert done["text"].splitlines()[1:] == ["result 0: tensor<3xi32>", "[1, 4, 9]"]
    assert (huge["status"], huge["position"]["line"]) == ("memory limit", document.at("stablehlo.add").line)
    assert (wrong["status"], wrong["position"]["line"]) == ("failed", document.at("oops").line)
    document.edit("[1, 2, 3]", "[3, 2, 1]")
    assert (await run(document, "numbers"))["results"][0]["text"] == "[9, 4, 1]"
    with pytest.raises(Exception, match="no program 7"):
        await run(document, "numbers", 7)


async def test_a_run_takes_arguments_and_limits_of_its_own(begin: Begin) -> None:
    client = await begin({"run": {"seconds": 60}})
    document = await client.open(
        "module attributes {mhlo.num_partitions = 4 : i32} {\n"
        "  func.func @f(%a: tensor<ui32>, %b: tensor<ui32>) -> (tensor<ui32>, tensor<ui32>) {\n"
        "    %0 = stablehlo.partition_id : tensor<ui32>\n"
        "    return %a, %b : tensor<ui32>, tensor<ui32>\n  }\n}\n" + f"// -----\n{FOREVER}"
    )

    async def answer(function: str, program: int, **others: Any) -> Any:
        argument = {"uri": document.uri, "function": function, "program": program, **others}
        params = types.ExecuteCommandParams("shlo.run", [argument])
        return await client.request(types.WORKSPACE_EXECUTE_COMMAND, params)

    done = await answer("f", 0, arguments=["7"], filling="zeros")
    assert ([each["text"] for each in done["results"]], done["grid"]) == (["7", "0"], "1x4")
    assert "missing: argument 1 (%b)" in (await answer("f", 0, arguments=["7"]))["message"]
    assert (await answer("forever", 1, limits={"seconds": 0.5}))["status"] == "time limit"
    for wrong in ({"arguments": "7"}, {"filling": "ones"}):
        with pytest.raises(Exception, match="arguments is a list of texts, filling is random or zeros"):
            await answer("f", 0, **wrong)


async def test_a_run_that_takes_too_long_is_ended(begin: Begin) -> None:
    client = await begin({"run": {"seconds": 2}})
    document = await client.open(PROGRAMS)
    assert (await run(document, "forever", 1))["status"] == "time limit"


async def test_values_of_a_run_are_behind_the_lines_until_the_text_changes(begin: Begin) -> None:
    client = await begin()
    document = await client.open(
        "func.func @main() -> tensor<i32> {\n"
        "  %0 = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %five = stablehlo.constant dense<5> : tensor<i32>\n"
        "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
        "  %r = stablehlo.while(%i = %0) : tensor<i32>\n  cond {\n"
        "    %lt = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %lt : tensor<i1>\n  } do {\n"
        "    %j = stablehlo.add %i, %one : tensor<i32>\n"
        "    stablehlo.return %j : tensor<i32>\n  }\n"
        "  %bad = stablehlo.custom_call @nowhere(%r) : (tensor<i32>) -> tensor<i32>\n"
        "  return %bad : tensor<i32>\n}\n"
    )

    async def shown() -> list[tuple[str, str]]:
        found = await document.request(types.TEXT_DOCUMENT_INLAY_HINT, range=document.everything)
        lines = document.text.split("\n")
        return [(lines[each.position.line].split()[0], each.label) for each in found if each.padding_left]

    assert (await run(document, "main"))["status"] == "failed"
    assert await shown() == [
        ("%0", "all 0"),
        ("%five", "all 5"),
        ("%one", "all 1"),
        ("%r", "all 5"),
        ("%lt", "0 of 1 true (6 times)"),
        ("%j", "all 5 (5 times)"),
    ]
    document.edit("dense<5>", "dense<6>")
    assert await shown() == []


async def test_lenses_run_functions_and_name_the_commands_of_the_client(begin: Begin) -> None:
    client = await begin({"commands": {"debug": "editor.debug"}})
    taking = "func.func @taking(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"
    document = await client.open(f"{NUMBERS}// -----\n{taking}")
    lenses = await document.request(types.TEXT_DOCUMENT_CODE_LENS)
    assert [(document.words(each.range), each.command.title, each.command.command) for each in lenses] == [
        ("@numbers", "Run", "shlo.run"),
        ("@numbers", "Debug", "editor.debug"),
        ("@taking", "Run (random inputs)", "shlo.run"),
        ("@taking", "Debug", "editor.debug"),
    ]
    command = lenses[2].command
    params = types.ExecuteCommandParams(command.command, command.arguments)
    result = await client.request(types.WORKSPACE_EXECUTE_COMMAND, params)
    assert (result["status"], result["results"][0]["type"]) == ("done", "tensor<2xf32>")


async def test_a_run_that_is_cancelled_ends(begin: Begin) -> None:
    client = await begin({"run": {"seconds": 60}})
    document = await client.open(FOREVER)
    running = run(document, "forever", number="running")
    await asyncio.sleep(1)
    client.lsp.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("running"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(running, 5)


async def test_nothing_runs_where_it_is_not_allowed(begin: Begin) -> None:
    client = await begin({"allowRun": False})
    client.lsp.workspace_did_change_configuration(types.DidChangeConfigurationParams({"allowRun": True}))
    document = await client.open(NUMBERS)
    with pytest.raises(Exception, match="not allowed here"):
        await run(document, "numbers")
    assert not await document.request(types.TEXT_DOCUMENT_CODE_LENS)


async def test_modules_in_the_workspace_are_not_loaded(begin: Begin, tmp_path: Path) -> None:
    for name in ("numpy", "pygls", "lsprotocol", "ml_dtypes"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded from the workspace')")
    client = await begin(cwd=tmp_path)
    document = await client.open(NUMBERS)
    assert (await run(document, "numbers"))["status"] == "done"


async def test_a_client_that_can_little_gets_what_it_can_show(begin: Begin) -> None:
    def poor(capabilities: types.ClientCapabilities) -> None:
        capabilities.text_document = types.TextDocumentClientCapabilities()
        capabilities.workspace = None

    client = await begin(adapt=poor)
    document = await client.open(NUMBERS.replace("stablehlo.multiply", "stablehlo.mult|"))
    (first, *_) = await document.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    assert isinstance(first, types.SymbolInformation)
    hover = await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%0"))
    assert hover.contents.kind == types.MarkupKind.PlainText
    items = (await document.request(types.TEXT_DOCUMENT_COMPLETION, position=document.place)).items
    item = next(each for each in items if each.label == "stablehlo.multiply")
    assert item.insert_text_format is None
    assert "$" not in item.text_edit.new_text
    edit = await document.request(types.TEXT_DOCUMENT_RENAME, position=document.at("%0"), new_name="x")
    assert list(edit.changes) == [document.uri]


async def test_requests_are_traced_for_a_client_that_asks(begin: Begin) -> None:
    client = await begin()
    traces: list[str] = []
    client.lsp.feature(types.LOG_TRACE)(lambda params: traces.append(params.message))
    client.lsp.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    document = await client.open(NUMBERS)
    await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%0"))
    await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%0"))
    assert any(trace.startswith("textDocument/hover: ") for trace in traces)


async def test_what_goes_wrong_is_in_the_clients_log(begin: Begin) -> None:
    client = await begin()
    client.lsp.protocol.writer.write(b"Content-Length: 7\r\n\r\nno JSON")
    await client.open(NUMBERS)
    assert any("no JSON" in each.message for each in client.lsp.log_messages)


async def test_the_server_ends_with_its_client(begin: Begin) -> None:
    client = await begin()
    await client.open(large(100))
    server = client.lsp._server
    assert server is not None
    assert server.stdin is not None
    server.stdin.close()
    assert await asyncio.wait_for(server.wait(), 10) == 1


async def test_exit_codes_tell_whether_a_shutdown_was_asked_for() -> None:
    exit_ = b'{"jsonrpc": "2.0", "method": "exit"}'
    process = await asyncio.create_subprocess_exec(
        *SERVER, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    await process.communicate(b"Content-Length: %d\r\n\r\n" % len(exit_) + exit_)
    assert process.returncode == 1


async def test_a_lens_shows_the_uses_of_a_function(begin: Begin) -> None:
    client = await begin({"commands": {"references": "editor.references"}, "allowRun": False})
    document = await client.open(TRACED)
    lenses = await document.request(types.TEXT_DOCUMENT_CODE_LENS)
    assert [lens.command.title for lens in lenses] == ["2 uses", "2 uses"]
    uri, place, uses = lenses[0].command.arguments
    assert (lenses[0].command.command, uri) == ("editor.references", document.uri)
    assert place["line"] == lenses[0].range.start.line
    assert [use["uri"] for use in uses] == [uri] * 2


async def test_start_up_loads_neither_interpreter_nor_codec_nor_transforms() -> None:
    heavy = "shlo.interpreter", "shlo_bytecode", "shlo.transforms", "shlo.compare", "shlo.debugger", "scipy"
    code = f"import sys, shlo_lsp.server\nprint(sorted(sys.modules.keys() & {{*{heavy}}}))"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    shown, _ = await process.communicate()
    assert shown == b"[]\n"


async def test_a_lens_tells_the_cost_of_a_function_when_it_is_resolved(begin: Begin) -> None:
    client = await begin({"commands": {"cost": "editor.cost"}, "allowRun": False})
    document = await client.open(TRACED)
    lenses = [lens for lens in await document.request(types.TEXT_DOCUMENT_CODE_LENS) if lens.command is None]
    assert {lens.data["function"] for lens in lenses} >= {"helper", "impl"}
    resolved = await client.request(types.CODE_LENS_RESOLVE, lenses[0])
    assert re.fullmatch(r"[\d.]+ \w*FLOP, .* accessed, peak .*B", resolved.command.title)
    assert (resolved.command.command, *resolved.command.arguments) == ("editor.cost", lenses[0].data)
    quiet = await begin({"allowRun": False})
    other = await quiet.open(TRACED)
    assert not await other.request(types.TEXT_DOCUMENT_CODE_LENS)
