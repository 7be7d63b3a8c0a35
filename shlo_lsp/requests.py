"""What the server answers: a table of requests, each answered by a small module of `features`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import iscoroutinefunction
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
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        semantic_tokens.full,
        semantic_tokens.LEGEND,
        reads_text_only=True,
    ),
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        semantic_tokens.delta,
        semantic_tokens.LEGEND,
        reads_text_only=True,
    ),
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        semantic_tokens.visible,
        semantic_tokens.LEGEND,
        reads_text_only=True,
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
    types.TEXT_DOCUMENT_DID_OPEN: lifecycle.open_document,
    types.TEXT_DOCUMENT_DID_CHANGE: lifecycle.change_document,
    types.TEXT_DOCUMENT_DID_CLOSE: lifecycle.close_document,
    types.WORKSPACE_EXECUTE_COMMAND: run.command,
}
"""What pygls has an answer to of its own: its texts take long to edit when they are large, its commands
cannot be cancelled."""


def register(server: Server) -> None:
    """Tells pygls of all requests."""
    for request in REQUESTS:
        server.feature(request.method, request.options)(_asker(server, request))
    for method, answer in OTHERS.items():
        server.feature(method)(_caller(server, answer))
    for method, answer in REPLACED.items():
        server.protocol.fm.add_builtin_feature(method, _caller(server, answer))  # pyright: ignore[reportUnknownMemberType]  # pygls leaves it untyped
    for name, execute in run.COMMANDS.items():
        server.command(name)(execute)


def _asker(server: Server, request: Request) -> Callable[[Any], Awaitable[Any]]:
    async def ask(params: Any) -> Any:
        return await server.answer(request, params)

    return ask


def _caller(server: Server, answer: Callable[[Server, Any], Any]) -> Callable[[Any], Any]:
    if not iscoroutinefunction(answer):
        return lambda params: answer(server, params)

    async def call(params: Any) -> Any:
        return await answer(server, params)

    return call
