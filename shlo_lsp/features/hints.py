"""What to show about the text at a position: hover, signatures of operations, types that the text omits."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.completion.signature import Signature, signature_help
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
from shlo_lsp.view import View


def hover_at(view: View, params: types.HoverParams) -> types.Hover | None:
    """Returns what to show at a position."""
    found = hover(view.document, view.offset(params.position))
    if found is None:
        return None
    return types.Hover(view.markup(found.text, "text_document.hover.content_format"), view.range(found.span))


def inlay_hints(view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Returns the hints of the lines of a range."""
    if not view.client.settings.inlay_hints:
        return []
    return [
        types.InlayHint(
            view.position(hint.offset),
            hint.text,
            types.InlayHintKind.Type,
            tooltip=hint.tooltip if hint.tooltip not in hint.text else None,
        )
        for hint in hints(view.document, view.span(params.range))
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
