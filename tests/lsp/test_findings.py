"""When findings are published: those of the parser at once, those of the verifier with them or behind."""

from __future__ import annotations

import time
from typing import Any

import pytest
from lsprotocol import types

from shlo_lsp import findings
from shlo_lsp.documents import Edition, OpenDocument
from shlo_lsp.positions import Lines
from shlo_lsp.server import TOGETHER, Server
from shlo_lsp.settings import Settings
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

    sent: list[types.PublishDiagnosticsParams] = []
    server = Server()
    monkeypatch.setattr(findings, "of_everything", slowly)
    monkeypatch.setattr(Server, "client", Client(types.ClientCapabilities(), Settings(unused=False)))
    monkeypatch.setattr(server, "text_document_publish_diagnostics", sent.append)
    document = OpenDocument("file:///f.mlir", Edition(Lines(TEXT, "utf-16"), 0), server._workers)
    await server._publish_newest(document)
    return [[each.code for each in params.diagnostics] for params in sent]


@pytest.mark.asyncio
async def test_the_parsers_findings_come_first_where_the_verifier_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await published(monkeypatch, 10 * TOGETHER) == [["syntax"], ["add-C1", "syntax"]]


@pytest.mark.asyncio
async def test_a_quick_verifier_makes_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo_lsp.server.TOGETHER", 30.0)
    assert await published(monkeypatch, 0) == [["add-C1", "syntax"]]
