"""Standard streams that are closed or full, and Control-C at any time, end in no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shlo.cli import main

from .commands import COMMAND_LINES, hostile_program

ENTRY = "import sys; from shlo.cli import main; sys.exit(main())"
MODULES = ("shlo.runner.interrupts", "shlo.cli.dispatch", "argparse", "msgspec", "shlo.verifier")
"""What `shlo check` loads, in that order."""


@pytest.fixture
def words(tmp_path: Path) -> dict[str, str]:
    """Returns what stands for the words in braces of command lines."""
    names = "file", "other", "script", "output"
    words = {name: str(tmp_path / f"{name}.mlir") for name in names}
    for name in ("file", "other"):
        Path(words[name]).write_text(hostile_program("f"))
    Path(words["script"]).write_text("step\nlist\n")
    words |= {"name": "main", "folder": str(tmp_path), "bytecode": f"{words['file']}bc"}
    assert main(["convert", words["file"], "-o", words["bytecode"]]) == 0
    return words


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_every_command_does_without_a_stream_that_is_closed(
    words: dict[str, str],
    stream: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for line in COMMAND_LINES.values():
        arguments = [word.format(**words) for word in line]
        expected, printed = main(arguments), capsys.readouterr().out
        with monkeypatch.context() as closed:
            closed.setattr(sys, stream, None)
            code = main(arguments)
        is_lost = stream == "stdout" and printed
        assert code == (2 if is_lost else expected), line
        message = capsys.readouterr().err
        assert not is_lost or "cannot write the output: Bad file descriptor" in message, line
        assert "internal error" not in message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_every_command_ends_where_a_stream_is_full(
    words: dict[str, str], stream: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in COMMAND_LINES.values():
        arguments = [word.format(**words) for word in line]
        expected, printed = main(arguments), capsys.readouterr().out
        with monkeypatch.context() as filled:
            filled.setattr(sys, stream, open("/dev/full", "w"))  # noqa: SIM115
            code = main(arguments)
        assert code == (2 if stream == "stdout" and printed else expected), line


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")
@pytest.mark.slow
@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), ("2>&-", 0), (">&- 2>&- <&-", 2)])
def test_a_process_that_is_started_without_streams_ends_with_a_code(closed: str, code: int) -> None:
    command = f'"{sys.executable}" -P -m shlo ops chlo.erf {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)


def interrupted(event: str, program: str) -> tuple[int, bytes]:
    """Returns the exit code and messages of `shlo check` that Control-C interrupts at an event."""
    script = f"import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n{event}\n{ENTRY}"
    command = [sys.executable, "-P", "-c", script, "check", program]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_an_interrupt_as_modules_are_loaded_ends_the_command(words: dict[str, str], module: str) -> None:
    event = (
        "def hook(event, what, seen=[]):\n"
        f"  if event == 'import' and what[0] == {module!r} and not seen: seen.append(1); signal.raise_signal(2)\n"
        "sys.addaudithook(hook)"
    )
    assert interrupted(event, words["file"]) == (130, b"interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_as_python_ends_says_nothing(words: dict[str, str]) -> None:
    event = "import atexit; atexit.register(signal.raise_signal, 2)"
    assert interrupted(event, words["file"]) == (-2, b"")


def test_the_entry_point_loads_nothing_before_it_handles_interrupts() -> None:
    script = "import sys; before = set(sys.modules); import shlo.cli; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert len(loaded) < 15
    assert not {"typing", "threading", "signal", "argparse", "numpy", "msgspec"}.intersection(loaded)
