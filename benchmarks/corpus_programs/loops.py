"""Loops whose values are scalars or tiny arrays: samplers, solvers, recurrences."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.programs.registry import integers, jax, jnp, lax, normal

from .table import add

add_loop = partial(add, "loops of scalars")
add_small = partial(add, "loops of small arrays")


def number(value: float, dtype: Any = np.float32) -> Any:
    """Returns a callable that makes a scalar argument."""
    return lambda: dtype(value)


# --- scalars -----------------------------------------------------------------------------------------------


def rk4(y: Any) -> Any:
    """Integrates y' = cos(t) - y by Runge-Kutta, 1000 steps."""
    h = np.float32(0.01)

    def slope(t, y):
        return jnp.cos(t) - y

    def step(i, y):
        t = i.astype(jnp.float32) * h
        k1 = slope(t, y)
        k2 = slope(t + h / 2, y + h / 2 * k1)
        k3 = slope(t + h / 2, y + h / 2 * k2)
        k4 = slope(t + h, y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return lax.fori_loop(0, 1000, step, y)


def lotka_volterra(a: Any, b: Any) -> Any:
    """Runge-Kutta for two species, each a scalar, 1000 steps."""
    h = 0.005

    def field(a, b):
        return 1.5 * a - a * b, a * b - 3 * b

    def step(_, state):
        a, b = state
        p1, q1 = field(a, b)
        p2, q2 = field(a + h / 2 * p1, b + h / 2 * q1)
        p3, q3 = field(a + h / 2 * p2, b + h / 2 * q2)
        p4, q4 = field(a + h * p3, b + h * q3)
        return a + h / 6 * (p1 + 2 * p2 + 2 * p3 + p4), b + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4)

    return lax.fori_loop(0, 1000, step, (a, b))


def collatz(n: Any) -> Any:
    """Counts the steps from n to 1."""

    def step(state):
        n, count = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

    return lax.while_loop(lambda state: state[0] != 1, step, (n, 0))[1]


def additions(x: Any) -> Any:
    """10,000 additions in a while loop."""
    return lax.while_loop(lambda s: s[0] < 10_000, lambda s: (s[0] + 1, s[1] + np.float32(0.5)), (0, x))


def gcds(a: Any) -> Any:
    """Sums the greatest common divisors of a and 1 to 200, two loops deep."""

    def gcd(a, b):
        return lax.while_loop(lambda s: s[1] != 0, lambda s: (s[1], s[0] % s[1]), (a, b))[0]

    return lax.fori_loop(1, 201, lambda i, total: total + gcd(a, i), 0)


def generator(seed: Any) -> Any:
    """A linear congruential generator and a xorshift, 5000 words."""

    def step(_, state):
        a, b = state
        b = b ^ (b << 13)
        b = b ^ (b >> 17)
        b = b ^ (b << 5)
        return a * np.uint32(1664525) + np.uint32(1013904223), b

    return lax.fori_loop(0, 5000, step, (seed, seed + 1))


def bisection(low: Any, high: Any) -> Any:
    """Finds where x^3 - x - 2 is 0, 500 halvings."""

    def step(_, state):
        low, high = state
        middle = (low + high) / 2
        is_below = middle * middle * middle - middle - 2 < 0
        return jnp.where(is_below, middle, low), jnp.where(is_below, high, middle)

    return lax.fori_loop(0, 500, step, (low, high))


def newton(x: Any) -> Any:
    """Square roots of 1 to 100, each until it converges."""

    def root(a):
        def step(s):
            y = (s[0] + a / s[0]) / 2
            return y, jnp.abs(y - s[0]), s[2] + 1

        return lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 50), step, (a, a, 0))[0]

    return lax.fori_loop(1, 101, lambda i, total: total + root(i.astype(jnp.float32)), x)


def branches(x: Any) -> Any:
    """A cond in each of 2000 rounds."""

    def step(i, x):
        return lax.cond(i % 3 == 0, lambda x: x * 0.5 + 1, lambda x: x + 0.25, x)

    return lax.fori_loop(0, 2000, step, x)


def walk(key: Any) -> Any:
    """A Metropolis sampler: two random numbers in each of 200 rounds."""

    def step(i, state):
        key, x = state
        key, first, second = jax.random.split(key, 3)
        proposal = x + jax.random.normal(first)
        accept = jnp.log(jax.random.uniform(second)) < (x * x - proposal * proposal) / 2
        return key, jnp.where(accept, proposal, x)

    return lax.fori_loop(0, 200, step, (key, jnp.float32(0)))[1]


def fibonacci(n: Any) -> Any:
    """Fibonacci numbers modulo 2^32."""
    return lax.fori_loop(0, n, lambda _, s: (s[1], s[0] + s[1]), (np.uint32(0), np.uint32(1)))[0]


def pendulum(angle: Any) -> Any:
    """A pendulum by leapfrog in float64, 2000 steps."""

    def step(_, state):
        angle, speed = state
        speed = speed - 0.005 * jnp.sin(angle)
        angle = angle + 0.01 * speed
        return angle, speed - 0.005 * jnp.sin(angle)

    return lax.fori_loop(0, 2000, step, (angle, jnp.float64(0)))


