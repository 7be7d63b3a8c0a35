"""When findings are published: those of the parser at once, those of the verifier with them or behind."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import pytest
from lsprotocol import types
from pygls.io_ import StdoutWriter

from shlo_lsp import findings
from shlo_lsp.documents import Edition, OpenDocument
from shlo_lsp.positions import Lines
from shlo_lsp.server import TOGETHER, Server
from shlo_lsp.settings import Settings
from shlo_lsp.transport import messages
from shlo_lsp.view import Client

TEXT = """\
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  %1 = stablehlo.abs %missing : tensor<4xf32>
  return
}
"""


async def published(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[list[Any]]:
    """Returns the codes of what is published for a text, one list after another, with a verifier that takes
    long.
    """
    everything = findings.of_everything

    def slowly(document: OpenDocument, client: Client) -> findings.Found:
        time.sleep(seconds)
        return everything(document, client)

    output = io.BytesIO()
    server = Server()
    monkeypatch.setattr(findings, "of_everything", slowly)
    monkeypatch.setattr(Server, "client", Client(types.ClientCapabilities(), Settings(unused=False)))
    server.protocol.set_writer(StdoutWriter(output))
    document = OpenDocument("file:///f.mlir", Edition(Lines(TEXT, "utf-16"), 0), server._workers)
    await server._publish_newest(document)
    sent = map(json.loads, messages(io.BytesIO(output.getvalue())))
    return [[each["code"] for each in message["params"]["diagnostics"]] for message in sent]


@pytest.mark.asyncio
async def test_the_parsers_findings_come_first_where_the_verifier_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await published(monkeypatch, 10 * TOGETHER) == [["syntax"], ["add-C1", "syntax"]]


@pytest.mark.asyncio
async def test_a_quick_verifier_makes_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo_lsp.server.TOGETHER", 30.0)
    assert await published(monkeypatch, 0) == [["add-C1", "syntax"]]
