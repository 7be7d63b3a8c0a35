"""Judges what a signature alone tells: kinds of operands, attributes and results, then the constraints."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeGuard
from weakref import WeakKeyDictionary

from shlo.dialects import find_attr_def
from shlo.dialects.attr_constraints import Problem
from shlo.dialects.constraints import code_of, judge, operands_whose_values_count, short_name, truth_of
from shlo.dialects.op_bindings import Finding, OpBindings, Origin, parameter_names
from shlo.dialects.opdef import Arity, Constraint, OpDef, OperandDef, RegionDef
from shlo.dialects.operand_groups import SEGMENTS
from shlo.dialects.type_constraints import quantization_problem
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, DictionaryAttr, OpaqueAttr, StringAttr
from shlo.ir.dense import DenseElementsAttr, DenseStringElementsAttr, SparseElementsAttr
from shlo.ir.operations import Signature
from shlo.ir.suggestions import AddAttribute, LeaveOut, Rename, Set, Subject, Suggestion, advise
from shlo.ir.types import FunctionType, QuantizedType, RankedTensorType, Type
from shlo.text.numbers import plural
from shlo.text.suggest import nearest_name


def declaration_findings(bindings: OpBindings) -> Iterator[Finding]:
    """Operands, attributes, regions and results that the operation cannot have at all."""
    op_def, signature = bindings.op_def, bindings.signature
    counts = [
        *_count(op_def, "operand", op_def.operands, len(signature.operand_types), signature.properties),
        *_count(op_def, "result", op_def.results, len(signature.result_types), signature.properties),
    ]
    if counts:
        yield from counts
        return
    yield from _missing(bindings)
    yield from attribute_findings(bindings)
    reported: set[Type] = set()
    for specs, types in (
        (op_def.operands, signature.operand_types),
        (op_def.results, signature.result_types),
    ):
        yield from _wrong_types(bindings, specs, types, reported)


def _count(
    op_def: OpDef,
    role: Literal["operand", "result"],
    specs: Sequence[OperandDef],
    count: int,
    properties: Mapping[str, Attribute],
) -> Iterator[Finding]:
    """Yields a number of operands or results that the definition does not allow."""
    fixed = sum(spec.arity == "one" for spec in specs)
    lists = len(specs) - fixed
    segments = properties.get(f"{role}SegmentSizes")
    if isinstance(segments, DenseArrayAttr) and len(segments) == len(specs):
        yield from _segments(op_def, role, specs, count, segments)
    elif count < fixed or (not lists and count > fixed) or (lists > 1 and (count - fixed) % lists):
        words = f"{fixed} or more {role}s" if lists else plural(fixed, role)
        message = f"expected {words} of {op_def.name}, got {count}"
        yield Finding(f"{short_name(op_def.name)}-{role}s", message, suggestions=named(role, specs))


def region_count_finding(op_def: OpDef, count: int) -> Finding | None:
    """Returns what is wrong with a number of regions, None where the definition allows it."""
    fixed = sum(spec.arity == "one" for spec in op_def.regions)
    if count >= fixed and (fixed != len(op_def.regions) or count == fixed):
        return None
    words = plural(fixed, "region") if fixed == len(op_def.regions) else f"{fixed} or more regions"
    first = op_def.regions[count].name if count < fixed else "regions"
    message = f"expected {words} of {op_def.name}, got {count}"
    return Finding(input_code(op_def, first), message, suggestions=named("region", op_def.regions))


def block_count_findings(op_def: OpDef, counts: Sequence[int]) -> Iterator[Finding]:
    """Yields what is wrong with the numbers of blocks that an operation's regions have."""
    for number, count in enumerate(counts if op_def.regions else ()):
        spec = op_def.regions[min(number, len(op_def.regions) - 1)]
        if spec.blocks == "one" and count != 1:
            words = f"has {count} blocks, but must have one" if count else "is empty, but must have one block"
            name = spec.name if spec.arity == "one" else f"region {number} of {spec.name}"
            advice = "put the operations of all blocks into one" if count else "put its operations into it"
            code, origin = input_code(op_def, spec.name), Origin("region", number)
            yield Finding(code, f"{name} {words}", origin=origin, suggestions=advise(advice))


