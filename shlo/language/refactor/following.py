"""The edits that carry changed types through a text: types and numbers where they are written, no more."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import NamedTuple

from msgspec import Struct

from shlo.ir.collector import collector_paused
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans, root_of, walk
from shlo.ir.operations import Block, Module, Operation, Region, Signature, function_type
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.document import Edit
from shlo.language.index.op_names import indent_of
from shlo.language.index.types_in_text import placed_types
from shlo.language.refactor.selected import end_with_location
from shlo.syntax.assembly_format.print_state import ArgumentPiece, LineBreak, RegionPiece, SuccessorPiece
from shlo.syntax.attributes.alias_table import TextCache
from shlo.syntax.parser.line_templates import SPLIT
from shlo.syntax.printer.location_aliases import RESULTS
from shlo.syntax.printer.module import ModulePrinter, default_dialect_in
from shlo.transforms.propagation import ChangedType, Propagated, propagate

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|[@%#^!][\w$.-]+|[0-9]+|[^\W\d]+|\S')


class Following(Struct, frozen=True):
    """The edits of a text after which all follows that can, those of them that are likely, the text then, and
    what is to be known of it: what cannot follow (errors), and which numbers count elements (notes)."""

    edits: tuple[Edit, ...]
    likely: frozenset[Edit]
    text: str
    findings: tuple[Diagnostic, ...]

    @property
    def stops(self) -> list[Diagnostic]:
        """What cannot follow."""
        return [finding for finding in self.findings if finding.severity == "error"]


@collector_paused()
def follow(text: str, module: Module, changes: Sequence[ChangedType]) -> Following:
    """Returns what follows from other types of values in a text, which the module was read from.

    Raises PropagationError where nothing can.
    """
    propagated = propagate(module, changes)
    edits = following_edits(text, module, propagated)
    likely = {number.start for number in propagated.numbers}
    ends = {op_path.start: op_path.end for op_path in walk(root_of(module, text)) if op_path.start in likely}
    sure = [edit for edit in edits if not _is_in(edit, ends)]
    findings = [
        Diagnostic(
            remark.message, _after(edits, remark.start, ends.get(remark.start)), "retype", remark.severity
        )
        for remark in (*propagated.stops, *propagated.numbers)
    ]
    return Following(tuple(edits), frozenset(edits) - frozenset(sure), applied(text, edits), tuple(findings))


def _is_in(edit: Edit, ends: Mapping[int, int]) -> bool:
    return any(edit.span is not None and start <= edit.span.start < end for start, end in ends.items())


def _after(edits: Sequence[Edit], start: int, end: int | None) -> Span:
    """Returns where a place is after edits, one character where its end is not known."""
    before = [edit for edit in edits if edit.span and edit.span.end <= start]
    offset = start + sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in before if edit.span)
    return Span(offset, offset + (end or start + 1) - start)


def following_edits(text: str, module: Module, propagated: Propagated) -> list[Edit]:
    """Returns the edits that make the text of a module that of what was propagated in it."""
    edits = _Edits(text, module)
    new = iter(propagated.module.body.blocks[0].operations)
    copies: dict[int, list[Operation]] = {}
    built: list[Operation] = []
    for operation in new:
        if operation.symbol in propagated.copies:
            copies.setdefault(len(built) - 1, []).append(operation)
        else:
            built.append(operation)
    collected: list[Edit] = []
    for index, (op_path, operation) in enumerate(zip(children_of(root_of(module, text)), built)):
        collected += edits.of(op_path, operation)
        end = end_with_location(text, op_path.end)
        indent = "\n" + indent_of(text, op_path.start)
        for copy in copies.get(index, ()):
            body = applied(text, [*edits.of(op_path, copy)], Span(op_path.start, end))
            collected.append(Edit(Span(end, end), indent + body))
    return collected


def applied(text: str, edits: Sequence[Edit], span: Span | None = None) -> str:
    """Returns a stretch of a text (all of it) after edits, none of which depends on another."""
    start, end = span or Span(0, len(text))
    pieces: list[str] = []
    for (begin, stop), new in sorted((edit.span or Span(0, len(text)), edit.text) for edit in edits):
        pieces += (text[start:begin], new)
        start = stop
    return "".join([*pieces, text[start:end]])


class _PlacedToken(NamedTuple):
    text: str
    start: int
    end: int


class _PartEdit(NamedTuple):
    """An edit of an operation's text, in one of the parts between its names of values."""

    part: int
    start: int
    end: int
    text: str


