"""The server: who asks what about which document, and where the work is done.

The event loop reads and writes messages and applies edits, no more. Whatever needs a program is done by
worker threads: one at a time for a document, so that two never read the same text twice; documents do not
wait for each other. Findings are computed as soon as the worker is free, for the newest edition alone.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcContentModified, JsonRpcInvalidParams
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer

import shlo
from shlo.language import Document
from shlo_lsp import findings, requests, transport
from shlo_lsp.documents import Change, Edition, OpenDocument
from shlo_lsp.errors import is_news
from shlo_lsp.features.run import Runs
from shlo_lsp.positions import Lines
from shlo_lsp.protocol import Protocol
from shlo_lsp.requests import Request
from shlo_lsp.settings import Settings
from shlo_lsp.view import Client, View

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
WORKERS = 4
"""How many documents are read at the same time."""
TOGETHER = 0.05
"""Seconds that findings of the syntax wait for those of the verifier, so that these do not flicker."""
SWITCH_INTERVAL = 0.0005
"""Seconds that a busy worker keeps Python from the event loop, at most."""


class Server(LanguageServer):
    """A language server for one client."""

    def __init__(self) -> None:
        super().__init__("shlo", shlo.__version__, protocol_cls=Protocol)  # pyright: ignore[reportUnknownMemberType]
        self.settings = Settings()
        self.documents: dict[str, OpenDocument] = {}
        self.runs = Runs()
        self._workers = ThreadPoolExecutor(WORKERS, "worker")
        self._publishing: dict[str, asyncio.Task[None]] = {}
        requests.register(self)

    def serve(self, stdin: transport.Reader, stdout: BinaryIO) -> int:
        """Serves a client until it says that it goes, or is gone; gives the exit code."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        logging.getLogger("pygls.protocol.json_rpc").addFilter(is_news)
        self.protocol.set_writer(StdoutWriter(stdout))
        try:
            asyncio.run(transport.serve(stdin, cast("Protocol", self.protocol).receive))
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 1
        except (BrokenPipeError, KeyboardInterrupt):
            return 1
        finally:
            self.runs.stop()
        return 1  # the client went without a word

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an internal error; a message on the screen for each would keep people from typing."""
        if source is not FeatureRequestError:
            logger.error("%s: %s", getattr(source, "__name__", source), error)

    @property
    def client(self) -> Client:
        """What the client can do and wants now."""
        return Client(self.client_capabilities, self.settings)

    # -- documents ------------------------------------------------------------------------------------------

    def open(self, item: types.TextDocumentItem) -> None:
        """Takes a document in, in place of one of that name."""
        self._let_go(item.uri)
        encoding = self.server_capabilities.position_encoding or types.PositionEncodingKind.Utf16
        edition = Edition(Lines(item.text, encoding), item.version)
        self.documents[item.uri] = OpenDocument(item.uri, edition, self._workers)
        self._publish(item.uri)

    def change(self, edited: types.VersionedTextDocumentIdentifier, changes: Sequence[Change]) -> None:
        """Edits a document at once; its findings follow."""
        document = self.documents.get(edited.uri)
        if document is None:
            logger.warning("a document was edited that is not open: %s", edited.uri)
            return
        document.change(changes, edited.version)
        self._publish(edited.uri)

    def close(self, uri: str) -> None:
        """Lets a document go, and its findings with it."""
        if self._let_go(uri):
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
            gc.unfreeze()  # what `findings` kept from the collector may be garbage now

    def _let_go(self, uri: str) -> bool:
        task = self._publishing.pop(uri, None)
        if task is not None:
            task.cancel()
        document = self.documents.pop(uri, None)
        if document is not None:
            document.is_open = False
        return document is not None

    def _publish(self, uri: str) -> None:
        """Sees to it that the findings of the newest edition are computed and published."""
        task = self._publishing.get(uri)
        if task is None or task.done():
            self._publishing[uri] = asyncio.create_task(self._publish_newest(self.documents[uri]))

    async def _publish_newest(self, document: OpenDocument) -> None:
        published = None
        while published is not document.now:
            edition = document.now
            try:
                published, found = await self._found(document)
            except Exception as error:
                logger.exception("the findings of %s could not be computed", document.uri)
                published, found = edition, [findings.mistake(error)]
            self._send_findings(document, published, found)

    async def _found(self, document: OpenDocument) -> findings.Found:
        """Returns a document's findings; publishes the parser's first if the verifier takes long."""
        syntax = await document.in_turn(findings.of_syntax, document, self.client)
        if syntax[0] is not document.now:
            return syntax
        verification = asyncio.ensure_future(document.in_turn(findings.of_everything, document, self.client))
        try:
            done, _ = await asyncio.wait({verification}, timeout=TOGETHER)
            if not done:
                self._send_findings(document, *syntax)
            return await verification
        finally:
            verification.cancel()

    def _send_findings(self, document: OpenDocument, edition: Edition, found: list[types.Diagnostic]) -> None:
        """Publishes the findings of an edition if it is the newest."""
        if edition is document.now:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, edition.version)
            )

    # -- requests -------------------------------------------------------------------------------------------

    async def answer(self, request: Request, params: Any) -> Any:
        """Answers a request about a document."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"the document is not open: {params.text_document.uri}")
        started = time.perf_counter()
        asked = document.now
        if request.reads_text_only:
            view = View(document.uri, self.client, asked, asked, Document(asked.text), document.memory)
            result = await self.work(request.answer, view, params)
        else:
            result = await document.in_turn(self._answered, request, document, asked, params)
        if request.gives_edits and document.now is not asked:
            raise JsonRpcContentModified("the text has changed meanwhile")
        if self.protocol.trace != types.TraceValue.Off:
            milliseconds = 1000 * (time.perf_counter() - started)
            self.log_trace(types.LogTraceParams(f"{request.method}: {milliseconds:.1f} ms"))
        return result

    async def work(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work that is about no open document in another thread."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)

    def _answered(self, request: Request, document: OpenDocument, asked: Any, params: Any) -> Any:
        """Returns the answer, in a worker."""
        if not document.is_open:
            raise JsonRpcContentModified("the document was closed meanwhile")
        edition, programs = document.newest()
        view = View(document.uri, self.client, asked, edition, programs, document.memory)
        return request.answer(view, params)
