"""Test programs: the check dialect, whose programs fail if an actual tensor is not the expected one, and the
interpreter dialect's probes, tensors that a program writes to a folder as it runs.

The folder's layout is that of the reference interpreter: files `probe1.npy`, `probe2.npy`, ... and
`index.csv`, whose lines are `probe id,type,path of the file`. Names come from counting, never from the
program.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Any

import numpy as np

from shlo.interpreter.agreement import checked, equal, within, within_ulps
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.attributes import FloatAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, dtype_of, saveable
from shlo.ir.types import RankedTensorType
from shlo.support.files import open_input, write_atomically

DEFAULT_TOLERANCE = 1e-4


@kernel("check.expect_eq")
def expect_eq(op: OpView) -> KernelFn:
    """Fails unless both operands are equal, element by element."""
    return checked(equal, "equal")


@kernel("check.expect_eq_const")
def expect_eq_const(op: OpView) -> KernelFn:
    """Fails unless the operand equals the attribute `value`."""
    return _against_constant(op, checked(equal, "equal"))


@kernel("check.expect_almost_eq")
def expect_almost_eq(op: OpView) -> KernelFn:
    """Fails unless both operands differ by no more than `tolerance`."""
    return checked(within(_tolerance(op)), "almost equal")


@kernel("check.expect_almost_eq_const")
def expect_almost_eq_const(op: OpView) -> KernelFn:
    """Fails unless the operand differs from the attribute `value` by no more than `tolerance`."""
    return _against_constant(op, checked(within(_tolerance(op)), "almost equal"))


@kernel("check.expect_close")
def expect_close(op: OpView) -> KernelFn:
    """Fails unless both operands are `min_ulp_difference` to `max_ulp_difference` units apart."""
    limit, least = op.integer("max_ulp_difference", 1), op.integer("min_ulp_difference", 0)
    return checked(within_ulps(limit, least), "close")


@kernel("check.expect_serialized_eq", needs_context=True)
def expect_serialized_eq(op: OpView) -> KernelFn:
    """Fails unless the operand equals the tensor that a probe wrote."""
    probe_id, iteration, type_ = op.word("probe_id"), op.integer("iteration", 0), op.tensor_type(0)
    compare = checked(equal, "equal")

    def evaluate(context: ExecutionContext, actual: Any) -> None:
        compare(actual, read_probe(context.probe_folder, probe_id, iteration, type_))

    return evaluate


def _against_constant(op: OpView, compare: KernelFn) -> UnaryFn:
    expected = op.require("value", DenseElementsAttr).array
    return lambda actual: compare(actual, expected)


def _tolerance(op: OpView) -> float:
    tolerance = op.get("tolerance")
    return tolerance.value if isinstance(tolerance, FloatAttr) else DEFAULT_TOLERANCE


@kernel("interpreter.probe", needs_context=True)
def probe(op: OpView) -> KernelFn:
    """Writes the operand to the probe folder, and returns it."""
    probe_id, type_ = op.word("probe_id"), op.tensor_type(0)

    def evaluate(context: ExecutionContext, operand: Value) -> Value:
        write_probe(context.probe_folder, probe_id, type_, operand)
        return operand

    return evaluate


@kernel("interpreter.print")
def print_(op: OpView) -> KernelFn:
    """Writes the operand's type and elements to standard error."""
    type_ = op.operand_types[0]

    def evaluate(operand: Any) -> None:
        elements = np.array2string(np.asarray(operand), separator=", ", threshold=1000)
        sys.stderr.write(f"{type_} {{\n{elements}\n}}\n")

    return evaluate


INDEX = "index.csv"


def write_probe(folder: str | None, probe_id: str, type_: RankedTensorType, value: Any) -> None:
    """Writes a tensor and lists it under `probe_id`; raises KernelError where no folder was chosen."""
    chosen = _chosen(folder)
    path = os.path.join(chosen, f"probe{sum(1 for _ in _entries(chosen)) + 1}.npy")
    write_atomically(path, lambda file: np.save(file, saveable(value), allow_pickle=False))
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
    with open_input(os.path.join(chosen, os.path.basename(paths[iteration]))) as file:
        array = np.load(file, allow_pickle=False)
    return array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array


def _entries(folder: str) -> Iterator[tuple[str, str]]:
    index = os.path.join(folder, INDEX)
    if not os.path.exists(index):
        return
    with TextIOWrapper(open_input(index), "utf-8", newline="") as lines:
        for row in csv.reader(lines):
            if len(row) >= 3:
                yield row[0], row[-1]


def _chosen(folder: str | None) -> str:
    if folder is None:
        raise KernelError("no folder was chosen for probes (`--probe-output-dir`, or `probe_folder`)")
    return folder
