"""Shardy's attributes of axes, meshes and shardings, both directions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from shlo.dialects.sdy.attributes import (
    AllToAllParameter,
    AllToAllParameters,
    AxisReference,
    AxisReferenceLists,
    AxisReferences,
    DimensionSharding,
    ManualAxes,
    Reduction,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.ir.attributes import SymbolRefAttr
from shlo.syntax.assembly_format.fields import full_or_short, read_int64, read_int64s
from shlo.syntax.lexer.cursor import Reader
from shlo.syntax.lexer.strings import quoted

PRIORITY = re.compile(r"p(0|[1-9][0-9]*)(?![\w$.])", re.ASCII)
MAX_PRIORITY = 2**63 - 1
REDUCTIONS: tuple[Reduction, ...] = ("sum", "max", "min")

Axes = tuple[AxisReference, ...]
Item = TypeVar("Item")


# --- axes


def read_axis(reader: Reader) -> AxisReference:
    """`"x"`, or a part of an axis: `"x":(1)2`."""
    name = reader.expect_string("the name of an axis")
    if not reader.accept(":"):
        return AxisReference(name)
    reader.expect("(", "before what stands in front of a part of an axis")
    before = read_int64(reader)
    reader.expect(")", "before the size of a part of an axis")
    return AxisReference(name, (before, read_int64(reader)))


def axis_text(axis: AxisReference) -> str:
    return quoted(axis.name) + (f":({axis.part[0]}){axis.part[1]}" if axis.part else "")


def read_axis_in_list(reader: Reader) -> AxisReference:
    """An axis where any attribute of that kind may be written: `"x"`, `#sdy<axis_ref"x">`."""
    return full_or_short(reader, AxisReference, "sdy.axis_ref", lambda: read_axis(reader))


def braced(reader: Reader, item: Callable[[], Item]) -> tuple[Item, ...]:
    """`{item, ...}`."""
    reader.expect("{")
    return tuple(reader.comma_list(item, "}"))


def bracketed(reader: Reader, item: Callable[[], Item]) -> tuple[Item, ...]:
    """`[item, ...]`."""
    reader.expect("[")
    return tuple(reader.comma_list(item, "]"))


def _axes(reader: Reader) -> Axes:
    return braced(reader, lambda: read_axis_in_list(reader))


def _some_axes(reader: Reader) -> Axes:
    axes = _axes(reader)
    if not axes:
        reader.fail("expected at least one axis in braces, got '{}'")
    return axes


def _axes_text(axes: Axes) -> str:
    return f"{{{', '.join(map(axis_text, axes))}}}"


def read_axis_references(reader: Reader) -> AxisReferences:
    """`{"x", "y"}`."""
    return AxisReferences(_axes(reader))


def axis_references_text(attribute: AxisReferences) -> str:
    return _axes_text(attribute.axes)


def read_axis_reference_lists(reader: Reader) -> AxisReferenceLists:
    """`[{"x"}, {}]`."""

    def item() -> AxisReferences:
        return full_or_short(
            reader, AxisReferences, "sdy.axis_ref_list", lambda: read_axis_references(reader)
        )

    return AxisReferenceLists(tuple(axes.axes for axes in bracketed(reader, item)))


def axis_reference_lists_text(attribute: AxisReferenceLists) -> str:
    return f"[{', '.join(map(_axes_text, attribute.lists))}]"


def read_all_to_all_parameters(reader: Reader) -> AllToAllParameters:
    """`[{"x"}: 0->1, ...]`."""

    def item() -> AllToAllParameter:
        return full_or_short(
            reader, AllToAllParameter, "sdy.all_to_all_param", lambda: read_all_to_all_parameter(reader)
        )

    return AllToAllParameters(bracketed(reader, item))


def read_all_to_all_parameter(reader: Reader) -> AllToAllParameter:
    """`{"x"}: 0->1`."""
    axes = _some_axes(reader)
    reader.expect(":", "after the axes")
    source = read_int64(reader)
    reader.expect("->", "between two dimensions")
    return AllToAllParameter(axes, source, read_int64(reader))


def all_to_all_parameters_text(attribute: AllToAllParameters) -> str:
    return f"[{', '.join(map(all_to_all_parameter_text, attribute.parameters))}]"


def all_to_all_parameter_text(parameter: AllToAllParameter) -> str:
    return f"{_axes_text(parameter.axes)}: {parameter.source}->{parameter.target}"


def read_manual_axes(reader: Reader) -> ManualAxes:
    """`{"x", "y"}`."""
    return ManualAxes(braced(reader, lambda: reader.expect_string("the name of an axis")))


def manual_axes_text(attribute: ManualAxes) -> str:
    return f"{{{', '.join(map(quoted, attribute.axes))}}}"


# --- meshes and shardings


def read_mesh(reader: Reader) -> ShardyMesh:
    """`["x"=2], device_ids=[0, 1]`."""
    axes = bracketed(reader, lambda: _mesh_axis(reader))
    if not reader.accept(","):
        return ShardyMesh(axes)
    reader.expect("device_ids")
    reader.expect("=", "after 'device_ids'")
    ids = read_int64s(reader)
    if not ids:
        reader.fail("expected at least one device in brackets, got '[]'")
    return ShardyMesh.of(axes, ids)


def _mesh_axis(reader: Reader) -> tuple[str, int]:
    name = reader.expect_string("the name of an axis")
    reader.expect("=", "after the name of an axis")
    return name, read_int64(reader)


def mesh_text(mesh: ShardyMesh) -> str:
    axes = ", ".join(f"{quoted(name)}={size}" for name, size in mesh.axes)
    ids = f", device_ids=[{', '.join(map(str, mesh.device_ids))}]" if mesh.device_ids else ""
    return f"[{axes}]{ids}"


def read_sharding(reader: Reader) -> TensorSharding:
    """`@mesh, [{"x"}, {}], replicated={"y"}, unreduced=max{"z"}`, the lists of axes in any order."""
    mesh = _mesh_or_symbol(reader)
    reader.expect(",", "after the mesh")
    dimensions = bracketed(reader, lambda: _dimension_in_list(reader))
    replicated: Axes = ()
    unreduced: Axes = ()
    reduction: Reduction = "sum"
    while reader.accept(","):
        if not replicated and reader.accept("replicated"):
            reader.expect("=", "after 'replicated'")
            replicated = _some_axes(reader)
        elif not unreduced and reader.accept("unreduced"):
            reader.expect("=", "after 'unreduced'")
            reduction = _reduction(reader)
            unreduced = _some_axes(reader)
        else:
            reader.fail(f"expected 'replicated' or 'unreduced', each once, got {reader.found()}")
    return TensorSharding(mesh, dimensions, replicated, unreduced, reduction)


def _reduction(reader: Reader) -> Reduction:
    for word in REDUCTIONS:
        if reader.accept(word):
            return word
    return "sum"


def _mesh_or_symbol(reader: Reader) -> SymbolRefAttr | ShardyMesh:
    if reader.accept("mesh"):
        return full_or_short(reader, ShardyMesh, "sdy.mesh", lambda: _angled(reader, read_mesh))
    name = reader.symbol()
    if name is None:
        reader.fail(f"expected a mesh such as @mesh, but found {reader.found()}")
    return SymbolRefAttr(name)


def _angled(reader: Reader, read: Callable[[Reader], Item]) -> Item:
    reader.expect("<")
    item = read(reader)
    reader.expect(">")
    return item


def _dimension_in_list(reader: Reader) -> DimensionSharding:
    return full_or_short(reader, DimensionSharding, "sdy.dimension_sharding", lambda: read_dimension(reader))


def read_dimension(reader: Reader) -> DimensionSharding:
    """`{"x", ?}p1`."""
    reader.expect("{", "before the axes of a dimension")
    axes: list[AxisReference] = []
    is_closed = True
    while not reader.accept("}"):
        if axes:
            reader.expect(",", "between the axes of a dimension")
        if reader.accept("?"):
            is_closed = False
            reader.expect("}", "after '?'")
            break
        axes.append(read_axis(reader))
    return DimensionSharding(tuple(axes), is_closed, _priority(reader))


def _priority(reader: Reader) -> int | None:
    if not reader.peek().isalpha():
        return None
    priority = reader.match(PRIORITY)
    if priority is None or len(priority[1]) > 19 or int(priority[1]) > MAX_PRIORITY:
        reader.fail(f"expected a priority such as p1, got {reader.found()}")
    return int(priority[1])


def sharding_text(sharding: TensorSharding) -> str:
    mesh = sharding.mesh
    parts = [f"mesh<{mesh_text(mesh)}>" if isinstance(mesh, ShardyMesh) else str(mesh)]
    parts.append(f"[{', '.join(map(dimension_text, sharding.dimensions))}]")
    if sharding.replicated:
        parts.append(f"replicated={_axes_text(sharding.replicated)}")
    if sharding.unreduced:
        word = "" if sharding.reduction == "sum" else sharding.reduction
        parts.append(f"unreduced={word}{_axes_text(sharding.unreduced)}")
    return ", ".join(parts)


def dimension_text(dimension: DimensionSharding) -> str:
    axes = [*map(axis_text, dimension.axes), *([] if dimension.is_closed else ["?"])]
    return f"{{{', '.join(axes)}}}" + ("" if dimension.priority is None else f"p{dimension.priority}")


def read_shardings(reader: Reader) -> ShardingPerValue:
    """`[<@mesh, [{"x"}]>, ...]`."""
    return ShardingPerValue(bracketed(reader, lambda: _sharding_in_list(reader)))


def _sharding_in_list(reader: Reader) -> TensorSharding:
    return full_or_short(reader, TensorSharding, "sdy.sharding", lambda: _angled(reader, read_sharding))


def shardings_text(attribute: ShardingPerValue) -> str:
    return f"[{', '.join(f'<{sharding_text(sharding)}>' for sharding in attribute.shardings)}]"
