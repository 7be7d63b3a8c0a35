"""Assembly formats, compiled: the text on a card becomes a tuple of items that the parser and the printer
both follow.

The notation is described in `shlo/dialects/opdef.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from shlo.dialects.opdef import Arity, AttributeSpec, Card
from shlo.syntax.assembly_format.directives import find_directive

TOKEN = re.compile(
    r"`(?P<literal>[^`]*)`"
    r"|\$(?P<name>\w+)"
    r"|(?P<kind>type|region|custom)\((?P<argument>\w+)\)"
    r"|(?P<word>operands|attr-dict-keyword|attr-dict)"
    r"|(?P<open>\[)|(?P<close>\]\?)"
)


@dataclass(frozen=True, slots=True)
class Literal:
    """Punctuation or a keyword; an empty one takes the blank before the next item away."""

    text: str


@dataclass(frozen=True, slots=True)
class OperandItem:
    """An operand, or a list of them."""

    name: str
    arity: Arity


@dataclass(frozen=True, slots=True)
class AttributeItem:
    """An attribute, written as its kind says."""

    spec: AttributeSpec


@dataclass(frozen=True, slots=True)
class AllOperands:
    """All operands, separated by commas."""


@dataclass(frozen=True, slots=True)
class AttrDict:
    """The attributes that the format does not show elsewhere, after the word `attributes` where `keyword`
    is set."""

    keyword: bool


@dataclass(frozen=True, slots=True)
class TypeItem:
    """The types, in one of the ways that `directives` knows."""

    kind: str


@dataclass(frozen=True, slots=True)
class RegionItem:
    """A region in braces; its number among the op's regions."""

    index: int


@dataclass(frozen=True, slots=True)
class OptionalGroup:
    """Items that stand there together or not at all."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Custom:
    """A pair of functions in `directives`."""

    name: str


Item = (
    Literal
    | OperandItem
    | AttributeItem
    | AllOperands
    | AttrDict
    | TypeItem
    | RegionItem
    | OptionalGroup
    | Custom
)


@dataclass(frozen=True, slots=True)
class Format:
    """An assembly format: its items, and the attributes that they show outside the attribute dictionary."""

    items: tuple[Item, ...]
    shown: frozenset[str]


@cache
def format_of(card: Card) -> Format | None:
    """The compiled format of a card, None where the op has only the generic form.

    Raises ValueError for a format that does not follow the notation: a mistake on the card.
    """
    if card.format is None:
        return None
    items = _items(card, _tokens(card))
    return Format(items, frozenset(_shown(items)))


def _tokens(card: Card) -> Iterator[re.Match[str]]:
    text = card.format or ""
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"{card.name}: no format item at '{text[position:]}'")
        yield match
        position = match.end()


def _items(card: Card, tokens: Iterator[re.Match[str]]) -> tuple[Item, ...]:
    """The items up to the end of the group, or of the format."""
    items: list[Item] = []
    for token in tokens:
        if token["close"]:
            break
        items.append(OptionalGroup(_items(card, tokens)) if token["open"] else _item(card, token))
    return tuple(items)


def _item(card: Card, token: re.Match[str]) -> Item:
    if token["literal"] is not None:
        return Literal(token["literal"])
    if token["name"]:
        return _named(card, token["name"])
    if token["kind"]:
        return _directive(card, token["kind"], token["argument"])
    return AllOperands() if token["word"] == "operands" else AttrDict(token["word"] == "attr-dict-keyword")


def _directive(card: Card, kind: str, argument: str) -> Item:
    if kind == "type":
        return TypeItem(argument)
    if kind == "custom":
        return Custom(argument)
    return RegionItem([region.name for region in card.regions].index(argument))


def _named(card: Card, name: str) -> Item:
    for operand in card.operands:
        if operand.name == name:
            return OperandItem(name, operand.arity)
    spec = card.attribute(name)
    if spec is not None:
        return AttributeItem(spec)
    raise ValueError(f"{card.name} has no operand or attribute '{name}'")


def _shown(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if isinstance(item, AttributeItem):
            yield item.spec.name
        elif isinstance(item, OptionalGroup):
            yield from _shown(item.items)
        elif isinstance(item, Custom):
            yield from find_directive(item.name).attributes
