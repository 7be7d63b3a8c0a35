"""Bytecode and artifacts that we write are, byte for byte, those that jaxlib writes."""

from __future__ import annotations

import pytest

import shlo
import shlo_bytecode
from tests.bytecode.test_artifacts import VERSIONS as TARGETS
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import Oracle, OracleError

PRODUCER = "MLIR23.0.0git"
WITH_USE_LISTS = ("regions", "stablehlo", "symbolic_loop")
"""Texts and programs in whose bytecode jaxlib says in which order values are used, which we do not write."""


def parse(text: str) -> shlo.Module:
    """The program, its file called as jaxlib calls it."""
    return shlo.parse(text, "-")


@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("name", TEXTS)
def test_every_kind_of_content_in_every_version(oracle: Oracle, name: str, version: int) -> None:
    wanted = oracle.bytecode(TEXTS[name], version, unregistered=True)
    written = shlo_bytecode.write(shlo_bytecode.read(wanted), version, producer=PRODUCER)
    assert_same(oracle, written, wanted, version >= 3 and name in WITH_USE_LISTS)


def assert_same(oracle: Oracle, written: bytes, wanted: bytes, has_use_lists: bool) -> None:
    if not has_use_lists:
        assert written == wanted
        return
    modules = [oracle.pretty_bytecode(data, locations=True, unregistered=True) for data in (written, wanted)]
    assert modules[0] == modules[1]


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_jax_program_from_its_text(oracle: Oracle, program: Program) -> None:
    text = program.text(debug_info=True)
    written = shlo_bytecode.write(parse(text), producer=PRODUCER)
    assert_same(oracle, written, oracle.bytecode(text), program.name in WITH_USE_LISTS)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_artifacts_and_refusals(oracle: Oracle, name: str, target: str) -> None:
    module, _ = shlo.syntax.parse(TEXTS[name], "-")
    try:
        wanted = oracle.artifact(TEXTS[name], target)
    except OracleError:
        with pytest.raises(shlo_bytecode.EncodingError):
            shlo_bytecode.write_artifact(module, target)
        return
    assert shlo_bytecode.write_artifact(module, target) == wanted


def test_locations_are_dropped_on_request(oracle: Oracle) -> None:
    data = shlo_bytecode.write(parse(TEXTS["locations"]), locations=False)
    assert "loc(unknown)" in oracle.pretty_bytecode(data, locations=True, unregistered=True)
    assert b"file.py" not in data


REFUSALS = {
    "1.8.0": ("stablehlo.exponential", "result_accuracy", "1.9.0"),
    "1.5.0": ("func.func @h", "tf32", "1.6.0"),
    "1.2.0": ("stablehlo.custom_call", "configuration", "1.3.0"),
}

NEWS = """
func.func @f(%x: tensor<2xf32>) {
  %0 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @g(%x) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<2xf32>) -> ()
  return
}
func.func private @h(tensor<2xtf32>)
"""


@pytest.mark.parametrize("target", REFUSALS)
def test_a_refusal_says_which_version_has_it(target: str) -> None:
    with pytest.raises(shlo_bytecode.EncodingError) as caught:
        shlo_bytecode.write_artifact(parse(NEWS), target)
    operation, words, first = REFUSALS[target]
    found = [
        obstacle
        for obstacle in caught.value.obstacles
        if words in obstacle.reason and obstacle.operation == operation
    ]
    assert [obstacle.first for obstacle in found] == [first]
    assert found[0].place.startswith("-:")


@pytest.mark.parametrize("version", ["0.8.0", "1.21.0", "2.0.0", "1.4", "x"])
def test_there_is_no_such_version(version: str) -> None:
    with pytest.raises(ValueError, match="version"):
        shlo_bytecode.write_artifact(parse("module {}"), version)


def test_newer_than_the_oracle() -> None:
    module = parse(TEXTS["recent"])
    text = module.to_text(locations=True)
    for target in ("1.18.0", "1.19.0", "1.20.0"):
        assert (
            shlo_bytecode.read(shlo_bytecode.write_artifact(module, target)).to_text(locations=True) == text
        )


def test_reductions_of_newer_shardy_are_written_and_read() -> None:
    text = (
        'module @m attributes {a.b = #sdy.sharding<@m, [{"x"}], replicated={"y"}, unreduced=max{"z"}>} {\n}\n'
    )
    assert shlo_bytecode.read(shlo_bytecode.write(parse(text))).to_text() == text
