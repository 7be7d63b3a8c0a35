"""Values as a hierarchy: what a value is made from (its supertypes, to an editor), and what is made from it.

A result is made from the operands of its operation, and of what its regions return; an argument of a region
from the operands of the operation around, an argument of a function from what its callers pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.op_path import OpPath, children_in
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.hierarchies.calls import symbol_uses
from shlo.language.index.op_names import names_of
from shlo.language.index.symbols import Symbol
from shlo.language.index.values import Owner, Scope, Value, is_broken, operands_of
from shlo.language.navigation import is_head, name_span
from shlo.language.source_lines import value_label

MAX_VALUES = 1_000
"""How many values are listed that were made from one."""
FUNCTION = "func.func"


class Node(Struct, frozen=True):
    """A value, or an operation without results: name, operation and type, all of it, the name's place."""

    name: str
    detail: str
    is_value: bool
    span: Span
    name_span: Span


@recursive
def nodes_at(document: Document, offset: int) -> list[Node]:
    """Returns the value whose name is at an offset, or the results of the operation whose name is."""
    return [node for part, nodes in _at(document, offset) for node in _nodes(part, nodes)]


@recursive
def producers(document: Document, offset: int) -> list[Node]:
    """Returns what the value at an offset is made from."""
    return [
        node
        for part, subjects in _at(document, offset)
        for each in subjects
        for node in _producers(part, each)
    ]


@recursive
def consumers(document: Document, offset: int) -> list[Node]:
    """Returns what is made from the value at an offset: results, or operations without any."""
    return [
        node
        for part, subjects in _at(document, offset)
        for each in subjects
        for node in _consumers(part, each)
    ]


_Subject = Value | OpPath


def _at(document: Document, offset: int) -> Iterator[tuple[Part, list[_Subject]]]:
    part = document.part_at(offset)
    at = offset - part.start
    found = part.index.target_at(at)
    if found is not None:
        if isinstance(found[1], Value):
            yield part, [found[1]]
        return
    place = part.index.place_at(at)
    if place.parent is not None and place.operation.name != FUNCTION and is_head(part.text, place, at):
        yield part, list(_subjects_of(part, place))


def _subjects_of(part: Part, place: OpPath) -> Iterator[_Subject]:
    """Yields the results of an operation, or itself where it has none."""
    values = part.index.values
    scope = values.scope_of(place)
    if scope is not None and place.operation.results:
        yield from _values(part, scope, place.operation.results)
    else:
        yield place


def _values(part: Part, scope: Scope, numbers: Iterable[int]) -> Iterator[Value]:
    """Yields values by their numbers, each pack once."""
    seen: set[tuple[int, ...]] = set()
    for number in dict.fromkeys(numbers):
        if number < len(scope.table.names):
            value = part.index.values.value(scope, number)
            if value.values not in seen:
                seen.add(value.values)
                yield value


def _producers(part: Part, subject: _Subject) -> Iterator[Node]:
    if isinstance(subject, OpPath):
        yield from _nodes(part, _operands(part, subject))
    elif subject.owner is None:
        return
    elif subject.owner.region is None:
        place = subject.owner.place
        yield from _nodes(part, [*_operands(part, place), *_returned(part, place)])
    elif subject.owner.block:
        yield from _nodes(part, _passed_to_block(part, subject.owner, _position(subject)))
    elif subject.owner.place.operation.name == FUNCTION:
        yield from _nodes(part, _passed(part, subject))
    else:
        yield from _nodes(part, _initial(part, subject))


def _position(value: Value) -> int:
    """Returns the number of a block's argument in the block; 0 for one that only the text of a broken
    operation names."""
    return value.position[1] if value.position else 0


def _operands(part: Part, place: OpPath) -> Iterator[Value]:
    values = part.index.values
    if is_broken(place):
        found = (values.named(place, name) for name in names_of(part.text, place) if name.role == "use")
        yield from (value for value in found if value is not None)
        return
    scope = values.scope_of(place)
    if scope is not None:
        yield from _values(part, scope, operands_of(place.operation))


def _terminators(place: OpPath) -> Iterator[OpPath]:
    for number, region in enumerate(place.operation.regions):
        for position, block in enumerate(region.blocks):
            if block.starts:
                index = len(block.starts) - 1
                start, end = block.span(index, place.start)
                yield OpPath(block.operations[index], start, end, place, number, position)


