"""Calls in a grid of processes as one writes them: `2x4 --split 0 %r = @f(%x, %y#{process})`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from shlo.runner.arguments.grid import (
    GridPlace,
    has_placeholder,
    parts_of,
    places_of,
    read_grid,
    read_split,
)
from shlo.runner.arguments.grid_calls import GridCall
from shlo.runner.errors import RequestError, quoted
from shlo_kernel.cells.calls import Call, read_call, read_names, split_arguments
from shlo_kernel.cells.session import CellSession

_OPTIONS: Final = r"(?:\s+--[\w-]+(?:=|\s+)[^\s@]+)*"
_GRID: Final = re.compile(
    rf"\s*(?P<shape>[^\s@%]+)(?P<before>{_OPTIONS})\s+(?P<call>.*?)(?P<after>{_OPTIONS})\s*\Z",
    re.ASCII | re.DOTALL,
)
_OPTION: Final = re.compile(r"--([\w-]+)(?:=|\s+)(\S+)", re.ASCII)


def read_grid_call(session: CellSession, text: str) -> tuple[list[str], GridCall]:
    """Returns the grid and the call in each of its processes that a text says, `2x4 --split 0:1 %r = @f(%x)`,
    and the names for results; raises RequestError. `{process}`, `{replica}` and `{partition}` in a call are
    replaced by the numbers of each process.
    """
    match = _GRID.match(text)
    if match is None:
        raise RequestError("the grid or the call is missing", "write 2x4 @f(%x): 2 replicas of 4 partitions")
    places = places_of(*_shape(match["shape"]))
    splits = dict(_splits(f"{match['before']} {match['after']}"))
    names, written = read_names(match["call"])
    calls = _calls(session, written, places, splits)
    last = places[-1]
    grid = GridCall(
        last.replica + 1,
        last.partition + 1,
        tuple(places),
        tuple(call.module for call in calls),
        tuple(call.function for call in calls),
        tuple(parts_of(call.arguments, splits, at, len(calls)) for at, call in enumerate(calls)),
        ((),) * len(calls),
    )
    return names, grid


def _shape(text: str) -> tuple[int, int]:
    """Replicas and partitions."""
    from shlo.interpreter.topology.groups import MOST_PROCESSES

    try:
        replicas, partitions = read_grid(text)
    except ValueError:
        raise RequestError(f"{quoted(text)} is no grid", "write REPLICASxPARTITIONS: 2x4") from None
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    return replicas, partitions


def _splits(options: str) -> Iterator[tuple[int, int]]:
    """Arguments and the dimensions along which they are split, from options `--split 0:1`."""
    for name, value in _OPTION.findall(options):
        try:
            if name != "split":
                raise ValueError(name)
            yield read_split(value)
        except ValueError:
            hint = "write --split ARGUMENT or --split ARGUMENT:DIMENSION, in numbers from 0"
            raise RequestError(f"--{name} {quoted(value)} is no option of a grid", hint) from None


def _calls(
    session: CellSession, text: str, places: Sequence[GridPlace], splits: Mapping[int, int]
) -> list[Call]:
    """Returns the call of each process; what is written the same for several is read once."""
    for word in split_arguments(text.partition("(")[2].rpartition(")")[0]):
        found = session.named(word[1:]) if word.startswith("%") else []
        if found and found[0].name != word[1:]:
            hint = f"write {word}#{{process}} for one to each process, %{found[0].name} for the first to all"
            raise RequestError(f"{word} names {len(found)} values", hint)
    if not has_placeholder(text):
        return [read_call(session, text, splits, len(places))] * len(places)
    known: dict[str, Call] = {}
    for place in places:
        filled = place.fill(text)
        if filled not in known:
            known[filled] = read_call(session, filled, splits, len(places))
    return [known[place.fill(text)] for place in places]
