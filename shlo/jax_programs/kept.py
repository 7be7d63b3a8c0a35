"""Programs of functions that were lowered before, kept as `jax.jit` keeps them: by the function object, and
by structure, shapes and element types of the arguments, static ones, and the settings of JAX.

Unlike `jax.jit`, what a plain function names beside its arguments counts, too: where a variable of a closure
or of its module names another object, the function is lowered again, and where it names what can change in
place, such as a list, a NumPy array or a model, it is lowered at each call. Other modules' variables do not
count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
from msgspec import Struct

from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, jax_module, tree_util
from shlo.jax_programs.kinds import kind_of
from shlo.jax_programs.lowering import Partition, static_argnums_of, static_leaves

_MOST_FUNCTIONS: Final = 64
_MOST_PROGRAMS: Final = 16
"""How many functions have kept programs, and how many programs each has."""
_NUMBERS: Final = (bool, int, float, complex)
_VALUES: Final = (*_NUMBERS, str, bytes, type(None), np.generic, np.ufunc, np.dtype)
_FIXED: Final = (*_VALUES, ModuleType, type, BuiltinFunctionType)
_TRUSTED: Final = ("jax", "jaxlib")


class KeptProgram(Struct, frozen=True):
    """A program that a function was lowered to.

    Args:
        program: the PythonProgram.
        numbers: which leaves of the arguments it takes; None where the library tells by paths alone.
        outside: what the function named beside its arguments.
    """

    program: Any
    numbers: Sequence[int] | None
    outside: Sequence[object]


_kept: Final = WeakKeyDictionary[Any, dict[Hashable, KeptProgram]]()

Lowering = tuple[Any, Partition | None]
"""A program, and how the arguments were partitioned."""


def lowered_once(function: Any, arguments: Arguments, lower: Callable[[], Lowering]) -> Lowering:
    """Returns what `lower` makes of a plain or jitted function, or has made of it for the like arguments."""
    is_plain = type(function) is FunctionType
    leaves, tree = tree_util().tree_flatten(arguments.tree)
    key = _key(function, arguments, leaves, tree)
    outside = _outside(function) if is_plain else ()
    if key is None or outside is None:
        return lower()
    known = _kept.get(function, {}).get(key)
    if known is not None and _are_same(known.outside, outside):
        partition = None if known.numbers is None else Partition(tree, leaves, known.numbers, (None, {}))
        return known.program, partition
    program, partition = lower()
    numbers = _numbers(function, partition, len(leaves), program)
    if not program.callbacks and (partition is None or not partition.results[1]):
        _keep(function, key, KeptProgram(program, numbers, outside))
    return program, partition


def _keep(function: Any, key: Hashable, kept: KeptProgram) -> None:
    """Keeps a program; where there are too many, all before it go."""
    if function not in _kept and len(_kept) >= _MOST_FUNCTIONS:
        _kept.clear()
    programs = _kept.setdefault(function, {})
    if key not in programs and len(programs) >= _MOST_PROGRAMS:
        programs.clear()
    programs[key] = kept


def _numbers(function: Any, partition: Partition | None, count: int, program: Any) -> Sequence[int] | None:
    if partition is not None:
        return partition.numbers
    has_all = not _has_static(function) and len(program.signature.names) == count
    return range(count) if has_all else None


def _key(function: Any, arguments: Arguments, leaves: Sequence[Any], tree: Any) -> Hashable | None:
    """Returns what a program depends on, beside the function; None where that cannot be told."""
    settings = _settings()
    if settings is None or (type(function) is not FunctionType and kind_of(function) != "jitted"):
        return None
    static = _static_leaves(function, arguments, leaves)
    kinds = tuple(
        [_leaf_key(leaf, number in static) for number, leaf in enumerate(leaves)]
        if static
        else [_leaf_key(leaf, False) for leaf in leaves]
    )
    if None in kinds:
        return None
    key = (tree, kinds, tuple(arguments.static_argnums), tuple(arguments.static_argnames), settings)
    try:
        hash(key)
    except TypeError:  # a structure, or a static argument
        return None
    return key


def _static_leaves(function: Any, arguments: Arguments, leaves: Sequence[Any]) -> Collection[int]:
    """Returns the numbers of the leaves whose values a program depends on; of a jitted function that does not
    tell which, of all that can be static."""
    if type(function) is FunctionType:
        return static_leaves(function, arguments)
    if not _has_static(function):
        return ()
    return [number for number, leaf in enumerate(leaves) if _is_number(leaf)]


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (*_NUMBERS, np.generic))


def _leaf_key(leaf: Any, is_static: bool) -> Hashable | None:
    """Returns what a program depends on of a leaf: class and value where it is static or no array, else type
    and shape; None for an object that can change."""
    class_ = cast("type[object]", type(leaf))
    if class_ is np.ndarray and not is_static:
        return leaf.dtype, leaf.shape
    is_number = _is_number(leaf)
    if class_ in (str, bytes, FunctionType):
        return class_, leaf
    if is_static:
        return (class_, repr(leaf)) if is_number else None
    if issubclass(class_, np.generic):
        return leaf.dtype, leaf.shape
    if class_.__name__ in ("ArrayImpl", "PRNGKeyArray") and _is_trusted(class_.__module__):
        return leaf.aval, leaf.sharding, getattr(leaf, "committed", None)
    return class_ if is_number else None


def _has_static(function: Any) -> bool:
    """Returns whether a jitted function may have static arguments."""
    names = getattr(getattr(function, "_jit_info", None), "static_argnames", True)
    return static_argnums_of(function) != () or bool(names)


def _settings() -> Hashable | None:
    """Returns the settings that JAX keeps traces by; None where it does not tell."""
    with suppress(ImportError, AttributeError):
        return jax_module("_src.config").trace_context(), jax().config.jax_default_device
    return None


def _outside(function: FunctionType) -> Sequence[object] | None:
    """Returns what a function names beside its arguments, and the functions of its module that it names;
    functions as weak references. None where some of it can change in place."""
    found, waiting, seen = list[object](), [function], {function}
    while waiting:
        for value, is_own in _named(waiting.pop()):
            is_function = type(value) is FunctionType
            if not is_function and not _is_fixed(value):
                return None
            found.append(ref(value) if is_function else value)
            if is_function and is_own and value not in seen:
                seen.add(value)
                waiting.append(value)
    return found


def _named(function: FunctionType) -> Iterator[tuple[Any, bool]]:
    """Yields the objects in a function's closure, defaults and globals, and for functions whether what they
    name counts, too: not that of functions of other modules."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not assigned yet
            yield cell.cell_contents, True
    for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        yield default, True
    variables = function.__globals__
    if not _is_trusted(variables.get("__name__", "")):
        for name in _names_in(function.__code__):
            if name in variables:
                value = variables[name]
                yield value, getattr(value, "__globals__", None) is variables


@lru_cache(maxsize=256)
def _names_in(code: CodeType) -> Sequence[str]:
    """Returns the names of globals and attributes in a function's code, and in that of functions inside."""
    inner = [
        name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names_in(constant)
    ]
    return [*code.co_names, *inner]


def _is_fixed(value: Any) -> bool:
    """Returns whether an object, no function, stays as it is."""
    if type(value) in _FIXED:
        return True
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_fixed, cast("Iterable[Any]", value)))
    return isinstance(value, _FIXED) or _is_trusted(type(value).__module__)


def _is_trusted(module: str) -> bool:
    """Returns whether a module is JAX's, whose objects stay as they are."""
    return module.partition(".")[0] in _TRUSTED


def _are_same(values: Sequence[object], others: Sequence[object]) -> bool:
    return len(values) == len(others) and all(one is other for one, other in zip(values, others))
