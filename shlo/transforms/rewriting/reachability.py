"""Programs without the functions that a function does not reach."""

from __future__ import annotations

from shlo.ir.operations import Block, Module, Operation, Region
from shlo.ir.symbols import symbols_in


def reached_from(module: Module, entry: str) -> Module:
    """Returns the module without the functions that a function does not reach, and without a source; other
    symbols stay.
    """
    functions = {name: function.operation for name, function in module.functions.items()}
    waiting, found = [entry], set[str]()
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found.add(name)
            waiting += symbols_in(functions[name])
    left_out = {id(operation) for name, operation in functions.items() if name not in found}
    (block,) = module.body.blocks
    kept = [each for each in block.operations if id(each) not in left_out]
    region = Region((Block(kept),), module.body.values)
    return Module(Operation(module.operation.signature, regions=(region,)), resources=module.resources)
