"""Running the command: in this process, or (for terminals and signals) in one of its own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from shlo.cli import main

DISTANCE = Path(__file__).parents[2] / "examples" / "distance.mlir"


class Outcome(NamedTuple):
    """What a run of the command gave."""

    code: int
    out: str
    err: str


Shlo = Callable[..., Outcome]


@pytest.fixture
def shlo(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Shlo:
    """Returns the command as a function of its arguments and standard input."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return Outcome(code, out.decode("utf-8", "surrogateescape"), err.decode())

    return run


@pytest.fixture
def distance() -> Path:
    """Returns a program of two arguments of type tensor<3xf32>."""
    return DISTANCE


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a program whose main function has the given signature and body."""

    def write(text: str) -> Path:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        return path

    return write
