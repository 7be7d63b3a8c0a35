"""Types and attributes that may resolve a finding: those that follow, conversions, other values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.formula.rendering import shown_value
from shlo.dialects.inference import infer
from shlo.dialects.op_bindings import OpBindings, parameter_names
from shlo.dialects.repairs import Conversion, has_fixit, steps, working_setting
from shlo.dialects.repairs import conversions as find_conversions
from shlo.dialects.signature_findings import constraint_of, is_broken, signature_findings
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans
from shlo.ir.operations import BROKEN, Operation, Signature, function_type
from shlo.ir.source import Span
from shlo.ir.suggestions import ConversionStep, FitLiteral, SetRegion, numbers_in, types_in
from shlo.ir.types import F32, I1, I32, I64, FunctionType, RankedTensorType, TupleType, Type, UnknownType
from shlo.language.document import Edit, Part
from shlo.language.fixes.literals import constant_edits
from shlo.language.fixes.structure import entries
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import (
    NameInText,
    free_name,
    indent_of,
    names_around,
    names_of,
    outermost,
    own_tokens,
)
from shlo.language.index.types_in_text import (
    TypeSection,
    placed_types,
    type_from,
    type_section,
)
from shlo.syntax.lexer.tokens import Token, is_code, line_span, token_at
from shlo.text.suggest import nearest_name
from shlo.verifier.help import written_forms
from shlo.verifier.op_context import region_type

GENERIC_HEAD = re.compile(
    r'[^"]*"[\w.$]+"\s*\([^()]*\)(?:\s*\[[^\]]*\])?(?:\s*<\{(?P<rest>\s*\})?)?', re.ASCII
)


MAX_JUDGED = 150
"""How many signatures with another type are judged for one finding."""
MAX_RETYPED = 100_000
"""How many characters a function has in which all values of a type are given another one."""
_SUFFIX = {"convert": "converted", "reshape": "reshaped", "broadcast_in_dim": "broadcast"}
"""What the name of a converted value ends in."""


def right_types(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the types that the operands are of, and the result types that follow from these."""
    section = _section_of(part, op_path)
    if section is None or op_path.operation.name == BROKEN:
        return
    operands, results = _operand_types(op_path), _following_types(op_path)
    edits = _retyped(section, operands, results)
    if edits:
        same = operands == op_path.operation.operand_types
        shown = ", ".join(dict.fromkeys(map(str, results if same else operands)))
        yield Repair(f"make the {'result' if same else 'operand'}'s type {shown}"[:100], edits)


