"""The lines of Python that led to an operation, and the one of them that a reader should see."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.locations import FileLocation, Location, NameLocation, resolve
from shlo.ir.name_stack import NAME_STACK, inner_locations, split_stack, stack_of
from shlo.ir.operations import Operation

MOST_LINES: Final = 200
"""How many lines are kept of the calls that led to an operation."""

_PACKAGES: Final = Path(__file__).parents[2].as_posix()
_INSTALLED: Final = re.compile(r"(?:^|/)(?:(?:site|dist)-packages|jax/_src|lib/python3\.\d+)/|^<frozen ")
_OF_SHLO: Final = re.compile(rf"{re.escape(_PACKAGES)}/shlo(?:_\w+)?/")


@lru_cache(4096)
def is_library(file: str) -> bool:
    """Returns whether a file is one of JAX, of another installed package, of Python or of shlo."""
    path = file.replace("\\", "/")
    return bool(_INSTALLED.search(path) or _OF_SHLO.match(path))


class SourceLine(Struct, frozen=True):
    """A line of the program that a function was traced from; `function` is empty where it is not known, the
    end of what is meant there 0.
    """

    file: str
    line: int
    column: int
    function: str = ""
    end_line: int = 0
    end_column: int = 0


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
        """The line that a reader should see: the innermost one outside of libraries, else the innermost."""
        return next((line for line in self.lines if not is_library(line.file)), next(iter(self.lines), None))


def origin_of(location: Location | None) -> Origin:
    """Returns what a location tells; an empty Origin for none."""
    return Origin(*split_stack(stack_of(location)), tuple(_lines(location, "", 0, set())))


def through_calls(origin: Origin, callers: Iterable[Origin]) -> Origin:
    """Returns the origin of an operation, where no line of its own is outside of libraries with the lines of
    the calls that led to it, up to one that is.

    Args:
        origin: what the operation's location tells.
        callers: the origins of the calls and regions around it, the innermost first.
    """
    lines = origin.lines
    for caller in callers:
        if len(lines) >= MOST_LINES or not all(is_library(line.file) for line in lines):
            break
        lines += caller.lines
    return origin if len(lines) == len(origin.lines) else replace(origin, lines=lines[:MOST_LINES])


def agreed(calls: Collection[Origin]) -> tuple[Origin, ...]:
    """Returns the origin of calls of a function, where all are on one line; none where it is not known which
    of several calls is meant.
    """
    return (next(iter(calls)),) if len({call.line for call in calls}) == 1 else ()


def origin_of_path(path: Sequence[Operation]) -> Origin:
    """Returns the origin of the last of some operations, to which those before it led, the outermost first:
    calls and operations with regions.
    """
    origin, *callers = (origin_of(operation.location) for operation in reversed(path))
    return through_calls(origin, callers)


def _lines(location: Location | None, function: str, depth: int, met: set[int]) -> Iterator[SourceLine]:
    location = resolve(location)
    if id(location) in met:
        return
    met.add(id(location))
    if isinstance(location, FileLocation):
        end = location.end_line or 0, location.end_column or 0
        yield SourceLine(location.file, location.line, location.column, function, *end)
    name = location.name if isinstance(location, NameLocation) else ""
    for inner in inner_locations(location, depth):
        yield from _lines(inner, "" if NAME_STACK.match(name) else name, depth + 1, met)
