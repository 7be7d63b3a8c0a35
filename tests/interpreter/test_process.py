"""A Process can be looked at between any two instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shlo.interpreter import RunOptions, make_process
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.types import F32, I32

from .build import BlockBuilder, function, module, program, tensor


def loop_with_a_call() -> Any:
    def body(b: BlockBuilder) -> list[int]:
        return [b.call("next", b.arguments, [tensor(I32)])]

    def make(b: BlockBuilder) -> list[int]:
        return [
            *b.while_loop(
                b.arguments, lambda c: [c.compare("LT", c.arguments[0], c.constant(np.int32(2)))], body
            )
        ]

    following = function(
        "next", [tensor(I32)], lambda b: [b.binary("add", b.arguments[0], b.constant(np.int32(1)))]
    )
    return module(function("main", [tensor(I32)], make), following)


def test_each_step_is_one_operation_in_nested_regions_and_calls() -> None:
    process = make_process(loop_with_a_call(), [1], RunOptions())
    taken = []
    while process.status == "ready":
        step = process.step()
        taken.append(
            (step.depth, step.operation.name.partition(".")[2], [int(value) for _, value in step.results])
        )
    assert taken == [
        (1, "while", []),
        (2, "constant", [2]),
        (2, "compare", [1]),
        (2, "return", []),
        (2, "call", []),
        (3, "constant", [1]),
        (3, "add", [2]),
        (3, "return", [2]),
        (2, "return", []),
        (2, "constant", [2]),
        (2, "compare", [0]),
        (2, "return", [2]),
        (1, "return", []),
    ]
    assert [int(result) for result in process.results] == [2]
    with pytest.raises(ValueError, match="the process is done"):
        process.step()


def test_frames_tell_where_the_process_is_and_what_it_holds() -> None:
    process = make_process(loop_with_a_call(), [1], RunOptions())
    for _ in range(6):
        process.step()
    assert [(frame.function.name, frame.region, frame.index) for frame in process.frames] == [
        ("main", None, 0),
        ("main", 1, 0),
        ("next", None, 1),
    ]
    assert [int(value.value) for value in process.frames[-1].values()] == [1, 1]
    assert process.frames[-1].instruction.operation.name == "stablehlo.add"


def test_values_die_unless_they_are_kept() -> None:
    def make(b: BlockBuilder) -> list[int]:
        return [b.binary("add", b.binary("add", b.arguments[0], b.arguments[0]), b.constant(np.float32(1)))]

    made = program([tensor(F32)], make)
    for keeps, held in ((False, 1), (True, 4)):
        process = make_process(made, [1.0], RunOptions(keep_values=keeps))
        for _ in range(3):
            process.step()
        assert len(list(process.frames[0].values())) == held


def test_a_failing_step_ends_the_process_where_it_failed() -> None:
    made = program([tensor(F32)], lambda b: [b.custom_call("nothing", b.arguments, [tensor(F32)])])
    process = make_process(made, [1.0], RunOptions())
    with pytest.raises(ExecutionError, match="built:1:1"):
        process.run()
    assert process.status == "failed"
    assert process.frames[-1].place == "built:1:1"
    with pytest.raises(ExecutionError):
        _ = process.results


def test_an_interrupted_step_can_be_taken_again() -> None:
    interrupts = [KeyboardInterrupt()]

    def stop(call: Any) -> Any:
        def evaluate(x: Any) -> Any:
            if interrupts:
                raise interrupts.pop()
            return x

        return evaluate

    made = program([tensor(F32)], lambda b: [b.custom_call("stop", b.arguments, [tensor(F32)])])
    process = make_process(made, [3.0], RunOptions(handlers={"stop": stop}))
    with pytest.raises(KeyboardInterrupt):
        process.run()
    assert process.status == "ready"
    assert process.run() == (3.0,)


def test_deep_recursion_is_no_python_recursion() -> None:
    main = function("main", [tensor(F32)], lambda b: [b.call("main", b.arguments, [tensor(F32)])])
    process = make_process(module(main), [1.0], RunOptions())
    with pytest.raises(ExecutionError, match="nest too deeply"):
        process.run()
    assert len(process.frames) > 5000


def test_a_process_goes_back_to_a_state_and_takes_known_results() -> None:
    calls = []

    def count(call: Any) -> Any:
        return lambda x: calls.append(1) or np.float32(len(calls))

    def make(b: BlockBuilder) -> list[int]:
        return [b.binary("add", b.custom_call("count", b.arguments, [tensor(F32)]), b.arguments[0])]

    made = program([tensor(F32)], make)
    process = make_process(made, [1.0], RunOptions(handlers={"count": count}, keep_values=True))
    start = process.save()
    logged = [value for _, value in process.step().results]
    after = process.save()
    assert process.run() == (2.0,)
    process.restore(after)
    assert (process.status, process.steps, [value.value for value in process.frames[0].values()]) == (
        "ready",
        1,
        [1, 1],
    )
    process.restore(start)
    process.step(logged)
    assert (process.run(), len(calls)) == ((2.0,), 1)


def test_a_state_without_dead_values_goes_on_to_the_same_results() -> None:
    process = make_process(loop_with_a_call(), [1], RunOptions(keep_values=True))
    expected = make_process(loop_with_a_call(), [1], RunOptions()).run()
    while process.status == "ready":
        fork = process.fork(process.save().without_dead())
        assert fork.run() == expected
        assert fork.steps == 13
        process.step()
