"""MHLO, XLA's own dialect: which of its operations, attributes and types are StableHLO's or chlo's as well.

Nearly all of MHLO is StableHLO under another name. An operation that is the same has a `twin`: the definition
of StableHLO's or chlo's operation, with MHLO's pretty form where that differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.attr_constraints import ANY_ATTR, BOOL_ATTR
from shlo.dialects.opdef import AttributeDef, OpDef, may

MHLO: Final = "mhlo"
_SAME_TYPE: Final = "operands attr-dict `:` type(same)"

_IN_CHLO: Final[Mapping[str, str]] = {
    **{
        name: name
        for name in (
            *("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "mulhi", "ragged_dot", "scan"),
            "sinh",
        )
    },
    "topk": "top_k",
}
"""Operations of MHLO that are chlo's, by their names there."""

_OTHERS: Final = frozenset(("async_done", "async_start", "collective_reduce", "unary_einsum"))
"""Operations that StableHLO calls by the same names as MHLO, and means others, or that MHLO lacks."""

_FORMATS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "mulhi", "sinh"), _SAME_TYPE),
    "topk": (
        "`(` $operand `,` `k` `=` $k [ `,` `largest` `=` $largest ]? [ `,` `is_stable` `=` $is_stable ]? `)`"
        " attr-dict `:` type(operands) `->` `(` type(results) `)`"
    ),
}
"""MHLO's pretty forms where they are not those of the twins."""

_MORE: Final[Mapping[str, tuple[AttributeDef, ...]]] = {
    "topk": (may("largest", BOOL_ATTR),),
    "custom_call": (may("custom_call_schedule", ANY_ATTR),),
}
"""Attributes that the twins lack."""

NEUTRAL: Final[Mapping[str, tuple[str, ...]]] = {
    "largest": ("true",),
    "custom_call_schedule": ("#mhlo<custom_call_schedule NONE>",),
}
"""The values with which an attribute that the twin lacks says nothing, as they are written."""

_STRUCTS_IN_CHLO: Final = frozenset(("ragged_dot",))
_TYPES: Final = frozenset(("token",))


@cache
def twin(name: str) -> OpDef | None:
    """Returns the definition that reads an operation `mhlo.NAME`, named as the operation that it is in
    StableHLO or chlo; None where there is no such operation."""
    short = name.removeprefix(f"{MHLO}.")
    if short in _OTHERS:
        return None
    in_chlo = _IN_CHLO.get(short)
    op_def = find_op_def(f"chlo.{in_chlo}" if in_chlo else f"stablehlo.{short}")
    if op_def is None:
        return None
    attributes = (*op_def.attributes, *_MORE.get(short, ()))
    return replace(op_def, attributes=attributes, format=_FORMATS.get(short, op_def.format))


def twin_dialect(mnemonic: str) -> str:
    """Returns the dialect that has an attribute or type `mhlo.MNEMONIC`; MHLO itself where no other one
    has it."""
    if mnemonic in _STRUCTS_IN_CHLO:
        return "chlo"
    stablehlo = find_dialect("stablehlo")
    assert stablehlo is not None
    has_it = mnemonic in stablehlo.structs or mnemonic in stablehlo.enums or mnemonic in _TYPES
    return "stablehlo" if has_it else MHLO
