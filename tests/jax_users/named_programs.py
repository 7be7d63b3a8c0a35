"""Programs of JAX, Flax, Equinox and Optax as users write them, whose names are compared with eager values.

Each function takes no arguments and returns the function that is lowered and its arguments.
"""

# ruff: noqa: RET504, SIM108 - results have names, as those who debug a program write them

from __future__ import annotations

from functools import partial
from typing import Any

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax import lax, random


def _rand(*shape: int, seed: int = 0) -> Any:
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape), jnp.float32)


# --- plain programs ---


def mlp_loss() -> Any:
    def layer(x: Any, w: Any, b: Any) -> Any:
        z = x @ w + b
        return jax.nn.gelu(z)

    def loss_fn(params: Any, batch: Any) -> Any:
        h = layer(batch["x"], params["w1"], params["b1"])
        h2 = layer(h, params["w2"], params["b2"])
        logits = h2 - jnp.max(h2, axis=-1, keepdims=True)
        logp = jax.nn.log_softmax(logits)
        nll = -jnp.take_along_axis(logp, batch["y"][:, None], axis=1)
        penalty = 0.01 * sum([jnp.sum(params[k] ** 2) for k in ("w1", "w2")])
        loss = jnp.mean(nll) + penalty
        return loss

    params = {"w1": _rand(3, 8), "b1": _rand(8), "w2": _rand(8, 4), "b2": _rand(4)}
    return loss_fn, (params, {"x": _rand(5, 3), "y": jnp.array([0, 1, 2, 3, 0])})


def sgd_step() -> Any:
    def loss_fn(w: Any, x: Any, y: Any) -> Any:
        pred = jnp.tanh(x @ w)
        err = pred - y
        return jnp.mean(err**2)

    def step(w: Any, x: Any, y: Any) -> Any:
        value, grad = jax.value_and_grad(loss_fn)(w, x, y)
        norm = jnp.sqrt(jnp.sum(grad**2))
        scale = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
        clipped = grad * scale
        new_w = w - 0.1 * clipped
        return new_w, value

    return step, (_rand(4, 2), _rand(6, 4, seed=1), _rand(6, 2, seed=2))


def attention() -> Any:
    def attend(x: Any, wq: Any, wk: Any, wv: Any) -> Any:
        q = jnp.einsum("bld,dhk->bhlk", x, wq)
        k = jnp.einsum("bld,dhk->bhlk", x, wk)
        v = jnp.einsum("bld,dhk->bhlk", x, wv)
        scores = q @ jnp.swapaxes(k, -1, -2) / jnp.sqrt(q.shape[-1])
        length = x.shape[1]
        mask = jnp.tril(jnp.ones((length, length), bool))
        masked = jnp.where(mask, scores, -1e9)
        weights = jax.nn.softmax(masked, axis=-1)
        heads = weights @ v
        out = heads.transpose(0, 2, 1, 3).reshape(x.shape[0], length, -1)
        return out

    return attend, (_rand(2, 5, 4), _rand(4, 2, 3), _rand(4, 2, 3, seed=1), _rand(4, 2, 3, seed=2))


def rnn_scan() -> Any:
    def cell(params: Any, h: Any, x: Any) -> Any:
        gate = jax.nn.sigmoid(x @ params["wz"] + h @ params["uz"])
        cand = jnp.tanh(x @ params["wh"] + h @ params["uh"])
        return (1 - gate) * h + gate * cand

    def run(params: Any, xs: Any) -> Any:
        h0 = jnp.zeros(params["uz"].shape[0])

        def body(h: Any, x: Any) -> Any:
            h_new = cell(params, h, x)
            energy = jnp.sum(h_new**2)
            return h_new, energy

        last, energies = lax.scan(body, h0, xs)
        total = jnp.sum(energies)
        spread = jnp.max(last) - jnp.min(last)
        return total + spread

    params = {
        "wz": _rand(3, 4),
        "uz": _rand(4, 4, seed=1),
        "wh": _rand(3, 4, seed=2),
        "uh": _rand(4, 4, seed=3),
    }
    return run, (params, _rand(6, 3, seed=4))


