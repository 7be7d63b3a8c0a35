"""The Jupyter kernel: its messages, and what they ask of the notebook's session and the language service."""

from __future__ import annotations

import sys
from collections import deque
from fnmatch import fnmatchcase
from typing import Any, Final

import comm
from ipykernel.iostream import OutStream
from ipykernel.kernelbase import Kernel

import shlo
from shlo.runner.interrupts import forget_interrupts, hold_interrupts
from shlo.text.escape import escaped
from shlo_kernel import completion
from shlo_kernel.cells.errors import CellError
from shlo_kernel.mime.bundle import mime_of
from shlo_kernel.notebook import NotebookSession

HISTORY_SIZE: Final = 1000
"""How many cells are remembered."""

Reply = dict[str, Any]
_LANGUAGE: Final[dict[str, object]] = {
    "name": "stablehlo",
    "version": shlo.STABLEHLO_VERSION,
    "mimetype": "text/x-mlir",
    "file_extension": ".mlir",
    "codemirror_mode": "mlir",
    "pygments_lexer": "mlir",
}
_HELP_LINKS: Final = [{"text": "StableHLO", "url": "https://openxla.org/stablehlo/spec"}]
_COMM_MESSAGES: Final = ("comm_open", "comm_msg", "comm_close")
_INTERRUPTED: Final = "interrupted; functions and values are as they were before the cell"


class History:
    """Cells by number, of this session of the kernel alone: entries are session, number and text."""

    def __init__(self) -> None:
        self._cells: deque[tuple[int, str]] = deque(maxlen=HISTORY_SIZE)

    def add(self, number: int, text: str) -> None:
        """Remembers a cell."""
        self._cells.append((number, text))

    def last(self, count: int | None) -> list[Any]:
        """Returns the last cells, all of them where no count is given."""
        return self._entries(list(self._cells), count)

    def between(self, start: int, stop: int | None) -> list[Any]:
        """Returns the cells from a number up to but not including another one."""
        cells = [each for each in self._cells if start <= each[0] and (stop is None or each[0] < stop)]
        return self._entries(cells, None)

    def matching(self, pattern: str, count: int | None, unique: bool) -> list[Any]:
        """Returns the last cells that match a pattern of a shell."""
        found = [each for each in self._cells if fnmatchcase(each[1], pattern)]
        if unique:
            found = sorted({text: (number, text) for number, text in found}.values())
        return self._entries(found, count)

    def _entries(self, cells: list[tuple[int, str]], count: int | None) -> list[Any]:
        chosen = cells if count is None else cells[-count:] if count > 0 else []
        return [(0, number, text) for number, text in chosen]


class KernelScreen:
    """A cell's output as messages of a kernel; nothing while a request is silent."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.is_silent = False

    def write(self, text: str) -> None:
        """Prints a text."""
        self._send("stream", {"name": "stdout", "text": escaped(text)})

    def show(self, data: dict[str, Any]) -> None:
        """Shows a MIME bundle."""
        self._send("display_data", {"data": data, "metadata": {}, "transient": {}})

    def show_result(self, data: dict[str, Any]) -> None:
        """Shows a MIME bundle as the cell's result."""
        count = self._kernel.execution_count
        self._send("execute_result", {"data": data, "metadata": {}, "execution_count": count})

    def fail(self, error: CellError) -> Reply:
        """Shows why a cell failed, and gives what a reply says of it."""
        lines = error.text.split("\n")
        content = {"ename": error.name, "evalue": error.message, "traceback": lines}
        self._send("error", content)
        return {"status": "error", **content}

    def _send(self, kind: str, content: Reply) -> None:
        if not self.is_silent:
            self._kernel.send_response(self._kernel.iopub_socket, kind, content)


