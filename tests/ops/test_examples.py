"""Every operation's example in the specification is a test, with the values that it states.

It is a function called `..._spec_example...` of the operation's program in this folder, or a test of this file
where a program cannot say it. A program without one says in its first line that the specification has none, or
which other program holds it.
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
NONE = "// The specification has no example.\n"
ELSEWHERE = re.compile(r"// The specification's example: (\S+)\n")
SPECIFIED = [
    op_def.name.removeprefix("stablehlo.")
    for op_def in all_op_defs()
    if op_def.section is not None and op_def.dialect == "stablehlo"
]


@pytest.mark.parametrize("operation", SPECIFIED)
def test_example_is_run(operation: str) -> None:
    if f"test_{operation}_example" in globals():
        return
    text = (FOLDER / f"{operation}.mlir").read_text()
    if text.startswith(NONE):
        return
    if elsewhere := ELSEWHERE.match(text):
        text = (FOLDER / elsewhere[1]).read_text()
    assert re.search(r"^func\.func @\w*spec_example\w*\(\)", text, re.MULTILINE), (
        f"{operation}.mlir has no function called ..._spec_example..., and does not say why in its first line"
    )
    assert re.search(rf"\bstablehlo\.{re.escape(operation)}\b", text)


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
