"""Probes: tensors that a program writes to a folder as it runs, one `.npy` file each, with an index beside
them.

The layout is that of the reference interpreter: files `probe1.npy`, `probe2.npy`, ... and `index.csv`,
whose lines are `probe id,type,path of the file`. Names come from counting, never from the program.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType
from shlo.support.files import write_atomically

INDEX = "index.csv"


def write_probe(folder: str | None, probe_id: str, type_: RankedTensorType, value: Any) -> None:
    """Writes a tensor and lists it under `probe_id`; raises KernelError where no folder was chosen."""
    chosen = _chosen(folder)
    path = os.path.join(chosen, f"probe{sum(1 for _ in _entries(chosen)) + 1}.npy")
    write_atomically(path, lambda file: np.save(file, np.asarray(value), allow_pickle=False))
    with open(os.path.join(chosen, INDEX), "a", encoding="utf-8", newline="") as index:
        csv.writer(index, lineterminator="\n").writerow([probe_id, str(type_), path])


def read_probe(folder: str | None, probe_id: str, iteration: int, type_: RankedTensorType) -> Array:
    """Returns the tensor that was written under `probe_id` for the `iteration`-th time, from 0."""
    chosen = _chosen(folder)
    paths = [path for name, path in _entries(chosen) if name == probe_id]
    if not 0 <= iteration < len(paths):
        raise KernelError(
            f"the probe {probe_id!r} was written {len(paths)} times; there is no number {iteration}"
        )
    dtype = dtype_of(type_.element_type)
    array = np.load(os.path.join(chosen, os.path.basename(paths[iteration])), allow_pickle=False)
    return array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array


def _entries(folder: str) -> Iterator[tuple[str, str]]:
    index = os.path.join(folder, INDEX)
    if not os.path.exists(index):
        return
    with open(index, encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            if len(row) >= 3:
                yield row[0], row[-1]


def _chosen(folder: str | None) -> str:
    if folder is None:
        raise KernelError("no folder was chosen for probes (`--probe-output-dir`, or `probe_folder`)")
    return folder
