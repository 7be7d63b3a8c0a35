"""What of a program is not checked, as no definition describes it: said once for each dialect.

MLIR refuses operations, attributes and types of dialects that are not registered, unless it is told to allow
them. Here they are read as they are, and what surrounds them is checked; a `Policy` says what to report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, Literal

from msgspec import Struct, field

from shlo.dialects import find_dialect, find_op_def
from shlo.ir.attributes import Attribute, OpaqueAttr
from shlo.ir.diagnostics import Diagnostic, Severity
from shlo.ir.operations import BROKEN, Module, Signature
from shlo.ir.source import Span
from shlo.ir.suggestions import advise
from shlo.ir.types import OpaqueType, Type
from shlo.syntax.parser.definitions import HELP
from shlo.text.shortening import with_short_words

Policy = Literal["allow", "note", "refuse"]
"""What is reported about unknown dialects: nothing, a note for each, or an error for each."""

CODE: Final = "unregistered-dialect"
NAMES_SHOWN: Final = 3
_SEVERITIES: Final[dict[Policy, Severity]] = {"note": "note", "refuse": "error"}


class _Unknown(Struct):
    """What is unknown of a dialect: its operations by name, and where the first one is."""

    first: Span
    names: dict[str, None] = field(default_factory=dict[str, None])
    count: int = 0


def unregistered_findings(module: Module, policy: Policy = "note") -> list[Diagnostic]:
    """Returns a finding for each dialect with operations, attributes or types that no definition describes,
    at the first of them. Operations that cannot be read are the parser's business."""
    severity = _SEVERITIES.get(policy)
    if severity is None:
        return []
    by_dialect = _collect(module)
    if policy == "refuse":
        by_dialect = {name: item for name, item in by_dialect.items() if find_dialect(name) is None}
    findings = [_finding(module, name, item, severity) for name, item in by_dialect.items()]
    return sorted(findings, key=lambda finding: finding.span.start)


def _collect(module: Module) -> dict[str, _Unknown]:
    collected: dict[str, _Unknown] = {}
    names: dict[int, tuple[str, tuple[str, ...]]] = {}
    whole = (module.operation, Span(module.start, module.start))
    for operation, span in chain([whole], module.walk()):
        signature = operation.signature
        judged = names.get(id(signature))
        if judged is None:
            judged = names[id(signature)] = (_unknown_name(signature), tuple(_opaque_dialects(signature)))
        name, dialects = judged
        for dialect in dialects:
            collected.setdefault(dialect, _Unknown(span))
        if name:
            entry = collected.setdefault(name.partition(".")[0], _Unknown(span))
            entry.names[name] = None
            entry.count += 1
    return collected


def _unknown_name(signature: Signature) -> str:
    """Returns the name of an operation that has no definition, empty for any other."""
    name = signature.name
    return "" if name == BROKEN or find_op_def(name) is not None else name


def _opaque_dialects(signature: Signature) -> Iterator[str]:
    """Yields the unknown dialects of an operation's attributes and types."""
    values: list[Attribute | Type] = [*signature.operand_types, *signature.result_types]
    values += [*signature.properties.values(), *signature.attributes.values()]
    for value in values:
        if isinstance(value, (OpaqueAttr, OpaqueType)) and find_dialect(value.dialect) is None:
            yield value.dialect


def _finding(module: Module, dialect: str, unknown: _Unknown, severity: Severity) -> Diagnostic:
    return Diagnostic(
        with_short_words(_message(dialect, unknown)),
        _name_span(module, unknown.first),
        CODE,
        severity,
        suggestions=advise(HELP.get(dialect, "")),
    )


def _message(dialect: str, unknown: _Unknown) -> str:
    if not unknown.names:
        return f"the dialect '{dialect}' is not known: its attributes and types are not checked"
    shown = ", ".join(list(unknown.names)[:NAMES_SHOWN])
    more = ", ..." if len(unknown.names) > NAMES_SHOWN else ""
    is_known = find_dialect(dialect) is not None
    counted = "one operation" if unknown.count == 1 else f"{unknown.count} operations"
    verb = "is" if unknown.count == 1 else "are"
    if is_known:
        return f"{counted} of '{dialect}' that shlo does not know {verb} not checked: {shown}{more}"
    return f"the dialect '{dialect}' is not known: {counted} {verb} not checked: {shown}{more}"


_NAME: Final = re.compile(r'(?:%[^=\n"]*=\s*)?("(?:[^"\\\n]|\\.)*")')


def _name_span(module: Module, span: Span) -> Span:
    """Returns where the name of an operation in its generic form is."""
    match = _NAME.match(module.source.text, span.start) if module.source else None
    return Span(*match.span(1)) if match else Span(span.start, span.start + 1)
