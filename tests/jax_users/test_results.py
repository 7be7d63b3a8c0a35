"""What shlo's functions return, as notebooks display it: HTML beside the text that is printed."""

from __future__ import annotations

import pickle
import re
from typing import Any

import jax.numpy as jnp
import pytest

import shlo
from shlo.pages.report import Cell, table_html

WRONG = """func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


def rounded(x: Any) -> Any:
    return (jnp.tanh(x @ x) * 1e6).astype(jnp.int8)


def log_of_zero(x: Any) -> Any:
    return jnp.log(x - 1)


X = jnp.ones((4, 4))
RESULTS = {
    "module": (lambda: shlo.parse(WRONG.replace("3x", "2x")), "stablehlo.add"),
    "cost": (lambda: shlo.cost(rounded, X), "stablehlo.dot_general"),
    "difference": (lambda: shlo.diff(rounded, jnp.cos, X), "stablehlo.cosine"),
    "sanitizer": (lambda: shlo.sanitize(rounded, X), "stablehlo.convert"),
    "shadow": (lambda: shlo.run(lambda x: (x + 1e8) - 1e8, X, shadow="f64"), "stablehlo.subtract"),
    "findings": (lambda: shlo.check(WRONG), "type-mismatch"),
    "why": (lambda: shlo.why(log_of_zero, X), "jnp.log made 16 Inf of 16"),
    "trees": (lambda: shlo.diff({"w": X}, {"w": X + 1}), "float32[4, 4]"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_displayed_as_html_beside_their_text(name: str) -> None:
    make, content = RESULTS[name]
    result: Any = make()
    bundle = result._repr_mimebundle_()
    assert bundle["text/html"].startswith('<div class="shlo-report">')
    text = re.sub(r"<style>.*?</style>|<script>.*", "", bundle["text/html"], flags=re.DOTALL)
    assert content in text, text
    if name != "findings":
        assert bundle["text/plain"] == str(result)


@pytest.mark.parametrize(("name", "links"), [("cost", 5), ("sanitizer", 1), ("shadow", 1), ("difference", 0)])
def test_rows_link_to_lines_and_cards_of_the_same_report(name: str, links: int) -> None:
    html = RESULTS[name][0]()._repr_mimebundle_()["text/html"]
    targets = re.findall(r'href="#([^"]+)"', html)
    assert len(targets) == links
    assert [html.count(f' id="{target}"') for target in targets] == [1] * links


def test_the_lines_that_rows_link_to_are_no_markup() -> None:
    program = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %a, %a {note = "<script>"} : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    html = shlo.cost(program)._repr_mimebundle_()["text/html"]
    assert html.count("{note = &quot;&lt;script&gt;&quot;}") == 2


def test_texts_of_programs_are_no_markup() -> None:
    program = shlo.parse('func.func @"<img>"() attributes {note = "<b>"} { return }')
    html = program._repr_mimebundle_()["text/html"]
    assert "<img>" not in html
    assert '<b>"' not in html


def test_findings_remain_a_list_that_other_processes_can_read() -> None:
    findings = shlo.check(WRONG)
    assert isinstance(findings, list)
    assert findings[0].code == "type-mismatch"
    assert pickle.loads(pickle.dumps(findings)) == findings
    assert shlo.check(jnp.sin, 1.0) == []


def test_cells_hold_the_numbers_that_their_columns_are_sorted_by() -> None:
    html = table_html(["bytes"], [[Cell("1.5 KiB", 1536.0, 0.5)]])
    assert 'data-n="1536"' in html
    assert "width:30px" in html
