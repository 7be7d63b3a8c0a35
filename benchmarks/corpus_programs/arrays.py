"""Passes over arrays: elementwise chains, reductions, movement, sorting, transforms."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.programs.registry import integers, jax, jnp, lax, normal, rng

from .table import add

MILLION = 1_000_000
add_elementwise = partial(add, "elementwise chains")
add_reduction = partial(add, "reductions")
add_movement = partial(add, "movement and sorting")


# --- elementwise -------------------------------------------------------------------------------------------


def black_scholes(price: Any, strike: Any, time: Any) -> Any:
    """Prices of call options."""
    spread = 0.3 * jnp.sqrt(time)
    first = (jnp.log(price / strike) + (0.02 + 0.045) * time) / spread
    below = jax.scipy.stats.norm.cdf
    return price * below(first) - strike * jnp.exp(-0.02 * time) * below(first - spread)


def mandelbrot(re: Any, im: Any) -> Any:
    """How many of 40 rounds a point stays within 2."""

    def step(state):
        x, y, count, i = state
        inside = x * x + y * y <= 4
        x, y = jnp.where(inside, x * x - y * y + re, x), jnp.where(inside, 2 * x * y + im, y)
        return x, y, count + inside, i + 1

    zero = jnp.zeros_like(re)
    return lax.while_loop(lambda s: s[3] < 40, step, (zero, zero, jnp.zeros(re.shape, jnp.int32), 0))[2]


def life(board: Any) -> Any:
    """Conway's game of life on 256 x 256 cells, 20 generations."""

    def step(board, _):
        rows = board + jnp.roll(board, 1, 0) + jnp.roll(board, -1, 0)
        around = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - board
        return ((around == 3) | ((board == 1) & (around == 2))).astype(jnp.int32), board.sum()

    return lax.scan(step, board, None, length=20)


def heat(x: Any) -> Any:
    """Diffusion on 256 x 256 cells, 50 steps."""

    def step(_, x):
        around = jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1)
        return x + 0.2 * (around - 4 * x)

    return lax.fori_loop(0, 50, step, x)


def polynomial(x: Any) -> Any:
    """A polynomial of degree 12 by Horner's rule."""
    total = jnp.full_like(x, 0.3)
    for i in range(12):
        total = total * x + np.float32(0.1 * (i - 5))
    return total


