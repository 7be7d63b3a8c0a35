"""How regions are built: how many there are, how many blocks each has, how blocks end and where they lead.

Specification: "Operations", "Functions".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.func.rules import compared, function_type_of
from shlo.dialects.op_bindings import Finding, Origin
from shlo.dialects.opdef import OpDef
from shlo.dialects.operand_groups import operand_groups
from shlo.dialects.signature_findings import block_count_findings, region_count_finding
from shlo.ir.diagnostics import Severity
from shlo.ir.operations import BROKEN, Block, Operation, Region
from shlo.ir.suggestions import LeaveOut, ReplaceTerminator, Terminate, advise
from shlo.verifier.op_cursor import OpCursor, is_terminator

SUCCESSORS: Final[Mapping[str, int]] = {"cf.br": 1, "cf.cond_br": 2}
"""How many blocks an operation goes on with."""


def structure_findings(cursor: OpCursor, op_def: OpDef | None) -> Iterator[Finding]:
    """What is wrong with an operation's regions and successors, and with where it is."""
    operation = cursor.operation
    if op_def is not None and operation.name != BROKEN:
        yield from _region_counts(op_def, operation)
        if op_def.has("terminator"):
            yield from _standing(cursor)
        if op_def.has("symbol"):
            yield from _home(cursor)
    if operation.successors or operation.name in SUCCESSORS:
        yield from _successors(cursor, op_def)
    for number, region in enumerate(operation.regions):
        yield from _endings(operation, op_def, region, number)


def _region_counts(op_def: OpDef, operation: Operation) -> Iterator[Finding]:
    wrong = region_count_finding(op_def, len(operation.regions))
    if wrong is not None:
        yield wrong
        return
    counts = [len(region.blocks) for region in operation.regions]
    yield from block_count_findings(op_def, counts)


def _endings(operation: Operation, op_def: OpDef | None, region: Region, number: int) -> Iterator[Finding]:
    """Blocks that do not end as they must."""
    if len(region.blocks) == 1 and (op_def is None or op_def.has("no_terminator")):
        return
    origin = Origin("region", number)
    for block in region.blocks:
        if not block.operations:
            message = f"a block of {operation.name} is empty, but must end in {_end_of(operation.name)}"
            yield _unended(operation, message, origin)
        elif is_terminator(block.operations[-1]) is False:
            last = block.operations[-1].name
            if last != BROKEN:
                message = f"the block ends in {last}, but must end in {_end_of(operation.name)}"
                yield _unended(operation, message, origin)
    if len(region.blocks) == 1:
        yield from _wrong_end(operation.name, region.blocks[0], origin)


def _unended(operation: Operation, message: str, origin: Origin) -> Finding:
    """Returns a block without a terminator."""
    declared = function_type_of(operation)
    end = Terminate(_end_of(operation.name), declared.results if declared else None)
    return Finding("missing-terminator", message, origin=origin, suggestions=(end,))


def _region_end(name: str) -> str | None:
    """Returns what ends the regions of one block of an operation of this name."""
    dialect = find_dialect(name.partition(".")[0])
    return dialect.region_end if dialect is not None else None


def _end_of(name: str) -> str:
    return _region_end(name) or "a terminator"


def _wrong_end(name: str, block: Block, origin: Origin) -> Iterator[Finding]:
    """Yields a terminator that ends other operations' regions."""
    wanted = _region_end(name)
    last = block.operations[-1].name if block.operations else None
    if wanted is None or last is None or last in (wanted, BROKEN):
        return
    end, holder = find_op_def(last), find_op_def(name)
    if end is not None and end.parents:
        return
    is_lenient = holder is not None and holder.has("any_terminator")
    if is_terminator(block.operations[-1]) or (end is None and not is_lenient):
        severity: Severity = "warning" if is_lenient else "error"
        yield Finding(
            "wrong-terminator",
            f"the region of {name} must end in {wanted}, but ends in {last}",
            severity=severity,
            origin=origin,
            suggestions=(ReplaceTerminator(last, wanted),),
        )


