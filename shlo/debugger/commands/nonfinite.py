"""Commands that look for the operations which make numbers that are not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.breakpoints import NONFINITE
from shlo.debugger.commands.registry import Action, Command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Reason, Snapshot
from shlo.debugger.session import Session
from shlo.debugger.text.format import where_text

NOTHING_MET: Final[dict[Reason, str]] = {
    "done": "no operation from there to the end makes one",
    "failed": "no operation from there to the failure makes one",
    "beginning": "no operation from the beginning to there makes one",
}
"""What the ends of a search mean."""


def _to_nonfinite(move: Callable[[Session, str], Snapshot]) -> Action:
    def act(session: Session, text: str) -> str:
        if text and text not in NONFINITE:
            raise DebuggerError(f"{text!r} is none of {', '.join(NONFINITE)}")
        missed = NOTHING_MET.get(move(session, NONFINITE.get(text, "any")).reason)
        return f"{missed}\n{where_text(session)}" if missed else where_text(session)

    return act


NONFINITE_COMMANDS: Final = (
    Command(
        ("nonfinite", "nf"),
        "[nan | inf]",
        "go on to where the next NaN or infinity was made",
        _to_nonfinite(Session.run_to_nonfinite),
    ),
    Command(
        ("reverse-nonfinite", "rnf"),
        "[nan | inf]",
        "go back to where the NaN or infinity before was made",
        _to_nonfinite(Session.reverse_to_nonfinite),
    ),
)
