"""Checks of an installation, which `shlo doctor` shows: what was looked at, what was found, what mends it.

A front end has its own: `checks()` in the module of its subcommand returns them.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

State = Literal["ok", "absent", "broken"]
"""`absent` is what is not installed and not needed for the rest; `broken` is what does not work as it is."""

DISTRIBUTION: Final = "shlo"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about one part of an installation.

    Attributes:
        part: what the check is about: "core", an extra, "command", "Jupyter".
        name: what was looked for.
        state: how it is.
        detail: a version, a path, or what is wrong.
        advice: the command, or the deed, that changes an `absent` or `broken` one; empty where none is known.
    """

    part: str
    name: str
    state: State
    detail: str
    advice: str = ""


def install_command(*requirements: str) -> str:
    """Returns the command line that installs requirements where shlo is, by the tool that installed shlo."""
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        return _line("pipx", "install", "--force", *requirements)
    if (prefix / "uv-receipt.toml").exists():
        return _line("uv", "tool", "install", *requirements)
    if _installer() == "uv":
        return _line("uv", "pip", "install", "--python", sys.executable, *requirements)
    return _line(sys.executable, "-m", "pip", "install", *requirements)


def _installer() -> str:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return (distribution(DISTRIBUTION).read_text("INSTALLER") or "").strip()
    except PackageNotFoundError:
        return ""


def _line(*words: str) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
