"""Trials of edits: what a program's findings are after them, read and verified where the edits are.

An edit is accepted if its finding is gone and no other one has come. One that uncovers what the finding hid
(the rest of an operation that could not be read, constraints of one whose attributes were missing) is second
choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import has_trait
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN
from shlo.ir.source import Source, Span
from shlo.language.document import Edit, Part
from shlo.language.index.op_names import names_of
from shlo.syntax.parser.parse_result import Change
from shlo.verifier import iter_findings
from shlo.verifier.cascading import without_cascading

MAX_STEPS = 12
"""How many edits of other operations follow from one, as the types of what uses a value."""
MAX_COMPARED = 200_000
"""How many characters a text has in which repairs are compared with their rivals."""
_FATAL = ("syntax", "unknown-value", "redefinition", "type-mismatch")
"""Codes of findings that no edit of what is suggested may bring."""
Key = tuple[str, str]


class Repair(Struct, frozen=True):
    """What to call some edits of a part's text, none of which depends on another. One that is not the
    `is_whole` remedy may uncover other findings of its operation; one that `follows` may need other edits;
    what the help `states` is judged by its own finding alone, as long as what was readable stays so. One that
    is certain is so if it is accepted without other findings, and none of its `rivals` is."""

    title: str
    edits: tuple[Edit, ...]
    is_whole: bool = True
    follows: bool = False
    applicability: Applicability = Applicability.LIKELY
    states: bool = False
    rivals: tuple[Repair, ...] = ()


class TrialDraft:
    """A part with edits made one after another. `edits` are what they are in the text before all of them."""

    def __init__(self, part: Part, edits: Sequence[tuple[Span, str]] = ()) -> None:
        self.part = part
        self.edits = tuple(edits)

    def edited(self, edits: Sequence[Edit]) -> TrialDraft:
        """Returns the draft after edits of its text, none of which depends on another."""
        text, draft, change = self.part.text, self, None
        for edit in sorted(edits, key=_start, reverse=True):
            start, end = edit.span or Span(0, len(text))
            draft = TrialDraft(self.part, joined(draft.edits, Span(start, end), edit.text, text))
            text = text[:start] + edit.text + text[end:]
            single = Change(start, end, start + len(edit.text))
            change = change.then(single) if change else single
        return TrialDraft(_reread(self.part, text, change or Change(0, 0, 0)), draft.edits)

    def inserted(self) -> Iterator[Span]:
        """Yields where the texts of the edits are."""
        by = 0
        for span, new in self.edits:
            yield Span(span.start + by, span.start + by + len(new))
            by += len(new) - (span.end - span.start)

    def now(self, offset: int) -> int:
        """Returns where a place of the text before all edits is; that behind an insertion at the place."""
        by = 0
        for span, new in self.edits:
            if span.start > offset:
                break
            by += len(new) - (span.end - span.start) if span.end <= offset else 0
        return offset + by


def joined(edits: Sequence[tuple[Span, str]], where: Span, text: str, current: str) -> list[tuple[Span, str]]:
    """Returns edits of a text with one more, of the `current` text that they left; it joins those that it
    touches."""
    joined_edits: list[tuple[Span, str]] = []
    first, last, by = where.start, where.end, 0
    before_first, before_last = 0, 0
    for span, new in edits:
        start, end = span.start + by, span.start + by + len(new)
        grown = len(new) - (span.end - span.start)
        if end < where.start:
            before_first += grown
            before_last += grown
            joined_edits.append((span, new))
        elif start > where.end:
            joined_edits.append((span, new))
        else:
            first, last = min(first, start), max(last, end)
            before_last += grown
        by += grown
    whole = current[first : where.start] + text + current[where.end : last]
    joined_edits.append((Span(first - before_first, last - before_last), whole))
    return sorted(joined_edits)


def _start(edit: Edit) -> int:
    return edit.span.start if edit.span else 0


def _reread(part: Part, text: str, change: Change) -> Part:
    """Returns a part after an edit; of its text only what the edit may have changed is read again."""
    source = Source(text, part.source.name)
    return Part(part.start, source, part.knowledge, part.after(change))


class TrialOutcome(Struct, frozen=True):
    """A repair that was accepted, with the edits of its part that it and what followed come to. One that
    `is_clean` brings no other finding; after one that `is_read` the operation can be read."""

    repair: Repair
    edits: tuple[Edit, ...]
    is_clean: bool
    is_read: bool


Followers = Callable[[Part, Diagnostic], Iterator[Repair]]
"""What may be changed because of a finding that an edit has brought."""


class Trial:
    """Tries repairs of one finding, whose spans count from the start of the part."""

    def __init__(self, part: Part, finding: Diagnostic, followers: Followers) -> None:
        self.part, self.finding = part, finding
        self.reads = 0
        self._followers = followers
        self._key = _key(finding)
        self._before = Counter(map(_key, (*part.diagnostics, *part.findings)))
        self._place = part.index.place_at(finding.span.start)
        self._is_broken = self._place.operation.name == BROKEN
        self._count = sum(
            self._is_own(finding, self._place.span) for finding in (*part.diagnostics, *part.findings)
        )
        self._results = (
            {f"%{name.name}" for name in names_of(part.text, self._place) if name.role == "result"}
            if self._is_broken
            else set[str]()
        )

    def outcome(self, repair: Repair) -> TrialOutcome | None:
        """Returns a repair with all that follows; None where it does not mend the finding or brings one."""
        draft, following = TrialDraft(self.part).edited(repair.edits), 0
        while True:
            self.reads += 1
            findings, new = self._found(draft)
            if new and repair.follows and following < MAX_STEPS and (step := self._step(draft, new)):
                draft, following = step, following + 1
                continue
            own_span = self._own_span(draft)
            spans = [own_span, *draft.inserted()]
            left = sum(any(self._is_own(finding, span) for span in spans) for finding in findings)
            if left >= max(self._count, 1):
                return None
            if new and not self._may_bring(repair, new, own_span, draft):
                return None
            edits = tuple(Edit(span, text) for span, text in draft.edits)
            op_path = draft.part.index.place_at(draft.now(self.finding.span.start))
            return TrialOutcome(repair, edits, not new, op_path.operation.name != BROKEN)

    def is_only_way(self, outcome: TrialOutcome) -> bool:
        """Returns whether no rival of an accepted repair is as good: one that leads to another text. That is
        not known in a large text, where to read all of them takes seconds."""
        if outcome.repair.rivals and len(self.part.text) > MAX_COMPARED:
            return False
        text = _without_blanks(self.part.text, outcome.edits)
        accepted = filter(None, map(self.outcome, outcome.repair.rivals))
        return all(
            _without_blanks(self.part.text, rival.edits) == text for rival in accepted if rival.is_clean
        )

    def _may_bring(self, repair: Repair, new: Sequence[Diagnostic], span: Span, draft: TrialDraft) -> bool:
        """Returns whether a repair is one although other findings come with it."""
        if repair.states and not any(new_finding.code in _FATAL for new_finding in new):
            return True
        return not repair.is_whole and all(self._was_hidden(new_finding, span, draft) for new_finding in new)

    def _found(self, draft: TrialDraft) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Returns the findings after the edits, and those of them that are new."""
        part = draft.part
        near = None if self._is_wide(draft) else [op_path.span for op_path in self._touched(draft)]
        verified = iter_findings(part.module, part.knowledge.verdicts, near)
        collected = [
            *part.diagnostics,
            *without_cascading(verified, part.diagnostics, part.module, part.text),
        ]
        left, new = self._before.copy(), list[Diagnostic]()
        for finding in collected:
            key = _key(finding)
            if left[key] > 0:
                left[key] -= 1
            elif finding.severity == "error" or finding.severity == self.finding.severity != "hint":
                new.append(finding)
        return collected, new

    def _touched(self, draft: TrialDraft) -> Iterator[OpPath]:
        """Yields the operations that the edits touch, and the finding's."""
        index = draft.part.index
        yield index.place_at(draft.now(self.finding.span.start))
        for start, end in draft.inserted():
            yield index.place_at(start)
            yield index.place_at(start + len(draft.part.text[start:end].rstrip()))

    def _is_wide(self, draft: TrialDraft) -> bool:
        """Returns whether other operations than those that the edits touch may depend on them."""
        return any(
            op_path.parent is None
            or op_path.operation.name == BROKEN
            or has_trait(op_path.operation.name, "symbol")
            for op_path in (*self._touched(draft), self._place)
        )

    def _step(self, draft: TrialDraft, new: Sequence[Diagnostic]) -> TrialDraft | None:
        for finding in new:
            for repair in self._followers(draft.part, finding):
                return draft.edited(repair.edits)
        return None

    def _own_span(self, draft: TrialDraft) -> Span:
        return Span(*map(draft.now, self._place.span))

    def _is_own(self, finding: Diagnostic, span: Span) -> bool:
        return _key(finding) == self._key and span.start <= finding.span.start <= span.end

    def _was_hidden(self, finding: Diagnostic, span: Span, draft: TrialDraft) -> bool:
        """Returns whether a finding may have been there before, unseen because of the one that is mended."""
        if span.start <= finding.span.start <= span.end:
            return not self._is_broken or finding.span.start >= draft.now(self.finding.span.end)
        if any(start <= finding.span.start < max(end, start + 1) for start, end in draft.inserted()):
            return True  # a use that is another name now
        return draft.part.text[slice(*finding.span)].partition("#")[0] in self._results


def _without_blanks(text: str, edits: Sequence[Edit]) -> str:
    """Returns a text after edits, without its blanks."""
    for start, end, new in sorted(((*(edit.span or Span(0, 0)), edit.text) for edit in edits), reverse=True):
        text = text[:start] + new + text[end:]
    return "".join(text.split())


def _key(finding: Diagnostic) -> Key:
    return finding.code, finding.message


def local(part: Part, finding: Diagnostic) -> Diagnostic:
    """Returns a finding of a document as one of a part's text."""
    by = -part.start
    span = Span(finding.span.start + by, finding.span.end + by)
    return replace(finding, span=span, related=(), fix=None, operation=None)
