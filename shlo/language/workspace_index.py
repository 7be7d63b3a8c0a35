"""The symbols that the programs in folders define: an index in the user's cache directory.

A symbol means something in its module alone, so that no file refers to one of another.

A file is read again where its size or time has changed. Names are found by looking at tokens, not by parsing:
a folder of thousands of programs is indexed in seconds. An index that is damaged or of another version is
built anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from shlo.support.cancellation import checkpoint
from shlo.support.files import cache_folder, open_input, write_atomically
from shlo.support.suffixes import TEXT_SUFFIXES
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import COMMENT, STRING

VERSION = 2
MAX_FILES, MAX_DEPTH = 20_000, 24
MAX_FILE_BYTES, MAX_INDEX_BYTES = 32 << 20, 128 << 20
MAX_NAMES = 20_000
"""How many definitions are kept of one file."""
LEFT_OUT = frozenset({"node_modules", "__pycache__", "bazel-out"})
NAME = re.compile(rf"{STRING}|{COMMENT}|@({STRING}|[\w$.-]+)", re.ASCII)
DEFINES = re.compile(
    r'(?:^|[\s{])"?((?:[A-Za-z_][\w$]*\.)*(?:func|module|global|mesh|named_sequence))"?'
    r"(?:\s+(?:private|public|nested|mutable|constant))*\s*$",
    re.ASCII,
)


class SymbolPlace(NamedTuple):
    """The place of a symbol's name in its definition: line from 0, columns in code points, UTF-16 and UTF-8
    units from its `@` to its end; `kind` is the operation that defines it."""

    name: str
    kind: str
    line: int
    start: tuple[int, int, int]
    end: tuple[int, int, int]


class _File(NamedTuple):
    size: int
    time: int
    places: tuple[SymbolPlace, ...]


class WorkspaceIndex:
    """An index of some folders. Threads may share it."""

    def __init__(self, folders: Iterable[str], cache: Path | None = None) -> None:
        self._folders = sorted({os.path.realpath(folder) for folder in folders})
        name = hashlib.sha256("\0".join(self._folders).encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._path = (cache or cache_folder()) / f"index-{name}.json"
        self._lock = threading.Lock()
        self._files: dict[str, _File] | None = None

    def refresh(self, report: Callable[[int, int], None] = lambda done, all_: None) -> None:
        """Reads what has changed; `report` gets how many files have been looked at, and of how many."""
        with self._lock:
            earlier = _loaded(self._path) if self._files is None else self._files
            paths = list(self.paths())
            files: dict[str, _File] = {}
            for number, path in enumerate(paths):
                if number % 64 == 0:
                    checkpoint()
                    report(number, len(paths))
                if (file := _current(path, earlier.get(path))) is not None:
                    files[path] = file
            is_changed = files != earlier
            self._files = files
            if is_changed:
                self._save(files)

    def paths(self) -> Iterator[str]:
        """Yields the files of programs in the folders, as many as an index holds."""
        count = 0
        for folder in self._folders:
            for path in _programs(folder, 0):
                yield path
                count += 1
                if count >= MAX_FILES:
                    return

    def symbols(self, query: str) -> Iterator[tuple[str, SymbolPlace]]:
        """Yields the definitions whose names hold a text, upper and lower case alike, with their files."""
        query = query.lower()
        for path, file in (self._files or {}).items():
            for symbol_place in file.places:
                if query in symbol_place.name.lower():
                    yield path, symbol_place

    def _save(self, files: dict[str, _File]) -> None:
        data = json.dumps([VERSION, files], separators=(",", ":")).encode()
        if len(data) > MAX_INDEX_BYTES:
            return
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(str(self._path), lambda file: file.write(data))
        except OSError:
            return  # it is built again next time


def _programs(folder: str, depth: int) -> Iterator[str]:
    """Yields the programs in a folder and those below it; links are not followed."""
    checkpoint()
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in ordered:
        if entry.name.startswith(".") or entry.name in LEFT_OUT or entry.is_symlink():
            continue
        if entry.is_dir():
            if depth < MAX_DEPTH:
                yield from _programs(entry.path, depth + 1)
        elif entry.name.endswith(TEXT_SUFFIXES) and entry.is_file() and _is_unicode(entry.name):
            yield entry.path


def _is_unicode(name: str) -> bool:
    """Returns whether a file has a URI: not if its name has bytes that are no UTF-8."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _current(path: str, earlier: _File | None) -> _File | None:
    """Returns what is known of a file, read again where it has changed; None for one that cannot be read."""
    try:
        status = os.stat(path)
        if earlier is not None and (earlier.size, earlier.time) == (status.st_size, status.st_mtime_ns):
            return earlier
        if status.st_size > MAX_FILE_BYTES:
            return None
        with open_input(path) as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    return _File(status.st_size, status.st_mtime_ns, tuple(places(text)))


def places(text: str) -> Iterator[SymbolPlace]:
    """Yields the places of the symbols that a text defines."""
    line, line_start, count = 0, 0, 0
    for match in NAME.finditer(text):
        if match[1] is None:
            continue
        at = match.start()
        line += text.count("\n", line_start, at)
        line_start = text.rfind("\n", 0, at) + 1
        before = DEFINES.search(text[max(line_start, at - 80) : at])
        if before is None:
            continue
        name = unescape(match[1].strip('"')) if match[1].startswith('"') else match[1]
        yield SymbolPlace(
            name,
            before[1],
            line,
            _units(text[line_start:at]),
            _units(text[line_start : match.end()]),
        )
        count += 1
        if count >= MAX_NAMES:
            return


def _units(text: str) -> tuple[int, int, int]:
    if text.isascii():
        return len(text), len(text), len(text)
    utf_16, utf_8 = (len(text.encode(encoding, "replace")) for encoding in ("utf-16-le", "utf-8"))
    return len(text), utf_16 // 2, utf_8


def _loaded(path: Path) -> dict[str, _File]:
    """Returns a saved index, an empty one where there is none that can be used."""
    try:
        if path.stat().st_size > MAX_INDEX_BYTES:
            return {}
        version, files = json.loads(path.read_bytes())
        if version != VERSION:
            return {}
        return {str(name): _file(data) for name, data in cast("dict[str, Any]", files).items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _file(data: Any) -> _File:
    size, time, places = data
    return _File(int(size), int(time), tuple(_place(place_data) for place_data in places))


def _place(data: Any) -> SymbolPlace:
    name, kind, line, start, end = data
    if not isinstance(name, str) or not isinstance(kind, str):
        raise TypeError
    return SymbolPlace(name, kind, int(line), _three(start), _three(end))


def _three(data: Any) -> tuple[int, int, int]:
    one, two, three = data
    return int(one), int(two), int(three)
