"""What jit, export and sharding add around a program: donation, symbolic shapes, annotations."""

from __future__ import annotations

from .registry import jax, jnp, lax, normal, program


@program(jit={"donate_argnums": (0,)})
def donated_argument():
    return (lambda state, x: (state + x, x.sum())), (normal(3, 4), normal(3, 4, seed=1))


@program()
def unused_argument_and_result_names():
    return (lambda unused, x: (x, x, jnp.arange(3), {"named": x * 2})), (normal(2), normal(3))


@program(symbols=("n, m", "m, 3"))
def symbolic_shapes():
    def f(x, y):
        n = x.shape[0]
        made = jnp.arange(n), jnp.broadcast_to(y[0], (n, 3)), jnp.zeros((n, n))
        grown = jnp.concatenate([x, x + 1]).sum(0), jnp.pad(x, ((0, n), (1, 1))), x.reshape(-1)
        rows = x[: n // 2], x[jnp.array([0, 1])], jnp.sort(x, 0)
        return made, grown, rows, x @ y, x.mean(0), jax.nn.softmax(x)

    return f, (normal(4, 6), normal(6, 3, seed=1))


@program(symbols=("n",))
def symbolic_loop():
    def f(x):
        return lax.fori_loop(0, x.shape[0], lambda i, y: y.at[i].add(i * y[i - 1]), x)

    return f, (normal(7),)


def _mesh():
    return jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))


@program()
def sharding_constraint():
    sharding = jax.NamedSharding(_mesh(), jax.P("x"))
    return (lambda x: lax.with_sharding_constraint(x * 2, sharding) + 1), (normal(4, 2),)


@program(role="print")
def shard_map():
    def f(x):
        total = lax.psum(x.sum(), "x") + lax.axis_index("x")
        return total, lax.all_gather(x, "x"), lax.ppermute(x, "x", [(0, 0)])

    specs = (jax.P(), jax.P(None, "x"), jax.P("x"))
    mapped = jax.shard_map(f, mesh=_mesh(), in_specs=jax.P("x"), out_specs=specs, check_vma=False)
    return mapped, (normal(4, 2),)
