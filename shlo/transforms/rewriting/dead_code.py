"""Dead code elimination: operations without effects whose results are unused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial

from shlo.dialects import has_trait, runs_regions
from shlo.dialects.constants import is_constant
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Block, Module, Operation, Region, ValueTable, inner_operations, walk
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.purity import is_pure
from shlo.transforms.rewriting.rebuild import block_of, collect_uses, in_functions, with_body, with_regions
from shlo.verifier.op_cursor import is_terminator


def hoisted_constants(module: Module) -> Module:
    """Returns the module with the constants of each function at its start, the last one first, and equal ones
    once; the module itself where they are.

    Constants that are at the start already keep their order; those in regions that use nothing from outside
    stay.
    """
    return rewrite(module, hoisting_rules())


def hoisting_rules() -> dict[str, Rule]:
    """Returns the rules that move constants to the starts of functions."""
    tables: dict[Rewriter, HoistedConstants] = {}

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        if rewriter not in tables:
            tables[rewriter] = HoistedConstants(rewriter.original)
        return tables[rewriter].hoist(rewriter, operation)

    return dict.fromkeys(("stablehlo.constant", "chlo.constant"), rule)


class HoistedConstants:
    """The constants of a function, given its body."""

    def __init__(self, body: Region) -> None:
        self._first = body.blocks[0].operations
        self._leading = 0
        self._known: dict[tuple[str, DenseElementsAttr, bool], ValueRef] = {}
        self._closed = {
            id(inner)
            for operation, _ in walk(body)
            if has_trait(operation.name, "closed")
            for inner in inner_operations(operation)
        }

    def hoist(self, rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        """Returns the value of an equal constant, or of this one at the start of the function; None where it
        is there.
        """
        value = operation.attribute("value")
        if not isinstance(value, DenseElementsAttr) or operation.signature.attributes:
            return None
        if id(operation) in self._closed:
            return None
        is_leading = self._leading < len(self._first) and self._first[self._leading] is operation
        self._leading += is_leading
        key = (operation.name, value, operation.result_types[0] == value.type)
        if key in self._known:
            return [self._known[key]]
        (result,) = operation.results
        self._known[key] = rewriter.ref(result)
        if is_leading:
            return None
        rewriter.prologue.insert(0, operation)
        return [rewriter.ref(result)]


MAX_ROUNDS = 32
_BARRIER = "stablehlo.optimization_barrier"
"""A barrier whose results nothing uses holds nothing back."""
_NONE: frozenset[str] = frozenset()


def without_dead_code(module: Module, removable: Set[str] = _NONE) -> Module:
    """Returns the module without operations that have no effect and no uses; the module itself where there
    are none.

    Args:
        module: the module to prune.
        removable: the names of other operations that may go.
    """
    names = removable | {_BARRIER}

    def is_removable(operation: Operation) -> bool:
        if runs_regions(operation.name):  # which has the effects of what it contains; loops are taken to end
            return all(
                is_removable(inner) or is_terminator(inner)
                for region in operation.regions
                for block in region.blocks
                for inner in block.operations
            )
        return operation.name in names or is_constant(operation) or is_pure(operation)

    return with_body(module, in_functions(module.body, partial(without_unused, is_removable=is_removable)))


def without_unused(body: Region, is_removable: Callable[[Operation], bool]) -> Region:
    """Returns a function's body without the operations that may go and that nothing uses."""
    return Pruning(set(range(len(body.values.types))), is_removable).pruned(body)


def until_unchanged(module: Module, step: Callable[[Module], Module], start: Module | None = None) -> Module:
    """Returns what a step makes of a module (or of `start`, made from it), repeated until nothing changes, at
    most MAX_ROUNDS times, and with equal constants once; the module itself where nothing changes.
    """
    built = start or module
    for _ in range(MAX_ROUNDS):
        following = step(built)
        if following is built:
            break
        built = following
    return built if built is module else hoisted_constants(built)


class Pruning:
    """Leaves operations out of a function that have lost all uses: `used` are the values that something used
    before, `is_removable` says of an operation whether it may go. What was never used stays.
    """

    def __init__(self, used: Set[int], is_removable: Callable[[Operation], bool]) -> None:
        self._used = used
        self._is_removable = is_removable
        self._needed: set[int] = set()

    def pruned(self, region: Region) -> Region:
        """Returns the function's body without these operations."""
        return self._region(region, region.values)

    def _region(self, region: Region, table: ValueTable) -> Region:
        if region.values is not table:
            return region
        if len(region.blocks) != 1:  # what one block uses, another one before it may define
            uses: dict[ValueTable, set[int]] = {}
            collect_uses(region, uses)
            self._needed |= uses[table]
            return region
        block = self._block(region.blocks[0], table)
        return region if block is region.blocks[0] else Region((block,), table)

    def _block(self, block: Block, table: ValueTable) -> Block:
        staying = list(self._kept(block, table))
        return block_of(block, reversed(staying))

    def _kept(self, block: Block, table: ValueTable) -> Iterator[tuple[int, Operation]]:
        """Yields the operations that stay, the last one first: what uses a value is below it."""
        for index in range(len(block.operations) - 1, -1, -1):
            operation = block.operations[index]
            if self._is_dead(operation):
                continue
            self._needed.update(operation.operands)
            regions = tuple(self._region(region, table) for region in operation.regions)
            yield index, with_regions(operation, regions)

    def _is_dead(self, operation: Operation) -> bool:
        results = operation.results
        has_lost_uses = self._needed.isdisjoint(results) and not self._used.isdisjoint(results)
        return has_lost_uses and self._is_removable(operation)
