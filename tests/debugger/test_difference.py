"""Difference of two values: which elements differ, by how much, and the command that says so."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.tensors.difference import difference_of
from tests.debugger.programs import read

ONE = np.array([1, 2, -3, np.nan], np.float32)


@pytest.mark.parametrize(
    ("one", "other", "differing", "largest", "ulps", "worst"),
    [
        (ONE, ONE, 0, None, None, []),
        (ONE, np.array([1, np.nextafter(np.float32(2), 3), -3, np.nan], "f4"), 1, 2.0**-22, 1, [(1,)]),
        (ONE, np.array([np.inf, 2, 3, 4], "f4"), 3, 6.0, None, [(0,), (3,), (2,)]),
        (np.float32(0), np.float32(-0.0), 0, None, None, []),
        (np.array([1, 2]), np.array([1, 5]), 1, 3.0, None, [(1,)]),
        (np.array([2**53 + 1]), np.array([2**53]), 1, 0.0, None, [(0,)]),
        (np.array([1 + 1j]), np.array([1 - 2j]), 1, 3.0, None, [(0,)]),
        (
            np.array([1], ml_dtypes.bfloat16),
            np.array([1.0078125], ml_dtypes.bfloat16),
            1,
            0.0078125,
            1,
            [(0,)],
        ),
        (np.array([1], ml_dtypes.bfloat16), np.array([1.5], np.float32), 1, 0.5, None, [(0,)]),
        (np.zeros((2, 0)), np.zeros((2, 0)), 0, None, None, []),
    ],
)
def test_elements_that_differ(
    one: Any, other: Any, differing: int, largest: float | None, ulps: int | None, worst: list[Any]
) -> None:
    found = difference_of(one, other, 5)
    assert (found.differing, found.largest, [each.index for each in found.worst]) == (
        differing,
        largest,
        worst if np.shape(one) else [],
    )
    assert ulps is None or found.ulps == ulps


def test_values_of_other_shapes_have_no_difference() -> None:
    with pytest.raises(DebuggerError, match=r"tensors of one shape, got \(2\) and \(1, 2\)"):
        difference_of(np.zeros(2), np.zeros((1, 2)), 1)


def test_the_command_takes_two_expressions() -> None:
    session = Session(
        read(
            "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %y = stablehlo.abs %x : tensor<4xf32>\n  %z = stablehlo.add %y, %y : tensor<4xf32>\n"
            "  return %z : tensor<4xf32>\n}\n"
        ),
        [np.array([1, 2, -3, 0.5], np.float32)],
    )
    run_command(session, "step")
    reply = run_command(session, "diff %x %y")
    assert reply.text.splitlines() == [
        "%x and %y: 1 of 4 elements differ, at most 6 apart, at most 2,155,872,256 ULP",
        "  [2] -3 and 3: 6 apart, 2,155,872,256 ULP",
    ]
    assert reply.tensor is not None
    assert (reply.tensor[0], reply.tensor[1].tolist()) == ("%x - %y", [0, 0, -6, 0])
    assert run_command(session, "diff %y, max(%x) * 2").text.startswith("%y and max(%x) * 2: 4 of 4 elements")
    assert run_command(session, "diff %x %x").tensor is None
    with pytest.raises(DebuggerError, match="expected two values"):
        run_command(session, "diff %x")
