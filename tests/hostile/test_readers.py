"""Readers take regular files: devices, pipes, folders and links to them end in one message, at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import shlo
import shlo_bytecode
from shlo.cli import main
from shlo.debugger.recording.file import RecordingError, read_recording
from shlo.ir.array_files import ArrayArchive, read_npy
from shlo.runner.errors import RequestError
from shlo.runner.files import open_bytes, read_bytes, read_module
from shlo.support.files import open_input

from .commands import hostile_program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX devices and pipes")

READERS: dict[str, Callable[[str], Any]] = {
    "shlo.load": shlo.load,
    "shlo_bytecode.load": shlo_bytecode.load,
    "open_bytes": open_bytes,
    "read_bytes": read_bytes,
    "read_module": read_module,
    "read_npy": lambda path: read_npy(path, lambda header: None),
    "ArrayArchive": ArrayArchive,
    "read_recording": read_recording,
}
COMMANDS = {
    "program": ("check", "{}.mlir"),
    "bytecode": ("inspect", "{}.mlirbc"),
    "artifact": ("convert", "{}.vhlo"),
    "fmt": ("fmt", "{}.mlir"),
    "npy": ("run", "{program}", "{}.npy"),
    "npz": ("run", "{program}", "{}.npz"),
    "infeed": ("run", "{program}", "--zeros", "--grid", "1x1", "--infeed", "{}.npz"),
    "stub": ("run", "{program}", "--zeros", "--stub", "f={}.npz"),
    "recording": ("debug", "{}.shlorec", "--script", "-"),
    "script": ("debug", "{program}", "--zeros", "--script", "{}.txt"),
    "recorded values": ("diff", "{program}", "{}.npz", "--zeros"),
    "script of Python": ("check", "{}.py:f"),
}
KINDS = ("folder", "pipe", "link to urandom", "link to zero", "socket", "missing")


@pytest.fixture(params=KINDS)
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Returns a path without its suffix; whatever suffix it gets, it is no regular file."""
    for suffix in (".mlir", ".mlirbc", ".vhlo", ".npy", ".npz", ".shlorec", ".txt", ".py", ""):
        path = tmp_path / f"hostile{suffix}"
        if request.param == "folder":
            path.mkdir()
        elif request.param == "pipe":
            os.mkfifo(path)
        elif request.param == "socket":
            os.mknod(path, 0o140600)
        elif request.param != "missing":
            path.symlink_to(f"/dev/{request.param.split()[-1]}")
    return str(tmp_path / "hostile")


@pytest.mark.parametrize("reader", READERS)
def test_readers_refuse_what_is_no_regular_file(hostile: str, reader: str) -> None:
    with pytest.raises((OSError, RequestError, RecordingError)):
        READERS[reader](hostile)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_what_is_no_regular_file(
    hostile: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }")
    code = main([word.format(hostile, program=program) for word in COMMANDS[command]])
    message = capsys.readouterr().err
    assert code == 2
    assert message.count("error:") == 1
    assert "internal error" not in message


def test_a_test_program_that_is_no_regular_file_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.mlir")
    assert main(["test", str(tmp_path / "pipe.mlir")]) == 1
    assert "expected a regular file, got a named pipe" in capsys.readouterr().out


def test_a_file_without_permission_is_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.touch(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read all files")
    assert main(["check", str(path)]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_the_null_device_is_an_empty_file() -> None:
    with open_input(os.devnull) as file:
        assert file.read() == b""


def test_a_pipe_that_is_named_as_one_is_read() -> None:
    read, write = os.pipe()
    os.write(write, hostile_program("f").encode())
    os.close(write)
    assert shlo.load(f"/dev/fd/{read}").functions
    os.close(read)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize(("given", "code"), [("/dev/zero", 2), ("/dev/null", 0)])
def test_standard_input_may_be_no_device_without_end(name: str, given: str, code: int) -> None:
    command = [sys.executable, "-P", "-m", "shlo", "check", name]
    with open(given, "rb") as device:
        done = subprocess.run(command, stdin=device, capture_output=True, timeout=20, check=False)
    assert done.returncode == code, done.stderr