def named(
    role: Literal["operand", "region", "result"], specs: Sequence[OperandDef | RegionDef]
) -> tuple[Suggestion, ...]:
    """Returns what the operands, regions or results of an operation are called."""
    listed = ", ".join(f"{spec.name}{_MANY[spec.arity]}" for spec in specs)
    if specs:
        return advise(f"the {role}s are: {listed}")
    return (
        (LeaveOut("", "regions" if role == "region" else "results"),)
        if role != "operand"
        else advise("leave the operands out")
    )


_MANY: Mapping[Arity, str] = {"one": "", "optional": " (or none)", "variadic": " (any number)"}


def _segments(
    op_def: OpDef,
    role: Literal["operand", "result"],
    specs: Sequence[OperandDef],
    count: int,
    segments: DenseArrayAttr,
) -> Iterator[Finding]:
    code = f"{short_name(op_def.name)}-{role}s"
    if sum(segments) != count:
        message = f"the segments hold {sum(segments)} {role}s, but {count} are given"
        suggestions = advise(f"make the sum of {role}SegmentSizes {count}")
        yield Finding(code, message, suggestions=suggestions)
    for spec, size in zip(specs, segments):
        most = {"one": 1, "optional": 1, "variadic": count}[spec.arity]
        if not int(spec.arity == "one") <= size <= most:
            message = f"{spec.name} has {size} {role}s, which its definition does not allow"
            yield Finding(code, message, suggestions=named(role, specs))


def _missing(bindings: OpBindings) -> Iterator[Finding]:
    op_def = bindings.op_def
    for spec in op_def.attributes:
        if spec.required and spec.name not in bindings.signature.properties:
            code = _code(bindings, spec.name)
            message = f"the attribute '{spec.name}' is missing"
            close = nearest_name(spec.name, bindings.signature.attributes)
            add = AddAttribute(spec.name, spec.example)
            suggestions = (Rename(close, spec.name, "entry") if close else add,)
            yield Finding(code, message, (spec.name,), suggestions=suggestions)


def attribute_findings(bindings: OpBindings) -> Iterator[Finding]:
    """Attributes that are none of their kind, and those that the operation does not have."""
    op_def = bindings.op_def
    for name, attribute in bindings.signature.properties.items():
        spec = op_def.attribute(name)
        if spec is not None:
            problem = spec.problem(attribute) or nested_problem(attribute)
        elif name in SEGMENTS:
            problem = None
        else:
            problem = _no_attribute(op_def, name)
        if problem:
            yield _problem(_code(bindings, name), name, problem)
    yield from nested_findings(short_name(op_def.name), bindings.signature)


def nested_findings(code: str, signature: Signature) -> Iterator[Finding]:
    """Attributes that any operation may have, and that are wrong in themselves; `code` begins their codes."""
    for name, attribute in signature.attributes.items():
        if problem := nested_problem(attribute):
            yield _problem(f"{code}-{name}", name, problem)


def nested_problem(attribute: Attribute) -> Problem | None:
    """Returns what is wrong with a struct attribute, or with one inside a list or a dictionary."""
    if isinstance(attribute, ArrayAttr):
        inside: tuple[Attribute, ...] = attribute.values
    elif isinstance(attribute, DictionaryAttr):
        inside = tuple(value for _, value in attribute.entries)
    else:
        attr_def = find_attr_def(type(attribute))
        return attr_def.check(attribute) if attr_def and attr_def.check else None
    return next((problem for attribute in inside if (problem := nested_problem(attribute))), None)


