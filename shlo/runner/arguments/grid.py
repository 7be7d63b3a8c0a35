"""Arguments for the processes of a grid: the same for all, a file for each, or parts of one tensor.

`{process}`, `{replica}` and `{partition}` in a text represent the numbers of each process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.ir.types import RankedTensorType, Type
from shlo.runner.arguments.call import ArgumentTexts, entry_function, exported_call, load_call, program_splits
from shlo.runner.arguments.feeds import Item, read_infeed
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module

if TYPE_CHECKING:
    from shlo.interpreter import Channels
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
    written: ArgumentTexts,
    places: Sequence[GridPlace],
    count: int,
    splits: Mapping[int, int],
    exported: Sequence[Exported | None] = (),
) -> list[list[Any]]:
    """Returns the arguments of each process at these places in a grid of `count` processes, from what the
    user wrote; raises RequestError.

    `splits` maps arguments that are given for all processes together, one part behind the other, to the
    dimension along which they are split. `exported` has what files of `jax.export` say of each function.
    """
    is_shared = len(set(map(id, functions))) == 1 and not any(map(has_placeholder, written.texts))
    loaded: list[list[Any]] = []
    axes: list[Mapping[int, int]] = []
    for process, function, call in zip(places, functions, exported or [None] * len(functions)):
        axes.append(program_splits(call, function, splits))
        if not is_shared or not loaded:
            types = whole_types(function, axes[-1], count)
            filled = replace(written, texts=[process.fill(text) for text in written.texts])
            loaded.append(load_call(function, call, filled, types))
        else:
            loaded.append(loaded[0])
    of_places = zip(places, loaded, axes)
    return [
        parts_of(arguments, splits_of_call, process.process, count)
        for process, arguments, splits_of_call in of_places
    ]


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


Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class GridCall(Struct, frozen=True):
    """A grid that can be started: for each process, or each that runs here, its place, program, function,
    arguments, and the items of its infeed. Processes of one program share the module.
    """

    replicas: int
    partitions: int
    places: tuple[GridPlace, ...]
    modules: tuple[Module, ...]
    functions: tuple[Function, ...]
    inputs: tuple[list[Any], ...]
    infeeds: tuple[Sequence[Item], ...]

    @property
    def entries(self) -> list[str]:
        """The name of each process's function."""
        return [function.name for function in self.functions]

    def channels(self) -> list[Channels]:
        """New queues for a run, one set for each process, the infeeds filled."""
        from shlo.interpreter import Channels

        return [Channels.fed(items) for items in self.infeeds]

    def keywords(self) -> dict[str, Any]:
        """Returns what `run_grid` takes besides programs and inputs; queues are new each time."""
        return {
            "replicas": self.replicas,
            "partitions": self.partitions,
            "entry": self.entries,
            "channels": self.channels(),
        }

    def source_of(self, location: str | None) -> Source | None:
        """Returns the text that a place `file:line:column` is in, else that of the first process."""
        sources = {module.source.name: module.source for module in self.modules if module.source is not None}
        name = (location or "").rstrip(":").rsplit(":", 2)[0]
        return sources.get(name, self.modules[0].source)


def load_grid(
    file: str,
    shape: tuple[int, int],
    written: ArgumentTexts,
    *,
    entry: str,
    splits: Mapping[int, int],
    infeed: str | None,
    programs_read: Mapping[str, Module] | None = None,
    local: Sequence[int] | None = None,
) -> GridCall:
    """Returns what a user names for a grid of replicas x partitions, loaded; `{process}`, `{replica}` and
    `{partition}` in `file`, `entry`, texts of arguments and `infeed` represent the numbers of each process.

    `splits` are those of `load_grid_arguments`; `known` has valid programs of files that are not read again;
    `own` are the numbers of the processes that run here, None for all. Raises RequestError, and ParseError
    of a program that is not valid.
    """
    from shlo.interpreter.topology.groups import MOST_PROCESSES

    replicas, partitions = shape
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    places = tuple(
        process for process in places_of(replicas, partitions) if local is None or process.process in local
    )
    programs = programs_read or {}
    modules = _once_each(
        [process.fill(file) for process in places],
        lambda path: programs[path] if path in programs else read_module(path),
    )
    of_id = {id(module): module for module in modules}
    entries = [(id(module), process.fill(entry)) for module, process in zip(modules, places)]
    functions = _once_each(entries, lambda key: entry_function(of_id[key[0]], key[1]))
    exported = [exported_call(*pair, written.platform) for pair in zip(modules, functions)]
    count = replicas * partitions
    inputs = load_grid_arguments(functions, written, places, count, splits, exported)
    infeeds: tuple[Sequence[Item], ...] = ((),) * len(places)
    if infeed is not None:
        paths = [(process.fill(infeed), id(module)) for module, process in zip(modules, places)]
        infeeds = _once_each(paths, lambda key: read_infeed(key[0], of_id[key[1]]))
    return GridCall(replicas, partitions, places, modules, functions, tuple(inputs), infeeds)


def _once_each(keys: Sequence[Key], make: Callable[[Key], Result]) -> tuple[Result, ...]:
    """Returns what is made of each key; equal keys share one object."""
    results = {key: make(key) for key in dict.fromkeys(keys)}
    return tuple(results[key] for key in keys)
