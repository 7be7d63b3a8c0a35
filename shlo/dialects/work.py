"""The work of operations: what carrying one out once computes, and what it moves in memory.

An operation's definition states it (`OpDef.work`) where the traits `elementwise` and `transcendental` do not.
Counts follow XLA's cost analysis where it has one (docs/cost.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from shlo.ir.types import RankedTensorType, Type

if TYPE_CHECKING:
    from shlo.dialects.op_bindings import OpBindings


class NotCounted(Exception):
    """The work of an operation cannot be told; the message says why."""


class OpWork(Struct, frozen=True):
    """The work of one operation, without that of its regions.

    Attributes:
        flops: arithmetic operations, on integers and booleans too.
        transcendentals: evaluations of functions such as exp and sin.
        rounds: how often each region is applied, for an operation whose regions are bodies of a kernel.
        read: bytes that are read; None for the sizes of all operands.
        written: bytes that are written; None for the sizes of all results.
        in_place: the number of an operand that the result may take the memory of.
        is_view: whether the results are the operands' memory.
    """

    flops: int = 0
    transcendentals: int = 0
    rounds: tuple[int, ...] = ()
    read: int | None = None
    written: int | None = None
    in_place: int | None = None
    is_view: bool = False


WorkFn = Callable[["OpBindings"], OpWork]
"""Returns the work of an operation; raises NotCounted."""

VIEW = OpWork(read=0, written=0, is_view=True)


def elements_of(type_: Type) -> int:
    """Returns the number of elements of a tensor, 1 for any other value; raises NotCounted."""
    if isinstance(type_, RankedTensorType):
        if not type_.is_static:
            raise NotCounted(f"the sizes of {type_} are not known")
        return math.prod(type_.static_shape)
    if hasattr(type_, "element_type"):
        raise NotCounted(f"the sizes of {type_} are not known")
    return 1


def known_shape(type_: Type) -> tuple[int, ...]:
    """Returns the sizes of a tensor; raises NotCounted."""
    elements_of(type_)
    return type_.static_shape if isinstance(type_, RankedTensorType) else ()