def _standing(cursor: OpCursor) -> Iterator[Finding]:
    name, container = cursor.operation.name, cursor.container
    if not cursor.is_last:
        message = f"{name} must be the last operation of its block"
        suggestions = advise("move it to the end of the block, or leave out what follows it")
        yield Finding("misplaced-terminator", message, suggestions=suggestions)
    op_def = find_op_def(name)
    allowed = op_def.parents if op_def is not None else ()
    if allowed and container is not None and container.name not in {BROKEN, *allowed}:
        message = f"{name} must be in {' or '.join(sorted(allowed))}, but is in {container.name}"
        wanted = _end_of(container.name)
        yield Finding("wrong-terminator", message, suggestions=(ReplaceTerminator(name, wanted),))


def _home(cursor: OpCursor) -> Iterator[Finding]:
    """A symbol is in a module; a module takes no arguments."""
    operation, container, op_def = cursor.operation, cursor.container, find_op_def(cursor.operation.name)
    holder = find_op_def(container.name) if container is not None else None
    is_symbol = op_def is not None and op_def.has("symbol") and operation.symbol is not None
    if is_symbol and holder is not None and not holder.has("no_terminator"):
        message = f"{operation.name} must be in a module, not in {holder.name}"
        yield Finding("misplaced-symbol", message, suggestions=advise(f"move it out of {holder.name}"))
    if operation.name == "builtin.module" and any(
        block.arguments for region in operation.regions for block in region.blocks
    ):
        words = "give the arguments to a function of the module"
        message = "the block of a module has no arguments"
        yield Finding("block-arguments", message, suggestions=advise(words))


def _successors(cursor: OpCursor, op_def: OpDef | None) -> Iterator[Finding]:
    operation = cursor.operation
    count = len(operation.successors)
    if count and not cursor.is_last:
        message = f"{operation.name} goes on with another block, so it must end its own"
        yield Finding("successors", message, suggestions=advise("move it to the end of its block"))
    elif op_def is not None and count != SUCCESSORS.get(operation.name, 0):
        wanted = SUCCESSORS.get(operation.name, 0)
        message = f"{operation.name} has {wanted} successors, but {count} are given"
        words = f"name {wanted} blocks in its brackets"
        suggestions = advise(words) if wanted else (LeaveOut("the brackets", "successors"),)
        yield Finding("successors", message, suggestions=suggestions)
    else:
        for number, values in dict.fromkeys(_passed(cursor.operation, op_def)):
            yield from _arguments(cursor, number, values)


def _passed(operation: Operation, op_def: OpDef | None) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yields the blocks that follow, with the values that are passed to their arguments: those that are
    there, or the last ones of the operation's lists of operands."""
    lists: list[range] = []
    if op_def is not None:
        groups = operand_groups(op_def, len(operation.operands), operation.signature.properties)
        lists = list(groups.values())[-len(operation.successors) :]
    for index, (number, values) in enumerate(operation.successors):
        operands = tuple(operation.operands[number] for number in lists[index]) if index < len(lists) else ()
        yield number, values or operands


def _arguments(cursor: OpCursor, number: int, values: tuple[int, ...]) -> Iterator[Finding]:
    region = cursor.region
    assert region is not None
    if number == 0:
        words = "put a block of its own before it that goes on with it"
        message = "no operation may go on with the first block of a region"
        yield Finding("successors", message, suggestions=advise(words))
    else:
        types = region.values.types
        actual = [types[value] for value in values]
        wanted = [types[value] for value in region.blocks[number].arguments]
        wrong = compared("argument", "the block", actual, wanted)
        if wrong:
            suggestions = advise(f"pass {', '.join(map(str, wanted)) or 'nothing'}")
            yield Finding("successors", wrong.message, suggestions=suggestions)
