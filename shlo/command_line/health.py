"""Checks of an installation, which `shlo doctor` shows: what was looked at, what was found, what fixes it.

A front end has its own: `checks()` in the module of its subcommand returns them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

from msgspec import Struct

from shlo.support.command_lines import command_line

State = Literal["ok", "absent", "broken"]
"""`absent` is what is not installed and not needed for the rest; `broken` is what does not work as it is."""

DISTRIBUTION: Final = "shlo"


class HealthCheck(Struct, frozen=True):
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


def _installer() -> str:
    """Returns the tool that installed shlo where it is: "pipx", "uv tool", "uv" or "pip"."""
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        return "pipx"
    if (prefix / "uv-receipt.toml").exists():
        return "uv tool"
    return "uv" if _recorded("INSTALLER").strip() == "uv" else "pip"


def install_command(*words: str) -> str:
    """Returns the command line that installs shlo where it is from a source, by the tool that did it."""
    installer = _installer()
    if installer == "pipx":
        return command_line(["pipx", "install", "--force", *words])
    return (
        command_line(["uv", "tool", "install", *words]) if installer == "uv tool" else package_command(*words)
    )


def package_command(*words: str) -> str:
    """Returns the command line that installs other packages, or an extra of shlo, where shlo is, of `words`
    for `pip install`.
    """
    installer = _installer()
    if installer == "pipx":
        return command_line(["pipx", "runpip", DISTRIBUTION, "install", *words])
    if installer.startswith("uv"):
        return command_line(["uv", "pip", "install", "--python", sys.executable, *words])
    return command_line([sys.executable, "-m", "pip", "install", *words])


def upgrade_command(package: str) -> str:
    """Returns the command line that brings shlo, or another package that is where it is, up to date."""
    installer = _installer()
    if package == DISTRIBUTION and installer in ("pipx", "uv tool"):
        return command_line([*installer.split(), "upgrade", DISTRIBUTION])
    return package_command("--upgrade", package)


def reinstall_advice() -> str:
    """Returns the command line that installs shlo again from the files or the repository that it came from;
    where the installer has not recorded these, as for a package of an index, says in words what to do.
    """
    try:
        source = _source(json.loads(_recorded("direct_url.json") or "{}"))
    except (ValueError, TypeError, KeyError, AttributeError):
        source = []
    if not source:
        return f"install {DISTRIBUTION} again, the way it was installed"
    return (
        install_command(*source) if _installer() == "pipx" else install_command("--force-reinstall", *source)
    )


def _source(record: dict[str, Any]) -> list[str]:
    """Returns the words for an installer that name what a `direct_url.json` records. Raises KeyError."""
    url: str = record["url"]
    if "vcs_info" in record:
        vcs: dict[str, str] = record["vcs_info"]
        revision = vcs.get("requested_revision") or vcs["commit_id"]
        return [f"{DISTRIBUTION} @ {vcs['vcs']}+{url}@{revision}"]
    path = url2pathname(urlsplit(url).path) if url.startswith("file:") else url
    return ["--editable", path] if record.get("dir_info", {}).get("editable") else [path]


def _recorded(name: str) -> str:
    """Returns a file of the metadata of shlo, "" where there is none."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution(DISTRIBUTION).read_text(name) or ""
    except PackageNotFoundError:
        return ""
