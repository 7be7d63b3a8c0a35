"""Aliases that a text defines: attributes, types, locations."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct, field

from shlo.ir.attributes import Attribute
from shlo.ir.locations import LocationAlias
from shlo.ir.source import Span
from shlo.ir.types import Type


class Extent(NamedTuple):
    """How many levels a parsed text nests, and how many characters it has with all aliases in it replaced."""

    depth: int = 0
    size: int = 0


NO_EXTENT: Final = Extent()


class AliasTable(Struct):
    """The aliases of a text by name, in the order of their definitions.

    Attributes:
        places: Where each alias of a location is first written; locations may be defined behind their use.
        extents: The measured definitions, by sign and name.
        broken: The signs and names whose definitions cannot be parsed.
    """

    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    types: dict[str, Type] = field(default_factory=dict[str, Type])
    locations: dict[str, LocationAlias] = field(default_factory=dict[str, LocationAlias])
    places: dict[str, Span] = field(default_factory=dict[str, Span])
    extents: dict[str, Extent] = field(default_factory=dict[str, Extent])
    broken: set[str] = field(default_factory=set[str])

    def mean(self, uses: dict[str, Attribute | Type]) -> bool:
        """Returns whether aliases are defined by now and mean these very objects."""
        for name, value in uses.items():
            table = self.types if name[0] == "!" else self.attributes
            if table.get(name[1:]) is not value:
                return False
        return True

    def location(self, name: str, use: Span) -> LocationAlias:
        """Returns the location `#name`, defined by now or not."""
        alias = self.locations.get(name)
        if alias is None:
            alias = self.locations[name] = LocationAlias(name)
            self.places[name] = use
        return alias
