"""Entry points: what installed distributions add to shlo."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points_of(group: str) -> dict[str, list[EntryPoint]]:
    """Returns the entry points of a group by name; several distributions may use the same name."""
    from importlib.metadata import entry_points

    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        points.setdefault(point.name, []).append(point)
    return points
