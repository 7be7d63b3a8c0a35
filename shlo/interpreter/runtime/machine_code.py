"""What makes machine code for kernels: the JIT, which lies above them, sets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Compiler = Callable[[Any], Callable[..., Any] | None]
"""Returns the machine code of a formula (`kernels.elementwise.formula`), or of the calls of a routine
(`Arity` of `kernels.routine_calls`); None where there can be none."""

_compilers: list[Compiler] = []


def use_compiler(compiler: Compiler) -> None:
    """Lets kernels have machine code made by `compiler` from now on."""
    _compilers[:] = [compiler]


def current_compiler() -> Compiler | None:
    """Returns what makes machine code, None where nothing does."""
    return _compilers[-1] if _compilers else None
