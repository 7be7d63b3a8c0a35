"""Lowers training on four devices, one of which is fed wrong data, to `data_parallel.mlir` and `.npz`.

    python examples/lower_data_parallel.py      (needs jax)

Each device has a quarter of the images and computes a gradient of its own; the mean of the gradients makes
the next weights. One device was given pixels from 0 to 255 where the others have them from -1 to 1, and since
all take part in each mean, all of them end with weights that are no numbers. Whose data was it?

    shlo debug examples/data_parallel.mlir --grid 1x4 examples/data_parallel.npz

The inputs are multiples of powers of two, so that the first products of matrices have no rounding errors:
whichever machine runs it, the numbers are the same in all the digits that a screen shows.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, PartitionSpec

FOLDER = Path(__file__).parent
DEVICES, ROWS, PIXELS, STEPS = 4, 8, 6, 30
RATE = 0.125
WRONG = 2
"""The device whose images were never scaled."""


def loss(weights: jax.Array, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Returns how far the guesses for images are from their labels."""
    return jnp.mean((images @ weights - labels) ** 2)


def train(weights: jax.Array, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Returns the weights after some steps with the mean of all devices' gradients."""

    def step(_: jax.Array, weights: jax.Array) -> jax.Array:
        gradient = jax.grad(loss)(weights, images, labels)
        return weights - RATE * jax.lax.pmean(gradient, "batch")

    return jax.lax.fori_loop(0, STEPS, step, weights)


def inputs() -> list[np.ndarray]:
    """Weights, images and labels; the images of one device are 0 to 255."""
    count = np.arange(DEVICES * ROWS * PIXELS)
    images = ((count * count * 3 + count * 5) % 17 - 8).reshape(-1, PIXELS).astype(np.float32) / 8
    images[WRONG * ROWS : (WRONG + 1) * ROWS] = (images[WRONG * ROWS : (WRONG + 1) * ROWS] + 1) * 127.5
    labels = (np.arange(DEVICES * ROWS) % 2).astype(np.float32)
    return [np.arange(PIXELS, dtype=np.float32) / 8, images, labels]


def main() -> None:
    """Writes the program and its inputs beside this file."""
    mesh = jax.make_mesh((DEVICES,), ("batch",), (AxisType.Auto,))
    rows = PartitionSpec("batch")
    sharded = jax.shard_map(
        train, mesh=mesh, in_specs=(PartitionSpec(), rows, rows), out_specs=PartitionSpec(), check_vma=False
    )
    arrays = inputs()
    (FOLDER / "data_parallel.mlir").write_text(jax.jit(sharded).lower(*arrays).as_text(), "utf-8")
    np.savez(FOLDER / "data_parallel.npz", **{f"arg{number}": array for number, array in enumerate(arrays)})


if __name__ == "__main__":
    main()
