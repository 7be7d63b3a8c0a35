"""Control flow, calls and tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.fuzzing.scope import NotHere, Scope, Value, operation_text, region_text
from shlo.ir.types import I1, I32, RankedTensorType, TupleType

DEEPEST: Final = 2
"""How many blocks with control flow may be inside of each other."""


def _require_depth(scope: Scope) -> None:
    if scope.depth >= DEEPEST:
        raise NotHere


def _results(scope: Scope) -> list[RankedTensorType]:
    """Returns types for results: those of values in sight, or others where there are none."""
    make = scope.make
    types = [value.type for value in scope.values]
    if not types:
        types = [RankedTensorType(make.shape(make.integer(0, 2)), scope.element()) for _ in range(2)]
    return [make.choice(types) for _ in range(make.integer(1, 3))]


def _filled(block: Scope, count: int) -> None:
    """Writes operations into a block."""
    for _ in range(count):
        block.draft.write_any(block)


def _branch(scope: Scope, types: Sequence[RankedTensorType]) -> str:
    """Returns a region that gives values of some types."""
    block, _ = scope.inner()
    _filled(block, scope.make.integer(0, 3))
    returned = [block.value(type_.static_shape, type_.element_type) for type_ in types]
    return region_text(block, (), returned)


def if_(scope: Scope, op: str) -> None:
    """Writes an if."""
    _require_depth(scope)
    types = _results(scope)
    condition = scope.value((), I1)
    scope.write(op, (condition,), types, regions=[_branch(scope, types) for _ in range(2)])


def case(scope: Scope, op: str) -> None:
    """Writes a case, whose index may be that of no branch."""
    _require_depth(scope)
    types = _results(scope)
    index = scope.value((), I32, is_small=True)
    regions = [_branch(scope, types) for _ in range(scope.make.integer(1, 3))]
    scope.write(op, (index,), types, regions=regions)


def while_(scope: Scope, op: str) -> None:
    """Writes a loop of up to four iterations."""
    _require_depth(scope)
    make = scope.make
    types = [*_results(scope), RankedTensorType((), I32)]
    start = scope.constant(np.asarray(0, np.int32))
    operands = [*(scope.value(type_.static_shape, type_.element_type) for type_ in types[:-1]), start]
    condition, before = scope.inner(types)
    limit = condition.constant(np.asarray(make.integer(0, 4), np.int32))
    goes_on = condition.write(
        "stablehlo.compare",
        (before[-1], limit),
        (RankedTensorType((), I1),),
        "comparison_direction = #stablehlo<comparison_direction LT>",
    )
    body, arguments = scope.inner(types)
    _filled(body, make.integer(0, 3))
    one = body.constant(np.asarray(1, np.int32))
    (counter,) = body.write("stablehlo.add", (arguments[-1], one), (types[-1],))
    carried = [body.value(type_.static_shape, type_.element_type) for type_ in types[:-1]]
    regions = (
        region_text(condition, before, goes_on),
        region_text(body, arguments, [*carried, counter]),
    )
    scope.write(op, operands, types, regions=regions)


def _function(scope: Scope) -> tuple[str, list[Value], list[RankedTensorType]]:
    """Writes a private function; returns its name, what to call it with, and the types of its results."""
    _require_depth(scope)
    make = scope.make
    operands = [scope.pick() for _ in range(make.integer(1, 3))]
    block, arguments = scope.inner([operand.type for operand in operands], is_isolated=True)
    _filled(block, make.integer(0, 4))
    returned = [make.choice(block.values) for _ in range(make.integer(1, 2))]
    name = f"{scope.draft.prefix}{len(scope.draft.functions)}"
    parameters = ", ".join(f"{argument.name}: {argument.type}" for argument in arguments)
    types = [value.type for value in returned]
    lines = "\n".join([*block.lines, operation_text("", "func.return", returned, ())])
    results = ", ".join(map(str, types))
    scope.draft.functions.append(f"func.func private @{name}({parameters}) -> ({results}) {{\n{lines}\n}}\n")
    return name, operands, types


def call(scope: Scope, op: str) -> None:
    """Writes a function and a call of it."""
    name, operands, types = _function(scope)
    scope.write(op, operands, types, f"callee = @{name}")


def composite(scope: Scope, op: str) -> None:
    """Writes a composite, and the function that it is."""
    name, operands, types = _function(scope)
    attributes = f'name = "test.{name}", decomposition = @{name}'
    scope.write(op, operands, types, attributes)


def tuple_(scope: Scope, op: str) -> None:
    """Writes a tuple, and takes one of its elements."""
    if not scope.is_exact:
        raise NotHere  # an operation apart from others would have a tuple as its result
    parts = [scope.pick() for _ in range(scope.make.integer(1, 3))]
    index = scope.make.integer(0, len(parts) - 1)
    type_ = TupleType(tuple(part.type for part in parts))
    name = f"%{scope.draft.name()}"
    scope.lines.append(operation_text(f"{name} = ", op, parts, (type_,)))
    target = f"%{scope.draft.name()}"
    result = parts[index].type
    scope.lines.append(
        f'{target} = "stablehlo.get_tuple_element"({name}) {{index = {index} : i32}} : ({type_}) -> {result}'
    )
    scope.values.append(parts[index]._replace(name=target))


def optimization_barrier(scope: Scope, op: str) -> None:
    """Writes a barrier of one to three values."""
    values = [scope.pick() for _ in range(scope.make.integer(1, 3))]
    scope.write(op, values, [value.type for value in values])
