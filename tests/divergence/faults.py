"""An engine with a planted fault: the interpreter, but for one result of one operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shlo.engines import engine_of
from shlo.interpreter import RunOptions
from shlo.ir.operations import Module

Where = Callable[[Sequence[Any]], bool]
"""Returns whether an operation on these operands has the fault."""


class FaultyEngine:
    """Changes element `at` of the first result of an operation named `operation`, run alone, on the operands
    for which `where` is true, by a part of it, a thousandth where nothing else is told.
    """

    name = "faulty"

    def __init__(
        self,
        operation: str,
        at: tuple[int, ...],
        where: Where = lambda operands: True,
        part: float = 1e-3,
    ) -> None:
        self._operation, self._at, self._where, self._part = operation, at, where, part
        self._engine = engine_of("interpreter")

    def start(self) -> None:
        """Does nothing."""

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes."""
        return range(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a program, wrongly where it is the operation."""
        results = self._engine.execute(module, arguments, options)
        self._change(module, arguments, results)
        return results

    def _change(self, module: Module, arguments: Sequence[Any], results: Sequence[Any]) -> None:
        body = module.functions["main"].body
        assert body is not None
        operations = body.blocks[0].operations
        if len(operations) == 2 and operations[0].name == self._operation and self._where(arguments):
            results[0][self._at] *= 1 + self._part

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a grid, the operation wrongly in the processes that have these operands."""
        results = self._engine.execute_grid(modules, inputs, options)
        for arguments, given in zip(inputs, results):
            self._change(modules[0], arguments, given)
        return results
