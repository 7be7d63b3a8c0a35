"""The aliases that MLIR gives to some attributes wherever they are: `#map` for affine maps, `#set` for
affine sets, `#sparse` for the encodings of sparse tensors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.attributes import ArrayAttr, Attribute, DenseResourceAttr, DictionaryAttr
from shlo.ir.types import Type
from shlo.syntax.attributes.print import attribute_text
from shlo.syntax.lexer.tokens import IDENTIFIER, STRING
from shlo.syntax.types.print import type_text

ALIASED = {"affine_map": "map", "affine_set": "set", "#sparse_tensor.encoding": "sparse"}
STEP = re.compile(rf"{STRING}|->|>=|[<>]")
START = re.compile(rf"{STRING}|(affine_map|affine_set|#sparse_tensor\.encoding)<|[#!]{IDENTIFIER}<", re.ASCII)
"""A string or an attribute or type of another dialect, which stay as they are, or what gets an alias."""


class AttrAliasTable:
    """Puts aliases into texts and remembers what they refer to."""

    def __init__(self) -> None:
        self._aliases: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def shorten(self, text: str) -> str:
        """Returns the text of a type or attribute with aliases in it."""
        if not any(word in text for word in ALIASED):  # much sooner known than by the pattern
            return text
        parts: list[str] = []
        written = end = 0
        while match := START.search(text, end):
            end = match.end()
            if text[end - 1] == "<":
                end = _end(text, end - 1)
            if match[1] is None:
                continue
            aliased = " ".join(text[match.start() : end].replace("<{", "<{ ").replace("}>", " }>").split())
            parts += text[written : match.start()], self._alias(aliased, match[1])
            written = end
        return "".join([*parts, text[written:]])

    def definitions(self) -> list[str]:
        """Returns the lines that define the aliases, by kind and in the order of their first use."""
        by_kind = sorted(self._aliases.items(), key=lambda item: item[1].rstrip("0123456789"))
        return [f"{alias} = {text}\n" for text, alias in by_kind]

    def _alias(self, text: str, word: str) -> str:
        alias = self._aliases.get(text)
        if alias is None:
            kind = ALIASED[word]
            count = self._counts.get(kind, 0)
            self._counts[kind] = count + 1
            alias = self._aliases[text] = f"#{kind}{count or ''}"
        return alias


def _end(text: str, start: int) -> int:
    """Returns the place behind the angle bracket that closes the one at `start`."""
    depth = 0
    for match in STEP.finditer(text, start):
        depth += {"<": 1, ">": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


# -- The texts of types and attributes while a module is printed ---------------------------------------------


class TextCache:
    """The texts of types, each put together once, and of attributes.

    `resource_keys` are those of the resources that the attributes speak of, kept where the module has any;
    `aliases` shortens texts where it is given.
    """

    def __init__(self, has_resources: bool = False, aliases: AttrAliasTable | None = None) -> None:
        self.resource_keys: list[str] = []
        self._aliases = aliases
        self._has_resources = has_resources
        self._types: dict[int, str] = {}
        self._kept: list[Type] = []

    def type(self, type_: Type) -> str:
        """Returns the type's text."""
        text = self._types.get(id(type_))
        if text is None:
            text = self._types[id(type_)] = self._shortened(type_text(type_))
            self._kept.append(type_)
        return text

    def attribute(self, attribute: Attribute) -> str:
        """Returns the attribute's text."""
        if self._has_resources:
            self.resource_keys += _resource_keys(attribute)
        return self._shortened(attribute_text(attribute))

    def _shortened(self, text: str) -> str:
        return self._aliases.shorten(text) if self._aliases is not None else text


def _resource_keys(attribute: Attribute) -> Iterator[str]:
    if isinstance(attribute, DenseResourceAttr):
        yield attribute.key
    elif isinstance(attribute, ArrayAttr):
        for value in attribute:
            yield from _resource_keys(value)
    elif isinstance(attribute, DictionaryAttr):
        for _, value in attribute.entries:
            yield from _resource_keys(value)
