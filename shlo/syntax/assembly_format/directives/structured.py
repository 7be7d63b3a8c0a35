"""Forms of structured control flow: branches, loops and switches of the scf dialect."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import DenseArrayAttr, UnitAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.types import I1, I64, INDEX, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.directives.upstream import read_pair, with_yield
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import ArgumentPiece, FormWriting, LineBreak, RegionPiece
from shlo.syntax.parser.operation_reader import EntryArgument, ValueUse

# -- results and regions -------------------------------------------------------------------------------------


def _read_results(reading: FormReading) -> list[Type]:
    """`-> T`, `-> (T, ...)`, or nothing."""
    if not reading.reader.accept("->"):
        return []
    return reading.types_in_parentheses() if reading.reader.at("(") else [reading.type()]


def _write_results(writing: FormWriting, in_parentheses: bool) -> None:
    results = writing.signature.result_types
    if not results:
        return
    has_parentheses = in_parentheses or len(results) != 1
    writing.text(" -> (" if has_parentheses else " -> ")
    writing.types(results)
    writing.text(")" if has_parentheses else "")


def _read_region(reading: FormReading, has_results: bool) -> Region:
    """A region, whose end may be left out where it gives nothing."""
    region = reading.reader.region(())
    if has_results or len(region.blocks) > 1:
        return region
    return with_yield(reading, region)


# -- scf.if --------------------------------------------------------------------------------------------------


def _read_if(reading: FormReading) -> None:
    """`%condition -> (T, ...) {...} else {...}`."""
    reader = reading.reader
    reading.operands["condition"] = [reader.operand()]
    start = reader.skip()
    results = _read_results(reading)
    reading.set_types((I1,), results, start)
    reading.regions[0] = _read_region(reading, bool(results))
    has_else = reader.accept("else")
    reading.regions[1] = _read_region(reading, bool(results)) if has_else else Region((), reader.values)
    reading.attribute_dict()


def _write_if(writing: FormWriting) -> None:
    writing.piece(0)
    _write_results(writing, in_parentheses=True)
    has_results = bool(writing.signature.result_types)
    writing.text(" ")
    writing.piece(RegionPiece(0, terminator=has_results))
    if writing.has_region(1):
        writing.text(" else ")
        writing.piece(RegionPiece(1, terminator=has_results))
    writing.attribute_dict()


# -- scf.while -----------------------------------------------------------------------------------------------


def _read_while(reading: FormReading) -> None:
    """`(%a = %x, ...) : (T, ...) -> (T, ...) {...} do {...} attributes {...}`."""
    reader = reading.reader
    pairs: list[tuple[ValueUse, ValueUse]] = []
    if reader.accept("("):
        pairs = reader.comma_list(lambda: read_pair(reading), ")")
    reading.operands["inits"] = [initial for _, initial in pairs]
    reader.expect(":", "before the types of the loop")
    reading.set_function_type()
    types = reading.operand_types or ()
    arguments = [EntryArgument(use, type_) for (use, _), type_ in zip(pairs, types, strict=True)]
    reading.regions[0] = reader.region(arguments)
    reader.expect("do")
    reading.regions[1] = reader.region(())
    if reader.accept("attributes"):
        reading.attribute_dict()


def _takes_its_operands(operation: Operation) -> bool:
    """Whether the first region takes as many values as the loop does."""
    return entry_argument_counts(operation)[:1] == [len(operation.operands)]


def _write_while(writing: FormWriting) -> None:
    count = len(writing.operation.operands)
    if count:
        writing.text(" (")
        for index in range(count):
            writing.text(", " if index else "")
            writing.piece(ArgumentPiece(0, index))
            writing.text(" = ")
            writing.piece(index)
        writing.text(")")
    writing.text(" : ")
    writing.function_type()
    writing.text(" ")
    writing.piece(RegionPiece(0, arguments=False))
    writing.text(" do ")
    writing.piece(RegionPiece(1))
    writing.attribute_dict(keyword=True)


def _read_condition(reading: FormReading) -> None:
    """`(%condition) {...} %a, ... : T, ...`."""
    reader = reading.reader
    reader.expect("(")
    reading.operands["condition"] = [reader.operand()]
    reader.expect(")")
    reading.attribute_dict()
    reading.operands["args"] = reader.operand_sequence()
    start = reader.skip()
    types: Sequence[Type] = ()
    if reading.operands["args"]:
        reader.expect(":", "before the types of the values")
        types = reading.type_list()
    reading.set_types((I1, *types), (), start)


def _write_condition(writing: FormWriting) -> None:
    writing.text("(")
    writing.piece(0)
    writing.text(")")
    writing.attribute_dict()
    count = len(writing.operation.operands)
    if count > 1:
        writing.text(" ")
        writing.operands(range(1, count))
        writing.text(" : ")
        writing.types(writing.signature.operand_types[1:])


# -- scf.index_switch, scf.execute_region --------------------------------------------------------------------


def _read_switch(reading: FormReading) -> None:
    """`%index {...} -> T case 2 {...} ... default {...}`."""
    reader = reading.reader
    reading.operands["arg"] = [reader.operand()]
    reading.attribute_dict()
    start = reader.skip()
    results = _read_results(reading)
    reading.set_types((INDEX,), results, start)
    cases: list[int] = []
    while reader.accept("case"):
        cases.append(
            -reader.expect_integer("a case") if reader.accept("-") else reader.expect_integer("a case")
        )
        reading.regions[len(cases)] = _read_region(reading, bool(results))
    reading.attributes["cases"] = DenseArrayAttr(I64, tuple(cases))
    reader.expect("default", "before the region of all other cases")
    reading.regions[0] = _read_region(reading, bool(results))


def _write_switch(writing: FormWriting) -> None:
    has_results = bool(writing.signature.result_types)
    writing.piece(0)
    writing.attribute_dict()
    _write_results(writing, in_parentheses=False)
    writing.text(" ")
    for number, case in enumerate(writing.integers("cases")):
        writing.piece(LineBreak())
        writing.text(f"case {case} ")
        writing.piece(RegionPiece(number + 1, terminator=has_results))
    writing.piece(LineBreak())
    writing.text("default ")
    writing.piece(RegionPiece(0, terminator=has_results))


def _read_execute(reading: FormReading) -> None:
    """`-> T no_inline {...}`."""
    reader = reading.reader
    start = reader.skip()
    results = _read_results(reading)
    reading.set_types((), results, start)
    if reader.accept("no_inline"):
        reading.attributes["no_inline"] = UnitAttr()
    reading.regions[0] = _read_region(reading, bool(results))
    reading.attribute_dict()


def _write_execute(writing: FormWriting) -> None:
    _write_results(writing, in_parentheses=False)
    if "no_inline" in writing.signature.properties:
        writing.text(" no_inline")
    writing.text(" ")
    writing.piece(RegionPiece(0, terminator=bool(writing.signature.result_types)))
    writing.attribute_dict()


DIRECTIVES: Directives = {
    "scf_if": Directive(_read_if, _write_if),
    "scf_while": Directive(_read_while, _write_while, blank=False, fits=_takes_its_operands),
    "condition": Directive(_read_condition, _write_condition, blank=False),
    "index_switch": Directive(_read_switch, _write_switch, ("cases",)),
    "execute_region": Directive(_read_execute, _write_execute, ("no_inline",), blank=False),
}