def determined_types(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the right types, as certain where an operation's text alone has others than all around it.

    A result that changes is of the right type in all its uses. Where operands alone change, they are what a
    function demands, or else the operation contradicts itself and its operands are of the right types in
    other uses, too: otherwise the name of an operand may be what is wrong.
    """
    for repair in right_types(part, op_path):
        trust = Applicability.CERTAIN if _agrees_with_uses(part, op_path) else Applicability.LIKELY
        yield replace(repair, applicability=trust)


def _agrees_with_uses(part: Part, op_path: OpPath) -> bool:
    operation, names = op_path.operation, names_of(part.text, op_path)
    uses = [name for name in names if name.role == "use"]
    packs = [name for name in names if name.role == "result"]
    operands, results = _operand_types(op_path), _following_types(op_path)
    if len(uses) != len(operands):
        return False
    if results != [*operation.result_types]:
        numbers = [""] if len(results) == 1 else [str(number) for number in range(len(results))]
        return len(packs) == 1 and all(
            declared == right or {*_types_in_uses(part, op_path, packs[0], number)} == {right}
            for number, declared, right in zip(numbers, operation.result_types, results)
        )
    return operands == demanded(part, op_path) or (
        _contradicts_itself(operation)
        and all(
            declared == right or right in _types_in_uses(part, op_path, use, use.number)
            for use, declared, right in zip(uses, operation.operand_types, operands)
        )
    )


def is_contradicted(part: Part, op_path: OpPath) -> bool:
    """Returns whether a use of an operation's only result says that it is of another type."""
    packs = [name for name in names_of(part.text, op_path) if name.role == "result"]
    results = op_path.operation.result_types
    return len(results) == len(packs) == 1 and any(
        type_ != results[0] for type_ in _types_in_uses(part, op_path, packs[0], "")
    )


def _contradicts_itself(operation: Operation) -> bool:
    op_def = find_op_def(operation.name)
    return op_def is not None and bool(signature_findings(op_def, operation.signature))


def _types_in_uses(part: Part, op_path: OpPath, name: NameInText, number: str) -> list[Type]:
    """Returns the types that other operations say a value is of."""
    token = token_at(part.text, name.span.start)
    value = part.index.value(token) if token is not None else None
    types: list[Type] = []
    for use, user in part.index.values.occurrences(value) if value is not None else ():
        uses = [other.span for other in names_of(part.text, user) if other.role == "use"]
        if user.start != op_path.start and use.number == number and use.span in uses:
            types += user.operation.operand_types[uses.index(use.span) :][:1]
    return types


def _following_types(op_path: OpPath) -> list[Type]:
    """Returns the types of an operation's results, those that follow from its operands where some do."""
    operation = op_path.operation
    op_def = find_op_def(operation.name)
    operands, results = _operand_types(op_path), list(operation.result_types)
    properties = operation.signature.properties
    if op_def is not None and all(spec.name in properties for spec in op_def.attributes if spec.required):
        regions = tuple(map(region_type, operation.regions))
        signature = Signature(
            operation.name, operands, operation.result_types, operation.signature.properties
        )
        inferred = infer(op_def, OpBindings(op_def, signature, regions))
        return [inferred_type or declared for inferred_type, declared in zip(inferred, results)]
    return results


def _retyped(section: TypeSection, operands: Sequence[Type], results: Sequence[Type]) -> tuple[Edit, ...]:
    """Returns the edits that make the types in a text those."""
    if section.has_arrow:
        return (*_changes(section.before, operands), *_changes(section.behind, results))
    every = {*operands, *results}
    if len(section.before) == len(every) == 1:
        return _changes(section.before, [*every])
    return _changes(section.before, results) or _changes(section.before, operands)


def _changes(typed: Sequence[tuple[Span, Type]], types: Sequence[Type]) -> tuple[Edit, ...]:
    if len(typed) != len(types):
        return ()
    return tuple(Edit(span, str(new)) for (span, old), new in zip(typed, types) if old != new)


def _section_of(part: Part, op_path: OpPath) -> TypeSection | None:
    """Returns the types at the end of an operation's text, or those before its first region."""
    headers = header_spans(op_path)
    if op_path.operation.name == "func.constant":  # what is behind the colon is one type, with an arrow in it
        colon = part.text.rfind(" : ", op_path.start, op_path.end)
        typed = type_from(part.text, colon + len(" : ")) if colon >= 0 else None
        return TypeSection([], [typed], True) if typed else None
    section = type_section(part.text, *headers[-1])
    if section is not None or len(headers) == 1:
        return section
    first = type_section(part.text, *headers[0])
    if first is None or not first.has_arrow:
        return None
    return first._replace(behind=first.behind[: len(op_path.operation.result_types)])


def _operand_types(op_path: OpPath) -> tuple[Type, ...]:
    """Returns the types of which an operation's operands are where they are defined."""
    operation, defined = op_path.operation, op_path.values.types
    return tuple(
        declared if isinstance(defined[value], UnknownType) else defined[value]
        for value, declared in zip(operation.operands, operation.operand_types)
    )


def conversions(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Ways to make an operand fit by a conversion or a broadcast, those of the last operand first."""
    operation = op_path.operation
    if operation.name == BROKEN or op_path.parent is None:
        return
    actual = _operand_types(op_path)
    wanted_types = demanded(part, op_path)
    if wanted_types and len(wanted_types) == len(actual):
        for number in reversed(range(len(actual))):
            if steps_of := tuple(steps(actual[number], wanted_types[number])):
                yield from conversion(part, op_path, Conversion(number, steps_of))
    wanted = (*operation.operand_types, *actual, *operation.result_types, *types_in(finding.suggestions))
    for converting in find_conversions(actual, wanted):
        yield from conversion(part, op_path, converting)


def demanded(part: Part, op_path: OpPath) -> tuple[Type, ...]:
    """Returns the types that a function demands of what an operation is given: of `return`, of a call."""
    if op_path.operation.name == "func.return":
        _, declared = _function_around(op_path)
        return declared.results if declared else ()
    for token in own_tokens(part.text, op_path):
        if token.kind == "symbol" and (symbol := part.index.symbols.resolve(token)):
            called = function_type(symbol.place.operation)
            return called.inputs if called else ()
    return ()


def _function_around(op_path: OpPath) -> tuple[OpPath | None, FunctionType | None]:
    """Returns the function that an operation is in, with the type that it declares."""
    around = next((ancestor for ancestor in op_path.around() if function_type(ancestor.operation)), None)
    return around, function_type(around.operation) if around else None


def conversion(part: Part, op_path: OpPath, converting: Conversion) -> Iterator[Repair]:
    """Yields the edits that put a conversion before an operation."""
    uses = [name for name in names_of(part.text, op_path) if name.role == "use"]
    if converting.operand >= len(uses):
        return
    use = uses[converting.operand]
    lines, name = "", part.text[slice(*use.span)] + (f"#{use.number}" if use.number else "")
    end = use.span.start + len(name)
    indent = indent_of(part.text, op_path.start)
    stem = f"v{use.name}" if use.name.isdigit() else use.name
    used_names = names_around(part.text, op_path)
    for step in converting.steps:
        new = free_name(used_names, f"{stem}_{_SUFFIX[step.operation]}")
        used_names.add(new)
        lines += f"%{new} = stablehlo.{step.operation} {name}{step.types}\n{indent}"
        name = f"%{new}"
    edits = [Edit(Span(op_path.start, op_path.start), lines), Edit(Span(use.span.start, end), name)]
    what = " and ".join(f"stablehlo.{step.operation}" for step in converting.steps)
    declared = _declared(part, op_path, converting.operand, converting.wanted)
    yield Repair(f"insert {what} to {converting.wanted}", (*edits, *declared), follows=True)


def untupled(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the elements of tuples in their place, for an operation that takes any number of tensors."""
    section = _section_of(part, op_path)
    uses = [name for name in names_of(part.text, op_path) if name.role == "use"]
    types = op_path.operation.operand_types
    if section is None or len(section.before) != len(types) or len(uses) != len(types):
        return
    lines, edits, used_names = "", list[Edit](), names_around(part.text, op_path)
    for use, type_, (span, _) in zip(uses, types, section.before):
        if isinstance(type_, TupleType) and type_.types:
            stem = f"v{use.name}" if use.name.isdigit() else use.name
            names: list[str] = []
            for number in range(len(type_.types)):
                names.append(free_name(used_names, f"{stem}_{number}"))
                used_names.add(names[-1])
            whole = part.text[slice(*use.span)] + (f"#{use.number}" if use.number else "")
            for number, (name, element_type) in enumerate(zip(names, type_.types)):
                get = f"stablehlo.get_tuple_element {whole}[{number}] : ({type_}) -> {element_type}"
                lines += f"%{name} = {get}\n{indent_of(part.text, op_path.start)}"
            end = use.span.start + len(whole)
            edits.append(Edit(Span(use.span.start, end), ", ".join(f"%{name}" for name in names)))
            edits.append(Edit(span, ", ".join(map(str, type_.types))))
    if edits:
        insertion = Edit(Span(op_path.start, op_path.start), lines)
        yield Repair(
            "use the elements of the tuple",
            (insertion, *edits),
            applicability=Applicability.GUESS,
            states=True,
        )


def _declared(part: Part, op_path: OpPath, number: int, wanted: Type) -> list[Edit]:
    """Returns the edit of the operand's type in the text, where that has one for each operand."""
    section = _section_of(part, op_path)
    if section is None or number >= len(section.before) or not _has_operand_types(section, op_path):
        return []
    span, written = section.before[number]
    return [] if written == wanted else [Edit(span, str(wanted))]


def _has_operand_types(section: TypeSection, op_path: OpPath) -> bool:
    """Returns whether an operation's text has a type for each operand."""
    return section.has_arrow or not op_path.operation.result_types


def missing_attributes(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the attributes that an operation in generic form lacks, with values to go on from."""
    op_def = find_op_def(op_path.operation.name)
    head = GENERIC_HEAD.match(part.text, op_path.start, op_path.end)
    if op_def is None or head is None:
        return
    properties = op_path.operation.signature.properties
    missing = [spec for spec in op_def.attributes if spec.required and spec.name not in properties]
    for spec in missing:
        for token in own_tokens(part.text, op_path):
            name = token.text.strip('"')
            is_known = op_def.attribute(name) is not None or token.kind not in ("word", "string")
            if not is_known and nearest_name(name, [spec.name]) and name != spec.name:
                title = f"change '{name}' to '{spec.name}'"
                yield Repair(title, (Edit(token.span, spec.name),), is_whole=False)
    if missing:
        text = ", ".join(spec.example for spec in missing)
        names = ", ".join(f"'{spec.name}'" for spec in missing)
        yield Repair(
            f"add the attribute {names}",
            (_inserted(head, text),),
            is_whole=False,
            applicability=Applicability.GUESS,
        )


def absent_attribute(part: Part, op_path: OpPath, name: str) -> Iterator[Repair]:
    """Yields an attribute that an operation in generic form lacks, by its name or that of a parameter."""
    op_def = find_op_def(op_path.operation.name)
    head = GENERIC_HEAD.match(part.text, op_path.start, op_path.end)
    specs = op_def.attributes if op_def and head else ()
    for spec in specs:
        if name not in (spec.name, *parameter_names(spec, None)) or head is None:
            continue
        for start, end in header_spans(op_path)[1:]:
            if entries := re.compile(r"\s*\}\s*\)\s*\{").match(part.text, start, end):
                at = Span(entries.end(), entries.end())
                yield Repair(
                    f"add '{spec.name}'", (Edit(at, f"{spec.example}, "),), applicability=Applicability.GUESS
                )
        yield Repair(
            f"add '{spec.name}'", (_inserted(head, spec.example),), applicability=Applicability.GUESS
        )


def _inserted(head: re.Match[str], entries: str) -> Edit:
    if head["rest"] is not None:
        return Edit(Span(*head.span("rest")), f"{entries}}}")
    if head[0].endswith("<{"):
        return Edit(Span(head.end(), head.end()), f"{entries}, ")
    return Edit(Span(head.end(), head.end()), f" <{{{entries}}}>")


# --- types of declarations ---


def retyped(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields other types for one result or operand, the operand's where it is defined, that keep to the
    constraint of a finding."""
    if op_path.operation.name != BROKEN and _section_of(part, op_path) is not None:
        for role, number, type_ in _other_types(op_path, finding):
            yield from of_another_type(part, op_path, role, number, type_)


def of_another_type(part: Part, op_path: OpPath, role: str, number: int, type_: Type) -> Iterator[Repair]:
    """Yields another type of one result or operand, the operand's where it is defined."""
    operation, section = op_path.operation, _section_of(part, op_path)
    if section is None:
        return
    old = operation.result_types[number] if role == "result" else operation.operand_types[number]
    value = operation.operands[number] if role == "operand" else None
    only = {("result", number)} if value is None else _uses_of(operation.operands, value)
    every = {("operand", position) for position, type_ in enumerate(operation.operand_types) if type_ == old}
    every |= {("result", position) for position, type_ in enumerate(operation.result_types) if type_ == old}
    what = "the result" if len(operation.result_types) == 1 else f"result {number}"
    what = what if value is None else f"%{op_path.values.names[value]}"
    for changed, named in ((only, what), (every, "all")):
        edits = _with_types(part, op_path, section, changed, type_)
        if edits and (changed is only or len(every) > len(only)):
            title = f"make the type of {named} {type_}" if changed is only else f"make all {old} {type_}"
            yield Repair(title[:100], edits, follows=True, applicability=Applicability.GUESS)


def everywhere(part: Part, op_path: OpPath, old: Type, new: Type) -> Iterator[Repair]:
    """Yields another type for all values of a type in the function around an operation, from its arguments to
    its results: what the regions of an operation give has to change with its results."""
    start, end = outermost(op_path).span
    if end - start > MAX_RETYPED:
        return
    collected = [span for span, type_ in placed_types(part.text, start, end) if type_ == old]
    edits = tuple(Edit(span, str(new)) for span in collected if is_code(part.text, span.start))
    yield Repair(
        f"make all {old} of the function {new}"[:100], edits, follows=True, applicability=Applicability.GUESS
    )


def _uses_of(operands: Sequence[int], value: int) -> set[tuple[str, int]]:
    return {("operand", number) for number, operand in enumerate(operands) if operand == value}


def _with_types(
    part: Part, op_path: OpPath, section: TypeSection, changed: set[tuple[str, int]], type_: Type
) -> tuple[Edit, ...]:
    """Returns the edits that give some operands and results of an operation a type, where the operands are
    defined, too; none where one of them cannot have it."""
    operation = op_path.operation
    operands = [
        type_ if ("operand", number) in changed else old for number, old in enumerate(operation.operand_types)
    ]
    results = [
        type_ if ("result", number) in changed else old for number, old in enumerate(operation.result_types)
    ]
    collected = dict.fromkeys(_retyped(section, operands, results))
    retyped_values: set[int] = set()
    for role, number in sorted(changed):
        if role == "operand" and operation.operands[number] not in retyped_values:
            retyped_values.add(operation.operands[number])
            definition = definition_edits(part, op_path, number, type_)
            if not definition:
                return ()
            collected |= dict.fromkeys(definition)
    return tuple(collected)


def _other_types(op_path: OpPath, finding: Diagnostic) -> Iterator[tuple[str, int, Type]]:
    """Yields a role, a number and a type with which an operation's signature breaks fewer constraints."""
    operation = op_path.operation
    op_def = find_op_def(operation.name)
    suggested = tuple(types_in(finding.suggestions))
    before = signature_findings(op_def, operation.signature) if op_def else ()
    is_own = any(broken.code == finding.code for broken in before)
    broken_constraint = constraint_of(op_def, finding.code) if op_def else None
    types = (("result", operation.result_types), ("operand", operation.operand_types))
    sizes = [number for number in numbers_in(finding.suggestions) if number >= 0]
    tried = 0
    for role, own_types in types:
        for number, type_ in enumerate(own_types):
            others = (*suggested, *operation.operand_types, *operation.result_types)
            for other in _variants(type_, others, list(dict.fromkeys(sizes))):
                tried += 1
                if tried > MAX_JUDGED:
                    return
                if not is_own or op_def is None:
                    if other in suggested:
                        yield role, number, other
                    continue
                changed = (*own_types[:number], other, *own_types[number + 1 :])
                operands = changed if role == "operand" else operation.operand_types
                results = changed if role == "result" else operation.result_types
                signature = Signature(
                    operation.name,
                    operands,
                    results,
                    operation.signature.properties,
                    operation.signature.attributes,
                )
                if broken_constraint and is_broken(broken_constraint, op_def, signature):
                    continue
                left = signature_findings(op_def, signature)
                if len(left) <= len(before) and all(broken.code != finding.code for broken in left):
                    yield role, number, other


def _variants(type_: Type, others: Sequence[Type], sizes: Sequence[int]) -> Iterator[Type]:
    """Yields types that are like a type: with the elements or the shape of another one, one dimension of
    another size, one dimension more or less."""
    collected: list[Type] = [*others]
    if isinstance(type_, RankedTensorType):
        tensors = [other for other in others if isinstance(other, RankedTensorType)]
        collected += [replace(type_, element_type=other.element_type) for other in tensors]
        collected += [replace(type_, shape=other.shape) for other in tensors]
        shape = type_.shape
        pool = dict.fromkeys([*sizes, *(size for other in tensors for size in other.shape)])
        for axis in reversed(range(len(shape))):
            collected += [_shaped(type_, (*shape[:axis], size, *shape[axis + 1 :])) for size in pool]
        collected += [_shaped(type_, (*shape[:axis], *shape[axis + 1 :])) for axis in range(len(shape))]
        collected += [_shaped(type_, (*shape, size)) for size in [*pool, 1]]
        collected += [_shaped(type_, (size,)) for size in sizes]
    for element in (F32, I32, I64, I1):
        if isinstance(type_, RankedTensorType):
            collected.append(replace(type_, element_type=element))
    yield from (candidate for candidate in dict.fromkeys(collected) if candidate != type_)


def _shaped(type_: RankedTensorType, shape: tuple[int | None, ...]) -> Type:
    return RankedTensorType(shape, type_.element_type)


def definition_edits(part: Part, op_path: OpPath, number: int, type_: Type) -> tuple[Edit, ...]:
    """Returns the edits that give an operand another type where it is defined; none where that cannot be
    told."""
    uses = [name for name in names_of(part.text, op_path) if name.role == "use"]
    if number >= len(uses):
        return ()
    return value_edits(part, uses[number].span.start, uses[number].number, type_)


def value_edits(part: Part, offset: int, number: str, type_: Type) -> tuple[Edit, ...]:
    """Returns the edits that give the value whose name is at an offset another type in its definition."""
    token = token_at(part.text, offset)
    value = part.index.value(token) if token and token.kind == "value" else None
    if value is None or value.owner is None or value.definition is None:
        return ()
    if value.owner.region is not None:
        colon = re.compile(r"\s*:\s*").match(part.text, value.definition.end)
        typed = type_from(part.text, colon.end()) if colon else None
        return (Edit(typed[0], str(type_)),) if typed else ()
    owner = value.owner.place
    section, results = _section_of(part, owner), list(owner.operation.result_types)
    index = int(number or 0)
    if section is None or index >= len(results):
        return ()
    results[index] = type_
    edits = _retyped(section, owner.operation.operand_types, results)
    return (*edits, *constant_edits(part.text, owner, type_, edits))


def function_results(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the results that a function returns, as those that it declares."""
    around, declared = _function_around(op_path)
    if op_path.operation.name != "func.return" or around is None or declared is None:
        return
    types = op_path.operation.operand_types
    shown = ", ".join(map(str, types)) if len(types) == 1 else f"({', '.join(map(str, types))})"
    section = _result_section(part.text, around)
    if section is None:
        return
    span, has_arrow = section
    text = shown if has_arrow else f" -> {shown}"
    yield Repair(
        f"let the function return {shown}"[:100],
        (Edit(span, text),),
        follows=True,
        applicability=Applicability.GUESS,
    )


def function_types(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the type of a function in generic form that its body has."""
    declared, regions = function_type(op_path.operation), op_path.operation.regions
    if (
        declared is None
        or not regions
        or not regions[0].blocks
        or not part.text[op_path.start :].startswith('"')
    ):
        return
    inputs = tuple(regions[0].values.types[value] for value in regions[0].blocks[0].arguments)
    for span in entries(part.text, op_path, "function_type"):
        written = part.text.find("(", *span)
        typed = type_from(part.text, written) if written >= 0 else None
        if typed is not None:
            new = FunctionType(inputs, declared.results)
            yield Repair(f"make the function's type {new}"[:100], (Edit(typed[0], str(new)),), follows=True)


def _result_section(text: str, op_path: OpPath) -> tuple[Span, bool] | None:
    """Returns where a function declares its results, and whether it does; None in its generic form."""
    collected: list[Token] = [token for token in own_tokens(text, op_path) if token.kind != "comment"]
    depth, arrow = 0, None
    for index, token in enumerate(collected):
        if token.text == "->" and depth == 0:
            arrow = index
        elif (
            depth == 0
            and index > 1
            and (token.text in ("{", "attributes") and collected[index - 1].text != "->")
        ):
            if arrow is not None:
                return Span(collected[arrow + 1].span.start, collected[index - 1].span.end), True
            end = collected[index - 1].span.end
            return (Span(end, end), False) if collected[0].text[0] not in '"%' else None
        if token.text in ("(", "[", "<", "{"):
            depth += 1
        elif token.text in (")", "]", ">", "}"):
            depth -= 1
    return None


def region_returns(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields conversions of what a region returns to the types that are suggested."""
    for suggestion in finding.suggestions:
        if not isinstance(suggestion, SetRegion) or not suggestion.subject.facets:
            continue
        first, value = suggestion.subject.facets[0], suggestion.value
        wanted = next(iter(suggestion.items), value)
        ends = [child for child in children_of(op_path) if child.region == suggestion.subject.index]
        number = (first.numbers[0] if first.numbers else 0) or 0
        if first.kind not in ("returned", "returns") or not isinstance(wanted, Type) or not ends:
            continue
        if number < len(ends[-1].operation.operands):
            types = ends[-1].operation.operand_types[number]
            conversion_steps = tuple(steps(types, wanted)) or tuple(reshape(types, wanted))
            if conversion_steps:
                yield from conversion(part, ends[-1], Conversion(number, conversion_steps))


def reshape(type_: Type, wanted: Type) -> Iterator[ConversionStep]:
    """Yields the operation that gives a tensor of known sizes another shape."""
    if isinstance(type_, RankedTensorType) and isinstance(wanted, RankedTensorType) and type_ != wanted:
        sizes = [type.shape for type in (type_, wanted)]
        static_sizes = [[size for size in shape if size is not None] for shape in sizes]
        is_static = all(len(shape) == len(name) for shape, name in zip(sizes, static_sizes))
        if (
            is_static
            and prod(static_sizes[0]) == prod(static_sizes[1])
            and type_.element_type == wanted.element_type
        ):
            yield ConversionStep("reshape", "", type_, wanted)


# --- values of attributes ---


def settings(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields an attribute's value that makes an operation valid, with the result types that go with it."""
    op_def = find_op_def(op_path.operation.name)
    if op_def is None or op_path.operation.name == BROKEN:
        return
    regions = tuple(map(region_type, op_path.operation.regions))
    bindings = OpBindings(op_def, op_path.operation.signature, regions)
    if not has_fixit(bindings):
        return
    names = [name for name, origin in bindings.origins.items() if origin.role == "attribute"]
    setting = working_setting(bindings, names)
    if setting is None:
        return
    section = _section_of(part, op_path)
    types = ()
    if setting.results is not None and section is not None:
        types = _retyped(section, op_path.operation.operand_types, setting.results)
    for old, new in written_forms(setting):
        pattern = re.escape(old).replace(r",\ ", r"\s*,\s*")
        for start, end in header_spans(op_path):
            for match in re.compile(rf"(?<![\w.-]){pattern}(?![\w.])").finditer(part.text, start, end):
                edits = (Edit(Span(*match.span()), new), *types)
                yield Repair(
                    f"set {setting.member} to {shown_value(setting.value)}", edits, follows=True, states=True
                )


def fitted_literals(part: Part, finding: Diagnostic) -> Iterator[Repair]:
    """Yields other types for a literal, or for what takes it, on the line of a finding."""
    for suggestion in finding.suggestions:
        if not isinstance(suggestion, FitLiteral):
            continue
        line = line_span(part.text, finding.span.start)
        for span, type_ in placed_types(part.text, finding.span.start, line.end)[:3]:
            if not isinstance(type_, RankedTensorType):
                continue
            shaped = (replace(type_, shape=shape) for shape in suggestion.shapes)
            for other in dict.fromkeys((*suggestion.types, *shaped, replace(type_, element_type=I64))):
                if other != type_:
                    title = f"make the type {other}"[:100]
                    edits = (Edit(span, str(other)),)
                    yield Repair(title, edits, follows=True, applicability=Applicability.GUESS)
