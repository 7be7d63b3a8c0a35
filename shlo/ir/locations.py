"""Locations: MLIR's attributes that say where an operation came from."""

from __future__ import annotations

from msgspec import Struct

from shlo.ir.attributes import Attribute


class Location(Attribute):
    """Base class of all locations. An operation without a location has the span of its text as location."""

    __slots__ = ()


class UnknownLocation(Location, Struct, frozen=True):
    """`loc(unknown)`."""


class FileLocation(Location, Struct, frozen=True):
    """`loc("file":line:column)`, or a range to `end_line`:`end_column`; lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int | None = None
    end_column: int | None = None


class NameLocation(Location, Struct, frozen=True):
    """`loc("name"(child))`; JAX keeps its name stack here (`jit(train)/layer_3/attn`)."""

    name: str
    child: Location | None = None


class CallSiteLocation(Location, Struct, frozen=True, cache_hash=True):
    """`loc(callsite(callee at caller))`."""

    callee: Location
    caller: Location


class FusedLocation(Location, Struct, frozen=True, cache_hash=True):
    """`loc(fused<metadata>[a, b])`."""

    locations: tuple[Location, ...]
    metadata: Attribute | None = None


class LocationAlias(Location):
    """A use of `#name`; what it represents may be defined later in the file, and is None where never."""

    __slots__ = ("name", "target")

    def __init__(self, name: str, target: Location | None = None) -> None:
        self.name = name
        self.target = target


def resolve(location: Location | None) -> Location | None:
    """Returns the location behind an alias."""
    seen = 0
    while isinstance(location, LocationAlias) and seen < 1000:
        location, seen = location.target, seen + 1
    return location


def file_location(location: Location | None) -> FileLocation | None:
    """Returns the line of a file behind aliases and names, None where there is none."""
    location = resolve(location)
    while isinstance(location, NameLocation):
        location = resolve(location.child)
    return location if isinstance(location, FileLocation) else None


def place_of(location: Location | None) -> str | None:
    """Returns `file:line:column` of a location, None where it has none."""
    file = file_location(location)
    return f"{file.file}:{file.line}:{file.column}" if file else None
