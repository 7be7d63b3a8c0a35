"""The documents that are open: their text, edited at once, and what the language service makes of them.

The event loop applies edits; a worker reads. An `Edition` is a text between two edits; it knows the edit that
followed, so that a question about an old one can be answered from the newest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo_lsp.positions import Lines

Result = TypeVar("Result")
Change = types.TextDocumentContentChangeEvent


class Edition:
    """A text of a document, its version, and the edit that leads to the next edition."""

    __slots__ = ("following", "lines", "version")

    def __init__(self, lines: Lines, version: int) -> None:
        self.lines = lines
        self.version = version
        self.following: tuple[Edit, Edition] | None = None

    @property
    def text(self) -> str:
        """The whole text."""
        return self.lines.text

    def edited(self, change: Change, version: int) -> Edition:
        """Returns the edition after a change."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = self.lines.span(change.range)
            after = Edition(self.lines.edited(span, change.text), version)
        else:
            span, after = None, Edition(Lines(change.text, self.lines.encoding), version)
        self.following = (Edit(span, change.text), after)
        return after

    def edits_until(self, last: Edition) -> list[Edit]:
        """Returns the edits that made a later edition of this one."""
        edits: list[Edit] = []
        edition = self
        while edition is not last and edition.following is not None:
            edit, edition = edition.following
            edits.append(edit)
        return edits

    def shifted(self, offset: int, last: Edition) -> int:
        """Returns a place of this edition in a later one; replaced text maps to its replacement."""
        for edit in self.edits_until(last):
            span = edit.span or Span(0, max(offset, len(edit.text)))
            if offset >= span.end and edit.span is not None:
                offset += len(edit.text) - (span.end - span.start)
            elif offset > span.start:
                offset = min(offset, span.start + len(edit.text))
        return offset


class OpenDocument:
    """A document that a client has open. One worker at a time reads it."""

    def __init__(self, uri: str, edition: Edition, workers: Executor) -> None:
        self.uri = uri
        self.name = uri.rpartition("/")[2] or uri
        self.is_open = True
        self.now = edition
        self._read = (edition, Document(edition.text, self.name, edition.version))
        self.memory: dict[str, Any] = {}
        """What a feature keeps of its last answer."""
        self._workers = workers
        self._turn = asyncio.Lock()

    def change(self, changes: Sequence[Change], version: int) -> None:
        """Applies the changes of a notification, each to what those before it left."""
        for change in changes:
            self.now = self.now.edited(change, version)

    def newest(self) -> tuple[Edition, Document]:
        """Returns the newest edition and its programs; for workers whose turn it is."""
        edition, document = self._read
        now = self.now
        if edition is not now:
            document = document.edit(edition.edits_until(now), now.version)
            self._read = (now, document)
        return self._read

    async def in_turn(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work in another thread when no other one reads the document. Work that is cancelled while it
        waits is never begun; work that has begun keeps its turn to its end."""
        await self._turn.acquire()
        try:
            future = asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)
        except BaseException:
            self._turn.release()
            raise
        future.add_done_callback(self._finished)
        return await asyncio.shield(future)

    def _finished(self, future: asyncio.Future[Any]) -> None:
        self._turn.release()
        if not future.cancelled():
            future.exception()  # the one who waited may be gone, and no other would take it
