"""Flat cuts through tensors of any rank: what a screen shows of one."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.dtypes import Array

Index = tuple[int | slice, ...]
_NOTHING = slice(0, 0)


class TensorSlice(Struct, frozen=True):
    """A cut through a tensor: axis `rows` goes down, axis `columns` across, the others are at their place
    in `index` (which has an entry for each axis; those of shown axes count for nothing). A vector has no
    `rows`, a scalar neither: they are shown as 1 x n and 1 x 1. Of a tensor without elements nothing is
    shown.
    """

    shape: tuple[int, ...]
    index: tuple[int, ...]
    rows: int | None
    columns: int | None

    @staticmethod
    def of(shape: tuple[int, ...]) -> TensorSlice:
        """Returns the first cut along the last two axes."""
        rank = len(shape)
        return TensorSlice(shape, (0,) * rank, rank - 2 if rank > 1 else None, rank - 1 if rank else None)

    @property
    def rank(self) -> int:
        """How many axes the tensor has."""
        return len(self.shape)

    @property
    def fixed_axes(self) -> tuple[int, ...]:
        """The axes that are not shown, in order."""
        return tuple(axis for axis in range(self.rank) if axis not in (self.rows, self.columns))

    @property
    def size(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        if 0 in self.shape:
            return 0, 0
        rows, columns = (1 if axis is None else self.shape[axis] for axis in (self.rows, self.columns))
        return rows, columns

    @property
    def label(self) -> str:
        """The cut as one writes it: `[3, 0, :, :]`."""
        shown = (self.rows, self.columns)
        return f"[{', '.join(':' if axis in shown else str(at) for axis, at in enumerate(self.index))}]"

    def shifted(self, axis: int, by: int) -> TensorSlice:
        """Returns the cut moved along a fixed axis, to its ends at most; itself for a shown axis."""
        self._check(axis)
        if axis not in self.fixed_axes or not self.shape[axis]:
            return self
        clamped = min(max(self.index[axis] + by, 0), self.shape[axis] - 1)
        return replace(self, index=(*self.index[:axis], clamped, *self.index[axis + 1 :]))

    def with_axes(self, rows: int, columns: int) -> TensorSlice:
        """Returns a cut along two other axes through the same place; raises ValueError."""
        self._check(rows)
        self._check(columns)
        if rows == columns:
            raise ValueError(f"axis {rows} cannot go down and across")
        return replace(self, rows=rows, columns=columns)

    def transposed(self) -> TensorSlice:
        """Returns the cut with rows and columns exchanged; as it is for a tensor of fewer than two axes."""
        return self if self.rows is None else replace(self, rows=self.columns, columns=self.rows)

    def index_of(self, rows: slice = slice(None), columns: slice = slice(None)) -> Index:
        """Returns what NumPy cuts a part of the plane out with; `arranged` turns what it gives into rows."""
        if 0 in self.shape:
            return (_NOTHING,) * self.rank
        shown = {self.rows: rows, self.columns: columns}
        return tuple(shown.get(axis, at) for axis, at in enumerate(self.index))

    def arranged(self, part: Array) -> Array:
        """Returns what `index_of` cut out as rows and columns."""
        if 0 in self.shape:
            return part.reshape(0, 0)
        if self.rows is None or self.columns is None:
            return part.reshape(1, -1)
        return part.T if self.rows > self.columns else part

    def _check(self, axis: int) -> None:
        if not 0 <= axis < self.rank:
            raise ValueError(f"there is no axis {axis}; there are {self.rank}")
