"""Batch normalization against XLA on CPU."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.ir.dtypes import element_type_for
from tests.oracle import Oracle

from .helpers import evaluate, random_array, tensor

NAMES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64", np.dtype(ml_dtypes.bfloat16): "bf16"}
OPERATIONS = {  # operands that are vectors (v) or as large as the first (t), and results likewise
    "batch_norm_inference": ("tvvvv", "t"),
    "batch_norm_training": ("tvv", "tvv"),
    "batch_norm_grad": ("tvvvt", "tvv"),
}


def text_of(name: str, element: str, shape: tuple[int, ...], feature: int) -> str:
    kinds = {
        "t": f"tensor<{'x'.join(map(str, shape))}x{element}>",
        "v": f"tensor<{shape[feature]}x{element}>",
    }
    operands, results = ([kinds[letter] for letter in letters] for letters in OPERATIONS[name])
    names = [f"%a{i}" for i in range(len(operands))]
    packed = [f"%r#{i}" for i in range(len(results))]
    return f"""func.func @main({", ".join(map(": ".join, zip(names, operands)))}) -> ({", ".join(results)}) {{
      %r:{len(results)} = "stablehlo.{name}"({", ".join(names)})
        <{{epsilon = 1.0e-2 : f32, feature_index = {feature} : i64}}>
        : ({", ".join(operands)}) -> ({", ".join(results)})
      return {", ".join(packed)} : {", ".join(results)} }}"""


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("dtype", NAMES)
@pytest.mark.parametrize(
    ("shape", "feature"), [((4, 3), 1), ((3, 4, 5, 2), 0), ((2, 5, 3, 4), 3), ((2, 0, 3), 2)]
)
def test_batch_norm(oracle: Oracle, name: str, dtype: Any, shape: tuple[int, ...], feature: int) -> None:
    operands, results = OPERATIONS[name]
    sizes = {"t": shape, "v": (shape[feature],)}
    arrays = [random_array(dtype, *sizes[letter], seed=i) for i, letter in enumerate(operands)]
    if name != "batch_norm_training":
        variance = operands.rindex("v")
        arrays[variance] = np.abs(arrays[variance])
    expected = oracle.run(text_of(name, NAMES[dtype], shape, feature), arrays)
    types = [tensor(element_type_for(dtype), *sizes[letter]) for letter in results]
    actual = evaluate(name, *arrays, result_types=types, epsilon=0.01, feature_index=feature)
    close = {"f32": 1e-4, "f64": 1e-10, "bf16": 6e-2}[NAMES[dtype]]
    for ours, theirs in zip(actual if len(results) > 1 else (actual,), expected):
        assert (ours.shape, ours.dtype) == (theirs.shape, dtype)
        np.testing.assert_allclose(ours.astype("f8"), theirs.astype("f8"), close, close)
