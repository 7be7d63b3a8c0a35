"""Collectives on both engines: the operands of all processes, and what each gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from shlo.interpreter.program.code import CodeBlock


class CollectiveCall(Struct):
    """An operation that all processes carry out together, for the same time.

    Args:
        code: the block of its instruction.
        index: the number of the instruction in it.
        path: the calls and iterations that lead there, outermost first, in the process that came first.
        position: how many steps the grid had taken before.
        operands: of each process that has come.
        values: what each process got that has gone on.
    """

    code: CodeBlock
    index: int
    path: tuple[str, ...]
    position: int
    operands: dict[int, Sequence[Any]] = field(default_factory=dict[int, Sequence[Any]])
    values: dict[int, Sequence[Any]] = field(default_factory=dict[int, Sequence[Any]])


class Collectives:
    """The collectives at which processes of a grid of one program are, and how often each was there."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._times: Counter[tuple[int, int, int]] = Counter()
        self._open: dict[tuple[int, int, int], CollectiveCall] = {}
        self._at: dict[int, tuple[int, int, int]] = {}

    def arrive(
        self,
        number: int,
        code: CodeBlock,
        index: int,
        path: tuple[str, ...],
        operands: Sequence[Any],
        position: int,
    ) -> None:
        """Takes the operands of a process that has reached a collective, after the grid's steps before."""
        counted = number, id(code), index
        key = id(code), index, self._times[counted]
        self._times[counted] += 1
        collective = self._open.setdefault(key, CollectiveCall(code, index, path, position))
        collective.operands[number] = operands
        self._at[number] = key

    def leave(self, number: int, values: Sequence[Any]) -> CollectiveCall | None:
        """Takes what a process got; returns the collective once all processes of the grid went on."""
        key = self._at.pop(number, None)
        if key is None:
            return None
        collective = self._open[key]
        collective.values[number] = values
        return self._open.pop(key) if len(collective.values) == self._size else None
