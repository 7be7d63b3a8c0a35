"""What `%load_ext shlo_kernel` gives a Python notebook: StableHLO cells, and programs that show themselves.

    %%stablehlo -o y       a cell of StableHLO. Arrays of Python are values in it (`x` is `%x`), what JAX
                           lowered are functions (`lowered` is `@lowered`); `%y` becomes the variable `y`
    %stablehlo %who        a single line of such a cell
    %step lowered, x       a program step by step
    %graph lowered         a program as a graph
    %grid 2x4 @lowered(%x) a program in a grid of processes; %step --grid goes through that

All cells of a notebook share one session.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn

import comm
from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand
from IPython.display import clear_output, display

import shlo_kernel
from shlo.ir.diagnostics import ShloError
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.kinds import PROGRAM_CLASSES
from shlo.jax_programs.program import program_of
from shlo.runner.errors import RequestError
from shlo.text.escape import escaped
from shlo_kernel.cells.errors import CellError
from shlo_kernel.completion import complete, inspect
from shlo_kernel.ipython.display import CELL_WIDGETS, program_bundle
from shlo_kernel.ipython.sharing import Sharing
from shlo_kernel.live import TARGET as LIVE
from shlo_kernel.live import LiveAnswers
from shlo_kernel.mime.bundle import mime_of_graph
from shlo_kernel.mime.planes import TARGET, open_comm
from shlo_kernel.notebook import NotebookSession


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Adds the magics, and shows programs of JAX as what they are."""
    magics = StableHLOMagics(shell)
    shell.register_magics(magics)
    manager = comm.get_comm_manager()
    manager.register_target(TARGET, open_comm)
    manager.register_target(LIVE, magics.live.open_comm)
    shell.events.register("post_run_cell", magics.after_cell)
    kernel: Any = getattr(shell, "kernel", None)
    if kernel is not None:
        kernel.do_inspect = magics.inspecting(kernel.do_inspect)
    display_formatter: Any = shell.display_formatter
    for module, name in PROGRAM_CLASSES:
        display_formatter.mimebundle_formatter.for_type_by_name(module, name, program_bundle)


@contextmanager
def _cell_errors() -> Generator[None]:
    """Turns errors of shlo into errors of a cell, which IPython shows without a trace of Python."""
    try:
        yield
    except ShloError as error:
        message = error.with_hint
        raise CellError("RequestError", message, f"error: {escaped(message)}") from None


class IPythonScreen:
    """A cell's output as IPython shows it."""

    def __init__(self) -> None:
        self._has_status = False

    def write(self, text: str) -> None:
        """Prints a text."""
        print(escaped(text), end="")

    def show(self, data: dict[str, Any]) -> None:
        """Shows a MIME bundle."""
        display(data, raw=True)

    show_result = show

    def show_status(self, text: str) -> None:
        """Shows a line about a run in place of the previous one; removes it where the text is empty."""
        display({"text/plain": text}, raw=True, display_id="shlo-status", update=self._has_status)
        self._has_status = bool(text)

    def clear(self, wait: bool) -> None:
        """Clears the output of the cell; with `wait`, when it shows something next."""
        clear_output(wait)


