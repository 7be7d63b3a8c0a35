"""Modules of operations that are taken out of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shlo.ir.attributes import StringAttr, TypeAttr
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import FunctionType
from shlo.transforms.rewriting.driver import Copying


def module_of_one(operation: Operation, inputs: Sequence[int], table: ValueTable) -> Module:
    """Returns a module whose `@main` carries out one operation on `inputs`: its operands, and what its
    regions use from outside.
    """
    return _module_of_main([operation], inputs, operation.results, table)


def module_of(
    operations: Sequence[Operation],
    inputs: Sequence[int],
    results: Sequence[int],
    table: ValueTable,
    resources: Mapping[tuple[str, ...], str | bytes] | None = None,
    symbols: Sequence[Operation] = (),
    name: str = "main",
) -> Module:
    """Returns a module whose function carries out copies of operations, whose values have no names: the same
    operations give the same text wherever they are.

    Args:
        operations: what is carried out, in this order.
        inputs: the values that become arguments.
        results: the values that are returned.
        table: the values of the function that the operations are in.
        resources: those of its module.
        symbols: functions and others that the operations name.
        name: what the function is called.
    """
    types = [table.types[value] for value in inputs]
    own = ValueTable(types, [""] * len(types))
    copying = Copying(own, table, dict(zip(inputs, range(len(types)))))
    copies = [copying.operation(operation) for operation in operations]
    returned = [copying.numbers[value] for value in results]
    own.names[:] = [""] * len(own.names)
    return _module_of_main(copies, tuple(range(len(inputs))), returned, own, resources, symbols, name)


def _module_of_main(
    operations: Sequence[Operation],
    inputs: Sequence[int],
    results: Sequence[int],
    table: ValueTable,
    resources: Mapping[tuple[str, ...], str | bytes] | None = None,
    symbols: Sequence[Operation] = (),
    name: str = "main",
) -> Module:
    inner, outer = (tuple(table.types[value] for value in values) for values in (inputs, results))
    end = Operation(Signature("func.return", outer), tuple(results))
    body = Region((Block([*operations, end], tuple(inputs)),), table)
    properties = {"sym_name": StringAttr(name), "function_type": TypeAttr(FunctionType(inner, outer))}
    main = Operation(Signature("func.func", properties=properties), regions=(body,))
    region = Region((Block([main, *symbols]),), ValueTable())
    return Module(Operation(Signature("builtin.module"), regions=(region,)), resources=resources or {})
