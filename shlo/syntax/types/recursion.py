"""Recursion of the grammar: types hold attributes (encodings, layouts), and attributes hold types.

What parses or prints one of the two calls the other through `recursion`, which the modules that define the
entry points fill in when they are imported; so none of them imports what imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from shlo.ir.attributes import Attribute
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor


class AttributeText(Protocol):
    """Returns an attribute's text; `elide_type` leaves the types i64 and f64 unsaid."""

    def __call__(self, attribute: Attribute, elide_type: bool = False) -> str:
        """Returns the text of an attribute."""
        ...


class Recursion:
    """Entry points that the parts of the grammar below them use."""

    parse_type: Callable[[Cursor], Type]
    type_text: Callable[[Type], str]
    parse_attribute: Callable[[Cursor], Attribute]
    attribute_text: AttributeText


recursion = Recursion()
