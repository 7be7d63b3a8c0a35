"""The interpreter as an engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shlo.engines.engine import EngineError, Placement
from shlo.interpreter import execution
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module


class InterpreterEngine:
    """Runs programs exactly as the specification says, in this process, whatever their grid."""

    name = "interpreter"
    execute = staticmethod(execution.execute)

    def __init__(self, placement: Placement) -> None:
        if placement.devices is not None:
            raise EngineError(
                "expected no devices for the interpreter, which runs any grid in one process",
                "leave devices out, or choose the engine xla",
            )
        if placement.cluster is not None:
            raise EngineError(
                "expected no other processes for the interpreter, which runs any grid in one process",
                "choose the engine xla for programs that run on several machines",
            )

    def start(self) -> None:
        """Does nothing: importing the interpreter is all that it needs."""

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes."""
        return range(count)

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs programs in a grid as `shlo.interpreter.make_grid` does."""
        return execution.make_grid(modules, inputs, options).run()
