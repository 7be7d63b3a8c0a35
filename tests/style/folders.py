"""Folders of the packages and how many modules each holds: `python -m tests.style.folders` prints the table.

Modules of subcommands, which all have the two functions that `shlo/cli/commands.py` calls, are not counted: the
next one is one more row of the same table.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

from tests.style.vocabulary import PACKAGES, ROOT

FEW: Final = 15
"""Modules that a folder should have at most."""
MOST: Final = 20
"""Modules that a folder may have at most."""

_SUBCOMMAND: Final = tuple(re.compile(rf"^def {name}\(", re.MULTILINE) for name in ("configure", "execute"))


def module_counts() -> Counter[str]:
    """Returns the number of modules of each folder, `__init__.py` and `__main__.py` aside."""
    counts: Counter[str] = Counter()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if (
                "labextension" not in path.parts
                and path.stem not in ("__init__", "__main__")
                and not _is_subcommand(path)
            ):
                counts[path.parent.relative_to(ROOT).as_posix()] += 1
    return counts


def _is_subcommand(path: Path) -> bool:
    text = path.read_text("utf-8")
    return all(pattern.search(text) for pattern in _SUBCOMMAND)


if __name__ == "__main__":
    for folder, count in sorted(module_counts().items()):
        print(f"{count:3}  {folder}{'  (over 15)' if count > FEW else ''}")
