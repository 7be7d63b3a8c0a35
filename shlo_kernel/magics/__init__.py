"""The magics: what the notebook can be told beside StableHLO. MAGICS says all there is to know about them."""

from __future__ import annotations

from typing import Final

from shlo.runner.errors import RequestError
from shlo.text.suggest import did_you_mean
from shlo_kernel.magics.files import FILES
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.magics.python import PYTHON
from shlo_kernel.magics.running import RUNNING
from shlo_kernel.magics.values import VALUES


def _help(notebook: Notebook, argument: str, body: str | None) -> None:
    if argument.strip():
        notebook.screen.write(f"{find_magic(argument.strip().lstrip('%')).text}\n")
        return
    width = max(len(magic.written) for magic in MAGICS.values())
    lines = [f"{magic.written:{width}}  {magic.summary}" for magic in MAGICS.values()]
    notebook.screen.write("\n".join([*lines, "", _ABOUT]) + "\n")


def _ops(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.dialects import all_op_defs, find_op_def
    from shlo.language.hover.op_docs import op_def_text

    name = argument.strip()
    if not name:
        names = [op_def.name for op_def in all_op_defs() if op_def.dialect == "stablehlo"]
        notebook.screen.write("  ".join(names) + "\n")
        return
    op_def = find_op_def(name) or find_op_def(f"stablehlo.{name}")
    if op_def is None:
        names = [op_def.name.removeprefix("stablehlo.") for op_def in all_op_defs()]
        raise RequestError(f"there is no operation {name}", did_you_mean(name, names) or None)
    text = op_def_text(op_def)
    notebook.screen.show({"text/plain": text, "text/markdown": text})


_ABOUT: Final = (
    "A cell is StableHLO. Functions stay and can be defined again; top-level ops run at once,\n"
    "and their values stay. A last line of names (%x, %y) shows values."
)
_ABOUT_SHLO: Final = (
    Magic("ops", "[NAME]", "all that is known about an operation, or which there are", _ops),
    Magic("help", "[MAGIC]", "what magics there are", _help),
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
