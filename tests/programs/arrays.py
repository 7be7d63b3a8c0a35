"""Whole-array operations: cumulative, reductions, sorting, gather and scatter, reshaping."""

from __future__ import annotations

from typing import Any

import numpy as np

from .registry import add_function, integers, jax, jnp, lax, normal, program

# --- cumulative and reductions -----------------------------------------------------------------------------


@program(atol=1e-4)
def cumulative():
    def f(x, i):
        sums = jnp.cumsum(x, axis=0), lax.cumsum(x, axis=1, reverse=True), jnp.cumsum(i)
        extremes = lax.cummax(x, axis=0), lax.cummin(x, axis=1)
        return sums, extremes, jnp.cumprod(x, axis=1), lax.cumlogsumexp(x, axis=0)

    return f, (normal(7, 9), integers(20, low=-5, high=5))


def _reductions(x: Any, i: Any, b: Any) -> Any:
    floats = [x.sum(), x.sum(0), x.mean(1), x.prod((0, 2)), x.max(2), x.min(), x.std(1), x.var((0, 1))]
    places = [x.argmax(), x.argmax(1), x.argmin(2), jnp.argmax(i, 0), jnp.nanmax(x), jnp.median(x, 1)]
    whole = [i.sum(), i.prod(1), i.max(), i.min(0), jnp.ptp(i), jnp.bitwise_and.reduce(i, axis=0)]
    logic = [b.any(), b.all(1), b.any(0), jnp.count_nonzero(b, 1), jnp.bitwise_xor.reduce(i, axis=1)]
    norms = [jnp.linalg.norm(x[0]), jax.nn.logsumexp(x, 2), jnp.quantile(x, 0.3, axis=0)]
    return floats, places, whole, logic, norms


add_function(
    "reductions",
    _reductions,
    lambda: normal(4, 5, 6),
    lambda: integers(4, 6, low=-9, high=9),
    lambda: integers(4, 6, low=0, high=2).astype(bool),
)


@program()
def reduce_several_operands():
    def f(x, i):
        def larger(a, b):
            first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
            return jnp.where(first, a[0], b[0]), jnp.where(first, a[1], b[1])

        start = np.float32(-np.inf), np.int32(0)
        return lax.reduce((x, i), start, larger, (1,)), lax.reduce((x, i), start, larger, (0, 1))

    return f, (normal(5, 8), integers(5, 8, low=0, high=100))


@program()
def reduce_unrecognised_body():
    def f(x):
        return lax.reduce(x, np.float32(0), lambda a, b: a + b - a * b * np.float32(0.5), (1,))

    return f, (normal(3, 9, scale=0.3),)


@program()
def reduce_empty():
    def f(x):
        return x.sum(0), x.prod(1), jnp.all(x > 0, 0), lax.reduce(x, -jnp.inf, lax.max, (0,))

    return f, (np.zeros((0, 3), np.float32),)


@program()
def reduce_precision():
    def f(x):
        return [lax.reduce_precision(x, e, m) for e, m in ((8, 7), (5, 10), (4, 3), (5, 2), (3, 2))]

    return f, (np.concatenate([normal(40), normal(20, scale=1e5), normal(20, scale=1e-6)]),)


# --- sorting -----------------------------------------------------------------------------------------------


def _sorting(x: Any, i: Any) -> Any:
    plain = jnp.sort(x), jnp.sort(x, 0), jnp.argsort(x, 1), jnp.argsort(-x, 0, descending=True)
    keyed = lax.sort((i, x), num_keys=1), lax.sort((i, x), num_keys=2), jnp.lexsort((x[0], i[0]))
    whole = jnp.sort(i, stable=False), jnp.unique(i, size=6), jnp.searchsorted(jnp.sort(x[0]), x[1])
    top = lax.top_k(x, 3), lax.top_k(i, 2), jnp.median(x), jnp.percentile(x, 70), jnp.partition(x, 2)
    return plain, keyed, whole, top


add_function("sorting", _sorting, lambda: normal(6, 11), lambda: integers(6, 11, low=0, high=7))


@program()
def sort_special_values():
    values = [np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, 1.0, -1.0, np.nan, 1e-40]
    return (lambda x: (jnp.sort(x), jnp.argsort(x), jnp.sort(x, descending=True))), (
        np.array(values, np.float32),
    )


@program()
def sort_kinds():
    def f(*arrays):
        return [jnp.sort(a) for a in arrays] + [jnp.argsort(a) for a in arrays]

    x = normal(15)
    kinds = [np.float16, jnp.bfloat16, np.int8, np.uint32, np.bool_]
    return f, (*[(x * 20).astype(kind) for kind in kinds], (x + 1j * x[::-1]).round().astype(np.complex64))


# --- gather and scatter ------------------------------------------------------------------------------------


def _at_updates(x: Any, i: Any, v: Any) -> Any:
    rows = x.at[i]
    basic = rows.set(v), rows.add(v), rows.multiply(v), rows.max(v), rows.min(v), rows.subtract(v)
    return basic, rows.apply(jnp.sin), rows.power(2), rows.divide(v), x.at[1:4, ::2].add(1)


add_function(
    "at_updates",
    _at_updates,
    lambda: normal(8, 5),
    lambda: np.array([6, 1, 3, 7], np.int32),
    lambda: normal(4, 5, seed=1),
)


@program()
def at_repeated_indices():
    def f(x, i, v):
        at = x.at[i]
        return at.add(v), at.multiply(v), at.max(v), at.min(v), x.at[i, i].add(2), at.add(v, mode="drop")

    return f, (normal(6, 6), np.array([2, 2, 5, 0, 2], np.int32), normal(5, 6, seed=1))


