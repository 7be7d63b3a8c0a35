"""Programs of functions that were lowered before, kept as `jax.jit` keeps them: by the function object, and
by structure, shapes and element types of the arguments, static ones, and the settings of JAX.

Unlike `jax.jit`, what a plain function names beside its arguments counts, too: where a variable of a closure
or of its module names another object, the function is lowered again, and where it names what can change in
place, such as a list, a NumPy array or a model, it is lowered at each call. Other modules' variables do not
count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import is_
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
from msgspec import Struct

from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, jax_module, tree_util
from shlo.jax_programs.lowering import Partition, static_argnums_of, static_leaves

_MOST_FUNCTIONS: Final = 64
_MOST_PROGRAMS: Final = 16
"""How many functions have kept programs, and how many programs each has."""
_NUMBERS: Final = (bool, int, float, complex)
_VALUES: Final = (*_NUMBERS, str, bytes, type(None), np.generic, np.ufunc, np.dtype)
_FIXED: Final = (*_VALUES, ModuleType, type, BuiltinFunctionType)
_TRUSTED: Final = ("jax", "jaxlib")


class Outside(Struct, frozen=True):
    """What a function named beside its arguments.

    Args:
        functions: itself and the functions of its module that it names, as weak references, each with the
            names of globals that count.
        values: the objects that these name.
    """

    functions: Sequence[tuple[ref[FunctionType], Sequence[str]]] = ()
    values: Sequence[object] = ()

    def is_same(self) -> bool:
        """Returns whether the functions name the same objects now."""
        values = list[Any]()
        for reference, names in self.functions:
            function = reference()
            if function is None:
                return False
            values += _named(function, names)
        return len(values) == len(self.values) and all(map(is_, map(_weakly, values), self.values))


class KeptProgram(Struct, frozen=True):
    """A program that a function was lowered to.

    Args:
        program: the PythonProgram.
        numbers: which leaves of the arguments it takes; None where the library tells by paths alone.
        outside: what the function named beside its arguments.
    """

    program: Any
    numbers: Sequence[int] | None
    outside: Outside


_kept: Final = WeakKeyDictionary[Any, dict[Hashable, KeptProgram]]()

Lowering = tuple[Any, Partition | None]
"""A program, and how the arguments were partitioned."""


def lowered_once(function: Any, arguments: Arguments, lower: Callable[[], Lowering]) -> Lowering:
    """Returns what `lower` makes of a plain or jitted function, or has made of it for the like arguments."""
    leaves, tree = tree_util().tree_flatten(arguments.tree)
    static = _static_leaves(function, arguments, leaves)
    names = tuple(arguments.static_argnums), tuple(arguments.static_argnames)
    key = _key(leaves, tree, static, *names) if may_be_kept(function) else None
    known = None if key is None else _known(_kept.get(function, {}), key)
    if known is not None:
        partition = None if known.numbers is None else Partition(tree, leaves, known.numbers, (None, {}))
        return known.program, partition
    outside = _outside(function) if type(function) is FunctionType else Outside()
    program, partition = lower()
    if key is None or outside is None or program.callbacks or (partition and partition.results[1]):
        return program, partition
    numbers = _numbers(function, partition, len(leaves), program)
    with suppress(TypeError):  # the key has no hash
        _keep(function, key, KeptProgram(program, numbers, outside))
    return program, partition


def may_be_kept(function: Any) -> bool:
    """Returns whether programs of a function are kept: a plain or jitted one."""
    return type(function) is FunctionType or type(function).__name__ == "PjitFunction"


def call_again(
    function: Any, positional: Sequence[Any], named: Mapping[str, Any]
) -> tuple[Any, list[Any]] | None:
    """Returns the program that a function was lowered to for the like arguments, none of them static, and the
    leaves of these that are its arguments; None where there is none."""
    programs = _kept.get(function) if may_be_kept(function) else None
    if programs is None:
        return None
    leaves, tree = tree_util().tree_flatten((positional, named))
    known = _known(programs, _key(leaves, tree, (), (), ()))
    if known is None or known.numbers is None:
        return None
    return known.program, [leaves[number] for number in known.numbers]


def _known(programs: Mapping[Hashable, KeptProgram], key: Hashable | None) -> KeptProgram | None:
    """Returns the program that is kept for a key, if the function names the same objects as then."""
    try:
        known = None if key is None else programs.get(key)
    except TypeError:  # a structure, or a static argument, that has no hash
        return None
    return known if known is not None and known.outside.is_same() else None


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


def _key(
    leaves: Sequence[Any],
    tree: Any,
    static: Collection[int],
    static_argnums: Sequence[int],
    static_argnames: Sequence[str],
) -> Hashable | None:
    """Returns what a program depends on, beside the function; None where that cannot be told."""
    settings = _settings()
    kinds = tuple(
        [_leaf_key(leaf, number in static) for number, leaf in enumerate(leaves)]
        if static
        else [_leaf_key(leaf, False) for leaf in leaves]
    )
    if settings is None or None in kinds:
        return None
    return tree, kinds, static_argnums, static_argnames, settings


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
    try:
        return jax_module("_src.config").trace_context(), jax().config.jax_default_device
    except (ImportError, AttributeError):
        return None


def _outside(function: FunctionType) -> Outside | None:
    """Returns what a function names beside its arguments; None where some of it can change in place."""
    functions, known, values = [function], list[tuple[ref[FunctionType], Sequence[str]]](), list[object]()
    for inner in functions:  # which grows
        names, enclosed = _global_names(inner), len(_enclosed(inner))
        known.append((ref(inner), names))
        for number, value in enumerate(_named(inner, names)):
            if type(value) is not FunctionType and not _is_fixed(value):
                return None
            values.append(_weakly(value))
            is_own = number < enclosed or getattr(value, "__globals__", None) is inner.__globals__
            if type(value) is FunctionType and is_own and value not in functions:
                functions.append(value)
    return Outside(known, values)


def _weakly(value: object) -> object:
    """Returns a weak reference to a function, and anything else as it is."""
    return ref(value) if type(value) is FunctionType else value


def _named(function: FunctionType, names: Sequence[str]) -> list[Any]:
    """Returns the objects in a function's closure and defaults, and its globals of some names, None for what
    is no global."""
    return [*_enclosed(function), *map(function.__globals__.get, names)]


def _enclosed(function: FunctionType) -> list[Any]:
    """Returns the objects in a function's closure and defaults, of whose functions all counts."""
    enclosed: list[Any] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not assigned yet
            enclosed.append(cell.cell_contents)
    return enclosed


def _global_names(function: FunctionType) -> Sequence[str]:
    """Returns the names of globals that count; none in JAX's functions."""
    is_trusted = _is_trusted(function.__globals__.get("__name__", ""))
    return () if is_trusted else _names_in(function.__code__)


def _names_in(code: CodeType) -> Sequence[str]:
    """Returns the names of globals and attributes in a function's code, and in that of functions inside."""
    inner = [
        name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names_in(constant)
    ]
    return list(dict.fromkeys([*code.co_names, *inner]))


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
