"""Timelines: the positions of a run that were reached, in as many columns as a screen has."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from shlo.debugger.futures.marks import Marks
from shlo.debugger.session import Session
from shlo.interpreter.engine.frames import rounds_of


class Timeline(Struct, frozen=True, rename="camel"):
    """What a page shows of an `Overview` (`Timeline` of web/src/debug_messages.ts): the columns in which a
    breakpoint is and in which rounds of the innermost loop began; the positions of the last stops, and, where
    searches are noted, those at which they found NaN or infinities.
    """

    position: int
    last: int
    is_done: bool
    depths: Sequence[int]
    breakpoints: Sequence[int]
    rounds: Sequence[int]
    stops: Sequence[int]
    round: int | None
    process: str
    nonfinite: Sequence[int] | UnsetType = UNSET


def timeline_of(session: Session, columns: int, stops: Marks, nonfinite: Marks | None = None) -> Timeline:
    """Returns the positions that a session reached, in at most `columns` columns; `stops` and `nonfinite` are
    those at which it stopped, and found NaN or infinities.
    """
    overview, cursor = session.overview(columns), session.cursor
    rounds = rounds_of(cursor.process.frames)

    def reached(marks: Marks) -> list[int]:
        return [position for position in marks.of_current(session.futures) if position <= overview.last]

    return Timeline(
        overview.position,
        overview.last,
        cursor.is_over,
        overview.depths,
        [column for column, is_there in enumerate(overview.breakpoints) if is_there],
        [column for column, is_there in enumerate(overview.rounds) if is_there],
        reached(stops),
        rounds[-1] if rounds else None,
        session.process_label,
        UNSET if nonfinite is None else reached(nonfinite),
    )
