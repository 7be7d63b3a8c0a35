"""Layouts for people, as grids of parts with the devices that hold them, and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, Final

from shlo.shardings.sharded_values import Layout, ShardedValue, part_count
from shlo.syntax.lexer.strings import readable_symbol
from shlo.text.escape import escaped
from shlo.text.numbers import plural

PARTS_AT_MOST: Final = 256
"""How many parts of a tensor a grid has."""
DEVICES_AT_MOST: Final = 8
"""How many devices that hold a part are listed."""


def report_lines(values: Iterable[ShardedValue]) -> Iterator[str]:
    """Yields the lines about values: a title each, and which devices hold which part."""
    function = None
    for value in values:
        if value.function != function:
            function = value.function
            yield escaped(readable_symbol(function))
        name = f"%{value.name}" if value.role == "value" else f"{value.role} {value.number}"
        yield escaped(f"  {name}: {value.type} {value.sharding}")
        if value.layout is None:
            yield escaped(f"    {value.problem}")
        else:
            yield from (f"    {line}".rstrip() for line in layout_lines(value.layout))


def layout_lines(layout: Layout) -> Iterator[str]:
    """Yields a grid of parts: rows and columns are parts of the last two dimensions that are split, with
    their indices; in each cell are the devices that hold the part."""
    split = [number for number, count in enumerate(layout.counts) if count > 1]
    holders: dict[tuple[int, ...], list[int]] = {}
    for device, position in layout.places.items():
        holders.setdefault(tuple(position[number] for number in split), []).append(device)
    if not split:
        (devices,) = holders.values()
        yield f"all of it on {'device' if len(devices) == 1 else 'devices'} {_devices(devices)}"
        return
    if part_count(layout) > PARTS_AT_MOST:
        yield f"{part_count(layout):,} parts on {plural(len(layout.places), 'device')}"
        return
    *outer, across = split
    down = outer.pop() if outer else None
    for above in product(*(range(layout.counts[number]) for number in outer)):
        if outer:
            pairs = zip(outer, above)
            yield ", ".join(f"dim {number} {_bounds(layout, number, part)}" for number, part in pairs)
        columns = range(layout.counts[across])
        corner = f"dim {across}" if down is None else f"dim {down}, dim {across}"
        rows = [[corner, *(_bounds(layout, across, column) for column in columns)]]
        for row in range(layout.counts[down]) if down is not None else (None,):
            position = above if row is None else (*above, row)
            head = "devices" if row is None or down is None else _bounds(layout, down, row)
            rows.append([head, *(_devices(holders.get((*position, column), [])) for column in columns)])
        widths = [max(map(len, cells)) for cells in zip(*rows)]
        for cells in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths))


def report_data(values: Iterable[ShardedValue]) -> list[dict[str, Any]]:
    """Returns what is known about values: `parts` has what each device holds, as `[start, end]` for each
    dimension; it is null where `problem` says why."""
    return [
        {
            "function": value.function,
            "role": value.role,
            "name": value.name if value.role == "value" else None,
            "number": None if value.role == "value" else value.number,
            "type": str(value.type),
            "sharding": value.sharding,
            "problem": value.problem or None,
            "parts": value.layout
            and [
                {"device": device, "index": [list(bounds) for bounds in value.layout.index(device)]}
                for device in value.layout.places
            ],
        }
        for value in values
    ]


def _bounds(layout: Layout, dimension: int, part: int) -> str:
    start, end = layout.bounds(dimension, part)
    return f"{start}:{end}"


def _devices(devices: list[int]) -> str:
    shown = " ".join(map(str, devices[:DEVICES_AT_MOST]))
    more = len(devices) - DEVICES_AT_MOST
    return f"{shown} and {more:,} more" if more > 0 else shown
