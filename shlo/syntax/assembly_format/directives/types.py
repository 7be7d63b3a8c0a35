"""`type(...)`: the ways in which operations name the types of their operands and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import FormWriting, function_type_text


def _read_same(reading: FormReading) -> None:
    if reading.reader.at("("):
        reading.set_function_type()
    else:
        start, type_ = reading.reader.skip(), reading.type()
        reading.set_types([type_] * reading.operand_count, [type_] * len(reading.op_def.results), start)


def _write_same(writing: FormWriting) -> None:
    """One type where all types are equal."""
    types = (*writing.signature.operand_types, *writing.signature.result_types)
    if types and all(type_ == types[0] for type_ in types):
        writing.types(types[:1])
    else:
        writing.function_type()


def _read_results(reading: FormReading) -> None:
    start, types = reading.reader.skip(), reading.type_list()
    if len(reading.operand_types or ()) != reading.operand_count:
        reading.set_types(None, types, start)
    else:
        reading.result_types = types
        reading.types_read = True


def _write_results(writing: FormWriting) -> None:
    writing.types(writing.signature.result_types)


def _read_operands(reading: FormReading) -> None:
    start, types = reading.reader.skip(), reading.type_list()
    reading.set_types(types, types if reading.op_def.results else (), start)


def _write_operands(writing: FormWriting) -> None:
    writing.types(writing.signature.operand_types)


def _read_select(reading: FormReading) -> None:
    """`TypeOfPredicate, T` where both branches and the result have type T."""
    if reading.reader.at("("):
        reading.set_function_type()
        return
    start, types = reading.reader.skip(), reading.type_list()
    if len(types) != 2:
        reading.reader.fail("expected the predicate's type and one type of the branches and the result")
    reading.set_types((types[0], types[1], types[1]), types[1:], start)


def _write_select(writing: FormWriting) -> None:
    predicate, *others = (*writing.signature.operand_types, *writing.signature.result_types)
    if len(others) == 3 and others[0] == others[1] == others[2]:
        writing.types((predicate, others[0]))
    else:
        writing.function_type()


def _read_complex(reading: FormReading) -> None:
    """The complex result type, from which the types of the two parts follow."""
    if reading.reader.at("("):
        reading.set_function_type()
        return
    start, type_ = reading.reader.skip(), reading.type()
    part = _real_part(type_)
    if part is None:
        reading.reader.fail(f"expected a tensor of complex type, but found {type_}")
    reading.set_types((part, part), (type_,), start)


def _write_complex(writing: FormWriting) -> None:
    results = writing.signature.result_types
    part = _real_part(results[0]) if len(results) == 1 else None
    if part is not None and writing.signature.operand_types == (part, part):
        writing.types(results)
    else:
        writing.function_type()


def _real_part(type_: Type) -> Type | None:
    """The type of a complex tensor's parts."""
    if not isinstance(type_, (RankedTensorType, UnrankedTensorType)):
        return None
    if not isinstance(type_.element_type, ComplexType):
        return None
    element = type_.element_type.element_type
    if isinstance(type_, UnrankedTensorType):
        return UnrankedTensorType(element)
    return RankedTensorType(type_.shape, element, type_.encoding)


def _read_tuple(reading: FormReading) -> None:
    start, type_ = reading.reader.skip(), reading.type()
    if not isinstance(type_, TupleType):
        reading.reader.fail(f"expected a tuple type, but found {type_}")
    reading.set_types(type_.types, (type_,), start)


def _read_callee(reading: FormReading) -> None:
    """The type of a function that is the first operand; its inputs are the other operands."""
    start, type_ = reading.reader.skip(), reading.function_type()
    reading.set_types((type_, *type_.inputs), type_.results, start)


def _write_callee(writing: FormWriting) -> None:
    callee = writing.signature.operand_types[0]
    if isinstance(callee, FunctionType):
        writing.text(function_type_text(callee.inputs, callee.results, writing.texts))
    else:
        writing.types((callee,))


def _read_value(reading: FormReading) -> None:
    """Nothing: the result has the type of the attribute `value`, which the text shows."""
    type_ = value_type(reading.attributes["value"])
    if type_ is None:
        reading.reader.fail("expected elements with their type before this")
    reading.set_types((), (type_,), reading.reader.pos)


