"""Results that no operation uses, as hints: editors fade them.

What the operations of a chunk use and define is kept from one edition to the next (`chunks.py`), and what is
unused in a function as long as the function is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from shlo.dialects import find_op_def
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.dtypes import Array
from shlo.ir.op_path import OpPath, children_of
from shlo.ir.operations import BROKEN, Block, Operation, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language import chunks
from shlo.language.chunks import Chunk, Chunks
from shlo.language.document import Part, once_per_part
from shlo.language.index.op_names import written_results
from shlo.support.cancellation import checkpoint
from shlo.syntax.lexer.tokens import words

CODE = "unused"
MAX_UNUSED = 1_000
"""How many are told."""


class Unused(NamedTuple):
    """Operations whose results nothing uses, as columns: the results' names as in the text, and the stretch
    that may be faded, which is the operation, or these names if the operation has an effect."""

    names: list[str]
    starts: list[int]
    ends: list[int]

    @property
    def hints(self) -> list[Diagnostic]:
        """A finding for each."""
        return [
            Diagnostic(self.message(names), Span(start, end), CODE, "hint")
            for names, start, end in zip(*self, strict=True)
        ]

    @staticmethod
    def message(names: str) -> str:
        """Returns what is said of results with these names."""
        return f"nothing uses {names}"

    @staticmethod
    def joined(several: Iterable[tuple[int, Unused]]) -> Unused:
        """Returns the first ones of several, the places of each of which count from an offset."""
        names: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for offset, unused in several:
            names += unused.names
            starts += [offset + start for start in unused.starts]
            ends += [offset + end for end in unused.ends]
            if len(names) >= MAX_UNUSED:
                break
        return Unused(names[:MAX_UNUSED], starts[:MAX_UNUSED], ends[:MAX_UNUSED])


class _UnusedInFunction(Struct, frozen=True):
    """What is unused in a function, in places that count from its start, and its chunks."""

    function: Operation
    unused: Unused
    chunks: Chunks[_ChunkValues]


@recursive
def unused_values(part: Part) -> Unused:
    """Returns the operations of a program whose results nothing uses, in the order of the text, with places
    in the document. Arguments belong to a signature, and are left out."""
    return Unused.joined([(part.start, _unused(part))])


@once_per_part
def _unused(part: Part) -> Unused:
    before: dict[int, _UnusedInFunction] = part.knowledge.unused or {}
    functions = [*children_of(part.index.root)]
    gone = before.keys() - {id(function.operation) for function in functions}
    chunks_gone = [before[key].chunks for key in gone]
    functions_now: dict[int, _UnusedInFunction] = {}

    def found() -> Iterator[tuple[int, Unused]]:
        for function in functions:
            checkpoint()
            key = id(function.operation)
            functions_now[key] = (
                before[key] if key in before else _in_function(part.text, function, chunks_gone)
            )
            yield function.start, functions_now[key].unused

    unused = Unused.joined(found())
    part.knowledge.unused = functions_now
    return unused


class _Candidate(NamedTuple):
    """An operation with results, in a chunk: its stretch counts from the start of the chunk's operation
    `number`, which it is or which holds it. It is not referred to, as its regions hold the table of all
    values of an edition; `table` is its table if that is not the one of the chunk's block."""

    number: int
    start: int
    end: int
    results: tuple[int, ...]
    has_no_effect: bool
    table: ValueTable | None

    def names(self, table: ValueTable) -> set[str]:
        """Returns the names of the results, those of several in one group once; `table` is the block's."""
        names = (self.table or table).names
        return {names[value].partition("#")[0] for value in self.results}


class _Told(Struct, frozen=True):
    """What is told of the candidates with these indices: names, the numbers of the operations, and places
    that count from the starts of these."""

    indices: bytes
    names: list[str]
    numbers: Array
    starts: Array
    ends: Array


