"""Commands that say where an element comes from, how a region made it, and what it reaches."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_element, read_value_and_index
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.applications import Application
from shlo.debugger.provenance.chain import Link
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.card import card_of_chain
from shlo.debugger.text.format_provenance import chain_text, reach_text, sources_text, tree_text
from shlo.debugger.text.nonfinite import nonfinite_arguments_text
from shlo.runner.statistics import is_finite
from shlo.text.numbers import plural

MOST_SHOWN: Final = 30
"""How many applications are shown: the first, the last, and the first whose result is not finite."""


def _combine(session: Session, text: str) -> str:
    name, index = read_element(text)
    every = list(session.inspector.applications(name, index, session.selected_frame))
    shown = {
        *range(min(len(every), MOST_SHOWN // 2)),
        *range(max(0, len(every) - MOST_SHOWN // 2), len(every)),
    }
    broken = next(
        (number for number, application in enumerate(every) if not is_finite(application.results)), None
    )
    if broken is not None:
        shown.update(range(max(0, broken - 1), min(len(every), broken + 2)))
    lines = [plural(len(every), "application", "no")]
    last = -1
    for number in sorted(shown):
        if number > last + 1:
            lines.append(f"  ... {number - last - 1} more ...")
        mark = "  first that is not finite" if number == broken else ""
        lines.append(f"  {_line(every[number])}{mark}")
        last = number
    return "\n".join(lines)


def _line(application: Application) -> str:
    arguments, results = (
        ", ".join(summary_of(value) for value in values)
        for values in (application.arguments, application.results)
    )
    return f"[{', '.join(map(str, application.index))}]: ({arguments}) -> {results}"


APPLICATION_COMMANDS: Final = (
    DebuggerCommand(
        ("applications", "combine"),
        "%VALUE[INDEX]",
        "show how the region of a reduce, reduce_window, scatter or map made one element",
        _combine,
        "value",
    ),
)


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
