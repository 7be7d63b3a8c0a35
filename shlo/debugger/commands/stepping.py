"""Commands that move: forwards, backwards, to a place, between frames."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.registry import Action, Command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.session import Session
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


def _plain(move: Callable[[Session], Snapshot]) -> Action:
    def act(session: Session, text: str) -> str:
        if text:
            raise DebuggerError(f"nothing can follow here, and {text!r} does")
        move(session)
        return where_text(session)

    return act


def _to_line(move: Callable[[Session, int], Snapshot], way: str) -> Action:
    def act(session: Session, text: str) -> str:
        if move(session, natural(text, "a line")).reason != "missed":
            return where_text(session)
        return f"line {text} is not reached {way}\n{where_text(session)}"

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
    Command(("step", "s"), "[COUNT]", "take one step, into regions and functions", repeated(Session.step_in)),
    Command(("next", "n"), "[COUNT]", "take the operation as a whole", repeated(Session.step_over)),
    Command(
        ("finish", "out", "fin"), "", "go on until the region or function has ended", _plain(Session.step_out)
    ),
    Command(("continue", "c", "cont"), "", "go on to the next breakpoint or the end", _plain(Session.resume)),
    Command(
        ("until", "u"),
        "LINE",
        "go on to an operation on a line",
        _to_line(Session.run_to_line, "from here to the end"),
    ),
    Command(("reverse-step", "back", "bs", "rs"), "[COUNT]", "take back one step", repeated(Session.back_in)),
    Command(
        ("reverse-next", "rn", "bn"),
        "[COUNT]",
        "go back over the operation before this one",
        repeated(Session.back_over),
    ),
    Command(
        ("reverse-finish", "rf"),
        "",
        "go back to where the region or function was entered",
        _plain(Session.back_out),
    ),
    Command(
        ("reverse-continue", "rc"),
        "",
        "go back to the breakpoint before, or the beginning",
        _plain(Session.reverse),
    ),
    Command(
        ("reverse-until", "ru"),
        "LINE",
        "go back to an operation on a line",
        _to_line(Session.reverse_to_line, "from the beginning to here"),
    ),
    Command(("goto", "g"), "N", "go to position N, past breakpoints", _to_number(Session.goto, "a position")),
    Command(("restart", "run", "r"), "", "go to the beginning", _plain(Session.restart)),
    Command(("up",), "[COUNT]", "look at the frame around this one", _select(-1)),
    Command(("down",), "[COUNT]", "look at the frame inside this one", _select(1)),
    Command(("frame", "f"), "[N]", "look at frame N; 0 is the outermost", _frame),
)
