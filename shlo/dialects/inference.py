"""Type inference: the formulas that define results, read as definitions.

`type(result) = type(operand)`, `shape(result) = ...` and `element_type(result) = ...` say what a result is;
so does a kind of results that leaves no choice (`0-dimensional tensor of type si32`). Of what the operation
declares of its results, only the elements are looked at. Specification: "Dynamism" for unknown sizes.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.constraints import formula_of
from shlo.dialects.formula import UNKNOWN, FormulaFn, Scope, Undefined, as_truth, compiled
from shlo.dialects.formula.functions import element, tensor
from shlo.dialects.formula.nodes import Compare, Conditional, Each, Logical, Name, Where
from shlo.dialects.formula.values import Interval, Placeholder, sizes
from shlo.dialects.op_bindings import OpBindings, grouped
from shlo.dialects.opdef import OpDef
from shlo.dialects.type_constraints import TypeConstraint
from shlo.ir.attributes import Attribute
from shlo.ir.operations import NO_ATTRIBUTES, Signature
from shlo.ir.types import FunctionType, RankedTensorType, TupleType, Type, UnknownType, UnrankedTensorType
from shlo.text.expressions import Call, Constant, Node, Subscript, Unary

_FACETS: Final = ("type", "shape", "element_type", "baseline_type", "baseline_element_type")
"""The functions of a result that a definition may give."""

_EXACT: Final = {"baseline_type": "type", "baseline_element_type": "element_type"}
"""Functions that leave quantization parameters out, and those that leave nothing out."""


class Inferred(Struct, frozen=True):
    """What is known of a result: sizes (numbers and intervals), the type of its elements, or all of a type
    that is no tensor; UNKNOWN for the rest. Where elements are quantized, their scales may be others."""

    shape: Any = UNKNOWN
    element: Any = UNKNOWN
    whole: Any = UNKNOWN

    @property
    def type(self) -> Type | None:
        """The type; sizes that are not known are `?`. None where the rank or the elements are not known."""
        if self.whole is not UNKNOWN:
            return self.whole
        return None if UNKNOWN in (self.shape, self.element) else tensor(self.shape, self.element)

    def meeting(self, other: Inferred) -> Inferred:
        """Returns what both tell together; where they differ, the first of them holds."""
        return Inferred(
            met_sizes(self.shape, other.shape),
            other.element if self.element is UNKNOWN else self.element,
            other.whole if self.whole is UNKNOWN else self.whole,
        )

    def refining(self, declared: Type) -> Type:
        """Returns a declared type with the sizes that are known here in place of its unknown ones."""
        if isinstance(declared, UnknownType):
            return self.type or declared
        if isinstance(declared, RankedTensorType) and not declared.is_static:
            return tensor_like(declared, met_sizes(sizes(declared), self.shape))
        if isinstance(declared, UnrankedTensorType) and self.shape is not UNKNOWN:
            return tensor(self.shape, declared.element_type)
        if isinstance(declared, TupleType) and isinstance(self.whole, TupleType):
            return met_types(declared, self.whole)
        return declared


class Definition(NamedTuple):
    """A facet of a result, and what it is where all conditions hold. `number` is None where a list of results
    is defined at once; `enforced` says whether the MLIR tools know it."""

    facet: str
    result: str
    number: int | None
    value: FormulaFn
    conditions: tuple[FormulaFn, ...]
    enforced: bool


def infer(op_def: OpDef, bindings: OpBindings) -> list[Type | None]:
    """Returns the types of the results as far as the constraints define them from the rest of the operation.
    A size that is not known is `?`; None for a result of which nothing is known."""
    return [inferred.type for inferred in inferred_results(op_def, bindings)]


def infer_operation(
    name: str,
    operand_types: Sequence[Type],
    properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
    regions: Sequence[FunctionType | None] = (),
    results: int | None = None,
) -> list[Type | None]:
    """Returns the types that an operation's results should have, for completion and fixes.

    `name` is full (`stablehlo.add`), `regions` are the regions as functions, `results` is how many there are
    (None: as many as the definition has, lists of them as long as the lists of operands). A tensor whose
    elements no constraint defines, enforced or not, has those of the operands where they are all the same.
    None for a result of which nothing is known.
    """
    op_def = find_op_def(name)
    if op_def is None:
        return [None] * (results or 0)
    count = _count(op_def, operand_types) if results is None else results
    signature = Signature(name, tuple(operand_types), (UnknownType(),) * count, properties)
    alike = {element(type_) for type_ in operand_types if isinstance(type_, RankedTensorType)}
    usual = Inferred(element=alike.pop()) if len(alike) == 1 else Inferred()
    found = inferred_results(op_def, OpBindings(op_def, signature, regions), may_guess=True)
    return [inferred.meeting(usual).type for inferred in found]


def inferred_results(op_def: OpDef, bindings: OpBindings, may_guess: bool = False) -> list[Inferred]:
    """Returns what is known of each result; `may_guess` uses constraints that are not enforced, too."""
    collected = [Inferred() for _ in bindings.signature.result_types]
    hidden = _Hidden(_hidden_results(bindings), _missing(bindings))
    for definition in definitions_of(op_def):
        is_guess = not definition.enforced and definition.facet != "shape"
        value = UNKNOWN if is_guess and not may_guess else _value(definition, hidden, bindings)
        if value is not UNKNOWN:
            _note(definition, value, bindings, collected)
    for spec in op_def.results:
        origin = bindings.origins[spec.name]
        for number in range(origin.first, origin.first + origin.count):
            collected[number] = collected[number].meeting(_only_one(spec.constraint))
    return collected


@cache
def definitions_of(op_def: OpDef) -> tuple[Definition, ...]:
    """Returns what a definition's constraints define, those first that the MLIR tools enforce."""
    results = {spec.name for spec in op_def.results}
    formulas = [constraint for constraint in op_def.constraints if constraint.check is None]
    return tuple(
        definition._replace(enforced=constraint.enforced)
        for constraint in sorted(formulas, key=lambda item: not item.enforced)
        for definition in _definitions(formula_of(constraint), results, (), ())
    )


