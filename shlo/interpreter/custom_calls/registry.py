"""Registry of custom calls: the Python function that handles each target.

A handler receives the static part of one custom_call, once, and returns the function that runs each time the
call does, from operands to the result (a tuple if there are several, None if there is none), as a kernel
does:

    def double(call: CustomCall) -> KernelFn:
        return lambda x: x * 2

    register_custom_call("my_library.double", double)

A package offers handlers through the entry-point group `shlo.custom_calls`: the entry point's name is the
target, its object the handler. They are loaded when a program that calls the target runs, never before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from shlo.dialects.stablehlo.custom_call_targets import CUSTOM_PARTITIONING
from shlo.interpreter.custom_call_api import CustomCall, Handler
from shlo.interpreter.custom_calls.callbacks import (
    HOST_CALLBACKS,
    callback_name,
    callback_of,
    calling,
    is_print,
    printing,
)
from shlo.interpreter.custom_calls.stubs import matching_stub, stubbed
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.support.entry_points import entry_points_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN_MODULES: Mapping[str, tuple[str, ...]] = {
    "checks": ("check.", "shape_assertion"),
    "devices": ("Sharding", "SPMD", "annotate_device_placement", "LayoutConstraint", "xla.sdy."),
    "fft": ("ducc_fft", "dynamic_ducc_fft"),
    "xla": ("mhlo.", "TopK", "ApproxTopK", "stablehlo.dynamic_"),
    "lapack.platforms": ("lapack_",),
}
"""Modules of this package that register handlers when they are imported, and how the targets begin for which
one is loaded before the others: all of them take longer to load than a small program."""

_BUILT_IN_NAMES = frozenset(f"{__package__}.{name}" for name in (*BUILT_IN_MODULES, "lapack.targets"))
_PURE_MODULES = _BUILT_IN_NAMES - {f"{__package__}.checks"}

ENTRY_POINT_GROUP = "shlo.custom_calls"

DEVICE_KERNELS: Mapping[str, str] = {
    "__gpu$xla.gpu.triton": "GPUs",
    "mosaic_gpu": "GPUs",
    "mosaic_gpu_v2": "GPUs",
    "tpu_custom_call": "TPUs",
    "triton_kernel_call": "GPUs",
    "xla.gpu.triton": "GPUs",
}
"""Targets whose calls hold a compiled kernel, and its device: no handler can run these."""

IN_ITS_PROCESS: Final = (
    "what it computes is in the process that lowered the program: give shlo.run the function, jitted or not, "
    "or what jax.jit(f).trace(...) returns, in that process; or lower it for one device"
)
"""What to do about a call of a function of custom_partitioning."""

_handlers: dict[str, Handler] = {}
_built_in: dict[str, Handler] = {}


def register_custom_call(target: str, handler: Handler) -> None:
    """Registers `handler` for custom calls of `target` in this process, in place of any earlier one."""
    handlers = _built_in if _module_of(handler) in _BUILT_IN_NAMES else _handlers
    handlers[target] = handler


def custom_call_handler(*targets: str) -> Callable[[Handler], Handler]:
    """Returns a decorator that registers a handler for these targets."""

    def register(handler: Handler) -> Handler:
        for target in targets:
            register_custom_call(target, handler)
        return handler

    return register


@kernel("stablehlo.custom_call", needs_context=True)
def custom_call(op: OpView) -> KernelFn:
    """Returns what the target's handler or stub computes; specification: "custom_call"."""
    call = CustomCall(op)
    target = call.target
    kept: KernelFn | None = None  # of a pure built-in handler, which is the same for all runs

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        nonlocal kept
        is_of_run = target in context.stubs or target in context.handlers or target in _handlers
        if kept is not None and not is_of_run:
            return kept(*operands)
        function = context.custom_calls.get(call)
        if function is None:
            function = context.custom_calls[call] = bind(call, context)
        if not is_of_run and is_pure_built_in(target):
            kept = function
        return function(*operands)

    return evaluate


def bind(call: CustomCall, context: ExecutionContext) -> KernelFn:
    """Returns the function that runs a custom_call: the stub of exactly its target, else a handler's
    function, else a stub whose pattern its target matches. Raises KernelError if there is none.

    A callback without results has no stub: without a handler, its operands are printed."""
    is_printed = is_print(call)
    stub = None if is_printed else context.stubs.get(call.target)
    handler = find_handler(call.target, context.handlers) if stub is None else None
    if handler is not None:
        return handler(call)
    callback = None if stub is not None else callback_of(call, context)
    if callback is not None:
        return calling(call, callback, context)
    if is_printed:
        return printing(call, context)
    stub = matching_stub(call.target, context.stubs) if stub is None else stub
    if stub is None:
        raise KernelError(_no_handler(call))
    return stubbed(call, stub, context)