def _returned(part: Part, place: OpPath) -> Iterator[Value]:
    """Yields what the regions of an operation return."""
    for each in _terminators(place):
        yield from _operands(part, each)


def _initial(part: Part, value: Value) -> Iterator[Value]:
    """Yields what an argument of a region may be: an operand of the operation, of a loop what its body
    returns for the next round, too."""
    assert value.owner is not None
    place, position = value.owner.place, _position(value)
    scope = part.index.values.scope_of(place)
    operands = place.operation.operands
    if scope is None:
        return
    if not place.operation.name.endswith(".while"):
        yield from _values(part, scope, operands)
        return
    yield from _values(part, scope, operands[position : position + 1])
    for each in _terminators(place):
        inner = part.index.values.scope_of(each)
        if each.region == 1 and inner is not None:
            yield from _values(part, inner, each.operation.operands[position : position + 1])


def _passed_to_block(part: Part, owner: Owner, position: int) -> Iterator[Value]:
    place, region, block = owner
    if region is None:
        return
    for each in children_in(place, region, place.operation.regions[region]):
        scope = part.index.values.scope_of(each)
        targets = each.operation.successors
        for target, passed in targets:
            if target == block and scope is not None:
                values = passed or each.operation.operands  # in the latter those for all targets
                one = len(targets) == 1 or bool(passed)
                yield from _values(part, scope, values[position : position + 1] if one else values)


def _passed(part: Part, value: Value) -> Iterator[Value]:
    """Yields what the callers of a function pass for an argument."""
    assert value.owner is not None
    symbol = symbol_uses(part).defined_by(value.owner.place)
    for call in _calls(part, symbol) if symbol is not None else ():
        scope, position = part.index.values.scope_of(call), _position(value)
        if scope is not None:
            yield from _values(part, scope, call.operation.operands[position : position + 1])


def _calls(part: Part, symbol: Symbol) -> Iterator[OpPath]:
    """Yields the operations that call a function with their own operands."""
    for span in symbol_uses(part).of(symbol)[:MAX_VALUES]:
        place = part.index.place_at(span.start)
        callee = place.operation.attribute("callee") or place.operation.attribute("decomposition")
        if isinstance(callee, SymbolRefAttr) and symbol.name in (callee.root, *callee.nested):
            yield place


def _consumers(part: Part, subject: _Subject) -> Iterator[Node]:
    if isinstance(subject, OpPath):
        yield from _nodes(part, _after_end(part, subject))
        return
    seen: set[int] = set()
    for name, place in part.index.values.occurrences(subject):
        if name.role == "use" and place.start not in seen:
            seen.add(place.start)
            yield from _nodes(part, _subjects_of(part, place))
        if len(seen) >= MAX_VALUES:
            return


def _after_end(part: Part, place: OpPath) -> Iterator[_Subject]:
    """Yields what the operands of an operation without results go to: the results of the operation whose
    region it ends, or of the calls of the function."""
    holder = place.parent
    if holder is None or holder.parent is None or not operands_of(place.operation):
        return
    if holder.operation.name != FUNCTION:
        yield from _subjects_of(part, holder)
        return
    symbol = symbol_uses(part).defined_by(holder)
    for call in _calls(part, symbol) if symbol is not None else ():
        yield from _subjects_of(part, call)


def _nodes(part: Part, subjects: Iterable[_Subject]) -> Iterator[Node]:
    seen: set[int] = set()
    for subject in subjects:
        node = _node(part, subject)
        if node is not None and node.name_span.start not in seen:
            seen.add(node.name_span.start)
            yield node


def _node(part: Part, subject: _Subject) -> Node | None:
    if isinstance(subject, OpPath):
        span = name_span(part.text, subject) or Span(subject.start, subject.end)
        return Node(subject.operation.name, "", False, part.place(subject.span), part.place(span))
    if subject.owner is None or subject.definition is None:
        return None
    place = subject.owner.place
    operation = "" if place.operation.name == BROKEN else place.operation.name
    what = f"argument of {operation}".removesuffix(" of ") if subject.is_argument else operation
    types = ", ".join(map(str, subject.types))
    detail = " ".join(filter(None, (value_label(subject), f"{what}:" if what else "", types)))
    span = subject.definition if subject.is_argument else place.span
    return Node(f"%{subject.name}", detail, True, part.place(span), part.place(subject.definition))
