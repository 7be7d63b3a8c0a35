"""A text read again after an edit is what it is when it is read for the first time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shlo.ir.operations import Operation, walk
from shlo.ir.source import Source
from shlo.syntax.incremental.reparse import reparse
from shlo.syntax.lexer.context import Context
from shlo.syntax.parser.module import parse_source
from shlo.syntax.parser.parse_result import Change, ParseResult
from tests.jax_programs import PROGRAMS
from tests.language.programs import BROKEN, JUMP, LOOP
from tests.mutations import SNIPPETS
from tests.oracle import JAXLIB
from tests.syntax.parse_results import seen

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
JAX = ("cond_and_switch", "nested_jit_calls", "nested_loops", "fori_dynamic_slice", "custom_derivatives")
NAMES = ("%0", "%1", "%2", "%a", "%arg0", "%arg1", "%cst", "%w#1", "%new", "%0:2 =")
PIECES = (*SNIPPETS, *NAMES, "\n", "{", "}", "\n}\n", "{\n", " loc(#loc1)", "#a = 1 : i32\n", "// 😀\n")
LINES = (
    "  %new = stablehlo.constant dense<1.0> : tensor<f32>\n",
    "  stablehlo.custom_call @foo() : () -> ()\n",
    "  return\n",
    "func.func @g() {\n  return\n}\n",
)
EDITS_IN_A_ROW = 15
REDUCE = """\
func.func @f(%a: tensor<4xf32>, %i:// ----- tensor%0<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = "stablehlo.reduce"(%0, %i) <{dimensions = array<i64: 0>}> ({
 <{ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.retrn %2 : tensor<f32>
  }) : (tensxor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
"""


def texts() -> Iterator[Any]:
    yield pytest.param(f"{LOOP}{JUMP}", id="functions")
    yield pytest.param(f"module @m {{\n{LOOP}{BROKEN}}}\n{JUMP}".replace("\n", "\r\n"), id="broken")
    yield pytest.param("".join(map(long_function, "fg")), id="long signatures")
    for name in ("reduce", "case", "while"):
        yield pytest.param((ROOT / f"tests/ops/{name}.mlir").read_text(), id=name)
    for name in JAX if JAXLIB else ():
        yield pytest.param(PROGRAMS[name].text(debug_info=True), id=f"{name}, with locations")
        yield pytest.param(PROGRAMS[name].text(), id=name)


def long_function(name: str) -> str:
    arguments = ", ".join(
        f"%arg{number}: tensor<2xf32> {{jax.argument = {number} : i32}}" for number in range(50)
    )
    body = "".join(f"  %{each} = stablehlo.add %arg{each}, %arg7 : tensor<2xf32>\n" for each in range(40))
    return f"func.func @{name}({arguments}) -> tensor<2xf32> {{\n{body}  return %3 : tensor<2xf32>\n}}\n"


def edited(text: str, chance: random.Random, near: int | None) -> tuple[int, int, str]:
    """Returns a stretch of a text and what to put there; near the last edit, often."""
    place = chance.randrange(len(text) + 1)
    if near is not None and chance.random() < 0.4:
        place = min(max(near + chance.randrange(-60, 60), 0), len(text))
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place) + 1 or len(text)
    match chance.randrange(7):
        case 0 | 1:
            return place, place, chance.choice(PIECES)
        case 2:
            return place, min(place + chance.randrange(1, 6), len(text)), chance.choice(("", "", "7", "x"))
        case 3:
            return start, end, chance.choice(("", *LINES))
        case 4:
            return start, start, text[start:end]
        case 5:
            braces = [at for at, character in enumerate(text) if character in "{}"]
            at = min(braces, key=lambda at: abs(at - place), default=place)
            return (at, at + 1, "") if chance.random() < 0.6 else (at, at, chance.choice("{}"))
        case _:
            at = text.find("%", place)
            return (at, at + 2, chance.choice(NAMES)) if at >= 0 else (place, place, "%")


SUM = """\
func.func @f(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.mark.parametrize("text", texts())
@pytest.mark.parametrize("seed", [20261120, 4])
def test_reading_again_gives_what_reading_gives(text: str, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        now, near = text, None
        before = parse_source(Source(now), Context())
        for _ in range(EDITS_IN_A_ROW):
            start, end, piece = edited(now, chance, near)
            now, near = now[:start] + piece + now[end:], start
            # A Context that knows the text's lines would know them with their aliases.
            before = reparse(before, Source(now), Change(start, end, start + len(piece)), Context())
            assert seen(before) == seen(parse_source(Source(now), Context())), (seed, now)


@pytest.mark.parametrize("piece", ["{-#", "loc(", 'loc("x")\n'])
@pytest.mark.parametrize("text", texts())
def test_a_broken_text_whose_lines_are_known_is_read_like_any_other(text: str, piece: str) -> None:
    chance, context = random.Random(7), Context()
    parse_source(Source(text), context)
    starts = [at + 1 for at, character in enumerate(text) if character == "\n"]
    for start in chance.sample(starts, min(len(starts), 20)):
        broken = Source(f"{text[:start]}{piece}{text[start:]}")
        assert seen(parse_source(broken, context)) == seen(parse_source(broken, Context())), start


def test_a_list_may_go_on_behind_a_line_that_is_known() -> None:
    context = Context()
    parse_source(
        Source(SUM.replace("stablehlo.return %1 : tensor<f32>", "stablehlo.return %1 : tensor<f32>>")),
        context,
    )
    broken = Source(SUM.replace("}) : (tensor<4xf32>,", ", "))
    assert seen(parse_source(broken, context)) == seen(parse_source(broken, Context()))


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("loc(#l)\n", "%a = stablehlo.abs %x : tensor<f32> loc(#.l)\n"),
        ("loc(#l)\n", "%a = stablehlo.abs %x : tensor<f32> loc(#b.l)\n"),
        (
            "\n",
            '%x = "a.b"() : () -> tensor<f32>\n%a = stablehlo.abs %x : tensor<f32>\nloc(#k, %x : tensor<f32> loc(#l)\n',
        ),
        ("\n", '"a.b"() : () -> () loc(#x)\n#x = 1 : i32\n%a = stablehlo.abs %x : tensor<f32> loc(#x)\n'),
    ],
)
def test_locations_behind_lines_that_are_known_are_read_like_any_other(known: str, text: str) -> None:
    context = Context()
    parse_source(
        Source(f"%a = stablehlo.abs %x : tensor<f32> {known}%b = stablehlo.abs %a : tensor<f32>\n"), context
    )
    assert seen(parse_source(Source(text), context)) == seen(parse_source(Source(text), Context()))


def test_what_is_found_in_an_operation_does_not_depend_on_what_is_found_before() -> None:
    text, place = REDUCE, REDUCE.index("({")
    before, after = Source(text), Source(text.replace("({", "(){"))
    reading = reparse(
        parse_source(before, Context()), after, Change(place + 1, place + 1, place + 2), Context()
    )
    assert seen(reading) == seen(parse_source(after, Context()))


UNENDED = """\
func.func @f(%a: tensor<f32>) {
  "e.v"(%a) : (!e.v<
  %0 = stablehlo.abs %a : tensor<f32>
  %1 = stablehlo.abs %a : tensor<f32>
  %2 = stablehlo.abs %a : tensor<f32>
  return
}
"""
UNCLOSED = """\
func.func @f(%a: tensor<f32>) {
  "e.v"(%a) : (!e.v<(
  return
func.func @g(%a: tensor<f32>) {
  %1 = stablehlo.abs %a : tensor<f32>
  %2 = stablehlo.abs %a : tensor<f32>
  return
}
"""
LOST = """\
func.func @f(%a: tensor<f32>) {
  "e.v"(%a) ({
    %1 = stablehlo.abs %a : tensor<f32>
    stablehlo.return %1 te : tensor<f32><f3
  return
}
"""
TWO = """\
func.func @f(%a: tensor<f32>) {
  return
}
func.func @g(%a: tensor<f32>, %b: ) {
  %0 = stablehlo.abs %a : tensor<f32>
  return
}
"""
FOLLOWING = """\
func.func @f(%a: tensor<f32>) {
  return
func%1 = .func @g(%b: tensor<f32>) {
  return
}
"""


@pytest.mark.parametrize(
    ("text", "replaced", "piece"),
    [
        pytest.param(UNENDED, "  %1 =", "]  %1 =", id="a bracket that closes none is nearer"),
        pytest.param(UNENDED, "}", "", id="the bracket that closes none is gone"),
        pytest.param(UNCLOSED, "  %2 =", "]  %2 =", id="one that closes none in another function"),
        pytest.param(LOST, "  return", "  ", id="the statement before which a region ends is gone"),
        pytest.param(LOST, "  r", "", id="the statement goes on as the line above"),
        pytest.param(LOST, "return", "x", id="the statement is none any more"),
        pytest.param(FOLLOWING, "%b", "%c", id="a fault that follows from a lost brace"),
        pytest.param(TWO, "  return", "{  return", id="a brace is lost before a broken function"),
    ],
)
def test_what_a_broken_operation_looked_at_is_edited(text: str, replaced: str, piece: str) -> None:
    place = text.index(replaced)
    now = Source(text.replace(replaced, piece, 1))
    change = Change(place, place + len(replaced), place + len(piece))
    for edit, before, after in (
        (change, Source(text), now),
        (Change(change.start, change.new_end, change.old_end), now, Source(text)),
    ):
        reading = reparse(parse_source(before, Context()), after, edit, Context())
        assert seen(reading) == seen(parse_source(after, Context()))


def test_an_edit_keeps_the_operations_it_does_not_concern() -> None:
    text = LOOP.replace("dense<10>", "dense<11>")
    place = text.index("11>") + 1
    before = parse_source(Source(LOOP), Context())
    after = reparse(before, Source(text), Change(place, place + 1, place + 1), Context())
    old, new = ([each for each, _ in walk(reading.module.body)] for reading in (before, after))
    read_again = [each.name for one, each in zip(old, new) if one is not each]
    assert read_again == ["func.func", "stablehlo.while", "stablehlo.constant"]


def test_a_lost_brace_and_one_that_is_back_keep_the_operations_of_other_functions() -> None:
    functions = [f"func.func @f{number}() {{\n  return\n}}\n" for number in range(5)]
    whole = f"module {{\n{''.join(functions)}}}\n"
    place = whole.index("}", whole.index("@f2"))
    lost, back = Change(place, place + 1, place), Change(place, place, place + 1)
    before = parse_source(Source(whole), Context())
    broken = reparse(before, Source(whole[:place] + whole[place + 1 :]), lost, Context())
    after = reparse(broken, Source(whole), back, Context())
    assert [each.message for each in broken.diagnostics] == ["expected '}' before this statement"]
    kept = [
        {number for number, (old, new) in enumerate(zip(returns(first), returns(second))) if old is new}
        for first, second in ((before, broken), (broken, after))
    ]
    assert all(kept_numbers >= {0, 1, 4} for kept_numbers in kept)  # at 3 is where the body of 2 has to end


def returns(reading: ParseResult) -> list[Operation]:
    """Returns the last operation of each function."""
    return [each for each, _ in walk(reading.module.body) if each.name == "func.return"]


def test_lines_that_are_known_beside_a_function_stay() -> None:
    lines = "stablehlo.custom_call @foo() : () -> ()\n" * 3
    text = f"{lines}func.func @f() {{\n  return\n}}\n{lines}"
    place = text.index("return")
    after = Source(f"{text[:place]} {text[place:]}")
    reading = reparse(
        parse_source(Source(text), Context()), after, Change(place, place, place + 1), Context()
    )
    assert seen(reading) == seen(parse_source(after, Context()))


@pytest.mark.parametrize("text", [f"module {{\n{LOOP}}}\n", f"{LOOP}func.func @g() {{\n  return }}"])
def test_a_last_brace_that_is_lost_keeps_the_operations(text: str) -> None:
    place = text.rindex("\n}") + 1
    before, lost = parse_source(Source(text), Context()), Source(text[:place] + text[place + 1 :])
    after = reparse(before, lost, Change(place, place + 1, place), Context())
    assert seen(after) == seen(parse_source(lost, Context()))
    old, new = (
        [each for each, _ in walk(reading.module.body) if each.name != "builtin.module"]
        for reading in (before, after)
    )
    assert sum(one is other for one, other in zip(old, new)) > len(old) - 4


def test_the_users_of_a_renamed_value_are_read_again() -> None:
    text = LOOP.replace("%c = stable", "%d = stable")
    place = text.index("%d") + 1
    before = parse_source(Source(LOOP), Context())
    after = reparse(before, Source(text), Change(place, place + 1, place + 1), Context())
    old, new = ([each for each, _ in walk(reading.module.body)] for reading in (before, after))
    read_again = [each.name for one, each in zip(old, new) if one is not each]
    assert [each.message for each in after.diagnostics] == ["use of undeclared value '%c'"]
    assert read_again[2:] == ["stablehlo.constant", "stablehlo.compare"]


def test_a_line_before_a_definition_moves_the_place_that_findings_name() -> None:
    line = "%b = stablehlo.abs %a : tensor<2xf32>\n  "
    text = f"func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {{\n  {line}return %b : tensor<3xf32>\n}}\n"
    place = text.index("%b") + 1  # what both lines begin with is no part of the change
    added = "0 = stablehlo.abs %a : tensor<2xf32>\n  %"
    after = Source(text[:place] + added + text[place:])
    reading = reparse(
        parse_source(Source(text), Context()), after, Change(place, place, place + len(added)), Context()
    )
    assert [each.related[0].span.start for each in reading.diagnostics] == [after.text.index("%b")]


def test_a_long_row_of_edits_does_not_fill_the_tables() -> None:
    text = LOOP
    reading = parse_source(Source(text), Context())
    context = Context()
    start = text.index("%a, %a")
    for number in range(200):
        piece = "%a, %n" if number % 2 else "%a, %a"
        text = text[:start] + piece + text[start + 6 :]
        reading = reparse(reading, Source(text), Change(start, start + 6, start + 6), context)
    table = reading.block.operations[0].regions[0].values
    assert len(table.types) < 30
