"""Whether values of one type can be values of another."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.types import RankedTensorType, Type, UnrankedTensorType


def compatible(lhs: Type, rhs: Type) -> bool:
    """Returns whether a value can be of both types: they are equal but for sizes that one of them leaves
    open."""
    if isinstance(lhs, (RankedTensorType, UnrankedTensorType)) and isinstance(
        rhs, (RankedTensorType, UnrankedTensorType)
    ):
        return lhs.element_type == rhs.element_type and _same_sizes(lhs, rhs)
    return lhs == rhs


def require_fit(what: str, types: Sequence[Type], wanted: Sequence[Type]) -> None:
    """Raises KernelError, in words that begin with `what`, unless the types fit one by one."""
    if len(types) != len(wanted):
        raise KernelError(f"{what} {len(types)} values where {len(wanted)} are needed")
    for position, (one, other) in enumerate(zip(types, wanted)):
        if one != other and not compatible(one, other):
            raise KernelError(f"{what} {one} as value {position}, which must be {other}")


def _same_sizes(
    lhs: RankedTensorType | UnrankedTensorType, rhs: RankedTensorType | UnrankedTensorType
) -> bool:
    if isinstance(lhs, UnrankedTensorType) or isinstance(rhs, UnrankedTensorType):
        return True
    if len(lhs.shape) != len(rhs.shape):
        return False
    return all(one is None or other is None or one == other for one, other in zip(lhs.shape, rhs.shape))
