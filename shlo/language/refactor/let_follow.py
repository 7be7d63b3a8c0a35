"""The action "Let everything below follow": from a document in which a type was changed to what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.diagnostics import part_diagnostics
from shlo.language.document import Document, Edit, Part
from shlo.language.refactor.changed import ChangedPlace, changed_at

if TYPE_CHECKING:
    from shlo.language.refactor.following import Following


@recursive
def can_follow(document: Document, span: Span) -> Diagnostic | None:
    """Returns the error at a span, or that of what was changed at it, which is gone if all follows; None
    where there is none, or where it cannot be told what was changed."""
    part = document.part_at(span.start)
    errors = [finding for finding in part_diagnostics(part) if finding.severity == "error"]
    place = _changed(part, span) if errors else None
    if place is None:
        return None
    here = part.index.place_at(span.start - part.start)
    touched = (finding for finding in errors if finding.span.touches(span))
    return next(touched, errors[0] if here.start == place.start else None)


@recursive
def let_follow(document: Document, span: Span) -> Following | None:
    """Returns what follows from the types that were changed in the function at a span, None where nothing."""
    part = document.part_at(span.start)
    place = _changed(part, span)
    if place is None:
        return None
    from shlo.language.refactor.following import follow
    from shlo.transforms.propagation import PropagationError

    try:
        following = follow(part.text, part.module, place.changes)
    except PropagationError:
        return None
    return _placed(part, document, following)


def _changed(part: Part, span: Span) -> ChangedPlace | None:
    return changed_at(part, span.shifted(-part.start))


def _placed(part: Part, document: Document, following: Following) -> Following:
    """Returns what follows with spans in the document."""

    def placed(edit: Edit) -> Edit:
        return Edit(part.place(edit.span), edit.text) if edit.span else edit

    text = document.text
    return replace(
        following,
        edits=tuple(map(placed, following.edits)),
        likely=frozenset(map(placed, following.likely)),
        text=text[: part.start] + following.text + text[part.end :],
        findings=tuple(replace(finding, span=part.place(finding.span)) for finding in following.findings),
    )
