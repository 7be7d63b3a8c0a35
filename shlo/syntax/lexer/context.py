"""State that the parses of one document share: interned types, and what earlier lines were parsed as."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from shlo.dialects.mhlo import MHLO, twin
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import Attribute
from shlo.ir.locations import LocationAlias
from shlo.ir.operations import Region, Signature
from shlo.ir.source import Span
from shlo.ir.types import Type

AliasUses = dict[str, Attribute | Type]
"""What aliases mean, by sign and name."""


class AliasDefinition(NamedTuple):
    """What an alias was defined as: the text behind its name up to where the parser stopped, the aliases used
    in it, and what it means."""

    text: str
    uses: AliasUses
    value: Attribute | Type


class LineTemplate(NamedTuple):
    """An operation parsed from one line, without its values: the entry of the parse cache.

    `names` counts all value names, `results` those on its left, `group_size` is how many values a single such
    name refers to (0: one value, no pack), `order` puts the operands' names into operand order (None: as
    they are), `regions` are those that a short form implies. `says_types` tells that the line says the types
    of its operands, so that it can be parsed whatever they are. The template is that of lines in whose place
    the aliases of `uses` mean the same objects.
    """

    signature: Signature
    results: int
    group_size: int
    names: int
    order: tuple[int, ...] | None
    regions: tuple[Region, ...]
    says_types: bool
    uses: AliasUses


LineTemplates = dict[str, LineTemplate | None]
"""Templates by the line with `%` for every value name; None marks lines for the general parser only."""


MAX_HEADERS = 8


class Header(Struct, frozen=True):
    """A part of a text that starts at an offset, and what was parsed from it."""

    text: str
    start: int
    parsed: Any


class Context:
    """Shared state of the parses of one document: interned types, line templates by default dialect, and by
    name the signatures of functions that are long and the definitions of aliases.

    One per document or load, never global. Where `reads_mhlo`, operations of MHLO are parsed as those of
    StableHLO and CHLO that mean the same.
    """

    __slots__ = ("definitions", "headers", "line_templates", "reads_mhlo", "tensor_types", "types")

    def __init__(self, reads_mhlo: bool = False) -> None:
        self.reads_mhlo = reads_mhlo
        self.types: dict[Type, Type] = {}
        self.tensor_types: dict[str, Type] = {}  # by their text
        self.line_templates: dict[str, LineTemplates] = {}
        self.headers: dict[str, Header] = {}
        self.definitions: dict[str, AliasDefinition] = {}

    def keep_header(self, name: str, header: Header) -> None:
        """Keeps what a header was parsed as, instead of the oldest one where there are many."""
        others = [(key, other) for key, other in list(self.headers.items()) if key != name]
        self.headers = dict([*others, (name, header)][-MAX_HEADERS:])

    def defined(self, name: str, definition: AliasDefinition) -> Attribute | Type:
        """Returns what the alias `name`, with its sign, means: the object of the last parse where the
        definition has the same text and the aliases in it mean the same."""
        earlier = self.definitions.get(name)
        if earlier is not None and earlier.text == definition.text:
            uses = definition.uses
            if all(uses.get(alias) is value for alias, value in earlier.uses.items()):
                return earlier.value
        self.definitions[name] = definition
        return definition.value

    def intern(self, type_: Type) -> Type:
        """Returns the one object for this type in the document."""
        return self.types.setdefault(type_, type_)

    def twin(self, name: str) -> OpDef | None:
        """Returns the definition of the twin of an operation of MHLO, None where there is none to be used."""
        return twin(name) if self.reads_mhlo and name.startswith(f"{MHLO}.") else None


# -- Aliases that a text defines -----------------------------------------------------------------------------


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
