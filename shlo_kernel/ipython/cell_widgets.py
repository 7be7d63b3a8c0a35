"""Widgets that cells of a Python notebook have shown: a cell that runs again closes its older ones."""

from __future__ import annotations

from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import display

from shlo_kernel.magics.magic import Closable


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
