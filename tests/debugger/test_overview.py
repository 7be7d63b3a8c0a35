"""The timeline in columns, against one that looks at every step."""

from __future__ import annotations

import pytest

import shlo
from shlo.debugger import Session
from tests.tui.test_keys import LOOP

SUM = "stablehlo.add"


@pytest.mark.parametrize("columns", [1, 7, 40, 5_000])
@pytest.mark.parametrize("position", [3, 777, 1_000_000])
def test_columns_have_the_depths_breakpoints_and_rounds_of_their_steps(columns: int, position: int) -> None:
    session = Session(shlo.parse(LOOP.replace("dense<3>", "dense<300>")))
    session.resume()
    session.goto(min(position, session.cursor.last))
    points, trace = session.cursor.points, session.cursor.trace
    session.breakpoints.on_op(SUM)
    found = session.overview(columns)
    frames = [frame for frame in session.cursor.process.frames if frame.region is not None]
    entry = points.number(frames[-1].code, 0) if frames else None
    ranges = [
        range(found.position_of(each), found.position_of(each + 1)) for each in range(len(found.depths))
    ]
    ranges[-1] = range(ranges[-1].start, found.last + 1)
    assert found.depths == tuple(max(trace.depths[step] for step in each) for each in ranges)
    names = [point and point.operation.name for point in map(trace.point, range(found.last + 1))]
    assert found.breakpoints == tuple(any(names[step] == SUM for step in each) for each in ranges)
    assert found.rounds == tuple(
        entry is not None and any(trace.number(step) == entry for step in each) for each in ranges
    )
