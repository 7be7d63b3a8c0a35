"""Tools for people who write, read and debug StableHLO programs.

    module = shlo.parse(text)          # a program, or ParseError
    findings = shlo.verify(module)     # which constraints it breaks
    results = shlo.run(module, array)  # its results as NumPy arrays, or ExecutionError
    shlo.debug(function, *arguments)   # the debugger on what JAX makes of a function; so run, check, show
    cost = shlo.cost(module)           # its FLOPs, bytes and memory, by operation, scope, line of Python
    static = shlo.refine(module, ["tensor<3x4xf32>"])  # the program for arguments of known sizes

Importing this package loads nothing heavy: each name below is fetched when it is first used.
"""

from __future__ import annotations

from importlib import import_module

from shlo.ir import upper_layers
from shlo.ir.version import STABLEHLO_VERSION

# `typing` takes most of the time in which an interrupt of the command cannot be handled yet.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from shlo import debugger, interpreter, ir, syntax, transforms
    from shlo.api import parse, run_grid, verify
    from shlo.engines.command.tensor_files import read_arguments, write_results
    from shlo.interpreter.custom_calls.registry import register_custom_call
    from shlo.interpreter.runtime.channels import Channels
    from shlo.interpreter.spmd.wait_for_graph import GridError
    from shlo.ir.diagnostics import Diagnostic, ExecutionError, ParseError, RefinementError, ShloError
    from shlo.ir.operations import Module
    from shlo.jax_programs.flight_recorder import StepError, watch
    from shlo.jax_programs.functions import check, cost, debug, diff, run, sanitize, save, show, why
    from shlo.jax_programs.nan_checks import NaNError, debug_nans
    from shlo.jax_programs.routing import options
    from shlo.runner.errors import RequestError
    from shlo.runner.files import load
    from shlo.transforms.refinement.refine import refine

__version__ = "0.1.0"

upper_layers.install(
    "shlo.syntax", "shlo.text.diagnostics", "shlo.transforms.compatibility", "shlo.pages.results"
)

_NAMES = {
    "shlo.api": ("parse", "run_grid", "verify"),
    "shlo.engines.command.tensor_files": ("read_arguments", "write_results"),
    "shlo.interpreter.custom_calls.registry": ("register_custom_call",),
    "shlo.interpreter.runtime.channels": ("Channels",),
    "shlo.interpreter.spmd.wait_for_graph": ("GridError",),
    "shlo.ir.diagnostics": ("Diagnostic", "ExecutionError", "ParseError", "RefinementError", "ShloError"),
    "shlo.ir.operations": ("Module",),
    "shlo.jax_programs.flight_recorder": ("StepError", "watch"),
    "shlo.jax_programs.functions": (
        *("check", "cost", "debug", "diff", "run"),
        *("sanitize", "save", "show", "why"),
    ),
    "shlo.jax_programs.nan_checks": ("NaNError", "debug_nans"),
    "shlo.jax_programs.routing": ("options",),
    "shlo.runner.errors": ("RequestError",),
    "shlo.runner.files": ("load",),
    "shlo.transforms.refinement.refine": ("refine",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES = ("debugger", "interpreter", "ir", "syntax", "transforms")

__all__ = [
    "STABLEHLO_VERSION",
    "Channels",
    "Diagnostic",
    "ExecutionError",
    "GridError",
    "Module",
    "NaNError",
    "ParseError",
    "RefinementError",
    "RequestError",
    "ShloError",
    "StepError",
    "__version__",
    "check",
    "cost",
    "debug",
    "debug_nans",
    "debugger",
    "diff",
    "interpreter",
    "ir",
    "load",
    "options",
    "parse",
    "read_arguments",
    "refine",
    "register_custom_call",
    "run",
    "run_grid",
    "sanitize",
    "save",
    "show",
    "syntax",
    "transforms",
    "verify",
    "watch",
    "why",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)  # asked for once
        return value
    if name in _PACKAGES:
        return import_module(f"shlo.{name}")
    raise AttributeError(f"module 'shlo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