def _definitions(
    node: Node, results: set[str], around: tuple[tuple[str, Node], ...], conditions: tuple[Node, ...]
) -> Iterator[Definition]:
    """Yields the definitions in a formula, below definitions of names and conditions."""
    match node:
        case Logical("and", left, right):
            yield from _definitions(left, results, around, conditions)
            yield from _definitions(right, results, around, conditions)
        case Logical("then", condition, body):
            yield from _definitions(body, results, around, (*conditions, condition))
        case Conditional(condition, yes, no):
            yield from _definitions(yes, results, around, (*conditions, condition))
            yield from _definitions(no, results, around, (*conditions, Unary("not", condition)))
        case Where(body, names, _):
            yield from _definitions(body, results, (*around, *names), conditions)
        case Compare((left, Conditional(condition, yes, no)), ("=",)):
            choice = Conditional(condition, Compare((left, yes), ("=",)), Compare((left, no), ("=",)))
            yield from _definitions(choice, results, around, conditions)
        case Compare(sides, operators) if set(operators) == {"="}:
            for number, side in enumerate(sides):
                if target := _target(side, results):
                    others = (*sides[:number], *sides[number + 1 :])
                    tests = tuple(compiled(_below(around, condition)) for condition in conditions)
                    values = (compiled(_below(around, _exact(other))) for other in others)
                    yield from (Definition(*target, value, tests, True) for value in values)
        case _:
            pass


def _below(around: tuple[tuple[str, Node], ...], node: Node) -> Node:
    return Where(node, around, None) if around else node


def _exact(node: Node) -> Node:
    """What gives a facet, with the quantization parameters that it has."""
    if isinstance(node, Call) and node.function in _EXACT:
        return Call(_EXACT[node.function], node.arguments)
    return node


def _target(node: Node, results: set[str]) -> tuple[str, str, int | None] | None:
    """`shape(result)`, `type(results...)`, `shape(results[0])`: the facet, the name and the number."""
    match node:
        case Call(facet, (Name(name),)) if facet in _FACETS and name in results:
            return _EXACT.get(facet, facet), name, 0
        case Call(facet, (Each(Name(name)),)) if facet in _FACETS and name in results:
            return _EXACT.get(facet, facet), name, None
        case Call(facet, (Subscript(Name(name), (Constant(int(number)),)),)) if (
            facet in _FACETS and name in results
        ):
            return _EXACT.get(facet, facet), name, number
        case _:
            return None


def _value(definition: Definition, hidden: _Hidden, bindings: OpBindings) -> Any:
    """Returns what a definition gives, UNKNOWN where it gives nothing here."""
    scope: Scope = ChainMap({}, hidden, bindings)
    try:
        if all(as_truth(condition(scope)) is True for condition in definition.conditions):
            return definition.value(scope)
    except Undefined:
        pass
    return UNKNOWN


class _Hidden(dict[str, Any]):
    """Values that hide those of an operation, and names without a value: an operation that is being written
    lacks some."""

    def __init__(self, values: Mapping[str, Any], missing: Container[str]) -> None:
        super().__init__(values)
        self._missing = missing

    def __missing__(self, name: str) -> Any:
        if name in self._missing:
            raise Undefined(f"the operation has no {name}")
        raise KeyError(name)


