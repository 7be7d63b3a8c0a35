"""Models: their forward pass, gradient, training step, decoding."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np

from tests.programs.models import (
    adam,
    adam_state,
    convolve,
    cross_entropy,
    layer_norm,
    layer_parameters,
    mlp_forward,
    mlp_parameters,
    transformer_forward,
    transformer_layer,
    transformer_parameters,
)
from tests.programs.registry import integers, jax, jnp, lax, normal

from .table import add

add_model = partial(add, "models", rtol=1e-2, atol=1e-3)


def mlp_numpy(parameters: Any, x: Any) -> Any:
    """The perceptron in NumPy."""
    for weight, bias in parameters[:-1]:
        x = np.maximum(x @ weight + bias, 0)
    weight, bias = parameters[-1]
    return x @ weight + bias


def mlp_step(parameters: Any, state: Any, x: Any, labels: Any) -> Any:
    """A step of Adam."""
    loss, gradients = jax.value_and_grad(lambda p: cross_entropy(mlp_forward(p, x), labels))(parameters)
    return loss, adam(parameters, gradients, state)


_SIZES = (256, 128, 64, 10)
add_model(
    "mlp_forward_512",
    mlp_forward,
    lambda: mlp_parameters((784, 512, 256, 10)),
    lambda: normal(128, 784),
    numpy=mlp_numpy,
)
add_model(
    "mlp_adam_step",
    mlp_step,
    lambda: mlp_parameters(_SIZES),
    lambda: adam_state(mlp_parameters(_SIZES)),
    lambda: normal(64, 256),
    lambda: integers(64, low=0, high=10),
)


# --- recurrent ---------------------------------------------------------------------------------------------


def lstm(weights: Any, x: Any) -> Any:
    """A long short-term memory over [time, batch, features]."""
    inputs, recurrent, bias = weights
    width = recurrent.shape[0]

    def step(state, x):
        hidden, cell = state
        i, f, g, o = jnp.split(x @ inputs + hidden @ recurrent + bias, 4, -1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    zero = jnp.zeros((x.shape[1], width))
    return lax.scan(step, (zero, zero), x)[1]


def _lstm_weights() -> Any:
    return normal(32, 256, scale=0.1), normal(64, 256, seed=1, scale=0.1), np.zeros(256, np.float32)


add_model("lstm_100", lstm, _lstm_weights, lambda: normal(100, 8, 32))
add_model(
    "lstm_100_gradient",
    lambda w, x: jax.grad(lambda w: jnp.mean(lstm(w, x) ** 2))(w),
    _lstm_weights,
    lambda: normal(100, 8, 32),
)


# --- transformers ------------------------------------------------------------------------------------------


def decode(layer: Any, tokens: Any) -> Any:
    """32 tokens one after another, with a cache of keys and values."""

    def step(state, token):
        keys, values, position = state
        q, k, v = (token @ layer[name] + layer["b" + name] for name in ("q", "k", "v"))
        keys = lax.dynamic_update_slice(keys, k[:, None], (0, position, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, position, 0))
        scores = jnp.einsum("bd,btd->bt", q, keys) / 8
        scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -jnp.inf)
        mixed = jnp.einsum("bt,btd->bd", jax.nn.softmax(scores), values)
        return (keys, values, position + 1), mixed @ layer["o"]

    cache = jnp.zeros((2, 32, 64))
    return lax.scan(step, (cache, cache, 0), tokens)[1]


def _toy() -> Any:
    return transformer_parameters(2, 64, 128, 32)


def _loss(parameters: Any, tokens: Any, heads: int) -> Any:
    logits = transformer_forward(parameters, tokens[:, :-1], heads)
    return cross_entropy(logits, tokens[:, 1:])


def _tokens(batch: int, time: int, vocabulary: int) -> Any:
    return lambda: integers(batch, time, low=0, high=vocabulary)


add_model("transformer_toy", lambda p, t: transformer_forward(p, t, 4), _toy, _tokens(2, 32, 128))
add_model("transformer_toy_gradient", lambda p, t: jax.grad(_loss)(p, t, 4), _toy, _tokens(2, 32, 128))
add_model("transformer_decode", decode, lambda: layer_parameters(64, 1), lambda: normal(32, 2, 64))
add_model(
    "transformer_512",
    lambda p, t: transformer_forward(p, t, 8),
    lambda: transformer_parameters(4, 512, 1000, 128),
    _tokens(1, 128, 1000),
)
add_model(
    "transformer_512_gradient",
    lambda p, t: jax.grad(_loss)(p, t, 8),
    lambda: transformer_parameters(2, 512, 1000, 128),
    _tokens(1, 128, 1000),
)
add_model(
    "transformer_layer_256",
    lambda p, x: transformer_layer(x, p, 8),
    lambda: layer_parameters(256, 2),
    lambda: normal(4, 128, 256),
)


# --- others ------------------------------------------------------------------------------------------------


def cnn(kernels: Any, x: Any) -> Any:
    """Three convolutions, each with a pool."""
    for kernel in kernels:
        x = jax.nn.relu(convolve(x, kernel))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.mean((1, 2))


def _kernels() -> Any:
    sizes = (3, 16, 32, 64)
    return [normal(3, 3, a, b, seed=b, scale=0.1) for a, b in itertools.pairwise(sizes)]


def graph_network(weights: Any, nodes: Any, senders: Any, receivers: Any) -> Any:
    """Two rounds of messages along 5000 edges."""
    for weight in weights:
        messages = jax.nn.relu(nodes[senders] @ weight)
        nodes = layer_norm(nodes + jax.ops.segment_sum(messages, receivers, nodes.shape[0]), 1.0, 0.0)
    return nodes


def k_means(points: Any) -> Any:
    """Ten rounds of k-means, 2000 points, 8 centres."""

    def step(_, centres):
        distances = ((points[:, None] - centres) ** 2).sum(-1)
        chosen = jax.nn.one_hot(distances.argmin(1), 8)
        return (chosen.T @ points) / (chosen.sum(0)[:, None] + 1e-6)

    return lax.fori_loop(0, 10, step, points[:8])


def gradient_descent(x: Any, y: Any) -> Any:
    """Logistic regression, 100 steps."""

    def loss(w):
        return jnp.mean(jax.nn.softplus(-y * (x @ w)))

    return lax.fori_loop(0, 100, lambda _, w: w - 0.1 * jax.grad(loss)(w), jnp.zeros(x.shape[1]))


def conjugate_gradient(a: Any, b: Any) -> Any:
    """Conjugate gradients, at most 30 rounds."""
    return jax.scipy.sparse.linalg.cg(a, b, maxiter=30)[0]


add_model("cnn_32", cnn, _kernels, lambda: normal(8, 32, 32, 3))
add_model(
    "cnn_32_gradient",
    lambda k, x: jax.grad(lambda k: cnn(k, x).sum())(k),
    _kernels,
    lambda: normal(8, 32, 32, 3),
)
add_model(
    "graph_network",
    graph_network,
    lambda: [normal(32, 32, seed=i, scale=0.2) for i in range(2)],
    lambda: normal(500, 32),
    lambda: integers(5000, low=0, high=500),
    lambda: integers(5000, low=0, high=500, seed=1),
)
add_model("k_means", k_means, lambda: normal(2000, 4))
add_model(
    "logistic_regression", gradient_descent, lambda: normal(500, 20), lambda: np.sign(normal(500, seed=1))
)
add_model(
    "conjugate_gradient",
    conjugate_gradient,
    lambda: (a := normal(64, 64)) @ a.T / 64 + np.eye(64, dtype=np.float32),
    lambda: normal(64),
)
