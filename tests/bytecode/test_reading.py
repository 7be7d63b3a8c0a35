"""Bytecode that jaxlib writes reads as what jaxlib reads in it."""

from __future__ import annotations

import pytest

import shlo
import shlo_bytecode
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
