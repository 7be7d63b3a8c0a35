"""JAX programs for eight devices: run as a module, it writes their texts and JAX's results into a folder.

    XLA_FLAGS=--xla_force_host_platform_device_count=8 python -m tests.sharded_programs FOLDER

The number of devices is settled when JAX starts, so this has a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

PROGRAMS: dict[str, Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]] = {}
OLD = "_before_shardy"
ROUND_TRIP = "_round_trip"
"""How the names of programs end that went through HLO, which carries Shardy's attributes as texts."""
"""The end of names of programs that say how tensors are sharded as XLA does."""

ONLY_SHARDY = {"nested_axes", "some_axes"}
"""Programs that JAX does not lower without Shardy."""


def program(build: Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]) -> Any:
    """Registers what gives a function and its arguments."""
    PROGRAMS[build.__name__] = build
    return build


def _mesh(*sizes: int, names: str = "abc") -> Any:
    import jax

    axes = tuple(names[: len(sizes)])
    return jax.make_mesh(sizes, axes, axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))


def _mapped(function: Callable[..., Any], mesh: Any, inputs: Any, outputs: Any, **options: Any) -> Any:
    import jax

    return jax.shard_map(function, mesh=mesh, in_specs=inputs, out_specs=outputs, check_vma=False, **options)


def _normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@program
def reductions() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        return (
            lax.psum(x, "a"),
            lax.pmax(x, "a"),
            lax.pmin(x, "a"),
            lax.pmean(x, "a"),
            lax.axis_index("a") + x,
        )

    return _mapped(f, _mesh(8), P("a"), (P(), P(), P(), P(), P("a"))), (_normal(8, 5),)


@program
def narrow_sums() -> Any:
    import jax.numpy as jnp
    from jax import P, lax

    def f(x: Any) -> Any:
        return lax.psum(x.astype(jnp.float16), "a"), lax.psum(x.astype(jnp.int8), "a"), lax.psum(x > 0, "a")

    return _mapped(f, _mesh(8), P("a"), (P(), P(), P())), (_normal(8, 5),)


@program
def gathering() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        return (
            lax.all_gather(x, "a"),
            lax.all_gather(x, "a", axis=1, tiled=True),
            lax.all_gather(x, ("a", "b")),
        )

    return _mapped(f, _mesh(2, 4), P("a", "b"), (P(None, "b"), P("b"), P())), (_normal(6, 12),)


@program
def permutations() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        ring = lax.ppermute(x, "a", [(i, (i + 1) % 8) for i in range(8)])
        some = lax.ppermute(x, "a", [(0, 3), (5, 2), (7, 7)])
        return ring, some, lax.pshuffle(x, "a", [1, 0, 3, 2, 5, 4, 7, 6])

    return _mapped(f, _mesh(8), P("a"), (P("a"), P("a"), P("a"))), (_normal(16, 3),)


@program
def exchanges() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        tiled = lax.all_to_all(x, "a", 1, 0, tiled=True)
        return tiled, lax.all_to_all(x.reshape(3, 8, 2), "a", 1, 2)

    return _mapped(f, _mesh(8), P("a"), (P("a"), P("a"))), (_normal(24, 16),)


@program
def scattered_sums() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        return lax.psum_scatter(x, ("a", "b"), tiled=True), lax.psum_scatter(x, "b", scatter_dimension=1)

    return _mapped(f, _mesh(2, 4), P(), (P(("a", "b")), P("b"))), (_normal(8, 4),)


@program
def odd_shapes() -> Any:
    from jax import P, lax

    def f(x: Any, y: Any) -> Any:
        gathered = lax.all_gather(x[:, :5], "b", axis=0, tiled=True)
        return lax.psum(gathered.sum(), "a"), lax.psum(y[:3], "b") @ x.T[:7], lax.ppermute(y, "a", [(0, 1)])

    specs = P("a", None), P(None, "b")
    return _mapped(f, _mesh(2, 4), specs, (P(), P(None, "a"), P("a", "b"))), (_normal(6, 7), _normal(7, 28))


@program
def mlp_gradient() -> Any:
    import jax
    import jax.numpy as jnp
    from jax import P, lax

    def loss(x: Any, first: Any, second: Any) -> Any:
        hidden = jax.nn.gelu(x @ first)
        return lax.psum(jnp.sum(lax.psum(hidden @ second, "b") ** 2), "a")

    specs = P("a", None), P(None, "b"), P("b", None)
    mapped = jax.shard_map(loss, mesh=_mesh(2, 4), in_specs=specs, out_specs=P())
    arguments = _normal(8, 6), _normal(6, 16, seed=1), _normal(16, 3, seed=2)
    return jax.value_and_grad(mapped, argnums=(0, 1, 2)), arguments


