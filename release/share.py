"""Data files of the wheel that are made from the command's parsers: completion scripts and the manual page.

    python -m release.share    # writes them

They are kept in the repository, so that a wheel can be built by tools that cannot run shlo.
"""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Final, cast

import shlo
from shlo.cli.commands import COMMANDS, ENTRY_POINT_GROUP, Command
from shlo.cli.help import CommandHelp, command_help, man_page
from shlo.cli.installation.completion import SCRIPTS
from shlo.cli.installation.doctor.checks import COMPLETIONS, MAN_PAGE

SHARE: Final = Path(__file__).resolve().parents[1] / "share"


def own_commands() -> list[CommandHelp]:
    """Returns all subcommands of this repository: those of the package, and the front ends of pyproject.toml,
    which an installation from before may lack.
    """
    text = (SHARE.parent / "pyproject.toml").read_text("utf-8")
    points: dict[str, str] = tomllib.loads(text)["project"]["entry-points"][ENTRY_POINT_GROUP]
    modules = {name: import_module(path) for name, path in points.items()}
    commands = [command_help(name, summary) for name, summary in COMMANDS.items()]
    commands += [
        command_help(name, module.SUMMARY, cast("Command", module)) for name, module in modules.items()
    ]
    return sorted(commands, key=lambda command: command.name)


def share_files() -> dict[str, str]:
    """Returns what the files should hold, by path below `share`."""
    commands = own_commands()
    files = {COMPLETIONS[shell]: script(commands) for shell, script in SCRIPTS.items()}
    return {**files, MAN_PAGE: man_page(commands, shlo.__version__)}


if __name__ == "__main__":
    for path, text in share_files().items():
        (SHARE / path).parent.mkdir(parents=True, exist_ok=True)
        (SHARE / path).write_text(text, encoding="utf-8", newline="\n")
