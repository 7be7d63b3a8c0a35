"""Values and messages as a notebook shows them: as text and as HTML, by MIME type.

What comes from a program is escaped in both: it drives no terminal and is no markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any, Final

from shlo.command_line.console import Console
from shlo.command_line.diagnostics import print_findings
from shlo.debugger.tensors.statistics import statistics_of
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.runner.display import array_text
from shlo.text.escape import escaped
from shlo.text.statistics import statistics_line
from shlo_kernel.mime import tensor as html

Bundle = dict[str, str]
"""What to show by MIME type."""

TEXT, HTML = "text/plain", "text/html"
WIDTH: Final = 100
"""Columns of a line of numbers."""


def mime_of(name: str, type_: Type, value: Any) -> Bundle:
    """A value with its type, its statistics and its numbers, inner ones of many left out; with a heat map in
    HTML. `name` has no `%`; it is empty for a value without one."""
    return {TEXT: text_of(name, type_, value), HTML: html.value_html(escaped(title(name, type_)), value)}


def text_of(name: str, type_: Type, value: Any) -> str:
    """A value as text."""
    lines = [title(name, type_)]
    if isinstance(value, tuple):
        lines += [array_text(part, WIDTH) for part in value[: html.PARTS_AT_MOST]]
    else:
        statistics = statistics_of(value)
        if statistics is not None:
            lines += [statistics_line(statistics)] * (statistics.size > 1) + [array_text(value, WIDTH)]
    return escaped("\n".join(lines))


def title(name: str, type_: Type) -> str:
    """`%name : type`."""
    return f"%{name} : {type_}" if name else str(type_)


def mime_of_diagnostics(source: str, diagnostics: Sequence[Diagnostic], label: str = "cell") -> Bundle:
    """Findings in a text, each with its line and carets; `label` is what messages call the text."""
    coloured = diagnostics_text(source, diagnostics, label, colour=True)
    return {TEXT: diagnostics_text(source, diagnostics, label), HTML: html.terminal_html(coloured)}


def diagnostics_text(
    source: str, diagnostics: Sequence[Diagnostic], label: str = "cell", colour: bool = False
) -> str:
    """Findings in a text as the command prints them, with a terminal's colours where these are wanted."""
    return findings_text([(Source(source, label), diagnostic) for diagnostic in diagnostics], colour)


def findings_text(findings: Sequence[tuple[Source, Diagnostic]], colour: bool = False) -> str:
    """The same of findings in several texts."""
    stream = _Screen() if colour else StringIO()
    print_findings(Console(stream, stream, {}), findings)
    return stream.getvalue().rstrip("\n")


class _Screen(StringIO):
    """A text that is written to as a terminal is."""

    def isatty(self) -> bool:
        return True
