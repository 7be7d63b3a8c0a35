"""The driver of all rewrites: visits the operations of each block in order and replaces them by rules.

A rule gets an operation, whose operands are already the new ones, and appends what replaces it. It returns
the values that replace the operation's results, or None to keep the operation. Operations that a rule appends
are visited at once, so a rule may use operations that other rules replace. What no rule changes is shared
with the old module.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

from shlo.ir.attributes import TypeAttr
from shlo.ir.diagnostics import PassError
from shlo.ir.locations import CallSiteLocation, Location, place_of
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import Source, Span, place_in
from shlo.ir.types import FunctionType, Type
from shlo.transforms.rewriting.builder import Builder, ValueRef
from shlo.transforms.rewriting.rebuild import (
    are_same,
    block_of,
    remade,
    with_body,
    with_function_type,
    with_types,
)

MAX_DEPTH = 32
"""How deep rules may replace what rules have appended."""

Rule = Callable[["Rewriter", Operation], Sequence[ValueRef] | None]
Rules = Mapping[str, Rule]
"""What replaces an operation, by its name."""

Retype = Callable[[Type], Type]
"""The type that a value gets in place of its type."""


def rewrite(
    module: Module, rules: Rules, retype: Retype | None = None, default: Rule | None = None
) -> Module:
    """Returns the module with operations replaced by rules; the module itself where none applies.

    Args:
        module: the module to rewrite.
        rules: by the name of the operation that they replace.
        retype: if given, what becomes of the types of all values, of blocks and functions. Rules see the old
            types in an operation's signature, and the new ones in `Rewriter.types`.
        default: if given, the rule for the operations of the module that no other rule is for.
    """
    body = Rewriter(module.body, rules, module.source, retype, default).rewritten(module.start)
    return with_body(module, body)


class Rewriter(Builder):
    """Rewrites a region that has a table of values of its own, with the regions inside that share the table.

    `definitions` maps values to the operations that define them, of those that have been visited. Operations
    in `prologue` are put before all others.
    """

    def __init__(
        self,
        region: Region,
        rules: Rules,
        source: Source | None = None,
        retype: Retype | None = None,
        default: Rule | None = None,
    ) -> None:
        old = region.values
        types = [retype(type_) for type_ in old.types] if retype else list(old.types)
        super().__init__(ValueTable(types, list(old.names)))
        self.definitions: dict[int, Operation] = {}
        self._region = region
        self._rules = rules
        self._source = source
        self._retype = retype
        self._default = default
        self._current: dict[int, int] = {}
        self._operations: list[tuple[int, Operation]] = []
        self._index = 0
        self._span = Span(0, 0)
        self._depth = 0
        self._has_changed = types != old.types
        self.prologue: list[Operation] = []

    def rewritten(self, base: int = 0) -> Region:
        """Returns the region, rewritten; `base` is where the operation that contains it starts."""
        new = self._rewritten(self._region, base)
        if not (self._has_changed or self.prologue):
            return self._region
        return _with_prologue(new, self.prologue) if self.prologue else new

    # --- what rules use ------------------------------------------------------------------------------------

    def append(self, operation: Operation) -> Sequence[int]:
        """Adds an operation, or what rules replace it by."""
        rule = self._rules.get(operation.name)
        if rule is not None and self._depth < MAX_DEPTH:
            self._depth += 1
            built = rule(self, operation)
            self._depth -= 1
            if built is not None:
                return [value.number for value in built]
        self._add(operation)
        return operation.results

    @contextmanager
    def capture(self) -> Generator[list[Operation]]:
        """Collects the operations that are appended within the `with`."""
        outer, self._operations = self._operations, []
        built: list[Operation] = []
        yield built
        built.extend(op for _, op in self._operations)
        self._operations = outer

    def inlined(
        self, region: Region, arguments: Sequence[ValueRef], caller: Location | None = None
    ) -> tuple[ValueRef, ...]:
        """Appends a copy of the operations of a region of one block but the last one, for arguments.

        Returns the operands of the last one. Where a call is replaced, `caller` is its location.
        """
        (block,) = region.blocks
        numbers = self._current if region.values is self._region.values else {}
        copying = Copying(self.table, region.values, dict(numbers), caller)
        copying.numbers.update(zip(block.arguments, (value.number for value in arguments)))
        for operation in block.operations[:-1]:
            copy = copying.operation(operation)
            self._visit(copy)
        ends = [copying.numbers.get(operand, operand) for operand in block.operations[-1].operands]
        return self.refs([self._now(end) for end in ends])

    def copied_region(self, region: Region) -> Region:
        """Returns a region of the operation that is being replaced, rewritten for its new place."""
        return self._rewritten(region, self._span.start)

    def amend(self, value: ValueRef, change: Callable[[Operation], Operation]) -> None:
        """Changes the operation of the current block that defines a value, if there is one."""
        old = self.definitions.get(value.number)
        for position in range(len(self._operations) - 1, -1, -1):
            index, operation = self._operations[position]
            if operation is old:
                new = change(operation)
                self._operations[position] = index, new
                self.definitions.update(dict.fromkeys(new.results, new))
                return

    @property
    def original(self) -> Region:
        """The region as it was; nested regions with its table use its values."""
        return self._region

    def current(self, number: int) -> ValueRef:
        """Returns what a value of an operation that has not been visited yet has become."""
        return self.ref(self._now(number))

    def substitute(self, number: int, value: ValueRef) -> None:
        """Puts a value in place of another one in all operations that are visited later."""
        self._current[number] = value.number

    def has_one_use(self, value: ValueRef) -> bool:
        """Returns whether the region, as it was, uses a value exactly once."""
        return self._uses[value.number] == 1

    def has_uses(self, number: int) -> bool:
        """Returns whether the region, as it was, uses a value."""
        return self._uses[number] > 0

    @cached_property
    def _uses(self) -> Counter[int]:
        return _use_counts(self._region, self._region.values)

    def defining(self, value: ValueRef) -> Operation | None:
        """Returns the operation that defines a value, None for an argument of a block."""
        return self.definitions.get(value.number)

    def error(self, message: str, operation: Operation) -> PassError:
        """Returns what is wrong at the operation that is being rewritten."""
        return PassError(message, place_in(self._source, self._span) or place_of(operation.location))

    # --- the walk ------------------------------------------------------------------------------------------

    def _rewritten(self, region: Region, base: int) -> Region:
        if region.values is not self._region.values and region.values is not self.table:
            inner = Rewriter(region, self._rules, self._source, self._retype, self._default).rewritten(base)
            self._has_changed = self._has_changed or inner is not region
            return inner
        return Region(tuple(self._block(block, base) for block in region.blocks), self.table)

    def _block(self, block: Block, base: int) -> Block:
        outer = self._operations, self._index, self._span
        self._operations = []
        for index, operation in enumerate(block.operations):
            self._index, self._span = index, block.span(index, base)
            self._visit(operation)
        built = block_of(block, self._operations)
        self._operations, self._index, self._span = outer
        return built

    def _visit(self, operation: Operation) -> None:
        operands = tuple(map(self._now, operation.operands))
        if operands != operation.operands:
            operation = remade(operation, operation.signature, operands)
        self.location = operation.location
        rule = self._rules.get(operation.name, self._default)
        built = rule(self, operation) if rule else None
        if built is None:
            self._add(self._kept(operation))
            return
        self._has_changed = True
        for old, new in zip(operation.results, built, strict=True):
            self._current[old] = new.number
            if self.table.names[old] and not self.table.names[new.number]:
                self.table.names[new.number] = self.table.names[old]

    def _kept(self, operation: Operation) -> Operation:
        """Returns the operation with its regions rewritten and the types that its values have now."""
        signature = operation.signature
        operands = tuple([self.types[operand] for operand in operation.operands])
        results = tuple([self.types[result] for result in operation.results])
        if operands != signature.operand_types or results != signature.result_types:
            signature = with_types(signature, operands, results)
        if self._retype and "function_type" in signature.properties:
            signature = _with_retyped_function(signature, self._retype)
        regions = tuple(self._rewritten(region, self._span.start) for region in operation.regions)
        successors = tuple((block, tuple(map(self._now, passed))) for block, passed in operation.successors)
        is_same = signature is operation.signature and successors == operation.successors
        if is_same and are_same(regions, operation.regions):
            return operation
        return Operation(
            signature, operation.operands, operation.results, regions, successors, operation.location
        )

    def _add(self, operation: Operation) -> None:
        self._operations.append((self._index, operation))
        for result in operation.results:
            self.definitions[result] = operation

    def _now(self, value: int) -> int:
        return self._current.get(value, value)


def _use_counts(region: Region, table: ValueTable) -> Counter[int]:
    """Returns how often each value of a table is used in a region."""
    counts: Counter[int] = Counter()
    for block in region.blocks:
        for operation in block.operations:
            if region.values is table:
                counts.update(operation.operands)
                counts.update(value for _, passed in operation.successors for value in passed)
            for inner in operation.regions:
                counts.update(_use_counts(inner, table))
    return counts


def _with_prologue(region: Region, prologue: Sequence[Operation]) -> Region:
    first, *others = region.blocks
    count = len(prologue)
    starts, ends = (
        array("q", [*places[:1] * count, *places]) if places else places
        for places in (first.starts, first.ends)
    )
    block = Block(
        [*prologue, *first.operations],
        first.arguments,
        first.label,
        starts,
        ends,
        first.argument_locations,
    )
    return Region((block, *others), region.values)


def _with_retyped_function(signature: Signature, retype: Retype) -> Signature:
    """Returns a function's signature with the new types of its arguments and results."""
    old = signature.properties["function_type"]
    assert isinstance(old, TypeAttr)
    if not isinstance(old.value, FunctionType):
        return signature
    new = FunctionType(tuple(map(retype, old.value.inputs)), tuple(map(retype, old.value.results)))
    if new == old.value:
        return signature
    return with_function_type(signature, new)


