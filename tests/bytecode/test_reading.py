"""Bytecode that jaxlib writes reads as what jaxlib reads in it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

import shlo
import shlo_bytecode
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.tables.builtin_types import affine_map_text, integer_set_text, strided_layout_text
from shlo_bytecode.tables.fields import EntryStream
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import Oracle

VERSIONS = range(7)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", TEXTS)
def test_every_kind_of_content_in_every_version(oracle: Oracle, name: str, version: int) -> None:
    data = oracle.bytecode(TEXTS[name], version, unregistered=True)
    expected = oracle.pretty_bytecode(data, locations=True, unregistered=True)
    assert shlo_bytecode.read(data).to_text(locations=True) == expected


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_jax_program(oracle: Oracle, program: Program) -> None:
    data = oracle.bytecode(program.text(debug_info=True))
    assert shlo_bytecode.read(data).to_text(locations=True) == oracle.pretty_bytecode(data, locations=True)


def test_parse_and_load_know_bytecode(oracle: Oracle, tmp_path: object) -> None:
    text = "module {\n  func.func private @f(i1)\n}\n"
    data = oracle.bytecode(text)
    assert shlo.parse(data).to_text() == text


def test_constants_are_decoded_when_somebody_looks(oracle: Oracle) -> None:
    data = oracle.bytecode("func.func @f() { %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32> return }")
    operation = shlo_bytecode.read(data).functions["f"].body
    assert operation is not None
    value = operation.blocks[0].operations[0].attribute("value")
    assert not value.is_decoded
    assert value.array.tolist() == [1, 2]


APART = """
"t.op"() {a = distinct[3]<1 : i8>, b = loc("a":1:2), c = dense_resource<alone> : tensor<4xi8>} : () -> ()
{-# dialect_resources: { builtin: { alone: "0x0400000001020304" } } #-}
"""


def test_resources_and_what_has_an_identity(oracle: Oracle) -> None:
    module = shlo_bytecode.read(oracle.bytecode(APART, unregistered=True))
    attributes = module.body.blocks[0].operations[0].signature.attributes
    assert str(attributes["a"]) == "distinct[0]<1 : i8>"
    assert str(attributes["b"]) == 'loc("a":1:2)'
    assert attributes["c"].blob == bytes([1, 2, 3, 4])
    assert list(module.resources.values()) == ["0x0400000001020304"]


EXPRESSIONS = (
    "d1 + s0 * 2 + (d0 mod 3) floordiv 4, -5, -d0, -(d0 + d1), d0 - d1, d0 - (d1 + 4) * 3, (d0 - d1) * 5, "
    "d0 - d1 floordiv 3, d0 - (d0 + d1), -(d0 mod 3), d0 - d1 ceildiv (s0 + 1), -(d0 * s0), d0 * s0 - 7, "
    "d0 * -4, d0 + d1 - s0 * 3, -(d0 mod 7) + 3, -d0 - 5, -(s0 * s0)"
)
LAYOUTS = f"""
#map = affine_map<(d0, d1)[s0] -> ({EXPRESSIONS})>
#set = affine_set<(d0)[s0] : (d0 >= 0, s0 - 5 == 0, -(d0 - 1) + s0 >= 0)>
#set1 = affine_set<() : (0 == 0)>
module {{
  "t.a"() {{a = #map, b = #set, c = #set1, d = memref<2xf32, strided<[1], offset: ?>, 1>}} : () -> ()
  "t.a"() {{a = memref<2x3xf32, strided<[?, 7]>>, b = memref<f32, strided<[], offset: 3>>}} : () -> ()
  "t.a"() {{a = strided<[-1, 0], offset: -3>}} : () -> ()
}}
""".lstrip()


def test_maps_sets_and_layouts_read_as_they_print(oracle: Oracle) -> None:
    data = oracle.bytecode(LAYOUTS, unregistered=True)
    assert shlo_bytecode.read(data).to_text() == oracle.pretty_bytecode(data, unregistered=True) == LAYOUTS


IN_BINARY = (
    (affine_map_text, "17 03 03 07 01 03 09 03 01 05 09", "(d0, d1)[s0] -> (d1 + s0 * 2)"),
    (integer_set_text, "03 03 05 01 01 07 03 01 05 13 00 01", "(d0)[s0] : (d0 >= 0, s0 - 5 == 0)"),
    (strided_layout_text, "00 ff ff ff ff ff ff ff ff 05 05 1d", "[1, 7], offset: ?"),
)
"""What MLIR 24 writes behind the codes 23 to 25."""


@pytest.mark.parametrize(("read", "data", "text"), IN_BINARY)
def test_maps_sets_and_layouts_of_newer_mlir_are_in_binary(
    read: Callable[[EntryStream], str], data: str, text: str
) -> None:
    stream = EntryStream(Stream(bytes.fromhex(data)), [], (0, 0), (), count())
    assert read(stream) == text
    assert not stream.remaining
