"""What a completion is."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shlo.ir.source import Span

CompletionKind = Literal[
    "operation", "value", "function", "label", "attribute", "enumMember", "alias", "type"
]


class Completion(Struct, frozen=True):
    """Something to type: what a list shows, what replaces `span` (`insert`, a snippet where `is_snippet`),
    and where it is in the list (`order`, the smallest first). `filter` is what an editor compares with the
    text at `span`, the label where it is empty; `op_name` names the operation's definition."""

    label: str
    kind: CompletionKind
    detail: str
    insert: str
    span: Span
    order: tuple[int, ...] = (0,)
    is_snippet: bool = False
    filter: str = ""
    op_name: str = ""
