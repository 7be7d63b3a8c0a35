"""Cards of what made the numbers of results that are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec.structs import replace

from shlo.debugger.provenance.chain import MOST_LINKS
from shlo.debugger.session import Session
from shlo.debugger.text.card import card_of_chain, root_of
from shlo.ir.traced_names import result_labels
from shlo.places.card import Card
from shlo.runner.statistics import finite_mask, tensor_of
from shlo.support.memory import give_memory_back
from shlo.text.numbers import plural

MOST_FOLLOWED: Final = 8
"""How many results that are not finite are followed back."""


def nonfinite_cards(session: Session) -> Iterator[Card]:
    """Yields a card for each operation, argument or constant that made numbers of results which are not
    finite. The session, which is done, is at its beginning afterwards and no longer holds the results.
    """
    results = list(session.elements.nonfinite_results())
    followed = results[:MOST_FOLLOWED]
    links = [session.elements.result(number, index) for number, index in followed]
    labels = [_result_text(session, number) for number, _ in followed]
    more = len(results) - MOST_FOLLOWED
    session.restart()
    give_memory_back()
    by_root: dict[tuple[object, ...], Card] = {}
    cards: dict[tuple[object, ...], Card] = {}
    reached: dict[tuple[object, ...], list[str]] = {}
    for label, chain in zip(labels, session.elements.chains(links, [MOST_LINKS] * len(links))):
        element = root_of(chain).element
        root = element.process, element.code, element.register, chain.end
        if root not in by_root:
            by_root[root] = card_of_chain(session, chain)
        card = by_root[root]
        key = card.kind == "argument", card.subject, card.place.line, card.place.operation
        cards.setdefault(key, card)
        reached.setdefault(key, []).append(label)
    for key, card in cards.items():
        notes = [f"reaches {', '.join(reached[key])}"]
        if more > 0:
            notes.append(f"{plural(more, 'more result')} with such numbers, not followed back")
        yield replace(card, notes=(*card.notes, *notes))


def _result_text(session: Session, number: int) -> str:
    values = session.cursor.process.returned
    function = session.module.functions[session.run.entry].operation
    label = result_labels(function, len(values))[number] or f"result {number}"
    array = tensor_of(values[number])
    count = 0 if array is None else int(np.count_nonzero(~finite_mask(array)))
    size = 0 if array is None else array.size
    return f"{label} ({'all' if count == size else f'{count:,} of {size:,}'})" if size > 1 else label
