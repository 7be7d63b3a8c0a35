"""Values as a hierarchy: what a value is made from (its supertypes, to an editor), and what is made from it.

A result is made from the operands of its operation, and of what its regions return; an argument of a region
from the operands of the operation around, an argument of a function from what its callers pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.op_path import OpPath, children_in
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.hierarchies.calls import HierarchyItem, symbol_uses
from shlo.language.index.op_names import names_of
from shlo.language.index.scope import TableScope, ValueOwner, operands_of
from shlo.language.index.symbols import Symbol
from shlo.language.index.values import Value, is_broken
from shlo.language.navigation import is_head, name_span
from shlo.language.source_lines import value_label

MAX_VALUES = 1_000
"""How many values are listed that were made from one."""
FUNCTION = "func.func"


@recursive
def nodes_at(document: Document, offset: int) -> list[HierarchyItem]:
    """Returns the value whose name is at an offset, or the results of the operation whose name is."""
    return [node for part, nodes in _at(document, offset) for node in _nodes(part, nodes)]


@recursive
def producers(document: Document, offset: int) -> list[HierarchyItem]:
    """Returns what the value at an offset is made from."""
    return _related(document, offset, _producers)


@recursive
def consumers(document: Document, offset: int) -> list[HierarchyItem]:
    """Returns what is made from the value at an offset: results, or operations without any."""
    return _related(document, offset, _consumers)


_Subject = Value | OpPath


def _related(
    document: Document, offset: int, related: Callable[[Part, _Subject], Iterable[HierarchyItem]]
) -> list[HierarchyItem]:
    placed = _at(document, offset)
    return [node for part, subjects in placed for subject in subjects for node in related(part, subject)]


def _at(document: Document, offset: int) -> Iterator[tuple[Part, list[_Subject]]]:
    part = document.part_at(offset)
    at = offset - part.start
    resolved = part.index.target_at(at)
    if resolved is not None:
        if isinstance(resolved[1], Value):
            yield part, [resolved[1]]
        return
    op_path = part.index.place_at(at)
    if op_path.parent is not None and op_path.operation.name != FUNCTION and is_head(part.text, op_path, at):
        yield part, list(_subjects_of(part, op_path))


def _subjects_of(part: Part, op_path: OpPath) -> Iterator[_Subject]:
    """Yields the results of an operation, or itself where it has none."""
    values = part.index.values
    scope = values.scope_of(op_path)
    if scope is not None and op_path.operation.results:
        yield from _values(part, scope, op_path.operation.results)
    else:
        yield op_path


def _values(part: Part, scope: TableScope, numbers: Iterable[int]) -> Iterator[Value]:
    """Yields values by their numbers, each pack once."""
    seen: set[tuple[int, ...]] = set()
    for number in dict.fromkeys(numbers):
        if number < len(scope.table.names):
            value = part.index.values.value(scope, number)
            if value.values not in seen:
                seen.add(value.values)
                yield value


def _producers(part: Part, subject: _Subject) -> Iterator[HierarchyItem]:
    if isinstance(subject, OpPath):
        yield from _nodes(part, _operands(part, subject))
    elif subject.owner is None:
        return
    elif subject.owner.region is None:
        op_path = subject.owner.place
        yield from _nodes(part, [*_operands(part, op_path), *_returned(part, op_path)])
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


def _operands(part: Part, op_path: OpPath) -> Iterator[Value]:
    values = part.index.values
    if is_broken(op_path):
        operands = (
            values.named(op_path, name) for name in names_of(part.text, op_path) if name.role == "use"
        )
        yield from (value for value in operands if value is not None)
        return
    scope = values.scope_of(op_path)
    if scope is not None:
        yield from _values(part, scope, operands_of(op_path.operation))


def _terminators(op_path: OpPath) -> Iterator[OpPath]:
    for number, region in enumerate(op_path.operation.regions):
        for position, block in enumerate(region.blocks):
            if block.starts:
                index = len(block.starts) - 1
                start, end = block.span(index, op_path.start)
                yield OpPath(block.operations[index], start, end, op_path, number, position)


def _returned(part: Part, op_path: OpPath) -> Iterator[Value]:
    """Yields what the regions of an operation return."""
    for terminator in _terminators(op_path):
        yield from _operands(part, terminator)


def _initial(part: Part, value: Value) -> Iterator[Value]:
    """Yields what an argument of a region may be: an operand of the operation, of a loop what its body
    returns for the next round, too."""
    assert value.owner is not None
    op_path, position = value.owner.place, _position(value)
    scope = part.index.values.scope_of(op_path)
    operands = op_path.operation.operands
    if scope is None:
        return
    if not op_path.operation.name.endswith(".while"):
        yield from _values(part, scope, operands)
        return
    yield from _values(part, scope, operands[position : position + 1])
    for terminator in _terminators(op_path):
        inner = part.index.values.scope_of(terminator)
        if terminator.region == 1 and inner is not None:
            yield from _values(part, inner, terminator.operation.operands[position : position + 1])


def _passed_to_block(part: Part, owner: ValueOwner, position: int) -> Iterator[Value]:
    op_path, region, block = owner
    if region is None:
        return
    for child in children_in(op_path, region, op_path.operation.regions[region]):
        scope = part.index.values.scope_of(child)
        targets = child.operation.successors
        for target, passed in targets:
            if target == block and scope is not None:
                values = passed or child.operation.operands  # in the latter those for all targets
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
        op_path = part.index.place_at(span.start)
        callee = op_path.operation.attribute("callee") or op_path.operation.attribute("decomposition")
        if isinstance(callee, SymbolRefAttr) and symbol.name in (callee.root, *callee.nested):
            yield op_path


def _consumers(part: Part, subject: _Subject) -> Iterator[HierarchyItem]:
    if isinstance(subject, OpPath):
        yield from _nodes(part, _after_end(part, subject))
        return
    seen: set[int] = set()
    for name, op_path in part.index.values.occurrences(subject):
        if name.role == "use" and op_path.start not in seen:
            seen.add(op_path.start)
            yield from _nodes(part, _subjects_of(part, op_path))
        if len(seen) >= MAX_VALUES:
            return


def _after_end(part: Part, op_path: OpPath) -> Iterator[_Subject]:
    """Yields what the operands of an operation without results go to: the results of the operation whose
    region it ends, or of the calls of the function."""
    holder = op_path.parent
    if holder is None or holder.parent is None or not operands_of(op_path.operation):
        return
    if holder.operation.name != FUNCTION:
        yield from _subjects_of(part, holder)
        return
    symbol = symbol_uses(part).defined_by(holder)
    for call in _calls(part, symbol) if symbol is not None else ():
        yield from _subjects_of(part, call)


def _nodes(part: Part, subjects: Iterable[_Subject]) -> Iterator[HierarchyItem]:
    seen: set[int] = set()
    for subject in subjects:
        node = _node(part, subject)
        if node is not None and node.name_span.start not in seen:
            seen.add(node.name_span.start)
            yield node


def _node(part: Part, subject: _Subject) -> HierarchyItem | None:
    if isinstance(subject, OpPath):
        span = name_span(part.text, subject) or Span(subject.start, subject.end)
        return HierarchyItem(
            subject.operation.name, "", "operation", part.place(subject.span), part.place(span)
        )
    if subject.owner is None or subject.definition is None:
        return None
    op_path = subject.owner.place
    operation = "" if op_path.operation.name == BROKEN else op_path.operation.name
    what = f"argument of {operation}".removesuffix(" of ") if subject.is_argument else operation
    types = ", ".join(map(str, subject.types))
    detail = " ".join(filter(None, (value_label(subject), f"{what}:" if what else "", types)))
    span = subject.definition if subject.is_argument else op_path.span
    return HierarchyItem(
        f"%{subject.name}", detail, "value", part.place(span), part.place(subject.definition)
    )
