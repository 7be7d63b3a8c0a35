"""Input that nests too deep, or whose aliases multiply, is refused with a place; nothing hangs or overflows."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from shlo.ir.source import Source, Span
from shlo.ir.types import F32, TupleType, Type
from shlo.language import Document, Edit
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from shlo.syntax.parser.braces import brace_hints, missing_braces
from tests.growth.shapes import DEEP, SHAPES
from tests.growth.work import WORK, count_steps

pytestmark = pytest.mark.slow

BELOW, BEYOND = 14, 2_000
"""Sizes below all limits, of nesting and of expansion, and beyond them."""
STEPS = 8_000_000


@pytest.mark.parametrize("name", sorted(DEEP))
def test_nesting_beyond_the_limit_is_one_located_error(name: str):
    text = SHAPES[name](BEYOND)
    found: list[str] = []
    count_steps(lambda: found.extend(_messages(text)), STEPS)
    words = ("levels deep", "longer than", "at most 64 dimensions", "expected '}' before this statement")
    assert any(word in found[0] for word in words), found[0]
    assert len(found) == 1 or name == "unclosed_regions"  # each of which is a mistake of its own


AFTER = """
func.func @after(%operand: tensor<f32>) -> tensor<f32> {
  %sum = stablehlo.add %operand, %unknown : tensor<f32>
  return %sum : tensor<f32>
}
"""


@pytest.mark.parametrize("name", ["nested_functions", "nested_loops", "nested_modules", "nested_regions"])
def test_what_follows_a_region_beyond_the_limit_is_read(name: str):
    found = _messages(f"{SHAPES[name](BEYOND)}{AFTER}")
    assert found == ["nested more than 100 levels deep", "use of undeclared value '%unknown'"]


def test_a_region_beyond_the_limit_that_is_not_closed_ends_by_indentation():
    regions = [f'{"  " * level}"a.b"() ({{' for level in range(1, 200)]
    found = _messages("\n".join(["func.func @deep() {", *regions, AFTER]))
    assert found[0] == "nested more than 100 levels deep"
    assert found[1:] == ["expected '}' before this statement", "use of undeclared value '%unknown'"]


def _messages(text: str) -> list[str]:
    _, diagnostics = parse(text)
    assert all(0 <= each.span.start <= each.span.end <= len(text) for each in diagnostics)
    return [each.message for each in diagnostics]


@pytest.mark.parametrize("name", sorted(DEEP))
@pytest.mark.parametrize("size", [BELOW, 90])
def test_every_operation_works_where_the_stack_is_nearly_full(name: str, size: int):
    text = SHAPES[name](size)

    def all_work() -> None:
        for prepare in WORK.values():
            prepare(text)()

    _on_deep_stack(all_work, sys.getrecursionlimit() - 150)


def _on_deep_stack(action: Callable[[], None], depth: int) -> None:
    if depth > 0:
        _on_deep_stack(action, depth - 1)
    else:
        action()


def test_a_recursion_limit_that_was_raised_is_lowered_again():
    before = sys.getrecursionlimit()
    parse(SHAPES["nested_regions"](95))
    assert sys.getrecursionlimit() == before


def test_regions_of_operations_that_turn_out_to_be_broken_are_read_once():
    """Each of these operations is wrong behind its region: reading the region again would take 2^90 steps."""
    text = '"a.b"() ({\n' * 90 + "}) : (f32) -> ()\n" * 90
    found: list[str] = []
    count_steps(lambda: found.extend(_messages(text)), STEPS)
    assert len(found) == 90


REGIONS = """func.func @f(%x: tensor<f32>) {
  "a.b"() ({}, EMPTY {
    MISTAKES
    %1 = "stablehlo.abs"(%x) : (tensor<f32>) -> tensor<i32>
  }) : () -> ()
  return
}
""".replace("EMPTY", "{\n}, " * 2_000).replace("MISTAKES", "stablehlo.unknown %x\n" * 2_000)
BLOCKS = "\n".join(
    [
        "func.func @f() {",
        *(f"^block{number}:" for number in range(2_000)),
        *(f"^block{number}:\n  stablehlo.unknown" for number in range(2_000, 4_000)),
        '  "stablehlo.add"() : () -> ()\n  return\n}',
    ]
)


@pytest.mark.parametrize("text", [REGIONS, BLOCKS], ids=["regions", "blocks"])
def test_mistakes_beside_what_has_no_operations_are_found_in_linear_time(text: str):
    """Mistakes of the text and findings of the verifier are looked up among the operations of the module."""
    found: list[str] = []
    count_steps(lambda: found.extend(each.message for each in findings_of(Source(text))[1]), STEPS)
    assert len(found) > 2_000


@pytest.mark.parametrize("line", ["module {\n", "module {\n  func.func @f() {\n", '"a.b"() ({\n'])
@pytest.mark.parametrize("behind", ["", "        }\n"])
def test_missing_braces_are_found_in_linear_time(line: str, behind: str):
    text = line * 4_000 + behind * 2_000
    count_steps(lambda: brace_hints(text, missing_braces(text)), 100 * text.count("\n"))


def test_a_value_that_shares_its_parts_is_hashed_once():
    type_: Type = F32
    for _ in range(64):
        type_ = TupleType((type_, type_))
    assert count_steps(lambda: hash(type_), 1_000) < 1_000


def test_one_alias_too_many_is_named_at_its_place():
    text = SHAPES["array_doubling"](BEYOND)
    _, found = parse(text)
    start, end = found[0].span
    assert text[start:end] in found[0].message
    assert text[start:end].startswith("#a")


def test_an_edit_in_a_region_of_a_broken_operation_reads_as_the_whole_text_does():
    head = '"a.b"() ({\n  %0 = "a.c"() : () -> f32\n'
    text = f'"a.d"() ({{\n{head}  "a.e"(%0) : (f32) -> ()\n}}) : (f32) -> ()\n}}) : () -> ()\n'
    document = Document(text)
    at = text.index('"a.e"')
    assert document.parts[0].diagnostics
    edited = document.edit([Edit(Span(at, at), '"a.f"(%1) : (f32) -> ()\n')])
    assert edited.parts[0].diagnostics == Document(edited.text).parts[0].diagnostics


@pytest.mark.parametrize(
    "name", ["array_aliases", "array_doubling", "tuple_doubling", "fused_metadata_doubling"]
)
def test_aliases_that_follow_from_a_broken_one_are_not_reported(name: str):
    assert len(_messages(SHAPES[name](BEYOND))) == 1


@pytest.mark.parametrize(
    ("definition", "mended", "use"),
    [
        ("#a = [", "#a = []", '"a.b"() {x = #a} : () -> ()'),
        ("!a = tuple<", "!a = f32", '"a.b"() {x = !a} : () -> ()'),
        ("#a = loc(", "#a = loc(unknown)", '"a.b"() : () -> () loc(#a)'),
        ("#a = loc(", "#a = loc(unknown)", '"a.b"() : () -> () loc(callsite(#a at #a))'),
    ],
)
def test_a_broken_definition_is_reported_and_its_uses_are_not(definition: str, mended: str, use: str):
    text = f'{definition}\n{use}\n"a.c"() {{x = #other}} : () -> ()\n'
    first, second = _messages(text)
    assert "#other" in second
    assert "#other" not in first
    document = Document(text).edit([Edit(Span(0, len(definition)), mended)])
    assert [each.message for each in document.parts[0].diagnostics] == [second]
