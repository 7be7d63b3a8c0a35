"""Shardy's attributes, one row each. Codes are Shardy's.

What has no meaning outside of another attribute (an axis of a mesh, the factors of a dimension) is an entry
of its own in the file, but none of our attributes: a `FieldPart`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from shlo.dialects.sdy.attributes import (
    AllToAllParameter,
    AllToAllParameters,
    AxisReference,
    AxisReferenceLists,
    AxisReferences,
    DimensionSharding,
    ManualAxes,
    OpShardingRule,
    Reduction,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.ir.attributes import Attribute, StringAttr, SymbolRefAttr
from shlo_bytecode.container.output import EntryParts
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.builtin import name_attribute
from shlo_bytecode.tables.fields import (
    Encoding,
    EntryStream,
    Field,
    FieldPart,
    ItemRow,
    numbers,
    record,
    signed,
    string,
    struct,
)

Int64s = tuple[int, ...]

REDUCTIONS: tuple[Reduction, ...] = ("sum", "max", "min")
FACTOR_KINDS = ("reduction", "need_replication", "permutation", "blocked_propagation")


class AxisPart(FieldPart, Struct, frozen=True):
    """The size of the axis before a sub-axis, and the size of the sub-axis."""

    before: int
    size: int


class MeshAxisFields(FieldPart, Struct, frozen=True):
    """Axis of a mesh."""

    name: str
    size: int


class DimensionFactors(FieldPart, Struct, frozen=True):
    """Factors of one dimension in a sharding rule."""

    factors: Int64s


class TensorFactors(FieldPart, Struct, frozen=True):
    """Factors of each dimension of a tensor in a sharding rule."""

    dimensions: tuple[DimensionFactors, ...]


def _manual_axes(names: tuple[StringAttr, ...]) -> ManualAxes:
    return ManualAxes(tuple([name.value for name in names]))


def _manual_axes_parts(axes: ManualAxes) -> tuple[tuple[StringAttr, ...]]:
    return (tuple([name_attribute(name) for name in axes.axes]),)


def _mesh(axes: tuple[MeshAxisFields, ...], device_ids: Int64s) -> ShardyMesh:
    return ShardyMesh.of(tuple([(axis.name, axis.size) for axis in axes]), device_ids)


def _mesh_parts(mesh: ShardyMesh) -> tuple[tuple[MeshAxisFields, ...], Int64s]:
    return tuple([MeshAxisFields(*axis) for axis in mesh.axes]), mesh.device_ids


def _axis(name: str, part: AxisPart | None) -> AxisReference:
    return AxisReference(name, None if part is None else (part.before, part.size))


def _sharding(
    mesh: Attribute,
    dimensions: tuple[DimensionSharding, ...],
    replicated: tuple[AxisReference, ...],
    unreduced: tuple[AxisReference, ...] = (),
    reduction: int = 0,
) -> TensorSharding:
    if not isinstance(mesh, (SymbolRefAttr, ShardyMesh)):
        raise ValueError("its mesh is none")
    if not 0 <= reduction < len(REDUCTIONS):
        raise ValueError(f"expected a reduction from 0 to {len(REDUCTIONS) - 1}, got {reduction}")
    return TensorSharding(mesh, dimensions, replicated, unreduced, REDUCTIONS[reduction])


def _sharding_parts(sharding: TensorSharding) -> tuple[Any, ...] | None:
    return None if sharding.unreduced else (sharding.mesh, sharding.dimensions, sharding.replicated)


def _summed_parts(sharding: TensorSharding) -> tuple[Any, ...] | None:
    return None if sharding.reduction != "sum" else _reduced_parts(sharding)[:-1]


def _reduced_parts(sharding: TensorSharding) -> tuple[Any, ...]:
    plain = sharding.mesh, sharding.dimensions, sharding.replicated, sharding.unreduced
    return (*plain, REDUCTIONS.index(sharding.reduction))


def _plain_shardings_parts(attribute: ShardingPerValue) -> tuple[Any, ...] | None:
    is_plain = not any(sharding.unreduced for sharding in attribute.shardings)
    return (attribute.shardings,) if is_plain else None


def _rule(
    sizes: Int64s,
    operands: tuple[TensorFactors, ...],
    results: tuple[TensorFactors, ...],
    *rest: Int64s | bool,
) -> OpShardingRule:
    *lists, is_custom = rest
    if any(factor < 0 for factor_list in lists if isinstance(factor_list, tuple) for factor in factor_list):
        raise ValueError("a factor is below 0")
    factors = tuple(
        [(kind, factor_list) for kind, factor_list in zip(FACTOR_KINDS, lists, strict=True) if factor_list]
    )
    return OpShardingRule(sizes, _mappings(operands), _mappings(results), factors, bool(is_custom))  # type: ignore[arg-type]


def _rule_parts(rule: OpShardingRule) -> tuple[Any, ...]:
    factors = dict(rule.factors)
    lists = [factors.get(kind, ()) for kind in FACTOR_KINDS]
    mappings = [_tensor_factors(mapping) for mapping in (rule.operand_mappings, rule.result_mappings)]
    return rule.factor_sizes, *mappings, *lists, rule.is_custom


def _tensor_factors(tensors: tuple[tuple[Int64s, ...], ...]) -> tuple[TensorFactors, ...]:
    return tuple(
        [TensorFactors(tuple([DimensionFactors(dimension) for dimension in tensor])) for tensor in tensors]
    )


def _mappings(tensors: tuple[TensorFactors, ...]) -> tuple[tuple[Int64s, ...], ...]:
    mappings = tuple([tuple([part.factors for part in tensor.dimensions]) for tensor in tensors])
    if any(factor < 0 for tensor in mappings for factors in tensor for factor in factors):
        raise ValueError("a factor is below 0")
    return mappings


def _lists(lists: tuple[AxisReferences, ...]) -> AxisReferenceLists:
    return AxisReferenceLists(tuple([axis_list.axes for axis_list in lists]))


def _optional_number(name: str) -> Field:
    """Returns a number behind a flag that says whether it is there."""

    def read(stream: EntryStream, what: str) -> int | None:
        value, is_there = stream.flagged(what)
        return value if is_there else None

    def write(parts: EntryParts, value: int | None) -> None:
        parts.varint(0 if value is None else value << 1 | 1)

    return Field(name, read, write)


def _list_of(name: str, cls: type[fields.Item]) -> Field:
    return fields.items(fields.attribute(name, cls))


_AXES = _list_of("axes", AxisReference)
_SHARDING = (
    fields.attribute("mesh"),
    _list_of("dimensions", DimensionSharding),
    _list_of("replicated axes", AxisReference),
)
_UNREDUCED = _list_of("unreduced axes", AxisReference)
_SHARDINGS = (_list_of("shardings", TensorSharding),)

SDY = Encoding(
    {
        0: ItemRow(
            "manual_axes", (_list_of("names", StringAttr),), _manual_axes, ManualAxes, _manual_axes_parts
        ),
        1: record(MeshAxisFields),
        2: ItemRow(
            "mesh", (_list_of("axes", MeshAxisFields), numbers("devices")), _mesh, ShardyMesh, _mesh_parts
        ),
        3: struct(AxisPart, signed("size before"), signed("size")),
        4: ItemRow(
            "axis_ref",
            (string("name"), fields.optional_attribute("part", AxisPart)),
            _axis,
            AxisReference,
            lambda axis: (axis.name, axis.part and AxisPart(*axis.part)),
        ),
        5: struct(DimensionSharding, _AXES, fields.flag("closed"), _optional_number("priority")),
        6: ItemRow("sharding", _SHARDING, _sharding, TensorSharding, _sharding_parts),
        7: ItemRow(
            "sharding_per_value", _SHARDINGS, ShardingPerValue, ShardingPerValue, _plain_shardings_parts
        ),
        8: record(DimensionFactors),
        9: struct(TensorFactors, _list_of("dimensions", DimensionFactors)),
        10: ItemRow(
            "op_sharding_rule",
            (
                numbers("sizes of factors"),
                _list_of("operands", TensorFactors),
                _list_of("results", TensorFactors),
                *map(numbers, FACTOR_KINDS),
                fields.flag("custom"),
            ),
            _rule,
            OpShardingRule,
            _rule_parts,
        ),
        11: struct(AxisReferences, _AXES),
        12: ItemRow(
            "list_of_axis_ref_lists",
            (_list_of("lists", AxisReferences),),
            _lists,
            AxisReferenceLists,
            lambda lists: (tuple([AxisReferences(axes) for axes in lists.lists]),),
        ),
        13: struct(AllToAllParameter, _AXES, signed("source"), signed("target")),
        14: struct(AllToAllParameters, _list_of("parameters", AllToAllParameter)),
        15: ItemRow("sharding", (*_SHARDING, _UNREDUCED), _sharding, TensorSharding, _summed_parts),
        16: struct(ShardingPerValue, *_SHARDINGS),
        17: ItemRow(
            "sharding",
            (*_SHARDING, _UNREDUCED, signed("reduction")),
            _sharding,
            TensorSharding,
            _reduced_parts,
        ),
    },
    {},
)