class _Edits:
    """Edits of operations of one text. Operations that differ in names alone are edited alike."""

    def __init__(self, text: str, module: Module) -> None:
        self._text = text
        self._printers = {is_generic: _printer(module, is_generic) for is_generic in (False, True)}
        self._known: dict[tuple[Signature, Signature, str, str], list[_PartEdit] | None] = {}

    def of(self, op_path: OpPath, new: Operation) -> Iterator[Edit]:
        """Yields the edits that make an operation, and those in its regions, what it is to be."""
        old = op_path.operation
        if new is old:
            return
        if not old.regions:
            yield from self._plain(op_path, new)
            return
        yield from self._header(op_path, new, self._dialect(op_path))
        children = (inner for region in new.regions for block in region.blocks for inner in block.operations)
        if any(block.starts for region in old.regions for block in region.blocks):
            for child, operation in zip(children_of(op_path), children):
                yield from self.of(child, operation)

    def _plain(self, op_path: OpPath, new: Operation) -> Iterator[Edit]:
        """Yields the edits of an operation without regions."""
        parts = SPLIT.split(self._text[op_path.start : op_path.end])
        dialect = self._dialect(op_path)
        key = op_path.operation.signature, new.signature, dialect, "%".join(parts[::2])
        starts = list(accumulate(map(len, parts), initial=op_path.start))
        if key not in self._known:
            edits = list(self._header(op_path, new, dialect))
            self._known[key] = _in_parts(edits, starts)
            yield from edits
            return
        known = self._known[key]
        if known is None:
            yield from self._header(op_path, new, dialect)
            return
        for part, start, end, text in known:
            yield Edit(Span(starts[part] + start, starts[part] + end), text)

    def _dialect(self, op_path: OpPath) -> str:
        """Returns the dialect whose name is left out in front of an operation."""
        parent = op_path.parent
        if parent is None or parent.parent is None:
            return "builtin"
        return default_dialect_in(parent.operation, self._is_generic(parent))

    def _is_generic(self, op_path: OpPath) -> bool:
        match = RESULTS.match(self._text, op_path.start)
        return self._text.startswith('"', match.end() if match else op_path.start)

    def _header(self, op_path: OpPath, new: Operation, dialect: str) -> Iterator[Edit]:
        old, printer = op_path.operation, self._printers[self._is_generic(op_path)]
        source = self._source_tokens(op_path)
        texts = [_printed(printer, operation, dialect, op_path) for operation in (old, new)]
        before, after = (
            [_PlacedToken(token[0], *token.span()) for token in _TOKEN.finditer(text)] for text in texts
        )
        is_as_printed = [token.text for token in source] == [token.text for token in before]
        if texts[0] == texts[1] and new.result_types == old.result_types:
            return
        if _keeps_elements(new) or not (is_as_printed or _has_other_numbers(old, new)):
            yield from self._retyped(op_path, new)
        elif is_as_printed and len(before) == len(after):
            for token, other in zip(source, after):
                if token.text != other.text:
                    yield Edit(Span(token.start, token.end), other.text)
        else:
            yield _replaced(source, after, texts[1])

    def _source_tokens(self, op_path: OpPath) -> list[_PlacedToken]:
        """Returns the tokens of an operation's own text without result names, comments and locations."""
        match = RESULTS.match(self._text, op_path.start)
        first = match.end() if match else op_path.start
        tokens: list[_PlacedToken] = []
        for start, end in header_spans(op_path):
            for token in _TOKEN.finditer(self._text, max(start, first), end):
                if not token[0].startswith("//"):
                    tokens.append(_PlacedToken(token[0], *token.span()))
        return list(_without_locations(tokens))

    def _retyped(self, op_path: OpPath, new: Operation) -> Iterator[Edit]:
        """Yields the edits of the types in a text that is not as MLIR prints it, where each becomes one."""
        types: dict[Type, set[Type]] = {}
        for old_type, new_type in _type_pairs(op_path.operation, new):
            types.setdefault(old_type, set()).add(new_type)
        for start, end in header_spans(op_path):
            for span, type_ in placed_types(self._text, start, end):
                becomes = types.get(type_, set())
                if len(becomes) == 1 and type_ not in becomes:
                    yield Edit(span, str(next(iter(becomes))))


