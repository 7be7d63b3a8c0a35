"""Documents: a text in an edition, the programs in it, and what the parser makes of them when asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Module
from shlo.ir.source import Source, Span
from shlo.language.index.names import Index
from shlo.syntax import Context
from shlo.syntax.incremental.reparse import reparse
from shlo.syntax.parser.module import parse_source
from shlo.syntax.parser.parse_result import Change, ParseResult
from shlo.syntax.split import part_spans
from shlo.text.numbers import plural
from shlo.verifier import Verdicts, iter_findings

Result = TypeVar("Result")

MAX_LEARNT = 20_000
"""How much may be learnt from edits before a document starts afresh, beside what its own text teaches."""
MAX_UNUSED_VERDICTS = 64
"""How many signatures that a program has not any more stay known; those of functions are large."""
MAX_VERIFIED = 1_000
"""How many findings of the verifier are computed for one program."""


class Edit(Struct, frozen=True):
    """A replacement of a stretch of a text; without a span, of the whole of it."""

    span: Span | None
    text: str


class Knowledge:
    """What readings of a document's texts share: what a Context learns about lines, and what is known of the
    operations' signatures that they give."""

    __slots__ = ("_allowed", "context", "folded", "outlined", "unused", "verdicts")

    def __init__(self) -> None:
        self.context, self.verdicts = Context(), Verdicts()
        self.folded: Any = None
        """What folding keeps of the last edition."""
        self.outlined: Any = None
        """What the outline keeps of the last edition."""
        self.unused: Any = None
        """What the search for results that nothing uses keeps of the last edition."""
        self._allowed = MAX_LEARNT

    @property
    def _size(self) -> int:
        templates = list(self.context.line_templates.values())  # other threads may add to them
        return sum(map(len, templates)) + len(self.context.types) + len(self.context.definitions)

    def allow_more(self) -> None:
        """Takes what is known now as what the text itself teaches, which does not count."""
        self._allowed = max(self._allowed, self._size + MAX_LEARNT)

    @property
    def is_full(self) -> bool:
        """Whether it has learnt so much that a document starts with a fresh one."""
        return self._size > self._allowed


class SinceValid(Struct, frozen=True):
    """The text of a program when it was valid last, and what has become of it since."""

    text: str
    change: Change

    @property
    def replaced(self) -> str:
        """What was where the text is another one now."""
        return self.text[self.change.start : self.change.old_end]


