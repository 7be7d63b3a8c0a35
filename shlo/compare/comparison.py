"""From two modules to their difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest

from shlo.compare.differences import FunctionDifference, OperationDifference, ProgramDifference
from shlo.compare.keys import SYMBOL_NAME, Keys, Numbers
from shlo.compare.matching import Matching
from shlo.compare.op_texts import OpTexts, names_of, renamed, shortened, text_with
from shlo.compare.symbols import ComparedSymbol, SymbolPair, paired, symbols_of, top_level
from shlo.ir.attributes import Attribute
from shlo.ir.collector import collector_paused
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Module, Operation, Region, inner_operations
from shlo.ir.recursion import recursive
from shlo.places.origins import origin_of

MAX_ATTRIBUTE = 80
"""How many characters of an attribute's text are in a detail."""


@recursive
def compare(before: Module, after: Module) -> ProgramDifference:
    """Returns how two programs differ. What is only called otherwise, written in another order, or comes from
    another place is no difference, nor is the name of a private function."""
    with collector_paused():
        return _ModuleComparison(before, after).difference()


@recursive
def compare_and_align(
    before: Module, after: Module, shown: Callable[[Module], Module]
) -> tuple[ProgramDifference, str]:
    """Returns how two programs differ, and the `aligned_text` of what is `shown` of the second one: a module
    with the same values, in which constants may be left out, for instance."""
    with collector_paused():
        comparison = _ModuleComparison(before, after)
        return comparison.difference(), text_with(shown(after), comparison.after_names)


@recursive
def aligned_text(before: Module, after: Module) -> str:
    """Returns MLIR's text of the second program with the first one's names of values, so that a comparison
    of the texts by lines shows what really differs."""
    with collector_paused():
        comparison = _ModuleComparison(before, after)
        return text_with(after, comparison.after_names)


@recursive
def paired_operations(before: Module, after: Module) -> list[tuple[Operation, Operation]]:
    """Returns the operations of two programs that belong together: those that compute the same, then those
    between them that are alike in attributes, types, name stack, line and operands.
    """
    with collector_paused():
        return _ModuleComparison(before, after).operations


