"""`type(...)`: the ways in which operations name the types of their operands and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.attributes import Attribute
from shlo.ir.types import (
    I1,
    INDEX,
    ComplexType,
    FunctionType,
    OpaqueType,
    RankedTensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
    element_type_of,
)
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.parse_state import ParseState
from shlo.syntax.assembly_format.print_state import PrintState, function_type_text


def _parse_same(state: ParseState) -> None:
    if state.cursor.at("("):
        state.set_function_type()
    else:
        start, type_ = state.cursor.skip(), state.type()
        state.set_types([type_] * state.operand_count, [type_] * len(state.op_def.results), start)


def _print_same(state: PrintState) -> None:
    """One type where all types are equal."""
    types = (*state.signature.operand_types, *state.signature.result_types)
    is_one = types and all(type_ == types[0] for type_ in types)
    state.add(state.types(types[:1]) if is_one else state.function_type())


def _parse_results(state: ParseState) -> None:
    start, types = state.cursor.skip(), state.type_list()
    if len(state.operand_types or ()) != state.operand_count:
        state.set_types(None, types, start)
    else:
        state.result_types = types


def _print_results(state: PrintState) -> None:
    state.add(state.types(state.signature.result_types))


def _parse_operands(state: ParseState) -> None:
    start, types = state.cursor.skip(), state.type_list()
    state.set_types(types, types if state.op_def.results else (), start)


def _operands_giving(results: Callable[[list[Type]], Sequence[Type]]) -> Callable[[ParseState], None]:
    """Returns a parser of the operand types, from which the results' follow."""

    def parse(state: ParseState) -> None:
        start, types = state.cursor.skip(), state.type_list()
        state.set_types(types, results(types), start)

    return parse


def _print_operands(state: PrintState) -> None:
    state.add(state.types(state.signature.operand_types))


def _parse_select(state: ParseState) -> None:
    """`TypeOfPredicate, T` where both branches and the result have type T."""
    if state.cursor.at("("):
        state.set_function_type()
        return
    start, types = state.cursor.skip(), state.type_list()
    if len(types) != 2:
        state.cursor.fail("expected the predicate's type and one type of the branches and the result")
    state.set_types((types[0], types[1], types[1]), types[1:], start)


def _print_select(state: PrintState) -> None:
    predicate, *others = (*state.signature.operand_types, *state.signature.result_types)
    is_short = len(others) == 3 and others[0] == others[1] == others[2]
    state.add(state.types((predicate, others[0])) if is_short else state.function_type())


def _parse_complex(state: ParseState) -> None:
    """The complex result type, from which the types of the two parts follow."""
    if state.cursor.at("("):
        state.set_function_type()
        return
    start, type_ = state.cursor.skip(), state.type()
    part = _real_part(type_)
    if part is None:
        state.cursor.fail(f"expected a tensor of complex type, but found {type_}")
    state.set_types((part, part), (type_,), start)


def _print_complex(state: PrintState) -> None:
    results = state.signature.result_types
    part = _real_part(results[0]) if len(results) == 1 else None
    is_short = part is not None and state.signature.operand_types == (part, part)
    state.add(state.types(results) if is_short else state.function_type())


def _real_part(type_: Type) -> Type | None:
    """Returns the type of a complex tensor's parts."""
    if not isinstance(type_, (RankedTensorType, UnrankedTensorType)):
        return None
    if not isinstance(type_.element_type, ComplexType):
        return None
    return replace(type_, element_type=type_.element_type.element_type)


def _parse_tuple(state: ParseState) -> None:
    start, type_ = state.cursor.skip(), state.type()
    if not isinstance(type_, TupleType):
        state.cursor.fail(f"expected a tuple type, but found {type_}")
    state.set_types(type_.types, (type_,), start)


def _parse_callee(state: ParseState) -> None:
    """The type of a function that is the first operand; its inputs are the other operands."""
    start, type_ = state.cursor.skip(), state.function_type()
    state.set_types((type_, *type_.inputs), type_.results, start)


def _print_callee(state: PrintState) -> None:
    callee = state.signature.operand_types[0]
    if isinstance(callee, FunctionType):
        state.add(function_type_text(callee.inputs, callee.results, state.text_cache))
    else:
        state.add(state.types((callee,)))


def _parse_value(state: ParseState) -> None:
    """Nothing: the only operand or result has the type of the attribute `value`, which the text shows."""
    type_ = value_type(state.attributes["value"])
    if type_ is None:
        state.cursor.fail("expected elements with their type before this")
    operands, results = ((type_,), ()) if state.op_def.operands else ((), (type_,))
    state.set_types(operands, results, state.cursor.pos)


def _print_nothing(_: PrintState) -> None:
    pass


def value_type(value: Attribute | None) -> Type | None:
    """Returns the type of the elements or number that an attribute holds, None where it holds none."""
    type_ = getattr(value, "type", None)
    return type_ if isinstance(type_, Type) else None


