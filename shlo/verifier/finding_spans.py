"""Where a finding is shown: the operand, attribute, region or type at fault, in its operation's text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from shlo.dialects import find_op_def
from shlo.dialects.inference import Inferred, inferred_results
from shlo.dialects.op_bindings import Finding, OpBindings, Origin
from shlo.dialects.opdef import OpDef
from shlo.dialects.signature_findings import declaration_findings
from shlo.ir.attributes import Attribute, EnumAttr, SymbolRefAttr
from shlo.ir.diagnostics import Diagnostic, Fix, Related
from shlo.ir.operations import Module, Operation
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.text.shortening import with_short_words
from shlo.verifier.header_spans import HeaderText
from shlo.verifier.help import Advice, setting_fix
from shlo.verifier.op_cursor import OpCursor, is_terminator

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "lhs_batching_dimensions": ("batching_dims",),
    "rhs_batching_dimensions": ("batching_dims",),
    "lhs_contracting_dimensions": ("contracting_dims",),
    "rhs_contracting_dimensions": ("contracting_dims",),
    "dot_dimension_numbers": ("contracting_dims", "batching_dims"),
    "precision_config": ("precision",),
    "dimension_numbers": ("dim_numbers",),
    "window_strides": ("stride",),
    "padding": ("pad",),
    "lhs_dilation": ("lhs_dilate",),
    "rhs_dilation": ("rhs_dilate",),
    "window_reversal": ("reverse",),
    "dimensions": ("dimensions", "dims"),
    "body": ("applies",),
}
"""How pretty forms that definitions do not spell call attributes and regions."""


def header_text(cursor: OpCursor, module: Module) -> HeaderText:
    """Returns the operation's own text, for all findings about it."""
    return HeaderText(module.source.text if module.source else "", cursor.operation, cursor.span)


def placed(
    finding: Finding,
    cursor: OpCursor,
    bindings: OpBindings | None,
    module: Module,
    advice: Advice,
    header: HeaderText,
) -> Diagnostic:
    """Returns a finding with its place in the module's text, and what belongs to it: where operands at fault
    are defined, where the function is that is called, what mends it. `own` is the operation's own text."""
    all_origins = bindings.origins if bindings is not None else {}
    origins = {name: all_origins[name] for name in finding.bindings if name in all_origins}
    if finding.origin is not None:
        origins = {"": finding.origin, **origins}
    text = module.source.text if module.source else ""
    finder = _Finder(header, cursor)
    spans = {name: finder.span_of(name, origin) for name, origin in origins.items()}
    span = next((span for span in spans.values() if span is not None), header.name)
    fix, suggestions = _fix(origins, header, cursor, bindings), ()
    if fix is None:
        suggestions, setting = advice.of(finding, cursor, bindings)
        fix = setting and setting_fix(setting, text, spans.get(setting.member))
    return Diagnostic(
        with_short_words(finding.message),
        span,
        finding.code,
        finding.severity,
        tuple(_related(origins, cursor)),
        fix,
        header.name,
        () if fix else suggestions,
    )


class _Finder:
    def __init__(self, header: HeaderText, cursor: OpCursor) -> None:
        self._own = header
        self._cursor = cursor
        self._op_def = find_op_def(cursor.operation.name)

    def span_of(self, name: str, origin: Origin) -> Span | None:
        """Returns where a member is, None where the text does not show it."""
        if origin.role == "operand":
            return self._operand(origin.first) if origin.count else None
        if origin.role == "result":
            return _at(self._own.result_types(), origin.first) or _at(self._own.results(), 0)
        if origin.role == "region":
            return self._own.region(self._cursor.operation, origin.first) or self._own.entry(WORDS["body"])
        return self._attribute(name, origin.attribute)

    def _operand(self, number: int) -> Span | None:
        operation, region = self._cursor.operation, self._cursor.region
        if region is None or number >= len(operation.operands):
            return None
        names = [region.values.names[value] for value in operation.operands]
        return self._own.operands(names)[number]

    def _attribute(self, name: str, attribute: str) -> Span | None:
        """Returns the words that may refer to an attribute or a field of it, the most exact first."""
        words = (name, *WORDS.get(name, ()), attribute, *self._shown(attribute), *WORDS.get(attribute, ()))
        span = self._own.entry(words)
        value = self._cursor.operation.attribute(attribute)
        return span or (self._own.word(_word_of(value)) if value is not None else None)

    def _shown(self, attribute: str) -> tuple[str, ...]:
        """Returns the word that the definition's format has before an attribute."""
        return _format_words(self._op_def, attribute) if self._op_def else ()