def convnet() -> Any:
    def forward(params: Any, images: Any) -> Any:
        y = lax.conv_general_dilated(images, params["k"], (1, 1), "SAME")
        y = y + params["b"][None, :, None, None]
        act = jnp.maximum(y, 0)
        pooled = lax.reduce_window(act, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
        flat = pooled.reshape(pooled.shape[0], -1)
        mean = flat.mean(axis=0)
        var = flat.var(axis=0)
        normed = (flat - mean) / jnp.sqrt(var + 1e-5)
        scores = normed @ params["w"]
        return scores

    params = {"k": _rand(3, 1, 3, 3), "b": _rand(3), "w": _rand(12, 5, seed=1)}
    return forward, (params, _rand(4, 1, 4, 4, seed=2))


def vae() -> Any:
    def elbo(params: Any, key: Any, x: Any) -> Any:
        hidden = jax.nn.relu(x @ params["enc"])
        mu, logvar = jnp.split(hidden @ params["head"], 2, axis=-1)
        k1, k2 = random.split(key)
        eps = random.normal(k1, mu.shape)
        z = mu + jnp.exp(0.5 * logvar) * eps
        noise = 0.01 * random.uniform(k2, x.shape)
        recon = jax.nn.sigmoid(z @ params["dec"]) + noise
        rec_loss = jnp.sum((recon - x) ** 2, axis=-1)
        kl = -0.5 * jnp.sum(1 + logvar - mu**2 - jnp.exp(logvar), axis=-1)
        bound = rec_loss + kl
        return jnp.mean(bound)

    params = {"enc": _rand(6, 8), "head": _rand(8, 4, seed=1), "dec": _rand(2, 6, seed=2)}
    return elbo, (params, random.PRNGKey(0), _rand(5, 6, seed=3))


def newton_logistic() -> Any:
    def solve(w: Any, x: Any, y: Any) -> Any:
        logits = x @ w
        p = jax.nn.sigmoid(logits)
        residual = p - y
        g = x.T @ residual
        s = p * (1 - p)
        hess = (x * s[:, None]).T @ x + 0.1 * jnp.eye(x.shape[1])
        delta = jnp.linalg.solve(hess, g)
        w_new = w - delta
        gap = jnp.linalg.norm(delta)
        return w_new, gap

    return solve, (_rand(3), _rand(7, 3, seed=1), (_rand(7, seed=2) > 0).astype(jnp.float32))


def kalman() -> Any:
    def predict(mean: Any, cov: Any, f: Any, q: Any) -> Any:
        mean_p = f @ mean
        cov_p = f @ cov @ f.T + q
        return mean_p, cov_p

    def kalman_step(mean: Any, cov: Any, f: Any, q: Any, h: Any, r: Any, obs: Any) -> Any:
        prior_mean, prior_cov = predict(mean, cov, f, q)
        innovation = obs - h @ prior_mean
        s_cov = h @ prior_cov @ h.T + r
        gain = jnp.linalg.solve(s_cov, h @ prior_cov).T
        post_mean = prior_mean + gain @ innovation
        post_cov = (jnp.eye(2) - gain @ h) @ prior_cov
        return post_mean, post_cov

    eye = jnp.eye(2)
    return kalman_step, (
        _rand(2),
        eye,
        eye + 0.1 * _rand(2, 2),
        0.1 * eye,
        _rand(1, 2),
        jnp.eye(1),
        _rand(1, seed=3),
    )


def kmeans() -> Any:
    def assign(points: Any, centers: Any) -> Any:
        diff = points[:, None, :] - centers[None]
        dist = jnp.sum(diff * diff, axis=-1)
        nearest = jnp.argmin(dist, axis=1)
        one_hot = jax.nn.one_hot(nearest, centers.shape[0])
        counts = one_hot.sum(axis=0)
        sums = one_hot.T @ points
        moved = sums / jnp.maximum(counts, 1.0)[:, None]
        inertia = jnp.min(dist, axis=1).sum()
        return moved, inertia

    return assign, (_rand(10, 2), _rand(3, 2, seed=1))


def ode_rk4() -> Any:
    def field(state: Any, t: Any) -> Any:
        x, y = state
        dx = 1.5 * x - x * y
        dy = x * y - 3.0 * y + jnp.sin(t)
        return jnp.stack([dx, dy])

    def rk4(state: Any, t: Any) -> Any:
        dt = 0.1
        k1 = field(state, t)
        k2 = field(state + 0.5 * dt * k1, t + 0.5 * dt)
        k3 = field(state + 0.5 * dt * k2, t + 0.5 * dt)
        k4 = field(state + dt * k3, t + dt)
        incr = (k1 + 2 * k2 + 2 * k3 + k4) / 6.0
        after = state + dt * incr
        return after

    return rk4, (jnp.array([1.0, 2.0]), jnp.float32(0.3))


def while_power() -> Any:
    def dominant(a: Any) -> Any:
        v = jnp.ones(a.shape[0]) / a.shape[0]

        def cond(state: Any) -> Any:
            i, _, gap = state
            return (i < 10) & (gap > 1e-6)

        def body(state: Any) -> Any:
            i, vec, _ = state
            w = a @ vec
            unit = w / jnp.linalg.norm(w)
            gap = jnp.max(jnp.abs(unit - vec))
            return i + 1, unit, gap

        _, vector, _ = lax.while_loop(cond, body, (0, v, jnp.inf))
        value = vector @ (a @ vector)
        return value, vector

    m = _rand(4, 4)
    return dominant, (m @ m.T,)


def gnn() -> Any:
    def message_pass(nodes: Any, senders: Any, receivers: Any, w: Any) -> Any:
        src = nodes[senders]
        dst = nodes[receivers]
        feats = jnp.concatenate([src, dst], axis=-1)
        messages = jax.nn.silu(feats @ w)
        summed = jax.ops.segment_sum(messages, receivers, num_segments=nodes.shape[0])
        degree = jnp.zeros(nodes.shape[0]).at[receivers].add(1.0)
        averaged = summed / jnp.clip(degree, 1.0)[:, None]
        updated = nodes + averaged
        return updated

    return message_pass, (
        _rand(4, 3),
        jnp.array([0, 1, 2, 3, 0]),
        jnp.array([1, 2, 3, 0, 2]),
        _rand(6, 3, seed=1),
    )


def ppo_loss() -> Any:
    def ppo(params: Any, obs: Any, act: Any, adv: Any, old_logp: Any) -> Any:
        logits = obs @ params["pi"]
        all_logp = jax.nn.log_softmax(logits)
        logp = all_logp[jnp.arange(act.shape[0]), act]
        ratio = jnp.exp(logp - old_logp)
        clipped = jnp.clip(ratio, 0.8, 1.2)
        surrogate = jnp.minimum(ratio * adv, clipped * adv)
        entropy = -jnp.sum(jnp.exp(all_logp) * all_logp, axis=-1)
        policy_loss = -surrogate.mean()
        bonus = 0.01 * entropy.mean()
        total = policy_loss - bonus
        return total

    def grads(params: Any, obs: Any, act: Any, adv: Any, old_logp: Any) -> Any:
        value, g = jax.value_and_grad(ppo)(params, obs, act, adv, old_logp)
        size = optax.global_norm(g)
        return value, size

    return grads, (
        {"pi": _rand(3, 2)},
        _rand(6, 3, seed=1),
        jnp.array([0, 1, 0, 1, 1, 0]),
        _rand(6, seed=2),
        -(_rand(6, seed=3) ** 2),
    )


def nerf() -> Any:
    def encode(x: Any) -> Any:
        freqs = 2.0 ** jnp.arange(3)
        angles = x[..., None] * freqs
        enc = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
        return enc.reshape(*x.shape[:-1], -1)

    def render(w: Any, points: Any, dists: Any) -> Any:
        feat = encode(points)
        raw = feat @ w
        density = jax.nn.softplus(raw[..., 0])
        rgb = jax.nn.sigmoid(raw[..., 1:])
        alpha = 1.0 - jnp.exp(-density * dists)
        trans = jnp.cumprod(1.0 - alpha + 1e-10, axis=-1)
        weights = alpha * trans
        color = jnp.sum(weights[..., None] * rgb, axis=-2)
        depth = (weights * dists).sum(-1)
        return color, depth

    return render, (_rand(18, 4), _rand(2, 5, 3, seed=1), jnp.abs(_rand(2, 5, seed=2)))


def fixed_point_unrolled() -> Any:
    def iterate(a: Any, b: Any) -> Any:
        x = jnp.zeros_like(b)
        for _ in range(3):
            x = jnp.tanh(a @ x + b)
        energy = jnp.sum(x * b)
        return energy

    return iterate, (_rand(3, 3), _rand(3, seed=1))


def vmapped_loss() -> Any:
    def one(w: Any, x: Any, y: Any) -> Any:
        score = jnp.dot(w, x)
        margin = 1.0 - y * score
        return jnp.maximum(margin, 0.0)

    def hinge(w: Any, xs: Any, ys: Any) -> Any:
        losses = jax.vmap(one, in_axes=(None, 0, 0))(w, xs, ys)
        mean = jnp.mean(losses)
        reg = 0.5 * jnp.vdot(w, w)
        objective = mean + reg
        return objective

    return hinge, (_rand(3), _rand(6, 3, seed=1), jnp.sign(_rand(6, seed=2)))


def contrastive() -> Any:
    def unit(v: Any) -> Any:
        length = jnp.linalg.norm(v, axis=-1, keepdims=True)
        return v / (length + 1e-8)

    def info_nce(za: Any, zb: Any, temperature: Any) -> Any:
        a = unit(za)
        b = unit(zb)
        sim = a @ b.T / temperature
        pos = jnp.diag(sim)
        lse = jax.nn.logsumexp(sim, axis=1)
        loss = jnp.mean(lse - pos)
        acc = jnp.mean((jnp.argmax(sim, axis=1) == jnp.arange(sim.shape[0])).astype(jnp.float32))
        return loss, acc

    return info_nce, (_rand(4, 3), _rand(4, 3, seed=1), jnp.float32(0.1))


class Tracker:
    """Keeps values as attributes."""

    def __init__(self, decay: float) -> None:
        self.decay = decay
        self.mean: Any = None

    def __call__(self, x: Any) -> Any:
        self.mean = jnp.mean(x, axis=0)
        self.var = jnp.mean((x - self.mean) ** 2, axis=0)
        out = (x - self.mean) / jnp.sqrt(self.var + self.decay)
        return out


def attributes() -> Any:
    def forward(x: Any) -> Any:
        tracker = Tracker(1e-3)
        normed = tracker(x)
        stats = {"low": jnp.min(normed), "high": jnp.max(normed)}
        span = stats["high"] - stats["low"]
        if (n := x.shape[0]) > 2:
            rms = jnp.sqrt(jnp.sum(normed**2) / n)
        else:
            rms = jnp.float32(0)
        return span * rms

    return forward, (_rand(5, 3),)


def jitted_helpers() -> Any:
    @jax.jit
    def center(x: Any) -> Any:
        mu = x.mean()
        return x - mu

    @partial(jax.jit, static_argnames="power")
    def moment(x: Any, power: int) -> Any:
        raised = x**power
        return raised.mean()

    def skew(x: Any) -> Any:
        c = center(x)
        m2 = moment(c, power=2)
        m3 = moment(c, power=3)
        sd = jnp.sqrt(m2)
        s = m3 / sd**3
        return s

    return skew, (_rand(9),)


def quantile_huber() -> Any:
    def quantile(theta: Any, target: Any) -> Any:
        tau = (jnp.arange(theta.shape[-1]) + 0.5) / theta.shape[-1]
        delta = target[:, None, :] - theta[:, :, None]
        absd = jnp.abs(delta)
        huber = jnp.where(absd < 1.0, 0.5 * delta**2, absd - 0.5)
        weight = jnp.abs(tau[None, :, None] - (delta < 0))
        per = (weight * huber).mean(axis=2)
        summed = per.sum(axis=1)
        result = summed.mean()
        return result

    return jax.value_and_grad(quantile), (_rand(3, 4), _rand(3, 4, seed=1))


# --- libraries ---


class LinenNet(nn.Module):
    """A model of flax.linen."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        h = nn.Dense(6)(x)
        h = nn.relu(h)
        y = nn.LayerNorm()(h)
        out = nn.Dense(2)(y)
        return out


def linen_step() -> Any:
    model, tx = LinenNet(), optax.sgd(0.1)
    x = _rand(4, 3)
    params = model.init(random.PRNGKey(0), x)

    def train_step(params: Any, opt_state: Any, x: Any, y: Any) -> Any:
        def loss_fn(p: Any) -> Any:
            logits = model.apply(p, x)
            errors = (logits - y) ** 2
            return errors.mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
        scaled = loss * 100.0
        return params, opt_state, scaled

    return train_step, (params, tx.init(params), x, _rand(4, 2, seed=1))


class EqxNet(eqx.Module):
    """A model of Equinox."""

    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key: Any) -> None:
        k1, k2 = random.split(key)
        self.first, self.second = eqx.nn.Linear(3, 5, key=k1), eqx.nn.Linear(5, 2, key=k2)

    def __call__(self, x: Any) -> Any:
        h = jax.nn.relu(self.first(x))
        y = self.second(h)
        return jax.nn.log_softmax(y)


def eqx_loss() -> Any:
    def nll(model: Any, x: Any) -> Any:
        logp = model(x)
        picked = logp[0]
        return -picked

    return nll, (EqxNet(random.PRNGKey(1)), _rand(3))


class NnxNet(nnx.Module):
    """A model of flax.nnx."""

    def __init__(self, rngs: Any) -> None:
        self.lin = nnx.Linear(3, 4, rngs=rngs)
        self.out = nnx.Linear(4, 2, rngs=rngs)

    def __call__(self, x: Any) -> Any:
        h = self.lin(x)
        g = nnx.gelu(h)
        y = self.out(g)
        return y


def nnx_loss() -> Any:
    def loss(model: Any, x: Any, y: Any) -> Any:
        pred = model(x)
        diff = pred - y
        value = jnp.mean(diff * diff)
        return value

    graphdef, state = nnx.split(NnxNet(nnx.Rngs(0)))

    def pure(state: Any, x: Any, y: Any) -> Any:
        return loss(nnx.merge(graphdef, state), x, y)

    return pure, (state, _rand(5, 3), _rand(5, 2, seed=1))


PROGRAMS = (
    mlp_loss, sgd_step, attention, rnn_scan, convnet, vae, newton_logistic, kalman, kmeans, ode_rk4, while_power,
    gnn, ppo_loss, nerf, fixed_point_unrolled, vmapped_loss, contrastive, attributes, jitted_helpers,
    quantile_huber, linen_step, eqx_loss, nnx_loss,
)  # fmt: skip
