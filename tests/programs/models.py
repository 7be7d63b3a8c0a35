"""Neural networks: perceptron, convolutional network, transformers, recurrent network, ResNet-18."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .registry import integers, jax, jnp, lax, normal, program

# --- multilayer perceptron ---------------------------------------------------------------------------------


def mlp_parameters(sizes: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """Weights and biases of a perceptron whose layers have these sizes."""
    return [
        (normal(n, m, seed=i, scale=n**-0.5), normal(m, seed=100 + i, scale=0.1))
        for i, (n, m) in enumerate(itertools.pairwise(sizes))
    ]


def mlp_forward(parameters: Any, x: Any) -> Any:
    """ReLU between the layers, none after the last."""
    for weight, bias in parameters[:-1]:
        x = jax.nn.relu(x @ weight + bias)
    weight, bias = parameters[-1]
    return x @ weight + bias


@program()
def mlp():
    return mlp_forward, (mlp_parameters((784, 256, 128, 10)), normal(32, 784, seed=7))


def adam(parameters: Any, gradients: Any, state: Any, rate: float = 1e-3) -> Any:
    """Returns one step of Adam with clipped gradients and decaying weights over a tree of parameters.

    The state is (first moments, second moments, step).
    """
    first, second, step = state
    step = step + 1
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    gradients = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / norm), gradients)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)

    def update(p, m, v):
        direction = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)
        return p - rate * (direction + 0.01 * p)

    return jax.tree.map(update, parameters, first, second), (first, second, step)


def adam_state(parameters: Any) -> Any:
    """Moments of zero and step 0."""
    zeros = jax.tree.map(np.zeros_like, parameters)
    return zeros, zeros, np.float32(0)


def cross_entropy(logits: Any, labels: Any) -> Any:
    """Mean of the negative log likelihood of integer labels."""
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], axis=-1))


@program()
def mlp_adam():
    parameters = mlp_parameters((20, 32, 16, 4))

    def step(parameters, state, x, labels):
        loss, gradients = jax.value_and_grad(lambda p: cross_entropy(mlp_forward(p, x), labels))(parameters)
        return loss, adam(parameters, gradients, state)

    return step, (parameters, adam_state(parameters), normal(8, 20), integers(8, low=0, high=4))


# --- convolutional network ---------------------------------------------------------------------------------


def convolve(x: Any, kernel: Any, stride: int = 1, padding: Any = "SAME") -> Any:
    """Two-dimensional convolution of channels-last images."""
    return lax.conv_general_dilated(
        x, kernel, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def _cnn_parameters() -> dict[str, Any]:
    return {
        "first": normal(3, 3, 3, 8, scale=0.2),
        "second": normal(3, 3, 8, 16, seed=1, scale=0.1),
        "scale": 1 + normal(16, seed=2, scale=0.1),
        "dense": normal(16 * 4 * 4, 10, seed=3, scale=0.1),
    }


def _cnn_forward(parameters: Any, x: Any) -> Any:
    x = jax.nn.relu(convolve(x, parameters["first"]))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = convolve(x, parameters["second"])
    x = (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * parameters["scale"]
    x = lax.reduce_window(jax.nn.gelu(x), 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    return x.reshape(x.shape[0], -1) @ parameters["dense"]


@program()
def cnn():
    return _cnn_forward, (_cnn_parameters(), normal(4, 16, 16, 3, seed=9))


@program(atol=1e-4)
def cnn_gradient():
    labels = integers(4, low=0, high=10)

    def gradient(parameters, x, labels):
        return jax.value_and_grad(lambda p: cross_entropy(_cnn_forward(p, x), labels))(parameters)

    return gradient, (_cnn_parameters(), normal(4, 16, 16, 3, seed=9), labels)


# --- transformer -------------------------------------------------------------------------------------------


def layer_norm(x: Any, scale: Any, bias: Any) -> Any:
    """Normalisation over the last axis."""
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def attention(x: Any, p: Any, heads: int) -> Any:
    """Causal multi-head self-attention of a [batch, time, width] array."""
    batch, time, width = x.shape
    q, k, v = (x @ p[name] + p["b" + name] for name in ("q", "k", "v"))
    q, k, v = (a.reshape(batch, time, heads, width // heads) for a in (q, k, v))
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(width // heads)
    scores = jnp.where(jnp.tril(jnp.ones((time, time), bool)), scores, -1e9)
    mixed = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores), v)
    return mixed.reshape(batch, time, width) @ p["o"] + p["bo"]


def transformer_layer(x: Any, p: Any, heads: int) -> Any:
    """Pre-norm attention and a tanh-GELU feed-forward network, each with a residual connection."""
    x = x + attention(layer_norm(x, p["s1"], p["b1"]), p, heads)
    hidden = jax.nn.gelu(layer_norm(x, p["s2"], p["b2"]) @ p["up"] + p["bup"])
    return x + hidden @ p["down"] + p["bdown"]


def layer_parameters(width: int, seed: int) -> dict[str, Any]:
    """Parameters of one transformer layer."""
    scale = width**-0.5
    square = {n: normal(width, width, seed=seed + i, scale=scale) for i, n in enumerate("qkvo")}
    biases = {"b" + n: normal(width, seed=seed + 10 + i, scale=0.02) for i, n in enumerate("qkvo")}
    norms = {n: np.full(width, v, np.float32) for n, v in (("s1", 1), ("b1", 0), ("s2", 1), ("b2", 0))}
    up, down = normal(width, 4 * width, seed=seed + 5, scale=scale), normal(4 * width, width, seed=seed + 6)
    wide = {"up": up, "bup": np.zeros(4 * width, np.float32)}
    return square | biases | norms | wide | {"down": down * scale / 2, "bdown": np.zeros(width, np.float32)}


def transformer_parameters(layers: int, width: int, vocabulary: int, time: int) -> dict[str, Any]:
    """Parameters of a decoder-only transformer with learned positions."""
    return {
        "embed": normal(vocabulary, width, seed=1, scale=0.1),
        "position": normal(time, width, seed=2, scale=0.1),
        "layers": [layer_parameters(width, seed=1000 * (i + 1)) for i in range(layers)],
        "scale": np.ones(width, np.float32),
        "bias": np.zeros(width, np.float32),
    }


def transformer_forward(parameters: Any, tokens: Any, heads: int) -> Any:
    """Logits [batch, time, vocabulary]; the output matrix is the embedding's transpose."""
    x = parameters["embed"][tokens] + parameters["position"][: tokens.shape[1]]
    for layer in parameters["layers"]:
        x = transformer_layer(x, layer, heads)
    return layer_norm(x, parameters["scale"], parameters["bias"]) @ parameters["embed"].T


