"""What MLIR's reader passes over is passed over, with the same program as the result."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as version_of

import pytest

import shlo
import shlo_bytecode
from shlo_bytecode.container.file import (
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
from shlo_bytecode.container.output import varint
from shlo_bytecode.container.stream import Stream
from tests.oracle import Oracle, OracleError

TEXT = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
DATA = shlo_bytecode.write(shlo.parse(TEXT), 6)


def lengthened(number: int) -> bytes:
    """Returns the file with a zero byte more at the end of a section."""
    return with_section(DATA, number, lambda body: body + b"\0")


def with_section(data: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """Returns the file with another content of one section."""
    stream = Stream(data)
    stream.pos = 4
    stream.varint("the version")
    stream.text("the producer")
    out = bytearray(data[: stream.pos])
    while stream.remaining:
        each, section = read_section(stream)
        body = data[section.start : section.end]
        body = change(body) if each == number else body
        out += bytes([each]) + varint(len(body)) + body
    return bytes(out)


def without_closing_zero() -> bytes:
    data = bytearray(DATA)
    data[open_container(DATA).sections[STRINGS].end - 1] = ord("A")
    return bytes(data)


def agrees(oracle: Oracle, data: bytes) -> bool:
    """Returns whether both read the program, or both refuse it; returns whether they read it."""
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


@pytest.mark.parametrize("count", [0, 2])
def test_outermost_operations_that_are_not_one_module_are_wrapped_in_one(oracle: Oracle, count: int):
    data = with_section(DATA, IR, lambda body: bytes([count << 2 | 1]) + body[1:] * count)
    assert agrees(oracle, data)


ADD = bytes.fromhex("07 06")
"""The name of the addition in the file, and what it has: results and operands."""


def with_operations(data: bytes, *changes: tuple[bytes, bytes]) -> bytes:
    """Returns the file with other bytes in its operations, each found there once."""

    def change(body: bytes) -> bytes:
        for old, new in changes:
            assert body.count(old) == 1
            body = body.replace(old, new)
        return body

    return with_section(data, IR, change)


def test_unknown_parts_of_operations_are_passed_over(oracle: Oracle):
    assert agrees(oracle, with_operations(DATA, (ADD, b"\x07\x86")))


def test_files_older_than_use_lists_and_properties(oracle: Oracle):
    data = shlo_bytecode.write(shlo.parse(TEXT), 2)
    assert agrees(oracle, with_operations(data, (ADD, b"\x07\x26")))
    assert not agrees(oracle, with_operations(data, (ADD, b"\x07\x46")))


BODY = bytes.fromhex("04 29 03 05 0b")
"""The start of the function's body: the header of its section, one block, two values."""


def test_a_region_may_state_values_that_it_neither_defines_nor_uses(oracle: Oracle):
    data = with_operations(DATA, (BODY, BODY[:3] + b"\x09" + BODY[4:]))
    assert agrees(oracle, data)
    result = b"\x0f\x03\x03"  # what is returned: value 1
    assert not agrees(oracle, with_operations(data, (result, b"\x0f\x03\x07")))


def test_bytes_behind_the_regions_of_an_isolated_operation(oracle: Oracle):
    longer = BODY[:1] + b"\x2b" + BODY[2:]
    data = with_operations(DATA, (BODY, longer), (b"\x04\x3d", b"\x04\x3f"))
    assert agrees(oracle, with_section(data, IR, lambda body: body + b"\0"))


def test_any_byte_but_zero_is_true(oracle: Oracle):
    text = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) { return }
    """
    data = shlo_bytecode.write(shlo.parse(text), 6, consumer=f"jaxlib=={version_of('jaxlib')}")
    found = [
        changed
        for at in range(
            open_container(data).sections[ENTRIES].start, open_container(data).sections[ENTRIES].end
        )
        if data[at] == 1 and agrees(oracle, changed := data[:at] + b"\xec" + data[at + 1 :])
    ]
    assert found
