"""The members of an operation as formulas see them: operands, attributes, regions and results by name.

Specification: "Names". Operands and results are placeholders, variadic ones lists of them; attributes are
numbers, words, types and tuples; the fields of a struct attribute are members themselves; a region is the
type of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, Literal, Protocol

from msgspec import Struct

from shlo.dialects.attr_constraints import StructOf
from shlo.dialects.formula.functions import Rows
from shlo.dialects.formula.values import UNKNOWN, Placeholder, Word
from shlo.dialects.opdef import AttributeDef, OpDef, OperandDef
from shlo.dialects.operand_groups import SEGMENTS, operand_groups, result_groups
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import Severity
from shlo.ir.operations import Operation, Signature
from shlo.ir.suggestions import Suggestion
from shlo.ir.types import I1, FunctionType, IndexType, IntegerType, RankedTensorType, Type

Role = Literal["operand", "result", "attribute", "region"]
KEPT_ORIGINS: Final = 1024
"""For how many numbers of operands and results of operations it is kept which names they have."""


class Origin(Struct, frozen=True):
    """Where a member is in its operation: the number of the first operand, result or region it names and
    how many, or the attribute's name."""

    role: Role
    first: int = 0
    count: int = 1
    attribute: str = ""


class Broken(Struct, frozen=True):
    """What a constraint says when it does not hold: in words, the members at fault, the first one first, and
    what may mend it."""

    message: str
    bindings: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


class ValueOrigin(Struct, frozen=True):
    """Where a value comes from: result `number` of an operation, or argument `number` of the first block of
    one of its regions."""

    operation: Operation
    number: int
    region: int | None = None


class OpContext(Protocol):
    """An operation and what is around it."""

    @property
    def operation(self) -> Operation:
        """The operation itself."""
        ...

    @property
    def container(self) -> Operation | None:
        """The operation that contains it."""
        ...

    def nearest_symbol(self, symbol: str) -> str | None:
        """Returns the symbol that can be seen from here which is most like one that cannot."""
        ...

    def find(self, symbol: SymbolRefAttr) -> Operation | None:
        """Returns the operation that a symbol names from here."""
        ...

    def ancestors(self) -> Iterator[Operation]:
        """Yields the operations that contain it, inner ones first."""
        ...

    def origin(self, value: int) -> ValueOrigin | None:
        """Returns where a value comes from that can be seen from here, None where that is not known."""
        ...

    def users(self, value: int) -> Sequence[Operation]:
        """Returns the operations that use a value, once for each use."""
        ...


class OpBindings(dict[str, Any]):
    """The members of one operation, made when they are first asked for.

    `regions` are the types of its regions (None where one cannot be told), `constants` gives what an operand
    is where a constant tells, by the operand's number, `around` what is around it.
    """

    def __init__(
        self,
        op_def: OpDef,
        signature: Signature,
        regions: Sequence[FunctionType | None] = (),
        constants: Callable[[int], Attribute | None] | None = None,
        around: OpContext | None = None,
    ) -> None:
        super().__init__()
        self.op_def = op_def
        self.signature = signature
        self.around = around
        self._regions = regions
        self._constants = constants
        self.origins: dict[str, Origin] = {}
        self._locate()

    def changed(self, signature: Signature) -> OpBindings:
        """Returns the members of the same operation with another signature."""
        return OpBindings(self.op_def, signature, self._regions, self._constants, self.around)

    def __contains__(self, name: object) -> bool:
        return name in self.origins or super().__contains__(name)

    def __missing__(self, name: str) -> Any:
        origin = self.origins.get(name)
        if origin is None:
            raise KeyError(name)
        value = self[name] = self._value(name, origin)
        return value

    def _locate(self) -> None:
        """Notes where each name is."""
        signature, op_def, properties = self.signature, self.op_def, self.signature.properties
        counts = len(signature.operand_types), len(signature.result_types)
        segments = tuple((name, properties[name]) for name in SEGMENTS if name in properties)
        self.origins.update(_value_origins(op_def, *counts, segments))
        for spec in op_def.attributes:
            origin = self.origins[spec.name] = _attribute_origin(spec.name)
            for field in parameter_names(spec, properties.get(spec.name)):
                self.origins.setdefault(field, origin)
        self._locate_regions()

    def _locate_regions(self) -> None:
        start = 0
        for spec in self.op_def.regions:
            count = 1 if spec.arity == "one" else len(self._regions) - start
            self.origins[spec.name] = Origin("region", start, count)
            start += count

    def _value(self, name: str, origin: Origin) -> Any:
        if origin.role == "attribute":
            return self._attribute(name, origin.attribute)
        if origin.role == "region":
            return self._region(name, origin)
        specs = self.op_def.operands if origin.role == "operand" else self.op_def.results
        spec = next(spec for spec in specs if spec.name == name)
        values = tuple(self._placeholder(origin.role, origin.first + index) for index in range(origin.count))
        return grouped(spec, values)

    def _placeholder(self, role: Role, number: int) -> Placeholder:
        if role == "result":
            return Placeholder(self.signature.result_types[number])
        constant = self._constants(number) if self._constants else None
        value = UNKNOWN if constant is None else plain(constant)
        if isinstance(value, Attribute):  # no integers: nothing that a formula speaks of
            value = UNKNOWN
        return Placeholder(self.signature.operand_types[number], value)

    def _region(self, name: str, origin: Origin) -> Any:
        types = tuple(
            UNKNOWN if type_ is None else type_
            for type_ in self._regions[origin.first : origin.first + origin.count]
        )
        spec = next(spec for spec in self.op_def.regions if spec.name == name)
        return types if spec.arity == "variadic" else (types[0] if types else None)

    def _attribute(self, name: str, attribute: str) -> Any:
        value = self.signature.properties.get(attribute)
        if name != attribute:
            return None if value is None else getattr(value, STRUCT_NAMES.get(name, name))
        if self.op_def.has("constant") and isinstance(value, DenseElementsAttr):
            return Placeholder(value.type)
        if value is not None:
            return plain(value)
        spec = self.op_def.attribute(name)
        return None if spec is None else spec.default_value


