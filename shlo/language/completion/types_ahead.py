"""The types that an operation ends in which is being typed, as far as its operands and attributes tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shlo.dialects.inference import infer_operation
from shlo.ir.operations import BROKEN, Operation
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
    op_def, text = statement.op_def, statement.text.rstrip().removesuffix(":").rstrip()
    line = line_span(statement.part.text, statement.offset)
    rest = statement.part.text[statement.offset : line.end].strip()
    if op_def is None or not op_def.results or rest or len(text) > MAX_LINE or "\n" in text:
        return None
    operands = _operands(statement, scope)
    if operands is None:
        return None
    form = "type(function)" if '"' in text else op_def.format or ""
    for directive, write in _SECTIONS.items():
        if directive in form:
            count = len(infer_operation(op_def.name, operands))
            trial = write(operands, [UNKNOWN_TYPE] * count)
            operation = _read(statement, text, operands, trial)
            types = _inferred(operation, operands) if operation else None
            return write(operands, list(map(str, types))) if types else None
    return None


def _operands(statement: Statement, scope: Mapping[str, Type]) -> list[Type] | None:
    names = [token.text[1:] for token in statement.tokens if token.kind == "value"]
    found = [scope.get(name) or scope.get(f"{name}#0") for name in names]
    types = [type_ for type_ in found if type_ is not None]
    return types if len(types) == len(found) else None


def _read(statement: Statement, text: str, operands: Sequence[Type], section: str) -> Operation | None:
    """Returns the operation with types at its end, read by itself, its operands being a function's
    arguments."""
    values = [token.span for token in statement.tokens if token.kind == "value"]
    for number, span in reversed([*enumerate(values)]):
        start, end = span.start - statement.start, span.end - statement.start
        text = f"{text[:start]}%{number}{text[end:]}"
    results, equals, named = text.partition("=")
    text = named if equals and results.lstrip().startswith("%") else text
    arguments = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(operands))
    module, _ = parse(f"func.func @f({arguments}) {{\n{text} : {section}\n}}")
    bodies = [function.body for function in module.functions.values()]
    operations = [each for body in bodies if body for each in body.blocks[0].operations]
    return operations[0] if len(operations) == 1 and operations[0].name != BROKEN else None


def _inferred(operation: Operation, operands: Sequence[Type]) -> list[Type] | None:
    regions = tuple(map(region_type, operation.regions))
    count = len(operation.results)
    found = infer_operation(operation.name, operands, operation.signature.properties, regions, count)
    types = [type_ for type_ in found if type_ is not None]
    return types if len(types) == len(found) else None


def _function(operands: Sequence[Type], results: Sequence[str]) -> str:
    given = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({', '.join(map(str, operands))}) -> {given}"


def _same(operands: Sequence[Type], results: Sequence[str]) -> str:
    return str(operands[0]) if operands and len({*operands}) == 1 else _function(operands, results)


def _of_results(operands: Sequence[Type], results: Sequence[str]) -> str:
    return ", ".join(results)


def _of_operands(operands: Sequence[Type], results: Sequence[str]) -> str:
    return ", ".join(map(str, operands))


_SECTIONS = {
    "type(same)": _same,
    "type(function)": _function,
    "type(results)": _of_results,
    "type(operands)": _of_operands,
}
"""How the types at an operation's end are written."""
