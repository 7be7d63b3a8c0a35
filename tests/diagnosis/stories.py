"""Programs with one planted bug each. The line that is to blame has the comment `# here`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax.sharding import AbstractMesh
from jax.sharding import PartitionSpec as P

Story = tuple[Any, tuple[Any, ...]]
"""A function and its arguments."""


def f32(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


KEY = np.array([0, 7], np.uint32)


# --- NaN and infinities ---


def padded_norms(params: Any, x: Any) -> Any:
    def loss(params: Any) -> Any:
        rows = x @ params["w"]
        return jnp.linalg.norm(rows, axis=-1).mean()  # here

    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda w, g: w - 0.1 * g, params, grads)


def entropy_of_router(logits: Any) -> Any:
    def loss(logits: Any) -> Any:
        p = jax.nn.softmax(logits)
        return -jnp.sum(p * jnp.log(p))  # here

    return jax.value_and_grad(loss)(logits)


def masked_ratio_in_equinox(model: Any, x: Any) -> Any:
    def loss(model: Any) -> Any:
        y = jax.vmap(model)(x)
        weight = jnp.where(y > 1e9, 1.0, 0.0)
        return jnp.sum(weight * y) / jnp.sum(weight)  # here

    return eqx.filter_grad(loss)(model)


class Variance(nn.Module):
    @nn.compact
    def __call__(self, x: Any) -> Any:
        x = nn.Dense(4)(x)
        spread = jnp.var(x, axis=-1) - 1.0
        return jnp.sqrt(spread)  # here


def root_in_linen(params: Any, x: Any) -> Any:
    return Variance().apply(params, x)


def log_in_nnx(state: Any, x: Any, graph: Any) -> Any:
    model = nnx.merge(graph, state)
    return jnp.log(jnp.tanh(model(x)))  # here


def growing_scan(x: Any) -> Any:
    def body(h: Any, _: Any) -> tuple[Any, None]:
        h = h * 3.0 + jnp.exp(h)  # here
        return h, None

    return jax.lax.scan(body, x, None, length=20)[0] * 0.0


def half_precision_scores(q: Any, k: Any) -> Any:
    q, k = q.astype(jnp.float16) * 100, k.astype(jnp.float16) * 100
    scores = q @ k.T  # here
    return jax.nn.softmax(scores - scores.max())


def update_by_zero_norm(grads: Any) -> Any:
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    return jax.tree.map(lambda g: g / norm, grads)  # here


# --- wrong numbers ---


def loss_of_a_square(params: Any, x: Any, y: Any) -> Any:
    prediction = (x @ params["w"]).sum(-1)
    return jnp.mean((prediction - y) ** 2)  # here


def past_the_cache(cache: Any, token: Any, length: Any) -> Any:
    cache = jax.lax.dynamic_update_slice(cache, token[None], (length, 0))  # here
    return cache.sum(0)


def scatter_out_of_bounds(table: Any, index: Any) -> Any:
    return table.at[index].add(1.0)  # here


def hash_that_wraps(x: Any) -> Any:
    cell = x * 73856093  # here
    return cell % 16


def moments(x: Any) -> Any:
    mean_of_squares = jnp.mean(x * x)
    return mean_of_squares - jnp.mean(x) ** 2  # here


def gradient_through_round(params: Any, x: Any) -> Any:
    def loss(params: Any) -> Any:
        return jnp.sum(jnp.round(x @ params["codes"]) + params["bias"])

    return jax.grad(loss)(params)  # here


# --- random keys ---


def two_dropouts(key: Any, x: Any) -> Any:
    x = jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0.0)
    return x + jax.random.normal(key, x.shape)  # here


def same_noise_in_all_rounds(key: Any, x: Any) -> Any:
    def step(h: Any, _: Any) -> tuple[Any, None]:
        return h + jax.random.normal(key, h.shape), None  # here

    return jax.lax.scan(step, x, None, length=3)[0]


def parent_after_split(key: Any, x: Any) -> Any:
    first, second = jax.random.split(key)
    noise = jax.random.normal(first, x.shape) + jax.random.uniform(second, x.shape)
    return x + noise + jax.random.normal(key, x.shape)  # here


# --- work and processes ---


def inverse_in_a_loop(cov: Any, xs: Any) -> Any:
    def step(total: Any, x: Any) -> tuple[Any, None]:
        precision = jnp.linalg.inv(cov)  # here
        return total + x @ precision @ x, None

    return jax.lax.scan(step, 0.0, xs)[0]


def projection_in_a_loop(basis: Any, xs: Any) -> Any:
    def step(total: Any, x: Any) -> tuple[Any, None]:
        gram = basis.T @ basis  # here
        return total + x @ gram @ x, None

    return jax.lax.scan(step, 0.0, xs)[0]


def clip_where_large(x: Any) -> Any:
    @partial(jax.shard_map, mesh=MESH, in_specs=P("devices"), out_specs=P("devices"), check_vma=False)
    def clip(x: Any) -> Any:
        size = jnp.sum(x)
        return jax.lax.cond(size > 3, lambda x: x / jax.lax.psum(size, "devices"), lambda x: x, x)  # here

    return clip(x)


MESH = AbstractMesh((4,), ("devices",))


def lowered(function: Any, *arguments: Any) -> Any:
    """A function of more devices than there are here."""
    shapes = [jax.ShapeDtypeStruct(argument.shape, argument.dtype) for argument in arguments]
    return jax.jit(function).trace(*shapes).lower(lowering_platforms=("cpu",))


X = f32(6, 8)
DEVICES = np.arange(8, dtype=np.float32)
NINES = np.full((2, 8), 9, np.float32)
PADDED = np.concatenate([X[:4], np.zeros((2, 8), np.float32)])


def _masked_ratio() -> Story:
    parts, static = eqx.partition(eqx.nn.MLP(8, 1, 8, 1, key=jax.random.PRNGKey(0)), eqx.is_array)
    return lambda parts, x: masked_ratio_in_equinox(eqx.combine(parts, static), x), (parts, X)


def _root_in_linen() -> Story:
    return root_in_linen, (Variance().init(jax.random.PRNGKey(0), X), X)


def _log_in_nnx() -> Story:
    graph, state = nnx.split(nnx.Linear(8, 4, rngs=nnx.Rngs(0)))
    return lambda state, x: log_in_nnx(state, x, graph), (state, X)


STORIES: dict[str, Callable[[], Story]] = {
    "padded_norms": lambda: (padded_norms, ({"w": f32(8, 3)}, PADDED)),
    "entropy_of_router": lambda: (entropy_of_router, (np.array([0.0, 200.0, 1.0], np.float32),)),
    "masked_ratio_in_equinox": _masked_ratio,
    "root_in_linen": _root_in_linen,
    "log_in_nnx": _log_in_nnx,
    "growing_scan": lambda: (growing_scan, (np.ones(3, np.float32),)),
    "half_precision_scores": lambda: (half_precision_scores, (NINES, NINES)),
    "update_by_zero_norm": lambda: (update_by_zero_norm, ({"w": np.zeros((2, 2), np.float32)},)),
    "loss_of_a_square": lambda: (loss_of_a_square, ({"w": f32(8, 3)}, X, f32(6, 1))),
    "past_the_cache": lambda: (
        past_the_cache,
        (np.zeros((4, 2), np.float32), np.ones(2, np.float32), np.int32(4)),
    ),
    "scatter_out_of_bounds": lambda: (
        scatter_out_of_bounds,
        (np.zeros(4, np.float32), np.array([1, 4], np.int32)),
    ),
    "hash_that_wraps": lambda: (hash_that_wraps, (np.arange(200, dtype=np.int32),)),
    "moments": lambda: (moments, (np.linspace(1000, 1001, 64).astype(np.float32),)),
    "gradient_through_round": lambda: (gradient_through_round, ({"codes": f32(8, 2), "bias": f32(2)}, X)),
    "two_dropouts": lambda: (two_dropouts, (KEY, X)),
    "same_noise_in_all_rounds": lambda: (same_noise_in_all_rounds, (KEY, X[0])),
    "parent_after_split": lambda: (parent_after_split, (KEY, X[0])),
    "inverse_in_a_loop": lambda: (inverse_in_a_loop, (np.eye(8, dtype=np.float32) * 2, X)),
    "projection_in_a_loop": lambda: (projection_in_a_loop, (f32(32, 8), X)),
    "clip_where_large": lambda: (lowered(clip_where_large, DEVICES), (DEVICES,)),
}
"""By the name of the function with the planted line: what makes the function and its arguments."""
