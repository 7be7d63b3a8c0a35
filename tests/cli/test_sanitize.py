"""`--sanitize` of `shlo run` and `shlo test`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Shlo

WRAPS = """func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %y = stablehlo.add %x, %x : tensor<2xi8> loc("step/add"("model.py":7:1))
  return %y : tensor<2xi8>
}
"""


@pytest.fixture
def wraps(tmp_path: Path) -> Path:
    """A program whose integers may wrap."""
    path = tmp_path / "wraps.mlir"
    path.write_text(WRAPS)
    return path


@pytest.mark.parametrize("before", [True, False])
def test_findings_are_told_beside_the_results(shlo: Shlo, wraps: Path, before: bool) -> None:
    order = ("--sanitize", wraps, "[1, 100]") if before else (wraps, "[1, 100]", "--sanitize")
    outcome = shlo("run", *order)
    assert outcome.code == 1
    assert outcome.out == "result 0: tensor<2xi8>\n[  2, -56]\n"
    assert outcome.err.splitlines() == [
        "stablehlo.add wrapped around: the exact result does not fit its type at model.py:7",
        "  operation stablehlo.add on MLIR line 2",
        "  wrapped: 1 element",
        "  [1]: lhs 100, rhs 100, result -56",
        "  remedy: compute in a wider type, or reduce before it overflows (docs/remedies.md#integer-wrap)",
        "sanitizer: 1 operation looked at, 1 finding",
    ]


def test_a_run_without_findings_is_fine(shlo: Shlo, wraps: Path) -> None:
    assert shlo("run", wraps, "[1, 2]", "--sanitize").code == 0
    assert shlo("run", wraps, "[1, 100]", "--sanitize=-wrapped").code == 0
    assert shlo("run", wraps, "[1, 100]", "--sanitize=-add").code == 0


def test_findings_are_data(shlo: Shlo, wraps: Path) -> None:
    outcome = shlo("run", wraps, "[1, 100]", "--sanitize", "--format", "json")
    assert (outcome.code, outcome.err) == (1, "")
    data = json.loads(outcome.out)
    assert data["results"][0]["value"] == [2, -56]
    (finding,) = data["sanitizer"]["findings"]
    assert finding["python"] == {"file": "model.py", "line": 7, "function": ""}
    assert finding["worst"] == [{"index": [1], "values": {"lhs": "100", "rhs": "100", "result": "-56"}}]


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--format", "json", "--grid", "1x1")])
def test_findings_before_a_failure_are_told(shlo: Shlo, tmp_path: Path, options: tuple[str, ...]) -> None:
    path = tmp_path / "fails.mlir"
    path.write_text(
        WRAPS.replace("  return", "  check.expect_eq_const %y, dense<0> : tensor<2xi8>\n  return")
    )
    outcome = shlo("run", path, "[1, 100]", "--sanitize", *options)
    assert (outcome.code, outcome.out) == (1, "")
    assert "expected equal tensors" in outcome.err
    assert "stablehlo.add wrapped around" in outcome.err


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_run_that_does_not_begin_tells_no_findings(shlo: Shlo, wraps: Path, format_: str) -> None:
    outcome = shlo("run", wraps, "[1, 2, 3]", "--sanitize", "--format", format_)
    assert (outcome.code, outcome.out) == (2, "")
    assert "sanitizer:" not in outcome.err


def test_each_process_of_a_grid_is_looked_at(shlo: Shlo, wraps: Path) -> None:
    outcome = shlo("run", wraps, "--grid", "1x2", "[1, 2, 3, 100]", "--split", "0", "--sanitize")
    assert outcome.code == 1
    assert "  wrapped in process 1 of 2: 1 element\n" in outcome.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sanitize=-wraped"], "expected the name of a finding or an operation, got 'wraped'"),
        (["--sanitize", "--time"], "expected --sanitize or --time, got both"),
        (["--sanitize", "--record", "r.shlorec"], "expected --sanitize or --record, got both"),
        (["--sanitize", "--engine", "xla"], "expected the interpreter for --sanitize"),
    ],
)
def test_what_does_not_go_together_is_refused(
    shlo: Shlo, wraps: Path, options: list[str], message: str
) -> None:
    outcome = shlo("run", wraps, "[1, 100]", *options)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_test_with_a_finding_fails(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "tests.mlir"
    path.write_text("""func.func @wraps() {
  %x = stablehlo.constant dense<100> : tensor<i8>
  %y = stablehlo.add %x, %x : tensor<i8>
  %z = stablehlo.negate %y : tensor<i8>
  return
}
func.func @does_not() {
  %x = stablehlo.constant dense<10> : tensor<i8>
  %y = stablehlo.add %x, %x : tensor<i8>
  return
}
""")
    assert shlo("test", path).code == 0
    outcome = shlo("test", path, "--sanitize")
    assert outcome.code == 1
    assert f"FAILED {path}::wraps" in outcome.out
    assert f"  {path}:3:3: signed integers wrapped" in outcome.out
    assert "[wrapped]: lhs 100, rhs 100, result -56\n" in outcome.out
    assert "1 passed, 1 failed" in outcome.out
    assert shlo("test", path, "--sanitize", "--coverage").code == 2


def test_a_plain_run_loads_nothing_of_it(wraps: Path) -> None:
    code = (
        "import sys; from shlo.cli.dispatch import dispatch; "
        f"dispatch(['run', {str(wraps)!r}, '[1, 2]']); "
        "print([name for name in sys.modules if name.startswith('shlo.sanitizer')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("\n[]\n")


def test_a_test_that_fails_tells_the_finding_before_that(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "tests.mlir"
    path.write_text("""func.func @wraps() {
  %x = stablehlo.constant dense<100> : tensor<i8>
  %y = stablehlo.add %x, %x : tensor<i8>
  check.expect_eq_const %y, dense<1> : tensor<i8>
  return
}
""")
    outcome = shlo("test", path, "--sanitize")
    assert outcome.code == 1
    assert f"FAILED {path}::wraps" in outcome.out
    assert f"  {path}:4:3: check.expect_eq_const: expected equal tensors" in outcome.out
    assert f"; before that, {path}:3:3: signed integers wrapped" in outcome.out
