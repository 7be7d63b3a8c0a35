"""Programs with a planted NaN, marked `# the NaN`, as people write them with JAX and its libraries.

Each is a function and the arguments that it makes a NaN of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Example = tuple[Callable[..., Any], tuple[Any, ...]]


def nnx_training_step() -> Example:
    import optax
    from flax import nnx

    class Classifier(nnx.Module):
        def __init__(self, rngs: nnx.Rngs) -> None:
            self.hidden = nnx.Linear(4, 8, rngs=rngs)
            self.norm = nnx.BatchNorm(8, rngs=rngs)
            self.head = nnx.Linear(8, 3, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.head(nnx.relu(self.norm(self.hidden(x))))

    def loss(model: Classifier, x: Any, labels: Any) -> Any:
        probabilities = nnx.softmax(1e3 * model(x))
        return -jnp.mean(jnp.log(probabilities) * jax.nn.one_hot(labels, 3))  # the NaN

    @nnx.jit
    def step(model: Classifier, optimizer: Any, x: Any, labels: Any) -> Any:
        value, gradients = nnx.value_and_grad(loss)(model, x, labels)
        optimizer.update(model, gradients)
        return value

    model = Classifier(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    return step, (model, optimizer, np.linspace(-9, 9, 8, dtype=np.float32).reshape(2, 4), jnp.array([0, 2]))


def equinox_training_step() -> Example:
    import equinox as eqx
    import optax

    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1))

    @eqx.filter_value_and_grad
    def loss(model: eqx.nn.MLP, x: Any) -> Any:
        return jnp.mean(jnp.sqrt(jax.vmap(model)(x)))  # the NaN

    @eqx.filter_jit
    def step(model: eqx.nn.MLP, state: Any, x: Any) -> Any:
        value, gradients = loss(model, x)
        updates, state = optimizer.update(gradients, state, model)
        return eqx.apply_updates(model, updates), state, value

    model = eqx.nn.MLP(2, 1, 4, 1, final_activation=lambda x: -jnp.abs(x) - 1, key=jax.random.key(0))
    return step, (model, optimizer.init(eqx.filter(model, eqx.is_array)), -jnp.ones((3, 2)))


def optax_loop() -> Example:
    import optax

    def loss(params: Any, x: Any) -> Any:
        return jnp.sum(jnp.log(params["w"] * x))  # the NaN

    @partial(jax.jit, donate_argnums=(0, 1))
    def step(params: Any, state: Any, x: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(params, x)
        updates, state = optax.adamw(1e-3).update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value

    params = {"w": -jnp.ones(3)}
    return step, (params, optax.adamw(1e-3).init(params), jnp.ones(3))


def random_keys() -> Example:
    def noisy(key: Any, x: Any) -> Any:
        noise = jax.random.uniform(key, x.shape, minval=-2, maxval=-1)
        return jnp.log1p(noise * x)  # the NaN

    return jax.jit(noisy), (jax.random.key(3), jnp.full(4, 2.0))


def static_arguments() -> Example:
    @partial(jax.jit, static_argnums=(1, 2))
    def power(x: Any, times: int, mode: str = "up") -> Any:
        for _ in range(times):
            x = x * x if mode == "up" else x - 1
        return x**0.5  # the NaN

    return power, (jnp.arange(3.0), 2, "down")


def scan() -> Example:
    def body(x: Any, rate: Any) -> Any:
        y = jnp.sqrt(x - rate)  # the NaN
        return y, y

    return lambda x: jax.lax.scan(body, x, jnp.linspace(0, 1, 6)), (np.float32(1.2),)


def custom_vjp() -> Example:
    @jax.custom_vjp
    def root(x: Any) -> Any:
        return jnp.sqrt(x)

    def backward(x: Any, g: Any) -> Any:
        return (g * jnp.sqrt(-x),)

    root.defvjp(lambda x: (root(x), x), backward)
    # JAX notes the call for the operations of the backward function.
    loss = lambda x: root(x).sum()  # the NaN  # noqa: E731
    return jax.grad(loss), (jnp.ones(3),)


def bf16() -> Example:
    def scaled(x: Any) -> Any:
        large = x * jnp.bfloat16(3e38)
        return large - large  # the NaN

    return jax.jit(scaled), (jnp.full(3, 4, jnp.bfloat16),)


def x64() -> Example:
    def tiny(x: Any) -> Any:
        return jnp.arccos(1 + x)  # the NaN

    with jax.enable_x64(True):
        return jax.jit(tiny).lower(np.float64(1e-12)), (np.float64(1e-12),)


def callback() -> Example:
    def shifted(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        shift = jax.pure_callback(lambda x: -np.asarray(x) - 1, shape, x)
        jax.debug.print("shift {}", shift)
        return jnp.log(x + shift)  # the NaN

    return jax.jit(shifted), (jnp.ones(2),)


def shard_map() -> Example:
    mesh = jax.make_mesh((8,), ("x",))
    spec = jax.sharding.PartitionSpec("x")

    @jax.jit
    @partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=jax.sharding.PartitionSpec())
    def norm(x: Any) -> Any:
        total = jax.lax.psum(x.sum(), "x")
        return jnp.sqrt(total)  # the NaN

    x = jax.device_put(-jnp.arange(16.0), jax.sharding.NamedSharding(mesh, spec))
    return norm, (x,)


MODELS: dict[str, Callable[[], Example]] = {
    function.__name__: function
    for function in (
        nnx_training_step,
        equinox_training_step,
        optax_loop,
        random_keys,
        static_arguments,
        scan,
        custom_vjp,
        bf16,
        x64,
        callback,
    )
}