class Part:
    """One program of a document: its text, and where that starts in the document.

    Spans of the module, of its diagnostics and of the index count from the start of the part.
    """

    def __init__(
        self,
        start: int,
        source: Source,
        knowledge: Knowledge,
        before: tuple[ParseResult, Change] | None = None,
        since_valid: SinceValid | None = None,
    ) -> None:
        self.start = start
        self.source = source
        self.knowledge = knowledge
        self._before = before
        self.since_valid = since_valid
        """What has changed since the program was valid, None where that is not known."""
        self._reading: ParseResult | None = None
        self._findings: list[Diagnostic] | None = None
        self._index: Index | None = None
        self.kept: dict[Callable[[Part], Any], Any] = {}
        """What functions that are `once_per_part` have made of the program."""
        # Threads may ask at the same time; no other may have to wait for the verifier to get the module.
        self._parsing, self._verifying = threading.Lock(), threading.Lock()

    @property
    def text(self) -> str:
        """Returns the text of the program."""
        return self.source.text

    @property
    def end(self) -> int:
        """Where the part ends in the document."""
        return self.start + len(self.text)

    @property
    def span(self) -> Span:
        """The part in the document."""
        return Span(self.start, self.end)

    @property
    def reading(self) -> ParseResult:
        """The result of parsing, which reuses what an edit left alone."""
        # No cached property: until Python 3.11 these have one lock for all objects of a class, and the
        # threads that read other documents would wait.
        if self._reading is None:
            with self._parsing:
                if self._reading is None:
                    self._reading = self._parsed()
        return self._reading

    def _parsed(self) -> ParseResult:
        before, self._before = self._before, None
        if before is None:
            reading = parse_source(self.source, self.knowledge.context)
            self.knowledge.allow_more()
            return reading
        return reparse(before[0], self.source, before[1], self.knowledge.context)

    @property
    def is_read(self) -> bool:
        """Whether the text has been parsed already."""
        return self._reading is not None

    def after(self, change: Change) -> tuple[ParseResult, Change] | None:
        """What the part says to the reading of what a change makes of it."""
        if self._reading is not None:
            return self._reading, change
        before = self._before
        return (before[0], before[1].then(change)) if before else None

    def valid_until(self, change: Change) -> SinceValid | None:
        """Returns what the part after a change knows of when it was valid last."""
        if self._findings is not None and not any(
            finding.severity == "error" for finding in (*self.diagnostics, *self._findings)
        ):
            return SinceValid(self.text, change)
        since = self.since_valid
        return since and SinceValid(since.text, since.change.then(change))

    @property
    def edited_since_valid(self) -> Span | None:
        """Where the program was edited since it was valid; None where that is no edit within a line."""
        since = self.since_valid
        if since is None:
            return None
        edited = Span(since.change.start, since.change.new_end)
        return None if "\n" in since.replaced or "\n" in self.text[slice(*edited)] else edited

    @property
    def module(self) -> Module:
        """The program as far as it can be read."""
        return self.reading.module

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What the parser found wrong, in the order of the text."""
        return self.reading.diagnostics

    @property
    def findings(self) -> list[Diagnostic]:
        """What the verifier finds wrong with the program as far as it can be read, in the order of the
        text. Operations that are like others are judged once, also for later editions."""
        if self._findings is None:
            with self._verifying:
                if self._findings is None:
                    findings = iter_findings(self.module, self.knowledge.verdicts)
                    self._findings = list(islice(findings, MAX_VERIFIED))
                    verdicts = self.knowledge.verdicts
                    verdicts.forget_others(self.module, MAX_UNUSED_VERDICTS)
        return self._findings

    @property
    def index(self) -> Index:
        """Where the names of the text are."""
        module = self.module
        with self._parsing:
            if self._index is None:
                self._index = Index(self.text, module)
            return self._index

    def place(self, span: Span) -> Span:
        """Returns a span of the part, in the document."""
        return span.shifted(self.start)

    def shifted(self, start: int) -> Part:
        """Returns the same program at another place of a document; what is known about it stays known."""
        if start == self.start:
            return self
        part = Part(start, self.source, self.knowledge, self._before, self.since_valid)
        part._reading, part._findings, part._index = self._reading, self._findings, self._index
        part.kept = self.kept
        return part


def once_per_part(function: Callable[[Part], Result]) -> Callable[[Part], Result]:
    """Returns a function of a part that keeps its result with the program, also at another place of the
    document. Its spans count from the start of the part; it must not refer to the part."""

    def result_of(part: Part) -> Result:
        if function not in part.kept:
            part.kept[function] = function(part)
        return part.kept[function]

    return result_of


class EarlierEdition(Struct, frozen=True):
    """The parts of an earlier edition of a document, and what has become of its text since."""

    parts: tuple[Part, ...]
    change: Change

    def same(self) -> dict[str, Part]:
        """Returns the parts by their texts."""
        return {part.text: part for part in self.parts}

    def edited(self, span: Span) -> tuple[Part, Change] | None:
        """Returns the part that the edit has turned into what is at a span now, and the edit in it; None
        where the edit was not inside of one part."""
        start, old_end, new_end = self.change
        for part in self.parts:
            is_inside = part.start == span.start <= start and old_end <= part.end
            if is_inside and part.end - old_end == span.end - new_end:
                return part, Change(start - part.start, old_end - part.start, new_end - part.start)
        return None


class Document(Struct, frozen=True, eq=False, dict=True):
    """A text, its name and its edition. Editing gives a new document; programs that did not change are kept,
    and of the one that did only what the edit may have changed is read again."""

    text: str
    name: str = "<text>"
    version: int = 0
    _before: EarlierEdition | None = None
    _knowledge: Knowledge = field(default_factory=Knowledge)

    @cached_property
    def source(self) -> Source:
        """Returns the text with its name and its line starts."""
        return Source(self.text, self.name)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The programs in the order of the text, one at least."""
        same = self._before.same() if self._before else {}
        parts = tuple(self._part(span, same) for span in part_spans(self.text))
        force_setattr(self, "_before", None)  # modules and indexes of old texts are large
        return parts

    def part_at(self, offset: int) -> Part:
        """Returns the program at an offset; on a line between two programs, the one above."""
        return next((part for part in reversed(self.parts) if part.start <= offset), self.parts[0])

    def edit(self, edits: Iterable[Edit], version: int | None = None) -> Document:
        """Returns the document after edits, each of which speaks of the text that those before it left."""
        text, whole = self.text, None
        for edit in edits:
            start, end = edit.span or (0, len(text))
            change = Change(start, end, start + len(edit.text)) if edit.span else difference(text, edit.text)
            whole = whole.then(change) if whole else change
            text = text[:start] + edit.text + text[end:]
        number = self.version + 1 if version is None else version
        before = EarlierEdition(self.parts, whole or Change(0, 0, 0))
        knowledge = Knowledge() if self._knowledge.is_full else self._knowledge
        return Document(text, self.name, number, before, knowledge)

    def __repr__(self) -> str:
        return f"<Document {self.name}, version {self.version}, {plural(len(self.text), 'character')}>"

    def _part(self, span: Span, same: dict[str, Part]) -> Part:
        text = self.text[span.start : span.end]
        if text in same:
            return same[text].shifted(span.start)
        source = Source(text, self.name)
        edited = self._before.edited(span) if self._before else None
        if edited is None:
            return Part(span.start, source, self._knowledge)
        part, change = edited
        after = part.after(change) if part.knowledge is self._knowledge else None
        return Part(span.start, source, self._knowledge, after, part.valid_until(change))


def difference(old: str, new: str) -> Change:
    """Returns the shortest change that makes one text of another."""
    start = _common(lambda count: old[:count] == new[:count], min(len(old), len(new)))
    rest = min(len(old), len(new)) - start
    end = _common(lambda count: old[len(old) - count :] == new[len(new) - count :], rest)
    return Change(start, len(old) - end, len(new) - end)


def _common(is_common: Callable[[int], bool], most: int) -> int:
    """The largest count up to `most` for which all smaller ones hold too."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_common(middle) else (low, middle - 1)
    return low
