"""New names for values, labels, symbols and aliases."""

from __future__ import annotations

from shlo.ir.diagnostics import ShloError
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Edit, Part
from shlo.language.index.names import Label, Target
from shlo.language.index.symbols import Alias, Symbol
from shlo.language.index.values import Value
from shlo.language.navigation import target_at
from shlo.syntax.lexer.cursor import SUFFIX, WORD
from shlo.syntax.lexer.strings import quoted, symbol_text
from shlo.syntax.lexer.tokens import Token

MAX_LINKED = 1_000


class RenameError(ShloError):
    """A name that cannot be given, and why."""


@recursive
def renameable(document: Document, offset: int) -> Span | None:
    """Returns the name at an offset with its sign, None where nothing can be renamed."""
    resolved = target_at(document, offset)
    if resolved is None or resolved[2].definition is None:
        return None
    part, token, target = resolved
    end = token.span.start + len(target.name) + 1 if isinstance(target, Value) else token.span.end
    return part.place(Span(token.span.start, end))


@recursive
def linked(document: Document, offset: int) -> list[Span]:
    """Returns every place of the name at an offset without its sign, for edits of all of them at once: of a
    value or label; empty for others, and where the places are too many or are written differently."""
    resolved = target_at(document, offset)
    if resolved is None or resolved[2].definition is None or not isinstance(resolved[2], (Value, Label)):
        return []
    part, _, target = resolved
    spans = [Span(span.start + 1, span.end) for span, _ in part.index.occurrences(target)]
    names = {part.text[start:end] for start, end in spans}
    at = offset - part.start
    is_inside = any(start <= at <= end for start, end in spans)
    return (
        [part.place(span) for span in spans]
        if is_inside and len(names) == 1 and len(spans) <= MAX_LINKED
        else []
    )


@recursive
def rename(document: Document, offset: int, new_name: str) -> list[Edit]:
    """Returns the edits that give what is at an offset a new name, with or without its sign (`%`, `@`, `^`).

    Raises RenameError where nothing is to rename, the name is none, or the text would mean something else.
    """
    resolved = target_at(document, offset)
    if resolved is None or resolved[2].definition is None:
        raise RenameError("there is nothing to rename here")
    part, token, target = resolved
    written = _written(target, token, new_name)
    edits = [
        Edit(part.place(span), _as_written(part, span, written)) for span, _ in part.index.occurrences(target)
    ]
    _refuse_clash(document, part, target, written, edits)
    return edits


def _written(target: Target, token: Token, new_name: str) -> str:
    """Returns the new name with its sign."""
    if isinstance(target, Symbol):
        name = new_name.removeprefix("@")
        if not name or not name.isprintable():
            raise RenameError(f"{new_name!r} is no symbol's name")
        return symbol_text(name)
    sign = token.text[0]
    name = new_name.removeprefix(sign)
    pattern = WORD if isinstance(target, Alias) else SUFFIX
    if not pattern.fullmatch(name):
        raise RenameError(f"'{new_name}' is no name for '{sign}'")
    return sign + name


def _as_written(part: Part, span: Span, written: str) -> str:
    """A symbol's name is in quotes alone where an operation in the generic form defines it."""
    if part.text[span.start] == '"':
        return quoted(written[1:]) if not written.startswith('@"') else written[1:]
    return written


def _refuse_clash(document: Document, part: Part, target: Target, written: str, edits: list[Edit]) -> None:
    """Raises RenameError where the new name is in use, or the edited text has new errors."""
    if isinstance(target, Symbol) and _has_symbol(part, target, written):
        raise RenameError(f"'{written}' is the name of another symbol")
    if isinstance(target, Alias) and written != target.name and written in part.index.aliases.definitions:
        raise RenameError(f"'{written}' is the name of another alias")
    if isinstance(target, Label) and written != f"^{target.name}" and _has_label(part, target, written):
        raise RenameError(f"'{written}' is the name of another block")
    if not part.diagnostics and target.name != written[1:] and _is_new(part, written):
        return  # names that are in use nowhere mean nothing else
    after = document.edit(reversed(edits)).part_at(edits[0].span.start if edits[0].span else 0)
    if len(after.diagnostics) > len(part.diagnostics):
        messages = {finding.message for finding in part.diagnostics}
        new = next(
            (diagnostic for diagnostic in after.diagnostics if diagnostic.message not in messages),
            after.diagnostics[0],
        )
        raise RenameError(f"'{written}' does not fit here: {new.message}")
    if len(after.diagnostics) < len(part.diagnostics):
        raise RenameError(f"'{written}' is used already, and means nothing yet")


def _is_new(part: Part, written: str) -> bool:
    """Returns whether a name is not in the text, nor the start of a longer one."""
    return part.text.find(written.removesuffix('"')) < 0


def _has_symbol(part: Part, target: Symbol, written: str) -> bool:
    holder = target.place.parent
    return any(
        symbol_text(symbol.name) == written
        and symbol.definition != target.definition
        and (symbol.place.parent and symbol.place.parent.operation) is (holder and holder.operation)
        for symbol in part.index.symbols.all
    )


def _has_label(part: Part, target: Label, written: str) -> bool:
    region = target.holder.operation.regions[target.region]
    return any(f"^{block.label}" == written for block in region.blocks)
