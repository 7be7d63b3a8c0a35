"""The types that an operation ends in which is being typed, as far as its operands and attributes tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from shlo.dialects.inference import infer_operation
from shlo.ir.operations import BROKEN, Operation
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.completion.statement import Statement
from shlo.syntax import parse
from shlo.syntax.lexer.tokens import line_span
from shlo.verifier.verifier import region_type

MAX_LINE = 2_000
"""Characters of an operation that is looked at."""
UNKNOWN_TYPE = "tensor<*xf32>"
"""What represents a result's type while the operation is read."""


def types_ahead(statement: Statement, scope: Mapping[str, Type]) -> str | None:
    """Returns the types of the operation that ends at the cursor, without the colon; None where they cannot
    be told. `scope` has the types of the values that it may use, by name."""
    return _types_ahead(statement, statement.text.rstrip().removesuffix(":").rstrip(), scope)


def types_begun(statement: Statement, scope: Mapping[str, Type], colon: int, start: int) -> str | None:
    """Returns what follows of an operation's types of which some are written: `colon` is where they begin
    in the part, `start` where they go on. None where they cannot be told or others are written."""
    types = _types_ahead(statement, statement.part.text[statement.start : colon].rstrip(), scope)
    written = " ".join(statement.part.text[colon + 1 : start].split())
    if types is None or not types.startswith(written):
        return None
    return types[len(written) :].lstrip()


def _types_ahead(statement: Statement, text: str, scope: Mapping[str, Type]) -> str | None:
    op_def = statement.op_def
    line = line_span(statement.part.text, statement.offset)
    rest = statement.part.text[statement.offset : line.end].strip()
    if rest.startswith("loc("):
        rest = ""
    if op_def is None or not op_def.results or rest or len(text) > MAX_LINE or "\n" in text:
        return None
    operands = _operands(statement, scope)
    if operands is None:
        return None
    form = "type(function)" if '"' in text else op_def.format or ""
    directive = next((kind for kind in _DIRECTIVES if f"type({kind})" in form), None)
    if directive is None:
        return None
    count = len(infer_operation(op_def.name, operands))
    operation = _read(statement, text, operands, _written(directive, operands, [UNKNOWN_TYPE] * count))
    types = _inferred(operation, operands) if operation else None
    return _written(directive, operands, list(map(str, types))) if types else None


def operand_types_ahead(statement: Statement, scope: Mapping[str, Type]) -> str | None:
    """Returns the part of a function type that the operands tell alone, `(tensor<2xf32>) -> `; None for an
    operation that ends in other types."""
    op_def = statement.op_def
    form = "type(function)" if '"' in statement.text else (op_def.format or "") if op_def else ""
    operands = _operands(statement, scope)
    if op_def is None or "type(function)" not in form or operands is None or "\n" in statement.text:
        return None
    return f"({', '.join(map(str, operands))}) -> "


def _operands(statement: Statement, scope: Mapping[str, Type]) -> list[Type] | None:
    names = [token.text[1:] for token in statement.tokens if token.kind == "value"]
    operands = [scope.get(name) or scope.get(f"{name}#0") for name in names]
    types = [type_ for type_ in operands if type_ is not None]
    return types if len(types) == len(operands) else None


def _read(statement: Statement, text: str, operands: Sequence[Type], section: str) -> Operation | None:
    """Returns the operation with types at its end, parsed in a function of its operands."""
    values = [token.span for token in statement.tokens if token.kind == "value"]
    for number, span in reversed([*enumerate(values)]):
        start, end = span.start - statement.start, span.end - statement.start
        text = f"{text[:start]}%{number}{text[end:]}"
    results, equals, named = text.partition("=")
    text = named if equals and results.lstrip().startswith("%") else text
    arguments = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(operands))
    module, _ = parse(f"func.func @f({arguments}) {{\n{text} : {section}\n}}")
    bodies = [function.body for function in module.functions.values()]
    operations = [operation for body in bodies if body for operation in body.blocks[0].operations]
    return operations[0] if len(operations) == 1 and operations[0].name != BROKEN else None


