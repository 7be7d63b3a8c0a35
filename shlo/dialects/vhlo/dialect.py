"""Definitions of VHLO's operations, made from the table of their versions and StableHLO's operations.

VHLO says less of its operations than StableHLO: how many operands, results and regions there are, and that
all attributes are given. Operands, results and attributes may be of any kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.attr_constraints import ANY_ATTR, AttrDef
from shlo.dialects.opdef import OpDef, OperandDef, Trait, dialect_of, required, traits
from shlo.dialects.type_constraints import ANY_TYPE
from shlo.dialects.vhlo.versions import ONE_OPERAND, ROWS, VhloOp
from shlo.ir.attributes import Attribute

_ONE_RESULT: Final = ONE_OPERAND | {"async_done_v1"}
_TRAITS: Final[Mapping[str, tuple[Trait, ...]]] = {"func": ("isolated",), "return": ("terminator",)}


class VhloTensor(Attribute, Struct, frozen=True):
    """`#vhlo.tensor_v1<dense<...> : type>`: elements."""

    value: Attribute


def _any(row: VhloOp, specs: tuple[OperandDef, ...], is_one: bool) -> tuple[OperandDef, ...]:
    """Returns operands or results of any type; one that an attribute is called as is dynamic."""
    return tuple(
        [
            OperandDef(
                f"d_{spec.name}" if spec.name in row.attributes else spec.name,
                ANY_TYPE,
                "one" if is_one else spec.arity,
            )
            for spec in specs
        ]
    )


def _op_def(row: VhloOp) -> OpDef:
    """Returns the definition of a version of an operation; every one has an operation that it refers to."""
    twin = find_op_def(row.stablehlo_name)
    assert twin is not None, row.name
    short, names = row.name.removeprefix("vhlo."), _TRAITS.get(row.base, ())
    regions = () if short == "composite_v1" else twin.regions
    return OpDef(
        row.name,
        f"Version {row.number} of {twin.name}.",
        operands=_any(row, twin.operands, short in ONE_OPERAND),
        attributes=tuple([required(name, ANY_ATTR) for name in row.attributes]),
        regions=tuple([replace(region, blocks="any") for region in regions]),
        results=_any(row, twin.results, short in _ONE_RESULT),
        result_names=twin.result_names,
        format="custom(vhlo_function)" if row.base == "func" else None,
        traits=traits(*names),
    )


DIALECT = dialect_of(
    "vhlo", map(_op_def, ROWS), structs=(AttrDef("vhlo", "tensor_v1", VhloTensor, custom="vhlo_tensor"),)
)
