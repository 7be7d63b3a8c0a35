"""Where a program came from: the lines of Python and the name stacks in its locations, both ways.

A location is read from the text under the cursor, or is that of an operation or argument. Names of files are
data of the program: front ends decide which of them may be opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from msgspec import Struct

from shlo.ir.attributes import StringAttr, SymbolRefAttr
from shlo.ir.locations import Location, resolve
from shlo.ir.name_stack import NAME_STACK, split_stack
from shlo.ir.op_path import OpPath, children_of
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.traced_names import argument_label
from shlo.language.document import Document, Part, once_per_part
from shlo.language.index.values import Value
from shlo.language.navigation import is_operation_name
from shlo.places.origins import Origin, SourceLine, agreed, origin_of, origin_of_path, through_calls
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import NAME, Token, line_span, token_at, tokens

MAX_LOCATIONS = 200
"""How many locations of one location are looked at."""
MAX_LINKS = 10_000
LOCATION_LINE = re.compile(rf"[ \t]*(#{NAME})[ \t]*=[ \t]*loc\(", re.ASCII)
MAX_FILE, MAX_LOCATION = 1_100, 10_000
"""How many characters before a place its file, or its location, may begin: a function's header may be a line
of megabytes."""
FILE = re.compile(
    r'"(?P<file>(?:[^"\\\n]|\\.){1,1000})":(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?(?![0-9])',
    re.ASCII,
)


class OriginPlace(Struct, frozen=True):
    """What was pointed at, and where it came from."""

    span: Span
    origin: Origin


class SourceLink(Struct, frozen=True):
    """A file with a line in the text of a location."""

    span: Span
    line: SourceLine


class LineOp(Struct, frozen=True):
    """An operation that came from a line of Python: its name and its first line's span in the document."""

    name: str
    span: Span
    scope: str


@recursive
def place_at(document: Document, offset: int) -> OriginPlace | None:
    """Returns the location that the text at an offset is, or that of the operation whose name it is; None
    where there is none or it names no file and no scope."""
    part = document.part_at(offset)
    token = token_at(part.text, offset - part.start)
    if token is None or token.kind == "comment":
        return None
    origin_place = _written(part, token) or _of_operation_name(part, token)
    return (
        OriginPlace(part.place(origin_place.span), origin_place.origin)
        if origin_place and origin_place.origin != Origin()
        else None
    )


def origin_around(document: Document, offset: int) -> Origin:
    """Returns where the innermost operation at an offset came from; of a value's name, what defines it."""
    part = document.part_at(offset)
    resolved = part.index.target_at(offset - part.start)
    if resolved is not None and isinstance(resolved[1], Value) and resolved[1].owner is not None:
        return origin_of(_value_location(resolved[1]))
    op_path = part.index.place_at(offset - part.start)
    return _origin_in(part, op_path)


def value_label(value: Value) -> str:
    """Returns what a function's argument was called in the program that this one was made from, as in
    `params['w']`; empty for another value."""
    if value.owner is None or value.owner.place.operation.name != "func.func" or value.position is None:
        return ""
    return argument_label(*value.position)


def links(text: str) -> Iterator[SourceLink]:
    """Yields the files with lines in a text's locations."""
    for count, match in enumerate(FILE.finditer(text)):
        if count >= MAX_LINKS:
            return
        yield SourceLink(Span(*match.span()), _line_of(match))


@once_per_part
def python_files(part: Part) -> frozenset[str]:
    """Returns the files of Python that a program's text names."""
    pieces = part.text.split('.py"')
    return frozenset([unescape(piece[piece.rfind('"') + 1 :]) + ".py" for piece in pieces[:-1]])


@recursive
def operations_of_line(document: Document, file: str, line: int) -> list[LineOp]:
    """Returns the operations that a line of Python led to, itself or through calls. `file` is a path, of
    which the path in a location may be the last parts, or the other way round."""
    return [
        LineOp(name, part.place(_first_line(part.text, span)), scope)
        for part in document.parts
        for (path, number), operations in _operations(part).items()
        if number == line and is_same_file(path, file)
        for name, span, scope in operations
    ]


@recursive
def counts_of_file(document: Document, file: str) -> dict[int, int]:
    """Returns how many operations each line of a Python file led to."""
    counts: dict[int, int] = {}
    for part in document.parts:
        for (path, line), operations in _operations(part).items():
            if is_same_file(path, file):
                counts[line] = counts.get(line, 0) + len(operations)
    return counts


def is_same_file(one: str, other: str) -> bool:
    """Returns whether a path is another, or ends with all parts of it, or both end with the same folder and
    file: a program may have been made on another machine."""
    one, other = one.replace("\\", "/"), other.replace("\\", "/")
    if one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}"):
        return True
    parts = one.split("/")[-2:]
    return parts == other.split("/")[-2:] and bool(parts[0])


def _value_location(value: Value) -> Location | None:
    assert value.owner is not None
    around = value.owner.place.operation.location
    if value.position is None:
        return around
    block, number = value.position
    return (block.argument_locations[number] if number < len(block.argument_locations) else None) or around


def _of_operation_name(part: Part, token: Token) -> OriginPlace | None:
    op_path = part.index.place_at(token.span.start)
    return OriginPlace(token.span, _origin_in(part, op_path)) if is_operation_name(op_path, token) else None


