"""What is made of a program to compare it: its operations apart from each other, many programs as one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shlo.dialects.constants import is_constant
from shlo.interpreter.program.liveness import uses_of
from shlo.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import SYMBOL_NAME, Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import FunctionType, Type
from shlo.transforms import canonicalize_dynamism

MAIN = "main"


class Apart(Struct, frozen=True):
    """A program's operations, apart from each other.

    Args:
        function: gives the results of all operations, each of them behind a barrier, so that none is fused
            with another.
        check: a module whose `@main` gives the same results, of operands that are its arguments: those of the
            program, and all results.
        operations: the operations whose results these are, in their order; constants left out.
    """

    function: Operation
    check: Module
    operations: Sequence[Operation]


def apart(module: Module) -> Apart:
    """Returns the operations of a program's `@main` apart from each other."""
    function = module.functions[MAIN].operation
    region = function.regions[0]
    (block,), table = region.blocks, region.values
    constants = [operation for operation in block.operations if is_constant(operation)]
    operations = [operation for operation in block.operations[:-1] if not is_constant(operation)]
    results = [value for result in operations for value in result.results]
    behind: list[Operation] = []
    for operation in block.operations[:-1]:
        if is_constant(operation):
            behind.append(operation)
            continue
        raw = _with_results(operation, table)
        barrier = Signature("stablehlo.optimization_barrier", operation.result_types, operation.result_types)
        behind += [raw, Operation(barrier, raw.results, operation.results)]
    fresh = [_with_results(operation, table) for operation in operations]
    defined = [value for result in fresh for value in result.results]
    arguments = (*block.arguments, *results)
    check = _function(MAIN, [*constants, *fresh], arguments, defined, table)
    return Apart(
        _function(MAIN, behind, block.arguments, results, table),
        _with_functions(module, check),
        operations,
    )


def alone(module: Module, operation: Operation) -> tuple[Module, tuple[int, ...]]:
    """Returns a module of one operation of a program's `@main`, with the constants and functions of the
    program; and the values that are its arguments.
    """
    region = main_of(module).regions[0]
    table = region.values
    constants = [block for block in region.blocks[0].operations if is_constant(block)]
    constant_values = {value for result in constants for value in result.results}
    used = dict.fromkeys(uses_of(operation, table))
    inputs = tuple(number for number in used if number not in constant_values)
    used_constants = [constant for constant in constants if constant.results[0] in used]
    main = _function(MAIN, [*used_constants, operation], inputs, operation.results, table)
    return canonicalize_dynamism(_with_functions(module, main)), inputs


def _with_results(operation: Operation, table: ValueTable) -> Operation:
    """Returns an operation with new results."""
    results = tuple(table.define(type_) for type_ in operation.result_types)
    return Operation(operation.signature, operation.operands, results, operation.regions)


def _function(
    name: str,
    operations: Sequence[Operation],
    arguments: Sequence[int],
    returned: Sequence[int],
    table: ValueTable,
    is_private: bool = False,
) -> Operation:
    """Returns a function of these operations."""
    inputs = tuple(table.types[value] for value in arguments)
    results = tuple(table.types[value] for value in returned)
    end = Operation(Signature("func.return", results), tuple(returned))
    body = Region((Block([*operations, end], tuple(arguments)),), table)
    return Operation(_signature(name, inputs, results, is_private), regions=(body,))


def _signature(name: str, inputs: tuple[Type, ...], results: tuple[Type, ...], is_private: bool) -> Signature:
    properties = {SYMBOL_NAME: StringAttr(name), "function_type": TypeAttr(FunctionType(inputs, results))}
    if is_private:
        properties["sym_visibility"] = StringAttr("private")
    return Signature("func.func", properties=properties)


def _with_functions(module: Module, main: Operation) -> Module:
    """Returns a module with another `@main` beside the same functions."""
    block = module.body.blocks[0]
    others = [operation for operation in block.operations if operation.symbol != MAIN]
    return module_of([*others, main])


def module_of(functions: Sequence[Operation]) -> Module:
    """Returns a module of functions."""
    region = Region((Block(list(functions)),), ValueTable())
    return Module(Operation(Signature("builtin.module"), regions=(region,)))


def joined(modules: Sequence[Module], mains: Sequence[Operation]) -> Module:
    """Returns a module whose `@main` calls all programs one after the other, with sizes that constants tell.

    Args:
        modules: the programs, whose private functions have different names.
        mains: what takes the place of their `@main`.
    """
    functions: list[Operation] = []
    table = ValueTable()
    calls: list[Operation] = []
    for number, (module, main) in enumerate(zip(modules, mains)):
        functions += [block for block in module.body.blocks[0].operations if block.symbol != MAIN]
        kind = main.signature.properties["function_type"]
        assert isinstance(kind, TypeAttr)
        assert isinstance(kind.value, FunctionType)
        inputs, results = kind.value.inputs, kind.value.results
        name = f"program{number}"
        functions.append(Operation(_signature(name, inputs, results, True), regions=main.regions))
        given = tuple(table.define(type_) for type_ in inputs)
        call = Signature("func.call", inputs, results, {"callee": SymbolRefAttr(name)})
        calls.append(Operation(call, given, tuple(table.define(type_) for type_ in results)))
    arguments = [value for operand in calls for value in operand.operands]
    returned = [value for result in calls for value in result.results]
    main = _function(MAIN, calls, arguments, returned, table)
    return canonicalize_dynamism(module_of([*functions, main]))


def main_of(module: Module) -> Operation:
    """Returns a program's `@main`."""
    return module.functions[MAIN].operation
