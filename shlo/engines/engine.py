"""Interface of engines: programs, arguments and run options in, results out."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from msgspec import Struct

from shlo.ir.diagnostics import ExecutionError, ShloError
from shlo.ir.operations import Module

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions


class EngineError(ShloError):
    """An engine that cannot do what is asked: it is not installed, has too few devices, or the program or an
    option is for another engine.
    """


Outcome = Literal["refused", "crashed", "timeout", "wrong results"]
"""What becomes of a program whose results an engine does not give: it says why, it dies, it takes too long,
or what it gives has other counts, shapes or types."""


class EngineFailure(ExecutionError):
    """A program that an engine of someone else did not run to its end. `outcome` says how."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome: Outcome = outcome


class Cluster(Struct, frozen=True):
    """Processes of operating systems, usually one on each machine, that run a program together.

    Args:
        address: `HOST:PORT` where the first of them listens; None for what the environment says (SLURM, Open
            MPI, Kubernetes, Cloud TPU).
        processes: how many there are; None as for `address`.
        process: the number of this one; None as for `address`.
        seconds: how long to wait for the others to come, and for one that does not answer any more.
        gathers: whether results of a grid are those of all its processes, in each of these.
    """

    address: str | None = None
    processes: int | None = None
    process: int | None = None
    seconds: float = 60
    gathers: bool = False


class Placement(Struct, frozen=True):
    """Where an engine runs programs.

    Args:
        platform: kind of device: "cpu", "gpu", "tpu", "cuda", "rocm"; None for the engine's default.
        devices: how many devices it may use; None for as many as a program needs. In a cluster, those of
            this process.
        cluster: with which other processes; None for this one alone.
        is_separate: whether it runs in a child process where it may end the process; arguments and results
            are copied then.
        compiler_options: what XLA's compiler is told beside the program: names and values of its flags.
    """

    platform: str | None = None
    devices: int | None = None
    cluster: Cluster | None = None
    is_separate: bool = False
    compiler_options: tuple[tuple[str, str], ...] = ()


ANYWHERE: Final = Placement()
"""The engine's own choice of devices, in this process."""


class Engine(Protocol):
    """What runs programs as a whole. Programs hold no operations of VHLO; arguments are never written to;
    results are NumPy arrays that the caller owns.
    """

    @property
    def name(self) -> str:
        """What `--engine` calls it."""
        ...

    def start(self) -> None:
        """Starts what runs programs, which the first program otherwise does; raises EngineError."""
        ...

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of those processes of a grid of `count` that run here: all, if not in a
        cluster. Raises EngineError.
        """
        ...

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Returns the results of the function `options.entry`. Sharded programs take and return whole
        tensors. Raises ExecutionError where the program cannot be run to its end, and EngineError.
        """
        ...

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Returns the results of each process of a grid of `options.replicas` x `options.partitions`, replica
        by replica, of `own_processes` only unless the cluster gathers them. `modules` and `inputs` have one
        item for all of `own_processes` or one for each. Raises as `execute` does.
        """
        ...


class EnginePool:
    """Runs each program on an engine that is free, the one that was used last first: it has most programs
    compiled, and those that are never needed never start. May be used from several threads, which wait
    where no engine is free.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        self.name = engines[0].name
        from queue import LifoQueue

        self._free: LifoQueue[Engine] = LifoQueue()
        for engine in engines:
            self._free.put(engine)

    def start(self) -> None:
        """Starts one of the engines; raises EngineError."""
        with self._engine() as engine:
            engine.start()

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of the processes of a grid that run here."""
        with self._engine() as engine:
            return engine.own_processes(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function."""
        with self._engine() as engine:
            return engine.execute(module, arguments, options)

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs functions in a grid of processes."""
        with self._engine() as engine:
            return engine.execute_grid(modules, inputs, options)

    @contextmanager
    def _engine(self) -> Generator[Engine]:
        engine = self._free.get()
        try:
            yield engine
        finally:
            self._free.put(engine)
