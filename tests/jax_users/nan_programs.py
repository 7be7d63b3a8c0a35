"""Programs that make a NaN or infinity. The guilty line of each has the comment `# here`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def f32(*numbers: Any) -> Any:
    return np.array(numbers, np.float32)


X = f32(4, 1, 0, -1)
"""Its last elements are outside of the domains of roots and logarithms."""


def log_of_negative(x: Any) -> Any:
    y = x - 0.5
    return jnp.sum(jnp.log(y))  # here


def log_of_probability(params: Any, batch: Any) -> Any:
    p = jax.nn.softmax(batch["x"] @ params["w"])
    return -jnp.mean(jnp.log(p[:, 0] - 0.5))  # here


def square_root(x: Any) -> Any:
    return jnp.sqrt(x) * 2  # here


def reciprocal_root(x: Any) -> Any:
    return jax.lax.rsqrt(x).sum()  # here


def zero_by_zero(a: Any, b: Any) -> Any:
    return a / b  # here


def infinity_minus_infinity(x: Any) -> Any:
    big = jnp.exp(x * 100.0)  # here
    return big - big


def zero_times_infinity(x: Any) -> Any:
    y = 1.0 / x  # here
    return x * y


def power_of_negative(x: Any) -> Any:
    return x**0.5  # here


def power_call(x: Any) -> Any:
    return jnp.power(x, 1.5)  # here


def arcsine(x: Any) -> Any:
    return jnp.arcsin(x)  # here


def arccosh(x: Any) -> Any:
    return jnp.arccosh(x)  # here


def log_one_plus(x: Any) -> Any:
    return jnp.log1p(x * 2)  # here


def remainder(x: Any, y: Any) -> Any:
    return jnp.fmod(x, y)  # here


def naive_softmax(x: Any) -> Any:
    e = jnp.exp(x)  # here
    return e / e.sum()


def entropy(p: Any) -> Any:
    return -jnp.sum(p * jnp.log(p))  # here


def mean_of_nothing(x: Any) -> Any:
    return jnp.sum(x * 0) / jnp.sum(x * 0)  # here


def normalised(x: Any) -> Any:
    norm = jnp.linalg.norm(x, axis=-1, keepdims=True)
    return x / norm  # here


def standard_score(x: Any) -> Any:
    return (x - x.mean()) / x.std()  # here


def masked_row(scores: Any, mask: Any) -> Any:
    return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)  # here


def variance_by_moments(x: Any) -> Any:
    variance = jnp.mean(x**2) - jnp.mean(x) ** 2
    return jnp.sqrt(variance - 1e-3)  # here


def half_overflow(x: Any) -> Any:
    y = x.astype(jnp.float16) * 60000  # here
    return y - y


def _norm(w: Any) -> Any:
    return jnp.sqrt(jnp.sum(w**2))  # here


def gradient_of_root(w: Any) -> Any:
    return jax.grad(_norm)(w)


def _linalg_norm(w: Any) -> Any:
    return jnp.linalg.norm(w)  # here


def gradient_of_norm(w: Any) -> Any:
    return jax.grad(_linalg_norm)(w)


def _masked_log(x: Any) -> Any:
    return jnp.where(x > 0, jnp.log(x), 0.0).sum()  # here


def gradient_of_masked_log(x: Any) -> Any:
    return jax.grad(_masked_log)(x)


def _masked_quotient(x: Any) -> Any:
    return jnp.sum(jnp.where(x == 0, 0.0, jnp.sin(x) / x))  # here


def gradient_of_masked_quotient(x: Any) -> Any:
    return jax.grad(_masked_quotient)(x)


def in_a_loop(x: Any) -> Any:
    def body(carry: Any, step: Any) -> tuple[Any, Any]:
        carry = carry - step
        return carry, jnp.log(carry)  # here

    return jax.lax.scan(body, x, jnp.ones(5))[1]


def diverging(x: Any) -> Any:
    def body(_: int, y: Any) -> Any:
        return y * y  # here

    y = jax.lax.fori_loop(0, 10, body, x)
    return y - y


def in_a_branch(x: Any) -> Any:
    return jax.lax.cond(
        x.sum() > 0,
        lambda x: jnp.log(x - 2),  # here
        lambda x: x,
        x,
    )


def batched(x: Any) -> Any:
    return jax.vmap(lambda row: jnp.sqrt(row.sum() - 3))(x)  # here


def _inner(x: Any) -> Any:
    return jnp.log(x)  # here


def in_a_jitted_call(x: Any) -> Any:
    return jax.jit(_inner)(x * 2)


PAIR = f32([0, 0], [3, 4])
BATCH = {"x": f32(*[[3, 0]] * 3, *[[-3, 0]] * 3)}
MASK = np.array([[True, True], [False, False]])

PROGRAMS: list[tuple[Any, tuple[Any, ...], str, str, str, str]] = [
    (log_of_negative, (X,), "jnp.log", "x - 0.5 [2:4] = -0.5, -1.5", "x[2:4]", "log"),
    (
        log_of_probability,
        ({"w": np.eye(2, dtype=np.float32)}, BATCH),
        "jnp.log",
        "p[:, 0] - 0.5 [3:6] = -0.4526",
        "batch['x'][3:6, 0]",
        "log",
    ),
    (square_root, (X,), "jnp.sqrt", "x[3] = -1", "", "sqrt"),
    (reciprocal_root, (X,), "jax.lax.rsqrt", "x[3] = -1", "", "rsqrt"),
    (zero_by_zero, (f32(1, 0), f32(2, 0)), "a / b", "a[1] = 0 and b[1] = 0", "", "divide"),
    (infinity_minus_infinity, (X,), "jnp.exp", "x * 100.0 [0:2] = 400, 100", "x[0:2]", "exponential"),
    (zero_times_infinity, (X,), "1.0 / x", "x[2] = 0", "", "divide"),
    (power_of_negative, (X,), "x ** 0.5", "x[3] = -1", "", "power"),
    (power_call, (X,), "jnp.power", "x[3] = -1", "", "power"),
    (arcsine, (f32(0.5, 2.0),), "jnp.arcsin", "x[1] = 2", "", "asin"),
    (arccosh, (f32(0.5, 2.0),), "jnp.arccosh", "x[0] = 0.5", "", "acosh"),
    (log_one_plus, (X,), "jnp.log1p", "x * 2 [3] = -2", "x[3]", "log_plus_one"),
    (remainder, (np.float32(1), np.float32(0)), "jnp.fmod", "x = 1 and y = 0", "", "remainder"),
    (naive_softmax, (f32(100, 1),), "jnp.exp", "x[0] = 100", "", "exponential"),
    (entropy, (f32(0.5, 0.5, 0.0),), "jnp.log", "p[2] = 0", "", "log"),
    (mean_of_nothing, (X,), "jnp.sum(x * 0) / jnp.sum(x * 0)", "jnp.sum(x * 0) = 0", "x[0]", "divide"),
    (normalised, (PAIR,), "x / norm", "x[0, 0:2] = 0", "x[0, 0]", "divide"),
    (standard_score, (f32(2, 2),), "(x - x.mean()) / x.std()", "x - x.mean()", "x[0:2]", "divide"),
    (masked_row, (PAIR, MASK), "jax.nn.softmax", "-Inf", "", "subtract"),
    (variance_by_moments, (f32(1, 1),), "jnp.sqrt", "variance - 0.001 = -0.001", "x[0]", "sqrt"),
    (half_overflow, (X,), "x.astype(jnp.float16) * 60000", "= 4", "x[0]", "multiply"),
    (gradient_of_root, (np.zeros(3, np.float32),), "the gradient of jnp.sqrt", "= 0", "w[0]", "divide"),
    (gradient_of_norm, (np.zeros(3, np.float32),), "the gradient of jnp.linalg.norm", "= 0", "", "divide"),
    (gradient_of_masked_log, (X,), "the gradient of jnp.log", "x[2] = 0", "", "divide"),
    (gradient_of_masked_quotient, (X,), "jnp.sin(x) / x", "x[2] = 0", "", "divide"),
    (in_a_loop, (np.float32(3),), "jnp.log", "carry - step = -1", "x", "log"),
    (diverging, (np.float32(1e5),), "y * y", "= 1e+20", "x", "multiply"),
    (in_a_branch, (X,), "jnp.log", "x - 2 [1:4] = -1, -2, -3", "x[1:4]", "log"),
    (batched, (PAIR,), "jnp.sqrt", "row.sum() - 3 [0] = -3", "x[0, 0]", "sqrt"),
    (in_a_jitted_call, (X,), "jnp.log", "x * 2 [3] = -2", "x[3]", "log"),
]
"""Function, arguments, what the card says is to blame, from what, from which argument (empty where the cause
is the argument itself), the operation."""
