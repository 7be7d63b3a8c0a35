"""Edits that resolve a finding; each that did not come with it has been tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.suggestions import Advise, Set
from shlo.language.causes import cause_of, shown_diagnostics
from shlo.language.document import Document, Edit, Part
from shlo.language.fixes import types
from shlo.language.fixes.names import names
from shlo.language.fixes.structure import structure
from shlo.language.fixes.suggested import replacements, suggested
from shlo.language.fixes.syntax import syntax
from shlo.language.fixes.trial import Repair, Trial, TrialOutcome, local
from shlo.language.hover.markdown import shortened
from shlo.syntax.parser.foreign_files import foreign_file_help

MAX_FINDINGS = 4
"""How many findings of a place are looked at."""
MAX_READ = 16
"""How many readings are made for one finding; each is one of what an edit changes."""
LARGE, MAX_READ_LARGE = 1_000_000, 6
"""How many readings are made in a text of so many characters."""
MAX_OTHERS = 3
"""How many more readings look for another way once there is one."""
_LINE_FEED = re.compile(r"(?<!\r)\n")
CERTAIN = Applicability.CERTAIN
MAX_OFFERED = 3
"""How many edits are offered for one finding."""


class QuickFix(Struct, frozen=True):
    """What to call the edits, the edits, none of which depends on another, the finding that they remove, and
    how far they can be trusted. One that `is_clean` brings no other finding."""

    title: str
    edits: tuple[Edit, ...]
    finding: Diagnostic
    is_clean: bool = True
    applicability: Applicability = Applicability.LIKELY


def fixes(document: Document, span: Span) -> Iterator[QuickFix]:
    """Yields the edits that mend the findings which a span touches, for each the best first."""
    offered: set[tuple[Edit, ...]] = set()
    for finding in islice(findings_at(document, span), MAX_FINDINGS):
        for fix in fixes_of(document, finding):
            if fix.edits not in offered:
                yield fix
            offered.add(fix.edits)


def findings_at(document: Document, span: Span) -> Iterator[Diagnostic]:
    """Yields the findings that a span touches, and then those of the operation that it is in."""
    findings = shown_diagnostics(document)
    touched = [finding for finding in findings if finding.span.touches(span)]
    yield from touched
    part = document.part_at(span.start)
    op_path = part.place(part.index.place_at(span.start - part.start).span)
    if (
        span.end - span.start <= op_path.end - op_path.start
        and not part.index.place_at(span.start - part.start).operation.regions
    ):
        others = (finding for finding in findings if op_path.start <= finding.span.start <= op_path.end)
        yield from (other for other in others if other not in touched)


@recursive
def fixes_of(
    document: Document, finding: Diagnostic, count: int = MAX_OFFERED, only_certain: bool = False
) -> list[QuickFix]:
    """Returns the edits that remove a finding, the best first: the one that it came with, and up to `count`
    others, or none but those that are certain; none that would change a file of another kind."""
    if isinstance(next(iter(finding.suggestions), None), Advise) and foreign_file_help(
        document.part_at(finding.span.start).text
    ):
        return []
    fix = finding.fix
    edits = (Edit(fix.span, fix.replacement),) if fix else ()
    supplied = QuickFix(fix.title, edits, finding, applicability=fix.applicability) if fix else None
    if finding.severity in ("hint", "note"):
        return [supplied] if supplied and (not only_certain or supplied.applicability is CERTAIN) else []
    cause = cause_of(document, finding)
    tried = [
        replace(quick_fix, finding=finding)
        for quick_fix in islice(_tried(document, cause, supplied, only_certain), count)
    ]
    if only_certain:
        return [quick_fix for quick_fix in tried if quick_fix.applicability is CERTAIN]
    if supplied is not None and all(quick_fix.title != supplied.title for quick_fix in tried):
        tried.append(replace(supplied, is_clean=False, applicability=Applicability.GUESS))
    tried += _put_back(document, finding) if not tried else ()
    return sorted(tried, key=lambda quick_fix: quick_fix.applicability is not CERTAIN)


def _put_back(document: Document, finding: Diagnostic) -> Iterator[QuickFix]:
    """Yields the edit that gives a program the text again with which it was valid last."""
    part = document.part_at(finding.span.start)
    edited = part.edited_since_valid
    if part.since_valid is not None and edited is not None:
        words = part.since_valid.replaced or f"without {part.text[slice(*edited)]}"
        edit = Edit(part.place(edited), part.since_valid.replaced)
        yield QuickFix(shortened(f"put back what was valid: {words.strip()}"), (edit,), finding)


def _tried(
    document: Document, finding: Diagnostic, supplied: QuickFix | None, only_certain: bool
) -> Iterator[QuickFix]:
    """Yields those that bring no other finding as soon as they are found, and behind them those that uncover
    some."""
    part = document.part_at(finding.span.start)
    shifted = local(part, finding)
    op_path = part.index.place_at(shifted.span.start)
    trial = Trial(part, shifted, followers)
    second: list[TrialOutcome] = []
    seen: set[tuple[Edit, ...]] = set()
    first = [_known_repair(part, op_path, supplied)] if supplied else []
    most = MAX_READ if len(part.text) < LARGE else MAX_READ_LARGE
    for repair in chain(first, repairs(part, op_path, shifted)):
        if trial.reads >= most:
            break
        if not repair.edits or repair.edits in seen or (only_certain and repair.applicability is not CERTAIN):
            continue
        seen.add(repair.edits)
        outcome = trial.outcome(repair)
        if outcome is not None and outcome.is_clean:
            quick_fix = _quick_fix(part, finding, outcome)
            if quick_fix.applicability is CERTAIN and not trial.is_only_way(outcome):
                quick_fix = replace(quick_fix, applicability=Applicability.LIKELY)
            yield quick_fix
            most = min(most, trial.reads + MAX_OTHERS)
        elif outcome is not None:
            second.append(outcome)
    second.sort(key=lambda outcome: not outcome.is_read)
    yield from (_quick_fix(part, finding, outcome) for outcome in second)


def _known_repair(part: Part, op_path: OpPath, fix: QuickFix) -> Repair:
    """Returns the edit that a finding came with, as one to try with what follows from it."""
    ((start, end),) = [edit.span or Span(0, 0) for edit in fix.edits]
    edit = Edit(Span(start - part.start, end - part.start), fix.edits[0].text)
    for determined in types.determined_types(part, op_path):
        if determined.edits == (edit,) and determined.applicability is CERTAIN:
            return determined
    applicability = fix.applicability
    if applicability is CERTAIN and types.is_contradicted(part, op_path):
        applicability = Applicability.LIKELY
    follows = applicability is not CERTAIN
    return Repair(fix.title, (edit,), is_whole=False, follows=follows, applicability=applicability)


def _quick_fix(part: Part, finding: Diagnostic, outcome: TrialOutcome) -> QuickFix:
    is_dos = "\r\n" in part.text
    edits = tuple(
        Edit(part.place(edit.span or Span(0, 0)), _LINE_FEED.sub("\r\n", edit.text) if is_dos else edit.text)
        for edit in outcome.edits
    )
    repair = outcome.repair
    applicability = repair.applicability if outcome.is_clean else Applicability.GUESS
    return QuickFix(shortened(repair.title), edits, finding, outcome.is_clean, applicability)


def repairs(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields what may mend a finding of a part's text, the likeliest first."""
    yield from names(part, op_path, finding)
    yield from structure(part, op_path, finding)
    if op_path.operation.name == BROKEN:
        yield from replacements(part, op_path, finding)
    if finding.code in ("syntax", "type-mismatch"):
        yield from types.determined_types(part, op_path)
        yield from syntax(part, op_path, finding)
        yield from types.fitted_literals(part, finding)
        yield from types.conversions(part, op_path, finding)
        return
    yield from types.missing_attributes(part, op_path)
    yield from islice(types.region_returns(part, op_path, finding), 4)
    yield from islice(types.conversions(part, op_path, finding), 4)
    yield from types.determined_types(part, op_path)
    yield from types.function_results(part, op_path)
    if finding.code == "func.func-A2":
        yield from types.function_types(part, op_path)
    if any(
        isinstance(suggestion, Set) and suggestion.relation == "kind" for suggestion in finding.suggestions
    ):
        yield from types.untupled(part, op_path)
    yield from islice(suggested(part, op_path, finding), 8)
    yield from types.settings(part, op_path, finding)
    yield from islice(types.retyped(part, op_path, finding), 6)


def followers(part: Part, finding: Diagnostic) -> Iterator[Repair]:
    """Yields what has to be changed because of a change elsewhere: types of operands, results, functions."""
    op_path = part.index.place_at(finding.span.start)
    if finding.fix is not None:
        yield Repair(finding.fix.title, (Edit(finding.fix.span, finding.fix.replacement),))
    yield from chain(
        types.right_types(part, op_path),
        types.function_results(part, op_path),
        types.function_types(part, op_path) if finding.code == "func.func-A2" else (),
    )
