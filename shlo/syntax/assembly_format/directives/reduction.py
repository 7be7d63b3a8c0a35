"""The forms of reduce: a short one where the region is one commutative operation, and one with the region."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects import find_op_def
from shlo.ir.operations import Block, Operation, Region, Signature, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type, UnrankedTensorType
from shlo.syntax.assembly_format.attributes import attribute_form_text, read_attribute_form
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import FormWriting, LineBreak, RegionPiece
from shlo.syntax.parser.mhlo import twin_name
from shlo.syntax.parser.operation_reader import EntryArgument, OperationReader, ValueUse

RETURN = "stablehlo.return"


def _read_reduce(reading: FormReading) -> None:
    """`(%x init: %i), ... applies stablehlo.add across dimensions = [0] {...} : (T, ...) -> T`, or without
    `applies` and with ` reducer(%a: T, %b: T) ... {...}` at the end."""
    reader = reading.reader
    pairs = [_read_pair(reader)]
    while reader.accept(","):
        pairs.append(_read_pair(reader))
    reading.operands["inputs"] = [value for value, _ in pairs]
    reading.operands["init_values"] = [init for _, init in pairs]
    applied = _read_applied(reader) if reader.accept("applies") else None
    reader.expect("across")
    reader.expect("dimensions")
    reader.expect("=")
    reading.keep(
        "dimensions", lambda: read_attribute_form(reader, reading.op_def, reading.spec("dimensions"))
    )
    reading.attribute_dict()
    reader.expect(":")
    reading.set_function_type()
    reading.regions[0] = (
        _read_reducer(reading, len(pairs)) if applied is None else _short_region(reading, applied)
    )


def _read_pair(reader: OperationReader) -> tuple[ValueUse, ValueUse]:
    """`(%x init: %i)`."""
    reader.expect("(")
    value = reader.operand()
    reader.expect("init")
    reader.expect(":")
    init = reader.operand()
    reader.expect(")")
    return value, init


def _read_applied(reader: OperationReader) -> str:
    start = reader.skip()
    name = reader.expect_identifier("the operation that the reduction applies")
    name = twin_name(reader, name)
    if not is_short_form_operation(name):
        reader.fail(f"'{name}' is no commutative operation of two operands", Span(start, reader.pos))
    return name


def is_short_form_operation(name: str) -> bool:
    """Whether the short form of reduce may name the operation: a commutative one of two operands and one
    result."""
    op_def = find_op_def(name)
    return (
        op_def is not None
        and op_def.dialect == "stablehlo"
        and op_def.has("commutative")
        and (len(op_def.operands), len(op_def.results)) == (2, 1)
    )


def _short_region(reading: FormReading, name: str) -> Region:
    """The region that the short form stands for; its values are its own."""
    scalar = scalar_of(reading.operand_types or ())
    if scalar is None:
        reading.reader.fail("the first operand must be a tensor", Span(reading.start, reading.reader.pos))
    scalar = reading.reader.context.intern(scalar)
    combine = reading.reader.signature(name, (scalar, scalar), (scalar,))
    leave = reading.reader.signature(RETURN, (scalar,), ())
    return _region_of(combine, leave, scalar)


def _region_of(combine: Signature, leave: Signature, scalar: Type) -> Region:
    operations = [Operation(combine, (0, 1), (2,)), Operation(leave, (2,))]
    return Region((Block(operations, (0, 1)),), ValueTable([scalar] * 3, [""] * 3))


def scalar_of(types: Sequence[Type]) -> Type | None:
    """The 0-dimensional tensor type of the first type's elements."""
    first = types[0] if types else None
    if isinstance(first, (RankedTensorType, UnrankedTensorType)):
        return RankedTensorType((), first.element_type)
    return None


def _read_reducer(reading: FormReading, count: int) -> Region:
    """` reducer(%a: T, %b: T) ... {...}`: a pair of an element and what has been accumulated for each
    operand."""
    reader = reading.reader
    reader.expect("reducer")
    pairs = [_read_arguments(reading) for _ in range(count)]
    arguments = [first for first, _ in pairs] + [second for _, second in pairs]
    return reader.region(arguments)


def _read_arguments(reading: FormReading) -> tuple[EntryArgument, EntryArgument]:
    reading.reader.expect("(", "before a pair of the reducer's arguments")
    first = reading.argument()
    reading.reader.expect(",")
    second = reading.argument()
    reading.reader.expect(")")
    return first, second


def _is_reduction(operation: Operation) -> bool:
    """Whether there is an initial value for each input, and the region takes a pair for each."""
    count = len(operation.operands)
    return count > 0 and count % 2 == 0 and entry_argument_counts(operation) == [count]


def _write_reduce(writing: FormWriting) -> None:
    _write_pairs(writing, len(writing.operation.operands) // 2)
    applied = short_form_of(writing.operation)
    if applied is not None:
        writing.text(f" applies {applied}")
    _write_dimensions(writing)
    writing.attribute_dict()
    writing.text(" : ")
    writing.function_type()
    if applied is None:
        _write_reducer(writing)


def _write_pairs(writing: FormWriting, count: int) -> None:
    for index in range(count):
        writing.text(", (" if index else "(")
        writing.piece(index)
        writing.text(" init: ")
        writing.piece(count + index)
        writing.text(")")


def _write_dimensions(writing: FormWriting) -> None:
    dimensions = writing.signature.properties.get("dimensions")
    spec = writing.op_def.attribute("dimensions")
    assert spec is not None
    text = attribute_form_text(dimensions, writing.op_def, spec) if dimensions is not None else "[]"
    writing.text(f" across dimensions = {text}")


def _write_reducer(writing: FormWriting) -> None:
    writing.piece(LineBreak())
    writing.text(" reducer")
    arguments = writing.argument_count(0)
    for index in range(arguments // 2):
        writing.text("(" if index == 0 else " (")
        writing.argument(0, index)
        writing.text(", ")
        writing.argument(0, arguments // 2 + index)
        writing.text(")")
    writing.text("  ")
    writing.piece(RegionPiece(0, arguments=False))


def short_form_of(operation: Operation) -> str | None:
    """The operation that the short form names, None where a reduction needs its region written.

    The region must be one commutative operation of its two arguments in order, on scalars of the first
    operand's element type, whose result it returns.
    """
    blocks = operation.regions[0].blocks if operation.regions else ()
    if len(blocks) != 1 or len(blocks[0].arguments) != 2 or len(blocks[0].operations) != 2:
        return None
    combine, leave = blocks[0].operations
    scalar = scalar_of(operation.operand_types)
    same_types = combine.operand_types == (scalar, scalar) and combine.result_types == (scalar,)
    forwards = combine.operands == blocks[0].arguments and leave.operands == combine.results
    if same_types and forwards and leave.name == RETURN and is_short_form_operation(combine.name):
        return combine.name
    return None


DIRECTIVES: Directives = {
    "reduce": Directive(_read_reduce, _write_reduce, ("dimensions",), blank=False, fits=_is_reduction),
}
