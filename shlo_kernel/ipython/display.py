"""What Python notebooks display: programs as functions that fold, and the widgets of cells."""

from __future__ import annotations

from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import display
from markupsafe import Markup

from shlo import syntax
from shlo.ir.operations import Function
from shlo.ir.source import Source
from shlo.jax_programs.program import program_of
from shlo.syntax.lexer.strings import readable_symbol
from shlo.text.escape import escaped
from shlo.text.shortening import clipped
from shlo_kernel.magics.magic import Closable
from shlo_kernel.mime.markup import highlighted_lines, render, shown

LINES: Final = 200
"""How many lines of a function are displayed."""
FUNCTIONS: Final = 40
"""How many functions are displayed."""
WIDEST: Final = 300
"""How many characters of a line are displayed."""

_HINT: Final = "run it: shlo.run(program, *arguments), or %run @program(...) in a cell %%stablehlo"


def program_text(program: Any, locations: bool = False) -> str:
    """Returns a program as text, long lines and functions elided, with the locations of its operations or
    without them."""
    lines, more = _elided(program_of(program).module.to_text(locations=locations))
    return escaped("\n".join((*lines, *more)))


def program_html(program: Any, locations: bool = False) -> Markup:
    """Returns a program as HTML; with locations, the definitions of their aliases follow its functions."""
    module, _ = syntax.parse(program_of(program).module.to_text(locations=locations))
    assert module.source is not None
    functions = list(module.functions.values())
    parts = [_function(module.source, function) for function in functions[:FUNCTIONS]]
    if locations:
        aliases = [line for line in module.source.text.split("\n") if line.startswith("#loc")]
        parts.append(("locations", _lines("\n".join(aliases))))
    return render(
        "program",
        name=readable_symbol(module.name) if module.name else "a program",
        about=f"{len(module.source.line_starts):,} lines of StableHLO; {_HINT}",
        functions=parts,
        more=max(len(functions) - FUNCTIONS, 0),
    )


def program_bundle(program: Any, locations: bool = False) -> dict[str, str]:
    """Returns a program by MIME type, with the locations of its operations or without them."""
    return {"text/plain": program_text(program, locations), "text/html": program_html(program, locations)}


def _function(source: Source, function: Function) -> tuple[str, list[Markup]]:
    """Returns the title of a function and its lines."""
    start, end = function.span
    title = clipped(f"{readable_symbol(function.name)} : {function.type}", WIDEST, " ...")
    return title, _lines(source.text[source.line_starts[source.line_of(start) - 1] : end])


def _lines(text: str) -> list[Markup]:
    lines, more = _elided(text)
    return [*highlighted_lines("\n".join(lines)), *map(shown, more)]


def _elided(text: str) -> tuple[list[str], list[str]]:
    """Returns the first lines of a text, none too long, and a line that says what is missing, if anything
    is."""
    lines = text.split("\n")
    rest = len(lines) - LINES
    more = [f"... {rest:,} more lines"] if rest > 0 else []
    return [clipped(line, WIDEST, " ...") for line in lines[:LINES]], more


class CellWidgets:
    """The widgets by cell, as long as a shell lives. Cells are known by their ids, or by their texts where a
    front end gives no ids."""

    def __init__(self) -> None:
        self._shell: Any = None
        self._by_cell: dict[str, list[Closable]] = {}

    def show(self, widget: Closable) -> None:
        """Displays a widget, until the cell that runs now runs again."""
        shell = get_ipython()
        if self._shell is not shell:
            self._shell = shell
            self._by_cell.clear()
            shell.events.register("pre_run_cell", self._close)
        request: dict[str, Any] = shell.get_parent() if hasattr(shell, "get_parent") else {}
        key = request.get("metadata", {}).get("cellId") or request.get("content", {}).get("code")
        if key:
            self._by_cell.setdefault(key, []).append(widget)
        display(widget)

    def _close(self, cell: Any) -> None:
        for widget in self._by_cell.pop(cell.cell_id or cell.raw_cell, ()):
            widget.close()


CELL_WIDGETS: Final = CellWidgets()
"""Those of this process."""
