"""The name stack that JAX leaves in locations, the scopes that it is made of, and locations in locations
(shlo.places.origins reads the lines of Python).

JAX writes `loc("jit(train)/layer_3/attn/dot_general"(PLACE))`, where PLACE is a line of Python or a call
site: `callsite(INNER at OUTER)`, each end of which is `loc("function"("file":LINE:COLUMN))`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.locations import (
    CallSiteLocation,
    FusedLocation,
    Location,
    NameLocation,
    resolve,
)

DEPTH_LIMIT = 200
"""How deeply locations are looked into."""

MOST_PARTS = 64
"""How many parts of a name stack a tree of scopes tells apart."""

NAME_STACK = re.compile(r"[^(/]*[/(]")
_TRANSFORMED = re.compile(r"\w+\((.*)\)", re.DOTALL)


def scope_of(location: Location | None) -> str:
    """Returns the name stack of a location without its last part."""
    return split_stack(stack_of(location))[0]


def split_stack(stack: str) -> tuple[str, str]:
    """Returns a name stack without its last part, and that part; a stack of one part is a scope."""
    scope, separator, primitive = stack.rpartition("/")
    return (scope, primitive) if separator else (stack, "")


def stack_of(location: Location | None) -> str:
    """Returns the name stack of a location with its last part, empty where there is none."""
    return next((name for name in _names(location, 0, set()) if NAME_STACK.match(name)), "")


def _names(location: Location | None, depth: int, met: set[int]) -> Iterator[str]:
    """Yields the names in a location, outer ones first; a part that occurs again is passed over."""
    location = resolve(location)
    if id(location) in met:
        return
    met.add(id(location))
    if isinstance(location, NameLocation):
        yield location.name
    for inner in inner_locations(location, depth):
        yield from _names(inner, depth + 1, met)


def inner_locations(location: Location | None, depth: int) -> tuple[Location | None, ...]:
    """Returns the locations in a location at a depth; none below the limit."""
    if depth >= DEPTH_LIMIT:
        return ()
    if isinstance(location, NameLocation):
        return (location.child,)
    if isinstance(location, CallSiteLocation):
        return (location.callee, location.caller)
    return location.locations if isinstance(location, FusedLocation) else ()


def scope_parts(scope: str) -> tuple[str, ...]:
    """Returns the parts of a name stack: `jit(f)`, `transpose(jvp(layer_3))`, `attn`. A `/` in parentheses
    separates none.
    """
    pieces = scope.split("/")
    if all(map(_is_balanced, pieces)):
        return tuple(pieces) if scope else ()
    parts, depth, start = list[str](), 0, 0
    for index, character in enumerate(scope):
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(depth - 1, 0)
        elif character == "/" and not depth:
            parts.append(scope[start:index])
            start = index + 1
    return (*parts, scope[start:]) if scope else ()


def _is_balanced(piece: str) -> bool:
    """Returns whether parentheses are nested right, as in `transpose(jvp(layer_3))`: all that close at the
    end."""
    inner = piece.rstrip(")")
    return ")" not in inner and inner.count("(") == len(piece) - len(inner)


def scope_path(scope: str) -> tuple[str, ...]:
    """Returns the parts of a name stack, of which a file may have any number, as far as trees of scopes tell
    them apart.
    """
    return scope_parts(scope)[:MOST_PARTS]


def joined_scope(around: tuple[str, ...], scope: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the parts of a name stack in a function that is called from another name stack; one that begins
    as that does is whole by itself.
    """
    if not around or (scope and scope[0] == around[0]):
        return scope
    return (*around, *scope)[:DEPTH_LIMIT]


def is_transposed(stack: str) -> bool:
    """Returns whether a name stack, or a part of one, is one of a backward pass, which JAX transposed."""
    return "transpose(" in stack


def part_names(part: str) -> tuple[str, ...]:
    """Returns the names by which a part of a name stack is known: `transpose(jvp(layer_3))`,
    `jvp(layer_3)`, `layer_3`.
    """
    names = [part]
    while len(names) < DEPTH_LIMIT and (match := _TRANSFORMED.fullmatch(names[-1])):
        names.append(match[1])
    return tuple(names)
