"""Call of a grid: programs, entries, arguments and queues of processes, from what a user wrote."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.runner.arguments.call import Filling, Note, entry_function
from shlo.runner.arguments.exported import exported_call
from shlo.runner.arguments.feeds import Item, read_infeed
from shlo.runner.arguments.grid import GridPlace, load_grid_arguments, places_of
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module

if TYPE_CHECKING:
    from shlo.interpreter import Channels


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

    def source_of(self, place: str | None) -> Source | None:
        """Returns the text that a place `file:line:column` is in, else that of the first process."""
        sources = {module.source.name: module.source for module in self.modules if module.source is not None}
        name = (place or "").rstrip(":").rsplit(":", 2)[0]
        return sources.get(name, self.modules[0].source)


def load_grid(
    file: str,
    shape: tuple[int, int],
    *,
    entry: str = "main",
    arguments: Sequence[str] = (),
    splits: Mapping[int, int] | None = None,
    infeed: str | None = None,
    filling: Filling | None = None,
    seed: int = 0,
    platform: str | None = None,
    known: Mapping[str, Module] | None = None,
    note: Note | None = None,
    own: Sequence[int] | None = None,
) -> GridCall:
    """Returns what a user names for a grid of replicas x partitions, loaded; `{process}`, `{replica}` and
    `{partition}` in `file`, `entry`, `arguments` and `infeed` represent the numbers of each process.

    `splits`, `filling`, `platform` and `note` are those of `load_grid_arguments`; `known` has valid
    programs of files that are not read again; `own` are the numbers of the processes that run here, None for
    all. Raises RequestError, and ParseError of a program that is not
    valid.
    """
    from shlo.interpreter.topology.groups import MOST_PROCESSES

    replicas, partitions = shape
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    places = tuple(place for place in places_of(replicas, partitions) if own is None or place.process in own)
    programs = known or {}
    modules = _once_each(
        [place.fill(file) for place in places],
        lambda path: programs[path] if path in programs else read_module(path),
    )
    of_id = {id(module): module for module in modules}
    entries = [(id(module), place.fill(entry)) for module, place in zip(modules, places)]
    functions = _once_each(entries, lambda key: entry_function(of_id[key[0]], key[1]))
    exported = [exported_call(*pair, platform) for pair in zip(modules, functions)]
    inputs = load_grid_arguments(
        functions,
        arguments,
        places,
        replicas * partitions,
        splits or {},
        filling,
        seed,
        exported,
        platform,
        note,
    )
    infeeds: tuple[Sequence[Item], ...] = ((),) * len(places)
    if infeed is not None:
        paths = [(place.fill(infeed), id(module)) for module, place in zip(modules, places)]
        infeeds = _once_each(paths, lambda key: read_infeed(key[0], of_id[key[1]]))
    return GridCall(replicas, partitions, places, modules, functions, tuple(inputs), infeeds)


def _once_each(keys: Sequence[Key], make: Callable[[Key], Result]) -> tuple[Result, ...]:
    """Returns what is made of each key; equal keys share one object."""
    results = {key: make(key) for key in dict.fromkeys(keys)}
    return tuple(results[key] for key in keys)