class _ChunkValues(Struct, eq=False):
    """What the operations of a chunk do with values, those inside of them, too.

    `used` are the values of the block's table that they use, `words` the names in the text of those that
    could not be read. `results[n]` is a result of candidate `owners[n]`; those of another table, which is
    known as a whole, are left out, as are candidates that have uses there. `deep` are the numbers of the
    operations inside of which is a large block, which has chunks of its own: what is in them is not counted.
    """

    used: Array
    words: frozenset[str]
    deep: list[int]
    candidates: list[_Candidate]
    results: Array
    owners: Array
    _told: _Told | None = field(default=None)

    def unused(self, used: Array, words_of_broken: set[str], table: ValueTable) -> Array:
        """Returns the indices of the candidates of which no result is marked as used or has one of these
        names; `table` is the block's."""
        is_unused = np.ones(len(self.candidates), np.bool_)
        is_unused[self.owners[used[self.results]]] = False
        indices = np.flatnonzero(is_unused)
        if words_of_broken:
            names = [self.candidates[index].names(table) for index in indices.tolist()]
            indices = indices[[words_of_broken.isdisjoint(candidate_names) for candidate_names in names]]
        return indices

    def told(self, indices: Array, text: str, places: Array) -> _Told:
        """Returns what is told of candidates; `places` are where the chunk's operations start."""
        key = indices.tobytes()
        told = self._told
        if told is None or told.indices != key:
            names: list[str] = []
            rows: list[tuple[int, int, int]] = []
            for candidate in map(self.candidates.__getitem__, indices.tolist()):
                at = int(places[candidate.number])
                results = written_results(text, at + candidate.start, at + candidate.end)
                if results:
                    names.append(results)
                    end = candidate.end if candidate.has_no_effect else candidate.start + len(results)
                    rows.append((candidate.number, candidate.start, end))
            told = self._told = _Told(key, names, *np.array(rows, np.int64).reshape(-1, 3).T)
        return told


def _in_function(text: str, function: OpPath, earlier: list[Chunks[_ChunkValues]]) -> _UnusedInFunction:
    """Returns what is unused in a function, or in another operation of the outermost level."""
    function_chunks = Chunks(*earlier)
    used: dict[int, Array] = {}
    words_of_broken: set[str] = set()
    rows: list[tuple[Block, int, int, Chunk[_ChunkValues], ValueTable]] = []
    stack = [(region, function.start) for region in reversed(function.operation.regions)]
    blocks = 0
    while stack:
        region, base = stack.pop()
        uses = used.setdefault(id(region.values), np.zeros(len(region.values.types), np.bool_))
        for block in region.blocks:
            blocks += 1
            for first, chunk in function_chunks.of(block, partial(_values_of, text, base, region.values)):
                values = chunk.kept
                uses[values.used] = True
                words_of_broken |= values.words
                rows.append((block, base, first, chunk, region.values))
                for number in values.deep:
                    start = block.span(first + number, base).start
                    stack += [(inner, start) for inner in block.operations[first + number].regions]
            for operation in block.operations[len(block.starts) :]:
                uses[list(operation.operands)] = True
    function_chunks.forget_known()
    names: list[str] = []
    spans: list[Array] = [np.empty((2, 0), np.int64)]
    for block, base, first, chunk, table in rows:
        places = np.array(block.starts[first : first + len(chunk.operations)], np.int64) + base
        unused = chunk.kept.unused(used[id(table)], words_of_broken, table)
        told = chunk.kept.told(unused, text, places)
        names += told.names
        places = places[told.numbers] - function.start
        spans.append(np.stack((places + told.starts, places + told.ends)))
        if blocks == 1 and len(names) >= MAX_UNUSED:
            break
    return _UnusedInFunction(function.operation, _sorted(names, np.concatenate(spans, 1)), function_chunks)


def _sorted(names: list[str], spans: Array) -> Unused:
    order = np.lexsort((spans[1], spans[0]))[:MAX_UNUSED]
    starts, ends = spans[:, order].tolist()
    return Unused([names[index] for index in order], starts, ends)


