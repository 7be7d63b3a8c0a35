"""Four models, lowered from JAX with flax, of which docs/views.md shows pictures: random parameters.

GPT-2 (124 million parameters) and ResNet-50 are as large as the published ones, the UNet of a diffusion
model and the perceptron are smaller. None of them is downloaded.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from msgspec import Struct

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""The width and the number of blocks of each stage of ResNet-50."""
WIDTHS = 64, 128, 256
"""The widths of the UNet, one for each resolution."""


class Model(Struct):
    """A model with a loss of its parameters, and its input."""

    title: str
    module: Any
    inputs: tuple[Any, ...]

    def parameters(self) -> Any:
        """Returns random parameters."""
        return self.module.init(jax.random.key(0), *self.inputs)

    def loss(self, parameters: Any, *inputs: Any) -> jax.Array:
        """Returns a number to differentiate."""
        return jnp.mean(jnp.square(self.module.apply(parameters, *inputs)))

    def gradients(self, parameters: Any) -> Any:
        """Returns the gradients of the loss."""
        return jax.jit(jax.grad(self.loss))(parameters, *self.inputs)

    def text(self) -> str:
        """Returns the program of a training step's loss and gradients, with its locations."""
        shapes = jax.eval_shape(self.parameters)
        lowered = jax.jit(jax.value_and_grad(self.loss)).lower(shapes, *self.inputs)
        return lowered.as_text(debug_info=True)


class Gpt2Block(linen.Module):
    heads: int

    @linen.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        mask = linen.make_causal_mask(jnp.ones(x.shape[:2]))
        normal = linen.LayerNorm(name="ln_1")(x)
        x = x + linen.MultiHeadDotProductAttention(self.heads, name="attn")(normal, mask=mask)
        wide = linen.Dense(4 * x.shape[-1], name="c_fc")(linen.LayerNorm(name="ln_2")(x))
        return x + linen.Dense(x.shape[-1], name="c_proj")(linen.gelu(wide))


class Gpt2(linen.Module):
    layers: int = 12
    width: int = 768
    heads: int = 12
    vocabulary: int = 50257

    @linen.compact
    def __call__(self, tokens: jax.Array) -> jax.Array:
        embed = linen.Embed(self.vocabulary, self.width, name="wte")
        places = linen.Embed(1024, self.width, name="wpe")(jnp.arange(tokens.shape[1]))
        x = embed(tokens) + places
        for layer in range(self.layers):
            x = Gpt2Block(self.heads, name=f"h_{layer}")(x)
        return embed.attend(linen.LayerNorm(name="ln_f")(x))


class Bottleneck(linen.Module):
    width: int
    stride: int

    @linen.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        y = linen.relu(linen.GroupNorm(name="norm1")(linen.Conv(self.width, (1, 1), name="conv1")(x)))
        y = linen.Conv(self.width, (3, 3), (self.stride, self.stride), name="conv2")(y)
        y = linen.relu(linen.GroupNorm(name="norm2")(y))
        y = linen.GroupNorm(name="norm3")(linen.Conv(4 * self.width, (1, 1), name="conv3")(y))
        if x.shape != y.shape:
            x = linen.Conv(4 * self.width, (1, 1), (self.stride, self.stride), name="shortcut")(x)
        return linen.relu(x + y)


class ResNet50(linen.Module):
    @linen.compact
    def __call__(self, images: jax.Array) -> jax.Array:
        x = linen.Conv(64, (7, 7), (2, 2), name="conv_stem")(images)
        x = linen.max_pool(linen.relu(linen.GroupNorm(name="norm_stem")(x)), (3, 3), (2, 2), "SAME")
        for stage, (width, count) in enumerate(STAGES):
            for block in range(count):
                stride = 2 if stage and not block else 1
                x = Bottleneck(width, stride, name=f"stage{stage}_block{block}")(x)
        return linen.Dense(1000, name="head")(x.mean((1, 2)))


class UNetBlock(linen.Module):
    width: int

    @linen.compact
    def __call__(self, x: jax.Array, time: jax.Array) -> jax.Array:
        y = linen.Conv(self.width, (3, 3), name="conv1")(linen.swish(linen.GroupNorm(name="norm1")(x)))
        y = y + linen.Dense(self.width, name="time")(linen.swish(time))[:, None, None]
        y = linen.Conv(self.width, (3, 3), name="conv2")(linen.swish(linen.GroupNorm(name="norm2")(y)))
        return y + (x if x.shape == y.shape else linen.Conv(self.width, (1, 1), name="skip")(x))


class UNet(linen.Module):
    @linen.compact
    def __call__(self, noisy: jax.Array, step: jax.Array) -> jax.Array:
        rates = jnp.exp(-math.log(1e4) * jnp.arange(32) / 32)
        angles = step[:, None] * rates
        time = linen.Dense(256, name="time")(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1))
        x, kept = linen.Conv(WIDTHS[0], (3, 3), name="conv_in")(noisy), []
        for level, width in enumerate(WIDTHS):
            x = UNetBlock(width, name=f"down_{level}")(x, time)
            kept.append(x)
            x = linen.avg_pool(x, (2, 2), (2, 2))
        x = UNetBlock(WIDTHS[-1], name="middle")(x, time)
        flat = x.reshape(x.shape[0], -1, x.shape[-1])
        x = x + linen.MultiHeadDotProductAttention(4, name="attention")(flat).reshape(x.shape)
        for level, width in reversed([*enumerate(WIDTHS)]):
            x = jnp.concatenate([jnp.repeat(jnp.repeat(x, 2, 1), 2, 2), kept[level]], -1)
            x = UNetBlock(width, name=f"up_{level}")(x, time)
        return linen.Conv(noisy.shape[-1], (3, 3), name="conv_out")(x)


class Perceptron(linen.Module):
    mesh: Mesh

    @linen.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        x = jax.lax.with_sharding_constraint(x, NamedSharding(self.mesh, PartitionSpec("data")))
        for layer in range(4):
            x = linen.gelu(linen.Dense(1024, name=f"dense_{layer}")(x))
            axes = PartitionSpec("data", None if layer % 2 else "model")
            x = jax.lax.with_sharding_constraint(x, NamedSharding(self.mesh, axes))
        return linen.Dense(10, name="head")(x)


def models() -> dict[str, Model]:
    """Returns the models by the names of their pictures. The last wants eight devices."""
    random = jax.random.key(1)
    mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    return {
        "gpt2": Model("GPT-2", Gpt2(), (jax.random.randint(random, (1, 64), 0, 50257),)),
        "resnet50": Model("ResNet-50", ResNet50(), (jax.random.normal(random, (1, 64, 64, 3)),)),
        "unet": Model(
            "A diffusion UNet", UNet(), (jax.random.normal(random, (1, 32, 32, 3)), jnp.array([250.0]))
        ),
        "mlp": Model("A sharded MLP", Perceptron(mesh), (jax.random.normal(random, (64, 256)),)),
    }
