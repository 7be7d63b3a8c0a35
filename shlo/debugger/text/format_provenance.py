"""Where elements come from and what they reach, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shlo.debugger.provenance.chain import LONGEST_CYCLE, Chain, ChainElement, End, Link, Sources, Tree
from shlo.debugger.provenance.reach import MOST_STEPS, Reach, ReachedValue
from shlo.debugger.replay.program_points import argument_label
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.format import name_text
from shlo.syntax.lexer.strings import symbol_text

ENDS: Final[dict[End, str]] = {
    "argument": "an argument of the program",
    "constant": "a constant",
    "edited": "an edit of this future; futures lists them",
    "infeed": "an item of the infeed",
    "source": "it depends on no element of an operand",
    "made": "made here: no operand's element is NaN or infinite",
    "limit": "the chain goes on; ask again from there",
}
"""Why nothing follows an element, in words; an opaque operation has a reason of its own."""

MOST_SHOWN: Final = 40
"""How many links of a chain are shown; of a longer one the first and the last."""

MOST_REACHED: Final = 20
"""How many values on the way are shown that an element reaches."""


def element_text(link: Link) -> str:
    """Returns an element with its number: `%x[0, 3] = nan`."""
    index = ", ".join(map(str, link.element.index))
    part = "".join(f".{index}" for index in link.element.path)
    return f"%{name_text(link.element.name)}{part}[{index}] = {summary_of(link.number)}"


def sources_text(session: Session, link: Link, sources: Sources) -> str:
    """Returns an element, and a line for each element that it depends on."""
    lines = [link_text(session, link)]
    lines += [f"  {link_text(session, link)}{_role(link)}" for link in sources.links]
    if sources.total > len(sources.links):
        lines.append(f"  ... of {sources.total:,}")
    if sources.end:
        lines.append(f"  {sources.reason or ENDS[sources.end]}")
    return "\n".join(lines)


def chain_text(session: Session, chain: Chain) -> str:
    """Returns a chain, a line for each element; rounds that are alike are shown once."""
    lines = list(_chain_lines(session, chain.links))
    if len(lines) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        lines[half:-half] = [f"... {len(lines) - MOST_SHOWN} more ..."]
    lines.append(f"  {chain.reason or ENDS[chain.end]}")
    lines += [f"  {link_text(session, link)}{_role(link)}" for link in chain.operands]
    return "\n".join(lines)


def _chain_lines(session: Session, links: Sequence[Link]) -> Iterator[str]:
    for alike, rounds in repeated_links(links):
        if alike[0].rounds:
            passed = f"{alike[0].rounds:,} rounds before"
            yield f"... the same way through {passed}, at whose beginnings it is not finite"
        length = len(alike) // rounds
        yield from (link_text(session, link) for link in alike[:length])
        if rounds > 1:
            more = "the same" if length == 1 else f"these {length}"
            yield f"... {more} in {rounds - 1:,} rounds before, back to step {alike[-1].element.position}"


def repeated_links(links: Sequence[Link]) -> Iterator[tuple[Sequence[Link], int]]:
    """Yields the links of a chain in stretches, with how many rounds that are alike each is."""
    keys = [(link.element.code, link.element.register, link.element.index, link.rounds) for link in links]
    at = 0
    while at < len(links):
        length, rounds = _cycle(keys, at)
        yield links[at : at + length * rounds], rounds
        at += length * rounds


def _cycle(keys: Sequence[object], at: int) -> tuple[int, int]:
    """Returns how many links from one on repeat, and how often: 1 and 1 where none do."""
    for length in range(1, LONGEST_CYCLE + 1):
        rounds = 1
        while keys[at : at + length] == keys[at + length * rounds : at + length * (rounds + 1)]:
            rounds += 1
        if rounds > 2:
            return length, rounds
    return 1, 1


def tree_text(session: Session, tree: Tree) -> str:
    """Returns a tree, a line for each element; an element with one source is followed on the same level."""
    lines: list[str] = []
    waiting = [(tree, "")]
    while waiting:
        node, before = waiting.pop()
        lines.append(f"{'  ' * node.depth}{before}{link_text(session, node.link)}{_role(node.link)}")
        if node.end:
            reason = node.reason or ("..." if node.end == "limit" else ENDS[node.end])
            lines[-1] += f"  ({reason})"
        elif node.total > len(node.branches):
            lines[-1] += f"  ({len(node.branches)} of {node.total:,} sources)"
        arrow = "<- " if len(node.branches) == 1 else ""
        waiting += [(branch, arrow) for branch in reversed(node.branches)]
    return "\n".join(lines)


def reach_text(session: Session, link: Link, reach: Reach) -> str:
    """Returns which elements of results and of values on the way an element reaches."""
    lines = [link_text(session, link)]
    lines += [f"  result {result.name}: {_count(session, result)}" for result in reach.results]
    if not reach.results:
        lines.append(f"  reaches no result{_unless(link, reach)}")
    values = sorted(reach.values.values(), key=lambda value: value.position)
    for value in values[:MOST_REACHED]:
        line = f", {value.place.where}" if value.place.where else ""
        lines.append(f"  %{name_text(value.name)}{line}, step {value.position}: {_count(session, value)}")
    if len(values) > MOST_REACHED:
        lines.append(f"  ... {len(values) - MOST_REACHED:,} more values")
    lines += [f"  note: {note}" for note in reach.notes[:MOST_REACHED]]
    return "\n".join(lines)


def _unless(link: Link, reach: Reach) -> str:
    """Returns what to do where an element may reach results in steps that it was not followed through."""
    if reach.is_complete:
        return ""
    if reach.is_limited:
        return f" in {MOST_STEPS:,} steps; ask about an element that is bound later"
    question = f"reaches {element_text(link).partition(' = ')[0]}"
    return f" in the steps that were taken so far; go to the end (continue), then: {question}"


def _count(session: Session, reached: ReachedValue) -> str:
    first = f"[{', '.join(map(str, reached.first))}]"
    words = f"{reached.reached:,} of {reached.size:,} elements" if reached.size != 1 else "its element"
    if reached.reached == 1 < reached.size:
        words += f", {first}"
    elif reached.reached < reached.size:
        words += f", the first {first}"
    later = f"; up to {reached.most:,} later" if reached.most > reached.reached else ""
    return f"{words}{_process(session, reached.process)}{later}"


def link_text(session: Session, link: Link) -> str:
    """Returns an element with its number, and which operation bound its value, where, and when."""
    return f"{element_text(link)}  {_binding(session, link)}"


def _binding(session: Session, link: Link) -> str:
    element = link.element
    process = _process(session, element.process)
    if element.is_argument:
        label = argument_label(element.code, element.register)
        named = f" {name_text(label)}" if label else ""
        if not element.position:
            return f"argument{named}{process}"
        return f"argument{named} of {_place(element)}, step {element.position}{process}"
    where = f", {link.place.where}" if link.place.where else ""
    return f"{link.op}{where}, step {element.position}{process}"


def _place(element: ChainElement) -> str:
    """Returns the function, region and round of an element: `@main body #73`."""
    region = f" {element.region} #{element.iteration}" if element.region else ""
    return f"{symbol_text(element.code.function.name)}{region}"


def _process(session: Session, process: int) -> str:
    grid = session.grid
    return "" if grid is None else f" of process {grid.shape.label(process)}"


def _role(link: Link) -> str:
    if link.role == "choice":
        return "  chooses"
    return "" if link.amount is None else f"  adds {summary_of(link.amount)}"
