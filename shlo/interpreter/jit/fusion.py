"""Collects elementwise operations of generated code into chains, which become one call each.

An operation that can be fused is not written at once: it waits in a chain of operations on arrays of its
shape, until a line of code needs one of the chain's results, or control flow begins or ends. What nothing
else needs by then is never stored as a whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from shlo.dialects import find_op_def
from shlo.interpreter.jit.writer import Origin
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.numeric import FAST_DTYPES, element_dtype
from shlo.interpreter.kernels.reduction.blocks import block_reduction
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.chain import Chain, Reduction, Step, is_broadcast
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.row_order import without_order
from shlo.interpreter.runtime.tiers import policy
from shlo.interpreter.runtime.values import is_array
from shlo.ir.operations import Signature
from shlo.ir.types import RankedTensorType, Type

MOST_SEPARATE: Final = 4
"""Elements up to which operations on arrays become operations on each element: a scalar of NumPy's takes a
tenth of the time of an array."""
SCALAR_SECONDS: Final = 5e-8
SEPARATING_SECONDS: Final = 2e-7
"""What an operation on scalars costs, and the elements of an array."""
KERNEL_SECONDS: Final = 4e-7
ELEMENT_SECONDS: Final = 3e-10
"""What the call of a kernel costs, and about what each element costs it."""
LEAST_SHARED: Final = 1 << 17
"""Elements from which on operations that cannot be machine code are worth sharing among threads."""
LEAST_ALONE: Final = 1 << 22
"""Elements from which on a single operation is worth sharing among threads."""
LEAST_TWO_PASSES: Final = 1 << 14
"""The same for maximum and minimum of floats, whose kernels look at each element twice."""
MOST_STEPS: Final = 200
NOT_FUSED: Final = frozenset({"stablehlo.power"})
"""Operations whose kernels look at more than one element."""

_NAMES = re.compile(r"v\d+_\d+")


class PendingStep(Struct, frozen=True):
    """An operation of a chain; values are variables of the generated code."""

    bound: BoundKernel
    operands: tuple[str, ...]
    result: str


class PendingReduction(Struct, frozen=True):
    """A reduction by blocks of a chain's value; values are variables of the generated code."""

    bound: BoundKernel
    source: str
    initial: str
    result: str


class PendingChain(Struct, eq=False):
    """Operations on arrays of one shape that wait to be written: those that can be machine code, or the
    others, which only threads make quicker."""

    shape: Sizes
    is_native: bool
    inputs: list[str] = field(default_factory=list[str])
    types: dict[str, Type] = field(default_factory=dict[str, Type])
    constants: dict[str, Value] = field(default_factory=dict[str, Value])
    steps: list[PendingStep] = field(default_factory=list[PendingStep])
    reductions: list[PendingReduction] = field(default_factory=list[PendingReduction])
    results: set[str] = field(default_factory=set[str])
    """Variables of the results of steps and reductions."""
    uniform: set[str] = field(default_factory=set[str])
    """Values that repeat one number."""
    origin: Origin | None = None

    @property
    def work(self) -> int:
        """How many operations compute something."""
        return sum(not is_broadcast(step.bound) for step in self.steps)

    def pays_separately(self, outputs: int) -> bool:
        """Returns whether operations on each element cost less than those on arrays, for so many results."""
        if self.reductions or not has_few_elements(self.shape):
            return False
        arrays = sum(name not in self.constants and not is_number(self.types[name]) for name in self.inputs)
        around = SEPARATING_SECONDS * arrays + policy().separate_seconds * outputs
        scalars = SCALAR_SECONDS * self.work * math.prod(self.shape)
        return around + scalars < KERNEL_SECONDS * len(self.steps)

    @property
    def is_worth_it(self) -> bool:
        """Whether one call costs less than those of the kernels, or threads can share the only one."""
        if self.reductions:
            return True
        if has_few_elements(self.shape):
            return False
        if not self.is_native:
            return math.prod(self.shape) >= LEAST_SHARED
        if self.work == 1:
            from shlo.interpreter.kernels.elementwise.float_minmax import FloatMinMax

            (only,) = [step.bound for step in self.steps if not is_broadcast(step.bound)]
            takes_two_passes = isinstance(without_order(only.evaluate), FloatMinMax)
            return math.prod(self.shape) >= (LEAST_TWO_PASSES if takes_two_passes else LEAST_ALONE)
        each = KERNEL_SECONDS + ELEMENT_SECONDS * math.prod(self.shape)
        return self.work >= 2 and self.work * each > policy().chain_seconds

    def is_reduction(self, name: str) -> bool:
        """Returns whether a variable is that of a reduction's result."""
        return any(name == reduction.result for reduction in self.reductions)

    def can_reduce(self, bound: BoundKernel, name: str) -> bool:
        """Returns whether a value of the chain can be reduced block by block as it is computed."""
        reduction = block_reduction(bound.evaluate)
        steps = [step for step in self.steps if step.result == name]
        if reduction is None or not self.is_native or not steps or is_broadcast(steps[0].bound):
            return False
        blocks = {known.block for each in self.reductions if (known := block_reduction(each.bound.evaluate))}
        return name not in self.uniform and blocks <= {reduction.block}

    def chain(self, outputs: Sequence[str], reductions: Sequence[PendingReduction]) -> Chain:
        """Returns the chain, whose outputs are these results, and with these reductions. Equal steps are one,
        but for outputs.
        """
        reduced = dict.fromkeys(each.source for each in reductions if each.source not in outputs)
        whole = {*outputs, *reduced}
        numbers = {name: number for number, name in enumerate(self.inputs)}
        steps: list[Step] = []
        known: dict[object, int] = {}
        for pending in self.steps:
            step = Step(pending.bound, tuple(numbers[name] for name in pending.operands))
            key = _computed(pending.bound.op_view.signature), step.operands
            if pending.result in whole or key not in known:
                known.setdefault(key, len(self.inputs) + len(steps))
                numbers[pending.result] = len(self.inputs) + len(steps)
                steps.append(step)
            else:
                numbers[pending.result] = known[key]
        return Chain(
            self.shape,
            tuple(self.types[name] for name in self.inputs),
            {numbers[name]: value for name, value in self.constants.items()},
            tuple(steps),
            tuple(numbers[name] for name in (*outputs, *reduced)),
            tuple(Reduction(each.bound, numbers[each.source]) for each in reductions),
            len(reduced),
        )


