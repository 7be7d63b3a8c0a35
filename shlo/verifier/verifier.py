"""Walks a module and judges every operation, once for all that are alike."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from shlo.dialects import find_op_def, has_trait
from shlo.dialects.op_bindings import Finding, Judged, OpBindings, Origin
from shlo.dialects.signature_findings import nested_findings, signature_findings
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import BROKEN, Block, Module, Operation, Region, Signature
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.suggestions import MoveDefinition, Rename, Suggestion, advise
from shlo.ir.types import FunctionType, UnknownType
from shlo.support.cancellation import checkpoint
from shlo.text.suggest import NameSuggester
from shlo.verifier.blocks import structure_findings
from shlo.verifier.dominance import declared, definitions, walk_dominators
from shlo.verifier.op_context import (
    CLEAN,
    context_of,
    has_references,
    judged_around,
    judged_in_context,
    region_type,
)
from shlo.verifier.op_cursor import OpCursor, duplicates

if TYPE_CHECKING:
    from shlo.verifier.help import Advice

PIECE = 256
"""Operations between two looks at whether the result is still wanted."""


class _Alone(dict[Signature, Judged]):
    """What is wrong with signatures alone, judged when they are first asked for."""

    def __missing__(self, signature: Signature) -> Judged:
        judged = self[signature] = _judged(signature)
        return judged


class Verdicts:
    """What is known of signatures: kept from one verification to the next, it makes the next one quick."""

    def __init__(self) -> None:
        self.alone = _Alone()
        self._with_regions: dict[tuple[Signature, tuple[FunctionType | None, ...]], Judged] = {}
        self._used = 0

    @property
    def _size(self) -> int:
        return len(self.alone) + len(self._with_regions)

    def forget_others(self, module: Module, tolerated: int) -> None:
        """Forgets what is known of signatures that a module has not, where more than some have been added
        since the last time: each edit may bring new ones, and those of functions are large."""
        if self._size <= self._used + tolerated:
            return
        used = {operation.signature for operation, _ in module.walk()} | {module.operation.signature}
        self.alone = _Alone({key: judged for key, judged in self.alone.items() if key in used})
        self._with_regions = {key: judged for key, judged in self._with_regions.items() if key[0] in used}
        self._used = self._size

    def of(self, signature: Signature) -> Judged:
        """What is wrong with a signature alone."""
        return self.alone[signature]

    def at(self, cursor: OpCursor) -> Judged:
        """What is wrong with an operation where it is, with its regions and what its operands are."""
        op_def = find_op_def(cursor.operation.name)
        if op_def is None:
            return CLEAN
        context, regions = context_of(op_def), tuple(map(region_type, cursor.operation.regions))
        if context.around and not (context.constants or context.regions):
            return judged_around(op_def, cursor, self.of(cursor.operation.signature))
        if context.constants or context.around:
            return judged_in_context(op_def, cursor, regions)
        key = cursor.operation.signature, regions
        judged = self._with_regions.get(key)
        if judged is None:
            judged = self.of(key[0])
            if context.regions:
                judged = self._with_regions[key] = judged_in_context(op_def, cursor, regions)
        return judged


@recursive
def verify(module: Module, verdicts: Verdicts | None = None) -> list[Diagnostic]:
    """What is wrong with a module that could be read, in the order of its text."""
    return list(iter_findings(module, verdicts or Verdicts()))


def iter_findings(
    module: Module, verdicts: Verdicts, near: Sequence[Span] | None = None
) -> Iterator[Diagnostic]:
    """What is wrong with a module, one finding after another; with `near` only of the operations that one of
    these spans touches, and of those around them."""
    return _Walk(module, verdicts, near).module()


class _Walk:
    """`visible` is what the operation that comes next sees of the values in its region's table."""

    def __init__(self, module: Module, verdicts: Verdicts, near: Sequence[Span] | None = None) -> None:
        self._module = module
        self._near = near
        self._verdicts = verdicts
        self._cascades = _CascadeFilter()
        self._nearest = NameSuggester()
        self._declared: dict[int, set[int]] = {}
        self._inside: dict[int, set[int]] = {}
        self._clean: set[tuple[Signature, tuple[Region, ...]]] = set()

    def module(self) -> Iterator[Diagnostic]:
        if self._module.source is None:
            yield from self._module.diagnostics
        root = OpCursor.root(self._module)
        yield from self._operation(root, self._verdicts.of(root.operation.signature), set())

    def _operation(self, cursor: OpCursor, judged: Judged, visible: set[int]) -> Iterator[Diagnostic]:
        """Yields the findings about an operation, and then those in its regions."""
        collected = list(structure_findings(cursor, find_op_def(cursor.operation.name)))
        if has_references(cursor.operation.signature):
            from shlo.verifier.references import reference_findings

            collected += reference_findings(cursor)
        if judged is not CLEAN and not any(
            finding.severity == "error" for finding in (*collected, *judged.findings)
        ):
            judged = self._verdicts.at(cursor)
        shown = [
            finding
            for finding in (*collected, *judged.findings)
            if not self._cascades.holds(finding, cursor, judged.bindings)
        ]
        yield from self._diagnostics(shown, cursor, judged.bindings)
        is_clean = not collected and judged is CLEAN
        for number in range(len(cursor.operation.regions)):
            for finding in self._region(cursor, number, visible):
                is_clean = False
                yield finding
        if is_clean and _stands_alone(cursor):
            self._clean.add((cursor.operation.signature, cursor.operation.regions))

    def _diagnostics(
        self, findings: Sequence[Finding], cursor: OpCursor, bindings: OpBindings | None = None
    ) -> Iterator[Diagnostic]:
        """Yields findings about an operation with their places in the text and what to do about them."""
        if not findings:
            return
        from shlo.verifier.finding_spans import header_text, placed

        header = header_text(cursor, self._module)
        for finding in findings:
            yield placed(finding, cursor, bindings, self._module, self._advice, header)

    @cached_property
    def _advice(self) -> Advice:
        from shlo.verifier.help import Advice

        return Advice()

    def _region(self, parent: OpCursor, number: int, outer: set[int]) -> Iterator[Diagnostic]:
        region = parent.operation.regions[number]
        shares = parent.region is not None and parent.region.values is region.values
        visible = outer if shares and not _is_closed(parent) else set[int]()
        if parent.operation.name == BROKEN:
            visible = set(range(len(region.values.types)))
        yield from self._symbols(parent)
        if len(region.blocks) == 1:
            if not _has_order(parent.operation):
                visible.update(definitions(region.blocks[0]))
            yield from self._block(parent, region, 0, visible)
            if shares:
                visible.difference_update(definitions(region.blocks[0]))
        elif region.blocks:
            yield from self._blocks(parent, region, visible)

    def _blocks(self, parent: OpCursor, region: Region, visible: set[int]) -> Iterator[Diagnostic]:
        """Yields the findings of several blocks in their order. A block sees the values of those that
        dominate it; where no way leads to it, every value counts as seen, as nothing is wrong there."""
        collected: dict[int, list[Diagnostic]] = {}
        for number, leaves in walk_dominators(region):
            if leaves:
                visible.difference_update(definitions(region.blocks[number]))
            else:
                collected[number] = list(self._block(parent, region, number, visible))
        everything = set(range(len(region.values.types)))
        for number in range(len(region.blocks)):
            yield from (
                collected[number] if number in collected else self._block(parent, region, number, everything)
            )

    def _block(
        self, parent: OpCursor, region: Region, number: int, visible: set[int]
    ) -> Iterator[Diagnostic]:
        """Yields the findings of a block's operations."""
        block, alone = region.blocks[number], self._verdicts.alone
        visible.update(block.arguments)
        near = self._near_in(block, parent)
        for index, operation in enumerate(block.operations):
            if index % PIECE == 0:
                checkpoint()
            if near is not None and index not in near:
                visible.update(operation.results)
                continue
            if not visible.issuperset(operation.operands):
                yield from self._invisible_operands(parent.inner(region, number, index), visible)
            signature, regions = operation.signature, operation.regions
            judged = alone[signature]
            if (judged is not CLEAN or regions or operation.successors) and (
                not regions or (signature, regions) not in self._clean
            ):
                yield from self._operation(parent.inner(region, number, index), judged, visible)
            visible.update(operation.results)

    def _near_in(self, block: Block, parent: OpCursor) -> set[int] | None:
        """Returns the numbers of a block's operations that are looked at, None for all."""
        if self._near is None or len(block.starts) != len(block.operations):
            return None
        collected: set[int] = set()
        for start, end in self._near:
            first = bisect_left(block.ends, start - parent.span.start)
            collected.update(range(first, bisect_right(block.starts, end - parent.span.start)))
        return collected

    def _invisible_operands(self, cursor: OpCursor, visible: set[int]) -> Iterator[Diagnostic]:
        """Yields operands that are defined too late or elsewhere; those that the parser could not find are
        its business."""
        operation, region = cursor.operation, cursor.region
        assert region is not None
        for number, value in enumerate(operation.operands):
            if value in visible or isinstance(operation.operand_types[number], UnknownType):
                continue
            if not self._module.diagnostics or value in self._declared_in(region):
                name = region.values.names[value]
                shown = f"%{name}" if name else f"operand {number}"
                closed = self._closed_around(cursor, value)
                if closed:
                    message = f"{shown} is defined outside of {closed}, which sees only its own values"
                    suggestions = advise("pass it as an operand, and use the argument of the region")
                else:
                    message = f"{shown} is not defined where {operation.name} uses it"
                    suggestions = self._suggestions(name, region, visible)
                origin = Origin("operand", number)
                finding = Finding("use-before-definition", message, origin=origin, suggestions=suggestions)
                yield from self._diagnostics([finding], cursor)

    def _suggestions(self, name: str, region: Region, visible: set[int]) -> tuple[Suggestion, ...]:
        """Returns what to do about a value that is used before it is defined."""
        names = region.values.names
        among = (names[value] for value in visible if value < len(names))
        close = self._nearest(name, among) if name else None
        move = MoveDefinition(f"%{name}" if name else "")
        return (move, Rename(f"%{name}", f"%{close}", "value")) if close else (move,)

    def _closed_around(self, cursor: OpCursor, value: int) -> str | None:
        """Returns the operation that keeps a value out of its regions; None where the value is defined in
        them, or nowhere."""
        closed = next((ancestor.operation for ancestor in cursor.around() if _is_closed(ancestor)), None)
        if closed is None or cursor.region is None or cursor.origin(value) is None:
            return None
        inside = self._inside.get(id(closed))
        if inside is None:
            table = cursor.region.values
            inside = {value for region in closed.regions for value in declared(region, table)}
            self._inside[id(closed)] = inside
        return None if value in inside else closed.name

    def _declared_in(self, region: Region) -> set[int]:
        """Returns the values that a function's regions define somewhere; the parser has reported all
        others."""
        table = region.values
        if id(table) not in self._declared:
            self._declared[id(table)] = set(declared(self._module.body, table))
        return self._declared[id(table)]

    def _symbols(self, parent: OpCursor) -> Iterator[Diagnostic]:
        """Yields names that refer to two operations of one module."""
        if parent.operation.name != "builtin.module":
            return
        for number, block, index, name in duplicates(parent.operation):
            cursor = parent.inner(parent.operation.regions[number], block, index)
            message = f"there is another @{name} in the module"
            suggestions = advise(f"rename this one, as to @{name}_2")
            finding = Finding("duplicate-symbol", message, ("sym_name",), suggestions=suggestions)
            yield from self._diagnostics([finding], cursor)


