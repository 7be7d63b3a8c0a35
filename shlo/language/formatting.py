"""Tidy text as edits: of a whole document or of some lines. In a program with errors, the operations that
have none are put in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import takewhile

from shlo.ir.op_path import children_touching
from shlo.ir.operations import BROKEN, Operation
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Edit, Part
from shlo.language.index.op_names import indent_of
from shlo.support.cancellation import checked, checkpoint
from shlo.syntax.formatter import OperationFormatter, format_module
from shlo.syntax.lexer.tokens import CLOSING, line_span, tokens
from shlo.syntax.lexer.trivia import end_of_code
from shlo.text.line_changes import line_changes

INDENT = "  "
LARGE = 200_000
"""Characters of a text of which a range is formatted without the rest."""
FREED = 2_000
"""How many lines are freed in one go."""
PIECE = 100_000
"""Characters of a text that are cut into lines in one go."""


@recursive
def format_document(document: Document) -> list[Edit]:
    """Returns the edits, in the order of the text, that make it tidy; none overlaps another."""
    return [edit for part in document.parts for edit in _edits(part)]


@recursive
def format_range(document: Document, span: Span) -> list[Edit]:
    """Returns the edits that make what a span touches tidy."""
    all_edits: list[Edit] = []
    for part in document.parts:
        if part.span.touches(span):
            inside = span.shifted(-part.start)
            is_large = len(part.text) > LARGE
            edits = _edits_of_operations(part, inside) if is_large or _has_errors(part) else _edits(part)
            all_edits += (edit for edit in edits if edit.span and edit.span.touches(span))
    return all_edits


def _has_errors(part: Part) -> bool:
    return any(finding.severity == "error" for finding in part.diagnostics)


def _edits_of_operations(part: Part, span: Span) -> Iterator[Edit]:
    """Yields the edits of the operations that a span touches: of those that have no error and are all in the
    span or have no regions, and of such ones inside of others."""
    text, formatter = part.text, OperationFormatter(part.module, part.text)
    errors = sorted(
        diagnostic.span.start for diagnostic in part.diagnostics if diagnostic.severity == "error"
    )
    root = part.index.root
    pending = [(root, formatter.first_indent.removesuffix(INDENT))]
    while pending:
        op_path, indent = pending.pop()
        checkpoint()
        operation = op_path.operation
        is_inside = span.start <= op_path.start and op_path.end <= span.end
        has_error = bisect_left(errors, op_path.start) < bisect_right(errors, op_path.end)
        if op_path is root or has_error or (operation.regions and not is_inside) or is_broken(operation):
            inner = formatter.first_indent if op_path is root else indent + INDENT
            pending += [(child, inner) for child in children_touching(op_path, span)]
            continue
        line = text.rfind("\n", 0, op_path.start) + 1
        if not text[line : op_path.start].strip():
            new = formatter.text(op_path, indent)
            if new is None:
                continue
            end = end_of_code(text, op_path.start, op_path.end)
            yield from _line_edits(part.start + line, _lines(text[line:end]), _lines(indent + new))


def is_broken(operation: Operation) -> bool:
    """Returns whether an operation, or one in its regions, could not be read."""
    pending = [operation]
    while pending:
        op_path = pending.pop()
        if op_path.name == BROKEN:
            return True
        pending += [
            inner for region in op_path.regions for block in region.blocks for inner in block.operations
        ]
    return False


def _edits(part: Part) -> Iterator[Edit]:
    if _has_errors(part):
        edits = _edits_of_operations(part, Span(0, len(part.text)))
        yield from sorted(edits, key=lambda edit: edit.span or Span(0, 0))
        return
    old = _lines(part.text)
    new = _tidy(part, old)
    if new:
        yield from _line_edits(part.start, old, new)
    for lines in old, new:  # to free very many takes a while, in which no other thread runs
        while lines:
            checkpoint()
            del lines[-FREED:]


def _line_edits(start: int, old: list[str], new: list[str]) -> Iterator[Edit]:
    """Yields the edits of the lines that differ in two texts, the first of which starts at an offset."""
    starts = [start]
    for line in checked(old):
        starts.append(starts[-1] + len(line))
    for first, last, begin, end in checked(line_changes(old, new)):
        yield Edit(Span(starts[first], starts[last]), "".join(new[begin:end]))


def _lines(text: str) -> list[str]:
    """Returns the lines of a text with their ends, which it is cut into piece by piece: no other thread runs
    meanwhile."""
    lines: list[str] = []
    start = 0
    while start < len(text):
        checkpoint()
        end = text.find("\n", start + PIECE) + 1 or len(text)
        lines += text[start:end].splitlines(keepends=True)
        start = end
    return lines


def _tidy(part: Part, old: list[str]) -> list[str]:
    """Returns the lines of a program's formatted text, at most two of its leading empty lines before them;
    none where it has no program."""
    if not part.text or part.text.isspace():
        return []
    lines = format_module(part.module, part.text)
    if part.start:
        empty = sum(1 for _ in takewhile(lambda line: not line.strip("\r\n"), old))
        line_break = "\r\n" if lines[-1].endswith("\r\n") else "\n"
        lines[:0] = [line_break] * min(empty, 2)
    return lines


# -- Indentation of a line while it is typed, from the brackets of the lines above ---------------------------


STEP = "  "
MAX_LINES = 200_000
"""How many lines above are looked through for an opening brace."""
OPENING = frozenset("([{")


def indentation(text: str, offset: int, typed: str) -> list[Edit]:
    """Returns the edit that indents the line at an offset, at most one, after a character was typed: behind a
    line break as the line above asks for, at a closing brace as the line that opens it."""
    line = line_span(text, offset)
    rest = text[line.start : line.end].lstrip(" \t")
    old = text[line.start : line.end - len(rest)]
    if typed == "}":
        if offset > line.start + len(old) + 1 or not rest.startswith("}"):
            return []
        opening = _opening_line(text, line.start, 1, "{}")
        new = indent_of(text, opening.end) if opening is not None else old
    else:
        new = _after(text, line.start)
        if rest[:1] in ("}", ")", "]") and len(new) >= len(STEP):
            new = new[: -len(STEP)]
    return [Edit(Span(line.start, line.start + len(old)), new)] if new != old else []


def _after(text: str, start: int) -> str:
    """Returns the indentation of a line behind the one above it that is not blank."""
    above = _above(text, start)
    while above is not None and not text[above.start : above.end].strip():
        above = _above(text, above.start)
    if above is None:
        return ""
    indent = indent_of(text, above.end)
    depth, most = _depth_backwards(text, above)
    first = text[above.start + len(indent)]
    if most > 0 or first == "^":
        return indent + STEP
    if depth < 0 and first not in CLOSING:  # it closes what lines above opened
        opening = _opening_line(text, above.start, -depth)
        return indent_of(text, opening.end) if opening is not None else indent
    return indent


def _above(text: str, start: int) -> Span | None:
    return line_span(text, start - 1) if start > 0 else None


def _opening_line(text: str, start: int, closed: int, marks: str = "{}()[]") -> Span | None:
    """Returns the line above that opens what is closed so many times at the start of a line; lines without
    any of the marks are passed over."""
    open_, line = -closed, _above(text, start)
    for _ in range(MAX_LINES):
        if line is None:
            return None
        if any(text.find(mark, line.start, line.end) >= 0 for mark in marks):
            depth, low = _depth_backwards(text, line)
            if open_ + low >= 0:
                return line
            open_ += depth
        line = _above(text, line.start)
    return None


def _depth_backwards(text: str, line: Span) -> tuple[int, int]:
    """Returns how many more brackets a line opens than it closes, and the most that any end of it does."""
    depth = most = 0
    for token in reversed(list(tokens(text, *line))):
        if token.kind == "mark" and token.text in OPENING:
            depth += 1
            most = max(most, depth)
        elif token.kind == "mark" and CLOSING.get(token.text) in OPENING:
            depth -= 1
    return depth, most
