"""Runs of operations: what the outline keeps of a chunk from one edition to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.ir.locations import Location
from shlo.ir.operations import BROKEN, Block, Operation
from shlo.language.chunks import has_inside
from shlo.language.index.op_names import RESULTS

BIG = 20_000
"""How many characters an operation's text has that is never one of many on a page."""

Scope = tuple[str, ...]
ScopeOf = Callable[[Location], Scope | None]


class Named(NamedTuple):
    """The names of operations' results, the operations' own, and how long the first are in the text."""

    names: list[str]
    operations: list[str]
    lengths: Array


class Run(Struct, eq=False):
    """Operations of a chunk, from number `first` to before `last`: one, or several that are each `is_plain`:
    with results, no operations inside, no symbol, and not BIG. `scope` is what their locations name, None
    where they say nothing, so that they belong to where the one before does.

    One object as long as the operations are the same, in their insides, too; compared by identity.
    """

    first: int
    last: int
    scope: Scope | None
    is_plain: bool
    _named: Named | None = None

    def named(self, operations: list[Operation], text: str, places: Array) -> Named:
        """Returns the names of results and operations, the same lists whenever it is asked.

        Args:
            operations: Those of the chunk.
            text: The program.
            places: Where the run's operations start and end in it, of shape [2, operations].
        """
        if self._named is None:
            own = [each.signature.name for each in operations[self.first : self.last]]
            names: list[str] = []
            lengths: list[int] = []
            for name, start, end in zip(own, *places.tolist(), strict=True):
                match = RESULTS.match(text, start, end)
                result = match[0].rstrip("= \t\n") if match else ""
                lengths.append(len(result))
                names.append(result or name)
            self._named = Named(names, own, np.array(lengths, np.int64))
        return self._named


def runs_of(scope_of: ScopeOf, block: Block, start: int, stop: int) -> list[Run]:
    """Returns the operations of a block from number `start` to before `stop` as runs."""
    runs: list[Run] = []
    for number in range(start, stop):
        operation = block.operations[number]
        location = operation.location
        has_scope = location is not None and not operation.signature.name.endswith(".constant")
        scope = scope_of(location) if has_scope and location is not None else None
        is_plain = (
            bool(operation.results)
            and not has_inside(operation)
            and operation.symbol is None
            and operation.signature.name != BROKEN
            and block.ends[number] - block.starts[number] < BIG
        )
        at = number - start
        last = runs[-1] if runs else None
        if last is not None and is_plain and last.is_plain and scope in (None, last.scope):
            runs[-1] = Run(last.first, at + 1, last.scope, True)
        else:
            runs.append(Run(at, at + 1, scope, is_plain))
    return runs
