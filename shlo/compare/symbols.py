"""Symbols of two programs in pairs: by what they hold, so that a function with another name is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Final

from msgspec import Struct

from shlo.compare.keys import Keys, Numbers
from shlo.ir.operations import Block, Module, Operation, Region, inner_operations
from shlo.ir.symbols import symbols_in

SIMILAR: Final = 0.5
"""Which share of the operations of two functions with different names must be alike for them to be one."""

CANDIDATES: Final = 64
"""With how many functions one is compared that has no equal in the other program."""


class ComparedSymbol(Struct, frozen=True, dict=True):
    """A function, or another operation with a name, directly in a module; `key` is that of what it holds."""

    name: str
    operation: Operation
    key: int

    @cached_property
    def names(self) -> Counter[str]:
        """How often each operation is inside."""
        return Counter(inner.name for inner in inner_operations(self.operation))

    @property
    def is_top_level(self) -> bool:
        """Whether this is what is in a program outside of its symbols."""
        return not self.name


SymbolPair = tuple[ComparedSymbol | None, ComparedSymbol | None]


def symbols_of(module: Module, numbers: Numbers) -> list[ComparedSymbol]:
    """Returns the symbols of a module. The key of one has the keys of those that it calls in it; one that
    calls itself has its own name there."""
    operations = module.symbols
    by_name: dict[str, int] = {}
    for name in _callees_first(operations):
        keys = Keys(numbers, by_name)
        operation = operations[name]
        regions = tuple(map(keys.region, operation.regions))
        by_name[name] = numbers((keys.signature(operation), regions))
    return [ComparedSymbol(name, operation, by_name[name]) for name, operation in operations.items()]


def top_level(module: Module, numbers: Numbers) -> ComparedSymbol:
    """Returns what is in a module outside of its symbols, under no name: operations of a bare program."""
    blocks = tuple(
        Block([operation for operation in block.operations if not operation.symbol], block.arguments)
        for block in module.body.blocks
    )
    region = Region(blocks, module.body.values)
    operation = Operation(module.operation.signature, regions=(region,))
    return ComparedSymbol("", operation, Keys(numbers, {}).region(region))


def _callees_first(operations: dict[str, Operation]) -> list[str]:
    """Returns the names so that one comes behind those that it names, where there is no cycle."""
    done: dict[str, None] = {}
    entered: set[str] = set()
    pending = [(name, False) for name in reversed(operations)]
    while pending:
        name, is_left = pending.pop()
        if is_left:
            done[name] = None
        elif name not in entered:
            entered.add(name)
            pending.append((name, True))
            callees = dict.fromkeys(symbols_in(operations[name]))
            pending += [(callee, False) for callee in callees if callee in operations]
    return list(done)


def paired(before: Sequence[ComparedSymbol], after: Sequence[ComparedSymbol]) -> list[SymbolPair]:
    """Returns the symbols in pairs, in the order of the first program, those that only the second has last.

    Those of one name and content belong together, then those of one content, of one name, and of similar
    content.
    """
    pairs: dict[str, ComparedSymbol] = {}
    left = {symbol.name: symbol for symbol in after}
    for symbol in before:
        other = left.get(symbol.name)
        if other is not None and other.key == symbol.key:
            pairs[symbol.name] = left.pop(symbol.name)
    by_key: dict[int, list[ComparedSymbol]] = {}
    for symbol in left.values():
        by_key.setdefault(symbol.key, []).append(symbol)
    for symbol in before:
        if symbol.name not in pairs and by_key.get(symbol.key):
            pairs[symbol.name] = by_key[symbol.key].pop(0)
            del left[pairs[symbol.name].name]
    for symbol in before:
        if symbol.name not in pairs and symbol.name in left:
            pairs[symbol.name] = left.pop(symbol.name)
    for symbol in before:
        if symbol.name not in pairs and left:
            candidates = islice(left.values(), CANDIDATES)
            likeness, best = max(
                ((_likeness(symbol, candidate), candidate) for candidate in candidates), key=itemgetter(0)
            )
            if likeness > SIMILAR:
                pairs[symbol.name] = left.pop(best.name)
    return [
        *((symbol, pairs.get(symbol.name)) for symbol in before),
        *((None, symbol) for symbol in left.values()),
    ]


def _likeness(symbol: ComparedSymbol, other: ComparedSymbol) -> float:
    """Returns the share of operations that two symbols have in common, 0 for different kinds."""
    if symbol.operation.name != other.operation.name:
        return 0.0
    union = (symbol.names | other.names).total()
    return (symbol.names & other.names).total() / union if union else 0.0
