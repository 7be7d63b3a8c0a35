"""The report for an issue: a zip file of which the user knows each member."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final, cast

from msgspec.structs import asdict

from shlo.cli.installation.doctor.packages import requirements
from shlo.command_line.health import HealthCheck
from shlo.runner.errors import RequestError
from shlo.runner.files import read_bytes, replace_file

VARIABLES: Final = (
    *("COLORTERM", "LANG", "LC_ALL", "NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8", "TERM", "TERM_PROGRAM"),
    *("JAX_ENABLE_X64", "JAX_PLATFORMS", "XLA_FLAGS", "SHLO_TRACEBACK"),
)
"""Environment variables whose values are in a report: what changes how shlo looks and runs."""
LIMIT: Final = 64 << 20
"""Bytes of a file that a report holds."""
_WORD: Final = r"[^\\/\s\"':;,()<>|]"
"""A character of a folder's name, as far as names without blanks go."""
_END: Final = f"(?!{_WORD})"


def write_report(path: str, checks: Sequence[HealthCheck], files: Sequence[str]) -> list[tuple[str, str]]:
    """Writes a report; returns each member's name and what it is.

    What `without_names` replaces is replaced in all that shlo says; files that are named go in as they are.
    Raises RequestError.
    """
    members = [
        ("checks.json", "what `shlo doctor` shows", _json([asdict(check) for check in checks])),
        ("system.json", "operating system, Python, variables: " + ", ".join(VARIABLES), _json(_system())),
        ("packages.json", "versions of the packages that shlo can use", _json(dict(_versions()))),
    ]
    for number, file in enumerate(files):
        data = read_bytes(file)
        if len(data) > LIMIT:
            raise RequestError(
                f"expected a file of at most {LIMIT >> 20} MiB, got {file} of {len(data):,} bytes"
            )
        name = f"files/{number}-{Path(file).name}" if file != "-" else f"files/{number}-stdin"
        members.append((name, f"{file}, as it is", data))

    def write(target: BinaryIO) -> None:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, _, data in members:
                archive.writestr(name, data)

    replace_file(path, write)
    return [(name, content) for name, content, _ in members]


def without_names(data: object) -> object:
    r"""Returns data for JSON without names: in all strings but keys, `~` is for the user's folder, `USER` for
    the user's name and for the name of any folder of `/home`, `/Users` or `C:\Users`.
    """
    rules = list(_rules())

    def replaced(value: object) -> object:
        if isinstance(value, str):
            for pattern, substitute in rules:
                value = pattern.sub(substitute, value)
            return value
        if isinstance(value, dict):
            return {key: replaced(item) for key, item in cast("dict[object, object]", value).items()}
        if isinstance(value, list | tuple):
            return [replaced(item) for item in cast("Sequence[object]", value)]
        return value

    return replaced(data)


def _rules() -> Iterator[tuple[re.Pattern[str], str]]:
    """Yields what to replace, and by what, in this order. Case and the kind of slashes do not count."""
    home = re.split(r"[\\/]+", os.path.expanduser("~").rstrip("\\/"))
    if len(home) > 1:
        yield _pattern(r"[\\/]+".join(map(re.escape, home)) + _END), "~"
    yield _pattern(rf"(\b[A-Z]:[\\/]+Users[\\/]+)(?:(?:{_WORD}| )+(?=[\\/])|{_WORD}+)"), r"\1USER"
    yield _pattern(rf"([\\/](?:home|Users)[\\/]+){_WORD}+"), r"\1USER"
    user = _user()
    if user:
        yield _pattern(rf"(?<![^\W_]){re.escape(user)}(?![^\W_])"), "USER"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _system() -> dict[str, object]:
    return {
        "platform": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "python": sys.version,
        "encoding": {"stdout": getattr(sys.stdout, "encoding", None), "files": sys.getfilesystemencoding()},
        "processors": os.cpu_count(),
        "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
    }


def _versions() -> Iterator[tuple[str, str]]:
    from importlib.metadata import PackageNotFoundError, version

    for package in _unique(requirement.package for requirement in requirements()):
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, "not installed"


def _unique(names: Iterable[str]) -> list[str]:
    return sorted(set(names))


def _json(data: object) -> bytes:
    return (
        json.dumps(without_names(data), indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace")
        + b"\n"
    )
