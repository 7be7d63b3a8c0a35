"""Writes docs/scorecards.md: what `shlo conform` says of engines, from docs/scorecards.json.

python docs/generate_scorecards.py
python docs/generate_scorecards.py --add "XLA on CPU" full build/scorecards/xla   # takes a new report in

`make scorecards` runs the engines that are installed, and both of these.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

from shlo.conformance.judge import FAILURES
from shlo.conformance.report import ORDER, SIGNS

ROOT: Final = Path(__file__).parent
DATA: Final = ROOT / "scorecards.json"
PAGE: Final = ROOT / "scorecards.md"
HEAD: Final = """# Scorecards

What [`shlo conform`](conformance.md) says of two engines, made by `make scorecards`. In a table `+` is
passed, `w` differs in a way that a waiver names (the list below it), `-` is refused, **X** wrong, **C** a
crash, **T** too late; the worst of the cases of an operation and a type of elements is shown.

IREE is run by `examples/backends/run_iree.py`.
"""


def condensed(report: dict[str, Any], level: str) -> dict[str, Any]:
    """Returns what the page needs of a report."""
    cells: defaultdict[str, dict[str, str]] = defaultdict(dict)
    reasons: Counter[tuple[str, str, str, str]] = Counter()
    for case in report["cases"]:
        row, verdict = cells[case["op"].partition(".")[2]], case["verdict"]
        row[case["type"]] = min(row.get(case["type"], "pass"), verdict, key=ORDER.index)
        waiver = case.get("waiver")
        if waiver:
            reasons[waiver["op"], waiver["type"], waiver["reason"], waiver["link"]] += 1
    return {
        "level": level,
        "stablehlo": report["stablehlo"],
        "suite": report["suite"],
        "counts": report["counts"],
        "cells": cells,
        "waivers": [[*row, count] for row, count in reasons.most_common()],
    }


def _sign(verdict: str | None) -> str:
    sign = SIGNS.get(verdict or "", "")
    return f"**{sign}**" if verdict in FAILURES else sign


def section(name: str, card: dict[str, Any]) -> str:
    """Returns the part of the page that is about an engine."""
    counts = ", ".join(f"{card['counts'][verdict]} {verdict}" for verdict in ORDER if card["counts"][verdict])
    total = sum(card["counts"].values())
    types = list(dict.fromkeys(type_ for row in card["cells"].values() for type_ in row))
    types.sort(key=lambda type_: (-sum(type_ in row for row in card["cells"].values()), type_))
    lines = [
        f"## {name}",
        "",
        f"Level `{card['level']}`, suite {card['suite']}, StableHLO {card['stablehlo']}: "
        f"{total} cases, {counts}.",
        "",
        "| operation | " + " | ".join(types) + " |",
        "|---|" + "---|" * len(types),
    ]
    for operation, row in sorted(card["cells"].items()):
        signs = " | ".join(_sign(row.get(type_)) for type_ in types)
        lines.append(f"| `{operation}` | {signs} |")
    if card["waivers"]:
        lines += ["", "| waived | type | cases | why |", "|---|---|---|---|"]
    for operation, type_, reason, link, count in card["waivers"]:
        where = f" ([more]({link.removeprefix('docs/')}))" if link else ""
        lines.append(f"| `{operation}` | `{type_}` | {count} | {reason}{where} |")
    return "\n".join(lines)


def page_of(cards: dict[str, Any]) -> str:
    """Returns the page."""
    return "\n".join([HEAD, *(f"{section(name, card)}\n" for name, card in cards.items())])


def main(*words: str) -> None:
    """Takes a new report in, where there is one, and writes the page."""
    cards = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    if words:
        _, name, level, folder = words
        engine = name.split()[0]
        cards = {other: card for other, card in cards.items() if other.split()[0] != engine}
        cards[name] = condensed(json.loads((Path(folder) / "report.json").read_text("utf-8")), level)
        DATA.write_text(json.dumps(cards, indent=1) + "\n", "utf-8")
    PAGE.write_text(page_of(cards), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
