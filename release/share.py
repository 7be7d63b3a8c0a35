"""Data files of the wheel that are made from the command's parsers: completion scripts and the manual page.

    python -m release.share    # writes them

They are kept in the repository, so that a wheel can be built by tools that cannot run shlo.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import shlo
from shlo.cli.help.completion import SCRIPTS
from shlo.cli.help.man_page import man_page
from shlo.cli.help.parsers import commands_help

SHARE: Final = Path(__file__).resolve().parents[1] / "share"
COMPLETIONS: Final = {
    "bash": "bash-completion/completions/shlo",
    "zsh": "zsh/site-functions/_shlo",
    "fish": "fish/vendor_completions.d/shlo.fish",
}
MAN_PAGE: Final = "man/man1/shlo.1"


def share_files() -> dict[str, str]:
    """Returns what the files should hold, by path below `share`."""
    commands = commands_help(own_only=True)
    found = {COMPLETIONS[shell]: script(commands) for shell, script in SCRIPTS.items()}
    return {**found, MAN_PAGE: man_page(commands, shlo.__version__)}


if __name__ == "__main__":
    for path, text in share_files().items():
        (SHARE / path).parent.mkdir(parents=True, exist_ok=True)
        (SHARE / path).write_text(text, encoding="utf-8", newline="\n")
