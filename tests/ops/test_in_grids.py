"""The programs of all operations in a grid of 2x2, one step of one process at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.interpreter import RunOptions, make_grid
from shlo.ir.operations import Function
from shlo.runner.files import read_module

from .test_ops import PROGRAMS

pytestmark = pytest.mark.slow

FOR_ONE_PROCESS = {
    "all_gather_quantized_of_one_process",
    "collective_reduce_quantized_of_one_process",
    "partition_id_spec_example",
    "reduce_scatter_quantized_of_one_process",
    "replica_id_spec_example",
}
"""Functions that name the only process."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_checks_hold_in_every_process(name: str, tmp_path: Path) -> None:
    module = read_module(str(PROGRAMS[name]))
    entries = [function.name for function in module.functions.values() if _is_check(function)]
    assert entries
    for entry in entries:
        grid = make_grid(
            module, [()], RunOptions(replicas=2, partitions=2, entry=entry, probe_folder=str(tmp_path))
        )
        while grid.next_process is not None:
            grid.step()
        assert grid.results == [(), (), (), ()]


def _is_check(function: Function) -> bool:
    return function.is_public and not function.type.inputs and function.name not in FOR_ONE_PROCESS
