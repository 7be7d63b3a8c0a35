"""Tracebacks of `shlo.run` and the like: the frames of the caller, and of functions of the caller."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FrameType, TracebackType
from typing import Any, Final, ParamSpec, TypeVar, cast

from shlo.ir.diagnostics import ShloError
from shlo.jax_programs.jax_library import jax

_P = ParamSpec("_P")
_T = TypeVar("_T")
_OWN: Final = frozenset(("shlo", "shlo_bytecode", "shlo_dap", "shlo_kernel", "shlo_tui"))
_LIBRARIES: Final = frozenset(("jax", "jaxlib", "flax", "equinox", "optax", "torch", "torchax", "contextlib"))
"""Packages between `jax.jit` and a function of the user's: what they do inside is of no help to the user."""

_CALLER: Final = "shlo.jax_programs."
"""The package whose modules call functions of the user's and of JAX's."""
_CHAINED_AT_MOST: Final = 10


class _CallerTracebacks:
    """Shortens the tracebacks of errors that leave a function which it decorates.

    An error of shlo's is about the call and has the caller's frames alone. One that the user's own function
    raises, or JAX about it, has that function's frames as well, but none of JAX's and ours in between. All
    frames stay where JAX is told to show its own (`JAX_TRACEBACK_FILTERING=off`), and in internal errors.
    """

    def __call__(self, function: Callable[_P, _T]) -> Callable[_P, _T]:
        @wraps(function)
        def call_with_short_tracebacks(*arguments: _P.args, **keywords: _P.kwargs) -> _T:
            try:
                return function(*arguments, **keywords)
            except BaseException as error:
                self._shorten(error)
                raise

        return call_with_short_tracebacks

    def _shorten(self, error: BaseException) -> None:
        if _shows_all():
            return
        for each in _chain(error):
            frames = list(_entries(each.__traceback__))
            if isinstance(each, ShloError) or _is_of_user(frames):
                each.__traceback__ = _linked(frames)
                _drop_note(each)


def _shows_all() -> bool:
    """Returns whether JAX is there and shows its own frames."""
    return "jax" in sys.modules and jax().config.jax_traceback_filtering == "off"


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


def _entries(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _is_of_user(frames: list[TracebackType]) -> bool:
    """Returns whether an error was raised behind a call that this package makes, in the user's function or in
    JAX."""
    own = [number for number, each in enumerate(frames) if _package(each.tb_frame) in _OWN]
    if not own:
        return True
    is_innermost = own[-1] == len(frames) - 1
    return not is_innermost and _module(frames[own[-1]].tb_frame).startswith(_CALLER)


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    """Returns a traceback of the frames that are neither ours nor of a library."""
    linked: TracebackType | None = None
    for each in reversed(frames):
        if _package(each.tb_frame) not in _OWN | _LIBRARIES:
            linked = TracebackType(linked, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return linked


def _drop_note(error: BaseException) -> None:
    """Drops what JAX notes about the frames that it has dropped."""
    notes: list[Any] = getattr(error, "__notes__", [])
    notes[:] = [note for note in notes if "JAX has removed its internal frames" not in str(note)]


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _package(frame: FrameType) -> str:
    return _module(frame).partition(".")[0]


CALLER_TRACEBACKS: Final = _CallerTracebacks()
"""Decorates the functions of `import shlo` that take functions of the user's."""
