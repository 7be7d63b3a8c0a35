"""The server: who asks what about which document, and where the work is done.

The event loop reads and writes messages and applies edits, no more. Whatever needs a program is done by
worker threads. One at a time reads a document; answers about what has been read do not wait for each other,
and long ones have threads of their own. Findings are computed for the newest edition alone: an edit cancels
those of the one before.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcContentModified, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

import shlo
from shlo.language import Document
from shlo.support.cancellation import Cancellation, Cancelled
from shlo.support.framing import ByteReader
from shlo.text.escape import escaped
from shlo_lsp import findings, requests, transport
from shlo_lsp.documents import Change, Edition, OpenDocument, Workers, in_thread
from shlo_lsp.features import lifecycle
from shlo_lsp.features.run import Runs
from shlo_lsp.features.tensors import Tensors
from shlo_lsp.features.workspace import Folders
from shlo_lsp.memory import CollectorSchedule
from shlo_lsp.positions import Lines
from shlo_lsp.protocol import Protocol
from shlo_lsp.requests import Request
from shlo_lsp.settings import Settings
from shlo_lsp.view import Client, View, is_news, path_of

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
TOGETHER = 0.05
"""Seconds that findings of the syntax wait for those of the verifier, so that these do not flicker."""
MOMENT = 0.02
"""Seconds that findings wait for the results that nothing uses."""
MAX_LOGGED = 100
"""How many lines a client's log gets in a session."""
SWITCH_INTERVAL = 0.0002
"""Seconds that a busy worker keeps Python from the event loop, at most."""


