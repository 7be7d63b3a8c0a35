"""The Python behind a word, in Markdown: the line that it comes from, and the names that it gives a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shlo.ir.attributes import StringAttr
from shlo.ir.recursion import recursive
from shlo.language.document import Document, Part
from shlo.language.hover.markdown import code, fence
from shlo.language.index.values import Value
from shlo.language.source_lines import origin_around, place_at
from shlo.places.names import PythonName, PythonNames
from shlo.places.origins import Origin, SourceLine
from shlo.places.place import short_line_text
from shlo.text.numbers import plural


@recursive
def python_text(
    document: Document,
    offset: int,
    names_of: Callable[[Part], PythonNames],
    text_of: Callable[[SourceLine | None], str],
) -> str:
    """Returns the line of Python of the word at an offset, with the names of a value; empty for none.

    Args:
        document: the program.
        offset: where the word is.
        names_of: returns the names that the sources give to a program's values.
        text_of: returns the text of a line; empty where it cannot be read.
    """
    part = document.part_at(offset)
    resolved = part.index.target_at(offset - part.start)
    value = resolved[1] if resolved is not None else None
    if not isinstance(value, Value):
        place = place_at(document, offset)
        return _line_text((place.origin if place else Origin()).line, text_of)
    table = names_of(part)
    names = [name for name in _names(value, table) if name.line is not None]
    line = names[0].line if names else origin_around(document, offset).line
    return "\n\n".join(filter(None, [_line_text(line, text_of), "  \n".join(_name_lines(names, table))]))


def _line_text(line: SourceLine | None, text_of: Callable[[SourceLine | None], str]) -> str:
    text = text_of(line)
    return fence(text, "python") if text else ""


def _names(value: Value, table: PythonNames) -> Iterator[PythonName]:
    function = value.scope.place.operation.attribute("sym_name")
    if isinstance(function, StringAttr):
        for number in value.values:
            yield from table.names_of(function.value, number)


def _name_lines(names: list[PythonName], table: PythonNames) -> Iterator[str]:
    for name in names:
        others = len({(other.function, other.value) for other in table.values_of(name.name)}) - 1
        more = f"; {plural(others, 'other value')} of that name" if others else ""
        yield f"{code(name.name)} at {code(short_line_text(name.line))}{more}"
