"""The outline of a document: its programs, modules, functions, and operations with results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct, field

from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location, UnknownLocation, resolve
from shlo.ir.name_stack import scope_of, scope_path
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Region
from shlo.ir.recursion import recursive
from shlo.ir.source import Source, Span
from shlo.ir.traced_names import argument_label
from shlo.ir.types import Type
from shlo.language.chunks import Chunks
from shlo.language.document import Document, Part
from shlo.language.index.op_names import names_of, written_results
from shlo.language.index.symbols import MODULE, Symbol
from shlo.language.outline.groups import (
    BIG,
    KeptGroups,
    OpenGroup,
    OperationRun,
    RunRows,
    Scope,
    depths,
    shared_parts,
)
from shlo.language.outline.items import Entries, Entry, Inside, Items, Leaves, OutlineItem, OutlineKind
from shlo.support.cancellation import checkpoint
from shlo.syntax.lexer.strings import symbol_text

MAX_RESULTS = 5_000
"""How many operations with results an outline shows one by one; others are shown as pages."""
OutlineBy = Literal["scopes", "operations"]
"""Whether the operations of a function are grouped by the scopes of the name stack in their locations."""


@recursive
def outline(document: Document, by: OutlineBy = "scopes") -> list[OutlineItem]:
    """Returns the outline of a document; each of several programs is an item of its own."""
    parts = document.parts
    if len(parts) == 1:
        return [*_Outline(parts[0], by).items(document.source)]
    all_items: list[OutlineItem] = []
    for number, part in enumerate(parts, 1):
        span, first = Span(part.start, part.end), Span(part.start, part.start)
        items = _Outline(part, by).items(document.source)
        all_items.append(OutlineItem(f"program {number}", "", "program", span, first, items))
    return all_items


class _KnownInside(Struct, frozen=True, eq=False):
    """What is inside of an operation, for the next edition. It is known by its first region. Of its results
    as many were `shown` one by one, and `may_show`
    says how many could have been, where there are more. `type` is that of the function, with its text."""

    region: Region
    name: str
    type: tuple[Attribute | None, str]
    by: OutlineBy
    entries: Entries
    shown: int
    may_show: int | None
    chunks: Chunks[list[OperationRun]]
    groups: KeptGroups
    header: _Header
    inner: tuple[_KnownInside, ...]

    def is_good(self, by: OutlineBy, left: int) -> bool:
        """Returns whether it is what is inside of the operation if so many results may be shown."""
        if by != self.by:
            return False
        return left > self.shown if self.may_show is None else max(left, 0) == max(self.may_show, 0)


class _Header(Struct, frozen=True):
    """The text of a function before its body, the types and locations of its arguments, and those of them as
    items that had names in the program that it was made from."""

    text: str = ""
    types: tuple[Type, ...] = ()
    locations: tuple[Location | None, ...] = ()
    arguments: Leaves | None = None


class Outlined(Struct, frozen=True):
    """What the outline keeps of an edition: what is in functions and modules, and what is outside."""

    inside: dict[int, _KnownInside] = field(default_factory=dict[int, _KnownInside])
    outside: tuple[Chunks[list[OperationRun]], KeptGroups] | None = None


class _Outline:
    """Makes the outline of a program."""

    def __init__(self, part: Part, by: OutlineBy) -> None:
        self.part = part
        self.by: OutlineBy = by
        self.symbols: dict[int, Symbol] = {
            id(symbol.place.operation): symbol for symbol in part.index.symbols.all
        }
        self.left = MAX_RESULTS
        self.scopes: dict[int, Scope | None] = {}
        self.before: Outlined = part.knowledge.outlined or Outlined()
        self.before_by_name: dict[str, _KnownInside] | None = None
        self.kept: dict[int, _KnownInside] = {}
        self.inner: list[_KnownInside] = []
        outside = self.before.outside
        self.chunks, self.groups = Chunks(outside and outside[0]), KeptGroups(outside and outside[1])

    def items(self, source: Source) -> Items:
        """Returns the items of the program in a text."""
        root = self.part.index.root
        is_item = id(root.operation) in self.symbols
        entries = Entries([self._symbol(root, 0)]) if is_item else self._children(root, (), 0)
        self.chunks.forget_known()
        self.groups.forget_known()
        outside = self.chunks, self.groups
        self.part.knowledge.outlined = Outlined(self.kept, outside)  # others are let go
        return Items(entries, self.part.start, source)

    def _children(self, op_path: OpPath, around: Scope, base: int) -> Entries:
        """Returns the items of an operation's regions, whose places count from an offset. Those of other
        scopes than the operation's own, which is `around`, are in items of these."""
        rows = RunRows(op_path, self.chunks, self._scope_at)
        groups, path, number, count = [OpenGroup(around, base)], around, 0, len(rows.runs)
        while number < count:
            checkpoint()
            scope = self._scope(rows, number, around)
            if scope is not None and scope != path:
                self._leave(rows, groups, shared_parts(groups, scope, around), number)
                path = scope
                reused = self._enter(rows, groups, scope, number, around)
                if reused:
                    number += reused
                    path = groups[-1].parts
                    continue
            number += self._add(rows, groups[-1], number, path)
        self._leave(rows, groups, 1, count)
        groups[0].end_page()
        self.groups.found += groups[0].inside
        return Entries(groups[0].entries)

    def _enter(self, rows: RunRows, groups: list[OpenGroup], scope: Scope, number: int, around: Scope) -> int:
        """Begins the scopes that are not open yet at a run; returns how many runs are in the one among them
        that is reused as it was, 0 where none is."""
        for parts in depths(scope, around, len(groups)):
            start = rows.place.start + rows.starts[number]
            earlier = self.groups.known(rows.runs[number], parts)
            if earlier is not None and earlier.is_good(rows, number, self.left):
                after = number + len(earlier.runs)
                if after == len(rows.runs) or not self._is_in(rows, after, parts, around):
                    end = rows.place.start + rows.ends[after - 1]
                    groups[-1].add_group(parts, start, end, earlier.entries)
                    groups[-1].inside.append(earlier)
                    self.left -= earlier.shown
                    return len(earlier.runs)
            self.groups.open(parts)
            groups.append(OpenGroup(parts, start, number, self.left))
        return 0

    def _is_in(self, rows: RunRows, number: int, parts: Scope, around: Scope) -> bool:
        """Returns whether a run behind a scope is in that, too."""
        scope = self._scope(rows, number, around)
        return scope is None or scope[: len(parts)] == parts

    def _leave(self, rows: RunRows, groups: list[OpenGroup], count: int, number: int) -> None:
        """Ends the innermost scopes before a run, so that so many groups are left; they become items of
        those around."""
        while len(groups) > count:
            group = groups.pop()
            group.end_page()
            end = rows.place.start + rows.ends[number - 1]
            entries = Entries(group.entries)
            groups[-1].add_group(group.parts, group.start, end, entries)
            groups[-1].inside.append(group.kept(rows, number, self.left, entries))

    def _add(self, rows: RunRows, group: OpenGroup, number: int, path: Scope) -> int:
        """Adds a run to a group, with those behind it that go on the same page; returns how many."""
        run = rows.runs[number]
        if run.is_plain and self.left > 0:
            self._add_run(rows, group, number)
            return 1
        if run.is_plain:
            last = number + 1
            while (
                last < len(rows.runs) and rows.runs[last].is_plain and rows.runs[last].scope in (None, path)
            ):
                last += 1
            self._add_to_page(rows, group, rows.at[number], rows.operations_before(last))
            return last - number
        op_path = rows.path(number)
        if self.left <= 0 and op_path.operation.results and op_path.end - op_path.start < BIG:
            self._add_to_page(rows, group, rows.at[number], rows.at[number] + 1)
            return 1
        found_groups = self.groups.found
        before = len(found_groups)
        for item in self._item(op_path, path, group.start):
            group.add(item)
        group.inside += found_groups[before:]
        del found_groups[before:]
        return 1

    def _add_run(self, rows: RunRows, group: OpenGroup, number: int) -> None:
        """Adds results in which nothing is, those that may not be shown one by one to pages."""
        run, chunk, first = rows.runs[number], rows.chunks[number], rows.at[number]
        shown = min(self.left, run.last - run.first)
        self.left -= shown
        places = rows.places[:, first : first + run.last - run.first] + rows.place.start
        names, details, lengths = run.named(chunk.operations, self.part.text, places)
        if shown < len(names):
            names, details, lengths = names[:shown], details[:shown], lengths[:shown]
        starts, ends = places[:, :shown] - group.start
        group.add(Leaves("value", names, details, starts, ends, starts + lengths))
        self._add_to_page(rows, group, first + shown, first + run.last - run.first)

    def _add_to_page(self, rows: RunRows, group: OpenGroup, first: int, last: int) -> None:
        """Adds operations from a number to before another one to pages."""
        starts, ends = rows.places[:, first:last] + (rows.place.start - group.start)
        group.add_to_page(starts, ends)

    def _scope(self, rows: RunRows, number: int, around: Scope) -> Scope | None:
        """Returns the scope that a run is in, at least the one around; None for one that belongs to where
        the operations before it do."""
        if self.by == "operations":
            return None
        run = rows.runs[number]
        if not run.is_plain and id(rows.operation(number)) in self.symbols:
            return around
        if run.scope is None:
            return None
        return run.scope if run.scope[: len(around)] == around else around

    def _scope_at(self, location: Location) -> Scope | None:
        """Returns the scope that a location names, None for one that says nothing."""
        key = id(location)
        if key not in self.scopes:
            resolved = resolve(location)
            says_nothing = resolved is None or isinstance(resolved, UnknownLocation)
            self.scopes[key] = None if says_nothing else scope_path(scope_of(resolved))
        return self.scopes[key]

    def _item(self, op_path: OpPath, around: Scope, base: int) -> tuple[Entry, ...]:
        """Returns an operation as an item, or what is in it as items, whose places count from an offset."""
        operation = op_path.operation
        if id(operation) in self.symbols:
            return (self._symbol(op_path, base),)
        if operation.results:
            self.left -= 1
            return (self._result(op_path, around, base),)
        return self._children(op_path, around, base) if operation.regions else ()

    def _symbol(self, op_path: OpPath, base: int) -> OutlineItem:
        symbol, name = self.symbols[id(op_path.operation)], op_path.operation.name
        is_function = name == "func.func" or (name == BROKEN and bool(op_path.operation.regions))
        kind: OutlineKind = "module" if name == MODULE else "function" if is_function else "symbol"
        span, definition = op_path.span.shifted(-base), symbol.definition.shifted(-base)
        children: Sequence[OutlineItem] = ()
        type_ = op_path.operation.attribute("function_type")
        detail = ""
        if op_path.operation.regions:
            inside = self._inside(symbol, op_path, type_)
            detail, children = inside.type[1], Inside(inside.entries, span.start)
        elif type_ is not None:
            detail = str(type_)
        return OutlineItem(symbol_text(symbol.name), detail, kind, span, definition, children)

    def _inside(self, symbol: Symbol, op_path: OpPath, type_: Attribute | None) -> _KnownInside:
        operation, left = op_path.operation, self.left
        inside = self.before.inside.get(id(operation.regions[0]))
        if inside is not None and inside.is_good(self.by, left):
            self.left -= inside.shown
            self.inner.append(inside)
            self._keep(inside)
            return inside
        earlier = self._earlier(symbol.name)
        outer = self.chunks, self.groups, self.inner
        self.chunks, self.groups = Chunks(earlier and earlier.chunks), KeptGroups(earlier and earlier.groups)
        self.inner = []
        header = self._header(op_path, earlier.header if earlier else _Header())
        is_same_type = earlier is not None and earlier.type[0] == type_
        entries = self._children(op_path, (), op_path.start)
        self.chunks.forget_known()
        self.groups.forget_known()
        inside = _KnownInside(
            operation.regions[0],
            symbol.name,
            earlier.type if earlier and is_same_type else (type_, str(type_ or "")),
            self.by,
            Entries([header.arguments, *entries]) if header.arguments else entries,
            left - self.left,
            left if self.left <= 0 else None,
            self.chunks,
            self.groups,
            header,
            tuple(self.inner),
        )
        self.chunks, self.groups, self.inner = outer
        self.inner.append(inside)
        self.kept[id(operation.regions[0])] = inside
        return inside

    def _earlier(self, name: str) -> _KnownInside | None:
        """Returns what was kept of an operation of that name."""
        if self.before_by_name is None:
            self.before_by_name = {earlier.name: earlier for earlier in self.before.inside.values()}
        return self.before_by_name.get(name)

    def _keep(self, inside: _KnownInside) -> None:
        """Keeps what is inside of an operation, and inside of those in it."""
        self.kept[id(inside.region)] = inside
        for inner in inside.inner:
            self._keep(inner)

    def _header(self, op_path: OpPath, earlier: _Header) -> _Header:
        """Returns the header of a function, with the arguments that had names in the program it was made
        from."""
        regions = op_path.operation.regions
        if op_path.operation.name != "func.func" or not regions or not regions[0].blocks:
            return _Header()
        block = regions[0].blocks[0]
        end = op_path.start + block.starts[0] if block.starts else op_path.end
        text = self.part.text[op_path.start : end]
        types = tuple(map(regions[0].values.types.__getitem__, block.arguments))
        if (earlier.text, earlier.types, earlier.locations) == (text, types, block.argument_locations):
            return earlier
        labels = [argument_label(block, number) for number in range(len(block.arguments))]
        arguments = self._arguments(op_path, labels) if any(labels) else None
        return _Header(text, types, block.argument_locations, arguments)

    def _arguments(self, op_path: OpPath, labels: list[str]) -> Leaves:
        """Returns the arguments of a function that have a label as items."""
        values, block = op_path.operation.regions[0].values, op_path.operation.regions[0].blocks[0]
        label_texts = {
            values.names[value]: f"{label}: {values.types[value]}"
            for value, label in zip(block.arguments, labels, strict=True)
            if label
        }
        names = [
            name
            for name in names_of(self.part.text, op_path)
            if name.role == "argument" and name.name in label_texts
        ]
        spans = np.array([name.span for name in names], np.int64).reshape(-1, 2) - op_path.start
        return Leaves(
            "argument",
            [f"%{name.name}" for name in names],
            [label_texts[name.name] for name in names],
            spans[:, 0],
            spans[:, 1],
            spans[:, 1],
        )

    def _result(self, op_path: OpPath, around: Scope, base: int) -> OutlineItem:
        names = written_results(self.part.text, op_path.start, op_path.end)
        start, end = op_path.start - base, op_path.end - base
        detail = "" if op_path.operation.name == BROKEN else op_path.operation.name
        children = ()
        if op_path.operation.regions:
            children = Items(self._children(op_path, around, op_path.start), start)
        name = Span(start, start + len(names))
        return OutlineItem(names or detail, detail, "value", Span(start, end), name, children)