def _inferred(operation: Operation, operands: Sequence[Type]) -> list[Type] | None:
    regions = tuple(map(region_type, operation.regions))
    count = len(operation.results)
    results = infer_operation(operation.name, operands, operation.signature.properties, regions, count)
    types = [type_ for type_ in results if type_ is not None]
    return types if len(types) == len(results) else None


_DIRECTIVES = ("same", "function", "results", "operands")


def _written(directive: str, operands: Sequence[Type], results: Sequence[str]) -> str:
    """Returns the types at an operation's end as a directive of its format writes them."""
    inputs = ", ".join(map(str, operands))
    if directive == "operands":
        return inputs
    outputs = ", ".join(results)
    if directive == "results":
        return outputs
    if directive == "same" and len({*operands}) == 1:
        return str(operands[0])
    return f"({inputs}) -> {outputs if len(results) == 1 else f'({outputs})'}"


# -- Types that can be typed at an offset --------------------------------------------------------------------


ELEMENT_TYPES = (
    "f32",
    "bf16",
    "f16",
    "f64",
    "i1",
    "i8",
    "i32",
    "i64",
    "ui8",
    "ui32",
    "ui64",
    "index",
    "complex<f32>",
    "f8E4M3FN",
    "f8E5M2",
    "i4",
)
OPEN_TYPE = re.compile(
    r"(?:(?P<name>tensor|vector|memref|complex)<(?P<shape>(?:(?:[0-9]+|\?|\*)x)*))?[\w!.]*\Z", re.ASCII
)
WRITTEN = re.compile(
    r"\b(?:tensor|vector|memref|complex|tuple)<[^<>\n]{0,200}(?:<[^<>\n]{0,200}>[^<>\n]{0,50}){0,3}>",
    re.ASCII,
)
MAX_TYPE = 300
"""How many characters of a type that is being typed are looked at."""
NEAR = 6_000
"""How many characters before and behind the cursor are searched for types."""
MAX_TYPES = 40
"""How many types that the program has are offered."""


class TypePlace(NamedTuple):
    """The place of a type that is being typed, and what is written of it."""

    span: Span
    written: str


def type_place(statement: Statement, span: Span) -> TypePlace:
    """Returns the type at the cursor. `span` is the word at it."""
    text, end = statement.part.text, span.end
    match = OPEN_TYPE.search(text, max(statement.start, end - MAX_TYPE), end)
    start = match.start() if match else end
    behind = end + 1 if match and match["name"] and text[end : end + 1] == ">" else end
    return TypePlace(Span(start, behind), text[start:end])


def types_near(text: str, start: int, end: int) -> Iterator[str]:
    """Yields the types in the text around a span, those before it first, the nearest first."""
    before = [match[0] for match in WRITTEN.finditer(text, max(0, start - NEAR), start)]
    behind = (match[0] for match in WRITTEN.finditer(text, end, end + NEAR))
    yield from islice(dict.fromkeys([*reversed(before), *behind]), MAX_TYPES)


def element_types(written: str, near: Sequence[str]) -> Iterator[str]:
    """Yields the shaped type that is being typed with each element type, those of types nearby first."""
    match = OPEN_TYPE.match(written)
    if match is None or not match["name"]:
        return
    head = written[: match.end("shape")]
    elements = [element for element in (_element(type_) for type_ in near) if element]
    for element in dict.fromkeys([*elements, *ELEMENT_TYPES]):
        if match["name"] != "complex" or element in ("f32", "f64"):
            yield f"{head}{element}>"


def _element(type_: str) -> str:
    match = re.fullmatch(r"(?:tensor|vector|memref)<(?:(?:[0-9]+|\?|\*)x)*(.*)>", type_, re.ASCII)
    return match[1] if match and ", #" not in match[1] else ""
