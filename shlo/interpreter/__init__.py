"""The interpreter: `run` executes a function of a module, `Process` step by step, `ProcessGrid` in a grid.

Importing this package loads nothing: each name below is fetched when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shlo.support.late_names import late_names

if TYPE_CHECKING:
    from shlo.interpreter.custom_call_api import CustomCall
    from shlo.interpreter.custom_calls.registry import register_custom_call
    from shlo.interpreter.engine.stepper import Process
    from shlo.interpreter.execution import (
        execute,
        execute_read_only,
        make_grid,
        make_process,
        run,
        run_grid,
    )
    from shlo.interpreter.options import RunOptions
    from shlo.interpreter.runtime.channels import Channels
    from shlo.interpreter.spmd.grid import ProcessGrid
    from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph

_HOMES = {
    "Channels": "runtime.channels",
    "CustomCall": "custom_call_api",
    "GridError": "spmd.wait_for_graph",
    "Process": "engine.stepper",
    "ProcessGrid": "spmd.grid",
    "RunOptions": "options",
    "WaitForGraph": "spmd.wait_for_graph",
    "execute": "execution",
    "execute_read_only": "execution",
    "make_grid": "execution",
    "make_process": "execution",
    "register_custom_call": "custom_calls.registry",
    "run": "execution",
    "run_grid": "execution",
}

__all__ = [
    "Channels",
    "CustomCall",
    "GridError",
    "Process",
    "ProcessGrid",
    "RunOptions",
    "WaitForGraph",
    "execute",
    "execute_read_only",
    "make_grid",
    "make_process",
    "register_custom_call",
    "run",
    "run_grid",
]


__getattr__ = late_names(__name__, _HOMES)
