"""Registered lowering to StableHLO alone, through which packages below the transforms reach them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing the package loads no `typing`
if TYPE_CHECKING:
    from shlo.ir.operations import Module

_installed = ""


def install(name: str) -> None:
    """Registers the module whose `without_chlo` lowers a program; it is imported when first needed."""
    global _installed
    _installed = name


def lowered(module: Module) -> Module:
    """Returns a program with StableHLO's operations in place of chlo's."""
    if not any(operation.name.startswith("chlo.") for operation, _ in module.walk()):
        return module
    return import_module(_installed).without_chlo(module)
