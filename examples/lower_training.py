"""Lowers 100 rounds of training on readings, one of which is infinite, to `training.mlir` and `training.npz`.

    python examples/lower_training.py      (needs jax)

Two layers learn to predict a number from 12 readings by gradient descent, a batch in each round. All weights
are NaN in the end. Which of the 9,600 readings did that?

    shlo debug examples/training.mlir examples/training.npz      then c and :blame

The readings are multiples of a power of two.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

FOLDER = Path(__file__).parent
ROUNDS, BATCH, READINGS, WIDTH = 100, 8, 12, 16
BROKEN = (63, 5, 7)
"""The round, the row of its batch and the reading of the broken sensor."""

Weights = dict[str, jax.Array]


def mixed(*shape: int, factor: int, scale: float) -> np.ndarray:
    """Multiples of a scale, from -8 to 8 times, that look as if they had no order."""
    count = np.arange(math.prod(shape), dtype=np.int64)
    return (((count * count * factor + count * 5) % 17 - 8) * scale).astype(np.float32).reshape(shape)


def loss(weights: Weights, readings: jax.Array, targets: jax.Array) -> jax.Array:
    with jax.named_scope("hidden"):
        hidden = jnp.maximum(readings @ weights["first"], 0)
    with jax.named_scope("output"):
        found = hidden @ weights["second"]
    return jnp.mean((found - targets) ** 2)


def train(weights: Weights, readings: jax.Array, targets: jax.Array) -> tuple[Weights, jax.Array]:
    """Returns the weights after a step of gradient descent for each batch, and the losses."""

    # The locations of training.mlir are lines of this file, and ranges in them: lower it again after a
    # change.
    def round_of_training(weights: Weights, batch: tuple[jax.Array, jax.Array]) -> tuple[Weights, jax.Array]:
        found, gradient = jax.value_and_grad(loss)(weights, *batch)
        with jax.named_scope("update"):
            changed = jax.tree.map(lambda weight, change: weight - change / 64, weights, gradient)
        return changed, found

    return jax.lax.scan(round_of_training, weights, (readings, targets))


def main() -> None:
    weights = {
        "first": mixed(READINGS, WIDTH, factor=3, scale=1 / 64),
        "second": mixed(WIDTH, factor=7, scale=1 / 64),
    }
    readings = mixed(ROUNDS, BATCH, READINGS, factor=5, scale=1 / 16)
    readings[BROKEN] = np.inf
    targets = mixed(ROUNDS, BATCH, factor=11, scale=1 / 16)
    text = jax.jit(train).lower(weights, readings, targets).as_text(debug_info=True)
    text = text.replace(str(Path(__file__).resolve()), "examples/lower_training.py")
    text = re.sub(r'"[^"]*/site-packages/', '"', text)
    (FOLDER / "training.mlir").write_text(text)
    np.savez_compressed(
        FOLDER / "training.npz",
        arg0=weights["first"],
        arg1=weights["second"],
        arg2=readings,
        arg3=targets,
    )


if __name__ == "__main__":
    main()
