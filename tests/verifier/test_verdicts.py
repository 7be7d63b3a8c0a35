"""Texts on whose validity shlo and MLIR agree, that other tests do not reach: damaged and unusual ones."""

from __future__ import annotations

import numpy as np
import pytest

from shlo import ExecutionError, parse, run
from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.oracle import Oracle


def body(line: str) -> str:
    return f"func.func @f(%x: tensor<4xf32>, %z: tensor<f32>) {{\n  {line}\n  return\n}}\n"


def attribute(value: str) -> str:
    return body(f'%0 = "stablehlo.abs"(%x) {{m.a = {value}}} : (tensor<4xf32>) -> tensor<4xf32>')


REFUSED = {
    "a module's attribute without a dialect": "module attributes {foo = 1 : i32} {\n}\n",
    "an escape that is none": attribute(r'"\q"'),
    "half an escape": attribute(r'"\0g"'),
    "an escape that is none in an attribute of a dialect": attribute(r'#m<"\q">'),
    "a vertical tab in a string": attribute('"\v"'),
    "a form feed in a string": attribute('"\f"'),
    "a form feed in a string of a dialect's attribute": attribute('#m<"\f">'),
    "a form feed behind an operation": body("%0 = stablehlo.abs %x : tensor<4xf32>\f"),
    "a space that is none of ASCII": body("%0 = stablehlo.abs %x : tensor<4xf32>\xa0"),
    "a region that ends in an operation nobody knows": body(
        '%0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
        '    "m.end"(%a) : (tensor<f32>) -> ()\n  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>'
    ),
    "sizes that are floats": (
        "func.func @f() {\n  %0 = stablehlo.constant dense<4.0> : tensor<1xf32>\n"
        "  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xf32>) -> tensor<4xf32>\n  return\n}\n"
    ),
}
ACCEPTED = {
    "a NUL between tokens": body("%0 = stablehlo.abs \0 %x : tensor<4\0xf32>"),
    "a NUL at both ends": "\0" + body("%0 = stablehlo.abs %x : tensor<4xf32>") + "\0",
    "a NUL in a string": attribute('"\0"'),
    "escapes": attribute(r'"\n\t\\\"\0A"'),
}


BROADCAST = (
    "func.func @main(%x: tensor<2x2xf32>, %y: tensor<2xf32>) -> tensor<2x2xf32> {{\n"
    '  %0 = "chlo.broadcast_add"(%x, %y) <{{broadcast_dimensions = array<i64: {}>}}>'
    " : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>\n}}\n"
)


@pytest.mark.parametrize("dimensions", ["2", "0, 1"])
def test_broadcast_dimensions_that_fit_no_operand_get_a_warning_and_do_not_run(
    oracle: Oracle, dimensions: str
) -> None:
    text = BROADCAST.format(dimensions)
    assert oracle.accepts(text).accepted
    found = findings_of(Source(text))[1]
    assert [(finding.severity, finding.code) for finding in found] == [("warning", "chlo.broadcast_add-A4")]
    with pytest.raises(ExecutionError, match=r"\[chlo.broadcast_add-A4\]"):
        run(parse(text), np.zeros((2, 2), np.float32), np.zeros(2, np.float32))


def test_unknown_property_is_left_out_with_a_warning(oracle: Oracle) -> None:
    text = body(
        '%0 = "stablehlo.iota"() <{iota_dimension = 0 : i64, iota_dimensions = 1 : i64}> : () -> tensor<4xf32>'
    )
    module, (finding,) = findings_of(Source(text))
    assert (finding.severity, finding.code, finding.help) == (
        "warning", "unknown-property", "did you mean 'iota_dimension'?",
    )  # fmt: skip
    assert module.to_text() == oracle.pretty(text)


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_text_is_refused(oracle: Oracle, text: str) -> None:
    assert not oracle.accepts(text, unregistered=True).accepted
    assert any(finding.severity == "error" for finding in findings_of(Source(text))[1])


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_text_is_accepted(oracle: Oracle, text: str) -> None:
    assert oracle.accepts(text, unregistered=True).accepted
    assert [finding for finding in findings_of(Source(text))[1] if finding.severity == "error"] == []
