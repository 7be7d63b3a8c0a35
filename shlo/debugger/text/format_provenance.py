"""Where elements come from, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from shlo.debugger.provenance.chain import Chain, End, Link, Sources
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import summary_of

ENDS: Final[dict[End, str]] = {
    "argument": "an argument of the program",
    "constant": "a constant",
    "source": "it depends on no element of an operand",
    "made": "made here: no operand's element is NaN or infinite",
    "limit": "the chain goes on; ask again from there",
}
"""Why nothing follows an element, in words; an opaque operation has a reason of its own."""

MOST_SHOWN: Final = 40
"""How many links of a chain are shown; of a longer one the first and the last."""


def element_text(link: Link) -> str:
    """Returns an element with its number: `%x[0, 3] = nan`."""
    index = ", ".join(map(str, link.element.index))
    return f"%{link.element.name}[{index}] = {summary_of(link.number)}"


def sources_text(session: Session, link: Link, sources: Sources) -> str:
    """Returns an element, and a line for each element that it depends on."""
    lines = [f"{element_text(link)}  {_binding(session, link)}"]
    lines += [f"  {element_text(each)}  {_role(each)}".rstrip() for each in sources.links]
    if sources.total > len(sources.links):
        lines.append(f"  ... of {sources.total:,}")
    if sources.end:
        lines.append(f"  {sources.reason or ENDS[sources.end]}")
    return "\n".join(lines)


def chain_text(session: Session, chain: Chain) -> str:
    """Returns a chain, a line for each element; one for rounds that hand a value on."""
    lines = [
        f"{element_text(links[0])}  {_binding(session, links[0])}{_rounds(links)}"
        for links in map(list, _runs(chain.links))
    ]
    if len(lines) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        lines[half:-half] = [f"... {len(lines) - MOST_SHOWN} more ..."]
    return "\n".join((*lines, f"  {chain.reason or ENDS[chain.end]}"))


def _runs(links: Sequence[Link]) -> Iterable[Iterable[Link]]:
    """Groups links in which a loop hands an element on without a change."""

    def key(link: Link) -> object:
        position = link.element.position if link.op else None
        return link.element.name, link.element.index, position

    return (run for _, run in groupby(links, key))


def _rounds(links: Sequence[Link]) -> str:
    rounds = len(links) // 2
    return f", the same for {rounds} rounds" if rounds > 1 else ""


def _binding(session: Session, link: Link) -> str:
    """Returns which operation bound a value, where, and when."""
    element = link.element
    process = "" if session.grid is None else f" of process {session.grid.shape.label(element.process)}"
    if not element.position:
        return f"argument{process}"
    line = "" if link.line is None else f", line {link.line}"
    return f"{link.op or 'region argument'}{line}, step {element.position}{process}"


def _role(link: Link) -> str:
    if link.role == "choice":
        return "chooses"
    return "" if link.amount is None else f"adds {summary_of(link.amount)}"
