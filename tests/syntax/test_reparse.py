"""A text read again after an edit is what it is when it is read for the first time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.ir.locations import resolve
from shlo.ir.operations import Operation, Region, ValueTable, walk
from shlo.ir.source import Source
from shlo.syntax.incremental.reparse import reparse
from shlo.syntax.lexer.context import Context
from shlo.syntax.parser.module import parse_source
from shlo.syntax.parser.parse_result import Change, ParseResult
from tests.jax_programs import PROGRAMS
from tests.language.programs import BROKEN, JUMP, LOOP
from tests.mutations import SNIPPETS

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


def texts() -> Iterator[pytest.ParameterSet]:
    yield pytest.param(f"{LOOP}{JUMP}", id="functions")
    yield pytest.param(f"module @m {{\n{LOOP}{BROKEN}}}\n{JUMP}".replace("\n", "\r\n"), id="broken")
    for name in ("reduce", "case", "while"):
        yield pytest.param((ROOT / f"tests/ops/{name}.mlir").read_text(), id=name)
    for name in JAX:
        yield pytest.param(PROGRAMS[name].text(debug_info=True), id=f"{name}, with locations")
        yield pytest.param(PROGRAMS[name].text(), id=name)


def edited(text: str, chance: random.Random, near: int | None) -> tuple[int, int, str]:
    """Returns a stretch of a text and what to put there; near the last edit, often."""
    place = chance.randrange(len(text) + 1)
    if near is not None and chance.random() < 0.4:
        place = min(max(near + chance.randrange(-60, 60), 0), len(text))
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place) + 1 or len(text)
    match chance.randrange(6):
        case 0 | 1:
            return place, place, chance.choice(PIECES)
        case 2:
            return place, min(place + chance.randrange(1, 6), len(text)), chance.choice(("", "", "7", "x"))
        case 3:
            return start, end, chance.choice(("", *LINES))
        case 4:
            return start, start, text[start:end]
        case _:
            at = text.find("%", place)
            return (at, at + 2, chance.choice(NAMES)) if at >= 0 else (place, place, "%")


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


def seen(reading: ParseResult) -> object:
    """Returns all of a reading but the numbers of values."""
    return reading.diagnostics, list(_operations(reading)), list(_values(reading.module.body, {}))


def _operations(reading: ParseResult) -> Iterator[object]:
    for operation, span in walk(reading.module.body, reading.module.start):
        yield span, operation.name, [str(type_) for type_ in operation.result_types], _said(operation)


def _said(operation: Operation) -> object:
    signature = operation.signature
    return dict(signature.properties), dict(signature.attributes), str(resolve(operation.location))


def _values(region: Region, numbers: dict[tuple[int, int], int]) -> Iterator[object]:
    """Yields which values are defined and used where, by name, type and the order in which they are first
    met.
    """

    def value(table: ValueTable, number: int) -> object:
        order = numbers.setdefault((id(table), number), len(numbers))
        return order, table.names[number], str(table.types[number])

    for block in region.blocks:
        yield [value(region.values, each) for each in block.arguments]
        for operation in block.operations:
            yield [value(region.values, each) for each in (*operation.operands, *operation.results)]
            yield operation.successors
            for inner in operation.regions:
                if any(each.starts for each in inner.blocks):
                    yield from _values(inner, numbers)


def test_an_edit_keeps_the_operations_it_does_not_concern() -> None:
    text = LOOP.replace("dense<10>", "dense<11>")
    place = text.index("11>") + 1
    before = parse_source(Source(LOOP), Context())
    after = reparse(before, Source(text), Change(place, place + 1, place + 1), Context())
    old, new = ([each for each, _ in walk(reading.module.body)] for reading in (before, after))
    read_again = [each.name for one, each in zip(old, new) if one is not each]
    assert read_again == ["func.func", "stablehlo.while", "stablehlo.constant"]


def test_the_users_of_a_renamed_value_are_read_again() -> None:
    text = LOOP.replace("%c = stable", "%d = stable")
    place = text.index("%d") + 1
    before = parse_source(Source(LOOP), Context())
    after = reparse(before, Source(text), Change(place, place + 1, place + 1), Context())
    old, new = ([each for each, _ in walk(reading.module.body)] for reading in (before, after))
    read_again = [each.name for one, each in zip(old, new) if one is not each]
    assert [each.message for each in after.diagnostics] == ["use of undeclared value '%c'"]
    assert read_again[2:] == ["stablehlo.constant", "stablehlo.compare"]


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
