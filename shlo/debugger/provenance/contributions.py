"""The elements of operands that an element of a result depends on, ranked by what they add to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, Literal, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.ir.dtypes import Array
from shlo.runner.statistics import finite_mask

Index = tuple[int, ...]

Role = Literal[
    "value",  # the element itself: moved, or the argument of an elementwise function
    "term",  # one of many elements that are combined
    "choice",  # decides which element is taken: a predicate, an index, a key that is compared
]

MOST_LISTED: Final = 1000
"""How many contributions are listed; `Contributions.total` counts all."""


class Contribution(Struct, frozen=True):
    """An element of an operand: its operand's number, its index, its role, and what it adds to the result
    (for a product both factors carry the product; None where nothing is added up).
    """

    operand: int
    index: Index
    role: Role = "value"
    amount: float | complex | None = None


class Contributions(Struct, frozen=True):
    """What an element depends on, the most important first: elements that are not finite, then what chooses
    nothing, then by amount. `opaque` says why nothing is known, where that is so; an operation without
    operands has neither.
    """

    listed: tuple[Contribution, ...] = ()
    total: int = 0
    opaque: str = ""


class OpRun(Struct, frozen=True, dict=True):
    """One execution of an operation: its static side, its compiled function, operands and results."""

    view: OpView
    evaluate: KernelFn
    operands: tuple[Value, ...]
    results: tuple[Value, ...]

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """The operands as arrays."""
        return tuple(np.asarray(operand) for operand in self.operands)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The regions."""
        return self.view.bodies


class Terms(Struct, frozen=True):
    """Elements of one operand by their positions in row-major order, with what each adds (None: unknown)."""

    operand: int
    positions: Array
    role: Role = "value"
    amounts: Array | None = None


def results_of(returned: Value) -> tuple[Value, ...]:
    """Returns what a kernel's function returned as the results of its operation."""
    if isinstance(returned, tuple):
        return cast("tuple[Value, ...]", returned)
    return () if returned is None else (returned,)


def run_of(kernel: BoundKernel, operands: tuple[Value, ...], results: tuple[Value, ...]) -> OpRun:
    """Returns an execution; what regions use from outside, the last operands, is bound to their bodies."""
    view, count = kernel.op_view, len(kernel.op_view.operand_types)
    captured = operands[count:]
    if not captured:
        return OpRun(view, kernel.evaluate, operands, results)

    def evaluate(*values: Value) -> Value:
        return kernel.evaluate(*values, *captured)

    bodies = tuple(cast("RegionBody", body).bound(captured) for body in view.bodies)
    return OpRun(replace(view, bodies=bodies), evaluate, operands[:count], results)


TermsOf = Callable[[OpRun, int, Index], Sequence[Terms]]
"""Returns the terms of the element at an index of the result of a number."""


_by_name: dict[str, TermsOf] = {}


def terms_of(*names: str) -> Callable[[TermsOf], TermsOf]:
    """Registers a function for the operations of these names."""

    def register(function: TermsOf) -> TermsOf:
        _by_name.update(dict.fromkeys(names, function))
        return function

    return register


def terms_of_op(function: TermsOf) -> TermsOf:
    """Registers a function for the operation of StableHLO that it is named after."""
    return terms_of(f"stablehlo.{function.__name__}")(function)


def registered(name: str) -> TermsOf | None:
    """Returns what was registered for an operation."""
    return _by_name.get(name)


def positions_in(shape: Sequence[int]) -> Array:
    """Returns an array of a shape whose elements are their own positions in row-major order."""
    return cast("Array", np.arange(math.prod(shape)).reshape(tuple(shape)))


def position_at(index: Index, shape: Sequence[int]) -> int:
    """Returns the position, in row-major order, of an index in a shape."""
    return int(np.ravel_multi_index(index, tuple(shape))) if index else 0


def element(operand: int, array: Array, index: Index, role: Role = "value") -> Terms:
    """Returns the single element at an index; that of a scalar whatever the index is."""
    at = position_at(index, array.shape) if array.ndim else 0
    return Terms(operand, np.array([at]), role)


def whole(operand: int, array: Array, role: Role = "term") -> Terms:
    """Returns all elements of an operand."""
    return Terms(operand, np.arange(array.size), role)


def ranked(run: OpRun, terms: Sequence[Terms], most: int = MOST_LISTED) -> Contributions:
    """Returns terms as contributions, the most important first."""
    ranking: list[tuple[tuple[float, ...], Contribution]] = []
    total = 0
    for group in terms:
        array, positions = run.arrays[group.operand], group.positions
        total += positions.size
        if not positions.size:
            continue
        values = array.reshape(-1)[positions]
        keys = _keys(values, group)
        best = np.lexsort((np.arange(len(keys)), -keys))[:most] if positions.size > 1 else np.array([0])
        order = ("value", "term", "choice").index(group.role)
        indices = np.unravel_index(positions[best], array.shape) if array.ndim else ()
        for rank, at in enumerate(best.tolist()):
            index = tuple(int(axis[rank]) for axis in indices)
            amount = None if group.amounts is None else group.amounts[at].item()
            key = float(keys[at])
            finite = key != np.inf
            ranking.append(
                (
                    (finite, order, -key if finite else 0.0),
                    Contribution(group.operand, index, group.role, amount),
                )
            )
    ranking.sort(key=lambda pair: pair[0])
    return Contributions(tuple(contribution for _, contribution in ranking[:most]), total)


def _keys(values: Array, group: Terms) -> Array:
    """Returns how important elements are: infinity where not finite, else the amount."""
    finite = finite_mask(values)
    amounts = group.amounts
    if amounts is None:
        return np.where(finite, 0.0, np.inf)
    with np.errstate(all="ignore"):
        size = np.abs(np.asarray(amounts)).astype(np.float64)
    huge = np.finfo(np.float64).max
    return np.where(finite, np.nan_to_num(size, nan=huge, posinf=huge), np.inf)
