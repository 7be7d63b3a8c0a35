"""All hints of a document, or of the lines of one that are on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.operand_groups import operand_groups
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import bit_width
from shlo.ir.floats import float_from_bits
from shlo.ir.op_path import OpPath, children_touching, header_spans, iter_header_spans
from shlo.ir.operations import BROKEN, Operation
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.traced_names import argument_label
from shlo.ir.types import FloatType, element_type_of
from shlo.language.document import Document, Part
from shlo.language.hover.types import first_texts
from shlo.language.index.op_names import TYPE_FOLLOWS, NameInText, names_of
from shlo.language.index.values import Value
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import line_span
from shlo.text.numbers import exact_number_text, number_text, plural
from shlo.text.shortening import fitted

# -- A hint, and how long one may be -------------------------------------------------------------------------


MAX_TEXT = 60

HintKind = Literal["type", "parameter", "value", "end"]


class Hint(Struct, frozen=True):
    """A text to show at an offset, which is no part of the document, and how it reads in full. `kind`: a type
    behind a name, what an operand is for, before it, the numbers of a constant, what a brace ends."""

    offset: int
    text: str
    tooltip: str
    kind: HintKind = "type"


def shortened(text: str) -> str:
    """Returns a text that fits on a line beside others."""
    return fitted(text, MAX_TEXT)


# -- Types that are not written near a value's name ----------------------------------------------------------


RESULT_COUNT = re.compile(r"[:0-9]+", re.ASCII)


def type_hints(part: Part, op_path: OpPath) -> Iterator[Hint]:
    """Yields the types of results and arguments whose line does not say them, in spans of the part."""
    text, values, operation = part.text, part.index.values, op_path.operation
    written = text[op_path.start : op_path.end]
    if not operation.regions and all(str(type_) in written for type_ in set(operation.result_types)):
        return  # the ordinary case, told quickly
    for name in names_of(text, op_path):
        if name.role not in ("result", "argument"):
            continue
        value = values.named(op_path, name)
        if value is None:
            continue
        if name.role == "argument":
            yield from _label(name, value)
            if TYPE_FOLLOWS.match(text, name.span.end):
                continue
        yield from _type(part, name, value)


def _type(part: Part, name: NameInText, value: Value) -> Iterator[Hint]:
    types = [str(type_) for type_ in value.types]
    line = part.text[name.span.start : line_span(part.text, name.span.start).end]
    if name.role == "result" and all(type_ in line for type_ in types):
        return
    full = ", ".join(types)
    end = name.span.end
    if name.role == "result" and (number := RESULT_COUNT.match(part.text, end)):
        end = number.end()
    yield Hint(end, f": {shortened(full)}", full)


def _label(name: NameInText, value: Value) -> Iterator[Hint]:
    """Yields what JAX called an argument of a function."""
    if value.position is None:
        return
    label = argument_label(*value.position)
    if label and label != value.name:
        yield Hint(name.span.end, f" {shortened(label)}", label, "value")


# -- What a closing brace ends that was opened far above -----------------------------------------------------


FAR = 15
"""From how many lines on a brace gets a hint."""
MAX_LOOKED_AT = 100_000
"""How many characters of an operation are counted for lines; one that is longer has enough of them."""


def end_hints(part: Part, op_path: OpPath) -> Iterator[Hint]:
    """Yields the name of an operation behind its last brace, in spans of the part."""
    text, end = part.text, op_path.end
    if not op_path.operation.regions or text[end - 1 : end] != "}" or not _is_long(text, op_path):
        return
    results = (
        [op_path.values.names[value] for value in op_path.operation.results[:1]] if op_path.parent else []
    )
    title = symbol_text(name) if (name := op_path.operation.symbol) else op_path.operation.name
    if results and results[0]:
        title = f"%{results[0].partition('#')[0]} {title}"
    yield Hint(end, f" {shortened(title)}", title, "end")


def _is_long(text: str, op_path: OpPath) -> bool:
    if op_path.end - op_path.start > MAX_LOOKED_AT:
        return True
    return text.count("\n", op_path.start, op_path.end) >= FAR


# -- Numbers behind literals of bits -------------------------------------------------------------------------


BITS = re.compile(r'"0x|(?<![\w"])0x([0-9A-Fa-f]+)\b', re.ASCII)
MAX_READ = 2_000
"""How many characters of an operation are looked through."""
MAX_LITERALS = 20
"""How many literals of one operation get a hint."""
SHOWN = 4
"""How many elements of a constant are shown."""


def constant_hints(part: Part, op_path: OpPath) -> Iterator[Hint]:
    """Yields the numbers behind an operation's literals of bits, in spans of the part."""
    for _, value in (
        *op_path.operation.signature.properties.items(),
        *op_path.operation.signature.attributes.items(),
    ):
        if isinstance(value, DenseElementsAttr):
            yield from _of_elements(part, op_path, value)
            return


def _of_elements(part: Part, op_path: OpPath, value: DenseElementsAttr) -> Iterator[Hint]:
    start, end = header_spans(op_path)[0]
    type_ = element_type_of(value.type)
    for count, match in enumerate(BITS.finditer(part.text, start, min(end, start + MAX_READ))):
        if count >= MAX_LITERALS:
            return
        if match[1] is None:
            yield _decoded(part, match.start(), end, value)
            return
        bits = int(match[1], 16)
        if isinstance(type_, FloatType) and bits.bit_length() <= bit_width(type_):
            number = float_from_bits(bits, type_)
            yield Hint(match.end(), f" = {number_text(number)}", exact_number_text(number), "value")


