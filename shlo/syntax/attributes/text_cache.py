"""The texts of types and attributes while a module is printed."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.attributes import ArrayAttr, Attribute, DenseResourceAttr, DictionaryAttr
from shlo.ir.types import Type
from shlo.syntax.attributes.alias_table import AttrAliasTable
from shlo.syntax.attributes.print import attribute_text
from shlo.syntax.types.print import type_text


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
