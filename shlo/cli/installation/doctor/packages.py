"""Packages that shlo and its extras need: which are installed, which are too old or too new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

from msgspec import Struct

from shlo.command_line.health import DISTRIBUTION, HealthCheck, package_command

EXTRAS: Final = {
    "lsp": "the language server",
    "tui": "the debugger on the terminal",
    "kernel": "the Jupyter kernel and widgets",
    "xla": "the engine XLA, programs of JAX",
    "jit": "machine code for loops of small arrays",
    "reference": "the engine by which shlo conform judges",
    "mcp": "the server for agents",
}
"""The extras for users, and what each brings."""

_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^]]*\])?\s*([^;]*?)\s*(?:;\s*(.*))?")
_COMPARISONS: Final = (">=", "<=", "==", "!=", "<", ">")


class Requirement(Struct, frozen=True):
    """A package, the versions of it that will do (`>=2.1,<3`), and the extra that needs it ("" for shlo)."""

    package: str
    versions: str
    extra: str


def package_checks() -> list[HealthCheck]:
    """Returns a check for each package that shlo needs, and one for each extra."""
    needed = requirements()
    checks = [_check("core", requirement) for requirement in needed if not requirement.extra]
    for extra, title in EXTRAS.items():
        checks += _extra(extra, title, [requirement for requirement in needed if requirement.extra == extra])
    return checks


def requirements() -> list[Requirement]:
    """Returns what the metadata of shlo requires; nothing where shlo is not installed, but on the path."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    return list(filter(None, map(_requirement, lines)))


def satisfies(installed: str, versions: str) -> bool:
    """Returns whether a version is one of `versions`, such as `>=2.1,<3`; what is before a release counts as
    the release, and a comparison of another kind as true.
    """
    return all(
        _compare(installed, comparison.strip()) for comparison in versions.split(",") if comparison.strip()
    )


def _extra(extra: str, title: str, needed: list[Requirement]) -> Iterator[HealthCheck]:
    checks = [_check(f"extra {extra}: {title}", requirement) for requirement in needed]
    # Into the environment as it is: `uv tool install` removes other extras, pipx asks an index for shlo.
    command = package_command(f"{DISTRIBUTION}[{extra}]")
    if checks and all(check.state == "absent" for check in checks):
        names = ", ".join(requirement.package for requirement in needed)
        yield HealthCheck(checks[0].part, names, "absent", "not installed", command)
        return
    for check in checks:
        yield (
            check
            if check.state == "ok"
            else HealthCheck(check.part, check.name, "broken", check.detail, command)
        )


def _check(part: str, needed: Requirement) -> HealthCheck:
    advice = package_command(f"{needed.package}{needed.versions}")
    try:
        installed = version(needed.package)
    except PackageNotFoundError:
        state = "absent" if needed.extra else "broken"
        return HealthCheck(part, needed.package, state, "not installed", advice)
    if satisfies(installed, needed.versions):
        return HealthCheck(part, needed.package, "ok", installed)
    return HealthCheck(part, needed.package, "broken", f"expected {needed.versions}, got {installed}", advice)


def _requirement(line: str) -> Requirement | None:
    match = _REQUIREMENT.fullmatch(line)
    if match is None:
        return None
    extra = re.search(r"extra == ['\"]([\w-]+)['\"]", match[3] or "")
    return Requirement(match[1], match[2].strip("() "), extra[1] if extra else "")


def _compare(installed: str, comparison: str) -> bool:
    sign = next((candidate for candidate in _COMPARISONS if comparison.startswith(candidate)), None)
    if sign is None or comparison.endswith("*"):
        return True
    ours, theirs = _release(installed), _release(comparison.removeprefix(sign).strip())
    length = max(len(ours), len(theirs))
    left, right = (numbers + (0,) * (length - len(numbers)) for numbers in (ours, theirs))
    return {
        ">=": left >= right,
        "<=": left <= right,
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        ">": left > right,
    }[sign]


def _release(text: str) -> tuple[int, ...]:
    match = re.match(r"(?:\d+!)?(\d+(?:\.\d+)*)", text)
    return tuple(map(int, match[1].split("."))) if match else ()
