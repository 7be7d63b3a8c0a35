"""Shardings as XLA writes them, in `mhlo.sharding`: which device holds which part of a tensor.

{replicated}  {manual}  {maximal device=0}
{devices=[2,1,4]<=[8] last_tile_dim_replicate}     tiles, and devices counting up
{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}
{devices=[2,2]0,2,1,3}                              devices one by one
"""

from __future__ import annotations

import math
import re

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.topology.groups import require_possible

_WHOLE = re.compile(r"\{(?:replicated|(manual)|maximal device=(\d{1,9}))[^{}]*\}")
_TILES = re.compile(r"devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))")
_DIGITS = 18
_SUBGROUPS = re.compile(r"last_tile_dims=\{([^}]*)\}")


class HloSharding(Struct, frozen=True):
    """How many tiles each dimension of a tensor has, and for each device the tile it holds. `counts` is empty
    where the tensor is not tiled: all devices hold the whole tensor, or `only_device` alone does, or the
    program splits it by hand (`is_manual`).
    """

    counts: tuple[int, ...] = ()
    tiles: tuple[tuple[int, ...], ...] = ()
    only_device: int | None = None
    is_manual: bool = False


def read_sharding(text: str) -> HloSharding:
    """Reads a sharding of one tensor; raises KernelError where it is none."""
    if "devices=" not in text:
        whole = _WHOLE.fullmatch(text.strip())
        if whole is None:
            raise KernelError("has a sharding that nothing is known about")
        return HloSharding(only_device=int(whole[2]) if whole[2] else None, is_manual=bool(whole[1]))
    match = _TILES.search(text)
    if match is None or text.lstrip().startswith("{{"):
        raise KernelError("has a sharding that nothing is known about")
    dimensions = _numbers(match[1])
    require_possible(math.prod(dimensions))
    devices = _devices(math.prod(dimensions), match)
    rank = len(dimensions) - _subgroups(text)
    coordinates = np.unravel_index(np.argsort(devices), dimensions)
    tiles = zip(*(axis.tolist() for axis in coordinates[:rank])) if rank else [()] * len(devices)
    return HloSharding(tuple(dimensions[:rank]), tuple(tuple(tile) for tile in tiles))


def _devices(count: int, match: re.Match[str]) -> list[int]:
    """Returns the devices in row-major order of the tiles."""
    if match[4] is not None:
        devices = _numbers(match[4])
    else:
        shape = _numbers(match[2])
        if math.prod(shape) != count:
            raise KernelError("has a sharding with another number of devices than of tiles")
        order = _numbers(match[3]) if match[3] else tuple(range(len(shape)))
        if sorted(order) != list(range(len(shape))):
            raise KernelError("has a sharding with a transposition that is none")
        devices = tuple(np.arange(count).reshape(shape).transpose(order).reshape(-1).tolist())
    if sorted(devices) != list(range(count)):
        raise KernelError("has a sharding that does not name each device once")
    return list(devices)


def _subgroups(text: str) -> int:
    """Returns how many dimensions of the tiles refer to no dimension of the tensor."""
    match = _SUBGROUPS.search(text)
    if match is not None:
        return len(match[1].split(","))
    return int("last_tile_dim_replicate" in text)


def _numbers(text: str) -> tuple[int, ...]:
    numbers = [number for number in text.split(",") if number]
    if any(len(number) > _DIGITS for number in numbers):
        raise KernelError("has a sharding with a number that is too large")
    return tuple(map(int, numbers))