def _language_model_loss(parameters: Any, tokens: Any, heads: int) -> Any:
    return cross_entropy(transformer_forward(parameters, tokens[:, :-1], heads), tokens[:, 1:])


def _toy() -> tuple[Any, Any]:
    return transformer_parameters(2, 64, 128, 16), integers(2, 16, low=0, high=128)


@program()
def transformer():
    return lambda p, t: transformer_forward(p, t, 4), _toy()


@program(atol=1e-4)
def transformer_gradient():
    return jax.value_and_grad(lambda p, t: _language_model_loss(p, t, 4)), _toy()


@program(atol=1e-4)
def transformer_768():
    arguments = transformer_parameters(2, 768, 1024, 256), integers(1, 256, low=0, high=1024)
    return lambda p, t: transformer_forward(p, t, 12), arguments


@program(atol=1e-4)
def transformer_scan_remat_gradient():
    def stack(*leaves):
        return np.stack(leaves)

    layers = jax.tree.map(stack, *[layer_parameters(16, seed=50 * i) for i in range(3)])

    def loss(layers, x):
        body = jax.checkpoint(lambda x, p: (transformer_layer(x, p, 2), None))
        return jnp.sum(lax.scan(body, x, layers)[0] ** 2)

    return jax.value_and_grad(loss), (layers, normal(2, 8, 16))


@program()
def transformer_decode_kv_cache():
    """One token after another: keys and values are written into a cache at the current position."""
    layer = layer_parameters(16, seed=3)

    def step(state, token):
        keys, values, position = state
        q, k, v = (token @ layer[name] + layer["b" + name] for name in ("q", "k", "v"))
        keys = lax.dynamic_update_slice(keys, k[:, None], (0, position, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, position, 0))
        scores = jnp.einsum("bd,btd->bt", q, keys) / 4
        scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -jnp.inf)
        mixed = jnp.einsum("bt,btd->bd", jax.nn.softmax(scores), values)
        return (keys, values, position + 1), mixed @ layer["o"]

    cache = np.zeros((2, 12, 16), np.float32)
    return (lambda state, tokens: lax.scan(step, state, tokens)), ((cache, cache, 0), normal(10, 2, 16))