add_loop("rk4_fori", rk4, number(1))
add_loop("lotka_volterra_fori", lotka_volterra, number(10), number(5))
add_loop("collatz_while", collatz, number(77031, np.int32))
add_loop("while_additions", additions, number(1))
add_loop("gcd_nested", gcds, number(720720, np.int32))
add_loop("generators_u32", generator, number(12345, np.uint32))
add_loop("bisection", bisection, number(1), number(2))
add_loop("newton_roots", newton, number(0))
add_loop("cond_in_fori", branches, number(1))
add_loop("metropolis", walk, lambda: np.array([0, 7], np.uint32))
add_loop("fibonacci_u32", fibonacci, number(5000, np.int32))
add_loop("pendulum_f64", pendulum, number(1, np.float64), x64=True)


# --- small arrays ------------------------------------------------------------------------------------------


def lorenz(y: Any) -> Any:
    """The Lorenz attractor by Runge-Kutta on a vector of three, a scan of 300 steps."""

    def field(y):
        return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])

    def step(y, _):
        k1 = field(y)
        k2 = field(y + 0.005 * k1)
        k3 = field(y + 0.005 * k2)
        k4 = field(y + 0.01 * k3)
        y = y + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y

    return lax.scan(step, y, None, length=300)


def running_sum(x: Any) -> Any:
    """A running sum by dynamic slices, 1000 rounds."""

    def step(i, state):
        total, out = state
        total = total + lax.dynamic_index_in_dim(x, i, keepdims=False)
        return total, lax.dynamic_update_index_in_dim(out, total, i, 0)

    return lax.fori_loop(0, x.shape[0], step, (jnp.float32(0), jnp.zeros_like(x)))[1]


def insertion_sort(x: Any) -> Any:
    """Sorts 48 numbers by exchanging neighbours."""

    def inner(j, x):
        a, b = x[j], x[j + 1]
        return x.at[j].set(jnp.minimum(a, b)).at[j + 1].set(jnp.maximum(a, b))

    return lax.fori_loop(0, 48, lambda i, x: lax.fori_loop(0, 47, inner, x), x)


def edit_distance(a: Any, b: Any) -> Any:
    """Levenshtein's distance of two words of 40 letters, row by row."""
    size = b.shape[0]

    def row(previous, letter):
        def cell(left, at):
            best = jnp.minimum(jnp.minimum(left, previous[at + 1]) + 1, previous[at] + (letter != b[at]))
            return best, best

        first = previous[0] + 1
        _, rest = lax.scan(cell, first, jnp.arange(size))
        return jnp.concatenate([first[None], rest]), None

    return lax.scan(row, jnp.arange(size + 1), a)[0][-1]


def kalman(observations: Any) -> Any:
    """A Kalman filter of two states over 200 observations."""
    move = np.array([[1, 0.1], [0, 1]], np.float32)
    noise = 0.01 * np.eye(2, dtype=np.float32)

    def step(state, observed):
        mean, covariance = state
        mean, covariance = move @ mean, move @ covariance @ move.T + noise
        gain = covariance[:, 0] / (covariance[0, 0] + 0.5)
        mean = mean + gain * (observed - mean[0])
        covariance = covariance - jnp.outer(gain, covariance[0])
        return (mean, covariance), mean

    return lax.scan(step, (jnp.zeros(2), jnp.eye(2)), observations)[1]


def viterbi(scores: Any, moves: Any) -> Any:
    """The best path through 100 steps of 8 states."""

    def step(best, score):
        through = best[:, None] + moves
        return through.max(0) + score, through.argmax(0)

    best, back = lax.scan(step, scores[0], scores[1:])
    _, path = lax.scan(lambda at, row: (row[at], at), best.argmax(), back, reverse=True)
    return best.max(), path


def power_iteration(a: Any) -> Any:
    """The dominant eigenvector of a matrix of 8, 100 rounds."""

    def step(_, v):
        v = a @ v
        return v / jnp.sqrt(jnp.sum(v * v))

    return lax.fori_loop(0, 100, step, jnp.ones(8))


def sieve(flags: Any) -> Any:
    """Primes below 1000 by striking out multiples."""
    numbers = jnp.arange(1000)
    return lax.fori_loop(2, 32, lambda p, f: jnp.where((numbers % p == 0) & (numbers > p), False, f), flags)


def histogram(values: Any) -> Any:
    """Counts 1000 values one by one into 16 bins."""
    return lax.fori_loop(0, 1000, lambda i, bins: bins.at[values[i]].add(1), jnp.zeros(16, jnp.int32))


def matrix_chain(sizes: Any) -> Any:
    """A prefix product of 2x2 matrices, 500 rounds."""

    def step(i, product):
        return (product @ sizes[i]) / (1 + jnp.abs(product).max())

    return lax.fori_loop(0, 500, step, jnp.eye(2))


add_small("lorenz_scan", lorenz, lambda: np.array([1, 1, 1], np.float32))
add_small("running_sum_slices", running_sum, lambda: normal(1000))
add_small("bubble_sort", insertion_sort, lambda: normal(48, seed=3))
add_small(
    "edit_distance",
    edit_distance,
    lambda: integers(40, low=0, high=4),
    lambda: integers(40, low=0, high=4, seed=1),
)
add_small("kalman_scan", kalman, lambda: normal(200))
add_small("viterbi", viterbi, lambda: normal(100, 8), lambda: normal(8, 8, seed=1))
add_small("power_iteration", power_iteration, lambda: normal(8, 8, seed=2) + 8 * np.eye(8, dtype=np.float32))
add_small("sieve", sieve, lambda: np.ones(1000, bool))
add_small("histogram_loop", histogram, lambda: integers(1000, low=0, high=16))
add_small("matrix_chain", matrix_chain, lambda: normal(500, 2, 2))
