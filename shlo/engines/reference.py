"""The reference as an engine: the specification's sentences, element by element."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from shlo.engines.engine import EngineError, Placement
from shlo.interpreter.runtime.marshal import marshal_arguments
from shlo.ir.operations import Module
from shlo.transforms import chlo_to_stablehlo

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions


class ReferenceEngine:
    """Runs programs exactly and slowly, whatever their grid; CHLO is lowered before."""

    name = "reference"

    def __init__(self, placement: Placement) -> None:
        if placement.devices is not None or placement.cluster is not None:
            raise EngineError(
                "expected no devices and no other processes for the reference, which runs any grid here"
            )

    def start(self) -> None:
        """Imports what the reference needs; raises EngineError where that is not installed."""
        if find_spec("mpmath") is None:
            raise EngineError("the engine reference needs mpmath", "pip install 'shlo[reference]'")

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes."""
        return range(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function."""
        return self.execute_grid([module], [arguments], options)[0]

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a function in a grid of processes, all of one program."""
        self.start()
        from shlo.reference import evaluate_grid

        if any(module is not modules[0] for module in modules):
            raise EngineError("expected one program for all processes", "choose the engine interpreter")
        module, (entry,) = chlo_to_stablehlo(modules[0]), options.entries
        types = module.functions[entry].type.inputs
        arrays = [marshal_arguments(entry, types, arguments) for arguments in inputs]
        return evaluate_grid(module, arrays, options.replicas, options.partitions, entry)
