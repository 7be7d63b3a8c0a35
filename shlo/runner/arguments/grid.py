"""Arguments for the processes of a grid: the same for all, a file for each, or parts of one tensor.

`{process}`, `{replica}` and `{partition}` in a text represent the numbers of each process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shlo.ir.operations import Function
from shlo.ir.types import RankedTensorType, Type
from shlo.runner.arguments.call import Filling, Note
from shlo.runner.arguments.exported import load_call, program_splits
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo_bytecode.exported.exported import Exported

PLACEHOLDERS = ("{process}", "{replica}", "{partition}")


class GridPlace(NamedTuple):
    """A process of a grid: its number, and where it is."""

    process: int
    replica: int
    partition: int

    def fill(self, text: str) -> str:
        """Returns a text with the numbers of the process in it."""
        for placeholder, number in zip(PLACEHOLDERS, self):
            text = text.replace(placeholder, str(number))
        return text


def places_of(replicas: int, partitions: int) -> list[GridPlace]:
    """Returns the processes of a grid, replica by replica."""
    return [
        GridPlace(replica * partitions + partition, replica, partition)
        for replica in range(replicas)
        for partition in range(partitions)
    ]


def has_placeholder(text: str) -> bool:
    """Returns whether a text is another one for each process."""
    return any(placeholder in text for placeholder in PLACEHOLDERS)


def read_grid(text: str) -> tuple[int, int]:
    """Returns how many replicas and partitions `2x4` represents; raises ValueError."""
    match = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text)
    if match is None or not int(match[1]) or not int(match[2]):
        raise ValueError(text)
    return int(match[1]), int(match[2])


def read_split(text: str) -> tuple[int, int]:
    """Returns which argument is split along which dimension, from `ARGUMENT` or `ARGUMENT:DIMENSION`.

    Raises ValueError.
    """
    match = re.fullmatch(r"(\d{1,4})(?::(\d{1,4}))?", text)
    if match is None:
        raise ValueError(text)
    return int(match[1]), int(match[2] or 0)


def load_grid_arguments(
    functions: Sequence[Function],
    texts: Sequence[str],
    places: Sequence[GridPlace],
    count: int,
    splits: Mapping[int, int],
    filling: Filling | None = None,
    seed: int = 0,
    exported: Sequence[Exported | None] = (),
    platform: str | None = None,
    note: Note | None = None,
) -> list[list[Any]]:
    """Returns the arguments of each process at these places in a grid of `count` processes, from what the
    user wrote; raises RequestError.

    `splits` maps arguments that are given for all processes together, one part behind the other, to the
    dimension along which they are split. `exported` has what files of `jax.export` say of
    each function, `platform` is the one chosen, `note` gets what was skipped.
    """
    is_shared = len(set(map(id, functions))) == 1 and not any(map(has_placeholder, texts))
    loaded: list[list[Any]] = []
    axes: list[Mapping[int, int]] = []
    for place, function, call in zip(places, functions, exported or [None] * len(functions)):
        axes.append(program_splits(call, function, splits))
        if not is_shared or not loaded:
            types = whole_types(function, axes[-1], count)
            filled = [place.fill(text) for text in texts]
            loaded.append(load_call(function, call, filled, filling, seed, types, platform, note))
        else:
            loaded.append(loaded[0])
    of_places = zip(places, loaded, axes)
    return [parts_of(arguments, own, place.process, count) for place, arguments, own in of_places]


def whole_types(function: Function, splits: Mapping[int, int], count: int) -> list[Type]:
    """Returns the types of a function's arguments, those that are split being as large as `count` parts
    together; raises RequestError where one cannot be split.
    """
    types = list(function.type.inputs)
    for index, axis in splits.items():
        if index >= len(types):
            raise RequestError(f"@{function.name} has no argument {index} to split")
        type_ = types[index]
        if not isinstance(type_, RankedTensorType) or axis >= type_.rank:
            raise RequestError(f"argument {index} is {type_}, which has no dimension {axis} to split along")
        shape = [size and size * (count if at == axis else 1) for at, size in enumerate(type_.shape)]
        types[index] = RankedTensorType(tuple(shape), type_.element_type, type_.encoding)
    return types


def parts_of(arguments: Sequence[Any], splits: Mapping[int, int], number: int, count: int) -> list[Any]:
    """Returns the arguments of one process of `count`, those that are split being as `whole_types` says.

    Raises RequestError where parts would not be of one size.
    """
    parts = list(arguments)
    for index, axis in splits.items():
        size, rest = divmod(parts[index].shape[axis], count)
        if rest:
            raise RequestError(f"argument {index} cannot be split into {count} parts of one size")
        part = slice(number * size, (number + 1) * size)
        parts[index] = parts[index][(slice(None),) * axis + (part,)]
    return parts
