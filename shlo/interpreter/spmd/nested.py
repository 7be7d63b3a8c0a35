"""Grids inside of a run: regions and functions that an operation starts as processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Body, Value
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.topology.groups import GridShape

Values = tuple[Value, ...]


def run_bodies(
    bodies: Sequence[Body],
    contexts: Sequence[ExecutionContext],
    shape: GridShape,
    arguments: Sequence[Values],
) -> list[Values]:
    """Runs a body in each process of a grid, and returns the results of all. Raises GridError."""
    frames = [_frame(cast("RegionBody", body), values) for body, values in zip(bodies, arguments)]
    processes = [Process(frame, context) for frame, context in zip(frames, contexts)]
    grid = ProcessGrid(processes, shape, contexts[0].budget)
    grid.finish()
    return [process.returned for process in grid.processes]


def _frame(body: RegionBody, arguments: Values) -> Frame:
    """Returns the frame of a body on its arguments, with what it uses from outside."""
    registers: list[Value] = [None] * len(body.code.values.types)
    for register, value in body.captured:
        registers[register] = value
    for register, value in zip(body.code.arguments, arguments):
        registers[register] = value
    return Frame(body.code, registers)
