"""Commands that say where an element comes from."""

from __future__ import annotations

from typing import Final

import numpy as np

from shlo.debugger.commands.inspect import read_value_and_index
from shlo.debugger.commands.registry import Command
from shlo.debugger.errors import DebuggerError
from shlo.debugger.provenance.chain import Link
from shlo.debugger.provenance.contributions import is_finite
from shlo.debugger.session import Session
from shlo.debugger.text.format_provenance import chain_text, sources_text


def _sources(session: Session, text: str) -> str:
    link = _element(session, text)
    return sources_text(session, link, session.sources(link))


def _chain(session: Session, text: str) -> str:
    return chain_text(session, session.chain(_element(session, text)))


def _blame(session: Session, text: str) -> str:
    """Follows the first element that is not finite: of the named value, or of what the last step bound."""
    return chain_text(session, session.chain(_nonfinite_element(session, text)))


def _element(session: Session, text: str) -> Link:
    name, index = read_value_and_index(text)
    if index is None or any(isinstance(each, slice) for each in index):
        raise DebuggerError("expected one element: %x[0, 3]")
    return session.element(
        name, tuple(each for each in index if isinstance(each, int)), session.selected_frame
    )


def _nonfinite_element(session: Session, text: str) -> Link:
    names = [read_value_and_index(text)[0]] if text else _bound(session)
    for name in names:
        value = np.asarray(session.value(name, session.selected_frame))
        found = np.argwhere(~is_finite(value))
        if len(found):
            return session.element(name, tuple(found[0].tolist()), session.selected_frame)
    what = ", ".join(f"%{name}" for name in names) or "what the last step bound"
    raise DebuggerError(f"no element of {what} is NaN or infinite")


def _bound(session: Session) -> list[str]:
    step = session.snapshot.last_step
    return list(step.bound) if step is not None else []


PROVENANCE_COMMANDS: Final = (
    Command(
        ("provenance", "from"),
        "%VALUE[INDEX]",
        "show which elements made an element, the most important first",
        _sources,
        "value",
    ),
    Command(
        ("chain",),
        "%VALUE[INDEX]",
        "follow an element back to an argument, a constant or the operation that made it",
        _chain,
        "value",
    ),
    Command(
        ("blame",),
        "[%VALUE]",
        "follow the first NaN or infinity of a value, or of what was bound last, back to where it comes from",
        _blame,
        "value",
    ),
)
