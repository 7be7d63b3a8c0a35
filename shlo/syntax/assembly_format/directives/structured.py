"""Forms of structured control flow: branches, loops and switches of the scf dialect."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import DenseArrayAttr, UnitAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.types import I1, I64, INDEX, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.directives.upstream import with_yield
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState
from shlo.syntax.assembly_format.print_state import LineBreak, PrintState, RegionPiece
from shlo.syntax.lexer.cursor import ValueUse

# -- results and regions -------------------------------------------------------------------------------------


def _parse_results(state: ParseState) -> list[Type]:
    """`-> T`, `-> (T, ...)`, or nothing."""
    if not state.cursor.accept("->"):
        return []
    return state.types_in_parentheses() if state.cursor.at("(") else [state.type()]


def _print_results(state: PrintState, in_parentheses: bool) -> None:
    results = state.signature.result_types
    if in_parentheses or len(results) != 1:
        state.add(f" -> ({state.types(results)})" if results else "")
    else:
        state.add(" -> ", state.types(results))


def _parse_region(state: ParseState, has_results: bool) -> Region:
    """Returns a region, whose end may be left out where it gives nothing."""
    region = state.parser.region(())
    if has_results or len(region.blocks) > 1:
        return region
    return with_yield(state, region)


# -- scf.if --------------------------------------------------------------------------------------------------


def _parse_if(state: ParseState) -> None:
    """`%condition -> (T, ...) {...} else {...}`."""
    cursor = state.cursor
    state.operands["condition"] = [cursor.operand()]
    start = cursor.skip()
    results = _parse_results(state)
    state.set_types((I1,), results, start)
    state.regions[0] = _parse_region(state, bool(results))
    has_else = cursor.accept("else")
    state.regions[1] = _parse_region(state, bool(results)) if has_else else Region((), state.parser.values)
    state.attribute_dict()


def _print_if(state: PrintState) -> None:
    has_results = bool(state.signature.result_types)
    state.add(0)
    _print_results(state, in_parentheses=True)
    state.add(" ", RegionPiece(0, terminator=has_results))
    if state.has_region(1):
        state.add(" else ", RegionPiece(1, terminator=has_results))
    state.add(state.attribute_dict())


# -- scf.while -----------------------------------------------------------------------------------------------


def _parse_while(state: ParseState) -> None:
    """`(%a = %x, ...) : (T, ...) -> (T, ...) {...} do {...} attributes {...}`."""
    cursor = state.cursor
    pairs: list[tuple[ValueUse, ValueUse]] = []
    if cursor.accept("("):
        pairs = cursor.comma_list(state.initialised_argument, ")")
    state.operands["inits"] = [initial for _, initial in pairs]
    cursor.expect(":", "before the types of the loop")
    state.set_function_type()
    types = state.operand_types or ()
    arguments = [EntryArgument(use, type_) for (use, _), type_ in zip(pairs, types, strict=True)]
    state.regions[0] = state.parser.region(arguments)
    cursor.expect("do")
    state.regions[1] = state.parser.region(())
    if cursor.accept("attributes"):
        state.attribute_dict()


def _takes_its_operands(operation: Operation) -> bool:
    """Returns whether the first region takes as many values as the loop does."""
    return entry_argument_counts(operation)[:1] == [len(operation.operands)]


def _print_while(state: PrintState) -> None:
    count = len(state.operation.operands)
    if count:
        state.add(" (", *state.initialised_arguments(count), ")")
    state.add(" : ", state.function_type(), " ", RegionPiece(0, arguments=False), " do ", RegionPiece(1))
    state.add(state.attribute_dict(keyword=True))


def _parse_condition(state: ParseState) -> None:
    """`(%condition) {...} %a, ... : T, ...`."""
    cursor = state.cursor
    cursor.expect("(")
    state.operands["condition"] = [cursor.operand()]
    cursor.expect(")")
    state.attribute_dict()
    state.operands["args"] = cursor.operand_sequence()
    start = cursor.skip()
    types: Sequence[Type] = ()
    if state.operands["args"]:
        cursor.expect(":", "before the types of the values")
        types = state.type_list()
    state.set_types((I1, *types), (), start)


def _print_condition(state: PrintState) -> None:
    state.add("(", 0, ")", state.attribute_dict())
    count = len(state.operation.operands)
    if count > 1:
        types = state.types(state.signature.operand_types[1:])
        state.add(" ", *state.operands(range(1, count)), " : ", types)


# -- scf.index_switch, scf.execute_region --------------------------------------------------------------------


def _parse_switch(state: ParseState) -> None:
    """`%index {...} -> T case 2 {...} ... default {...}`."""
    cursor = state.cursor
    state.operands["arg"] = [cursor.operand()]
    state.attribute_dict()
    start = cursor.skip()
    results = _parse_results(state)
    state.set_types((INDEX,), results, start)
    cases: list[int] = []
    while cursor.accept("case"):
        cases.append(
            -cursor.expect_integer("a case") if cursor.accept("-") else cursor.expect_integer("a case")
        )
        state.regions[len(cases)] = _parse_region(state, bool(results))
    state.attributes["cases"] = DenseArrayAttr(I64, tuple(cases))
    cursor.expect("default", "before the region of all other cases")
    state.regions[0] = _parse_region(state, bool(results))


def _print_switch(state: PrintState) -> None:
    has_results = bool(state.signature.result_types)
    state.add(0, state.attribute_dict())
    _print_results(state, in_parentheses=False)
    state.add(" ")
    for number, case in enumerate(state.integers("cases")):
        state.add(LineBreak(), f"case {case} ", RegionPiece(number + 1, terminator=has_results))
    state.add(LineBreak(), "default ", RegionPiece(0, terminator=has_results))


def _parse_execute(state: ParseState) -> None:
    """`-> T no_inline {...}`."""
    cursor = state.cursor
    start = cursor.skip()
    results = _parse_results(state)
    state.set_types((), results, start)
    if cursor.accept("no_inline"):
        state.attributes["no_inline"] = UnitAttr()
    state.regions[0] = _parse_region(state, bool(results))
    state.attribute_dict()


def _print_execute(state: PrintState) -> None:
    _print_results(state, in_parentheses=False)
    state.add(" no_inline" if "no_inline" in state.signature.properties else "", " ")
    state.add(RegionPiece(0, terminator=bool(state.signature.result_types)), state.attribute_dict())


DIRECTIVES: Directives = {
    "scf_if": Directive(_parse_if, _print_if),
    "scf_while": Directive(_parse_while, _print_while, blank=False, fits=_takes_its_operands),
    "condition": Directive(_parse_condition, _print_condition, blank=False),
    "index_switch": Directive(_parse_switch, _print_switch, ("cases",)),
    "execute_region": Directive(_parse_execute, _print_execute, ("no_inline",), blank=False),
}
