"""Results saved in a `.npz` (or, a single one, `.npy`) file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shlo.runner.errors import RequestError
from shlo.runner.files import save_arrays


def check_save_path(path: str, result_count: int | None = None) -> None:
    """Raises RequestError where results cannot be saved under that name."""
    if not path.lower().endswith((".npz", ".npy")):
        raise RequestError(f"cannot save results in {path}", "give a name that ends in .npz or .npy")
    if path.lower().endswith(".npy") and result_count not in (None, 1):
        raise RequestError(
            f"cannot save {result_count} results in {path}", "save several results in a .npz file"
        )


def save_results(path: str, results: Sequence[Any]) -> None:
    """Writes the results in order, named `result_0`, `result_1`, ...; raises RequestError."""
    import numpy as np

    check_save_path(path, len(results))
    for index, result in enumerate(results):
        if not isinstance(result, (np.ndarray, np.generic)):
            raise RequestError(f"result {index} is no tensor and cannot be saved")
    save_arrays(path, {f"result_{index}": result for index, result in enumerate(results)})
