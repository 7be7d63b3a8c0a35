"""The version of shlo: `shlo/__init__.py` states it, all other files repeat it.

    python -m release.version          # prints it; exit code 1 where a file has another one
    python -m release.version 0.2.0    # writes it everywhere, and begins its section of the changelog

The metadata of the Python packages is made from `shlo/__init__.py` when they are built.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
CURRENT_API: Final = "docs/api/current.txt"
RELEASED_API: Final = "docs/api/released.txt"
"""Snapshots of the public API: a bump takes the current one over as the released one."""
VERSION: Final = r"\d+\.\d+\.\d+(?:(?:a|b|rc|\.dev)\d+)?"
"""Versions of shlo, a part of PEP 440 that the other files take, too."""
CHANGELOGS: Final = ("CHANGELOG.md", "vscode-extension/CHANGELOG.md")


class Place(NamedTuple):
    """Where a file repeats the version: `pattern` matches what is around it, with `VERSION` in group 2."""

    path: str
    pattern: str
    times: int = 1


def _json(path: str, times: int = 1) -> Place:
    return Place(path, r'^((?:  |      )"version": ")([^"]+)(?=",)', times)


SOURCE: Final = Place("shlo/__init__.py", r'^(__version__ = ")([^"]+)(?="$)')
PLACES: Final = (
    SOURCE,
    *(
        _json(f"{folder}/{name}", 1 + (name == "package-lock.json"))
        for folder in ("vscode-extension", "shlo_kernel/labextension", "web")
        for name in ("package.json", "package-lock.json")
    ),
    Place("editors/zed/Cargo.toml", r'^(version = ")([^"]+)(?=")'),
    Place("editors/zed/extension.toml", r'^(version = ")([^"]+)(?=")'),
    Place("editors/emacs/shlo.el", r"^(;; Version: )(\S+)"),
    Place("vscode-extension/media/walkthrough-server.svg", r"(▦ shlo )([^<]+)"),
    Place("share/man/man1/shlo.1", r'^(\.TH SHLO 1 "" "shlo )([^"]+)'),
    Place("packaging/conda/recipe.yaml", r'^(  version: ")([^"]+)(?=")'),
    Place("docs/ci.md", r"^( +rev: v)(\S+)"),
    Place("docs/install.md", r"^(  ok +shlo: )(\S+)"),
)
"""All files that repeat the version; in a lock file, only the first ones are ours."""


class VersionError(ValueError):
    """What is no version, or a file that does not hold one where it should."""


def current(root: Path = ROOT) -> str:
    """Returns the version that `shlo/__init__.py` states."""
    return _stated(root, SOURCE)[0]


def differing(root: Path = ROOT) -> list[str]:
    """Returns `path: version` for each file that has another version than `shlo/__init__.py`."""
    expected = current(root)
    stated = [(spot.path, version) for spot in PLACES for version in _stated(root, spot)]
    wrong = [f"{path}: {version}" for path, version in stated if version != _spelled(path, expected)]
    tops = [(path, _top_section(root, path)) for path in CHANGELOGS]
    return wrong + [f"{path}: {version}" for path, version in tops if version != expected]


def bump(version: str, root: Path = ROOT) -> list[str]:
    """Writes a version into all files and begins its section of the changelog; returns the changed files.

    Raises VersionError, and then has changed nothing.
    """
    if not re.fullmatch(VERSION, version):
        raise VersionError(f"expected a version such as 0.2.0 or 0.2.0rc1, got {version!r}")
    written = {spot.path: _replaced(root, spot, _spelled(spot.path, version)) for spot in PLACES}
    for path in CHANGELOGS:
        if _top_section(root, path) != version:
            written[path] = re.sub(r"^## ", f"## {version}\n\n## ", _text(root, path), count=1, flags=re.M)
    if version != current(root):
        written[RELEASED_API] = _text(root, CURRENT_API)
    changed = [path for path, text in written.items() if text != _text(root, path)]
    for path in changed:
        (root / path).write_text(written[path], encoding="utf-8", newline="\n")
    return changed


def _spelled(path: str, version: str) -> str:
    """Returns a version as a file spells it: npm and Cargo write pre-releases with a hyphen (0.2.0-rc1)."""
    if path.endswith((".py", ".yaml", ".svg", ".1", ".md")):
        return version
    return re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"-\1", version)


def _stated(root: Path, spot: Place) -> list[str]:
    """Returns the versions that a file states. Raises VersionError where there are too few."""
    versions = [match[2] for match in re.finditer(spot.pattern, _text(root, spot.path), re.M)][: spot.times]
    if len(versions) != spot.times:
        raise VersionError(f"{spot.path}: expected {spot.times} version(s), got {len(versions)}")
    return versions


def _replaced(root: Path, spot: Place, version: str) -> str:
    _stated(root, spot)
    return re.sub(
        spot.pattern,
        lambda match: match[1] + version,
        _text(root, spot.path),
        count=spot.times,
        flags=re.M,
    )


def _top_section(root: Path, path: str) -> str:
    match = re.search(r"^## (\S+)", _text(root, path), re.M)
    return match[1] if match else "no section"


def _text(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Prints or writes the version; returns an exit code."""
    try:
        if arguments:
            for path in bump(arguments[0]):
                print(f"wrote {path}")
            return 0
        wrong = differing()
    except VersionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(current())
    for mismatch in wrong:
        print(f"error: {mismatch} differs (python -m release.version {current()} writes it)", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
