"""The interpreter: `run` executes a function of a module, `Process` step by step, `ProcessGrid` in a grid."""

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import register_custom_call
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.options import RunOptions
from shlo.interpreter.run import execute, execute_read_only, make_grid, make_process, run, run_grid
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph

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