def _missing(bindings: OpBindings) -> set[str]:
    """Returns the names of what an operation must have, and has not."""
    op_def, properties = bindings.op_def, bindings.signature.properties
    lacks = {spec.name for spec in op_def.attributes if spec.required and spec.name not in properties}
    single = {spec.name for spec in (*op_def.operands, *op_def.regions) if spec.arity == "one"}
    return {
        name
        for name, origin in bindings.origins.items()
        if origin.attribute in lacks or (name in single and origin.count == 0)
    }


def _hidden_results(bindings: OpBindings) -> dict[str, Any]:
    """Returns the results as values of which nothing is known but the elements that they declare."""
    hidden = [Placeholder(_without_shape(type_)) for type_ in bindings.signature.result_types]
    origins = ((spec, bindings.origins[spec.name]) for spec in bindings.op_def.results)
    return {
        spec.name: grouped(spec, tuple(hidden[origin.first : origin.first + origin.count]))
        for spec, origin in origins
    }


def _without_shape(type_: Type) -> Type:
    is_tensor = isinstance(type_, RankedTensorType | UnrankedTensorType)
    return UnrankedTensorType(type_.element_type) if is_tensor else UnknownType()


def _note(definition: Definition, value: Any, bindings: OpBindings, collected: list[Inferred]) -> None:
    """Adds what a definition gives to what is known of each result that it speaks of."""
    origin = bindings.origins[definition.result]
    numbers: Sequence[int] = range(origin.count) if definition.number is None else [definition.number]
    is_list = definition.number is None and _is_list(value, definition.facet)
    values = cast("tuple[Any, ...]", value) if is_list else (value,) * len(numbers)
    for number, item in zip(numbers, values):
        if -origin.count <= number < origin.count:
            index = origin.first + number % origin.count
            collected[index] = collected[index].meeting(_facet(definition.facet, item))


def _is_list(value: Any, facet: str) -> bool:
    """Returns whether a value is one for each of several results (a single shape is a list, too)."""
    if not isinstance(value, tuple):
        return False
    items = cast("tuple[Any, ...]", value)
    return facet != "shape" or all(isinstance(item, tuple) or item is UNKNOWN for item in items)


def _facet(facet: str, value: Any) -> Inferred:
    """Returns what one facet tells."""
    if facet == "shape":
        return Inferred(shape=UNKNOWN if value is None else value)
    if facet == "element_type":
        return Inferred(element=value)
    if not isinstance(value, RankedTensorType | UnrankedTensorType):
        return Inferred(whole=value)
    return Inferred(sizes(value), element(value))


@cache
def _only_one(constraint: TypeConstraint) -> Inferred:
    """Returns what a result's type constraint tells by itself."""
    if constraint.only:
        return Inferred(whole=constraint.only)
    if constraint.elements is None or constraint.elements.only is None:
        return Inferred()
    return Inferred(() if constraint.rank == 0 else UNKNOWN, constraint.elements.only)


def _count(op_def: OpDef, operand_types: Sequence[Type]) -> int:
    """Returns how many results there are, where each list of results is as long as a list of operands."""
    lists = sum(spec.arity == "variadic" for spec in op_def.operands)
    fixed = sum(spec.arity == "one" for spec in op_def.operands)
    length = (len(operand_types) - fixed) // lists if lists else 0
    lengths = {"one": 1, "optional": 0, "variadic": length}
    return sum(lengths[spec.arity] for spec in op_def.results)


# --- sizes ---


def met_types(one: Type, other: Type) -> Type:
    """Returns a type with the sizes that another one knows in place of its unknown ones."""
    if isinstance(one, TupleType) and isinstance(other, TupleType) and len(one.types) == len(other.types):
        return TupleType(tuple(map(met_types, one.types, other.types)))
    return _facet("type", other).refining(one)


def met_sizes(one: Any, other: Any) -> Any:
    """Returns what two lists of sizes tell together; where they differ, the first one holds."""
    if one is UNKNOWN or other is UNKNOWN:
        return other if one is UNKNOWN else one
    if not isinstance(other, tuple) or len(one) != len(cast("tuple[Any, ...]", other)):
        return one
    return tuple(map(_met_size, one, cast("tuple[Any, ...]", other)))


def _met_size(one: Any, other: Any) -> Any:
    if not isinstance(one, Interval):
        return one if isinstance(one, int) else other
    if not isinstance(other, Interval):
        return other if isinstance(other, int) else one
    highs = [end for end in (one.high, other.high) if end is not None]
    return Interval(max(one.low, other.low), min(highs, default=None))


def tensor_like(type_: RankedTensorType, shape: Any) -> Type:
    """Returns the type with other sizes; an encoding that is no bounds stays."""
    resized = tensor(shape, type_.element_type)
    keeps = type_.encoding is not None and not hasattr(type_.encoding, "bounds")
    return replace(resized, encoding=type_.encoding) if keeps else resized
