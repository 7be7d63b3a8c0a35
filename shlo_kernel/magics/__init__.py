"""The magics: what the notebook can be told beside StableHLO. MAGICS says all there is to know about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from shlo.runner.errors import RequestError
from shlo.text.escape import escaped
from shlo.text.suggest import did_you_mean
from shlo_kernel.magics.files import FILES
from shlo_kernel.magics.magic import Magic
from shlo_kernel.magics.python import PYTHON
from shlo_kernel.magics.running import RUNNING
from shlo_kernel.magics.values import VALUES
from shlo_kernel.mime.bundle import HTML, TEXT
from shlo_kernel.mime.markup import render

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession


def _help(notebook: NotebookSession, argument: str, body: str | None) -> None:
    if argument.strip():
        notebook.screen.write(f"{find_magic(argument.strip().lstrip('%')).text}\n")
        return
    rows = [(magic.written, magic.summary) for magic in MAGICS.values()]
    _show_table(notebook, ("magic", "what it does"), rows, _ABOUT)


def _ops(notebook: NotebookSession, argument: str, body: str | None) -> None:
    from shlo.dialects import all_op_defs, find_op_def
    from shlo.language.hover.op_docs import op_def_text

    name = argument.strip()
    if not name:
        op_defs = (op_def for op_def in all_op_defs() if op_def.dialect == "stablehlo")
        rows = [(op_def.name, op_def.summary) for op_def in op_defs]
        return _show_table(notebook, ("operation", "what it computes"), rows, _ABOUT_OPS)
    op_def = find_op_def(name) or find_op_def(f"stablehlo.{name}")
    if op_def is None:
        names = [op_def.name.removeprefix("stablehlo.") for op_def in all_op_defs()]
        raise RequestError(f"there is no operation {name}", did_you_mean(name, names) or None)
    text = op_def_text(op_def)
    return notebook.screen.show({TEXT: text, "text/markdown": text})


def _show_table(
    notebook: NotebookSession, titles: tuple[str, str], rows: Sequence[tuple[str, str]], about: str
) -> None:
    """Shows names, a line about each, and what is to be said about all of them."""
    width = max(len(name) for name, _ in rows)
    lines = [*(f"{name:{width}}  {summary}" for name, summary in rows), "", about]
    html = render("table", titles=titles, rows=rows, about=about)
    notebook.screen.show({TEXT: escaped("\n".join(lines)), HTML: html})


def _op_names() -> Iterator[str]:
    from shlo.dialects import all_op_defs

    for op_def in all_op_defs():
        yield op_def.name
    for op_def in all_op_defs():
        yield op_def.name.removeprefix("stablehlo.")


_ABOUT: Final = (
    "A cell is StableHLO. Functions stay and can be defined again; top-level ops run at once,\n"
    "and their values stay. A last line of names (%x, %y) shows values."
)
_ABOUT_OPS: Final = "%ops NAME tells all about an operation, those of other dialects included: %ops chlo.erf."
_ABOUT_SHLO: Final = (
    Magic("ops", "[NAME]", "all that is known about an operation, or which there are", _ops, words=_op_names),
    Magic("help", "[MAGIC]", "what magics there are", _help, words=lambda: MAGICS),
    Magic("lsmagic", "", "the same", _help),
)

MAGICS: Final[dict[str, Magic]] = {
    magic.name: magic for magic in (*VALUES, *RUNNING, *FILES, *PYTHON, *_ABOUT_SHLO)
}


def find_magic(name: str, mark: str = "%") -> Magic:
    """Returns the magic of that name; raises RequestError where there is none, with the nearest one."""
    magic = MAGICS.get(name)
    if magic is None:
        hint = did_you_mean(name, MAGICS, mark + "{}", "%help lists all of them")
        raise RequestError(f"there is no magic {mark}{name}", hint)
    return magic
