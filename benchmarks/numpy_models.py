"""The models of `benchmarks/run.py` as a person would write them in NumPy, op by op."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def mlp(parameters: Any, x: Array) -> Array:
    """Returns a perceptron's forward pass: ReLU between the layers, none after the last."""
    for weight, bias in parameters[:-1]:
        x = np.maximum(x @ weight + bias, 0)
    weight, bias = parameters[-1]
    return x @ weight + bias


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def lstm(parameters: Any, x: Array) -> Array:
    """Returns the hidden state of every step over a [time, batch, features] array."""
    inputs, recurrent, bias = parameters
    width = recurrent.shape[0]
    hidden = cell = np.zeros((x.shape[1], width), x.dtype)
    states = np.empty((x.shape[0], x.shape[1], width), x.dtype)
    for t in range(x.shape[0]):
        gates = x[t] @ inputs + hidden @ recurrent + bias
        i, f, g, o = np.split(gates, 4, axis=-1)
        cell = _sigmoid(f) * cell + _sigmoid(i) * np.tanh(g)
        hidden = _sigmoid(o) * np.tanh(cell)
        states[t] = hidden
    return states


def _layer_norm(x: Array, scale: Array, bias: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred * centred).mean(-1, keepdims=True)
    return centred / np.sqrt(variance + np.float32(1e-5)) * scale + bias


def _gelu(x: Array) -> Array:
    inner = np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * (x * x * x))
    return x * (np.float32(0.5) * (1 + np.tanh(inner)))


def _softmax(x: Array) -> Array:
    exponentials = np.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def _attention(x: Array, p: Any, heads: int) -> Array:
    batch, time, width = x.shape

    def project(name: str) -> Array:
        return (x @ p[name] + p["b" + name]).reshape(batch, time, heads, width // heads).transpose(0, 2, 1, 3)

    scores = project("q") @ project("k").swapaxes(2, 3) / np.float32(np.sqrt(width // heads))
    scores = np.where(np.tri(time, dtype=bool), scores, np.float32(-1e9))
    mixed = (_softmax(scores) @ project("v")).transpose(0, 2, 1, 3)
    return mixed.reshape(batch, time, width) @ p["o"] + p["bo"]


def transformer(parameters: Any, tokens: Array, heads: int) -> Array:
    """Logits of a decoder-only transformer whose output matrix is its embedding."""
    x = parameters["embed"][tokens] + parameters["position"][: tokens.shape[1]]
    for p in parameters["layers"]:
        x = x + _attention(_layer_norm(x, p["s1"], p["b1"]), p, heads)
        hidden = _gelu(_layer_norm(x, p["s2"], p["b2"]) @ p["up"] + p["bup"])
        x = x + hidden @ p["down"] + p["bdown"]
    return _layer_norm(x, parameters["scale"], parameters["bias"]) @ parameters["embed"].T


def _convolve(x: Array, kernel: Array, stride: int, pad: int) -> Array:
    """Patches laid out as rows of a matrix, then one product."""
    height, width, channels, features = kernel.shape
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (height, width), (1, 2))[:, ::stride, ::stride]
    patches = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, height * width * channels)
    return (patches @ kernel.reshape(-1, features)).reshape(*windows.shape[:3], features)


def _batch_norm(x: Array, p: Any) -> Array:
    scale, bias, mean, variance = p
    return (x - mean) * (scale / np.sqrt(variance + np.float32(1e-5))) + bias


def _max_pool(x: Array) -> Array:
    x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
    return np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))[:, ::2, ::2].max((-2, -1))


def _block(x: Array, block: Any, stride: int) -> Array:
    y = np.maximum(_batch_norm(_convolve(x, block["conv1"], stride, 1), block["norm1"]), 0)
    y = _batch_norm(_convolve(y, block["conv2"], 1, 1), block["norm2"])
    if "shortcut" in block:
        x = _batch_norm(_convolve(x, block["shortcut"], stride, 0), block["norm3"])
    return np.maximum(x + y, 0)


def resnet18(parameters: Any, x: Array) -> Array:
    """Logits of a ResNet-18 in inference form on channels-last images."""
    x = _max_pool(np.maximum(_batch_norm(_convolve(x, parameters["conv"], 2, 3), parameters["norm"]), 0))
    for block in parameters["blocks"]:
        x = _block(x, block, 2 if "shortcut" in block else 1)
    return x.mean((1, 2)) @ parameters["dense"]


# program of tests/jax_programs.py -> the same in NumPy
MODELS = {
    "mlp": mlp,
    "lstm": lstm,
    "transformer": lambda parameters, tokens: transformer(parameters, tokens, 4),
    "transformer_768": lambda parameters, tokens: transformer(parameters, tokens, 12),
    "resnet18": resnet18,
}