def _format_words(op_def: OpDef, attribute: str) -> tuple[str, ...]:
    before = rf"`(\w+)`(?: ``)? `=`(?: ``)? \${re.escape(attribute)}(?!\w)"
    return tuple(re.findall(before, op_def.format or ""))


def _word_of(value: Attribute) -> str:
    """Returns how formats write a value without its attribute's name."""
    if isinstance(value, EnumAttr):
        return value.value
    return str(value) if isinstance(value, SymbolRefAttr) else ""


def _at(spans: list[Span], index: int) -> Span | None:
    return spans[index] if index < len(spans) else None


# --- what belongs to a finding ---


def _related(origins: Mapping[str, Origin], cursor: OpCursor) -> Iterator[Related]:
    """Yields where the members at fault come from."""
    for origin in origins.values():
        if origin.role == "operand":
            yield from _definitions(origin, cursor)
        elif origin.role == "region":
            yield from _end_of_region(origin, cursor)
        elif origin.role == "attribute":
            yield from _symbol(cursor.operation.attribute(origin.attribute), cursor)


def _definitions(origin: Origin, cursor: OpCursor) -> Iterator[Related]:
    for number in range(origin.first, origin.first + origin.count):
        if number >= len(cursor.operation.operands):
            return
        defining = cursor.definition(cursor.operation.operands[number])
        if defining is not None:
            shown = cursor.operation.operand_types[number]
            message = f"operand {number} of type {shown} is defined here"
            yield Related(defining.span, with_short_words(message))


def _end_of_region(origin: Origin, cursor: OpCursor) -> Iterator[Related]:
    operation = cursor.operation
    region = operation.regions[origin.first] if origin.first < len(operation.regions) else None
    if region is None or not region.blocks or not region.blocks[-1].starts:
        return
    block = len(region.blocks) - 1
    last = cursor.inner(region, block, len(region.blocks[block].operations) - 1)
    if is_terminator(last.operation) is False:
        return  # what it uses is not what the region gives
    shown = ", ".join(map(str, last.operation.operand_types)) or "nothing"
    yield Related(last.span, with_short_words(f"the region gives {shown} here"))


def _symbol(value: Attribute | None, cursor: OpCursor) -> Iterator[Related]:
    operation = cursor.find(value) if isinstance(value, SymbolRefAttr) else None
    span = _place_of(operation, cursor) if operation else None
    if span is not None:
        yield Related(span, with_short_words(f"{value} is defined here"))


def _place_of(operation: Operation, cursor: OpCursor) -> Span | None:
    """Returns where an operation is that one of the modules around holds."""
    for around in cursor.around():
        for region in around.operation.regions if around.operation.name == "builtin.module" else ():
            for block in region.blocks:
                for index, candidate in enumerate(block.operations):
                    if candidate is operation and block.starts:
                        span = block.span(index, around.span.start)
                        return Span(span.start, span.start + 1)
    return None


def _fix(
    origins: Mapping[str, Origin], header: HeaderText, cursor: OpCursor, bindings: OpBindings | None
) -> Fix | None:
    """Returns the type of a result that the others demand, where it is in the text alone."""
    results = [origin for origin in origins.values() if origin.role == "result"]
    spans = header.result_types()
    if bindings is None or not results or not (header.has_arrow or not cursor.operation.operands):
        return None
    names = {spec.name for spec in bindings.op_def.results}
    if any(not names.issuperset(finding.bindings) for finding in declaration_findings(bindings)):
        return None  # nothing can be inferred from attributes and operands of other kinds
    inferred = inferred_results(bindings.op_def, bindings, may_guess=True)
    for origin in results:
        for number in range(origin.first, origin.first + origin.count):
            declared = cursor.operation.result_types[number]
            wanted = inferred[number].meeting(_elements_of(declared)).type
            if wanted is not None and number < len(spans) and wanted != declared:
                return _retyped(spans[number], wanted)
    return None


def _elements_of(type_: Type) -> Inferred:
    """What a declared type says of its elements: that is kept where nothing else tells."""
    return Inferred(element=type_.element_type) if isinstance(type_, RankedTensorType) else Inferred()


def _retyped(span: Span, wanted: Type) -> Fix:
    return Fix(f"make the result's type {wanted}", span, str(wanted))
