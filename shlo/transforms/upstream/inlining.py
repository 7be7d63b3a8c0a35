"""Calls replaced by the bodies of the functions that they call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.recursion import recursive
from shlo.ir.symbols import symbols_in
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.rebuild import block_of, with_blocks, with_body, with_regions
from shlo.transforms.upstream.canonicalization import canonical_body


@recursive
def inline(module: Module) -> Module:
    """Returns the module with the bodies of functions in place of calls, in canonical form, and without
    private functions that nothing uses then; the module itself where all is so.

    Calls of recursive functions, of functions of several blocks and those that say `no_inline` stay.
    """
    inlining = _Inlining(module)
    blocks = (
        block_of(block, enumerate(map(inlining.inlined, block.operations))) for block in module.body.blocks
    )
    return with_body(module, _without_unused_functions(with_blocks(module.body, tuple(blocks))))


class _Inlining:
    """Inlines calls in the functions of one module, those that are called first."""

    def __init__(self, module: Module) -> None:
        self._functions = {name: function.operation for name, function in module.functions.items()}
        self._done: dict[str, Operation | None] = {}
        self._recursive: set[str] = set()

    def inlined(self, operation: Operation) -> Operation:
        """Returns a function without the calls that it need not have; any other operation as it is."""
        name = operation.symbol
        if name is None or self._functions.get(name) is not operation:
            return operation
        done = self._done.get(name)
        if done is None:
            self._done[name] = None
            done = self._done[name] = with_regions(operation, tuple(map(self._body, operation.regions)))
        return done

    def _body(self, region: Region) -> Region:
        body = canonical_body(region) if region.blocks else region
        built = Rewriter(body, {"func.call": self._call}).rewritten()
        return body if built is body else canonical_body(built)

    def _call(self, rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        callee = operation.attribute("callee")
        function = self._functions.get(callee.root) if isinstance(callee, SymbolRefAttr) else None
        if function is None or operation.attribute("no_inline") or function.attribute("no_inline"):
            return None
        assert isinstance(callee, SymbolRefAttr)
        if callee.root in self._done and self._done[callee.root] is None:
            self._recursive.add(callee.root)
            return None
        (body,) = self.inlined(function).regions
        if len(body.blocks) != 1 or callee.root in self._recursive:
            return None
        return rewriter.inlined(body, rewriter.refs(operation.operands), operation.location)


def _without_unused_functions(region: Region) -> Region:
    """Returns the region without private functions that nothing names, but with what others define."""
    (block,) = region.blocks
    uses = Counter(name for operation in block.operations for name in set(symbols_in(operation)))
    kept = [
        (index, operation)
        for index, operation in enumerate(block.operations)
        if operation.is_public
        or not operation.regions
        or not operation.regions[0].blocks
        or uses[operation.symbol or ""] > 0
    ]
    built = with_blocks(region, (block_of(block, kept),))
    return region if built is region else _without_unused_functions(built)
