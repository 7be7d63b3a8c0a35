"""The library's front door: programs from texts and files, verifying and running them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from shlo.ir.diagnostics import Diagnostic, ParseError
from shlo.ir.operations import Module, once_per_module
from shlo.ir.source import BYTECODE_MAGIC, Source

if TYPE_CHECKING:
    from shlo.interpreter.options import RunKeywords
    from shlo.ir.dtypes import Array


def parse(source: str | bytes | Source, name: str = "<text>") -> Module:
    """Returns the program that a text, MLIR bytecode, or what `jax.export` serialises holds; messages call it
    `name`.

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
    """Returns the program in a file; raises as `parse` does, and OSError where the file cannot be read."""
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
    return _stablehlo_of(module) or module


@once_per_module
def _stablehlo_of(module: Module) -> Module | None:
    from shlo.dialects.vhlo.versions import has_vhlo  # the package loads NumPy, which parsing need not

    if not has_vhlo(module):
        return None
    from shlo.transforms import vhlo_to_stablehlo

    return vhlo_to_stablehlo(module)


def run(
    module: Module, *arguments: Any, platform: str | None = None, **options: Unpack[RunKeywords]
) -> tuple[Array, ...]:
    """Runs a function of a program on NumPy arrays and returns its results, arrays that the caller owns.

    Operations of VHLO run as those of StableHLO. The arguments of what `jax.export` serialised are those of
    the exported function, one after the other. Specification: "Execution".

    Args:
        module: the program.
        arguments: arrays, or numbers and lists that fit the declared types.
        platform: chooses among those that an export was lowered for (default: the CPU, or else the first).
        options: `entry`, the function (default: main); `seed`, the start of the generator of `rng`;
            `max_steps` and `max_bytes`, limits of operations and of the memory of tensors; `handlers` of
            custom calls by target; `stubs`, results of calls that have no handler, by target or pattern
            (`{"tt.*": "zeros"}`): "zeros", "random", or recorded arrays by name (`np.load(FILE.npz)`);
            `semantics`, "xla" to do as XLA on CPU where it departs from the specification on purpose
            (docs/differences.md). See `shlo.interpreter.RunOptions`.

    Raises:
        ExecutionError: the program cannot be run to its end.
        ValueError: the export was not lowered for `platform`.
        TypeError: an option is unknown.
    """
    from shlo import interpreter

    chosen = interpreter.RunOptions.of(options)
    if type(module) is not Module or platform is not None:
        from shlo_bytecode.exported.exported import call_arguments

        arguments = call_arguments(module, chosen.entries[0], arguments, platform)
    return interpreter.execute(without_vhlo(module), arguments, chosen)


def run_grid(
    programs: Module | Sequence[Module], inputs: Sequence[Sequence[Any]], **options: Unpack[RunKeywords]
) -> list[tuple[Array, ...]]:
    """Runs programs side by side in a grid and returns the results of each process, replica by replica.

    Specification: "Parallel execution".

    Args:
        programs: one program for all processes or one for each.
        inputs: the arguments of each process, or those of all.
        options: as for `run`; `replicas` and `partitions`, the shape of the grid; `entry` may be one for
            each process; `channels`, what infeeds and channels hold at first, and what outfeeds and channels
            get: one object for all, or one for each process.

    Raises:
        GridError: an ExecutionError: a process fails, or processes wait for each other without end; its
            `graph` tells who waits for whom.
    """
    from shlo import interpreter

    modules = [programs] if isinstance(programs, Module) else programs
    chosen = interpreter.RunOptions.of(options)
    return interpreter.make_grid(list(map(without_vhlo, modules)), inputs, chosen).run()
