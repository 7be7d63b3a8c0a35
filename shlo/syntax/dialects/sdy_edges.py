"""How layouts spread through an operation, `#sdy.propagation_edges<...>`, both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from shlo.dialects.sdy.attributes import AxisPropagation, EdgeValue, PropagationEdges, PropagationStep
from shlo.ir.attributes import Attribute
from shlo.syntax.dialects.params import full_or_short, parse_int64
from shlo.syntax.dialects.sdy import axis_text, parse_axis_in_list
from shlo.syntax.lexer.cursor import Cursor

Item = TypeVar("Item", bound=Attribute)


def parse_edges(cursor: Cursor) -> PropagationEdges:
    """`[{step-0 = [...]}, ...]`."""
    return PropagationEdges(_some(cursor, PropagationStep, "sdy.propagation_one_step", parse_step))


def edges_text(edges: PropagationEdges) -> str:
    """Returns the text of propagation edges."""
    return f"[{', '.join(map(step_text, edges.steps))}]"


def parse_step(cursor: Cursor) -> PropagationStep:
    """`{step-0 = [{"x" = operand-0 -> [result-0]}]}`."""
    cursor.expect("{", "before a step")
    cursor.expect("step")
    cursor.expect("-", "after 'step'")
    index = parse_int64(cursor)
    cursor.expect("=", "after the number of a step")
    axes = _some(cursor, AxisPropagation, "sdy.axis_to_propagation_details", parse_axis_propagation)
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
    source = full_or_short(cursor, EdgeValue, "sdy.edge_value_ref", lambda: parse_value(cursor))
    cursor.expect("->", "after the value that an axis comes from")
    targets = _some(cursor, EdgeValue, "sdy.edge_value_ref", parse_value)
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
    return cursor.fail(f"expected a value such as operand-0 or result-0, got {cursor.found()}")


def value_text(value: EdgeValue) -> str:
    """Returns the text of the value at one end of an edge, its kind and index."""
    return f"{value.role}-{value.index}"


def spaced_value_text(value: EdgeValue) -> str:
    """Returns ` operand-0`: without the blank the word before it could not be told from it."""
    return f" {value_text(value)}"


def _some(cursor: Cursor, cls: type[Item], what: str, read: Callable[[Cursor], Item]) -> tuple[Item, ...]:
    """Reads `[item, ...]` with at least one item."""
    cursor.expect("[")
    items = cursor.sequence(lambda: full_or_short(cursor, cls, what, lambda: read(cursor)))
    cursor.expect("]")
    return tuple(items)
