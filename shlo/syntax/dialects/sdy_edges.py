"""How layouts spread through an operation, `#sdy.propagation_edges<...>`, both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from shlo.dialects.sdy.attributes import AxisPropagation, EdgeValue, PropagationEdges, PropagationStep
from shlo.ir.attributes import Attribute
from shlo.syntax.assembly_format.fields import full_or_short, read_int64
from shlo.syntax.dialects.sdy import axis_text, read_axis_in_list
from shlo.syntax.lexer.cursor import Reader

Item = TypeVar("Item", bound=Attribute)


def read_edges(reader: Reader) -> PropagationEdges:
    """`[{step-0 = [...]}, ...]`."""
    return PropagationEdges(_some(reader, PropagationStep, "sdy.propagation_one_step", read_step))


def edges_text(edges: PropagationEdges) -> str:
    return f"[{', '.join(map(step_text, edges.steps))}]"


def read_step(reader: Reader) -> PropagationStep:
    """`{step-0 = [{"x" = operand-0 -> [result-0]}]}`."""
    reader.expect("{", "before a step")
    reader.expect("step")
    reader.expect("-", "after 'step'")
    index = read_int64(reader)
    reader.expect("=", "after the number of a step")
    axes = _some(reader, AxisPropagation, "sdy.axis_to_propagation_details", read_axis_propagation)
    reader.expect("}", "after a step")
    return PropagationStep(index, axes)


def step_text(step: PropagationStep) -> str:
    return f"{{step-{step.index} = [{', '.join(map(axis_propagation_text, step.axes))}]}}"


def read_axis_propagation(reader: Reader) -> AxisPropagation:
    """`{"x" = operand-0 -> [result-0]}`."""
    reader.expect("{", "before an axis")
    axis = read_axis_in_list(reader)
    reader.expect("=", "after an axis")
    source = _value(reader)
    reader.expect("->", "after the value that an axis comes from")
    targets = _some(reader, EdgeValue, "sdy.edge_value_ref", read_value)
    reader.expect("}", "after the values that an axis goes to")
    return AxisPropagation(axis, source, targets)


def axis_propagation_text(entry: AxisPropagation) -> str:
    targets = ", ".join(map(value_text, entry.targets))
    return f"{{{axis_text(entry.axis)} = {value_text(entry.source)} -> [{targets}]}}"


def read_value(reader: Reader) -> EdgeValue:
    """`operand-0`."""
    for kind in ("operand", "result"):
        if reader.accept(kind):
            reader.expect("-", f"after '{kind}'")
            return EdgeValue(kind, read_int64(reader))
    return reader.fail(f"expected a value such as operand-0 or result-0, got {reader.found()}")


def value_text(value: EdgeValue) -> str:
    return f"{value.kind}-{value.index}"


def spaced_value_text(value: EdgeValue) -> str:
    """Returns ` operand-0`: without the blank the word before it could not be told from it."""
    return f" {value_text(value)}"


def _value(reader: Reader) -> EdgeValue:
    return full_or_short(reader, EdgeValue, "sdy.edge_value_ref", lambda: read_value(reader))


def _some(reader: Reader, cls: type[Item], what: str, read: Callable[[Reader], Item]) -> tuple[Item, ...]:
    """Reads `[item, ...]` with at least one item."""
    reader.expect("[")
    items = [full_or_short(reader, cls, what, lambda: read(reader))]
    while reader.accept(","):
        items.append(full_or_short(reader, cls, what, lambda: read(reader)))
    reader.expect("]")
    return tuple(items)
