"""The library's front door: programs from texts and files, verifying and running them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shlo.dialects.vhlo.versions import has_vhlo
from shlo.ir.diagnostics import Diagnostic, ParseError
from shlo.ir.operations import Module
from shlo.ir.source import BYTECODE_MAGIC, Source

if TYPE_CHECKING:
    from shlo.interpreter.custom_calls.stubs import Stub
    from shlo.interpreter.runtime.channels import Channels
    from shlo.interpreter.semantics import Semantics
    from shlo.ir.dtypes import Array


def parse(source: str | bytes | Source, name: str = "<text>") -> Module:
    """The program that a text, MLIR bytecode, or what `jax.export` serialises holds; messages call it `name`.

    Raises ParseError with all findings, or BytecodeError.
    """
    if isinstance(source, bytes) and (source.startswith(BYTECODE_MAGIC) or b"\0" in source[:4]):
        import shlo_bytecode

        if shlo_bytecode.holds_program(source):
            return shlo_bytecode.read(source, name)
    from shlo import syntax
    from shlo.syntax.parser.unknown_dialects import once_per_dialect

    module, diagnostics = syntax.parse(source, name)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        assert module.source is not None
        raise ParseError(tuple(once_per_dialect(diagnostics)), module.source)
    return module


def load(path: str | PathLike[str]) -> Module:
    """The program in a file; raises as `parse` does, and OSError where the file cannot be read."""
    with Path(path).open("rb") as file:
        start = file.read(len(BYTECODE_MAGIC))
        if start == BYTECODE_MAGIC:
            import shlo_bytecode

            return shlo_bytecode.load(path)
        return parse(start + file.read(), str(path))


def verify(module: Module) -> list[Diagnostic]:
    """What is wrong with a program: errors where the MLIR tools reject it, warnings where only the
    specification does. Each finding has a stable code, words with both values, and its place."""
    from shlo import verifier

    return verifier.verify(module)


def without_vhlo(module: Module) -> Module:
    """Returns a program with StableHLO's operations in place of VHLO's, the program itself where there are
    none. Raises VhloError, a PassError."""
    if not has_vhlo(module):
        return module
    from shlo.transforms import vhlo_to_stablehlo

    return vhlo_to_stablehlo(module)


def run(
    module: Module,
    *arguments: Any,
    entry: str = "main",
    seed: int = 0,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    handlers: Mapping[str, Any] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    semantics: Semantics = "spec",
    platform: str | None = None,
) -> tuple[Array, ...]:
    """Runs a function of a program on NumPy arrays and gives its results, arrays of the caller's own.

    `seed` starts the generator of `rng`; `max_steps` operations and `max_bytes` of tensors are the most that
    the run may take (None: no limit); `handlers` carry out custom calls by target. `stubs` give the results
    of those that have no handler, by target or pattern (`{"tt.*": "zeros"}`): "zeros", "random", or recorded
    arrays by name (`np.load(FILE.npz)`); see `shlo.interpreter.custom_calls.stubs`. `semantics` "xla" does as
    XLA on CPU where it departs from the specification on purpose (docs/differences.md). Operations of VHLO
    run as those of StableHLO. Raises ExecutionError. Specification: "Execution".

    The arguments of what `jax.export` serialised are those of the exported function, one after the other;
    `platform` chooses among those that it was lowered for (by default the CPU, or else the first), and
    ValueError is raised where it was not.
    """
    from shlo import interpreter

    if type(module) is not Module or platform is not None:
        from shlo_bytecode.exported.exported import call_arguments

        arguments = call_arguments(module, entry, arguments, platform)

    return interpreter.run(
        without_vhlo(module),
        *arguments,
        entry=entry,
        seed=seed,
        max_steps=max_steps,
        max_bytes=max_bytes,
        handlers=handlers,
        stubs=stubs,
        semantics=semantics,
    )


def run_grid(
    programs: Module | Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    *,
    replicas: int = 1,
    partitions: int = 1,
    entry: str | Sequence[str] = "main",
    seed: int = 0,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    handlers: Mapping[str, Any] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    semantics: Semantics = "spec",
    channels: Channels | Sequence[Channels] | None = None,
) -> list[tuple[Array, ...]]:
    """Runs programs side by side in a grid, and gives the results of each process, replica by replica.

    `programs` is one program for all processes or one for each, and so is `entry`; `inputs` are the arguments
    of each process, or those of all. `channels` hold what infeeds and channels hold at first, and get what
    outfeeds and channels get: one object for all, or one for each process. The rest is as for `run`.

    Raises GridError, an ExecutionError, where a process fails, or where processes wait for each other
    without end: its `graph` tells who waits for whom. Specification: "Parallel execution".
    """
    from shlo import interpreter

    return interpreter.run_grid(
        without_vhlo(programs) if isinstance(programs, Module) else list(map(without_vhlo, programs)),
        inputs,
        replicas=replicas,
        partitions=partitions,
        entry=entry,
        seed=seed,
        max_steps=max_steps,
        max_bytes=max_bytes,
        handlers=handlers,
        stubs=stubs,
        semantics=semantics,
        channels=channels,
    )
