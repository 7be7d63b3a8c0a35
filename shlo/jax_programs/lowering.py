"""Lowering of functions with the arguments of a call, as `jax.jit` does it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, tree_util
from shlo.jax_programs.kinds import kind_of, name_of
from shlo.jax_programs.leaves import is_array
from shlo.runner.errors import RequestError

_CARRIERS: Final = ("torch", "torchax")
"""Packages that call JAX's functions for those that a user calls."""


_DEFERRED: Final = (
    ("a coroutine function (async def)", inspect.iscoroutinefunction),
    ("an asynchronous generator function", inspect.isasyncgenfunction),
    ("a generator function (with yield)", inspect.isgeneratorfunction),
)


class Partition(Struct):
    """Arguments of a call in two parts: arrays, which are traced, and others, which the function sees as
    they are.

    `leaves` are those of (args, kwargs), and `numbers` say which of them are arrays.
    """

    tree: Any
    leaves: Sequence[Any]
    numbers: Sequence[int]
    results: Any = None
    """The structure of the result, and its leaves that are no arrays by number, once it has been traced."""

    def call(self, function: Callable[..., Any], arrays: Sequence[Any]) -> Any:
        """Returns the function's result on arrays in place of those in the call, with None for what is no
        array.
        """
        leaves = list(self.leaves)
        for number, array in zip(self.numbers, arrays):
            leaves[number] = array
        arguments, keywords = tree_util().tree_unflatten(self.tree, leaves)
        values, tree = tree_util().tree_flatten(function(*arguments, **keywords))
        self.results = tree, {number: value for number, value in enumerate(values) if not is_array(value)}
        return tree.unflatten([value if is_array(value) else None for value in values])

    def completed(self, result: Any) -> Any:
        """Returns a result of `call` with what is no array in its place."""
        tree, others = self.results
        if not others:
            return result
        arrays = iter(tree_util().tree_leaves(result))
        return tree.unflatten(
            [others[number] if number in others else next(arrays) for number in range(tree.num_leaves)]
        )


def refuse_deferred(function: Any) -> None:
    """Raises RequestError for a function whose statements run only after it has returned, which JAX does not
    trace."""
    for kind, is_of_kind in _DEFERRED:
        if is_of_kind(function) or is_of_kind(type(function).__call__):
            raise RequestError(f"{name_of(function)} is {kind}, expected a function that returns arrays")


def lower_function(function: Callable[..., Any], arguments: Arguments) -> tuple[Any, Partition]:
    """Returns what `jax.jit(...).lower` makes of a function, and how its arguments were partitioned: static
    ones, and leaves that are no arrays, are constants of the program.

    Raises what the function raises, and RequestError where there is no such static argument.
    """
    refuse_deferred(function)
    _hide_library_frames()
    leaves, tree = tree_util().tree_flatten(arguments.tree)
    static = static_leaves(function, arguments)
    numbers = [number for number, leaf in enumerate(leaves) if is_array(leaf) and number not in static]
    partition = Partition(tree, leaves, numbers)

    def call(*args: Any, **kwargs: Any) -> Any:
        return partition.call(function, tree_util().tree_leaves((args, kwargs)))

    call.__name__ = call.__qualname__ = name_of(function)
    call.__wrapped__ = function  # pyright: ignore[reportFunctionMemberAccess] - what JAX says was traced
    with suppress(ValueError, TypeError):
        call.__signature__ = inspect.signature(function)  # pyright: ignore[reportFunctionMemberAccess]
    chosen = set(numbers)
    arrays = [leaf if number in chosen else None for number, leaf in enumerate(leaves)]
    positional, named = tree_util().tree_unflatten(tree, arrays)
    try:
        return jax().jit(call).lower(*positional, **named), partition
    except TypeError:
        _check_fit(function, arguments)
        raise


def lower_by_itself(wrapper: Any, arguments: Arguments) -> Any:
    """Returns what a library's wrapper of `jax.jit` lowers to on arguments: JAX's `Lowered`, or the library's
    with one inside; None where its `lower` does anything else. Raises what the function raises, and
    RequestError where arguments do not fit."""
    refuse_deferred(getattr(wrapper, "__wrapped__", wrapper))
    _hide_library_frames()
    try:
        stage = wrapper.lower(*arguments.positional, **arguments.named)
    except TypeError:
        _check_fit(wrapper, arguments)
        raise
    return stage if kind_of(stage) in ("lowered", "staged") else None


