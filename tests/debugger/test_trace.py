"""The trace of a process, kept in blocks, against plain lists; and how much a hot loop takes."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.debugger.replay import bulk_steps, trace, trace_blocks
from shlo.debugger.replay.schedule import Schedule, SearchedSteps
from shlo.debugger.replay.trace import ProcessTrace
from shlo.debugger.replay.trace_blocks import RepeatedBlock, TraceBlock, TraceRows

HOT = """\
func.func @main(%end: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %y = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %new = stablehlo.xor %y, %i : tensor<i32>
    stablehlo.return %next, %new : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
"""


class Plain:
    """The same as lists."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int]] = []

    def between(self, start: int, end: int) -> list[tuple[int, int]]:
        return self.rows[max(start, 0) : end]


def random_rows(chosen: random.Random, count: int) -> TraceRows:
    numbers = np.array([chosen.randint(-1, 4) for _ in range(count)], np.int32)
    return TraceRows(numbers, np.array([chosen.randint(0, 3) for _ in range(count)], np.int32))


def add(chosen: random.Random, kept: ProcessTrace, plain: Plain) -> None:
    """Adds steps of one kind or another."""
    kind, rows = chosen.randrange(4), random_rows(chosen, chosen.choice([1, 2, 5, 40]))
    pairs = list(zip(rows.numbers.tolist(), rows.depths.tolist()))
    if kind == 0:
        kept._open.append(*pairs[0])  # as `arrive` does, without a program
        plain.rows.append(pairs[0])
    elif kind == 1:
        kept.defer([TraceBlock(len(pairs), lambda: rows, (None, pairs[-1][0]))])
        plain.rows += pairs
    elif kind == 2:
        repeats = chosen.choice([1, 3, 50])
        for count in (repeats, 2)[: chosen.randint(1, 2)]:
            kept.defer([RepeatedBlock(rows, count)])
            plain.rows += pairs * count
    else:
        first = kept.last + 1
        kept.extend(*rows, np.arange(first, first + len(pairs)))
        plain.rows += pairs


def check(chosen: random.Random, kept: ProcessTrace, plain: Plain) -> None:
    """Asks the same of both."""
    count = len(plain.rows)
    assert kept.last == count - 1
    assert list(zip(kept.numbers, kept.depths, kept.positions)) == [
        (*row, step) for step, row in enumerate(plain.rows)
    ]
    for _ in range(6):
        start, end = sorted(chosen.choices(range(count + 1), k=2))
        number, depth = chosen.randint(-1, 4), chosen.randint(0, 3)
        part = plain.between(start, end)
        found = [step for step, row in enumerate(part, start) if row == (number, depth)]
        assert set(map(tuple, np.stack(kept.distinct(start, end), 1).tolist())) == set(part)
        is_wanted = lambda numbers, depths: (numbers == number) & (depths == depth)  # noqa: E731, B023
        assert kept.where(is_wanted, start, end).tolist() == found
        assert kept.first_where(is_wanted, start, end) == (found[0] if found else -1)
        before = [step for step, row in enumerate(plain.rows[:end]) if row == (number, depth)]
        assert kept.last_visit(number, depth, end - 1) == (before[-1] if before else -1)
        within = [step for step, row in enumerate(plain.rows[:end]) if row[1] <= depth]
        assert kept.last_within(depth, end) == (within[-1] if within else -1)
        if count:
            step = chosen.randrange(count)
            assert (kept.number(step), kept.depths[step]) == plain.rows[step]
            assert kept.arrivals([number, 2], step) == sum(
                row[0] in (number, 2) for row in plain.rows[: step + 1]
            )


@pytest.mark.parametrize("seed", range(12))
def test_a_trace_in_blocks_has_the_rows_of_one_that_keeps_each(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = random.Random(seed)
    for module, name, value in (
        (trace, "MOST_SMALL", 5),
        (trace, "MOST_EXPANDED", 2),
        (trace, "FEWEST_PACKED", chosen.choice([4, 32])),
        (trace_blocks, "FEWEST_PACKED", chosen.choice([4, 32])),
        (trace_blocks, "ROWS", 64),
        (trace, "ROWS", 64),
    ):
        monkeypatch.setattr(module, name, value)
    kept, plain = ProcessTrace(Any), Plain()
    others: list[tuple[ProcessTrace, Plain]] = []
    for round_ in range(60):
        add(chosen, kept, plain)
        if round_ % 5 == 4:
            check(chosen, kept, plain)
        if chosen.random() < 0.15 and plain.rows:
            count = chosen.randint(1, len(plain.rows))
            other, rows = kept.copy(), Plain()
            rows.rows = plain.rows[:]
            others.append((kept, plain))
            kept, plain = other, rows
            kept.cut(count - 1)
            del plain.rows[count:]
            check(chosen, kept, plain)
    for one, rows in others:
        check(chosen, one, rows)


def test_searched_steps_are_those_that_were_added() -> None:
    chosen = random.Random(3)
    searched, plain = SearchedSteps(), set[int]()
    for _ in range(400):
        first, count = chosen.randrange(200), chosen.randint(1, 12)
        if chosen.random() < 0.1:
            searched.cut(first)
            plain = {step for step in plain if step < first}
        else:
            searched.add(first, count)
            plain |= set(range(first, first + count))
        assert list(searched) == sorted(plain)
        assert searched.has_all(first, first + count) == (set(range(first, first + count)) <= plain)


def test_a_schedule_of_a_process_alone_keeps_their_count() -> None:
    alone, grid = Schedule(is_alone=True), Schedule(is_alone=False)
    for schedule in (alone, grid):
        schedule.extend([0, 0, 0])
        schedule.append(0)
        schedule.cut(2)
        assert list(schedule) == [0, 0]
    assert (alone.processes(), grid.processes()) == ([], [0, 0])
    grid.append(3)
    assert list(grid) == [0, 0, 3]


def test_rounds_of_a_hot_loop_take_no_more_memory_when_they_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_steps, "ROUNDS_BEFORE_GENERATING", 2)
    module = shlo.parse(HOT)

    def kept_bytes(rounds: int) -> int:
        session = Session(module, [np.int32(rounds)])
        tracemalloc.start()
        try:
            session.resume()
            session.overview(80)
            assert session.position > 5 * rounds
            session.goto(3 * rounds)
            session.back_over()
            session.overview(80)
            history = session.cursor.history
            history.cache.trim(1 << 14, session.position)  # checkpoints are another matter, with a budget
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    kept_bytes(4_000)  # generates code
    few, many = kept_bytes(20_000), kept_bytes(400_000)
    assert many < few + 400_000


def test_rounds_are_noted_as_one_that_is_repeated() -> None:
    session = Session(shlo.parse(HOT), [np.int32(30_000)])
    session.resume()
    blocks = [placed.block for placed in session.cursor.trace._blocks]
    repeated = [block.count for block in blocks if isinstance(block, RepeatedBlock)]
    assert sum(repeated) > 0.9 * session.position
    assert len(blocks) < 40
