"""Every operation's example in the specification is a test, with the values that it states.

`examples.txt` says which: a function of the operation's program in this folder, or a test of this file where
a program cannot say it.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.dialects import all_op_defs
from shlo.interpreter import Channels, run
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import KernelFn

FOLDER = Path(__file__).parent
NO_EXAMPLE = "none"


def _table() -> dict[str, tuple[str, ...]]:
    """Returns the tests of each operation."""
    rows = [line.split() for line in (FOLDER / "examples.txt").read_text().splitlines()]
    named = [(row[0], tuple(row[1:])) for row in rows if row and not row[0].startswith("#")]
    assert len(dict(named)) == len(named)
    return dict(named)


TABLE = _table()
SPECIFIED = [
    op_def.name.removeprefix("stablehlo.")
    for op_def in all_op_defs()
    if op_def.section is not None and op_def.dialect == "stablehlo"
]


def test_every_operation_of_the_specification_is_in_the_table() -> None:
    assert sorted(TABLE) == sorted(SPECIFIED)


@pytest.mark.parametrize("operation", SPECIFIED)
def test_example_is_run(operation: str) -> None:
    tests = TABLE[operation]
    if tests == (NO_EXAMPLE,):
        return
    assert tests
    for name in tests:
        text = _text_of(operation, name)
        assert re.search(rf"\bstablehlo\.{re.escape(operation)}\b", text)


def _text_of(operation: str, name: str) -> str:
    """Returns the program that a row names, all of it where it runs private functions."""
    if name.startswith("test_"):
        assert name in globals()
        return Path(__file__).read_text()
    path, _, function = name.rpartition(":")
    text = (FOLDER / f"{path or operation}.mlir").read_text()
    assert f"func.func @{function}()" in text
    return text


def test_outfeed_example() -> None:
    module = shlo.parse("""
        func.func @main(%input0: tensor<2x2x2xi64>, %token: !stablehlo.token) -> !stablehlo.token {
          %result = "stablehlo.outfeed"(%input0, %token) {outfeed_config = ""}
            : (tensor<2x2x2xi64>, !stablehlo.token) -> !stablehlo.token
          return %result : !stablehlo.token
        }""")
    channels, values = Channels(), np.arange(8).reshape(2, 2, 2)
    run(module, values, None, channels=channels)
    assert [[value.tolist() for value in item] for item in channels.outfeed] == [[values.tolist()]]


def test_custom_call_example() -> None:
    module = shlo.parse("""
        func.func private @foo(%x: tensor<f64>) -> tensor<f64> {
          return %x : tensor<f64>
        }
        func.func @main(%input0: tensor<f64>) -> tensor<f64> {
          %results = "stablehlo.custom_call"(%input0) {
            call_target_name = "foo", has_side_effect = false, backend_config = "bar", api_version = 1 : i32,
            called_computations = [@foo]
          } : (tensor<f64>) -> tensor<f64>
          return %results : tensor<f64>
        }""")
    seen: list[CustomCall] = []

    def foo(call: CustomCall) -> KernelFn:
        seen.append(call)
        return lambda value: value + 1

    (result,) = shlo.run(module, 1.5, handlers={"foo": foo})
    assert result == 2.5
    assert [(call.target, call.config_text, call.api_version) for call in seen] == [("foo", "bar", 1)]
