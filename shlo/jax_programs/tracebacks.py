"""Tracebacks of `shlo.run` and the like: the frames of the caller, and of functions of the caller."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from functools import wraps
from types import FrameType, TracebackType
from typing import Any, Final, ParamSpec, TypeVar, cast

from shlo.ir.diagnostics import ShloError
from shlo.jax_programs.jax_library import jax

_P = ParamSpec("_P")
_T = TypeVar("_T")
_OWN: Final = frozenset(("shlo", "shlo_bytecode", "shlo_dap", "shlo_kernel", "shlo_tui"))
_SCRIPTS: Final = "shlo.jax_programs.scripts"
"""The module whose process imports scripts; it has the name `__main__` there."""
_LIBRARIES: Final = frozenset(
    ("jax", "jaxlib", "flax", "equinox", "optax", "torch", "torchax", "contextlib", "importlib")
)
"""Packages between a call of ours and the user's code: what they do inside is of no help to the user."""

_CALLER: Final = "shlo.jax_programs."
"""The package whose modules call functions of the user's and of JAX's."""
_CHAINED_AT_MOST: Final = 10


def with_caller_tracebacks(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Decorates a function of `import shlo` that takes functions of the user's: shortens the tracebacks of
    errors that leave it.

    An error of shlo's is about the call and has the caller's frames alone. One that the user's own function
    raises, or JAX about it, has that function's frames as well, but none of JAX's and ours in between. All
    frames stay where JAX is told to show its own (`JAX_TRACEBACK_FILTERING=off`), and in internal errors.
    """

    @wraps(function)
    def call_with_short_tracebacks(*arguments: _P.args, **keywords: _P.kwargs) -> _T:
        try:
            return function(*arguments, **keywords)
        except BaseException as error:
            _shorten(error)
            raise

    return call_with_short_tracebacks


def print_traceback(error: BaseException) -> None:
    """Prints to standard error what a script has raised, or JAX about it, with the frames of the script."""
    _shorten(error)
    traceback.print_exception(error)


def _shorten(error: BaseException) -> None:
    if "jax" in sys.modules and jax().config.jax_traceback_filtering == "off":
        return
    for link in _chain(error):
        frames, trace = list[TracebackType](), link.__traceback__
        while trace is not None:
            frames.append(trace)
            trace = trace.tb_next
        if isinstance(link, ShloError) or _is_of_user(frames):
            link.__traceback__ = _linked(frames)
            notes: list[Any] = getattr(link, "__notes__", [])
            notes[:] = [note for note in notes if "JAX has removed its internal frames" not in str(note)]


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yields an error, and those that it was raised from or while they were handled, without those with which
    JAX carries its frames."""
    link: BaseException | None = error
    for _ in range(_CHAINED_AT_MOST):
        if link is None:
            return
        cause = link.__cause__
        if type(cause).__name__ == "UnfilteredStackTrace":
            link.__cause__ = cast("BaseException", cause).__cause__
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _is_of_user(frames: list[TracebackType]) -> bool:
    """Returns whether an error was raised behind a call that this package makes, in the user's function or in
    JAX."""
    own_frames = [number for number, trace in enumerate(frames) if _package(trace.tb_frame) in _OWN]
    if not own_frames:
        return True
    is_innermost = own_frames[-1] == len(frames) - 1
    return not is_innermost and _module(frames[own_frames[-1]].tb_frame).startswith(_CALLER)


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    """Returns a traceback of the frames that are neither ours nor of a library."""
    linked: TracebackType | None = None
    for trace in reversed(frames):
        if _package(trace.tb_frame) not in _OWN | _LIBRARIES:
            linked = TracebackType(linked, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return linked


def _module(frame: FrameType) -> str:
    spec = frame.f_globals.get("__spec__")
    return str(frame.f_globals.get("__name__", "") if getattr(spec, "name", "") != _SCRIPTS else _SCRIPTS)


def _package(frame: FrameType) -> str:
    return _module(frame).partition(".")[0]
