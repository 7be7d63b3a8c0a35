"""The library's front door: programs from texts and files, and running them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Module
from shlo.ir.source import BYTECODE_MAGIC, Source

if TYPE_CHECKING:
    from shlo.ir.dtypes import Array


def parse(source: str | bytes | Source, name: str = "<text>") -> Module:
    """The program that a text, or MLIR bytecode, holds; messages call it `name`.

    Raises ParseError with all findings, or BytecodeError.
    """
    if isinstance(source, bytes) and source.startswith(BYTECODE_MAGIC):
        import shlo_bytecode

        return shlo_bytecode.read(source, name)
    from shlo import syntax

    module, diagnostics = syntax.parse(source, name)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        assert module.source is not None
        raise ParseError(tuple(diagnostics), module.source)
    return module


def load(path: str | PathLike[str]) -> Module:
    """The program in a file; raises as `parse` does, and OSError where the file cannot be read."""
    return parse(Path(path).read_bytes(), str(path))


def run(
    module: Module,
    *arguments: Any,
    entry: str = "main",
    seed: int = 0,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    handlers: Mapping[str, Any] | None = None,
) -> tuple[Array, ...]:
    """Runs a function of a program on NumPy arrays and gives its results, arrays of the caller's own.

    `seed` starts the generator of `rng`; `max_steps` operations and `max_bytes` of tensors are the most that
    the run may take (None: no limit); `handlers` carry out custom calls by target. Raises ExecutionError.
    Specification: "Execution".
    """
    from shlo import interpreter

    return interpreter.run(
        module,
        *arguments,
        entry=entry,
        seed=seed,
        max_steps=max_steps,
        max_bytes=max_bytes,
        handlers=handlers,
    )
