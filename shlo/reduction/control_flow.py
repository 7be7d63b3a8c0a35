"""Candidates with less control flow: a region or called function as the entry function, or in place of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.interpreter.program.code import callee_attribute
from shlo.interpreter.program.liveness import captures_of
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.operations import Block, Function, Operation, Region, Signature
from shlo.ir.types import FunctionType
from shlo.reduction.candidate import (
    RETURN,
    Candidate,
    Execution,
    Values,
    adopted,
    changed,
    function_signature,
    with_block,
)
from shlo.transforms.rewriting.driver import Copying
from shlo.transforms.rewriting.rebuild import reached_from, substituted

CALL = -1
"""The number of an execution's region where a function was called."""


def is_control_flow(operation: Operation) -> bool:
    """Returns whether an operation runs regions, or a function, as control flow does."""
    op_def = find_op_def(operation.name)
    return op_def is not None and op_def.control_flow in ("while", "branch", "count", "call")


def hoisted(candidate: Candidate, index: int) -> Iterator[Candidate]:
    """Yields candidates whose entry function is what an operation of it runs: a called function, or a region,
    on the values of each known execution of it, else on random values.
    """
    operation = candidate.block.operations[index]
    executions = [execution for execution in candidate.executions if execution[0] == index]
    function = callee_of(candidate, operation)
    if function is not None:
        for _, _, values in executions or [(index, CALL, {})]:
            yield with_entry(candidate, function, values)
        return
    nothing: Values = {}
    missing: list[Execution] = [
        (index, number, nothing)
        for number in range(len(operation.regions))
        if all(execution[1] != number for execution in executions)
    ]
    for execution in (*executions, *missing):
        built = _region_as_entry(candidate, operation, execution)
        if built is not None:
            yield built


def callee_of(candidate: Candidate, operation: Operation) -> Function | None:
    """Returns the function that an operation calls, which has a body of one block; None where it does not."""
    name = callee_attribute(operation)
    symbol = None if name is None else operation.attribute(name)
    if not isinstance(symbol, SymbolRefAttr) or symbol.nested:
        return None
    function = candidate.module.functions.get(symbol.root)
    return function if function and function.body and len(function.body.blocks) == 1 else None


def with_entry(candidate: Candidate, function: Function, values: Values) -> Candidate:
    """Returns the candidate with a function as its entry, on values by the numbers that they have in it."""
    assert function.body is not None
    signature = function_signature(candidate.entry, function.type)
    public = Operation(signature, regions=function.operation.regions)
    new = {id(function.operation): public, id(candidate.function): function.operation}
    module = changed(candidate.module, lambda operation: new.get(id(operation), operation))
    built = adopted(module, candidate.entry)
    pairs = zip(function.body.blocks[0].arguments, built.block.arguments)
    return replace(built, values={new: values[old] for old, new in pairs if old in values}, fixed=0)


def _region_as_entry(candidate: Candidate, operation: Operation, execution: Execution) -> Candidate | None:
    """Returns the candidate whose entry function is a region; None where that is no block that ends."""
    region = operation.regions[execution[1]]
    if len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    table, outer = region.values, candidate.body.values
    end = block.operations[-1]
    if end.results or end.regions:
        return None
    captured = [value for value in captures_of(operation, outer) if table is outer]
    arguments = (*captured, *block.arguments)
    results = tuple(table.types[value] for value in end.operands)
    kind = FunctionType(tuple(table.types[value] for value in arguments), results)
    operations = [*block.operations[:-1], Operation(Signature(RETURN, results), end.operands)]
    body = Region((Block(operations, arguments),), table)
    function = Operation(function_signature(candidate.entry, kind), regions=(body,))
    module = changed(
        candidate.module, lambda operation: function if operation is candidate.function else operation
    )
    values = {**(candidate.values if table is outer else {}), **execution[2]}
    values_known = {value: values[value] for value in arguments if value in values}
    return Candidate(reached_from(module, candidate.entry), candidate.entry, values_known)


def inlined(candidate: Candidate, index: int) -> Iterator[Candidate]:
    """Yields candidates with what an operation of the entry function runs in its place, once: the body of the
    function that it calls, the branch that was taken, the body of a loop.
    """
    operation = candidate.block.operations[index]
    function = callee_of(candidate, operation)
    table = candidate.body.values
    if function is not None:
        assert function.body is not None
        block = function.body.blocks[0]
        numbers = dict(zip(block.arguments, operation.operands))
        copying = Copying(table, function.body.values, numbers)
        *body, end = [copying.operation(inner) for inner in block.operations]
        yield _with_body(candidate, index, body, end.operands)
        return
    entered = [execution[1] for execution in candidate.executions if execution[0] == index]
    for number in dict.fromkeys((*reversed(entered), *reversed(range(len(operation.regions))))):
        region = operation.regions[number]
        if len(region.blocks) != 1 or region.values is not table:
            continue
        block = region.blocks[0]
        operands = operation.operands[len(operation.operands) - len(block.arguments) :]
        new = dict(zip(block.arguments, operands))
        if [table.types[value] for value in new.values()] != [table.types[value] for value in new]:
            continue
        *body, end = [substituted(inner, new, table) for inner in block.operations]
        if [table.types[value] for value in end.operands] == list(operation.result_types):
            yield _with_body(candidate, index, body, end.operands)


def _with_body(
    candidate: Candidate, index: int, body: Sequence[Operation], results: Sequence[int]
) -> Candidate:
    """Returns the candidate with operations, and their results, in the place of one of its entry function."""
    table, block = candidate.body.values, candidate.block
    new = dict(zip(block.operations[index].results, results))
    *after, end = [substituted(following, new, table) for following in block.operations[index + 1 :]]
    operations = [*block.operations[:index], *body, *after]
    values = {
        argument: candidate.values[argument] for argument in block.arguments if argument in candidate.values
    }
    built = with_block(candidate, operations, block.arguments, end.operands, values)
    return replace(built, module=reached_from(built.module, built.entry))
