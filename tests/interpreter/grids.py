"""Small parallel programs: a module whose functions `p0`, `p1`, ... are the programs of processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shlo
from shlo.interpreter import Channels, ProcessGrid, RunOptions, make_grid

SUM = """({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    })"""


def all_reduce(result: str, operand: str, groups: str, more: str = "", body: str = SUM) -> str:
    """Returns an all_reduce of a `tensor<2xi32>`, as text."""
    rows = groups.count("[") - 1
    columns = groups.count(",") // max(rows, 1) + 1 if rows == 1 else len(groups.split("],")[0].split(","))
    attributes = f"replica_groups = dense<{groups}> : tensor<{rows}x{columns}xi64>{more}"
    return f'{result} = "stablehlo.all_reduce"({operand}) {body} {{{attributes}}} : (tensor<2xi32>) -> tensor<2xi32>'


def programs(*bodies: str) -> shlo.Module:
    """Returns a module with a function of a `tensor<2xi32>` for each body; each gives a `tensor<2xi32>`,
    `%out`.
    """
    functions = [
        f"func.func @p{number}(%x: tensor<2xi32>) -> tensor<2xi32> {{\n{body}\n  return %out : tensor<2xi32>\n}}"
        for number, body in enumerate(bodies)
    ]
    return shlo.parse("\n".join(functions), "grid.mlir")


def grid_of(module: shlo.Module, count: int, channels: Channels | None = None) -> ProcessGrid:
    """Returns a grid of replicas, each with its own program on [n, 10n]."""
    entries = [f"p{number}" for number in range(count)]
    return make_grid(module, inputs_of(count), RunOptions(replicas=count, entry=entries, channels=channels))


def inputs_of(count: int) -> Sequence[Sequence[Any]]:
    """Arguments that differ from process to process."""
    return [[[number, 10 * number]] for number in range(count)]


def line_of(module: shlo.Module, text: str) -> int:
    """Returns the number of the only line that contains a text."""
    assert module.source is not None
    (line,) = [number for number, line in enumerate(module.source.text.splitlines(), 1) if text in line]
    return line
