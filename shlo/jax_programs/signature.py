"""Signature of a function that JAX lowered: its arguments as pytrees, by the names that JAX gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.ir.operations import Function, Module
from shlo.ir.types import TokenType
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import tree_util
from shlo.jax_programs.leaves import check_shape, is_jax_array, numpy_array, result_of
from shlo.runner.errors import RequestError
from shlo.text.numbers import plural
from shlo_bytecode.exported.exported import leading_arguments

ENTRY: Final = "main"
Path = tuple[Any, ...]
"""JAX's path of a leaf of (args, kwargs): keys of containers, from the outermost on."""
_CONTAINERS: Final = (list, tuple, dict, type(None))
"""Containers that hold arrays alone, of which the paths of leaves tell all."""
_STATIC: Final = (
    "a lowered program holds its defaults and what was static: lower it again with other ones, or give the "
    "function itself"
)
_SHOWN: Final = 3
"""How many names of missing arguments a message lists."""


class JaxSignature(Struct, frozen=True):
    """What the Python function takes and returns.

    Args:
        in_tree: the structure of (args, kwargs), without static arguments.
        out_tree: the structure of the result.
        names: the name of each array argument, `params['w']`; `args[0]['w']` where JAX tells no names.
        shapes: their sizes; one that is no number is an expression of dimension variables.
        dtypes: their element types, JAX's.
        taken: the numbers of those that the program takes; None where that is not known.
        constants: arrays that the program takes before them.
        result_dtypes: the element types of the results.
        platforms: the platforms that it was lowered for.
        static_argnums: positions of static arguments, None where they are not known.
        has_static: whether it was lowered with the arguments of the call, of which some may be static.
    """

    in_tree: Any
    out_tree: Any
    names: Sequence[str]
    shapes: Sequence[Sequence[object]]
    dtypes: Sequence[Any]
    used: Sequence[int] | None
    constants: Sequence[Any] = ()
    result_dtypes: Sequence[Any] = ()
    platforms: Sequence[str] = ()
    static_argnums: Sequence[int] | None = None
    has_static: bool = False

    def leaves(self, arguments: Arguments) -> list[Any]:
        """Returns the arrays in the arguments of a call, in their order; raises RequestError where arguments
        are missing or too many.
        """
        takes, leaves = paths_of(self.in_tree), self._leaves_by_path(arguments)
        missing = [name for path, name in zip(takes, self.names) if path not in leaves]
        self._refuse_surplus(arguments, leaves, missing)
        return [leaves[path] for path in takes]

    def refuse_surplus(self, arguments: Arguments) -> None:
        """Raises RequestError for arguments that the program does not take."""
        self._refuse_surplus(arguments, self._leaves_by_path(arguments), ())

    def _refuse_surplus(
        self, arguments: Arguments, leaves: Mapping[Path, Any], missing: Sequence[str]
    ) -> None:
        takes = set(paths_of(self.in_tree))
        unknown = [self._name_of(path) for path in leaves if path not in takes]
        if not self.has_static:
            unknown += self._without_leaves(arguments, leaves)
        if missing or unknown:
            hint = _STATIC if unknown and not self.has_static else None
            raise RequestError(_mismatch(missing, unknown), hint)
        structure = None if self.has_static else tree_util().tree_structure(arguments.tree)
        if structure is not None and (changed := _changed_constants(self.in_tree, structure)):
            what = f"{changed} differs in more than arrays from what the program was lowered with"
            raise RequestError(what, _STATIC)

    def _leaves_by_path(self, arguments: Arguments) -> dict[Path, Any]:
        """Returns the arrays of a call."""
        positional, named = arguments.positional, arguments.named
        if self.has_static:
            knows = self._arity[1]
            positional = self._without_static(positional)
            named = {key: value for key, value in named.items() if key in knows or _has_arrays(value)}
        return dict(tree_util().tree_flatten_with_path((tuple(positional), dict(named)))[0])

    def _without_leaves(self, arguments: Arguments, leaves: Mapping[Path, Any]) -> list[str]:
        """Returns the names of surplus arguments that hold no arrays, such as None."""
        count, knows = self._arity
        roots = {path[1].idx if path[0].idx == 0 else path[1].key for path in leaves}
        positions = [index for index in range(count, len(arguments.positional)) if index not in roots]
        return [f"args[{index}]" for index in positions] + [
            name for name in arguments.named if name not in knows and name not in roots
        ]

    def inputs(self, module: Module, leaves: Sequence[Any], platform: str | None = None) -> list[Any]:
        """Returns what the program's `main` takes. Raises RequestError in the words of the caller."""
        function = module.functions[ENTRY]
        indices = self._used_indices(function)
        as_lowered = list(map(_is_as_lowered, leaves, self.shapes, self.dtypes))
        for number, is_checked in enumerate(as_lowered):
            if not is_checked:
                check_shape(self.names[number], leaves[number], self.shapes[number])
        arrays = [self._array(number, leaves[number], as_lowered[number]) for number in indices]
        program_arrays = [*self.constants, *arrays]
        count = len(function.type.inputs) - len(program_arrays)
        return (
            program_arrays
            if count <= 0
            else [*self._leading(function, count, leaves, platform), *program_arrays]
        )

    def _array(self, number: int, leaf: Any, is_as_lowered: bool) -> Any:
        """Returns an argument as a NumPy array."""
        if is_as_lowered:
            with suppress(RuntimeError):  # an array of JAX's that has no values here
                return np.asarray(leaf)
        return numpy_array(self.names[number], leaf, self.dtypes[number])

    def _leading(
        self, function: Function, count: int, leaves: Sequence[Any], platform: str | None
    ) -> list[Any]:
        """Returns what the program takes before the arrays."""
        sizes = [
            (str(size), there)
            for leaf, shape in zip(leaves, self.shapes)
            for size, there in zip(shape, getattr(leaf, "shape", ()))
        ]
        index = self._platform_index(platform)
        try:
            return leading_arguments(function, count, sizes, index, len(self.platforms) > 1)
        except ValueError as error:
            raise RequestError(str(error)) from None

    def result(self, module: Module, values: Sequence[Any]) -> Any:
        """Returns the results of `main` as the Python function returns them."""
        return self.out_tree.unflatten(self.arrays(module, values))

    def arrays(self, module: Module, values: Sequence[Any]) -> list[Any]:
        """Returns the results of `main` that are arrays, typed keys included."""
        if len(values) == len(self.result_dtypes):  # without tokens
            return list(map(result_of, values, self.result_dtypes))
        types = module.functions[ENTRY].type.results
        arrays = [value for value, type_ in zip(values, types) if not isinstance(type_, TokenType)]
        dtypes = self.result_dtypes or (None,) * len(arrays)
        return [result_of(*pair) for pair in zip(arrays, dtypes)]

    @property
    def _arity(self) -> tuple[int, frozenset[str]]:
        """How many positional arguments there are, and the names of the keyword arguments."""
        positional, named = self.in_tree.unflatten([0] * self.in_tree.num_leaves)
        return len(positional), frozenset(named)

    def _without_static(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Returns positional arguments without the static ones."""
        count = self._arity[0]
        if len(arguments) <= count:
            return arguments
        if self.static_argnums is not None:
            static = {number % len(arguments) for number in self.static_argnums if number < len(arguments)}
            return [value for number, value in enumerate(arguments) if number not in static]
        return _fitting(arguments, self.in_tree.children()[0].children())

    def _name_of(self, path: Path) -> str:
        """Returns what the caller calls an argument that the function does not take."""
        takes = zip(paths_of(self.in_tree), self.names)
        match = next((candidate for candidate in takes if candidate[0][:2] == path[:2]), None)
        if path[0].idx == 1 or match is None:
            return name_from_path(path)
        return match[1].removesuffix(_inner(match[0])) + _inner(path)

    def _used_indices(self, function: Function) -> Sequence[int]:
        """Returns the numbers of the arguments that the program takes."""
        if self.used is not None:
            return self.used
        takes = len(function.type.inputs) - len(self.constants)
        if takes >= len(self.names):
            return range(len(self.names))
        raise RequestError(
            f"the program takes {takes} of {len(self.names)} arguments, and JAX does not tell which",
            "lower jax.jit(f, keep_unused=True)",
        )

    def _platform_index(self, platform: str | None) -> int:
        if platform is None:
            return self.platforms.index("cpu") if "cpu" in self.platforms else 0
        if platform not in self.platforms:
            platforms = ", ".join(self.platforms) or "none"
            raise RequestError(f"expected a platform that it was lowered for ({platforms}), got {platform}")
        return self.platforms.index(platform)


def _is_as_lowered(leaf: Any, shape: Sequence[object], dtype: Any) -> bool:
    """Returns whether a leaf is an array of NumPy or JAX of the shape and element type that a program was
    lowered for, so that its elements are taken as they are."""
    is_plain = type(leaf) is np.ndarray or is_jax_array(leaf)
    return is_plain and leaf.shape == shape and leaf.dtype == dtype


def paths_of(tree: Any) -> list[Path]:
    """Returns the path of each leaf of a pytree's structure."""
    numbered = tree.unflatten(range(tree.num_leaves))
    return [path for path, _ in tree_util().tree_flatten_with_path(numbered)[0]]


def _changed_constants(tree: Any, other: Any) -> str:
    """Returns the class of the first container of a structure that differs from that of another one in what
    is no array, such as a static field; empty where none does. Lists and tuples are the same."""
    data, others = tree.node_data(), other.node_data()
    if data is None or others is None:
        return ""
    if data[0] is others[0] and data[0] not in _CONTAINERS and not _is_equal(data[1], others[1]):
        return str(data[0].__qualname__)
    pairs = zip(tree.children(), other.children())
    return next((name for pair in pairs if (name := _changed_constants(*pair))), "")


def _is_equal(value: Any, other: Any) -> bool:
    try:
        return bool(value == other)
    except Exception:
        return True  # what cannot be compared, such as arrays


def name_from_path(path: Path) -> str:
    """Returns a name of a leaf of (args, kwargs): `args[0]['w']`, `scale`."""
    root = f"args[{path[1].idx}]" if path[0].idx == 0 else str(path[1].key)
    return root + _inner(path)


def _inner(path: Path) -> str:
    """Returns the path of a leaf inside of its argument."""
    return tree_util().keystr(path[2:])


def _mismatch(missing: Sequence[str], unknown: Sequence[str]) -> str:
    """Returns the message for arguments that are missing or too many."""
    texts = list[str]()
    for what, names in (("missing", missing), ("not expected", unknown)):
        if names:
            shown = ", ".join(f"`{name}`" for name in names[:_SHOWN])
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            noun = plural(len(names), "argument").partition(" ")[2]
            texts.append(f"{noun} {shown}{more} {'is' if len(names) == 1 else 'are'} {what}")
    return "; ".join(texts)


def _has_arrays(value: Any) -> bool:
    return any(hasattr(leaf, "shape") for leaf in tree_util().tree_leaves(value))


def _fitting(arguments: Sequence[Any], trees: Sequence[Any]) -> Sequence[Any]:
    """Returns those arguments whose structures are these, in order, where the others can be static ones; all
    of them where that is not so. Arrays go before Python's numbers, which may be static.
    """
    structures: list[Any] = [tree_util().tree_structure(value) for value in arguments]
    static = len(arguments) - len(trees)

    chosen = list[int]()
    for tree in trees:
        start = chosen[-1] + 1 if chosen else 0
        window = [n for n in range(start, len(chosen) + static + 1) if structures[n] == tree]
        number = next((n for n in window if _has_arrays(arguments[n])), window[0] if window else None)
        if number is None:
            return arguments
        chosen.append(number)
    if any(_has_arrays(value) for number, value in enumerate(arguments) if number not in chosen):
        return arguments
    return [arguments[number] for number in chosen]
