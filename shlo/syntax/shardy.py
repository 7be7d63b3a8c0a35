"""Shardy's attributes, both directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from shlo.dialects.sdy.attributes import (
    AllToAllParameter,
    AllToAllParameters,
    AxisReference,
    AxisReferenceLists,
    AxisReferences,
    DimensionSharding,
    ManualAxes,
    OpShardingRule,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.ir.attributes import SymbolRefAttr
from shlo.syntax.reader import Reader
from shlo.syntax.strings import quoted

PRIORITY = re.compile(r"p([0-9]{1,18})\b", re.ASCII)
FACTOR = re.compile(r"(?:z_([1-9][0-9]{0,8})|([i-z]))", re.ASCII)
LETTERS = "ijklmnopqrstuvwxyz"
FACTOR_LISTS = ("reduction", "need_replication", "permutation", "blocked_propagation")

Axes = tuple[AxisReference, ...]
Item = TypeVar("Item")


# --- axes


def _axis(reader: Reader) -> AxisReference:
    name = reader.expect_string("the name of an axis")
    if not reader.accept(":"):
        return AxisReference(name)
    reader.expect("(", "before what stands in front of a part of an axis")
    before = reader.expect_integer()
    reader.expect(")", "before the size of a part of an axis")
    return AxisReference(name, (before, reader.expect_integer()))


def _axis_text(axis: AxisReference) -> str:
    return quoted(axis.name) + (f":({axis.part[0]}){axis.part[1]}" if axis.part else "")


def _braced(reader: Reader, item: Callable[[], Item]) -> tuple[Item, ...]:
    reader.expect("{")
    return tuple(reader.comma_list(item, "}"))


def _bracketed(reader: Reader, item: Callable[[], Item]) -> tuple[Item, ...]:
    reader.expect("[")
    return tuple(reader.comma_list(item, "]"))


def _axes(reader: Reader) -> Axes:
    return _braced(reader, lambda: _axis(reader))


def _axes_text(axes: Axes) -> str:
    return f"{{{', '.join(map(_axis_text, axes))}}}"


def read_axis_references(reader: Reader) -> AxisReferences:
    """`{"x", "y"}`."""
    return AxisReferences(_axes(reader))


def axis_references_text(attribute: AxisReferences) -> str:
    return _axes_text(attribute.axes)


def read_axis_reference_lists(reader: Reader) -> AxisReferenceLists:
    """`[{"x"}, {}]`."""
    return AxisReferenceLists(_bracketed(reader, lambda: _axes(reader)))


def axis_reference_lists_text(attribute: AxisReferenceLists) -> str:
    return f"[{', '.join(map(_axes_text, attribute.lists))}]"


def read_all_to_all_parameters(reader: Reader) -> AllToAllParameters:
    """`[{"x"}: 0->1, ...]`."""
    return AllToAllParameters(_bracketed(reader, lambda: _all_to_all_parameter(reader)))


def _all_to_all_parameter(reader: Reader) -> AllToAllParameter:
    axes = _axes(reader)
    reader.expect(":", "after the axes")
    source = reader.expect_integer("a dimension")
    reader.expect("->", "between two dimensions")
    return AllToAllParameter(axes, source, reader.expect_integer("a dimension"))


def all_to_all_parameters_text(attribute: AllToAllParameters) -> str:
    parts = [f"{_axes_text(each.axes)}: {each.source}->{each.target}" for each in attribute.parameters]
    return f"[{', '.join(parts)}]"


def read_manual_axes(reader: Reader) -> ManualAxes:
    """`{"x", "y"}`."""
    return ManualAxes(_braced(reader, lambda: reader.expect_string("the name of an axis")))


def manual_axes_text(attribute: ManualAxes) -> str:
    return f"{{{', '.join(map(quoted, attribute.axes))}}}"


# --- meshes and shardings


def read_mesh(reader: Reader) -> ShardyMesh:
    """`["x"=2], device_ids=[0, 1]`."""
    axes = _bracketed(reader, lambda: _mesh_axis(reader))
    if not reader.accept(","):
        return ShardyMesh(axes)
    reader.expect("device_ids")
    reader.expect("=", "after 'device_ids'")
    return ShardyMesh(axes, reader.integer_list())


def _mesh_axis(reader: Reader) -> tuple[str, int]:
    name = reader.expect_string("the name of an axis")
    reader.expect("=", "after the name of an axis")
    return name, reader.expect_integer("the size of an axis")


def mesh_text(mesh: ShardyMesh) -> str:
    axes = ", ".join(f"{quoted(name)}={size}" for name, size in mesh.axes)
    ids = f", device_ids=[{', '.join(map(str, mesh.device_ids))}]" if mesh.device_ids else ""
    return f"[{axes}]{ids}"


def read_sharding(reader: Reader) -> TensorSharding:
    """`@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}`."""
    mesh = _mesh_or_symbol(reader)
    reader.expect(",", "after the mesh")
    dimensions = _bracketed(reader, lambda: _dimension(reader))
    rest: dict[str, Axes] = {}
    for name in ("replicated", "unreduced"):
        before = reader.pos
        if reader.accept(",") and reader.accept(name):
            reader.expect("=", f"after '{name}'")
            rest[name] = _axes(reader)
        else:
            reader.pos = before
    return TensorSharding(mesh, dimensions, **rest)


def _mesh_or_symbol(reader: Reader) -> SymbolRefAttr | ShardyMesh:
    if reader.accept("mesh"):
        reader.expect("<", "after 'mesh'")
        mesh = read_mesh(reader)
        reader.expect(">", "after a mesh")
        return mesh
    name = reader.symbol()
    if name is None:
        reader.fail(f"expected a mesh such as @mesh, but found {reader.found()}")
    return SymbolRefAttr(name)


def _dimension(reader: Reader) -> DimensionSharding:
    reader.expect("{", "before the axes of a dimension")
    axes: list[AxisReference] = []
    while not reader.at("?") and not reader.at("}"):
        axes.append(_axis(reader))
        if not reader.accept(","):
            break
    is_open = reader.accept("?")
    reader.expect("}", "after the axes of a dimension")
    priority = reader.match(PRIORITY)
    return DimensionSharding(tuple(axes), not is_open, int(priority[1]) if priority else None)


def sharding_text(sharding: TensorSharding) -> str:
    mesh = sharding.mesh
    parts = [f"mesh<{mesh_text(mesh)}>" if isinstance(mesh, ShardyMesh) else str(mesh)]
    parts.append(f"[{', '.join(map(_dimension_text, sharding.dimensions))}]")
    for name, axes in (("replicated", sharding.replicated), ("unreduced", sharding.unreduced)):
        if axes:
            parts.append(f"{name}={_axes_text(axes)}")
    return ", ".join(parts)


def _dimension_text(dimension: DimensionSharding) -> str:
    axes = [*map(_axis_text, dimension.axes), *([] if dimension.is_closed else ["?"])]
    return f"{{{', '.join(axes)}}}" + ("" if dimension.priority is None else f"p{dimension.priority}")


def read_shardings(reader: Reader) -> ShardingPerValue:
    """`[<@mesh, [{"x"}]>, ...]`."""
    return ShardingPerValue(_bracketed(reader, lambda: _angled_sharding(reader)))


def _angled_sharding(reader: Reader) -> TensorSharding:
    reader.expect("<", "before a sharding")
    sharding = read_sharding(reader)
    reader.expect(">", "after a sharding")
    return sharding


def shardings_text(attribute: ShardingPerValue) -> str:
    return f"[{', '.join(f'<{sharding_text(sharding)}>' for sharding in attribute.shardings)}]"


# --- sharding rules


def read_rule(reader: Reader) -> OpShardingRule:
    """`([i, j], [k])->([i]) {i=2, j=3, k=1} reduction={j}, custom`."""
    operands = _mappings(reader)
    reader.expect("->", "between the mappings of operands and results")
    results = _mappings(reader)
    sizes = _factor_sizes(reader)
    factors: list[tuple[str, tuple[int, ...]]] = []
    for name in FACTOR_LISTS:
        if reader.accept(name):
            reader.expect("=", f"after '{name}'")
            factors.append((name, _braced(reader, lambda: _factor(reader))))
    is_custom = reader.accept(",")
    if is_custom:
        reader.expect("custom")
    return OpShardingRule(sizes, operands, results, tuple(factors), is_custom)


def _mappings(reader: Reader) -> tuple[tuple[tuple[int, ...], ...], ...]:
    reader.expect("(", "before the mappings of tensors")
    if not reader.at("["):
        reader.fail(f"expected the mapping of a tensor '[...]', but found {reader.found()}")
    return tuple(reader.comma_list(lambda: _bracketed(reader, lambda: _dimension_factors(reader)), ")"))


def _dimension_factors(reader: Reader) -> tuple[int, ...]:
    factors = [_factor(reader)]
    while FACTOR.match(reader.text, reader.pos):
        factors.append(_factor(reader))
    return tuple(factors)


def _factor(reader: Reader) -> int:
    match = reader.match(FACTOR)
    if not match:
        reader.fail(f"expected a factor from 'i' to 'z', but found {reader.found()}")
    return LETTERS.index(match[2]) if match[2] else len(LETTERS) - 1 + int(match[1])


def _factor_sizes(reader: Reader) -> tuple[int, ...]:
    if not reader.at("{"):
        return ()
    sizes: list[int] = []

    def size() -> None:
        reader.skip()
        before = reader.pos
        if _factor(reader) != len(sizes):
            reader.pos = before
            reader.fail(f"expected the size of factor {_factor_text(len(sizes))}, but found {reader.found()}")
        reader.expect("=", "after a factor")
        sizes.append(reader.expect_integer("the size of a factor"))

    _braced(reader, size)
    return tuple(sizes)


def _factor_text(factor: int) -> str:
    return LETTERS[factor] if factor < len(LETTERS) else f"z_{factor - len(LETTERS) + 1}"


def rule_text(rule: OpShardingRule) -> str:
    parts = f"{_mappings_text(rule.operand_mappings)}->{_mappings_text(rule.result_mappings)}"
    if rule.factor_sizes:
        sizes = [f"{_factor_text(number)}={size}" for number, size in enumerate(rule.factor_sizes)]
        parts += f" {{{', '.join(sizes)}}}"
    for name, factors in rule.factors:
        parts += f" {name}={{{', '.join(map(_factor_text, factors))}}}"
    return parts + (", custom" if rule.is_custom else "")


def _mappings_text(mappings: Sequence[Sequence[Sequence[int]]]) -> str:
    tensors = (", ".join("".join(map(_factor_text, factors)) for factors in tensor) for tensor in mappings)
    return f"({', '.join(f'[{tensor}]' for tensor in tensors)})"
