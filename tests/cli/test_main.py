"""The command as a whole: help, versions, terminals, signals, pipes, and mistakes of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from shlo.cli.commands import COMMANDS, front_ends
from shlo.command_line.console import bar_text
from shlo.ir.version import STABLEHLO_VERSION

from .conftest import Shlo

pytestmark = pytest.mark.slow

ENDLESS = """func.func @main() -> tensor<i32> {
  %x = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%a = %x) : tensor<i32>
  cond { %t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1> }
  do { %b = stablehlo.add %a, %a : tensor<i32> stablehlo.return %b : tensor<i32> }
  return %r : tensor<i32>
}
"""


def start(*arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "shlo", *map(str, arguments)]
    return subprocess.Popen(command, stdout=-1, stderr=-1, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize("arguments", [[], ["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_has_examples(shlo: Shlo, arguments: list[str]) -> None:
    outcome = shlo(*arguments)
    assert outcome.code == 0
    assert ("examples:" if len(arguments) == 2 else "run and debug:") in outcome.out


def test_help_shows_what_commands_do_in_a_column_by_what_they_are_for(shlo: Shlo) -> None:
    help_text = shlo("--help").out
    commands = [line for line in help_text.partition("options:")[0].splitlines() if line.startswith("  ")]
    assert "  check       read programs and report what is wrong with them" in commands
    assert {line.split()[0] for line in commands} == COMMANDS.keys() | front_ends().keys()
    assert len({len(line) - len(line[2:].partition(" ")[2].lstrip()) for line in commands}) == 1
    debugging = help_text.partition("run and debug:\n")[2].partition("\n\n")[0]
    assert "\n  debug " in debugging


def test_version_names_the_specification_and_the_dependencies(shlo: Shlo) -> None:
    out = shlo("--version").out
    assert f"StableHLO {STABLEHLO_VERSION}" in out
    assert "numpy 2." in out


def test_unknown_command_gets_a_suggestion(shlo: Shlo) -> None:
    assert shlo("chek") == (
        2,
        "",
        "error: there is no command 'chek'; did you mean 'check'? (shlo --help lists them)\n",
    )
    assert "did you mean '--version'?" in shlo("version").err


@pytest.mark.parametrize(
    "arguments", [["run"], ["run", "x", "--seed", "-1"], ["check"], ["run", "--what", "x"]]
)
def test_wrong_options_are_explained(shlo: Shlo, arguments: list[str]) -> None:
    outcome = shlo(*arguments)
    first, *others = outcome.err.splitlines()
    assert (outcome.code, outcome.out, first.startswith("error: ")) == (2, "", True)
    assert others in ([], [f"hint: shlo {arguments[0]} --help tells arguments and options"])


def test_mistake_of_ours_is_a_message(shlo: Shlo, monkeypatch: pytest.MonkeyPatch, distance: Path) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("shlo.cli.programs.check.findings_of", fail)
    outcome = shlo("check", distance)
    assert (outcome.code, outcome.err.splitlines()[0]) == (
        2,
        "error: internal error: ZeroDivisionError: inside",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "x", "--thread", "2"], "there is no option --thread; did you mean --threads?"),
        (["run", "x", "--entyr=f"], "there is no option --entyr; did you mean --entry?"),
        (["check", "--frmat", "json", "x"], "there is no option --frmat; did you mean --format?"),
        (["debug", "x", "--scrpt", "-"], "there is no option --scrpt; did you mean --script?"),
        (["fmt", "x", "--xyzzy"], "there is no option --xyzzy; --help lists the options"),
        (["convert", "x", "--to", "text"], "there is no option --to; --help lists the options"),
        (["ops", "add", "subtract"], "unrecognized arguments: subtract"),
    ],
)
def test_an_unknown_option_gets_a_suggestion(shlo: Shlo, arguments: list[str], message: str) -> None:
    outcome = shlo(*arguments)
    assert (outcome.code, outcome.err.splitlines()[0]) == (2, f"error: {message}")


def test_command_of_another_package(shlo: Shlo, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    point = EntryPoint("extra", "shlo.cli.programs.ops", "shlo.commands")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **keys: EntryPoints([point]).select(**keys))
    assert "extra" in shlo("--help").out
    assert shlo("extra", "chlo.erf").out.startswith("chlo.erf")


@pytest.mark.parametrize("name", ["check", "convert", "cost", "diff", "inspect", "run", "why"])
def test_a_file_that_is_not_there_is_named(shlo: Shlo, name: str) -> None:
    error = "error: cannot read missing.mlir: No such file or directory\n"
    assert shlo(name, "missing.mlir", *(["--emit", "text"] if name == "convert" else [])) == (2, "", error)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_reader_that_goes_away_is_no_error() -> None:
    process = start("ops", env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout
    process.stdout.read(10)
    process.stdout.close()
    process.wait(timeout=20)
    assert process.stderr
    assert process.stderr.read() == b""


def test_messages_come_behind_the_output_before_them_where_both_go_to_one_file() -> None:
    program = Path(__file__).parents[2] / "examples" / "distance.mlir"
    words = [sys.executable, "-m", "shlo", "debug", str(program), "--zeros", "--script", "-"]
    script = b"print %missing\nwhere\n"
    process = subprocess.run(words, input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    command, error, then, *_ = process.stdout.decode().splitlines()
    assert (command, then) == ("(shlo) print %missing", "(shlo) where")
    assert "error: " in error


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_output_that_cannot_be_written_is_a_message() -> None:
    with open("/dev/full", "wb") as full:
        process = subprocess.run([sys.executable, "-m", "shlo", "ops"], stdout=full, stderr=subprocess.PIPE)
    assert (process.returncode, process.stderr) == (
        2,
        b"error: cannot write the output: No space left on device\n",
    )


HEEDING_INTERRUPTS = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from shlo.cli import main
sys.exit(main())
"""
"""The command; a shell that runs the tests in the background has them, and their children, ignore Control-C.
"""


