"""What would make an operation valid: operands that are converted before it, attributes with other values.

Whatever is found here has been tried: with it the operation keeps to every constraint of its definition. The
verifier puts it into words, the language service into edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.constraints import truth_of
from shlo.dialects.inference import infer
from shlo.dialects.op_bindings import STRUCT_NAMES, OpBindings
from shlo.dialects.opdef import OperandDef
from shlo.dialects.type_constraints import TypeConstraint
from shlo.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr
from shlo.ir.operations import Signature
from shlo.ir.suggestions import ConversionStep
from shlo.ir.types import (
    F32,
    I1,
    I32,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    MemRefType,
    QuantizedType,
    RankedTensorType,
    Shape,
    Type,
)

CONVERTIBLE: Final = (IntegerType, FloatType, ComplexType)
"""The elements that `stablehlo.convert` takes."""


class Conversion(Struct, frozen=True):
    """An operand by its number, and the steps that make it a value of another type."""

    operand: int
    steps: tuple[ConversionStep, ...]

    @property
    def wanted(self) -> Type:
        """The type after the last step."""
        return self.steps[-1].after


def conversions(operands: Sequence[Type], wanted: Sequence[Type]) -> Iterator[Conversion]:
    """Yields the ways to make an operand a value of one of the wanted types, those of the last operand
    first."""
    for number in reversed(range(len(operands))):
        for type_ in dict.fromkeys(wanted):
            conversion_steps = tuple(steps(operands[number], type_))
            if conversion_steps:
                yield Conversion(number, conversion_steps)


def steps(type_: Type, wanted: Type) -> Iterator[ConversionStep]:
    """Yields the operations that make one type of another, none where there is no way."""
    if not isinstance(type_, RankedTensorType) or not isinstance(wanted, RankedTensorType):
        return
    converted = replace(type_, element_type=wanted.element_type)
    dimensions = _dimensions(type_.shape, wanted.shape)
    elements = (type_.element_type, wanted.element_type)
    if dimensions is None or type_.encoding != wanted.encoding:
        return
    if type_.element_type != wanted.element_type:
        if not all(isinstance(element, CONVERTIBLE) for element in elements):
            return
        yield ConversionStep("convert", "", type_, converted)
    if type_.shape != wanted.shape:
        yield ConversionStep("broadcast_in_dim", f", dims = {dimensions}", converted, wanted)


def _dimensions(type_: tuple[int | None, ...], wanted: tuple[int | None, ...]) -> list[int] | None:
    """Returns where the dimensions of a tensor go that is repeated to a wanted shape, the last ones to the
    last ones; None where they do not fit."""
    if type_ == wanted:
        return [*range(len(type_))]
    first = len(wanted) - len(type_)
    if first < 0 or None in type_ or None in wanted:
        return None
    fit = all(size in (1, target) for size, target in zip(type_, wanted[first:]))
    return [*range(first, len(wanted))] if fit else None


USUAL: Final[tuple[Type, ...]] = (F32, I32, I1, ComplexType(F32), IntegerType(32, "unsigned"))
"""Element types that are proposed where no other value has one that an operation takes."""
MAX_KIND_RANK: Final = 3
"""Ranks of tensors that are proposed where an operation takes no type like the one it is given."""
MAX_TRIED: Final = 60
"""How many values of attributes are tried for one finding."""
SIZED: Final = 40
"""How many elements a list of numbers may have that is changed."""


# --- operands ---


def has_fixit(bindings: OpBindings) -> bool:
    """Returns whether the attributes are those of the operation, so that its constraints can be judged."""
    op_def, properties = bindings.op_def, bindings.signature.properties
    return all(spec.name in properties or not spec.required for spec in op_def.attributes) and not any(
        spec.problem(properties[spec.name]) for spec in op_def.attributes if spec.name in properties
    )


def working_conversion(bindings: OpBindings) -> Conversion | None:
    """Returns the conversion of one operand that makes an operation valid."""
    signature = bindings.signature
    operands, results = signature.operand_types, signature.result_types
    for converting in conversions(operands, (*operands, *results, *_convertible_types(bindings))):
        changed = (*operands[: converting.operand], converting.wanted, *operands[converting.operand + 1 :])
        if is_valid(bindings.changed(_replaced(signature, operand_types=changed))):
            return converting
    return None


def _convertible_types(bindings: OpBindings) -> Iterator[Type]:
    """Yields the types of operands that are of a kind which the operation does not take, with elements that
    it takes."""
    signature = bindings.signature
    element_types = _known_elements((*signature.operand_types, *signature.result_types))
    for spec in bindings.op_def.operands:
        origin = bindings.origins[spec.name]
        for type_ in signature.operand_types[origin.first : origin.first + origin.count]:
            if isinstance(type_, RankedTensorType) and not spec.constraint.matches(type_):
                yield from _alike(spec.constraint, type_, element_types)


def _alike(
    constraint: TypeConstraint, type_: RankedTensorType, elements: Sequence[Type | None]
) -> Iterator[Type]:
    candidates = (
        replace(type_, element_type=element) for element in dict.fromkeys(elements) if element is not None
    )
    return (candidate for candidate in candidates if constraint.matches(candidate))


def _element(type_: Type) -> Type | None:
    return type_.element_type if isinstance(type_, RankedTensorType) else None


def fitting(constraint: TypeConstraint, type_: Type, others: Sequence[Type]) -> Type | None:
    """Returns a type that fulfils a constraint with the shape of another type, and with the elements of one
    of the `others` where these fulfil it, too."""
    if not isinstance(type_, RankedTensorType):
        return None
    return next(_alike(constraint, type_, _known_elements(others)), None)


def of_kind(constraint: TypeConstraint, type_: Type) -> Type | None:
    """Returns a tensor that fulfils a constraint, as near to a type as may be; None where there is none."""
    shape: Shape = ()
    if isinstance(type_, RankedTensorType | MemRefType):
        shape = type_.shape or ()
    element_type = type_.element_type if isinstance(type_, RankedTensorType | MemRefType) else type_
    ranks = (len(shape), *range(MAX_KIND_RANK))
    shapes = [(*shape, *(1,) * rank)[:rank] for rank in dict.fromkeys(ranks)]
    tried = (RankedTensorType(shape, element) for shape in shapes for element in (element_type, I1, I32, F32))
    return next((candidate for candidate in tried if constraint.matches(candidate)), None)


def _known_elements(types: Sequence[Type]) -> Sequence[Type | None]:
    """Returns the elements of some types, those that are not quantized first, and then usual ones."""
    elements = sorted(map(_element, types), key=lambda item: isinstance(item, QuantizedType))
    return (*elements, *USUAL)


# --- validity ---


def is_valid(bindings: OpBindings) -> bool:
    """Returns whether an operation keeps to what its definition says of its values and attributes."""
    specs = (*bindings.op_def.operands, *bindings.op_def.results)
    return all(_types_match(spec, bindings) for spec in specs) and all(
        truth_of(constraint, bindings) is not False
        for constraint in bindings.op_def.constraints
        if constraint.enforced and (bindings.around or not constraint.needs_context)
    )


def _types_match(spec: OperandDef, bindings: OpBindings) -> bool:
    origin, signature = bindings.origins[spec.name], bindings.signature
    types = signature.operand_types if origin.role == "operand" else signature.result_types
    return all(spec.constraint.matches(type_) for type_ in types[origin.first : origin.first + origin.count])


def _replaced(signature: Signature, **changes: Any) -> Signature:
    parts: dict[str, Any] = {
        name: getattr(signature, name)
        for name in ("name", "operand_types", "result_types", "properties", "attributes")
    }
    return Signature(**(parts | changes))


# --- attributes ---


class Setting(NamedTuple):
    """Another value for an attribute or a field of one: the member's name, its old and new value, the
    attribute with it, and the result types that go with it, where the declared ones do not."""

    member: str
    old: Any
    value: Any
    attribute: Attribute
    results: tuple[Type, ...] | None = None


def working_setting(bindings: OpBindings, names: Sequence[str]) -> Setting | None:
    """Returns the least change of one of the named attributes that makes an operation valid; one that leaves
    the results as they are declared goes before one that does not."""
    tried = list(islice(_settings(bindings, names), MAX_TRIED))
    for setting in tried:
        if is_valid(_with(bindings, setting)):
            return setting
    for setting in tried:
        changed = _with(bindings, setting)
        results = infer(bindings.op_def, changed)
        if None not in results:
            types = cast("tuple[Type, ...]", tuple(results))
            if is_valid(changed.changed(_replaced(changed.signature, result_types=types))):
                return setting._replace(results=types)
    return None


def _with(bindings: OpBindings, setting: Setting) -> OpBindings:
    name = bindings.origins[setting.member].attribute
    properties = {**bindings.signature.properties, name: setting.attribute}
    return bindings.changed(_replaced(bindings.signature, properties=properties))


def _settings(bindings: OpBindings, names: Sequence[str]) -> Iterator[Setting]:
    """Other values of the named attributes, the nearest ones first."""
    pool = _numbers(bindings.signature)
    settings = [
        (distance, setting)
        for name in dict.fromkeys(names)
        if name in bindings.origins and bindings.origins[name].role == "attribute"
        for distance, setting in _of_member(bindings, name, pool)
    ]
    return (setting for _, setting in sorted(settings, key=lambda pair: pair[0]))


def _numbers(signature: Signature) -> list[int]:
    """Returns the axes and the sizes of an operation's values."""
    tensors = [
        type_
        for type_ in (*signature.operand_types, *signature.result_types)
        if isinstance(type_, RankedTensorType)
    ]
    rank = max((type_.rank for type_ in tensors), default=0)
    sizes = {size for type_ in tensors for size in type_.shape if size is not None}
    return sorted({*range(max(rank, 2)), *sizes})[:SIZED]