def _read_type_of_value(reading: FormReading) -> None:
    """Nothing: the operand has the type of the attribute `value`, which the text shows."""
    type_ = value_type(reading.attributes["value"])
    if type_ is None:
        reading.reader.fail("expected elements with their type before this")
    reading.set_types((type_,), (), reading.reader.pos)


def _write_nothing(_: FormWriting) -> None:
    pass


def value_type(value: Attribute | None) -> Type | None:
    """The type of the elements or number that an attribute holds, None where it holds none."""
    type_ = getattr(value, "type", None)
    return type_ if isinstance(type_, Type) else None


# -- one type from which all others follow -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deduction:
    """How the types of an operation follow from the one that its text names: from it and the numbers of
    operands and results to their types; `place` is the named type's among them all."""

    types: Callable[[Type, int, int], tuple[Sequence[Type], Sequence[Type]]]
    place: int


def _deduced(deduction: Deduction) -> Directive:
    def read(reading: FormReading) -> None:
        start, type_ = reading.reader.skip(), reading.type()
        operands, results = deduction.types(type_, reading.operand_count, len(reading.op_def.results))
        reading.set_types(operands, results, start)

    def write(writing: FormWriting) -> None:
        types = (*writing.signature.operand_types, *writing.signature.result_types)
        writing.types((types[deduction.place],))

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


def _read_chosen(reading: FormReading) -> None:
    """`T`, or `TypeOfPredicate, T`."""
    start, types = reading.reader.skip(), reading.type_list()
    predicate, choice = (I1, types[0]) if len(types) == 1 else types[:2]
    reading.set_types((predicate, choice, choice), (choice,), start)


def _write_chosen(writing: FormWriting) -> None:
    predicate, choice, *_ = writing.signature.operand_types
    writing.types((choice,) if predicate == I1 else (predicate, choice))


def _read_as_first(reading: FormReading) -> None:
    """The operand types; the result is of the first one."""
    start, types = reading.reader.skip(), reading.type_list()
    reading.set_types(types, types[:1], start)


def _read_asserted(reading: FormReading) -> None:
    """Nothing: the operand is a boolean."""
    reading.set_types((I1,), (), reading.reader.pos)


def _read_with_bit(reading: FormReading) -> None:
    """`T, TypeOfBits`: the operands and the first result have type T."""
    start, types = reading.reader.skip(), reading.type_list()
    if len(types) != 2:
        reading.reader.fail("expected the type of the numbers and that of the bits")
    reading.set_types((types[0], types[0]), types, start)


def _read_expanded(reading: FormReading) -> None:
    """`T into T`: the other operands are indices."""
    start = reading.reader.skip()
    source = reading.type()
    reading.reader.expect("into")
    indices = [INDEX] * (reading.operand_count - 1)
    reading.set_types((source, *indices), (reading.type(),), start)


def _write_expanded(writing: FormWriting) -> None:
    writing.types(writing.signature.operand_types[:1])
    writing.text(" into ")
    writing.types(writing.signature.result_types)


def _read_witnessed(reading: FormReading) -> None:
    start, types = reading.reader.skip(), reading.type_list()
    reading.set_types(types, (OpaqueType("shape", "witness"),), start)


DIRECTIVES: Directives = {
    **{name: _deduced(deduction) for name, deduction in DEDUCTIONS.items()},
    "chosen": Directive(_read_chosen, _write_chosen),
    "as_first": Directive(_read_as_first, _write_operands),
    "asserted": Directive(_read_asserted, _write_nothing, blank=False),
    "with_bit": Directive(_read_with_bit, _write_results),
    "expanded": Directive(_read_expanded, _write_expanded),
    "witnessed": Directive(_read_witnessed, _write_operands),
    "of_value": Directive(_read_type_of_value, _write_nothing, blank=False),
    "same": Directive(_read_same, _write_same),
    "function": Directive(FormReading.set_function_type, FormWriting.function_type),
    "results": Directive(_read_results, _write_results),
    "operands": Directive(_read_operands, _write_operands),
    "select": Directive(_read_select, _write_select),
    "complex": Directive(_read_complex, _write_complex),
    "tuple": Directive(_read_tuple, _write_results),
    "callee": Directive(_read_callee, _write_callee),
    "value": Directive(_read_value, _write_nothing, blank=False),
}
