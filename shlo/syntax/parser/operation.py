"""Parses one operation: its results, its pretty or generic form, and what is built from them."""

from __future__ import annotations

from typing import Final, NamedTuple

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.mhlo import MHLO
from shlo.dialects.opdef import OpDef
from shlo.dialects.stablehlo.numpy_names import NUMPY_NAMES
from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location
from shlo.ir.operations import NO_ATTRIBUTES, Operation, Signature
from shlo.ir.source import Span
from shlo.ir.suggestions import Expect, LeaveOut, NameResults, Rename, advise
from shlo.ir.types import UNKNOWN, Type
from shlo.syntax.assembly_format.parse import parse_pretty
from shlo.syntax.assembly_format.parse_state import ParsedOperation, SuccessorUse
from shlo.syntax.attributes.parse import parse_attribute, parse_attribute_dict
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.context import LineTemplate
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault, ValueUse
from shlo.syntax.parser.definitions import HELP, UNKNOWN_DIALECT, no_definition
from shlo.syntax.parser.legacy_syntax import NO_COUNTERPART, adapt, no_counterpart, upgrade
from shlo.syntax.parser.line_templates import learn
from shlo.syntax.parser.regions import RegionParser
from shlo.syntax.parser.state import ParserState
from shlo.syntax.types.parse import parse_function_type
from shlo.text.numbers import plural
from shlo.text.suggest import nearest_name

_AN_OPERATION: Final = "an operation has a name, as in stablehlo.add %x, %y : tensor<4xf32>"


class ResultNames(NamedTuple):
    """One name on the left of an operation, and for a pack how many results it refers to."""

    use: ValueUse
    group_size: int | None