# -- one type from which all others follow -------------------------------------------------------------------


class Deduction(Struct, frozen=True):
    """How the types of an operation follow from the one that its text names: from it and the numbers of
    operands and results to their types; `place` is the named type's among them all."""

    types: Callable[[Type, int, int], tuple[Sequence[Type], Sequence[Type]]]
    place: int


def _deduced(deduction: Deduction) -> Directive:
    def read(state: ParseState) -> None:
        start, type_ = state.cursor.skip(), state.type()
        operands, results = deduction.types(type_, state.operand_count, len(state.op_def.results))
        state.set_types(operands, results, start)

    def write(state: PrintState) -> None:
        types = (*state.signature.operand_types, *state.signature.result_types)
        state.add(state.types((types[deduction.place],)))

    return Directive(read, write)


def _truth(type_: Type) -> Type:
    """Booleans in the shape of a type."""
    if isinstance(type_, (RankedTensorType, UnrankedTensorType, VectorType)):
        return replace(type_, element_type=I1)
    return I1


DEDUCTIONS = {
    "one": Deduction(lambda type_, operands, results: ([type_] * operands, [type_] * results), 0),
    "dimension": Deduction(lambda type_, operands, results: ((type_, INDEX), (INDEX,)), 0),
    "extracted": Deduction(
        lambda type_, operands, results: ([type_] + [INDEX] * (operands - 1), [element_type_of(type_)]), 0
    ),
    "inserted": Deduction(
        lambda type_, operands, results: (
            [element_type_of(type_), type_] + [INDEX] * (operands - 2),
            [type_],
        ),
        1,
    ),
    "collected": Deduction(
        lambda type_, operands, results: ([element_type_of(type_)] * operands, [type_]), -1
    ),
    "ranked": Deduction(lambda type_, operands, results: ((type_,), (INDEX,)), 0),
    "sized": Deduction(lambda type_, operands, results: ([INDEX] * operands, [type_]), -1),
    "splat": Deduction(
        lambda type_, operands, results: ([element_type_of(type_)] + [INDEX] * (operands - 1), [type_]), -1
    ),
    "tested": Deduction(lambda type_, operands, results: ([type_], [_truth(type_)]), 0),
    "compared": Deduction(lambda type_, operands, results: ([type_] * 2, [_truth(type_)]), 0),
}
"""The ways in which all types follow from one, by the name of their directive."""


def _parse_chosen(state: ParseState) -> None:
    """`T`, or `TypeOfPredicate, T`."""
    start, types = state.cursor.skip(), state.type_list()
    predicate, choice = (I1, types[0]) if len(types) == 1 else types[:2]
    state.set_types((predicate, choice, choice), (choice,), start)


def _print_chosen(state: PrintState) -> None:
    predicate, choice, *_ = state.signature.operand_types
    state.add(state.types((choice,) if predicate == I1 else (predicate, choice)))


def _parse_with_bit(state: ParseState) -> None:
    """`T, TypeOfBits`: the operands and the first result have type T."""
    start, types = state.cursor.skip(), state.type_list()
    if len(types) != 2:
        state.cursor.fail("expected the type of the numbers and that of the bits")
    state.set_types((types[0], types[0]), types, start)


def _parse_expanded(state: ParseState) -> None:
    """`T into T`: the other operands are indices."""
    start = state.cursor.skip()
    source = state.type()
    state.cursor.expect("into")
    indices = [INDEX] * (state.operand_count - 1)
    state.set_types((source, *indices), (state.type(),), start)


def _print_expanded(state: PrintState) -> None:
    signature = state.signature
    state.add(state.types(signature.operand_types[:1]), " into ", state.types(signature.result_types))


DIRECTIVES: Directives = {
    **{name: _deduced(deduction) for name, deduction in DEDUCTIONS.items()},
    "chosen": Directive(_parse_chosen, _print_chosen),
    "as_first": Directive(_operands_giving(lambda types: types[:1]), _print_operands),
    "asserted": Directive(
        lambda state: state.set_types((I1,), (), state.cursor.pos), _print_nothing, blank=False
    ),
    "with_bit": Directive(_parse_with_bit, _print_results),
    "expanded": Directive(_parse_expanded, _print_expanded),
    "witnessed": Directive(_operands_giving(lambda _: (OpaqueType("shape", "witness"),)), _print_operands),
    "of_value": Directive(_parse_value, _print_nothing, blank=False),
    "same": Directive(_parse_same, _print_same),
    "function": Directive(ParseState.set_function_type, lambda state: state.add(state.function_type())),
    "results": Directive(_parse_results, _print_results),
    "operands": Directive(_parse_operands, _print_operands),
    "select": Directive(_parse_select, _print_select),
    "complex": Directive(_parse_complex, _print_complex),
    "tuple": Directive(_parse_tuple, _print_results),
    "callee": Directive(_parse_callee, _print_callee),
    "value": Directive(_parse_value, _print_nothing, blank=False),
}
