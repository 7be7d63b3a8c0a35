"""JAX functions, each lowered at two sizes of its batch or of its sequence: what a change of one argument's type
must make of the first text is the second one.

A case is a function and the shapes of its arguments, in which `N` is the size that changes. Run as a program, it
prints a JSON object: by the case's name its kind, the two texts, and the number of the argument to change.
"""

# pyright: basic

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

N = -1
"""Stands for the size that changes."""
SIZES = (8, 12)
F, I = "float32", "int32"  # noqa: E741

Case = tuple[str, Callable[..., Any], list[tuple[tuple[int, ...], str]]]
BATCH: list[Case] = []
SEQUENCE: list[Case] = []


def case(where: list[Case], *arguments: tuple[tuple[int, ...], str]):
    def register(function):
        where.append((function.__name__, function, list(arguments)))
        return function

    return register


def floats(*shape: int) -> tuple[tuple[int, ...], str]:
    return shape, F


def integers(*shape: int) -> tuple[tuple[int, ...], str]:
    return shape, I


X = floats(N, 16)

# --- batches


@case(BATCH, X, floats(16, 4), floats(4))
def linear(x, w, b):
    return x @ w + b


@case(BATCH, X, floats(16, 32), floats(32, 4))
def mlp(x, w, v):
    return jax.nn.relu(x @ w) @ v


@case(BATCH, X)
def softmax(x):
    return jax.nn.softmax(x)


@case(BATCH, X)
def log_softmax(x):
    return jax.nn.log_softmax(x)


@case(BATCH, X, floats(16), floats(16))
def layer_norm(x, g, b):
    m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - m) / jnp.sqrt(v + 1e-5) * g + b


@case(BATCH, X, floats(16), floats(16))
def batch_norm(x, g, b):
    m, v = x.mean(0), x.var(0)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


@case(BATCH, X)
def standard_deviation(x):
    return jnp.std(x, axis=0, ddof=1)


@case(BATCH, X)
def mean_of_all(x):
    return jnp.mean(x)


@case(BATCH, X, floats(N, 16))
def mean_squared_error(x, y):
    return jnp.mean((x - y) ** 2)


@case(BATCH, floats(16, 4), X, floats(N, 4))
def loss_gradient(w, x, y):
    return jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)


@case(BATCH, floats(16, 8), X, integers(N))
def cross_entropy(w, x, labels):
    logits = jax.nn.log_softmax(x @ w)
    return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], axis=1))


@case(BATCH, floats(16, 10), X, integers(N))
def cross_entropy_gradient(w, x, labels):
    def loss(w):
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w) * jax.nn.one_hot(labels, 10), -1))

    return jax.value_and_grad(loss)(w)


@case(BATCH, floats(16, 32), floats(32, 1), X, floats(N, 1))
def adam_like_step(w, v, x, y):
    grads = jax.grad(lambda p: jnp.mean((jnp.tanh(x @ p[0]) @ p[1] - y) ** 2))((w, v))
    return jax.tree.map(lambda p, g: p - 0.1 * g / (jnp.abs(g) + 1e-8), (w, v), grads)


@case(BATCH, integers(N), floats(100, 16))
def embedding(i, table):
    return table[i]


@case(BATCH, X, integers(5))
def take_rows(x, i):
    return x[i]


@case(BATCH, X, integers(5))
def take_filling(x, i):
    return jnp.take(x, i, axis=0, mode="fill")


@case(BATCH, X)
def argmax(x):
    return jnp.argmax(x, axis=1)


@case(BATCH, X)
def argmax_of_batch(x):
    return jnp.argmax(x, axis=0)


@case(BATCH, X)
def sort_rows(x):
    return jnp.sort(x, axis=0)


@case(BATCH, X)
def top_k(x):
    return lax.top_k(x, 3)


@case(BATCH, X)
def cumulative_sum(x):
    return jnp.cumsum(x, axis=0)


@case(BATCH, floats(N, 28, 28, 1), floats(3, 3, 1, 8))
def convolution(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@case(BATCH, floats(N, 28, 28, 1), floats(3, 3, 1, 8), floats(14 * 14 * 8, 10))
def convolutional_classifier(x, k, w):
    h = jax.nn.relu(
        lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    )
    return h.reshape(h.shape[0], -1) @ w


@case(BATCH, floats(3, 3, 2, 4), floats(N, 8, 8, 2))
def convolution_gradient(k, x):
    def loss(k):
        y = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.sum(y**2)

    return jax.grad(loss)(k)


@case(BATCH, floats(N, 8, 8, 4))
def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@case(BATCH, floats(N, 8, 8, 4))
def global_average_pool(x):
    return x.mean((1, 2))


@case(BATCH, floats(N, 8, 8, 4))
def max_pool_gradient(x):
    return jax.grad(
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()
    )(x)


@case(BATCH, floats(N, 6, 16), floats(16, 16), floats(16, 16), floats(16, 16))
def attention(x, wq, wk, wv):
    b, s, d = x.shape
    q, k, v = ((x @ w).reshape(b, s, 4, 4) for w in (wq, wk, wv))
    p = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2.0)
    return jnp.einsum("bhqk,bkhd->bqhd", p, v).reshape(b, s, d)


