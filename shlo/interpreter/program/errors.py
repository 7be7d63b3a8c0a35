"""Whatever goes wrong while an operation runs, as an ExecutionError that names the operation and its
place.
"""

from __future__ import annotations

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, FunctionCode
from shlo.ir.diagnostics import ExecutionError

TOO_DEEP = "calls and regions nest too deeply; does a function call itself without end?"


def located(error: BaseException, code: CodeBlock, index: int) -> ExecutionError:
    """Returns the error of an instruction as an ExecutionError."""
    return located_at(error, code.instructions[index].operation.name, code.place(index))


def located_at(error: BaseException, name: str, location: str | None) -> ExecutionError:
    """Returns the error of an operation at a place as an ExecutionError."""
    return ExecutionError(f"{name}: {_words(error)}", name, location)


def unlocated(error: Exception, function: FunctionCode | None) -> ExecutionError:
    """Returns an error that no instruction caused: an argument that does not fit, a function that there is
    not."""
    return ExecutionError(_words(error), None, None if function is None else function.place)


def note_call(error: ExecutionError, code: CodeBlock, index: int) -> None:
    """Adds to an error, as a note, through which call it was reached (the innermost eight are enough)."""
    notes = getattr(error, "__notes__", [])
    if len(notes) < 8:
        error.add_note(f"called from @{code.function.name} at {code.place(index) or 'an unknown place'}")


def _words(error: BaseException) -> str:
    if isinstance(error, KernelError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"there is not enough memory ({error})" if str(error) else "there is not enough memory"
    if isinstance(error, RecursionError):
        return TOO_DEEP
    return f"{type(error).__name__}: {error}"
