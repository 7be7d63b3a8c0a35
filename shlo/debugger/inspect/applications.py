"""How a region made one element of a result: its applications one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.scope import Bound
from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    registered,
    results_of,
    run_of,
)
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import Body, Value
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.dtypes import Array
from shlo.runner.statistics import index_at

COMBINING: Final = ("stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter")
"""Operations whose region combines what was combined so far with one more element."""

MOST_APPLICATIONS: Final = 100_000


class Application(Struct, frozen=True):
    """One application of a region: the index of the element that it takes (of the first such operand), its
    arguments and its results.
    """

    index: Index
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]


def applications(cursor: ReplayCursor, bound: Bound, position: int, index: Index) -> Iterator[Application]:
    """Returns the applications of a region that made an element, in the specification's order.

    Args:
        cursor: Where the session is; a fork of it goes back.
        bound: The value.
        position: Where it was bound.
        index: The element's index in it.

    Raises:
        DebuggerError: The value is not the result of an operation that combines elements by a region.
    """
    defined = bound.code.defined_at[bound.register]
    operation = bound.code.instructions[defined].operation if defined >= 0 else None
    if operation is None or operation.name not in (*COMBINING, "stablehlo.map"):
        what = "an argument" if operation is None else operation.name
        raise DebuggerError(f"expected a result of reduce, reduce_window, scatter or map, got {what}")
    with cursor.fork_at(position - 1) as fork:
        fork.go(position - 1)
        frame = fork.process.frames[-1]
        kernel = bound_kernel(frame.code, frame.index)
        values = frame.operands
    context = cursor.process.context
    with context.active():
        run = run_of(kernel, values, results_of(kernel.evaluate(*values)))
    return _applied(run, operation.results.index(bound.register), index, context)


def _applied(run: OpRun, result: int, index: Index, context: ExecutionContext) -> Iterator[Application]:
    (body,) = run.bodies
    if run.view.name == "stablehlo.map":
        arguments = tuple(array[index] for array in run.arrays)
        yield Application(index, arguments, _applied_once(body, arguments, context))
        return
    is_scatter = run.view.name == "stablehlo.scatter"
    count = (len(run.operands) - is_scatter) // 2
    first = count + 1 if is_scatter else 0  # of the operands whose elements are combined
    positions = _positions(run, result, index, range(first, first + count))
    starts = run.arrays[:count] if is_scatter else run.arrays[count:]
    state = tuple(array[index] if is_scatter else array[()] for array in starts)
    elements = run.arrays[first : first + count]
    for position in positions.tolist()[:MOST_APPLICATIONS]:
        arguments = (*state, *(array.reshape(-1)[position] for array in elements))
        state = _applied_once(body, arguments, context)
        yield Application(index_at(position, elements[0].shape), arguments, state)


def _applied_once(body: Body, arguments: tuple[Value, ...], context: ExecutionContext) -> tuple[Value, ...]:
    with context.active():
        return body.on_scalars(*arguments)


def _positions(run: OpRun, result: int, index: Index, operands: range) -> Array:
    """Returns the positions of the elements of these operands that the region combines for an element."""
    terms_of = registered(run.view.name)
    assert terms_of is not None
    terms: list[Terms] = [term for term in terms_of(run, result, index) if term.operand in operands]
    return terms[0].positions if terms else np.zeros(0, np.int64)
