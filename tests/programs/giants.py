"""Large programs for parser, printer and language tools: never compiled."""

from __future__ import annotations

from typing import Any

from .models import adam, adam_state, cross_entropy, transformer_forward, transformer_parameters
from .registry import integers, jax, jnp, program

LAYERS = 48


def _loss(parameters: Any, tokens: Any) -> Any:
    return cross_entropy(transformer_forward(parameters, tokens[:, :-1], 4), tokens[:, 1:])


def _arguments() -> tuple[Any, Any]:
    return transformer_parameters(LAYERS, 16, 64, 16), integers(2, 16, low=0, high=64)


@program(role="giant")
def giant_gradient():
    """About 20 thousand ops: the gradient of an unrolled transformer of 48 layers."""
    return jax.value_and_grad(_loss), _arguments()


@program(role="giant")
def giant_adam():
    """About 56 thousand ops: the same with a step of Adam."""
    parameters, tokens = _arguments()

    def step(parameters, state, tokens):
        loss, gradients = jax.value_and_grad(_loss)(parameters, tokens)
        return loss, adam(parameters, gradients, state)

    return step, (parameters, adam_state(parameters), tokens)


@program(role="giant")
def giant_accumulation():
    """More than 100 thousand lines: the same with gradients accumulated over unrolled batches."""
    parameters, _ = _arguments()

    def step(parameters, state, tokens):
        gradients = jax.tree.map(jnp.zeros_like, parameters)
        for i in range(4):
            batch = jax.grad(_loss)(parameters, tokens[2 * i : 2 * i + 2])
            gradients = jax.tree.map(jnp.add, gradients, batch)
        return adam(parameters, gradients, state)

    return step, (parameters, adam_state(parameters), integers(8, 16, low=0, high=64))
