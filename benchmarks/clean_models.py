"""What `shlo why` finds in clean models of libraries of JAX: nothing is right, each finding is a false one.

    python -m venv zoo
    zoo/bin/pip install -e . llvmlite equinox optax dm-haiku diffrax optimistix lineax numpyro blackjax
    zoo/bin/pip install flax distrax jax-md ott-jax brax jraph tinygp rlax jaxopt penzai dm-pix
    zoo/bin/pip install mctx flowjax gpjax e3nn-jax
    zoo/bin/python benchmarks/clean_models.py [LIBRARY ...]

Each library has a process of its own; one that is not installed is named. A model is a small configuration
of what the library's own documents show: a training step, a solve, a sampler. Exits with 1 where something
was found, or a model does not run.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import measure

measure.use_repository()

Model = tuple[Callable[..., Any], tuple[Any, ...]]
MODELS: dict[str, dict[str, Callable[[], Model]]] = {}
LONGEST_S = 500
"""How long the models of a library may take together."""


def model(library: str) -> Callable[[Callable[[], Model]], Callable[[], Model]]:
    """Adds what builds a model to those of a library."""

    def add(build: Callable[[], Model]) -> Callable[[], Model]:
        MODELS.setdefault(library, {})[build.__name__] = build
        return build

    return add


def numbers(*shape: int, seed: int = 0) -> Any:
    """Returns normal random numbers in f32."""
    import numpy as np

    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def labels(count: int, classes: int) -> Any:
    """Returns numbers of classes."""
    import numpy as np

    return np.random.default_rng(1).integers(0, classes, size=count).astype(np.int32)


# --- flax ---


def _nnx_training(network: Any, x: Any, y: Any) -> Model:
    """Returns a training step of nnx by cross entropy with Adam."""
    import optax
    from flax import nnx

    optimizer = nnx.Optimizer(network, optax.adamw(1e-3), wrt=nnx.Param)

    @nnx.jit
    def step(network: Any, optimizer: Any, x: Any, y: Any) -> Any:
        def loss(network: Any) -> Any:
            return optax.softmax_cross_entropy_with_integer_labels(network(x), y).mean()

        value, gradients = nnx.value_and_grad(loss)(network)
        optimizer.update(network, gradients)
        return value

    return step, (network, optimizer, x, y)


@model("flax")
def nnx_mlp_dropout() -> Model:
    from flax import nnx

    class Network(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.hidden = nnx.Linear(8, 16, rngs=rngs)
            self.norm = nnx.BatchNorm(16, rngs=rngs)
            self.dropout = nnx.Dropout(0.2, rngs=rngs)
            self.head = nnx.Linear(16, 3, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.head(self.dropout(nnx.gelu(self.norm(self.hidden(x)))))

    return _nnx_training(Network(nnx.Rngs(0)), numbers(12, 8), labels(12, 3))


@model("flax")
def nnx_cnn() -> Model:
    from functools import partial

    from flax import nnx

    class Network(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.conv1 = nnx.Conv(1, 4, kernel_size=(3, 3), rngs=rngs)
            self.conv2 = nnx.Conv(4, 8, kernel_size=(3, 3), rngs=rngs)
            self.pool = partial(nnx.avg_pool, window_shape=(2, 2), strides=(2, 2))
            self.linear = nnx.Linear(2 * 2 * 8, 10, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            x = self.pool(nnx.relu(self.conv1(x)))
            x = self.pool(nnx.relu(self.conv2(x)))
            return self.linear(x.reshape(x.shape[0], -1))

    return _nnx_training(Network(nnx.Rngs(0)), numbers(4, 8, 8, 1), labels(4, 10))


@model("flax")
def nnx_transformer_block() -> Model:
    from flax import nnx

    class Network(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.embed = nnx.Embed(20, 16, rngs=rngs)
            self.attention = nnx.MultiHeadAttention(4, 16, decode=False, rngs=rngs)
            self.norm = nnx.LayerNorm(16, rngs=rngs)
            self.head = nnx.Linear(16, 20, rngs=rngs)

        def __call__(self, tokens: Any) -> Any:
            x = self.embed(tokens)
            x = x + self.attention(self.norm(x), mask=nnx.make_causal_mask(tokens))
            return self.head(x)

    tokens = labels(24, 20).reshape(2, 12)
    return _nnx_training(Network(nnx.Rngs(0)), tokens, tokens)


@model("flax")
def nnx_rnn() -> Model:
    from flax import nnx

    class Network(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.rnn = nnx.RNN(nnx.LSTMCell(5, 8, rngs=rngs))
            self.head = nnx.Linear(8, 3, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.head(self.rnn(x)[:, -1])

    return _nnx_training(Network(nnx.Rngs(0)), numbers(4, 7, 5), labels(4, 3))


def _linen_training(network: Any, x: Any, y: Any, *arguments: Any) -> Model:
    """Returns a training step of linen, jitted, on a TrainState."""
    import jax
    import optax
    from flax.training.train_state import TrainState

    parameters = network.init(jax.random.key(0), x, *arguments)["params"]
    state = TrainState.create(apply_fn=network.apply, params=parameters, tx=optax.adam(1e-3))

    @jax.jit
    def step(state: Any, x: Any, y: Any) -> Any:
        def loss(parameters: Any) -> Any:
            logits = state.apply_fn({"params": parameters}, x, *arguments)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        value, gradients = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=gradients), value

    return step, (state, x, y)


@model("flax")
def linen_mlp() -> Model:
    from flax import linen as nn

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            for size in (16, 16):
                x = nn.relu(nn.Dense(size)(x))
            return nn.Dense(3)(x)

    return _linen_training(Network(), numbers(8, 6), labels(8, 3))


@model("flax")
def linen_group_norm_cnn() -> Model:
    from flax import linen as nn

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            x = nn.Conv(8, (3, 3))(x)
            x = nn.swish(nn.GroupNorm(num_groups=4)(x))
            x = nn.max_pool(x, (2, 2), strides=(2, 2))
            x = nn.ConvTranspose(4, (2, 2), strides=(2, 2))(x)
            return nn.Dense(3)(x.mean(axis=(1, 2)))

    return _linen_training(Network(), numbers(3, 8, 8, 2), labels(3, 3))


@model("flax")
def linen_attention_scan() -> Model:
    from flax import linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x: Any, _: Any) -> Any:
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=2)(y, y)
            return x + nn.Dense(8)(nn.gelu(nn.Dense(16)(nn.LayerNorm()(x)))), None

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            layers = nn.scan(Block, variable_axes={"params": 0}, split_rngs={"params": True}, length=3)
            x, _ = layers()(x, None)
            return nn.Dense(3)(x[:, 0])

    return _linen_training(Network(), numbers(2, 6, 8), labels(2, 3))


@model("flax")
def linen_vae() -> Model:
    import jax
    import jax.numpy as jnp
    import optax
    from flax import linen as nn

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x: Any, key: Any) -> Any:
            hidden = nn.relu(nn.Dense(16)(x))
            mean, log_variance = nn.Dense(4)(hidden), nn.Dense(4)(hidden)
            z = mean + jnp.exp(0.5 * log_variance) * jax.random.normal(key, mean.shape)
            return nn.Dense(10)(nn.relu(nn.Dense(16)(z))), mean, log_variance

    network, x = Network(), (numbers(8, 10) > 0).astype("float32")
    parameters = network.init(jax.random.key(0), x, jax.random.key(1))
    optimizer = optax.adam(1e-3)

    @jax.jit
    def step(parameters: Any, state: Any, x: Any, key: Any) -> Any:
        def loss(parameters: Any) -> Any:
            logits, mean, log_variance = network.apply(parameters, x, key)
            bce = optax.sigmoid_binary_cross_entropy(logits, x).sum(-1).mean()
            kl = -0.5 * jnp.sum(1 + log_variance - mean**2 - jnp.exp(log_variance), axis=-1).mean()
            return bce + kl

        value, gradients = jax.value_and_grad(loss)(parameters)
        updates, state = optimizer.update(gradients, state)
        return optax.apply_updates(parameters, updates), state, value

    return step, (parameters, optimizer.init(parameters), x, jax.random.key(2))


# --- equinox ---


def _equinox_training(network: Any, loss: Callable[..., Any], *data: Any) -> Model:
    import equinox as eqx
    import optax

    optimizer = optax.adam(1e-3)
    state = optimizer.init(eqx.filter(network, eqx.is_inexact_array))

    @eqx.filter_jit
    def step(network: Any, state: Any, *data: Any) -> Any:
        value, gradients = eqx.filter_value_and_grad(loss)(network, *data)
        updates, state = optimizer.update(gradients, state, network)
        return eqx.apply_updates(network, updates), state, value

    return step, (network, state, *data)


@model("equinox")
def equinox_mlp() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    def loss(network: Any, x: Any, y: Any) -> Any:
        return jnp.mean((jax.vmap(network)(x) - y) ** 2)

    return _equinox_training(
        eqx.nn.MLP(3, 2, 16, 2, key=jax.random.key(0)), loss, numbers(8, 3), numbers(8, 2)
    )


@model("equinox")
def equinox_gru_scan() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    class Network(eqx.Module):
        cell: Any
        head: Any

        def __init__(self, key: Any) -> None:
            cell_key, head_key = jax.random.split(key)
            self.cell = eqx.nn.GRUCell(2, 8, key=cell_key)
            self.head = eqx.nn.Linear(8, 1, key=head_key)

        def __call__(self, x: Any) -> Any:
            state, _ = jax.lax.scan(lambda state, x: (self.cell(x, state), None), jnp.zeros(8), x)
            return jax.nn.sigmoid(self.head(state))[0]

    def loss(network: Any, x: Any, y: Any) -> Any:
        p = jnp.clip(jax.vmap(network)(x), 1e-6, 1 - 1e-6)
        return -jnp.mean(y * jnp.log(p) + (1 - y) * jnp.log(1 - p))

    target = (numbers(6) > 0).astype("float32")
    return _equinox_training(Network(jax.random.key(0)), loss, numbers(6, 9, 2), target)


@model("equinox")
def equinox_conv_pool() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    keys = jax.random.split(jax.random.key(0), 2)
    network = eqx.nn.Sequential(
        [
            eqx.nn.Conv2d(1, 3, 3, key=keys[0]),
            eqx.nn.MaxPool2d(2, 2),
            eqx.nn.Lambda(jax.nn.relu),
            eqx.nn.Lambda(jnp.ravel),
            eqx.nn.Linear(27, 5, key=keys[1]),
            eqx.nn.Lambda(jax.nn.log_softmax),
        ]
    )

    def loss(network: Any, x: Any, y: Any) -> Any:
        return -jnp.mean(jnp.take_along_axis(jax.vmap(network)(x), y[:, None], axis=1))

    return _equinox_training(network, loss, numbers(4, 1, 8, 8), labels(4, 5))


@model("equinox")
def equinox_attention_dropout() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    class Block(eqx.Module):
        attention: Any
        norm: Any
        dropout: Any

        def __init__(self, key: Any) -> None:
            self.attention = eqx.nn.MultiheadAttention(2, 8, dropout_p=0.1, key=key)
            self.norm = eqx.nn.LayerNorm(8)
            self.dropout = eqx.nn.Dropout(0.1)

        def __call__(self, x: Any, key: Any) -> Any:
            attention_key, dropout_key = jax.random.split(key)
            y = jax.vmap(self.norm)(x)
            return x + self.dropout(self.attention(y, y, y, key=attention_key), key=dropout_key)

    def loss(network: Any, x: Any, key: Any) -> Any:
        return jnp.mean(jax.vmap(network)(x, jax.random.split(key, x.shape[0])) ** 2)

    return _equinox_training(Block(jax.random.key(0)), loss, numbers(3, 5, 8), jax.random.key(1))


@model("equinox")
def equinox_batch_norm_state() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    class Network(eqx.Module):
        linear: Any
        norm: Any

        def __init__(self, key: Any) -> None:
            self.linear = eqx.nn.Linear(4, 6, key=key)
            self.norm = eqx.nn.BatchNorm(6, axis_name="batch", mode="batch")

        def __call__(self, x: Any, state: Any) -> Any:
            return self.norm(self.linear(x), state)

    network, state = eqx.nn.make_with_state(Network)(jax.random.key(0))

    @eqx.filter_jit
    def step(network: Any, state: Any, x: Any) -> Any:
        @eqx.filter_value_and_grad(has_aux=True)
        def loss(network: Any, state: Any) -> Any:
            batched = jax.vmap(network, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
            y, state = batched(x, state)
            return jnp.mean(jnp.tanh(y) ** 2), state

        (value, state), gradients = loss(network, state)
        return eqx.apply_updates(network, jax.tree.map(lambda g: -0.1 * g, gradients)), state, value

    return step, (network, state, numbers(8, 4))


# --- haiku ---


def _haiku_training(forward: Callable[..., Any], x: Any, y: Any) -> Model:
    import haiku as hk
    import jax
    import optax

    network = hk.transform_with_state(forward)
    parameters, state = network.init(jax.random.key(0), x)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))

    @jax.jit
    def step(parameters: Any, state: Any, optimizer_state: Any, key: Any, x: Any, y: Any) -> Any:
        def loss(parameters: Any, state: Any) -> Any:
            logits, state = network.apply(parameters, state, key, x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), state

        (value, state), gradients = jax.value_and_grad(loss, has_aux=True)(parameters, state)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return optax.apply_updates(parameters, updates), state, optimizer_state, value

    return step, (parameters, state, optimizer.init(parameters), jax.random.key(1), x, y)


@model("haiku")
def haiku_mlp_dropout() -> Model:
    import haiku as hk

    def forward(x: Any) -> Any:
        return hk.nets.MLP([16, 16, 4])(x, dropout_rate=0.1, rng=hk.next_rng_key())

    return _haiku_training(forward, numbers(8, 6), labels(8, 4))


@model("haiku")
def haiku_resnet_block() -> Model:
    import haiku as hk
    import jax

    def forward(x: Any) -> Any:
        y = hk.Conv2D(8, 3)(x)
        y = jax.nn.relu(hk.BatchNorm(True, True, 0.9)(y, is_training=True))
        y = hk.Conv2D(3, 3)(y) + x
        return hk.Linear(4)(y.mean(axis=(1, 2)))

    return _haiku_training(forward, numbers(4, 6, 6, 3), labels(4, 4))


@model("haiku")
def haiku_lstm() -> Model:
    import haiku as hk

    def forward(x: Any) -> Any:
        core = hk.LSTM(8)
        outputs, _ = hk.dynamic_unroll(core, x, core.initial_state(x.shape[1]))
        return hk.Linear(4)(outputs[-1])

    return _haiku_training(forward, numbers(7, 3, 5), labels(3, 4))


@model("haiku")
def haiku_attention() -> Model:
    import haiku as hk
    import jax.numpy as jnp
    import numpy as np

    def forward(tokens: Any) -> Any:
        x = hk.Embed(12, 8)(tokens)
        mask = np.tril(np.ones((1, 1, 6, 6)))
        x = x + hk.MultiHeadAttention(2, 4, model_size=8, w_init_scale=1.0)(x, x, x, mask)
        x = hk.LayerNorm(-1, True, True)(x)
        return hk.Linear(12)(jnp.tanh(x))

    tokens = labels(12, 12).reshape(2, 6)
    return _haiku_training(forward, tokens, tokens)


# --- optax ---


def _optax_training(optimizer: Any) -> Model:
    """Returns a few steps of an optimizer on a least-squares problem, in a scan."""
    import jax
    import jax.numpy as jnp
    import optax

    parameters = {"w": numbers(4, 2), "b": jnp.zeros(2)}

    @jax.jit
    def fit(parameters: Any, x: Any, y: Any) -> Any:
        def loss(parameters: Any, x: Any, y: Any) -> Any:
            return optax.huber_loss(x @ parameters["w"] + parameters["b"], y).mean()

        def step(carry: Any, batch: Any) -> Any:
            parameters, state = carry
            value, gradients = jax.value_and_grad(loss)(parameters, *batch)
            updates, state = optimizer.update(gradients, state, parameters)
            return (optax.apply_updates(parameters, updates), state), value

        return jax.lax.scan(step, (parameters, optimizer.init(parameters)), (x, y))

    return fit, (parameters, numbers(5, 6, 4), numbers(5, 6, 2, seed=1))


@model("optax")
def optax_adamw_schedule() -> Model:
    import optax

    return _optax_training(optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 1e-2, 2, 5)))


@model("optax")
def optax_lion_clipped() -> Model:
    import optax

    return _optax_training(optax.chain(optax.clip_by_global_norm(1.0), optax.lion(1e-3)))


@model("optax")
def optax_lamb() -> Model:
    import optax

    return _optax_training(optax.lamb(1e-2))


@model("optax")
def optax_adafactor() -> Model:
    import optax

    return _optax_training(optax.adafactor(1e-2))


@model("optax")
def optax_multi_steps_ema() -> Model:
    import optax

    inner = optax.chain(optax.scale_by_rms(), optax.trace(0.9), optax.scale(-1e-2))
    return _optax_training(optax.MultiSteps(inner, every_k_schedule=2).gradient_transformation())


@model("optax")
def optax_lbfgs() -> Model:
    import jax
    import jax.numpy as jnp
    import optax

    optimizer = optax.lbfgs()

    def rosenbrock(x: Any) -> Any:
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    @jax.jit
    def fit(x: Any) -> Any:
        value_and_grad = optax.value_and_grad_from_state(rosenbrock)

        def step(carry: Any, _: Any) -> Any:
            x, state = carry
            value, gradient = value_and_grad(x, state=state)
            updates, state = optimizer.update(
                gradient, state, x, value=value, grad=gradient, value_fn=rosenbrock
            )
            return (optax.apply_updates(x, updates), state), value

        return jax.lax.scan(step, (x, optimizer.init(x)), length=8)

    return fit, (numbers(4),)


@model("optax")
def optax_ctc() -> Model:
    import jax
    import jax.numpy as jnp
    import optax

    @jax.jit
    def step(logits: Any, labels: Any) -> Any:
        def loss(logits: Any) -> Any:
            paddings = jnp.zeros(logits.shape[:2])
            return optax.ctc_loss(logits, paddings, labels, jnp.zeros(labels.shape)).mean()

        return jax.value_and_grad(loss)(logits)

    return step, (numbers(2, 8, 5), labels(6, 4).reshape(2, 3) + 1)


# --- solvers: diffrax, optimistix, lineax, jaxopt ---


@model("diffrax")
def diffrax_lotka_volterra() -> Model:
    import diffrax
    import jax
    import jax.numpy as jnp

    def field(t: Any, y: Any, args: Any) -> Any:
        alpha, beta, gamma, delta = args
        return jnp.stack([alpha * y[0] - beta * y[0] * y[1], -gamma * y[1] + delta * y[0] * y[1]])

    @jax.jit
    def solve(y0: Any, args: Any) -> Any:
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Tsit5(), 0.0, 5.0, 0.1, y0, args,
            saveat=diffrax.SaveAt(ts=jnp.linspace(0.0, 5.0, 8)),
            stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-6),
        )  # fmt: skip
        return solution.ys

    return solve, (jnp.array([10.0, 10.0]), jnp.array([0.1, 0.02, 0.4, 0.02]))


@model("diffrax")
def diffrax_neural_ode_gradient() -> Model:
    import diffrax
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    network = eqx.nn.MLP(2, 2, 8, 1, activation=jax.nn.softplus, key=jax.random.key(0))

    def loss(network: Any, y0: Any, target: Any) -> Any:
        def solve(y0: Any) -> Any:
            return diffrax.diffeqsolve(
                diffrax.ODETerm(lambda t, y, args: network(y)), diffrax.Heun(), 0.0, 1.0, 0.25, y0
            ).ys[0]

        return jnp.mean((jax.vmap(solve)(y0) - target) ** 2)

    return _equinox_training(network, loss, numbers(4, 2), numbers(4, 2, seed=1))


@model("diffrax")
def diffrax_sde() -> Model:
    import diffrax
    import jax
    import jax.numpy as jnp

    @jax.jit
    def solve(y0: Any, key: Any) -> Any:
        brownian = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)
        terms = diffrax.MultiTerm(
            diffrax.ODETerm(lambda t, y, args: -y), diffrax.ControlTerm(lambda t, y, args: 0.1 * t, brownian)
        )
        return diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.1, y0).ys

    return solve, (jnp.array(1.0), jax.random.key(0))


@model("diffrax")
def diffrax_stiff() -> Model:
    import diffrax
    import jax
    import jax.numpy as jnp

    def robertson(t: Any, y: Any, args: Any) -> Any:
        a, b, c = 0.04 * y[0], 3e3 * y[1] * y[1], 1e2 * y[1] * y[2]
        return jnp.stack([-a + c, a - b - c, b])

    @jax.jit
    def solve(y0: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(robertson), diffrax.Kvaerno3(), 0.0, 1.0, 1e-2, y0,
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-5), max_steps=256,
        ).ys  # fmt: skip

    return solve, (jnp.array([1.0, 0.0, 0.0]),)


@model("optimistix")
def optimistix_newton() -> Model:
    import jax
    import jax.numpy as jnp
    import optimistix as optx

    @jax.jit
    def solve(y0: Any, a: Any) -> Any:
        solver = optx.Newton(rtol=1e-5, atol=1e-5)
        return optx.root_find(lambda y, a: jnp.tanh(y) + a * y - 0.3, solver, y0, a).value

    return solve, (numbers(3), jnp.array([1.0, 2.0, 0.5]))


@model("optimistix")
def optimistix_levenberg_marquardt() -> Model:
    import jax
    import jax.numpy as jnp
    import optimistix as optx

    @jax.jit
    def fit(parameters: Any, x: Any, y: Any) -> Any:
        def residuals(parameters: Any, args: Any) -> Any:
            return parameters[0] * jnp.exp(-parameters[1] * x) + parameters[2] - y

        solver = optx.LevenbergMarquardt(rtol=1e-4, atol=1e-4)
        return optx.least_squares(residuals, solver, parameters, throw=False).value

    x = abs(numbers(12))
    return fit, (jnp.array([1.0, 1.0, 0.0]), x, 2.0 * jnp.exp(-0.7 * x) + 0.3)


@model("optimistix")
def optimistix_bfgs_gradient() -> Model:
    import jax
    import jax.numpy as jnp
    import optimistix as optx

    @jax.jit
    def outer(scale: Any, y0: Any) -> Any:
        def best(scale: Any) -> Any:
            solver = optx.BFGS(rtol=1e-4, atol=1e-4)
            quadratic = optx.minimise(
                lambda y, scale: jnp.sum((scale * y - 1) ** 2) + 0.1 * jnp.sum(y**2), solver, y0, scale
            )
            return jnp.sum(quadratic.value)

        return jax.value_and_grad(best)(scale)

    return outer, (jnp.array([1.0, 2.0, 3.0]), jnp.zeros(3))


@model("lineax")
def lineax_solvers() -> Model:
    import jax
    import jax.numpy as jnp
    import lineax as lx

    @jax.jit
    def solve(a: Any, b: Any) -> Any:
        spd = a @ a.T + 5.0 * jnp.eye(5)
        positive = lx.MatrixLinearOperator(spd, lx.positive_semidefinite_tag)
        return (
            lx.linear_solve(lx.MatrixLinearOperator(a + 6 * jnp.eye(5)), b, lx.LU()).value,
            lx.linear_solve(positive, b, lx.Cholesky()).value,
            lx.linear_solve(positive, b, lx.CG(rtol=1e-5, atol=1e-5)).value,
        )

    return solve, (numbers(5, 5), numbers(5))


@model("lineax")
def lineax_least_squares_gradient() -> Model:
    import jax
    import jax.numpy as jnp
    import lineax as lx

    @jax.jit
    def outer(a: Any, b: Any) -> Any:
        def norm(a: Any) -> Any:
            return jnp.sum(lx.linear_solve(lx.MatrixLinearOperator(a), b, lx.QR()).value ** 2)

        return jax.value_and_grad(norm)(a)

    return outer, (numbers(8, 3), numbers(8))


@model("jaxopt")
def jaxopt_projected_gradient() -> Model:
    import jax
    import jax.numpy as jnp
    import jaxopt

    def objective(w: Any, data: Any) -> Any:
        x, y = data
        return jnp.mean((x @ w - y) ** 2)

    solver = jaxopt.ProjectedGradient(objective, jaxopt.projection.projection_simplex, maxiter=20)

    @jax.jit
    def fit(w: Any, x: Any, y: Any) -> Any:
        return solver.run(w, data=(x, y)).params

    return fit, (jnp.ones(4) / 4, numbers(10, 4), numbers(10))


@model("jaxopt")
def jaxopt_lbfgs_logistic() -> Model:
    import jax
    import jax.numpy as jnp
    import jaxopt

    @jax.jit
    def fit(w: Any, x: Any, y: Any) -> Any:
        def objective(w: Any) -> Any:
            return jaxopt.loss.multiclass_logistic_loss(y[0], x[0] @ w) + 0.1 * jnp.sum(w**2)

        return jaxopt.GradientDescent(objective, maxiter=10).run(w).params

    return fit, (jnp.zeros((4, 3)), numbers(1, 4), labels(1, 3))


# --- probability: numpyro, blackjax, distrax, tinygp, gpjax, flowjax ---


@model("numpyro")
def numpyro_nuts() -> Model:
    import jax
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import NUTS
    from numpyro.infer.util import initialize_model

    def regression(x: Any, y: Any) -> None:
        a = numpyro.sample("a", dist.Normal(0.0, 1.0))
        b = numpyro.sample("b", dist.Normal(0.0, 1.0))
        sigma = numpyro.sample("sigma", dist.HalfNormal(1.0))
        numpyro.sample("y", dist.Normal(a + b * x, sigma), obs=y)

    x = numbers(10)
    data = (x, 0.5 + 2 * x + 0.1 * numbers(10, seed=1))
    info = initialize_model(jax.random.key(0), regression, model_args=data)
    kernel = NUTS(potential_fn=info.potential_fn, step_size=0.1, adapt_step_size=False, max_tree_depth=3)
    state = kernel.init(
        jax.random.key(1), 0, init_params=jax.tree.map(jnp.asarray, info.param_info), model_args=(),
        model_kwargs={},
    )  # fmt: skip

    @jax.jit
    def sample(state: Any) -> Any:
        return kernel.sample(state, (), {})

    return sample, (state,)


@model("numpyro")
def numpyro_svi() -> Model:
    import jax
    import numpyro
    import numpyro.distributions as dist
    import optax
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal

    def coin(data: Any) -> None:
        p = numpyro.sample("p", dist.Beta(2.0, 2.0))
        with numpyro.plate("data", data.shape[0]):
            numpyro.sample("flip", dist.Bernoulli(p), obs=data)

    data = (numbers(16) > 0).astype("float32")
    svi = SVI(coin, AutoNormal(coin), optax.adam(1e-2), Trace_ELBO())
    state = svi.init(jax.random.key(0), data)

    @jax.jit
    def step(state: Any, data: Any) -> Any:
        return svi.update(state, data)

    return step, (state, data)


@model("numpyro")
def numpyro_distributions() -> Model:
    import jax
    import jax.numpy as jnp
    import numpyro.distributions as dist

    @jax.jit
    def log_density(loc: Any, scale: Any, key: Any) -> Any:
        keys = jax.random.split(key, 3)
        normal = dist.TransformedDistribution(dist.Normal(loc, scale), dist.transforms.ExpTransform())
        gamma, student = dist.Gamma(2.0 + scale, scale), dist.StudentT(5.0, loc, scale)
        return (
            normal.log_prob(normal.sample(keys[0])).sum(),
            gamma.log_prob(gamma.sample(keys[1])).sum(),
            student.log_prob(student.sample(keys[2])).sum(),
        )

    return log_density, (numbers(4), jnp.abs(numbers(4, seed=1)) + 0.5, jax.random.key(0))


def _blackjax_sampler(make: Callable[[Any, Callable[..., Any]], Any]) -> Model:
    import blackjax
    import jax
    import jax.numpy as jnp
    from jax.scipy import stats

    observed = 10 + 2 * numbers(20)

    def log_density(x: Any) -> Any:
        return stats.norm.logpdf(observed, x["loc"], jnp.exp(x["log_scale"])).sum()

    kernel = make(blackjax, log_density)
    state = kernel.init({"loc": jnp.array(9.0), "log_scale": jnp.array(0.5)})

    @jax.jit
    def sample(key: Any, state: Any) -> Any:
        def one(state: Any, key: Any) -> Any:
            state, _ = kernel.step(key, state)
            return state, state.position

        return jax.lax.scan(one, state, jax.random.split(key, 3))

    return sample, (jax.random.key(0), state)


@model("blackjax")
def blackjax_hmc() -> Model:
    import jax.numpy as jnp

    return _blackjax_sampler(lambda blackjax, density: blackjax.hmc(density, 1e-2, jnp.ones(2), 5))


@model("blackjax")
def blackjax_nuts() -> Model:
    import jax.numpy as jnp

    return _blackjax_sampler(
        lambda blackjax, density: blackjax.nuts(density, 1e-1, jnp.ones(2), max_num_doublings=3)
    )


@model("blackjax")
def blackjax_mala() -> Model:
    return _blackjax_sampler(lambda blackjax, density: blackjax.mala(density, 1e-3))


@model("distrax")
def distrax_flow() -> Model:
    import distrax
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(parameters: Any, x: Any, key: Any) -> Any:
        def loss(parameters: Any) -> Any:
            affine = distrax.ScalarAffine(parameters["shift"], log_scale=parameters["log_scale"])
            bijector = distrax.Chain([distrax.Tanh(), affine])
            base = distrax.Independent(distrax.Normal(jnp.zeros(3), jnp.ones(3)), 1)
            flow = distrax.Transformed(base, distrax.Block(bijector, 1))
            sample, log_prob = flow.sample_and_log_prob(seed=key, sample_shape=(4,))
            return -flow.log_prob(x).mean() + 0.0 * log_prob.mean() + jnp.mean(sample**2)

        return jax.value_and_grad(loss)(parameters)

    parameters = {"shift": jnp.zeros(3), "log_scale": jnp.full(3, -0.5)}
    return step, (parameters, 0.5 * jnp.tanh(numbers(6, 3)), jax.random.key(0))


@model("distrax")
def distrax_mixture() -> Model:
    import distrax
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(logits: Any, means: Any, x: Any) -> Any:
        def loss(logits: Any, means: Any) -> Any:
            mixture = distrax.MixtureSameFamily(
                distrax.Categorical(logits), distrax.Normal(means, jnp.ones(3))
            )
            return -mixture.log_prob(x).mean() - 0.01 * distrax.Categorical(logits).entropy()

        return jax.value_and_grad(loss, argnums=(0, 1))(logits, means)

    return step, (jnp.zeros(3), numbers(3), numbers(10, seed=1))


@model("tinygp")
def tinygp_regression() -> Model:
    import jax
    import jax.numpy as jnp
    import tinygp

    @jax.jit
    def step(parameters: Any, x: Any, y: Any) -> Any:
        def loss(parameters: Any) -> Any:
            kernel = jnp.exp(parameters["amplitude"]) * tinygp.kernels.Matern32(jnp.exp(parameters["scale"]))
            process = tinygp.GaussianProcess(kernel, x, diag=jnp.exp(parameters["noise"]))
            return -process.log_probability(y)

        return jax.value_and_grad(loss)(parameters)

    parameters = {"amplitude": jnp.array(0.1), "scale": jnp.array(0.2), "noise": jnp.array(-2.0)}
    x = jnp.sort(jnp.linspace(0, 3, 12) + 0.05 * numbers(12))
    return step, (parameters, x, jnp.sin(3 * x))


@model("gpjax")
def gpjax_posterior() -> Model:
    import gpjax as gpx
    import jax
    import jax.numpy as jnp

    def build(x: Any, y: Any) -> Any:
        data = gpx.Dataset(X=x, y=y)
        prior = gpx.gps.Prior(mean_function=gpx.mean_functions.Zero(), kernel=gpx.kernels.RBF())
        return prior * gpx.likelihoods.Gaussian(), data

    @jax.jit
    def negative_mll(x: Any, y: Any) -> Any:
        posterior, data = build(x, y)
        return -gpx.objectives.conjugate_mll(posterior, data)

    x = jnp.linspace(-2.0, 2.0, 10)[:, None]
    return negative_mll, (x, jnp.sin(2 * x))


@model("flowjax")
def flowjax_density() -> Model:
    import equinox as eqx
    import jax
    import jax.numpy as jnp
    from flowjax.distributions import Normal
    from flowjax.flows import masked_autoregressive_flow

    flow = masked_autoregressive_flow(
        jax.random.key(0), base_dist=Normal(jnp.zeros(2)), flow_layers=2, nn_width=8, nn_depth=1
    )

    @eqx.filter_jit
    def log_density(flow: Any, x: Any) -> Any:
        return -flow.log_prob(x).mean()

    return log_density, (flow, numbers(6, 2))


# --- optimal transport, reinforcement learning, physics, graphs, images ---


@model("ott")
def ott_sinkhorn() -> Model:
    import jax
    from ott.geometry import pointcloud
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import sinkhorn

    @jax.jit
    def transport(x: Any, y: Any) -> Any:
        def cost(x: Any) -> Any:
            geometry = pointcloud.PointCloud(x, y, epsilon=0.5)
            return sinkhorn.Sinkhorn(max_iterations=50)(linear_problem.LinearProblem(geometry)).reg_ot_cost

        return jax.value_and_grad(cost)(x)

    return transport, (numbers(6, 2), numbers(7, 2, seed=1) + 1)


@model("ott")
def ott_soft_sort() -> Model:
    import jax
    from ott.tools import soft_sort

    return jax.jit(lambda x: soft_sort.sort(x, axis=-1, epsilon=0.1)), (numbers(8),)


@model("brax")
def brax_ppo_losses() -> Model:
    import jax
    import jax.numpy as jnp
    from brax.training import distribution, networks
    from brax.training.agents.ppo.losses import compute_gae

    policy = networks.make_policy_network(4, 6, hidden_layer_sizes=(16, 16))
    actions = distribution.NormalTanhDistribution(event_size=2)

    @jax.jit
    def step(parameters: Any, observed: Any, rewards: Any, values: Any, key: Any) -> Any:
        def loss(parameters: Any) -> Any:
            logits = policy.apply(None, parameters, observed)
            raw = jax.lax.stop_gradient(actions.sample_no_postprocessing(logits, key))
            log_prob = actions.log_prob(logits, raw)
            _, advantages = compute_gae(
                jnp.zeros_like(rewards), jnp.ones_like(rewards), rewards, values, values[-1]
            )
            return -jnp.mean(log_prob * advantages)

        return jax.value_and_grad(loss)(parameters)

    data = numbers(5, 3, 6), numbers(5, 3, seed=1), numbers(5, 3, seed=2)
    return step, (policy.init(jax.random.key(0)), *data, jax.random.key(1))


@model("brax")
def brax_math() -> Model:
    import jax
    from brax import math

    @jax.jit
    def rotate(v: Any, q: Any) -> Any:
        unit, _ = math.normalize(q)
        return math.rotate(v, unit), math.inv_rotate(v, unit), math.quat_to_3x3(unit)

    return rotate, (numbers(3), numbers(4))


@model("rlax")
def rlax_losses() -> Model:
    import jax
    import jax.numpy as jnp
    import rlax

    @jax.jit
    def step(q: Any, actions: Any, rewards: Any, q_next: Any) -> Any:
        def loss(q: Any) -> Any:
            errors = jax.vmap(rlax.double_q_learning)(
                q, actions, rewards, jnp.full(6, 0.9), q_next, q_next + 0.1
            )
            return jnp.mean(rlax.l2_loss(errors))

        return jax.value_and_grad(loss)(q)

    return step, (numbers(6, 3), labels(6, 3), numbers(6, seed=1), numbers(6, 3, seed=2))


@model("rlax")
def rlax_vtrace() -> Model:
    import jax
    import jax.numpy as jnp
    import rlax

    @jax.jit
    def step(logits: Any, values: Any, rewards: Any, actions: Any) -> Any:
        def loss(logits: Any, values: Any) -> Any:
            returns = rlax.vtrace_td_error_and_advantage(
                values[:-1], values[1:], rewards, jnp.full(5, 0.9), jnp.ones(5)
            )
            policy = rlax.policy_gradient_loss(logits, actions, returns.pg_advantage, jnp.ones(5))
            return policy + jnp.mean(returns.errors**2) + 0.01 * rlax.entropy_loss(logits, jnp.ones(5))

        return jax.value_and_grad(loss, argnums=(0, 1))(logits, values)

    return step, (numbers(5, 3), numbers(6), numbers(5, seed=1), labels(5, 3))


@model("mctx")
def mctx_search() -> Model:
    import jax
    import jax.numpy as jnp
    import mctx

    def recurrent(parameters: Any, key: Any, action: Any, embedding: Any) -> Any:
        embedding = jnp.tanh(embedding @ parameters + action[:, None])
        output = mctx.RecurrentFnOutput(
            reward=embedding[:, 0], discount=jnp.full(2, 0.9), prior_logits=embedding[:, :3],
            value=embedding[:, 1],
        )  # fmt: skip
        return output, embedding

    @jax.jit
    def search(parameters: Any, state: Any, key: Any) -> Any:
        root = mctx.RootFnOutput(prior_logits=state[:, :3], value=state[:, 0], embedding=state)
        policy = mctx.muzero_policy(parameters, key, root, recurrent, num_simulations=4)
        return policy.action, policy.action_weights

    return search, (numbers(4, 4), numbers(2, 4), jax.random.key(0))


@model("jax_md")
def jax_md_energy() -> Model:
    import jax
    from jax_md import energy, quantity, space

    displacement, _ = space.periodic(4.0)
    pair = energy.soft_sphere_pair(displacement)

    @jax.jit
    def forces(positions: Any) -> Any:
        return pair(positions), quantity.force(pair)(positions)

    return forces, (4.0 * abs(numbers(8, 2)) % 4.0,)


@model("jax_md")
def jax_md_minimize() -> Model:
    import jax
    from jax_md import energy, minimize, space

    displacement, shift = space.free()
    pair = energy.lennard_jones_pair(displacement)

    @jax.jit
    def relax(positions: Any) -> Any:
        init, apply = minimize.gradient_descent(pair, shift, 1e-3)
        return jax.lax.fori_loop(0, 5, lambda _, state: apply(state), init(positions))

    import numpy as np

    grid = np.stack(np.meshgrid(np.arange(3), np.arange(3)), -1).reshape(-1, 2)
    return relax, ((1.2 * grid + 0.02 * numbers(9, 2)).astype(np.float32),)


@model("jraph")
def jraph_gcn() -> Model:
    import jax
    import jax.numpy as jnp
    import jraph

    graph = jraph.GraphsTuple(
        nodes=jnp.asarray(numbers(5, 4)), edges=jnp.asarray(numbers(6, 2)), globals=None,
        senders=jnp.array([0, 1, 2, 3, 4, 0]), receivers=jnp.array([1, 2, 3, 4, 0, 2]),
        n_node=jnp.array([5]), n_edge=jnp.array([6]),
    )  # fmt: skip

    @jax.jit
    def step(w: Any, graph: Any) -> Any:
        def loss(w: Any) -> Any:
            layer = jraph.GraphConvolution(
                lambda nodes: nodes @ w, add_self_edges=True, symmetric_normalization=True
            )
            return jnp.mean(jax.nn.relu(layer(graph).nodes) ** 2)

        return jax.value_and_grad(loss)(w)

    return step, (numbers(4, 4), graph)


@model("jraph")
def jraph_graph_network() -> Model:
    import jax
    import jax.numpy as jnp
    import jraph

    graph = jraph.GraphsTuple(
        nodes=jnp.asarray(numbers(4, 3)), edges=jnp.asarray(numbers(5, 3)), globals=jnp.ones((1, 3)),
        senders=jnp.array([0, 1, 2, 3, 0]), receivers=jnp.array([1, 2, 3, 0, 2]),
        n_node=jnp.array([4]), n_edge=jnp.array([5]),
    )  # fmt: skip

    @jax.jit
    def step(w: Any, graph: Any) -> Any:
        def loss(w: Any) -> Any:
            network = jraph.GraphNetwork(
                update_edge_fn=lambda edges, sent, received, globals_: jnp.tanh(
                    (edges + sent + received) @ w
                ),
                update_node_fn=lambda nodes, sent, received, globals_: nodes + received,
                update_global_fn=lambda nodes, edges, globals_: globals_ + nodes + edges,
            )
            return jnp.sum(network(graph).globals ** 2)

        return jax.value_and_grad(loss)(w)

    return step, (numbers(3, 3), graph)


@model("dm_pix")
def pix_augmentations() -> Model:
    import dm_pix as pix
    import jax
    import jax.numpy as jnp

    @jax.jit
    def augment(image: Any, key: Any) -> Any:
        flip, bright, crop = jax.random.split(key, 3)
        image = pix.random_flip_left_right(flip, image)
        image = pix.random_brightness(bright, image, 0.2)
        image = pix.adjust_contrast(pix.gaussian_blur(image, 1.0, 3), 1.2)
        return pix.random_crop(crop, image, (6, 6, 3)), pix.ssim(image, jnp.flip(image, 0), filter_size=3)

    return augment, (1 / (1 + jnp.exp(-numbers(8, 8, 3))), jax.random.key(0))


@model("e3nn_jax")
def e3nn_tensor_product() -> Model:
    import e3nn_jax as e3nn
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(w: Any, vectors: Any) -> Any:
        def loss(w: Any) -> Any:
            harmonics = e3nn.spherical_harmonics("0e + 1o + 2e", e3nn.IrrepsArray("1o", vectors), True)
            product = e3nn.tensor_product(harmonics, harmonics, filter_ir_out=["0e"])
            return jnp.sum((product.array @ w) ** 2)

        return jax.value_and_grad(loss)(w)

    return step, (numbers(3), numbers(5, 3))


@model("penzai")
def penzai_transformer_parts() -> Model:
    import jax
    import jax.numpy as jnp
    from penzai import pz

    network = pz.nn.Sequential(
        [
            pz.nn.Linear.from_config("in", jax.random.key(0), {"features": 4}, {"hidden": 8}),
            pz.nn.Elementwise(jax.nn.gelu),
            pz.nn.RMSLayerNorm.from_config("norm", jax.random.key(1), {"hidden": 8}),
        ]
    )
    frozen, parameters = pz.unbind_params(network, freeze=True)

    @jax.jit
    def apply(x: Any, parameters: Any) -> Any:
        bound = pz.bind_variables(frozen, parameters)
        return jnp.mean(bound(pz.nx.wrap(x, "batch", "features")).unwrap("batch", "hidden") ** 2)

    return apply, (numbers(3, 4), parameters)


# --- plain JAX ---


@model("jax")
def plain_gpt_block() -> Model:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(parameters: Any, tokens: Any) -> Any:
        def loss(parameters: Any) -> Any:
            x = parameters["embed"][tokens]
            q, k, v = jnp.split(x @ parameters["qkv"], 3, axis=-1)
            scores = q @ k.T / jnp.sqrt(8.0)
            weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones_like(scores)) > 0, scores, -1e9))
            logits = (x + weights @ v) @ parameters["embed"].T
            return -jax.nn.log_softmax(logits[:-1])[jnp.arange(9), tokens[1:]].mean()

        return jax.value_and_grad(loss)(parameters)

    return step, ({"embed": numbers(12, 8), "qkv": 0.3 * numbers(8, 24)}, labels(10, 12))


@model("jax")
def plain_mixed_precision_loss_scale() -> Model:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(w: Any, x: Any, y: Any) -> Any:
        def loss(w: Any) -> Any:
            half = x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)
            return 1024.0 * jnp.mean((jax.nn.silu(half).astype(jnp.float32) - y) ** 2)

        value, gradient = jax.value_and_grad(loss)(w)
        return w - 0.1 * gradient / 1024.0, value / 1024.0

    return step, (numbers(6, 3), numbers(10, 6), numbers(10, 3, seed=1))


@model("jax")
def plain_linear_algebra() -> Model:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def decompose(a: Any, b: Any) -> Any:
        spd = a.T @ a + jnp.eye(5)
        eigenvalues, vectors = jnp.linalg.eigh(spd)
        return jnp.linalg.solve(spd, b), jnp.linalg.slogdet(spd), eigenvalues, jnp.abs(vectors[0])

    return decompose, (numbers(8, 5), numbers(5))


# --- the table ---


def look_at(library: str) -> list[list[str]]:
    """Returns a row for each model of a library, with what was found."""
    importlib.import_module(library)
    import shlo

    rows: list[list[str]] = []
    for name, build in MODELS[library].items():
        start = time.process_time()
        try:
            function, arguments = build()
            diagnosis = shlo.why(function, *arguments)
        except Exception as error:  # a model that does not run is a row of the table
            rows.append(
                [library, name, "-", f"{type(error).__name__}: {str(error).splitlines()[0][:160]}", ""]
            )
            continue
        seconds = f"{time.process_time() - start:.1f}"
        found = "; ".join(f"{card.kind}: {card.title}" for card in diagnosis.causes)
        rows.append([library, name, seconds, found or "none", str(diagnosis) if diagnosis else ""])
    return rows


def _of_library(library: str) -> list[list[str]]:
    command = [sys.executable, "-W", "ignore", __file__, "--child", library]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return [[library, "", "-", f"not done after {LONGEST_S} s", ""]]
    if done.returncode:
        return [[library, "", "-", (done.stderr.splitlines() or ["?"])[-1][:160], ""]]
    return json.loads(done.stdout.splitlines()[-1])


def main(words: Sequence[str]) -> int:
    """Looks at the models of libraries, prints a table and what was found, and returns the exit code."""
    if words[:1] == ["--child"]:
        print(json.dumps(look_at(words[1])))
        return 0
    rows = [row for library in words or MODELS for row in _of_library(library)]
    measure.table(("library", "model", "CPU s", "found"), [row[:4] for row in rows])
    wrong = [row for row in rows if row[3] != "none"]
    for row in wrong:
        print(f"--- {row[1]}\n{row[4] or row[3]}\n")
    libraries = len({row[0] for row in rows if row[2] != "-"})
    print(f"{len(rows)} models of {libraries} libraries looked at, {len(wrong)} with findings or not run")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
