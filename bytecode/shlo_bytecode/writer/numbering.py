"""The order of a file's tables: MLIR's own, so that what its tools wrote comes back byte for byte.

Operations are visited region by region, the last of those that are waiting first; what they refer to is
counted, and what is referred to most often comes first, as small numbers take fewer bytes. Then neighbours of
one dialect are put together, among the numbers of one byte, of two, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar

from msgspec import Struct, field

from shlo.ir.locations import FileLocation, Location, resolve
from shlo.ir.operations import Block, Module, Operation, Region
from shlo.syntax.printer.location_aliases import ImplicitLocations
from shlo_bytecode.container.errors import Obstacle, ObstacleError
from shlo_bytecode.container.output import OutputEntry, consecutive
from shlo_bytecode.tables.builtin import UNKNOWN_LOCATION
from shlo_bytecode.writer.interning import Interner
from shlo_bytecode.writer.operation_forms import OperationForm, PlainForms, WrittenName


class OpLocations:
    """Gives operations and arguments their locations; where they are not `kept`, all are unknown.

    The module's text starts at `base` in its source.
    """

    def __init__(self, module: Module, keeps_locations: bool) -> None:
        self.base = module.start
        self._module = module
        self.kept = keeps_locations
        self._implicit = ImplicitLocations(module.source)

    def operation(self, block: Block, index: int, base: int, around: Location | None) -> Location:
        """Returns the location of a block's operation; see ImplicitLocations."""
        if not self.kept:
            return UNKNOWN_LOCATION
        operation = block.operations[index]
        if operation is self._module.operation:
            return self._implicit.module(self._module) or UNKNOWN_LOCATION
        stated = operation.location
        return stated or self._implicit.operation(block, index, base, around) or UNKNOWN_LOCATION

    def argument(
        self, region: Region, block: Block, index: int, base: int, around: Location | None
    ) -> Location:
        """Returns the location of a block's argument."""
        if not self.kept:
            return UNKNOWN_LOCATION
        return self._implicit.argument(region, block, index, base, around) or UNKNOWN_LOCATION

    def start(self, block: Block, index: int, base: int) -> int:
        """Returns where the text of a block's operation starts."""
        return block.span(index, base).start

    @staticmethod
    def text(location: Location | None) -> str:
        """Returns a location for a message, where it is a place in a file."""
        resolved = resolve(location)
        if not isinstance(resolved, FileLocation):
            return ""
        return f"{resolved.file}:{resolved.line}:{resolved.column}"


Ordered = TypeVar("Ordered", OutputEntry, WrittenName)
"""What has a place in a table."""


class BlockPlan(Struct, eq=False):
    """A block with the entries of its arguments (types and locations), the forms and locations of its
    operations, and the plans of those that have regions, by their index.
    """

    block: Block
    arguments: list[tuple[OutputEntry, OutputEntry]] = field(
        default_factory=list[tuple[OutputEntry, OutputEntry]]
    )
    forms: list[OperationForm] = field(default_factory=list[OperationForm])
    locations: list[OutputEntry] = field(default_factory=list[OutputEntry])
    nested: dict[int, list[RegionPlan]] = field(default_factory=dict[int, "list[RegionPlan]"])


class RegionPlan(Struct, eq=False):
    """A region of an operation, the plans of its blocks, and what locations in it are counted from."""

    parent: Operation
    region: Region
    base: int
    around: Location | None
    blocks: list[BlockPlan] = field(default_factory=list[BlockPlan])


class Tables(Struct, eq=False):
    """The tables of a file in their order."""

    dialects: dict[str, int] = field(default_factory=dict[str, int])
    names: list[WrittenName] = field(default_factory=list[WrittenName])
    attributes: list[OutputEntry] = field(default_factory=list[OutputEntry])
    types: list[OutputEntry] = field(default_factory=list[OutputEntry])

    def refer(self, entry: OutputEntry) -> None:
        """Counts a reference to an entry; the first one adds it and what it refers to."""
        if entry.count:
            entry.count += 1
            return
        stack = [entry]
        while stack:
            current = stack.pop()
            current.count += 1
            if current.count > 1:
                continue
            (self.types if current.is_type else self.attributes).append(current)
            if current.dialect not in self.dialects:
                self.dialect(current.dialect)
            for reference in current.references[::-1]:
                if reference.count:
                    reference.count += 1
                else:
                    stack.append(reference)

    def dialect(self, name: str) -> int:
        """Returns the number of a dialect."""
        return self.dialects.setdefault(name, len(self.dialects))

    def name(self, name: WrittenName) -> None:
        """Counts a use of an operation's name."""
        if name.count == 0:
            self.names.append(name)
            self.dialect(name.dialect)
        name.count += 1

    def finish(self, forms: Sequence[OperationForm]) -> None:
        """Puts everything in order, when the operations' `forms` say how often each was used."""
        for form in forms:
            more = form.uses - 1
            form.name.count += more
            for entry in form.references:
                entry.count += more
        for table in (self.attributes, self.types):
            in_order(table, self.dialects)
            for entry, encoded in zip(table, consecutive(0, len(table)), strict=True):
                entry.encoded = encoded
        in_order(self.names, self.dialects)