def lower_jitted(function: Any, arguments: Arguments) -> Any:
    """Returns what a jitted function lowers to on arguments. Raises what the function raises, and
    RequestError where an argument is no array.
    """
    refuse_deferred(getattr(function, "__wrapped__", function))
    _hide_library_frames()
    try:
        return function.lower(*arguments.positional, **arguments.named)
    except TypeError:
        _check_fit(function, arguments)
        numbers = static_argnums_of(function) or ()
        names = getattr(getattr(function, "_jit_info", None), "static_argnames", ())
        for number, (name, value) in enumerate(parameters_in(function, arguments)):
            is_static = number in numbers if number < len(arguments.positional) else name in names
            if not is_static and not all(map(is_array, tree_util().tree_leaves(value))):
                what = f"argument `{name}` is a {type(value).__qualname__}, expected an array"
                raise RequestError(what, "name it in static_argnames of jax.jit") from None
        raise


def _check_fit(function: Callable[..., Any], arguments: Arguments) -> None:
    """Raises RequestError where a function does not take arguments, as far as it tells what it takes."""
    with suppress(ValueError, TypeError):
        signature = inspect.signature(function)
        try:
            signature.bind(*arguments.positional, **arguments.named)
        except TypeError as error:
            raise RequestError(f"{name_of(function)}: {error}") from None


def static_argnums_of(function: Any) -> tuple[int, ...] | None:
    """Returns the positions of a jitted function's static arguments, None where JAX does not tell."""
    return getattr(getattr(function, "_jit_info", None), "static_argnums", None)


def static_leaves(function: Callable[..., Any], arguments: Arguments) -> set[int]:
    """Returns the numbers of the leaves of the static arguments of a call."""
    if not arguments.static_argnums and not arguments.static_argnames:
        return set()
    static = _static(function, arguments)
    roots = [path[:2] for path, _ in tree_util().tree_flatten_with_path(arguments.tree)[0]]
    return {
        number
        for number, (part, key) in enumerate(roots)
        if (key.idx if part.idx == 0 else key.key) in static
    }


def _static(function: Callable[..., Any], arguments: Arguments) -> set[int | str]:
    """Returns the positions and names of the static arguments of a call."""
    count = len(arguments.positional)
    for number in arguments.static_argnums:
        if not -count <= number < count:
            raise RequestError(f"static_argnums has {number}, but {count} positional arguments are given")
    names = [name for name, _ in parameters_in(function, arguments)]
    static: set[int | str] = {number % count for number in arguments.static_argnums}
    for name in arguments.static_argnames:
        if name not in names:
            raise RequestError(f"static_argnames has {name!r}, but no argument has that name")
        static.add(name if name in arguments.named else names.index(name))
    return static


def parameters_in(function: Any, arguments: Arguments) -> list[tuple[str, Any]]:
    """Returns the arguments of a call with the names of their parameters, `args[0]` where a function tells
    none.
    """
    names = list[str]()
    with suppress(ValueError, TypeError):
        parameters = inspect.signature(function).parameters.values()
        names = [
            parameter.name for parameter in parameters if parameter.kind <= parameter.POSITIONAL_OR_KEYWORD
        ]
    names += [f"args[{number}]" for number in range(len(names), len(arguments.positional))]
    return [*zip(names, arguments.positional), *arguments.named.items()]


def _hide_library_frames() -> None:
    """Leaves the frames of this package, of `python -m`, and of what carries PyTorch's calls to JAX, out of
    the places that JAX notes for operations: they are those of the user's lines.
    """
    _hide_frames_of(f"{Path(__file__).parents[1]}{os.sep}")
    _hide_frames_of("<frozen ")
    for name in _CARRIERS:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            _hide_frames_of(f"{os.path.dirname(file)}{os.sep}")


@cache
def _hide_frames_of(beginning: str) -> None:
    """Hides the frames of files whose names begin like this."""
    with suppress(ImportError, AttributeError):
        from jax.extend import source_info_util

        source_info_util.register_exclusion(beginning)
