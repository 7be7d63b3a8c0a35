"""CodeBlock that is generated for what is hot gives the same results, holds no more memory, and copies no
buffer in loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions, make_process, run
from shlo.interpreter.runtime.buffer_reuse import COUNT_IN_LOCAL, NEVER, calibrated
from shlo.ir.operations import Module
from shlo.ir.types import F32, I32

from .build import BlockBuilder, function, module, program, tensor

ROWS, WIDTH = 64, 256


def fill_rows(extra: str = "") -> Module:
    """Writes `i` into row `i` of a buffer, and tells a handler of the buffer each time round."""
    buffer_type, row_type = tensor(F32, ROWS, WIDTH), tensor(F32, 1, WIDTH)

    def body(b: BlockBuilder) -> list[int]:
        index, buffer, *kept = b.arguments
        row = b.op(
            "convert",
            (b.op("broadcast", (index,), (tensor(I32, 1, WIDTH),), **_sizes(1, WIDTH)),),
            (row_type,),
        )
        new = b.op("dynamic_update_slice", (buffer, row, index, b.constant(np.int32(0))), (buffer_type,))
        b.custom_call("watch", (new,), ())
        following = [b.binary("add", index, b.constant(np.int32(1))), new]
        return [*following, buffer] if kept else following

    def make(b: BlockBuilder) -> list[int]:
        initial = [b.constant(np.int32(0)), b.constant(np.zeros((ROWS, WIDTH), np.float32))]
        if extra:
            initial.append(initial[1])
        loop = b.while_loop(
            initial, lambda c: [c.compare("LT", c.arguments[0], c.constant(np.int32(ROWS)))], body
        )
        return [*loop[1:]]

    return program([], make)


def _sizes(*sizes: int) -> dict[str, Any]:
    from shlo.ir.attributes import DenseArrayAttr
    from shlo.ir.types import I64

    return {"broadcast_sizes": DenseArrayAttr(I64, sizes)}


def watched(addresses: list[int]) -> dict[str, Any]:
    return {"watch": lambda call: lambda x: addresses.append(x.ctypes.data)}


EXPECTED = np.repeat(np.arange(ROWS, dtype=np.float32)[:, None], WIDTH, 1)


def test_a_loop_that_fills_a_buffer_does_not_copy_it() -> None:
    made, addresses = fill_rows(), list[int]()
    for _ in range(3):
        addresses.clear()
        (result,) = run(made, handlers=watched(addresses))
        np.testing.assert_array_equal(result, EXPECTED)
        assert len(set(addresses)) <= 3


def test_a_buffer_that_somebody_still_holds_is_copied() -> None:
    made = fill_rows("keep the buffer of the iteration before")
    for _ in range(3):
        after, before = run(made, handlers=watched([]))
        np.testing.assert_array_equal(after, EXPECTED)
        assert before[-1].tolist() == [0.0] * WIDTH
        np.testing.assert_array_equal(before[:-1], EXPECTED[:-1])


def test_a_process_never_overwrites() -> None:
    seen: list[Any] = []
    process = make_process(
        fill_rows(), [], RunOptions(handlers={"watch": lambda call: seen.append}, keep_values=True)
    )
    process.run()
    assert [int(buffer[:, 0].sum()) for buffer in seen[:4]] == [0, 1, 3, 6]


def test_large_elementwise_operations_reuse_memory_but_never_an_argument() -> None:
    size = 1 << 19
    wide = tensor(F32, size)

    def make(b: BlockBuilder) -> list[int]:
        total = b.binary("add", b.arguments[0], b.arguments[0])
        b.custom_call("watch", (total,), ())
        again = b.binary("add", total, b.arguments[0])
        b.custom_call("watch", (again,), ())
        other = b.binary("multiply", again, again)
        return [b.binary("add", other, again)]

    made, addresses, argument = program([wide], make), list[int](), np.ones(size, np.float32)
    for _ in range(3):
        addresses.clear()
        (result,) = run(made, argument, handlers=watched(addresses))
        assert result[0] == result[-1] == 12
        assert argument[0] == 1
    assert argument.ctypes.data not in addresses
    if COUNT_IN_LOCAL != NEVER:  # as in Python 3.14, which lends arguments without counting them
        assert addresses[0] == addresses[1]


def test_memory_is_not_reused_where_reference_counts_do_not_tell_who_holds_it() -> None:
    assert calibrated(2, 3) == 2
    assert calibrated(1, 1) == NEVER  # Python 3.14 lends a caller's variable without counting


def test_effects_on_constants_are_not_hoisted() -> None:
    calls: list[Any] = []
    made = program([], lambda b: [b.custom_call("count", (b.constant(np.float32(1)),), [tensor(F32)])])

    def count(call: Any) -> Any:
        def evaluate(x: Any) -> Any:
            calls.append(x)
            return x

        return evaluate

    for _ in range(4):
        run(made, handlers={"count": count})
    assert len(calls) == 4


def swap(b: BlockBuilder) -> list[int]:
    """Fibonacci by a loop that swaps what it carries, with one value it never changes."""
    return [
        *b.while_loop(
            [b.constant(np.int32(0)), b.constant(np.int32(0)), b.constant(np.int32(1)), b.arguments[0]],
            lambda c: [c.compare("LT", c.arguments[0], c.arguments[3])],
            lambda d: [
                d.binary("add", d.arguments[0], d.constant(np.int32(1))),
                d.arguments[2],
                d.binary("add", d.arguments[1], d.arguments[2]),
                d.arguments[3],
            ],
        )
    ]


def nested(b: BlockBuilder) -> list[int]:
    """Returns a loop of loops, with a branch and a call inside."""

    def inner(c: BlockBuilder) -> list[int]:
        is_even = c.compare(
            "EQ", c.binary("remainder", c.arguments[0], c.constant(np.int32(2))), c.constant(np.int32(0))
        )
        changed = c.branch(
            "if",
            is_even,
            [tensor(I32)],
            lambda t: [t.call("twice", (c.arguments[1],), [tensor(I32)])],
            lambda e: [e.binary("add", c.arguments[1], e.constant(np.int32(1)))],
        )
        return [c.binary("add", c.arguments[0], c.constant(np.int32(1))), changed]

    def outer(c: BlockBuilder) -> list[int]:
        results = c.while_loop(
            [c.constant(np.int32(0)), c.arguments[1]],
            lambda d: [d.compare("LT", d.arguments[0], c.arguments[0])],
            inner,
        )
        return [c.binary("add", c.arguments[0], c.constant(np.int32(1))), results[1]]

    return [
        *b.while_loop(
            [b.constant(np.int32(0)), b.arguments[0]],
            lambda c: [c.compare("LT", c.arguments[0], c.constant(np.int32(7)))],
            outer,
        )
    ]


def chosen(b: BlockBuilder) -> list[int]:
    """Returns a case whose last branch stands for every other index."""

    def give(value: int) -> Any:
        return lambda c: [c.constant(np.int32(value))]

    return [b.branch("case", b.arguments[0], [tensor(I32)], give(10), give(20), give(30))]


TWICE = function("twice", [tensor(I32)], lambda b: [b.binary("add", b.arguments[0], b.arguments[0])])


@pytest.mark.parametrize(
    ("make", "argument", "expected"),
    [
        (swap, 30, [30, 832040, 1346269, 30]),
        (nested, 1, [7, 5879]),
        (chosen, 1, [20]),
        (chosen, -1, [30]),
        (chosen, 77, [30]),
    ],
)
def test_cold_hot_and_stepwise_runs_agree(make: Any, argument: int, expected: list[int]) -> None:
    made = module(function("main", [tensor(I32)], make), TWICE)
    for _ in range(4):
        assert [int(result) for result in run(made, argument)] == expected
    assert [int(result) for result in make_process(made, [argument], RunOptions()).run()] == expected
    assert [int(result) for result in run(made, argument, max_steps=10**6)] == expected


REPEATED = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %x) : tensor<i32>, tensor<f32>, tensor<f32>
    cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %also = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %k = stablehlo.add %i, %also : tensor<i32>
      %odd = stablehlo.and %k, %one : tensor<i32>
      %is = stablehlo.compare EQ, %odd, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c = "stablehlo.if"(%is) ({
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }, {
        %s = stablehlo.subtract %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      %d = stablehlo.add %a, %b : tensor<f32>
      %t:2 = stablehlo.while(%m = %zero, %y = %d) : tensor<i32>, tensor<f32>
        cond {
          %more = stablehlo.compare LT, %m, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %more : tensor<i1>
        } do {
          %next = stablehlo.add %m, %one : tensor<i32>
          %half = stablehlo.constant dense<0.5> : tensor<f32>
          %z = stablehlo.multiply %y, %half : tensor<f32>
          %w = stablehlo.add %a, %b : tensor<f32>
          %sum = stablehlo.add %z, %w : tensor<f32>
          stablehlo.return %next, %sum : tensor<i32>, tensor<f32>
        }
      %e = stablehlo.subtract %c, %t#1 : tensor<f32>
      %f = stablehlo.sine %e : tensor<f32>
      stablehlo.return %j, %b, %f : tensor<i32>, tensor<f32>, tensor<f32>
    }
  return %0#1, %0#2, %0#0 : tensor<f32>, tensor<f32>, tensor<i32>
}"""


@pytest.mark.parametrize("steps", [1, 2, 7, 200])
def test_scalars_that_are_computed_once_are_those_of_each_iteration(steps: int) -> None:
    module = shlo.parse(REPEATED)
    one_by_one = run(module, steps, 0.75, max_steps=10**6)
    for _ in range(4):
        assert [value.item() for value in run(module, steps, 0.75)] == [value.item() for value in one_by_one]