# --- recurrent network -------------------------------------------------------------------------------------


def lstm_forward(parameters: Any, x: Any) -> Any:
    """Returns an LSTM over a [time, batch, features] array; gives the hidden state of every step."""
    inputs, recurrent, bias = parameters
    width = recurrent.shape[0]

    def step(state, x_t):
        hidden, cell = state
        gates = x_t @ inputs + hidden @ recurrent + bias
        i, f, g, o = jnp.split(gates, 4, axis=-1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    zeros = jnp.zeros((x.shape[1], width), x.dtype)
    return lax.scan(step, (zeros, zeros), x)[1]


def _lstm(time: int, batch: int, features: int, width: int) -> tuple[Any, Any]:
    weights = normal(features, 4 * width, scale=0.2), normal(width, 4 * width, seed=1, scale=0.2)
    return (*weights, normal(4 * width, seed=2, scale=0.1)), normal(time, batch, features, seed=3)


@program()
def lstm():
    return lstm_forward, _lstm(50, 16, 32, 64)


@program(atol=1e-4)
def lstm_gradient():
    return jax.value_and_grad(lambda p, x: jnp.mean(lstm_forward(p, x) ** 2)), _lstm(12, 4, 8, 16)


# --- ResNet-18 ---------------------------------------------------------------------------------------------

RESNET_STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))


def _batch_norm(width: int, seed: int) -> Any:
    scale, bias, mean = (normal(width, seed=seed + i, scale=0.1) for i in range(3))
    return 1 + scale, bias, mean, np.abs(normal(width, seed=seed + 3)) + 0.5


def _kernel(size: int, n: int, m: int, seed: int) -> Any:
    return normal(size, size, n, m, seed=seed, scale=(2 / (size * size * n)) ** 0.5)


def _block(n: int, m: int, seed: int) -> dict[str, Any]:
    block = {"conv1": _kernel(3, n, m, seed), "conv2": _kernel(3, m, m, seed + 1)}
    block |= {"norm1": _batch_norm(m, seed + 2), "norm2": _batch_norm(m, seed + 7)}
    if n != m:
        block |= {"shortcut": _kernel(1, n, m, seed + 12), "norm3": _batch_norm(m, seed + 13)}
    return block


def resnet18_parameters() -> dict[str, Any]:
    """Random parameters, inference form (running means and variances)."""
    blocks, n = [], 64
    for i, (m, _) in enumerate(RESNET_STAGES):
        blocks += [_block(n, m, 100 * i), _block(m, m, 100 * i + 50)]
        n = m
    stem = {"conv": _kernel(7, 3, 64, 900), "norm": _batch_norm(64, 901)}
    return stem | {"blocks": blocks, "dense": normal(512, 1000, seed=910, scale=0.05)}


def resnet18_forward(parameters: Any, x: Any) -> Any:
    """Logits [batch, 1000] of channels-last images."""

    def norm(x, p):
        scale, bias, mean, variance = p
        return (x - mean) * (lax.rsqrt(variance + 1e-5) * scale) + bias

    x = jax.nn.relu(norm(convolve(x, parameters["conv"], 2, [(3, 3), (3, 3)]), parameters["norm"]))
    edges = [(0, 0), (1, 1), (1, 1), (0, 0)]
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), edges)
    for i, block in enumerate(parameters["blocks"]):
        stride = RESNET_STAGES[i // 2][1] if i % 2 == 0 else 1
        pads = [(1, 1), (1, 1)]
        y = jax.nn.relu(norm(convolve(x, block["conv1"], stride, pads), block["norm1"]))
        y = norm(convolve(y, block["conv2"], 1, pads), block["norm2"])
        if "shortcut" in block:
            x = norm(convolve(x, block["shortcut"], stride, "VALID"), block["norm3"])
        x = jax.nn.relu(x + y)
    return x.mean((1, 2)) @ parameters["dense"]


@program(rtol=1e-3, atol=1e-3)
def resnet18():
    return resnet18_forward, (resnet18_parameters(), normal(2, 64, 64, 3))
