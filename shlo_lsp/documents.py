"""The documents that are open: their text, edited at once, and what the language service makes of them.

The event loop applies edits; a worker reads, one at a time for a document. What has been read is immutable:
answers about it run beside each other and the next reading. An `Edition` is a text between two edits; it
knows the edits that followed, so that a question about an old one can be answered from the newest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from lsprotocol import types

from shlo.ir.dtypes import Array
from shlo.language import Document, Edit
from shlo.language.unused import Unused
from shlo.support.cancellation import Cancellation, Cancelled, Urgent
from shlo_lsp.positions import Lines

Result = TypeVar("Result")
Change = types.TextDocumentContentChangeEvent


class Revision:
    """A point in the history of a text: the edit that followed, and the next revision.

    It has no text: a flood of edits, which are read together, keeps none of the texts between.
    """

    __slots__ = ("following",)

    def __init__(self) -> None:
        self.following: tuple[Edit, Revision] | None = None


class Edition:
    """A text of a document, its version, and its revision, which leads to those of later editions."""

    __slots__ = ("lines", "revision", "version")

    def __init__(self, lines: Lines, version: int) -> None:
        self.lines = lines
        self.version = version
        self.revision = Revision()

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
        self.revision.following = (Edit(span, change.text), after.revision)
        return after

    def edits_until(self, last: Edition) -> list[Edit]:
        """Returns the edits that made a later edition of this one."""
        edits: list[Edit] = []
        revision = self.revision
        while revision is not last.revision and revision.following is not None:
            edit, revision = revision.following
            edits.append(edit)
        return edits

    def shifted(self, offset: int, last: Edition) -> int:
        """Returns a place of this edition in a later one; replaced text maps to its replacement."""
        return int(self.all_shifted(np.array([offset], np.int64), last)[0])

    def all_shifted(self, offsets: Array, last: Edition) -> Array:
        """Returns places of this edition in a later one."""
        for edit in self.edits_until(last):
            size = len(edit.text)
            if edit.span is None:
                offsets = np.minimum(offsets, size)
                continue
            start, end = edit.span
            inside = np.where(offsets > start, np.minimum(offsets, start + size), offsets)
            offsets = np.where(offsets >= end, offsets + size - (end - start), inside)
        return offsets


class Workers:
    """Threads by what they do, so that long answers keep neither readings nor quick answers waiting."""

    def __init__(self) -> None:
        self.reading = ThreadPoolExecutor(4, "reading")
        self.quick = ThreadPoolExecutor(4, "quick")
        self.long = ThreadPoolExecutor(3, "long")
        self.urgent = Urgent()
        """Messages and quick answers, for which findings and long answers pause."""

    def cancellation(self) -> Cancellation:
        """Returns what can cancel long work, which pauses for what is urgent."""
        return Cancellation(self.urgent)


class OpenDocument:
    """A document that a client has open. One worker at a time reads it."""

    def __init__(self, uri: str, edition: Edition, workers: Workers) -> None:
        self.uri = uri
        self.name = uri.rpartition("/")[2] or uri
        self.is_open = True
        self.now = edition
        self._read = (edition, Document(edition.text, self.name, edition.version))
        self._is_read = False
        self.memory: dict[str, Any] = {}
        """What a feature keeps of its last answer."""
        self.found: tuple[Edition, str] | None = None
        """The last findings of the parser and the verifier together, with what is unused, as JSON: the items
        of a list."""
        self.unused = edition, Unused([], [], [])
        """The last edition whose unused results are known, and these."""
        self._workers = workers
        self._turn = asyncio.Lock()
        self._outdated: Cancellation = Cancellation()

    def change(self, changes: Sequence[Change], version: int) -> None:
        """Applies the changes of a notification, each to what those before it left."""
        for change in changes:
            self.now = self.now.edited(change, version)
        self._outdated.cancel()

    def close(self) -> None:
        """Ends the work on it that is under way."""
        self.is_open = False
        self._outdated.cancel()

    def newest(self) -> tuple[Edition, Document]:
        """Returns the newest edition that has been read, and its programs."""
        return self._read

    async def in_turn(self, work: Callable[..., Result], *arguments: Any, is_long: bool = False) -> Result:
        """Does work in another thread once the edition of now has been read. Cancelling what awaits this
        cancels the work: before it begins, or at its next checkpoint."""
        await self._reading()
        if is_long:
            return await in_thread(self._workers.long, self._workers.cancellation(), work, *arguments)
        return await in_thread(self._workers.quick, Cancellation(), work, *arguments)

    async def while_newest(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work in another thread once the edition of now has been read, until an edit comes: then this
        raises Cancelled."""
        await self._reading()
        if self._read[0] is not self.now:
            raise Cancelled
        self._outdated = self._workers.cancellation()
        return await in_thread(self._workers.reading, self._outdated, work, *arguments)

    async def _reading(self) -> None:
        """Reads the edition of now, or waits until it has been read or a later one has."""
        if self._is_read and self._read[0] is self.now:
            return
        await self._turn.acquire()
        if self._is_read and self._read[0] is self.now:
            self._turn.release()
            return
        try:
            future = asyncio.get_running_loop().run_in_executor(self._workers.reading, self._read_now)
        except BaseException:
            self._turn.release()
            raise
        future.add_done_callback(self._finished)
        await asyncio.shield(future)

    def _read_now(self) -> None:
        edition, document = self._read
        now = self.now
        if edition is not now:
            document = document.edit(edition.edits_until(now), now.version)
        not_parsed = [part for part in document.parts if not part.is_read]
        if len(not_parsed) == 1:  # of several, each is read when something asks for it
            not_parsed[0].reading  # noqa: B018  # pyright: ignore[reportUnusedExpression]  # reads it
        self._read, self._is_read = (now, document), True

    def _finished(self, future: asyncio.Future[Any]) -> None:
        self._turn.release()
        if not future.cancelled():
            future.exception()  # the one who waited may be gone, and no other would take it


async def in_thread(
    executor: Executor, cancellation: Cancellation, work: Callable[..., Result], *arguments: Any
) -> Result:
    """Does work in another thread; cancelling what awaits this cancels the work."""
    future = asyncio.get_running_loop().run_in_executor(executor, cancellation.run, work, *arguments)
    try:
        return await future
    finally:
        cancellation.cancel()
        del future  # an exception in it would hold this frame, which holds it
