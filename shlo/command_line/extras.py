"""What front ends say where their packages are not installed."""

from __future__ import annotations

from importlib.util import find_spec

from shlo.runner.errors import RequestError


def need(extra: str, *packages: str) -> None:
    """Raises RequestError where one of the packages that an extra of shlo brings is missing."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise RequestError(f"{', '.join(missing)} is not installed", f"pip install 'shlo[{extra}]'")