Check = Callable[[OpBindings], Broken | None]
"""A constraint that no formula expresses; None where it holds or cannot be judged."""

STRUCT_NAMES: Final[Mapping[str, str]] = {"channel_id": "handle", "channel_type": "type"}
"""Fields of struct attributes whose names in the specification are others."""


def grouped(spec: OperandDef, values: tuple[Any, ...]) -> Any:
    """Returns a name's values: a list, or the only one (None where an optional one is absent)."""
    if spec.arity == "variadic":
        return values
    return values[0] if values else None


@lru_cache(KEPT_ORIGINS)
def _value_origins(
    op_def: OpDef, operands: int, results: int, segments: tuple[tuple[str, Attribute], ...]
) -> dict[str, Origin]:
    """Returns where the operands and results of each name are, of so many, in lists of these lengths."""
    sizes = dict(segments)
    groups: dict[Role, dict[str, range]] = {
        "operand": operand_groups(op_def, operands, sizes),
        "result": result_groups(op_def, results, sizes),
    }
    return {
        name: Origin(role, numbers.start, len(numbers))
        for role, named in groups.items()
        for name, numbers in named.items()
    }


@cache
def _attribute_origin(name: str) -> Origin:
    return Origin("attribute", attribute=name)


def parameter_names(spec: AttributeDef, attribute: Attribute | None) -> tuple[str, ...]:
    """Returns the names of the parameters of a struct attribute as formulas call them, also of an absent
    one; none for any other attribute."""
    if attribute is not None:
        return () if isinstance(attribute, _PLAIN) else _fields_of(type(attribute))
    return _fields_of(spec.constraint.attr_def.cls) if isinstance(spec.constraint, StructOf) else ()


@cache
def _fields_of(cls: Any) -> tuple[str, ...]:
    renamed = {field: name for name, field in STRUCT_NAMES.items()}
    fields: tuple[str, ...] = getattr(cls, "__struct_fields__", ())
    return tuple(renamed.get(field, field) for field in fields)


def plain(attribute: Attribute) -> Any:
    """Returns an attribute as formulas compute with it; one that they cannot read stays what it is."""
    if isinstance(attribute, IntegerAttr):
        is_truth = attribute.type == I1
        return bool(attribute.value) if is_truth else attribute.value
    if isinstance(attribute, FloatAttr | StringAttr | TypeAttr):
        return attribute.value
    if isinstance(attribute, EnumAttr):
        return Word(attribute.value)
    if isinstance(attribute, UnitAttr):
        return True
    if isinstance(attribute, DenseArrayAttr):
        return tuple(attribute.values)
    if isinstance(attribute, ArrayAttr):
        return tuple(map(plain, attribute.values))
    return _elements(attribute) if isinstance(attribute, DenseElementsAttr) else attribute


def _elements(attribute: DenseElementsAttr) -> Any:
    type_: Type = attribute.type
    if not isinstance(type_, RankedTensorType) or not isinstance(type_.element_type, IntegerType | IndexType):
        return attribute
    array = attribute.array
    return UNKNOWN if array.size > MAX_ELEMENTS else _nested(array.tolist(), array.shape)


def _nested(values: Any, shape: tuple[int, ...]) -> Any:
    if not shape:
        return values
    if len(shape) == 1:
        return tuple(values)
    return Rows((_nested(row, shape[1:]) for row in values), shape)


MAX_ELEMENTS = 1 << 20
"""The elements of a larger constant are not looked at: a splat of any size takes no room in memory, its
elements one by one would. No attribute of an operation that can run is as large."""
_PLAIN = (IntegerAttr, FloatAttr, StringAttr, TypeAttr, EnumAttr, UnitAttr, DenseArrayAttr, ArrayAttr)


class Finding(Struct, frozen=True):
    """A stable code (`dot_general-C10`, `use-before-definition`), what is wrong in words, what is at fault
    (members by name, the first one first, or where it is), and what may fix it. The interpreter refuses
    an operation with one that `stops_runs`."""

    code: str
    message: str
    bindings: tuple[str, ...] = ()
    severity: Severity = "error"
    origin: Origin | None = None
    suggestions: tuple[Suggestion, ...] = ()
    stops_runs: bool = True


class Judged(Struct, frozen=True):
    """What is wrong with operations of a signature, and their members."""

    findings: tuple[Finding, ...]
    bindings: OpBindings | None = None