def find_handler(target: str, handlers: Mapping[str, Handler]) -> Handler | None:
    """Returns the handler of a target: one of `handlers`, a registered one, a built-in one, one of an
    installed package, or None. Raises KernelError if the package's handler does not load."""
    for table in (handlers, _handlers):
        if target in table:
            return table[target]
    handler = _built_in_handler(target)
    if handler is not None:
        return handler
    installed = _installed().get(target)
    return None if installed is None else _load(installed)


def built_in_module(target: str) -> str:
    """Returns the name of the module of this package that handles a target; empty where none does, or a
    registered handler replaces it.
    """
    handler = None if target in _handlers else _built_in_handler(target)
    return "" if handler is None else _module_of(handler)


def is_pure_built_in(target: str) -> bool:
    """Returns whether a target is handled, unless a handler replaces it, by a function of its operands that
    may be called again and again.
    """
    handler = _built_in_handler(target)
    return handler is not None and _module_of(handler) in _PURE_MODULES


def pure_function(call: CustomCall) -> KernelFn | None:
    """Returns the function of a call by the handler of this package; None for a target that is not pure.
    Raises KernelError where the handler refuses the call."""
    return _built_in[call.target](call) if is_pure_built_in(call.target) else None


def is_replaced(targets: frozenset[str], context: ExecutionContext) -> bool:
    """Returns whether another handler, or a stub, handles some of the targets of this package in a run."""
    replacing = context.stubs, context.handlers, _handlers
    return any(table and not targets.isdisjoint(table) for table in replacing)


def replaced_targets(handlers: Mapping[str, Handler], stubs: Mapping[str, object]) -> frozenset[str]:
    """Returns the targets of `is_pure_built_in` that are handled by others: by one of `handlers` or `stubs`,
    or by a registered one.
    """
    return frozenset(filter(is_pure_built_in, (*handlers, *stubs, *_handlers)))


def _module_of(handler: Handler) -> str:
    function = handler.func if isinstance(handler, partial) else handler
    return str(getattr(function, "__module__", ""))


def _no_handler(call: CustomCall) -> str:
    """Returns the message for a call without a handler, which says what to do."""
    target = call.target
    provided = (
        f'shlo.register_custom_call("{target}", handler) '
        f"or the entry-point group {ENTRY_POINT_GROUP} can provide one"
    )
    recorded = ""
    if target in DEVICE_KERNELS:
        provided = f"it is a device kernel of {DEVICE_KERNELS[target]}"
    elif target == CUSTOM_PARTITIONING:
        provided = IN_ITS_PROCESS
    elif target in HOST_CALLBACKS:
        name = callback_name(call)
        provided = f"{name} is a Python function of the process that wrote the program; {provided}"
        recorded = ", where FILE.npz has recorded results: result_0, or for each call call_0.result_0"
    return (
        f'expected a handler for custom call "{target}", got none: {provided}; '
        f"use --stub {target}=zeros|random|FILE.npz to go on{recorded}"
    )


def _built_in_handler(target: str) -> Handler | None:
    """Returns this package's handler of a target, None where it has none."""
    if target not in _built_in:
        for name, beginnings in BUILT_IN_MODULES.items():
            if target.startswith(beginnings):
                import_module(f"{__package__}.{name}")
    if target not in _built_in:
        _load_built_in()
    return _built_in.get(target)


@cache
def _load_built_in() -> None:
    for name in BUILT_IN_MODULES:
        import_module(f"{__package__}.{name}")


@cache
def _installed() -> dict[str, EntryPoint]:
    return {name: points[-1] for name, points in entry_points_of(ENTRY_POINT_GROUP).items()}


def _load(point: EntryPoint) -> Handler:
    try:
        handler: Handler = point.load()
    except Exception as error:
        raise KernelError(f'the handler of the custom call "{point.name}" does not load: {error}') from error
    register_custom_call(point.name, handler)
    return handler


def support_text(target: str) -> str:
    """Returns whether calls of a target can run, in words; packages that could run them are not loaded."""
    if target in _handlers or _built_in_handler(target) is not None:
        return "shlo runs it"
    if target in _installed():
        return "an installed package runs it"
    if target in DEVICE_KERNELS:
        return f"a kernel of {DEVICE_KERNELS[target]}, which shlo cannot run; --stub replaces it"
    if target in HOST_CALLBACKS or target == CUSTOM_PARTITIONING:
        return "a Python function of the process that wrote the program; --stub replaces it"
    return "no handler is registered; shlo.register_custom_call adds one, --stub replaces it"
