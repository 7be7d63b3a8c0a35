"""XLA as an engine: executables compiled once for a program and its options."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.stablehlo.custom_call_targets import CUSTOM_PARTITIONING
from shlo.engines.engine import Cluster, EngineError, Placement
from shlo.engines.xla import runtime
from shlo.engines.xla.host_calls import Answers, HostFunctions, answers_of, first_place, with_host_calls
from shlo.engines.xla.programs import (
    executable_module,
    has_tokens,
    tensors_of,
    whole_partitions,
    with_tokens,
)
from shlo.interpreter.custom_calls.registry import IN_ITS_PROCESS
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.errors import unlocated
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.marshal import marshal_arguments
from shlo.ir.diagnostics import ExecutionError, PlacedError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Module, once_per_module
from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions

INTERPRETER_ONLY: Final = {
    "max_steps": "a limit of operations",
    "max_bytes": "a limit of bytes",
    "profile": "the time of each operation",
    "threads": "a number of threads",
}
"""Options of a run that XLA has no way to follow, in words."""

INTERPRETER_MAY_RUN_IT: Final = "the interpreter may run it: leave out the engine"

MOST_EXECUTABLES: Final = 64
"""Executables that are kept of one program."""


class _Compiled(Struct, frozen=True):
    """An executable, shapes and dtypes of its results, and in which cluster it runs; `is_whole` where each
    device takes a part of them; `functions` are those of Python's that it calls; `types` are those of all
    results, where tokens are among them.
    """

    executable: runtime.Executable
    layouts: tuple[runtime.Layout, ...]
    is_whole: bool
    cluster: Cluster | None
    functions: HostFunctions | None
    types: Sequence[Type] | None

    @property
    def gathers(self) -> bool:
        """Whether results are those of all processes."""
        return self.cluster is not None and self.cluster.gathers


class _CompiledForm(Struct, frozen=True):
    """The form in which a program is compiled: its function, for which grid, whether each device takes a part
    of whole tensors, and the targets of custom calls that the run answers, None where it answers none.
    """

    entry: str
    replicas: int
    partitions: int
    is_whole: bool
    hosted: frozenset[str] | None


@once_per_module
def _executables(module: Module) -> dict[Any, _Compiled]:
    """Returns the executables of a program, by what they were compiled for."""
    return {}


class XlaEngine:
    """Runs programs with XLA on the devices of a platform; may be used from several threads."""

    name = "xla"

    def __init__(self, placement: Placement) -> None:
        runtime.require_jax()
        self._placement = placement

    def told(self, compiler_options: Sequence[tuple[str, str]]) -> XlaEngine:
        """Returns the engine that tells its compiler something; this one where that is what it tells."""
        options = tuple(compiler_options)
        placement = self._placement
        return (
            self
            if options == placement.compiler_options
            else XlaEngine(replace(placement, compiler_options=options))
        )

    def start(self) -> None:
        """Starts JAX, with as many CPU devices as the placement says; raises EngineError."""
        self._devices(1)

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of the processes whose devices are here; joins the cluster first, if any."""
        if self._placement.cluster is None:
            return range(count)
        devices = self._devices(count)
        local = set(runtime.own_devices(devices))
        return [number for number, device in enumerate(devices) if device in local]

    def execute(
        self, module: Module, arguments: Sequence[Any], options: RunOptions, answers: Answers | None = None
    ) -> tuple[Any, ...]:
        """Runs a function on one device, a sharded one on as many as its mesh has. `answers` are for calls of
        Python functions, by default those of the options.
        """
        (entry,) = options.entries
        refuse_unsupported(options)
        partitions = whole_partitions(module)
        answers = answers or answers_of(module, options)
        form = _CompiledForm(
            entry, 1, partitions, partitions > 1, None if answers is None else answers.targets
        )
        compiled = None
        if answers is None and all(type(argument) is np.ndarray for argument in arguments):
            compiled = _executables(module).get(self._key(form, arguments))
        if compiled is not None:  # for such arguments as these
            return _run_executable(compiled, [arguments])[0]
        return self._run_compiled(module, form, [marshalled(module, entry, arguments)], answers)[0]

    def execute_grid(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        answers: Answers | None = None,
    ) -> list[tuple[Any, ...]]:
        """Runs a function on a device for each process, one after the other in the order of JAX. A sharded
        program runs once for all processes, which must have the same arguments. `answers` as for `execute`.
        """
        refuse_unsupported(options)
        replicas, partitions = options.replicas, options.partitions
        size = replicas * partitions
        module, entry = one_function(modules, options), options.entries[0]
        values = [marshalled(module, entry, arguments) for arguments in inputs]
        local_count = len(self.own_processes(size))
        values = values * local_count if len(values) == 1 else values
        devices = whole_partitions(module)
        answers = answers or answers_of(module, options)
        form = _CompiledForm(
            entry, replicas, partitions, devices > 1, None if answers is None else answers.targets
        )
        if devices == 1:
            return self._run_compiled(module, form, values, answers)
        if (replicas, partitions) != (1, devices):
            raise EngineError(f"expected a grid of 1x{devices} for its mesh, got {replicas}x{partitions}")
        if any(not _same(arguments, values[0]) for arguments in values):
            raise EngineError(
                "expected the same whole arguments for all processes of a sharded program, got several",
                "the interpreter runs it on others",
            )
        results = self._run_compiled(module, form, values[:1], answers)[0]
        cluster = self._placement.cluster
        count = size if cluster is not None and cluster.gathers else local_count
        return [tuple(copy(result) for result in results) for _ in range(count)]

    def _devices(self, count: int) -> tuple[Any, ...]:
        """Returns the devices for a grid of `count` processes; raises EngineError."""
        placement = self._placement
        if placement.cluster is not None:
            return runtime.cluster_devices(placement.cluster, count, placement.platform, placement.devices)
        return runtime.devices_for(count, placement.platform, placement.devices)

    def _key(self, form: _CompiledForm, values: Sequence[Array]) -> Any:
        """Returns what an executable is compiled for: a form, the layouts of arguments, a place."""
        return form, tuple([(value.shape, value.dtype) for value in values]), self._placement

    def _run_compiled(
        self, module: Module, form: _CompiledForm, inputs: Sequence[Sequence[Array]], answers: Answers | None
    ) -> list[tuple[Any, ...]]:
        """Returns the results of each process, of an executable that is compiled at most once: one that calls
        Python functions once for each run at the same time.
        """
        executables = _executables(module)
        key = self._key(form, inputs[0])
        compiled = executables.get(key) if answers is None else executables.pop(key, None)
        if compiled is None:
            compiled = self._compile(module, form, inputs[0])
            if len(executables) >= MOST_EXECUTABLES:
                executables.pop(next(iter(executables)), None)
            if answers is None:
                executables[key] = compiled
        try:
            return _run_executable(compiled, inputs, answers)
        finally:
            if answers is not None:
                executables[key] = compiled

    def _compile(self, module: Module, form: _CompiledForm, values: Sequence[Array]) -> _Compiled:
        """Returns the executable of a function for arguments like these."""
        replicas, partitions = form.replicas, form.partitions
        devices, functions, called_in = self._devices(replicas * partitions), None, module
        if form.hosted is not None:
            called_in, functions = with_host_calls(module, form.hosted, devices[0].platform)
        parts = 1 if form.is_whole else partitions
        program, results = _text_and_layouts(called_in, form.entry, values, parts)
        called = None if functions is None else functions.functions()
        try:
            executable = runtime.compile_program(
                program, results, devices, replicas, partitions, called, self._placement.compiler_options
            )
        except runtime.XlaError as error:
            if runtime.PARTITIONER in str(error):
                location = first_place(module, CUSTOM_PARTITIONING)
                raise ExecutionError(f"{CUSTOM_PARTITIONING}: {IN_ITS_PROCESS}", None, location) from None
            raise _explained(error, "compile") from None
        function = module.functions[form.entry]
        types = function.type.results if has_tokens(function) else None
        return _Compiled(executable, results, form.is_whole, self._placement.cluster, functions, types)


