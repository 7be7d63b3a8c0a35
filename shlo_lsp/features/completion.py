"""What can be typed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.completion.items import MAX_VALUES, Completion, CompletionKind, complete, documentation
from shlo.language.completion.snippets import snippet_text
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server

OPTIONS = types.CompletionOptions(
    trigger_characters=[".", "%", "@", "^", "#", "!", '"', ":"], resolve_provider=True
)
KINDS: dict[CompletionKind, types.CompletionItemKind] = {
    "operation": types.CompletionItemKind.Method,
    "value": types.CompletionItemKind.Variable,
    "function": types.CompletionItemKind.Function,
    "label": types.CompletionItemKind.Reference,
    "attribute": types.CompletionItemKind.Property,
    "enumMember": types.CompletionItemKind.EnumMember,
    "alias": types.CompletionItemKind.Constant,
    "type": types.CompletionItemKind.TypeParameter,
}


def answer(view: View, params: types.CompletionParams) -> types.CompletionList:
    """Returns the list; incomplete where not all values are in it."""
    found = complete(view.document, view.offset(params.position))
    if params.context and params.context.trigger_character == ":":
        found = [each for each in found if each.kind == "type"]  # a colon has other meanings, too
    snippets = view.client.can("text_document.completion.completion_item.snippet_support")
    items = [_item(view, each, number, snippets) for number, each in enumerate(found)]
    return types.CompletionList(len(found) >= MAX_VALUES, items)


def _item(view: View, found: Completion, number: int, snippets: bool) -> types.CompletionItem:
    is_snippet = found.is_snippet and snippets
    text = found.insert if is_snippet or not found.is_snippet else snippet_text(found.insert)
    return types.CompletionItem(
        found.label,
        kind=KINDS[found.kind],
        detail=found.detail or None,
        sort_text=f"{number:05}",
        text_edit=types.TextEdit(view.range(found.span), text),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
        data=found.kind,
    )


def resolve(server: Server, item: types.CompletionItem) -> types.CompletionItem:
    """Returns the documentation of an item that is looked at."""
    kind: Any = item.data
    if kind in KINDS:
        found = Completion(item.label, kind, item.detail or "", "", Span(0, 0))
        text = documentation(found)
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
    return item