@magics_class
class StableHLOMagics(Magics):
    """The magics, and the session that their cells share."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.notebook = NotebookSession(IPythonScreen())
        self.sharing = Sharing(self.notebook.session, shell.user_ns)
        self.live = LiveAnswers(self.notebook, self._stablehlo_of)
        completer: Any = shell.Completer
        if completer is not None:
            completer.custom_matchers.append(self._matches)

    @no_var_expand
    @line_cell_magic
    def stablehlo(self, line: str, cell: str | None = None) -> None:
        """Carries out a cell, or a line, of StableHLO; `-o NAME` makes values variables of Python."""
        with _cell_errors():
            names: list[str] = [] if cell is None else _OPTIONS.parse_args(line.split()).out
            self._run(line if cell is None else f"\n{cell}")  # the line `%%stablehlo` is the first
            for name in names:
                self.sharing.take(name.removeprefix("%"))

    @no_var_expand
    @line_magic("step")
    def step_through(self, line: str) -> None:
        """Goes through a program step by step: `%step lowered, x`, or a cell's function: `%step @f(%x)`, and
        `%step --grid 2x4 @f(%x)`."""
        with _cell_errors():
            if line.lstrip().startswith(("@", "--grid")):
                self._run(f"%step {line}")
            else:
                shell: Any = self.shell
                stepper = shlo_kernel.step(*eval(f"({line},)", shell.user_global_ns, shell.user_ns))
                CELL_WIDGETS.show(stepper)

    @no_var_expand
    @line_magic
    def graph(self, line: str) -> None:
        """Draws a program: `%graph lowered`, a function with its arguments: `%graph f, x`, or a cell's
        function: `%graph @f`."""
        with _cell_errors():
            if line.lstrip().startswith("@"):
                self._run(f"%graph {line}")
            else:
                shell: Any = self.shell
                program, *arguments = eval(f"({line},)", shell.user_global_ns, shell.user_ns)
                module = program_of(program, Arguments.of(arguments, {}, (), ())).module
                display(mime_of_graph(module, "main"), raw=True)

    @no_var_expand
    @line_magic
    def grid(self, line: str) -> None:
        """Runs a program or a cell's function in a grid of processes: `%grid 2x4 @lowered(%x)`."""
        with _cell_errors():
            self._run(f"%grid {line}")

    @context_matcher()
    def _matches(self, context: CompletionContext) -> SimpleMatcherResult:
        """Returns what can be typed in a cell `%%stablehlo`, and nothing in others."""
        cell = self._stablehlo_of(context.full_text)
        if cell is None or context.cursor_line == 0:
            return {"completions": []}
        before = sum(len(line) + 1 for line in cell.split("\n")[: context.cursor_line])
        completions = complete(self.notebook, cell, before + context.cursor_position)
        matches = [SimpleCompletion(match.text, type=match.kind) for match in completions.matches]
        fragment = cell[completions.span.start : completions.span.end]
        return {"completions": matches, "matched_fragment": fragment, "suppress": True}

    def after_cell(self, _: object) -> None:
        """Tells pages that a cell has run."""
        self.live.tell_change()

    def inspecting(self, otherwise: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
        """Returns what answers a kernel's inspect requests: for cells of StableHLO with what is known about
        the word there, for all others with what `otherwise` answers."""

        def answer(code: str, cursor_pos: int | None = None, *rest: Any, **options: Any) -> dict[str, Any]:
            cursor = len(code) if cursor_pos is None else cursor_pos
            cell = self._stablehlo_of(code)
            if cell is None or cursor <= code.index("\n"):
                return otherwise(code, cursor_pos, *rest, **options)
            data = inspect(self.notebook, cell, cursor)
            return {"status": "ok", "found": data is not None, "data": data or {}, "metadata": {}}

        return answer

    def _stablehlo_of(self, code: str) -> str | None:
        """Returns a cell with a blank in place of each character of its line `%%stablehlo`, None for a cell
        without that line. Variables of Python that it names are then values."""
        head, newline, body = code.partition("\n")
        if not newline or not _HEAD.match(head):
            return None
        with suppress(CellError, ShloError):
            self.sharing.give(body)
        return " " * len(head) + newline + body

    def _run(self, text: str) -> None:
        self.sharing.give(text)
        shell: Any = self.shell
        self.notebook.run(text, f"In[{shell.execution_count}]")
        self.sharing.keep(text)


class _Options(argparse.ArgumentParser):
    """Options of a magic: a mistake in them is an error of the cell and not the end of Python."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"%%stablehlo: {message}", "write %%stablehlo -o NAME")


_HEAD: Final = re.compile(r"%%stablehlo(?!\w)")
_OPTIONS: Final = _Options(prog="%%stablehlo", add_help=False)
_OPTIONS.add_argument("-o", "--out", action="append", default=[], metavar="NAME")
