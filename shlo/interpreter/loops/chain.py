"""Chains of elementwise operations: what is fused, as data. How chains run is in `jit.fused`, as machine code
in `chain_code`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field

from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.ir.types import Type


class ChainStep(NamedTuple):
    """An operation of a chain."""

    bound: BoundKernel
    operands: tuple[str, ...]
    result: str


class ChainReduction(NamedTuple):
    """A reduction by blocks of a value of a chain; its initial value is none of them."""

    bound: BoundKernel
    source: str
    initial: str
    result: str


class FusedChain(Struct, eq=False):
    """Elementwise operations on arrays of one shape, with broadcasts to that shape.

    Values have names: the inputs, which are of the shape, of rank 0, or operands of broadcasts, and the
    results of the steps, which are in order.

    Args:
        shape: the shape of all results.
        types: the types of the inputs and of the results, in the order in which they came.
        inputs: the inputs.
        constants: the values of inputs that are one number, known now; a call does not pass these.
        steps: the operations.
        reductions: what is reduced, all by blocks of the same size. Their initial values are the last
            arguments of a call, their results the last ones of it.
        outputs: the results that are needed outside.
    """

    shape: Sizes
    types: dict[str, Type] = field(default_factory=dict[str, Type])
    inputs: list[str] = field(default_factory=list[str])
    constants: dict[str, Any] = field(default_factory=dict[str, Any])
    steps: list[ChainStep] = field(default_factory=list[ChainStep])
    reductions: list[ChainReduction] = field(default_factory=list[ChainReduction])
    outputs: list[str] = field(default_factory=list[str])

    @property
    def count(self) -> int:
        """How many elements each result has."""
        return math.prod(self.shape)

    @property
    def passed(self) -> list[str]:
        """The inputs that a call passes."""
        return [name for name in self.inputs if name not in self.constants]

    @property
    def computed(self) -> list[str]:
        """The outputs, then the values that only reductions need."""
        return [*dict.fromkeys((*self.outputs, *(reduction.source for reduction in self.reductions)))]

    @property
    def key(self) -> object:
        """A key that is equal for chains that compute the same in the same program."""
        numbers = {name: number for number, name in enumerate(self.types)}
        inputs = tuple((numbers[name], self.types[name]) for name in self.inputs)
        constants = tuple((numbers[name], np.asarray(x).tobytes()) for name, x in self.constants.items())
        steps = tuple((id(step.bound), *(numbers[name] for name in step.operands)) for step in self.steps)
        reductions = tuple((id(reduction.bound), numbers[reduction.source]) for reduction in self.reductions)
        outputs = tuple(numbers[name] for name in self.outputs)
        return self.shape, inputs, constants, steps, outputs, reductions

    def last_uses(self) -> list[list[str]]:
        """Returns the values that the chain itself does not need after each step, but for what it gives."""
        last: dict[str, int] = {}
        for position, step in enumerate(self.steps):
            last |= dict.fromkeys((*step.operands, step.result), position)
        for name in self.computed:
            last.pop(name, None)
        dead: list[list[str]] = [[] for _ in self.steps]
        for name, position in last.items():
            dead[position].append(name)
        return dead


def is_broadcast(bound: BoundKernel) -> bool:
    """Returns whether a kernel only repeats its operand."""
    return bound.op_view.name == "stablehlo.broadcast_in_dim"
