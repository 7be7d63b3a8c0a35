"""Programs as Python notebooks display them: functions that fold, in colours, with long ones elided."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from shlo import syntax
from shlo.ir.operations import Function, Module
from shlo.syntax.lexer.strings import symbol_text
from shlo.text.escape import escaped
from shlo_kernel.ipython.programs import text_of
from shlo_kernel.mime.highlight import highlighted_lines, shown

LINES: Final = 200
"""How many lines of a function are displayed."""
FUNCTIONS: Final = 40
"""How many functions are displayed."""
WIDEST: Final = 300
"""How many characters of a line are displayed."""

_FONT: Final = "font-family:var(--jp-code-font-family,monospace);font-size:var(--jp-code-font-size,13px)"
_PRE: Final = f"{_FONT};margin:2px 0 6px 1em;line-height:1.35;white-space:pre;overflow-x:auto"
_SUMMARY: Final = f"{_FONT};cursor:pointer;white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
_FAINT: Final = '<span style="opacity:.65;font-size:90%">'
_HINT: Final = "run it: shlo_kernel.run(program, *arguments), or %run @program(...) in a cell %%stablehlo"


def program_text(program: Any) -> str:
    """A program as text, long lines and functions elided."""
    lines, more = _elided(text_of(program))
    return escaped("\n".join((*lines, *more)))


def program_html(program: Any) -> str:
    """A program as HTML."""
    module, _ = syntax.parse(text_of(program))
    functions = list(module.functions.values())
    parts = [_function(module, function, not number) for number, function in enumerate(functions[:FUNCTIONS])]
    rest = len(functions) - len(parts)
    more = f"<div>{_FAINT}and {rest:,} more functions</span></div>" if rest else ""
    return f'<div class="shlo-program">{_heading(module)}{"".join(parts)}{more}</div>'


def _heading(module: Module) -> str:
    assert module.source is not None
    name = symbol_text(module.name) if module.name else "a program"
    words = f"{len(module.source.line_starts):,} lines of StableHLO; {_HINT}"
    return f'<div><b style="{_FONT}">{shown(name)}</b> {_FAINT}{shown(words)}</span></div>'


def _function(module: Module, function: Function, is_open: bool) -> str:
    assert module.source is not None
    start, end = function.span
    text = module.source.text[module.source.line_starts[module.source.line_of(start) - 1] : end]
    lines, more = _elided(text)
    title = _clipped(f"{symbol_text(function.name)} : {function.type}", WIDEST)
    body = "\n".join((*highlighted_lines("\n".join(lines)), *more))
    summary = f'<summary style="{_SUMMARY}">{shown(title)}</summary>'
    return f'<details{" open" * is_open}>{summary}<pre style="{_PRE}">{body}</pre></details>'


def _elided(text: str) -> tuple[list[str], list[str]]:
    """The first lines of a text, none too long, and a line that says what is missing, if anything is."""
    lines = text.split("\n")
    rest = len(lines) - LINES
    return [_clipped(line, WIDEST) for line in islice(lines, LINES)], [f"... {rest:,} more lines"] * (
        rest > 0
    )


def _clipped(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[:width]} ..."