def in_terminal(
    arguments: list[str | Path], interrupt_after: bytes | None = None, **environment: str
) -> tuple[int, str]:
    """Returns the command's exit code and what it writes to a terminal; Control-C is pressed once a text was
    shown.
    """
    import pty

    main, side = pty.openpty()
    command = [sys.executable, "-c", HEEDING_INTERRUPTS, *map(str, arguments)]
    variables = {**os.environ, "TERM": "xterm", **environment}
    process = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=variables)
    os.close(side)
    patience = threading.Timer(60, process.kill)
    patience.start()
    shown = b""
    while chunk := read_terminal(main):
        shown += chunk
        if interrupt_after and interrupt_after in shown:
            process.send_signal(signal.SIGINT)
            interrupt_after = None
    os.close(main)
    code = process.wait()
    patience.cancel()
    return code, shown.decode()


def read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        return b""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX terminals")
def test_colour_on_terminals_only_where_wanted() -> None:
    assert "\x1b[1;31merror:" in in_terminal(["check", "nowhere.mlir"])[1]
    assert "\x1b" not in in_terminal(["check", "nowhere.mlir"], NO_COLOR="1")[1]
    assert "\x1b" not in in_terminal(["check", "nowhere.mlir", "--color", "never"])[1]


def test_colour_elsewhere_where_it_is_asked_for(shlo: Shlo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in shlo("check", "nowhere.mlir").err
    assert "\x1b[1;31merror:" in shlo("check", "nowhere.mlir", "--color", "always").err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31merror:" in shlo("check", "nowhere.mlir").err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shlo("check", "nowhere.mlir").err


def test_quiet_leaves_out_hints_and_keeps_errors(shlo: Shlo) -> None:
    assert shlo("opt", "--pass", "cse?", "x.mlir").err.count("\n") == 2
    assert shlo("opt", "--pass", "cse?", "x.mlir", "-q").err.startswith("error: expected the name of a pass")
    assert shlo("opt", "--pass", "cse?", "x.mlir", "-q").err.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX terminals")
def test_long_run_shows_its_progress_and_stops_at_control_c(tmp_path: Path) -> None:
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    code, shown = in_terminal(["run", tmp_path / "endless.mlir"], interrupt_after=b" operations")
    assert code == 130
    assert shown.endswith("\r\x1b[Kinterrupted\r\n")


def test_progress_bar_text() -> None:
    assert bar_text(12, 0, 5.4, "programs") == "12 programs, 2.22 a second"
    assert (
        bar_text(12, 24, 5.4)
        == "[" + "#" * 15 + "." * 15 + "] 12 of 24 operations (50%), 2.22 a second, about 5 s left"
    )


def test_import_loads_nothing_heavy() -> None:
    code = "import shlo, sys; print([m for m in ('numpy', 'scipy', 'argparse') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"[]\n"


COUNTS_TO_40 = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<40> : tensor<i32>
  %r = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %1 : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
UNUSED_BY_A_RUN = (
    *("scipy", "ml_dtypes", "zipfile", "rich", "textual", "llvmlite.binding"),
    *("shlo.interpreter.loops.emitter", "shlo.interpreter.spmd.grid", "shlo.interpreter.engine.stepper"),
    *(
        "shlo.dialects.vhlo.dialect",
        "shlo.dialects.sdy",
        "shlo.syntax.dialects.sdy",
        "shlo_bytecode.exported",
    ),
    *("shlo.syntax.formatter", "shlo.syntax.printer", "shlo.runner.profile", "shlo_bytecode.reader"),
)


def test_a_run_loads_only_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "loop.mlir").write_text(COUNTS_TO_40)
    code = (
        "import sys; from shlo.cli import main; code = main(['run', sys.argv[1]]); "
        f"print(code, [m for m in {UNUSED_BY_A_RUN!r} if m in sys.modules])"
    )
    shown = subprocess.check_output([sys.executable, "-c", code, str(tmp_path / "loop.mlir")], text=True)
    assert shown.splitlines()[1:] == ["40", "0 []"]


