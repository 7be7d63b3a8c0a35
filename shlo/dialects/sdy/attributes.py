"""Shardy's attributes: how tensors are laid out over a mesh of devices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Literal

from msgspec import Struct

from shlo.ir.attributes import Attribute, SymbolRefAttr

Reduction = Literal["sum", "max", "min"]
"""How summands of unreduced axes are combined."""


class AxisReference(Attribute, Struct, frozen=True):
    """`"x"`, or a part of an axis `"x":(1)2`: what is before the part, and its size."""

    name: str
    part: tuple[int, int] | None = None


class AxisReferences(Attribute, Struct, frozen=True):
    """`#sdy<axis_ref_list{"x", "y"}>`."""

    axes: tuple[AxisReference, ...]


class AxisReferenceLists(Attribute, Struct, frozen=True):
    """`#sdy<list_of_axis_ref_lists[{"x"}, {}]>`: axes for each dimension."""

    lists: tuple[tuple[AxisReference, ...], ...]


class AllToAllParameter(Attribute, Struct, frozen=True):
    """`{"x"}: 0->1`: axes that move from one dimension to another."""

    axes: tuple[AxisReference, ...]
    source: int
    target: int


class AllToAllParameters(Attribute, Struct, frozen=True):
    """`#sdy<all_to_all_param_list[{"x"}: 0->1]>`."""

    parameters: tuple[AllToAllParameter, ...]


class ManualAxes(Attribute, Struct, frozen=True):
    """`#sdy<manual_axes{"x"}>`."""

    axes: tuple[str, ...]


class ShardyMesh(Attribute, Struct, frozen=True, dict=True):
    """`#sdy.mesh<["x"=2, "y"=4], device_ids=[...]>`: names and sizes of the axes; without ids, devices count
    up. A mesh without axes but with one device is maximal: what is laid out over it is on that device.
    `sizes` has the sizes by name."""

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number of devices along each axis."""
        return dict(self.axes)

    @staticmethod
    def of(axes: tuple[tuple[str, int], ...], device_ids: tuple[int, ...]) -> ShardyMesh:
        """Returns the mesh with these devices; ids that count up are dropped, as they say nothing."""
        counts_up = bool(axes) and device_ids == tuple(range(len(device_ids)))
        is_default = counts_up and len(device_ids) == math.prod(size for _, size in axes)
        return ShardyMesh(axes, () if is_default else device_ids)

    @property
    def is_maximal(self) -> bool:
        """Whether it is a single device without axes."""
        return not self.axes and len(self.device_ids) == 1

    @property
    def is_empty(self) -> bool:
        """Whether it has neither axes nor devices: a mesh to be filled in later."""
        return not self.axes and not self.device_ids


class DimensionSharding(Attribute, Struct, frozen=True):
    """`{"x", ?}p1`: the axes over which a dimension is split; an open one (`?`) may be split further."""

    axes: tuple[AxisReference, ...] = ()
    is_closed: bool = True
    priority: int | None = None


class TensorSharding(Attribute, Struct, frozen=True):
    """`#sdy.sharding<@mesh, [{"x"}, {}], replicated={"y"}, unreduced=max{"z"}>`: parts along unreduced axes
    are still to be combined by `reduction`."""

    has_references: ClassVar[bool] = True

    mesh: SymbolRefAttr | ShardyMesh
    dimensions: tuple[DimensionSharding, ...]
    replicated: tuple[AxisReference, ...] = ()
    unreduced: tuple[AxisReference, ...] = ()
    reduction: Reduction = "sum"

    @property
    def is_replicated(self) -> bool:
        """Whether no dimension is split."""
        return not any(dimension.axes for dimension in self.dimensions)


class ShardingPerValue(Attribute, Struct, frozen=True):
    """`#sdy.sharding_per_value<[<@mesh, [{}]>, ...]>`."""

    has_references: ClassVar[bool] = True

    shardings: tuple[TensorSharding, ...]


class OpShardingRule(Attribute, Struct, frozen=True):
    """`#sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} reduction={j}, custom>`.

    Factors are numbers from 0 (`i` in the text); a mapping lists, for each dimension of a tensor, its
    factors.
    """

    factor_sizes: tuple[int, ...]
    operand_mappings: tuple[tuple[tuple[int, ...], ...], ...]
    result_mappings: tuple[tuple[tuple[int, ...], ...], ...]
    factors: tuple[tuple[str, tuple[int, ...]], ...] = ()
    is_custom: bool = False


class EdgeValue(Attribute, Struct, frozen=True):
    """`operand-0` or `result-1`: an operand or a result of the operation, by its number."""

    role: Literal["operand", "result"]
    index: int


class AxisPropagation(Attribute, Struct, frozen=True):
    """`{"x" = operand-0 -> [result-0]}`: a layout over an axis spread from one value to others."""

    axis: AxisReference
    source: EdgeValue
    targets: tuple[EdgeValue, ...]


class PropagationStep(Attribute, Struct, frozen=True):
    """`{step-1 = [{"x" = operand-0 -> [result-0]}]}`: what spread in one step."""

    index: int
    axes: tuple[AxisPropagation, ...]


class PropagationEdges(Attribute, Struct, frozen=True):
    """`#sdy.propagation_edges<[{step-1 = [...]}, ...]>`: how an operation got its layouts, step by step."""

    steps: tuple[PropagationStep, ...]