class OperationParser:
    """Parses single operations, in the pretty or the generic form."""

    def __init__(self, state: ParserState, regions: RegionParser) -> None:
        self.state = state
        self.cursor = state.cursor
        self.regions = regions

    def operation(self, start: int) -> tuple[Operation, int]:
        """Parses an operation; returns it and the offset of its end, its location left out."""
        cursor = self.cursor
        results = self.result_names()
        reported = len(cursor.diagnostics)
        with self.state.within(origin=start):
            is_generic = cursor.peek() == '"'
            name, op_def, parsed = self._generic() if is_generic else self._pretty(results)
        end = cursor.end_of_code
        if op_def is not None:
            upgrade(cursor, op_def, parsed, Span(start, end))
            if cursor.context.reads_mhlo:
                adapt(cursor, op_def, parsed, Span(start, end))
        uses = cursor.uses.copy()
        location = parse_trailing_location(cursor)
        operation = self._build(start, name, op_def, results, parsed, location)
        is_plain = len(cursor.diagnostics) == reported and bool(results) == bool(operation.results)
        if is_plain and self._is_learnable(op_def, operation, start, end):
            group_size = results[0].group_size or 0 if len(results) == 1 else 0
            says_types = parsed.operand_types is not None
            template = LineTemplate(
                operation.signature,
                len(results),
                group_size,
                0,
                None,
                operation.regions,
                says_types,
                uses,
            )
            templates = cursor.context.line_templates.setdefault(self.state.frame.default_dialect, {})
            left = [names.use for names in results]
            learn(templates, cursor.text[start:end], start, left, parsed.operands, template)
        return operation, end

    def _is_learnable(self, op_def: OpDef | None, operation: Operation, start: int, end: int) -> bool:
        """Returns whether every line that looks like this one is an operation like this one."""
        if operation.successors or (op_def and (op_def.has("symbol") or op_def.has("isolated"))):
            return False
        if any(
            region.values is self.state.frame.scope.values or op_def is None for region in operation.regions
        ):
            return False
        if not operation.operands and not operation.results and op_def and op_def.has("terminator"):
            return False
        return "\n" not in self.cursor.text[start : self.cursor.pos]

    def result_names(self) -> list[ResultNames]:
        """`%a, %b:2 =`, or nothing."""
        names: list[ResultNames] = []
        if self.cursor.peek() != "%":
            return names
        while True:
            use = self.cursor.operand()
            count = (
                self.cursor.expect_integer("how many results the name has")
                if self.cursor.accept(":")
                else None
            )
            if "#" in use.name:
                self.cursor.fail("a result's name has no '#'", use.span)
            if count is not None and not 0 < count < 1_000_000:
                self.cursor.fail("a name has at least one result", use.span)
            names.append(ResultNames(use, count))
            if not self.cursor.accept(","):
                break
        self.cursor.expect("=", "after the names of the results")
        return names

    def _op_def(self) -> OpDef | str:
        """Reads the name of an operation in its pretty form; returns the name of one that is opaque."""
        start = self.cursor.skip()
        name = self.cursor.identifier()
        if name is None:
            token = self.cursor.found()
            suggestions = Rename(token[1:-1], of="operation"), Expect()
            if self.cursor.at("%"):
                suggestions = advise(_AN_OPERATION)
            self.cursor.fail(f"expected an operation, but found {token}", suggestions=suggestions)
        span = Span(start, self.cursor.pos)
        full = name if "." in name else f"{self.state.frame.default_dialect}.{name}"
        op_def = self.cursor.context.twin(full) or find_op_def(full)
        dialect = full.partition(".")[0]
        if op_def is None and dialect == MHLO and self.cursor.context.reads_mhlo:
            raise SyntaxFault(no_counterpart(full), span, NO_COUNTERPART)
        registered = find_dialect(dialect)
        if op_def is None and (registered is None or not registered.complete):
            close = _suggestions(name, full)
            unknown = Rename(full, of="operation")
            advice = (*advise(HELP[dialect]), unknown) if dialect in HELP else close
            if advice:  # what is meant is known: no operation of another dialect
                raise SyntaxFault(no_definition(full), span, UNKNOWN_DIALECT, advice)
            self.cursor.report(no_definition(full), span, code=UNKNOWN_DIALECT)
            return full
        if op_def is None or op_def.format is None:
            only_generic = f"'{full}' has only the generic form: write \"{full}\"(...)"
            unknown = (
                f"unknown operation '{full}'" if "." in name else f"expected an operation, but found '{name}'"
            )
            if op_def:
                self.cursor.fail(only_generic, span)
            suggestions = _suggestions(name, full) or (Rename(name, of="operation"),)
            self.cursor.fail(unknown, span, suggestions if "." in name else (*suggestions, Expect()))
        return op_def

    def _pretty(self, results: list[ResultNames]) -> tuple[str, OpDef | None, ParsedOperation]:
        """Parses an operation in the form of its definition."""
        op_def = self._op_def()
        if isinstance(op_def, str):
            from shlo.syntax.parser.guests import parse_guest

            count = sum(1 if names.group_size is None else names.group_size for names in results)
            return op_def, None, parse_guest(self.regions, op_def, count)
        with self.state.within(default_dialect=op_def.default_dialect or ""):
            parsed = parse_pretty(self.regions, op_def)
        _fill_in(op_def, parsed)
        return op_def.name, op_def, parsed

    def _generic(self) -> tuple[str, OpDef | None, ParsedOperation]:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`."""
        start = self.cursor.skip()
        name = self.cursor.expect_string("an operation's name")
        if not name or "\0" in name:
            self.cursor.fail("an operation's name must not be empty", Span(start, self.cursor.pos))
        span = Span(start, self.cursor.pos)
        op_def = self.cursor.context.twin(name) or find_op_def(name)
        dialect = find_dialect(name.partition(".")[0])
        if op_def is not None:
            name = op_def.name
        elif name.startswith(f"{MHLO}.") and self.cursor.context.reads_mhlo:
            self.cursor.report(no_counterpart(name), span, code=NO_COUNTERPART)
        elif dialect and dialect.complete:
            self.cursor.report(
                f"unknown operation '{name}'",
                span,
                suggestions=_suggestions(name, name) or (Rename(name, of="operation"),),
            )
        self.cursor.expect("(", "before the operands of the generic form")
        parsed = ParsedOperation(self.cursor.comma_list(self.cursor.operand, ")"))
        if self.cursor.accept("["):
            parsed.successors = self.cursor.comma_list(self.regions.label_successor, "]")
        if self.cursor.accept("<"):
            parsed.properties = self._properties(op_def)
        if self.cursor.accept("("):
            isolated = op_def is not None and op_def.has("isolated")
            parsed.regions = self.cursor.comma_list(lambda: self.regions.region(None, isolated), ")")
        if self.cursor.at("{"):
            parsed.attributes = parse_attribute_dict(self.cursor, "operation")
        self.cursor.expect(":", "before the operation's type")
        type_start = self.cursor.skip()
        type_ = parse_function_type(self.cursor)
        if len(type_.inputs) != len(parsed.operands):
            self.cursor.fail(
                f"{plural(len(parsed.operands), 'operand')}, but the type names {len(type_.inputs)}",
                Span(type_start, self.cursor.pos),
            )
        parsed.operand_types, parsed.result_types = type_.inputs, type_.results
        if op_def is not None:
            for inherent in [
                attribute_name for attribute_name in parsed.attributes if op_def.attribute(attribute_name)
            ]:  # as older texts
                parsed.properties.setdefault(inherent, parsed.attributes.pop(inherent))
            _fill_in(op_def, parsed)
        return name, op_def, parsed

    def _properties(self, op_def: OpDef | None) -> dict[str, Attribute]:
        start = self.cursor.skip()
        properties = parse_attribute_dict(self.cursor, "operation")
        span = Span(start, self.cursor.pos)
        self.cursor.expect(">", "after the properties")
        if op_def is None or not op_def.attributes:
            return properties
        return {name: value for name, value in properties.items() if self._is_property(op_def, name, span)}

    def _is_property(self, op_def: OpDef, name: str, span: Span) -> bool:
        """Returns whether an operation has a property. MLIR drops unknown ones if it has any."""
        if name.endswith(("SegmentSizes", "_segment_sizes")) or op_def.attribute(name) is not None:
            return True
        close = nearest_name(name, (spec.name for spec in op_def.attributes))
        suggestion = Rename(name, close, "attribute") if close else LeaveOut(name)
        message = f"{op_def.name} has no property '{name}': it is left out"
        self.cursor.report(message, span, "warning", "unknown-property", (suggestion,))
        return False

    def _build(
        self,
        start: int,
        name: str,
        op_def: OpDef | None,
        results: list[ResultNames],
        parsed: ParsedOperation,
        location: Location | None,
    ) -> Operation:
        scope, operand_types = self.state.frame.scope, parsed.operand_types
        if operand_types is None:
            operand_types = [self._type_of(use) for use in parsed.operands]
        if len(operand_types) != len(parsed.operands):
            operand_count = plural(len(parsed.operands), "operand")
            self.cursor.fail(
                f"'{name}' is given {operand_count}, but {plural(len(operand_types), 'type')}",
                Span(start, self.cursor.pos),
            )
        operands = [scope.resolve(use, type_) for use, type_ in zip(parsed.operands, operand_types)]
        signature = Signature(
            name,
            tuple(operand_types),
            tuple(parsed.result_types),
            parsed.properties or NO_ATTRIBUTES,
            parsed.attributes or NO_ATTRIBUTES,
        )
        successors = tuple(self._resolve_successor(use) for use in parsed.successors)
        values = self._define_results(start, name, results, signature.result_types)
        return Operation(signature, tuple(operands), values, tuple(parsed.regions), successors, location)

    def _type_of(self, use: ValueUse) -> Type:
        """Returns the type of a value that has been defined before; fails at the use where it has not."""
        scope = self.state.frame.scope
        value = scope.lookup(use.name)
        if value is None:
            self.cursor.fail(f"use of undeclared value '%{use.name}'", use.span)
        return scope.values.types[value]

    def _resolve_successor(self, use: SuccessorUse) -> tuple[int, tuple[int, ...]]:
        values = tuple(
            self.state.frame.scope.resolve(operand, type_)
            for operand, type_ in zip(use.operands, use.operand_types, strict=True)
        )
        return self.state.frame.labels.number(use.label, use.span), values

    def _define_results(
        self, start: int, name: str, results: list[ResultNames], types: tuple[Type, ...]
    ) -> tuple[int, ...]:
        if not results:
            return tuple(self.state.frame.scope.unnamed(type_, start) for type_ in types)
        expected = sum(names.group_size or 1 for names in results)
        if expected != len(types):
            span = Span(results[0].use.span.start, results[-1].use.span.end)
            named = f"{expected} {'is' if expected == 1 else 'are'}"
            message = f"'{name}' has {plural(len(types), 'result')}, but {named} named"
            self.cursor.report(message, span, suggestions=(NameResults(len(types)),))
            types = (*types[:expected], *[UNKNOWN] * (expected - len(types)))
        values: list[int] = []
        for (label, span), count in results:
            mine = types[len(values) : len(values) + (count or 1)]
            if count is None:
                values.append(self.state.frame.scope.define(label, mine[0], span))
            else:
                values.extend(self.state.frame.scope.define_group(label, mine, span))
        return tuple(values)


def _fill_in(op_def: OpDef, parsed: ParsedOperation) -> None:
    """Adds the attributes that MLIR puts into operations that lack them."""
    for spec in op_def.attributes:
        if spec.default is not None and not spec.optional and spec.name not in parsed.properties:
            parsed.properties[spec.name] = parse_attribute(Cursor(spec.default))


def _suggestions(written: str, name: str) -> tuple[Rename, ...]:
    """Returns the known operation whose name is like that of an unknown one, as it is written and in full."""
    close = _nearest_operation(name)
    return (Rename(written, close, "operation"),) if close else ()


def _nearest_operation(name: str) -> str | None:
    from shlo.syntax.parser.guests import misspelt_dialect, misspelt_operation

    dialect, _, short = name.partition(".")
    registered = find_dialect(dialect)
    if registered is None or not registered.complete:
        close = misspelt_operation(name) if registered else None
        alike = misspelt_dialect(dialect) if registered is None else None
        if alike and find_op_def(f"{alike}.{short}"):
            close = f"{alike}.{short}"
        return close
    if find_op_def(f"stablehlo.{short}"):
        return f"stablehlo.{short}"
    if dialect in ("stablehlo", "func") and short in NUMPY_NAMES:
        return f"stablehlo.{NUMPY_NAMES[short]}"
    names = (op_def.name.partition(".")[2] for op_def in registered.op_defs.values())
    close = nearest_name(short, names)
    return f"{dialect}.{close}" if close else None
