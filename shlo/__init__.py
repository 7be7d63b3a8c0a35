"""Tools for people who write, read and debug StableHLO programs.

    module = shlo.parse(text)          # a program, or ParseError
    results = shlo.run(module, array)  # its results as NumPy arrays, or ExecutionError

Importing this package loads nothing heavy: each name below is fetched when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shlo import debugger, interpreter, ir, syntax, transforms
    from shlo.api import load, parse, run
    from shlo.interpreter.custom_calls import register_custom_call
    from shlo.ir.diagnostics import Diagnostic, ExecutionError, ParseError, ShloError
    from shlo.ir.operations import Module

__version__ = "0.1.0"
STABLEHLO_VERSION = "1.20.0"
"""The version of the StableHLO specification that counts as current."""

_HOMES = {
    "Diagnostic": "shlo.ir.diagnostics",
    "ExecutionError": "shlo.ir.diagnostics",
    "Module": "shlo.ir.operations",
    "ParseError": "shlo.ir.diagnostics",
    "ShloError": "shlo.ir.diagnostics",
    "load": "shlo.api",
    "parse": "shlo.api",
    "register_custom_call": "shlo.interpreter.custom_calls",
    "run": "shlo.api",
}
_ROOMS = ("debugger", "interpreter", "ir", "syntax", "transforms")

__all__ = [
    "STABLEHLO_VERSION",
    "Diagnostic",
    "ExecutionError",
    "Module",
    "ParseError",
    "ShloError",
    "__version__",
    "debugger",
    "interpreter",
    "ir",
    "load",
    "parse",
    "register_custom_call",
    "run",
    "syntax",
    "transforms",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"shlo.{name}")
    raise AttributeError(f"module 'shlo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
