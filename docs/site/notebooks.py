"""Notebooks of `examples` as pages: their cells, and the texts that these gave when they were run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from shlo_kernel.magics import MAGICS

_ANSI: Final = re.compile(r"\x1b\[[0-9;]*m")
_LANGUAGES: Final = {"stablehlo": "mlir", "python": "python"}
_LONG: Final = 60
"""Lines of an output that a page shows."""


def notebook_markdown(text: str) -> str:
    """Returns a notebook as Markdown: code in fences, outputs of text behind it. Pictures are left out."""
    notebook: dict[str, Any] = json.loads(text)
    kernel: str = notebook["metadata"].get("kernelspec", {}).get("language") or "python"
    language = _LANGUAGES.get(kernel, "text")
    return "\n\n".join(part for cell in notebook["cells"] for part in _cell(cell, language)) + "\n"


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown":
        yield source
    elif cell["cell_type"] == "code" and source:
        yield f"````{'text' if _is_magic(source) else language}\n{source}\n````"
        told = "\n".join(filter(None, map(_told, cell["outputs"])))
        if told:
            yield f"````text\n{told}\n````"


def _is_magic(source: str) -> bool:
    """Returns whether a cell begins with a magic; `%x = ...` is a value."""
    word = re.match(r"%(%?)(\w+)", source)
    return word is not None and (bool(word[1]) or word[2] in MAGICS)


def _told(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        text = "".join(output["text"])
    elif output["output_type"] == "error":
        text = "\n".join(output["traceback"])
    else:
        text = "".join(output["data"].get("text/plain", ""))
    lines = _ANSI.sub("", text).rstrip().splitlines()
    return "\n".join([*lines[:_LONG], *(["..."] if len(lines) > _LONG else [])])
