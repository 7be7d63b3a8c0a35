"""No output of a command replaces an input, or a file of another kind, without `--force`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from shlo.cli.commands import COMMANDS, find_command, front_ends
from shlo.command_line.options import OptionParser
from shlo.command_line.outputs import OutputOption, refuse_replacing
from shlo.runner.errors import RequestError

from .conftest import Shlo

CONTENTS: Final = {
    "MLIR text": b"module {\n}\n",
    "bytecode": b"ML\xefR\x04shlo\0",
    "text": "4 operations, \u00b5s\n".encode(),
    "HTML": b"<!DOCTYPE html>\n<html></html>\n",
    "JSON": b'{"operations": []}\n',
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "XML": b"<?xml version='1.0'?>\n<testsuites/>",
    "zip": b"PK\x03\x04report",
    "npz": b"PK\x03\x04result_0.npy",
    "npy": b"\x93NUMPY\x01\x00",
}
"""How a file of each kind begins."""

COMMAND_LINES: Final = {
    ("conform", "--export"): (("conform --ops add", "a", "folder"),),
    ("conform", "-o"): (("conform --ops add", "a", "folder"),),
    ("convert", "-o"): (
        ("convert --emit text {in}", "a.mlir", "MLIR text"),
        ("convert --emit bytecode {in}", "a.bc", "bytecode"),
    ),
    ("cost", "-o"): (
        ("cost {in}", "a.txt", "text"),
        ("cost --format json {in}", "a.json", "JSON"),
        ("cost --format html {in}", "a.html", "HTML"),
    ),
    ("debug", "--record"): (("debug {in}", "a.shlorec", "recording"),),
    ("debug", "--screenshot"): (("debug {in}", "a.svg", "SVG"),),
    ("diff", "-o"): (
        ("diff p.mlir {in}", "a.txt", "text"),
        ("diff --format html p.mlir {in}", "a.html", "HTML"),
        ("diff --text --aligned p.mlir {in}", "a.mlir", "MLIR text"),
    ),
    ("diff", "--issue"): (("diff p.mlir {in}", "a.txt", "text"),),
    ("doctor", "--report"): (("doctor {in}", "a.zip", "zip"),),
    ("fold", "-o"): (("fold {in}", "a.mlir", "MLIR text"),),
    ("fuzz", "--export"): (("fuzz --count 0", "a", "folder"),),
    ("fuzz", "-o"): (("fuzz --count 0", "a", "folder"),),
    ("graph", "-o"): (
        ("graph {in}", "a.html", "HTML"),
        ("graph --text {in}", "a.txt", "text"),
        ("graph --format model-explorer {in}", "a.json", "JSON"),
    ),
    ("lsp", "--log-file"): (("lsp", "a.log", "text"),),
    ("opt", "-o"): (("opt --pass stablehlo-refine-shapes {in}", "a.mlir", "MLIR text"),),
    ("reduce", "-o"): (("reduce --nan p.mlir", "a.mlir", "MLIR text"),),
    ("refine", "-o"): (("refine {in}", "a.mlir", "MLIR text"),),
    ("retype", "-o"): (("retype {in} tensor<4xf32>", "a.mlir", "MLIR text"),),
    ("run", "--outfeed"): (("run p.mlir --infeed {in}", "a.npz", "npz"),),
    ("run", "--record"): (("run {in}", "a.shlorec", "recording"),),
    ("run", "--save"): (("run p.mlir {in}", "a.npz", "npz"), ("run p.mlir {in}", "a.npy", "npy")),
    ("run", "--trace"): (("run p.mlir {in}", "a.json", "JSON"),),
    ("show", "-o"): (("show {in}", "a.html", "HTML"),),
    ("split", "-o"): (("split p.mlir", "a", "folder"),),
    ("test", "--junit"): (("test {in}", "a.xml", "XML"),),
}
"""Command lines for every output: what comes before it, a name for it, and what is written."""

NAMES_CHECKED_LATER: Final = ("--outfeed", "--save", "--screenshot")
"""Options whose command (as `reduce -o`) takes no other suffix, even with `--force`."""

CASES: Final = [(flag, *case) for (_, flag), cases in COMMAND_LINES.items() for case in cases]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes an empty folder but for a program the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.mlir").write_bytes(CONTENTS["MLIR text"])
    return tmp_path


def parser_of(name: str) -> OptionParser:
    """Returns the parser of a subcommand."""
    parser, command = OptionParser(f"shlo {name}"), find_command(name)
    assert command is not None
    command.configure(parser)
    return parser


def fault(flag: str, words: str, path: str, given: str = "p.mlir", force: str = "") -> str:
    """Returns why a command line is refused with an output and an input; empty where it is not."""
    name, *others = f"{words.replace('{in}', given)} {flag} {path} {force}".split()
    try:
        refuse_replacing(parser_of(name).options_of(others))
    except RequestError as error:
        return error.with_hint
    return ""


def outputs() -> Iterator[tuple[str, OutputOption]]:
    """Yields the options of all subcommands that name outputs."""
    for name in {**COMMANDS, **front_ends()}:
        for output in parser_of(name).get_default("outputs") or ():
            yield name, output


def test_every_option_that_writes_a_file_is_an_output_with_a_command_line_here() -> None:
    found = {(name, output.flag) for name, output in outputs()}
    written = {
        (name, action.option_strings[0])
        for name in {**COMMANDS, **front_ends()}
        for action in parser_of(name)._actions
        if action.option_strings and action.metavar and (action.help or "").startswith(("write ", "save "))
    }
    wanted = {("convert", "--target"), ("convert", "--for")}  # which say what to write, and not where
    assert written - wanted <= found
    assert found == set(COMMAND_LINES)


@pytest.mark.parametrize(("flag", "words", "path", "kind"), CASES)
def test_outputs_replace_former_ones_and_nothing_else(flag: str, words: str, path: str, kind: str) -> None:
    assert not fault(flag, words, path)
    if kind == "folder":
        Path(path).write_bytes(b"text")
        assert fault(flag, words, path) == f"expected {flag} to name a folder, got a"
        return
    assert (
        flag in NAMES_CHECKED_LATER or words.startswith("reduce") or "--force" in fault(flag, words, "a.png")
    )
    if kind == "recording":
        return  # one is never replaced
    for held, content in CONTENTS.items():
        Path(path).write_bytes(content)
        is_same = held == kind or {held, kind} in ({"zip", "npz"}, {"text", "MLIR text"}, {"SVG", "XML"})
        assert is_same or "--force" in fault(flag, words, path), held
        assert not fault(flag, words, path, force="--force")
    Path(path).write_bytes(CONTENTS[kind])
    assert not fault(flag, words, path)
    Path("alias").symlink_to(path)
    if "{in}" in words:
        assert "than an input" in fault(flag, words, path, path)
        assert "than an input" in fault(flag, words, path, "alias")
    Path(path).write_bytes(b"")
    assert not fault(flag, words, path)


def test_reduce_goes_on_with_its_own_output() -> None:
    assert not fault("-o", "reduce --nan {in} p.npz", "p.mlir")


def test_reduce_replaces_no_arguments_of_another_program(shlo: Shlo, distance: Path) -> None:
    np.savez("x.npz", np.zeros(3, np.float32), np.zeros(3, np.float32))
    outcome = shlo("reduce", distance, "x.npz", "-o", "x.mlir", "--nan")
    assert (outcome.code, "arguments are written to x.npz\nhint: --force" in outcome.err) == (2, True)


def test_results_of_a_grid_replace_no_argument_of_a_process() -> None:
    Path("x0.npy").write_bytes(CONTENTS["npy"])
    assert "got x0.npy" in fault("--save", "run --grid 1x2 p.mlir {in}", "x{process}.npy", "x{process}.npy")
    assert "got x0.npy" in fault("--save", "run --grid 1x2 p.mlir {in}", "x{process}.npy", "x0.npy")
    assert not fault("--save", "run --grid 1x2 p.mlir {in}", "y{process}.npy", "x{process}.npy")


def test_the_command_tells_before_it_works_and_what_helps(shlo: Shlo, folder: Path) -> None:
    code, out, err = shlo("doctor", "--report", "p.mlir")
    assert (code, out) == (2, "")
    assert err == (
        "error: expected --report to name a .zip file, got p.mlir\n"
        "hint: what is written is zip; --force writes it there\n"
    )
    assert shlo("graph", "p.mlir", "-o", "p.mlir").code == 2
    assert (folder / "p.mlir").read_bytes() == CONTENTS["MLIR text"]
    assert shlo("convert", "p.mlir", "-o", "p.mlir", "--force", "--generic").code == 0
    assert b'"builtin.module"' in (folder / "p.mlir").read_bytes()


@pytest.mark.parametrize("force", ["", "--force"])
def test_two_outputs_of_a_command_are_two_files(force: str) -> None:
    Path("alias.npz").symlink_to("a.npz")
    for other in ("a.npz", "./a.npz", "alias.npz"):
        assert fault("--save", f"run p.mlir --outfeed a.npz {force}", other) == (
            f"expected --save and --outfeed to name two files, got {other} for both"
        )
    assert not fault("--save", f"run p.mlir --outfeed b.npz {force}", "a.npz")
