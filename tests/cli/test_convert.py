"""`shlo convert` and `shlo inspect`: text, bytecode and artifacts, and what is in them."""

from __future__ import annotations

import json
import os
import re
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np

from shlo_bytecode.container.output import varint

from .conftest import Shlo

PROGRAM = """module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<4xf32>
    %1 = stablehlo.tan %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""


def test_to_bytecode_to_an_artifact_and_back(shlo: Shlo, tmp_path: Path) -> None:
    text, bytecode, artifact = (tmp_path / name for name in ("p.mlir", "p.mlirbc", "p.bc"))
    text.write_text(PROGRAM)
    assert shlo("convert", text, "-o", bytecode) == (0, "", "")
    assert bytecode.read_bytes()[:4] == b"ML\xefR"
    assert shlo("convert", bytecode, "-o", artifact, "--target", "1.4.0") == (0, "", "")
    assert b"StableHLO_v1.4.0" in artifact.read_bytes()
    assert shlo("convert", artifact).out == PROGRAM
    assert shlo("convert", artifact, "-o", tmp_path / "again.mlir") == (0, "", "")
    assert (tmp_path / "again.mlir").read_text() == PROGRAM


def test_vhlo_in_text_runs_and_becomes_stablehlo(shlo: Shlo, tmp_path: Path) -> None:
    vector = "!vhlo.tensor_v1<2x!vhlo.f32_v1>"
    text = f"""vhlo.func_v1 @main(%x: {vector}) -> ({vector}) {{
      %0 = "vhlo.add_v1"(%x, %x) : ({vector}, {vector}) -> {vector}
      "vhlo.return_v1"(%0) : ({vector}) -> ()
    }} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}}"""
    right, wrong, artifact = (tmp_path / name for name in ("right.mlir", "wrong.mlir", "right.bc"))
    right.write_text(text)
    wrong.write_text(text.replace("%x) :", "%x) {a.b = #vhlo.odd_v1<1>} :"))
    converted = shlo("convert", right)
    assert "stablehlo.add" in converted.out
    assert shlo("opt", "--pass", "vhlo-legalize-to-stablehlo", right) == converted
    assert shlo("convert", right, "-o", artifact, "--target", "1.4.0") == (0, "", "")
    assert shlo("convert", artifact) == converted
    assert "[3., 4.]" in shlo("run", right, "[1.5, 2.0]").out
    assert shlo("check", wrong).code == 0
    for command in (("run", wrong, "[1.5, 2.0]"), ("convert", wrong)):
        outcome = shlo(*command)
        assert outcome.code == 1
        assert "wrong.mlir:2:7: error: vhlo.add_v1 has no form in StableHLO: its attribute a.b" in outcome.err


def test_inspect_tells_what_a_file_is_that_is_neither_text_nor_bytecode(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlir"
    path.write_bytes(b"\x1f\x8b\x08\0" + bytes(range(256)) * 40)
    outcome = shlo("inspect", path)
    assert outcome.code == 2
    assert "gunzip" in outcome.err
    assert "shlo fmt" not in outcome.err
    path.write_text(PROGRAM)
    assert "shlo fmt" in shlo("inspect", path).err


def test_a_version_that_cannot_hold_it(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM)
    outcome = shlo("convert", path, "-o", tmp_path / "p.bc", "--target", "1.3.0")
    assert outcome.code == 1
    assert (
        f"{path}:5:10: error: stablehlo.tan: the version has no such operation; version 1.4.0" in outcome.err
    )
    assert not (tmp_path / "p.bc").exists()
    assert shlo("inspect", path, "--why", "1.3.0").out == "the first version that can hold it: 1.4.0\n"
    assert shlo("inspect", path, "--why", "1.4.0").code == 0
    data = json.loads(shlo("inspect", path, "--why", "1.3.0", "--format", "json").out)
    assert [obstacle["operation"] for obstacle in data["obstacles"]] == ["stablehlo.tan"]


def test_what_to_write_must_be_clear(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM)
    assert shlo("convert", path, "-o", tmp_path / "p.xyz").code == 2
    assert "--target" in shlo("convert", path, "--emit", "artifact", "-o", tmp_path / "p.bc").err
    assert "1.99.0" in shlo("convert", path, "--target", "1.99.0", "-o", tmp_path / "p.bc").err
    assert (
        shlo("convert", path, "--emit", "bytecode", "--bytecode-version", "9", "-o", tmp_path / "q").code == 2
    )


def test_inspection_escapes_the_producer(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "producer.mlirbc"
    path.write_bytes(b"ML\xefR\x0d\xcda\x1b\x00")
    assert "producer '\\xcda\\x1b', 9 bytes" in shlo("inspect", path).out


def test_inspection_counts_and_traces(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlirbc"
    (tmp_path / "p.mlir").write_text(PROGRAM)
    shlo("convert", tmp_path / "p.mlir", "-o", path)
    out = shlo("inspect", path).out
    assert out.startswith("MLIR bytecode, bytecode version 4, producer 'shlo'")
    assert "1  stablehlo.tan" in out
    data = json.loads(shlo("inspect", path, "--format", "json", "--trace").out)
    assert data["operations"]["stablehlo.add"] == 1
    assert data["functions"] == ["main"]
    assert "elements of tensor<4xf32>" in [step["what"] for step in data["trace"]]
    ends = [section["offset"] + section["size"] for section in data["sections"]]
    assert max(ends) == data["size"] == path.stat().st_size


def test_every_byte_is_shown_once(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlirbc"
    (tmp_path / "p.mlir").write_text(PROGRAM)
    shlo("convert", tmp_path / "p.mlir", "-o", path)
    pieces = json.loads(shlo("inspect", path, "--hex", "--format", "json").out)["pieces"]
    assert pieces[0]["start"] == 0
    assert pieces[-1]["end"] == path.stat().st_size
    assert all(left["end"] == right["start"] for left, right in pairwise(pieces))
    assert "operation stablehlo.tan" in [piece["what"] for piece in pieces]
    assert "00000000  4d 4c ef 52 09" in shlo("inspect", path, "--hex").out


def test_a_damaged_file_is_shown_up_to_the_damage(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlirbc"
    (tmp_path / "p.mlir").write_text(PROGRAM)
    shlo("convert", tmp_path / "p.mlir", "-o", path)
    whole = json.loads(shlo("inspect", path, "--format", "json").out)
    place = next(section for section in whole["sections"] if section["name"] == "operations")
    damaged = bytearray(path.read_bytes())
    damaged[place["offset"] + place["size"] - 3] ^= 0x40
    path.write_bytes(damaged)
    outcome = shlo("inspect", path)
    assert outcome.code == 1
    assert f"{path}: byte " in outcome.err
    assert "stablehlo.add" in outcome.out
    path.write_bytes(damaged[: place["offset"]])
    assert "sizes of attributes and types" in shlo("inspect", path).out
    assert shlo("inspect", tmp_path / "p.mlir").code == 2


def test_what_is_written_is_traced_in_its_order(shlo: Shlo, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(PROGRAM)
    for number, more in enumerate(([], ["--target", "1.4.0"], ["--emit", "bytecode"])):
        path = tmp_path / f"{number}.bc"
        outcome = shlo("convert", tmp_path / "p.mlir", "-o", path, "--trace", *more)
        lines = re.findall(r"wrote +(\d+)  (\w+ \d+) (\w+)  \[([0-9a-f ]+)(?: \.\.\.)?\]  (.+)", outcome.err)
        assert len(lines) == outcome.err.count("\n") > 5
        offsets = [int(offset) for offset, *_ in lines]
        assert offsets == sorted(offsets)
        for offset, _, _, shown, _ in lines:
            assert path.read_bytes()[int(offset) :].startswith(bytes.fromhex(shown))
        names = [which for _, which, *_ in lines]
        assert names.index("type 0") > names.index("attribute 0")
        assert "elements of tensor<4xf32>" in [what for *_, what in lines]
        assert ("vhlo" in [dialect for _, _, dialect, *_ in lines]) == ("--target" in more)
        assert shlo("convert", path).out == PROGRAM
    assert shlo("convert", tmp_path / "p.mlir", "--trace").code == 2


def test_reading_is_traced_where_it_goes_wrong(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "p.mlirbc"
    (tmp_path / "p.mlir").write_text(PROGRAM)
    shlo("convert", tmp_path / "p.mlir", "-o", path)
    data = bytearray(path.read_bytes())
    at = data.index(b"\x0d", data.index(np.float32(4).tobytes()))  # an attribute behind the constant
    whole = shlo("inspect", path, "--trace").out.splitlines()
    data[at - 1] ^= 0xFF
    path.write_bytes(data)
    outcome = shlo("inspect", path, "--trace")
    assert outcome.code == 1
    assert f"{path}: byte " in outcome.err
    assert outcome.out.splitlines() == whole[: outcome.out.count("\n")]


def test_versions_of_dialects_are_shown(shlo: Shlo, tmp_path: Path) -> None:
    """Those that a file states: three numbers for StableHLO's dialects."""
    path = tmp_path / "p.mlirbc"
    (tmp_path / "p.mlir").write_text(PROGRAM)
    shlo("convert", tmp_path / "p.mlir", "-o", path)
    data = path.read_bytes()
    found = json.loads(shlo("inspect", path, "--format", "json").out)
    place = next(section for section in found["sections"] if section["name"] == "dialects")
    start, end = place["offset"], place["offset"] + place["size"]
    number = list(found["dialects"]).index("stablehlo")
    version = varint(1) + varint(17) + varint(0)
    content = bytearray(data[start:end])
    content[1 + number : 2 + number] = bytes([content[1 + number] | 2, 7, *varint(len(version)), *version])
    path.write_bytes(data[: start - 1] + varint(len(content)) + content + data[end:])
    assert "stablehlo 1.17.0" in shlo("inspect", path).out
    assert json.loads(shlo("inspect", path, "--format", "json").out)["dialect_versions"] == {
        "stablehlo": "1.17.0"
    }
    assert shlo("convert", path).out == PROGRAM


