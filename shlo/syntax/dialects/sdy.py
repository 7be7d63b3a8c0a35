"""Shardy's attributes of axes, meshes and shardings, both directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from shlo.dialects import find_attr_def
from shlo.dialects.sdy.attributes import (
    AllToAllParameter,
    AllToAllParameters,
    AxisPropagation,
    AxisReference,
    AxisReferenceLists,
    AxisReferences,
    DimensionSharding,
    EdgeValue,
    ManualAxes,
    OpShardingRule,
    PropagationEdges,
    PropagationStep,
    Reduction,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.ir.attributes import Attribute, SymbolRefAttr
from shlo.syntax.dialects.params import CustomForm, full_or_short, parse_int64, parse_int64s
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.lexer.strings import quoted

PRIORITY = re.compile(r"p(0|[1-9][0-9]*)(?![\w$.])", re.ASCII)
MAX_PRIORITY = 2**63 - 1
REDUCTIONS: tuple[Reduction, ...] = ("sum", "max", "min")

Axes = tuple[AxisReference, ...]
Item = TypeVar("Item")
AttributeItem = TypeVar("AttributeItem", bound=Attribute)


def _item(cursor: Cursor, cls: type[AttributeItem], read: Callable[[Cursor], AttributeItem]) -> AttributeItem:
    """Reads an attribute where its class is known: in full, `#sdy<axis_ref"x">`, or as `read` does."""
    if cursor.peek() != "#":
        return read(cursor)
    attr_def = find_attr_def(cls)
    assert attr_def is not None
    return full_or_short(cursor, cls, attr_def.name, lambda: read(cursor))


# --- axes


def parse_axis(cursor: Cursor) -> AxisReference:
    """`"x"`, or a part of an axis: `"x":(1)2`."""
    name = cursor.expect_string("the name of an axis")
    if not cursor.accept(":"):
        return AxisReference(name)
    return AxisReference(name, (parse_pre_size(cursor), parse_int64(cursor)))


def parse_pre_size(cursor: Cursor) -> int:
    """`(4)`, the product of the sizes in front of a part of an axis."""
    cursor.expect("(", "before the size in front of a part of an axis")
    size = parse_int64(cursor)
    cursor.expect(")", "before the size of a part of an axis")
    return size


def axis_text(axis: AxisReference) -> str:
    """Returns the text of a reference to an axis or to a part of one."""
    return quoted(axis.name) + (f":({axis.part[0]}){axis.part[1]}" if axis.part else "")


def parse_axis_in_list(cursor: Cursor) -> AxisReference:
    """Returns an axis where any attribute of that kind may be written: `"x"`, `#sdy<axis_ref"x">`."""
    return _item(cursor, AxisReference, parse_axis)


def braced(cursor: Cursor, item: Callable[[], Item]) -> tuple[Item, ...]:
    """`{item, ...}`."""
    cursor.expect("{")
    return tuple(cursor.comma_list(item, "}"))


def bracketed(cursor: Cursor, item: Callable[[], Item]) -> tuple[Item, ...]:
    """`[item, ...]`."""
    cursor.expect("[")
    return tuple(cursor.comma_list(item, "]"))


def _axes(cursor: Cursor) -> Axes:
    return braced(cursor, lambda: parse_axis_in_list(cursor))


def _some_axes(cursor: Cursor) -> Axes:
    axes = _axes(cursor)
    if not axes:
        cursor.fail("expected at least one axis in braces, got '{}'")
    return axes


def _axes_text(axes: Axes) -> str:
    return f"{{{', '.join(map(axis_text, axes))}}}"


def parse_axis_references(cursor: Cursor) -> AxisReferences:
    """`{"x", "y"}`."""
    return AxisReferences(_axes(cursor))


def parse_axis_reference_lists(cursor: Cursor) -> AxisReferenceLists:
    """`[{"x"}, {}]`."""
    lists = bracketed(cursor, lambda: _item(cursor, AxisReferences, parse_axis_references))
    return AxisReferenceLists(tuple(axes.axes for axes in lists))


def parse_all_to_all_parameters(cursor: Cursor) -> AllToAllParameters:
    """`[{"x"}: 0->1, ...]`."""
    return AllToAllParameters(
        bracketed(cursor, lambda: _item(cursor, AllToAllParameter, parse_all_to_all_parameter))
    )


def parse_all_to_all_parameter(cursor: Cursor) -> AllToAllParameter:
    """`{"x"}: 0->1`."""
    axes = _some_axes(cursor)
    cursor.expect(":", "after the axes")
    source = parse_int64(cursor)
    cursor.expect("->", "between two dimensions")
    return AllToAllParameter(axes, source, parse_int64(cursor))


def all_to_all_parameter_text(parameter: AllToAllParameter) -> str:
    """Returns the text of one parameter, `{axes}: source->target`."""
    return f"{_axes_text(parameter.axes)}: {parameter.source}->{parameter.target}"


# --- meshes and shardings


def parse_mesh(cursor: Cursor) -> ShardyMesh:
    """`["x"=2], device_ids=[0, 1]`."""

    def axis() -> tuple[str, int]:
        name = cursor.expect_string("the name of an axis")
        cursor.expect("=", "after the name of an axis")
        return name, parse_int64(cursor)

    axes = bracketed(cursor, axis)
    if not cursor.accept(","):
        return ShardyMesh(axes)
    cursor.expect("device_ids")
    cursor.expect("=", "after 'device_ids'")
    ids = parse_int64s(cursor)
    if not ids:
        cursor.fail("expected at least one device in brackets, got '[]'")
    return ShardyMesh.of(axes, ids)


def mesh_text(mesh: ShardyMesh) -> str:
    """Returns the text of a mesh, `["a"=2, "b"=4], device_ids=[...]`."""
    axes = ", ".join(f"{quoted(name)}={size}" for name, size in mesh.axes)
    ids = f", device_ids=[{', '.join(map(str, mesh.device_ids))}]" if mesh.device_ids else ""
    return f"[{axes}]{ids}"


def parse_sharding(cursor: Cursor) -> TensorSharding:
    """`@mesh, [{"x"}, {}], replicated={"y"}, unreduced=max{"z"}`, the lists of axes in any order."""
    mesh = _mesh_or_symbol(cursor)
    cursor.expect(",", "after the mesh")
    dimensions = bracketed(cursor, lambda: _item(cursor, DimensionSharding, parse_dimension))
    replicated: Axes = ()
    unreduced: Axes = ()
    reduction: Reduction = "sum"
    while cursor.accept(","):
        if not replicated and cursor.accept("replicated"):
            cursor.expect("=", "after 'replicated'")
            replicated = _some_axes(cursor)
        elif not unreduced and cursor.accept("unreduced"):
            cursor.expect("=", "after 'unreduced'")
            reduction = _reduction(cursor)
            unreduced = _some_axes(cursor)
        else:
            cursor.fail_expected(
                "'replicated' or 'unreduced', each once", literals=("replicated", "unreduced")
            )
    return TensorSharding(mesh, dimensions, replicated, unreduced, reduction)


def _reduction(cursor: Cursor) -> Reduction:
    for word in REDUCTIONS:
        if cursor.accept(word):
            return word
    return "sum"


def _mesh_or_symbol(cursor: Cursor) -> SymbolRefAttr | ShardyMesh:
    if cursor.accept("mesh"):
        return _item(cursor, ShardyMesh, lambda inner: _angled(inner, parse_mesh))
    return SymbolRefAttr(cursor.expect_symbol("a mesh such as @mesh"))


def _angled(cursor: Cursor, read: Callable[[Cursor], Item]) -> Item:
    cursor.expect("<")
    item = read(cursor)
    cursor.expect(">")
    return item


def parse_dimension(cursor: Cursor) -> DimensionSharding:
    """`{"x", ?}p1`."""
    cursor.expect("{", "before the axes of a dimension")
    axes: list[AxisReference] = []
    is_closed = True
    while not cursor.accept("}"):
        if axes:
            cursor.expect(",", "between the axes of a dimension")
        if cursor.accept("?"):
            is_closed = False
            cursor.expect("}", "after '?'")
            break
        axes.append(parse_axis(cursor))
    return DimensionSharding(tuple(axes), is_closed, _priority(cursor))


def _priority(cursor: Cursor) -> int | None:
    if not cursor.peek().isalpha():
        return None
    priority = cursor.match(PRIORITY)
    if priority is None or len(priority[1]) > 19 or int(priority[1]) > MAX_PRIORITY:
        cursor.fail_expected("a priority such as p1")
    return int(priority[1])


def sharding_text(sharding: TensorSharding) -> str:
    """Returns the text of a sharding: mesh, dimensions, then replicated and unreduced axes if any."""
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
    """Returns the text of the sharding of one dimension, `{"a", ?}p1`."""
    axes = [*map(axis_text, dimension.axes), *([] if dimension.is_closed else ["?"])]
    return f"{{{', '.join(axes)}}}" + ("" if dimension.priority is None else f"p{dimension.priority}")


def parse_shardings(cursor: Cursor) -> ShardingPerValue:
    """`[<@mesh, [{"x"}]>, ...]`."""
    return ShardingPerValue(
        bracketed(cursor, lambda: _item(cursor, TensorSharding, lambda inner: _angled(inner, parse_sharding)))
    )


# -- Shardy's rules of how an operation is split, `#sdy.op_sharding_rule<...>`, both directions --------------


FACTOR = re.compile(r"(?:z_([1-9][0-9]{0,8})|([i-z]))", re.ASCII)
LETTERS = "ijklmnopqrstuvwxyz"
FACTOR_LISTS = ("reduction", "need_replication", "permutation", "blocked_propagation")


def parse_rule(cursor: Cursor) -> OpShardingRule:
    """`([i, j], [k])->([i]) {i=2, j=3, k=1} reduction={j}, custom`."""
    operands = _mappings(cursor)
    cursor.expect("->", "between the mappings of operands and results")
    results = _mappings(cursor)
    sizes = _factor_sizes(cursor)
    factors: list[tuple[str, tuple[int, ...]]] = []
    for name in FACTOR_LISTS:
        if cursor.accept(name):
            cursor.expect("=", f"after '{name}'")
            factors.append((name, braced(cursor, lambda: _factor(cursor))))
    is_custom = cursor.accept(",")
    if is_custom:
        cursor.expect("custom")
    return OpShardingRule(sizes, operands, results, tuple(factors), is_custom)


def _mappings(cursor: Cursor) -> tuple[tuple[tuple[int, ...], ...], ...]:
    cursor.expect("(", "before the mappings of tensors")
    if not cursor.at("["):
        cursor.fail_expected("the mapping of a tensor '[...]'")
    return tuple(cursor.comma_list(lambda: bracketed(cursor, lambda: _dimension_factors(cursor)), ")"))


def _dimension_factors(cursor: Cursor) -> tuple[int, ...]:
    factors = [_factor(cursor)]
    while FACTOR.match(cursor.text, cursor.pos):
        factors.append(_factor(cursor))
    return tuple(factors)


def _factor(cursor: Cursor) -> int:
    match = cursor.match(FACTOR)
    if not match:
        cursor.fail_expected("a factor from 'i' to 'z'")
    return LETTERS.index(match[2]) if match[2] else len(LETTERS) - 1 + int(match[1])


def _factor_sizes(cursor: Cursor) -> tuple[int, ...]:
    if not cursor.at("{"):
        return ()
    sizes: list[int] = []

    def size() -> None:
        cursor.skip()
        before = cursor.pos
        if _factor(cursor) != len(sizes):
            cursor.pos = before
            cursor.fail_expected(f"the size of factor {_factor_text(len(sizes))}")
        cursor.expect("=", "after a factor")
        sizes.append(cursor.expect_integer("the size of a factor"))

    braced(cursor, size)
    return tuple(sizes)


def _factor_text(factor: int) -> str:
    return LETTERS[factor] if factor < len(LETTERS) else f"z_{factor - len(LETTERS) + 1}"


def rule_text(rule: OpShardingRule) -> str:
    """Returns the text of a sharding rule: mappings, factor sizes, special factors."""
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


# -- How layouts spread through an operation, `#sdy.propagation_edges<...>`, both directions -----------------


def parse_step(cursor: Cursor) -> PropagationStep:
    """`{step-0 = [{"x" = operand-0 -> [result-0]}]}`."""
    cursor.expect("{", "before a step")
    cursor.expect("step")
    cursor.expect("-", "after 'step'")
    index = parse_int64(cursor)
    cursor.expect("=", "after the number of a step")
    axes = _some(cursor, AxisPropagation, parse_axis_propagation)
    cursor.expect("}", "after a step")
    return PropagationStep(index, axes)


def step_text(step: PropagationStep) -> str:
    """Returns the text of one step, `{step-N = [...]}`."""
    return f"{{step-{step.index} = [{', '.join(map(axis_propagation_text, step.axes))}]}}"


def parse_axis_propagation(cursor: Cursor) -> AxisPropagation:
    """`{"x" = operand-0 -> [result-0]}`."""
    cursor.expect("{", "before an axis")
    axis = parse_axis_in_list(cursor)
    cursor.expect("=", "after an axis")
    source = _item(cursor, EdgeValue, parse_value)
    cursor.expect("->", "after the value that an axis comes from")
    targets = _some(cursor, EdgeValue, parse_value)
    cursor.expect("}", "after the values that an axis goes to")
    return AxisPropagation(axis, source, targets)


def axis_propagation_text(entry: AxisPropagation) -> str:
    """Returns the text of the propagation of one axis, `{axis = source -> [targets]}`."""
    targets = ", ".join(map(value_text, entry.targets))
    return f"{{{axis_text(entry.axis)} = {value_text(entry.source)} -> [{targets}]}}"


def parse_value(cursor: Cursor) -> EdgeValue:
    """`operand-0`."""
    for role in ("operand", "result"):
        if cursor.accept(role):
            cursor.expect("-", f"after '{role}'")
            return EdgeValue(role, parse_int64(cursor))
    return cursor.fail_expected("a value such as operand-0 or result-0")


def value_text(value: EdgeValue) -> str:
    """Returns the text of the value at one end of an edge, its kind and index."""
    return f"{value.role}-{value.index}"


def _some(
    cursor: Cursor, cls: type[AttributeItem], read: Callable[[Cursor], AttributeItem]
) -> tuple[AttributeItem, ...]:
    """Reads `[item, ...]` with at least one item."""
    cursor.expect("[")
    items = cursor.sequence(lambda: _item(cursor, cls, read))
    cursor.expect("]")
    return tuple(items)


# -- How attributes of Shardy that are no lists of fields are read and written -------------------------------


FORMS: dict[str, CustomForm] = {
    "shardy_mesh": CustomForm(parse_mesh, mesh_text),
    "sharding": CustomForm(parse_sharding, sharding_text),
    "sharding_per_value": CustomForm(
        parse_shardings,
        lambda attribute: (
            f"[{', '.join(f'<{sharding_text(sharding)}>' for sharding in attribute.shardings)}]"
        ),
    ),
    "op_sharding_rule": CustomForm(parse_rule, rule_text),
    "propagation_edges": CustomForm(
        lambda cursor: PropagationEdges(_some(cursor, PropagationStep, parse_step)),
        lambda edges: f"[{', '.join(map(step_text, edges.steps))}]",
    ),
    "propagation_one_step": CustomForm(parse_step, step_text, bracketed=False),
    "axis_to_propagation_details": CustomForm(parse_axis_propagation, axis_propagation_text, bracketed=False),
    "edge_value_ref": CustomForm(parse_value, lambda value: f" {value_text(value)}", bracketed=False),
    "axis_ref": CustomForm(parse_axis, axis_text, bracketed=False),
    "dimension_sharding": CustomForm(parse_dimension, dimension_text, bracketed=False),
    "all_to_all_param": CustomForm(parse_all_to_all_parameter, all_to_all_parameter_text, bracketed=False),
    "manual_axes": CustomForm(
        lambda cursor: ManualAxes(braced(cursor, lambda: cursor.expect_string("the name of an axis"))),
        lambda attribute: f"{{{', '.join(map(quoted, attribute.axes))}}}",
        bracketed=False,
    ),
    "axis_ref_list": CustomForm(
        parse_axis_references, lambda attribute: _axes_text(attribute.axes), bracketed=False
    ),
    "list_of_axis_ref_lists": CustomForm(
        parse_axis_reference_lists,
        lambda attribute: f"[{', '.join(map(_axes_text, attribute.lists))}]",
        bracketed=False,
    ),
    "all_to_all_param_list": CustomForm(
        parse_all_to_all_parameters,
        lambda attribute: f"[{', '.join(map(all_to_all_parameter_text, attribute.parameters))}]",
        bracketed=False,
    ),
}
"""The functions of `AttrDef.custom`."""
