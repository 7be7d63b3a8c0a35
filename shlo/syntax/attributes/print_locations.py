"""Locations to text. The module printer passes its own function for children, which uses aliases."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.attributes import Attribute
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    LocationAlias,
    NameLocation,
)
from shlo.syntax.lexer.strings import quoted


def location_text(location: Location) -> str:
    """`loc(...)`, everything in place."""
    return f"loc({location_body(location)})"


def location_body(
    location: Location,
    child: Callable[[Location], str] | None = None,
    metadata: Callable[[Attribute], str] | None = None,
) -> str:
    """What is inside `loc(...)`; `child` and `metadata` write the locations and attributes within it."""
    of = child or location_body
    if isinstance(location, FileLocation):
        return _file_text(location)
    if isinstance(location, NameLocation):
        return quoted(location.name) + (f"({of(location.child)})" if location.child else "")
    if isinstance(location, CallSiteLocation):
        return f"callsite({of(location.callee)} at {of(location.caller)})"
    if isinstance(location, FusedLocation):
        return _fused_text(location, of, metadata or str)
    return f"#{location.name}" if isinstance(location, LocationAlias) else "unknown"


def _file_text(location: FileLocation) -> str:
    start = f"{quoted(location.file)}:{location.line}:{location.column}"
    if location.end_line is None or location.end_column is None:
        return start
    line = "" if location.end_line == location.line else location.end_line
    return f"{start} to {line}:{location.end_column}"


def _fused_text(
    location: FusedLocation, of: Callable[[Location], str], metadata: Callable[[Attribute], str]
) -> str:
    about = f"<{metadata(location.metadata)}>" if location.metadata is not None else ""
    return f"fused{about}[{', '.join(map(of, location.locations))}]"
