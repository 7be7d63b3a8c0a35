"""What a request's answer sees: the newest edition in offsets, and the client's positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import get_capability

from shlo.ir.source import Span
from shlo.language import Document
from shlo_lsp.documents import Edition

if TYPE_CHECKING:
    from shlo_lsp.settings import Settings


@dataclass(frozen=True)
class Client:
    """What the client can do and wants."""

    capabilities: types.ClientCapabilities
    settings: Settings

    def can(self, capability: str) -> bool:
        """Returns whether the client has a capability (`text_document.hover`)."""
        return bool(get_capability(self.capabilities, capability, False))

    def knows(self, capability: str, word: str) -> bool:
        """Returns whether a word is in a list that the client gives as a capability."""
        return word in (get_capability(self.capabilities, capability, None) or ())


@dataclass(frozen=True)
class View:
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
