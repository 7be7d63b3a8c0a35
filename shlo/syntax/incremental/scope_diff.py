"""Names of values during a reparse: what they mean now, and which of them meant something else before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Block, Operation, Region, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.parser.scope import ParserScope

SEVERAL = -1
Announced = tuple[Sequence[Operation], Sequence[int]]


class ScopeDiff(ParserScope):
    """A scope that goes on with the values of the scope in its place before, whose table was `before`.

    `open` are the blocks that are being read, outer ones first: for each the block before with which it
    goes, or None. The names of operations that were not taken over are dropped, with the values they was
    for; a value of the same name and type that is defined then gets the same number. `grown` counts the other
    new values.
    """

    __slots__ = (
        "_announced",
        "_changed",
        "_differing",
        "_dropped",
        "_fresh",
        "_operation_places",
        "_partners",
        "_text",
        "_unstable_before",
        "_unused",
        "_visited",
        "before",
        "grown",
        "open",
    )

    follows_definitions = True

    def __init__(
        self, text: str, diagnostics: list[Diagnostic], before: ValueTable, unstable: Iterable[str]
    ) -> None:
        super().__init__(diagnostics)
        self._text = text
        self.before = before
        self.open: list[Block | None] = []
        self._partners: set[int] = set()
        self.values = ValueTable(before.types.copy(), before.names.copy())
        self.places = [-1] * len(before.types)
        self._visited: dict[int, int] = {}
        self.grown = 0
        self._unstable_before = frozenset(unstable)
        self._dropped: dict[str, int] = {}
        self._fresh: set[str] = set()
        self._changed: set[str] = set()
        self._differing: set[str] = set()
        self._unused: dict[str, deque[int]] = {}
        self._announced: list[Announced] = []
        self._operation_places: dict[int, int] = {}

    # --- which names mean something else

    def differing(self) -> set[str]:
        """Returns the names that may have another meaning than before here, without the numbers of groups."""
        for name in self._changed:
            if self._dropped.get(name) == self.names.get(name):
                self._differing.discard(name)
            else:
                self._differing.add(name)
        self._changed.clear()
        every = chain(self._differing, self._unstable_before, self.unstable, self.forward)
        return {name.partition("#")[0] for name in every}

    def leave_region(self, size: int) -> None:
        """Forgets the names defined since there were `size` of them, and notes which may have changed."""
        super().leave_region(size)
        self._changed = self._fresh.union(self._dropped)

    # --- what is taken over and what is not

    def goes_with(self, block: Block, around: Sequence[Block]) -> bool:
        """Returns whether the block that is being read goes with a block before, from which operations may
        then be taken over; `around` are those around it. The blocks around both must go with each other, so
        that names come and go as before."""
        partner = self.open[-1]
        if partner is not None:
            return partner is block
        open_before = {id(outer) for outer in self.open if outer is not None}
        if id(block) in self._partners or open_before != {id(outer) for outer in around} & self._partners:
            return False
        self.open[-1] = block
        self._partners.add(id(block))
        return True

    def is_done(self) -> bool:
        """Returns whether nothing is left of the block before with which the innermost block goes."""
        partner = self.open[-1]
        return partner is None or self._visited[id(partner)] >= len(partner.operations)

    def visit(self, block: Block, end: int) -> None:
        """Notes that an old block's operations, up to number `end`, are not taken over."""
        first = self._visited.get(id(block))
        if first is None:
            first = 0
            self._drop_names(block.arguments, is_exact=True)
        for operation in block.operations[first:end]:
            self.drop(*[block.arguments for block in self._blocks(operation.regions)], operation.results)
        self._visited[id(block)] = max(first, end)

    def take(self, block: Block, end: int) -> None:
        """Takes note that the operations of a block up to number `end` are done with."""
        self._visited[id(block)] = end

    def drop(self, *lists: Iterable[int]) -> None:
        """Takes note that values will be defined again, or not any more."""
        names = self.before.names
        for values in lists:
            self._drop_names(values)
            for value in values:
                self._unused.setdefault(names[value], deque()).append(value)

    def _blocks(self, regions: Iterable[Region]) -> list[Block]:
        return [block for region in regions if region.values is self.before for block in region.blocks]

    def _drop_names(self, values: Iterable[int], is_exact: bool = False) -> None:
        """A name that several values had, in different regions, counts as one that differs; `is_exact` says
        that in this region only the one value is meant."""
        for value in values:
            for name in _names(self.before.names[value]):
                is_same = is_exact or self._dropped.get(name, value) == value
                self._dropped[name] = value if is_same else SEVERAL
                self._changed.add(name)

    def leave_block(self) -> None:
        """Takes note that the innermost block that is being read ends."""
        partner = self.open.pop()
        for value in partner.arguments if partner else ():
            for name in _names(self.before.names[value]):
                self._dropped[name] = SEVERAL

    # --- definitions

    def announce(self, operations: Sequence[Operation], places: Sequence[int]) -> None:
        """Makes the results of operations that were taken over visible; `places` are the operations'."""
        values = list(chain.from_iterable([operation.results for operation in operations]))
        names = list(map(self.values.names.__getitem__, values))
        self.names.update(zip(names, values))
        self.names.pop("", None)
        if "#0\n" in "\n".join([*names, ""]):
            for name, value in zip(names, values):
                if name.endswith("#0"):
                    self.names[name[:-2]] = value
        self._announced.append((operations, places))

    def _new(self, type_: Type, name: str, span: Span) -> int:
        self._fresh.update(_names(name))
        self._changed.update(_names(name))
        unused = self._unused.get(name) if name else None
        if unused and self.values.types[unused[0]] == type_:
            value = unused.popleft()
            self.places[value] = span.start
            return value
        self.grown += 1
        return super()._new(type_, name, span)

    def place(self, value: int) -> int:
        """Returns the place of a value, computed at the first request where its operation was taken over."""
        if self.places[value] < 0:
            for operations, places in self._announced:
                for operation, span in zip(operations, places):
                    for result in operation.results:
                        self._operation_places[result] = span
            self._announced.clear()
            self.places[value] = self._name_place(value)
        return self.places[value]

    def _name_place(self, value: int) -> int:
        """Returns where the name of a result is in an operation that was taken over."""
        name, start = self.values.names[value].partition("#")[0], self._operation_places[value]
        match = re.compile(rf"%{re.escape(name)}(?![\w$.-])", re.ASCII).search(self._text, start)
        return match.start() if match else start


def _names(name: str) -> tuple[str, ...]:
    """Returns the names that a value's name defines: the first one of a group also has the group's name."""
    return (name, name[:-2]) if name.endswith("#0") else (name,)
