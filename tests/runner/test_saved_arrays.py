"""Files of arrays of every element type: what is saved can be read, by us and by NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main
from shlo.ir.dtypes import FLOAT_FORMATS


@pytest.mark.parametrize("name", [name for name, format_ in FLOAT_FORMATS.items() if format_.dtype])
def test_arguments_and_results_of_every_float_go_through_files(name: str, tmp_path: Path) -> None:
    dtype = np.dtype(FLOAT_FORMATS[name].dtype)
    values = np.array([1, 0.5, 4, 2]).astype(dtype)
    program, inputs, outputs = tmp_path / "p.mlir", tmp_path / "x.npz", tmp_path / "y.npz"
    program.write_text(
        f"func.func @main(%x: tensor<4x{name}>) -> tensor<4x{name}> {{ return %x : tensor<4x{name}> }}"
    )
    np.savez(inputs, x=values)
    assert main(["run", str(program), str(inputs), "--save", str(outputs)]) == 0
    with np.load(outputs) as file:
        assert file["result_0"].view(dtype).tolist() == values.tolist()
    assert main(["run", str(program), str(outputs)]) == 0
