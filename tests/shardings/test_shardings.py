"""Which device holds which part of a tensor: as JAX says, for shardings of Shardy and of XLA."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import shlo
from shlo.cli import main
from shlo.shardings import sharded_values
from tests.shardings.jax_layouts import CASES

PROGRAM = """module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  sdy.mesh @first = <[], device_ids=[5]>
  func.func @main(
      %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
      %y: tensor<10xf32> {mhlo.sharding = "{devices=[4,2]<=[8] last_tile_dim_replicate}"},
      %z: tensor<2x?xf32> {mhlo.sharding = "{replicated}"},
      %v: tensor<2xf32> {mhlo.sharding = "{maximal device=3}"},
      %w: tensor<2xf32> {mhlo.sharding = "{\\1B[2J}"},
      %u: tensor<4x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model":(1)2}, {"model":(2)2}]>}
    ) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = sdy.sharding_constraint %v <@first, [{}]> : tensor<2xf32>
    return %x : tensor<8x16xf32>
  }
}
"""
REPORT = """@main
  argument 0: tensor<8x16xf32> #sdy.sharding<@mesh, [{"data"}, {"model"}]>
    dim 0, dim 1  0:4  4:8  8:12  12:16
    0:4           0    1    2     3
    4:8           4    5    6     7
  argument 1: tensor<10xf32> {devices=[4,2]<=[8] last_tile_dim_replicate}
    dim 0    0:3  3:6  6:9  9:10
    devices  0 1  2 3  4 5  6 7
  argument 2: tensor<2x?xf32> {replicated}
    has a size that is not known
  argument 3: tensor<2xf32> {maximal device=3}
    all of it on device 3
  argument 4: tensor<2xf32> {\\x1b[2J}
    has a sharding that nothing is known about
  argument 5: tensor<4x4x4xf32> #sdy.sharding<@mesh, [{"data"}, {"model":(1)2}, {"model":(2)2}]>
    dim 0 0:2
    dim 1, dim 2  0:2  2:4
    0:2           0    1
    2:4           2    3
    dim 0 2:4
    dim 1, dim 2  0:2  2:4
    0:2           4    5
    2:4           6    7
  result 0: tensor<8x16xf32> #sdy.sharding<@mesh, [{}, {}]>
    all of it on devices 0 1 2 3 4 5 6 7
  %0: tensor<2xf32> #sdy.sharding<@first, [{}]>
    all of it on device 5
"""


@pytest.mark.oracle
@pytest.mark.slow
def test_devices_hold_the_parts_that_jax_gives_them() -> None:
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.shardings.jax_layouts"],
        env={**os.environ, **flags},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    cases = json.loads(done.stdout)
    assert len(cases) == 4 * len(CASES)
    for case in cases:
        expected = {int(device): [tuple(each) for each in index] for device, index in case["parts"].items()}
        values = list(sharded_values(shlo.parse(case["text"])))
        assert [value.role for value in values] == ["argument", "result", "value"], case["name"]
        for value in values:
            assert value.layout is not None, value
            found = {device: list(value.layout.index(device)) for device in value.layout.places}
            assert found == expected, (case["name"], value.role)


def test_inspect_prints_grids_of_parts(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "program.mlir").write_text(PROGRAM)
    assert main(["inspect", str(tmp_path / "program.mlir"), "--shardings"]) == 0
    assert capsysbinary.readouterr().out.decode() == REPORT
    assert main(["inspect", str(tmp_path / "program.mlir"), "--shardings", "--format", "json"]) == 0
    first, second, *_ = json.loads(capsysbinary.readouterr().out)["values"]
    assert first["parts"][5] == {"device": 5, "index": [[4, 8], [4, 8]]}
    assert second["parts"][7] == {"device": 7, "index": [[9, 10]]}


@pytest.mark.parametrize(
    ("sharding", "problem"),
    [
        ('sdy.sharding = #sdy.sharding<@none, [{"x"}]>', "the program has no mesh @none"),
        ('sdy.sharding = #sdy.sharding<@m, [{"y"}]>', 'the mesh has no axis "y"'),
        ('sdy.sharding = #sdy.sharding<@m, [{"x":(1)0}]>', 'an axis of 8 devices has no part "x":(1)0'),
        ('sdy.sharding = #sdy.sharding<@m, [{"x":(3)2}]>', 'an axis of 8 devices has no part "x":(3)2'),
        ("sdy.sharding = #sdy.sharding<@m, [{}, {}]>", "a sharding of 2 dimensions does not fit"),
        (f'mhlo.sharding = "{{devices=[{"9" * 5000}]<=[8]}}"', "a number that is too large"),
        ('mhlo.sharding = "{devices=[0]<=[0]}"', "is for 0 processes"),
        ('mhlo.sharding = "{manual}"', "is split by hand"),
        ('mhlo.sharding = "{{replicated}, {manual}}"', "nothing is known about"),
    ],
)
def test_shardings_that_are_none_say_why(sharding: str, problem: str) -> None:
    module = shlo.parse(
        f"""module {{
          sdy.mesh @m = <["x"=8]>
          func.func @main(%x: tensor<8xf32> {{{sharding}}}) {{ return }}
        }}"""
    )
    (value,) = sharded_values(module)
    assert value.layout is None
    assert problem in value.problem


def test_a_program_of_bytecode_without_shardings_says_so(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    import shlo_bytecode

    module = shlo.parse("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    (tmp_path / "program.mlirbc").write_bytes(shlo_bytecode.write(module))
    assert main(["inspect", str(tmp_path / "program.mlirbc"), "--shardings"]) == 0
    assert capsysbinary.readouterr().out == b"no value has a sharding\n"
