"""Files of arrays of every element type: what is saved can be read, by us and by NumPy."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Literal

import ml_dtypes
import numpy as np
import pytest

from shlo.cli import main
from shlo.ir.array_files import any_array, read_npy
from shlo.ir.dtypes import FLOAT_FORMATS
from shlo.runner.errors import RequestError


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


def _saved(array: np.ndarray[Any, Any]) -> bytes:
    file = BytesIO()
    np.save(file, array)
    return file.getvalue()


def _as_numpy(data: bytes) -> object:
    try:
        return np.load(BytesIO(data)).tolist()
    except Exception:
        return "refused"


def _as_ours(path: Path, data: bytes) -> object:
    path.write_bytes(data)
    try:
        return read_npy(str(path), lambda header: None).tolist()
    except RequestError:
        return "refused"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (4, 0, 5)])
def test_headers_are_read_as_numpy_reads_them_whole_or_damaged(
    shape: tuple[int, ...], order: Literal["C", "F"], tmp_path: Path
) -> None:
    data = _saved(np.asarray(np.arange(np.prod(shape), dtype="<i2").reshape(shape), order=order))
    assert _as_ours(tmp_path / "a.npy", data) == _as_numpy(data) != "refused"
    random = Random(str(shape))  # behind the type, of which we refuse more
    for _ in range(200):
        damaged = bytearray(data)
        for _ in range(random.randint(1, 2)):
            damaged[random.randrange(26, 90)] = random.choice(b"0123456789(),: '{}<>|fiub \n")
        assert _as_ours(tmp_path / "a.npy", bytes(damaged)) == _as_numpy(bytes(damaged)), damaged


def test_elements_in_the_byte_order_of_another_machine_are_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    orders = (b"<", b">") if sys.byteorder == "little" else (b">", b"<")
    bfloats = _saved(np.array([1.5, 2], ml_dtypes.bfloat16))
    path.write_bytes(bfloats.replace(b"'%bV2'" % orders[0], b"'%bV2'" % orders[1]))
    with pytest.raises(RequestError, match=f"of another machine, not {sys.byteorder} endian"):
        read_npy(str(path), any_array)
    bytes_ = _saved(np.array([1.5, 2], ml_dtypes.float8_e5m2))
    path.write_bytes(bytes_.replace(b"'%bf1'" % orders[0], b"'%bf1'" % orders[1]))
    assert read_npy(str(path), any_array).view(ml_dtypes.float8_e5m2).tolist() == [1.5, 2]
    path.write_bytes(_saved(np.array([1.5, 2], ">f4")))
    assert read_npy(str(path), any_array).tolist() == [1.5, 2]
