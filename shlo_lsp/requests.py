"""What the server answers: a table of requests, each answered by a small module of `features`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from shlo_lsp.features import (
    bytecode,
    completion,
    edits,
    hints,
    lifecycle,
    navigation,
    outline,
    run,
    semantic_tokens,
)
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server


@dataclass(frozen=True, slots=True)
class Request:
    """A request about a document, and what answers it in a worker thread. `options` are what the server says
    about it; one that `reads_text_only` waits for no reading of the program; one that `gives_edits` is
    refused where the text has changed meanwhile."""

    method: str
    answer: Callable[[View, Any], Any]
    options: Any = None
    reads_text_only: bool = False
    gives_edits: bool = False


REQUESTS = (
    Request(types.TEXT_DOCUMENT_HOVER, hints.hover_at),
    Request(types.TEXT_DOCUMENT_COMPLETION, completion.answer, completion.OPTIONS),
    Request(types.TEXT_DOCUMENT_SIGNATURE_HELP, hints.signature_at, hints.SIGNATURE_OPTIONS),
    Request(types.TEXT_DOCUMENT_DEFINITION, navigation.definition),
    Request(types.TEXT_DOCUMENT_REFERENCES, navigation.references),
    Request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.highlights),
    Request(types.TEXT_DOCUMENT_SELECTION_RANGE, navigation.selection_ranges),
    Request(types.TEXT_DOCUMENT_PREPARE_RENAME, edits.prepare_rename),
    Request(types.TEXT_DOCUMENT_RENAME, edits.rename_edits, gives_edits=True),
    Request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.document_symbols),
    Request(types.TEXT_DOCUMENT_FOLDING_RANGE, outline.folding_ranges),
    *(
        Request(method, answer, semantic_tokens.LEGEND, reads_text_only=True)
        for method, answer in semantic_tokens.ANSWERS.items()
    ),
    Request(types.TEXT_DOCUMENT_INLAY_HINT, hints.inlay_hints),
    Request(types.TEXT_DOCUMENT_FORMATTING, edits.format_document_edits, gives_edits=True),
    Request(types.TEXT_DOCUMENT_RANGE_FORMATTING, edits.format_range_edits, gives_edits=True),
    Request(types.TEXT_DOCUMENT_CODE_ACTION, edits.code_actions, edits.CODE_ACTION_OPTIONS, gives_edits=True),
    Request(types.TEXT_DOCUMENT_CODE_LENS, run.code_lenses, run.CODE_LENS_OPTIONS),
)

OTHERS: dict[str, Callable[[Server, Any], Any]] = {
    types.INITIALIZE: lifecycle.initialize,
    types.COMPLETION_ITEM_RESOLVE: completion.resolve,
    types.WORKSPACE_SYMBOL: outline.workspace_symbols,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: lifecycle.configure,
    bytecode.READ: bytecode.read,
    bytecode.CONVERT: bytecode.convert,
}
"""Requests about no document that is open, and notifications."""

REPLACED: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: lambda server, params: server.open(params.text_document),
    types.TEXT_DOCUMENT_DID_CHANGE: lambda server, params: server.change(
        params.text_document, params.content_changes
    ),
    types.TEXT_DOCUMENT_DID_CLOSE: lambda server, params: server.close(params.text_document.uri),
    types.WORKSPACE_EXECUTE_COMMAND: run.command,
}
"""What pygls has an answer to of its own: its texts take long to edit when they are large, its commands
cannot be cancelled."""


def register(server: Server) -> None:
    """Tells pygls of all requests."""
    for request in REQUESTS:
        server.feature(request.method, request.options)(partial(server.answer, request))
    for method, answer in OTHERS.items():
        server.feature(method)(partial(answer, server))
    for method, answer in REPLACED.items():
        server.protocol.fm.add_builtin_feature(method, partial(answer, server))  # pyright: ignore[reportUnknownMemberType]  # pygls leaves it untyped
    for name, execute in run.COMMANDS.items():
        server.command(name)(execute)
