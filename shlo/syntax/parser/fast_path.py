"""The fast path: an ordinary operation on one line is recognised by its skeleton.

The skeleton of a line is the line with every value name replaced by `%`. All that an operation is, but for
the values it uses and defines, is a function of its skeleton; a large program has few different ones. The
first operation of each skeleton goes through the general parser, which leaves a LineTemplate here; the others
cost a split, a look-up and the resolution of their names. Lines whose operands do not come out as the
general parser sees them stay irregular.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shlo.ir.operations import Region, Signature
from shlo.syntax.assembly_format.parsed_operation import ValueUse

SPLIT = re.compile(r"%((?:[0-9]+|[A-Za-z_$.-][\w$.-]*)(?:#[0-9]+)?)", re.ASCII)
MAX_LINE = 4000
MAX_SPAN = 2 * MAX_LINE
"""How far the fast path looks for the end of a line, with what may stand around the operation on it."""
MAX_TEMPLATES = 50_000


class LineTemplate(NamedTuple):
    """What the general parser made of a line.

    `names` counts all value names, `results` those on its left, `pack` is how many values a single such
    name stands for (0: one value, no pack), `order` puts the operands' names into operand order (None: as
    they are), `regions` are those that a short form implies. `says_types` tells that the line says the types
    of its operands, so that it can be read whatever they are.
    """

    signature: Signature
    results: int
    pack: int
    names: int
    order: tuple[int, ...] | None
    regions: tuple[Region, ...]
    says_types: bool


LineTemplates = dict[str, LineTemplate | None]
"""LineTemplates by their text; None marks lines that only the general parser reads rightly."""


def learn(
    line_templates: LineTemplates,
    line: str,
    start: int,
    results: list[ValueUse],
    uses: list[ValueUse],
    found: LineTemplate,
) -> None:
    """Keeps what the general parser found in a line that starts at offset `start` and holds one whole
    operation.

    `results` are the names on its left, `uses` its operands in order; the order in `found` is worked out
    here.
    """
    if len(line) > MAX_LINE or len(line_templates) >= MAX_TEMPLATES:
        return
    text = "%".join(SPLIT.split(line)[::2])
    places = [start + match.start() for match in SPLIT.finditer(line)]
    count = len(results)
    numbers = {place: index for index, place in enumerate(places[count:])}
    order = tuple(numbers.get(use.span.start, -1) for use in uses)
    if [use.span.start for use in results] != places[:count] or sorted(order) != list(range(len(numbers))):
        line_templates[text] = None
        return
    straight = order == tuple(range(len(order)))
    line_templates[text] = found._replace(names=len(places), order=None if straight else order)
