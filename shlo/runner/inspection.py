"""What is in bytecode, as lines of text: versions, sections, operations, constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from shlo.text.escape import escaped

if TYPE_CHECKING:
    from shlo_bytecode.inspection import Inspection

LISTED: Final = 10
"""How many constants are listed."""


def inspection_lines(found: Inspection) -> Iterator[str]:
    """Yields what an inspection found; a table with a heading for each part that has any."""
    kind = f"portable artifact of StableHLO {found.artifact}" if found.artifact else "MLIR bytecode"
    producer = escaped(found.producer)
    yield f"{kind}, bytecode version {found.version}, producer '{producer}', {found.size:,} bytes"
    yield f"{found.strings} strings{', orders of uses' if found.has_use_lists else ''}"
    sections = [
        (f"{place.offset:,}", f"{place.size:,}", str(place.alignment), place.name) for place in found.sections
    ]
    yield from _table("sections", ("offset", "size", "aligned", "section"), sections)
    dialects = [
        (*map(str, counts), f"{name} {found.dialect_versions.get(name, '')}".rstrip())
        for name, counts in found.dialects.items()
    ]
    yield from _table("dialects", ("operations", "attributes", "types", "dialect"), dialects)
    operations = [(f"{count:,}", name) for name, count in found.operations.most_common()]
    yield from _table("operations", ("count", "operation"), operations)
    if found.functions:
        yield from ("", f"functions: {', '.join(found.functions)}")
    constants = [
        (f"{constant.offset:,}", f"{constant.size:,}", constant.what) for constant in found.constants[:LISTED]
    ]
    yield from _table("largest constants", ("offset", "size", "constant"), constants)
    title = "stored as text, as there is no binary form"
    yield from _table(title, ("dialect", "text"), sorted(found.texts))


def _table(title: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yields a table whose last column is on the left; nothing where it has no rows."""
    if not rows:
        return
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header) - 1)]
    yield from ("", title)
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths)]
        yield "  " + "  ".join([*cells, line[-1]])
