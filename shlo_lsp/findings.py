"""The findings of a document, as the protocol has them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import numpy as np
from lsprotocol import types

from shlo.ir.diagnostics import Diagnostic, Severity
from shlo.ir.source import Span
from shlo.ir.suggestions import suggestion_data
from shlo.language.causes import shown_part_diagnostics
from shlo.language.diagnostics import link_of, syntax_diagnostics
from shlo.language.document import Part
from shlo.language.unused import CODE, Unused, unused_values
from shlo.support.cancellation import checkpoint
from shlo_lsp.documents import Edition, OpenDocument
from shlo_lsp.positions import Lines
from shlo_lsp.view import Client

MAX_PUBLISHED = 200
"""How many findings of a document are published; how many more there are, the last one says."""
UNNECESSARY = types.DiagnosticTag.Unnecessary.value
MAX_MESSAGE = 2_000
SEVERITIES: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
PLACE = '{"line":%d,"character":%d}'
FADED = f'{{"range":{{"start":{PLACE},"end":{PLACE}}},"message":%s,%s}}'
dumps = json.encoder.encode_basestring_ascii

Found = tuple[Edition, list[types.Diagnostic]]
"""An edition and what is wrong with it."""


def of_syntax(document: OpenDocument, client: Client) -> Found:
    """Returns the newest edition and what the parser finds in it; in a worker."""
    return _found(document, client, lambda part: [*syntax_diagnostics(part, client.settings.strict)])


def of_everything(document: OpenDocument, client: Client) -> Found:
    """Returns the newest edition and what the parser and the verifier find in it; in a worker."""
    return _found(document, client, lambda part: shown_part_diagnostics(part, client.settings.strict))


def of_unused(document: OpenDocument, client: Client) -> tuple[Edition, Unused]:
    """Returns the newest edition and which results nothing uses in it; in a worker."""
    edition, programs = document.newest()
    parts = programs.parts if client.settings.unused else ()
    return edition, Unused.joined((0, unused_values(part)) for part in parts)


def faded(edition: Edition, unused: Unused, client: Client, now: Edition | None = None) -> str:
    """Returns what may be faded as JSON, the items of a list; in a later edition `now`, where what an edition
    had unused is by then."""
    tags = f',"tags":[{UNNECESSARY}]' if client.can("text_document.publish_diagnostics.tag_support") else ""
    now = now or edition
    starts, ends = edition.all_shifted(np.array(unused[1:], np.int64), now)
    messages = [dumps(unused.message(names)[:MAX_MESSAGE]) for names in unused.names]
    if now is not edition:
        is_left = ends > starts
        starts, ends = starts[is_left], ends[is_left]
        messages = [message for message, is_left_one in zip(messages, is_left.tolist()) if is_left_one]
    places = [column.tolist() for offsets in (starts, ends) for column in now.lines.places(offsets)]
    properties = f'"severity":{SEVERITIES["hint"].value},"code":{dumps(CODE)},"source":"shlo"{tags}'
    return ",".join([FADED % (*numbers, properties) for numbers in zip(*places, messages)])


def _found(document: OpenDocument, client: Client, findings: Callable[[Part], list[Diagnostic]]) -> Found:
    """Returns the findings of the edition that has been read."""
    edition, programs = document.newest()
    diagnostics: list[Diagnostic] = []
    for part in programs.parts:
        checkpoint()
        diagnostics += findings(part)
    return edition, list(published(diagnostics, edition.lines, document.uri, client))


def published(
    diagnostics: list[Diagnostic], lines: Lines, uri: str, client: Client
) -> Iterator[types.Diagnostic]:
    """Yields the findings as a client gets them, no more than it can show."""
    has_related = client.can("text_document.publish_diagnostics.related_information")
    has_links = client.can("text_document.publish_diagnostics.code_description_support")
    has_data = client.can("text_document.publish_diagnostics.data_support")
    for finding in diagnostics[:MAX_PUBLISHED]:
        yield one(finding, lines, uri if has_related else None, has_links, has_data)
    if len(diagnostics) > MAX_PUBLISHED:
        first = diagnostics[MAX_PUBLISHED]
        message = f"{len(diagnostics) - MAX_PUBLISHED:,} more findings from here on are not shown"
        yield types.Diagnostic(
            lines.range(first.span), message, types.DiagnosticSeverity.Information, source="shlo"
        )


def mistake(error: Exception) -> types.Diagnostic:
    """Returns a finding about ourselves: what could not read the text."""
    nowhere = types.Position(0, 0)
    message = f"internal error; see the log of the language server: {type(error).__name__}"
    return types.Diagnostic(
        types.Range(nowhere, nowhere), message, types.DiagnosticSeverity.Information, source="shlo"
    )


def one(
    finding: Diagnostic,
    lines: Lines,
    related_uri: str | None = None,
    has_link: bool = False,
    has_data: bool = False,
) -> types.Diagnostic:
    """Returns a finding; with the places that belong to it where a document's name is given, and with a link
    into the specification and its suggestions as data where the client wants these."""
    link = link_of(finding.code) if has_link else None
    message = f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message
    suggestions = [*map(suggestion_data, finding.suggestions)] if has_data else []
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(related_uri, lines.range(note.span)), note.message[:MAX_MESSAGE]
        )
        for note in finding.related
        if related_uri is not None
    ]
    return types.Diagnostic(
        lines.range(_visible(finding.span, lines)),
        message[:MAX_MESSAGE],
        SEVERITIES[finding.severity],
        finding.code,
        source="shlo",
        code_description=types.CodeDescription(link) if link else None,
        related_information=related or None,
        data={"suggestions": suggestions} if suggestions else None,
    )


def _visible(span: Span, lines: Lines) -> Span:
    """Returns the span, or one character of it where it is empty: editors show nothing for an empty one."""
    return span if span.end > span.start else Span(span.start, min(span.start + 1, len(lines.text)))
