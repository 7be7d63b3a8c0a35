"""Call of a grid: programs, entries, arguments and queues of processes, from what a user wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.runner.arguments.call import Filling, entry_function
from shlo.runner.arguments.exported import exported_call
from shlo.runner.arguments.feeds import Item, read_infeed
from shlo.runner.arguments.grid import GridPlace, load_grid_arguments, places_of
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module

if TYPE_CHECKING:
    from shlo.interpreter import Channels


@dataclass(frozen=True, slots=True)
class GridCall:
    """A grid that can be started: for each process its place, program, function, arguments, and the items of
    its infeed. Processes of one program share the module.
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
        """Returns what `run_grid` and `make_grid` take besides the programs and the inputs; queues are new
        each time.
        """
        return {
            "replicas": self.replicas,
            "partitions": self.partitions,
            "entry": self.entries,
            "channels": self.channels(),
        }

    def source_of(self, place: str | None) -> Source | None:
        """Returns the text of the program that a place `file:line:column` is in, else that of the first
        process.
        """
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
) -> GridCall:
    """Returns what a user names for a grid of replicas x partitions, loaded; `{process}`, `{replica}` and
    `{partition}` in `file`, `entry`, `arguments` and `infeed` represent the numbers of each process.

    `splits`, `filling` and `platform` are those of `load_grid_arguments`. Raises RequestError, and ParseError
    of a program that is not valid.
    """
    from shlo.interpreter.topology.groups import MOST_PROCESSES

    replicas, partitions = shape
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    places = tuple(places_of(replicas, partitions))
    modules = _modules(file, places)
    functions = _functions(modules, [place.fill(entry) for place in places])
    exported = [exported_call(*pair, platform) for pair in zip(modules, functions)]
    inputs = load_grid_arguments(
        functions, arguments, places, splits or {}, filling, seed, exported, platform
    )
    infeeds = _infeeds(infeed, modules, places)
    return GridCall(replicas, partitions, places, modules, functions, tuple(inputs), infeeds)


def _modules(file: str, places: Sequence[GridPlace]) -> tuple[Module, ...]:
    paths = [place.fill(file) for place in places]
    read = {path: read_module(path) for path in dict.fromkeys(paths)}
    return tuple(read[path] for path in paths)


def _functions(modules: Sequence[Module], entries: Sequence[str]) -> tuple[Function, ...]:
    """Returns the function of each process, the same object where it is the same function."""
    known: dict[tuple[int, str], Function] = {}
    for module, entry in zip(modules, entries):
        if (id(module), entry) not in known:
            known[id(module), entry] = entry_function(module, entry)
    return tuple(known[id(module), entry] for module, entry in zip(modules, entries))


def _infeeds(
    path: str | None, modules: Sequence[Module], places: Sequence[GridPlace]
) -> tuple[Sequence[Item], ...]:
    """Returns the items of each process, read once where they are the same."""
    if path is None:
        return ((),) * len(places)
    known: dict[tuple[str, int], list[Item]] = {}
    for place, module in zip(places, modules):
        key = place.fill(path), id(module)
        if key not in known:
            known[key] = read_infeed(key[0], module)
    return tuple(known[place.fill(path), id(module)] for place, module in zip(places, modules))
