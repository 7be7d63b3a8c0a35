"""Programs as JAX users hold them, each with the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Layer(NamedTuple):
    weights: Any
    bias: Any


@dataclass(frozen=True)
class Example:
    """A function with arguments, the keyword arguments of `jax.jit` for it, and those of one call."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)
    jit: dict[str, Any] = field(default_factory=dict)


def network(layers: Any, x: Any) -> Any:
    for layer in layers:
        x = jnp.tanh(x @ layer.weights + layer.bias)
    return {"last": x, "shapes": [each.bias for each in layers]}


def scaled(x: Any, times: Any, *, mode: str = "add", scale: Any = 1.0) -> Any:
    for _ in range(times):
        x = x + scale if mode == "add" else x * scale
    return x


def noise(key: Any, x: Any) -> Any:
    use, rest = jax.random.split(key)
    return x + jax.random.normal(use, x.shape), rest


LAYERS = [
    Layer(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4), jnp.zeros(4)),
    Layer(jnp.ones((4, 2)) / 8, np.float32(0.5)),
]

EXAMPLES = {
    "pytrees": Example(network, (LAYERS, np.ones((2, 3), np.float32))),
    "static": Example(
        scaled,
        (jnp.arange(3.0), 2),
        {"mode": "multiply", "scale": 3},
        {"static_argnums": 1, "static_argnames": "mode"},
    ),
    "unused": Example(
        lambda used, unused, *, also: (used * 2, also["b"]), (1.5, jnp.ones(3)), {"also": {"a": 1, "b": 2}}
    ),
    "weak types": Example(lambda x, n: (x * n, n + 1, True), (jnp.ones(2, jnp.bfloat16), 3)),
    "keys": Example(noise, (jax.random.key(7), jnp.ones(3))),
    "raw keys": Example(noise, (jax.random.PRNGKey(7), jnp.ones(3))),
    "other keys": Example(noise, (jax.random.key(7, impl="rbg"), jnp.ones(3))),
    "donated": Example(lambda x, y: x + y, (np.ones(3, np.float32), 2.0), {}, {"donate_argnums": 0}),
    "narrow": Example(
        lambda a, b, c: (a.astype(jnp.float32) + b.astype(jnp.float32), c * 1j),
        (jnp.ones(2, jnp.float8_e4m3fn), jnp.arange(2, dtype=jnp.int4), np.ones(2, np.float64)),
    ),
    "empty": Example(
        lambda x, nothing: {"x": x, "none": nothing, "empty": ()}, (np.zeros((0, 2), np.float32), None)
    ),
}
