"""What a notebook asks while a cell is written: completion, inspection, and whether the cell is whole.

The language service answers, on a text that declares the session's functions and values before the cell.
Offsets count code points of the cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from shlo.ir.source import Span
from shlo.language.completion.completeness import Completeness, completeness
from shlo.language.completion.items import complete as complete_program
from shlo.language.completion.snippets import snippet_text
from shlo.language.document import Document
from shlo.language.hover.hover import hover
from shlo.language.hover.markdown import fence
from shlo.syntax.lexer.strings import readable_symbol, symbol_value
from shlo.syntax.lexer.tokens import NAME, line_span, token_at
from shlo.syntax.split import part_spans
from shlo_kernel.cells.parse import MagicCall
from shlo_kernel.cells.session import CellSession, blanked
from shlo_kernel.magics import MAGICS
from shlo_kernel.magics.magic import Magic
from shlo_kernel.mime.bundle import mime_of
from shlo_kernel.notebook import NotebookSession

_DEFINED: Final = re.compile(
    rf"%({NAME})(?::[0-9]+)?(?=[ \t]*(?:,[ \t]*%{NAME}(?::[0-9]+)?[ \t]*)*=(?!=))", re.ASCII
)
_MAGIC_NAME: Final = re.compile(r"%%?\w*\Z", re.ASCII)
_WORD: Final = re.compile(r"[%@]?[\w$.#/{}-]*\Z", re.ASCII)


class Match(Struct, frozen=True):
    """A text that can replace a span, what it is, and its type or whatever else tells about it."""

    text: str
    kind: str
    detail: str = ""


class Matches(Struct, frozen=True):
    """The texts that can replace a span of a cell, the best first."""

    span: Span
    matches: list[Match]


def complete(notebook: NotebookSession, code: str, cursor: int) -> Matches:
    """Returns completions at an offset of a cell."""
    call = _call_at(notebook, code, cursor)
    line = line_span(code, cursor)
    if call is not None and cursor > call.span.end:
        if call.name == "python":
            return _python(notebook, code, cursor)
    elif _MAGIC_NAME.match(code[line.start : cursor]):
        return _line_start(notebook.session, code, Span(line.start, cursor))
    elif call is not None:
        return _argument(notebook.session, MAGICS.get(call.name), code, cursor)
    return _program(notebook.session, code, cursor)


def _line_start(session: CellSession, code: str, span: Span) -> Matches:
    """Magics, and values to show or to define again."""
    typed = code[span.start : span.end]
    magics = MAGICS.values()
    matches = [Match(f"%{magic.name}", "magic", magic.summary) for magic in magics if magic.takes_line]
    matches += [Match(f"%%{magic.name}", "magic", magic.summary) for magic in magics if magic.takes_cell]
    matches += _values(session)
    return Matches(span, [match for match in matches if match.text.startswith(typed)])


def _argument(session: CellSession, magic: Magic | None, code: str, cursor: int) -> Matches:
    """Returns completions behind a magic's name: values, functions, the magic's own words, files."""
    word = _WORD.search(code, line_span(code, cursor).start, cursor)
    assert word
    words = [Match(keyword, "keyword") for keyword in (magic.words() if magic else ())]
    matches = [*_values(session), *_functions(session), *words, *_files(word[0])]
    return Matches(Span(word.start(), cursor), [match for match in matches if match.text.startswith(word[0])])


def _values(session: CellSession) -> Iterator[Match]:
    return (Match(f"%{name}", "value", str(value.type)) for name, value in session.values.items())


def _functions(session: CellSession) -> Iterator[Match]:
    functions, definitions = session.functions, session.state.definitions
    for name in (*definitions.short_names, *functions):
        type_ = functions.get(definitions.resolve(name))
        if type_ is not None:
            yield Match(readable_symbol(name), "function", str(type_))


def _files(typed: str) -> Iterator[Match]:
    """Yields the files whose names begin as typed, those that one can load first; hidden ones are left
    out."""
    folder, _, start = typed.rpartition("/")
    try:
        entries = sorted(Path(folder or ("/" if typed.startswith("/") else ".")).iterdir())
    except OSError:
        return
    for entry in entries[:1000]:
        if entry.name.startswith(start) and not entry.name.startswith("."):
            name = f"{folder}/{entry.name}" if "/" in typed else entry.name
            yield Match(name + ("/" if entry.is_dir() else ""), "file")


def _python(notebook: NotebookSession, code: str, cursor: int) -> Matches:
    """Returns IPython's completions in the Python of a cell, below the line `%%python`."""
    start = code.index("\n", code.index("%%python")) + 1
    completions = notebook.python.complete_at(code[start:], cursor - start)
    ends = [(start + first, start + last) for _, first, last in completions]
    span = Span(*ends[0]) if ends else Span(cursor, cursor)
    return Matches(span, [Match(text, "python") for text, _, _ in completions])


