"""What can be typed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from shlo.language.completion.items import MAX_VALUES, complete, documentation
from shlo.language.completion.operations import Completion, CompletionKind
from shlo.language.completion.snippets import snippet_text
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server

OPTIONS = types.CompletionOptions(
    trigger_characters=[".", "%", "@", "^", "#", "!", '"', ":", "<", ">", "="], resolve_provider=True
)
ONLY: dict[str, tuple[CompletionKind, ...]] = {
    ":": ("type",),
    "<": ("type", "attribute"),
    ">": ("type",),
    "=": ("enumMember", "attribute"),
}
"""What is offered where one of these characters was typed, which have other meanings, too."""
KINDS: dict[CompletionKind, types.CompletionItemKind] = {
    "operation": types.CompletionItemKind.Method,
    "idiom": types.CompletionItemKind.Snippet,
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
    completions = complete(view.document, view.offset(params.position))
    trigger = params.context.trigger_character if params.context else None
    if trigger in ONLY:
        completions = [completion for completion in completions if completion.kind in ONLY[trigger]]
    snippets = view.client.can("text_document.completion.completion_item.snippet_support")
    items = [_item(view, completion, number, snippets) for number, completion in enumerate(completions)]
    return types.CompletionList(len(completions) >= MAX_VALUES, items)


def _item(view: View, completion: Completion, number: int, snippets: bool) -> types.CompletionItem:
    is_snippet = completion.is_snippet and snippets
    text = completion.insert if is_snippet or not completion.is_snippet else snippet_text(completion.insert)
    return types.CompletionItem(
        completion.label,
        kind=KINDS[completion.kind],
        detail=completion.detail or None,
        sort_text=f"{number:05}",
        filter_text=completion.filter or None,
        text_edit=types.TextEdit(view.range(completion.span), text),
        additional_text_edits=[
            types.TextEdit(view.range(edit.span), edit.text) for edit in completion.edits if edit.span
        ]
        or None,
        insert_text_mode=types.InsertTextMode.AsIs if completion.kind == "idiom" else None,
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
        data=completion.op_name or None,
    )


def resolve(server: Server, item: types.CompletionItem) -> types.CompletionItem:
    """Returns the documentation of an item that is looked at."""
    text = documentation(item.data) if isinstance(item.data, str) else ""
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
