"""`shlo check`: findings with their place, as text and as data, and files that are no programs."""

from __future__ import annotations

import json
from pathlib import Path

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


def test_unreadable_file_does_not_stop_the_others(shlo: Shlo, tmp_path: Path) -> None:
    outcome = shlo("check", tmp_path, tmp_path / "nowhere.mlir", "-", stdin=TWO_MISTAKES.encode())
    assert outcome.code == 2
    assert outcome.err.count("cannot read") == 2
    assert "<stdin>:2:30" in outcome.err
