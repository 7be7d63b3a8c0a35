"""The IPython that runs `%%python`: last values, `display`, plots, `await`, IPython's own magics.

It writes where the cells of the notebook write. Plots of matplotlib appear through its inline back end, which
finds the shell as `get_ipython()`.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.inputtransformer2 import leading_empty_lines
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.tokenutil import token_at_cursor
from traitlets import Type
from traitlets.config import Config

from shlo.text.escape import escaped
from shlo_kernel.cells.errors import CellError

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession

_CONFIG: Final = {"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}}
_COLOR: Final = re.compile(r"\x1b\[[0-9;]*m")
_INLINE: Final = "module://matplotlib_inline.backend_inline"


class _Publisher(DisplayPublisher):
    """Shows what `display` is given where the notebook's cells show things."""

    def publish(self, data: Any, metadata: Any = None, **options: Any) -> None:
        """Shows a MIME bundle."""
        shell: Any = self.shell
        shell.notebook.screen.show(dict(data))

    def clear_output(self, wait: bool = False) -> None:
        """Takes away what the cell has shown, or lets the next output do it."""
        shell: Any = self.shell
        shell.notebook.screen.clear(wait)


class _LastValue(DisplayHook):
    """Keeps what the last line of a cell is worth."""

    def __call__(self, result: Any = None) -> None:
        shell: Any = self.shell
        shell.last_value = result


class PythonShell(InteractiveShell):
    """An IPython over the Python variables of a notebook."""

    display_pub_class = Type(_Publisher)
    displayhook_class = Type(_LastValue)

    def __init__(self, notebook: NotebookSession) -> None:
        self.notebook = notebook
        self.last_value: Any = None
        self.traceback_lines: list[str] = []
        os.environ.setdefault("MPLBACKEND", _INLINE)
        super().__init__(user_ns=notebook.variables, config=Config(_CONFIG))
        self.loop_runner = _run_coroutine
        transforms = self.input_transformer_manager.cleanup_transforms
        # Lines keep their numbers in the cell: those above `%%python` are blank.
        transforms[:] = [transform for transform in transforms if transform is not leading_empty_lines]

    def execute(self, code: str) -> Any:
        """Runs Python and returns what its last line is worth, None where that is no expression. Raises
        CellError, and KeyboardInterrupt."""
        self.last_value, self.traceback_lines = None, []
        number = self.notebook.label[3:-1]
        self.execution_count = int(number) if number.isdigit() else 1
        with self._as_ipython(), _outside_of_loops():
            result = self.run_cell(code)
        error = result.error_before_exec or result.error_in_exec
        if isinstance(error, KeyboardInterrupt):
            raise error
        if error is not None:
            text = escaped("\n".join(self.traceback_lines)) or type(error).__name__
            raise CellError(type(error).__name__, str(error), text)
        return self.last_value

    def complete_at(self, code: str, cursor: int) -> list[tuple[str, int, int]]:
        """Returns the texts that can replace a span of the code, with the span."""
        with self._as_ipython(), provisionalcompleter():
            completions = rectify_completions(code, self.Completer.completions(code, cursor))
            return [(completion.text, completion.start, completion.end) for completion in completions]

    def inspect_at(self, code: str, cursor: int) -> dict[str, str] | None:
        """Returns what is known about the name at an offset, by MIME type; None where that is nothing."""
        name = token_at_cursor(code, cursor)
        try:
            with self._as_ipython():
                data: dict[str, str] = self.object_inspect_mime(name)
        except KeyError:
            return None
        return {"text/plain": escaped(_without_colors(data["text/plain"]))}

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        self.traceback_lines += [_without_colors(line) for line in stb]

    @contextmanager
    def _as_ipython(self) -> Generator[None]:
        """Makes this shell what `get_ipython()` returns; it stays that where there was none before."""
        singletons: Any = InteractiveShell
        before: InteractiveShell | None = singletons._instance
        for class_ in type(self)._walk_mro():
            class_._instance = self
        try:
            yield
        finally:
            if before is not None:
                for class_ in type(before)._walk_mro():
                    class_._instance = before


def _without_colors(text: str) -> str:
    return _COLOR.sub("", text)


def _run_coroutine(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine in a loop of its own, which ends with it."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


@contextmanager
def _outside_of_loops() -> Generator[None]:
    """Lets a cell run loops of its own, although the kernel's is waiting for it."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)
