"""Structure of documents: outline, ranges that fold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from lsprotocol import types
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.language.folding import Fold, folds
from shlo.language.outline.items import Entry, Items, Leaves, OutlineItem, OutlineKind, Page
from shlo.language.outline.outline import outline
from shlo.support.cancellation import checked, checkpoint
from shlo_lsp.positions import Lines, name_within
from shlo_lsp.protocol import Json
from shlo_lsp.view import View

KINDS: dict[OutlineKind, types.SymbolKind] = {
    "program": types.SymbolKind.File,
    "module": types.SymbolKind.Module,
    "function": types.SymbolKind.Function,
    "symbol": types.SymbolKind.Object,
    "scope": types.SymbolKind.Namespace,
    "argument": types.SymbolKind.Field,
    "value": types.SymbolKind.Variable,
    "page": types.SymbolKind.Array,
}
NUMBERS = {kind: symbol_kind.value for kind, symbol_kind in KINDS.items()}
MEMORY = "outline"
PIECE = 50_000
"""Characters of what is in an item up to which they are one string; longer texts share theirs."""


class _WrittenInside(Struct, frozen=True):
    """What is inside of an item as JSON, whose entries begin at a line and column: pieces of it."""

    place: tuple[int, ...]
    pieces: list[str]


class _KeptLeaves(Struct, frozen=True):
    """Items without anything inside as JSON: of these names, which are found again by their id, at places."""

    names: list[str]
    places: tuple[bytes, bytes]
    text: str


dumps = json.encoder.encode_basestring_ascii
Answer = Json | list[types.SymbolInformation]
PLACE = '{"line":%d,"character":%d}'
ITEM = (
    f'{{"name":%s,"kind":%d,"range":{{"start":{PLACE},"end":{PLACE}}},'
    f'"selectionRange":{{"start":{PLACE},"end":{PLACE}}}%s'
)
LEAF = ITEM.count("%")


def document_symbols(view: View, params: types.DocumentSymbolParams) -> Answer:
    """Returns a tree; for a client that knows no trees, a list."""
    items = outline(view.document, view.client.settings.outline)
    if view.client.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return _tree(view, items)
    return list(_flat(view, items, None))


def _tree(view: View, items: list[OutlineItem]) -> Json:
    """Returns items as DocumentSymbols, as JSON: objects of thousands of items take longer than the rest."""
    written = _Written(view.edition.lines, view.memory.get(MEMORY, {}))
    data = "".join(["[", *written.items(items, 0), "]"]).encode()
    view.memory[MEMORY] = written.leaves
    return Json(data)


class _Written:
    """Writes items as JSON. What is inside of one is taken from an answer before where it is the same and
    begins where it did. So are leaves of which each is where it was:
    `before` are those of the answer before, and `leaves` those of this one, by the ids of their names."""

    def __init__(self, lines: Lines, before: dict[int, _KeptLeaves]) -> None:
        self.lines, self.before = lines, before
        self.leaves: dict[int, _KeptLeaves] = {}
        self._together: set[int] = set()
        """The ids of entries whose places are computed with those around."""

    def items(self, entries: Sequence[Entry], start: int) -> list[str]:
        """Returns pieces of items, whose places count from `start` and are computed together."""
        offsets: list[Array | list[int]] = [[]]
        self._add_offsets(entries, start, offsets)
        places = _Places(*self.lines.places(np.concatenate([np.array(part, np.int64) for part in offsets])))
        return self._written(entries, start, places)

    def _add_offsets(self, entries: Iterable[Entry], start: int, offsets: list[Array | list[int]]) -> None:
        """Adds where items and names begin and end, in the order of `_written`, to lists and arrays of which
        the last is a list."""
        for entry in entries:
            if isinstance(entry, Leaves):
                ends = np.minimum(entry.name_ends, entry.ends)
                offsets += (entry.starts + start, entry.ends + start, ends + start, [])
                continue
            span = entry.span
            if isinstance(entry, Page):
                name, name_end = 2 * (span.start,)
            else:
                name, name_end = name_within(span, entry.name_span)
            offsets[-1] += [start + span.start, start + span.end, start + name, start + name_end]  # type: ignore[operator]
            inside = () if isinstance(entry, Page) else entry.children
            if type(inside) is Items and inside.entries.written is None:
                self._together.add(id(inside.entries))
                self._add_offsets(inside.entries, start + inside.start, offsets)

    def _written(self, entries: Sequence[Entry], start: int, places: _Places) -> list[str]:
        pieces: list[str] = []
        for entry in entries:
            if pieces:
                pieces.append(",")
            checkpoint()
            if isinstance(entry, Leaves):
                pieces.append(self._of_leaves(entry, places))
                continue
            numbers = places.of_item()
            if isinstance(entry, Page):
                name, detail, kind = Page.name(numbers[0] + 1, numbers[2] + 1), entry.detail, "page"
                inside: Sequence[str] = ()
            else:
                name, detail, kind, _, _, children = entry
                inside = self._of_inside(children, start, numbers, places)
            detail_text = f',"detail":{dumps(detail)}' if detail else ""
            item = ITEM % (dumps(name), NUMBERS[kind], *numbers, detail_text)
            pieces += (item, ',"children":[', *inside, "]}") if inside else (item, "}")
        return pieces

    def _of_inside(
        self, children: Sequence[OutlineItem], start: int, numbers: list[int], places: _Places
    ) -> Sequence[str]:
        """Returns pieces of what is inside of an item, which begins where that does and whose lines and
        columns are given; as before if it is the same and begins where it did."""
        if not isinstance(children, Items):
            return ()
        position, entries, begin = tuple(numbers[:2]), children.entries, start + children.start
        # Where the text between two operations changes, the one before is read anew, and so are all entries
        # around it: in those that are the same, lines and columns are as they were, from where they begin.
        earlier: _WrittenInside | None = entries.written
        if earlier is not None and earlier.place == position:
            return earlier.pieces
        is_together = id(entries) in self._together
        pieces = self._written(entries, begin, places) if is_together else self.items(entries, begin)
        if sum(map(len, pieces)) < PIECE:
            pieces = ["".join(pieces)]
        entries.written = _WrittenInside(position, pieces)
        return pieces

    def _of_leaves(self, leaves: Leaves, places: _Places) -> str:
        """Returns items without anything inside, as before if all are where they were."""
        count = len(leaves.names)
        lines, columns = places.next(3 * count)
        key = lines.tobytes(), columns.tobytes()
        earlier = self.before.get(id(leaves.names))
        if earlier is None or earlier.names is not leaves.names or earlier.places != key:
            earlier = _KeptLeaves(leaves.names, key, _text_of(leaves, lines, columns))
        self.leaves[id(leaves.names)] = earlier
        return earlier.text


class _Places:
    """Lines and columns, of which the next ones are taken."""

    def __init__(self, lines: Array, columns: Array) -> None:
        self.lines, self.columns, self.at = lines, columns, 0
        self.numbers = np.column_stack((lines, columns)).ravel().tolist()

    def of_item(self) -> list[int]:
        """Returns lines and columns in turns: of the start and the end of an item, and of its name."""
        self.at += 4
        return self.numbers[2 * self.at - 8 : 2 * self.at]

    def next(self, count: int) -> tuple[Array, Array]:
        """Returns so many of both."""
        numbers = slice(self.at, self.at + count)
        self.at += count
        return self.lines[numbers], self.columns[numbers]


def _text_of(leaves: Leaves, lines: Array, columns: Array) -> str:
    """Returns items as JSON; the places are all starts, all ends, all ends of names."""
    count = len(leaves.names)
    details = {detail: f',"detail":{dumps(detail)}' if detail else "" for detail in set(leaves.details)}
    values: list[object] = [NUMBERS[leaves.kind]] * (LEAF * count)
    values[0::LEAF] = map(dumps, leaves.names)
    for first, numbers in ((2, lines), (3, columns)):
        starts, ends, name_ends = (numbers[at * count : (at + 1) * count].tolist() for at in range(3))
        for number, column in enumerate((starts, ends, starts, name_ends)):
            values[first + 2 * number :: LEAF] = column
    values[LEAF - 1 :: LEAF] = [details[detail] for detail in leaves.details]
    return ",".join([f"{ITEM}}}"] * count) % tuple(values)


def _flat(
    view: View, items: Iterable[OutlineItem], container: str | None
) -> Iterator[types.SymbolInformation]:
    for item in items:
        location = types.Location(view.uri, view.range(item.span))
        yield types.SymbolInformation(location, item.name, KINDS[item.kind], container_name=container)
        yield from _flat(view, item.children, item.name)


FOLDING_KINDS = {"comment": types.FoldingRangeKind.Comment}
MAX_FOLDS = 5_000


def folding_ranges(view: View, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Returns the stretches that can be folded, in the order of the text."""
    lines_only = view.client.can("text_document.folding_range.line_folding_only")
    ranges = [_range(view, fold, lines_only) for fold in checked(folds(view.document))]
    ranges = [
        folding_range
        for folding_range in ranges
        if not lines_only or folding_range.end_line > folding_range.start_line
    ]
    if len(ranges) > MAX_FOLDS:  # the longest are worth more than the first
        ranges = sorted(ranges, key=lambda folding_range: folding_range.start_line - folding_range.end_line)[
            :MAX_FOLDS
        ]
        ranges.sort(key=lambda folding_range: folding_range.start_line)
    return ranges


def _range(view: View, fold: Fold, lines_only: bool) -> types.FoldingRange:
    """Returns the range of a fold. Where whole lines fold, the closing bracket's stays visible."""
    start, end = view.position(fold.span.start), view.position(fold.span.end)
    line, first, _ = view.edition.lines.line_at(fold.span.end)
    closes = fold.kind in ("region", "attributes") and not view.document.text[first : fold.span.end].strip()
    last = line - 1 if lines_only and closes else line
    return types.FoldingRange(
        start.line, max(last, start.line), start.character, end.character, FOLDING_KINDS.get(fold.kind)
    )
