"""`shlo ops`: lists and definitions."""

from __future__ import annotations

import json

from shlo.dialects import all_op_defs

from .conftest import Shlo

SUBJECTS = ("definition", "kernel", "reference", "VHLO", "facet", "test", "document")


def test_list_has_a_line_for_each_operation(shlo: Shlo) -> None:
    outcome = shlo("ops")
    assert [line.split()[0] for line in outcome.out.splitlines()] == [op_def.name for op_def in all_op_defs()]


def test_list_of_a_dialect(shlo: Shlo) -> None:
    assert all(line.startswith("func.") for line in shlo("ops", "func").out.splitlines())


def test_card_by_short_name(shlo: Shlo) -> None:
    out = shlo("ops", "cholesky").out
    assert out.startswith("stablehlo.cholesky\n")
    assert "lower: bool = false" in out
    assert "spec#cholesky" in out


def test_card_of_another_dialect_by_short_name(shlo: Shlo) -> None:
    assert shlo("ops", "erf_inv").out.startswith("chlo.erf_inv\n")


def test_json_card(shlo: Shlo) -> None:
    op_def = json.loads(shlo("ops", "sort", "--format", "json").out)
    assert (op_def["name"], op_def["runs"], op_def["attributes"][0]["default"]) == (
        "stablehlo.sort",
        True,
        "-1 : i64",
    )


def test_card_lists_constraints(shlo: Shlo) -> None:
    lines = [line.strip() for line in shlo("ops", "slice").out.splitlines()]
    assert "C4: 0 < strides" in lines
    labels = [
        each["label"] for each in json.loads(shlo("ops", "slice", "--format", "json").out)["constraints"]
    ]
    assert labels[:3] == ["C1", "C2", "C3"]


def test_card_marks_what_the_mlir_tools_accept(shlo: Shlo) -> None:
    out = shlo("ops", "reduce_precision").out + shlo("ops", "real_dynamic_slice").out
    assert "A4 (2024: none) [warning]: shape(result) = " in out
    assert "\n      the MLIR tools do not compare the sizes\n" in out


def test_names_that_begin_with_an_unknown_one_are_suggested_first(shlo: Shlo) -> None:
    hint = shlo("ops", "convol").err.splitlines()[-1]
    assert hint.startswith("hint: did you mean convolution, ")
    assert "did you mean collective_reduce, " in shlo("ops", "collective").err


def test_numpy_names_are_known(shlo: Shlo) -> None:
    assert "did you mean dot_general, " in shlo("ops", "matmul").err


def test_unknown_name_gets_a_suggestion(shlo: Shlo) -> None:
    outcome = shlo("ops", "dot_generl")
    assert (outcome.code, "dot_general" in outcome.err) == (2, True)


def test_where_prints_the_lines_about_an_operation(shlo: Shlo) -> None:
    places = json.loads(shlo("ops", "pad", "--where", "--format", "json").out)["places"]
    paths = {subject: [each["path"] for each in places if each["subject"] == subject] for subject in SUBJECTS}
    assert paths["definition"][0] == "shlo/dialects/stablehlo/ops/data_movement.py"
    assert "shlo/interpreter/kernels/movement/views.py" in paths["kernel"]
    assert paths["reference"] == ["shlo/reference/movement.py"]
    assert "shlo/dialects/vhlo/versions.py" in paths["VHLO"]
    assert "shlo/fuzzing/recipes/movement.py" in paths["facet"]
    assert "tests/ops/pad.mlir" in paths["test"]
    assert "docs/ops.md" in paths["document"]


def test_where_finds_the_function_that_a_table_of_kernels_registers(shlo: Shlo) -> None:
    lines = [line.split() for line in shlo("ops", "tanh", "--where").out.splitlines()]
    kernels = [path for subject, path in lines[1:] if subject == "kernel"]
    assert any(path.startswith("shlo/interpreter/kernels/elementwise/table.py:") for path in kernels)
