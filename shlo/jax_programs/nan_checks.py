"""`shlo.debug_nans`: the debugger at the first NaN of the first jitted call that returns one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ContextDecorator, ExitStack, contextmanager, suppress
from functools import cache
from types import FrameType, TracebackType
from typing import Any, Final, Literal, TypeVar, cast

from shlo.debugger.session import Session
from shlo.debugger.text.card import nonfinite_card
from shlo.debugger.text.nonfinite import nonfinite_text
from shlo.ir.diagnostics import ShloError
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.debugging import FrontEnd, check_front_end, launch_of, open_front_end
from shlo.jax_programs.jax_library import jax, jax_module, tree_util
from shlo.jax_programs.kinds import kind_of
from shlo.jax_programs.lowering import refuse_deferred
from shlo.jax_programs.program import ProgramCall, call_of
from shlo.jax_programs.routing import CallOptions, Options, options_by_name
from shlo.places.card import Card
from shlo.runner.errors import RequestError, shown

_F = TypeVar("_F", bound="Callable[..., Any]")
_CHECK: Final = "maybe_recursive_nan_check"
"""What JAX does about a NaN: it runs the function again without jit, which takes long and repeats
callbacks.
"""


class NaNError(ShloError, FloatingPointError):
    """A jitted call that returned a NaN, which the debugger was opened on. `card` says what made it, out of
    what, as fields; the message is its text. It is None where no operation makes a NaN as shlo runs the call.
    """

    def __init__(self, message: str, hint: str | None = None, card: Card | None = None) -> None:
        self.card = card
        super().__init__(message, hint)


class debug_nans(ContextDecorator):
    """Opens the debugger where the first NaN was made, in any jitted call inside, and then raises NaNError.

        with shlo.debug_nans():
            train(state, batches)

        @shlo.debug_nans()
        def train(state, batches): ...

    Results of all jitted calls of this thread are looked at, as with `jax.debug_nans`: those of operations
    outside of `jax.jit` are calls of their own. Functions are compiled anew inside, without donating their
    arguments, which the debugger needs. The program is then run by shlo's interpreter on the arguments of
    the call, where a NaN may come one operation earlier or later than on the device.

    Where no debugger can be opened, as in a batch job, NaNError says so beside the operation and its line.

    Args:
        front_end: what to open instead of the debugger: a function that gets the Session, which is behind the
            operation that made the NaN.
        options: of the run, as for `shlo.run`.

    Raises:
        RequestError: it is used as a decorator without parentheses, or an argument does not fit.
    """

    def __init__(self, *surplus: Any, front_end: FrontEnd | None = None, options: Options = None) -> None:
        if surplus:
            expected = "expected debug_nans() or debug_nans(front_end=FUNCTION)"
            what = f"{expected}, got debug_nans({shown(surplus[0])})"
            raise RequestError(what, "a decorator is written with parentheses: @shlo.debug_nans()")
        check_front_end(front_end)
        self._front_end, self._options = front_end, options_by_name(options)
        self._stack = ExitStack()

    def __call__(self, function: _F) -> _F:
        """Decorates a function; raises RequestError for what runs only after it has returned."""
        refuse_deferred(function)
        return super().__call__(function)

    def __enter__(self) -> debug_nans:
        self._stack = ExitStack()
        self._stack.enter_context(_compiled_anew())
        self._stack.enter_context(jax().debug_nans(True))
        self._stack.enter_context(_all_frames())
        self._stack.enter_context(_without_second_run())
        return self

    def __exit__(
        self, type_: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
        if isinstance(error, FloatingPointError) and not isinstance(error, NaNError):
            call = error.call if isinstance(error, _NaNReturned) and error.call else _call_in(error)
            if call is not None:
                raise self._opened(call) from None

    def _recreate_cm(self) -> debug_nans:
        """Returns a new context; ContextDecorator asks for one for each call of a decorated function."""
        return debug_nans(front_end=self._front_end, options=cast("CallOptions", self._options))

    def _opened(self, call: ProgramCall) -> NaNError:
        """Opens the front end; returns an error that says where the NaN was made, and why nothing was opened
        where nothing can be."""
        error = nonfinite_error(call, self._options, self._front_end, "nan")
        return error or NaNError("a jitted call returned a NaN")


def nonfinite_error(
    call: ProgramCall,
    options: Mapping[str, Any],
    front_end: FrontEnd | None,
    what: Literal["nan", "any"] = "any",
    opens: bool = True,
) -> NaNError | None:
    """Opens the debugger where the first NaN, or also infinity, of a call is made. Returns an error that says
    where, and why no debugger was opened where none can be; None where nothing makes one.

    Args:
        call: the program and its arguments.
        options: of the run.
        front_end: what to open instead of the debugger.
        what: "any" for infinities, too.
        opens: whether anything is opened.
    """
    explanation, card, is_reached = "a jitted call returned a NaN", None, False

    def move(session: Session) -> None:
        nonlocal explanation, card, is_reached
        is_reached = session.nonfinite.run_to(what).reason != "missed"
        card = nonfinite_card(session)
        explanation = nonfinite_text(session, card, what)

    launch, reason = launch_of(call, options, move), None
    try:
        if opens:
            open_front_end(launch, front_end)
    except RequestError as error:
        if front_end is not None:
            raise
        reason = f"no debugger was opened: {error}"
    if not opens or reason:
        launch.start()
    return NaNError(explanation, reason, card) if is_reached or what == "nan" else None


# --- where JAX tells of the call ---


def _call_in(error: BaseException) -> ProgramCall | None:
    """Returns the jitted call that an error of `jax.debug_nans` is about, from the variables of the frames
    that it went through; None where none of them is known. Within a derivative the arguments of the function
    are traced, and the call is that of its program alone.
    """
    program: tuple[Any, Arguments] | None = None
    for frame in _frames(error):
        called = _function_in(frame)
        if called is not None:
            return call_of(*(called if _is_concrete(called[1]) or program is None else program))
        program = program or _program_in(frame)
    return None if program is None else call_of(*program)


def _function_in(frame: Mapping[str, Any]) -> tuple[Any, Arguments] | None:
    """Returns the jitted function and the arguments that one of JAX's frames is about."""
    function, arguments, keywords = (frame.get(name) for name in ("fun", "args", "kwargs"))
    if not isinstance(arguments, tuple) or not isinstance(keywords, dict):
        return None
    call_arguments = Arguments(cast("tuple[Any, ...]", arguments), cast("dict[str, Any]", keywords))
    info = frame.get("jit_info")
    if info is not None and callable(function):  # it has just been compiled
        static: dict[str, Any] = {name: getattr(info, name) for name in ("static_argnums", "static_argnames")}
        return jax().jit(function, **static), call_arguments
    is_compiled = kind_of(function) == "jitted" and hasattr(function, "_jit_info")
    return (function, call_arguments) if is_compiled else None


