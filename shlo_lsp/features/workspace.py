"""The folders of the workspace: symbols and findings of all programs in them, and what happens to files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import from_fs_path

from shlo.ir.source import Source
from shlo.language import Document
from shlo.language.diagnostics import part_diagnostics
from shlo.language.workspace_index import MAX_FILE_BYTES, SymbolPlace, WorkspaceIndex
from shlo.support.cancellation import checkpoint
from shlo.support.files import open_input
from shlo_lsp import findings
from shlo_lsp.documents import OpenDocument
from shlo_lsp.positions import Encoding, Lines
from shlo_lsp.view import Client, path_of

if TYPE_CHECKING:
    from shlo_lsp.server import Server

MAX_SYMBOLS = 1_000
MAX_REPORTED = 500
"""How many files of the workspace findings are computed for."""
MAX_REPORTED_BYTES = 2 << 20
GLOB = "**/*.{mlir,stablehlo}"
WATCHER = "shlo-programs"
KINDS = {
    "module": types.SymbolKind.Module,
    "mesh": types.SymbolKind.Object,
    "global": types.SymbolKind.Variable,
}
FILE_OPERATIONS = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern(GLOB), scheme="file")]
)


class Folders:
    """The index of the workspace's folders; it is looked at again when a file may have changed."""

    def __init__(self) -> None:
        self._index: WorkspaceIndex | None = None
        self._of: tuple[str, ...] = ()
        self._is_stale = True
        self._turn = asyncio.Lock()
        self.is_watched = False

    def touch(self) -> None:
        """Takes note that a file may have changed."""
        self._is_stale = True

    async def index(self, server: Server) -> WorkspaceIndex | None:
        """Returns the index, up to date as far as the client tells what changes; None without folders."""
        folders = server.client.folders
        if not folders:
            return None
        async with self._turn:
            if self._index is None or self._of != folders:
                self._index, self._of, self._is_stale = WorkspaceIndex(folders), folders, True
            if self._is_stale or not self.is_watched:
                self._is_stale = False
                try:
                    await _with_progress(server, "Indexing programs", self._index.refresh)
                except BaseException:
                    self._is_stale = True
                    raise
            return self._index


async def _with_progress(server: Server, title: str, work: Any) -> None:
    """Does work in another thread and tells how far it is, where the client shows that."""
    token = f"shlo {id(work)} {os.urandom(4).hex()}"
    is_shown = server.client.can("window.work_done_progress")
    if is_shown:
        await server.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
        server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, percentage=0))
    loop = asyncio.get_running_loop()

    def report(done: int, count: int) -> None:
        if is_shown:
            percentage = 100 * done // max(count, 1)
            news = types.WorkDoneProgressReport(message=f"{done:,} of {count:,} files", percentage=percentage)
            loop.call_soon_threadsafe(server.work_done_progress.report, token, news)

    try:
        await server.work(work, report)
    finally:
        if is_shown:
            server.work_done_progress.end(token, types.WorkDoneProgressEnd())


# -- symbols ------------------------------------------------------------------------------------------------


async def symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """Returns the functions and other symbols whose names hold the query, upper and lower case alike: in open
    documents, then in the folders' files."""
    query = params.query.lower().removeprefix("@")
    tasks = [document.in_turn(_matching, document, query) for document in server.documents.values()]
    all_symbols = [symbol for symbols_of_one in await asyncio.gather(*tasks) for symbol in symbols_of_one]
    if (index := await server.folders.index(server)) is not None:
        all_symbols += await server.work(_in_files, server, index, query)
    return all_symbols[:MAX_SYMBOLS]


def _matching(document: OpenDocument, query: str) -> list[types.WorkspaceSymbol]:
    edition, programs = document.newest()
    return [
        types.WorkspaceSymbol(
            types.Location(document.uri, edition.lines.range(part.place(symbol.definition))),
            f"@{symbol.name}",
            types.SymbolKind.Function,
        )
        for part in programs.parts
        for symbol in part.index.symbols.all
        if query in symbol.name.lower()
    ]


def _in_files(server: Server, index: WorkspaceIndex, query: str) -> list[types.WorkspaceSymbol]:
    opened = _opened(server)
    all_symbols: list[types.WorkspaceSymbol] = []
    for path, symbol_place in index.symbols(query):
        if path not in opened:
            kind = KINDS.get(symbol_place.kind.rpartition(".")[2], types.SymbolKind.Function)
            all_symbols.append(
                types.WorkspaceSymbol(_location(server, path, symbol_place), f"@{symbol_place.name}", kind)
            )
            if len(all_symbols) >= MAX_SYMBOLS:
                break
    return all_symbols


def _opened(server: Server) -> set[str]:
    """Returns the files that are open, as the index names them."""
    return {os.path.realpath(path) for document in server.documents if (path := path_of(document))}


def _location(server: Server, path: str, symbol_place: SymbolPlace) -> types.Location:
    encoding = server.server_capabilities.position_encoding
    number = {Encoding.Utf32: 0, Encoding.Utf8: 2}.get(Encoding(encoding or Encoding.Utf16), 1)
    start, end = (
        types.Position(symbol_place.line, position[number])
        for position in (symbol_place.start, symbol_place.end)
    )
    return types.Location(from_fs_path(path) or "", types.Range(start, end))


# -- findings -----------------------------------------------------------------------------------------------


async def diagnostics(
    server: Server, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """Returns the findings of the folders' programs that are not open; of those that have not changed since
    the client was told, that they have not."""
    index = await server.folders.index(server)
    result_ids = {result_id.uri: result_id.value for result_id in params.previous_result_ids}
    opened = _opened(server)
    encoding = server.server_capabilities.position_encoding or Encoding.Utf16
    reports: list[Any] = []
    if index is not None:
        arguments = index, opened, result_ids, server.client, encoding, server.settings_number
        reports = await server.work(_reports, *arguments)
    return types.WorkspaceDiagnosticReport(reports)


def _reports(
    index: WorkspaceIndex, opened: set[str], result_ids: dict[str, str], client: Client, *others: Any
) -> list[Any]:
    paths = [path for path in index.paths() if path not in opened][:MAX_REPORTED]
    return [report for path in paths for report in _report(path, result_ids, client, *others)]


def _report(
    path: str, result_ids: dict[str, str], client: Client, encoding: Any, number: int
) -> Iterator[Any]:
    checkpoint()
    uri = from_fs_path(path) or ""
    try:
        status = os.stat(path)
        if status.st_size > min(MAX_FILE_BYTES, MAX_REPORTED_BYTES):
            return
        name = f"{number}-{status.st_size}-{status.st_mtime_ns}"
        if result_ids.get(uri) == name:
            yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, name)
            return
        with open_input(path) as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return
    document = Document(text, Source(text, path).name)
    all_findings = [finding for part in document.parts for finding in part_diagnostics(part)]
    items = list(findings.published(all_findings, Lines(text, encoding), uri, client))
    yield types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=name)


# -- what happens to files ----------------------------------------------------------------------------------


async def watch(server: Server, params: types.InitializedParams) -> None:
    """Asks the client to tell which programs change on the disk."""
    can_register = server.client.can("workspace.did_change_watched_files.dynamic_registration")
    if not server.client.folders or not can_register:
        return
    watcher = types.FileSystemWatcher(GLOB)
    options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
    registration = types.Registration(WATCHER, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(types.RegistrationParams([registration]))
    server.folders.is_watched = True


def changed(server: Server, params: Any) -> None:
    """Takes note that files were changed, made, renamed or deleted."""
    server.folders.touch()
