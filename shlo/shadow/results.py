"""What part of their digits the results of a run lack: the program runs in f64 on its own, which costs much
less than a shadow of each operation, and holds little: arguments are widened for the operations that take
them, and a result is compared, and gone, as soon as it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.costs.op_work import known_bytes
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.execution import execute
from shlo.interpreter.kernel_api import KernelFn
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.liveness import uses_of
from shlo.ir.attributes import StringAttr
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.shadow.measures import digits_lost, errors_relative_to, is_measured, precision_of
from shlo.shadow.widening import F64, widened_module, widened_value
from shlo.transforms.rewriting.purity import is_pure
from shlo.transforms.rewriting.rebuild import (
    remade,
    substituted,
    with_body,
    with_function_type,
    with_replaced,
    with_types,
)

ROUNDING_ALONE: Final = 64 * precision_of(np.dtype(np.float64)).unit
"""How large a result in f64 is for each unit of rounding, where it is rounding alone."""

AT_ONCE: Final = 1 << 18
"""How many elements of a result are compared at once."""

_PART: Final = RankedTensorType((), F64)
_COMPARE: Final = "shlo.compare_result."
"""How the names of custom calls begin that compare a result with that of the number behind."""

_CALL: Final = "stablehlo.custom_call"
_FREE: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.constant"})
"""Operations whose results take no memory, though they are larger than their operands."""


def parts_lost(
    module: Module, arguments: Sequence[Any], options: RunOptions, results: Sequence[Any]
) -> list[float] | None:
    """Returns what part of their digits the results of a run lack, those with floating-point numbers; None
    where the program does not run to its end in f64.

    Errors count beside the largest element; a result that is 0 but for rounding lacks nothing.
    """
    measured = [number for number, value in enumerate(results) if is_measured(value)]
    handlers = {f"{_COMPARE}{number}": partial(_comparing, results[number]) for number in measured}
    comparing = replace(options, handlers={**(options.handlers or {}), **handlers})
    try:
        parts = execute(_comparing_module(module, options.entries[0], measured), arguments, comparing)
    except ExecutionError:
        return None
    return list(map(float, parts))


def _comparing(value: Array, call: CustomCall) -> KernelFn:
    """Returns what compares a result in f64 with that of the run."""
    return partial(_part_lost, np.asarray(value))


def _part_lost(value: Array, wide: Array) -> Any:
    """Returns what part of its digits a result lacks, as the result of a custom call."""
    precision = precision_of(value.dtype)
    pairs = partial(_pieces, value, wide)
    sizes = [np.abs(shadow[np.isfinite(shadow)]).max(initial=precision.least) for _, shadow in pairs()]
    largest = max(sizes)
    if largest * precision.unit <= ROUNDING_ALONE * max(np.abs(one).max() for one, _ in pairs()):
        return np.float64(0)
    error = max(errors_relative_to(one, shadow, largest).max() for one, shadow in pairs())
    return np.float64(digits_lost(error, precision.unit) / precision.digits)


def _pieces(value: Array, wide: Array) -> Iterator[tuple[Array, Array]]:
    """Yields some elements of a result, in f64, and the same ones of the run in f64."""
    elements, shadows = value.reshape(-1), wide.reshape(-1)
    for start in range(0, elements.size, AT_ONCE):
        piece = slice(start, start + AT_ONCE)
        yield widened_value(elements[piece]), shadows[piece]


def _comparing_module(module: Module, entry: str, measured: Sequence[int]) -> Module:
    """Returns a program in f64 that takes the arguments of a function as they are, and returns what compares
    the results of those numbers.
    """
    wide = widened_module(module)
    function, inputs = wide.functions[entry], module.functions[entry].type.inputs
    body = function.body
    if body is None:
        return wide
    table = body.values  # which is this module's alone
    arguments = body.blocks[0].arguments
    widened = {
        value: table.types[value] for value, type_ in zip(arguments, inputs) if table.types[value] != type_
    }
    blocks = [_scheduled(_with_comparisons(block, table, measured), table) for block in body.blocks]
    for value, type_ in zip(arguments, inputs):
        table.types[value] = type_
    region = Region(
        tuple(_with_operations(block, _widening(block, table, widened)) for block in blocks), table
    )
    type_ = FunctionType(inputs, (_PART,) * len(measured))
    operation = function.operation
    changed = remade(operation, with_function_type(operation.signature, type_), regions=(region,))
    return with_body(wide, with_replaced(wide.body, {id(operation): changed}))


def _with_operations(block: Block, operations: Iterable[Operation]) -> Block:
    return Block(list(operations), block.arguments, block.label)


def _with_comparisons(block: Block, table: ValueTable, measured: Sequence[int]) -> Block:
    """Returns the block with comparisons of what it returns, which are returned in its place."""
    *operations, end = block.operations
    if end.name != "func.return":
        return block
    for number in measured:
        signature = Signature(
            _CALL,
            (table.types[end.operands[number]],),
            (_PART,),
            {"call_target_name": StringAttr(f"{_COMPARE}{number}")},
        )
        operations.append(Operation(signature, (end.operands[number],), (table.define(_PART),)))
    parts = tuple(op.results[0] for op in operations[len(operations) - len(measured) :])
    types = (_PART,) * len(parts)
    return _with_operations(block, [*operations, remade(end, with_types(end.signature, types), parts)])


def _scheduled(block: Block, table: ValueTable) -> Block:
    """Returns the block with operations that take no more memory than they free as soon as they have their
    operands.
    """
    operations, order, done = block.operations, list[Operation](), set[int]()
    defined = {value for operation in operations for value in operation.results}
    needs = [defined.intersection(uses_of(operation, table)) for operation in operations]
    users: dict[int, list[int]] = {value: [] for value in defined}
    for number, values in enumerate(needs):
        for value in values:
            users[value].append(number)
    missing = list(map(len, needs))

    def is_lean(number: int) -> bool:
        operation = operations[number]
        freed = sum(known_bytes(table.types[value]) for value in needs[number] if len(users[value]) == 1)
        size = sum(known_bytes(table.types[value]) for value in operation.results)
        if operation.name not in _FREE and size > freed:
            return False
        return is_pure(operation) or _is_comparison(operation)

    lean = [number for number, count in enumerate(missing) if not count and is_lean(number)]
    for first in [*lean, *range(len(operations))]:
        ready = [first]
        while ready:
            number = ready.pop()
            if number in done:
                continue
            done.add(number)
            order.append(operations[number])
            following = [user for value in operations[number].results for user in users[value]]
            for user in following:
                missing[user] -= 1
            ready += [user for user in following if not missing[user] and is_lean(user)]
    return _with_operations(block, order)


def _is_comparison(operation: Operation) -> bool:
    target = operation.attribute("call_target_name") if operation.name == _CALL else None
    return isinstance(target, StringAttr) and target.value.startswith(_COMPARE)


def _widening(block: Block, table: ValueTable, widened: Mapping[int, Type]) -> Iterator[Operation]:
    """Yields the operations of a block, each after conversions of the arguments that it takes."""
    for operation in block.operations:
        new: dict[int, int] = {}
        for value in widened.keys() & set(uses_of(operation, table)):
            new[value] = table.define(widened[value])
            signature = Signature("stablehlo.convert", (table.types[value],), (widened[value],))
            yield Operation(signature, (value,), (new[value],), location=operation.location)
        yield substituted(operation, new, table) if new else operation
