"""Lowers a layer on a mesh of 2x4 devices, one of which is fed wrong data, to `mesh.mlir` and `.npz`.

    python examples/lower_mesh.py      (needs jax)

The rows of the images are split along the axis "data", their columns and the rows of the weights along
"model". Each device multiplies its parts; the sum along "model" is the product of whole rows, and the mean
along "data" what all end with. One device was given pixels from 0 to 255 where the others have them from -1
to 1. Which one was it?

    shlo debug examples/mesh.mlir examples/mesh.npz

The inputs are multiples of powers of two, so that the products have no rounding errors.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, PartitionSpec

FOLDER = Path(__file__).parent
DATA, MODEL, ROWS, PIXELS, UNITS = 2, 4, 4, 6, 3
WRONG = 1, 2
"""Where the device is whose images were never scaled, along "data" and along "model"."""


def layer(images: jax.Array, weights: jax.Array) -> jax.Array:
    """Returns the mean of a layer's outputs over all images."""
    part = images @ weights
    whole = jax.lax.psum(part, "model")
    return jax.lax.pmean(jnp.mean(jax.nn.relu(whole), axis=0), "data")


def inputs() -> list[np.ndarray]:
    """Images and weights; the images of one device are 0 to 255."""
    count = np.arange(DATA * ROWS * MODEL * PIXELS)
    images = ((count * count * 3 + count * 5) % 17 - 8).reshape(DATA * ROWS, -1).astype(np.float32) / 8
    row, column = WRONG[0] * ROWS, WRONG[1] * PIXELS
    block = images[row : row + ROWS, column : column + PIXELS]
    block[:] = (block + 1) * 127.5
    weights = (np.arange(MODEL * PIXELS * UNITS) * 7 % 13 - 6).reshape(-1, UNITS).astype(np.float32) / 8
    return [images, weights]


def main() -> None:
    """Writes the program and its inputs beside this file."""
    mesh = jax.make_mesh((DATA, MODEL), ("data", "model"), (AxisType.Auto, AxisType.Auto))
    specs = PartitionSpec("data", "model"), PartitionSpec("model")
    sharded = jax.shard_map(layer, mesh=mesh, in_specs=specs, out_specs=PartitionSpec(), check_vma=False)
    arrays = inputs()
    (FOLDER / "mesh.mlir").write_text(jax.jit(sharded).lower(*arrays).as_text(), "utf-8")
    np.savez(FOLDER / "mesh.npz", **{f"arg{number}": array for number, array in enumerate(arrays)})


if __name__ == "__main__":
    main()