class StableHLOKernel(Kernel):
    """A kernel whose cells are StableHLO."""

    implementation = "shlo"
    implementation_version = shlo.__version__
    language_info = _LANGUAGE
    help_links = _HELP_LINKS
    banner = f"StableHLO {shlo.STABLEHLO_VERSION}, shlo {shlo.__version__}; %help lists the magics"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.screen = KernelScreen(self)
        self.notebook = NotebookSession(self.screen)
        self.history = History()
        comms = comm.get_comm_manager()
        for kind in _COMM_MESSAGES:
            self.shell_handlers[kind] = getattr(comms, kind)

    @property
    def kernel_info(self) -> Reply:
        """What the kernel is. It has no debugger of cells, and one thread for cells and widgets: a session
        belongs to one."""
        return {**super().kernel_info, "supported_features": [], "debugger": False}

    def start(self) -> None:
        """Starts to answer messages. An interrupt ends the cell that runs or is about to; anywhere else it
        would cost a reply, for which the front end waits."""
        super().start()
        hold_interrupts()

    def pre_handler_hook(self) -> None:
        """Leaves the handling of interrupts as it is."""

    def post_handler_hook(self) -> None:
        """Leaves the handling of interrupts as it is."""

    def set_parent(self, ident: Any, parent: Reply, channel: str = "shell") -> None:
        """What is written to standard output from now on belongs to a request."""
        super().set_parent(ident, parent, channel)
        if channel == "shell":
            forget_interrupts()
        for stream in (sys.stdout, sys.stderr):
            if channel == "shell" and isinstance(stream, OutStream):
                stream.set_parent(parent)

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: dict[str, Any] | None = None,
        cell_id: str | None = None,
    ) -> Reply:
        """Carries a cell out."""
        self.screen.is_silent = silent
        self._allow_stdin = allow_stdin
        count = self.execution_count
        reply = self._run(code)
        if reply["status"] == "ok":
            reply["user_expressions"] = {
                key: self._expression(text) for key, text in (user_expressions or {}).items()
            }
        if store_history and not silent:
            self.history.add(count, code)
        elif not silent:
            self.execution_count = count - 1
        return {**reply, "execution_count": count}

    def _run(self, code: str) -> Reply:
        self.notebook.variables["input"] = self.raw_input
        try:
            self.notebook.run(code, f"In[{self.execution_count}]")
        except CellError as error:
            return self.screen.fail(error)
        except KeyboardInterrupt:
            return self.screen.fail(CellError("KeyboardInterrupt", _INTERRUPTED, _INTERRUPTED))
        return {"status": "ok", "payload": []}

    def _expression(self, text: str) -> Reply:
        """Returns a value that a front end asks for by its name."""
        found = self.notebook.session.named(text.strip().removeprefix("%"))
        if found:
            return {"status": "ok", "data": mime_of(*found[0]), "metadata": {}}
        message = f"there is no value {escaped(text)}"
        return {"status": "error", "ename": "RequestError", "evalue": message, "traceback": [message]}

    async def do_complete(self, code: str, cursor_pos: int | None) -> Reply:
        """What can be typed at a place of a cell."""
        cursor = len(code) if cursor_pos is None else cursor_pos
        found = completion.complete(self.notebook, code, cursor)
        start, end = found.span
        types = [
            {"start": start, "end": end, "text": each.text, "type": each.kind, "signature": each.detail}
            for each in found.matches
        ]
        return {
            "status": "ok",
            "matches": [each.text for each in found.matches],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": types},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int | None, detail_level: int = 0, omit_sections: object = ()
    ) -> Reply:
        """What is known about the word at a place of a cell."""
        cursor = len(code) if cursor_pos is None else cursor_pos
        data = completion.inspect(self.notebook, code, cursor)
        return {"status": "ok", "found": data is not None, "data": data or {}, "metadata": {}}

    async def do_is_complete(self, code: str) -> Reply:
        """Returns whether a cell can be carried out, or goes on."""
        found = completion.is_complete(self.notebook, code)
        return {"status": found.state, "indent": found.indent}

    async def do_history(
        self,
        hist_access_type: str,
        output: bool,
        raw: bool,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> Reply:
        """Returns the cells that were carried out since the kernel started."""
        if hist_access_type == "range":
            entries = self.history.between(start or 0, stop)
        elif hist_access_type == "search":
            entries = self.history.matching(pattern or "*", n, unique)
        else:
            entries = self.history.last(n)
        if output:
            entries = [(session_, line, (code, None)) for session_, line, code in entries]
        return {"status": "ok", "history": entries}
