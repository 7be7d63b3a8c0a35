"""Texts on whose validity shlo and MLIR agree, that other tests do not reach: damaged and unusual ones."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_text_is_refused(oracle: Oracle, text: str) -> None:
    assert not oracle.accepts(text, unregistered=True).accepted
    assert any(finding.severity == "error" for finding in findings_of(Source(text))[1])


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_text_is_accepted(oracle: Oracle, text: str) -> None:
    assert oracle.accepts(text, unregistered=True).accepted
    assert [finding for finding in findings_of(Source(text))[1] if finding.severity == "error"] == []
