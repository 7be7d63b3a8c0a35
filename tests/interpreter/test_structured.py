"""Structured control flow, blocks that jump and functions as values: run, hot, stepped, and in a grid."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.interpreter import RunOptions, make_process
from shlo.ir.operations import Module

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def module() -> Module:
    return shlo.load(Path(__file__).with_name("structured.mlir"))


def _collatz(x: int) -> int:
    steps = 0
    while x > 1:
        x, steps = (x // 2 if x % 2 == 0 else 3 * x + 1), steps + 1
    return steps


CASES = [
    ("sum", (0,), [0]),
    ("sum", (1000,), [sum(range(1000))]),
    ("collatz", (27,), [_collatz(27), 1]),
    ("collatz", (1,), [0, 1]),
    ("gcd", (462, 1071), [math.gcd(462, 1071)]),
    ("indirect", (12, 18), [math.gcd(12, 18)]),
    ("switch", (7,), [4.0]),
    ("switch", (-2,), [6.0]),
    ("switch", (3,), [2.0]),
    ("maybe", (False,), []),
]


@pytest.mark.parametrize(("entry", "arguments", "wanted"), CASES)
def test_values_are_the_same_at_first_when_hot_and_step_by_step(
    module: Module, entry: str, arguments: tuple[Any, ...], wanted: list[Any]
) -> None:
    assert shlo.verify(module) == []
    for _ in range(4):
        assert [result.tolist() for result in shlo.run(module, *arguments, entry=entry)] == wanted
    assert [
        result.tolist() for result in make_process(module, [*arguments], RunOptions(entry=entry)).run()
    ] == wanted
    session = Session(module, arguments, entry=entry)
    session.resume()
    last = session.position
    for _ in range(min(last, 300)):
        session.back_in()
    session.goto(last)
    assert [result.tolist() for result in session.results] == wanted


def test_a_failure_in_a_branch_has_its_place(module: Module) -> None:
    with pytest.raises(shlo.ExecutionError, match=r"structured.mlir:\d+:5: error: .*reached"):
        shlo.run(module, True, entry="maybe")


def test_a_loop_without_an_end_stops_at_the_limit_of_steps() -> None:
    module = shlo.parse("func.func @main() {\n  cf.br ^again\n^again:\n  cf.br ^again\n}")
    with pytest.raises(shlo.ExecutionError, match="steps"):
        shlo.run(module, max_steps=1000)


def test_processes_meet_in_loops_and_blocks(module: Module) -> None:
    results = shlo.run_grid(module, [(np.int64(1),), (np.int64(2),)], replicas=2, entry="in_a_grid")
    assert [[value.tolist() for value in process] for process in results] == [[6], [6]]
