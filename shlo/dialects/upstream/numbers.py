"""What the definitions of arith, math and tensor share: types of numbers and containers, and their rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from shlo.dialects.op_bindings import Broken, Check, OpBindings
from shlo.dialects.opdef import Constraint, constraint
from shlo.dialects.type_constraints import BOOLEAN_TYPE, INDEX_TYPE, SIGNLESS_TYPE, TypeConstraint, like
from shlo.ir.dtypes import bit_width
from shlo.ir.suggestions import Set, Subject, UseType, advise
from shlo.ir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemRefType,
    RankedTensorType,
    Type,
    UnrankedTensorType,
    VectorType,
    element_type_of,
)

_ANY_FLOAT: Final = TypeConstraint("", lambda type_: isinstance(type_, FloatType))


def _or_memref(numbers: TypeConstraint) -> TypeConstraint:
    """Returns a constraint that memrefs of the numbers fulfil, too."""

    def test(type_: Type) -> bool:
        if isinstance(type_, MemRefType):
            return type_.shape is not None and numbers.test(type_.element_type)
        return numbers.test(type_)

    return TypeConstraint(numbers.description, test)


INTEGER: Final = like("signless-integer-like", SIGNLESS_TYPE)
INTEGER_OR_INDEX: Final = like("signless-integer-or-index-like", SIGNLESS_TYPE, INDEX_TYPE)
INDEX_CAST: Final = _or_memref(INTEGER_OR_INDEX)
FLOAT: Final = like("floating-point-like", _ANY_FLOAT)
BOOLEAN: Final = like("bool-like", BOOLEAN_TYPE)
NUMBER: Final = _or_memref(like("integer-or-float-like", SIGNLESS_TYPE, _ANY_FLOAT))
BOOLEAN_SCALAR: Final = replace(BOOLEAN_TYPE, description="boolean", only=None)
INTEGER_OR_INDEX_SCALAR: Final = TypeConstraint(
    "signless-integer-or-index", (SIGNLESS_TYPE | INDEX_TYPE).test
)

_Shape = tuple[str, tuple[int | None, ...] | None]


def _shape_of(type_: Type) -> _Shape:
    """What holds the numbers of a type, and its sizes; a number holds itself."""
    if isinstance(type_, (RankedTensorType, VectorType)):
        return type(type_).__name__, tuple(type_.shape)
    return ("unranked", None) if isinstance(type_, UnrankedTensorType) else ("number", ())


def may_be_same_shape(lhs: Type, rhs: Type) -> bool:
    """Returns whether two types hold as many numbers, as far as their sizes tell."""
    (holder, sizes), (other_holder, other_sizes) = _shape_of(lhs), _shape_of(rhs)
    if "unranked" in (holder, other_holder):
        return "number" not in (holder, other_holder)
    if holder != other_holder or sizes is None or other_sizes is None or len(sizes) != len(other_sizes):
        return False
    return all(one == other or one is None or other is None for one, other in zip(sizes, other_sizes))


def _types(bindings: OpBindings) -> Sequence[Type]:
    return (*bindings.signature.operand_types, *bindings.signature.result_types)


def _unequal(
    types: Sequence[Type], what: str, names: Sequence[str], whole: str = "all types"
) -> Broken | None:
    """Returns what is wrong with types that must be equal, None where they are."""
    other = next((type_ for type_ in types if type_ != types[0]), None)
    if other is None:
        return None
    return Broken(f"{what} {types[0]} and {other}", tuple(names), (UseType(types[0], whole),))


def _one_type(bindings: OpBindings) -> Broken | None:
    what = "operands and results must be of one type, but there are"
    return _unequal(_types(bindings), what, _names(bindings))


def _one_shape(bindings: OpBindings) -> Broken | None:
    types = _types(bindings)
    other = next((type_ for type_ in types if not may_be_same_shape(types[0], type_)), None)
    if other is None:
        return None
    message = f"operands and results must have one shape, but there are {types[0]} and {other}"
    return Broken(message, _names(bindings), advise("give operands and results one shape"))


def _operands_alike(bindings: OpBindings) -> Broken | None:
    what = "the operands must be of one type, but are"
    return _unequal(bindings.signature.operand_types, what, _names(bindings)[-2:], "both")


def _converts(bindings: OpBindings) -> Broken | None:
    """`convertf` keeps the width and changes the format."""
    operand_type, result = (element_type_of(type_) for type_ in _types(bindings))
    if not isinstance(operand_type, FloatType) or not isinstance(result, FloatType):
        return None
    if operand_type != result and bit_width(operand_type) == bit_width(result):
        return None
    message = f"{operand_type} cannot be converted to {result}, which must be another type of as many bits"
    return Broken(message, _names(bindings), advise("use arith.extf or arith.truncf"))


def _index_on_one_side(bindings: OpBindings) -> Broken | None:
    sides = [isinstance(element_type_of(type_), IndexType) for type_ in _types(bindings)]
    if sides[0] != sides[1]:
        return None
    message = "either the operand or the result must be an index"
    return Broken(message, _names(bindings), advise("use arith.extsi, arith.extui or arith.trunci"))


def _chosen(bindings: OpBindings) -> Broken | None:
    what = "both values and the result must be of one type, but there are"
    return _unequal(_types(bindings)[1:], what, ("result", "true_value", "false_value"))


def _first_result(bindings: OpBindings) -> Broken | None:
    operand_type, result = bindings.signature.operand_types[0], bindings.signature.result_types[0]
    if operand_type == result:
        return None
    message = f"the first result must be of the operands' type {operand_type}, but is {result}"
    return Broken(message, _names(bindings)[:1], (UseType(operand_type),))


def _constant(bindings: OpBindings) -> Broken | None:
    value = bindings.signature.properties.get("value")
    (result,) = bindings.signature.result_types
    if isinstance(result, IntegerType) and result.signedness != "signless":
        message = f"the result must be signless, but is {result}"
        return Broken(message, ("result",), (UseType(IntegerType(result.width), "it"),))
    type_ = getattr(value, "type", None)
    if type_ == result:
        return None
    message = f"value must be of the result's type {result}, but is {value}"
    return Broken(message, ("value", "result"), (Set(Subject("value").of("type"), "=", result),))


def _names(bindings: OpBindings) -> tuple[str, ...]:
    return tuple(spec.name for spec in (*bindings.op_def.results, *bindings.op_def.operands))


def _by_width(holds: Callable[[int, int], bool], word: str) -> Callable[[OpBindings], Broken | None]:
    def check(bindings: OpBindings) -> Broken | None:
        operand_type, result = (element_type_of(type_) for type_ in _types(bindings))
        if not isinstance(operand_type, (FloatType, IntegerType)) or not isinstance(
            result, (FloatType, IntegerType)
        ):
            return None
        if holds(bit_width(operand_type), bit_width(result)):
            return None
        message = f"the result {result} must be {word} than the operand {operand_type}"
        return Broken(message, _names(bindings), advise(f"choose a result type that is {word}"))

    return check


def rule(label: str, words: str, check: Check) -> Constraint:
    """Returns a constraint that a function judges."""
    return constraint(label, words, check=check)


ONE_TYPE: Final = rule("A1", "operands and results are of one type", _one_type)
CONVERTS: Final = rule("A3", "another type of as many bits", _converts)
INDEX_ON_ONE_SIDE: Final = rule("A3", "the operand or the result is an index", _index_on_one_side)
CHOSEN: Final = rule("A1", "type(result) = type(true_value) = type(false_value)", _chosen)
FIRST_RESULT: Final = rule("A3", "the first result is of the operands' type", _first_result)
CONSTANT: Final = rule("A1", "type(result) = type(value)", _constant)
OPERANDS_ALIKE: Final = rule("A1", "the operands are of one type", _operands_alike)
ONE_SHAPE: Final = rule("A2", "operands and results have one shape", _one_shape)
WIDER: Final = rule(
    "A3", "the result is wider than the operand", _by_width(lambda operand, result: operand < result, "wider")
)
NARROWER: Final = rule(
    "A3",
    "the result is narrower than the operand",
    _by_width(lambda operand, result: operand > result, "narrower"),
)
SAME_WIDTH: Final = rule(
    "A3",
    "operand and result have as many bits",
    _by_width(lambda operand, result: operand == result, "as wide, not wider or narrower,"),
)