def _text_and_layouts(
    module: Module, entry: str, values: Sequence[Array], partitions: int
) -> tuple[bytes, tuple[runtime.Layout, ...]]:
    """Returns the text that XLA compiles, and the layouts of its results. Raises ExecutionError."""
    try:
        program = executable_module(module, entry, values, partitions)
    except PlacedError as error:
        raise ExecutionError(error.message, None, error.place) from error
    types = program.functions["main"].type.results
    layouts = tuple(
        (type_.static_shape, dtype_of(type_.element_type))
        for type_ in types
        if isinstance(type_, RankedTensorType) and type_.is_static
    )
    if len(layouts) != len(types):
        raise EngineError(
            "expected sizes of results that follow from those of the arguments, got others",
            "the interpreter runs programs whose sizes depend on values",
        )
    return program.to_text().encode(), layouts


def one_function(modules: Sequence[Module], options: RunOptions) -> Module:
    """Returns the program of a grid; raises EngineError where its processes run several functions."""
    if len({id(module) for module in modules}) > 1 or len(set(options.entries)) > 1:
        raise EngineError(
            "expected one function for all processes, got several",
            "the interpreter runs a program for each process",
        )
    return modules[0]


def marshalled(module: Module, entry: str, arguments: Sequence[Any]) -> list[Array]:
    """Returns arguments as arrays of a function's argument types, without tokens; raises ExecutionError as
    the interpreter does.
    """
    from shlo.interpreter.program.code import program_of

    function = None
    try:
        function = program_of(module).function(entry)
        values = marshal_arguments(function.name, function.argument_types, arguments)
    except KernelError as error:
        raise unlocated(error, function) from error
    return [np.asarray(value) for value in tensors_of(function.argument_types, values)]


