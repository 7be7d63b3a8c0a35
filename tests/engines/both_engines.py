"""Both engines on the same programs, as `shlo run` runs them: run as a module, it prints a line of JSON.

    python -m tests.engines.both_engines corpus|collectives FOLDER [PROGRAM...]

A process of its own, as the number of devices is settled when JAX starts.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import shlo
from shlo.cli import main
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import element_type_of

DEVICES = 8
GRIDS = ((1, 8), (8, 1), (2, 4))
Array = np.ndarray[Any, Any]


def run_both(folder: Path, *arguments: str, pattern: str = "") -> list[list[Array]] | str:
    """Returns the results that both engines save for a call of `shlo run`, or which engine could not."""
    found: list[list[Array]] = []
    for engine in ("interpreter", "xla"):
        path = folder / f"{engine}{pattern}.npz"
        code = main(["run", *arguments, "--full", "--engine", engine, "--save", str(path)])
        if code:
            return f"{engine}: exit code {code}"
        names = [path] if not pattern else [folder / f"{engine}{process}.npz" for process in range(DEVICES)]
        results: list[Array] = []
        for name in names:
            with np.load(name) as file:
                results += [file[key] for key in file]
        found.append(results)
    return found


def corpus(folder: Path, names: Sequence[str] = ()) -> dict[str, str]:
    """Returns which programs of the corpus have other results on the two engines, and how."""
    from tests.jax_programs import RUNNABLE, assert_close

    faults: dict[str, str] = {}
    for program in RUNNABLE:
        if names and program.name not in names:
            continue
        path, inputs = folder / "program.mlir", folder / "inputs.npz"
        path.write_text(program.text())
        np.savez(inputs, **{f"arg{at}": array for at, array in enumerate(program.arguments)})
        found = run_both(folder, str(path), *([str(inputs)] if program.arguments else []))
        if isinstance(found, str):
            faults[program.name] = found
            continue
        types = shlo.load(path).functions["main"].type.results
        dtypes = [dtype_of(element_type_of(type_)) for type_ in types]
        pairs = [[array.view(dtype) for array, dtype in zip(arrays, dtypes, strict=True)] for arrays in found]
        try:
            assert_close(program, pairs[1], pairs[0])
        except AssertionError as error:
            faults[program.name] = str(error)
    return faults


def collectives(folder: Path) -> dict[str, str]:
    """Returns which collectives have other results in grids on the two engines, and how."""
    faults: dict[str, str] = {}
    for (replicas, partitions), name, text, inputs in collective_programs():
        path = folder / "program.mlir"
        path.write_text(text)
        for process, array in enumerate(inputs):
            np.save(folder / f"x{process}.npy", array)
        call = (str(path), str(folder / "x{process}.npy"), "--grid", f"{replicas}x{partitions}")
        found = run_both(folder, *call, pattern="{process}")
        if isinstance(found, str) or len(found[0]) != DEVICES:
            faults[f"{name} {replicas}x{partitions}"] = str(found)
        elif not all(map(np.array_equal, *found)):
            faults[f"{name} {replicas}x{partitions}"] = "other results"
    return faults


def collective_programs() -> Iterator[tuple[tuple[int, int], str, str, Sequence[Array]]]:
    """Yields for each grid and each way of grouping: the grid, the name of a collective, a program of it, and
    an argument for each process.
    """
    inputs = [np.arange(8, dtype=np.float32) + 100 * process for process in range(DEVICES)]
    for replicas, partitions in GRIDS:
        flattened = ", use_global_device_ids", [[0, 2, 4, 6], [1, 3, 5, 7]]
        ways = {"flattened ids": (CHANNEL + flattened[0], flattened[1])}
        if replicas > 1:
            ways["cross replica"] = "", [list(range(replicas))]
            ways["both"] = CHANNEL, [list(range(replicas))]
        for way, (attributes, groups) in ways.items():
            size = len(groups[0]) * (partitions if way == "both" else 1)
            for name, write in REDUCING.items():
                yield (replicas, partitions), f"{name}, {way}", write(attributes, groups, size), inputs
        ways = {"cross replica": ("", replicas), "cross partition": (CHANNEL, partitions)}
        for way, (attributes, size) in ways.items():
            for name, write in MOVING.items() if size > 1 else ():
                yield (replicas, partitions), f"{name}, {way}", write(attributes, size), inputs
        yield (replicas, partitions), "ids", IDS, inputs


CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
SUM = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  })"""
IDS = """func.func @main(%x: tensor<8xf32>) -> tensor<ui32> {
  %p = stablehlo.partition_id : tensor<ui32>
  %q = stablehlo.replica_id : tensor<ui32>
  %c = stablehlo.constant dense<10> : tensor<ui32>
  %m = stablehlo.multiply %q, %c : tensor<ui32>
  %r = stablehlo.add %p, %m : tensor<ui32>
  return %r : tensor<ui32>
}
"""


def _program(operation: str, attributes: str, size: int, region: str = "") -> str:
    """Returns a program of one operation, whose result has `size` elements."""
    result = f"tensor<{size}xf32>"
    return (
        f"func.func @main(%x: tensor<8xf32>) -> {result} {{\n"
        f'  %r = "stablehlo.{operation}"(%x) {region} {{{attributes}}} : (tensor<8xf32>) -> {result}\n'
        f"  return %r : {result}\n}}\n"
    )


def _dense(rows: list[list[int]]) -> str:
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


REDUCING: dict[str, Callable[[str, list[list[int]], int], str]] = {
    "all_reduce": lambda more, groups, _: _program(
        "all_reduce", f"replica_groups = {_dense(groups)}{more}", 8, SUM
    ),
    "all_gather": lambda more, groups, size: _program(
        "all_gather", f"all_gather_dim = 0 : i64, replica_groups = {_dense(groups)}{more}", 8 * size
    ),
    "reduce_scatter": lambda more, groups, size: _program(
        "reduce_scatter",
        f"scatter_dimension = 0 : i64, replica_groups = {_dense(groups)}{more}",
        8 // size,
        SUM,
    ),
}
MOVING: dict[str, Callable[[str, int], str]] = {
    "all_to_all": lambda more, size: _program(
        "all_to_all",
        f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {size} : i64, "
        f"replica_groups = {_dense([list(range(size))])}{more}",
        8,
    ),
    "collective_permute": lambda more, size: _program(
        "collective_permute",
        f"source_target_pairs = {_dense([[at, (at + 1) % size] for at in range(size - 1)])}{more}",
        8,
    ),
    "collective_broadcast": lambda more, size: _program(
        "collective_broadcast", f"replica_groups = {_dense([list(range(size))[::-1]])}{more}", 8
    ),
}

if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        what, folder, *names = sys.argv[1:]
        found = corpus(Path(folder), names) if what == "corpus" else collectives(Path(folder))
    print(json.dumps(found))
