"""Documents: a text in an edition, the programs in it, and what the parser makes of them when asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Module
from shlo.ir.source import Source, Span
from shlo.language.index import Index
from shlo.syntax import Context, parse
from shlo.syntax.splitting import part_spans

ALIAS_DEFINITION = re.compile(
    r"^[ \t]*[#!][\w$-]+[ \t]*=(?![ \t]*loc[ \t]*\()[^\n]*", re.MULTILINE | re.ASCII
)
MAX_LEARNT = 40_000
"""How many forms of lines a Context may have learnt before a document starts with a fresh one."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of a stretch of a text; without a span, of the whole of it."""

    span: Span | None
    text: str


class Part:
    """One program of a document: its text, and where that starts in the document.

    Spans of the module, of its diagnostics and of the index count from the start of the part.
    """

    def __init__(self, start: int, source: Source, context: Context) -> None:
        self.start = start
        self.source = source
        self._context = context

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def end(self) -> int:
        """Where the part ends in the document."""
        return self.start + len(self.text)

    @cached_property
    def _parsed(self) -> tuple[Module, list[Diagnostic]]:
        return parse(self.source, context=self._context)

    @property
    def module(self) -> Module:
        """The program as far as it can be read."""
        return self._parsed[0]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What the parser found wrong, in the order of the text."""
        return self._parsed[1]

    @cached_property
    def index(self) -> Index:
        """Where the names of the text are."""
        return Index(self.text, self.module)

    def place(self, span: Span) -> Span:
        """A span of the part, in the document."""
        return Span(span.start + self.start, span.end + self.start)

    def moved(self, start: int) -> Part:
        """The same program at another place of a document; what is known about it stays known."""
        if start == self.start:
            return self
        part = Part(start, self.source, self._context)
        part.__dict__.update(
            {key: self.__dict__[key] for key in ("_parsed", "index") if key in self.__dict__}
        )
        return part


@dataclass(frozen=True)
class Document:
    """A text, its name and its edition. Editing gives a new document; programs that did not change are kept,
    and the others are read again with what was learnt from the edition before."""

    text: str
    name: str = "<text>"
    version: int = 0
    _before: dict[str, Part] = field(default_factory=dict[str, Part], repr=False, compare=False)
    _contexts: dict[str, Context] = field(default_factory=dict[str, Context], repr=False, compare=False)

    @cached_property
    def source(self) -> Source:
        return Source(self.text, self.name)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The programs in the order of the text, one at least."""
        return tuple(self._part(span) for span in part_spans(self.text))

    def part_at(self, offset: int) -> Part:
        """The program at an offset; on a line between two programs, the one above."""
        return next((part for part in reversed(self.parts) if part.start <= offset), self.parts[0])

    def position(self, offset: int) -> tuple[int, int]:
        """Line and UTF-16 column from 0."""
        return self.source.utf16_position(offset)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and UTF-16 column from 0; beyond the text, the nearest place in it."""
        return self.source.offset_of_utf16(line, column)

    def edit(self, edits: Iterable[Edit], version: int | None = None) -> Document:
        """The document after edits, each of which speaks of the text that those before it left."""
        text = self.text
        for span, replacement in ((each.span, each.text) for each in edits):
            text = replacement if span is None else text[: span.start] + replacement + text[span.end :]
        known = {part.text: part for part in self.parts}
        number = self.version + 1 if version is None else version
        return Document(text, self.name, number, known, self._contexts)

    def _part(self, span: Span) -> Part:
        text = self.text[span.start : span.end]
        known = self._before.get(text)
        if known is not None:
            return known.moved(span.start)
        return Part(span.start, Source(text, self.name), self._context(text))

    def _context(self, text: str) -> Context:
        """What readings of texts with the same aliases share: an alias's meaning is part of what a Context
        learns about a line."""
        aliases = "\n".join(ALIAS_DEFINITION.findall(text))
        context = self._contexts.get(aliases)
        if context is None or sum(map(len, context.skeletons.values())) > MAX_LEARNT:
            if len(self._contexts) > 20:
                self._contexts.clear()
            context = self._contexts[aliases] = Context()
        return context
