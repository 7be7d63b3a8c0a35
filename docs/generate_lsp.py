"""Writes docs/lsp.md: every message of the Language Server Protocol, and which servers have it.

python docs/generate_lsp.py

Methods and their directions come from lsprotocol, shlo's column from its server. The others' columns are what
their sources say at the commits named on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

import shlo_lsp
from shlo_lsp.server import Server

PAGE = Path(__file__).with_name("lsp.md")
SOURCES = Path(shlo_lsp.__file__).parent
SPECIFICATION = "https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/"


class Peer(NamedTuple):
    """Another server: where its source says what it has, and the methods that it answers, takes or sends."""

    name: str
    source: str
    methods: frozenset[str]


def _methods(text: str) -> frozenset[str]:
    return frozenset(text.split()) | {"initialize", "initialized", "shutdown", "exit", "$/cancelRequest"}


_OPEN = "textDocument/didOpen textDocument/didChange textDocument/didClose textDocument/publishDiagnostics "
_COMMON = (
    _OPEN + "textDocument/didSave textDocument/codeAction textDocument/completion textDocument/declaration "
    "textDocument/definition textDocument/documentHighlight textDocument/documentSymbol "
    "textDocument/foldingRange textDocument/formatting textDocument/hover textDocument/implementation "
    "textDocument/inlayHint textDocument/onTypeFormatting textDocument/prepareRename "
    "textDocument/rangeFormatting textDocument/references textDocument/rename textDocument/selectionRange "
    "textDocument/semanticTokens/full textDocument/semanticTokens/full/delta textDocument/signatureHelp "
    "textDocument/typeDefinition textDocument/prepareCallHierarchy callHierarchy/incomingCalls "
    "callHierarchy/outgoingCalls workspace/symbol workspace/didChangeConfiguration "
    "workspace/didChangeWatchedFiles window/workDoneProgress/create $/progress window/showMessage "
    "workspace/semanticTokens/refresh "
)
PEERS = (
    Peer(
        "mlir-lsp-server",
        "llvm-project 0278b841e934, mlir/lib/Tools/mlir-lsp-server/LSPServer.cpp",
        _methods(
            _OPEN + "textDocument/codeAction textDocument/completion textDocument/definition "
            "textDocument/documentSymbol textDocument/hover textDocument/references"
        )
        - {"$/cancelRequest"},
    ),
    Peer(
        "clangd",
        "llvm-project 002b411ee3a0, clang-tools-extra/clangd/ClangdLSPServer.cpp",
        _methods(
            _COMMON + "textDocument/documentLink textDocument/rangesFormatting "
            "textDocument/prepareTypeHierarchy typeHierarchy/supertypes typeHierarchy/subtypes "
            "workspace/executeCommand workspace/applyEdit"
        ),
    ),
    Peer(
        "rust-analyzer",
        "rust-analyzer 0539cf1f81d0, crates/rust-analyzer/src/lsp/capabilities.rs",
        _methods(
            _COMMON + "textDocument/codeLens codeLens/resolve codeAction/resolve completionItem/resolve "
            "inlayHint/resolve textDocument/semanticTokens/range textDocument/diagnostic "
            "workspace/willRenameFiles workspace/didChangeWorkspaceFolders workspace/configuration "
            "client/registerCapability workspace/codeLens/refresh workspace/inlayHint/refresh "
            "workspace/diagnostic/refresh window/workDoneProgress/cancel"
        ),
    ),
)
NOTES = {
    "textDocument/diagnostic": "for clients that ask: `diagnostics: pull`, or without pushed ones",
    "workspace/diagnostic": "programs of the folders that are not open",
    "workspace/symbol": "open documents, and an index of the folders on disk",
    "textDocument/inlineValue": "values at a stop of the debug adapter",
    "textDocument/prepareTypeHierarchy": "values: what made one, what uses it",
    "textDocument/moniker": "names of MLIR have no meaning across repositories",
    "textDocument/documentColor": "swatches are for colours that a text names: programs name numbers and "
    "types; colours of values are the tensor view's",
    "textDocument/colorPresentation": "as for documentColor",
    "textDocument/inlineCompletion": "for language models",
    "textDocument/willSaveWaitUntil": "formatting on saving is the editor's",
    "workspace/willRenameFiles": "no program names another file",
    "workspace/willCreateFiles": "no program names another file",
    "workspace/willDeleteFiles": "no program names another file",
    "notebookDocument/didOpen": "cells of MLIR are documents",
    "textDocument/didChange": "incremental, in UTF-8, UTF-16 or UTF-32",
    "window/workDoneProgress/create": "while folders are indexed",
}


def page() -> str:
    """The whole page."""
    names = list(types.METHOD_TO_TYPES)
    requests = [name for name in names if types.METHOD_TO_TYPES[name][1] is not None]
    notifications = [name for name in names if name not in requests]
    return "\n".join(
        [
            "# The language server and the protocol",
            "",
            "<!-- Written by docs/generate_lsp.py. -->",
            "",
            f"Every message of the [Language Server Protocol 3.18]({SPECIFICATION}), as",
            "lsprotocol lists them. The column of shlo is what its server registers and sends; the others'",
            "are what their sources say:",
            "",
            *(f"- {peer.name}: {peer.source}" for peer in PEERS),
            "",
            "## Requests of the client",
            "",
            *_table(each for each in requests if _is_from_client(each)),
            "## Requests of the server",
            "",
            *_table(each for each in requests if not _is_from_client(each)),
            "## Notifications of the client",
            "",
            *_table(each for each in notifications if _is_from_client(each)),
            "## Notifications of the server",
            "",
            *_table(each for each in notifications if not _is_from_client(each)),
            "Beside these, the server answers requests of its own: "
            + ", ".join(f"`{name}`" for name in sorted(_answered()) if name.startswith("shlo/"))
            + ".",
            "",
        ]
    )


def _table(methods: Iterable[str]) -> Iterator[str]:
    ours = _answered() | _sent()
    yield f"| method | shlo | {' | '.join(peer.name for peer in PEERS)} | |"
    yield f"|---|---|{'---|' * len(PEERS)}---|"
    for name in sorted(methods):
        columns = [name in ours, *(name in peer.methods for peer in PEERS)]
        marks = " | ".join("yes" if each else "-" for each in columns)
        yield f"| `{name}` | {marks} | {NOTES.get(name, '')} |"
    yield ""


def _is_from_client(method: str) -> bool:
    return types.message_direction(method) != "serverToClient" and method != types.PROGRESS


def _answered() -> frozenset[str]:
    """Returns the methods that our server has an answer to, or takes."""
    features = Server().protocol.fm
    builtin = {*features.builtin_features} - {types.WORKSPACE_EXECUTE_COMMAND}
    return frozenset({*features.features, *builtin, types.WORKSPACE_EXECUTE_COMMAND, types.CANCEL_REQUEST})


def _sent() -> frozenset[str]:
    """Returns the methods that our server sends: those whose functions of pygls its source calls."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.py")))
    return frozenset(
        name
        for name in types.METHOD_TO_TYPES
        if not _is_from_client(name) and re.search(rf"\.{_function(name)}(?:_async)?\(", text)
    )


def _function(method: str) -> str:
    """Returns the name of pygls' function that sends a message."""
    if method == types.PROGRESS:
        return r"work_done_progress\.(?:begin|report|end)"
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", method.removeprefix("$/")).replace("/", "_").lower()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
