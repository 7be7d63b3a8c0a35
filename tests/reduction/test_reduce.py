"""`shlo reduce`: planted faults of large programs are found in programs of few operations."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.engines import ENGINES
from shlo.interpreter import RunOptions
from tests.reduction.planted import Miscompiling, any_of_them, fed_by, in_a_loop, straight_line

ROOT = Path(__file__).parents[2]
PAIR = (
    "%p0 = stablehlo.exponential {x} : tensor<8x16xf32>",
    "%p1 = stablehlo.floor {x} : tensor<8x16xf32>",
    "%planted = stablehlo.atan2 %p0, %p1 : tensor<8x16xf32>",
)


def reduced(tmp_path: Path, text: str, *options: str) -> tuple[list[str], str]:
    """Returns the names of the operations that are left, without what returns, and the text."""
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    program.write_text(text)
    assert main(["reduce", str(program), "-o", str(small), *options]) == 0
    module = shlo.load(small)
    assert not shlo.verify(module)
    names = [each.name.removeprefix("stablehlo.") for each, _ in module.walk()]
    return [name for name in names if not name.startswith("func.")], module.to_text()


def fails_on(*words: str) -> str:
    """Returns a command that ends with exit code 0 where a program has all words."""
    code = "import sys; t = open(sys.argv[1]).read(); sys.exit(not all(w in t for w in sys.argv[2:]))"
    return shlex.join([sys.executable, "-S", "-E", "-c", code, "{}", *words])


def test_commands_that_run_at_the_same_time_give_the_same(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    code = (
        "import sys, time; t = open(sys.argv[1]).read(); log = open(sys.argv[2], 'a'); "
        "print('+', file=log, flush=True); time.sleep(0.2); print('-', file=log, flush=True); "
        "sys.exit('stablehlo.atan2' not in t)"
    )
    command = shlex.join([sys.executable, "-S", "-E", "-c", code, "{}", str(log)])
    text = straight_line(24, 4, PAIR)
    one = reduced(tmp_path, text, "--check", command)
    begun, most = 0, 0
    log.write_text("")
    assert reduced(tmp_path, text, "--check", command, "-j", "4") == one
    for line in log.read_text().splitlines():
        begun += 1 if line == "+" else -1
        most = max(most, begun)
    assert 2 <= most <= 4


def test_engines_that_differ_in_one_operation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(ENGINES, "faulty", lambda _: Miscompiling("stablehlo.atan2", any_of_them))
    names, text = reduced(
        tmp_path, straight_line(1000, 1, PAIR), "--random", "0", "--diff", "--engine", "faulty"
    )
    assert names == ["atan2"]
    assert "tensor<1x1xf32>" in text
    small = [str(tmp_path / "small.mlir"), str(tmp_path / "small.npz")]
    assert main(["diff", *small, "--engine", "faulty"]) == 1
    shown = capsys.readouterr().out
    assert "atan2" in shown
    assert "1 of 1 element differs" in shown


def test_programs_that_are_compared_at_the_same_time_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Exclusive(Miscompiling):
        """An engine that runs one program at a time."""

        def __init__(self) -> None:
            super().__init__("stablehlo.atan2", any_of_them)
            self._lock = threading.Lock()

        def execute(
            self, module: shlo.Module, arguments: Sequence[Any], options: RunOptions
        ) -> tuple[Any, ...]:
            assert self._lock.acquire(blocking=False)
            try:
                time.sleep(0.02)  # so that another thread takes the next program
                used.add(self)
                return super().execute(module, arguments, options)
            finally:
                self._lock.release()

    used = set[Exclusive]()
    monkeypatch.setitem(ENGINES, "faulty", lambda _: Exclusive())
    options = [straight_line(24, 1, PAIR), "--random", "0", "--diff", "--engine", "faulty"]
    one = reduced(tmp_path, *options)
    assert len(used) == 1
    used.clear()
    assert reduced(tmp_path, *options, "-j", "3") == one
    assert 2 <= len(used) <= 3
    program = str(tmp_path / "p.mlir")
    assert main(["reduce", program, "-o", str(tmp_path / "s.mlir"), "--random", "0", "--nan", "-j", "2"]) == 2
    assert "expected --check, --diff or --engine xla with -j" in capsys.readouterr().err


def test_a_command_gets_whole_programs(tmp_path: Path) -> None:
    served, log = tmp_path / "served.py", tmp_path / "log.txt"
    served.write_text(f"""import json, sys, shlo
for line in sys.stdin:
    request = json.loads(line)
    text = open(request["program"]).read()
    print(text.count("stablehlo."), file=open({str(log)!r}, "a"))
    wrong = shlo.parse(text.replace("stablehlo.atan2", "stablehlo.subtract"))
    shlo.write_results(request["results"], shlo.run(wrong, *shlo.read_arguments(request["arguments"])))
    print("{{}}", flush=True)
