"""What docs/json.md says of the answers of commands is what they print."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from docs.generate_json import PAGE, SCHEMA, page, schema
from docs.json_answers import ANSWERS
from shlo.cli import main
from shlo.command_line.console import JSON_VERSION

LOG = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.log %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
"""
TEST = """func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<1> : tensor<i32>
  return
}
"""
SHARDED = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
FILES = {
    "log.mlir": LOG,
    "negate.mlir": LOG.replace("log", "negate"),
    "wrong.mlir": LOG.replace("3xf32>\n", "4xf32>\n", 1),
    "tests/test.mlir": TEST,
    "sharded.mlir": SHARDED,
    "one/module_0001.f.before.mlir": LOG,
    "two/module_0001.f.before.mlir": LOG.replace("log", "negate"),
    "two/module_0002.g.before.mlir": LOG,
}
CALLS = {
    "check": "wrong.mlir",
    "conform": "--ops not --types i1 --level smoke -o report",
    "cost": "log.mlir --roofline 1e12,1e11",
    "diff": "log.mlir [1,2,-1] --engine reference",
    "diff ARRAYS ARRAYS": "ours.npz theirs.npz",
    "diff --text": "log.mlir negate.mlir",
    "diff --text FOLDER FOLDER": "one two",
    "doctor": "",
    "fuzz": "--count 2 --engine reference",
    "fuzz --list": "",
    "graph": "log.mlir",
    "inspect": "log.mlirbc --trace",
    "inspect --hex": "log.mlirbc",
    "inspect --shardings": "sharded.mlir",
    "inspect --why VERSION": "1.0.0 log.mlir",
    "list": "one",
    "list --search": "log one",
    "ops": "",
    "ops NAME": "gather",
    "ops NAME --where": "pad",
    "opt --list": "",
    "reduce": "log.mlir [1,2,-1] --nan -o reduced.mlir",
    "run": "log.mlir [1,2,-1] --sanitize",
    "split": "log.mlir [1,2,-1] -o units",
    "test": "tests",
    "test --coverage": "tests",
    "test --list": "tests",
    "why": "log.mlir [1,2,-1]",
}


def test_the_page_and_the_schema_are_those_of_the_types() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m docs.generate_json writes it"
    assert SCHEMA.read_text(encoding="utf-8") == schema(), "python -m docs.generate_json writes it"


@pytest.mark.parametrize("title", ANSWERS)
def test_a_command_prints_what_the_page_says(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name, last in (("ours.npz", 2.0), ("theirs.npz", 3.0)):
        np.savez(tmp_path / name, x=np.array([1, last]), texts=np.array([name]))
    words = [word for word in title.split() if not word.isupper()]
    call = CALLS[title].split()
    if title.startswith("inspect") and "log.mlirbc" in call:
        assert main(["convert", "log.mlir", "-o", "log.mlirbc"]) == 0
    capsysbinary.readouterr()
    assert main([*words, *call, "--format", "json"]) in (0, 1)
    printed = capsysbinary.readouterr().out
    answers = (
        [json.loads(line) for line in printed.splitlines()]
        if title.startswith("test")
        else [json.loads(printed)]
    )
    answer = answers[-1]
    assert answer["version"] == JSON_VERSION
    msgspec.convert(answer, ANSWERS[title])  # which refuses what the type has not, and what is of another
