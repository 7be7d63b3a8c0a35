"""Wrappers of `jax.jit` that libraries have, such as `nnx.jit` and `eqx.filter_jit`, lowered as they lower
themselves: their `lower` turns the arguments into pytrees of arrays, and results into what the call returns.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Any, Final, cast

from msgspec import Struct

from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, key_names, tree_util
from shlo.jax_programs.kinds import kind_of
from shlo.jax_programs.lowering import parameters_in
from shlo.runner.errors import RequestError

_RESULT: Final = "result"
_NAME: Final = re.compile(r'(?<=loc\()"((?:[^"\\]|\\.)*)"')
_RESULT_INFO: Final = re.compile(r'(?<=jax\.result_info = )"(?:[^"\\]|\\.)*"')


class WrappedCall(Struct, frozen=True):
    """A call of a wrapper.

    Args:
        lowered: what JAX has lowered inside of the wrapper.
        leaves: the arrays that it takes, in order.
        argument_names: their names by the paths in the caller's arguments, `model.layers[0].kernel`; None
            where JAX's are the only ones.
        result_names: names of the results: those of arguments that the function updates in place, `result[1]`
            for what it returns, and None.
        value: the structure of what the call returns, and its leaves, numbers of results as `_Number`; None
            where the library does not tell.
    """

    lowered: Any
    leaves: Sequence[Any]
    argument_names: Sequence[str | None]
    result_names: Sequence[str | None] = ()
    value: tuple[Any, Sequence[Any]] | None = None

    def returned(self, results: Sequence[Any]) -> Any:
        """Returns what the call returns, given what the program does."""
        assert self.value is not None
        tree, leaves = self.value
        return tree.unflatten(
            [results[leaf.number] if isinstance(leaf, _Number) else leaf for leaf in leaves]
        )

    def renamed(self, text: str, names: Sequence[str]) -> str:
        """Returns a text with names of arguments and results in place of JAX's `names`."""
        renamings = {old: new for old, new in zip(names, self.argument_names) if new is not None}
        results = iter(self.result_names)

        def result_name(match: re.Match[str]) -> str:
            name = next(results, None)
            return match[0] if name is None else json.dumps(name)

        head, main, rest = text.partition("@main(")
        line, end, body = rest.partition("\n")
        text = head + main + _RESULT_INFO.sub(result_name, line) + end + body
        return _NAME.sub(
            lambda match: json.dumps(renamings[match[1]]) if match[1] in renamings else match[0], text
        )


class _Number(Struct, frozen=True):
    """The number of a result of the program, in its place in what a call returns."""

    number: int


def call_in_stage(stage: Any, function: Any, arguments: Arguments) -> WrappedCall:
    """Returns a call of what a library has lowered. `function` tells the names of parameters. Raises
    RequestError for arguments that the library does not bring to the form that was lowered.
    """
    lowered = stage.lowered
    recorder = _Recorder()
    with suppress(_ProgramReached):
        _with_inside(stage, recorder).compile()(*arguments.positional, **arguments.named)
    if recorder.tree != lowered.in_tree:
        raise RequestError(
            "the arguments have another structure than those that the program was lowered with"
        )
    names = _names(function, arguments)
    call = WrappedCall(lowered, recorder.leaves, [names.get(id(leaf)) for leaf in recorder.leaves])
    with suppress(Exception):  # objects that cannot be copied, or hold nothing but arrays
        return _with_results(call, stage, function, arguments)
    return call


class _ProgramReached(Exception):
    """The arguments have been brought to the form that the program takes."""


class _Recorder:
    """In place of JAX's `Lowered` and `Compiled`: records what it is called with."""

    tree: Any = None
    leaves: Sequence[Any] = ()

    def compile(self, *_: Any, **__: Any) -> _Recorder:
        return self

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        self.leaves, self.tree = tree_util().tree_flatten((arguments, keywords))
        raise _ProgramReached


class _Answers(_Recorder):
    """In place of JAX's `Lowered` and `Compiled`: returns a result."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self._result


def _with_inside(stage: Any, inside: Any) -> Any:
    """Returns a library's stage with another `Lowered` of JAX inside."""
    other = copy.copy(stage)
    object.__setattr__(other, "lowered", inside)
    return other


def _with_results(call: WrappedCall, stage: Any, function: Any, arguments: Arguments) -> WrappedCall:
    """Returns a call with names and places of its results: those that the library gives to marks in their
    place, in copies of the arguments, as it may update these."""
    results: list[Any] = tree_util().tree_leaves(call.lowered.out_info)
    marks = [jax().ShapeDtypeStruct(result.shape, result.dtype) for result in results]
    number_of = {id(mark): number for number, mark in enumerate(marks)}
    shared = {id(leaf): leaf for leaf in tree_util().tree_leaves(arguments.tree) if hasattr(leaf, "shape")}
    positional, named = copy.deepcopy(arguments.tree, shared)
    answers = _Answers(call.lowered.out_tree.unflatten(marks))
    returned = _with_inside(stage, answers).compile()(*positional, **named)
    names = _names(function, Arguments(positional, named))
    for path, leaf in tree_util().tree_flatten_with_path(returned)[0]:
        names[id(leaf)] = _joined(_RESULT, path)
    leaves, tree = tree_util().tree_flatten(returned)
    numbered = [_Number(number_of[id(leaf)]) if id(leaf) in number_of else leaf for leaf in leaves]
    result_names = [names.get(id(mark)) for mark in marks]
    return WrappedCall(call.lowered, call.leaves, call.argument_names, result_names, (tree, numbered))


def _names(function: Any, arguments: Arguments) -> dict[int, str]:
    """Returns the names of the arrays in the arguments of a call by their identity."""
    return {
        id(leaf): _joined(name, path)
        for name, value in parameters_in(function, arguments)
        for path, leaf in tree_util().tree_flatten_with_path(value)[0]
        if hasattr(leaf, "shape")
    }


def _joined(root: str, path: Sequence[Any]) -> str:
    """Returns the name of a leaf in Python, `model.layers[0].kernel`. The attribute in which a library's
    variables hold their arrays is left out.
    """
    return root + tree_util().keystr(path[: len(key_names(path))])


def unbound(value: Any, arguments: Arguments) -> tuple[Any, Arguments]:
    """Returns the wrapper and all arguments of a partial call of one, such as a method's."""
    if type(value) is FunctionType:
        return value, arguments
    function, bound, named = (getattr(value, name, None) for name in ("func", "args", "keywords"))
    if kind_of(function) != "wrapper" or not isinstance(bound, tuple) or not isinstance(named, Mapping):
        return value, arguments
    bound = cast("tuple[Any, ...]", bound)
    return function, Arguments((*bound, *arguments.positional), {**named, **arguments.named})
