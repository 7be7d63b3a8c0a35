"""Regions that kernels evaluate themselves: recognised, on whole arrays, or element by element."""

# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions, make_process, run
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.profile import ProfiledRun
from shlo.ir.diagnostics import ExecutionError

ARGUMENT = np.float32([[1, 2, 3], [4, 5, 6]])


def reduce_with(body: str, inputs: str = "") -> str:
    """Returns a sum over rows that starts from 0, with the body's operations on %a and %b."""
    return f"""
    func.func @main(%x: tensor<2x3xf32>, %least: tensor<f32>{inputs}) -> tensor<2xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) across dimensions = [1]
        : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {{
        {body}
      }}
      return %0 : tensor<2xf32>
    }}
    func.func private @plus(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
      %0 = stablehlo.add %a, %b : tensor<f32>
      return %0 : tensor<f32>
    }}
    """


def body_in(text: str) -> RegionBody:
    code = program_of(shlo.parse(text)).function("main").code
    index = next(i for i, step in enumerate(code.instructions) if step.operation.name == "stablehlo.reduce")
    body = bound_kernel(code, index).op_view.bodies[0]
    assert isinstance(body, RegionBody)
    return body


ADD = "%1 = stablehlo.add %a, %b : tensor<f32>\n stablehlo.return %1 : tensor<f32>"
SWAPPED = "%1 = stablehlo.add %b, %a : tensor<f32>\n stablehlo.return %1 : tensor<f32>"
MINUS = "%1 = stablehlo.subtract %b, %a : tensor<f32>\n stablehlo.return %1 : tensor<f32>"
AT_LEAST = """%1 = stablehlo.maximum %b, %least : tensor<f32>
    %2 = stablehlo.maximum %a, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>"""
CALL = """%1 = func.call @plus(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>"""
LOOP = """%1 = stablehlo.while(%i = %b) : tensor<f32>
    cond {
      %true = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %true : tensor<i1>
    } do {
      stablehlo.return %i : tensor<f32>
    }
    %2 = stablehlo.add %a, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>"""


@pytest.mark.parametrize(
    ("body", "single", "is_vectorizable"),
    [
        (ADD, "stablehlo.add", True),
        (SWAPPED, "stablehlo.add", True),
        (MINUS, None, True),
        (AT_LEAST, None, True),
        (CALL, None, True),
        (LOOP, None, False),
    ],
)
def test_what_is_recognised_in_a_body(body: str, single: str | None, is_vectorizable: bool) -> None:
    made = body_in(reduce_with(body))
    assert (made.single_operation.name if made.single_operation else None) == single
    assert made.is_vectorizable == is_vectorizable


@pytest.mark.parametrize(
    ("body", "expected"),
    [(ADD, [6, 15]), (SWAPPED, [6, 15]), (AT_LEAST, [4, 6]), (CALL, [6, 15]), (LOOP, [6, 15])],
)
def test_bodies_give_the_same_however_they_run(body: str, expected: list[float]) -> None:
    module = shlo.parse(reduce_with(body))
    for _ in range(3):
        assert shlo.run(module, ARGUMENT, 4.0)[0].tolist() == expected
    assert make_process(module, [ARGUMENT, 4.0], RunOptions()).run()[0].tolist() == expected


def test_equal_bodies_have_equal_keys() -> None:
    key = body_in(reduce_with(MINUS)).text_key
    assert key == body_in(reduce_with(MINUS, ", %more: tensor<f32>")).text_key
    assert key != body_in(reduce_with(ADD)).text_key
    assert hash(key) == hash(body_in(reduce_with(MINUS)).text_key)


def test_the_profile_tells_what_ran_element_by_element() -> None:
    names: set[str] = set()

    class Names:
        def record(self, run: ProfiledRun) -> None:
            names.add(run.name)

    run(shlo.parse(reduce_with(ADD)), ARGUMENT, 1.0, profile=Names())
    assert names == {"stablehlo.constant", "stablehlo.reduce"}
    run(shlo.parse(reduce_with(LOOP)), ARGUMENT, 1.0, profile=Names())
    assert "stablehlo.reduce (element by element)" in names


def test_an_error_in_a_body_has_its_place() -> None:
    text = reduce_with(
        LOOP.replace("stablehlo.add %a, %1", "stablehlo.custom_call @none(%a, %1)").replace(
            ": tensor<f32>\n    stablehlo.return %2",
            ": (tensor<f32>, tensor<f32>) -> tensor<f32>\n    stablehlo.return %2",
        )
    )
    with pytest.raises(
        ExecutionError, match=r'<text>:14:\d+: error: .* expected a handler for custom call "none", got none'
    ):
        shlo.run(shlo.parse(text), ARGUMENT, 1)
