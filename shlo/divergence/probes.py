"""Values in a folder of `.npy` files, as what operations of a program should give."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Final

import numpy as np

from shlo.divergence.programs import Event, Expected
from shlo.ir.attributes import StringAttr
from shlo.ir.dtypes import Array
from shlo.places.origins import origin_of
from shlo.runner.errors import RequestError
from shlo.runner.files import reason
from shlo.runner.statistics import is_floating
from shlo.support.files import open_input

INDEX: Final = "index.csv"
"""The file in which `interpreter.probe` lists what it wrote: probe id, type, path."""

PROBE: Final = "interpreter.probe"
_NUMBERED: Final = re.compile(r"(.+)\.(\d+)")
_OTHER: Final = re.compile(r"[^\w.()-]")


class ProbeFiles:
    """The files of a folder, by what they are probes of. Nothing is loaded before it is asked for.

    With a file `index.csv` they are those of `interpreter.probe` operations. Else `NAME.npy`, or `NAME.N.npy`
    for the time N (from 0) that the operation runs, is the value `%NAME`, `FUNCTION.NAME.npy` that of a
    function, or NAME is the name in the operation's location, other characters than letters, digits and
    `_.()-` being `_`.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._paths: dict[tuple[str, int], Path] = {}
        self._used: set[Path] = set()
        self._times: Counter[tuple[int, tuple[int, ...]]] = Counter()
        try:
            self._has_index = (self._folder / INDEX).exists()
            probes = self._listed() if self._has_index else self._named()
            self._paths.update(probes)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise RequestError(f"cannot read {folder}: {reason(error)}") from None
        if not self._paths:
            raise RequestError(f"expected .npy files in {folder}, got none")

    def expected(self, event: Event) -> Expected | None:
        """Returns what is in the files for an operation; raises RequestError where one cannot be read."""
        operation = event.operation
        code = event.frames[-1].code
        counted = event.process, (id(operation),)
        time = self._times[counted]
        self._times[counted] += 1
        values: list[Array | None] = []
        for number, value in zip(operation.results, event.values):
            names = self._names(event, code.values.names[number], code.function.name)
            path = next((self._paths[name, time] for name in names if (name, time) in self._paths), None)
            values.append(None if path is None else self._loaded(path, np.asarray(value)))
        return None if all(value is None for value in values) else Expected(values)

    def unused(self) -> list[str]:
        """Returns the names of the files that no operation has been compared with."""
        return sorted(path.name for path in set(self._paths.values()) - self._used)

    def _names(self, event: Event, name: str, function: str) -> list[str]:
        """Returns what a probe of a result may be called."""
        if self._has_index:
            probe_id = event.operation.attribute("probe_id")
            if event.operation.name != PROBE or not isinstance(probe_id, StringAttr):
                return []
            return [probe_id.value]
        origin = origin_of(event.operation.location)
        scoped = _OTHER.sub("_", "/".join(part for part in (origin.scope, origin.primitive) if part))
        return [name_form for name_form in (f"{function}.{name}", name, scoped) if name_form]

    def _listed(self) -> Iterator[tuple[tuple[str, int], Path]]:
        times: Counter[str] = Counter()
        with TextIOWrapper(open_input(self._folder / INDEX), "utf-8", newline="") as lines:
            for row in csv.reader(lines):
                if len(row) >= 3:
                    yield (row[0], times[row[0]]), self._folder / Path(row[-1]).name
                    times[row[0]] += 1

    def _named(self) -> Iterator[tuple[tuple[str, int], Path]]:
        for path in sorted(self._folder.glob("*.npy")):
            numbered = _NUMBERED.fullmatch(path.stem)
            yield (path.stem, 0), path
            if numbered:
                yield (numbered[1], int(numbered[2])), path

    def _loaded(self, path: Path, like: Array) -> Array:
        """Returns the array of a file, with another one's type where both hold floating-point numbers."""
        try:
            with open_input(path) as file:
                array: Array = np.load(file, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise RequestError(f"cannot read {path}: {error}") from None
        self._used.add(path)
        if array.dtype.kind == "V" and array.dtype.itemsize == like.dtype.itemsize:
            return array.view(like.dtype)
        if array.dtype != like.dtype and is_floating(array) and is_floating(like):
            return array.astype(like.dtype)
        return array
