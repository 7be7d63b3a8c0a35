"""Numbers that are not finite, in words."""

from __future__ import annotations

from shlo.debugger.replay.nonfinite import Found, NonfiniteArgument
from shlo.debugger.session import Session
from shlo.debugger.text.format import name_text
from shlo.places.card import Card, card_text

MOST_NAMED = 4
"""How many arguments, and processes of each, are named."""


def nonfinite_text(session: Session, card: Card | None, what: str = "any") -> str:
    """Returns what a search for a number that is not finite has led to: the card of where the session has
    stopped, which arguments hold some, or that none is made.
    """
    if session.snapshot.reason == "arguments":
        return nonfinite_arguments_text(session, what)
    if card is not None:
        return card_text(card)
    kind = {"nan": "a NaN", "inf": "an infinity"}.get(what, "a NaN or infinity")
    return f"no operation makes {kind} as shlo runs the program"


def nonfinite_arguments_text(session: Session, what: str = "any") -> str:
    """Returns which arguments hold numbers that are not finite, in one line; empty where none does."""
    processes: dict[str, list[int]] = {}
    for argument in session.nonfinite.arguments(what):
        processes.setdefault(_argument_text(argument), []).append(argument.process)
    texts = [text + _where(session, numbers) for text, numbers in processes.items()]
    more = [f"{len(texts) - MOST_NAMED} more arguments do"] if len(texts) > MOST_NAMED else []
    return "; ".join(texts[:MOST_NAMED] + more)


def _argument_text(argument: NonfiniteArgument) -> str:
    name = f"%{name_text(argument.name)}"
    label = f"{name_text(argument.label)} ({name})" if argument.label else name
    held = [_found_text(argument.nan, "NaN"), _found_text(argument.infinity, "Inf")]
    return f"argument {label} holds {' and '.join(filter(None, held))}"


def _found_text(origin: Found, kind: str) -> str:
    if origin.first is None:
        return ""
    if not origin.first:  # a scalar
        return f"{origin.count} {kind}"
    at = f"at {list(origin.first)}"
    return f"{origin.count} {kind} {at if origin.count == 1 else f'(the first {at})'}"


def _where(session: Session, processes: list[int]) -> str:
    """Returns in which processes of a grid."""
    grid = session.grid
    if grid is None:
        return ""
    if len(processes) == len(grid.processes):
        return " in all processes"
    labels = [grid.shape.label(number) for number in processes[:MOST_NAMED]]
    more = f" and {len(processes) - MOST_NAMED} more" if len(processes) > MOST_NAMED else ""
    return f" in process {', '.join(labels)}{more}"
