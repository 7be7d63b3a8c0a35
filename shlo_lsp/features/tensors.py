"""Requests of ours about tensors: planes of results of runs and of arrays in files, as screens show them.

- `shlo/arrays` `{uri}` or `{run}` is answered by `{arrays}`: name, shape and dtype of each array of a `.npy`
  or `.npz` file, or of the results that were saved, which have their numbers as names.
- `shlo/tensor` `{run, result}` or `{uri, name}`, with `{at, rows, columns, window, height, width}`, is
  answered by a pooled part of a plane, as `Plane` of `web/src/plane.ts` describes it. `rows` and `columns`
  are the axes that go down and across, `at` a place on all axes, `window` the part of the plane `[row,
  column, height, width]` (null: all of it), `height` and `width` how many cells it is pooled to, at most.

Nothing of a program is run, and where nothing may run nothing is read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from pygls.exceptions import JsonRpcInvalidParams

from shlo.runner.child.launch import ShownResult
from shlo.runner.errors import RequestError
from shlo_lsp.features.bytecode import path_of
from shlo_lsp.view import RequestFailed

if TYPE_CHECKING:
    from shlo.ir.array_files import ArrayHeader
    from shlo.ir.dtypes import Array
    from shlo.runner.tensors.planes import DescribedTensor
    from shlo_lsp.server import Server

ARRAYS = "shlo/arrays"
TENSOR = "shlo/tensor"
KEPT_RUNS = 4
"""How many runs' results are kept: the newest."""
KEPT_TENSORS = 2
"""How many tensors are kept in memory with what is known of them."""
READ_AT_MOST = 256 << 20
"""Bytes of an array of a `.npz` file that is read; one of a `.npy` file is mapped."""
MAPPED_AT_MOST = 512 << 20
"""Bytes of an array of a `.npy` file: its statistics take a few times as much."""
LISTED_AT_MOST = 1000


def new_folder() -> TemporaryDirectory[str]:
    """Returns a folder for the results of a run."""
    return TemporaryDirectory(prefix="shlo-results-", ignore_cleanup_errors=True)


class _SavedRun(Struct, frozen=True):
    uri: str
    folder: TemporaryDirectory[str]
    results: Sequence[ShownResult]


class Tensors:
    """The results of the newest runs, and the tensors that were asked for last."""

    def __init__(self) -> None:
        self._runs: OrderedDict[int, _SavedRun] = OrderedDict()
        self._numbers = count(1)
        self._read: OrderedDict[tuple[Any, ...], DescribedTensor] = OrderedDict()
        self._lock = Lock()

    def keep(self, uri: str, folder: TemporaryDirectory[str], results: Sequence[ShownResult]) -> int | None:
        """Keeps the results of a document's run in place of the oldest ones; returns the run's number, None
        where nothing was saved."""
        if not any(result.dtype for result in results):
            folder.cleanup()
            return None
        number = next(self._numbers)
        with self._lock:
            self._runs[number] = _SavedRun(uri, folder, results)
            while len(self._runs) > KEPT_RUNS:
                self._remove(next(iter(self._runs)))
        return number

    def forget(self, uri: str | None = None) -> None:
        """Removes the results of a document's runs; without one, of all."""
        with self._lock:
            for number in [number for number, run in self._runs.items() if uri in (None, run.uri)]:
                self._remove(number)

    def _remove(self, number: int) -> None:
        for key in [key for key in self._read if key[0] == number]:
            del self._read[key]
        self._runs.pop(number).folder.cleanup()

    def result(self, number: Any, result: Any) -> DescribedTensor:
        """Returns a result of a run that is kept; raises RequestFailed."""
        run = self._run(number)
        if not isinstance(result, int) or not 0 <= result < len(run.results):
            raise JsonRpcInvalidParams(f"the run has no result {result!r}")
        dtype = run.results[result].dtype
        if dtype is None:
            raise RequestFailed("that result was not saved: it is no tensor, or too large")
        return self._known((number, result), str(Path(run.folder.name, f"{result}.npy")), None, dtype)

    def listed(self, number: Any) -> list[dict[str, Any]]:
        """Returns the results that were saved of a run that is kept; raises RequestFailed."""
        run = self._run(number)
        saved = [(str(index), result.dtype) for index, result in enumerate(run.results) if result.dtype]
        paths = [str(Path(run.folder.name, f"{name}.npy")) for name, _ in saved]
        headers = [_listed(path)[0] for path in paths]
        return [{**header, "name": name, "dtype": dtype} for header, (name, dtype) in zip(headers, saved)]

    def _run(self, number: Any) -> _SavedRun:
        with self._lock:
            run = self._runs.get(number) if isinstance(number, int) else None
        if run is None:
            raise RequestFailed("the results of that run are gone; run the function again")
        return run

    def of_file(self, path: str, name: Any) -> DescribedTensor:
        """Returns an array of a file; raises RequestError."""
        try:
            changed = Path(path).stat().st_mtime_ns
        except OSError as error:
            raise RequestFailed(f"cannot read {path}: {error.strerror}") from None
        return self._known((path, changed, name), path, name if isinstance(name, str) else None, None)

    def _known(self, key: tuple[Any, ...], path: str, name: str | None, dtype: str | None) -> DescribedTensor:
        with self._lock:
            if tensor := self._read.get(key):
                self._read.move_to_end(key)
                return tensor
        from shlo.runner.tensors.planes import described

        tensor = described(_typed(_array(path, name), dtype))
        with self._lock:
            self._read[key] = tensor
            while len(self._read) > KEPT_TENSORS:
                self._read.popitem(last=False)
        return tensor


