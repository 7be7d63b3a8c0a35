"""What a request's answer sees: the newest edition in offsets, and the client's positions."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from lsprotocol import types
from msgspec import Struct
from pygls import uris
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.support.cancellation import checked
from shlo_lsp.documents import Edition
from shlo_lsp.settings import Settings


def path_of(uri: str) -> str | None:
    """Returns the path that a URI of the scheme `file` names on this machine, None for any other."""
    return uris.to_fs_path(uri) if uri.startswith("file:///") else None


class Client(Struct, frozen=True):
    """What the client can do and wants; `folders` are the paths of its workspace's folders."""

    capabilities: types.ClientCapabilities
    settings: Settings
    folders: tuple[str, ...] = ()

    @property
    def asks_for_diagnostics(self) -> bool:
        """Whether the client asks for findings, so that none are pushed."""
        can_ask, can_take = (
            get_capability(self.capabilities, f"text_document.{capability}", None) is not None
            for capability in ("diagnostic", "publish_diagnostics")
        )
        return can_ask and (self.settings.pulls_diagnostics or not can_take)

    def can(self, capability: str) -> bool:
        """Returns whether the client has a capability (`text_document.hover`)."""
        return bool(get_capability(self.capabilities, capability, False))

    def knows(self, capability: str, word: str) -> bool:
        """Returns whether a word is in a list that the client gives as a capability."""
        return word in (get_capability(self.capabilities, capability, None) or ())


class View(Struct, frozen=True):
    """A document as a request sees it. Positions that came with the request speak of the edition `asked`;
    answers speak of `edition`, which may be newer, and `document` is its programs. `memory` is what features
    keep of the document between two requests."""

    uri: str
    client: Client
    asked: Edition
    edition: Edition
    document: Document
    memory: dict[str, Any]

    def offset(self, position: types.Position) -> int:
        """Returns the offset of a position of the request."""
        return self.asked.shifted(self.asked.lines.offset(position), self.edition)

    def span(self, range_: types.Range) -> Span:
        """Returns the span of a range of the request."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

    def position(self, offset: int) -> types.Position:
        """Returns the position of an offset, for the answer."""
        return self.edition.lines.position(offset)

    def range(self, span: Span) -> types.Range:
        """Returns the range of a span, for the answer."""
        return self.edition.lines.range(span)

    def markup(self, text: str, capability: str) -> types.MarkupContent:
        """Markdown; called plain text for a client that shows no Markdown at that place."""
        is_known = self.client.knows(capability, types.MarkupKind.Markdown)
        return types.MarkupContent(
            types.MarkupKind.Markdown if is_known else types.MarkupKind.PlainText, text
        )


def text_edits(view: View, edits: Iterable[Edit]) -> list[types.TextEdit]:
    """Returns edits of one text, none of which depends on another."""
    whole = Span(0, len(view.document.text))
    return [types.TextEdit(view.range(edit.span or whole), edit.text) for edit in checked(edits)]


def workspace_edit(view: View, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    """Returns edits to apply, to this version of the document alone where the client can tell."""
    lsp_edits = text_edits(view, edits)
    if not view.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit({view.uri: lsp_edits})
    document = types.OptionalVersionedTextDocumentIdentifier(view.uri, view.edition.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, lsp_edits)])


# -- The errors of requests ----------------------------------------------------------------------------------


class RequestFailed(JsonRpcException):
    """A request that is a valid one and cannot be fulfilled, and why, in words for people."""

    CODE = types.LSPErrorCodes.RequestFailed.value


def is_news(record: logging.LogRecord) -> bool:
    """Returns whether a line belongs in the log: not a refusal of a request, which its answer says, nor a
    message that cannot be read, of which the protocol logs a line.
    """
    error = record.exc_info[1] if record.exc_info else None
    is_refusal = isinstance(error, (RequestFailed, JsonRpcContentModified, JsonRpcInvalidParams))
    return not is_refusal and record.funcName != "structure_message"
