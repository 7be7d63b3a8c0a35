"""Products of matrices in tiles: the sums, and the bits, whatever the number of threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.interpreter.kernels.contraction.tiles import MOST_IN_TILE, tile_for

SIZES = [
    (256, 65, 64),
    (64, 784, 33),
    (3, 500, 1000),
    (1000, 700, 2),
    (65, 257, 97),
    (40000, 9, 17),
    (257, 256, 255),
]
ROOT = Path(__file__).parents[2]
PRINTED = """
import hashlib, numpy as np, shlo
numbers = np.random.default_rng(0)
for rows, terms, columns in [(257, 200, 193), (90, 300, 400), (700, 27, 200)]:
    a, b = numbers.standard_normal((rows, terms)), numbers.standard_normal((terms, columns))
    text = f'''func.func @main(%a: tensor<{rows}x{terms}xf64>, %b: tensor<{terms}x{columns}xf64>)
        -> tensor<{rows}x{columns}xf64> {{
      %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<{rows}x{terms}xf64>, tensor<{terms}x{columns}xf64>) -> tensor<{rows}x{columns}xf64>
      return %c : tensor<{rows}x{columns}xf64>
    }}'''
    print(hashlib.sha256(np.asarray(shlo.run(shlo.parse(text), a, b)).tobytes()).hexdigest())
"""


@pytest.mark.parametrize("sizes", SIZES)
def test_no_tile_is_a_vector_or_has_work_for_several_threads(sizes: tuple[int, int, int]) -> None:
    rows, terms, columns = sizes
    tile = tile_for(*sizes)
    assert tile is not None
    assert rows % tile.rows != 1
    assert columns % tile.columns != 1
    assert tile.rows * terms * tile.columns <= MOST_IN_TILE


@pytest.mark.parametrize(
    "sizes", [(64, 64, 64), (1, 2000, 2000), (2000, 2000, 1), (4096, 4096, 4096), (16, 9999, 16)]
)
def test_products_of_other_sizes_are_not_tiled(sizes: tuple[int, int, int]) -> None:
    assert tile_for(*sizes) is None


@pytest.mark.parametrize("sizes", [*SIZES, (300, 200, 170)])
@pytest.mark.parametrize("stack", [(), (2,)])
@pytest.mark.parametrize("contracted", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_sums_are_exact_for_small_integers(
    sizes: tuple[int, int, int], stack: tuple[int, ...], contracted: tuple[int, int]
) -> None:
    rows, terms, columns = sizes
    assert rows * terms * columns > MOST_IN_TILE
    numbers = np.random.default_rng(1)
    a, b = (
        numbers.integers(-8, 9, (*stack, *shape)).astype(np.float32)
        for shape in ((rows, terms), (terms, columns))
    )
    lhs = a if contracted[0] else np.ascontiguousarray(a.swapaxes(-1, -2))
    rhs = np.ascontiguousarray(b.swapaxes(-1, -2)) if contracted[1] else b
    types = ["x".join(map(str, (*shape, "f32"))) for shape in (lhs.shape, rhs.shape, (*stack, rows, columns))]
    left, right, result = (f"tensor<{each}>" for each in types)
    batch = "batching_dims = [0] x [0], " if stack else ""
    dimensions = [at + len(stack) for at in contracted]
    module = shlo.parse(
        f"""func.func @main(%a: {left}, %b: {right}) -> {result} {{
          %c = stablehlo.dot_general %a, %b, {batch}contracting_dims = [{dimensions[0]}] x [{dimensions[1]}]
            : ({left}, {right}) -> {result}
          return %c : {result}
        }}"""
    )
    expected = np.einsum("...ij,...jk->...ik", a.astype(np.int64), b.astype(np.int64))
    np.testing.assert_array_equal(np.asarray(shlo.run(module, lhs, rhs)[0]), expected)


def test_bits_do_not_depend_on_threads_of_openblas_or_ours() -> None:
    def printed(threads: str) -> str:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "SHLO_NUM_THREADS": threads}
        command = [sys.executable, "-c", PRINTED]
        return subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    assert printed("1") == printed("3") != ""