def _program(session: CellSession, code: str, cursor: int) -> Matches:
    document, shift = _document(session, code, cursor)
    items = complete_program(document, cursor + shift)
    if not items:
        return Matches(Span(cursor, cursor), [])
    span = Span(items[0].span.start - shift, items[0].span.end - shift)
    typed, matches = code[span.start : span.end], dict[str, Match]()
    for item in items:
        text = snippet_text(item.insert) if item.is_snippet else item.insert
        text = item.label if item.kind == "operation" else text
        if typed in text and not item.edits:  # a notebook replaces the span alone
            matches.setdefault(text, Match(text, item.kind, item.detail))
    return Matches(span, list(matches.values()))


def inspect(notebook: NotebookSession, code: str, cursor: int) -> dict[str, Any] | None:
    """Returns what is known about the word at an offset of a cell, by MIME type; None for nothing."""
    call = _call_at(notebook, code, cursor)
    if call is not None and call.body is not None and call.name == "python" and cursor > call.span.end:
        start = call.body.start
        return notebook.python.inspect_at(code[start:], cursor - start)
    if call is not None and cursor <= call.span.end and call.name in MAGICS:
        magic = MAGICS[call.name]
        return {"text/plain": magic.text}
    token = token_at(code, cursor)
    if token is not None and token.kind == "value" and token.text[1:].partition("#")[0] not in _defined(code):
        values = notebook.session.named(token.text[1:])
        if values:
            return mime_of(*values[0])
    document, shift = _document(notebook.session, code, cursor)
    description = hover(document, cursor + shift)
    if description is None:
        return None
    text = description.text
    if token is not None and token.kind == "symbol":
        definitions = notebook.session.state.definitions
        named = definitions.find(definitions.resolve(symbol_value(token.text)))
        text = text if named is None else fence(named.text)
    return {"text/plain": text, "text/markdown": text}


def is_complete(notebook: NotebookSession, code: str) -> Completeness:
    """Returns whether a cell can be carried out, or goes on on the next line."""
    pieces = list(notebook.split_cell(code))
    last = pieces[-1] if pieces else None
    if isinstance(last, MagicCall) and last.body is not None:
        return _is_body_complete(last.name, code[last.body.start : last.body.end])
    return completeness(
        "\n".join(code[piece.start : piece.end] for piece in pieces if isinstance(piece, Span))
    )


def _is_body_complete(name: str, body: str) -> Completeness:
    """Returns whether the text below `%%name` is whole."""
    if not body.strip():
        return Completeness("incomplete")
    if name != "python":
        return completeness(body)
    from IPython.core.inputtransformer2 import TransformerManager

    state, indent = TransformerManager().check_complete(body)
    return Completeness(state, " " * (indent or 0))


def _call_at(notebook: NotebookSession, code: str, cursor: int) -> MagicCall | None:
    """Returns the magic on whose line, or in whose part of the cell, an offset is."""
    for segment in notebook.split_cell(code):
        if isinstance(segment, MagicCall):
            end = segment.span.end if segment.body is None else segment.body.end
            if segment.span.start <= cursor <= end:
                return segment
    return None


def _document(session: CellSession, code: str, cursor: int) -> tuple[Document, int]:
    """Returns the program of a cell at an offset behind the session's declarations, and how long these
    are."""
    span = next(span for span in reversed(part_spans(code)) if span.start <= cursor or span.start == 0)
    declared = "\n".join(declarations(session, _defined(code)))
    return Document(f"{declared}\n{blanked(code, span)}", "cell"), len(declared) + 1


def declarations(session: CellSession, hidden: set[str]) -> Iterator[str]:
    """Yields lines that declare a session's functions, and its values but those of hidden names."""
    for match in _functions(session):
        type_ = session.functions[session.state.definitions.resolve(symbol_value(match.text))]
        results, inputs = (", ".join(map(str, types)) for types in (type_.results, type_.inputs))
        yield f"func.func private {match.text}({inputs}) -> ({results})"
    for name, results in groupby(session.values.items(), lambda item: item[0].partition("#")[0]):
        if name not in hidden:
            members = list(results)
            count = f":{len(members)}" if "#" in members[0][0] else ""
            types = ", ".join(str(value.type) for _, value in members)
            yield f'%{name}{count} = "session.value"() : () -> ({types})'


def _defined(code: str) -> set[str]:
    """Returns the names that a cell defines itself."""
    return {match[1] for match in _DEFINED.finditer(code)}
