"""The magics: what the notebook can be told beside StableHLO. MAGICS says all there is to know about them."""

from __future__ import annotations

from typing import Final

from shlo.runner.errors import RequestError
from shlo.text.suggest import did_you_mean
from shlo_kernel.magics.files import FILES
from shlo_kernel.magics.grids import GRIDS
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.magics.ops import OPS
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


_ABOUT: Final = (
    "A cell is StableHLO. Functions stay and can be defined again; top-level ops run at once,\n"
    "and their values stay. A last line of names (%x, %y) shows values."
)
_HELP: Final = (
    Magic("help", "[MAGIC]", "what magics there are", _help),
    Magic("lsmagic", "", "the same", _help),
)

MAGICS: Final[dict[str, Magic]] = {
    magic.name: magic for magic in (*VALUES, *RUNNING, *GRIDS, *FILES, *PYTHON, *OPS, *_HELP)
}


def find_magic(name: str, mark: str = "%") -> Magic:
    """Returns the magic of that name; raises RequestError where there is none, with the nearest one."""
    magic = MAGICS.get(name)
    if magic is None:
        hint = did_you_mean(name, MAGICS, mark + "{}", "%help lists all of them")
        raise RequestError(f"there is no magic {mark}{name}", hint)
    return magic
