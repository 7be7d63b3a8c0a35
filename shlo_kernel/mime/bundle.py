"""Values and messages as a notebook shows them: as text and as HTML, by MIME type.

What comes from a program is escaped in both: it drives no terminal and is no markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.pages.tensor import rich_bundle
from shlo.runner.display import array_text
from shlo.runner.statistics import statistics_of
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.escape import escaped
from shlo.text.statistics import Statistics, statistics_line
from shlo.text.styled import StyledLine
from shlo_kernel.mime.tensor import PARTS_AT_MOST, named_tensor, value_html

Bundle = dict[str, str]
"""What to show by MIME type."""

TEXT, HTML = "text/plain", "text/html"
WIDTH: Final = 100
"""Columns of a line of numbers."""


class Value(NamedTuple):
    """A value of the session: its type, and a NumPy array (a tuple of them, or a token)."""

    type: Type
    array: Any


def mime_of(name: str, type_: Type, value: Any) -> Bundle:
    """Returns a value with its type, its statistics and its numbers, inner ones of many left out; in HTML
    in the tensor view, and with a picture of a tensor that tables do not tell. `name` has no `%`; it is empty
    for a value without one."""
    label = f"%{name}" if name else ""
    tensor = named_tensor(label, str(type_), value)
    if tensor is None:
        return {TEXT: text_of(name, type_, value), HTML: value_html(label, str(type_), value)}
    return {TEXT: _text(name, type_, value, tensor.statistics), **rich_bundle([tensor])}


def text_of(name: str, type_: Type, value: Any) -> str:
    """Returns a value as text."""
    return _text(name, type_, value, statistics_of(value))


def _text(name: str, type_: Type, value: Any, statistics: Statistics | None) -> str:
    lines = [title(name, type_)]
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)[:PARTS_AT_MOST]
        lines += [array_text(part, WIDTH) for part in parts]
    else:
        if statistics is not None:
            lines += [statistics_line(statistics)] * (statistics.size > 1) + [array_text(value, WIDTH)]
    return escaped("\n".join(lines))


def title(name: str, type_: Type) -> str:
    """`%name : type`."""
    return f"%{name} : {type_}" if name else str(type_)


def cell_lines(source: str, diagnostics: Sequence[Diagnostic], label: str) -> Iterator[StyledLine]:
    """Yields the styled lines of findings in a text; `label` is what messages call it."""
    return diagnostic_lines([(Source(source, label), diagnostic) for diagnostic in diagnostics])
