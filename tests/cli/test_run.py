"""`shlo run`: where arguments come from, how results are shown and saved, and what bad input gets."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .conftest import Shlo

Program = Callable[[str], Path]

IDENTITY = "func.func @main(%x: {0}) -> {0} {{ return %x : {0} }}"
POINT = np.array([0, 3, 0], np.float32)


def test_arguments_from_npy_files_and_literals(shlo: Shlo, distance: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "from.npy", POINT)
    outcome = shlo("run", distance, tmp_path / "from.npy", "dense<[4.0, 0.0, 0.0]>")
    assert outcome == (0, "result 0: tensor<f32>\n5.\n", "")


@pytest.mark.parametrize("names", [("to", "from"), ("%to", "%from")])
def test_npz_members_go_to_the_arguments_of_their_names(
    shlo: Shlo, distance: Path, tmp_path: Path, names: tuple[str, str]
) -> None:
    source = distance.read_text().replace("stablehlo.sqrt %sum", "stablehlo.negate %sum")
    program = tmp_path / "p.mlir"
    program.write_text(source.replace("subtract %to, %from", "subtract %from, %from"))
    np.savez(tmp_path / "in.npz", **{names[0]: POINT + np.inf, names[1]: POINT})
    assert "\n-0.\n" in shlo("run", program, tmp_path / "in.npz").out


def test_npz_members_with_other_names_are_in_order(shlo: Shlo, distance: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", POINT, np.array([4, 0, 0], np.float32))
    assert "\n5.\n" in shlo("run", distance, tmp_path / "in.npz").out


def test_named_array_leaves_the_other_argument_to_the_literal(
    shlo: Shlo, distance: Path, tmp_path: Path
) -> None:
    arrays: dict[str, Any] = {"from": POINT}
    np.savez(tmp_path / "in.npz", **arrays)
    assert "\n5.\n" in shlo("run", distance, "[4.0, 0.0, 0.0]", tmp_path / "in.npz").out


def test_archive_of_many_arguments_is_opened_once(
    shlo: Shlo, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays: dict[str, Any] = {f"arr_{number}": np.full((), number, np.float32) for number in range(50)}
    np.savez(tmp_path / "in.npz", **arrays)
    parameters = ", ".join(f"%x{number}: tensor<f32>" for number in range(50))
    path = program(f"func.func @main({parameters}) -> tensor<f32> {{ return %x49 : tensor<f32> }}")
    opened: list[zipfile.ZipFile] = []

    class Counted(zipfile.ZipFile):
        def __init__(self, file: str) -> None:
            super().__init__(file)
            opened.append(self)

    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    assert shlo("run", path, tmp_path / "in.npz").out.endswith("\n49.\n")
    assert [archive.fp for archive in opened] == [None], "opened once, and closed"


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "int4"])
def test_void_elements_are_read_by_the_type_of_the_argument(
    shlo: Shlo, program: Program, tmp_path: Path, name: str
) -> None:
    mlir = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "int4": "i4"}[name]
    np.save(tmp_path / "x.npy", np.array([1, -2, 3], getattr(ml_dtypes, name)))
    path = program(IDENTITY.format(f"tensor<3x{mlir}>"))
    assert shlo("run", path, tmp_path / "x.npy").out.endswith("[1, -2, 3]\n")


def test_arrays_of_foreign_byte_order_and_column_order(shlo: Shlo, program: Program, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(np.arange(6, dtype=">f4").reshape(2, 3)))
    outcome = shlo("run", program(IDENTITY.format("tensor<2x3xf32>")), tmp_path / "x.npy", "--format", "json")
    assert json.loads(outcome.out)["results"][0]["value"] == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("type_", "literal", "shown"),
    [
        ("tensor<2xi32>", "7", "[7, 7]"),
        ("tensor<2xf32>", "7", "[7., 7.]"),
        ("tensor<i1>", "true", "True"),
        ("tensor<f32>", "-inf", "-inf"),
        ("tensor<2xbf16>", f"1{400 * '0'}", "[inf, inf]"),
        ("tensor<4xf32>", "[1, -2., 3e1, 4e-1]", "[ 1. , -2. , 30. ,  0.4]"),
        ("tensor<2xi32>", "dense<[1, 2]> : tensor<2xi32>", "[1, 2]"),
        ("tensor<?xi32>", "dense<[1, 2]> : tensor<2xi32>", "[1, 2]"),
        ("tensor<?xi32>", "[1, 2]", "[1, 2]"),
        ("tensor<?x2xcomplex<f32>>", "[[(1, -2), (nan, inf)]]", "[[ 1. -2.j, nan+infj]]"),
        ("tensor<2xf8E4M3FN>", "[nan, 1]", "[nan, 1]"),
        ("tensor<complex<f32>>", "dense<(1.0, -2.0)>", "1.-2.j"),
    ],
)
def test_literals(shlo: Shlo, program: Program, type_: str, literal: str, shown: str) -> None:
    assert shlo("run", program(IDENTITY.format(type_)), "--", literal).out.splitlines()[1] == shown


def test_random_arguments_depend_on_the_seed_alone(shlo: Shlo, distance: Path) -> None:
    first, again, other = (shlo("run", distance, "--random", seed).out for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize("type_", ["i1", "i2", "ui4", "i64", "f8E5M2", "bf16", "f64", "complex<f64>"])
def test_arguments_of_every_kind_can_be_made_up(shlo: Shlo, program: Program, type_: str) -> None:
    path = program(IDENTITY.format(f"tensor<5x{type_}>"))
    assert (shlo("run", path, "--random", "0").code, shlo("run", path, "--zeros").code) == (0, 0)


def test_large_results_are_elided_unless_asked_for(shlo: Shlo, program: Program) -> None:
    path = program(
        "func.func @main() -> tensor<1000xi32> { %0 = stablehlo.iota dim = 0 : tensor<1000xi32> "
        "return %0 : tensor<1000xi32> }"
    )
    short, full = shlo("run", path).out, shlo("run", path, "--full").out
    assert "..., 997, 998, 999]" in short
    assert "max 999" in short
    assert "500" in full
    assert "..." not in full


def test_saved_results_can_be_loaded_as_arguments(shlo: Shlo, program: Program, tmp_path: Path) -> None:
    text = "func.func @main(%x: tensor<2xbf16>, %y: tensor<i32>) -> (tensor<2xbf16>, tensor<i32>) "
    path = program(text + "{ return %x, %y : tensor<2xbf16>, tensor<i32> }")
    saved = tmp_path / "out.npz"
    first = shlo("run", path, "[1.5, 2.5]", "3", "--save", saved)
    assert np.load(saved)["result_1"] == 3
    assert shlo("run", path, saved).out == first.out
    assert [name.name for name in tmp_path.iterdir() if name.name.startswith(".")] == []


def test_jax_names_of_results_are_shown_without_control_characters(shlo: Shlo, program: Program) -> None:
    text = 'func.func @main(%x: tensor<i32>) -> (tensor<i32> {jax.result_info = "loss\\1B[2J"}) '
    outcome = shlo("run", program(text + "{ return %x : tensor<i32> }"), "1")
    assert outcome.out == "result 0 (loss\\x1b[2J): tensor<i32>\n1\n"


def test_json_has_words_for_numbers_that_json_lacks(shlo: Shlo, program: Program) -> None:
    path = program(IDENTITY.format("tensor<3xf32>"))
    outcome = shlo("run", path, "dense<[0x7FC00000, 0x7F800000, 1.0]>", "--format", "json")
    assert json.loads(outcome.out)["results"][0]["value"] == ["NaN", "Infinity", 1.0]


def test_tuples_and_tokens_are_shown(shlo: Shlo, program: Program) -> None:
    inner = "tuple<tensor<i32>, !stablehlo.token>"
    path = program(
        f"func.func @main(%x: tensor<i32>, %t: !stablehlo.token) -> {inner} {{\n"
        f"  %0 = stablehlo.tuple %x, %t : {inner}\n  return %0 : {inner}\n}}"
    )
    assert shlo("run", path, "4").out == f"result 0: {inner}\n(4,\ntoken)\n"
    assert json.loads(shlo("run", path, "4", "--format", "json").out)["results"][0]["value"] == [4, None]


def test_time_lists_the_kinds_of_operations(shlo: Shlo, distance: Path) -> None:
    outcome = shlo("run", distance, "--zeros", "--time")
    assert "stablehlo.sqrt" in outcome.err
    assert "stablehlo.sqrt" not in outcome.out


def test_program_from_standard_input_and_another_entry(shlo: Shlo) -> None:
    text = b"func.func @other(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }"
    assert shlo("run", "-", "5", "--entry", "other", stdin=text).out.endswith("\n5\n")


def test_fault_while_running_has_its_place_and_the_calls_before(shlo: Shlo, program: Program) -> None:
    path = program(
        "func.func @main() -> tensor<i32> {\n  %0 = func.call @f() : () -> tensor<i32>\n"
        "  return %0 : tensor<i32>\n}\n"
        "func.func @f() -> tensor<i32> {\n  %0 = stablehlo.custom_call @nobody() : () -> tensor<i32>\n"
        "  return %0 : tensor<i32>\n}"
    )
    outcome = shlo("run", path)
    lines = outcome.err.splitlines()
    assert outcome.code == 1
    assert lines[0].startswith(f"{path}:6:3: error: stablehlo.custom_call: ")
    assert "nobody" in lines[0]
    assert lines[1] == "  %0 = stablehlo.custom_call @nobody() : () -> tensor<i32>"
    assert lines[2] == "  ^"
    assert lines[3] == f"note: called from @main at {path}:2:3"


def test_endless_loop_stops_at_the_budget(shlo: Shlo, program: Program) -> None:
    path = program(
        "func.func @main(%x: tensor<i1>) -> tensor<i1> {\n"
        "  %r = stablehlo.while(%a = %x) : tensor<i1> cond { stablehlo.return %a : tensor<i1> }\n"
        "  do { stablehlo.return %a : tensor<i1> }\n  return %r : tensor<i1> }"
    )
    outcome = shlo("run", path, "true", "--max-steps", "1000")
    assert (outcome.code, "1000 steps" in outcome.err) == (1, True)


BAD_ARGUMENTS = {
    "missing": ([], "missing: argument 0 (%from)"),
    "one too many": (["1", "2", "3"], "3 is one too many"),
    "list of several words": (["[1,", "2,", "3]"], "hint: a list with blanks is one argument in quotes"),
    "list in round brackets": (["(1, 2, 3)", "1"], "hint: give a literal, such as 1.5, [1.5, 2.5]"),
    "no such file": (["nowhere.npy", "1"], "cannot read nowhere.npy"),
    "wrong shape": (["short.npy", "1"], "holds float32 of shape (2,)"),
    "wrong type": (["double.npy", "1"], "but must be tensor<3xf32>"),
    "objects": (["objects.npy", "1"], "no tensor can hold"),
    "no npy": (["text.npy", "1"], "no array file"),
    "cut short": (["cut.npy", "1"], "cut short"),
    "no zip": (["text.npz", "1"], "no array file"),
    "damaged zip": (["damaged.npz", "1"], "damaged.npz"),
    "stranger in archive": (
        ["stranger.npz"],
        "hint: stranger.npz: skipped 1 array named after no argument: else",
    ),
    "huge claim": (["huge.npy", "1"], "of shape"),
    "directory": ([".npy", "1"], "cannot read"),
    "null in name": (["a\0.npy", "1"], "a\\x00.npy"),
    "unfinished list": (["[1.0, 2.0", "1"], "expected ',' or ']', but found the end of the text"),
    "nothing": (["", "1"], "an empty text is no value of type tensor<3xf32>"),
    "broken literal": (["dense<[1.0, 2.0>", "1"], "argument 0 (%from)"),
    "literal of wrong shape": (["[1.0]", "1"], "argument 0 (%from)"),
    "literal without brackets": (["[[1.0, 2.0], 3.0]", "1"], "argument 0 (%from)"),
    "literal of wrong type": (["dense<1> : tensor<i32>", "1"], "argument 0 (%from)"),
    "word": (["hello", "1"], "argument 0 (%from)"),
    "endless word": (["[" * 100_000, "1"], "[[[..."),
    "header that is no Python": (["header.npy", "1"], "no array file"),
    "header of gigabytes": (["long.npy", "1"], "its header would take"),
    "archive in another order": (["swapped.npz"], "taken in the order of the file"),
    "given twice": (["named.npz", "named.npz"], "given twice"),
}


@pytest.fixture
def bad_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("short.npy", POINT[:2])
    np.save("double.npy", POINT.astype(np.float64))
    np.save("objects.npy", np.array([{}, 1, 2], object), allow_pickle=True)
    np.save("whole.npy", POINT)
    Path("cut.npy").write_bytes(Path("whole.npy").read_bytes()[:-4])
    Path("text.npy").write_text("not an array")
    Path("text.npz").write_text("not an archive")
    np.savez("damaged.npz", POINT)
    data = bytearray(Path("damaged.npz").read_bytes())
    data[150:160] = bytes(10)
    Path("damaged.npz").write_bytes(bytes(data))
    stranger: dict[str, Any] = {"from": POINT, "else": POINT}
    np.savez("stranger.npz", **stranger)
    named: dict[str, Any] = {"from": POINT}
    np.savez("named.npz", **named)
    header = {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
    with open("huge.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
    Path(".npy").mkdir()
    Path("header.npy").write_bytes(b"\x93NUMPY\x01\x00\x40\x00" + b"(" * 63 + b"\n")
    Path("long.npy").write_bytes(b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + b" " * 1000)
    np.savez("swapped.npz", y=POINT[:2], x=POINT)


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments_get_one_message(shlo: Shlo, distance: Path, case: str) -> None:
    arguments, words = BAD_ARGUMENTS[case]
    outcome = shlo("run", distance, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert words in outcome.err
    assert "Traceback" not in outcome.err
    assert "mistake" not in outcome.err
    assert outcome.err.count("error:") == 1


def test_claimed_size_of_unknown_dimension_is_not_allocated(
    shlo: Shlo, program: Program, tmp_path: Path
) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": (1 << 50,)}
    with zipfile.ZipFile(tmp_path / "in.npz", "w") as archive, archive.open("x.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, header)
    outcome = shlo("run", program(IDENTITY.format("tensor<?xf32>")), tmp_path / "in.npz")
    assert (outcome.code, "cut short" in outcome.err) == (2, True)


def test_unknown_size_cannot_be_made_up(shlo: Shlo, program: Program) -> None:
    outcome = shlo("run", program(IDENTITY.format("tensor<?xf32>")), "--zeros")
    assert (outcome.code, "no value can be made up" in outcome.err) == (2, True)


@pytest.mark.parametrize("arguments", [["--zeros"], ["--random", "0"], ["1"], ["dense<1.0>"]])
@pytest.mark.parametrize("shape", ["99999999999x1000", "9999999999x9999999999x9999999999"])
def test_tensor_beyond_all_memory_is_a_message(
    shlo: Shlo, program: Program, shape: str, arguments: list[str]
) -> None:
    outcome = shlo("run", program(IDENTITY.format(f"tensor<{shape}xf32>")), *arguments)
    assert outcome.code in (1, 2)
    assert "memory" in outcome.err or "address" in outcome.err
    assert "mistake" not in outcome.err


@pytest.mark.parametrize("target", ["", "out.txt", "no/such/folder/out.npz"])
def test_results_that_cannot_be_saved(shlo: Shlo, distance: Path, target: str) -> None:
    outcome = shlo("run", distance, "--zeros", "--save", target)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: cannot")


@pytest.mark.parametrize(("entry", "hint"), [("nope", "it has @main"), ("mian", "did you mean @main?")])
def test_unknown_entry_names_those_that_exist(shlo: Shlo, distance: Path, entry: str, hint: str) -> None:
    outcome = shlo("run", distance, "--entry", entry)
    assert (outcome.code, f"no function @{entry}" in outcome.err, hint in outcome.err) == (2, True, True)


KERNEL = """func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.custom_call @tt.kernel() : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}"""


def test_a_stub_gives_results_for_a_custom_call_without_a_handler(
    shlo: Shlo, program: Program, tmp_path: Path
) -> None:
    path = program(KERNEL)
    np.savez(tmp_path / "out.npz", np.array([7, 8], np.int32))
    assert shlo("run", path, "--stub", f"tt.kernel={tmp_path / 'out.npz'}").out.endswith("[7, 8]\n")
    refused = shlo("run", path)
    assert refused.code == 1
    assert "use --stub tt.kernel=zeros|random|FILE.npz to go on" in refused.err
    assert shlo("test", path, "--stub", "tt.*=zeros").code == 0


@pytest.mark.parametrize("text", ["tt.kernel", "=zeros", "tt.kernel=ones"])
def test_a_stub_of_another_form_is_refused(shlo: Shlo, program: Program, text: str) -> None:
    outcome = shlo("run", program(KERNEL), "--stub", text)
    assert outcome.code == 2
    assert f"expected TARGET=zeros, TARGET=random or TARGET=FILE.npz, got {text}" in outcome.err


SHARDED = """func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]0,1}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}"""


def test_the_grid_of_a_sharded_program_is_told_where_it_was_inferred(shlo: Shlo, program: Program) -> None:
    outcome = shlo("run", program(SHARDED), "--zeros")
    assert outcome.code == 0
    assert "note: the shardings are over 2 devices: as with --grid 1x2" in outcome.err
    debugged = shlo("debug", program(SHARDED), "--zeros", "--script", "-")
    assert (debugged.code, debugged.out) == (0, "grid 1x2 from the shardings\n")


def test_semantics_of_xla_in_run_test_and_fold(shlo: Shlo, tmp_path: Path) -> None:
    program = tmp_path / "power.mlir"
    program.write_text("""func.func @main() -> tensor<i32> {
      %x = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.constant dense<65> : tensor<i32>
      %r = stablehlo.power %x, %y : tensor<i32>
      return %r : tensor<i32>
    }""")
    assert shlo("run", program).out.endswith(f"\n{3**65 % 2**32}\n")
    assert shlo("run", program, "--semantics", "xla").out.endswith("\n3\n")
    assert "dense<3>" in shlo("fold", program, "--semantics", "xla").out
    program.write_text("""func.func @main() {
      %x = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.constant dense<65> : tensor<i32>
      %r = stablehlo.power %x, %y : tensor<i32>
      check.expect_eq_const %r, dense<3> : tensor<i32>
      return
    }""")
    assert [shlo("test", program, "--semantics", word).code for word in ("xla", "spec")] == [0, 1]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("mhlo.add", "`shlo convert --from-mhlo` reads the operations of mhlo as StableHLO's"),
        ("tf.AddV2", "the dialect 'tf' is not known"),
    ],
)
def test_an_operation_of_another_dialect_is_refused_with_what_to_do(
    shlo: Shlo, name: str, advice: str
) -> None:
    program = f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %y = "{name}"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }}"""
    outcome = shlo("run", "-", "1.0", stdin=program.encode())
    assert outcome.code == 1
    assert f"no kernel is registered for {name}; {advice}" in outcome.err


@pytest.mark.parametrize("argument", ["abc", "@main", "from=[1,2,3]", "values.txt", ""])
def test_an_argument_that_is_no_literal_is_told_what_it_may_be(
    shlo: Shlo, distance: Path, argument: str
) -> None:
    outcome = shlo("run", distance, argument, "[1, 2, 3]")
    problem, hint = outcome.err.splitlines()
    assert problem.startswith(f"error: argument 0 (%from): {argument or 'an empty text'} is no ")
    assert "expected a type" not in problem
    assert hint == (
        "hint: give a literal, such as 1.5, [1.5, 2.5] or dense<[1, 2]>, or the name of a .npy or .npz file"
    )
    assert outcome.code == 2
