"""Which mesh a sharding is over, and which sharding a value has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from shlo.dialects.op_bindings import OpContext, ValueOrigin
from shlo.dialects.sdy.attributes import (
    DimensionSharding,
    ManualAxes,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr
from shlo.ir.operations import Operation

SHARDING: Final = "sdy.sharding"
MANUAL: Final = "sdy.manual_computation"
NAMED: Final = "sdy.named_computation"
EDGE: Final = "sdy.data_flow_edge"
BARRIER: Final = "sdy.propagation_barrier"

WITH_EDGES: Final = frozenset(
    (MANUAL, NAMED, "stablehlo.while", "stablehlo.case", "stablehlo.optimization_barrier")
)
"""Operations of which each result and each argument of a region belongs to a data-flow edge."""


def mesh_of(around: OpContext, sharding: TensorSharding) -> ShardyMesh | None:
    """Returns the mesh of a sharding, None where its symbol names none."""
    if isinstance(sharding.mesh, ShardyMesh):
        return sharding.mesh
    operation = around.find(sharding.mesh)
    mesh = operation.attribute("mesh") if operation and operation.name == "sdy.mesh" else None
    return mesh if isinstance(mesh, ShardyMesh) else None


def shardings_of(attribute: Attribute | None) -> tuple[TensorSharding, ...]:
    """Returns the shardings that an attribute holds."""
    if isinstance(attribute, TensorSharding):
        return (attribute,)
    return attribute.shardings if isinstance(attribute, ShardingPerValue) else ()


def manual_axes(operation: Operation) -> tuple[str, ...]:
    """Returns the axes over which a manual computation is split by hand."""
    axes = operation.attribute("manual_axes")
    return axes.axes if isinstance(axes, ManualAxes) else ()


def bound_axes(around: OpContext) -> Iterator[str]:
    """Yields the axes that manual computations around an operation are split over."""
    for ancestor in around.ancestors():
        if ancestor.name == MANUAL:
            yield from manual_axes(ancestor)


def sharding_of(around: OpContext, value: int) -> TensorSharding | None:
    """Returns the sharding of a value, None where it has none or where it comes from is not known."""
    origin = around.origin(value)
    if origin is None:
        return None
    operation = origin.operation
    if operation.name in WITH_EDGES:
        owner = _edge_owner(origin)
        users = around.users(owner) if owner is not None else ()
        if len(users) == 1 and users[0].name == EDGE:
            return _single(users[0].attribute("sharding"))
    if origin.region is None:
        return _of_result(operation, origin.number)
    if operation.name == "stablehlo.async_start" and origin.number < len(operation.operands):
        passed = around.origin(operation.operands[origin.number])
        return _of_result(passed.operation, passed.number) if passed and passed.region is None else None
    return _of_argument(origin)


def sharding_before_barriers(around: OpContext, value: int) -> TensorSharding | None:
    """Returns the sharding of what goes into the propagation barriers that a value comes out of."""
    origin = around.origin(value)
    while origin and origin.region is None and origin.operation.name == BARRIER and origin.operation.operands:
        value = origin.operation.operands[0]
        origin = around.origin(value)
    return sharding_of(around, value)


def _edge_owner(origin: ValueOrigin) -> int | None:
    """Returns the value that refers to the data-flow edge of a result or of an argument."""
    operation, number = origin.operation, origin.number
    if origin.region is None:
        owners = operation.results
    elif operation.name in (MANUAL, NAMED):
        owners = operation.regions[origin.region].blocks[0].arguments
    else:
        owners = operation.results if operation.name == "stablehlo.while" else ()
    return owners[number] if number < len(owners) else None


def _of_result(operation: Operation, number: int) -> TensorSharding | None:
    for name in ("sharding", "out_sharding"):
        if operation.name.startswith("sdy.") and operation.attribute(name) is not None:
            return _single(operation.attribute(name))
    name = "out_shardings" if operation.name in (MANUAL, NAMED) else SHARDING
    return _at(operation.attribute(name), number)


def _of_argument(origin: ValueOrigin) -> TensorSharding | None:
    operation = origin.operation
    if operation.name == "func.func":
        attributes = operation.attribute("arg_attrs")
        entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
        entry = entries[origin.number] if origin.number < len(entries) else None
        return _single(entry.as_dict().get(SHARDING)) if isinstance(entry, DictionaryAttr) else None
    if operation.name == "stablehlo.while":
        return _at(operation.attribute(SHARDING), origin.number)
    if operation.name not in (MANUAL, NAMED):
        return None
    sharding = _at(operation.attribute("in_shardings"), origin.number)
    return _inside(sharding, manual_axes(operation)) if sharding else None


def _inside(sharding: TensorSharding, manual: tuple[str, ...]) -> TensorSharding:
    """Returns a sharding without the axes that are split by hand."""

    def free(dimension: DimensionSharding) -> DimensionSharding:
        return replace(dimension, axes=tuple(axis for axis in dimension.axes if axis.name not in manual))

    return replace(
        sharding,
        dimensions=tuple(map(free, sharding.dimensions)),
        replicated=tuple(axis for axis in sharding.replicated if axis.name not in manual),
        unreduced=tuple(axis for axis in sharding.unreduced if axis.name not in manual),
    )


def _at(attribute: Attribute | None, number: int) -> TensorSharding | None:
    shardings = attribute.shardings if isinstance(attribute, ShardingPerValue) else ()
    return shardings[number] if number < len(shardings) else None


def _single(attribute: Attribute | None) -> TensorSharding | None:
    return attribute if isinstance(attribute, TensorSharding) else None
