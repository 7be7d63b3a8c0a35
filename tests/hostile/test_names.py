"""Names in files, of files and in options drive no terminal, whichever command prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.cli import main

from .commands import COMMAND_LINES, HOSTILE, RAW, Terminal, hostile_program, written_to

pytestmark = pytest.mark.slow

BYTES_ARE_KEPT = {"fmt"}
"""Commands that write to a file or pipe what a program's comments hold, byte for byte."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Returns what stands for the words in braces of command lines, for each hostile name."""
    found: list[dict[str, str]] = []
    for number, name in enumerate(HOSTILE):
        in_path = name.replace("\0", "").replace("/", "")
        folder = tmp_path_factory.mktemp(str(number)) / in_path
        folder.mkdir()
        text = f"// {name}\n" + hostile_program(name)
        words = {"name": name, "folder": str(folder), "output": str(folder / "output.mlir")}
        for word, content in {
            "file": text,
            "other": text.replace("dense<0.0>", "dense<1.0>"),
            "script": f"step\nlist\nwhere\nprint %0\nnonfinite\n{name}\nbreak {name}\nbt\n",
        }.items():
            path = folder / f"{word}{in_path}.mlir"
            path.write_text(content, "utf-8", newline="")
            words[word] = str(path)
        words["bytecode"] = f"{words['file']}bc"
        assert main(["convert", words["file"], "-o", words["bytecode"]]) == 0
        found.append(words)
    return found


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_no_command_writes_a_raw_control_character(
    files: list[dict[str, str]], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for words in files:
        arguments = [word.format(**words) for word in COMMAND_LINES[line]]
        for is_terminal in (True, False):
            if is_terminal or line not in BYTES_ARE_KEPT:
                written = written_to(Terminal.open(is_terminal), *arguments)
                assert RAW.search(written) is None, (words["name"], written)
                assert "internal error" not in written


def test_colours_are_written_to_a_terminal_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    program = tmp_path / "\x1b[2Jwrong.mlir"
    program.write_text("func.func @main() {")
    written = written_to(Terminal.open(True), "check", str(program))
    assert "\x1b[1;31merror" in written
    assert "\x1b[2J" not in written


def test_git_shows_no_raw_control_character(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(f"// \x1b[2J\n{hostile_program('x')}", "utf-8")
    assert RAW.search(written_to(Terminal.open(False), "git", "textconv", str(program))) is None
