"""Running functions of modules on arrays, in one process or in a grid of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from msgspec.structs import replace

from shlo.interpreter.engine.binding import run_function
from shlo.interpreter.engine.frames import Frame, function_frame
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.kernel_api import Body, Value
from shlo.interpreter.options import RunKeywords, RunOptions
from shlo.interpreter.program.code import program_of
from shlo.interpreter.program.errors import unlocated
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.context import ExecutionContext, Values
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.marshal import copy_out, marshal_arguments, share_out
from shlo.interpreter.runtime.profile import Meter
from shlo.interpreter.runtime.program_output import print_output
from shlo.interpreter.runtime.threads import default_threads
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.interpreter.topology.groups import MOST_PROCESSES, GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module

if TYPE_CHECKING:  # a run needs neither
    from shlo.interpreter.engine.stepper import Process
    from shlo.interpreter.spmd.grid import ProcessGrid

Inputs = Sequence[Sequence[Any]]


def run(module: Module, *arguments: Any, **keywords: Unpack[RunKeywords]) -> tuple[Any, ...]:
    """Returns the results of a function on `arguments`; `keywords` are the fields of RunOptions, the rest is
    as for `execute`."""
    return execute(module, arguments, RunOptions.of(keywords))


def execute(
    module: Module,
    arguments: Sequence[Any],
    options: RunOptions,
    hand_out: Callable[[tuple[Value, ...]], tuple[Any, ...]] = copy_out,
) -> tuple[Any, ...]:
    """Runs a function of a module on arrays and returns its results, NumPy arrays that the caller owns.

    Parts of a program that are for each device of a mesh run on as many processes; the arguments and results
    are whole tensors.

    Args:
        module: the program.
        arguments: arrays of the declared shapes and dtypes (`ml_dtypes` has those that NumPy lacks), or
            numbers or lists that fit; None for a token. They are never written to.
        options: how it runs.
        hand_out: makes the caller's results of the values that the function returns.

    Raises:
        ExecutionError: with the operation and its place, where the program cannot be run to its end.
    """
    if (options.replicas, options.partitions) != (1, 1):
        raise ValueError("expected one process, got a grid; run_grid runs grids")
    (entry,) = options.entries
    function = None
    try:
        function = program_of(module, options.semantics).function(entry)
        partitions = function.partitions or legacy_partitions(module, entry, options.semantics)
        if partitions > 1:
            return make_grid(module, [arguments], replace(options, partitions=partitions)).run()[0]
        context = context_of(options, asks_threads=function.program.runs == 0)
        function.program.runs += 1

        def run_on_arguments() -> tuple[Any, ...]:
            values = marshal_arguments(function.name, function.argument_types, arguments)
            results = run_function(context, function, values, options.progress)
            context.budget.check_results(results)
            return hand_out(results)

        return context.call(run_on_arguments)
    except ExecutionError:
        raise
    except Exception as error:
        raise unlocated(error, function) from error


def execute_read_only(module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
    """Runs a function as `execute` does, and returns its results read-only: one that looks at memory which is
    read-only, that of an argument such as an earlier result, shares it."""
    return execute(module, arguments, options, share_out)


def run_grid(
    programs: Module | Sequence[Module], inputs: Inputs, **keywords: Unpack[RunKeywords]
) -> list[tuple[Any, ...]]:
    """Runs programs side by side and returns the results of each process; `keywords` are the fields of
    RunOptions, the rest is as for `make_grid`. Raises GridError where a process fails or processes wait for
    each other without end."""
    return make_grid(programs, inputs, RunOptions.of(keywords)).run()


def make_process(module: Module, arguments: Sequence[Any], options: RunOptions) -> Process:
    """Returns a process at the beginning of a function; raises ExecutionError as `execute` does."""
    from shlo.interpreter.engine.stepper import Process

    context = context_of(options)
    frame = _first_frame(module, options.entries[0], arguments, options)
    return Process(frame, context, options.keep_values)


def make_grid(programs: Module | Sequence[Module], inputs: Inputs, options: RunOptions) -> ProcessGrid:
    """Returns a grid of processes at their beginning, replica by replica.

    Args:
        programs: one module for all processes or one for each.
        inputs: the arguments of each process, or those of all.
        options: how the processes run.

    Raises:
        ExecutionError: where arguments do not fit.
        ValueError: where the number of programs, entries, inputs or channels is not that of the processes.
    """
    from shlo.interpreter.engine.stepper import Process
    from shlo.interpreter.spmd.grid import ProcessGrid
    from shlo.interpreter.topology.mesh import grid_shape

    shape = GridShape(options.replicas, options.partitions)
    if min(shape) < 1 or shape.size > MOST_PROCESSES:
        raise ValueError(
            f"expected a grid of 1 to {MOST_PROCESSES} processes, got {shape.replicas} x {shape.partitions}"
        )
    modules = _for_each(programs if isinstance(programs, Sequence) else [programs], shape, "programs")
    entries = _for_each(options.entries, shape, "entries")
    shape = grid_shape(*shape, program_of(modules[0], options.semantics).symbols)
    arguments = _for_each(inputs, shape, "lists of inputs")
    queues = _queues(options.channels, shape)
    common = context_of(replace(options, channels=queues[0]))
    budget = common.budget = GridBudget(options.max_steps, options.max_bytes)
    processes: list[Process] = []
    for number in range(shape.size):
        context = common.of_process(shape, number, queues[number])
        try:
            frame = _first_frame(modules[number], entries[number], arguments[number], options)
        except ExecutionError as error:
            error.add_note(f"for process {shape.label(number)} of the grid")
            raise
        processes.append(Process(frame, context, options.keep_values))
    budget.processes = processes
    return ProcessGrid(processes, shape, budget)


class GridBudget(Budget):
    """What all processes of a grid together may do and hold."""

    def __init__(self, max_steps: int | None = None, max_bytes: int | None = None) -> None:
        super().__init__(max_steps, max_bytes)
        self.processes: Sequence[Process] = ()

    def reserve(self, size: int, live: Callable[[], Iterable[Value]]) -> None:
        """As Budget, with the values of all processes in place of those of one."""
        super().reserve(size, self._live)

    def _live(self) -> Iterator[Value]:
        return (value for process in self.processes for value in process.live())


def context_of(options: RunOptions, asks_threads: bool = True) -> ExecutionContext:
    """Returns the context of one process that is no part of a grid. Where it does not ask for the default
    number of threads now, an operation that needs it does: that takes as long as some small operations."""
    channels = options.channels
    if channels is not None and not isinstance(channels, Channels):
        (channels,) = channels
    return ExecutionContext(
        seed=options.seed,
        handlers=options.handlers or {},
        stubs=options.stubs or {},
        callbacks=options.callbacks,
        output=options.output or print_output,
        probe_folder=options.probe_folder,
        budget=Budget(options.max_steps, options.max_bytes),
        given_channels=channels,
        meter=None if options.profile is None else Meter(options.profile),
        grid_runner=_run_bodies,
        given_threads=options.threads or (default_threads() if asks_threads else None),
    )


def _for_each(items: Sequence[Any], shape: GridShape, what: str) -> Sequence[Any]:
    """Returns one of the items for each process."""
    if len(items) == 1:
        return list(items) * shape.size
    if len(items) != shape.size:
        raise ValueError(
            f"expected {shape.size} {what} for a grid of {shape.replicas} x {shape.partitions}, "
            f"got {len(items)}"
        )
    return items


def _queues(channels: Channels | Sequence[Channels] | None, shape: GridShape) -> list[Channels]:
    if isinstance(channels, Channels):
        return [channels] * shape.size
    if channels is None:
        first = Channels()
        return [first, *(first.sharing_channels() for _ in range(shape.size - 1))]
    queues = _for_each(channels, shape, "sets of channels")
    for queue in queues[1:]:
        queue.channels = queues[0].channels
    return list(queues)


def _first_frame(module: Module, entry: str, arguments: Sequence[Any], options: RunOptions) -> Frame:
    function = None
    try:
        function = program_of(module, options.semantics).function(entry)
        values = marshal_arguments(function.name, function.argument_types, arguments)
        return function_frame(function, values)
    except Exception as error:
        raise unlocated(error, function) from error


def _run_bodies(
    bodies: Sequence[Body],
    contexts: Sequence[ExecutionContext],
    shape: GridShape,
    arguments: Sequence[Values],
) -> list[Values]:
    """Runs a body in each process of a grid, and returns the results of all. Raises GridError."""
    grid = grid_of_bodies(bodies, contexts, shape, arguments)
    grid.finish()
    return [process.returned for process in grid.processes]


def grid_of_bodies(
    bodies: Sequence[Body],
    contexts: Sequence[ExecutionContext],
    shape: GridShape,
    arguments: Sequence[Values],
) -> ProcessGrid:
    """Returns a grid within a run: one process for each body, with its context and arguments, at their
    beginning.
    """
    from shlo.interpreter.engine.stepper import Process
    from shlo.interpreter.spmd.grid import ProcessGrid

    frames = [_body_frame(cast("RegionBody", body), values) for body, values in zip(bodies, arguments)]
    processes = [Process(frame, context) for frame, context in zip(frames, contexts)]
    return ProcessGrid(processes, shape, contexts[0].budget)


def _body_frame(body: RegionBody, arguments: Values) -> Frame:
    """Returns the frame of a body on its arguments, with what it uses from outside."""
    registers: list[Value] = [None] * len(body.code.values.types)
    for register, value in body.captured:
        registers[register] = value
    for register, value in zip(body.code.arguments, arguments):
        registers[register] = value
    return Frame(body.code, registers)
