"""What programs do: `run` executes a function of a module, `Process` executes it step by step,
`ProcessGrid` several side by side."""

from shlo.interpreter.custom_calls.registry import CustomCall, register_custom_call
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.run import run
from shlo.interpreter.run_grid import make_grid, run_grid
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.wait_report import GridError, WaitGraph

__all__ = [
    "Channels",
    "CustomCall",
    "GridError",
    "Process",
    "ProcessGrid",
    "WaitGraph",
    "make_grid",
    "register_custom_call",
    "run",
    "run_grid",
]
