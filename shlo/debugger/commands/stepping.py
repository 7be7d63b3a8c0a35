"""Commands that move: forwards, backwards, to a place, between frames."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.registry import Action, CommandAnswer, DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import AreaKind, written_area
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.session import Session
from shlo.debugger.structure.moves import Unit
from shlo.debugger.text.format import frame_text, where_text

MOST_REPEATS: Final = 1_000_000


def natural(text: str, what: str) -> int:
    """Parses a number from 0; raises DebuggerError."""
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise DebuggerError(f"expected {what}, got {text!r}" if text else f"expected {what}")
    return int(text)


def repeated(move: Callable[[Session], Snapshot]) -> Action:
    """Returns a move that a number behind it repeats, until it ends for another reason than a step."""

    def act(session: Session, text: str) -> str:
        for _ in range(min(natural(text, "a number of times"), MOST_REPEATS) if text else 1):
            if move(session).reason != "step":
                break
        return where_text(session)

    return act


def _by_unit(move: Callable[[Session], Snapshot], by_unit: Callable[[Session, Unit], Snapshot]) -> Action:
    """Returns a move by steps or, with `scope` or `line` behind it, by scopes or lines of Python."""
    ways = {
        "scope": repeated(lambda session: by_unit(session, "scope")),
        "line": repeated(lambda session: by_unit(session, "line")),
    }

    def act(session: Session, text: str) -> str | CommandAnswer:
        word, _, rest = text.partition(" ")
        return ways[word](session, rest.strip()) if word in ways else repeated(move)(session, text)

    return act


def _next(session: Session, text: str) -> str | CommandAnswer:
    word, _, rest = text.partition(" ")
    if word == "scope" and rest and not rest.strip().isdigit():
        session.structure.step_out_of_scope(rest.strip())
        return where_text(session)
    by_unit = _by_unit(Session.step_over, lambda session, unit: session.structure.step_out_of(unit))
    return by_unit(session, text)


def _plain(move: Callable[[Session], Snapshot]) -> Action:
    def act(session: Session, text: str) -> str:
        if text:
            raise DebuggerError(f"nothing can follow here, and {text!r} does")
        move(session)
        return where_text(session)

    return act


def _to_line(
    move: Callable[[Session, int], Snapshot], to_area: Callable[[Session, AreaKind, str], Snapshot], way: str
) -> Action:
    def act(session: Session, text: str) -> str:
        area = written_area(text)
        snapshot = to_area(session, *area) if area else move(session, natural(text, "a line"))
        if snapshot.reason != "missed":
            return where_text(session)
        return f"{text if area else f'line {text}'} is not reached {way}\n{where_text(session)}"

    return act


def _to_number(move: Callable[[Session, int], Snapshot], what: str) -> Action:
    def act(session: Session, text: str) -> str:
        move(session, natural(text, what))
        return where_text(session)

    return act


def _select(step: int) -> Action:
    """Chooses a frame farther out (-1) or farther in (1)."""

    def act(session: Session, text: str) -> str:
        session.select_frame(
            session.selected_frame + step * (natural(text, "a number of frames") if text else 1)
        )
        return frame_text(session, session.selected_frame)

    return act


def _frame(session: Session, text: str) -> str:
    if text:
        session.select_frame(natural(text, "a frame's number"))
    return frame_text(session, session.selected_frame)


STEP_COMMANDS: Final = (
    DebuggerCommand(
        ("step", "s"),
        "[scope | line] [COUNT]",
        "take one step, into regions and functions; go on to another scope, or line of Python",
        _by_unit(Session.step_in, lambda session, unit: session.structure.step_out_of(unit, is_deep=True)),
        "unit",
    ),
    DebuggerCommand(
        ("next", "n"),
        "[scope [NAME] | line] [COUNT]",
        "take the operation as a whole; or the scope, or line of Python",
        _next,
        "unit",
    ),
    DebuggerCommand(
        ("finish", "out", "fin"), "", "go on until the region or function has ended", _plain(Session.step_out)
    ),
    DebuggerCommand(
        ("continue", "c", "cont"), "", "go on to the next breakpoint or the end", _plain(Session.resume)
    ),
    DebuggerCommand(
        ("until", "u"),
        "LINE | scope NAME | FILE.py:LINE",
        "go on to an operation on a line, or into a scope or line of Python",
        _to_line(
            Session.run_to_line,
            lambda session, kind, text: session.structure.run_to(kind, text),
            "from here to the end",
        ),
        "area",
    ),
    DebuggerCommand(
        ("reverse-step", "back", "bs", "rs"),
        "[scope | line] [COUNT]",
        "take back one step; or to where the scope or line of Python before began",
        _by_unit(Session.back_in, lambda session, unit: session.structure.back_out_of(unit, is_deep=True)),
        "unit",
    ),
    DebuggerCommand(
        ("reverse-next", "rn", "bn"),
        "[scope | line] [COUNT]",
        "go back over the operation before this one; or the scope, or line of Python",
        _by_unit(Session.back_over, lambda session, unit: session.structure.back_out_of(unit)),
        "unit",
    ),
    DebuggerCommand(
        ("reverse-finish", "rf"),
        "",
        "go back to where the region or function was entered",
        _plain(Session.back_out),
    ),
    DebuggerCommand(
        ("reverse-continue", "rc"),
        "",
        "go back to the breakpoint before, or the beginning",
        _plain(Session.reverse),
    ),
    DebuggerCommand(
        ("reverse-until", "ru"),
        "LINE | scope NAME | FILE.py:LINE",
        "go back to an operation on a line, or to where a scope or line of Python was entered",
        _to_line(
            Session.reverse_to_line,
            lambda session, kind, text: session.structure.reverse_to(kind, text),
            "from the beginning to here",
        ),
        "area",
    ),
    DebuggerCommand(
        ("goto", "g"), "N", "go to position N, past breakpoints", _to_number(Session.goto, "a position")
    ),
    DebuggerCommand(("restart", "run", "r"), "", "go to the beginning", _plain(Session.restart)),
    DebuggerCommand(("up",), "[COUNT]", "look at the frame around this one", _select(-1)),
    DebuggerCommand(("down",), "[COUNT]", "look at the frame inside this one", _select(1)),
    DebuggerCommand(("frame", "f"), "[N]", "look at frame N; 0 is the outermost", _frame),
)
