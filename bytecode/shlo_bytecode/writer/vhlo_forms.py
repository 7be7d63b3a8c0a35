"""StableHLO's operations as VHLO's at a version of StableHLO, downgrades included.

Which version of an operation is written follows from `shlo/dialects/vhlo/versions.py`. An attribute that it
lacks must be what its absence means; the tables here hold the other conditions of a downgrade.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from shlo.dialects.attr_constraints import UNIT_ATTR
from shlo.dialects.vhlo.versions import ONE_OPERAND, RENAMED, ROWS, Version, VhloOp, version_of, version_text
from shlo.ir.attributes import DictionaryAttr, IntegerAttr, UnitAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I1, FutureType, Type, element_type_of
from shlo_bytecode.container.errors import ObstacleError
from shlo_bytecode.container.file import NATIVE_PROPERTIES
from shlo_bytecode.container.output import OutputEntry
from shlo_bytecode.tables.vhlo import ATTRIBUTE_VERSIONS, TYPE_VERSIONS, ApiVersion
from shlo_bytecode.vhlo.defaults import TYPED_FFI, Attributes, defaults_of
from shlo_bytecode.vhlo.parts import split_parts, whole_of
from shlo_bytecode.vhlo.upgrade import attribute_constraint
from shlo_bytecode.writer.casts import CastSignature, is_kept
from shlo_bytecode.writer.interning import Interner
from shlo_bytecode.writer.operation_forms import OperationForm, PlainForms, finished, named

BASES = {name: base for base, name in RENAMED.items()}
OFF = IntegerAttr(0, I1)

SAME_ELEMENTS = (
    *("all_reduce_v1", "reduce_v1", "reduce_scatter_v1", "reduce_window_v1", "scatter_v1"),
    "select_and_scatter_v1",
)
"""Reductions whose results had the element types of their operands before a version."""
WIDENING = "0.17.0"

Check = Callable[[Attributes, Operation], bool]


def _has_typed_config(attributes: Attributes, _: Operation) -> bool:
    version = attributes["api_version"]
    is_typed = isinstance(version, ApiVersion) and version.number == TYPED_FFI
    return is_typed or isinstance(attributes["backend_config"], DictionaryAttr)


CUSTOM_CALLS: tuple[tuple[str, str, Check], ...] = (
    ("1.3.0", "its configuration is a dictionary", _has_typed_config),
    (
        "1.17.0",
        "an operand is a future",
        lambda _, operation: any(isinstance(type_, FutureType) for type_ in operation.operand_types),
    ),
)
"""What custom calls have only from a version on."""


def changing_versions() -> list[Version]:
    """Returns the versions that brought operations, attributes, types or forms, the oldest first."""
    calls = (first for first, _, _ in CUSTOM_CALLS)
    items = {*ATTRIBUTE_VERSIONS.values(), *TYPE_VERSIONS.values(), *calls, WIDENING}
    return sorted({row.first for row in ROWS} | set(map(version_of, items)))


class VhloForms(PlainForms):
    """Operations of StableHLO and of functions in VHLO; modules and operations of dialects that are kept stay
    what they are (see casts.py).
    """

    def __init__(
        self, target: Version, version: int, builtin: Interner, vhlo: Interner, library: Version | None
    ) -> None:
        super().__init__(builtin, version, library, target)
        self._target = target
        self._vhlo = vhlo

    def type(self, type_: Type, parent: Operation) -> OutputEntry:
        """Returns the entry of the type of a block's argument in a region of `parent`."""
        return super().type(type_, parent) if is_kept(parent) else self._vhlo.entry(type_)

    def _build(self, operation: Operation) -> OperationForm:
        signature = operation.signature
        if isinstance(signature, CastSignature):
            plain = super()._build(operation)
            results = tuple([self._vhlo.entry(type_) for type_ in signature.result_types])
            return finished(plain.name, None, None, results) if signature.to_vhlo else plain
        if operation.name == "builtin.module" or is_kept(operation):
            return super()._build(operation)
        try:
            op, attributes = vhlo_form(operation, self._target)
        except ValueError as error:
            raise ObstacleError(str(error)) from None
        results = tuple([self._vhlo.entry(type_) for type_ in operation.result_types])
        name = named(self.names, op.name, True)
        places = set(op.attributes)
        discardable = {key: value for key, value in attributes.items() if key not in places}
        discardable |= signature.attributes
        parts = None
        if self._version < NATIVE_PROPERTIES:
            discardable |= attributes
        elif op.attributes:
            parts = tuple([self._vhlo.entry(attributes[key]) for key in op.attributes])
        dictionary = self._vhlo.dictionary(self._interner, discardable) if discardable else None
        return finished(name, dictionary, parts, results)


