"""What the tests of passes share: programs run as they are and transformed, beside the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import shlo
from shlo.ir.operations import Module
from shlo.verifier import verify
from tests.oracle import Oracle


def names(module: Module) -> list[str]:
    """Returns the names of a module's operations but functions and their ends."""
    return [each.name for each, _ in module.walk() if not each.name.startswith("func.")]


def assert_same_values(
    text: str,
    transform: Callable[[Module], Module],
    arguments: Sequence[Any],
    oracle: Oracle,
    rtol: float = 0.0,
    atol: float = 0.0,
) -> Module:
    """Returns the transformed program, which is valid here and for the oracle and gives what the program
    gives.
    """
    module = shlo.parse(text)
    made = transform(module)
    assert [finding for finding in verify(made) if finding.severity == "error"] == []
    assert oracle.accepts(made.to_text()).accepted
    for expected, actual in zip(shlo.run(module, *arguments), shlo.run(made, *arguments), strict=True):
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(_wide(actual), _wide(expected), rtol=rtol, atol=atol)
    return made


def _wide(array: Any) -> Any:
    return array if array.dtype.kind in "cfiub" else array.astype(np.float64)