def adam(p: Any, m: Any, v: Any, g: Any) -> Any:
    """Adam's update of a million parameters."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), m, v


def _axis() -> Any:
    return [a.astype(np.float32) for a in np.meshgrid(np.linspace(-2, 0.6, 200), np.linspace(-1.2, 1.2, 200))]


def _uniform(low: float, high: float, seed: int) -> Any:
    return lambda: rng(seed).uniform(low, high, MILLION).astype(np.float32)


add_elementwise("gelu_1m", lambda x: jax.nn.gelu(x), lambda: normal(MILLION))
add_elementwise("sigmoid_tanh_1m", lambda x: jax.nn.sigmoid(x) * jnp.tanh(x), lambda: normal(MILLION))
add_elementwise(
    "black_scholes_1m",
    black_scholes,
    _uniform(50, 150, 0),
    _uniform(50, 150, 1),
    _uniform(0.1, 2, 2),
    rtol=1e-2,
    atol=1e-2,
)
add_elementwise("polynomial_1m", polynomial, lambda: normal(MILLION, scale=0.5))
add_elementwise(
    "saxpy_4m",
    lambda x, y: 2.5 * x + y,
    lambda: normal(4 << 20),
    lambda: normal(4 << 20, seed=1),
    numpy=lambda x, y: np.float32(2.5) * x + y,
)
add_elementwise("mandelbrot_200", mandelbrot, lambda: _axis()[0], lambda: _axis()[1], atol=40)
add_elementwise("game_of_life_256", life, lambda: integers(256, 256, low=0, high=2))
add_elementwise("heat_256", heat, lambda: normal(256, 256))
add_elementwise("adam_1m", adam, *[lambda i=i: np.abs(normal(MILLION, seed=i)) for i in range(4)], rtol=1e-3)
add_elementwise(
    "integer_hash_1m",
    lambda x: ((x * np.uint32(2654435761)) ^ (x >> 15)) * 40503,
    lambda: integers(MILLION, low=0, high=1 << 30, dtype=np.uint32),
)
add_elementwise(
    "layer_norm_4096x256",
    lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5),
    lambda: normal(4096, 256),
    atol=1e-4,
)


# --- reductions --------------------------------------------------------------------------------------------

add_reduction(
    "sum_16m", lambda x: x.sum(), lambda: rng().random(16 << 20, np.float32), numpy=np.sum, rtol=1e-4
)
add_reduction(
    "sum_rows_4096", lambda x: x.sum(1), lambda: normal(4096, 1024), numpy=lambda x: x.sum(1), atol=1e-2
)
add_reduction(
    "sum_columns_4096", lambda x: x.sum(0), lambda: normal(4096, 1024), numpy=lambda x: x.sum(0), atol=1e-2
)
add_reduction("max_rows_4096", lambda x: x.max(1), lambda: normal(4096, 1024), numpy=lambda x: x.max(1))
add_reduction(
    "argmax_rows_4096", lambda x: x.argmax(1), lambda: normal(4096, 1024), numpy=lambda x: x.argmax(1)
)
add_reduction("mean_variance_4m", lambda x: (x.mean(), x.var()), lambda: normal(4 << 20), atol=1e-3)
add_reduction("softmax_rows_1024", lambda x: jax.nn.softmax(x), lambda: normal(1024, 1024))
add_reduction("logsumexp_4m", lambda x: jax.nn.logsumexp(x), lambda: normal(4 << 20), rtol=1e-3)
add_reduction("count_4m", lambda x: (x > 0.5).sum(), lambda: normal(4 << 20))
add_reduction("cumsum_1m", lambda x: jnp.cumsum(x), lambda: rng().random(MILLION, np.float32), rtol=1e-3)
add_reduction(
    "dot_4m",
    lambda x, y: jnp.dot(x, y),
    lambda: normal(4 << 20),
    lambda: normal(4 << 20, seed=1),
    numpy=np.dot,
    atol=2,
)


# --- movement ----------------------------------------------------------------------------------------------


def segments(values: Any, where: Any) -> Any:
    """Sums of 1000 segments."""
    return jax.ops.segment_sum(values, where, num_segments=1000)


add_movement("transpose_2048", lambda x: x.T + 1, lambda: normal(2048, 2048))
add_movement(
    "gather_rows", lambda x, i: x[i], lambda: normal(10_000, 64), lambda: integers(50_000, low=0, high=10_000)
)
add_movement(
    "segment_sum", segments, lambda: normal(50_000, 16), lambda: integers(50_000, low=0, high=1000), atol=1e-3
)
add_movement("sort_1m", lambda x: jnp.sort(x), lambda: normal(MILLION), numpy=np.sort)
add_movement("argsort_200k", lambda x: jnp.argsort(x), lambda: normal(200_000))
add_movement("top_k", lambda x: lax.top_k(x, 10), lambda: normal(64, 10_000))
add_movement(
    "concatenate_pad", lambda x: jnp.pad(jnp.concatenate([x, x * 2], 1), 3), lambda: normal(1000, 500)
)
add_movement("fft_65536", lambda x: jnp.abs(jnp.fft.fft(x)), lambda: normal(1 << 16), rtol=1e-2, atol=1e-1)
add_movement(
    "unique_by_sort",
    lambda x: jnp.diff(jnp.sort(x), prepend=-1) > 0,
    lambda: integers(100_000, low=0, high=5000),
)
add_movement(
    "searchsorted",
    lambda x, v: jnp.searchsorted(x, v),
    lambda: np.sort(normal(10_000)),
    lambda: normal(10_000, seed=1),
)
