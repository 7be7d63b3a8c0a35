"""A client that talks with `shlo lsp` over its standard input and output."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCResponseMessage, default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

REPOSITORY = Path(__file__).parents[2]
SERVER = (sys.executable, "-m", "shlo", "lsp", "--stdio")
PUBLISHED = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS


class Client:
    """A session with a server, in words that tests are written in. `Document`s are opened with it."""

    def __init__(self) -> None:
        self.lsp = pytest_lsp.LanguageClient(converter_factory=default_converter)
        register_lsp_features(
            self.lsp, {**DEFAULT_CLIENT_FEATURES, PUBLISHED: lambda params: self._publish(params)}
        )
        self.published: list[types.PublishDiagnosticsParams] = []
        self.answer: types.InitializeResult
        self._numbers = itertools.count()
        self._news = asyncio.Event()

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)
        self._news.set()

    async def published_for(self, uri: str, version: int | None) -> types.PublishDiagnosticsParams:
        """Returns the last findings of a version of a document, once they are there."""
        while True:
            found = [each for each in self.published if (each.uri, each.version) == (uri, version)]
            if found:
                return found[-1]
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)

    async def start(
        self,
        options: Any = None,
        encodings: Sequence[str] = ("utf-16",),
        cwd: Path = REPOSITORY,
        adapt: Callable[[types.ClientCapabilities], None] = lambda capabilities: None,
        folders: Sequence[Path] = (),
    ) -> None:
        await self.lsp.start_io(*SERVER, cwd=cwd)
        capabilities = pytest_lsp.client_capabilities("visual-studio-code")
        capabilities.general = types.GeneralClientCapabilities(position_encodings=list(encodings))
        adapt(capabilities)
        params = types.InitializeParams(
            capabilities=capabilities,
            initialization_options={"unused": False} if options is None else options,
            workspace_folders=[types.WorkspaceFolder(each.as_uri(), each.name) for each in folders],
        )
        self.answer = await self.lsp.initialize_session(params)

    async def stop(self) -> None:
        if self.lsp._server and self.lsp._server.returncode is None:
            await self.lsp.shutdown_session()
        await self.lsp.stop()

    async def open(self, text: str) -> Document:
        """Opens a document; `|` marks the place that requests speak of. Waits for its findings."""
        before, _, after = text.partition("|")
        uri = f"file:///folder/{next(self._numbers)}.mlir"
        document = Document(self, uri, before + after, len(before))
        item = types.TextDocumentItem(uri, "mlir", 0, document.text)
        self.lsp.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await document.findings(0)
        return document

    def ask(self, method: str, params: Any, number: str | None = None) -> asyncio.Future[Any]:
        """Sends a request at once; its answer is to be awaited."""
        return asyncio.wrap_future(self.lsp.protocol.send_request(method, params, msg_id=number))

    async def request(self, method: str, params: Any) -> Any:
        """Returns the answer to a request, which is checked against what the client can do."""
        return await asyncio.wait_for(self.lsp.protocol.send_request_async(method, params), 60)

    async def raw(self, method: str, params: Any, **others: Any) -> Any:
        """Returns the answer to a request whose parameters and other members need not be valid."""
        number = f"raw {next(self._numbers)}"
        future = self.lsp.protocol._request_futures[number] = Future()
        self.lsp.protocol._result_types[number] = JsonRPCResponseMessage
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params, **others}
        self.lsp.protocol._send_data(message)
        return await asyncio.wait_for(asyncio.wrap_future(future), 60)


class Document:
    """A document that is open, and the text that its server should have."""

    def __init__(self, client: Client, uri: str, text: str, marked: int) -> None:
        self.client, self.uri, self.text, self.version = client, uri, text, 0
        self.id = types.TextDocumentIdentifier(uri)
        self.place = self.position(marked)

    def position(self, offset: int) -> types.Position:
        """Returns an offset as line and UTF-16 column."""
        before = self.text[:offset].split("\n")
        return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    def at(self, text: str, shift: int = 0) -> types.Position:
        """Returns the place of the first occurrence of a text."""
        return self.position(self.text.index(text) + shift)

    def words(self, range_: types.Range) -> str:
        """Returns what stands in a range that the server gave."""
        lines = self.text.split("\n")

        def offset(place: types.Position) -> int:
            units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
            return sum(len(line) + 1 for line in lines[: place.line]) + len(units.decode("utf-16-le"))

        return self.text[offset(range_.start) : offset(range_.end)]

    @property
    def everything(self) -> types.Range:
        return types.Range(types.Position(0, 0), self.position(len(self.text)))

    def edit(self, old: str, new: str) -> int:
        """Replaces the first occurrence of a text; gives the new version."""
        start, end = self.at(old), self.at(old, len(old))
        self.text = self.text.replace(old, new, 1)
        return self.send([types.TextDocumentContentChangePartial(types.Range(start, end), new)])

    def send(self, changes: list[Any]) -> int:
        self.version += 1
        identifier = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.lsp.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))
        return self.version

    def close(self) -> None:
        self.client.lsp.text_document_did_close(types.DidCloseTextDocumentParams(self.id))

    async def findings(self, version: int | None = None) -> list[types.Diagnostic]:
        """Returns the findings of a version, the newest where none is given; those of the verifier, too,
        which may come later: the answer to a request for them is behind them.
        """
        wanted = self.version if version is None else version
        await self.client.published_for(self.uri, wanted)
        await self.request(types.TEXT_DOCUMENT_DIAGNOSTIC)
        return list((await self.client.published_for(self.uri, wanted)).diagnostics)

    async def request_fails(self, method: str, why: str = "", **params: Any) -> None:
        """A request that is answered with an error."""
        with pytest.raises(JsonRpcException, match=why or None):
            await self.request(method, **params)

    def params(self, method: str, **fields: Any) -> Any:
        """Returns the parameters of a request about the document, with what else it takes."""
        return types.METHOD_TO_TYPES[method][2](text_document=self.id, **fields)

    async def request(self, method: str, **fields: Any) -> Any:
        """Returns the answer to a request about the document."""
        return await self.client.request(method, self.params(method, **fields))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    """Yields a session that the tests of a module share."""
    made = Client()
    await made.start()
    yield made
    await made.stop()


@pytest_asyncio.fixture
async def begin() -> AsyncIterator[Callable[..., Awaitable[Client]]]:
    """Starts sessions of a test's own."""
    begun: list[Client] = []

    async def start(*arguments: Any, **options: Any) -> Client:
        begun.append(Client())
        await begun[-1].start(*arguments, **options)
        return begun[-1]

    yield start
    for each in begun:
        await each.stop()
