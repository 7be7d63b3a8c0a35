"""`shlo check`: findings with their place, as text and as data, and files that are no programs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Shlo

TWO_MISTAKES = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %twice = stablehlo.add %x, %y : tensor<4xf32>
\t%root = stablehlo.sqrt %twice tensor<4xf32>
  return %root : tensor<4xf32>
}
"""


def test_every_finding_has_place_line_and_carets(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(TWO_MISTAKES)
    outcome = shlo("check", path)
    lines = outcome.err.splitlines()
    assert (outcome.code, outcome.out) == (1, "")
    assert lines[0].startswith(f"{path}:2:30: error: ")
    assert lines[0].endswith("[syntax]")
    assert lines[1] == "  %twice = stablehlo.add %x, %y : tensor<4xf32>"
    assert lines[2].index("^") == lines[1].index("%y")
    assert lines[3].startswith(f"{path}:3:")
    assert lines[5].startswith("\t")


def test_good_program_is_silent(shlo: Shlo, distance: Path) -> None:
    assert shlo("check", distance) == (0, "", "")


def test_json_gives_ranges_for_each_file(shlo: Shlo, distance: Path) -> None:
    outcome = shlo("check", distance, "-", "--format", "json", stdin=TWO_MISTAKES.encode())
    files = json.loads(outcome.out)["files"]
    assert outcome.code == 1
    assert [file["file"] for file in files] == [str(distance), "<stdin>"]
    assert files[0]["findings"] == []
    assert files[1]["findings"][0]["range"]["start"] == {"line": 2, "column": 30}


MENDED = b"""func.func @f(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  %t = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %s = "stablehlo.add"(%y, %x) : (tensor<4xf32>, tensor<2x3xf32>) -> tensor<4xf32>
  return
}
"""


def test_json_and_sarif_carry_what_mends_a_finding(shlo: Shlo) -> None:
    findings = json.loads(shlo("check", "--format", "json", "-", stdin=MENDED).out)["files"][0]["findings"]
    assert findings[0]["fix"]["title"] == "set permutation to [1, 0]"
    assert findings[0]["fix"]["replacement"] == "[1, 0]"
    help = "make the shape of %y [2, 3], or the shape of %x [4]"
    assert [each["help"] for each in findings] == [None, help]
    results = json.loads(shlo("check", "--format", "sarif", "-", stdin=MENDED).out)["runs"][0]["results"]
    change = results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["insertedContent"] == {"text": "[1, 0]"}
    assert results[1]["message"]["text"].endswith(f"\nhelp: {help}")


def test_what_follows_from_an_unreadable_operation_is_not_reported(shlo: Shlo) -> None:
    text = b"""func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = stablehlo.add %x %x : tensor<4xf32>
      func.call @g(%a) : (tensor<4xf32>) -> ()
      return %a : tensor<4xf32>
    }
    func.func private @g(tensor<4xf32) -> ()
    """
    lines = shlo("check", "-", stdin=text).err.splitlines()
    assert [line.split(": ")[0] for line in lines if line.startswith("<stdin>")] == [
        "<stdin>:2:29",
        "<stdin>:6:38",
    ]


def test_parts_of_a_split_file_keep_their_line_numbers(shlo: Shlo) -> None:
    good = b"func.func @f() { return }\n"
    text = good + b"// -----\r\n" + good + b"// -----\n" + TWO_MISTAKES.encode()
    outcome = shlo("check", "--split-input-file", "-", stdin=text)
    assert [line.split(" ")[0] for line in outcome.err.splitlines() if line[0] == "<"] == [
        "<stdin>:6:30:",
        "<stdin>:7:32:",
    ]


def test_long_lines_are_clipped_around_the_caret(shlo: Shlo) -> None:
    constant = f'dense<"0x{"00" * 100_000}">'
    text = f"func.func @main() {{ %0 = stablehlo.constant {constant} : tensor<25000xf32> oops }}"
    outcome = shlo("check", "-", stdin=text.encode())
    assert max(map(len, outcome.err.splitlines())) < 300
    assert "oops" in outcome.err


def test_control_characters_do_not_reach_the_terminal(shlo: Shlo) -> None:
    outcome = shlo("check", "-", stdin=b"func.func @main() { \x1b[2J\xe2\x80\xae oops }")
    assert outcome.code == 1
    assert "\x1b" not in outcome.err
    assert "\\x1b[2J\\u202e" in outcome.err


BAD_FILES = {
    "empty": (b"", 0),
    "binary": (bytes(range(256)) * 20, 1),
    "bytecode": (b"ML\xefR\x0d" + bytes(40), 2),
    "truncated": (b"func.func @main(%x: tensor<4xf32>) {", 1),
    "deep": (b"(" * 100_000, 1),
    "utf-16": ("module {}".encode("utf-16"), 1),
    "byte-order mark and CRLF": (b"\xef\xbb\xbfmodule {\r\n}\r\n", 0),
    "unterminated string": (b'module attributes {a = "', 1),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_file_of_any_content_ends_in_messages(shlo: Shlo, case: str) -> None:
    data, code = BAD_FILES[case]
    outcome = shlo("check", "-", stdin=data)
    assert outcome.code == code
    assert bool(outcome.err) == (code > 0)
    assert "Traceback" not in outcome.err
    assert "mistake" not in outcome.err


FOREIGN_FILES = {
    "HLO": (
        b"HloModule jit_f, is_scheduled=true\n\nENTRY %main.4 (x.1: f32[]) -> f32[] {\n}\n",
        "lower(x).as_text()",
    ),
    "jaxpr": (b"{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n", "lower(x).as_text()"),
    "gzip": (gzip.compress(b"module {}"), "gunzip"),
    "array": (b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'shape': (4,), }\n", "shlo run PROGRAM FILE.npy"),
    "archive": (b"PK\x03\x04\x14\0\0\0\0\0", "zip archive"),
    "machine code": (b"\x7fELF\x02\x01\x01\0\0", "machine code"),
    "JSON": (b'{\n "a": [1, 2],\n "b": {}\n}\n', "JSON"),
    "an empty object": (b"{}\n", "JSON"),
    "an empty array": (b"[ ]", "JSON"),
    "Python": (b"import jax\n\ndef f(x):\n  return x\n", "FILE.py:FUNCTION"),
    "Python with a docstring": (
        b'#!/usr/bin/python3\n"""Trains.\n\n%x = {}\n"""\n\nfrom jax import jit\n',
        "FILE.py:FUNCTION",
    ),
    "a page": (b"\n<!DOCTYPE html>\n<html><body>{ %x }</body></html>\n", "download the file itself"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "git lfs pull"),
    "UTF-16": ("module {}".encode("utf-16"), "save it as UTF-8"),
    "UTF-16 without a mark": ("module {}".encode("utf-16-be"), "save it as UTF-8"),
    "UTF-32": ("module {}".encode("utf-32"), "save it as UTF-8"),
    "bytes": (b'%\xed^9\x01 {"gV \x05p\n\n}xad }\n\x9en\x02\n%0 = }\n', "neither text nor bytecode"),
    "pickle": (b"\x80\x04\x95\x06\0\0", "MLIR bytecode"),
}


def test_programs_behind_a_text_of_another_kind_keep_their_findings(shlo: Shlo) -> None:
    hlo = "HloModule jit_f\n\nENTRY main.1 {\n  ROOT x = f32[] parameter(0)\n}\n"
    program = "func.func @f() -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
    outcome = shlo("check", "-", stdin=f"{program}// -----\n{hlo}// -----\n{program}".encode())
    before, kind, behind = outcome.err.split("<stdin>:")[1:]
    assert before.startswith("2:10: error: use of undeclared value '%x'")
    assert "lower(x).as_text()" in kind
    assert behind.startswith("12:10: error: use of undeclared value '%x'")


def test_a_program_in_another_encoding_keeps_its_findings(shlo: Shlo) -> None:
    comment = "// \u0441\u0443\u043c\u043c\u0430 \u0447\u0438\u0441\u0435\u043b\n\x1b[31m\n".encode("cp1251")
    outcome = shlo("check", "-", stdin=comment + b"func.func @f() {\n  oops\n  return %x\n}\n")
    assert "this is" not in outcome.err
    assert "use of undeclared value '%x'" in outcome.err or outcome.err.count("error:") > 1


def test_a_program_with_the_word_of_python_for_a_function_keeps_its_findings(shlo: Shlo) -> None:
    program = b"def main(%x: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.ad %x, %x : tensor<f32>\n}\n"
    outcome = shlo("check", "-", stdin=program)
    assert "Python" not in outcome.err
    assert "stablehlo.ad" in outcome.err


@pytest.mark.parametrize("case", FOREIGN_FILES)
def test_the_one_finding_about_a_file_of_another_kind_tells_the_kind_and_what_to_do(
    shlo: Shlo, case: str
) -> None:
    data, advice = FOREIGN_FILES[case]
    outcome = shlo("check", "-", stdin=data)
    assert outcome.code == 1
    (finding,) = outcome.err.split("<stdin>:")[1:]
    assert advice in finding.partition("\nhelp: ")[2]


def test_a_file_of_another_kind_is_not_changed(shlo: Shlo, tmp_path: Path) -> None:
    for case, (data, advice) in FOREIGN_FILES.items():
        path = tmp_path / "foreign.mlir"
        path.write_bytes(data)
        outcome = shlo("check", "--fix", path)
        assert (outcome.code, path.read_bytes()) == (1, data), case
        assert advice in outcome.err


def test_a_program_with_text_of_another_kind_in_it_is_a_program(shlo: Shlo) -> None:
    outcome = shlo("check", "-", stdin=b"func.func @main() {\n  return\n}\n{}\nimport jax\n")
    assert outcome.code == 1
    assert outcome.err.startswith("<stdin>:4:1: error: expected an operation, but found '{'")
    assert "this is" not in outcome.err


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_data_for_programs_repeats_the_ends_of_long_names_only(shlo: Shlo, form: str) -> None:
    name = 3000 * "n"
    text = f"""func.func @{name}() -> tensor<f32>
    func.func @main() {{
      %y = func.call @{name}x() : () -> tensor<f32>
      %z = "{name}.op"() : () -> tensor<f32>
      return
    }}
    """
    outcome = shlo("check", "--format", form, "-", stdin=text.encode())
    found = [word for word in re.findall(r"n+", outcome.out) if len(word) > 200]
    assert set(found) == {name}, "names are whole in edits"
    messages = re.findall(r'"(?:message|title|help)": (?:\{\s*"text": )?"([^"\\]*)', outcome.out)
    assert any("there is no function @" in message for message in messages)
    assert max(map(len, messages)) < 700


def test_messages_show_bytes_that_are_not_utf_8_as_the_quoted_line_does(shlo: Shlo) -> None:
    outcome = shlo("check", "-", stdin=b"func.func @main(\xff) {\n}\n")
    message, line = outcome.err.splitlines()[:2]
    assert "found '\\xff'" in message
    assert "(\\xff)" in line
    assert "udc" not in outcome.err


def test_unreadable_file_does_not_stop_the_others(shlo: Shlo, tmp_path: Path) -> None:
    outcome = shlo("check", tmp_path, tmp_path / "nowhere.mlir", "-", stdin=TWO_MISTAKES.encode())
    assert outcome.code == 2
    assert outcome.err.count("cannot read") == 2
    assert "<stdin>:2:30" in outcome.err


# --- verification ---

WRONG_SHAPES = """func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
ONLY_A_WARNING = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  stablehlo.return %x : tensor<2xf32>
}
"""


def test_program_that_breaks_a_constraint_is_refused(shlo: Shlo) -> None:
    outcome = shlo("check", "-", stdin=WRONG_SHAPES.encode())
    assert outcome.code == 1
    assert outcome.err.splitlines()[0].startswith("<stdin>:2:24: error: ")
    assert "[add-C1]" in outcome.err


def test_warnings_are_no_errors_unless_asked_for(shlo: Shlo) -> None:
    outcome = shlo("check", "-", stdin=ONLY_A_WARNING.encode())
    assert (outcome.code, "warning: " in outcome.err) == (0, True)
    outcome = shlo("check", "--warnings-as-errors", "-", stdin=ONLY_A_WARNING.encode())
    assert (outcome.code, "error: " in outcome.err) == (1, True)


def test_run_refuses_with_the_same_words(shlo: Shlo) -> None:
    checked = shlo("check", "-", stdin=WRONG_SHAPES.encode())
    assert shlo("run", "--zeros", "-", stdin=WRONG_SHAPES.encode()) == checked


EXPECTED = {
    "one line below": '  // expected-error@+1 {{shape(lhs) is [2]}}\n  %0 = "stablehlo.add"',
    "above": '  // expected-error@below {{}}\n  %0 = "stablehlo.add"',
    "passing over other annotations": (
        '  // expected-error@below {{}}\n  // expected-remark {{}}\n  %0 = "stablehlo.add"'
    ),
    "anywhere": '  // expected-error@unknown {{but shape(rhs) is [3]}}\n  %0 = "stablehlo.add"',
    "pattern": '  // expected-error-re@+1 {{is {{\\[[0-9]\\]}}, but}}\n  %0 = "stablehlo.add"',
}


@pytest.mark.parametrize("case", EXPECTED)
def test_expected_errors_are_found(shlo: Shlo, case: str) -> None:
    text = WRONG_SHAPES.replace('  %0 = "stablehlo.add"', EXPECTED[case])
    outcome = shlo("check", "--verify-diagnostics", "--match-text", "-", stdin=text.encode())
    assert outcome == (0, "", "")


UNMET = {
    "other line": ('  // expected-error {{}}\n  %0 = "stablehlo.add"', 2),
    "other severity": ('  // expected-warning@+1 {{}}\n  %0 = "stablehlo.add"', 2),
    "other words": ('  // expected-error@+1 {{somebody else}}\n  %0 = "stablehlo.add"', 2),
    "not expected": ('  %0 = "stablehlo.add"', 1),
}


@pytest.mark.parametrize("case", UNMET)
def test_unmet_expectations_are_errors(shlo: Shlo, case: str) -> None:
    replacement, count = UNMET[case]
    text = WRONG_SHAPES.replace('  %0 = "stablehlo.add"', replacement)
    outcome = shlo("check", "--verify-diagnostics", "--match-text", "-", stdin=text.encode())
    assert (outcome.code, outcome.err.count(": error: ")) == (1, count)


def test_words_count_only_when_asked_for(shlo: Shlo) -> None:
    text = WRONG_SHAPES.replace("  %0 =", "  // expected-error@+1 {{somebody else}}\n  %0 =")
    assert shlo("check", "--verify-diagnostics", "-", stdin=text.encode()).code == 0


def test_sarif_has_a_rule_for_each_code(shlo: Shlo) -> None:
    outcome = shlo("check", "--format", "sarif", "-", stdin=WRONG_SHAPES.encode())
    run = json.loads(outcome.out)["runs"][0]
    (result,) = run["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert outcome.code == 1
    assert run["tool"]["driver"]["rules"] == [{"id": "add-C1"}]
    assert (result["ruleId"], result["level"]) == ("add-C1", "error")
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (2, 24, 26)


def test_fix_names_the_type_that_was_expected(shlo: Shlo) -> None:
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""
    outcome = shlo("check", "--format", "json", "-", stdin=text.encode())
    (finding,) = json.loads(outcome.out)["files"][0]["findings"]
    assert finding["fix"]["replacement"] == "tensor<3x2xf32>"
    assert finding["fix"]["range"]["start"] == {"line": 2, "column": 69}


def test_unknown_dialect_is_a_note_nothing_or_an_error(shlo: Shlo) -> None:
    program = b'"foo.bar"() : () -> ()\n"foo.bar"() : () -> ()\n"mhlo.copy"() : () -> ()\n'
    noted = shlo("check", "-", stdin=program)
    assert (noted.code, noted.err.count("note: the dialect")) == (0, 2)
    assert "--from-mhlo" in noted.err
    assert shlo("check", "--allow-unregistered-dialect", "-", stdin=program) == (0, "", "")
    for command in ("check", "fmt", "convert", "fold"):
        refused = shlo(command, "--no-allow-unregistered-dialect", "-", stdin=program)
        assert (refused.code, refused.err.count("error: the dialect")) == (1, 2), command


MISTAKES = """\
// a comment
func.func @main(%x: tensor<2x3xf32>, %n: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.ad %x, %nn : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""


FIXABLE = """\
// a comment
func.func @main(%x: tensor<2x3xf32>, %n: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %x %n : tensor<2x3xf32>
  %1 = stablehlo.multiply %x, %n : tensor<2x4xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<2x3xf32>
  %3 = stablehlo.subtract %x, %x : tensor<2x3xf32
  return %2 : tensor<2x3xf32>
}
"""


def test_fix_applies_certain_fixes_and_says_how_many(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(FIXABLE, encoding="utf-8", newline="")
    shown = shlo("check", "--fix", "--diff", str(path))
    assert shown.code == 1
    assert path.read_text(encoding="utf-8") == FIXABLE
    assert "+  %0 = stablehlo.add %x, %n" in shown.out
    assert f"--- a/{str(path).lstrip('/')}\n" in shown.out
    result = shlo("check", "--fix", str(path))
    assert (result.code, result.out) == (0, ""), result.err
    assert "program.mlir: fixed 3 findings" in result.err
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// a comment\n")
    assert "%0 = stablehlo.add %x, %n : tensor<2x3xf32>" in text
    assert shlo("check", "--fix", str(path)).err == ""
    assert shlo("check", "--fix", "--diff", str(path)).code == 0


def test_fix_leaves_what_is_likely_and_says_so(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    text = MISTAKES.replace("stablehlo.ad %x, %nn", "stablehlo.add %x, %xx")
    path.write_text(text, encoding="utf-8", newline="")
    result = shlo("check", "--fix", str(path))
    assert result.code == 1
    assert "2 findings have a likely fix that --fix does not apply" in result.err
    assert "fixed" not in result.err
    assert path.read_text(encoding="utf-8") == text


def test_fix_refuses_bytecode(shlo: Shlo, tmp_path: Path) -> None:
    path = str(tmp_path / "program.mlirbc")
    (tmp_path / "program.mlir").write_text("func.func @main() {\n  return\n}\n", encoding="utf-8")
    assert shlo("convert", str(tmp_path / "program.mlir"), "-o", path).code == 0
    result = shlo("check", "--fix", path)
    assert result.code == 2
    assert "is bytecode, which has no text to fix" in result.err


def test_json_and_sarif_carry_edits(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(MISTAKES, encoding="utf-8")
    findings = json.loads(shlo("check", "--format", "json", str(path)).out)["files"][0]["findings"]
    assert findings
    assert all(finding["fixes"] for finding in findings)
    edit = next(finding for finding in findings if "stablehlo.ad" in finding["message"])["fixes"][0]["edits"][
        0
    ]
    assert edit["replacement"] == "stablehlo.add"
    assert edit["range"]["start"] == {"line": 4, "column": 8}
    assert {fix["applicability"] for finding in findings for fix in finding["fixes"]} >= {"likely", "guess"}
    results = json.loads(shlo("check", "--format", "sarif", str(path)).out)["runs"][0]["results"]
    result = next(each for each in results if "stablehlo.ad" in each["message"]["text"])
    replacements = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacements[0]["insertedContent"]["text"] == "stablehlo.add"
    assert result["fixes"][0]["properties"] == {"applicability": "guess"}


def test_what_an_operation_lacks_at_its_end_is_expected_on_its_line(
    shlo: Shlo, program: Callable[[str], Path]
) -> None:
    path = program(
        "func.func @f(%a: tensor<1xf64>) {\n  // expected-error@+1 {{complex}}\n"
        "  %0 = stablehlo.complex %a, %a : tensor<1xf64>\n  func.return\n}\n"
    )
    assert shlo("check", "--verify-diagnostics", path).code == 0


def test_what_is_read_only_is_not_fixed(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "mistake.mlir"
    path.write_text(FIXABLE)
    path.chmod(0o444)
    result = shlo("check", "--fix", str(path))
    assert result.code == 2
    assert "Permission denied" in result.err
    assert path.read_text() == FIXABLE


def test_line_ends_and_a_byte_order_mark_stay(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "mistake.mlir"
    path.write_bytes(b"\xef\xbb\xbf" + FIXABLE.replace("\n", "\r\n").encode())
    assert shlo("check", "--fix", str(path)).code == 0
    after = path.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf// a comment\r\n")
    assert after.count(b"\n") == after.count(b"\r\n") == FIXABLE.count("\n")


def test_a_finding_is_tried_once_where_fixes_are_applied_and_listed(
    shlo: Shlo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shlo.language.fixes import fixes

    tried: list[str] = []
    fixes_of = fixes.fixes_of

    def counted(document: Any, finding: Any, *arguments: Any, **keywords: Any) -> Any:
        if not keywords.get("only_certain"):
            tried.append(finding.message)
        return fixes_of(document, finding, *arguments, **keywords)

    monkeypatch.setattr(fixes, "fixes_of", counted)
    path = tmp_path / "likely.mlir"
    path.write_text(
        "func.func @main(%value: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.add %value, %valeu : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
    )
    outcome = shlo("check", "--fix", "--format", "json", path)
    assert len(tried) == 1
    assert "1 finding has a likely fix that --fix does not apply" in outcome.err
