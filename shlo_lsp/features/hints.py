"""What to show about the text at a position: hover, signatures of operations, types that the text omits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial

from lsprotocol import types
from msgspec import Struct

from shlo.ir.source import Span
from shlo.language.completion.signature import OperationSignature, signature_help
from shlo.language.hints import hints, inline_values
from shlo.language.hover.hover import hover
from shlo.language.hover.python import python_text
from shlo.runner.child.launch import LineValue
from shlo.syntax.lexer.tokens import line_span
from shlo_lsp.documents import Edition, OpenDocument
from shlo_lsp.features.python_lines import names_of, sources_of
from shlo_lsp.view import View

# -- Values of the last run, behind the lines of their operations, while the text is the one th --------------


MEMORY = "values of the last run"
MAX_SHOWN = 2_000
"""How many values one request gets."""


class LastValues(Struct, frozen=True):
    """The values of a run of an edition, sorted by the offsets of their operations."""

    edition: Edition
    offsets: list[int]
    values: list[LineValue]


def remember(document: OpenDocument, edition: Edition, values: Sequence[LineValue]) -> None:
    """Keeps the values of a run in place of those of the one before."""
    pairs = sorted(((offset_of(edition, value.place), value) for value in values), key=lambda pair: pair[0])
    offsets, ordered = [offset for offset, _ in pairs], [value for _, value in pairs]
    document.memory[MEMORY] = LastValues(edition, offsets, ordered)


def offset_of(edition: Edition, position: tuple[int, int]) -> int:
    """Returns the offset of a line and column that count from 1."""
    line, column = position
    return edition.lines.start_of(line - 1) + column - 1


def value_text(value: LineValue) -> str:
    """Returns what an operation gave last, and how many times it gave something."""
    return f"{value.text} ({value.count:,} times)" if value.count > 1 else value.text


def value_hints(view: View, span: Span) -> Iterator[types.InlayHint]:
    """Yields the values of the operations that begin in a span."""
    last = view.memory.get(MEMORY)
    if not isinstance(last, LastValues) or last.edition is not view.edition:
        return
    start = bisect_left(last.offsets, line_span(view.document.text, span.start).start)
    for offset, value in list(zip(last.offsets[start:], last.values[start:]))[:MAX_SHOWN]:
        if offset > span.end:
            return
        end = line_span(view.document.text, offset).end
        tooltip = "in the last run" + (f", the last of {value.count:,} values" if value.count > 1 else "")
        yield types.InlayHint(view.position(end), value_text(value), tooltip=tooltip, padding_left=True)


def hover_at(view: View, params: types.HoverParams) -> types.Hover | None:
    """Returns what to show at a position."""
    offset = view.offset(params.position)
    hovered = hover(view.document, offset)
    if hovered is None:
        return None
    sources = sources_of(view)
    names = partial(names_of, view, sources)
    python = python_text(view.document, offset, names, sources.text_of)
    text = "\n\n".join(filter(None, [python, hovered.text]))
    return types.Hover(view.markup(text, "text_document.hover.content_format"), view.range(hovered.span))


KINDS = {"type": types.InlayHintKind.Type, "parameter": types.InlayHintKind.Parameter}
"""The protocol's kinds of hints; it has none for values and ends."""


def inlay_hints(view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Returns the hints of the lines of a range."""
    if not view.client.settings.inlay_hints:
        return []
    span = view.span(params.range)
    written = [
        types.InlayHint(
            view.position(hint.offset),
            hint.text,
            KINDS.get(hint.kind),
            tooltip=hint.tooltip if hint.tooltip not in hint.text else None,
            padding_right=hint.kind == "parameter" or None,
        )
        for hint in hints(view.document, span)
    ]
    return [*written, *value_hints(view, span)]


def inline_values_at(
    view: View, params: types.InlineValueParams
) -> list[types.InlineValueEvaluatableExpression]:
    """Returns the values that a debugger which is stopped has bound, in a range."""
    stop = view.offset(params.context.stopped_location.start)
    return [
        types.InlineValueEvaluatableExpression(view.range(inline_value.span), inline_value.expression)
        for inline_value in inline_values(view.document, view.span(params.range), stop)
    ]


SIGNATURE_OPTIONS = types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=["%"])


def signature_at(view: View, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """Returns the signature of the operation at a position, the operand at it marked."""
    signature = signature_help(view.document, view.offset(params.position))
    if signature is None:
        return None
    active = len(signature.parameters) if signature.active is None else signature.active
    text = view.markup(
        signature.documentation, "text_document.signature_help.signature_information.documentation_format"
    )
    information = types.SignatureInformation(
        signature.label, text if signature.documentation else None, _parameters(view, signature), active
    )
    return types.SignatureHelp([information], 0, active)


def _parameters(view: View, signature: OperationSignature) -> list[types.ParameterInformation]:
    places = view.client.can(
        "text_document.signature_help.signature_information.parameter_information.label_offset_support"
    )
    return [
        types.ParameterInformation(
            (_units(signature.label[:start]), _units(signature.label[:end]))
            if places
            else signature.label[start:end]
        )
        for start, end in signature.parameters
    ]


def _units(text: str) -> int:
    """Returns places in a label are UTF-16 units, whatever was agreed on for positions."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