@program
def pipeline() -> Any:
    import jax.numpy as jnp
    from jax import P, lax

    def f(weights: Any, batches: Any) -> Any:
        stage, last = lax.axis_index("a"), 7

        def body(step: Any, carry: Any) -> Any:
            held, done = carry
            held = jnp.where(stage == 0, batches[jnp.minimum(step, 4)], held)
            held = jnp.tanh(held @ weights[0])
            place = jnp.maximum(step - last, 0)
            done = jnp.where(stage == last, done.at[place].set(held), done)
            return lax.ppermute(held, "a", [(i, (i + 1) % 8) for i in range(8)]), done

        start = jnp.zeros_like(batches[0]), jnp.zeros_like(batches)
        return lax.psum(lax.fori_loop(0, 5 + last, body, start)[1], "a")

    return _mapped(f, _mesh(8), (P("a"), P()), P()), (_normal(8, 4, 4), _normal(5, 3, 4, seed=1))


@program
def branches() -> Any:
    from jax import P, lax

    def f(x: Any) -> Any:
        return lax.cond(x.sum() > 1e9, lambda y: y, lambda y: lax.psum(y, "a") + lax.axis_index("b"), x)

    return _mapped(f, _mesh(2, 4), P(("a", "b")), P("b")), (_normal(8, 3),)


@program
def parallel_map() -> Any:
    import jax
    from jax import lax

    def f(x: Any, y: Any) -> Any:
        return x / lax.psum(x, "i") * y, lax.all_gather(y, "i")

    return jax.pmap(f, axis_name="i", in_axes=(0, None)), (np.abs(_normal(8, 3)), _normal(3))


@program
def nested_axes() -> Any:
    import jax
    from jax import P, lax

    mesh = _mesh(2, 4)

    def inner(y: Any) -> Any:
        return y * lax.axis_index("b") + lax.psum(y, "b")

    def f(x: Any) -> Any:
        inside = jax.sharding.get_abstract_mesh()
        specs = {"in_specs": P(None, "b"), "out_specs": P(None, "b"), "axis_names": {"b"}}
        return jax.shard_map(inner, mesh=inside, **specs)(lax.psum(x, "a"))

    return jax.shard_map(f, mesh=mesh, in_specs=P("a"), out_specs=P(), axis_names={"a"}), (_normal(8, 8),)


@program
def some_axes() -> Any:
    import jax
    from jax import P, lax

    def f(x: Any) -> Any:
        return lax.psum(x, "a") @ x.T, lax.all_gather(x, "a")

    specs = {"in_specs": P("a"), "out_specs": (P(None, "a"), P()), "axis_names": {"a"}}
    return jax.shard_map(f, mesh=_mesh(2, 2, 2), check_vma=False, **specs), (_normal(8, 8),)


@program
def other_order_of_devices() -> Any:
    import jax
    from jax import P, lax

    mesh = jax.sharding.Mesh(np.array(jax.devices())[[5, 2, 7, 0, 1, 6, 3, 4]].reshape(4, 2), ("a", "b"))

    def f(x: Any) -> Any:
        return lax.psum(x, "b") + lax.axis_index("a"), lax.ppermute(x, "a", [(i, i + 1) for i in range(3)])

    return _mapped(f, mesh, P("a", "b"), (P("a"), P("a", "b"))), (_normal(8, 8),)


@program
def annotated() -> Any:
    import jax
    from jax import P, lax

    mesh = _mesh(2, 4)
    rows, both = jax.NamedSharding(mesh, P("b")), jax.NamedSharding(mesh, P("a", "b"))
    f = jax.jit(
        lambda x: lax.with_sharding_constraint(x * 2, both) @ x, in_shardings=both, out_shardings=rows
    )
    return f, (_normal(8, 8),)


def main(folder: Path) -> None:
    """Writes, for each program, its text, its arguments and its results."""
    for name, build in PROGRAMS.items():
        _write(folder / name, build)
        if name not in ONLY_SHARDY:
            with _before_shardy():
                _write(folder / f"{name}{OLD}", build)


def _write(path: Path, build: Callable[[], Any]) -> None:
    import jax

    function, arguments = build()
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    results = jax.tree.leaves(jitted(*arguments))
    arrays = {f"in{index}": np.asarray(leaf) for index, leaf in enumerate(jax.tree.leaves(arguments))}
    arrays |= {f"out{index}": np.asarray(result) for index, result in enumerate(results)}
    text = jitted.lower(*arguments).as_text()
    path.with_suffix(".mlir").write_text(text)
    np.savez(path.with_suffix(".npz"), **arrays)
    if not path.name.endswith(OLD):
        path.with_name(f"{path.name}{ROUND_TRIP}.mlir").write_bytes(_through_hlo(text))


def _through_hlo(text: str) -> bytes:
    from jaxlib import _jax

    computation = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    return _jax.mlir.hlo_to_stablehlo(computation.as_serialized_hlo_module_proto())


@contextmanager
def _before_shardy() -> Iterator[None]:
    import jax

    jax.config.update("jax_use_shardy_partitioner", False)
    yield
    jax.config.update("jax_use_shardy_partitioner", True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
