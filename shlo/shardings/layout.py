"""Layouts of tensors on devices, from the shardings of Shardy and of XLA."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from shlo.dialects.sdy.attributes import TensorSharding
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.topology.groups import require_possible
from shlo.interpreter.topology.hlo_sharding import read_sharding
from shlo.interpreter.topology.mesh import axes_of, mesh_of
from shlo.ir.operations import Operation


class Layout(Struct, frozen=True):
    """Into how many parts each dimension of a tensor is split, and the part that each device holds, as its
    place along the dimensions. The last parts of a dimension that does not divide evenly are smaller, or
    empty.
    """

    shape: tuple[int, ...]
    counts: tuple[int, ...]
    places: Mapping[int, tuple[int, ...]]

    def bounds(self, dimension: int, place: int) -> tuple[int, int]:
        """Returns the first index of a part along a dimension, and the one behind its last."""
        size = self.shape[dimension]
        step = -(-size // self.counts[dimension])
        return min(place * step, size), min((place + 1) * step, size)

    def index(self, device: int) -> tuple[tuple[int, int], ...]:
        """Returns the bounds of what a device holds, for each dimension."""
        return tuple(self.bounds(dimension, place) for dimension, place in enumerate(self.places[device]))


def shardy_layout(
    sharding: TensorSharding, shape: tuple[int, ...], symbols: Mapping[str, Operation]
) -> Layout:
    """Returns the layout that a sharding of Shardy describes; raises KernelError."""
    mesh = mesh_of(sharding.mesh, symbols)
    axes = [axes_of(dimension.axes) for dimension in sharding.dimensions]
    if len(axes) != len(shape):
        raise KernelError(f"a sharding of {len(axes)} dimensions does not fit a tensor of {len(shape)}")
    positions = [mesh.positions(along) for along in axes]
    places = {device: tuple(each[device] for each in positions) for device in mesh.devices}
    return Layout(shape, tuple(map(mesh.count, axes)), dict(sorted(places.items())))


def hlo_layout(text: str, shape: tuple[int, ...], devices: int) -> Layout:
    """Returns the layout that a sharding of XLA describes; `devices` is how many the program runs on. Raises
    KernelError."""
    whole = (1,) * len(shape)
    found = read_sharding(text)
    if found.is_manual:
        raise KernelError("is split by hand")
    if found.only_device is not None:
        return Layout(shape, whole, {found.only_device: (0,) * len(shape)})
    if not found.counts and not found.tiles:
        require_possible(devices)
        return Layout(shape, whole, {device: (0,) * len(shape) for device in range(devices)})
    if len(found.counts) != len(shape):
        raise KernelError(
            f"a sharding of {len(found.counts)} dimensions does not fit a tensor of {len(shape)}"
        )
    return Layout(shape, found.counts, dict(enumerate(found.tiles)))


def part_count(layout: Layout) -> int:
    """Returns into how many parts a tensor is split."""
    return math.prod(layout.counts)