class ClientLog(logging.Handler):
    """Shows the client, in its log, what goes wrong; not what goes wrong in telling it."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(logging.ERROR)
        self._server, self._loop = server, loop
        self._left = MAX_LOGGED

    def emit(self, record: logging.LogRecord) -> None:
        """Sends a line, as long as there have not been too many."""
        self._left -= 1
        if self._left >= 0 and not record.name.startswith("pygls"):
            params = types.LogMessageParams(types.MessageType.Error, escaped(record.getMessage()))
            with suppress(RuntimeError):  # the event loop is closed: the client has gone
                self._loop.call_soon_threadsafe(self._send, params)

    def _send(self, params: types.LogMessageParams) -> None:
        with suppress(Exception):
            self._server.window_log_message(params)


class Server(LanguageServer):
    """A language server for one client."""

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "shlo", shlo.__version__, protocol_cls=Protocol, notebook_document_sync=lifecycle.SYNC
        )
        self.settings = Settings()
        self.documents: dict[str, OpenDocument] = {}
        self.settings_number = 0
        """How often the settings have changed: answers may depend on them."""
        self.runs = Runs()
        self.tensors = Tensors()
        self.folders = Folders()
        self._workers = Workers()
        self._memory = CollectorSchedule()
        self._publishing: dict[str, asyncio.Task[None]] = {}
        requests.register(self)

    def serve(self, stdin: ByteReader, stdout: BinaryIO) -> int:
        """Serves a client until it says that it goes, or is gone; gives the exit code."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        logging.getLogger("pygls.protocol.json_rpc").addFilter(is_news)
        self.protocol.set_writer(transport.ClientWriter(stdout))
        try:
            asyncio.run(self._serve(stdin))
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 1
        except (BrokenPipeError, KeyboardInterrupt):
            return 1
        finally:
            self.runs.stop()
            self.tensors.forget()
        return 1  # the client went without a word

    async def _serve(self, stdin: ByteReader) -> None:
        log = ClientLog(self, asyncio.get_running_loop())
        logging.getLogger().addHandler(log)
        try:
            await transport.serve(stdin, self._protocol.receive, self._workers.urgent)
        finally:
            logging.getLogger().removeHandler(log)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an internal error; a message on the screen for each would keep people from typing."""
        if source is not FeatureRequestError:
            logger.error("%s: %s", getattr(source, "__name__", source), error)

    @property
    def _protocol(self) -> Protocol:
        return cast("Protocol", self.protocol)

    @property
    def client(self) -> Client:
        """What the client can do and wants now."""
        folders = tuple(filter(None, map(path_of, self.workspace.folders)))
        return Client(self.client_capabilities, self.settings, folders)

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
            self._memory.release()
            self.tensors.forget(uri)

    def _let_go(self, uri: str) -> bool:
        task = self._publishing.pop(uri, None)
        if task is not None:
            task.cancel()
        document = self.documents.pop(uri, None)
        if document is not None:
            document.close()
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
            is_new = document.found is None
            try:
                published, items = await self._found(document)
                items = await self._with_unused(document, published, items)
            except Cancelled as end:
                end.__traceback__ = (
                    None  # its frames hold the task that holds it, and what they know of a text
                )
                published = None
                continue
            except Exception as error:
                logger.exception("the findings of %s could not be computed", document.uri)
                published, items = edition, self._protocol.items([findings.mistake(error)])
                self._send_findings(document, published, items)
            document.found = published, items
            self._memory.settle(len(published.text), is_new)

    async def _with_unused(self, document: OpenDocument, edition: Edition, items: str) -> str:
        """Publishes an edition's findings with the results that nothing uses. If these take long, those that
        were known before are published with the findings, where they are now."""
        unused = asyncio.ensure_future(document.while_newest(findings.of_unused, document, self.client))
        sent: str | None = None
        try:
            done, _ = await asyncio.wait({unused}, timeout=MOMENT)
            if not done:
                sent = joined(items, findings.faded(*document.unused, self.client, edition))
                self._send_findings(document, edition, sent)
            document.unused = await unused
        finally:
            unused.cancel()
        items = joined(items, findings.faded(*document.unused, self.client))
        if items != sent:
            self._send_findings(document, edition, items)
        return items

    async def _found(self, document: OpenDocument) -> tuple[Edition, str]:
        """Returns a document's findings as JSON; publishes the parser's first if the verifier takes long."""
        syntax = await document.while_newest(self._as_json, findings.of_syntax, document)
        everything = document.while_newest(self._as_json, findings.of_everything, document)
        verification = asyncio.ensure_future(everything)
        try:
            done, _ = await asyncio.wait({verification}, timeout=TOGETHER)
            if not done:
                edition, diagnostics = syntax
                faded = findings.faded(*document.unused, self.client, edition)
                self._send_findings(document, edition, joined(diagnostics, faded))
            return await verification
        finally:
            verification.cancel()

    def _as_json(
        self, find: Callable[[OpenDocument, Client], findings.Found], document: OpenDocument
    ) -> tuple[Edition, str]:
        """Returns what is found in a document as JSON, the items of a list; in a worker."""
        edition, items = find(document, self.client)
        return edition, self._protocol.items(items)

    def _send_findings(self, document: OpenDocument, edition: Edition, items: str) -> None:
        """Publishes the findings of an edition if it is the newest, to a client that does not ask."""
        if edition is document.now and not self.client.asks_for_diagnostics:
            self._protocol.publish(document.uri, edition.version, items)

    async def newest_findings(self, document: OpenDocument) -> tuple[Edition, str]:
        """Returns the findings of the newest edition as JSON, the items of a list, once they have been
        computed."""
        while document.found is None or document.found[0] is not document.now:
            if not document.is_open:
                raise JsonRpcContentModified("the document was closed meanwhile")
            self._publish(document.uri)
            await asyncio.wait({self._publishing[document.uri]})
        return document.found

    # -- requests -------------------------------------------------------------------------------------------

    async def answer(self, request: Request, params: Any) -> Any:
        """Answers a request about a document."""
        uri = request.uri_of(params)
        document = self.documents.get(uri)
        if document is None:
            raise JsonRpcInvalidParams(f"the document is not open: {uri}")
        started = time.perf_counter()
        asked = document.now
        with nullcontext() if request.is_long else self._workers.urgent.work():
            result = await self._worked_out(request, document, asked, params)
        if request.gives_edits and document.now is not asked:
            raise JsonRpcContentModified("the text has changed meanwhile")
        if self.protocol.trace != types.TraceValue.Off:
            milliseconds = 1000 * (time.perf_counter() - started)
            self.log_trace(types.LogTraceParams(f"{request.method}: {milliseconds:.1f} ms"))
        return result

    async def _worked_out(self, request: Request, document: OpenDocument, asked: Edition, params: Any) -> Any:
        if not request.reads_text_only:
            answer = self._answered, request, document, asked, params
            return await document.in_turn(*answer, is_long=request.is_long)
        view = View(document.uri, self.client, asked, asked, Document(asked.text), document.memory)
        arguments = self._written, request, view, params
        if request.is_long:
            return await in_thread(self._workers.long, self._workers.cancellation(), *arguments)
        return await in_thread(self._workers.quick, Cancellation(), *arguments)

    async def work(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work that is about no open document in another thread."""
        return await in_thread(self._workers.long, self._workers.cancellation(), work, *arguments)

    def _answered(self, request: Request, document: OpenDocument, asked: Any, params: Any) -> Any:
        """Returns the answer, in a worker."""
        if not document.is_open:
            raise JsonRpcContentModified("the document was closed meanwhile")
        edition, programs = document.newest()
        view = View(document.uri, self.client, asked, edition, programs, document.memory)
        return self._written(request, view, params)

    def _written(self, request: Request, view: View, params: Any) -> Any:
        """Returns the answer, a long one as JSON: writing it takes time that the event loop has not."""
        result = request.answer(view, params)
        return self._protocol.json(result) if request.is_long else result


def joined(*items: str) -> str:
    """Returns the items of several lists in JSON as those of one."""
    return ",".join(filter(None, items))
