"""The library's front door: programs from texts, verifying and running them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Unpack

from shlo import engines
from shlo.ir.diagnostics import Diagnostic, ParseError
from shlo.ir.operations import Module, check_module, once_per_module
from shlo.ir.source import Source, is_binary

if TYPE_CHECKING:
    from shlo.costs import ProgramCost, Rules
    from shlo.engines import Engine
    from shlo.interpreter.options import RunKeywords, RunOptions
    from shlo.ir.dtypes import Array

XLA_FUNCTIONS: Final = ("chlo.erf", "chlo.top_k")
"""Operations of CHLO that XLA has operations for."""


def parse(source: str | bytes | Source, name: str = "<text>") -> Module:
    """Returns the program that a text, MLIR bytecode, or what `jax.export` serialises holds; messages call it
    `name`.

    Raises ParseError with all findings, or BytecodeError.
    """
    if isinstance(source, bytes) and is_binary(source):
        import shlo_bytecode

        if shlo_bytecode.holds_program(source):
            return shlo_bytecode.read(source, name)
    from shlo import syntax
    from shlo.syntax.parser.definitions import once_per_dialect

    module, diagnostics = syntax.parse(source, name)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        assert module.source is not None
        raise ParseError(tuple(once_per_dialect(diagnostics)), module.source)
    return module


def verify(module: Module) -> list[Diagnostic]:
    """What is wrong with a program: errors where the MLIR tools reject it, warnings where only the
    specification does. Each finding has a stable code, words with both values, and its place."""
    check_module(module, "shlo.check takes functions, texts and paths")
    from shlo import verifier

    return verifier.verify(module)


def without_vhlo(module: Module) -> Module:
    """Returns a program with StableHLO's operations in place of VHLO's, the program itself where there are
    none. Raises VhloError, a PassError."""
    return _stablehlo_of(module) or module


@once_per_module
def _stablehlo_of(module: Module) -> Module | None:
    from shlo.dialects.vhlo.programs import has_vhlo  # the package loads NumPy, which parsing need not

    if not has_vhlo(module):
        return None
    from shlo.transforms import vhlo_to_stablehlo

    return vhlo_to_stablehlo(module)


def cost(module: Module, entry: str = "main", rules: Rules = "shlo") -> ProgramCost:
    """Returns what running a function of a program once costs: FLOPs, bytes and memory by liveness, for each
    operation, kind of operation, name scope and line of Python. docs/cost.md says how they are counted.

    Args:
        module: the program.
        entry: the name of the function.
        rules: "xla" counts as XLA's cost analysis of a program that was not optimised does: a loop's body
            once, -1 for a custom call, CHLO's functions as what they are expanded to.

    Raises:
        ValueError: the program has no function of that name with a body.
    """
    from shlo import costs

    module = without_vhlo(module)
    if rules == "xla":
        from shlo.transforms import chlo_to_stablehlo

        module = chlo_to_stablehlo(module, keep=XLA_FUNCTIONS)
    return costs.cost(module, entry, rules)


def run(
    module: Module,
    *arguments: Any,
    platform: str | None = None,
    engine: str | Engine = "interpreter",
    devices: int | None = None,
    **options: Unpack[RunKeywords],
) -> tuple[Array, ...]:
    """Runs a function of a program on NumPy arrays and returns its results, arrays that the caller owns.

    Operations of VHLO run as those of StableHLO. The arguments of what `jax.export` serialised are those of
    the exported function, one after the other. Specification: "Execution".

    Args:
        module: the program.
        arguments: arrays, or numbers and lists that fit the declared types.
        platform: chooses among those that an export was lowered for (default: the CPU, or else the first);
            with the engine "xla" the kind of devices, too: "cpu", "gpu", "tpu", "cuda", "rocm".
        engine: what runs the program: "interpreter"; "reference" or "xla", which need the extra of
            their name; "pjrt:NAME"; "command:WORDS"; one that a distribution brings; or an engine itself
            (docs/engines.md).
        devices: with the engine "xla", how many devices it may use.
        options: `entry`, the function (default: main); `seed`, the start of the generator of `rng`;
            `max_steps` and `max_bytes`, limits of operations and of the memory of tensors; `handlers` of
            custom calls by target; `stubs`, results of calls that have no handler, by target or pattern
            (`{"tt.*": "zeros"}`): "zeros", "random", or recorded arrays by name (`np.load(FILE.npz)`);
            `semantics`, "xla" to do as XLA on CPU where it departs from the specification on purpose
            (docs/differences.md). See `shlo.interpreter.RunOptions`.

    Raises:
        ExecutionError: the program cannot be run to its end.
        EngineError: the engine cannot run it, or is not there.
        ValueError: the export was not lowered for `platform`.
        TypeError: an option is unknown.
    """
    chosen = _run_options().of(options)
    of_devices = None if engine == engines.DEFAULT else platform
    is_anywhere = of_devices is None and devices is None
    placement = engines.ANYWHERE if is_anywhere else engines.Placement(of_devices, devices)
    runs = engines.engine_of(engine, placement)
    if type(module) is not Module or (platform is not None and of_devices is None):
        from shlo_bytecode.exported.exported import call_arguments

        arguments = call_arguments(module, chosen.entries[0], arguments, platform)
    return runs.execute(without_vhlo(module), arguments, chosen)


@cache
def _run_options() -> type[RunOptions]:
    """Returns the class of run options. Importing it loads NumPy, and in each run takes as long as a whole
    small operation."""
    from shlo.interpreter.options import RunOptions

    return RunOptions


def run_grid(
    programs: Module | Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    *,
    platform: str | None = None,
    engine: str | Engine = "interpreter",
    devices: int | None = None,
    **options: Unpack[RunKeywords],
) -> list[tuple[Array, ...]]:
    """Runs programs side by side in a grid and returns the results of each process, replica by replica.

    Specification: "Parallel execution".

    Args:
        programs: one program for all processes or one for each.
        inputs: the arguments of each process, or those of all.
        platform: with the engine "xla", the kind of devices.
        engine: as for `run`.
        devices: as for `run`: at least one for each process.
        options: as for `run`; `replicas` and `partitions`, the shape of the grid; `entry` may be one for
            each process; `channels`, what infeeds and channels hold at first, and what outfeeds and channels
            get: one object for all, or one for each process.

    Raises:
        GridError: an ExecutionError: a process fails, or processes wait for each other without end; its
            `graph` tells who waits for whom.
        EngineError: the engine cannot run it, or has too few devices.
        TypeError: `programs` is no Module, nor a list of them; an option is unknown.
    """
    modules = [programs] if isinstance(programs, Module) else programs
    for module in modules if hasattr(modules, "__len__") else (modules,):
        check_module(module, "shlo.parse and shlo.load return one")
    runs = engines.engine_of(engine, engines.Placement(platform, devices))
    return runs.execute_grid(list(map(without_vhlo, modules)), inputs, _run_options().of(options))
