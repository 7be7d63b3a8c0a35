"""The bits of results, for comparing runs: `python -m tests.interpreter.bits [FILE ...]`.

Without files, the functions of `bits.mlir` run on made-up arguments, those named `grid_` in a grid, and one
line is printed for each. Of files it is what every operation of every function without arguments gives that
counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import shlo
from shlo.interpreter import RunOptions, make_process
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.runner.arguments.call import ArgumentTexts, load_arguments
from shlo.runner.files import read_program, split_program

PROGRAMS = Path(__file__).parent / "bits.mlir"
REPLICAS = 8


def lines() -> Iterator[str]:
    """For each function its name and a digest of its results."""
    module = shlo.load(PROGRAMS)
    for seed, (name, function) in enumerate(module.functions.items()):
        if name.startswith("grid_"):
            inputs = [
                load_arguments(function, ArgumentTexts((), "random", seed + number))
                for number in range(REPLICAS)
            ]
            results = shlo.run_grid(module, inputs, replicas=REPLICAS, entry=name)
        else:
            results = shlo.run(
                module, *load_arguments(function, ArgumentTexts((), "random", seed)), entry=name, seed=seed
            )
        yield f"{name} {digest(results)}"


def lines_of(path: str) -> Iterator[str]:
    """For each function without arguments a digest of all results of all operations, and how it ended."""
    for number, source in enumerate(split_program(read_program(path))):
        try:
            module = shlo.parse(source)
        except ParseError:
            continue
        for name, function in module.functions.items():
            if function.body is not None and not function.type.inputs:
                yield f"{path}#{number}::{name} {_digest_of_steps(module, name)}"


def _digest_of_steps(module: shlo.Module, entry: str) -> str:
    found = sha256()
    with TemporaryDirectory() as folder:
        process = make_process(module, [], RunOptions(entry=entry, probe_folder=folder))
        try:
            while process.status == "ready":
                found.update(digest(value for _, value in process.step().results).encode())
        except ExecutionError as error:
            return f"{found.hexdigest()} {error.message}".replace(folder, "")
    return found.hexdigest()


def digest(values: Iterable[Any]) -> str:
    """Returns a digest of types and bits of values, of tuples and grids of them."""
    return sha256(repr([_bits(value) for value in values]).encode()).hexdigest()


def _bits(value: Any) -> object:
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return str(array.dtype), array.shape, array.tobytes()
    if isinstance(value, (tuple, list)):
        return [_bits(part) for part in value]
    return type(value).__name__


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(*lines_of(path), sep="\n")
    if len(sys.argv) == 1:
        print(*lines(), sep="\n")
