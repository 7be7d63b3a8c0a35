"""The outline of a document: its programs, modules, functions, and operations with results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from shlo.ir.locations import Location, UnknownLocation, resolve
from shlo.ir.name_stack import scope_of, scope_path
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Block, Operation
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.traced_names import argument_label
from shlo.ir.types import Type
from shlo.language.document import Document, Part
from shlo.language.index.op_names import RESULTS, names_of
from shlo.language.index.symbols import MODULE, Symbol
from shlo.language.outline.chunks import BIG, Chunk, Chunks, Run, Scope
from shlo.language.outline.items import Entry, Inside, Items, Leaves, OutlineItem, OutlineKind
from shlo.support.cancellation import checkpoint
from shlo.syntax.lexer.strings import symbol_text
from shlo.text.numbers import plural

MAX_RESULTS = 10_000
"""How many operations with results an outline shows one by one; others are shown as PAGEs."""
PAGE = 1_000
"""How many operations one item holds where they are not shown one by one."""

OutlineBy = Literal["scopes", "operations"]
"""Whether the operations of a function are grouped by the scopes of the name stack in their locations."""


@recursive
def outline(document: Document, by: OutlineBy = "scopes") -> list[OutlineItem]:
    """Returns the outline of a document; each of several programs is an item of its own."""
    parts = document.parts
    if len(parts) == 1:
        return [*_Outline(parts[0], by, 0).items()]
    found: list[OutlineItem] = []
    for number, part in enumerate(parts, 1):
        span, first = Span(part.start, part.end), Span(part.start, part.start)
        items = _Outline(part, by, document.source.line_of(part.start) - 1).items()
        found.append(OutlineItem(f"program {number}", "", "program", span, first, items))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What is inside of an operation, for the next edition. So many of its operations with results are shown
    one by one; `may_show` says how many could have been, where there are more: the items depend on that and
    on the operation's line then."""

    operation: Operation
    name: str
    by: OutlineBy
    entries: tuple[Entry, ...]
    shown: int
    may_show: int | None
    line: int
    chunks: Chunks
    header: _Header
    inner: tuple[_Kept, ...]

    def is_good(self, operation: Operation, by: OutlineBy, left: int, line: Callable[[], int]) -> bool:
        """Returns whether it is what is inside of an operation on a line if so many may be shown."""
        if operation is not self.operation or by != self.by:
            return False
        return left > self.shown if self.may_show is None else (left, line()) == (self.may_show, self.line)


@dataclass(frozen=True, slots=True)
class _Header:
    """The text of a function before its body, what its arguments were called in the program that it was made
    from, and these arguments as items."""

    text: str = ""
    labels: tuple[tuple[str, Type], ...] = ()
    arguments: Leaves | None = None


@dataclass(frozen=True, slots=True)
class Outlined:
    """What the outline keeps of an edition: what is in functions and modules, and the chunks outside."""

    inside: dict[int, _Kept] = field(default_factory=dict[int, _Kept])
    outside: Chunks | None = None
    by: OutlineBy = "scopes"


class _Group:
    """Consecutive items of one scope, or of a region: the outline is in the order of the text."""

    def __init__(self, name: str, start: int) -> None:
        self.name, self.start = name, start
        self.entries: list[Entry] = []
        self.page: Span | None = None
        self.paged = 0