def in_order(table: list[Ordered], dialects: dict[str, int]) -> None:
    """Sorts a table by uses, then by dialect among numbers of one length, and numbers its entries."""
    table.sort(key=attrgetter("count"), reverse=True)
    first, start, size = 0, 0, 0
    for length in range(1, 9):
        size = (1 << 7 * length) - size
        window = table[start : start + size]
        if not window:
            break
        ranks = dialects | {name: -1 for name, number in dialects.items() if number == first}
        window.sort(key=lambda entry: ranks[entry.dialect])
        table[start : start + size] = window
        first, start = dialects[window[-1].dialect], start + size
    for number, entry in enumerate(table):
        entry.number = number


def _called(operation: Operation) -> str:
    """Returns an operation's name, and the symbol that it defines."""
    return operation.name if operation.symbol is None else f"{operation.name} @{operation.symbol}"


class Planner:
    """Visits the operations of a module in MLIR's order and fills the tables.

    What cannot be written is collected in `obstacles`.
    """

    def __init__(self, forms: PlainForms, interner: Interner, places: OpLocations) -> None:
        self.tables = Tables()
        self.obstacles: list[Obstacle] = []
        self._forms = forms
        self._interner = interner
        self._places = places
        self._seen: list[OperationForm] = []
        self._waiting: list[RegionPlan] = []

    def plan(self, block: Block) -> BlockPlan:
        """Returns the plan of the block around the outermost operation; empty where there are obstacles."""
        plan = BlockPlan(block)
        self._operations(plan, self._places.base, None)
        while self._waiting:
            self._region(self._waiting.pop())
        if not self.obstacles:
            self.tables.finish(self._seen)
        return plan

    def _region(self, plan: RegionPlan) -> None:
        for block in plan.region.blocks:
            inner = BlockPlan(block)
            plan.blocks.append(inner)
            self._arguments(inner, plan)
            self._operations(inner, plan.base, plan.around)

    def _arguments(self, plan: BlockPlan, around: RegionPlan) -> None:
        types = around.region.values.types
        for index, value in enumerate(plan.block.arguments):
            location = self._places.argument(around.region, plan.block, index, around.base, around.around)
            try:
                entries = self._forms.type(types[value], around.parent), self._interner.entry(location)
            except ObstacleError as error:
                self._obstruct(error, "an argument of a block", around.around)
                continue
            self.tables.refer(entries[1])
            self.tables.refer(entries[0])
            plan.arguments.append(entries)

    def _operations(self, plan: BlockPlan, base: int, around: Location | None) -> None:
        refer, places, form_of = self.tables.refer, self._places, self._forms.form
        entry_of, keeps_locations = self._interner.entry, places.kept
        forms, entries = self._forms.known, self._interner.known
        planned, located = plan.forms, plan.locations
        for index, operation in enumerate(plan.block.operations):
            location = operation.location if keeps_locations else None
            if location is None:
                location = places.operation(plan.block, index, base, around)
            try:
                form = forms.get(operation.signature) or form_of(operation)
                entry = entries.get(id(location)) or entry_of(location)
            except ObstacleError as error:
                self._obstruct(error, _called(operation), location)
                self._regions(plan, index, operation, base, location)
                continue
            form.uses += 1
            if form.uses == 1:
                self._first(form)
            if entry.count:
                entry.count += 1
            else:
                refer(entry)
            planned.append(form)
            located.append(entry)
            if operation.regions:
                self._regions(plan, index, operation, base, location)

    def _first(self, form: OperationForm) -> None:
        self._seen.append(form)
        self.tables.name(form.name)
        for entry in form.references:
            self.tables.refer(entry)

    def _regions(
        self, plan: BlockPlan, index: int, operation: Operation, base: int, location: Location
    ) -> None:
        start = self._places.start(plan.block, index, base)
        regions = [RegionPlan(operation, region, start, location) for region in operation.regions]
        plan.nested[index] = regions
        self._waiting += regions

    def _obstruct(self, error: ObstacleError, name: str, location: Location | None) -> None:
        self.obstacles.append(Obstacle(name, error.reason, error.first, self._places.text(location)))
