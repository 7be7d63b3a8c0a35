"""Forms of the operations with regions that run at most in turn, and of those that pass values through."""

from __future__ import annotations

from shlo.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, StringAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I32
from shlo.syntax.assembly_format.attributes import read_attribute_form
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import ArgumentPiece, FormWriting, LineBreak, RegionPiece
from shlo.syntax.parser.operation_reader import EntryArgument, ValueUse

# -- while ---------------------------------------------------------------------------------------------------


def _read_while(reading: FormReading) -> None:
    """`(%a = %x, ...) : T, ... attributes {...} cond {...} do {...}`; the names are those of both regions'
    arguments."""
    reader = reading.reader
    reader.expect("(")
    pairs = reader.comma_list(lambda: _initialised_argument(reading), ")")
    reading.operands["operand"] = [initial for _, initial in pairs]
    if pairs:
        reader.expect(":", "before the types of the loop's values")
        start = reader.skip()
        types = reading.type_list()
        reading.set_types(types, types, start)
    if reader.accept("attributes"):
        reading.attribute_dict()
    types = reading.operand_types or ()
    arguments = [EntryArgument(argument, type_) for (argument, _), type_ in zip(pairs, types, strict=True)]
    reader.expect("cond")
    reading.regions[0] = reader.region(arguments)
    reader.expect("do")
    reading.regions[1] = reader.region(arguments)


def _initialised_argument(reading: FormReading) -> tuple[ValueUse, ValueUse]:
    argument = reading.reader.operand()
    reading.reader.expect("=", "after the loop value's name")
    return argument, reading.reader.operand()


def _is_loop(operation: Operation) -> bool:
    """Whether both regions take as many values as the loop has."""
    return entry_argument_counts(operation) == [len(operation.operands)] * 2


def _write_while(writing: FormWriting) -> None:
    count = len(writing.operation.operands)
    writing.text("(")
    for index in range(count):
        if index:
            writing.text(", ")
        writing.piece(ArgumentPiece(0, index))
        writing.text(" = ")
        writing.piece(index)
    writing.text(")")
    if count:
        writing.text(" : ")
        writing.types(writing.signature.operand_types)
    writing.attribute_dict(keyword=True)
    writing.piece(LineBreak())
    writing.text("cond ")
    writing.piece(RegionPiece(0, arguments=False))
    writing.text(" do ")
    writing.piece(RegionPiece(1, arguments=False))


# -- composite -----------------------------------------------------------------------------------------------

COMPOSITE_SHOWN = ("name",)


def _read_composite(reading: FormReading) -> None:
    """`"name" %a, ... (regions) {...} : (T, ...) -> T`."""
    reader = reading.reader
    reading.keep("name", lambda: StringAttr(reader.expect_string("the composite's name")))
    reading.operands["inputs"] = reader.operand_sequence()
    if reader.accept("("):
        regions = reader.comma_list(reader.region, ")")
        reading.regions.update(enumerate(regions))
    reading.attribute_dict()
    reader.expect(":")
    reading.set_function_type()


def _write_composite(writing: FormWriting) -> None:
    name = writing.signature.properties.get("name")
    writing.text(" ")
    if name is not None:
        writing.attribute(name)
    writing.text(" ")
    writing.operands(range(len(writing.operation.operands)))
    if writing.operation.regions:
        _write_regions(writing)
    writing.attribute_dict()
    writing.text(" : ")
    writing.function_type()


def _write_regions(writing: FormWriting) -> None:
    writing.text(" (")
    for index in range(len(writing.operation.regions)):
        if index:
            writing.text(", ")
        writing.piece(RegionPiece(index))
    writing.text(")")


# -- optimization_barrier ------------------------------------------------------------------------------------


def _read_barrier(reading: FormReading) -> None:
    """`{...} %a, ... : T, ...`, or `{...}()`."""
    reader = reading.reader
    reading.attribute_dict()
    if reader.accept("("):
        reader.expect(")")
        return
    reading.operands["operand"] = reader.operand_sequence()
    reader.expect(":")
    start, types = reader.skip(), reading.type_list()
    reading.set_types(types, types, start)


def _write_barrier(writing: FormWriting) -> None:
    count = len(writing.operation.operands)
    writing.attribute_dict()
    writing.text(" " if count else "()")
    writing.operands(range(count))
    if count:
        writing.text(" : ")
        writing.types(writing.signature.operand_types)


# -- a region with the arguments before it -------------------------------------------------------------------


def _read_region_with_arguments(reading: FormReading) -> None:
    """`(%a: T, ...) {...}`."""
    reader = reading.reader
    reader.expect("(", "before the region's arguments")
    arguments = reader.comma_list(reading.argument, ")")
    reading.regions[0] = reader.region(arguments, reading.op_def.has("isolated"))


def _write_region_with_arguments(writing: FormWriting) -> None:
    writing.text("(")
    for index in range(writing.argument_count(0)):
        if index:
            writing.text(", ")
        writing.argument(0, index)
    writing.text(") ")
    writing.piece(RegionPiece(0, arguments=False))


# -- scan ----------------------------------------------------------------------------------------------------

SCAN_SHOWN = ("dimension", "operandSegmentSizes", "resultSegmentSizes")


def _read_scan(reading: FormReading) -> None:
    """`(%x, ...) inits (%i, ...) dimension=0 attributes {...} {region} : (T, ...) -> (T, ...)`."""
    reader = reading.reader
    reader.expect("(")
    inputs = reading.operands["inputs"] = reader.operands_list(")")
    reader.expect("inits")
    reader.expect("(")
    inits = reading.operands["inits"] = reader.operands_list(")")
    reader.expect("dimension")
    reader.expect("=")
    reading.keep("dimension", lambda: read_attribute_form(reader, reading.op_def, reading.spec("dimension")))
    if reader.accept("attributes"):
        reading.attribute_dict()
    reading.regions[0] = reader.region(None, reading.op_def.has("isolated"))
    reader.expect(":")
    reading.set_function_type()
    carries = len(inits)
    reading.attributes["operandSegmentSizes"] = _sizes(len(inputs), carries)
    reading.attributes["resultSegmentSizes"] = _sizes(len(reading.result_types) - carries, carries)


def _sizes(*sizes: int) -> Attribute:
    return DenseArrayAttr(I32, sizes)


def _write_scan(writing: FormWriting) -> None:
    groups = writing.operand_groups()
    writing.text("(")
    writing.operands(groups["inputs"])
    writing.text(") inits (")
    writing.operands(groups["inits"])
    dimension = writing.signature.properties.get("dimension")
    writing.text(f") dimension={dimension.value if isinstance(dimension, IntegerAttr) else dimension} ")
    writing.attribute_dict(keyword=True)
    writing.text(" ")
    writing.piece(RegionPiece(0))
    writing.text(" : ")
    writing.function_type()


DIRECTIVES: Directives = {
    "while": Directive(_read_while, _write_while, blank=False, fits=_is_loop),
    "composite": Directive(_read_composite, _write_composite, COMPOSITE_SHOWN, blank=False),
    "optimization_barrier": Directive(_read_barrier, _write_barrier, blank=False),
    "region_with_arguments": Directive(_read_region_with_arguments, _write_region_with_arguments),
    "scan": Directive(_read_scan, _write_scan, SCAN_SHOWN, blank=False),
}
