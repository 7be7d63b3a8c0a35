"""From a name to its definition and its uses: values, labels of blocks, symbols, aliases."""

from __future__ import annotations

from dataclasses import dataclass

from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.index.names import Target
from shlo.syntax.lexer.tokens import Token


@dataclass(frozen=True, slots=True)
class Reference:
    """A place of a name; `is_definition` says that the name gets its meaning there."""

    span: Span
    is_definition: bool


@recursive
def definition(document: Document, offset: int) -> Span | None:
    """Returns where the name at an offset is defined, None where no name is or nothing defines it."""
    found = target_at(document, offset)
    if found is None:
        return None
    part, _, target = found
    return part.place(target.definition) if target.definition else None


@recursive
def references(document: Document, offset: int) -> list[Reference]:
    """Returns every place of what the name at an offset refers to, its definition with them: what an editor
    lists, and what it marks while the cursor is on the name."""
    found = target_at(document, offset)
    if found is None:
        return []
    part, _, target = found
    return [Reference(part.place(each.span), each.is_definition) for each in part.index.occurrences(target)]


def target_at(document: Document, offset: int) -> tuple[Part, Token, Target] | None:
    """Returns the name at an offset of a document and what it refers to, in spans of the part."""
    part = document.part_at(offset)
    found = part.index.target_at(offset - part.start)
    return (part, *found) if found else None
