"""`--sandbox`: what a process in it may not do, and that commands work in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from shlo.cli import main
from shlo.support.sandbox import why_no_sandbox

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
REASON: Final = why_no_sandbox()
sandboxed = pytest.mark.skipif(REASON != "", reason=REASON)

FORBIDDEN: Final = {
    "a file": "open('file', 'w')",
    "a file from another thread": "in_thread(lambda: open('file', 'w'))",
    "to append": "open('kept', 'a')",
    "to truncate": "os.truncate('kept', 0)",
    "to truncate what is read": "os.open('kept', os.O_RDONLY | os.O_TRUNC)",
    "to remove": "os.unlink('kept')",
    "to rename": "os.rename('kept', 'inside/kept')",
    "a link": "os.link('kept', 'inside/link')",
    "a symbolic link": "os.symlink('kept', 'inside/link')",
    "rights": "os.chmod('kept', 0o777)",
    "times": "os.utime('kept')",
    "memory of the parent": "open(f'/proc/{os.getppid()}/mem', 'r+b')",
    "a connection": "socket.create_connection(('127.0.0.1', 9))",
    "a socket of the system": "socket.socket(socket.AF_UNIX)",
    "messages to other sockets": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "a program": "os.execv(sys.executable, [sys.executable])",
    "a process": "subprocess.run([sys.executable])",
    "a fork": "os.fork()",
    "a signal": "os.kill(os.getppid(), 0)",
    "limits of others": "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (9, 9))",
    "more time": "resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))",
    "keys on the terminal": "fcntl.ioctl(0, 0x5412, b'x')",
}
ALLOWED: Final = {
    "a file in the folder": "open('inside/file', 'w').write('x')",
    "to replace it": "os.replace('inside/file', 'inside/other')",
    "to read": "open('kept').read()",
    "a thread": "in_thread(lambda: None)",
    "a pair of sockets": "socket.socketpair()",
    "a signal to itself": "os.kill(os.getpid(), 0)",
    "to drop output": "open(os.devnull, 'w').write('x')",
    "to import": "__import__('numpy')",
}
SCRIPT: Final = """
import fcntl, json, os, resource, socket, subprocess, sys
from concurrent.futures import Future
from threading import Thread
from shlo.cli import main
from shlo.support.sandbox import enter_sandbox
def in_thread(work):
    done = Future()
    def run():
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)
    thread = Thread(target=run)
    thread.start()
    thread.join()
    return done.result()
wanted = json.loads(sys.argv[1])
enter_sandbox("inside")
for name, code in wanted.items():
    try:
        eval(code)
    except (OSError, ValueError):
        print("refused", name, flush=True)
    else:
        print("done", name, flush=True)
"""


@sandboxed
def test_a_process_in_a_sandbox_can_read_and_compute_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "kept").write_text("kept")
    words = [sys.executable, "-c", SCRIPT, json.dumps(FORBIDDEN | ALLOWED)]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.splitlines() == [
        *(f"refused {name}" for name in FORBIDDEN),
        *(f"done {name}" for name in ALLOWED),
    ], run.stderr
    assert (tmp_path / "kept").read_text() == "kept"
    assert {path.name for path in tmp_path.iterdir()} == {"inside", "kept"}


@sandboxed
def test_commands_give_in_a_sandbox_what_they_give_outside(tmp_path: Path) -> None:
    distance = str(EXAMPLES / "distance.mlir")
    for words, output in (
        (["check", distance], None),
        (["check", "--fix", "--diff", distance], None),
        (["run", distance, "--random", "0", "--save"], "x.npz"),
        (["convert", distance, "-o"], "x.mlirbc"),
        (["cost", distance, "--format", "json", "-o"], "x.json"),
        (["run", distance, "--zeros", "--record"], "x.shlorec"),
    ):
        seen: list[tuple[int, str, bytes]] = []
        for flag in ([], ["--sandbox"]):
            file = tmp_path / (output or "x")
            file.unlink(missing_ok=True)
            line = [sys.executable, "-m", "shlo", *words, *([str(file)] if output else []), *flag]
            run = subprocess.run(line, capture_output=True, text=True)
            seen.append((run.returncode, run.stdout, file.read_bytes() if output else b""))
        assert seen[0][0] == 0
        assert seen[0][:2] == seen[1][:2], words
        assert output == "x.shlorec" or seen[0] == seen[1], words


REFUSED: Final = {
    "files in place": (["fmt", "-i", "p.mlir"], "replace files, as --in-place does", "-o name"),
    "fixes in place": (["check", "--fix", "p.mlir"], "replace files, as --fix does", "-o name"),
    "a function": (["check", "f.py:f"], "start a process", "shlo convert FILE.py:FUNCTION -o"),
    "an engine's process": (["diff", "p.mlir", "--random", "0"], "start a process", "no engine by a command"),
    "a command as engine": (
        ["run", "p.mlir", "--random", "0", "--engine-command", sys.executable],
        "cannot start",
        "no engine by a command",
    ),
}


@sandboxed
@pytest.mark.parametrize("name", REFUSED)
def test_what_a_command_may_not_is_one_error_with_what_to_do(tmp_path: Path, name: str) -> None:
    words, message, advice = REFUSED[name]
    program = tmp_path / "p.mlir"
    program.write_text((EXAMPLES / "distance.mlir").read_text() + "\n\n")
    (tmp_path / "f.py").write_text("def f(x): return x\n")
    line = [sys.executable, "-m", "shlo", *words, "--sandbox"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    error, hint = run.stderr.splitlines()
    assert run.returncode == 2
    assert error.startswith("error: ")
    assert message in error
    assert hint.startswith("hint: ")
    assert advice in hint
    assert program.read_text().endswith("\n\n")


def test_where_there_is_no_sandbox_nothing_is_read(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "shlo.command_line.sandbox.why_no_sandbox", lambda: "the sandbox is there on Linux alone"
    )
    assert main(["check", "--sandbox", str(EXAMPLES / "distance.mlir")]) == 2
    assert capsys.readouterr().err.startswith("error: the sandbox is there on Linux alone")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--save", "x{process}.npz"], "expected --save to name one file"),
        (["--record", "there.shlorec"], "expected --record to name a new file"),
    ],
)
def test_outputs_of_a_sandbox_are_new_files(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.setattr("shlo.command_line.sandbox.why_no_sandbox", lambda: "")
    monkeypatch.chdir(tmp_path)
    Path("there.shlorec").write_bytes(b"there")
    assert main(["run", "--sandbox", str(EXAMPLES / "distance.mlir"), "--zeros", *words]) == 2
    assert message in capsys.readouterr().err
