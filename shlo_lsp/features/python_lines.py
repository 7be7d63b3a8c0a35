"""From a location to its line of Python, and from a line of Python to the operations that came from it.

Paths in locations come with the program and are not trusted: only existing regular files whose names end with
`.py` are named to the client, which opens one when its user asks for it. A text is read for a hover only
below the workspace's folders and the folder of the program.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams

from shlo.ir.operations import Module
from shlo.language import source_lines
from shlo.language.document import Part
from shlo.language.source_lines import counts_of_file, links, python_files
from shlo.places.names import NO_NAMES, PythonNames, python_names
from shlo.places.origins import Origin, is_library
from shlo.runner.python_source import PythonSources, find_python_file
from shlo_lsp.documents import OpenDocument
from shlo_lsp.positions import range_data
from shlo_lsp.settings import json_object
from shlo_lsp.view import View, path_of

if TYPE_CHECKING:
    from shlo_lsp.server import Server

OPERATIONS_OF_LINE = "shlo/opsOfLine"
COMMAND = "shlo.opsOfPythonLine"
MAX_OPERATIONS = 5_000
NAMES = "names of Python"
"""What the memory of a document calls those of its values."""
DOCUMENT_LINK_OPTIONS = types.DocumentLinkOptions(resolve_provider=True)


def line_location(view: View, origin: Origin) -> types.Location | None:
    """Returns the line of an origin that a reader should see; None where its file is not on this machine."""
    line = origin.line
    path = _path(line.file, folders_of(view)) if line else None
    if line is None or path is None:
        return None
    start = types.Position(max(line.line - 1, 0), max(line.column - 1, 0))
    return types.Location(path.as_uri(), types.Range(start, start))


def sources_of(view: View) -> PythonSources:
    """Returns the texts of files of Python that a document may show."""
    return PythonSources(folders_of(view))


class KnownNames(Struct, frozen=True):
    """The names of a program's values, and the lines of the files that they were read from."""

    module: Module
    texts: Mapping[str, tuple[str, ...] | None]
    names: PythonNames

    def is_of(self, module: Module, sources: PythonSources) -> bool:
        """Returns whether these are the names of a program whose sources have not changed."""
        is_same = module is self.module
        return is_same and all(sources.lines(path) == lines for path, lines in self.texts.items())


def names_of(view: View, sources: PythonSources, part: Part) -> PythonNames:
    """Returns the names that Python gives to a program's values; once for each program and its sources.

    Where no source can be read, which a look at the text shows, the operations are not looked at.
    """
    if not any(sources.lines(file) for file in python_files(part) if not is_library(file)):
        return NO_NAMES
    module = part.module
    known = view.memory.get(NAMES)
    if isinstance(known, KnownNames) and known.is_of(module, sources):
        return known.names
    texts: dict[str, tuple[str, ...] | None] = {}

    def read(path: str) -> tuple[str, ...] | None:
        texts[path] = sources.lines(path)
        return texts[path]

    names = python_names(module, read)
    view.memory[NAMES] = KnownNames(module, texts, names)
    return names


def folders_of(view: View) -> list[str]:
    """Returns the folders that files of locations are looked for in: the workspace's, and the document's."""
    path = path_of(view.uri)
    return [*view.client.folders, *([os.path.dirname(path)] if path else [])]


def document_links(view: View, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """Returns the files in locations; where they are is found when one of them is followed."""
    folders = folders_of(view)
    return [
        types.DocumentLink(
            view.range(link.span),
            tooltip=f"{link.line.file}, line {link.line.line}",
            data={
                "file": link.line.file,
                "line": link.line.line,
                "column": link.line.column,
                "folders": folders,
            },
        )
        for link in links(view.document.text)
        if link.line.file.endswith(".py")
    ]


async def resolve_link(server: Server, link: types.DocumentLink) -> types.DocumentLink:
    """Returns a link with its target where that is a file on this machine."""
    return await server.work(_resolved, link)


def _resolved(link: types.DocumentLink) -> types.DocumentLink:
    data = json_object(link.data)
    file, line, column, folders = (data.get(name) for name in ("file", "line", "column", "folders"))
    if (
        isinstance(file, str)
        and isinstance(line, int)
        and isinstance(column, int)
        and isinstance(folders, list)
    ):
        path = _path(file, [folder for folder in folders if isinstance(folder, str)])  # pyright: ignore[reportUnknownVariableType]
        link.target = f"{path.as_uri()}#L{line},{max(column, 1)}" if path else None
    return link


async def operations_of_python_line(server: Server, argument: Any = None) -> list[dict[str, Any]]:
    """Returns which operations of the open programs a line of Python led to. The argument: `{file, line}`,
    the file as path or URI, the line counted from 1; without a line, how many each line of the file led to.
    The answer: `{uri, range, name, scope}` for each operation, or `{uri, line, count}`."""
    wanted = json_object(argument)
    file, line = wanted.get("file"), wanted.get("line")
    if not isinstance(file, str) or not file or not isinstance(line, (int, type(None))):
        raise JsonRpcInvalidParams("the argument is {file, line}")
    path = (uris.to_fs_path(file) or "") if file.startswith("file:") else file
    tasks = [document.in_turn(_found, document, path, line) for document in list(server.documents.values())]
    return [item for items in await asyncio.gather(*tasks) for item in items][:MAX_OPERATIONS]


async def operations_of_line(server: Server, params: Any) -> list[dict[str, Any]]:
    """Answers the request `shlo/opsOfLine`, whose parameters are the command's argument."""
    return await operations_of_python_line(
        server, {"file": getattr(params, "file", None), "line": getattr(params, "line", None)}
    )


def _found(document: OpenDocument, file: str, line: int | None) -> list[dict[str, Any]]:
    edition, programs = document.newest()
    if line is None:
        counts = sorted(counts_of_file(programs, file).items())
        return [{"uri": document.uri, "line": number, "count": count} for number, count in counts]
    items: list[dict[str, Any]] = []
    for operation in source_lines.operations_of_line(programs, file, line):
        range_ = range_data(edition.lines.range(operation.span))
        items.append({"uri": document.uri, "range": range_, "name": operation.name, "scope": operation.scope})
    return items


def _path(file: str, folders: list[str]) -> Path | None:
    """Returns the file that a location names: below one of the folders, or where its absolute path says."""
    if path := find_python_file(file, folders):
        return path
    if not os.path.isabs(file) or file.startswith(("//", "\\\\")):
        return None  # a share of another machine is not asked
    return find_python_file(file, [os.path.dirname(file)])
