"""Forms of operations that reshape tensors."""

from __future__ import annotations

from shlo.dialects.upstream.tensor_rules import DYNAMIC
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.types import I64
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import FormWriting
from shlo.syntax.parser.attributes import parse_attribute
from shlo.syntax.parser.operation_reader import ValueUse


def read_mixed_list(reading: FormReading, operands: str, numbers: str) -> None:
    """`[%a, 3, ...]`: operands, and numbers beside them."""
    reader = reading.reader
    reader.expect("[")
    uses: list[ValueUse] = []

    def item() -> int:
        use = reader.operand_or_none()
        if use is None:
            return reader.expect_integer("a size or an operand")
        uses.append(use)
        return DYNAMIC

    values = reader.comma_list(item, "]")
    reading.operands[operands] = uses
    reading.attributes[numbers] = DenseArrayAttr(I64, tuple(values))


def write_mixed_list(writing: FormWriting, operands: str, numbers: str) -> None:
    """Writes what `read_mixed_list` reads."""
    indices = iter(writing.operand_groups()[operands])
    writing.text("[")
    for position, number in enumerate(writing.integers(numbers)):
        writing.text(", " if position else "")
        index = next(indices, None) if number == DYNAMIC else None
        writing.piece(str(number) if index is None else index)
    writing.text("]")


def _read_expand(reading: FormReading) -> None:
    """`%x [[0, 1], ...] output_shape [%a, 3]`."""
    reading.operands["src"] = [reading.reader.operand()]
    reading.keep("reassociation", lambda: parse_attribute(reading.reader))
    reading.reader.expect("output_shape")
    read_mixed_list(reading, "output_shape", "static_output_shape")


def _write_expand(writing: FormWriting) -> None:
    writing.piece(0)
    writing.text(" ")
    reassociation = writing.signature.properties.get("reassociation")
    if reassociation is not None:
        writing.attribute(reassociation)
    writing.text(" output_shape ")
    write_mixed_list(writing, "output_shape", "static_output_shape")


DIRECTIVES: Directives = {
    "expand_shape": Directive(_read_expand, _write_expand, ("reassociation", "static_output_shape")),
}
