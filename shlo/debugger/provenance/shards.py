"""Shards: which element of a process's part is which of the whole tensor, and back."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.debugger.provenance.contributions import Index
from shlo.interpreter.kernels.spmd.shard_map import ShardLayout


def part_source(layout: ShardLayout, shape: Sequence[int], process: int, index: Index) -> Index | None:
    """Returns the index in a whole tensor of an element of a process's part; None where that is zero because
    another process holds the number.
    """
    if layout.is_whole:
        return index
    if layout.summand.get(process, 0):
        return None
    tile = layout.tiles[process]
    sizes = [size // count for size, count in zip(shape, layout.counts)]
    return tuple(at + place * size for at, place, size in zip(index, tile, sizes))


def whole_sources(
    layout: ShardLayout, group: Sequence[int], shape: Sequence[int], index: Index
) -> list[tuple[int, Index]]:
    """Returns the processes of a group, and the index in the part of each, whose elements make one of the
    whole tensor: one of them, or several that are added up.

    Args:
        layout: How the tensor is split.
        group: The processes that put their parts together.
        shape: That of a part.
        index: The element's in the whole tensor.
    """
    if layout.is_whole:
        return [(group[0], index)]
    visited: set[tuple[object, ...]] = set()
    found: list[tuple[int, Index]] = []
    for process in group:
        tile = layout.tiles[process]
        key = (tile, layout.summand.get(process, 0))
        at = tuple(int(each - place * size) for each, place, size in zip(index, tile, shape))
        if key not in visited and all(0 <= each < size for each, size in zip(at, shape)):
            found.append((process, at))
        visited.add(key)
    return found
