"""The Jupyter kernel: its messages, and what they ask of the notebook's session and the language service."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Final

import comm
from ipykernel.iostream import OutStream
from ipykernel.kernelbase import Kernel
from jupyter_core.paths import jupyter_data_dir
from markupsafe import Markup

import shlo
from shlo.runner.interrupts import forget_interrupts, hold_interrupts
from shlo.text.escape import escaped
from shlo_kernel import completion
from shlo_kernel.cells.errors import CellError
from shlo_kernel.debugging import CellDebugger
from shlo_kernel.history import CellHistory
from shlo_kernel.live import TARGET as LIVE
from shlo_kernel.live import LiveAnswers
from shlo_kernel.messages import CONTENTS, checked
from shlo_kernel.mime.bundle import mime_of
from shlo_kernel.mime.planes import TARGET, open_comm
from shlo_kernel.notebook import NotebookSession

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
_QUESTION: Final = re.compile(r"\s*(?:\?+(?P<behind>[%@]?[\w.$]+)|(?P<before>[%@]?[\w.$]+)\?+)\s*")
_INTERRUPTED: Final = "interrupted; functions and values are as they were before the cell"


class KernelScreen:
    """A cell's output as messages of a kernel; nothing while a request is silent."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.is_silent = False
        self._has_status = False

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

    def clear(self, wait: bool) -> None:
        """Clears the output of the cell; with `wait`, when it shows something next."""
        self._send("clear_output", {"wait": wait})

    def show_status(self, text: str) -> None:
        """Shows a line about a run in place of the previous one; removes it where the text is empty."""
        kind = "update_display_data" if self._has_status else "display_data"
        self._has_status = bool(text)
        transient = {"display_id": "shlo-status"}
        data = {"text/plain": text, "text/html": str(Markup("<i>{}</i>").format(text))}
        self._send(kind, {"data": data, "metadata": {}, "transient": transient})

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
        self.history = CellHistory(Path(jupyter_data_dir(), "shlo", "history.jsonl"))
        self.debugger = CellDebugger(
            self.notebook.session, self.notebook.split_cell, self._publish_debug_event
        )
        self.notebook.session.execute_program = self.debugger.execute
        self.notebook.session.execute_grid = self.debugger.execute_grid
        self.comm_manager = comm.get_comm_manager()
        """What `comm_info_request` lists: with it a page that is loaded again finds its widgets."""
        for kind in _COMM_MESSAGES:
            self.shell_handlers[kind] = getattr(self.comm_manager, kind)
        for kind in CONTENTS:
            self.shell_handlers[kind] = checked(self.session, kind, self.shell_handlers[kind])
        self.comm_manager.register_target(TARGET, open_comm)
        self.live = LiveAnswers(self.notebook)
        self.comm_manager.register_target(LIVE, self.live.open_comm)

    @property
    def kernel_info(self) -> Reply:
        """What the kernel is. It has a debugger of cells, and one thread for cells and widgets: a session
        belongs to one."""
        return {**super().kernel_info, "supported_features": ["debugger"], "debugger": True}

    async def do_debug_request(self, msg: Reply) -> Reply:
        """Answers a request of a debugger, on the control channel, also while a cell runs."""
        return await self.debugger.handle(msg)

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
        """Attributes what is written to standard output from now on to a request."""
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
        reply = self._run(code, cell_id or "")
        if reply["status"] == "ok":
            reply["user_expressions"] = {
                key: self._expression(text) for key, text in (user_expressions or {}).items()
            }
        if not silent:
            self.live.tell_change()
        if store_history and not silent:
            self.history.add(count, code)
        elif not silent:
            self.execution_count = count - 1
        return {**reply, "execution_count": count}

    def _run(self, code: str, cell_id: str) -> Reply:
        self.notebook.variables["input"] = self.raw_input
        asked = _QUESTION.fullmatch(code)
        if asked:
            return self._page(asked["before"] or asked["behind"])
        try:
            self.notebook.run(code, f"In[{self.execution_count}]", cell_id)
        except CellError as error:
            return self.screen.fail(error)
        except KeyboardInterrupt:
            return self.screen.fail(CellError("KeyboardInterrupt", _INTERRUPTED, _INTERRUPTED))
        return {"status": "ok", "payload": []}

    def _page(self, text: str) -> Reply:
        """Returns what is known about a word, for the pager: `stablehlo.add?`, `?%run`."""
        data = completion.inspect(self.notebook, text, max(len(text) - 1, 0))
        if data is None:
            message = f"nothing is known about {escaped(text)}"
            return self.screen.fail(CellError("RequestError", message, f"error: {message}"))
        return {"status": "ok", "payload": [{"source": "page", "data": data, "start": 0}]}

    def _expression(self, text: str) -> Reply:
        """Returns a value that a front end asks for by its name."""
        values = self.notebook.session.named(text.strip().removeprefix("%"))
        if values:
            return {"status": "ok", "data": mime_of(*values[0]), "metadata": {}}
        message = f"there is no value {escaped(text)}"
        return {"status": "error", "ename": "RequestError", "evalue": message, "traceback": [message]}

    async def do_complete(self, code: str, cursor_pos: int | None) -> Reply:
        """Returns completions at an offset of a cell."""
        cursor = len(code) if cursor_pos is None else cursor_pos
        completions = completion.complete(self.notebook, code, cursor)
        start, end = completions.span
        types = [
            {"start": start, "end": end, "text": match.text, "type": match.kind, "signature": match.detail}
            for match in completions.matches
        ]
        return {
            "status": "ok",
            "matches": [match.text for match in completions.matches],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": types},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int | None, detail_level: int = 0, omit_sections: object = ()
    ) -> Reply:
        """Returns what is known about the word at an offset of a cell."""
        cursor = len(code) if cursor_pos is None else cursor_pos
        data = completion.inspect(self.notebook, code, cursor)
        return {"status": "ok", "found": data is not None, "data": data or {}, "metadata": {}}

    async def do_is_complete(self, code: str) -> Reply:
        """Returns whether a cell can be carried out, or goes on."""
        completeness = completion.is_complete(self.notebook, code)
        return {"status": completeness.state, "indent": completeness.indent}

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
        """Returns cells that this kernel, or those before it, carried out."""
        if hist_access_type == "range":
            entries = self.history.between(session or 0, start or 0, stop)
        elif hist_access_type == "search":
            entries = self.history.matching(pattern or "*", n, unique)
        else:
            entries = self.history.last(n)
        if output:
            entries = [(session_, line, (code, None)) for session_, line, code in entries]
        return {"status": "ok", "history": entries}
