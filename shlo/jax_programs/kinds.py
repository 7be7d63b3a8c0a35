"""Kinds of objects that hold a program, recognised by their classes' names, so that JAX is not imported."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from os import PathLike
from types import FunctionType
from typing import Any, Final, Literal

from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.support.suffixes import PROGRAM_SUFFIXES

Kind = Literal[
    "module",
    "text",
    "path",
    "jitted",
    "traced",
    "lowered",
    "compiled",
    "exported",
    "mlir",
    "torch",
    "function",
    "wrapper",
    "staged",
]

_CLASSES: Final[dict[tuple[str, str], Kind]] = {
    ("jax.stages", "Traced"): "traced",
    ("jax.stages", "Lowered"): "lowered",
    ("jax.stages", "Compiled"): "compiled",
    ("jax._src.stages", "Traced"): "traced",
    ("jax._src.stages", "Lowered"): "lowered",
    ("jax._src.stages", "Compiled"): "compiled",
    ("jax._src.export._export", "Exported"): "exported",
    ("jax.export", "Exported"): "exported",
    ("jaxlib.mlir._mlir_libs._mlir.ir", "Module"): "mlir",
    ("torch.nn.modules.module", "Module"): "torch",
    ("torch.export.exported_program", "ExportedProgram"): "torch",
    ("jaxlib.mlir.ir", "Module"): "mlir",
}
"""What classes of JAX and PyTorch are, by module and name; the private modules are those that the public
names point to.
"""

PROGRAM_CLASSES: Final = (
    *(name for name, kind in _CLASSES.items() if kind not in ("compiled", "torch")),
    (Module.__module__, "Module"),
)
"""Module and name of the classes whose instances hold the text of a program."""

_SCRIPT: Final = re.compile(r"(.+\.py):([A-Za-z_][\w.]*)")


def kind_of(value: Any) -> Kind | None:
    """Returns how an object holds a program, None where it holds none."""
    if type(value) is FunctionType:
        return "function"
    if isinstance(value, Module):
        return "module"
    if isinstance(value, (bytes, bytearray, memoryview, Source)):
        return "text"
    if isinstance(value, PathLike):
        return "path"
    if isinstance(value, str):  # programs have braces or several words
        is_one_word = "\n" not in value and not any(character in value for character in '{"%@= ')
        is_path = is_one_word or ("\n" not in value and value.endswith(PROGRAM_SUFFIXES))
        return "path" if is_path else "text"
    for class_ in type(value).__mro__:
        kind = _CLASSES.get((class_.__module__, class_.__qualname__))
        if kind is not None:
            return kind
    if type(value).__name__ == "PjitFunction":
        return "jitted"
    if any(_holds(value, stage) for stage in ("lowered", "traced", "compiled")):
        return "staged"
    if not callable(value) or isinstance(value, type):
        return None
    is_of_jax = type(value).__module__.partition(".")[0] in ("jax", "jaxlib")
    lowers_itself = callable(getattr(type(value), "lower", None)) and not is_of_jax
    return "wrapper" if lowers_itself else "function"


def _holds(value: Any, stage: str) -> bool:
    """Returns whether an object is a library's `Lowered`, `Traced` or `Compiled` with JAX's inside."""
    is_named_so = type(value).__name__.endswith(stage.capitalize())
    inside = type(getattr(value, stage, None)).__mro__ if is_named_so else ()
    return any(_CLASSES.get((class_.__module__, class_.__qualname__)) == stage for class_ in inside)


def script_of(text: str) -> tuple[str, str] | None:
    """Returns the script and the function that `train.py:loss` names; None for any other text."""
    match = _SCRIPT.fullmatch(text)
    return (match[1], match[2]) if match and not os.path.exists(text) else None


def has_signature(value: Any) -> bool:
    """Returns whether an object is of a function of Python's, with pytrees and keyword arguments."""
    return kind_of(value) not in (None, "module", "text", "path", "mlir")


def is_path(value: object) -> bool:
    """Returns whether an object can name a file."""
    return isinstance(value, (str, PathLike))


def is_program(value: Any) -> bool:
    """Returns whether an object holds a program whose text is there without arguments."""
    return any((class_.__module__, class_.__qualname__) in PROGRAM_CLASSES for class_ in type(value).__mro__)


def name_of(value: Callable[..., Any]) -> str:
    """Returns what to call a function."""
    inner = getattr(value, "func", value)
    return str(getattr(inner, "__name__", None) or type(value).__name__)
