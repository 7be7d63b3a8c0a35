"""Running programs in a grid of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from shlo.interpreter.custom_calls.registry import Handler
from shlo.interpreter.custom_calls.stubs import Stub
from shlo.interpreter.engine.errors import unlocated
from shlo.interpreter.engine.fast_path import Meter, Profile
from shlo.interpreter.engine.frames import Frame, function_frame
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Context, Value
from shlo.interpreter.program.code import Program, program_of
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.marshal import accept
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.topology.groups import MOST_PROCESSES, GridShape
from shlo.ir.operations import Module

Inputs = Sequence[Sequence[Any]]


def make_grid(
    programs: Module | Sequence[Module],
    inputs: Inputs,
    *,
    replicas: int = 1,
    partitions: int = 1,
    entry: str | Sequence[str] = "main",
    seed: int = 0,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    handlers: Mapping[str, Handler] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    semantics: Semantics = "spec",
    probe_folder: str | None = None,
    channels: Channels | Sequence[Channels] | None = None,
    keep_values: bool = False,
    profile: Profile | None = None,
) -> ProcessGrid:
    """A grid of processes at their beginning, replica by replica.

    `programs` is one module for all or one for each process, and so is `entry`; `inputs` are the arguments of
    each process, or those of all. `channels` are queues that all share or one set for each process, whose
    channels they share; without any, each process has an infeed and an outfeed of its own. `max_steps` and
    `max_bytes` hold for all together, and `profile` is told what the operations of all cost while the grid
    `run`s; the rest is as for `run`. Raises ExecutionError where arguments do not
    fit, and ValueError where there are not as many as processes.
    """
    shape = GridShape(replicas, partitions)
    if min(shape) < 1 or shape.size > MOST_PROCESSES:
        raise ValueError(f"a grid of {replicas} x {partitions} cannot be run; it takes 1 to {MOST_PROCESSES}")
    modules = _for_each(programs if isinstance(programs, Sequence) else [programs], shape, "programs")
    entries = _for_each([entry] if isinstance(entry, str) else entry, shape, "entries")
    arguments = _for_each(inputs, shape, "lists of inputs")
    queues = _queues(channels, shape)
    budget = GridBudget(max_steps, max_bytes)
    meter = None if profile is None else Meter(profile)
    processes: list[Process] = []
    for number in range(shape.size):
        context = Context(
            *shape.place(number),
            *shape,
            seed=seed,
            handlers=handlers or {},
            stubs=stubs or {},
            probe_folder=probe_folder,
            state={Channels: queues[number]},
        )
        if meter is not None:
            context.state[Meter] = meter
        frame = _first_frame(
            program_of(modules[number], semantics), entries[number], arguments[number], shape, number
        )
        processes.append(Process.at(frame, context, budget, keep_values))
    budget.processes = processes
    return ProcessGrid(processes, shape, budget)


def run_grid(
    programs: Module | Sequence[Module],
    inputs: Inputs,
    *,
    replicas: int = 1,
    partitions: int = 1,
    **options: Any,
) -> list[tuple[Any, ...]]:
    """Runs programs side by side, and gives the results of each process; what it takes is what `make_grid`
    takes. Raises GridError where a process fails or processes wait for each other without end.
    """
    return make_grid(programs, inputs, replicas=replicas, partitions=partitions, **options).run()


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


def _for_each(items: Sequence[Any], shape: GridShape, what: str) -> Sequence[Any]:
    """One of the items for each process."""
    if len(items) == 1:
        return list(items) * shape.size
    if len(items) != shape.size:
        raise ValueError(
            f"a grid of {shape.replicas} x {shape.partitions} takes {shape.size} {what}, not {len(items)}"
        )
    return items


def _queues(channels: Channels | Sequence[Channels] | None, shape: GridShape) -> list[Channels]:
    if isinstance(channels, Channels):
        return [channels] * shape.size
    if channels is None:
        first = Channels()
        return [first, *(first.beside() for _ in range(shape.size - 1))]
    queues = _for_each(channels, shape, "sets of channels")
    for queue in queues[1:]:
        queue.channels = queues[0].channels
    return list(queues)


def _first_frame(
    program: Program, entry: str, arguments: Sequence[Any], shape: GridShape, number: int
) -> Frame:
    function = None
    try:
        function = program.function(entry)
        return function_frame(function, accept(function, arguments))
    except Exception as error:
        made = unlocated(error, function)
        made.add_note(f"for process {shape.label(number)} of the grid")
        raise made from error