@program()
def at_modes():
    def f(x, i, v):
        gets = [x.at[i].get(mode=m) for m in ("clip", "fill", "promise_in_bounds")]
        gets.append(x.at[i].get(mode="fill", fill_value=7))
        sets = [x.at[i].set(v, mode=m) for m in ("clip", "drop")]
        return gets[0], gets[1], gets[3], sets, x.at[i].add(v, mode="clip"), jnp.take(x, i, mode="wrap")

    return f, (normal(6), np.array([0, 5, 6, -1, 99, -99], np.int32), normal(6, seed=1))


@program()
def gather_indexing():
    def f(x, i, j, m):
        mixed = x[i], x[:, j], x[i, j], x[i[:, None], j[None, :]], x[..., -1], x[::-1, 1::2], x[i, 1:3]
        taken = jnp.take(x, i, axis=1, mode="clip"), jnp.take_along_axis(x, x.argsort(1), 1)
        return mixed, taken, jnp.where(m, x, 0), jnp.diagonal(x), x[2], x[i[0], j[1]]

    mask = integers(5, 5, low=0, high=2).astype(bool)
    return f, (normal(5, 5), np.array([3, 0, 4], np.int32), np.array([1, 1, 2], np.int32), mask)


@program()
def gather_batched_gradient():
    def f(x, i):
        picked = jax.vmap(lambda row, k: row[k])(x, i)
        return jnp.sum(picked**2), picked

    return jax.value_and_grad(f, has_aux=True), (normal(4, 7, 3), integers(4, 5, low=0, high=7))


@program()
def embedding_segment_sum():
    def f(table, tokens, segments):
        rows = table[tokens]
        sums = jax.ops.segment_sum(rows, segments, num_segments=4)
        peaks = jax.ops.segment_max(rows, segments, num_segments=4)
        return sums, peaks, jnp.bincount(tokens, length=10), jax.nn.one_hot(tokens, 10)

    return f, (normal(10, 6), integers(12, low=0, high=10), integers(12, low=0, high=4, seed=1))


@program()
def graph_message_passing():
    def f(nodes, senders, receivers, weight):
        for _ in range(2):
            messages = jax.nn.relu(nodes[senders] @ weight)
            nodes = nodes + jnp.zeros_like(nodes).at[receivers].add(messages)
        return nodes

    edges = integers(40, low=0, high=16), integers(40, low=0, high=16, seed=1)
    return f, (normal(16, 8), *edges, normal(8, 8, seed=1, scale=0.3))


@program()
def scatter_windows():
    """Scatter with window dimensions, batching dimensions and an update computation JAX names itself."""

    def f(x, i, v):
        numbers = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
        return (
            lax.scatter_add(x, i, v, numbers),
            lax.scatter_max(x, i, v, numbers, mode="clip"),
            jax.vmap(lambda a, k, u: a.at[k].add(u))(x, i, v[:, :2, 0]),
        )

    return f, (normal(4, 6), integers(4, 2, low=0, high=5), normal(4, 2, 3, seed=2))


@program()
def scatter_unrecognised_body():
    def f(x, i, v):
        return x.at[i].apply(lambda a: a * a + 1), x.at[i].set(v, unique_indices=True), x.at[i].mul(v)

    return f, (normal(7), np.array([1, 4, 0], np.int32), normal(3, seed=1))


# --- shapes ------------------------------------------------------------------------------------------------


@program()
def shapes():
    def f(x, y):
        moved = x.T, jnp.moveaxis(x, 0, 2), x.reshape(-1, 4), jnp.swapaxes(x, 1, 2), x[:, None], x.ravel()
        joined = jnp.concatenate([x, x + 1], 2), jnp.stack([y, y]), jnp.tile(y, (2, 3)), jnp.repeat(y, 2, 1)
        cut = jnp.split(x, 2, axis=2), x[1, 1:, ::2], jnp.flip(x, (0, 2)), jnp.roll(x, 2, 1), jnp.rot90(y)
        grown = jnp.pad(y, ((1, 2), (0, 3))), jnp.pad(y, 1, mode="reflect"), jnp.pad(y, 2, mode="edge")
        made = jnp.tril(y), jnp.triu(y, 1), jnp.eye(3), jnp.arange(5), jnp.linspace(0, 1, 7), jnp.diag(y[0])
        padded = lax.pad(y, np.float32(9), ((1, 0, 2), (-1, -1, 0)))
        return moved, joined, cut, grown, made, padded, lax.broadcast_in_dim(y, (4, 2, 4), (0, 2))

    return f, (normal(2, 3, 4), normal(4, 4, seed=1))


@program()
def einsums():
    def f(a, b, c):
        return (
            jnp.einsum("ij,jk->ik", a, b),
            jnp.einsum("bij,bjk->bik", c, c),
            jnp.einsum("ij,ij->", a, a),
            jnp.einsum("bij,kj->bik", c, c[0]),
            jnp.tensordot(c, c, ((1, 2), (2, 1))),
            jnp.outer(a[0], b[0]),
            (a @ b) @ c[0, 0],
            jnp.einsum("ii->i", c[0]),
        )

    return f, (normal(3, 4), normal(4, 3, seed=1), normal(2, 3, 3, seed=2))


@program()
def zero_sized():
    def f(x, y):
        return x @ y, jnp.concatenate([y, y], 0), x + 1, jnp.sort(x), x.T, x.reshape(0, 7)

    return f, (np.zeros((0, 3), np.float32), normal(3, 5))


@program()
def big_constant():
    table = normal(512, 64, seed=5)

    def f(x, i):
        return x @ table, jnp.asarray(table)[i], np.arange(200, dtype=np.int32) + i[0]

    return f, (normal(4, 512, scale=0.1), integers(6, low=0, high=512))
