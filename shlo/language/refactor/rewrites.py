"""Operations as constants, in another element type, in the generic form; functions without what is unused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from shlo.api import parse, run
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ShloError
from shlo.ir.op_path import OpPath, children_in
from shlo.ir.operations import Operation, Region
from shlo.ir.source import Span
from shlo.ir.types import FloatType, RankedTensorType, element_type_of
from shlo.language.document import Edit, Part
from shlo.language.index.op_names import free_name, indent_of, value_names, whole_lines
from shlo.language.index.values import operands_of
from shlo.language.refactor.functions import identifier
from shlo.language.refactor.selected import Selected, end_of_line, end_with_location, with_names
from shlo.places.origins import origin_of
from shlo.syntax.lexer.tokens import line_span, tokens
from shlo.syntax.printer.module import ModulePrinter, default_dialect_in

MAX_FOLDED: Final = 4_096
"""How many elements a constant may have that is computed."""
MAX_SLICE: Final = 2_000
"""How many operations one result may depend on that is computed."""
FOLD_STEPS, FOLD_BYTES = 100_000, 1 << 26
OTHER_FLOATS: Final = {"f32": ("bf16", "f64"), "bf16": ("f32",), "f16": ("f32",), "f64": ("f32",)}
"""What element types the operations of one may be given."""


def folded(selected: Selected) -> list[Edit] | None:
    """Returns the edit that puts constants in the place of an operation; None where it depends on more than
    constants, is too large, or fails."""
    from shlo.dialects.constants import is_constant

    op_path = selected.places[0]
    values = _values(selected)
    if values is None or is_constant(op_path.operation):
        return None
    lines = [f"%{name} = stablehlo.constant {value}" for name, value in values if "#" not in name]
    indent = indent_of(selected.part.text, op_path.start)
    return [Edit(op_path.span, f"\n{indent}".join(lines))] if len(lines) == len(values) else None


def with_check(selected: Selected) -> list[Edit] | None:
    """Returns the edit that checks, behind an operation, that it gives what it gives now; None where that
    depends on more than constants, is too large, or fails."""
    values = _values(selected)
    if values is None:
        return None
    text = selected.part.text
    lines: list[str] = []
    for name, value in values:
        is_exact = not isinstance(element_type_of(value.type), FloatType)
        check = "expect_eq_const" if is_exact else "expect_almost_eq_const"
        lines.append(f"\n{indent_of(text, selected.span.start)}check.{check} %{name}, {value}")
    end = end_of_line(text, selected.span.end)
    return [Edit(Span(end, end), "".join(lines))]


def _values(selected: Selected) -> list[tuple[str, DenseElementsAttr]] | None:
    """Returns the names of an operation's results with what they are, None where that is not for sure."""
    op_path = selected.places[0]
    results = op_path.operation.results
    needed = _slice(selected, op_path) if len(selected.places) == 1 else None
    if needed is None:
        return None
    text = selected.part.text
    body = "\n".join(text[op_path.start : op_path.end] for op_path in needed)
    types = selected.types(results)
    aliases = "\n".join(_alias_lines(text, "loc(#" in body))
    ending = f"return {selected.texts(results)} : {types}"
    program = f"{aliases}\nfunc.func @main() -> ({types}) {{\n{body}\n{ending}\n}}"
    try:
        arrays = run(parse(program), max_steps=FOLD_STEPS, max_bytes=FOLD_BYTES)
    except (ShloError, ValueError):
        return None
    constants: list[tuple[str, DenseElementsAttr]] = []
    for value, array in zip(results, arrays):
        type_ = selected.type(value)
        assert isinstance(type_, RankedTensorType)
        constants.append((selected.names[value], DenseElementsAttr(type_, array)))
    return constants


def _alias_lines(text: str, with_locations: bool) -> Iterator[str]:
    """Yields the definitions of aliases, those of locations if they are needed."""
    for line in re.findall(r"^[#!][\w$.-]+\s*=.*$", text, re.MULTILINE):
        if with_locations or "loc(" not in line:
            yield line


def _slice(selected: Selected, op_path: OpPath) -> list[OpPath] | None:
    """Returns the operations that an operation depends on and itself, in the order of the text; None where
    these are not all pure and known."""
    from shlo.transforms.rewriting.purity import is_pure

    scope = selected.part.index.values.scope_of(op_path)
    if scope is None or not _is_small(op_path.operation):
        return None
    needed: dict[int, OpPath] = {}
    pending = [op_path]
    while pending:
        user = pending.pop()
        if user.start in needed:
            continue
        if len(needed) >= MAX_SLICE or not is_pure(user.operation):
            return None
        needed[user.start] = user
        for value in Selected(selected.part, (user,)).inputs:
            owner = scope.owners.get(value)
            if owner is None or owner.region is not None:
                return None
            pending.append(owner.place)
    return [needed[start] for start in sorted(needed)]


