"""A graph as text: the tree of its groups with what is in each, which is what the picture shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from shlo.graph.model import Graph
from shlo.text.numbers import number_text, plural

NAMED: Final = 4
"""How many different operations of a group are named: those that occur most often."""
SMALLEST: Final = 4
"""An operation with regions has a line if there are more than this many operations in it."""


def outline_lines(graph: Graph, depth: int | None = None) -> Iterator[str]:
    """Yields a line for each group, as deep as `depth` (all by default): how many operations of which kinds
    are in it and below it, its measures, and where a run saw NaN or infinities."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    kinds: defaultdict[int, Counter[str]] = defaultdict(Counter)  # of groups alone
    special: defaultdict[int, Counter[str]] = defaultdict(Counter)
    totals = {name: [0.0] * len(graph.nodes) for name in graph.measures}
    for number in reversed(range(len(graph.nodes))):
        node = graph.nodes[number]
        is_group = number in kinds
        if node.kind == "op":
            counted = number if is_group else node.parent
            kinds[counted][node.label.partition(" ")[0]] += 1
            if node.nonfinite:
                special[counted][node.nonfinite] += 1
            for name, found in graph.measures.items():
                totals[name][number] += found.get(number, 0)
        if node.parent >= 0:
            if is_group:
                kinds[node.parent].update(kinds[number])
                special[node.parent].update(special[number])
            for sums in totals.values():
                sums[node.parent] += sums[number]
        if is_group and kinds[number].total() > (SMALLEST if node.kind == "op" else 0):
            children[node.parent].insert(0, number)

    def lines(parent: int, level: int) -> Iterator[str]:
        for number in children[parent]:
            node, found = graph.nodes[number], kinds[number]
            most = sorted(found.items(), key=lambda each: (-each[1], each[0]))[:NAMED]
            named = ", ".join(f"{count:,} {kind}" for kind, count in most)
            rest = found.total() - sum(count for _, count in most)
            words = [plural(found.total(), "op"), named + (f", {rest:,} others" if rest else "")]
            words += [f"{_number(sums[number])} {name}" for name, sums in totals.items() if sums[number]]
            words += [f"{plural(count, 'op')} with {word}" for word, count in sorted(special[number].items())]
            line = f":{node.line}" if node.line else ""
            yield f"{'  ' * level}{node.label}{line}  {'; '.join(filter(None, words))}"
            if depth is None or level + 1 < depth:
                yield from lines(number, level + 1)

    yield from lines(-1, 0)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() else number_text(value)