def _of_member(bindings: OpBindings, name: str, pool: Sequence[int]) -> Iterator[tuple[int, Setting]]:
    attribute = bindings.signature.properties.get(bindings.origins[name].attribute)
    old = bindings[name]
    for distance, value in _others(old, pool):
        changed = _attribute_with(attribute, name, bindings.origins[name].attribute, value)
        if changed is not None:
            yield distance, Setting(name, old, value, changed)


def _others(old: Any, pool: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """Other values than an old one, each with how far it is from that."""
    if isinstance(old, int) and not isinstance(old, bool):
        yield from ((abs(value - old), value) for value in pool if value != old)
    elif isinstance(old, tuple) and len(cast("tuple[Any, ...]", old)) <= SIZED:
        values = cast("tuple[Any, ...]", old)
        if all(isinstance(value, int) for value in values):
            for position, item in enumerate(values):
                for distance, value in _others(item, pool):
                    yield distance, (*values[:position], value, *values[position + 1 :])


def _attribute_with(attribute: Attribute | None, name: str, holder: str, value: Any) -> Attribute | None:
    """Returns an attribute with another value, None where it is of a kind that is not changed."""
    if name != holder:
        return (
            None
            if attribute is None
            else cast("Any", replace)(attribute, **{STRUCT_NAMES.get(name, name): value})
        )
    if isinstance(attribute, DenseArrayAttr):
        return replace(attribute, values=value)
    is_index = isinstance(attribute, IntegerAttr) and isinstance(attribute.type, IntegerType | IndexType)
    return replace(attribute, value=value) if isinstance(attribute, IntegerAttr) and is_index else None
