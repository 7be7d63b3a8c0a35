"""Results saved in a `.npz` (or, a single one, `.npy`) file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from shlo.ir.dtypes import saveable
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file


def check_save_path(path: str, result_count: int | None = None) -> None:
    """Raises RequestError where results cannot be saved under that name."""
    if not path.lower().endswith((".npz", ".npy")):
        raise RequestError(f"cannot save results in {path}", "give a name that ends in .npz or .npy")
    if path.lower().endswith(".npy") and result_count not in (None, 1):
        raise RequestError(
            f"cannot save {result_count} results in {path}", "save several results in a .npz file"
        )


def save_results(path: str, results: Sequence[Any]) -> None:
    """Writes the results in order, named `result_0`, `result_1`, ...; raises RequestError.

    NumPy keeps element types of its own only; any other is saved as void and must be read back by its type.
    """
    import numpy as np

    check_save_path(path, len(results))
    for index, result in enumerate(results):
        if not isinstance(result, (np.ndarray, np.generic)):
            raise RequestError(f"result {index} is no tensor and cannot be saved")

    def write(file: BinaryIO) -> None:
        if path.lower().endswith(".npy"):
            np.save(file, saveable(results[0]), allow_pickle=False)
        else:
            arrays: dict[str, Any] = {
                f"result_{index}": saveable(result) for index, result in enumerate(results)
            }
            np.savez(file, **arrays)  # NumPy 2.0 takes `allow_pickle` for the name of an array

    replace_file(path, write)
