"""Checks of struct attributes wherever they occur: in properties, in lists, in dictionaries."""

from __future__ import annotations

from shlo.dialects import find_attr_def
from shlo.dialects.attr_constraints import Problem
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr


def nested_problem(attribute: Attribute) -> Problem | None:
    """Returns what is wrong with a struct attribute, or with one inside a list or a dictionary."""
    if isinstance(attribute, ArrayAttr):
        inside: tuple[Attribute, ...] = attribute.values
    elif isinstance(attribute, DictionaryAttr):
        inside = tuple(value for _, value in attribute.entries)
    else:
        found = find_attr_def(type(attribute))
        return found.check(attribute) if found and found.check else None
    return next((problem for each in inside if (problem := nested_problem(each))), None)