class _CascadeFilter:
    """Suppresses cascading errors: users of a value whose type is wrong are not reported for it.

    Collects results whose types were found to be wrong, by the table and the number of the value.
    """

    def __init__(self) -> None:
        self._suspects: set[tuple[int, int]] = set()

    def holds(self, finding: Finding, cursor: OpCursor, bindings: OpBindings | None) -> bool:
        """Returns whether a finding is about a value whose type is known to be wrong; records the results it
        names.
        """
        origins = list(_origins(finding, bindings))
        if any(value in self._suspects for value in _values(cursor, origins, "operand")):
            self._suspects.update((id(_table(cursor)), value) for value in cursor.operation.results)
            return True
        if finding.severity == "error":
            self._suspects.update(_values(cursor, origins, "result"))
        return False


def _origins(finding: Finding, bindings: OpBindings | None) -> Iterator[Origin]:
    origins = bindings.origins if bindings is not None else {}
    return (origins[name] for name in finding.bindings if name in origins)


def _values(cursor: OpCursor, origins: list[Origin], role: str) -> Iterator[tuple[int, int]]:
    operation, table = cursor.operation, id(_table(cursor))
    values = operation.operands if role == "operand" else operation.results
    for origin in origins:
        if origin.role == role:
            yield from ((table, value) for value in values[origin.first : origin.first + origin.count])