def _decoded(part: Part, start: int, end: int, value: DenseElementsAttr) -> Hint:
    """Returns the first elements of a constant, behind its string of bits."""
    closing = part.text.find('"', start + 1, end)
    array = value.array
    first = ", ".join(first_texts(value, SHOWN))
    more = ", …" if array.size > SHOWN else ""
    full = f"{plural(array.size, 'element')}: [{first}{more}]"
    return Hint(closing + 1 if closing >= 0 else end, f" = [{first}{more}]", full, "value")


# -- What operands are for, where the text shows only their order --------------------------------------------


GENERIC = re.compile(r'(?:%[^=\n]*=\s*)?"', re.ASCII)
NUMBERED = re.compile(r"(?:arg)?\d+|iterArg(?:_\d+)?", re.ASCII)
"""Names that say nothing."""


def operand_hints(part: Part, op_path: OpPath) -> Iterator[Hint]:
    """Yields `name:` before each operand, in spans of the part, where there are two at least."""
    operation = op_path.operation
    if len(operation.operands) < 2:
        return
    names = _argument_names(part, op_path)
    if names is None and GENERIC.match(part.text, op_path.start):
        names = _names(operation)
    if names is None:
        return
    uses = [name for name in names_of(part.text, op_path) if name.role == "use"]
    for use, name in zip(uses, names):
        if name and name != use.name:
            yield Hint(use.span.start, f"{shortened(name)}:", name, "parameter")


def _names(operation: Operation) -> Sequence[str] | None:
    """Returns the name of each operand on the operation's definition."""
    op_def = find_op_def(operation.name)
    if op_def is None or len(op_def.operands) < 2:
        return None
    names = [""] * len(operation.operands)
    for name, numbers in operand_groups(op_def, len(names), operation.signature.properties).items():
        for index, number in enumerate(numbers):
            names[number] = name if len(numbers) == 1 else f"{name}[{index}]"
    return names


def _argument_names(part: Part, op_path: OpPath) -> Sequence[str] | None:
    """Returns the names of the arguments of the function that an operation calls, empty where they say
    nothing; None for no call."""
    callee = op_path.operation.attribute("callee") if op_path.operation.name == "func.call" else None
    if not isinstance(callee, SymbolRefAttr):
        return None
    symbol = part.index.symbols.visible(op_path, callee.root)
    region = next(iter(symbol.place.operation.regions), None) if symbol else None
    if region is None or not region.blocks:
        return None
    block = region.blocks[0]
    names = [region.values.names[value] for value in block.arguments]
    return [
        argument_label(block, index) or ("" if NUMBERED.fullmatch(name) else name)
        for index, name in enumerate(names)
    ]


KINDS = (type_hints, operand_hints, constant_hints, end_hints)
"""What is shown, each a function of a part and the place of an operation."""


@recursive
def hints(document: Document, span: Span | None = None) -> list[Hint]:
    """Returns the hints of a document, or of the operations that a span touches, in the order of the text."""
    wanted = Span(0, len(document.text)) if span is None else span
    shown_hints = [
        replace(hint, offset=part.start + hint.offset)
        for part in document.parts
        if part.span.touches(wanted)
        for op_path in _touched(part.index.root, wanted.shifted(-part.start))
        if op_path.operation.name != BROKEN
        for kind in KINDS
        for hint in kind(part, op_path)
        if wanted.start <= part.start + hint.offset <= wanted.end
    ]
    return sorted(shown_hints, key=lambda hint: hint.offset)


def _touched(op_path: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields the operations in an operation whose text outside of their regions a span touches."""
    for child in children_touching(op_path, span):
        if any(header.touches(span) for header in iter_header_spans(child)):
            yield child
        if child.operation.regions:
            yield from _touched(child, span)


# -- Values that an editor shows behind their lines while a debugger is stopped ------------------------------


MOST: Final = 200
"""How many values are shown, the last ones before the stop."""


class InlineValue(Struct, frozen=True):
    """A name in the text, and the expression whose value is that of the name where a program is stopped."""

    span: Span
    expression: str


@recursive
def inline_values(document: Document, wanted: Span, stop: int) -> list[InlineValue]:
    """Returns what the operations in a span bind before the line of an offset, at which a program is stopped,
    in the same function; the names of arguments too.
    """
    line = line_span(document.text, stop)
    part = next((part for part in document.parts if part.start <= stop <= part.end), None)
    if part is None:
        return []
    here, end = line.start - part.start, min(wanted.end, line.start) - part.start
    span = Span(wanted.start - part.start, end)
    bound = [
        InlineValue(
            bound_value.span.shifted(part.start),
            bound_value.expression,
        )
        for function in _functions(part.index.root, Span(here, line.end - part.start))
        for bound_value in _bound(part, function, span)
    ]
    return sorted(bound, key=lambda bound_value: bound_value.span.start)[-MOST:]


def _functions(op_path: OpPath, line: Span) -> Iterator[OpPath]:
    """Yields the functions that a line is in."""
    for child in children_touching(op_path, line):
        if child.operation.name == "func.func":
            yield child
        elif child.operation.regions:
            yield from _functions(child, line)


def _bound(part: Part, op_path: OpPath, span: Span) -> Iterator[InlineValue]:
    """Yields the names that an operation, and those in it, bind in a span."""
    for name in names_of(part.text, op_path):
        if name.role in ("result", "argument") and span.start <= name.span.start < span.end:
            value = part.index.values.named(op_path, name)
            are_several = name.role == "result" and value is not None and len(value.values) > 1
            yield InlineValue(name.span, f"%{name.name}{'#0' if are_several else ''}")
    for child in children_touching(op_path, span):
        yield from _bound(part, child, span)
