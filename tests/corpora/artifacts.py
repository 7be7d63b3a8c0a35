"""Runs the artifacts of JAX's back-compatibility tests, and compares their results with the recorded ones.

    python -m tests.corpora DIR --part artifacts

A checkout of JAX holds the artifacts that it still tests; `python -m tests.corpora.jax_history` writes those
that it has removed into the folder `jax-history` beside the checkout, where they are found, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import shlo
from shlo.interpreter.custom_calls.registry import DEVICE_KERNELS
from shlo.ir.source import BYTECODE_MAGIC
from tests.conformance.programs import Result
from tests.corpora.back_compat_data import Entry, entries
from tests.corpora.recorded_results import difference

HISTORY = "jax-history"


def run(checkout: Path, only: str = "") -> Iterator[Result]:
    """Yields what became of each artifact whose key contains `only`, each distinct one once.

    A result's key is `folder/path::variable.name`; its verdict "passed", "failed" (other results), "error"
    (none), "device kernel" (nothing to run it on) or "no program" (data of TensorFlow, not of MLIR).
    """
    seen = set[bytes]()
    for folder in (checkout, checkout.with_name(HISTORY)):
        for entry in entries(folder):
            if entry.identity in seen:
                continue
            seen.add(entry.identity)
            key = f"{folder.name}/{entry.key}"
            if only in key:
                yield Result(key, *judged(entry))


def judged(entry: Entry) -> tuple[str, str]:
    """Returns the verdict on one artifact and the reason for it."""
    if not entry.program.startswith(BYTECODE_MAGIC):
        return "no program", ""
    if not DEVICE_KERNELS.keys().isdisjoint(entry.targets):
        return _refused_kernel(entry)
    try:
        results = shlo.run(shlo.parse(entry.program, entry.key), *entry.inputs)
    except Exception as error:
        return "error", f"{type(error).__name__}: {error}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = difference(entry, [np.asarray(result) for result in results])
    return ("failed", found) if found else ("passed", "")


def _refused_kernel(entry: Entry) -> tuple[str, str]:
    """Returns the verdict on an artifact with a device kernel: it must be refused by name."""
    try:
        shlo.run(shlo.parse(entry.program, entry.key), *entry.inputs)
    except shlo.ExecutionError as error:
        if "it is a device kernel of" in error.message:
            return "device kernel", error.message
        return "error", error.message
    return "failed", "a device kernel ran"
