"""Text of programs in Markdown: whatever a name or string holds, it stays code and is never markup."""

from __future__ import annotations

import re

from shlo.text.shortening import fitted

MAX_CODE = 2_000
"""How many characters of a program's text are shown."""


def code(text: str) -> str:
    """Returns a piece of code within a line."""
    flat = shortened(re.sub(r"\s+", " ", text)).strip()
    ticks = "`" * (_longest_run(flat) + 1)
    edge = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{edge}{flat}{edge}{ticks}" if flat else ""


def fence(text: str, language: str = "mlir") -> str:
    """Returns lines of code in a block of their own."""
    shown = shortened(text)
    ticks = "`" * max(3, _longest_run(shown) + 1)
    return f"{ticks}{language}\n{shown}\n{ticks}"


def shortened(text: str) -> str:
    """Returns the text, or its start and `…`; what no screen can show is as `?`."""
    text = fitted(text, MAX_CODE)
    return "".join(character if character.isprintable() or character in "\n\t" else "?" for character in text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