def _program_in(frame: Mapping[str, Any]) -> tuple[Any, Arguments] | None:
    """Returns the function that evaluates a program of JAX, and its arguments, where a frame has both."""
    program, arguments = frame.get("jaxpr"), frame.get("args")
    types = getattr(program, "in_avals", None)
    if types is None or not isinstance(arguments, tuple):
        return None
    call_arguments = Arguments(cast("tuple[Any, ...]", arguments))
    fits = len(types) == len(call_arguments.positional)
    return (jax_module("extend.core").jaxpr_as_fun(program), call_arguments) if fits else None


def _frames(error: BaseException) -> Iterator[Mapping[str, Any]]:
    """Yields the variables of JAX's frames that an error and those before it went through, the innermost
    first.
    """
    chain = [error]
    while chain[-1].__context__ is not None and len(chain) < 10:
        chain.append(chain[-1].__context__)
    for link in reversed(chain):
        frames, trace = list[FrameType](), link.__traceback__
        while trace is not None:
            frames.append(trace.tb_frame)
            trace = trace.tb_next
        for frame in reversed(frames):
            if _is_of_jax(frame):
                yield frame.f_locals


def _is_of_jax(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("jax.")


def _is_concrete(arguments: Arguments) -> bool:
    """Returns whether no argument is being traced."""
    tracer = jax().core.Tracer
    return not any(isinstance(leaf, tracer) for leaf in tree_util().tree_leaves(arguments.tree))


# --- what JAX does inside ---


@cache
def _context() -> Any:
    """Returns JAX's context that functions are compiled anew in; None in versions without."""
    make = getattr(jax(), "make_user_context", None)
    return None if make is None else make(False)


@contextmanager
def _compiled_anew() -> Generator[None]:
    """Compiles functions inside anew, as those compiled before may donate their arguments."""
    context = _context()
    if context is None:
        jax().clear_caches()
        yield
    else:
        with context(True):
            yield


@contextmanager
def _all_frames() -> Generator[None]:
    """Leaves JAX's frames in the traces of its errors."""
    config = jax().config
    before = config.jax_traceback_filtering
    config.update("jax_traceback_filtering", "off")
    try:
        yield
    finally:
        config.update("jax_traceback_filtering", before)


@contextmanager
def _without_second_run() -> Generator[None]:
    """Keeps JAX from running a function with a NaN again without jit, in versions that let that be
    replaced.
    """
    module: Any = None
    with suppress(ImportError):
        module = jax_module("_src.api_util")
    before = getattr(module, _CHECK, None)
    if before is None:
        yield
        return
    setattr(module, _CHECK, _fail)
    try:
        yield
    finally:
        setattr(module, _CHECK, before)


class _NaNReturned(FloatingPointError):
    """A jitted call that returned a NaN, and the call where it could be lowered at once."""

    def __init__(self, call: ProgramCall | None) -> None:
        super().__init__("a jitted call returned a NaN")
        self.call = call


def _fail(error: Exception, *_: Any) -> None:
    """Raises _NaNReturned, with the call lowered: Flax can trace its functions only while they are called."""
    called, call, frame = None, None, inspect.currentframe()
    frame = frame and frame.f_back
    while called is None and frame is not None and _is_of_jax(frame):
        called, frame = _function_in(frame.f_locals), frame.f_back
    if called is not None and _is_concrete(called[1]):
        with suppress(Exception), jax().debug_nans(False):
            call = call_of(*called)  # what fails here is told when it fails again outside
    raise _NaNReturned(call) from error
