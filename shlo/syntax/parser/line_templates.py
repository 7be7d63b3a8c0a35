"""Cache of lines: an ordinary operation on one line is recognised by its template.

The key of a line is the line with every value name replaced by `%`. All that an operation is, but for the
values it uses and defines, is a function of that key and of what the aliases in it mean; a large program has
few different ones. The first operation of each key goes through the general parser, which leaves a
LineTemplate; the others cost a split, a look-up and the resolution of their names. Lines whose operands do
not come out as the general parser sees them stay irregular.
"""

from __future__ import annotations

import re
from typing import Final

from shlo.ir.locations import Location
from shlo.ir.operations import Block, Operation
from shlo.ir.source import Span
from shlo.syntax.attributes.parse_locations import operation_goes_on
from shlo.syntax.lexer.context import LineTemplate, LineTemplates
from shlo.syntax.lexer.cursor import SUFFIX, Cursor, ValueUse
from shlo.syntax.lexer.tokens import NAME
from shlo.syntax.parser.scope import ParserScope
from shlo.syntax.parser.state import ParserState

SPLIT: Final = re.compile(rf"%({NAME}(?:#[0-9]+)?)", re.ASCII)
MAX_LINE: Final = 4000
MAX_SPAN: Final = 2 * MAX_LINE
"""How far the end of a line is looked for, with what may surround the operation on it."""
MAX_TEMPLATES: Final = 50_000


def learn(
    templates: LineTemplates,
    line: str,
    start: int,
    results: list[ValueUse],
    uses: list[ValueUse],
    template: LineTemplate,
) -> None:
    """Keeps what the general parser found in a line that starts at offset `start` and holds one whole
    operation.

    Args:
        templates: The templates for the default dialect.
        line: The text of the operation.
        start: Its offset.
        results: The names on its left.
        uses: Its operands in order.
        template: The template; its number of names and order of operands are worked out here.
    """
    if len(line) > MAX_LINE or len(templates) >= MAX_TEMPLATES:
        return
    text = "%".join(SPLIT.split(line)[::2])
    places = [start + match.start() for match in SPLIT.finditer(line)]
    count = len(results)
    numbers = {value_start: index for index, value_start in enumerate(places[count:])}
    order = tuple(numbers.get(use.span.start, -1) for use in uses)
    if [use.span.start for use in results] != places[:count] or sorted(order) != list(range(len(numbers))):
        templates[text] = None
        return
    straight = order == tuple(range(len(order)))
    templates[text] = template._replace(names=len(places), order=None if straight else order)


