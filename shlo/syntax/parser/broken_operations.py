"""Broken operations: what is kept of an operation that does not follow the grammar."""

from __future__ import annotations

from shlo.ir.attributes import Attribute, IntegerAttr, StringAttr
from shlo.ir.locations import Location
from shlo.ir.operations import BROKEN, NO_ATTRIBUTES, Operation, Region, Signature
from shlo.ir.types import I64, UNKNOWN
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.cursor import SyntaxFault
from shlo.syntax.parser.operation import OperationParser, ResultNames
from shlo.syntax.parser.recovery import (
    broken_end,
    first_token_end,
    is_isolated,
    opens_region,
    operation_behind,
)
from shlo.syntax.parser.scope import ParserScope


def recover(operations: OperationParser, start: int, fault: SyntaxFault) -> tuple[Operation, int]:
    """Keeps the operation at offset `start` as its text, with the regions that it opens; moves to the next
    one.

    Regions that were parsed before the fault are kept as they are: parsing them again, at each level of
    nesting, would take exponential time.

    Returns:
        The broken operation and the offset of its end.
    """
    state, cursor = operations.state, operations.cursor
    cursor.look_to(cursor.pos, fault.span.end)
    if state.missing_before not in (fault.span.start, cursor.pos):
        cursor.report_fault(fault)
    if fault.span.start == start and (match := operation_behind(cursor.text, fault.span.end)):
        cursor.pos = match  # the operation that a token too many is before
        text = cursor.text[start : fault.span.end]
        return Operation(Signature(BROKEN, attributes={"text": StringAttr(text)})), fault.span.end
    parsed = state.frame.regions.copy()
    regions = [parsed_region.region for parsed_region in parsed]
    names = _result_names(operations, start)
    # Not from the fault on: a bracket that is missing moves it far below the operation.
    cursor.pos = max([start, *[parsed_region.end for parsed_region in parsed]])
    while cursor.pos == start or cursor.pos not in state.hints.missing:  # else what follows is not inside
        opening = opens_region(cursor.text, start, cursor.pos, state.hints.stray)
        if opening is None:
            break
        cursor.pos = opening
        regions.append(_parse_region(operations, start))
    after = max(cursor.pos, first_token_end(cursor.text, start))
    end = broken_end(cursor.text, after, state.hints.stray)
    cursor.look_to(end)
    end = cursor.pos = max(min(state.hints.next_stop(after, end), end), start + 1)
    text = StringAttr(cursor.text[start:end].rstrip())
    location = _location_at_end(operations, start, start + len(text.value))
    attributes: dict[str, Attribute] = {"text": text}
    if parsed:
        attributes |= {"read": IntegerAttr(len(parsed), I64), "dialect": StringAttr(parsed[0].dialect)}
    results = tuple(value for name in names for value in _define_results(state.frame.scope, name))
    types = tuple([UNKNOWN] * len(results))
    signature = Signature(BROKEN, (), types, NO_ATTRIBUTES, attributes)
    return Operation(signature, (), results, tuple(regions), location=location), start + len(text.value)


def _location_at_end(operations: OperationParser, start: int, end: int) -> Location | None:
    """Returns the location that ends the text of a broken operation, so that it stays where it belongs in
    what is ordered by locations; None where none does.
    """
    cursor = operations.cursor
    behind, cursor.pos = cursor.pos, max(cursor.text.rfind("loc(", start, end), start)
    try:
        location = parse_trailing_location(cursor)
        return location if cursor.pos == end else None
    except SyntaxFault:
        return None
    finally:
        cursor.pos = behind


def _result_names(operations: OperationParser, start: int) -> list[ResultNames]:
    """Returns the names that a broken operation was to define, so that their uses are not reported too."""
    operations.cursor.pos = start
    try:
        return operations.result_names()
    except SyntaxFault:
        return []


def _define_results(scope: ParserScope, name: ResultNames) -> tuple[int, ...]:
    if name.use.name in scope.names:
        return (scope.unnamed(UNKNOWN, name.use.span.start),)
    if name.group_size is None:
        return (scope.define(name.use.name, UNKNOWN, name.use.span),)
    return scope.define_group(name.use.name, (UNKNOWN,) * name.group_size, name.use.span)


def _parse_region(operations: OperationParser, start: int) -> Region:
    """Parses a region of a broken operation for its contents; unknown names in it are not reported.

    It sees the values around it, but for those of functions and modules. One that nests too deep is passed
    over: what is in it would seem to be beside it, each operation with a fault of its own.
    """
    state, cursor = operations.state, operations.cursor
    opening = cursor.pos
    outer = state.frame.scope
    lenient, unknown, size = outer.lenient, set(outer.forward), len(outer.names)
    isolated = is_isolated(cursor.text, start)
    with state.within(default_dialect="func", origin=start):
        scope = operations.regions.isolated_scope() if isolated else outer
        with state.within(scope=scope):
            scope.lenient = True
            try:
                return cursor.nested(lambda: operations.regions.plain_region(None))
            except SyntaxFault:  # the operation's own fault, or found once that is mended
                cursor.pos = max(state.hints.region_end(cursor.text, opening), cursor.pos)
                return Region((), scope.values)
            finally:
                if isolated:
                    state.close_scope()
                else:
                    outer.forget_unknown(unknown)
                    outer.leave_region(size)
                outer.lenient = lenient
