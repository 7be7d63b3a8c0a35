"""The execution context: what the kernels of one process see beyond their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct, field

from shlo.interpreter.custom_call_api import CustomCall, Handler, Stub
from shlo.interpreter.kernel_api import Body, KernelError, KernelFn, Value
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.profile import Meter
from shlo.interpreter.runtime.program_output import OutputFn, print_output
from shlo.interpreter.runtime.threads import default_threads
from shlo.interpreter.topology.groups import GridShape

_T = TypeVar("_T")
Values = tuple[Value, ...]
GridRunner = Callable[
    [Sequence[Body], Sequence["ExecutionContext"], GridShape, Sequence[Values]], list[Values]
]
"""Runs a body in each process of a grid; takes the arguments and returns the results of each."""


class ExecutionContext(Struct):
    """The state of one process of a run that its program does not hold.

    One thread at a time uses it. The processes of a grid share `budget` and `meter`, and the channels of
    `channels`.

    Args:
        handlers: handlers of custom calls by target; they go before the registered ones.
        stubs: results of custom calls that have no handler, by target or pattern.
        callbacks: the Python functions that host callbacks call, by index.
        label: what messages call the process; empty where it is alone.
        given_channels: its `channels` (None: new ones, made when they are first needed).
        output: shows what callbacks print.
        probe_folder: the folder that `interpreter.probe` writes to (None: nowhere).
        grid_runner: starts grids within this run; None where no kernel may.
        given_threads: how many threads share the work of an operation (None: `default_threads`); outside of a
            run one.
        random_generator: the generator of `rng`, made from `seed` at first use.
        custom_calls: functions of the custom calls that this process has carried out.
        stubbed_calls: number of the last call of each stubbed target, counted from 0.
    """

    replica_id: int = 0
    partition_id: int = 0
    replicas: int = 1
    partitions: int = 1
    label: str = ""
    seed: int = 0
    handlers: Mapping[str, Handler] = field(default_factory=dict[str, Handler])
    stubs: Mapping[str, Stub] = field(default_factory=dict[str, Stub])
    callbacks: Sequence[Callable[..., Any]] = ()
    output: OutputFn = print_output
    probe_folder: str | None = None
    budget: Budget = field(default_factory=Budget)
    given_channels: Channels | None = None
    meter: Meter | None = None
    grid_runner: GridRunner | None = None
    given_threads: int | None = 1
    random_generator: np.random.Generator | None = None
    custom_calls: dict[CustomCall, KernelFn] = {}
    stubbed_calls: dict[str, int] = {}

    @property
    def threads(self) -> int:
        """How many threads share the work of an operation; raises ExecutionError as `default_threads` does,
        which is not asked before: most runs of small operations end sooner than that."""
        if self.given_threads is None:
            self.given_threads = default_threads()
        return self.given_threads

    @property
    def channels(self) -> Channels:
        """What the process receives and sends outside of its grid."""
        if self.given_channels is None:
            self.given_channels = Channels()
        return self.given_channels

    @property
    def shape(self) -> GridShape:
        """The grid that the process is in."""
        return GridShape(self.replicas, self.partitions)

    @property
    def process(self) -> int:
        """The number of the process in its grid."""
        return self.shape.number(self.replica_id, self.partition_id)

    def run_grid(
        self,
        bodies: Sequence[Body],
        contexts: Sequence[ExecutionContext],
        shape: GridShape,
        arguments: Sequence[Values],
    ) -> list[Values]:
        """Runs a body in each process of a grid within this run, and returns the results of each. Raises
        GridError.
        """
        if self.grid_runner is None:
            raise KernelError("expected a run that can start grids")
        return self.grid_runner(bodies, contexts, shape, arguments)

    def of_process(self, shape: GridShape, number: int, channels: Channels) -> ExecutionContext:
        """Returns the context of a process in a grid that starts within this run."""
        replica, partition = shape.place(number)
        return ExecutionContext(
            replica,
            partition,
            shape.replicas,
            shape.partitions,
            label=shape.label(number),
            seed=self.seed,
            handlers=self.handlers,
            stubs=self.stubs,
            callbacks=self.callbacks,
            output=self.output,
            probe_folder=self.probe_folder,
            budget=self.budget,
            given_channels=channels,
            meter=self.meter,
            grid_runner=self.grid_runner,
            given_threads=self.given_threads,
        )

    def active(self) -> _Active:
        """Returns a context manager in which `current_context` returns this, and floating-point warnings are
        ignored.
        """
        return _Active(self)

    @np.errstate(all="ignore")
    def call(self, function: Callable[[], _T]) -> _T:
        """Returns what a function returns that is called within `active`, at half the cost of that."""
        token = _current.set(self)
        try:
            return function()
        finally:
            _current.reset(token)


class _Active:
    __slots__ = ("_context", "_errors", "_token")

    def __init__(self, context: ExecutionContext) -> None:
        self._context = context
        self._errors = np.errstate(all="ignore")

    def __enter__(self) -> None:
        self._token = _current.set(self._context)
        self._errors.__enter__()

    def __exit__(self, *raised: object) -> None:
        self._errors.__exit__(None, None, None)
        _current.reset(self._token)


_current: ContextVar[ExecutionContext | None] = ContextVar("shlo execution context", default=None)


def current_context() -> ExecutionContext:
    """Returns the context of the process that runs here: kernels that call regions, or limit what they
    allocate, are not passed one. Outside of a run it is a new one.
    """
    return _current.get() or ExecutionContext()