def _is_small(operation: Operation) -> bool:
    return bool(operation.results) and all(
        isinstance(type_, RankedTensorType) and type_.is_static and type_.element_count <= MAX_FOLDED
        for type_ in operation.result_types
    )


def with_element_type(selected: Selected, old: str, new: str) -> list[Edit] | None:
    """Returns the edit that computes operations in another floating-point type, with conversions where values
    come in and go out; None where their text has bits of the old type, calls, complex numbers or aliases."""
    text, span = selected.part.text, selected.span
    for token in tokens(text, *span):
        if (
            token.kind in ("symbol", "type")
            or token.text == "complex"
            or token.text.startswith(('"0x', "0x"))
        ):
            return None
    used = value_names(text, selected.function.span)
    renamed: dict[str, str] = {}
    indent = indent_of(text, span.start)
    before, behind = list[str](), list[str]()
    for value in (*selected.inputs, *selected.outputs):
        name, type_ = selected.names[value], str(selected.type(value))
        if element_type_of(selected.type(value)) != _FLOATS[old]:
            continue
        if "#" in name and value in selected.outputs:
            return None
        changed = _retyped(type_, old, new)
        renamed[name] = free_name(
            used, f"{name.replace('#', '_') if '#' in name else name}_{new}".lstrip("_")
        )
        if renamed[name][0].isdigit():
            renamed[name] = free_name(used, f"v{renamed[name]}")
        used.add(renamed[name])
        if value in selected.inputs:
            before.append(f"%{renamed[name]} = stablehlo.convert %{name} : ({type_}) -> {changed}")
        else:
            behind.append(f"%{name} = stablehlo.convert %{renamed[name]} : ({changed}) -> {type_}")
    body = _retyped(with_names(text, span, renamed), old, new)
    return [Edit(span, f"\n{indent}".join([*before, body, *behind]))]


_FLOATS: Final = {name: FloatType(name) for name in OTHER_FLOATS}


def _retyped(text: str, old: str, new: str) -> str:
    """Returns a text in which tensors of one element type have another one."""
    return re.sub(rf"(?<=[x<]){old}(?=[>,])", new, text)


def float_types(selected: Selected) -> list[tuple[str, str]]:
    """Returns the pairs of element types from one to the other of which the operations could be changed."""
    operations = [op_path.operation for op_path in selected.places]
    types = (
        type_ for operation in operations for type_ in (*operation.operand_types, *operation.result_types)
    )
    used = set(map(element_type_of, types))
    return [(old, new) for old, others in OTHER_FLOATS.items() if _FLOATS[old] in used for new in others]


def in_other_form(selected: Selected) -> list[Edit] | None:
    """Returns the edit that writes an operation in the generic form, or one in that form as usual."""
    op_path = selected.places[0]
    text, operation = selected.part.text, op_path.operation
    if len(selected.places) > 1 or operation.regions or op_path.parent is None:
        return None
    op_text = text[op_path.start : op_path.end]
    left, _, right = op_text.partition("=") if operation.results else ("", "", op_text)
    is_generic = right.lstrip().startswith('"')
    printer = ModulePrinter(selected.part.module, generic=not is_generic, locations=False)
    dialect = default_dialect_in(op_path.parent.operation, is_generic=False)
    names = [f"%{selected.names[value]}" for value in operation.operands]
    pieces = [
        names[piece] if isinstance(piece, int) else str(piece)
        for piece in printer.pieces(operation, dialect)
        if isinstance(piece, (int, str))
    ]
    start = f"{left.rstrip()} = " if operation.results else ""
    return [Edit(op_path.span, start + "".join(pieces))]


def with_refined_shapes(part: Part, function: OpPath) -> list[Edit] | None:
    """Returns the edit that writes a function with the sizes that its arguments' types give; None where
    nothing follows, or where functions that it calls would have to change, too."""
    from shlo.transforms.refinement.refine import RefinementError, refine
    from shlo.transforms.rewriting.rebuild import block_of, with_regions

    name, module = function.operation.symbol, part.module
    if name not in module.functions or function.parent is None or function.parent.parent is not None:
        return None
    try:
        refined = refine(module, [None] * len(module.functions[name].type.inputs), entry=name)
    except RefinementError:
        return None
    (block,), before = refined.body.blocks, {id(operation) for operation in module.body.blocks[0].operations}
    changed = [pair for pair in enumerate(block.operations) if id(pair[1]) not in before]
    if len(changed) != 1 or changed[0][1].symbol != name or len(before) != len(block.operations):
        return None
    alone = Region((block_of(block, changed),), refined.body.values)
    shown = replace(refined, operation=with_regions(refined.operation, (alone,)))
    first, *lines = ModulePrinter(shown, generic=False, locations=False).text().rstrip().split("\n")
    if not first.startswith("module"):
        return None  # aliases come first
    indent = indent_of(part.text, function.start)
    text = f"\n{indent}".join(line.removeprefix("  ") for line in lines[:-1])
    return [Edit(function.span, text)] if text != part.text[function.start : function.end] else None


