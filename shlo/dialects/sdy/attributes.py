"""Shardy's attributes: how tensors are laid out over a mesh of devices."""

from __future__ import annotations

from dataclasses import dataclass

from shlo.ir.attributes import Attribute, SymbolRefAttr


@dataclass(frozen=True, slots=True)
class AxisReference(Attribute):
    """`"x"`, or a part of an axis `"x":(1)2`: what stands before the part, and its size."""

    name: str
    part: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class AxisReferences(Attribute):
    """`#sdy<axis_ref_list{"x", "y"}>`."""

    axes: tuple[AxisReference, ...]


@dataclass(frozen=True, slots=True)
class AxisReferenceLists(Attribute):
    """`#sdy<list_of_axis_ref_lists[{"x"}, {}]>`: axes for each dimension."""

    lists: tuple[tuple[AxisReference, ...], ...]


@dataclass(frozen=True, slots=True)
class AllToAllParameter(Attribute):
    """`{"x"}: 0->1`: axes that move from one dimension to another."""

    axes: tuple[AxisReference, ...]
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class AllToAllParameters(Attribute):
    """`#sdy<all_to_all_param_list[{"x"}: 0->1]>`."""

    parameters: tuple[AllToAllParameter, ...]


@dataclass(frozen=True, slots=True)
class ManualAxes(Attribute):
    """`#sdy<manual_axes{"x"}>`."""

    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShardyMesh(Attribute):
    """`#sdy.mesh<["x"=2, "y"=4], device_ids=[...]>`: names and sizes of the axes; without ids, devices count
    up."""

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DimensionSharding(Attribute):
    """`{"x", ?}p1`: the axes over which a dimension is split; an open one (`?`) may be split further."""

    axes: tuple[AxisReference, ...] = ()
    is_closed: bool = True
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class TensorSharding(Attribute):
    """`#sdy.sharding<@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>`."""

    mesh: SymbolRefAttr | ShardyMesh
    dimensions: tuple[DimensionSharding, ...]
    replicated: tuple[AxisReference, ...] = ()
    unreduced: tuple[AxisReference, ...] = ()


@dataclass(frozen=True, slots=True)
class ShardingPerValue(Attribute):
    """`#sdy.sharding_per_value<[<@mesh, [{}]>, ...]>`."""

    shardings: tuple[TensorSharding, ...]


@dataclass(frozen=True, slots=True)
class OpShardingRule(Attribute):
    """`#sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} reduction={j}, custom>`.

    Factors are numbers from 0 (`i` in the text); a mapping lists, for each dimension of a tensor, its
    factors.
    """

    factor_sizes: tuple[int, ...]
    operand_mappings: tuple[tuple[tuple[int, ...], ...], ...]
    result_mappings: tuple[tuple[tuple[int, ...], ...], ...]
    factors: tuple[tuple[str, tuple[int, ...]], ...] = ()
    is_custom: bool = False
