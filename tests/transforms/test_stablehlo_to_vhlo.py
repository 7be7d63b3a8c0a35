"""The passes to VHLO and to a version of it give the text that MLIR's tools give, for every operation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shlo
from shlo.ir.diagnostics import PassError, ShloError
from shlo.ir.operations import Module
from shlo.transforms import vhlo_to_stablehlo
from shlo.transforms.passes import read_pipeline
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import Oracle, OracleError
from tests.transforms.test_vhlo_to_stablehlo import SHARDED, TYPES

OPS = Path(__file__).parents[1] / "ops"
PROGRAMS = {path.stem: path.read_text("utf-8") for path in sorted(OPS.glob("*.mlir"))} | TEXTS
NEWEST_OF_ORACLE = "1.17.0"
VERSIONS = (NEWEST_OF_ORACLE, "1.9.0", "1.4.0", "0.9.0")
CHECKS = re.compile(r"^ *check\..*\n( *[\[\]].*\n)*", re.MULTILINE)
REFUSED = "refused"


def pipeline(version: str, *, others: bool = True) -> str:
    options = "{allow-other-dialects=true}" if others else ""
    return f"stablehlo-legalize-to-vhlo{options},vhlo-to-version{{target={version}}}"


def converted(program: str | Module, passes: str, locations: bool = False) -> str:
    module = shlo.parse(program) if isinstance(program, str) else program
    for step in read_pipeline(passes):
        module = step(module)
    return module.to_text(locations=locations)


def expected(oracle: Oracle, text: str, passes: str, locations: bool = False) -> str:
    try:
        return oracle.transformed(text, passes, locations=locations)
    except OracleError:
        return REFUSED


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_operation_in_several_versions(oracle: Oracle, name: str) -> None:
    text = CHECKS.sub("", PROGRAMS[name])
    module = shlo.parse(text)
    for version in VERSIONS:
        try:
            found = converted(module, pipeline(version))
        except ShloError:
            found = REFUSED
        assert found == expected(oracle, text, pipeline(version)), version


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_jax_programs_keep_their_locations(oracle: Oracle, program: Program) -> None:
    text = program.text(debug_info=True)
    wanted = expected(oracle, text, pipeline(NEWEST_OF_ORACLE), locations=True)
    if wanted == REFUSED:
        with pytest.raises(PassError):
            converted(text, pipeline(NEWEST_OF_ORACLE))
    else:
        assert converted(text, pipeline(NEWEST_OF_ORACLE), locations=True) == wanted.replace(
            'loc("-":', 'loc("<text>":'
        )


@pytest.mark.parametrize("target", ["1.0.0", "1.17.0"])
def test_vhlo_in_text_becomes_that_of_a_version(oracle: Oracle, target: str) -> None:
    text = oracle.transformed(CHECKS.sub("", PROGRAMS["exponential"]), pipeline("1.4.0"))
    passes = f"vhlo-to-version{{target={target}}}"
    assert converted(text, passes) == oracle.transformed(text, passes)


def test_types_come_back() -> None:
    text = shlo.parse(TYPES).to_text()
    vhlo = converted(text, "stablehlo-legalize-to-vhlo")
    assert vhlo_to_stablehlo(shlo.parse(vhlo)).to_text() == text
    assert converted(text, "stablehlo-legalize-to-vhlo,vhlo-legalize-to-stablehlo") == text


TAN = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "passes", "message"),
    [
        (TAN, pipeline("1.0.0"), "<text>:2:3: error: stablehlo.tan: the version has no such operation"),
        (TAN, pipeline("1.3.9"), "(version 1.4.0 first has it); the target is 1.3.0"),
        (TAN, pipeline("0.8.0"), "target: artifacts are of the versions 0.9.0 to"),
        (TAN, pipeline("new"), "target: a version of StableHLO is three numbers such as 1.4.0"),
        (SHARDED, "stablehlo-legalize-to-vhlo", "<text>:1:1: error: sdy.mesh: VHLO has no such operation"),
        (
            "func.func private @f(tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>})",
            "stablehlo-legalize-to-vhlo",
            "func.func: the attribute #sdy.sharding<@m, [{}]> has no form",
        ),
    ],
    ids=["operation", "version", "too early", "no version", "Shardy", "attribute of Shardy"],
)
def test_what_has_no_form_is_named_with_its_place(text: str, passes: str, message: str) -> None:
    with pytest.raises(PassError) as raised:
        converted(text, passes)
    assert message in str(raised.value)


def test_stablehlo_stays_where_vhlo_is_expected() -> None:
    module = shlo.parse(TAN)
    (step,) = read_pipeline("vhlo-to-version{target=1.0.0}")
    assert step(module) is module
