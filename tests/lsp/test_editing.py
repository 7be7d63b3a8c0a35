"""The server's text is the client's, in every encoding, however it is edited."""

from __future__ import annotations

import random
import weakref
from collections.abc import Awaitable, Callable

import pytest
from lsprotocol import types

from shlo.ir.source import Span
from shlo_lsp.documents import Edition
from shlo_lsp.positions import Lines
from tests.lsp.conftest import Client
from tests.lsp.programs import LOOP

pytestmark = pytest.mark.slow

PIECES = ["", "a", "\n", "\r", "\r\n", "😀", "é\n", "b\r\nc😀", "\n\n", "%x = 1"]
ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


def rows(text: str) -> list[str]:
    """Returns the lines with their breaks, as the protocol has them."""
    rows, row = [], ""
    for index, character in enumerate(text):
        row += character
        if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
            rows.append(row)
            row = ""
    return [*rows, row]


def place(text: str, offset: int, encoding: str) -> types.Position:
    """Returns an offset as the protocol has it, the long way round."""
    line, left = 0, offset
    for row in rows(text)[:-1]:
        if left < len(row):
            break
        line, left = line + 1, left - len(row)
    return types.Position(line, len(rows(text)[line][:left].encode(ENCODINGS[encoding])) // UNIT[encoding])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_random_edits_and_positions(encoding: str) -> None:
    chance = random.Random(3)
    for _ in range(150):
        text = "".join(chance.choices(PIECES, k=8))
        edition = Edition(Lines(text, encoding), 0)
        for version in range(1, 6):
            start, end = sorted(chance.choices(range(len(text) + 1), k=2))
            where = types.Range(place(text, start, encoding), place(text, end, encoding))
            # Positions within a line break do not exist: the nearest place before it is meant.
            start, end = edition.lines.span(where)
            new = chance.choice(PIECES)
            edition = edition.edited(types.TextDocumentContentChangePartial(where, new), version)
            text = text[:start] + new + text[end:]
            assert edition.text == text
            fresh = Lines(text, encoding)
            for offset in range(len(text) + 1):
                assert (
                    edition.lines.position(offset) == fresh.position(offset) == place(text, offset, encoding)
                )
                if text[offset - 1 : offset + 1] != "\r\n":
                    assert edition.lines.offset(fresh.position(offset)) == offset


def test_a_place_is_found_again_after_edits() -> None:
    first = Edition(Lines("one two three", "utf-16"), 0)
    second = first.edited(change(0, 3, "1"), 1)
    third = second.edited(change(6, 11, ""), 2)
    assert [first.shifted(offset, third) for offset in (4, 9, 13)] == [2, 6, 6]
    assert third.text == "1 two "
    assert first.shifted(9, third.edited(types.TextDocumentContentChangeWholeDocument("x"), 3)) <= 6


def change(start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
    where = types.Range(types.Position(0, start), types.Position(0, end))
    return types.TextDocumentContentChangePartial(where, text)


def test_of_edits_that_are_read_together_the_texts_between_are_not_kept() -> None:
    first = edition = Edition(Lines("one", "utf-16"), 0)
    between: list[weakref.ref[Lines]] = []
    for version in range(1, 50):
        edition = edition.edited(change(0, 0, "x"), version)
        between.append(weakref.ref(edition.lines))
    assert [lines() for lines in between] == [None] * 48 + [edition.lines]
    assert len(first.edits_until(edition)) == 49
    assert first.shifted(2, edition) == 51


def test_positions_beyond_the_text_are_its_nearest_place() -> None:
    lines = Lines("ab\r\n😀", "utf-16")
    places = [(0, 99), (99, 0), (1, 1), (1, 99)]
    assert [lines.offset(types.Position(*place)) for place in places] == [2, 5, 5, 5]
    assert lines.span(types.Range(types.Position(1, 0), types.Position(0, 0))) == Span(4, 4)


@pytest.mark.asyncio
@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_encodings_are_agreed_on(begin: Callable[..., Awaitable[Client]], encoding: str) -> None:
    client = await begin(encodings=(encoding, "utf-16"))
    assert client.answer.capabilities.position_encoding == encoding
    document = await client.open('func.func private @"é😀"(%missing)')
    (found, *_) = await document.findings()
    assert found.range.start == place(document.text, document.text.index("%missing") + 8, encoding)


@pytest.mark.asyncio
async def test_programs_of_a_document_are_apart(begin: Callable[..., Awaitable[Client]]) -> None:
    client = await begin()
    document = await client.open(LOOP + "// -----\n" + LOOP.replace("%x, %a :", "%x, %z :"))
    (found,) = await document.findings()
    assert document.words(found.range) == "%z"
    uses = await document.request(
        types.TEXT_DOCUMENT_REFERENCES,
        position=document.at("%x"),
        context=types.ReferenceContext(include_declaration=True),
    )
    assert max(each.range.start.line for each in uses) < LOOP.count("\n")