def _origin_in(part: Part, op_path: OpPath) -> Origin:
    """Returns the origin of an operation; where no line of its own is outside of libraries, with those of the
    operations around it, and of the calls of its function where all are on one line.
    """
    around = islice(op_path.around(), 1, None)
    inner = [op_path, *takewhile(lambda outer: outer.operation.name != "func.func", around)]
    inner_origin = origin_of_path([inside.operation for inside in reversed(inner)])
    name = inner[-1].parent.operation.attribute("sym_name") if inner[-1].parent else None
    calls = _calls(part).get(name.value, ()) if isinstance(name, StringAttr) else ()
    return through_calls(inner_origin, agreed(calls))


@once_per_part
def _calls(part: Part) -> dict[str, set[Origin]]:
    """Returns where the calls of functions came from, by the functions' names."""
    origins: dict[str, set[Origin]] = {}
    stack = list(children_of(part.index.root))
    while stack:
        op_path = stack.pop()
        callee = op_path.operation.attribute("callee") if op_path.operation.name == "func.call" else None
        if isinstance(callee, SymbolRefAttr):
            origins.setdefault(callee.root, set()).add(origin_of(op_path.operation.location))
        if op_path.operation.regions:
            stack += children_of(op_path)
    return origins


def _written(part: Part, token: Token) -> OriginPlace | None:
    """Returns the location in the text at a token: the file under it, the alias, or all inside of `loc`."""
    text = part.text
    line = line_span(text, token.span.start)
    near = max(line.start, token.span.start - MAX_FILE), min(line.end, token.span.start + MAX_FILE)
    for match in FILE.finditer(text, *near):
        if match.start() <= token.span.start < match.end() and (
            _location_around(text, line, match.start()) is not None
        ):
            return OriginPlace(Span(*match.span()), Origin(lines=(_line_of(match),)))
    if token.kind == "attribute":
        definition = _alias_text(part, token.text)
        return OriginPlace(token.span, _origin_of_text(part, *definition)) if definition else None
    around = _location_around(text, line, token.span.start)
    return OriginPlace(around, _origin_of_text(part, *around)) if around else None


def _location_around(text: str, line: Span, offset: int) -> Span | None:
    """Returns the `loc(...)` of a line that holds an offset."""
    depth, start, previous = 0, -1, ""
    begin = text.find("loc", max(line.start, offset - MAX_LOCATION), min(offset + 3, line.end))
    for token in tokens(text, begin, line.end) if begin >= 0 else ():
        if start < 0:
            if token.text == "(" and previous == "loc":
                start, depth = token.span.start - 3, 1
            elif token.text == "loc" and token.span.start > offset:
                return None
        elif token.text in "()":
            depth += 1 if token.text == "(" else -1
            if depth == 0:
                if start <= offset < token.span.end:
                    return Span(start, token.span.end)
                start = -1
        previous = token.text
    return Span(start, line.end) if 0 <= start <= offset else None


def _alias_text(part: Part, name: str) -> Span | None:
    """Returns what an alias of a location is defined as, None for another alias."""
    text = part.text
    at = text.rfind(f"\n{name} = loc(") + 1  # tables of locations are at the end as a rule
    while at >= 0:
        line = line_span(text, at)
        match = LOCATION_LINE.match(text, line.start)
        if match is not None and match[1] == name:
            return Span(match.end(), line.end)
        at = text.find(name, line.end)
    return None


def _origin_of_text(part: Part, start: int, end: int) -> Origin:
    """Returns where a location's text says that something came from; aliases are followed."""
    text = part.text
    stack = [(tokens(text, start, end), "")]
    scopes: list[str] = []
    lines: list[SourceLine] = []
    followed = 0
    while stack:
        reading, function = stack.pop()
        for token in reading:
            if token.kind == "string":
                name = unescape(token.text.strip('"'))
                if match := FILE.match(text, token.span.start):
                    lines.append(_line_of(match, function))
                elif NAME_STACK.match(name):
                    scopes.append(name)
                    function = ""
                else:
                    function = name
            elif token.text == "at":  # between the two ends of a call site
                function = ""
            elif token.kind == "attribute" and followed < MAX_LOCATIONS:
                followed += 1
                if definition := _alias_text(part, token.text):
                    stack += [(reading, function), (tokens(text, *definition), function)]
                    break
    return Origin(*split_stack(scopes[0] if scopes else ""), tuple(lines))


def _line_of(match: re.Match[str], function: str = "") -> SourceLine:
    return SourceLine(unescape(match["file"]), int(match["line"]), int(match["column"] or 0), function)


_Found = dict[tuple[str, int], list[tuple[str, Span, str]]]


@once_per_part
def _operations(part: Part) -> _Found:
    """Returns the operations of a program by the lines of Python that led to them."""
    by_line: _Found = {}
    origins: dict[int, Origin] = {}
    stack = list(children_of(part.index.root))
    while stack:
        op_path = stack.pop()
        operation = op_path.operation
        location = resolve(operation.location)
        if location is not None:
            origin = origins.get(id(location))
            if origin is None:
                origin = origins[id(location)] = origin_of(location)
            for key in dict.fromkeys((line.file, line.line) for line in origin.lines):
                by_line.setdefault(key, []).append((operation.name, op_path.span, origin.scope))
        if operation.regions:
            stack += children_of(op_path)
    for operations in by_line.values():
        operations.sort(key=lambda item: item[1])
    return by_line


def _first_line(text: str, span: Span) -> Span:
    end = text.find("\n", span.start, span.end)
    return Span(span.start, end if end >= 0 else span.end)