def test_a_large_constant_is_not_read_to_be_inspected(shlo: Shlo, tmp_path: Path) -> None:
    numbers = np.arange(1 << 22, dtype=np.float32).tobytes().hex().upper()
    text, path = tmp_path / "p.mlir", tmp_path / "p.bc"
    type_ = f"tensor<{1 << 22}xf32>"
    constant = f'dense<"0x{numbers}"> : {type_}'
    text.write_text(f"module attributes {{a.b = [{constant}]}} {{\n}}\n")
    shlo("convert", text, "-o", path)
    assert path.stat().st_size > 1 << 24
    for option in ((), ("--trace",), ("--hex",), ("--format", "json")):
        tracemalloc.start()
        assert shlo("inspect", path, *option).code == 0
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << 22, option
    assert f"[dense_resource<__elided__> : {type_}]" in shlo("inspect", path, "--trace").out


def test_a_pipe_is_written_to_and_not_replaced(shlo: Shlo, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(PROGRAM)
    pipe = tmp_path / "pipe.mlirbc"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        reader = pool.submit(pipe.read_bytes)
        assert shlo("convert", tmp_path / "p.mlir", "-o", pipe).code == 0
        assert reader.result().startswith(b"ML\xefR")
    assert pipe.is_fifo()
    assert "cannot write" in shlo("convert", tmp_path / "p.mlir", "--emit", "text", "-o", tmp_path).err
