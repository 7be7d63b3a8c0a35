"""Blame as a tree: what made a number that is not finite on top, below it the way to where it was seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.provenance.chain import Link
from shlo.debugger.session import Session
from shlo.debugger.text.card import card_of_chain, nonfinite_stop
from shlo.debugger.text.format_provenance import ENDS, link_text, repeated_links
from shlo.places.origins import Origin
from shlo.places.place import short_line_text
from shlo.text.numbers import plural


class BlameRow(Struct, frozen=True):
    """A row of the tree: how deep it is, a line of Python or else other words, and the element that it is
    about. `folded` are the rows of rounds that are like the one above.
    """

    depth: int
    python: str
    text: str
    link: Link | None = None
    folded: tuple[BlameRow, ...] = ()


class BlameTree(Struct, frozen=True):
    """What was to blame, in one line, and the rows of the tree."""

    title: str
    rows: tuple[BlameRow, ...]


def blame_tree(session: Session, name: str = "") -> BlameTree:
    """Returns the tree of the number that is not finite which a session has stopped at, or else of the first
    one of a value in scope; raises DebuggerError where there is none.
    """
    link = nonfinite_stop(session)
    if link is None and name and session.snapshot.frames:
        link = session.elements.nonfinite(name, session.selected_frame)
    if link is None:
        raise DebuggerError("no number that is not finite is here; ! goes on to where one is made")
    chain = session.elements.chain(link)
    rows, before = list[BlameRow](), ""
    for number, (links, rounds) in enumerate(reversed(list(repeated_links(chain.links)))):
        one = len(links) // rounds
        rows += _rows(session, links[-one:], before)
        if not number:
            rows.append(BlameRow(1, "", chain.reason or ENDS[chain.end]))
            rows += _rows(session, chain.operands[::-1], "", 2)
        before = _python(session, links[-one])
        if rounds > 1:
            more = "the same" if one == 1 else f"the same {one} operations"
            others = tuple(_rows(session, links[:-one], "", 2))
            rows.append(BlameRow(1, "", f"{more} in {plural(rounds - 1, 'more round')}", None, others))
        if links[0].rounds:
            rows.append(BlameRow(1, "", f"the same way through {plural(links[0].rounds, 'more round')}"))
    return BlameTree(card_of_chain(session, chain).title, tuple(rows))


def unfolded(rows: Iterable[BlameRow]) -> Iterator[BlameRow]:
    """Yields rows, and below each those of the rounds that are folded in it."""
    for row in rows:
        yield row
        yield from unfolded(row.folded)


def _rows(session: Session, links: Sequence[Link], before: str, depth: int = 0) -> Iterator[BlameRow]:
    """Yields a row for each link, the last one first, below one for the line of Python of several."""
    for link in reversed(links):
        python = _python(session, link)
        if python not in ("", before):
            yield BlameRow(depth, python, "", link)
        yield BlameRow(depth + 1, "", link_text(session, replace(link, origin=Origin())), link)
        before = python


def _python(session: Session, link: Link) -> str:
    line = link.origin.line
    return f"{short_line_text(line)}  {session.structure.python.text_of(line)}".strip()
