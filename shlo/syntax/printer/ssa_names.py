"""The names of values in a printed text: `%arg0`, `%0`, `%cst_1`, numbered as MLIR's printer numbers them.

The values of a region are numbered before those of the regions inside it. In the pretty form a nested
region goes on where the numbering of the region around it ended, so that sibling regions use the same
names; in the generic form no two values have one name, and regions are numbered from the last to the first.
"""

from __future__ import annotations

from collections.abc import Callable

from shlo.dialects import find_op_def
from shlo.dialects.operand_groups import operand_groups
from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Block, Operation, Region, Signature, ValueTable
from shlo.ir.types import I1, IndexType, IntegerType, element_type_of

Names = tuple[str, ...]


class NameScope:
    """The names that are visible in a region, `names[v]` for value `v`, with their `%`; a value that
    belongs to a pack is named `%3#1`. The numbers are the next ones to be used."""

    __slots__ = ("argument", "conflict", "inner", "names", "outer", "table", "used", "value")

    def __init__(self, region: Region, outer: NameScope | None, counters: NameScope | None) -> None:
        shared = outer is not None and outer.table is region.values
        self.table: ValueTable = region.values
        self.names: list[str] = outer.names if outer and shared else [""] * len(region.values.types)
        self.outer = outer
        self.used: set[str] = set()
        self.inner: dict[tuple[int, int], NameScope] = {}
        self.value: int = counters.value if counters else 0
        self.argument: int = counters.argument if counters else 0
        self.conflict: int = counters.conflict if counters else 0

    def unique(self, name: str) -> str:
        """Returns the name, or else the name with a number behind it that no visible value has."""
        if self._is_used(name):
            candidate = name
            while self._is_used(candidate):
                candidate = f"{name}_{self.conflict}"
                self.conflict += 1
            name = candidate
        self.used.add(name)
        return f"%{name}"

    def _is_used(self, name: str) -> bool:
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.used:
                return True
            scope = scope.outer
        return False


class ValueNamer:
    """Names values region by region. `generic` says that the text will be in the generic form."""

    def __init__(self, generic: bool) -> None:
        self.generic = generic
        self._result_names: dict[Signature, Names | None] = {}

    def root(self, operation: Operation) -> NameScope:
        """Returns the scope around a single operation; in the generic form, names inside are given now."""
        outer = NameScope(Region((), ValueTable()), None, None)
        if self.generic:
            counters = outer
            pending = [(outer, operation, index) for index in range(len(operation.regions))]
            while pending:
                scope, parent, index = pending.pop()
                inner = self._enter(scope, parent, index, counters)
                scope.inner[id(parent), index] = counters = inner
                pending += _nested(inner, parent.regions[index])
        return outer

    def scope(self, outer: NameScope, operation: Operation, index: int) -> NameScope:
        """Returns the names in a region of an operation that is in the scope `outer`."""
        if self.generic:
            return outer.inner[id(operation), index]
        return self._enter(outer, operation, index, outer)

    def _enter(self, outer: NameScope, operation: Operation, index: int, counters: NameScope) -> NameScope:
        region = operation.regions[index]
        scope = NameScope(region, outer, counters)
        if region.blocks:
            self._name_entry_arguments(scope, operation, index, region.blocks[0].arguments)
            self._name_operations(scope, region.blocks[0])
        for block in region.blocks[1:]:
            for argument in block.arguments:
                scope.names[argument] = f"%{scope.value}"
                scope.value += 1
            self._name_operations(scope, block)
        return scope

    def _name_entry_arguments(
        self, scope: NameScope, operation: Operation, index: int, arguments: tuple[int, ...]
    ) -> None:
        hints = ARGUMENT_NAMES.get(operation.name)
        names = hints(operation, index) if hints and not self.generic else ()
        if len(names) == len(arguments):
            for argument, name in zip(arguments, names):
                scope.names[argument] = scope.unique(name)
            return
        for argument in arguments:
            scope.names[argument] = scope.unique(f"arg{scope.argument}")
            scope.argument += 1

    def _name_operations(self, scope: NameScope, block: Block) -> None:
        names, value, result_names = scope.names, scope.value, self._result_names
        missing: Names = ("",)
        for operation in block.operations:
            results = operation.results
            if not results:
                continue
            signature = operation.signature
            hints = result_names.get(signature, missing)
            if hints is missing:
                hints = result_names[signature] = None if self.generic else names_of_results(operation)
            if hints is not None:
                for result, name in zip(results, hints):
                    names[result] = scope.unique(name)
            elif len(results) == 1:
                names[results[0]] = f"%{value}"
                value += 1
            else:
                for number, result in enumerate(results):
                    names[result] = f"%{value}#{number}"
                value += 1
        scope.value = value


def _nested(scope: NameScope, region: Region) -> list[tuple[NameScope, Operation, int]]:
    """Returns the regions inside a region, in the order of the text."""
    return [
        (scope, operation, index)
        for block in region.blocks
        for operation in block.operations
        if operation.regions
        for index in range(len(operation.regions))
    ]


def names_of_results(operation: Operation) -> Names | None:
    """Returns what MLIR calls each of an operation's results, None where they are numbered."""
    names = RESULT_NAMES.get(operation.name)
    if names is not None and len(operation.results) == 1:
        return names(operation)
    op_def = find_op_def(operation.name)
    if op_def is not None and op_def.result_names and len(op_def.result_names) == len(operation.results):
        return op_def.result_names
    return None


def _constant_names(operation: Operation) -> Names:
    is_integer = isinstance(element_type_of(operation.result_types[0]), IntegerType)
    return ("c",) if is_integer else ("cst",)


def _plain_constant_names(operation: Operation) -> Names:
    """`c5_i32`, `c0` for an index, `true`; `cst` for all that is no single integer."""
    value = operation.attribute("value")
    if not isinstance(value, IntegerAttr):
        return ("cst",)
    if value.type == I1:
        return ("true" if value.value else "false",)
    return (f"c{value.value}" + ("" if isinstance(value.type, IndexType) else f"_{value.type}"),)


RESULT_NAMES: dict[str, Callable[[Operation], Names]] = {
    "stablehlo.constant": _constant_names,
    "arith.constant": _plain_constant_names,
}
"""What MLIR calls the result of some operations: functions of the operation."""


def _scan_names(operation: Operation, index: int) -> Names:
    """Slices of the inputs, then the values that are handed on."""
    op_def = find_op_def(operation.name)
    assert op_def is not None
    groups = operand_groups(op_def, len(operation.operands), operation.signature.properties)
    inputs = len(operation.operands) - len(groups["inits"])
    count = len(operation.regions[index].blocks[0].arguments)
    return ("input",) * inputs + ("carry",) * (count - inputs)


ARGUMENT_NAMES: dict[str, Callable[[Operation, int], Names]] = {
    "stablehlo.while": lambda operation, _: ("iterArg",) * len(operation.operands),
    "chlo.scan": _scan_names,
}
"""MLIR's names of the arguments of some operations' regions: functions of operation and region number."""