def _in_parts(edits: Sequence[Edit], starts: Sequence[int]) -> list[_PartEdit] | None:
    """Returns edits as those of parts, None where one touches several."""
    placed: list[_PartEdit] = []
    for edit in edits:
        start, end = edit.span or Span(0, 0)
        part = bisect_right(starts, start) - 1
        if part + 1 >= len(starts) or end > starts[part + 1] or part % 2:
            return None
        placed.append(_PartEdit(part, start - starts[part], end - starts[part], edit.text))
    return placed


def _printed(printer: ModulePrinter, operation: Operation, dialect: str, op_path: OpPath) -> str:
    """Returns an operation as MLIR prints it, with the names of the source and without what is in its
    regions; empty for one with successors."""
    names, parts = op_path.values.names, list[str]()
    for piece in printer.pieces(operation, dialect):
        match piece:
            case str():
                parts.append(piece)
            case int():
                parts.append(f"%{names[operation.operands[piece]]}")
            case LineBreak():
                parts.append(" ")
            case RegionPiece():
                parts.append(f"{{ {_block_headers(operation.regions[piece.index], piece.arguments)} }}")
            case ArgumentPiece():
                region = operation.regions[piece.region]
                parts.append(f"%{region.values.names[region.blocks[0].arguments[piece.index]]}")
            case SuccessorPiece():
                return ""
            case _:
                pass
    return "".join(parts)


def _printer(module: Module, is_generic: bool) -> ModulePrinter:
    printer = ModulePrinter(module, generic=is_generic, locations=False)
    printer.text_cache = TextCache()
    return printer


def _keeps_elements(operation: Operation) -> bool:
    """Returns whether a constant keeps listed elements that do not fit its type."""
    value = operation.attribute("value")
    return isinstance(value, DenseElementsAttr) and operation.result_types != (value.type,)


def _has_other_numbers(old: Operation, new: Operation) -> bool:
    """Returns whether more than types changes in an operation without regions."""
    if old.regions:
        return False
    before, after = old.attribute("value"), new.attribute("value")
    if isinstance(before, DenseElementsAttr) and isinstance(after, DenseElementsAttr):
        return before.array.flat[:1].tolist() != after.array.flat[:1].tolist()
    return old.signature.properties != new.signature.properties


def _block_headers(region: Region, is_shown: bool) -> str:
    headers = [_block_header(region, block, index) for index, block in enumerate(region.blocks)]
    first = is_shown and region.blocks and region.blocks[0].arguments
    return " ".join(headers if first else headers[1:])


def _block_header(region: Region, block: Block, index: int) -> str:
    table = region.values
    arguments = ", ".join(f"%{table.names[value]}: {table.types[value]}" for value in block.arguments)
    return f"^{block.label or f'bb{index}'}{f'({arguments})' if arguments else ''}:"


def _without_locations(tokens: Sequence[_PlacedToken]) -> Iterator[_PlacedToken]:
    depth, waiting = 0, False
    for index, token in enumerate(tokens):
        if not depth and not waiting and token.text == "loc":
            waiting = tokens[index + 1 : index + 2] != [] and tokens[index + 1].text == "("
        if not depth and not waiting:
            yield token
        depth += ((token.text == "(") - (token.text == ")")) if depth or waiting else 0
        waiting = waiting and token.text == "loc"


def _type_pairs(old: Operation, new: Operation) -> Iterator[tuple[Type, Type]]:
    """Yields the types of an operation's signature and regions with those that they become."""
    yield from zip((*old.operand_types, *old.result_types), (*new.operand_types, *new.result_types))
    declared, becoming = function_type(old), function_type(new)
    if declared is not None and becoming is not None:
        yield from zip((*declared.inputs, *declared.results), (*becoming.inputs, *becoming.results))
    for one, other in zip(old.regions, new.regions):
        for value in (value for block in one.blocks for value in block.arguments):
            yield one.values.types[value], other.values.types[value]


def _replaced(source: Sequence[_PlacedToken], after: Sequence[_PlacedToken], text: str) -> Edit:
    """Returns the edit of what is between the common beginning and end of an operation's tokens and those of
    the text that it becomes."""
    first = _common(source, after)
    last = _common(source[first:][::-1], after[first:][::-1])
    span = Span(source[first].start, source[len(source) - last - 1].end)
    return Edit(span, text[after[first].start : after[len(after) - last - 1].end])


def _common(ones: Sequence[_PlacedToken], others: Sequence[_PlacedToken]) -> int:
    pairs = zip(ones, others)
    return sum(1 for _ in takewhile(lambda pair: pair[0].text == pair[1].text, pairs))