class PendingChains:
    """The chains that wait, one for a shape and whether they can be machine code."""

    def __init__(self) -> None:
        self._chains: dict[tuple[Sizes, bool], PendingChain] = {}

    def __bool__(self) -> bool:
        return bool(self._chains)

    def of_result(self, name: str) -> PendingChain | None:
        """Returns the chain that computes a variable, None where it is computed already."""
        return next((chain for chain in self._chains.values() if name in chain.results), None)

    def of_shape(self, shape: Sizes, is_native: bool) -> PendingChain:
        """Returns the chain for arrays of a shape, of operations that can be machine code or of others."""
        return self._chains.setdefault((shape, is_native), PendingChain(shape, is_native))

    def remove(self, chain: PendingChain) -> None:
        """Forgets a chain that is being written."""
        self._chains.pop((chain.shape, chain.is_native), None)

    def all(self) -> list[PendingChain]:
        """Returns all chains."""
        return list(self._chains.values())

    def before_line(self, text: str) -> list[PendingChain]:
        """Returns the chains that must be written before a line: it needs their results, assigns variables
        that they take, or leaves a loop.
        """
        if text.startswith(("if not ", "break")):
            return self.all()
        assigned = set(_NAMES.findall(text.partition(" = ")[0])) if " = " in text else set[str]()
        names = set(_NAMES.findall(text))
        return [
            chain
            for chain in self._chains.values()
            if not names.isdisjoint(chain.results) or not assigned.isdisjoint(chain.inputs)
        ]


def has_few_elements(shape: Sizes) -> bool:
    """Returns whether operations on arrays of a shape may become operations on each element."""
    return 0 < math.prod(shape) <= min(MOST_SEPARATE, policy().fused_elements - 1)


def fusible_shape(bound: BoundKernel) -> Sizes | None:
    """Returns the shape of an operation that can be part of a chain, None for any other."""
    op_view = bound.op_view
    if len(op_view.result_types) != 1 or bound.entry.needs_context or not bound.may_trust:
        return None
    types = (*op_view.operand_types, *op_view.result_types)
    if not op_view.operand_types or not all(map(_is_plain, types)):
        return None
    shape = op_view.result_type().static_shape
    if not shape or (math.prod(shape) < policy().fused_elements and not has_few_elements(shape)):
        return None
    if is_broadcast(bound):
        return shape if _only_repeats(bound) else None
    op_def = find_op_def(op_view.name)
    if op_def is None or not op_def.has("elementwise") or op_view.name in NOT_FUSED:
        return None
    operands = [op_view.tensor_type(index).static_shape for index in range(len(op_view.operand_types))]
    return shape if shape in operands and all(each in (shape, ()) for each in operands) else None


def _computed(signature: Signature) -> object:
    """Returns a key that is equal for operations that compute the same."""
    if signature.properties or signature.attributes:
        return signature
    return signature.name, signature.operand_types, signature.result_types


def _only_repeats(bound: BoundKernel) -> bool:
    op_view = bound.op_view
    dimensions = list(op_view.integers("broadcast_dimensions"))
    own = op_view.tensor_type(0).static_shape
    return dimensions == sorted(dimensions) and own != op_view.result_type().static_shape


def _is_plain(type_: Type) -> bool:
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    try:
        return element_dtype(type_).char in FAST_DTYPES
    except Exception:  # a type that no array can hold
        return False


def is_number(type_: Type) -> bool:
    """Returns whether a type is that of tensors of rank 0."""
    return isinstance(type_, RankedTensorType) and type_.shape == ()


def the_number(value: Value) -> Any:
    """Returns the number that a constant is or repeats, None where it has several."""
    if not is_array(value):
        return value if np.isscalar(value) else None
    if value.size == 0 or any(value.strides):
        return None
    return value[(0,) * value.ndim]
