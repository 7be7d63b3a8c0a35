"""Where an operation came from in the program that it was made from: the Python lines and the name stack
that JAX leaves in locations.

JAX writes `loc("jit(train)/layer_3/attn/dot_general"(PLACE))`, where PLACE is a line of Python or a call
site: `callsite(INNER at OUTER)`, each end of which is `loc("function"("file":LINE:COLUMN))`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
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


class SourceLine(Struct, frozen=True):
    """A line of the program that a function was traced from; `function` is empty where it is not known."""

    file: str
    line: int
    column: int
    function: str = ""


class Origin(Struct, frozen=True):
    """Where an operation came from. `scope` is the name stack without its last part
    (`jit(train)/layer_3/attn`), `primitive` that last part; `lines` are the calls that led there, the
    innermost first. What is not known is empty.
    """

    scope: str = ""
    primitive: str = ""
    lines: tuple[SourceLine, ...] = ()

    @property
    def line(self) -> SourceLine | None:
        """The innermost line."""
        return self.lines[0] if self.lines else None


def origin_of(location: Location | None) -> Origin:
    """Returns what a location tells; an empty Origin for none."""
    stack = _stack_of(location)
    scope, separator, primitive = stack.rpartition("/")
    lines = tuple(_lines(location, "", 0, set()))
    return Origin(scope, primitive, lines) if separator else Origin(stack, "", lines)


def scope_of(location: Location | None) -> str:
    """Returns the name stack of a location without its last part, as `origin_of` does, without more."""
    stack = _stack_of(location)
    scope, separator, _ = stack.rpartition("/")
    return scope if separator else stack


def _stack_of(location: Location | None) -> str:
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
    for inner in _inner(location, depth):
        yield from _names(inner, depth + 1, met)


def _lines(location: Location | None, function: str, depth: int, met: set[int]) -> Iterator[SourceLine]:
    location = resolve(location)
    if id(location) in met:
        return
    met.add(id(location))
    if isinstance(location, FileLocation):
        yield SourceLine(location.file, location.line, location.column, function)
    name = location.name if isinstance(location, NameLocation) else ""
    for inner in _inner(location, depth):
        yield from _lines(inner, "" if NAME_STACK.match(name) else name, depth + 1, met)


def _inner(location: Location | None, depth: int) -> tuple[Location | None, ...]:
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


def part_names(part: str) -> tuple[str, ...]:
    """Returns the names by which a part of a name stack is known: `transpose(jvp(layer_3))`,
    `jvp(layer_3)`, `layer_3`.
    """
    names = [part]
    while len(names) < DEPTH_LIMIT and (match := _TRANSFORMED.fullmatch(names[-1])):
        names.append(match[1])
    return tuple(names)
