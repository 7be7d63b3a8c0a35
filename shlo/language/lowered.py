"""A function of Python beside the program that it is lowered to: lines that belong together, and costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from shlo.api import parse
from shlo.compare import compare_and_align
from shlo.compare.report import summary_of
from shlo.costs import Work, cost
from shlo.costs.model import total_of
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.recursion import recursive
from shlo.language.source_lines import is_same_file
from shlo.places.origins import origin_of
from shlo.text.line_changes import line_changes
from shlo.text.numbers import byte_size, count_text, plural
from shlo.transforms.elision import elided

ELIDED_ABOVE = 1 << 12
"""Constants of more bytes are left out of the text."""


class LineCost(Struct, frozen=True):
    """What a line of Python led to, in a few words."""

    line: int
    text: str


class LoweredText(Struct, frozen=True):
    """A program as an editor shows it beside its source. Lines count from 1.

    Attributes:
        text: the program without locations and large constants.
        lines: pairs of a line of the text and the line of Python that its operation came from.
        costs: for each line of Python, how many operations it led to and what they cost.
        values: pairs of a line of Python and the line of the text whose operation gives its value.
        changed: the lines that the text before had not.
        difference: how the program differs from the one before, in one line; empty without one.
    """

    text: str
    lines: list[tuple[int, int]]
    costs: list[LineCost]
    values: list[tuple[int, int]]
    changed: list[int]
    difference: str


@recursive
def lowered_text(program: str, file: str, before: str | None = None, entry: str = "main") -> LoweredText:
    """Returns the text of a program that a file of Python was lowered to.

    Args:
        program: MLIR's text with locations.
        file: the path of the Python file.
        before: the text that is shown now; values that both have are called alike.
        entry: the function whose cost is counted.

    Raises:
        ParseError: one of the texts is no program.
    """
    module = parse(program)
    shown = elided(module, ELIDED_ABOVE)
    text, changed, difference = _compared(parse(before), shown) if before else (str(shown), [], "")
    places = list(_places(module, parse(text), file))
    lines: dict[int, int] = {}
    for place in places:
        lines.setdefault(place.line, place.python_line)
    pairs = sorted(lines.items())
    values = _values(places, entry)
    return LoweredText(text, pairs, _costs(module, file, entry), values, changed, difference)


def _compared(before: Module, after: Module) -> tuple[str, list[int], str]:
    """Returns the text of a program with the names of another one, which lines are not in that one's, and how
    the two differ.
    """
    difference, text = compare_and_align(before, after, lambda program: program)
    changes = line_changes(str(before).splitlines(), text.splitlines())
    changed = [line + 1 for _, _, begin, end in changes for line in range(begin, end)]
    return text, changed, summary_of(difference)


class _Place(Struct, frozen=True):
    """An operation that came from a line of the file: its function, its depth in regions, its text's line."""

    operation: Operation
    function: str
    depth: int
    line: int
    python_line: int


def _places(module: Module, shown: Module, file: str) -> Iterator[_Place]:
    """Yields the operations that came from the file, in the order of the text that is shown."""
    assert shown.source is not None
    function = ""
    for (operation, depth), (_, span) in zip(_with_depths(module.body), shown.walk()):
        if operation.name == "func.func":
            name = operation.attribute("sym_name")
            function = name.value if isinstance(name, StringAttr) else ""
        origin = origin_of(operation.location).line
        if origin is not None and is_same_file(origin.file, file):
            yield _Place(operation, function, depth, shown.source.line_of(span.start), origin.line)


def _with_depths(region: Region, depth: int = 0) -> Iterator[tuple[Operation, int]]:
    """Yields the operations of a region as `walk` does, and in how many regions each is inside it."""
    for block in region.blocks:
        for operation in block.operations:
            yield operation, depth
            for inner in operation.regions:
                yield from _with_depths(inner, depth + 1)


def _values(places: Sequence[_Place], entry: str) -> list[tuple[int, int]]:
    """Returns for each line of Python the line of the operation that gives its value.

    That is the last of the outermost ones in the entry, else of those in other functions; none where it has
    several results, of which runs show the first.
    """
    best: dict[int, tuple[bool, int, int, int]] = {}
    for place in places:
        if count := len(place.operation.results):
            rank = place.function == entry, -place.depth, place.line, count
            best[place.python_line] = max(rank, best.get(place.python_line, rank))
    return [(python_line, line) for python_line, (_, _, line, count) in sorted(best.items()) if count == 1]


def _costs(module: Module, file: str, entry: str) -> list[LineCost]:
    works: dict[int, list[Work]] = {}
    if entry in module.functions:
        for operation in cost(module, entry).operations:
            origin = operation.origin.line
            if origin is not None and is_same_file(origin.file, file):
                works.setdefault(origin.line, []).append(operation.total)
    return [LineCost(line, _in_words(works[line])) for line in sorted(works)]


def _in_words(works: list[Work]) -> str:
    total = total_of(works)
    flops = f"{count_text(total.flops)}FLOP, " if total.flops else ""
    return f"{plural(len(works), 'operation')}, {flops}{byte_size(total.accessed_bytes)} accessed"
