"""A gradient of about a thousand operations, with one infinite number in one of 30,000 elements of its input."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

ROWS, COLUMNS, WIDTH, LAYERS = 100, 300, 16, 142
PLANTED: Final = (37, 211)
"""Where the infinity is."""

_H, _W = f"tensor<{ROWS}x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"


def gradient_program() -> str:
    """Returns the gradient of the sum of what layers of rectified linear units make of `%x`: in their shared
    weights, and in the first ones.
    """
    lines = [
        f"func.func @main(%x: tensor<{ROWS}x{COLUMNS}xf32>, %first: tensor<{COLUMNS}x{WIDTH}xf32>, %w: {_W})"
        f" -> ({_W}, tensor<{COLUMNS}x{WIDTH}xf32>) {{",
        f"%zero = stablehlo.constant dense<0.0> : {_H}",
        f"%d{LAYERS} = stablehlo.constant dense<1.0> : {_H}",
        f"%g{LAYERS} = stablehlo.constant dense<0.0> : {_W}",
        _dot(
            "%h0",
            "%x",
            "%first",
            "[1] x [0]",
            f"tensor<{ROWS}x{COLUMNS}xf32>",
            f"tensor<{COLUMNS}x{WIDTH}xf32>",
            _H,
        ),
    ]
    for layer in range(LAYERS):
        lines += [
            _dot(f"%a{layer}", f"%h{layer}", "%w", "[1] x [0]", _H, _W, _H),
            f"%h{layer + 1} = stablehlo.maximum %a{layer}, %zero : {_H}",
        ]
    for layer in reversed(range(LAYERS)):
        after = layer + 1
        lines += [
            f"%m{layer} = stablehlo.compare GT, %a{layer}, %zero : ({_H}, {_H}) -> tensor<{ROWS}x{WIDTH}xi1>",
            f"%e{layer} = stablehlo.select %m{layer}, %d{after}, %zero : tensor<{ROWS}x{WIDTH}xi1>, {_H}",
            _dot(f"%c{layer}", f"%h{layer}", f"%e{layer}", "[0] x [0]", _H, _H, _W),
            f"%g{layer} = stablehlo.add %g{after}, %c{layer} : {_W}",
            _dot(f"%d{layer}", f"%e{layer}", "%w", "[1] x [1]", _H, _W, _H),
        ]
    last = _dot(
        "%gx", "%x", "%d0", "[0] x [0]", f"tensor<{ROWS}x{COLUMNS}xf32>", _H, f"tensor<{COLUMNS}x{WIDTH}xf32>"
    )
    lines += [last, f"return %g0, %gx : {_W}, tensor<{COLUMNS}x{WIDTH}xf32>", "}"]
    return "\n".join(lines)


def gradient_arguments() -> list[np.ndarray[Any, Any]]:
    """Returns arguments; all numbers are finite but one."""
    random = np.random.default_rng(13)
    x = random.random((ROWS, COLUMNS), dtype=np.float32)
    x[PLANTED] = np.inf
    first = random.random((COLUMNS, WIDTH), dtype=np.float32) / COLUMNS
    return [x, first, random.random((WIDTH, WIDTH), dtype=np.float32) / WIDTH * 2]


def _dot(name: str, lhs: str, rhs: str, dimensions: str, *types: str) -> str:
    return (
        f"{name} = stablehlo.dot_general {lhs}, {rhs}, contracting_dims = {dimensions}"
        f" : ({types[0]}, {types[1]}) -> {types[2]}"
    )
