"""Whatever a client sends, the server goes on."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from shlo.language import Document
from shlo.language.formatting import format_document
from shlo.support.cancellation import Cancellation
from shlo.syntax.formatter import _Formatter
from shlo_lsp.documents import in_thread
from tests.lsp.conftest import Client
from tests.lsp.programs import LOOP, large
from tests.lsp.test_requests import AT_A_PLACE, EVERYWHERE, OF_A_TEXT

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
FAR = 2**31 - 1
ABSURD: list[Any] = [
    None,
    [],
    "text",
    {},
    {"textDocument": None, "position": 7},
    {"textDocument": {"uri": 7}, "position": {"line": "x", "character": {}}},
    {
        "textDocument": {"uri": "file:///unknown.mlir"},
        "position": {"line": 0, "character": 0},
        "newName": "x",
    },
]


async def alive(client: Client) -> None:
    document = await client.open(LOOP)
    assert await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%x"))
    document.close()


@pytest.mark.parametrize("method", [*AT_A_PLACE, *OF_A_TEXT, types.WORKSPACE_EXECUTE_COMMAND])
async def test_absurd_parameters_are_an_error(client: Client, method: str) -> None:
    for params in ABSURD:
        with pytest.raises(JsonRpcException):
            await client.raw(method, params)
    await alive(client)


@pytest.mark.parametrize("place", [types.Position(FAR, FAR), types.Position(0, FAR), types.Position(7, FAR)])
async def test_positions_beyond_the_text_are_answered(client: Client, place: types.Position) -> None:
    document = await client.open(LOOP)
    for method, fields in AT_A_PLACE.items():
        if method != types.TEXT_DOCUMENT_RENAME:
            await document.request(method, position=place, **fields)
    backwards = types.Range(EVERYWHERE.end, EVERYWHERE.start)
    await document.request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, range=backwards)
    await document.request(types.TEXT_DOCUMENT_INLAY_HINT, range=backwards)


async def test_unknown_requests_and_messages_that_are_none(client: Client) -> None:
    with pytest.raises(JsonRpcException, match="Not Found"):
        await client.raw("textDocument/unheardOf", {})
    with pytest.raises(JsonRpcException, match="Not Found"):
        await client.raw("textDocument/unheardOf", {}, unheard=1)
    for body in (b"no JSON", b"[]", b"7", b'{"jsonrpc": "1.0"}', b'{"jsonrpc": "2.0", "id": 1}'):
        client.lsp.protocol.writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    client.lsp.protocol.writer.write(b"Content-Type: nonsense\r\n\r\n")
    await alive(client)


async def test_documents_that_are_not_open(client: Client) -> None:
    document = await client.open(LOOP)
    document.close()
    document.close()
    document.edit("%a", "%b")
    await document.request_fails(types.TEXT_DOCUMENT_HOVER, "not open", position=document.place)
    await alive(client)


async def test_an_old_question_is_answered_from_the_newest_text(client: Client) -> None:
    document = await client.open(large(4_000))
    place = document.at("%v3999, %v0", 2)
    document.edit("tensor<4x8xf32>)", "tensor<4x7xf32>)")  # keeps the server busy
    hover = client.ask(types.TEXT_DOCUMENT_HOVER, document.params(types.TEXT_DOCUMENT_HOVER, position=place))
    document.edit("func.func", "\nfunc.func")
    answer = await hover
    assert "%v3999" in answer.contents.value
    assert answer.range.start.line in (place.line, place.line + 1)


async def test_findings_of_text_that_is_typed_fast_are_of_the_last_version(client: Client) -> None:
    document = await client.open(large(2_000))
    for digit in range(30):
        document.edit(f"@large{digit or ''}(", f"@large{digit + 1}(")
    assert await document.findings(30) == []
    versions = [each.version for each in client.published if each.uri == document.uri]
    assert versions == sorted(versions)
    assert len(versions) < 31
    assert (await document.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL))[0].name == "@large30"


async def test_a_request_can_be_cancelled(client: Client) -> None:
    document = await client.open(large(8_000))
    document.edit("%v0: tensor<4x8xf32>", "%v0: tensor<4x7xf32>")
    method, numbers = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, [f"cancelled {number}" for number in range(5)]
    answers = [client.ask(method, document.params(method), number) for number in numbers]
    for number in numbers:
        client.lsp.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
    errors = await asyncio.gather(*answers, return_exceptions=True)
    codes = [getattr(each, "code", None) for each in errors]
    assert codes.count(types.LSPErrorCodes.RequestCancelled.value) >= 4
    await alive(client)


async def test_a_hover_is_answered_while_a_long_formatting_runs(client: Client) -> None:
    document = await client.open(large(20_000))
    await document.findings()
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    method = types.TEXT_DOCUMENT_FORMATTING
    formatting = client.ask(method, document.params(method, options=options))
    assert await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%v1"))
    assert not formatting.done()
    await formatting
    document.close()


async def test_a_formatting_that_is_cancelled_ends_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    programs, begun, done = Document(large(3_000)), threading.Event(), 0
    formatted = _Formatter.operation

    def counted(*arguments: Any) -> str:
        nonlocal done
        done += 1
        begun.set()
        time.sleep(0.001)
        return formatted(*arguments)

    monkeypatch.setattr(_Formatter, "_child", counted)
    with ThreadPoolExecutor(1) as executor:
        task = asyncio.ensure_future(in_thread(executor, Cancellation(), format_document, programs))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert 0 < done < 1_000


async def test_edits_are_refused_where_the_text_has_changed(client: Client) -> None:
    document = await client.open(large(4_000))
    document.edit("@large", "@long")
    method = types.TEXT_DOCUMENT_RENAME
    renaming = client.ask(method, document.params(method, position=document.at("%v1"), new_name="one"))
    document.edit("@long", "@longer")
    with pytest.raises(JsonRpcException, match="changed meanwhile"):
        await renaming


async def test_hostile_strings_stay_code(client: Client) -> None:
    name = '"<img src=x onerror=alert(1)> [x](command:evil) `` ```\\1B[31m"'
    document = await client.open(
        f"func.func private @{name}()\nfunc.func @g() {{\n  call @{name}() : () -> ()\n  return\n}}\n"
    )
    hover = await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("call @", 8))
    lines = hover.contents.value.split("\n")
    assert lines[0] == "````mlir"
    assert lines[2] == "````"
    assert "\x1b" not in hover.contents.value
