"""What MLIR's reader passes over is passed over: closing bytes that are no zeros, and what a section holds
behind its content."""

from __future__ import annotations

import pytest

import shlo
import shlo_bytecode
from shlo_bytecode.container import (
    DIALECTS,
    ENTRIES,
    ENTRY_SIZES,
    IR,
    PROPERTIES,
    RESOURCES,
    STRINGS,
    open_container,
    read_section,
)
from shlo_bytecode.output import varint
from shlo_bytecode.stream import Stream
from tests.oracle import Oracle, OracleError

TEXT = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
DATA = shlo_bytecode.write(shlo.parse(TEXT))


def lengthened(number: int) -> bytes:
    """The file with a zero byte more at the end of a section."""
    stream = Stream(DATA)
    stream.pos = 4
    stream.varint("the version")
    stream.text("the producer")
    out = bytearray(DATA[: stream.pos])
    while stream.remaining:
        each, section = read_section(stream)
        body = DATA[section.start : section.end] + (b"\0" if each == number else b"")
        out += bytes([each]) + varint(len(body)) + body
    return bytes(out)


def without_closing_zero() -> bytes:
    data = bytearray(DATA)
    data[open_container(DATA).sections[STRINGS].end - 1] = ord("A")
    return bytes(data)


def agrees(oracle: Oracle, data: bytes) -> bool:
    """Whether both read the program, or both refuse it; returns whether they read it."""
    try:
        theirs = oracle.pretty_bytecode(data)
    except OracleError:
        with pytest.raises(shlo_bytecode.BytecodeError):
            shlo_bytecode.read(data)
        return False
    assert shlo.parse(theirs).to_text() == shlo_bytecode.read(data).to_text()
    return True


@pytest.mark.parametrize("section", [STRINGS, DIALECTS, ENTRIES, ENTRY_SIZES, IR, RESOURCES, PROPERTIES])
def test_bytes_behind_the_content_of_a_section_count_where_mlir_counts_them(oracle: Oracle, section: int):
    assert agrees(oracle, lengthened(section)) == (section in (ENTRIES, IR, RESOURCES))


def test_the_closing_byte_of_a_string_may_be_any(oracle: Oracle):
    assert agrees(oracle, without_closing_zero())
