"""Attributes that speak of symbols and of the values of their operation: layouts over meshes of devices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.dialects.formula import advised
from shlo.dialects.func_rules import function_type_of
from shlo.dialects.sdy.attributes import ManualAxes, ShardingPerValue, ShardyMesh, TensorSharding
from shlo.dialects.sdy.sharding_rules import local_shape, sharding_problem, shardings_of
from shlo.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, SymbolRefAttr
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import RankedTensorType, Type
from shlo.verifier.findings import Finding
from shlo.verifier.sites import Site

SHARDING = "sdy.sharding"


def has_references(signature: Signature) -> bool:
    """Whether attributes of a signature speak of what stands around an operation."""
    values = (*signature.properties.values(), *signature.attributes.values())
    return any(isinstance(each, (ReplicaGroupMeshAxes, TensorSharding, ShardingPerValue)) for each in values)


def reference_findings(site: Site) -> Iterator[Finding]:
    """What is wrong with the layouts and meshes that an operation's attributes name."""
    signature = site.operation.signature
    for name, attribute in (*signature.properties.items(), *signature.attributes.items()):
        if isinstance(attribute, ReplicaGroupMeshAxes):
            yield from _mesh_of_groups(site, name, attribute)
        elif isinstance(attribute, (TensorSharding, ShardingPerValue)):
            yield from _shardings(site, name, shardings_of(attribute), _values_of(signature, name))
        elif name in ("arg_attrs", "res_attrs") and isinstance(attribute, ArrayAttr):
            yield from _of_function(site, name, attribute)
    if site.operation.name == "sdy.manual_computation":
        yield from _local_types(site)


def _mesh_of_groups(site: Site, name: str, groups: ReplicaGroupMeshAxes) -> Iterator[Finding]:
    if isinstance(groups.mesh, SymbolRefAttr) and site.find(groups.mesh) is None:
        yield _no_mesh(site, name, groups.mesh)


def _no_mesh(site: Site, name: str, symbol: Attribute) -> Finding:
    close = site.meant(symbol.root) if isinstance(symbol, SymbolRefAttr) else None
    words = f"did you mean @{close}?" if close else f"define it: sdy.mesh {symbol} = <[...]>"
    message = f"there is no mesh {symbol} in the module"
    return Finding("unknown-symbol", message, (name,), remedies=advised(words))


def _values_of(signature: Signature, name: str) -> Sequence[Type]:
    """The types of the values that an attribute's layouts are for."""
    if name == "in_shardings" or not signature.result_types:
        return signature.operand_types
    return signature.result_types


def _of_function(site: Site, name: str, attributes: ArrayAttr) -> Iterator[Finding]:
    declared = function_type_of(site.operation)
    types = () if declared is None else declared.inputs if name == "arg_attrs" else declared.results
    for entry, type_ in zip(attributes, types):
        attribute = entry.as_dict().get(SHARDING) if isinstance(entry, DictionaryAttr) else None
        if isinstance(attribute, (TensorSharding, ShardingPerValue)):
            yield from _shardings(site, name, shardings_of(attribute), (type_,))


def _shardings(
    site: Site, name: str, shardings: Sequence[TensorSharding], types: Sequence[Type]
) -> Iterator[Finding]:
    if len(shardings) != len(types):
        message = f"{name} has {len(shardings)} layouts, but there are {len(types)} values"
        remedies = advised(f"give {len(types)} layouts, one for each value")
        yield Finding("sharding", message, (name,), remedies=remedies)
        return
    for sharding, type_ in zip(shardings, types):
        mesh = mesh_of(site, sharding)
        if mesh is None:
            yield _no_mesh(site, name, sharding.mesh)
        elif problem := sharding_problem(sharding, type_, mesh):
            yield Finding("sharding", problem.message, (name,), remedies=advised(problem.help))


def mesh_of(site: Site, sharding: TensorSharding) -> ShardyMesh | None:
    """The mesh of a layout, None where its symbol names none."""
    if isinstance(sharding.mesh, ShardyMesh):
        return sharding.mesh
    found = site.find(sharding.mesh)
    mesh = found.attribute("mesh") if found and found.name == "sdy.mesh" else None
    return mesh if isinstance(mesh, ShardyMesh) else None


def _local_types(site: Site) -> Iterator[Finding]:
    """The region of a manual computation works on the parts that one device holds."""
    operation = site.operation
    region = operation.regions[0] if operation.regions else None
    if region is None or not region.blocks:
        return
    block, types = region.blocks[0], region.values.types
    inner = [types[value] for value in block.arguments]
    yield from _compared_parts(site, "in_shardings", operation.operand_types, inner)
    if block.operations:
        yield from _compared_parts(
            site, "out_shardings", operation.result_types, block.operations[-1].operand_types
        )


def _compared_parts(site: Site, name: str, whole: Sequence[Type], parts: Sequence[Type]) -> Iterator[Finding]:
    shardings = shardings_of(site.operation.attribute(name))
    axes = _manual_axes(site.operation)
    if len(parts) != len(whole):
        message = f"there are {len(whole)} values, but {len(parts)} parts in the region"
        remedies = advised(f"make the number of parts {len(whole)}")
        yield Finding("sharding", message, (name,), remedies=remedies)
        return
    for number, (sharding, type_, part) in enumerate(zip(shardings, whole, parts)):
        mesh = mesh_of(site, sharding)
        if mesh is None or not isinstance(type_, RankedTensorType) or not isinstance(part, RankedTensorType):
            continue
        shape = local_shape(type_, sharding, axes, mesh)
        if shape is not None and shape != part.shape:
            wanted = RankedTensorType(shape, part.element_type)
            message = f"the part of value {number} on a device is of type {wanted}, but {part} stands there"
            remedies = advised(f"make the type of the part {wanted}")
            yield Finding("sharding", message, (name,), remedies=remedies)


def _manual_axes(operation: Operation) -> tuple[str, ...]:
    axes: Attribute | None = operation.attribute("manual_axes")
    return axes.axes if isinstance(axes, ManualAxes) else ()
