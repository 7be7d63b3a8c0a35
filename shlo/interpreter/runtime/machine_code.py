"""What makes machine code for kernels: the JIT, which lies above them, sets it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import thread_time
from typing import Any

from shlo.interpreter.runtime.tiers import policy

Compiler = Callable[[Any], Callable[..., Any] | None]
"""Returns the machine code of a formula (`kernels.elementwise.formula`), of the calls of a routine (`Arity`
of `kernels.routine_calls`), or of copies (`Element` of `runtime.copies`); None where there can be none."""

_compilers: list[Compiler] = []


def use_compiler(compiler: Compiler) -> None:
    """Lets kernels have machine code made by `compiler` from now on."""
    _compilers[:] = [compiler]


def current_compiler() -> Compiler | None:
    """Returns what makes machine code, None where nothing does."""
    return _compilers[-1] if _compilers else None


class LateCode:
    """Machine code that is made once what Python does in its place has taken as long as making it takes."""

    def __init__(self, what: Any) -> None:
        self._what = what
        self._function: Callable[..., Any] | None = None
        self._may_compile = True
        self._spent = 0.0
        self._lock = Lock()

    @property
    def function(self) -> Callable[..., Any] | None:
        """The machine code, made now where that pays by now; None where there is none."""
        if self._function is None and self._may_compile and policy().pays("library", self._spent, 1):
            with self._lock:
                compiler = current_compiler()
                if self._function is None and compiler is not None:
                    self._function = compiler(self._what)
                    self._may_compile = self._function is not None
        return self._function

    def in_python(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what a function gives that does the same in Python."""
        start = thread_time()
        result = work(*arguments)
        self._spent += thread_time() - start
        return result