""")
    command = f"command:{shlex.join([sys.executable, str(served)])}"
    names, _ = reduced(tmp_path, straight_line(40, 1, PAIR), "--random", "0", "--diff", "--engine", command)
    assert names == ["atan2"]
    assert int(log.read_text().split()[0]) >= 40  # not an operation alone


def test_engines_that_differ_in_what_operations_become_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Miscompiling("stablehlo.atan2", fed_by("exponential", "floor"))
    monkeypatch.setitem(ENGINES, "faulty", lambda _: wrong)
    text = in_a_loop(straight_line(300, 2, PAIR))
    names, _ = reduced(tmp_path, text, "--random", "0", "--diff", "--engine", "faulty")
    assert names == ["exponential", "floor", "atan2"]


def test_an_engine_that_refuses_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Miscompiling("stablehlo.atan2", fed_by("exponential", "floor"), "RET_CHECK failure")
    monkeypatch.setitem(ENGINES, "faulty", lambda _: wrong)
    text = in_a_loop(straight_line(300, 3, PAIR))
    names, _ = reduced(tmp_path, text, "--random", "0", "--error", "RET_CHECK", "--engine", "faulty")
    assert names == ["exponential", "floor", "atan2"]


@pytest.mark.parametrize("fault", ["--diff", "--nan"])
def test_an_engine_that_runs_nothing_is_not_a_program_without_the_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    monkeypatch.setitem(
        ENGINES, "faulty", lambda _: Miscompiling("func.func", any_of_them, "its process has ended")
    )
    program = tmp_path / "p.mlir"
    program.write_text(straight_line(4, 3))
    words = ["reduce", str(program), "-o", str(tmp_path / "s.mlir"), "--random", "0", fault]
    assert main([*words, "--engine", "faulty"]) == 2
    err = capsys.readouterr().err
    assert "cannot tell whether the program shows the fault" in err
    assert "its process has ended" in err


def test_an_engine_that_dies_meanwhile_has_not_refuted_smaller_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Dying(Miscompiling):
        runs = 0

        def execute(
            self, module: shlo.Module, arguments: Sequence[Any], options: RunOptions
        ) -> tuple[Any, ...]:
            self.runs += 1
            if self.runs > 12:
                raise shlo.ExecutionError("its process has ended")
            return super().execute(module, arguments, options)

    monkeypatch.setitem(ENGINES, "faulty", lambda _: Dying("stablehlo.tanh", any_of_them))
    program = tmp_path / "p.mlir"
    program.write_text(straight_line(20, 3, ("%planted = stablehlo.tanh {x} : tensor<8x16xf32>",)))
    words = ["reduce", str(program), "-o", str(tmp_path / "s.mlir"), "--random", "0", "--diff"]
    assert main([*words, "--engine", "faulty", "--format", "json"]) == 2
    shown = capsys.readouterr()
    assert (json.loads(shown.out)["complete"], json.loads(shown.out)["compared"]) == (False, False)
    assert "its process has ended" in shown.err


def test_a_nan_in_an_iteration_of_a_loop(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %limit = stablehlo.constant dense<9.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %r:2 = stablehlo.while(%a = %i, %y = %x) : tensor<f32>, tensor<8xf32>
  cond {
    %c = stablehlo.compare LT, %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %b = stablehlo.add %a, %one : tensor<f32>
    %left = stablehlo.subtract %five, %a : tensor<f32>
    %root = stablehlo.sqrt %left : tensor<f32>
    %w = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %z = stablehlo.multiply %y, %w : tensor<8xf32>
    stablehlo.return %b, %z : tensor<f32>, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}
"""
    names, _ = reduced(tmp_path, text, "--random", "0", "--nan")
    assert names == ["sqrt"]
    (value,) = np.load(tmp_path / "small.npz").values()
    assert value < 0


