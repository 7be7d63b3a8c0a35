"""Records: `help` and `inspect.signature` read the annotations of their fields."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final

from msgspec import Struct

from tests.style.vocabulary import PACKAGES

NAMES_MODULES_THAT_LOAD_LATER: Final = {
    "shlo.language.refactor.changed.ChangedPlace",
    "shlo.cli.runs.diff.ComparedCall",
    "shlo.cli.runs.results.RunWatch",
    "shlo.debugger.control.shadow_trail._ShadowState",
    "shlo.dialects.opdef.Constraint",
    "shlo.dialects.opdef.OpDef",
    "shlo.runner.bytecode_view.BytecodeView",
    "shlo_kernel.magics.magic.Magic",
}
"""Records whose annotations name what is imported when it is used: to import it before would make commands
start later, or make a cycle.
"""
NAMES_AN_ARRAY_OF_A_TYPE: Final = (
    {"shlo.interpreter.jit.traced.Rounds"} if sys.version_info < (3, 12) else set[str]()
)
"""Records that say `array[int]`, which Python evaluates since 3.12."""


def test_records_have_signatures_that_python_can_resolve() -> None:
    unresolved = {
        f"{record.__module__}.{record.__name__}" for record in records() if not has_signature(record)
    }
    assert unresolved == NAMES_MODULES_THAT_LOAD_LATER | NAMES_AN_ARRAY_OF_A_TYPE


def has_signature(record: type[Struct]) -> bool:
    try:
        return bool(inspect.signature(record))
    except (NameError, TypeError):
        return False


def records() -> Iterator[type[Struct]]:
    """Yields the records of all packages."""
    for name in (Path(package).name for package in PACKAGES):
        for found in walk_packages(import_module(name).__path__, f"{name}."):
            if not found.name.endswith("__main__"):
                for value in vars(import_module(found.name)).values():
                    if (
                        isinstance(value, type)
                        and issubclass(value, Struct)
                        and value.__module__ == found.name
                    ):
                        yield value
