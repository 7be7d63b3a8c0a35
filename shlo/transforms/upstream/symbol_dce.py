"""Removal of symbols that nothing uses: private functions, and others that only their module can see."""

from __future__ import annotations

from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Module, Operation, Region, symbol_table
from shlo.ir.symbols import symbols_in
from shlo.transforms.rewriting.rebuild import block_of, with_blocks, with_body, with_regions


def remove_unused_symbols(module: Module) -> Module:
    """Returns the module without symbols that neither are public nor are reached from what stays; the module
    itself where all are. In modules inside it, only private symbols go.
    """
    return with_body(module, _without_unused(module.body, ("private", "nested")))


def _without_unused(region: Region, hidden: tuple[str, ...]) -> Region:
    symbols = symbol_table(region)
    operations = [operation for block in region.blocks for operation in block.operations]
    waiting = [operation for operation in operations if _visibility(operation) not in hidden]
    live = set(map(id, waiting))
    while waiting:
        for name in symbols_in(waiting.pop()):
            if name in symbols and id(symbols[name]) not in live:
                live.add(id(symbols[name]))
                waiting.append(symbols[name])
    blocks = (
        block_of(block, ((i, _inside(op)) for i, op in enumerate(block.operations) if id(op) in live))
        for block in region.blocks
    )
    return with_blocks(region, tuple(blocks))


def _visibility(operation: Operation) -> str:
    visibility = operation.attribute("sym_visibility")
    return visibility.value if isinstance(visibility, StringAttr) and operation.symbol else "public"


def _inside(operation: Operation) -> Operation:
    """Returns a nested module without its unused symbols, any other operation as it is."""
    if operation.name != "builtin.module":
        return operation
    return with_regions(
        operation, tuple(_without_unused(region, ("private",)) for region in operation.regions)
    )
