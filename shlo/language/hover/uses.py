"""How often a value is used, in words; bounded, as a function may have a hundred thousand operations."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from shlo.ir.operations import Operation
from shlo.language.hover.markdown import code
from shlo.language.index.scope import operands_of
from shlo.language.index.values import Value
from shlo.text.numbers import plural

MAX_SEEN = 10_000
"""How many operations behind a definition are looked at."""
SHOWN = 4
"""How many names of operations are shown."""


def uses_text(value: Value) -> str:
    """Returns how many uses a value has and by which operations, in Markdown."""
    own = frozenset(value.values)
    counts: Counter[str] = Counter()
    seen = 0
    stack = _behind(value)
    while stack and seen < MAX_SEEN:
        operations = stack.pop()[: MAX_SEEN - seen]
        seen += len(operations)
        for operation in _worth_a_look(operations, own):
            counts[operation.name] += sum(each in own for each in operands_of(operation))
            regions = [each for each in operation.regions if each.values is value.scope.table]
            stack += [block.operations for region in regions for block in region.blocks]
    counts = +counts
    is_cut = seen >= MAX_SEEN
    if not counts:
        return f"Not used by the next {MAX_SEEN:,} operations." if is_cut else "Not used."
    names = ", ".join(
        code(name) + (f" × {count}" if count > 1 else "") for name, count in counts.most_common(SHOWN)
    )
    more = ", …" if len(counts) > SHOWN else ""
    return f"{plural(counts.total(), 'use')}{' at least' if is_cut else ''}: {names}{more}"


def _worth_a_look(operations: Sequence[Operation], values: frozenset[int]) -> list[Operation]:
    """Returns the operations that use one of some values, or may in a successor or inside."""
    if len(values) == 1:  # the quickest way is worth its line here
        [only] = values
        return [each for each in operations if only in each.operands or each.regions or each.successors]
    return [
        each for each in operations if not values.isdisjoint(each.operands) or each.regions or each.successors
    ]


def _behind(value: Value) -> list[Sequence[Operation]]:
    """Returns the operations of the value's region that may use it: those behind its definition."""
    owner = value.owner
    if owner is None:
        return []
    place = owner.place
    if owner.region is not None:
        blocks = place.operation.regions[owner.region].blocks
        return [block.operations for block in blocks[owner.block or 0 :]]
    if place.parent is None:
        return []
    blocks = place.parent.operation.regions[place.region].blocks[place.block :]
    first = bisect_left(blocks[0].starts, place.start - place.parent.start)
    return [*(block.operations for block in blocks[1:]), blocks[0].operations[first : first + MAX_SEEN]]
