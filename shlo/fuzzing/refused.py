"""Operations that XLA's CPU backend does not run on some elements, or ends its process on: programs have
none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct

from shlo.dialects.stablehlo.dialect import DIALECT
from shlo.ir.types import RankedTensorType


class Refused(Struct, frozen=True):
    """An operation on elements that XLA does not run.

    Args:
        operation: a pattern of its name.
        elements: a pattern of the types of elements of an operand or result.
        reason: what XLA does.
    """

    operation: str
    elements: str
    reason: str


_NO_FORM: Final = "XLA has no form of it"

REFUSED: Final = (
    Refused("stablehlo.cbrt", "complex*", _NO_FORM),
    Refused("stablehlo.remainder", "complex*", "ends its process with SIGSEGV"),
    Refused("chlo.broadcast_remainder", "complex*", "ends its process with SIGSEGV"),
    Refused("chlo.bessel_i1e", "complex*", _NO_FORM),
    Refused("chlo.bessel_i1e", "f8*", _NO_FORM),
    Refused("chlo.erfc", "f8*", _NO_FORM),
    *(
        Refused(op_def.name, elements, _NO_FORM)
        for op_def in DIALECT.op_defs.values()
        for elements in ("*i4", "*i16")
        if op_def.combines_processes
    ),
)
"""Found by `shlo fuzz`."""


def is_refused(name: str, types: Sequence[RankedTensorType]) -> bool:
    """Returns whether XLA does not run an operation on operands and results of these types."""
    elements = [str(type_.element_type) for type_ in types]
    return any(
        fnmatchcase(name, row.operation) and any(fnmatchcase(element, row.elements) for element in elements)
        for row in REFUSED
    )
