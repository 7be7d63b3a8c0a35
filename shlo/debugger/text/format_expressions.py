"""Values of expressions in words: as text, as statistics, as a plot of bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.environment import Outward
from shlo.debugger.expressions.watches import Evaluation
from shlo.debugger.text.format_loops import bars_text
from shlo.ir.dtypes import Array
from shlo.places.names import PythonName
from shlo.places.place import short_line_text
from shlo.runner.display import array_text
from shlo.runner.statistics import real_numbers, tensor_of
from shlo.syntax.lexer.strings import symbol_text
from shlo.text.numbers import number_text, plural

WIDEST: Final = 72
"""How many bars a plot has in a line; where there are more elements, a bar is the mean of some."""

MOST_LINES: Final = 24
"""How many rows of a matrix a plot shows."""


def evaluation_text(evaluation: Evaluation) -> str:
    """Returns a value as text, and in which functions around names of it were found."""
    names = python_lines(evaluation.python)
    return "\n".join([array_text(evaluation.value), *names, *outward_lines(evaluation.outward)])


def python_lines(names: Iterable[PythonName]) -> Iterator[str]:
    """Yields where names of Python were assigned, a line for each."""
    for name in names:
        if name.line is not None:
            yield f"({name.name} of {short_line_text(name.line)})"


def outward_lines(outward: Iterable[Outward]) -> Iterator[str]:
    """Yields in which functions around names were found, a line for each."""
    for value in outward:
        calls = plural(value.calls, "call")
        yield f"(%{value.name} is a value of {symbol_text(value.function)}, {calls} outward)"


def plot_text(value: Any) -> str:
    """Returns a vector as a line of bars, a matrix as a line for each row, with the range."""
    array = tensor_of(np.asarray(value) if isinstance(value, (int, float)) else value)
    if array is None:
        raise DebuggerError("expected a tensor, got a tuple or token")
    numbers = real_numbers(array).astype(np.float64)
    rows = numbers.reshape(-1, numbers.shape[-1] if numbers.ndim else 1)
    if not numbers.size:
        return "no elements"
    finite = numbers[np.isfinite(numbers)]
    lines = _bars(rows[:MOST_LINES])
    if len(rows) > MOST_LINES:
        lines.append(f"... {plural(len(rows) - MOST_LINES, 'row')} more")
    if not finite.size:
        return "\n".join([*lines, "no finite elements"])
    stride = -(-rows.shape[1] // WIDEST)
    scale = f", a bar for {stride} elements" if stride > 1 else ""
    ends = f"{number_text(finite.min())} to {number_text(finite.max())}"
    return "\n".join([*lines, f"{plural(numbers.size, 'element')}, {ends}{scale}"])


def _bars(rows: Array) -> list[str]:
    """Returns lines of bars, all of one scale."""
    stride = -(-rows.shape[1] // WIDEST)
    starts = list(range(0, rows.shape[1], stride))
    sizes: Array = np.array([min(stride, rows.shape[1] - start) for start in starts])
    pooled: list[list[float]] = (np.add.reduceat(rows, starts, axis=1) / sizes).tolist()
    bars = bars_text([number for row in pooled for number in row])
    width = len(pooled[0])
    return [bars[at : at + width] for at in range(0, len(bars), width)]