# The hot loop of the parser: a call out of it would cost as much as the rest of a line.
def parse_lines(state: ParserState, block: Block, stop: int) -> None:  # noqa: C901
    """Parses the lines before the offset `stop` into a block while templates and names are known; leaves the
    cursor at the end of the last one's code.
    """
    cursor, frame = state.cursor, state.frame
    text, find, split, origin = cursor.text, cursor.text.find, SPLIT.split, frame.origin
    scope, aliases = frame.scope, cursor.aliases.locations
    forward, outer = scope.forward, scope.outer
    names, types, value_names, places = scope.names, scope.values.types, scope.values.names, scope.places
    templates = cursor.context.line_templates.setdefault(frame.default_dialect, {})
    operations, starts, ends = block.operations, block.starts, block.ends
    follows = scope.follows_definitions
    pos, before = cursor.pos, len(operations)
    while True:
        end = find("\n", pos, pos + MAX_SPAN)
        if end < 0:
            break
        raw = text[pos:end]
        line = raw.strip(" \t\r")
        if not line:
            pos = end + 1
            continue
        start = pos + raw.index(line[0])
        if start >= stop:
            break
        location = first_use = None
        if line[-1] == ")":
            at = line.rfind(" loc(#")
            if at > 0 and line.find(")", at) == len(line) - 1:
                location = aliases.get(line[at + 6 : -1])
                if location is None:
                    first_use = _first_use(cursor, line[at + 6 : -1], start + at + 5)
                    if first_use is None:
                        break
                elif location.target is None and line[at + 6 : -1] in cursor.aliases.attributes:
                    break  # it turned out to be no location's
                line = line[:at].rstrip()
        parts = split(line)
        template = templates.get("%".join(parts[::2]))
        if template is None:
            break
        signature, count, group_size, names_in_line, order, regions, _, uses = template
        tokens = parts[1::2]
        if len(tokens) != names_in_line or (uses and not cursor.aliases.mean(uses)):
            break
        try:
            operands = tuple([names[token] for token in tokens[count:]])
            if order is not None:
                operands = tuple([operands[index] for index in order])
            is_ordinary = tuple([types[value] for value in operands]) == signature.operand_types
        except KeyError:
            operands, is_ordinary = (), False
        if not is_ordinary:
            if location is None and first_use is None and operation_goes_on(text, end):
                break
            operation = _with_mismatched_operands(state, line, start, template, location)
            if operation is None:
                break
            if first_use is not None:
                operation.location = cursor.aliases.location(*first_use)
            operations.append(operation)
            starts.append(start - origin)
            ends.append(start - origin + len(line))
            pos = end + 1
            continue
        if count == 0:
            results: tuple[int, ...] = ()
        elif count == 1 and not group_size:
            name = tokens[0]
            if name in names or name in forward or name in outer or "#" in name:
                break
            if follows:
                value = scope.define(name, signature.result_types[0], Span(start, start))
            else:
                value = len(types)
                names[name] = value
                types.append(signature.result_types[0])
                value_names.append(name)
                places.append(start)
            results = (value,)
        elif forward or outer or count != 1 or tokens[0] in names or "#" in tokens[0]:
            break
        else:
            results = scope.define_group(tokens[0], signature.result_types, Span(start, start))
        if first_use is not None:  # only now: what the general parser reads may use no such alias
            location = cursor.aliases.location(*first_use)
        operations.append(Operation(signature, operands, results, regions, (), location))
        starts.append(start - origin)
        ends.append(start - origin + len(line))
        pos = end + 1
    while pos > cursor.pos and text[pos - 1] in " \t\r\n":
        pos -= 1
    cursor.pos = pos  # where the last line's code ends, as after an operation that the grammar parsed
    if len(operations) > before and operations[-1].location is None and operation_goes_on(text, pos):
        _take_back(scope, operations.pop())
        cursor.pos = origin + starts.pop()
        ends.pop()


def _take_back(scope: ParserScope, operation: Operation) -> None:
    """Forgets the names of the last operation, which turns out to go on behind its line."""
    size = len(scope.names)
    for name in reversed(scope.names):
        if scope.names[name] not in operation.results:
            break
        size -= 1
    scope.leave_region(size)


def _first_use(cursor: Cursor, name: str, start: int) -> tuple[str, Span] | None:
    """Returns the alias of a location that is used for the first time, and where; None for another name."""
    if not SUFFIX.fullmatch(name) or "." in name or name in cursor.aliases.attributes:
        return None
    return name, Span(start, start + len(name) + 1)


def _with_mismatched_operands(
    state: ParserState, line: str, start: int, template: LineTemplate, location: Location | None
) -> Operation | None:
    """Returns an operation of a known form whose operands are not all defined, or not with the types that it
    says.

    None where the types depend on the operands, or a name on its left is unstable too.
    """
    signature, count, group_size, _, order, regions, says_types, _ = template
    names = [
        ValueUse(match[1], Span(start + match.start(), start + match.end())) for match in SPLIT.finditer(line)
    ]
    results, uses = names[:count], names[count:]
    scope = state.frame.scope
    if (
        not says_types
        or group_size
        or count > 1
        or any("#" in name or name in scope.names for name, _ in results)
    ):
        return None
    if order is not None:
        uses = [uses[index] for index in order]
    with state.owned_by(start):
        operands = tuple([scope.resolve(use, type_) for use, type_ in zip(uses, signature.operand_types)])
        values = tuple([scope.define(name, signature.result_types[0], span) for name, span in results])
    return Operation(signature, operands, values, regions, (), location)
