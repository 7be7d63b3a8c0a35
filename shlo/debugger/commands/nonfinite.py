"""Commands that look for the operations which make numbers that are not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.breakpoints import NONFINITE
from shlo.debugger.commands.registry import Action, DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.session import Session
from shlo.debugger.text.format import where_text
from shlo.debugger.text.nonfinite import nonfinite_arguments_text


def _to_nonfinite(move: Callable[[Session, str], Snapshot], none: str) -> Action:
    def act(session: Session, text: str) -> str:
        if text and text not in NONFINITE:
            raise DebuggerError(f"expected one of {', '.join(NONFINITE)}, got {text!r}")
        what = NONFINITE.get(text, "any")
        reason = move(session, what).reason
        arguments = nonfinite_arguments_text(session, what)
        news = {
            "arguments": arguments,
            "missed": f"{none}; {arguments} from the start" if arguments else none,
            "failed": "no operation from there to the failure makes one",
        }.get(reason)
        return f"{news}\n{where_text(session)}" if news else where_text(session)

    return act


NONFINITE_COMMANDS: Final = (
    DebuggerCommand(
        ("nonfinite", "nf"),
        "[nan | inf | overflow | finding]",
        "go on to where the next NaN or infinity was made, a conversion overflowed, or what the sanitizer"
        " finds was done",
        _to_nonfinite(
            lambda session, what: session.nonfinite.run_to(what),
            "no operation from here to the end makes one",
        ),
    ),
    DebuggerCommand(
        ("reverse-nonfinite", "rnf"),
        "[nan | inf | overflow | finding]",
        "go back to where the NaN or infinity before was made, a conversion overflowed, or what the"
        " sanitizer finds was done",
        _to_nonfinite(
            lambda session, what: session.nonfinite.reverse_to(what),
            "no operation from the beginning to here makes one",
        ),
    ),
)