@case(BATCH, floats(N, 6, 16), floats(16, 64), floats(64, 16))
def feed_forward(x, w, v):
    return x + jax.nn.gelu(x @ w) @ v


@case(BATCH, floats(N, 6, 16), floats(96, 3))
def flatten_and_project(x, w):
    return x.reshape(x.shape[0], -1) @ w


@case(BATCH, floats(N, 6, 16), floats(16, 3))
def merged_batch(x, w):
    return (x.reshape(-1, 16) @ w).reshape(x.shape[0], x.shape[1], 3)


@case(BATCH, X)
def scan_over_batch(x):
    return lax.scan(lambda c, a: (c + a, c * a), jnp.zeros(16), x)


@case(BATCH, floats(N, 6, 16), floats(16, 16), floats(16, 16))
def recurrent(x, w, u):
    def step(h, a):
        h = jnp.tanh(a @ w + h @ u)
        return h, h

    return lax.scan(step, jnp.zeros((x.shape[0], 16)), x.swapaxes(0, 1))


@case(BATCH, X)
def loop_over_rows(x):
    return lax.fori_loop(0, x.shape[0], lambda i, acc: acc + jnp.sin(x[i]), jnp.zeros(16))


@case(BATCH, X)
def fixed_iterations(x):
    return lax.fori_loop(0, 8, lambda i, y: y * 0.5 + x, x)


@case(BATCH, X, floats(16, 16))
def vmapped(x, w):
    return jax.vmap(lambda a: jnp.tanh(w @ a) + a)(x)


@case(BATCH, X)
def conditional(x):
    return lax.cond(x.sum() > 0, lambda a: a * 2, lambda a: a - 1, x)


@case(BATCH, X)
def shifted_difference(x):
    return x[1:] - x[:-1]


@case(BATCH, X)
def last_row(x):
    return x[-1]


@case(BATCH, X)
def roll(x):
    return jnp.roll(x, 1, axis=0)


@case(BATCH, X)
def pad(x):
    return jnp.pad(x, ((1, 2), (0, 0)))


@case(BATCH, X)
def flip_and_join(x):
    return jnp.concatenate([x, x[::-1]], axis=0)


@case(BATCH, X, floats(N, 16))
def pairwise_distances(x, y):
    return jnp.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))


@case(BATCH, X)
def gram(x):
    return x @ x.T


@case(BATCH, X)
def covariance(x):
    centred = x - x.mean(0)
    return centred.T @ centred / (x.shape[0] - 1)


@case(BATCH, floats(N, 4, 4), floats(N, 4))
def batched_solve(a, b):
    return jax.scipy.linalg.solve_triangular(a, b[..., None], lower=True)[..., 0]


@case(BATCH, X, floats(16, 8))
def where_and_clip(x, w):
    return jnp.where(x > 0, x, jnp.clip(x, -1, 1)) @ w


@case(BATCH, X, floats(N))
def weighted_mean(x, w):
    return (x * w[:, None]).sum(0) / w.sum()


@case(BATCH, integers(N), X)
def segment_sum(i, x):
    return jax.ops.segment_sum(x, i, num_segments=5)


@case(BATCH, X)
def numpy_positions(x):
    return x + np.arange(x.shape[0], dtype=np.float32)[:, None]


@case(BATCH, X)
def microbatches(x):
    return x.reshape(2, -1, 16).sum(1)


# --- sequences


@case(SEQUENCE, floats(2, N, 16), floats(16, 16))
def causal_attention(x, w):
    b, s, _ = x.shape
    q = (x @ w).reshape(b, s, 4, 4)
    logits = jnp.einsum("bqhd,bkhd->bhqk", q, q)
    mask = jnp.tril(jnp.ones((s, s), bool))
    return jax.nn.softmax(jnp.where(mask, logits, -1e9))


@case(SEQUENCE, floats(2, N, 16), floats(16, 16))
def causal_by_iota(x, w):
    q = x @ w
    logits = jnp.einsum("bqd,bkd->bqk", q, x)
    s = x.shape[1]
    rows, columns = lax.broadcasted_iota(I, (s, s), 0), lax.broadcasted_iota(I, (s, s), 1)
    return jnp.where(rows >= columns, logits, -jnp.inf)


@case(SEQUENCE, integers(2, N), floats(50, 16), floats(32, 16))
def embedding_with_positions(tokens, table, positions):
    return table[tokens] + positions[: tokens.shape[1]]


