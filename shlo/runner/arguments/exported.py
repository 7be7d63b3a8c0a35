"""Arguments of a call: those of the program's function or, for a file of `jax.export`, those of the exported
function, from which its calling convention makes those of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from shlo.ir.operations import Function, Module
from shlo.ir.types import Type
from shlo.runner.arguments.call import Filling, Note, Parameter, load_arguments, read_values
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo_bytecode.exported.exported import Exported

P = ParamSpec("P")
T = TypeVar("T")


def exported_call(module: Module, function: Function, platform: str | None = None) -> Exported | None:
    """Returns what a file of `jax.export` says of a function of its program, None where it says nothing.

    Raises RequestError for a platform where there is nothing to choose, or that the function was not lowered
    for.
    """
    exported = None if type(module) is Module else _exported(module, function)
    if platform is not None:
        if exported is None:
            raise RequestError(
                "--platform chooses among the platforms of a file of jax.export, and this is another program"
            )
        _checked(exported.platform_index, platform)
    return exported


def _exported(module: Module, function: Function) -> Exported | None:
    from shlo_bytecode.exported.exported import ENTRY, exported_of

    return exported_of(module) if function.name == ENTRY else None


def load_call(
    function: Function,
    exported: Exported | None,
    texts: Sequence[str],
    filling: Filling | None = None,
    seed: int = 0,
    types: Sequence[Type] | None = None,
    platform: str | None = None,
    note: Note | None = None,
) -> list[Any]:
    """Returns the arguments of a function from what the user wrote; for an exported function, that is its own
    arguments, of which those that it does not use may be given and are not read.

    `types` and `note` are as for `load_arguments`. Raises RequestError.
    """
    if exported is None:
        return load_arguments(function, texts, filling, seed, types, note)
    places = _checked(exported.places, function)
    known = function.type.inputs if types is None else types
    given = dict(zip(exported.kept, (known[place] for place in places)))
    parameters = [
        Parameter(number, name, given.get(number), "") for number, name in enumerate(exported.input_names)
    ]
    values = read_values(parameters, texts, function.name, filling, seed, note)
    return _checked(exported.arguments, function, values, platform)


def program_splits(
    exported: Exported | None, function: Function, splits: Mapping[int, int]
) -> Mapping[int, int]:
    """Returns the dimensions along which arguments are split by their number in the program's function, from
    those by their number in the exported function.
    """
    if exported is None:
        return splits
    numbers = dict(zip(exported.kept, _checked(exported.places, function)))
    strange = [number for number in splits if number not in numbers]
    if strange:
        raise RequestError(f"@{function.name} uses no argument {strange[0]} that could be split")
    return {numbers[number]: axis for number, axis in splits.items()}


def _checked(function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
    """Returns what a function of the codec gives; its ValueError becomes a RequestError."""
    try:
        return function(*arguments, **keywords)
    except ValueError as error:
        raise RequestError(str(error)) from None
