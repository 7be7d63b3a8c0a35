"""Forms of the operations with regions that run at most in turn, and of those that pass values through."""

from __future__ import annotations

from shlo.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, StringAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I32
from shlo.syntax.assembly_format.attributes import parse_attribute_form
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState
from shlo.syntax.assembly_format.print_state import LineBreak, PrintState, RegionPiece

# -- while ---------------------------------------------------------------------------------------------------


def _parse_while(state: ParseState) -> None:
    """`(%a = %x, ...) : T, ... attributes {...} cond {...} do {...}`, the names for both regions."""
    cursor = state.cursor
    cursor.expect("(")
    pairs = cursor.comma_list(state.initialised_argument, ")")
    state.operands["operand"] = [initial for _, initial in pairs]
    if pairs:
        cursor.expect(":", "before the types of the loop's values")
        start = cursor.skip()
        types = state.type_list()
        state.set_types(types, types, start)
    if cursor.accept("attributes"):
        state.attribute_dict()
    types = state.operand_types or ()
    arguments = [EntryArgument(argument, type_) for (argument, _), type_ in zip(pairs, types, strict=True)]
    cursor.expect("cond")
    state.regions[0] = state.parser.region(arguments)
    cursor.expect("do")
    state.regions[1] = state.parser.region(arguments)


def _is_loop(operation: Operation) -> bool:
    """Returns whether both regions take as many values as the loop has."""
    return entry_argument_counts(operation) == [len(operation.operands)] * 2


def _print_while(state: PrintState) -> None:
    count = len(state.operation.operands)
    state.add("(", *state.initialised_arguments(count), ")")
    if count:
        state.add(" : ", state.types(state.signature.operand_types))
    state.add(state.attribute_dict(keyword=True), LineBreak())
    state.add("cond ", RegionPiece(0, arguments=False), " do ", RegionPiece(1, arguments=False))


# -- composite -----------------------------------------------------------------------------------------------

COMPOSITE_SHOWN = ("name",)


def _parse_composite(state: ParseState) -> None:
    """`"name" %a, ... (regions) {...} : (T, ...) -> T`."""
    cursor = state.cursor
    state.keep("name", lambda: StringAttr(cursor.expect_string("the composite's name")))
    state.operands["inputs"] = cursor.operand_sequence()
    if cursor.accept("("):
        regions = cursor.comma_list(state.parser.region, ")")
        state.regions.update(enumerate(regions))
    state.attribute_dict()
    cursor.expect(":")
    state.set_function_type()


def _print_composite(state: PrintState) -> None:
    name = state.signature.properties.get("name")
    state.add(" ", "" if name is None else state.attribute(name), " ")
    state.add(*state.operands(range(len(state.operation.operands))))
    if state.operation.regions:
        regions = range(len(state.operation.regions))
        state.add(" (", *state.separated((RegionPiece(index),) for index in regions), ")")
    state.add(state.attribute_dict(), " : ", state.function_type())


# -- optimization_barrier ------------------------------------------------------------------------------------


def _parse_barrier(state: ParseState) -> None:
    """`{...} %a, ... : T, ...`, or `{...}()`."""
    cursor = state.cursor
    state.attribute_dict()
    if cursor.accept("("):
        cursor.expect(")")
        return
    state.operands["operand"] = cursor.operand_sequence()
    cursor.expect(":")
    start, types = cursor.skip(), state.type_list()
    state.set_types(types, types, start)


def _print_barrier(state: PrintState) -> None:
    count = len(state.operation.operands)
    state.add(state.attribute_dict(), " " if count else "()", *state.operands(range(count)))
    if count:
        state.add(" : ", state.types(state.signature.operand_types))


# -- a region with the arguments before it -------------------------------------------------------------------


def _parse_region_with_arguments(state: ParseState) -> None:
    """`(%a: T, ...) {...}`."""
    cursor = state.cursor
    cursor.expect("(", "before the region's arguments")
    arguments = cursor.comma_list(state.argument, ")")
    state.regions[0] = state.parser.region(arguments, state.op_def.has("isolated"))


def _print_region_with_arguments(state: PrintState) -> None:
    arguments = state.separated(state.argument(0, index) for index in range(state.argument_count(0)))
    state.add("(", *arguments, ") ", RegionPiece(0, arguments=False))


# -- scan ----------------------------------------------------------------------------------------------------

SCAN_SHOWN = ("dimension", "operandSegmentSizes", "resultSegmentSizes")


def _parse_scan(state: ParseState) -> None:
    """`(%x, ...) inits (%i, ...) dimension=0 attributes {...} {region} : (T, ...) -> (T, ...)`."""
    cursor = state.cursor
    cursor.expect("(")
    inputs = state.operands["inputs"] = cursor.comma_list(cursor.operand, ")")
    cursor.expect("inits")
    cursor.expect("(")
    inits = state.operands["inits"] = cursor.comma_list(cursor.operand, ")")
    cursor.expect("dimension")
    cursor.expect("=")
    state.keep("dimension", lambda: parse_attribute_form(cursor, state.spec("dimension")))
    if cursor.accept("attributes"):
        state.attribute_dict()
    state.regions[0] = state.parser.region(None, state.op_def.has("isolated"))
    cursor.expect(":")
    state.set_function_type()
    carries = len(inits)
    state.attributes["operandSegmentSizes"] = _sizes(len(inputs), carries)
    state.attributes["resultSegmentSizes"] = _sizes(len(state.result_types) - carries, carries)


def _sizes(*sizes: int) -> Attribute:
    return DenseArrayAttr(I32, sizes)


def _print_scan(state: PrintState) -> None:
    groups = state.operand_groups()
    state.add("(", *state.operands(groups["inputs"]), ") inits (", *state.operands(groups["inits"]))
    dimension = state.signature.properties.get("dimension")
    state.add(f") dimension={dimension.value if isinstance(dimension, IntegerAttr) else dimension} ")
    state.add(state.attribute_dict(keyword=True), " ", RegionPiece(0), " : ", state.function_type())


DIRECTIVES: Directives = {
    "while": Directive(_parse_while, _print_while, blank=False, fits=_is_loop),
    "composite": Directive(_parse_composite, _print_composite, COMPOSITE_SHOWN, blank=False),
    "optimization_barrier": Directive(_parse_barrier, _print_barrier, blank=False),
    "region_with_arguments": Directive(_parse_region_with_arguments, _print_region_with_arguments),
    "scan": Directive(_parse_scan, _print_scan, SCAN_SHOWN, blank=False),
}
