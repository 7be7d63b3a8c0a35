"""What `%load_ext shlo_kernel` gives a Python notebook: StableHLO cells, and programs that show themselves.

    %%stablehlo -o y       a cell of StableHLO. Arrays of Python are values in it (`x` is `%x`), what JAX
                           lowered are functions (`lowered` is `@lowered`); `%y` becomes the variable `y`
    %stablehlo %who        a single line of such a cell
    %step lowered, x       a program step by step
    %grid 2x4 @lowered(%x) a program in a grid of processes; %step --grid goes through that

All cells of a notebook share one session.
"""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand
from IPython.display import display

from shlo.ir.diagnostics import ShloError
from shlo.runner.errors import RequestError
from shlo.text.escape import escaped
from shlo_kernel.cells.errors import CellError
from shlo_kernel.ipython.display import program_html, program_text
from shlo_kernel.ipython.programs import READERS, step
from shlo_kernel.ipython.sharing import Sharing
from shlo_kernel.notebook import NotebookSession

LABEL: Final = "cell"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Adds the magics, and shows programs of JAX as what they are."""
    shell.register_magics(StableHLOMagics(shell))
    display_formatter: Any = shell.display_formatter
    formatters = display_formatter.formatters
    for module, name in READERS:
        formatters["text/html"].for_type_by_name(module, name, program_html)
        formatters["text/plain"].for_type_by_name(module, name, _print_program)


def _print_program(program: Any, printer: Any, cycle: bool) -> None:
    printer.text(program_text(program))


@contextmanager
def _cell_errors() -> Generator[None]:
    """Turns errors of shlo into errors of a cell, which IPython shows without a trace of Python."""
    try:
        yield
    except ShloError as error:
        hint = getattr(error, "hint", None)
        message = f"{error}; {hint}" if hint else str(error)
        raise CellError("RequestError", message, f"error: {escaped(message)}") from None


class Screen:
    """A cell's output as IPython shows it."""

    def write(self, text: str) -> None:
        """Prints a text."""
        print(escaped(text), end="")

    def show(self, data: dict[str, Any]) -> None:
        """Shows a MIME bundle."""
        display(data, raw=True)

    show_result = show


@magics_class
class StableHLOMagics(Magics):
    """The magics, and the session that their cells share."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.notebook = NotebookSession(Screen())
        self.sharing = Sharing(self.notebook.session, shell.user_ns)

    @no_var_expand
    @line_cell_magic
    def stablehlo(self, line: str, cell: str | None = None) -> None:
        """Carries out a cell, or a line, of StableHLO; `-o NAME` makes values variables of Python."""
        with _cell_errors():
            names: list[str] = [] if cell is None else _OPTIONS.parse_args(line.split()).out
            self._run(line if cell is None else cell)
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
                display(step(*eval(f"({line},)", shell.user_global_ns, shell.user_ns)))

    @no_var_expand
    @line_magic
    def grid(self, line: str) -> None:
        """Runs a program or a cell's function in a grid of processes: `%grid 2x4 @lowered(%x)`."""
        with _cell_errors():
            self._run(f"%grid {line}")

    def _run(self, text: str) -> None:
        self.sharing.give(text)
        self.notebook.run(text, LABEL)
        self.sharing.keep(text)


class _Options(argparse.ArgumentParser):
    """Options of a magic: a mistake in them is an error of the cell and not the end of Python."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"%%stablehlo: {message}", "write %%stablehlo -o NAME")


_OPTIONS: Final = _Options(prog="%%stablehlo", add_help=False)
_OPTIONS.add_argument("-o", "--out", action="append", default=[], metavar="NAME")
