"""Lowers a training loop that goes wrong to `diverging.mlir`, with the Python line of each operation.

    python examples/lower_diverging.py      (needs jax)

Two layers of attention learn to copy their input, with too large steps. Scores grow until their exponentials
are infinite, and what is infinite divided by what is infinite is no number. Where does it begin?

    shlo debug examples/diverging.mlir      then press !
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
LAYERS, STEPS, RATE = 2, 12, 220.0

Weights = list[dict[str, jax.Array]]


def waves(*shape: int, phase: float) -> jax.Array:
    """Numbers between -0.3 and 0.3 that look as if they had no order."""
    count = jnp.arange(math.prod(shape), dtype=jnp.float32)
    return 0.3 * jnp.sin(count * 12.9898 + phase).reshape(shape)


def attention(layer: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    """Attention with the mistake that its softmax takes exponentials of whatever comes."""
    query, key, value = (
        (x @ layer[name]).reshape(BATCH, LENGTH, HEADS, SIZE) for name in ("query", "key", "value")
    )
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key)
    weights = jnp.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value).reshape(x.shape)


def loss(layers: Weights, x: jax.Array) -> jax.Array:
    y = x
    for number, layer in enumerate(layers):
        with jax.named_scope(f"layer_{number}"), jax.named_scope("attn"):
            y = y + attention(layer, y)
    return jnp.mean((y - x) ** 2)


def train() -> jax.Array:
    """The loss after STEPS steps of gradient descent."""
    names = ("query", "key", "value")
    layers = [
        {name: waves(WIDTH, WIDTH, phase=3 * number + at) for at, name in enumerate(names)}
        for number in range(LAYERS)
    ]
    x = waves(BATCH, LENGTH, WIDTH, phase=0.5)

    def step(_: int, layers: Weights) -> Weights:
        slope = jax.grad(loss)(layers, x)
        with jax.named_scope("update"):
            return jax.tree.map(lambda weight, change: weight - RATE * change, layers, slope)

    return loss(jax.lax.fori_loop(0, STEPS, step, layers), x)


def main() -> None:
    text = jax.jit(train).lower().as_text(debug_info=True)
    text = text.replace(str(Path(__file__).resolve()), "examples/lower_diverging.py")
    text = re.sub(r'"[^"]*/site-packages/', '"', text)
    (FOLDER / "diverging.mlir").write_text(text)


if __name__ == "__main__":
    main()
