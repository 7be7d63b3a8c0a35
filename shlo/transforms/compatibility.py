"""Operations that an older version of StableHLO lacks, expanded so that an artifact for it can hold them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.dialects.struct_attributes import (
    GatherDimensionNumbers,
    ReplicaGroupMeshAxes,
    ScatterDimensionNumbers,
)
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.topology.mesh import mesh_groups
from shlo.ir.attributes import Attribute, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import PassError
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    resolve,
)
from shlo.ir.operations import Block, Module, Operation, Region
from shlo.ir.types import I1, I32, I64, IntegerType, RankedTensorType, Type
from shlo.transforms.complex_math import has_default_accuracy
from shlo.transforms.from_chlo import chlo_to_stablehlo
from shlo.transforms.from_shape import shape_to_stablehlo
from shlo.transforms.rewriting.builder import ValueRef, is_complex
from shlo.transforms.rewriting.dead_code import hoisted_constants
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import as_complex, cosine, imag, real, sine
from shlo.transforms.rewriting.rebuild import are_same, with_blocks
from shlo.transforms.rewriting.shapes import joined, reshaped

Version = tuple[int, int, int]

BATCHED_INDEXING: Version = (1, 1, 0)
TAN: Version = (1, 4, 0)
LOCATION_RANGES: Version = (1, 9, 0)
MESH_AXES: Version = (1, 16, 0)
"""The versions that brought batching dimensions of gather and scatter, tan, ranges as locations, and replica
groups that are axes of a mesh."""


def without_chlo(module: Module) -> Module:
    """Returns the program with StableHLO's operations in place of chlo's, which artifacts cannot hold."""
    converted = chlo_to_stablehlo(module)
    has_shapes = any(operation.name.startswith("shape.") for operation, _ in converted.walk())
    return shape_to_stablehlo(converted) if has_shapes else converted


def expand_for_version(module: Module, *, target: str = "") -> Module:
    """Returns the module without what a version of StableHLO lacks, as far as older operations express it.

    Args:
        module: the module to rewrite.
        target: the version, such as `1.4.0`.

    Raises PassError for what is no version.
    """
    match = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", target)
    if match is None:
        raise PassError(f"expected a version for target, such as 1.4.0, got {target!r}")
    version: Version = int(match[1]), int(match[2]), int(match[3])
    rules: dict[str, Rule] = {}
    if version < BATCHED_INDEXING:
        rules |= dict.fromkeys(("stablehlo.gather", "stablehlo.scatter"), _without_batching)
    if version < TAN:
        rules["stablehlo.tan"] = _tan
    built = rewrite(module, rules)
    if built is not module:
        built = hoisted_constants(built)
    if version < MESH_AXES:
        built = _without_mesh_axes(built)
    return _without_location_ranges(built) if version < LOCATION_RANGES else built


def _tan(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """`sin x / cos x`; of complex numbers `(tan x + i tanh y) / (1 - i tan x tanh y)`."""
    (z,) = rewriter.refs(operation.operands)
    if not has_default_accuracy(operation):
        return None
    if not is_complex(z.type):
        return [sine(z) / cosine(z)]
    tangent = rewriter.elementwise("tan", real(z))
    hyperbolic = rewriter.elementwise("tanh", imag(z))
    numerator = as_complex(tangent, hyperbolic)
    one = tangent.constant(1.0)
    return [numerator / as_complex(one, -(tangent * hyperbolic))]


# --- gather and scatter -------------------------------------------------------------------------------------


_BATCHING_FIELDS: Final[dict[Any, tuple[str, str, str, str]]] = {
    GatherDimensionNumbers: (
        "operand_batching_dims",
        "start_indices_batching_dims",
        "collapsed_slice_dims",
        "start_index_map",
    ),
    ScatterDimensionNumbers: (
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "inserted_window_dims",
        "scatter_dims_to_operand_dims",
    ),
}
"""Batching dimensions of the operand and of the indices, dimensions left out, and what indices name."""


def _without_batching(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a gather or scatter whose batching dimensions are dimensions that its indices name."""
    name = "dimension_numbers" if operation.name == "stablehlo.gather" else "scatter_dimension_numbers"
    numbers: Any = operation.attribute(name)
    fields = _BATCHING_FIELDS.get(numbers.__class__)
    if fields is None:
        return None
    of_operand, of_indices, left_out, named = (getattr(numbers, field) for field in fields)
    operands = rewriter.refs(operation.operands)
    middle = len(operands) // 2
    joined = _joined_indices(operands[middle], numbers.index_vector_dim, of_indices) if of_operand else None
    if joined is None:
        return None
    index_map = of_operand + named
    values = (), (), tuple(sorted(of_operand + left_out)), index_map
    properties: dict[str, Attribute] = {
        **operation.signature.properties,
        name: replace(numbers, **dict(zip(fields, values))),
        "indices_are_sorted": _still_sorted(operation, of_indices, index_map),
    }
    operands = (*operands[:middle], joined, *operands[middle + 1 :])
    regions = tuple(map(rewriter.copied_region, operation.regions))
    return rewriter.create(operation.name, operands, operation.result_types, properties, regions)


