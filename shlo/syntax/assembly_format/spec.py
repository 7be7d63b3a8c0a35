"""Assembly formats, compiled: the text on a definition becomes a tuple of items that the parser and the
printer both follow.

The notation is described in `shlo/dialects/opdef.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from shlo.dialects.opdef import Arity, AttributeDef, OpDef
from shlo.syntax.assembly_format.directives import custom_directive

TOKEN = re.compile(
    r"`(?P<literal>[^`]*)`"
    r"|\$(?P<name>\w+)"
    r"|(?P<kind>type|region|custom)\((?P<argument>\w+)\)"
    r"|(?P<word>operands|attr-dict-keyword|attr-dict)"
    r"|(?P<open>\[)|(?P<close>\]\?)"
)


class Literal(Struct, frozen=True):
    """Punctuation or a keyword; an empty one takes the blank before the next item away."""

    text: str


class OperandItem(Struct, frozen=True):
    """An operand, or a list of them."""

    name: str
    arity: Arity


class AttributeItem(Struct, frozen=True):
    """An attribute, written as its kind says."""

    spec: AttributeDef


class AllOperands(Struct, frozen=True):
    """All operands, separated by commas."""


class AttrDict(Struct, frozen=True):
    """The attributes that are not shown elsewhere, after the word `attributes` where `keyword` is set."""

    keyword: bool


class TypeItem(Struct, frozen=True):
    """The types, in one of the ways that `directives` knows."""

    kind: str


class RegionItem(Struct, frozen=True):
    """A region in braces; its number among the op's regions."""

    index: int


class OptionalGroup(Struct, frozen=True):
    """Items that are there together or not at all."""

    items: tuple[Item, ...]


class Custom(Struct, frozen=True):
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


class Format(Struct, frozen=True):
    """An assembly format: its items, and the attributes that they show outside the attribute dictionary."""

    items: tuple[Item, ...]
    shown: frozenset[str]


@cache
def format_of(op_def: OpDef) -> Format | None:
    """Returns the compiled format of a definition, None where the op has only the generic form.

    Raises ValueError for a format that does not follow the notation: a mistake on the definition.
    """
    if op_def.format is None:
        return None
    items = _items(op_def, _tokens(op_def))
    return Format(items, frozenset(_shown(items)))


@cache
def attribute_words(op_def: OpDef) -> dict[str, AttributeDef]:
    """Returns the attributes that an operation's pretty form shows, in its order, by their words in it:
    `dims` for `permutation`, or their names."""
    compiled, words = format_of(op_def), dict[str, AttributeDef]()
    for word, name in _words(compiled.items) if compiled else ():
        spec = op_def.attribute(name)
        if spec is not None and (word != name or spec not in words.values()):
            words.setdefault(word, spec)
    return words


def _words(items: tuple[Item, ...]) -> Iterator[tuple[str, str]]:
    """Yields for each attribute the word before its `=`, its name where it has none, and its name."""
    literals = ["", ""]
    for item in items:
        match item:
            case Literal(text):
                literals.append(text)
                continue
            case AttributeItem(spec):
                yield literals[-2] if literals[-1] == "=" else spec.name, spec.name
            case OptionalGroup(group):
                yield from _words(group)
            case Custom(name):
                yield from custom_directive(name).words.items()
            case _:
                pass
        literals = ["", ""]


def _tokens(op_def: OpDef) -> Iterator[re.Match[str]]:
    text = op_def.format or ""
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"{op_def.name}: no format item at '{text[position:]}'")
        yield match
        position = match.end()


def _items(op_def: OpDef, tokens: Iterator[re.Match[str]]) -> tuple[Item, ...]:
    """Returns the items up to the end of the group, or of the format."""
    items: list[Item] = []
    for token in tokens:
        if token["close"]:
            break
        items.append(OptionalGroup(_items(op_def, tokens)) if token["open"] else _item(op_def, token))
    return tuple(items)


def _item(op_def: OpDef, token: re.Match[str]) -> Item:
    if token["literal"] is not None:
        return Literal(token["literal"])
    if token["name"]:
        return _named(op_def, token["name"])
    if token["kind"]:
        return _directive(op_def, token["kind"], token["argument"])
    return AllOperands() if token["word"] == "operands" else AttrDict(token["word"] == "attr-dict-keyword")


def _directive(op_def: OpDef, kind: str, argument: str) -> Item:
    if kind == "type":
        return TypeItem(argument)
    if kind == "custom":
        return Custom(argument)
    return RegionItem([region.name for region in op_def.regions].index(argument))


def _named(op_def: OpDef, name: str) -> Item:
    for operand in op_def.operands:
        if operand.name == name:
            return OperandItem(name, operand.arity)
    spec = op_def.attribute(name)
    if spec is not None:
        return AttributeItem(spec)
    raise ValueError(f"{op_def.name} has no operand or attribute '{name}'")


def _shown(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if isinstance(item, AttributeItem):
            yield item.spec.name
        elif isinstance(item, OptionalGroup):
            yield from _shown(item.items)
        elif isinstance(item, Custom):
            yield from custom_directive(item.name).attributes