class Copying:
    """Copies operations into a function: results and arguments of blocks become new values."""

    def __init__(
        self, table: ValueTable, old: ValueTable, numbers: dict[int, int], caller: Location | None = None
    ) -> None:
        self._table = table
        self._old = old
        self._caller = caller
        self.numbers = numbers

    def operation(self, operation: Operation) -> Operation:
        """Returns a copy of an operation, whose operands are looked up in `numbers`."""
        operands = tuple(self.numbers.get(operand, operand) for operand in operation.operands)
        regions = tuple(map(self._region, operation.regions))
        results, location = self._defined(operation.results), operation.location
        if location is not None and self._caller is not None:
            location = CallSiteLocation(location, self._caller)
        successors = tuple(
            (block, tuple(self.numbers.get(value, value) for value in passed))
            for block, passed in operation.successors
        )
        return Operation(operation.signature, operands, results, regions, successors, location)

    def _region(self, region: Region) -> Region:
        if region.values is not self._old:
            return region
        return Region(tuple(map(self._block, region.blocks)), self._table)

    def _block(self, block: Block) -> Block:
        arguments = self._defined(block.arguments)
        return Block(self.operations(block.operations), arguments, block.label)

    def operations(self, operations: Sequence[Operation]) -> list[Operation]:
        """Returns copies of operations that follow each other."""
        return [self.operation(operation) for operation in operations]

    def _defined(self, old: Sequence[int]) -> tuple[int, ...]:
        new = tuple(self._table.define(self._old.types[value], self._old.names[value]) for value in old)
        self.numbers.update(zip(old, new))
        return new
