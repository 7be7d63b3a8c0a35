"""Programs of JAX on eight devices with the part that each device holds: run as a module, it prints JSON.

    XLA_FLAGS=--xla_force_host_platform_device_count=8 python -m tests.shardings.jax_layouts

The number of devices is settled when JAX starts, so this has a process of its own. Programs number devices by
their places in the mesh, and so do the parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

SHAPE = (16, 8, 24)
CASES: dict[str, tuple[tuple[int, ...], tuple[Any, ...]]] = {
    "whole": ((8,), ()),
    "one axis": ((8,), ("a",)),
    "last dimension": ((8,), (None, None, "a")),
    "two axes": ((2, 4), ("a", "b")),
    "crossed": ((2, 4), ("b", None, "a")),
    "both on one dimension": ((4, 2), (("b", "a"),)),
    "copies": ((4, 2), (None, "b")),
    "three axes": ((2, 2, 2), ("c", "a", "b")),
    "three axes, two dimensions": ((2, 2, 2), (("c", "a"), None, "b")),
}


def layouts() -> Iterator[dict[str, Any]]:
    """Yields name, text, and by device the bounds of what it holds of the argument, result and inner value."""
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    for has_shardy in (True, False):
        jax.config.update("jax_use_shardy_partitioner", has_shardy)
        for name, (sizes, spec) in CASES.items():
            for order in (np.arange(8), np.array([3, 1, 4, 0, 5, 2, 7, 6])):
                devices = np.array(jax.devices())[order].reshape(sizes)
                mesh = Mesh(devices, tuple("abc"[: len(sizes)]))
                sharding = NamedSharding(mesh, PartitionSpec(*spec))

                def program(x: Any, sharding: Any = sharding) -> Any:
                    return jax.lax.with_sharding_constraint(x * 2, sharding) + 1

                jitted = jax.jit(program, in_shardings=sharding, out_shardings=sharding)
                lowered = jitted.lower(jax.ShapeDtypeStruct(SHAPE, np.float32))
                held = sharding.devices_indices_map(SHAPE)
                parts = {
                    place: [list(each.indices(size)[:2]) for each, size in zip(held[device], SHAPE)]
                    for place, device in enumerate(devices.flat)
                }
                yield {"name": f"{name}, {has_shardy}", "text": lowered.as_text(), "parts": parts}


if __name__ == "__main__":
    print(json.dumps(list(layouts())))
