"""What to show about the text at a position: hover, signatures of operations, types that the text omits."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.completion.signature import Signature, signature_help
from shlo.language.hints.hints import hints
from shlo.language.hints.inline_values import inline_values
from shlo.language.hover.hover import hover
from shlo.language.hover.markdown import fence
from shlo.language.source_lines import place_at
from shlo_lsp.features.python_lines import line_text
from shlo_lsp.features.values import value_hints
from shlo_lsp.view import View


def hover_at(view: View, params: types.HoverParams) -> types.Hover | None:
    """Returns what to show at a position."""
    offset = view.offset(params.position)
    found = hover(view.document, offset)
    if found is None:
        return None
    text = found.text
    if (place := place_at(view.document, offset)) and (line := line_text(view, place.origin)):
        text += f"\n\n{fence(line, 'python')}"
    return types.Hover(view.markup(text, "text_document.hover.content_format"), view.range(found.span))


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
        types.InlineValueEvaluatableExpression(view.range(each.span), each.expression)
        for each in inline_values(view.document, view.span(params.range), stop)
    ]


SIGNATURE_OPTIONS = types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=["%"])


def signature_at(view: View, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """Returns the signature of the operation at a position, the operand at it marked."""
    found = signature_help(view.document, view.offset(params.position))
    if found is None:
        return None
    active = len(found.parameters) if found.active is None else found.active
    text = view.markup(
        found.documentation, "text_document.signature_help.signature_information.documentation_format"
    )
    information = types.SignatureInformation(
        found.label, text if found.documentation else None, _parameters(view, found), active
    )
    return types.SignatureHelp([information], 0, active)


def _parameters(view: View, found: Signature) -> list[types.ParameterInformation]:
    places = view.client.can(
        "text_document.signature_help.signature_information.parameter_information.label_offset_support"
    )
    return [
        types.ParameterInformation(
            (_units(found.label[:start]), _units(found.label[:end])) if places else found.label[start:end]
        )
        for start, end in found.parameters
    ]


def _units(text: str) -> int:
    """Returns places in a label are UTF-16 units, whatever was agreed on for positions."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
