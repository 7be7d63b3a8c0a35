"""Elimination of common subexpressions: an operation that repeats one that is always executed before it gives
that one's results.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator
from typing import Any

from shlo.dialects import has_trait
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.transforms.rewriting.purity import has_no_effect
from shlo.transforms.rewriting.rebuild import (
    block_of,
    collect_uses,
    in_functions,
    with_blocks,
    with_body,
    with_regions,
)
from shlo.verifier.dominance import immediate_dominators

_Known = ChainMap[Any, tuple[int, ...]]
"""Results of operations by their keys, innermost scope first."""


def eliminate_common_subexpressions(module: Module) -> Module:
    """Returns the module without operations that repeat others and without those whose results nothing uses,
    as far as they have no effect; the module itself where there are none.

    What only an eliminated operation used stays: a second run eliminates it.
    """
    return with_body(module, in_functions(module.body, lambda body: _Elimination(body).body()))


class _Elimination:
    """Eliminates operations of one function."""

    def __init__(self, body: Region) -> None:
        self._body = body
        self._table = body.values
        uses: dict[ValueTable, set[int]] = {}
        collect_uses(body, uses)
        self._used = uses.get(self._table, set())
        self._current: dict[int, int] = {}
        self._signatures: dict[Signature, Any] = {}

    def body(self) -> Region:
        """Returns the function's body."""
        return self._region(self._body, ChainMap())

    def _region(self, region: Region, known: _Known) -> Region:
        if region.values is not self._table:
            return _Elimination(region).body()
        if len(region.blocks) <= 1:
            return with_blocks(
                region, tuple(self._block(block, known.new_child()) for block in region.blocks)
            )
        blocks, scopes = list(region.blocks), dict[int, _Known]()
        for index, parent in _from_the_entry(immediate_dominators(region)):
            scopes[index] = scopes.get(parent, known).new_child()
            blocks[index] = self._block(blocks[index], scopes[index])
        return with_blocks(region, tuple(blocks))

    def _block(self, block: Block, known: _Known) -> Block:
        kept = ((index, self._operation(op, known)) for index, op in enumerate(block.operations))
        return block_of(block, [(index, op) for index, op in kept if op is not None])

    def _operation(self, operation: Operation, known: _Known) -> Operation | None:
        """Returns what stays of an operation, None where it goes."""
        updated = self._updated(operation, known)
        if not has_no_effect(operation):
            return updated
        if self._used.isdisjoint(operation.results):
            return None
        if any(len(region.blocks) > 1 for region in operation.regions):
            return updated
        first = known.setdefault(self._key(operation, {}), operation.results)
        if first is operation.results:
            return updated
        self._current.update(zip(operation.results, first))
        return None

    def _updated(self, operation: Operation, known: _Known) -> Operation:
        """Returns the operation with the values that its operands have become, and with its regions."""
        operands = tuple(map(self._now, operation.operands))
        successors = tuple((block, tuple(map(self._now, passed))) for block, passed in operation.successors)
        inner: _Known = ChainMap() if has_trait(operation.name, "closed") else known
        regions = tuple(self._region(region, inner) for region in operation.regions)
        if operands == operation.operands and successors == operation.successors:
            return with_regions(operation, regions)
        return Operation(
            operation.signature, operands, operation.results, regions, successors, operation.location
        )

    def _now(self, value: int) -> int:
        return self._current.get(value, value)

    # --- keys ----------------------------------------------------------------------------------------------

    def _key(self, operation: Operation, inner: dict[int, int]) -> Any:
        """Returns what is equal for operations that do the same; values in `inner` are defined in regions."""
        operands = [inner.get(value, self._now(value)) for value in operation.operands]
        if _may_swap(operation.name):
            operands.sort()
        regions = tuple([self._region_key(region, inner) for region in operation.regions])
        return self._signature_key(operation.signature), tuple(operands), regions

    def _region_key(self, region: Region, inner: dict[int, int]) -> Any:
        if region.values is not self._table:
            inner = {}
        return tuple([self._block_key(block, region.values, inner) for block in region.blocks])

    def _block_key(self, block: Block, table: ValueTable, inner: dict[int, int]) -> Any:
        keys: list[Any] = [tuple(table.types[value] for value in block.arguments)]
        for value in block.arguments:
            inner[value] = ~len(inner)
        for operation in block.operations:
            keys.append(self._key(operation, inner))
            for value in operation.results:
                inner[value] = ~len(inner)
        return tuple(keys)

    def _signature_key(self, signature: Signature) -> Any:
        key = self._signatures.get(signature)
        if key is None:
            entries = (frozenset(entries.items()) for entries in (signature.properties, signature.attributes))
            key = self._signatures[signature] = signature.name, signature.result_types, *entries
        return key


def _may_swap(name: str) -> bool:
    """Returns whether the MLIR tools take an operation as commutative: StableHLO's trait is another one."""
    return has_trait(name, "commutative") and not name.startswith("stablehlo.")


def _from_the_entry(dominators: list[int | None]) -> Iterator[tuple[int, int]]:
    """Yields the blocks that are reached, each with the block that dominates it, which comes before it."""
    waiting = [(0, -1)]
    while waiting:
        index, parent = waiting.pop()
        yield index, parent
        waiting += [(child, index) for child, closest in enumerate(dominators) if closest == index and child]