def _no_attribute(op_def: OpDef, name: str) -> Problem:
    close = nearest_name(name, (spec.name for spec in op_def.attributes))
    suggestion = Rename(name, close, "attribute") if close else LeaveOut(name)
    return Problem(f"{op_def.name} has no attribute '{name}'", (suggestion,))


def _problem(code: str, name: str, problem: Problem) -> Finding:
    return Finding(code, problem.message, (name,), suggestions=problem.suggestions)


def _wrong_types(
    bindings: OpBindings, specs: Sequence[OperandDef], types: Sequence[Type], reported: set[Type]
) -> Iterator[Finding]:
    """Yields operands or results of types that they cannot have; one of a type that is known to be wrong is
    no second mistake."""
    for spec in specs:
        origin = bindings.origins[spec.name]
        for number, type_ in enumerate(types[origin.first : origin.first + origin.count]):
            if type_ not in reported and not spec.constraint.matches(type_):
                reported.add(type_)
                words = f"{spec.constraint}{'' if spec.arity == 'one' else ' each'}"
                message = f"{spec.name} must be {words}, but its type is {type_}{quantization_problem(type_)}"
                subject = Subject(spec.name, None if spec.arity == "one" else number)
                suggestions = (_fitting(bindings, spec, type_, subject),)
                yield Finding(_code(bindings, spec.name), message, (spec.name,), suggestions=suggestions)
                break


def _fitting(bindings: OpBindings, spec: OperandDef, type_: Type, subject: Subject) -> Set:
    """Returns a type that an operand or result may have."""
    signature = bindings.signature
    from shlo.dialects.repairs import fitting, of_kind

    like = fitting(spec.constraint, type_, (*signature.operand_types, *signature.result_types))
    if like is None:
        return Set(subject, "kind", str(spec.constraint), of_kind(spec.constraint, type_))
    return Set(subject.of("type"), "=", like)


def _code(bindings: OpBindings, member: str) -> str:
    """Returns the code of an attribute whose fields are inputs is that of the first one."""
    op_def = bindings.op_def
    spec = op_def.attribute(member)
    fields = parameter_names(spec, None) if spec else ()
    return input_code(op_def, next((name for name in op_def.inputs if name in fields), member))


def input_code(op_def: OpDef, member: str) -> str:
    """Returns the code of what is wrong with an input as such (`if-I2`), or with a result."""
    names = op_def.inputs or tuple(
        spec.name for spec in (*op_def.operands, *op_def.attributes, *op_def.regions)
    )
    label = f"I{names.index(member) + 1}" if member in names else member
    return f"{short_name(op_def.name)}-{label}"


def constraint_findings(bindings: OpBindings, constraints: Iterable[Constraint]) -> Iterator[Finding]:
    """Yields the constraints that do not hold, those that the MLIR tools enforce first. One about the same
    members as another one before it is taken for the same mistake."""
    blamed: set[str] = set()
    for constraint in sorted(constraints, key=lambda item: not item.enforced):
        broken = judge(constraint, bindings).broken
        if broken is None or blamed & set(broken.bindings):
            continue
        blamed.update(broken.bindings)
        yield Finding(
            code_of(bindings.op_def, constraint),
            broken.message,
            broken.bindings,
            constraint.severity,
            suggestions=broken.suggestions,
            stops_runs=constraint.stops_runs,
        )


_findings: WeakKeyDictionary[Signature, tuple[Finding, ...]] = WeakKeyDictionary()
"""What is wrong with signatures alone, while they live: the verifier and the interpreter judge each once."""

_valid: dict[Hashable, None] = {}
"""What signatures without a finding are made of: an equal one of another program need not be judged."""

KEPT_VALID = 4096