class _ModuleComparison:
    """Two programs, with their operations in pairs."""

    def __init__(self, before: Module, after: Module) -> None:
        numbers = Numbers()
        self._modules = before, after
        self._symbols = paired(symbols_of(before, numbers), symbols_of(after, numbers))
        self._symbols.append((top_level(before, numbers), top_level(after, numbers)))
        self._before = Keys(numbers, _meanings(self._symbols, 0))
        self._after = Keys(numbers, _meanings(self._symbols, 1))
        self._matching = Matching(numbers, self._before, self._after)
        self._pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.operations: list[tuple[Operation, Operation]] = []
        for symbol, other in self._symbols:
            if symbol and other:
                for region, other_region in zip(symbol.operation.regions, other.operation.regions):
                    self._before.region(region)
                    self._after.region(other_region)
                self._match(symbol.operation, other.operation)
        names, other_names = names_of(before), names_of(after)
        tables = {id(region.values): region.values for region in _regions(after)}
        self.after_names = renamed(
            names,
            other_names,
            lambda table, value: (
                self._matching.counterpart(tables[table], value) if table in tables else None
            ),
        )
        self._texts = OpTexts(before, names), OpTexts(after, self.after_names)

    def difference(self) -> ProgramDifference:
        """Returns what differs."""
        before, after = self._modules
        details = tuple(self._changed_attributes(before.operation, after.operation))
        functions = [function for pair in self._symbols if (function := self._function(pair))]
        count = max(sum(1 for _ in module.walk()) for module in self._modules)
        return ProgramDifference(details, tuple(functions), count)

    # -- matching --------------------------------------------------------------------------------------------

    def _match(self, operation: Operation, other: Operation) -> None:
        """Pairs the operations inside two operations."""
        for region, other_region in zip(operation.regions, other.regions):
            for block, other_block in zip(region.blocks, other_region.blocks):
                pairs = self._matching.blocks(region, block, other_region, other_block)
                self._pairs[id(block), id(other_block)] = pairs
                for index, other_index in pairs:
                    inner, other_inner = block.operations[index], other_block.operations[other_index]
                    self.operations.append((inner, other_inner))
                    if inner.regions:
                        self._match(inner, other_inner)

    # -- differences -----------------------------------------------------------------------------------------

    def _function(self, pair: SymbolPair) -> FunctionDifference | None:
        symbol, other = pair
        count = max(_size(symbol.operation) for symbol in pair if symbol)
        if symbol is None or other is None:
            return FunctionDifference(symbol and symbol.name, other and other.name, (), (), count)
        details = [
            *_changed_name(symbol, other),
            *self._changed_attributes(symbol.operation, other.operation),
        ]
        if symbol.is_top_level:
            details = []  # those of the module are told with it
        differences = (
            () if symbol.key == other.key else tuple(self._inside(symbol.operation, other.operation))
        )
        if not details and not differences:
            return None
        return FunctionDifference(symbol.name, other.name, tuple(details), differences, count)

    def _inside(self, operation: Operation, other: Operation) -> Iterator[OperationDifference]:
        """Yields the differences in the regions of two operations."""
        for region, other_region in zip_longest(operation.regions, other.regions):
            for block, other_block in zip_longest(
                region.blocks if region else (), other_region.blocks if other_region else ()
            ):
                yield from self._in_block(operation, region, block, other, other_region, other_block)

    def _in_block(
        self,
        operation: Operation,
        region: Region | None,
        block: Block | None,
        other: Operation,
        other_region: Region | None,
        other_block: Block | None,
    ) -> Iterator[OperationDifference]:
        """Yields the differences of two blocks in order: what is removed before what is added there."""
        pairs = dict(self._pairs[id(block), id(other_block)]) if block and other_block else {}
        partners = {after: before for before, after in pairs.items()}
        added = 0
        count = len(other_block.operations) if other_block else 0
        for index, block_op in enumerate(block.operations if block else ()):
            assert region is not None
            if index not in pairs:
                yield self._one(0, block_op, region, operation)
                continue
            assert other_region is not None
            assert other_block is not None
            for position in range(added, pairs[index]):
                if position not in partners:
                    yield self._one(1, other_block.operations[position], other_region, other)
            added = max(added, pairs[index] + 1)
            changed = self._changed(
                block_op, region, operation, other_block.operations[pairs[index]], other_region, other
            )
            if changed is not None:
                yield changed
        for position in range(added, count):
            if position not in partners and other_block and other_region:
                yield self._one(1, other_block.operations[position], other_region, other)

    def _one(self, side: int, operation: Operation, region: Region, parent: Operation) -> OperationDifference:
        """Returns an operation that is on one side only."""
        text = self._texts[side].operation(operation, region, parent)
        scope, source_line = origin_of(operation.location).scope, place_of(operation.location) or ""
        if side:
            return OperationDifference("added", None, text, scope, source_line)
        return OperationDifference("removed", text, None, scope, source_line)

    def _changed(
        self,
        operation: Operation,
        region: Region,
        parent: Operation,
        other: Operation,
        other_region: Region,
        other_parent: Operation,
    ) -> OperationDifference | None:
        details = [
            *self._changed_attributes(operation, other),
            *_changed_types(operation, other),
            *self._changed_operands(operation, region, other, other_region),
        ]
        inner = tuple(self._inside(operation, other)) if operation.regions or other.regions else ()
        if not details and not inner:
            return None
        before = self._texts[0].operation(operation, region, parent)
        after = self._texts[1].operation(other, other_region, other_parent)
        scope, source_line = origin_of(operation.location).scope, place_of(operation.location) or ""
        return OperationDifference("changed", before, after, scope, source_line, tuple(details), inner)

    def _changed_attributes(self, operation: Operation, other: Operation) -> Iterator[str]:
        """Yields the attributes that differ, but for names of symbols."""
        mine, yours = _attributes(operation), _attributes(other)
        for name in sorted((mine.keys() | yours.keys()) - {SYMBOL_NAME}):
            before, after = mine.get(name), yours.get(name)
            if before is None or after is None or self._before.meaning(before) != self._after.meaning(after):
                yield f"{name}: {_shown(before)} -> {_shown(after)}"

    def _changed_operands(
        self, operation: Operation, region: Region, other: Operation, other_region: Region
    ) -> Iterator[str]:
        texts, other_texts = self._texts
        if len(operation.operands) != len(other.operands):
            yield f"operands: {len(operation.operands)} -> {len(other.operands)}"
            return
        values = [(operation.operands, other.operands)]
        values += [(mine, yours) for (_, mine), (_, yours) in zip(operation.successors, other.successors)]
        for mine, yours in values:
            for index, (value, other_value) in enumerate(zip(mine, yours)):
                if not self._matching.are_same(region.values, value, other_region.values, other_value):
                    name, other_name = (
                        texts.value(region, value),
                        other_texts.value(other_region, other_value),
                    )
                    yield f"operand {index}: {name} -> {other_name}"


def _meanings(pairs: list[SymbolPair], side: int) -> dict[str, int]:
    """Returns what the names of one program's symbols mean: the number of their pair, below zero."""
    return {pair[side].name: -1 - number for number, pair in enumerate(pairs) if pair[side]}  # pyright: ignore[reportOptionalMemberAccess]


def _regions(module: Module) -> Iterator[Region]:
    yield from module.operation.regions
    for operation, _ in module.walk():
        yield from operation.regions


def _size(operation: Operation) -> int:
    return sum(1 for _ in inner_operations(operation))


def _changed_name(symbol: ComparedSymbol, other: ComparedSymbol) -> Iterator[str]:
    if symbol.name != other.name and symbol.operation.is_public:
        yield f"name: @{symbol.name} -> @{other.name}"


def _attributes(operation: Operation) -> Mapping[str, Attribute]:
    return {**operation.signature.attributes, **operation.signature.properties}


def _shown(attribute: Attribute | None) -> str:
    return "none" if attribute is None else shortened(str(attribute), MAX_ATTRIBUTE)


def _changed_types(operation: Operation, other: Operation) -> Iterator[str]:
    if len(operation.results) != len(other.results):
        yield f"results: {len(operation.results)} -> {len(other.results)}"
    for what, mine, yours in (
        ("type of operand", operation.operand_types, other.operand_types),
        ("type of result", operation.result_types, other.result_types),
    ):
        for index, (before, after) in enumerate(zip(mine, yours)):
            if before != after:
                yield f"{what} {index}: {before} -> {after}"
