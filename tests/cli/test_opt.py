"""`shlo opt`: passes by name, on files of several programs, and what is said of what a pass keeps."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Shlo

PROGRAM = b"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
UNRANKED = b"""func.func @main(%x: tensor<*xf32>, %y: tensor<2xf32>) -> tensor<*xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
"""
NAME = "chlo-legalize-to-stablehlo"


def test_each_program_of_a_file_is_transformed(shlo: Shlo, tmp_path: Path) -> None:
    outcome = shlo("opt", "--pass", NAME, "-", stdin=PROGRAM + b"// -----\n" + PROGRAM)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("stablehlo.multiply") == 2
    assert outcome.out.count("// -----") == 1
    path = tmp_path / "new.mlir"
    assert shlo("opt", "--pass", f"{NAME},{NAME}", "-", "-o", path, stdin=PROGRAM) == (0, "", "")
    assert shlo("opt", "--pass", NAME, path).out == path.read_text()


def test_what_a_pass_keeps_is_noted_with_its_place_and_exit_code_2(shlo: Shlo) -> None:
    outcome = shlo("opt", "--pass", NAME, "-", stdin=UNRANKED)
    assert (outcome.code, outcome.err) == (2, f"<stdin>:2:3: note: {NAME} has kept chlo.broadcast_add\n")


def test_programs_are_printed_after_each_pass_that_changes_them(shlo: Shlo) -> None:
    outcome = shlo("opt", "--pass", f"{NAME},cse", "--print-after-all", "-", stdin=PROGRAM)
    assert outcome.code == 0
    assert outcome.err == f"// after {NAME}\n{outcome.out}// cse has changed nothing\n"


def test_passes_are_options_of_their_own_as_stablehlo_opt_takes_them(shlo: Shlo) -> None:
    by_name = shlo(
        "opt",
        "--pass",
        f"{NAME},stablehlo-wrap-in-composite{{op-names=stablehlo.multiply}}",
        "-",
        stdin=PROGRAM,
    )
    as_options = ("--" + NAME, "-", "--stablehlo-wrap-in-composite=op-names=stablehlo.multiply")
    assert shlo("opt", *as_options, stdin=PROGRAM) == by_name
    assert "stablehlo.composite" in by_name.out
    unknown = shlo("opt", "--inlin", "-", stdin=PROGRAM)
    assert (unknown.code, "there is no option --inlin; did you mean --inline?" in unknown.err) == (2, True)
    assert (
        shlo("opt", "--pass", "cse", "--", "--cse").err
        == "error: cannot read --cse: No such file or directory\n"
    )


def test_the_list_names_passes_and_options(shlo: Shlo) -> None:
    assert f"{NAME}\n" in shlo("opt", "--list").out
    passes = json.loads(shlo("opt", "--list", "--format", "json").out)["passes"]
    assert NAME in [each["name"] for each in passes]


def test_requests_that_cannot_be_carried_out(shlo: Shlo) -> None:
    for arguments in (["-"], ["--pass", NAME], ["--pass", "square", "-"], ["--pass", f"{NAME}{{a=1}}", "-"]):
        outcome = shlo("opt", *arguments, stdin=PROGRAM)
        assert (outcome.code, outcome.out) == (2, "")
        assert "expected" in outcome.err
    assert shlo("opt", "--pass", NAME, "-", stdin=PROGRAM[:-2]).code == 1


def test_an_artifact_holds_no_chlo(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "artifact.bc"
    outcome = shlo("convert", "-", "-o", path, "--target", "1.0.0", stdin=PROGRAM)
    assert outcome.code == 0
    assert "replaced 1 operation of chlo" in outcome.err
    assert "stablehlo.multiply" in shlo("convert", path).out
