"""VHLO in text: its forms and verdicts are MLIR's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from tests.oracle import Oracle

ATTRIBUTES = (
    '{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}'
)
PROGRAM = f"""
vhlo.func_v1 @main(%x: !vhlo.tensor_v1<4x!vhlo.f32_v1>, %y: !vhlo.f32_v1) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>) {{
  %0 = "vhlo.add_v1"(%x, %x) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
  %1 = "vhlo.slice_v1"(%0) {{limit_indices = #vhlo.tensor_v1<dense<[3, 3]> : tensor<2xi64>>, start_indices = #vhlo.tensor_v1<dense<[0, 0]> : tensor<2xi64>>, strides = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>}} : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<3x!vhlo.f32_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()
}} {ATTRIBUTES}
"""
WRONG = [
    '"vhlo.add_v1"(%y) : (!vhlo.f32_v1) -> !vhlo.f32_v1',
    '"vhlo.abs_v1"(%y) <{x = 1 : i64}> : (!vhlo.f32_v1) -> !vhlo.f32_v1',
    '"vhlo.compare_v1"(%y, %y) : (!vhlo.f32_v1, !vhlo.f32_v1) -> !vhlo.f32_v1',
    '"vhlo.exponential_v2"(%y) : (!vhlo.f32_v1) -> !vhlo.f32_v1',
    '"vhlo.if_v1"(%y) ({ "vhlo.return_v1"(%y) : (!vhlo.f32_v1) -> () }) : (!vhlo.f32_v1) -> !vhlo.f32_v1',
    '"vhlo.plus_v1"() : () -> !vhlo.f32_v1',
]
RIGHT = [
    '"vhlo.add_v1"(%y, %y) : (!vhlo.f32_v1, !vhlo.f32_v1) -> !vhlo.i32_v1',
    '"vhlo.concatenate_v1"(%y) <{dimension = #vhlo.integer_v1<0 : i64>}> : (!vhlo.f32_v1) -> !vhlo.f32_v1',
]


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle(timeout=60) as made:
        yield made


@pytest.mark.parametrize("generic", [False, True])
def test_texts_are_the_oracle_s(oracle: Oracle, generic: bool) -> None:
    wanted = oracle.pretty(PROGRAM, print_generic_op_form=generic)
    for text in (PROGRAM, wanted):
        module, diagnostics = parse(text)
        assert diagnostics == []
        assert module.to_text(generic=generic) == wanted


@pytest.mark.parametrize("line", WRONG + RIGHT)
def test_verdicts_are_the_oracle_s(oracle: Oracle, line: str) -> None:
    text = f"""vhlo.func_v1 @main(%y: !vhlo.f32_v1) -> () {{
      %0 = {line}
      "vhlo.return_v1"() : () -> ()
    }} {ATTRIBUTES}"""
    _, found = findings_of(Source(text))
    assert oracle.accepts(text).accepted == (line in RIGHT)
    assert (not found) == (line in RIGHT), found


def test_a_function_without_its_attributes_is_refused(oracle: Oracle) -> None:
    text = PROGRAM.replace(f" {ATTRIBUTES}", "")
    assert not oracle.accepts(text).accepted
    assert any(each.severity == "error" for each in findings_of(Source(text))[1])
