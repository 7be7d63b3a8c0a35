"""Operations that are written by what their definitions say: types of operands, attributes, constraints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from shlo.dialects import find_op_def
from shlo.dialects.attr_constraints import AttrConstraint, DenseArrayOf, EnumNumberOf, EnumOf, NumberOf
from shlo.dialects.inference import inferred_results
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import OpDef, OperandDef
from shlo.dialects.type_constraints import TypeConstraint
from shlo.fuzzing.maker import Maker, array_i1, array_i64
from shlo.fuzzing.scope import ELEMENTS, MOST_ELEMENTS, NotHere, Scope, Value
from shlo.ir.attributes import Attribute
from shlo.ir.operations import Signature
from shlo.ir.types import F32, F64, I1, I64, RankedTensorType, Type, UnknownType
from shlo.syntax import parse_attribute
from shlo.verifier import Verdicts

TRIES: Final = 30
"""How often operands and attributes are drawn until an operation is valid."""


def is_by_definition(op_def: OpDef) -> bool:
    """Returns whether a definition says enough to write the operation: tensors in, tensors out."""
    return (
        bool(op_def.results)
        and not op_def.regions
        and op_def.control_flow is None
        and op_def.synchronizes is None
        and op_def.successors is None
        and not op_def.has("effect")
        and not op_def.has("constant")
        and not op_def.has("terminator")
        and all(attribute.optional or _is_drawn(attribute.constraint) for attribute in op_def.attributes)
        and all(fitting_elements(result.constraint) for result in (*op_def.operands, *op_def.results))
    )


def write_by_definition(scope: Scope, op_def: OpDef, verdicts: Verdicts) -> None:
    """Writes an operation with random operands and attributes; raises NotHere where none are found."""
    for _ in range(TRIES):
        count = len(scope.values), len(scope.lines), len(scope.draft.arguments)
        if write_on(scope, op_def, _operands(scope, op_def), verdicts):
            return
        _forget(scope, count)
    raise NotHere


def write_on(
    scope: Scope,
    op_def: OpDef,
    operands: list[Value],
    verdicts: Verdicts,
    chosen: Mapping[str, str] | None = None,
) -> bool:
    """Writes an operation on operands, with random attributes but for those whose text is `chosen`; returns
    whether it is valid, and so written."""
    attributes = {**_attributes(scope.make, op_def, operands), **(chosen or {})}
    results = _results(scope, op_def, operands, attributes)
    if results is None or not _is_valid(verdicts, op_def, operands, attributes, results):
        return False
    text = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    scope.write(op_def.name, operands, results, text)
    return True


def enum_texts(constraint: EnumOf) -> list[str]:
    """Returns the texts of all words of an enumeration."""
    return [f"#{constraint.enum.dialect}<{constraint.enum.mnemonic} {word}>" for word in constraint.words]


def _forget(scope: Scope, count: tuple[int, int, int]) -> None:
    """Takes back the values that a try has made."""
    values, lines, arguments = count
    del scope.values[values:], scope.lines[lines:], scope.draft.arguments[arguments:]


@cache
def _without_broadcasting(op_def: OpDef) -> OpDef | None:
    """Returns the definition of what an operation does after it has broadcast its operands, which says more
    of their types; None for other operations.
    """
    dialect, _, name = op_def.name.partition(".")
    if dialect != "chlo" or not name.startswith("broadcast_"):
        return None
    base = name.removeprefix("broadcast_")
    return find_op_def(f"stablehlo.{base}") or find_op_def(f"chlo.{base}")


def _operands(scope: Scope, op_def: OpDef) -> list[Value]:
    """Returns values for the operands; most are of the type of the first one."""
    operands: list[Value] = []
    for definition in op_def.operands:
        count = 1
        if definition.arity == "variadic":
            count = scope.make.integer(1, 3)
        elif definition.arity == "optional":
            count = scope.make.integer(0, 1)
        for _ in range(count):
            operands.append(_operand(scope, definition, operands))
    return operands


def _operand(scope: Scope, definition: OperandDef, before: list[Value]) -> Value:
    make, constraint = scope.make, definition.constraint
    if before and make.chance(0.8):
        like = make.choice(before).type
        if constraint.matches(like):
            return scope.value(like.static_shape, like.element_type)
        elements = _elements(scope, constraint)
        shape = like.static_shape if constraint.rank is None else (1,) * constraint.rank
        return scope.value(shape, make.choice(elements))
    fitting = [value for value in scope.values if constraint.matches(value.type)]
    if fitting and make.chance(0.8):
        return make.choice(fitting)
    return scope.value(make.shape(constraint.rank), make.choice(_elements(scope, constraint)))


def _elements(scope: Scope, constraint: TypeConstraint) -> list[Type]:
    return scope.draft.elements_where(fitting_elements(constraint).__contains__)


@cache
def fitting_elements(constraint: TypeConstraint) -> list[Type]:
    """Returns the types of elements of tensors that fulfil a constraint, each as often as it is chosen."""
    shape = (1,) * (constraint.rank or 0)
    return [element for element in ELEMENTS if constraint.matches(RankedTensorType(shape, element))]


def _is_drawn(constraint: AttrConstraint) -> bool:
    return isinstance(constraint, NumberOf | EnumOf | EnumNumberOf | DenseArrayOf)


def _attributes(make: Maker, op_def: OpDef, operands: list[Value]) -> dict[str, str]:
    """Returns the text of attributes; those that may be absent seldom."""
    shape = operands[0].shape if operands else (1, 1)
    return {
        attribute.name: _attribute(make, attribute.constraint, shape)
        for attribute in op_def.attributes
        if _is_drawn(attribute.constraint) and (not attribute.optional or make.chance(0.3))
    }


def _attribute(make: Maker, constraint: AttrConstraint, shape: tuple[int, ...]) -> str:
    rank = len(shape)
    match constraint:
        case EnumOf():
            return make.choice(enum_texts(constraint))
        case EnumNumberOf():
            return f"{make.integer(0, len(constraint.words) - 1)} : {constraint.type}"
        case NumberOf(type=type_) if type_ == I1:
            return make.choice(("true", "false"))
        case NumberOf(type=type_) if type_ in (F32, F64):
            return f"{make.choice(('0.5', '1.0', '0.001'))} : {type_}"
        case NumberOf(type=type_):
            most = max(rank - 1, 0) if make.chance(0.7) else 9
            return f"{make.integer(0, most)} : {type_}"
        case DenseArrayOf(type=type_) if type_ == I64:
            if make.chance(0.5):
                return array_i64(make.permutation(rank))
            return array_i64(make.subset(range(rank)))
        case _:
            return array_i1([make.chance(0.5) for _ in range(rank)])


@cache
def _parsed(text: str) -> Attribute:
    return parse_attribute(text)


def _properties(attributes: Mapping[str, str]) -> dict[str, Attribute]:
    return {name: _parsed(text) for name, text in attributes.items()}


def _results(
    scope: Scope, op_def: OpDef, operands: list[Value], attributes: Mapping[str, str]
) -> list[RankedTensorType] | None:
    """Returns the types that constraints define; elements that they leave open are any that the result takes.
    None where they leave sizes open.
    """
    types = tuple(operand.type for operand in operands)
    definitions = [
        definition_
        for definition_ in op_def.results
        for _ in range(len(operands) if definition_.arity == "variadic" else 1)
    ]
    unknown = (UnknownType(),) * len(definitions)
    signature = Signature(op_def.name, types, unknown, _properties(attributes))
    results: list[RankedTensorType] = []
    for definition, inferred in zip(
        definitions, inferred_results(op_def, OpBindings(op_def, signature), True)
    ):
        shape: object = inferred.shape
        element: object = inferred.element
        if not isinstance(shape, tuple):
            return None
        if not isinstance(element, Type):
            # the specification's constraints are all that there are, CHLO's are not
            alike = [] if op_def.section else [operand.element for operand in operands]
            element = scope.make.choice(alike or _elements(scope, definition.constraint))
        type_ = RankedTensorType(shape, element)  # pyright: ignore[reportArgumentType, reportUnknownArgumentType]
        if not all(isinstance(size, int) for size in type_.shape) or type_.element_count > MOST_ELEMENTS:
            return None
        results.append(type_)
    return results


def _is_valid(
    verdicts: Verdicts,
    op_def: OpDef,
    operands: list[Value],
    attributes: Mapping[str, str],
    results: list[RankedTensorType],
) -> bool:
    """Returns whether nothing is wrong with an operation, by the MLIR tools and by the specification."""
    types = tuple(operand.type for operand in operands)
    signature = Signature(op_def.name, types, tuple(results), _properties(attributes))
    signatures = [signature]
    base = _without_broadcasting(op_def)
    if base is not None and results:
        shape = results[0].shape
        wide = tuple(RankedTensorType(shape, operand.element) for operand in operands)
        names = [attribute.name for attribute in base.attributes]
        of_base = {name: text for name, text in attributes.items() if name in names}
        base_properties = {
            name: text.replace("#chlo<", f"#{base.dialect}<") for name, text in of_base.items()
        }
        signatures.append(Signature(base.name, wide, tuple(results), _properties(base_properties)))
    findings = (finding for signature in signatures for finding in verdicts.of(signature).findings)
    return not any(finding.severity in ("error", "warning") for finding in findings)
