"""Chains of elementwise operations: what is fused, as data. How chains run is in `fused`, as machine code in
`native.chain`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.ir.types import Type


class ChainStep(NamedTuple):
    """An operation of a chain and the numbers of its operands."""

    bound: BoundKernel
    operands: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the operation."""
        return self.bound.op_view.name


class Reduction(Struct, frozen=True):
    """A reduction by blocks of a value of a chain, which has its number."""

    bound: BoundKernel
    number: int


class FusedChain(Struct, frozen=True):
    """Elementwise operations on arrays of one shape, with broadcasts to that shape.

    Values are numbered: first the inputs, then the results of the steps, which are in order. Inputs are of
    the shape, of rank 0, or operands of broadcasts.

    Args:
        shape: the shape of all results.
        inputs: the types of the inputs.
        constants: the values of inputs that are one number, known now; a call does not pass these.
        steps: the operations.
        outputs: the numbers of the results that are needed outside, then of those that only reductions need.
        reductions: what is reduced, all by blocks of the same size. Their initial values are the last
            arguments of a call, their results the last ones of it.
    """

    shape: Sizes
    inputs: tuple[Type, ...]
    constants: Mapping[int, Any]
    steps: tuple[ChainStep, ...]
    outputs: tuple[int, ...]
    reductions: tuple[Reduction, ...] = ()
    only_reduced: int = 0
    """How many of the outputs only reductions need."""

    @property
    def count(self) -> int:
        """How many elements each result has."""
        return math.prod(self.shape)

    def type_of(self, number: int) -> Type:
        """Returns the type of a value."""
        inputs = len(self.inputs)
        if number < inputs:
            return self.inputs[number]
        return self.steps[number - inputs].bound.op_view.result_types[0]

    @property
    def key(self) -> object:
        """A key that is equal for chains that compute the same in the same program."""
        numbers = {number: np.asarray(value).tobytes() for number, value in self.constants.items()}
        steps = tuple((id(step.bound), step.operands) for step in self.steps)
        reductions = tuple((id(reduction.bound), reduction.number) for reduction in self.reductions)
        outputs = self.outputs, self.only_reduced
        return self.shape, self.inputs, tuple(numbers.items()), steps, outputs, reductions

    @property
    def stored(self) -> int:
        """How many of the outputs are stored as a whole."""
        return len(self.outputs) - self.only_reduced


def is_broadcast(bound: BoundKernel) -> bool:
    """Returns whether a kernel only repeats its operand."""
    return bound.op_view.name == "stablehlo.broadcast_in_dim"