class _Outline:
    """Makes the outline of a program. Places count from the start of the function or module that items are
    in, which is at `base` of the program."""

    def __init__(self, part: Part, by: OutlineBy, lines_before: int) -> None:
        self.part, self.lines_before = part, lines_before
        self.by: OutlineBy = by
        self.symbols: dict[int, Symbol] = {id(each.place.operation): each for each in part.index.symbols.all}
        self.left = MAX_RESULTS
        self.counted = 0, 1 + lines_before
        self.scopes: dict[int, Scope | None] = {}
        self.before: Outlined = part.knowledge.outlined or Outlined()
        self.before_by_name: dict[str, _Kept] | None = None
        self.kept: dict[int, _Kept] = {}
        self.inner: list[_Kept] = []
        self.base = 0
        self.chunks = Chunks(self.before.outside if self.before.by == by else None)

    def items(self) -> Items:
        """Returns the items of the program."""
        root = self.part.index.root
        is_item = id(root.operation) in self.symbols
        entries = self._item(root, ()) if is_item else self._children(root, ())
        self.chunks.forget_known()
        self.part.knowledge.outlined = Outlined(self.kept, self.chunks, self.by)  # others are let go
        return Items(entries, self.part.start)

    def _children(self, place: OpPath, around: Scope) -> tuple[Entry, ...]:
        """Returns the items of an operation's regions. Those of other scopes than the operation's own, which
        is `around`, are in items of these."""
        offset = place.start - self.base
        groups, path, end = [_Group("", offset)], around, offset
        for number, region in enumerate(place.operation.regions):
            for position, block in enumerate(region.blocks):
                for first, chunk in self.chunks.of(block, self._scope_at):
                    checkpoint()
                    for run in chunk.runs:
                        index = first + run.first
                        start, before = offset + block.starts[index], end
                        end = offset + block.ends[first + run.last - 1]
                        scope = self._scope(chunk.operations[run.first], run, around)
                        if scope is not None and scope != path:
                            self._enter(groups, scope[len(around) :], before, start)
                            path = scope
                        if run.is_plain:
                            self._add_run(groups[-1], place, block, chunk, first, run)
                            continue
                        operation = chunk.operations[run.first]
                        if self.left <= 0 and operation.results and end - start < BIG:
                            self._add_to_page(groups[-1], offset, block, range(index, index + 1))
                            continue
                        child = OpPath(operation, self.base + start, self.base + end, place, number, position)
                        for item in self._item(child, path):
                            self._end_page(groups[-1])
                            groups[-1].entries.append(item)
        self._enter(groups, (), end, end)
        self._end_page(groups[0])
        return tuple(groups[0].entries)

    def _add_run(
        self, group: _Group, place: OpPath, block: Block, chunk: Chunk, first: int, run: Run
    ) -> None:
        """Adds results in which nothing is, those that may not be shown one by one to pages."""
        shown = max(min(self.left, run.last - run.first), 0)
        if shown:
            self.left -= shown
            self._end_page(group)
            names, details, lengths = chunk.named(run, self.part.text, block, first, place.start)
            if shown < len(names):
                names, details, lengths = names[:shown], details[:shown], lengths[:shown]
            numbers = slice(first + run.first, first + run.first + shown)
            offset = place.start - self.base
            starts, ends = (np.array(each[numbers], np.int64) + offset for each in (block.starts, block.ends))
            group.entries.append(Leaves("value", names, details, starts, ends, starts + lengths))
        if run.first + shown < run.last:
            rest = range(first + run.first + shown, first + run.last)
            self._add_to_page(group, place.start - self.base, block, rest)

    def _enter(self, groups: list[_Group], parts: Scope, end: int, start: int) -> None:
        """Ends the scopes at an offset that do not go on in another one, which starts at `start`."""
        shared = 0
        while shared < min(len(parts), len(groups) - 1) and groups[shared + 1].name == parts[shared]:
            shared += 1
        while len(groups) > shared + 1:
            self._close(groups, end)
        groups += [_Group(name, start) for name in parts[shared:]]

    def _scope(self, operation: Operation, run: Run, around: Scope) -> Scope | None:
        """Returns the scope that operations are in, at least the one around; None for those that belong to
        where the operations beside them do."""
        if self.by == "operations":
            return None
        if not run.is_plain and id(operation) in self.symbols:
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

    def _close(self, groups: list[_Group], end: int) -> None:
        """Ends the innermost scope at an offset; it becomes an item of the one around."""
        group = groups.pop()
        self._end_page(group)
        if group.entries:
            span, first = Span(group.start, end), Span(group.start, group.start)
            items = Items(tuple(group.entries))
            groups[-1].entries.append(OutlineItem(group.name, "", "scope", span, first, items))

    def _add_to_page(self, group: _Group, offset: int, block: Block, numbers: range) -> None:
        while numbers:
            if group.paged == PAGE:
                self._end_page(group)
            count = min(PAGE - group.paged, len(numbers))
            start, end = block.starts[numbers[0]], block.ends[numbers[count - 1]]
            group.page = Span(group.page.start if group.page else offset + start, offset + end)
            group.paged += count
            numbers = numbers[count:]

    def _end_page(self, group: _Group) -> None:
        """Makes an item of the operations that are not shown one by one."""
        if group.page is not None:
            span = group.page
            first, last = (self._line_of(self.base + each) for each in span)
            name = f"lines {first:,} to {last:,}"
            detail = plural(group.paged, "operation")
            group.entries.append(OutlineItem(name, detail, "page", span, Span(span.start, span.start)))
            group.page, group.paged = None, 0

    def _line_of(self, offset: int) -> int:
        """Returns the line of an offset in the document; most are asked for in the order of the text."""
        at, line = self.counted if self.counted[0] <= offset else (0, 1 + self.lines_before)
        self.counted = offset, line + self.part.text.count("\n", at, offset)
        return self.counted[1]

    def _item(self, place: OpPath, around: Scope) -> tuple[Entry, ...]:
        operation = place.operation
        symbol = self.symbols.get(id(operation))
        if symbol is not None:
            return (self._symbol(symbol, place),)
        if operation.results:
            self.left -= 1
            return (self._result(place, around),)
        return self._children(place, around) if operation.regions else ()

    def _symbol(self, symbol: Symbol, place: OpPath) -> OutlineItem:
        name = place.operation.name
        is_function = name == "func.func" or (name == BROKEN and bool(place.operation.regions))
        kind: OutlineKind = "module" if name == MODULE else "function" if is_function else "symbol"
        type_ = place.operation.attribute("function_type")
        start = place.start - self.base
        span, definition = (
            Span(each.start - self.base, each.end - self.base) for each in (place.span, symbol.definition)
        )
        children = Inside(self._inside(symbol, place).entries, start)
        return OutlineItem(symbol_text(symbol.name), str(type_ or ""), kind, span, definition, children)

    def _inside(self, symbol: Symbol, place: OpPath) -> _Kept:
        operation, left = place.operation, self.left

        def line() -> int:
            return self.part.text.count("\n", 0, place.start) + self.lines_before

        kept = self.before.inside.get(id(operation))
        if kept is not None and kept.is_good(operation, self.by, left, line):
            self.left -= kept.shown
            self.inner.append(kept)
            self._keep(kept)
            return kept
        earlier = self._earlier(symbol.name)
        outer = self.base, self.chunks, self.inner
        self.base, self.chunks, self.inner = place.start, Chunks(earlier.chunks if earlier else None), []
        header = self._header(place, earlier.header if earlier else _Header())
        entries = (*((header.arguments,) if header.arguments else ()), *self._children(place, ()))
        self.chunks.forget_known()
        is_cut = self.left <= 0
        kept = _Kept(
            operation,
            symbol.name,
            self.by,
            entries,
            left - self.left,
            left if is_cut else None,
            line() if is_cut else 0,
            self.chunks,
            header,
            tuple(self.inner),
        )
        self.base, self.chunks, self.inner = outer
        self.inner.append(kept)
        self.kept[id(operation)] = kept
        return kept

    def _earlier(self, name: str) -> _Kept | None:
        """Returns what was kept of an operation of that name."""
        if self.before_by_name is None:
            self.before_by_name = {
                each.name: each for each in self.before.inside.values() if each.by == self.by
            }
        return self.before_by_name.get(name)

    def _keep(self, kept: _Kept) -> None:
        """Keeps what is inside of an operation, and inside of those in it."""
        self.kept[id(kept.operation)] = kept
        for each in kept.inner:
            self._keep(each)

    def _header(self, place: OpPath, earlier: _Header) -> _Header:
        """Returns the header of a function, with the arguments that had names in the program it was made
        from."""
        regions = place.operation.regions
        if place.operation.name != "func.func" or not regions or not regions[0].blocks:
            return _Header()
        values, block = regions[0].values, regions[0].blocks[0]
        labels = tuple(
            (argument_label(block, number), values.types[value])
            for number, value in enumerate(block.arguments)
        )
        if not any(label for label, _ in labels):
            return _Header()
        end = place.start + block.starts[0] if block.starts else place.end
        text = self.part.text[place.start : end]
        if (earlier.text, earlier.labels) == (text, labels):
            return earlier
        said = {
            values.names[value]: f"{label}: {type_}"
            for value, (label, type_) in zip(block.arguments, labels, strict=True)
            if label
        }
        names = [
            name for name in names_of(self.part.text, place) if name.role == "argument" and name.name in said
        ]
        spans = np.array([name.span for name in names], np.int64).reshape(-1, 2) - place.start
        arguments = Leaves(
            "argument",
            [f"%{name.name}" for name in names],
            [said[name.name] for name in names],
            spans[:, 0],
            spans[:, 1],
            spans[:, 1],
        )
        return _Header(text, labels, arguments)

    def _result(self, place: OpPath, around: Scope) -> OutlineItem:
        match = RESULTS.match(self.part.text, place.start, place.end)
        names = match[0].rstrip("= \t\n") if match else ""
        start, end = place.start - self.base, place.end - self.base
        detail = "" if place.operation.name == BROKEN else place.operation.name
        children = Items(self._children(place, around)) if place.operation.regions else ()
        name = Span(start, start + len(names))
        return OutlineItem(names or detail, detail, "value", Span(start, end), name, children)
