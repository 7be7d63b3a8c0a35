"""Operations made a function or a composite, and calls replaced by what they call."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shlo.dialects import find_op_def
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.name_stack import part_names, scope_parts
from shlo.ir.op_path import OpPath, children_in, walk
from shlo.ir.operations import BROKEN
from shlo.ir.source import Span
from shlo.language.document import Edit
from shlo.language.index.op_names import free_name, indent_of, value_names, whole_lines
from shlo.language.refactor.selected import FUNCTION, Selected, indented, with_names
from shlo.places.origins import origin_of
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import line_span, tokens

CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that call a function, and the attribute that names it."""


def extracted(selected: Selected, as_composite: bool) -> list[Edit]:
    """Returns the edits that make operations the body of a private function, behind the one they are in, and
    call it in their place, or make it the decomposition of a composite."""
    text, function, span = selected.part.text, selected.function, selected.span
    name = free_name({symbol.name for symbol in selected.part.index.symbols.all}, _meaning(selected))
    called = symbol_text(name)
    inputs, outputs = selected.inputs, selected.outputs
    renamed = _parameters(selected)
    parameters = ", ".join(
        f"%{renamed.get(selected.names[value], selected.names[value])}: {selected.type(value)}"
        for value in inputs
    )
    indent = indent_of(text, function.start)
    body = indented(with_names(text, span, renamed), indent_of(text, span.start), f"{indent}  ")
    arrow = f" -> {_result_types(selected)}" if selected.outputs else ""
    ending = f"{indent}  return {selected.texts(outputs)} : {selected.types(outputs)}".rstrip(" :")
    definition = f"\n{indent}func.func private {called}({parameters}){arrow} {{\n{body}\n{ending}\n{indent}}}"
    left = f"{selected.definitions(outputs)} = " if outputs else ""
    signature = f"({selected.types(inputs)}) -> {_result_types(selected)}"
    if as_composite:
        operands = f" {selected.texts(inputs)}" if inputs else ""
        call = f'stablehlo.composite "shlo.{name}"{operands} {{decomposition = {called}}} : {signature}'
    else:
        word = "func.call" if _is_in_region(selected) else "call"
        call = f"{word} {called}({selected.texts(inputs)}) : {signature}"
    return [Edit(span, left + call), Edit(Span(function.end, function.end), definition)]


def _parameters(selected: Selected) -> dict[str, str]:
    """Returns new names for the results of packs among the inputs, which no argument can have."""
    used = value_names(selected.part.text, selected.function.span)
    renamed: dict[str, str] = {}
    for value in selected.inputs:
        name = selected.names[value]
        if "#" in name:
            renamed[name] = free_name(used, f"arg_{name.replace('#', '_')}")
    return renamed


def _result_types(selected: Selected) -> str:
    types = selected.types(selected.outputs)
    return types if len(selected.outputs) == 1 else f"({types})"


def _meaning(selected: Selected) -> str:
    """Returns what the operations are called together: the innermost scope that all have, if any."""
    scopes = {origin_of(op_path.operation.location).scope for op_path in selected.places}
    parts = scope_parts(scopes.pop()) if len(scopes) == 1 else ()
    return identifier(part_names(parts[-1])[-1]) if len(parts) > 1 else "extracted"


def identifier(name: str) -> str:
    """Returns a name that a value or symbol can have, made of another one."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")[:60]
    return word if word and not word[0].isdigit() else f"v{word}"


def inlined(selected: Selected) -> list[Edit] | None:
    """Returns the edits that put what a call or composite calls in its place; None where that is no function
    of one block, or one that cannot be read."""
    call = selected.places[0]
    callee = _callee(selected, call)
    if callee is None:
        return None
    region = callee.operation.regions[0]
    *body, ending = children_in(callee, 0, region)
    if any(op_path.operation.name == BROKEN for op_path in walk(callee)):
        return None
    text = selected.part.text
    names, own_names = region.values.names, selected.names
    renamed = {
        names[argument]: own_names[operand]
        for argument, operand in zip(region.blocks[0].arguments, call.operation.operands)
    }
    used = value_names(text, selected.function.span)
    for name in sorted(value_names(text, Span(body[0].start, ending.start)) if body else ()):
        if name not in renamed:
            renamed[name] = free_name(used, name)
            used.add(renamed[name])
    results = [_renamed(names[value], renamed) for value in ending.operation.operands]
    edits = [_body_edit(selected, callee, body, renamed)]
    for result, new in zip(call.operation.results, results):
        for span in _uses(selected, result):
            edits.append(Edit(span, f"%{new}"))
    return edits


def _callee(selected: Selected, op_path: OpPath) -> OpPath | None:
    """Returns the function of one block that an operation calls."""
    attribute = op_path.operation.attribute(CALLS.get(op_path.operation.name, ""))
    if not isinstance(attribute, SymbolRefAttr) or attribute.nested or len(selected.places) > 1:
        return None
    symbol = selected.part.index.symbols.visible(op_path, attribute.root)
    operation = symbol.place.operation if symbol else None
    if symbol is None or operation is None or operation.name != FUNCTION or not operation.regions:
        return None
    has_body = len(operation.regions[0].blocks) == 1
    is_outside = operation is not selected.function.operation
    return symbol.place if has_body and is_outside else None


def _renamed(name: str, renamed: Mapping[str, str]) -> str:
    base, hash_, number = name.partition("#")
    return renamed[base] + hash_ + number if base in renamed else name


def _body_edit(selected: Selected, callee: OpPath, body: list[OpPath], renamed: Mapping[str, str]) -> Edit:
    """Returns the edit that puts the text of a function's body in the place of a call."""
    text, span = selected.part.text, selected.span
    if not body:
        return Edit(whole_lines(text, span), "")
    copied = with_names(text, Span(body[0].start, body[-1].end), renamed)
    if _is_in_region(selected):
        copied = re.sub(r"(^\s*|=\s*)call(?=\s+@)", r"\1func.call", copied, flags=re.MULTILINE)
    indent = indent_of(text, span.start)
    return Edit(span, indented(copied, indent_of(text, body[0].start), indent).removeprefix(indent))


def _is_in_region(selected: Selected) -> bool:
    """Returns whether the operations are in a region of another one, where calls have the dialect's name."""
    parent = selected.places[0].parent
    return parent is not None and parent.operation.name != FUNCTION


def _uses(selected: Selected, value: int) -> list[Span]:
    """Returns the places where a result of the first operation is used, the number behind `#` included."""
    index, text = selected.part.index, selected.part.text
    scope = index.values.scope_of(selected.places[0])
    if scope is None:
        return []
    wanted = f"%{selected.names[value]}"
    spans = [
        occurrence.span
        for occurrence in index.occurrences(index.values.value(scope, value))
        if not occurrence.is_definition
    ]
    return [
        token.span
        for span in spans
        for token in tokens(text, span.start, line_span(text, span.start).end)
        if token.span.start == span.start and token.text == wanted
    ]


def can_inline(selected: Selected) -> str | None:
    """Returns the name of the function that a selected call calls, None where it cannot be put in."""
    callee = _callee(selected, selected.places[0])
    is_known = find_op_def(selected.places[0].operation.name) is not None
    return callee.operation.symbol if callee and is_known else None