def _values_of(text: str, base: int, table: ValueTable, block: Block, start: int, stop: int) -> _ChunkValues:
    """Returns what the operations of a block do with values, from number `start` to before `stop`. Places of
    the block, which uses a table, count from `base`."""
    inside_block = _Inside(text, table)
    deep: list[int] = []
    for index in range(start, stop):
        span = block.span(index, base)
        number, operation = index - start, block.operations[index]
        inside_block.add(operation, table, span, number, span.start)
        if operation.regions:
            inside = _Inside(text, table)
            if inside.add_all(operation, number, span.start):
                inside_block.join(inside)
            else:
                deep.append(number)
    return inside_block.values(deep)


class _Inside:
    """Collects what operations do with values, by the tables of these."""

    def __init__(self, text: str, table: ValueTable) -> None:
        self.text, self.table = text, table
        self.used: dict[int, set[int]] = {id(table): set()}
        self.words: set[str] = set()
        self.candidates: list[_Candidate] = []

    def add(self, operation: Operation, table: ValueTable, span: Span, number: int, start: int) -> None:
        """Adds an operation that uses a table, but for what is inside of it; `start` is where the chunk's
        operation of that number starts."""
        uses = self.used.setdefault(id(table), set())
        uses.update(operation.operands, *[passed for _, passed in operation.successors])
        if operation.signature.name == BROKEN:
            self.words |= _used_in_text(self.text, *span)
        elif operation.results:
            first, last, has_no_effect = span.start - start, span.end - start, _has_no_effect(operation)
            other = None if table is self.table else table
            self.candidates.append(_Candidate(number, first, last, operation.results, has_no_effect, other))

    def add_all(self, holder: Operation, number: int, start: int) -> bool:
        """Adds what is inside of the chunk's operation of a number, which starts at an offset; returns
        whether no block in it is large."""
        stack = [(region, start) for region in holder.regions]
        while stack:
            region, base = stack.pop()
            for block in region.blocks:
                if len(block.operations) > chunks.SIZE:
                    return False
                for index, operation in enumerate(block.operations):
                    span = block.span(index, base)
                    if index < len(block.starts):
                        self.add(operation, region.values, span, number, start)
                    else:  # a short form implies it
                        self.used.setdefault(id(region.values), set()).update(operation.operands)
                    stack += [(inner, span.start) for inner in operation.regions]
        return True

    def join(self, other: _Inside) -> None:
        """Adds what another one has collected."""
        for table, uses in other.used.items():
            self.used.setdefault(table, set()).update(uses)
        self.words |= other.words
        self.candidates += other.candidates

    def values(self, deep: list[int]) -> _ChunkValues:
        """Returns what has been collected."""
        outer = id(self.table)
        candidates = [
            candidate
            for candidate in self.candidates
            if candidate.table is None or self.used[id(candidate.table)].isdisjoint(candidate.results)
        ]
        candidates.sort(key=lambda candidate: candidate[:3])
        results = [
            (value, owner)
            for owner, candidate in enumerate(candidates)
            if candidate.table is None
            for value in candidate.results
        ]
        values, owners = np.array(results, np.int64).reshape(-1, 2).T
        used = np.fromiter(self.used[outer], np.int64)
        return _ChunkValues(used, frozenset(self.words), deep, candidates, values, owners)


def _has_no_effect(operation: Operation) -> bool:
    op_def = find_op_def(operation.name)
    if op_def is None or operation.regions or operation.name.endswith("call"):
        return False
    return not any(map(op_def.has, ("effect", "barrier")))


def _used_in_text(text: str, start: int, end: int) -> set[str]:
    """Returns the names of values in the text of an operation that could not be read."""
    names = (token.text[1:] for token in words(text, start, end) if token.kind == "value")
    return {name.partition("#")[0] for name in names}
