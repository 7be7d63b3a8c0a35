"""Control flow, and values that are handed on."""

from __future__ import annotations

from typing import Any

from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Tensor


@meaning()
def if_(op: Op, pred: Tensor) -> tuple[Any, ...]:
    """Evaluates the first region if `pred`, else the second."""
    return op.bodies[0 if pred.item() else 1]()


@meaning()
def case(op: Op, index: Tensor) -> tuple[Any, ...]:
    """Evaluates the region of that number, the last one where there is none."""
    number = index.item()
    return op.bodies[number if 0 <= number < len(op.bodies) else -1]()


@meaning()
def while_(op: Op, *operands: Any) -> tuple[Any, ...]:
    """Evaluates `body` on its own results as long as `cond` gives true."""
    cond, body = op.bodies
    while cond(*operands)[0].item():
        operands = body(*operands)
    return operands


@meaning()
def optimization_barrier(op: Op, *operands: Any) -> tuple[Any, ...]:
    """Returns its operands."""
    return operands


@meaning("tuple")
def tuple_(op: Op, *operands: Any) -> tuple[Any]:
    """Returns its operands as one value."""
    return (operands,)


@meaning()
def get_tuple_element(op: Op, operand: tuple[Any, ...]) -> tuple[Any]:
    """Returns one of the values of a tuple."""
    return (operand[op.attribute("index")],)


@meaning("after_all", "create_token")
def after_all(op: Op, *tokens: Any) -> tuple[Any]:
    """Returns a token: what it promises has happened, since operations are evaluated in their order."""
    return (None,)


@meaning()
def async_start(op: Op, *operands: Any) -> tuple[Any]:
    """Evaluates its region; the future is what that returns."""
    return (op.bodies[0](*operands),)


@meaning()
def async_done(op: Op, future: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns what the region of a future returned."""
    return future
