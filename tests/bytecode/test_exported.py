"""Files of `jax.export`: what they say of their function, and how it is called."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.cli import main
from shlo.ir.types import I32, RankedTensorType
from shlo.runner.bytecode_view import view_of
from shlo_bytecode.exported.exported import Exported, exported_of
from tests.bytecode.exports import write_exports

pytestmark = pytest.mark.slow

I32_SCALAR = RankedTensorType((), I32)
MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    write_exports(folder)
    return folder


def facts(path: Path) -> Exported:
    exported = exported_of(shlo.load(path))
    assert exported is not None
    return exported


def test_arguments_and_results_have_the_paths_and_types_of_the_function(files: Path) -> None:
    exported = facts(files / "kept.jaxexp")
    assert (exported.platforms, exported.devices, exported.kept) == (("cpu",), 1, (0, 2))
    assert dict(zip(exported.input_names, map(str, exported.inputs))) == {
        "args[0]": "f32[2, 3]",
        "args[1]['w']": "f32[4]",
        "kwargs['scale']": "f32[]",
    }
    assert dict(zip(exported.result_names, map(str, exported.results))) == {
        "result['pair'][0]": "f32[2, 3]",
        "result['sum']": "f32[]",
    }
    assert str(exported.out_tree) == "{'pair': (*, None), 'sum': *}"


def test_derivatives_and_sizes_are_told(files: Path) -> None:
    assert facts(files / "derivatives.jaxexp").vjp_order == 2
    assert [value.shape for value in facts(files / "sizes.jaxexp").inputs] == [("b", "c"), ("2*b",)]
    assert facts(files / "sharded.jaxexp").devices == 4


def test_a_call_takes_the_arguments_of_the_exported_function(files: Path) -> None:
    unused = np.zeros(4, np.float32)
    pair, total = shlo.run(shlo.load(files / "kept.jaxexp"), MATRIX, unused, 2.0)
    assert (pair.tolist(), total) == (MATRIX.tolist(), 30)
    with pytest.raises(ValueError, match="expected 3 arguments of <lambda>, got 1"):
        shlo.run(shlo.load(files / "kept.jaxexp"), MATRIX)


def test_the_platform_is_the_cpu_unless_another_one_is_chosen(files: Path) -> None:
    module, x = shlo.load(files / "platforms.jaxexp"), np.array([3, 4], np.float32)
    assert shlo.run(module, x)[0].tolist() == [4, 5]
    assert shlo.run(module, x, platform="tpu")[0].tolist() == [6, 8]
    with pytest.raises(ValueError, match=r"lowered for \(tpu, cpu\), got rocm"):
        shlo.run(module, x, platform="rocm")


def test_dimension_variables_come_from_the_shapes_of_the_arguments(files: Path) -> None:
    module = shlo.load(files / "sizes.jaxexp")
    assert shlo.run(module, MATRIX, np.zeros(4, np.float32))[0] == 15 * 2 + 4
    function = module.functions["_wrapped_jax_export_main"]
    exported = facts(files / "sizes.jaxexp")
    made = exported.arguments(function, [MATRIX, np.zeros(4, np.float32)])
    assert [int(value) for value in made[:2]] == [2, 3]


def test_a_sharded_function_runs_on_its_devices(files: Path) -> None:
    results = shlo.run(shlo.load(files / "sharded.jaxexp"), np.arange(8, dtype=np.float32))
    assert results[0].tolist() == [12, 16]


def test_commands_open_the_file(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "in.npz", **{"args[0]": MATRIX, "kwargs['scale']": np.float32(2)})
    kept, several = str(files / "kept.jaxexp"), str(files / "platforms.jaxexp")
    assert main(["run", kept, str(tmp_path / "in.npz")]) == 0
    assert capsys.readouterr().out.endswith("30.\n")
    assert main(["run", several, "[1.0]", "--platform", "tpu"]) == 0
    assert capsys.readouterr().out.endswith("[2.]\n")
    assert main(["run", kept, "--grid", "1x1", str(tmp_path / "in.npz")]) == 0
    assert main(["check", kept]) == 0
    assert main(["convert", kept, "-o", str(tmp_path / "kept.mlir")]) == 0
    assert main(["inspect", kept]) == 0
    out = capsys.readouterr().out
    assert "  args[1]['w']: f32[4] (not used)\n" in out
    assert "portable artifact of StableHLO" in out
    script = tmp_path / "script"
    script.write_text("continue\n")
    assert main(["debug", several, "[1.0]", "--script", str(script)]) == 0
    assert main(["run", str(tmp_path / "kept.mlir"), "--platform", "cpu", "--zeros"]) == 2
    assert "this is another program" in capsys.readouterr().err


def test_editors_show_the_facts_above_the_text(files: Path) -> None:
    text = view_of(str(files / "platforms.jaxexp")).text
    assert "// platforms: tpu, cpu; 1 device\n" in text
    assert shlo.parse(text).functions["main"].type.inputs[0] == I32_SCALAR


def test_damaged_files_end_in_an_error_with_the_byte(files: Path) -> None:
    rng = random.Random(20261122)
    originals = [path.read_bytes() for path in sorted(files.iterdir())]
    for _ in range(1500):
        data = bytearray(rng.choice(originals))
        for _ in range(rng.choice((1, 1, 2, 8))):
            size = rng.choice((1, 2, 4))
            at = rng.randrange(min(len(data), rng.choice((600, len(data)))) - size)
            data[at : at + size] = rng.choice((rng.randbytes(size), b"\xff" * size, bytes(size)))
        del data[rng.choice((len(data), rng.randrange(4, len(data)))) :]
        error = refusal(bytes(data))
        assert error is None or 0 <= error.offset <= len(data)


def refusal(data: bytes) -> shlo_bytecode.BytecodeError | None:
    """Returns the error of a file that is not read."""
    try:
        shlo_bytecode.read(data)
    except shlo_bytecode.BytecodeError as error:
        return error
    return None


def test_a_tree_that_doubles_at_each_level_is_refused() -> None:
    depth, tables = 60, bytearray()
    vtable = struct.pack("<HHHH", 8, 12, 4, 8)  # kind at 4, children at 8
    for level in range(depth):  # a node: vtable, soffset, kind, children; then two offsets to the next node
        start = len(tables)
        tables += vtable + struct.pack("<iBxxxI", 8, 2, 4)
        ahead = 8 + 12 + 4 + 8
        following = start + ahead + 8
        count = 2 if level < depth - 1 else 0
        tables += struct.pack("<I", count)
        tables += struct.pack("<I", following - len(tables)) + struct.pack("<I", following - len(tables) - 4)
    root_vtable = struct.pack("<16H", 32, 12, 0, 0, 8, *[0] * 10, 4) + bytes(4)
    body = bytes([4 + len(root_vtable), 0, 0, 0]) + root_vtable
    root = struct.pack("<iII", len(root_vtable), 0, 0)
    at = len(body)
    base = at + len(root) + 4
    root = struct.pack("<iII", len(root_vtable), base - 4 - (at + 4), base + 8 - (at + 8))
    data = bytes(body + root + struct.pack("<I", 0) + tables)
    with pytest.raises(shlo_bytecode.BytecodeError, match="over and over"):
        shlo_bytecode.read(data)
