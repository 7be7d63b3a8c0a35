"""Magics that tell about StableHLO."""

from __future__ import annotations

from typing import Final

from shlo.runner.errors import RequestError
from shlo.text.suggest import did_you_mean
from shlo_kernel.magics.magic import Magic, Notebook


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


OPS: Final = (Magic("ops", "[NAME]", "all that is known about an operation, or which there are", _ops),)