def _still_sorted(operation: Operation, batching: Sequence[int], index_map: Sequence[int]) -> IntegerAttr:
    """Returns whether indices that were sorted are sorted with those of the batching dimensions before
    them."""
    flag = operation.attribute("indices_are_sorted")
    was_sorted = isinstance(flag, IntegerAttr) and flag.value != 0
    is_sorted = list(batching) == sorted(batching) and list(index_map) == sorted(index_map)
    return IntegerAttr(int(was_sorted and is_sorted), I1)


def _joined_indices(indices: ValueRef, axis: int, batching: Sequence[int]) -> ValueRef | None:
    """Returns the indices with the places along batching dimensions before them; None where sizes are
    unknown.

    Their type is wide enough for these sizes.
    """
    type_ = indices.tensor
    if not type_.is_static:
        return None
    element = type_.element_type
    for dimension in batching:
        element = _wide_enough(element, type_.static_shape[dimension])
    if element != type_.element_type:
        indices = indices.converted(element)
    shape = list(type_.static_shape)
    if axis == type_.rank:
        shape.append(1)
        indices = reshaped(indices, shape)
    rows = RankedTensorType((*shape[:axis], 1, *shape[axis + 1 :]), element)
    places = [
        indices.builder.one("stablehlo.iota", (), rows, {"iota_dimension": IntegerAttr(dimension, I64)})
        for dimension in batching
    ]
    return joined((*places, indices), axis)


def _wide_enough(element: Type, size: int) -> Type:
    """Returns the integer type, or i32 or i64 where it does not hold a size."""
    if not isinstance(element, IntegerType) or _holds(element, size):
        return element
    return I32 if _holds(I32, size) else I64


def _holds(type_: IntegerType, size: int) -> bool:
    return size < 1 << (type_.width if type_.is_unsigned else type_.width - 1)


# --- replica groups -----------------------------------------------------------------------------------------


def _without_mesh_axes(module: Module) -> Module:
    """Returns the module with the processes of each group in place of the axes of a mesh."""
    symbols: dict[str, Operation] = {}
    for operation, _ in module.walk():
        if operation.symbol is not None:
            symbols.setdefault(operation.symbol, operation)

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        axes = operation.attribute("replica_groups")
        if not isinstance(axes, ReplicaGroupMeshAxes):
            return None
        try:
            groups = mesh_groups(axes, symbols)
        except KernelError as error:
            raise rewriter.error(str(error), operation) from None
        rows = np.array(groups, np.int64)
        value = DenseElementsAttr(RankedTensorType(rows.shape, I64), rows)
        signature = operation.signature
        properties, attributes = dict(signature.properties), dict(signature.attributes)
        (properties if "replica_groups" in properties else attributes)["replica_groups"] = value
        regions = tuple(map(rewriter.copied_region, operation.regions))
        operands = rewriter.refs(operation.operands)
        return rewriter.create(
            operation.name, operands, operation.result_types, properties, regions, attributes
        )

    return rewrite(module, {}, default=rule)


# --- locations ----------------------------------------------------------------------------------------------


def _without_location_ranges(module: Module) -> Module:
    """Returns the module with places in place of ranges; the module itself where there are none."""
    operation = _relocated(module.operation)
    return module if operation is module.operation else replace(module, operation=operation)


def _relocated(operation: Operation) -> Operation:
    location = _optional(operation.location)
    regions = tuple(map(_region, operation.regions))
    if location is operation.location and are_same(regions, operation.regions):
        return operation
    return Operation(
        operation.signature, operation.operands, operation.results, regions, operation.successors, location
    )


def _region(region: Region) -> Region:
    return with_blocks(region, tuple(map(_block, region.blocks)))


def _block(block: Block) -> Block:
    operations = list(map(_relocated, block.operations))
    locations = tuple(map(_optional, block.argument_locations))
    if are_same(operations, block.operations) and are_same(locations, block.argument_locations):
        return block
    return Block(operations, block.arguments, block.label, block.starts, block.ends, locations)


def _optional(location: Location | None) -> Location | None:
    return None if location is None else _without_range(location)


def _without_range(location: Location) -> Location:
    """Returns the location itself where it has no range."""
    match resolve(location):
        case FileLocation(file, line, column, end_line, end_column):
            is_place = end_line is None and end_column is None
            return location if is_place else FileLocation(file, line, column)
        case NameLocation(name, child) if child is not None:
            new = _without_range(child)
            return location if new is child else NameLocation(name, new)
        case CallSiteLocation(callee, caller):
            ends = _without_range(callee), _without_range(caller)
            return location if are_same(ends, (callee, caller)) else CallSiteLocation(*ends)
        case FusedLocation(parts, metadata):
            places = tuple(map(_without_range, parts))
            return location if are_same(places, parts) else FusedLocation(places, metadata)
        case _:
            return location
