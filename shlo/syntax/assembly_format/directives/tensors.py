"""Forms of operations that reshape tensors."""

from __future__ import annotations

from shlo.dialects.upstream.tensor_rules import DYNAMIC
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.types import I64
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.parse_state import ParseState
from shlo.syntax.assembly_format.print_state import PrintState
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.lexer.cursor import ValueUse


def parse_mixed_list(state: ParseState, operands: str, numbers: str) -> None:
    """`[%a, 3, ...]`: operands, and numbers beside them."""
    cursor = state.cursor
    cursor.expect("[")
    uses: list[ValueUse] = []

    def item() -> int:
        use = cursor.operand_or_none()
        if use is None:
            return cursor.expect_integer("a size or an operand")
        uses.append(use)
        return DYNAMIC

    values = cursor.comma_list(item, "]")
    state.operands[operands] = uses
    state.attributes[numbers] = DenseArrayAttr(I64, tuple(values))


def print_mixed_list(state: PrintState, operands: str, numbers: str) -> None:
    """Writes what `parse_mixed_list` reads."""
    indices = iter(state.operand_groups()[operands])
    state.add("[")
    for position, number in enumerate(state.integers(numbers)):
        index = next(indices, None) if number == DYNAMIC else None
        state.add(", " if position else "", str(number) if index is None else index)
    state.add("]")


def _parse_expand(state: ParseState) -> None:
    """`%x [[0, 1], ...] output_shape [%a, 3]`."""
    state.operands["src"] = [state.cursor.operand()]
    state.keep("reassociation", lambda: parse_attribute(state.cursor))
    state.cursor.expect("output_shape")
    parse_mixed_list(state, "output_shape", "static_output_shape")


def _print_expand(state: PrintState) -> None:
    reassociation = state.signature.properties.get("reassociation")
    state.add(0, " ", "" if reassociation is None else state.attribute(reassociation), " output_shape ")
    print_mixed_list(state, "output_shape", "static_output_shape")


DIRECTIVES: Directives = {
    "expand_shape": Directive(_parse_expand, _print_expand, ("reassociation", "static_output_shape")),
}
