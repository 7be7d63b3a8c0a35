"""Programs that JAX prints for eight devices give its results, without eight devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.ir.dtypes import Array
from tests.sharded_programs import OLD, ONLY_SHARDY, PROGRAMS, ROUND_TRIP

pytestmark = pytest.mark.slow

NAMES = [*PROGRAMS, *(f"{name}{OLD}" for name in PROGRAMS if name not in ONLY_SHARDY)]
DEVICES = 8

TOLERANCE = 2e-6
"""How far results may be from JAX's, as a part of the largest of them: products are summed in another
order."""

NARROW_TOLERANCE = 1e-3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns where the programs' texts, arguments and results are, written by a process that has eight
    devices.
    """
    path = tmp_path_factory.mktemp("sharded")
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
    command = [sys.executable, "-m", "tests.sharded_programs", str(path)]
    subprocess.run(command, check=True, env=os.environ | {"XLA_FLAGS": flags}, cwd=Path(__file__).parents[1])
    return path


@pytest.mark.parametrize("name", NAMES)
def test_jax_gives_the_same_on_eight_devices(name: str, folder: Path) -> None:
    arguments, expected = _arrays(folder / f"{name}.npz")
    results = shlo.run(shlo.load(folder / f"{name}.mlir"), *arguments)
    _assert_close(results, expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_went_through_hlo_give_the_same(name: str, folder: Path) -> None:
    arguments, expected = _arrays(folder / f"{name}.npz")
    _assert_close(shlo.run(shlo.load(folder / f"{name}{ROUND_TRIP}.mlir"), *arguments), expected)


@pytest.mark.parametrize("name", ["nested_axes", "mlp_gradient", f"pipeline{OLD}", "other_order_of_devices"])
def test_every_process_of_a_grid_gives_whole_tensors(name: str, folder: Path) -> None:
    arguments, expected = _arrays(folder / f"{name}.npz")
    module = shlo.load(folder / f"{name}.mlir")
    for results in shlo.run_grid(module, [arguments], partitions=DEVICES):
        _assert_close(results, expected)


def _arrays(path: Path) -> tuple[list[Array], list[Array]]:
    with np.load(path) as file:
        names = list(file)
        return tuple([file[name] for name in names if name.startswith(kind)] for kind in ("in", "out"))  # type: ignore[return-value]


def _assert_close(results: tuple[Array, ...], expected: list[Array]) -> None:
    assert len(results) == len(expected)
    for actual, wanted in zip(results, expected):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.kind != "f":
            np.testing.assert_array_equal(actual, wanted)
            continue
        tolerance = TOLERANCE if wanted.dtype.itemsize > 2 else NARROW_TOLERANCE
        largest = float(np.abs(wanted).max())
        np.testing.assert_allclose(actual, wanted, rtol=0, atol=tolerance * largest)
