"""What the operation wants that is being typed."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.completion.signature import Signature, signature_help
from shlo_lsp.view import View

OPTIONS = types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=["%"])


def answer(view: View, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The signature of the operation at a position, the operand at it marked."""
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
    """Places in a label are UTF-16 units, whatever was agreed on for positions."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