def test_a_run_without_loops_loads_nothing_that_generates_code(tmp_path: Path) -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    (tmp_path / "identity.mlir").write_text(text)
    code = (
        "import sys; from shlo.cli import main; main(['run', sys.argv[1], '5']); "
        "print('shlo.interpreter.jit.hot' in sys.modules, 'shlo.interpreter.jit.codegen' in sys.modules)"
    )
    shown = subprocess.check_output([sys.executable, "-c", code, str(tmp_path / "identity.mlir")], text=True)
    assert shown.splitlines()[-1] == "True False"


@pytest.mark.parametrize(
    ("argument", "result"), [("-5", "-5."), ("-1e3", "-1000."), ("-.5", "-0.5"), ("-inf", "-inf")]
)
def test_negative_numbers_are_no_options(shlo: Shlo, tmp_path: Path, argument: str, result: str) -> None:
    path = tmp_path / "identity.mlir"
    path.write_text("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    assert shlo("run", path, argument) == (0, f"result 0: tensor<f32>\n{result}\n", "")


@pytest.mark.parametrize("name", ["-v", "--format", "--", "-1"])
def test_what_follows_two_dashes_is_no_option(
    shlo: Shlo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distance: Path, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(distance.read_bytes())
    assert shlo("check", "--", name) == (0, "", "")
    assert shlo("check", "--format", "json", "--", name, name).code == 0
    assert shlo("cost", "--roofline", "--", name).code == 0
    assert "--format is no value of type" in shlo("run", "--zeros", "--", name, "--format").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["test", "-j", "many", "x"], "argument -j: expected a whole number of at least 1, got 'many'"),
        (["test", "-j", "0", "x"], "argument -j: expected a whole number of at least 1, got '0'"),
        (["run", "--threads", "0", "x"], "expected a whole number of at least 1, got '0'"),
        (["fold", "--max-steps", "-1", "x"], "expected a whole number of at least 0, got '-1'"),
        (["convert", "--bytecode-version", "7", "x"], "expected a whole number from 0 to 6, got '7'"),
        (["mcp", "--memory", "lots"], "expected a size such as 100000, 64MiB or 1GB, got 'lots'"),
        (["run", "x", "--split", "a"], "expected an argument and a dimension such as 0:1, got 'a'"),
        (["diff", "x", "--tolerance", "add=-1"], "expected a part such as 1e-3 or dot_general=1e-3"),
        (["debug", "x", "--record-limit", "-5"], "expected a size such as 100000, 64MiB or 1GB, got '-5'"),
    ],
)
def test_values_of_options_that_do_not_fit_are_told_with_what_would(
    shlo: Shlo, arguments: list[str], message: str
) -> None:
    outcome = shlo(*arguments)
    assert (outcome.code, message in outcome.err) == (2, True)


@pytest.mark.parametrize("command", ["run", "debug"])
@pytest.mark.parametrize("words", [["--record-limit", "1MiB"], ["--record-values", "all"]])
def test_what_is_recorded_means_nothing_without_a_recording(
    shlo: Shlo, distance: Path, command: str, words: list[str]
) -> None:
    script = ["--script", "-"] if command == "debug" else []
    outcome = shlo(command, distance, "--zeros", *words, *script)
    assert (outcome.code, f"expected --record PATH beside {words[0]}" in outcome.err) == (2, True)
