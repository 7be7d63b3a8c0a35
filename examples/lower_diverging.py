"""Lowers a loop that goes wrong to `diverging.mlir`, with the Python line of each operation.

    python examples/lower_diverging.py      (needs jax)

Two layers of attention are made sharper and sharper. Scores grow until their exponentials are infinite, and
what is infinite divided by what is infinite is no number. Where does it begin?

    shlo debug examples/diverging.mlir      then press !

The inputs are multiples of powers of two, so that products of matrices have no rounding errors: whichever
machine runs it, the numbers are the same in all the digits that a screen shows.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import jax
import jax.numpy as jnp

FOLDER = Path(__file__).parent
BATCH, LENGTH, HEADS, SIZE = 2, 16, 4, 8
WIDTH = HEADS * SIZE
LAYERS, STEPS = 2, 12

Weights = list[dict[str, jax.Array]]


def mixed(*shape: int, factor: int, scale: float) -> jax.Array:
    """Multiples of a scale, from -8 to 8 times, that look as if they had no order."""
    count = jnp.arange(math.prod(shape), dtype=jnp.int32)
    return ((count * count * factor + count * 5) % 17 - 8).astype(jnp.float32).reshape(shape) * scale


def attention(layer: dict[str, jax.Array], x: jax.Array, sharpness: jax.Array) -> jax.Array:
    """Attention with the mistake that its softmax takes exponentials of whatever comes."""
    query, key, value = (
        (x @ layer[name]).reshape(BATCH, LENGTH, HEADS, SIZE) for name in ("query", "key", "value")
    )
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * sharpness
    weights = jnp.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value).reshape(x.shape)


def loss(layers: Weights, x: jax.Array, sharpness: jax.Array) -> jax.Array:
    """Returns how far the layers' result is from their input."""
    y = x
    for number, layer in enumerate(layers):
        with jax.named_scope(f"layer_{number}"), jax.named_scope("attn"):
            y = y + attention(layer, y, sharpness)
    return jnp.mean((y - x) ** 2)


def anneal() -> jax.Array:
    """Returns the least loss in STEPS steps, each of which doubles the sharpness."""
    names = ("query", "key", "value")
    layers = [
        {name: mixed(WIDTH, WIDTH, factor=3 * number + at + 1, scale=1 / 64) for at, name in enumerate(names)}
        for number in range(LAYERS)
    ]
    x = mixed(BATCH, LENGTH, WIDTH, factor=7, scale=1 / 16)

    def step(_: int, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        least, sharpness = state
        found = loss(layers, x, sharpness)
        with jax.named_scope("update"):
            return jnp.minimum(least, found), sharpness * 2

    return jax.lax.fori_loop(0, STEPS, step, (jnp.float32(jnp.inf), jnp.float32(1)))[0]


def main() -> None:
    text = jax.jit(anneal).lower().as_text(debug_info=True)
    text = text.replace(str(Path(__file__).resolve()), "examples/lower_diverging.py")
    text = re.sub(r'"[^"]*/site-packages/', '"', text)
    (FOLDER / "diverging.mlir").write_text(text)


if __name__ == "__main__":
    main()
