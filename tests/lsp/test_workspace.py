"""The folders of a workspace, notebooks, clients that ask for findings, and a session over TCP."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types

from shlo.language.workspace_index import WorkspaceIndex, places
from tests.lsp.conftest import Client
from tests.lsp.programs import NUMBERS

Begin = Callable[..., Awaitable[Client]]
WRONG = "func.func @wrong() -> tensor<2xf32> {\n  return %missing : tensor<2xf32>\n}\n"


def test_an_index_follows_the_files_and_survives_damage(tmp_path: Path) -> None:
    folder, cache = tmp_path / "programs", tmp_path / "cache"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.mlir").write_text(NUMBERS)
    (folder / "inner" / "b.mlir").write_text('module @m {\n  func.func private @"é f"()\n}\n')
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "c.mlir").write_text(NUMBERS)

    def names() -> list[str]:
        index = WorkspaceIndex([str(folder)], cache)
        index.refresh()
        return [place.name for _, place in index.symbols("")]

    assert names() == ["numbers", "m", "é f"]
    (saved,) = cache.iterdir()
    for damage in (b"", b"[1, {", b"[1, 7]", b'[1, {"x": [1, 2, [["n", "k", 0, 1, 2]]]}]', b"\xff"):
        saved.write_bytes(damage)
        assert names() == ["numbers", "m", "é f"]
    (folder / "a.mlir").write_text(NUMBERS.replace("@numbers", "@digits"))
    (folder / "inner" / "b.mlir").unlink()
    assert names() == ["digits"]


@pytest.mark.timeout(60)
def test_a_string_that_its_line_does_not_close_takes_linear_time() -> None:
    assert [place.name for place in places('"' + '\\"' * 50_000 + "\nfunc.func @f")] == ["f"]


def test_definitions_are_told_from_uses_strings_and_comments() -> None:
    text = '// @no\nfunc.func public @f() {\n  "x"() {a = "@no"} : () -> ()\n  call @g() : () -> ()\n}\n'
    found = [(place.name, place.kind, place.line, place.start[0]) for place in places(text)]
    assert found == [("f", "func.func", 1, 17)]


@pytest.mark.slow
@pytest.mark.asyncio
async def test_symbols_and_findings_of_the_whole_folder(
    begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "numbers.mlir").write_text(NUMBERS)
    (folder / "wrong.mlir").write_text(WRONG)
    os.mkfifo(folder / "pipe.mlir")  # reading it would wait for ever
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.mlir")).write_text(WRONG)  # has no URI
    client = await begin(folders=[folder])
    symbols = await client.request(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("@"))
    assert [(each.name, Path(each.location.uri).name) for each in symbols] == [
        ("@numbers", "numbers.mlir"),
        ("@wrong", "wrong.mlir"),
    ]
    report = await client.request(types.WORKSPACE_DIAGNOSTIC, types.WorkspaceDiagnosticParams([]))
    assert [[item.code for item in each.items] for each in report.items] == [[], ["syntax"]]
    known = [types.PreviousResultId(each.uri, each.result_id) for each in report.items]
    report = await client.request(types.WORKSPACE_DIAGNOSTIC, types.WorkspaceDiagnosticParams(known))
    assert [each.kind for each in report.items] == ["unchanged", "unchanged"]


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_client_that_asks_for_findings_is_pushed_none(begin: Begin) -> None:
    def asks(capabilities: types.ClientCapabilities) -> None:
        assert capabilities.text_document is not None
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()

    client = await begin({"diagnostics": "pull"}, adapt=asks)
    assert client.answer.capabilities.diagnostic_provider is not None
    item = types.TextDocumentItem("file:///asked.mlir", "mlir", 0, WRONG)
    client.lsp.text_document_did_open(types.DidOpenTextDocumentParams(item))
    asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(item.uri))
    report = await client.request(types.TEXT_DOCUMENT_DIAGNOSTIC, asked)
    assert [each.code for each in report.items] == ["syntax"]
    asked.previous_result_id = report.result_id
    assert (await client.request(types.TEXT_DOCUMENT_DIAGNOSTIC, asked)).kind == "unchanged"
    assert client.published == []
    pushed = await begin()
    assert pushed.answer.capabilities.diagnostic_provider is None


@pytest.mark.slow
@pytest.mark.asyncio
async def test_cells_of_a_notebook_have_findings(begin: Begin) -> None:
    def notebooks(capabilities: types.ClientCapabilities) -> None:
        sync = types.NotebookDocumentSyncClientCapabilities()
        capabilities.notebook_document = types.NotebookDocumentClientCapabilities(sync)

    client = await begin(adapt=notebooks)
    assert client.answer.capabilities.notebook_document_sync is not None
    cells = [
        types.TextDocumentItem(f"vscode-notebook-cell:/n.ipynb#{number}", language, 0, WRONG)
        for number, language in enumerate(("mlir", "python"))
    ]
    kinds = [types.NotebookCell(types.NotebookCellKind.Code, cell.uri) for cell in cells]
    notebook = types.NotebookDocument("file:///n.ipynb", "jupyter-notebook", 0, kinds)
    client.lsp.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, cells))
    found = await client.published_for(cells[0].uri, 0)
    assert [each.code for each in found.diagnostics] == ["syntax"]
    edited = types.NotebookDocumentCellContentChanges(
        types.VersionedTextDocumentIdentifier(1, cells[0].uri),
        [types.TextDocumentContentChangeWholeDocument(NUMBERS)],
    )
    change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[edited]))
    identifier = types.VersionedNotebookDocumentIdentifier(1, notebook.uri)
    client.lsp.notebook_document_did_change(types.DidChangeNotebookDocumentParams(identifier, change))
    assert list((await client.published_for(cells[0].uri, 1)).diagnostics) == []
    assert {each.uri for each in client.published} == {cells[0].uri}
