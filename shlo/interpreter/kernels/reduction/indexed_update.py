"""Updates combined into rows of tables at an index that may repeat rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import Body
from shlo.interpreter.kernels.elementwise.float_minmax import FloatMinMax
from shlo.interpreter.kernels.numeric import is_narrow_integer
from shlo.interpreter.kernels.reduction.combiner import Combine, combine_of, combiner_of
from shlo.ir.dtypes import Array

Tables = Sequence[Array]
Apply = Callable[[Tables, Any, Tables, bool], None]
"""Combines updates into rows of tables: tables, an index of rows, an update per row, if rows are unique."""

LONG_ROW = 256
"""Elements from which on a row is worth a NumPy call of its own."""


def apply_of(body: Body) -> Apply:
    """Returns the function that combines updates into rows of tables as the region of a scatter does."""
    count = len(body.result_types)
    if body.returned_arguments == tuple(range(count, 2 * count)):
        return _assign
    combiner = combiner_of(body) if count == 1 else None
    if combiner is not None and not is_narrow_integer(combiner.narrow):
        return _applying(combiner.function)
    return _general(combine_of(body))


def _assign(tables: Tables, index: Any, updates: Tables, unique: bool) -> None:
    for table, update in zip(tables, updates):
        table[index] = update


def _applying(ufunc: np.ufunc | FloatMinMax) -> Apply:
    def apply(tables: Tables, index: Any, updates: Tables, unique: bool) -> None:
        (table,), (update,) = tables, updates
        if unique:
            table[index] = ufunc(table[index], update)
        elif table.ndim == 1:
            ufunc.at(table, index, update)
        elif table.shape[1] >= LONG_ROW:
            for number, values in zip(index.tolist(), update):
                row = table[number]
                combined = ufunc(row, values, out=row)
                if combined is not row:
                    row[...] = combined
        else:
            width = int(table.shape[1])
            elements = np.add.outer(index * width, np.arange(width))
            ufunc.at(table.reshape(-1), elements.reshape(-1), update.reshape(-1))

    return apply


def _general(combine: Combine) -> Apply:
    def apply(tables: Tables, index: Any, updates: Tables, unique: bool) -> None:
        for chosen in [slice(None)] if unique else _rounds(index):
            rows = index if unique else index[chosen]
            news = [update if unique else update[chosen] for update in updates]
            for table, result in zip(tables, combine(*[table[rows] for table in tables], *news)):
                table[rows] = result

    return apply


def _rounds(index: Array) -> Iterator[Array]:
    """Yields positions in an index: where numbers occur first, then where they occur again, and so on."""
    order = np.argsort(index, kind="stable")
    ordered = index[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    occurrence = np.arange(len(index)) - np.repeat(starts, np.diff(starts, append=len(index)))
    by_round = order[np.argsort(occurrence, kind="stable")]
    yield from np.split(by_round, np.cumsum(np.bincount(occurrence))[:-1])