def signature_findings(op_def: OpDef, signature: Signature) -> tuple[Finding, ...]:
    """Returns all findings about a signature that its regions and surroundings have no part in."""
    judged = _findings.get(signature)
    if judged is None:
        key = _validity_key(op_def, signature)
        if key in _valid:
            judged = ()
        else:
            bindings = _without_regions(op_def, signature)
            judged = tuple(declaration_findings(bindings))
            judged = judged or tuple(constraint_findings(bindings, op_def.constraints))
            if not judged:
                _keep_valid(key)
        _findings[signature] = judged
    return judged


def _without_regions(op_def: OpDef, signature: Signature) -> OpBindings:
    return OpBindings(op_def, signature, (None,) * len(op_def.regions))


def constraint_of(op_def: OpDef, code: str) -> Constraint | None:
    """Returns the constraint of an operation that a code names; None for other codes."""
    return next((each for each in op_def.constraints if code_of(op_def, each) == code), None)


def is_broken(constraint: Constraint, op_def: OpDef, signature: Signature) -> bool:
    """Returns whether a signature breaks a constraint for certain: quicker than the finding that says why."""
    return truth_of(constraint, _without_regions(op_def, signature)) is False


def first_error(op_def: OpDef, signature: Signature, regions: Sequence[FunctionType]) -> Finding | None:
    """Returns the first reason not to run an operation of this signature with regions of these types, in the
    verifier's order; None where there is none."""
    wrong = region_count_finding(op_def, len(regions))
    if wrong is not None or not op_def.regions:
        return wrong or _first_that_stops(signature_findings(op_def, signature))
    key = _validity_key(op_def, signature, tuple(regions))
    if key in _valid:
        return None
    bindings = OpBindings(op_def, signature, regions)
    constraints = [constraint for constraint in op_def.constraints if constraint.stops_runs]
    wrong = _first_that_stops(declaration_findings(bindings))
    wrong = wrong or next(constraint_findings(bindings, constraints), None)
    if wrong is None:
        _keep_valid(key)
        return None
    return _first_that_stops(signature_findings(op_def, signature)) or wrong  # the verifier's order


def _first_that_stops(findings: Iterable[Finding]) -> Finding | None:
    return next((finding for finding in findings if finding.stops_runs), None)


def _keep_valid(key: Hashable) -> None:
    if key is not None:
        if len(_valid) >= KEPT_VALID:
            _valid.clear()
        _valid[key] = None


def _validity_key(
    op_def: OpDef, signature: Signature, regions: tuple[FunctionType, ...] | None = None
) -> Hashable:
    """Returns what decides whether a signature is valid, None where that may be large. An elementwise
    operation is valid for any known shape that all its operands and results have, if it is for one."""
    if signature.attributes or not all(map(_is_small, signature.properties.values())):
        return None
    properties = tuple(signature.properties.items())
    types = (*signature.operand_types, *signature.result_types)
    if op_def.has("elementwise") and types and _have_one_shape(types):
        elements = tuple(type_.element_type for type_ in types)
        return op_def, len(signature.operand_types), elements, properties
    return op_def, signature.operand_types, signature.result_types, properties, regions


def _have_one_shape(types: Sequence[Type]) -> TypeGuard[Sequence[RankedTensorType]]:
    """Returns whether types are tensors of numbers, all of one known shape."""
    shape = getattr(types[0], "shape", None)
    return all(
        isinstance(type_, RankedTensorType)
        and type_.shape == shape
        and type_.is_static
        and type_.encoding is None
        and not isinstance(type_.element_type, QuantizedType)
        for type_ in types
    )


def _is_small(attribute: Attribute) -> bool:
    if isinstance(attribute, ArrayAttr):
        return all(map(_is_small, attribute.values))
    return not isinstance(attribute, _MAYBE_LARGE)


_MAYBE_LARGE = (
    DenseElementsAttr,
    DenseStringElementsAttr,
    SparseElementsAttr,
    DictionaryAttr,
    StringAttr,
    OpaqueAttr,
)


def needs_constants(op_def: OpDef) -> bool:
    """Returns whether a constraint speaks of what an operand's value is."""
    return bool(operands_whose_values_count(op_def))
