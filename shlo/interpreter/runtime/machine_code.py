"""What makes machine code for kernels: the JIT, which lies above them, sets it."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

from shlo.interpreter.runtime.tiers import Form, Tier, Unsupported

Compiler = Callable[[Any], Callable[..., Any]]
"""Returns the machine code of a formula (`kernels.elementwise.formula`), of the calls of a routine (`Arity`
of `kernels.routine_calls`), or of copies (`Element` of `runtime.copies`); raises one of `tiers.REFUSALS`
where there can be none."""

_compilers: list[Compiler] = []


def use_compiler(compiler: Compiler) -> None:
    """Lets kernels have machine code made by `compiler` from now on."""
    _compilers[:] = [compiler]


def current_compiler() -> Compiler | None:
    """Returns what makes machine code, None where nothing does."""
    return _compilers[-1] if _compilers else None


class LateCode:
    """Machine code that is made, while Python goes on, once what Python does in its place has taken so long
    that it pays.

    Args:
        what: what the compiler makes it of.
        form: the form of code.
        operations: how many operations it has.
    """

    def __init__(self, what: Any, form: Form = "library", operations: int = 1) -> None:
        self._what = what
        self._tier = Tier[Callable[..., Any]](form, operations)

    @property
    def function(self) -> Callable[..., Any] | None:
        """The machine code; None where there is none yet. It is begun now where that pays by now."""
        if self._tier.is_due():
            self._tier.begin(self._compiled)
        return self._tier.code

    def _compiled(self) -> Callable[..., Any]:
        compiler = current_compiler()
        if compiler is None:
            raise Unsupported("no compiler")
        return compiler(self._what)

    def spend(self, seconds: float) -> None:
        """Adds what Python has taken."""
        self._tier.spent += seconds

    def in_python(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what a function gives that does the same in Python."""
        start = thread_time()
        result = work(*arguments)
        self.spend(thread_time() - start)
        return result