def _table(cursor: OpCursor) -> object:
    return cursor.region.values if cursor.region else None


def _stands_alone(cursor: OpCursor) -> bool:
    """Returns whether all that is to be said of an operation depends on its signature and its regions, which
    other operations may have as well."""
    operation, op_def = cursor.operation, find_op_def(cursor.operation.name)
    return (
        op_def is not None
        and bool(operation.regions)
        and not (context_of(op_def).constants or context_of(op_def).around)
        and not operation.successors
        and all(cursor.region and region.values is not cursor.region.values for region in operation.regions)
    )


def _is_closed(cursor: OpCursor) -> bool:
    """Returns whether the regions of an operation see no value from outside, though they share a table with
    those.
    """
    return has_trait(cursor.operation.name, "closed")


def _has_order(operation: Operation) -> bool:
    """Returns whether an operation's regions are run from top to bottom, as far as we know."""
    op_def = find_op_def(operation.name)
    return op_def is not None and not op_def.has("graph_region") and operation.name != BROKEN


def _judged(signature: Signature) -> Judged:
    op_def = find_op_def(signature.name)
    if signature.name == BROKEN:
        return CLEAN
    if op_def is None:
        findings = tuple(nested_findings(signature.name, signature))
        return Judged(findings) if findings or has_references(signature) else CLEAN
    findings = signature_findings(op_def, signature)
    if not findings and not any(context_of(op_def)) and not has_references(signature):
        return CLEAN
    return Judged(findings, OpBindings(op_def, signature, (None,) * len(op_def.regions)))