def vhlo_form(operation: Operation, target: Version) -> tuple[VhloOp, Attributes]:
    """Returns the VHLO operation that represents one of StableHLO at a version, and its inherent attributes,
    with all that it asks for. Raises ObstacleError where there is none, ValueError where the operation is
    wrong.
    """
    name = operation.name
    rows = versions_of(_base(name))
    if not rows:
        raise ObstacleError("VHLO has no such operation")
    attributes = _complete(name, dict(operation.signature.properties), rows)
    op = next((row for row in rows if row.exists_in(target)), None)
    if op is None:
        raise ObstacleError("the version has no such operation", version_text(rows[0].first))
    _downgrade(name, attributes, op, rows)
    _check(operation, attributes, op, rows, target)
    for key in op.attributes:
        if key not in attributes:
            raise ObstacleError(f"it lacks the attribute {key}")
    return op, attributes


@cache
def versions_of(base: str) -> tuple[VhloOp, ...]:
    """Returns the versions of a VHLO operation, the earliest first."""
    return tuple(sorted([row for row in ROWS if row.base == base], key=lambda row: row.number))


def _base(name: str) -> str:
    dialect, _, base = name.partition(".")
    return BASES.get(name) or (base if dialect == "stablehlo" else "")


def _complete(name: str, stated: Attributes, rows: Sequence[VhloOp]) -> Attributes:
    """Returns the attributes as VHLO writes them: in parts, and with what StableHLO leaves out."""
    attributes = dict(stated)
    split_parts(name, attributes)
    defaults = defaults_of(name)
    for key in {key for row in rows for key in row.attributes}:
        is_unit = attribute_constraint(name, key) is UNIT_ATTR
        if key not in attributes and is_unit:
            attributes[key] = OFF
        elif is_unit:
            attributes[key] = IntegerAttr(1, I1) if isinstance(stated[key], UnitAttr) else stated[key]
        elif key not in attributes and key in defaults:
            attributes[key] = defaults[key].value(stated)
    version = attributes.get("api_version")
    if isinstance(version, IntegerAttr):
        attributes["api_version"] = ApiVersion(version.value)
    return attributes


def _downgrade(name: str, attributes: Attributes, op: VhloOp, rows: Sequence[VhloOp]) -> None:
    """Removes, in place, what later versions of an operation have; it must be at its default."""
    defaults = defaults_of(name)
    for key in sorted({key for row in rows for key in row.attributes} - set(op.attributes)):
        value = attributes.pop(key)
        says_nothing = (
            value == OFF if attribute_constraint(name, key) is UNIT_ATTR else defaults[key].matches(value)
        )
        if not says_nothing:
            first = min(row.first for row in rows if key in row.attributes)
            missing = whole_of(name, key, op.attributes)
            raise ObstacleError(f"the version has no {missing}", version_text(first))


def _check(
    operation: Operation, attributes: Attributes, op: VhloOp, rows: Sequence[VhloOp], target: Version
) -> None:
    """What an operation of an earlier version must be besides."""
    short = op.name.removeprefix("vhlo.")
    if short in ONE_OPERAND and len(operation.operands) != 1:
        raise ObstacleError("the version has it for one operand only", version_text(rows[1].first))
    if short == "composite_v1" and operation.regions:
        raise ObstacleError("the version has it without regions only", version_text(rows[1].first))
    if short in SAME_ELEMENTS and target < version_of(WIDENING) and not _keeps_elements(operation):
        raise ObstacleError("its results have other element types than its operands", WIDENING)
    if op.base == "custom_call":
        for first, reason, is_so in CUSTOM_CALLS:
            if target < version_of(first) and is_so(attributes, operation):
                raise ObstacleError(reason, first)


def _keeps_elements(operation: Operation) -> bool:
    pairs = zip(operation.operand_types, operation.result_types)
    return all(element_type_of(operand) == element_type_of(result) for operand, result in pairs)