def test_what_makes_the_infinity_of_a_nan_stays(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %zero = stablehlo.subtract %x, %x : tensor<4xf32>
  %root = stablehlo.sqrt %zero : tensor<4xf32>
  %slope = stablehlo.divide %half, %root : tensor<4xf32>
  %y = stablehlo.multiply %slope, %zero : tensor<4xf32>
  %z = stablehlo.add %y, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
"""
    names, _ = reduced(tmp_path, text, "--random", "0", "--nan")
    arguments = list(np.load(tmp_path / "small.npz").values())
    assert all(np.isfinite(argument).all() for argument in arguments)
    assert "divide" in names


def test_a_finding_of_the_verifier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "%planted = stablehlo.reverse {x}, dims = [0, 0] : tensor<8x16xf32>"
    text = in_a_loop(straight_line(400, 4, [wrong]))
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    program.write_text(text)
    call = ["reduce", str(program), "-o", str(small), "--finding", "reverse-C2", "--format", "json"]
    assert main(call) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["operations"], data["complete"], data["arguments"]) == (1, True, None)
    assert [each.code for each in shlo.verify(shlo.load(small))] == ["reverse-C2"]


def test_a_command_that_needs_several_operations(tmp_path: Path) -> None:
    text = straight_line(200, 5, PAIR)
    names, _ = reduced(tmp_path, text, "--check", fails_on("atan2", "floor", "exponential"))
    assert sorted(names) == ["atan2", "exponential", "floor"]


def test_operations_inside_of_regions_and_constants(tmp_path: Path) -> None:
    text = """module attributes {test.note = "x"} {
  func.func @main(%x: tensor<4x6xf32> {test.name = "x"}) -> tensor<4xf32> {
    %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %z = stablehlo.constant dense<3.0> : tensor<f32>
    %r = stablehlo.reduce(%x init: %z) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %s = stablehlo.sine %a : tensor<f32>
      %t = stablehlo.tan %s : tensor<f32>
      %u = stablehlo.add %t, %b : tensor<f32>
      stablehlo.return %u : tensor<f32>
    }
    %w = stablehlo.add %r, %c : tensor<4xf32>
    return %w : tensor<4xf32>
  }
}
"""
    names, small = reduced(tmp_path, text, "--check", fails_on("stablehlo.tan", "stablehlo.add", "constant"))
    assert sorted(names) == ["add", "constant", "reduce", "return", "tan"]
    assert "test." not in small
    assert "dense<3" not in small


def test_operations_that_nothing_needs_are_dropped_inside_of_regions(tmp_path: Path) -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<2xf32> {
  %r = "stablehlo.if"(%p) ({
    %a = stablehlo.tan %x : tensor<4xf32>
    %b = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %c = stablehlo.sine %b : tensor<2xf32>
    stablehlo.return %c : tensor<2xf32>
  }, {
    %a = stablehlo.cosine %x : tensor<4xf32>
    %b = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %b : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    names, _ = reduced(tmp_path, text, "--check", fails_on("stablehlo.if", "stablehlo.tan"))
    assert sorted(names) == ["constant", "constant", "if", "return", "return", "tan"]


def test_a_program_without_the_fault_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    program.write_text(straight_line(20, 6))
    call = ["reduce", str(program), "-o", str(small)]
    assert main([*call, "--check", fails_on("atan2")]) == 2
    assert "expected a program that shows the fault" in capsys.readouterr().err
    assert main([*call, "--check", "no-such-command"]) == 2
    assert "cannot run no-such-command" in capsys.readouterr().err
    assert main([*call, "--check", "'"]) == 2
    assert main([*call, "--random", "0", "--nan", "--engine", "interpreter"]) == 2
    assert not small.exists()


def test_the_time_limit_keeps_the_smallest_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    program.write_text(straight_line(50, 7, PAIR))
    call = ["reduce", str(program), "-o", str(small), "--seconds", "0", "--check"]
    assert main([*call, fails_on("atan2")]) == 0
    assert "50 operations before, 50 now" in capsys.readouterr().out
    assert "atan2" in small.read_text()
    slow = shlex.join([sys.executable, "-S", "-E", "-c", "import time; time.sleep(30)"])
    assert main([*call, slow, "--check-seconds", "0.1"]) == 2
    assert "cannot tell whether the program shows the fault" in capsys.readouterr().err


def test_the_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = re.findall(
        r"^```sh\nshlo (.*)$", (ROOT / "docs" / "reduce.md").read_text("utf-8"), re.MULTILINE
    )
    small = str(tmp_path / "small.mlir")
    monkeypatch.chdir(ROOT)
    assert main([small if word == "small.mlir" else word for word in shlex.split(command)]) == 0
    assert len(list(shlo.load(small).walk())) < 6


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interrupt_keeps_the_smallest_program(tmp_path: Path) -> None:
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    program.write_text(straight_line(400, 8, PAIR))
    code = "import sys, time; time.sleep(0.2); sys.exit('atan2' not in open(sys.argv[1]).read())"
    check = shlex.join([sys.executable, "-S", "-E", "-c", code])
    command = [sys.executable, "-m", "shlo", "reduce", str(program), "-o", str(small), "--check", check]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    texts: set[str] = set()
    try:
        deadline = time.monotonic() + 60
        while len(texts) < 2 and time.monotonic() < deadline:  # the program itself comes first
            texts.update([small.read_text()] if small.exists() else [])
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err
    assert "interrupted" in err
    assert "there may be smaller ones" in out
    assert "atan2" in small.read_text()
    assert len(list(shlo.load(small).walk())) < 400