def without_unused(part: Part, function: OpPath) -> list[Edit]:
    """Returns the edits that remove the pure operations of a function whose results nothing uses, and what
    only these use."""
    from shlo.transforms.rewriting.purity import is_pure

    region = function.operation.regions[0] if function.operation.regions else None
    scope = part.index.values.scope_in(function, region.values) if region else None
    if scope is None:
        return []
    counts: dict[int, int] = {}
    for op_path in scope.operations:
        for value in operands_of(op_path.operation):
            counts[value] = counts.get(value, 0) + 1
    removed: list[Span] = []
    pending = list(reversed(scope.operations))
    seen: set[int] = set()
    while pending:
        op_path = pending.pop()
        results = op_path.operation.results
        if (
            op_path.start in seen
            or not results
            or any(map(counts.get, results))
            or not is_pure(op_path.operation)
        ):
            continue
        seen.add(op_path.start)
        removed.append(op_path.span)
        for value in Selected(part, (op_path,)).inputs:
            counts[value] = counts.get(value, 0) - _uses_inside(op_path, value)
            owner = scope.owners.get(value)
            if owner is not None and owner.region is None:
                pending.append(owner.place)
    edits: list[Edit] = []
    end = 0
    for span in sorted(removed):
        if span.start >= end:  # else it is in a region of the one before
            whole = Span(span.start, end_with_location(part.text, span.end))
            edits.append(Edit(whole_lines(part.text, whole), ""))
            end = span.end
    return edits


def _uses_inside(op_path: OpPath, value: int) -> int:
    """Returns how often an operation and those in its regions use a value."""
    count = operands_of(op_path.operation).count(value)
    for region in op_path.operation.regions:
        if region.values is op_path.values:
            for block in region.blocks:
                count += sum(
                    _uses_inside(OpPath(operation, 0, 0, op_path), value) for operation in block.operations
                )
    return count


def with_probe(selected: Selected) -> list[Edit]:
    """Returns the edit that puts a probe behind each operation, which `shlo run` saves."""
    text = selected.part.text
    indent = indent_of(text, selected.span.start)
    used = value_names(text, selected.function.span)
    lines: list[str] = []
    for op_path in selected.places:
        for value in op_path.operation.results:
            value_name = selected.names[value]
            name = value_name.replace("#", "_")
            probe = free_name(used, identifier(f"{name}_probe"))
            used.add(probe)
            operation = f'interpreter.probe %{value_name}, probe_id = "{name}" : {selected.type(value)}'
            lines.append(f"%{probe} = {operation}")
    end = end_of_line(text, selected.span.end)
    return [Edit(Span(end, end), "".join(f"\n{indent}{line}" for line in lines))]


def at_first_use(selected: Selected) -> list[Edit] | None:
    """Returns the edits that move an operation to the line before the first one that uses it in its block;
    None where it is there, is used nowhere, or has an effect."""
    from shlo.transforms.rewriting.purity import is_pure

    op_path, text = selected.places[0], selected.part.text
    if len(selected.places) > 1 or op_path.parent is None or not is_pure(op_path.operation):
        return None
    region = op_path.parent.operation.regions[op_path.region]
    behind = [
        child for child in children_in(op_path.parent, op_path.region, region) if child.start > op_path.start
    ]
    users = (
        later
        for later in behind
        if later.block == op_path.block
        and any(_uses_inside(later, value) for value in op_path.operation.results)
    )
    user = next(users, None)
    if user is None or user.start == behind[0].start:
        return None
    line = whole_lines(text, selected.span)
    target = line_span(text, user.start).start
    if text[line.end - 1 : line.end] != "\n":
        return None  # something else is on its line
    return [Edit(line, ""), Edit(Span(target, target), text[slice(*line)])]


def meaning_of(selected: Selected) -> str | None:
    """Returns a name for the result of an operation that its location suggests, None where it does not."""
    op_path = selected.places[0]
    origin = origin_of(op_path.operation.location)
    if (
        len(selected.places) > 1
        or len(op_path.operation.results) != 1
        or not (origin.primitive or origin.scope)
    ):
        return None
    last = origin.scope.rpartition("/")[2] if "/" in origin.scope else ""
    words = [word for word in (last, origin.primitive) if word and "(" not in word]
    name = identifier("_".join(words)) if words else None
    current = selected.names[op_path.operation.results[0]]
    if name is None or re.fullmatch(rf"{re.escape(name)}(_\d+)?", current):
        return None
    return free_name({name.partition("#")[0] for name in selected.names}, name)
