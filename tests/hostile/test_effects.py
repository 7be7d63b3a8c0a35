"""What commands do to the machine as they read and run programs: no process, no connection, and no file but
the one that they are told to write, which is whole or as before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

import shlo
from shlo.ir.array_files import ArrayArchive
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file

PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.custom_call @os.system(%x) {backend_config = "touch custom_call"} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @probe(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = "interpreter.probe"(%x) {probe_id = "../probe"} : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
} loc("http://127.0.0.1:9/place.py":1:1)
"""
COMMANDS = (
    ("read", ("check", "{}")),
    ("read", ("fmt", "{}")),
    ("read", ("convert", "{}")),
    ("read", ("convert", "{}", "-o", "{}bc")),
    ("read", ("inspect", "{}bc")),
    ("read", ("cost", "{}")),
    ("read", ("graph", "{}")),
    ("read", ("diff", "--text", "{}", "{}bc")),
    ("run", ("run", "{}", "--zeros", "--entry", "probe")),
    ("run", ("run", "{}", "--zeros")),
    ("run", ("run", "{}", "--zeros", "--stub", "os.system=zeros", "--save", "{}.npy")),
)
WATCHED = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "socket.", "pty.")
SCRIPT = f"""
import json, os, sys
from shlo.cli import main
events = []
def watch(event, values):
    if event == "open" and isinstance(values[0], (str, bytes)):
        mode, flags = values[1:3]
        if (mode and set(mode) & set("wxa+")) or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            events.append(["write", os.path.basename(os.fsdecode(values[0]))])
    elif event.startswith({WATCHED!r}):
        events.append([event, ""])
sys.addaudithook(watch)
seen = []
for words in json.loads(sys.argv[1]):
    events.clear()
    main(words)
    sys.stdout.flush()
    seen.append(list(events))
print("\\n" + json.dumps(seen))
"""


@pytest.fixture(scope="module")
def effects(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, tuple[str, ...], list[list[str]]]]:
    """Returns what commands on a hostile program did, each with its kind and its words."""
    folder = tmp_path_factory.mktemp("effects")
    path = folder / "p.mlir"
    path.write_text(PROGRAM)
    lines = [[word.format(path) for word in words] for _, words in COMMANDS]
    run = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT, json.dumps(lines)], cwd=folder, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert {each.name for each in folder.iterdir()} == {"p.mlir", "p.mlirbc", "p.mlir.npy"}, run.stderr
    seen = json.loads(run.stdout.splitlines()[-1])
    return [(kind, words, found) for (kind, words), found in zip(COMMANDS, seen, strict=True)]


@pytest.mark.parametrize("kind", ["read", "run"])
def test_no_process_no_connection_and_no_file_but_the_one_that_is_asked_for(
    effects: list[tuple[str, tuple[str, ...], list[list[str]]]], kind: str
) -> None:
    for own, words, found in effects:
        output = words[-1].format("p.mlir") if words[-2] in ("-o", "--save") else "\0"
        written = [name for what, name in found if what == "write"]
        others = [what for what, _ in found if what != "write"]
        if own == kind:
            assert not others, words
            assert all(name.startswith(f".{output}.") for name in written), words
            assert bool(written) == (output != "\0"), words


def test_probes_are_written_below_the_folder_that_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "probes"
    folder.mkdir()
    shlo.run(shlo.parse(PROGRAM), np.zeros(2, np.float32), entry="probe", probe_folder=str(folder))
    assert list(tmp_path.iterdir()) == [folder]
    assert len(list(folder.iterdir())) == 2


def test_a_file_is_whole_or_as_before(tmp_path: Path) -> None:
    path = tmp_path / "p.mlir"
    path.write_bytes(b"before")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError("the disk is full")

    with pytest.raises(RequestError, match="the disk is full"):
        replace_file(str(path), fail)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("p.mlir", b"before")]


def test_arrays_of_objects_are_not_unpickled(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[object, tuple[str, str]]:
            return open, (str(tmp_path / "unpickled"), "w")

    np.savez(tmp_path / "x.npz", x=np.array([Hostile()], object))
    with ArrayArchive(str(tmp_path / "x.npz")) as archive, pytest.raises(RequestError):
        archive.read("x", lambda header: None)
    assert not (tmp_path / "unpickled").exists()
