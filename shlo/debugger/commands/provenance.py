"""Commands that say where an element comes from, and what it reaches."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_element, read_value_and_index
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.provenance.chain import Link
from shlo.debugger.session import Session
from shlo.debugger.text.card import card_of_chain
from shlo.debugger.text.format_provenance import chain_text, reach_text, sources_text, tree_text
from shlo.debugger.text.nonfinite import nonfinite_arguments_text

TREE_DEPTH: Final = 3
"""How often a tree branches, unless the command says."""


def _sources(session: Session, text: str) -> str:
    link = _element(session, text)
    return sources_text(session, link, session.elements.sources(link))


def _chain(session: Session, text: str) -> str:
    words = text.split(maxsplit=1)
    if words[:1] == ["--tree"]:
        return _tree(session, words[1] if len(words) > 1 else "")
    return chain_text(session, session.elements.chain(_element(session, text)))


def _tree(session: Session, text: str) -> str:
    end = text.rfind("]") + 1
    value, depth = text[:end], text[end:].strip()
    if depth and not (depth.isdecimal() and len(depth) < 4):
        raise DebuggerError(f"expected a depth, a number, got {depth!r}")
    link = _element(session, value or text)
    return tree_text(session, session.elements.tree(link, int(depth) if depth else TREE_DEPTH))


def _reaches(session: Session, text: str) -> str:
    link = _element(session, text)
    return reach_text(session, link, session.elements.reached(link, session.selected_frame))


def _blame(session: Session, text: str) -> str:
    """Follows the first element that is not finite: of the named value, of what the last step bound, or of
    the results. The card of what made it comes first. At the start, names the arguments that hold any.
    """
    if not text and session.position == 0:
        arguments = nonfinite_arguments_text(session)
        if not arguments:
            raise DebuggerError(
                "no argument holds a NaN or infinity; `nonfinite` goes on to where one is made"
            )
        return arguments
    chain = session.elements.chain(_nonfinite_element(session, text))
    return f"{card_of_chain(session, chain)}\n{chain_text(session, chain)}"


def _element(session: Session, text: str) -> Link:
    name, index = read_element(text)
    return session.elements.find(name, index, session.selected_frame)


def _nonfinite_element(session: Session, text: str) -> Link:
    snapshot = session.snapshot
    if not text and not snapshot.frames:
        first_link, what = session.elements.nonfinite_result(), "the results"
    else:
        bound = snapshot.last_step.bound if snapshot.last_step is not None else ()
        names = [read_value_and_index(text)[0]] if text else list(bound)
        links = (session.elements.nonfinite(name, session.selected_frame) for name in names)
        first_link = next((link for link in links if link is not None), None)
        what = ", ".join(f"%{name}" for name in names) or "what the last step bound"
    if first_link is None:
        hint = "" if text else "; name a value, or use `nonfinite` or `reverse-nonfinite` to find one"
        raise DebuggerError(f"no element of {what} is NaN or infinite{hint}")
    return first_link


PROVENANCE_COMMANDS: Final = (
    DebuggerCommand(
        ("provenance", "from"),
        "%VALUE[INDEX]",
        "show which elements made an element, the most important first",
        _sources,
        "value",
    ),
    DebuggerCommand(
        ("chain",),
        "[--tree] %VALUE[INDEX] [DEPTH]",
        "follow an element back to an argument, a constant or the operation that made it",
        _chain,
        "value",
    ),
    DebuggerCommand(
        ("blame",),
        "[%VALUE]",
        "follow the first NaN or infinity of a value, of what was bound last, or of the results back",
        _blame,
        "value",
    ),
    DebuggerCommand(
        ("reaches",),
        "%VALUE[INDEX]",
        "show which elements of results and of values on the way depend on an element",
        _reaches,
        "value",
    ),
)