async def arrays(server: Server, params: Any) -> dict[str, Any]:
    """Returns what arrays a file has."""
    _check_allowed(server)
    if (number := getattr(params, "run", None)) is not None:
        return {"arrays": await server.work(server.tensors.listed, number)}
    return {"arrays": await server.work(_listed, path_of(params, "uri"))}


async def tensor(server: Server, params: Any) -> dict[str, Any]:
    """Returns a part of a plane of a tensor."""
    _check_allowed(server)
    return await server.work(_answer, server.tensors, params)


def _check_allowed(server: Server) -> None:
    if not server.settings.allow_run:
        raise RequestFailed("tensors are not shown here: running programs is not allowed")


def _listed(path: str) -> list[dict[str, Any]]:
    from shlo.ir.array_files import ArrayArchive, read_npy

    entries: list[dict[str, Any]] = []

    def note(header: ArrayHeader) -> None:
        entries.append({"shape": header.shape, "dtype": _dtype_name(header)})
        raise _HeaderOnly

    try:
        if not path.lower().endswith(".npz"):
            _read_header(read_npy, path, note)
            return [{"name": "", **entries[0]}]
        with ArrayArchive(path) as archive:
            names = archive.names[:LISTED_AT_MOST]
            for name in names:
                _read_header(archive.read, name, note)
    except RequestError as error:
        raise RequestFailed(str(error)) from None
    return [{"name": name, **entry} for name, entry in zip(names, entries)]


class _HeaderOnly(Exception):
    """A header was read, and the elements are not wanted."""


def _read_header(read: Any, name: str, note: Any) -> None:
    try:
        read(name, note)
    except _HeaderOnly:
        return


def _dtype_name(header: ArrayHeader) -> str:
    return "bfloat16" if header.dtype.str == "|V2" else header.dtype.name


def _array(path: str, name: str | None) -> Array:
    from shlo.ir.array_files import ArrayArchive, read_npy
    from shlo.text.numbers import byte_size

    def check(header: ArrayHeader) -> None:
        if name is not None and header.size > READ_AT_MOST:
            raise RequestError(f"{name} is too large; save it in a .npy file of its own, which is mapped")
        if header.size > MAPPED_AT_MOST:
            raise RequestError(
                f"{path} is too large: {byte_size(header.size)}, more than {byte_size(MAPPED_AT_MOST)}"
            )

    try:
        if name is None:
            return read_npy(path, check, map_above=0)
        with ArrayArchive(path) as archive:
            return archive.read(name, check)
    except RequestError as error:
        raise RequestFailed(str(error)) from None


def _typed(array: Array, dtype: str | None) -> Array:
    """Returns an array with the type that it had before NumPy saved it as void; a file of two bytes an
    element is of bfloat16."""
    import ml_dtypes
    import numpy as np

    if array.dtype.kind == "V":
        ml_dtype = getattr(ml_dtypes, dtype or ("bfloat16" if array.dtype.itemsize == 2 else ""), None)
        if ml_dtype is not None and np.dtype(ml_dtype).itemsize == array.dtype.itemsize:
            return array.view(ml_dtype)
    if array.dtype.kind not in "biufc":
        raise RequestFailed(f"elements of type {array.dtype} are not shown")
    return array


def _answer(tensors: Tensors, params: Any) -> dict[str, Any]:
    from shlo.runner.tensors.planes import REQUEST, plane_json

    if getattr(params, "run", None) is not None:
        result = tensors.result(params.run, getattr(params, "result", None))
    else:
        result = tensors.of_file(path_of(params, "uri"), getattr(params, "name", None) or None)
    try:
        return plane_json(result, {name: getattr(params, name, None) for name in REQUEST})
    except ValueError as error:
        raise JsonRpcInvalidParams(str(error)) from None
