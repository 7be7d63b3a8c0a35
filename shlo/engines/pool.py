"""Several engines of a kind as one engine, which runs as many programs at a time."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from queue import LifoQueue
from typing import TYPE_CHECKING, Any

from shlo.engines.engine import Engine
from shlo.ir.operations import Module

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions


class EnginePool:
    """Runs each program on an engine that is free, the one that was used last first: it has most programs
    compiled, and those that are never needed never start. May be used from several threads, which wait
    where no engine is free.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        self.name = engines[0].name
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
