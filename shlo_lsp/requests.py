"""What the server answers: a table of requests, each answered by a small module of `features`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct

from shlo_lsp.features import (
    bytecode,
    compare,
    completion,
    diagnostics,
    edits,
    hints,
    lifecycle,
    lowered,
    navigation,
    outline,
    python_lines,
    refactor,
    run,
    semantic_tokens,
    tensors,
    workspace,
)
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server


def document_uri(params: Any) -> str:
    """Returns the URI of the document that a request is about."""
    return params.text_document.uri


def item_uri(params: Any) -> str:
    """Returns the URI of the document that the item of a hierarchy is in."""
    return params.item.uri


class Request(Struct, frozen=True):
    """A request about a document, and what answers it in a worker thread. `options` are what the server says
    about it; one that `reads_text_only` waits for no reading of the program; one that `gives_edits` is
    refused where the text has changed meanwhile; one that `is_long`, whose answer takes the longer the larger
    the text is, keeps no quick one waiting; `uri_of` tells which document it is about."""

    method: str
    answer: Callable[[View, Any], Any]
    options: Any = None
    reads_text_only: bool = False
    gives_edits: bool = False
    is_long: bool = False
    uri_of: Callable[[Any], str] = document_uri


REQUESTS = (
    Request(types.TEXT_DOCUMENT_HOVER, hints.hover_at),
    Request(types.TEXT_DOCUMENT_COMPLETION, completion.answer, completion.OPTIONS),
    Request(types.TEXT_DOCUMENT_SIGNATURE_HELP, hints.signature_at, hints.SIGNATURE_OPTIONS),
    Request(types.TEXT_DOCUMENT_DEFINITION, navigation.definition),
    Request(types.TEXT_DOCUMENT_REFERENCES, navigation.references, is_long=True),
    Request(types.TEXT_DOCUMENT_DECLARATION, navigation.declaration),
    Request(types.TEXT_DOCUMENT_TYPE_DEFINITION, navigation.type_definition),
    Request(types.TEXT_DOCUMENT_IMPLEMENTATION, navigation.implementation),
    Request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.highlights),
    Request(types.TEXT_DOCUMENT_SELECTION_RANGE, navigation.selection_ranges),
    Request(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, navigation.prepare_calls),
    Request(types.CALL_HIERARCHY_INCOMING_CALLS, navigation.incoming, uri_of=item_uri, is_long=True),
    Request(types.CALL_HIERARCHY_OUTGOING_CALLS, navigation.outgoing, uri_of=item_uri, is_long=True),
    Request(types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY, navigation.prepare_values),
    Request(types.TYPE_HIERARCHY_SUPERTYPES, navigation.supertypes, uri_of=item_uri, is_long=True),
    Request(types.TYPE_HIERARCHY_SUBTYPES, navigation.subtypes, uri_of=item_uri, is_long=True),
    Request(
        types.TEXT_DOCUMENT_DOCUMENT_LINK,
        python_lines.document_links,
        python_lines.DOCUMENT_LINK_OPTIONS,
        reads_text_only=True,
    ),
    Request(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, edits.linked_ranges),
    Request(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        edits.typed_edits,
        edits.ON_TYPE_OPTIONS,
        reads_text_only=True,
        gives_edits=True,
    ),
    Request(types.TEXT_DOCUMENT_PREPARE_RENAME, edits.prepare_rename),
    Request(types.TEXT_DOCUMENT_RENAME, edits.rename_edits, gives_edits=True, is_long=True),
    Request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.document_symbols, is_long=True),
    Request(types.TEXT_DOCUMENT_FOLDING_RANGE, outline.folding_ranges, is_long=True),
    *(
        Request(
            method,
            answer,
            semantic_tokens.LEGEND,
            reads_text_only=True,
            is_long=answer is not semantic_tokens.visible,
        )
        for method, answer in semantic_tokens.ANSWERS.items()
    ),
    Request(types.TEXT_DOCUMENT_INLAY_HINT, hints.inlay_hints),
    Request(types.TEXT_DOCUMENT_INLINE_VALUE, hints.inline_values_at),
    Request(types.TEXT_DOCUMENT_FORMATTING, edits.format_document_edits, gives_edits=True, is_long=True),
    Request(
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        edits.format_range_edits,
        edits.RANGES_OPTIONS,
        gives_edits=True,
        is_long=True,
    ),
    Request(types.TEXT_DOCUMENT_RANGES_FORMATTING, edits.format_ranges_edits, gives_edits=True, is_long=True),
    Request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        refactor.code_actions,
        refactor.OPTIONS,
        gives_edits=True,
        is_long=True,
    ),
    Request(
        types.CODE_ACTION_RESOLVE,
        refactor.resolve,
        gives_edits=True,
        is_long=True,
        uri_of=refactor.action_uri,
    ),
    Request(types.TEXT_DOCUMENT_CODE_LENS, run.code_lenses, run.CODE_LENS_OPTIONS, is_long=True),
    Request(types.CODE_LENS_RESOLVE, run.resolve_lens, is_long=True, uri_of=run.lens_uri),
)

OTHERS: dict[str, Callable[[Server, Any], Any]] = {
    types.INITIALIZE: lifecycle.initialize,
    types.COMPLETION_ITEM_RESOLVE: completion.resolve,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostics.of_document,
    types.DOCUMENT_LINK_RESOLVE: python_lines.resolve_link,
    types.WORKSPACE_SYMBOL: workspace.symbols,
    types.WORKSPACE_DIAGNOSTIC: workspace.diagnostics,
    types.INITIALIZED: workspace.watch,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: workspace.changed,
    types.WORKSPACE_DID_CREATE_FILES: workspace.changed,
    types.WORKSPACE_DID_RENAME_FILES: workspace.changed,
    types.WORKSPACE_DID_DELETE_FILES: workspace.changed,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: lifecycle.configure,
    bytecode.READ: bytecode.read,
    bytecode.WRITE: bytecode.write,
    bytecode.CONVERT: bytecode.convert,
    compare.COMPARE: compare.compare_programs,
    lowered.LOWER: lowered.lower_python,
    python_lines.OPERATIONS_OF_LINE: python_lines.operations_of_line,
    bytecode.VERSIONS: bytecode.versions,
    tensors.ARRAYS: tensors.arrays,
    tensors.TENSOR: tensors.tensor,
}
"""Requests about no document that is open, and notifications."""

OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostics.OPTIONS,
    types.WORKSPACE_DID_CREATE_FILES: workspace.FILE_OPERATIONS,
    types.WORKSPACE_DID_RENAME_FILES: workspace.FILE_OPERATIONS,
    types.WORKSPACE_DID_DELETE_FILES: workspace.FILE_OPERATIONS,
}
"""What the server says about others."""

REPLACED: dict[str, Callable[[Server, Any], Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: lambda server, params: server.open(params.text_document),
    types.TEXT_DOCUMENT_DID_CHANGE: lambda server, params: server.change(
        params.text_document, params.content_changes
    ),
    types.TEXT_DOCUMENT_DID_CLOSE: lambda server, params: server.close(params.text_document.uri),
    types.NOTEBOOK_DOCUMENT_DID_OPEN: lifecycle.notebook_did_open,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: lifecycle.notebook_did_change,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: lifecycle.notebook_did_close,
    types.WORKSPACE_EXECUTE_COMMAND: run.command,
}
"""What pygls has an answer to of its own: its texts take long to edit when they are large, its commands
cannot be cancelled."""


def register(server: Server) -> None:
    """Tells pygls of all requests."""
    for request in REQUESTS:
        server.feature(request.method, request.options)(partial(server.answer, request))
    for method, answer in OTHERS.items():
        server.feature(method, OPTIONS.get(method))(partial(answer, server))
    for method, answer in REPLACED.items():
        server.protocol.fm.add_builtin_feature(method, partial(answer, server))  # pyright: ignore[reportUnknownMemberType]  # pygls leaves it untyped
    for name, execute in run.COMMANDS.items():
        server.command(name)(execute)
