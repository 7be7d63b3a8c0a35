"""Magics that tell about StableHLO."""

from __future__ import annotations

import difflib
from typing import Final

from shlo.runner.errors import RequestError
from shlo_kernel.magics.magic import Magic, Notebook


def _ops(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.dialects import all_cards, find_card
    from shlo.language.hover.op_docs import card_text

    name = argument.strip()
    if not name:
        names = [card.name for card in all_cards() if card.dialect == "stablehlo"]
        notebook.screen.write("  ".join(names) + "\n")
        return
    card = find_card(name) or find_card(f"stablehlo.{name}")
    if card is None:
        names = [card.name.removeprefix("stablehlo.") for card in all_cards()]
        near = difflib.get_close_matches(name, names, 1)
        raise RequestError(f"there is no operation {name}", f"did you mean {near[0]}?" if near else None)
    text = card_text(card)
    notebook.screen.show({"text/plain": text, "text/markdown": text})


OPS: Final = (Magic("ops", "[NAME]", "all that is known about an operation, or which there are", _ops),)
