"""`type(...)`: the ways in which operations name the types of their operands and results."""

from __future__ import annotations

from shlo.ir.attributes import Attribute
from shlo.ir.types import ComplexType, FunctionType, RankedTensorType, TupleType, Type, UnrankedTensorType
from shlo.syntax.directives.registry import Directive, Directives
from shlo.syntax.form_reading import FormReading
from shlo.syntax.form_writing import FormWriting, function_type_text


def _read_same(reading: FormReading) -> None:
    if reading.reader.at("("):
        reading.set_function_type()
    else:
        start, type_ = reading.reader.skip(), reading.type()
        reading.set_types([type_] * reading.operand_count, [type_] * len(reading.card.results), start)


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
    reading.set_types(types, types if reading.card.results else (), start)


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


def _write_nothing(_: FormWriting) -> None:
    pass


def value_type(value: Attribute | None) -> Type | None:
    """The type of the elements or number that an attribute holds, None where it holds none."""
    type_ = getattr(value, "type", None)
    return type_ if isinstance(type_, Type) else None


DIRECTIVES: Directives = {
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