@case(SEQUENCE, floats(2, N, 16))
def sinusoidal_positions(x):
    position = jnp.arange(x.shape[1], dtype=F)[:, None]
    rate = jnp.exp(-jnp.arange(8, dtype=F) / 8)
    return x + jnp.concatenate([jnp.sin(position * rate), jnp.cos(position * rate)], -1)


@case(SEQUENCE, floats(2, N, 4, 8))
def rotary(x):
    angles = jnp.arange(x.shape[1], dtype=F)[:, None] * 0.1 ** jnp.arange(4, dtype=F)
    cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


@case(SEQUENCE, floats(2, N, 50), integers(2, N))
def next_token_loss(logits, tokens):
    log_p = jax.nn.log_softmax(logits[:, :-1])
    return -jnp.take_along_axis(log_p, tokens[:, 1:, None], axis=-1).mean()


@case(SEQUENCE, floats(16, 50), floats(2, N, 16), integers(2, N))
def next_token_gradient(w, h, tokens):
    def loss(w):
        log_p = jax.nn.log_softmax(h @ w)[:, :-1]
        return -jnp.mean(jnp.sum(log_p * jax.nn.one_hot(tokens[:, 1:], 50), -1))

    return jax.grad(loss)(w)


@case(SEQUENCE, floats(2, N, 16))
def last_token(x):
    return x[:, -1]


@case(SEQUENCE, floats(2, N, 16))
def mean_pool(x):
    return x.mean(1)


@case(SEQUENCE, floats(2, N, 16), floats(16, 16))
def scan_over_time(x, w):
    def step(h, a):
        h = jnp.tanh(h @ w + a)
        return h, h.sum(-1)

    return lax.scan(step, jnp.zeros((2, 16)), x.swapaxes(0, 1))


@case(SEQUENCE, floats(16, 16), floats(2, N, 16))
def scan_gradient(w, x):
    def loss(w):
        def step(h, a):
            h = jnp.tanh(h @ w + a)
            return h, h

        return lax.scan(step, jnp.zeros((2, 16)), x.swapaxes(0, 1))[1].sum()

    return jax.grad(loss)(w)


@case(SEQUENCE, floats(2, N, 16), floats(3, 16))
def depthwise_causal_convolution(x, k):
    padded = jnp.pad(x, ((0, 0), (2, 0), (0, 0)))
    return sum(padded[:, i : i + x.shape[1]] * k[i] for i in range(3))


@case(SEQUENCE, floats(2, N, 16), floats(3, 16, 16))
def convolution_over_time(x, k):
    return lax.conv_general_dilated(x, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


@case(SEQUENCE, floats(2, N, 16))
def cumulative_maximum(x):
    return lax.cummax(x, axis=1)


@case(SEQUENCE, floats(2, 32, 16), floats(2, N, 16), integers())
def cache_update(cache, new, at):
    return lax.dynamic_update_slice(cache, new, (0, at, 0))


@case(SEQUENCE, floats(2, N, 16))
def halves(x):
    a, b = jnp.split(x, 2, axis=1)
    return a * b


@case(SEQUENCE, floats(2, N, 16), integers(2))
def masked_by_length(x, lengths):
    return jnp.where(jnp.arange(x.shape[1])[None, :, None] < lengths[:, None, None], x, 0)


@case(SEQUENCE, floats(2, N, 16), floats(16, 16), floats(16, 64), floats(64, 16))
def transformer_block(x, w, up, down):
    b, s, d = x.shape

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    q = (norm(x) @ w).reshape(b, s, 4, 4).transpose(0, 2, 1, 3)
    logits = q @ q.swapaxes(-1, -2) / 2.0
    mask = jnp.tril(jnp.ones((s, s), bool))
    p = jax.nn.softmax(jnp.where(mask, logits, -1e9))
    x = x + (p @ q).transpose(0, 2, 1, 3).reshape(b, s, d)
    return x + jax.nn.gelu(norm(x) @ up) @ down


@case(SEQUENCE, floats(2, N, 16))
def reversed_sequence(x):
    return jnp.flip(x, 1) + x


@case(SEQUENCE, floats(2, N, 16))
def local_blocks(x):
    return x.reshape(2, -1, 4, 16).max(2)


def lowered(function: Callable[..., Any], shapes: list[tuple[tuple[int, ...], str]], size: int) -> str:
    sized = [tuple(size if axis == N else axis for axis in shape) for shape, _ in shapes]
    arguments = [jax.ShapeDtypeStruct(shape, type_) for shape, (_, type_) in zip(sized, shapes)]
    return jax.jit(function).lower(*arguments).as_text()


def main() -> None:
    collected = {}
    for kind, cases in (("batch", BATCH), ("sequence", SEQUENCE)):
        for name, function, shapes in cases:
            texts = [lowered(function, shapes, size) for size in SIZES]
            changed = next(number for number, (shape, _) in enumerate(shapes) if N in shape)
            collected[name] = (kind, *texts, changed)
    json.dump(collected, sys.stdout)


if __name__ == "__main__":
    main()
