"""Hierarchies, lines of Python and links over the protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from tests.language.programs import TRACED
from tests.lsp.conftest import Client, Document
from tests.lsp.programs import LOOP

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
PYTHON = "import jax\n\ndef attn(x):\n    return x + 1  # `tick`\n"


async def items(document: Document, method: str, item: object) -> list[str]:
    found = await document.client.request(method, types.METHOD_TO_TYPES[method][2](item=item))
    return [(each.from_ if hasattr(each, "from_") else getattr(each, "to", each)).name for each in found]


async def test_calls_and_values_have_hierarchies_that_survive_edits(client: Client) -> None:
    document = await client.open(TRACED)
    place = document.at("@helper(%1")
    (called,) = await document.request(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, position=place)
    assert await items(document, types.CALL_HIERARCHY_INCOMING_CALLS, called) == ["@main", "@impl"]
    assert await items(document, types.CALL_HIERARCHY_OUTGOING_CALLS, called) == ["@impl"]
    (value,) = await document.request(
        types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY, position=document.at("%2 = call")
    )
    assert (value.name, value.detail) == ("%2", "func.call: tensor<2xf32>")
    document.edit("%2 = call @helper(%1#1) :", "%2 = call @helper(%1#1 :")
    assert await items(document, types.TYPE_HIERARCHY_SUPERTYPES, value) == ["%1"]
    assert await items(document, types.TYPE_HIERARCHY_SUBTYPES, value) == ["%3"]
    document.close()


async def test_operations_and_locations_lead_to_python_and_back(client: Client, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(PYTHON)
    (tmp_path / "secret.txt").write_text("secret")
    for folder, text in (
        (tmp_path, TRACED),
        (tmp_path / "made", TRACED.replace('"model.py"', f'"/elsewhere/{tmp_path.name}/model.py"')),
    ):
        folders = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(tmp_path.as_uri(), "folder")], [])
        client.lsp.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(folders))
        document = Document(client, (folder / "a.mlir").as_uri(), text, 0)
        item = types.TextDocumentItem(document.uri, "mlir", 0, text)
        client.lsp.text_document_did_open(types.DidOpenTextDocumentParams(item))
        for method in (types.TEXT_DOCUMENT_DEFINITION, types.TEXT_DOCUMENT_DECLARATION):
            for place in ("stablehlo.add", "#loc5)"):
                found = await document.request(method, position=document.at(place, 1))
                assert (found.uri, found.range.start.line) == ((tmp_path / "model.py").as_uri(), 2), (
                    method,
                    place,
                )
        inner = await document.request(
            types.TEXT_DOCUMENT_DECLARATION, position=document.at("%arg0, %arg1 :")
        )
        assert inner.uri == document.uri  # an argument's definition: where it came from is not known
        shown = await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("stablehlo.add"))
        assert "def attn(x):" in shown.contents.value
        assert "`jit(f)/layer_1`" in shown.contents.value
        links = await document.request(types.TEXT_DOCUMENT_DOCUMENT_LINK)
        resolved = [await client.request(types.DOCUMENT_LINK_RESOLVE, link) for link in links]
        assert [link.target for link in resolved] == [f"{(tmp_path / 'model.py').as_uri()}#L3,4", None, None]
        back = await client.lsp.protocol.send_request_async(
            types.WORKSPACE_EXECUTE_COMMAND,
            types.ExecuteCommandParams(
                "shlo.opsOfPythonLine", [{"file": (tmp_path / "model.py").as_uri(), "line": 3}]
            ),
        )
        assert [(each["uri"], each["name"]) for each in back] == [(document.uri, "stablehlo.add")]
        answer = await client.raw("shlo/opsOfLine", {"file": "model.py"})
        assert [tuple(each.values()) for each in answer] == [(document.uri, 3, 1)]
        document.close()


@pytest.mark.parametrize(
    "path", ["secret.txt", "../secret.py", "http://x/other.py", "//host/share/other.py", "folder.py"]
)
async def test_only_python_files_of_this_machine_are_opened(
    client: Client, tmp_path: Path, path: str
) -> None:
    inside = tmp_path / "in"
    (inside / "folder.py").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("secret = 1\n")
    (inside / "secret.txt").write_text("secret\n")
    (inside / "link.py").symlink_to("/etc/passwd")
    text = f'func.func private @f() loc("{path}":1:1)\n'
    document = Document(client, (inside / "a.mlir").as_uri(), text, 0)
    client.lsp.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(document.uri, "mlir", 0, text))
    )
    place = document.at(path)
    assert await document.request(types.TEXT_DOCUMENT_DEFINITION, position=place) is None
    shown = await document.request(types.TEXT_DOCUMENT_HOVER, position=place)
    assert "secret = 1" not in shown.contents.value
    for link in await document.request(types.TEXT_DOCUMENT_DOCUMENT_LINK):
        assert (await client.request(types.DOCUMENT_LINK_RESOLVE, link)).target is None
    document.close()


async def test_unused_results_are_faded_unless_that_is_switched_off(client: Client) -> None:
    text = LOOP.replace("  return", "  %unused = stablehlo.add %a, %a : tensor<2xf32>\n  return")
    for wanted, expected in ((True, ["%unused = stablehlo.add %a, %a : tensor<2xf32>"]), (False, [])):
        client.lsp.workspace_did_change_configuration(types.DidChangeConfigurationParams({"unused": wanted}))
        document = await client.open(text)
        while len(found := await document.findings()) < len(expected):
            await asyncio.sleep(0.02)  # they may come behind others
        assert [document.words(each.range) for each in found] == expected
        assert [list(each.tags) for each in found] == [[types.DiagnosticTag.Unnecessary]] * len(expected)
        document.close()


async def test_names_that_change_together_and_lines_that_are_indented(client: Client) -> None:
    document = await client.open(LOOP.replace("%p : tensor<i1>", "%p : tensor<i1\n|"))
    linked = await document.request(
        types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, position=document.at("%a: tensor", 2)
    )
    assert {document.words(range_) for range_ in linked.ranges} == {"a"}
    (edit,) = await document.request(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        position=document.place,
        ch="\n",
        options=types.FormattingOptions(tab_size=2, insert_spaces=True),
    )
    assert edit.new_text == "      "
    document.close()
