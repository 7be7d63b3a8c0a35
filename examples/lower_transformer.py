"""Lowers a small transformer from JAX to `transformer.mlir`; its weights and a text go to `transformer.npz`.

    python examples/lower_transformer.py      (needs jax)

The model reads characters and gives the logarithm of the probability of each next one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

FOLDER = Path(__file__).parent
ALPHABET = "abcdefghijklmnopqrstuvwxyz ,.\n"
TEXT = "a program is a sentence, and its values are what it means.\n"
WIDTH, HEADS, LAYERS, LENGTH = 32, 4, 2, 48

Weights = dict[str, Any]


def initial_weights(generator: np.random.Generator) -> Weights:
    def normal(*shape: int) -> np.ndarray:
        return (generator.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    layer_shapes = {
        "attention_in": (WIDTH, 3 * WIDTH),
        "attention_out": (WIDTH, WIDTH),
        "hidden": (WIDTH, 4 * WIDTH),
        "out": (4 * WIDTH, WIDTH),
    }
    layers = [{name: normal(*shape) for name, shape in layer_shapes.items()} for _ in range(LAYERS)]
    return {"embedding": normal(len(ALPHABET), WIDTH), "position": normal(LENGTH, WIDTH), "layers": layers}


def normalized(x: jax.Array) -> jax.Array:
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.var(x, axis=-1, keepdims=True) + 1e-5)


def attention(layer: Weights, x: jax.Array) -> jax.Array:
    length = x.shape[0]
    query, key, value = jnp.split((x @ layer["attention_in"]).reshape(length, HEADS, -1), 3, axis=-1)
    scores = jnp.einsum("qhd,khd->hqk", query, key) / np.sqrt(WIDTH // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
    mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), value)
    return mixed.reshape(length, WIDTH) @ layer["attention_out"]


def transformer(weights: Weights, tokens: jax.Array) -> jax.Array:
    """Log-probabilities of the next character after each of the `tokens`."""
    x = weights["embedding"][tokens] + weights["position"]
    for layer in weights["layers"]:
        x = x + attention(layer, normalized(x))
        x = x + jax.nn.gelu(normalized(x) @ layer["hidden"], approximate=False) @ layer["out"]
    return jax.nn.log_softmax(normalized(x) @ weights["embedding"].T)


def loss_and_gradient(weights: Weights, tokens: jax.Array) -> tuple[jax.Array, Weights]:
    """Returns how badly the model predicts a text, and how that changes with each weight."""

    def loss(weights: Weights) -> jax.Array:
        predictions = transformer(weights, tokens[:-1])
        return -jnp.take_along_axis(predictions, tokens[1:, None], axis=-1).mean()

    return jax.value_and_grad(loss)(weights)


def main() -> None:
    weights = initial_weights(np.random.default_rng(0))
    tokens = np.array([ALPHABET.index(character) for character in TEXT[: LENGTH + 1]], np.int32)
    lowered = jax.jit(loss_and_gradient).lower(weights, tokens)
    (FOLDER / "transformer.mlir").write_text(lowered.as_text())
    np.savez(FOLDER / "transformer.npz", *jax.tree.leaves((weights, tokens)))


if __name__ == "__main__":
    main()