def _run_executable(
    compiled: _Compiled, inputs: Sequence[Sequence[Array]], answers: Answers | None = None
) -> list[tuple[Any, ...]]:
    """Returns the results of each process whose inputs these are, or of all where the cluster gathers them;
    raises ExecutionError.
    """
    executable, functions = compiled.executable, compiled.functions
    if functions is not None:
        functions.answers, functions.error = answers, None
    try:
        if compiled.is_whole:
            results = [executable.execute_whole(inputs[0], [shape for shape, _ in compiled.layouts])]
        else:
            results = executable.execute(inputs)
            results = executable.gather(results) if compiled.gathers else results
        types = compiled.types
        return [tuple(row) if types is None else with_tokens(types, row) for row in results]
    except runtime.XlaError as error:
        if functions is not None and functions.error is not None:
            raise functions.error from None
        raise _explained(error, "run", compiled.cluster) from None
    finally:
        if functions is not None:
            functions.answers = None


def _explained(error: runtime.XlaError, what: str, cluster: Cluster | None = None) -> ExecutionError:
    explained = ExecutionError(f"XLA cannot {what} the program: {error}")
    explained.add_note(
        INTERPRETER_MAY_RUN_IT
        if cluster is None
        else "another process of the run may have ended: its own messages say why"
    )
    return explained


def refuse_unsupported(options: RunOptions) -> None:
    """Raises EngineError where options ask for what XLA does not do."""
    for name, words in INTERPRETER_ONLY.items():
        if getattr(options, name):
            raise EngineError(
                f"expected a run without {words} for XLA, got {name}", "the interpreter follows it"
            )
    channels = options.channels
    queues = [channels] if isinstance(channels, Channels) else channels or ()
    if any(queue.infeed for queue in queues):
        raise EngineError("expected a run without an infeed for XLA, got one", "the interpreter reads it")


def _same(one: Sequence[Array], other: Sequence[Array]) -> bool:
    """Returns whether two lists of arguments have the same bytes."""
    return one is other or all(left.tobytes() == right.tobytes() for left, right in zip(one, other))
