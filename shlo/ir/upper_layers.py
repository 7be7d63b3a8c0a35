"""What packages above provide, as `install` says: the printer through which types, attributes, modules and
errors show themselves as text, the lowering to StableHLO alone, and the pages on which results are displayed.

`ir` knows no text format. A module is imported when it is first needed.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing the package loads no `typing`
if TYPE_CHECKING:
    from typing import Any, Protocol

    from shlo.ir.attributes import Attribute
    from shlo.ir.operations import Module
    from shlo.ir.types import Type

    class Printer(Protocol):
        """Text of types, attributes and modules: an object, or a module with functions of these names."""

        def type_text(self, type_: Type, /) -> str:
            """Returns the text of a type."""
            ...

        def attribute_text(self, attribute: Attribute, /) -> str:
            """Returns the text of an attribute."""
            ...

        def module_text(self, module: Module, /, *, generic: bool, locations: bool) -> str:
            """Returns the text of a module, `generic` without the ops' assembly formats."""
            ...


_installed: Printer | str = ""
_errors = _lowering = _results = ""


def install(printer: Printer | str, errors: str = "", lowering: str = "", results: str = "") -> None:
    """Registers the printer, or the name of the module that is one, the module that has `error_lines`, the
    one whose `without_chlo` lowers a program, and the one whose `result_bundle` displays a result.
    """
    global _installed, _errors, _lowering, _results
    _installed, _errors, _lowering = printer, errors or _errors, lowering or _lowering
    _results = results or _results


def printer() -> Printer:
    """Returns the registered printer; imports it if it is registered by name."""
    if isinstance(_installed, str):
        loaded: Any = import_module(_installed)
        install(loaded)
        return loaded
    return _installed


def error_lines(error: Exception) -> list[str]:
    """Returns an error of shlo as the lines that a notebook shows."""
    return import_module(_errors).error_lines(error)


def lowered(module: Module) -> Module:
    """Returns a program with StableHLO's operations in place of chlo's."""
    if not any(operation.name.startswith("chlo.") for operation, _ in module.walk()):
        return module
    return import_module(_lowering).without_chlo(module)


class RichResult:
    """A result that notebooks display as HTML beside its text, as `shlo.pages.results` draws it."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return import_module(_results).result_bundle(self)
