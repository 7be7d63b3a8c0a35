"""Programs as Python notebooks display them: functions that fold, in colours, with long ones elided."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from shlo import syntax
from shlo.ir.operations import Function
from shlo.ir.source import Source
from shlo.syntax.lexer.strings import symbol_text
from shlo.text.escape import escaped
from shlo_kernel.ipython.programs import text_of
from shlo_kernel.mime.markup import highlighted_lines, render, shown

LINES: Final = 200
"""How many lines of a function are displayed."""
FUNCTIONS: Final = 40
"""How many functions are displayed."""
WIDEST: Final = 300
"""How many characters of a line are displayed."""

_HINT: Final = "run it: shlo_kernel.run(program, *arguments), or %run @program(...) in a cell %%stablehlo"


def program_text(program: Any) -> str:
    """Returns a program as text, long lines and functions elided."""
    lines, more = _elided(text_of(program))
    return escaped("\n".join((*lines, *more)))


def program_html(program: Any) -> Markup:
    """Returns a program as HTML."""
    module, _ = syntax.parse(text_of(program))
    assert module.source is not None
    functions = list(module.functions.values())
    return render(
        "program",
        name=symbol_text(module.name) if module.name else "a program",
        about=f"{len(module.source.line_starts):,} lines of StableHLO; {_HINT}",
        functions=[_function(module.source, function) for function in functions[:FUNCTIONS]],
        more=max(len(functions) - FUNCTIONS, 0),
    )


def _function(source: Source, function: Function) -> tuple[str, list[Markup]]:
    """Returns the title of a function and its lines."""
    start, end = function.span
    lines, more = _elided(source.text[source.line_starts[source.line_of(start) - 1] : end])
    title = _clipped(f"{symbol_text(function.name)} : {function.type}")
    return title, [*highlighted_lines("\n".join(lines)), *map(shown, more)]


def _elided(text: str) -> tuple[list[str], list[str]]:
    """Returns the first lines of a text, none too long, and a line that says what is missing, if anything
    is."""
    lines = text.split("\n")
    rest = len(lines) - LINES
    more = [f"... {rest:,} more lines"] if rest > 0 else []
    return [_clipped(line) for line in lines[:LINES]], more


def _clipped(line: str) -> str:
    return line if len(line) <= WIDEST else f"{line[:WIDEST]} ..."
