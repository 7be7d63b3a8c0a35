"""Parses one operation: its results, its pretty or generic form, and what is built from them."""

from __future__ import annotations

from typing import NamedTuple

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.mhlo import MHLO
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location
from shlo.ir.operations import Operation, Region
from shlo.ir.source import Source, Span
from shlo.ir.types import UNKNOWN, Type
from shlo.syntax.assembly_format.parse import parse_pretty
from shlo.syntax.assembly_format.parsed_operation import ParsedOperation, SuccessorUse, ValueUse
from shlo.syntax.attributes.parse import parse_attribute, parse_attribute_dict
from shlo.syntax.lexer.cursor import Context, Cursor, SyntaxFault
from shlo.syntax.parser.fast_path import LineTemplate, learn
from shlo.syntax.parser.legacy_syntax import upgrade
from shlo.syntax.parser.mhlo import NO_COUNTERPART, adapt, no_counterpart, twin_of
from shlo.syntax.parser.regions import RegionParser
from shlo.syntax.parser.unknown_dialects import HELP, UNKNOWN_DIALECT, no_definition
from shlo.syntax.types.parse import parse_function_type, parse_type
from shlo.text.numbers import plural
from shlo.text.suggest import nearest_name


class ResultNames(NamedTuple):
    """One name on the left of an operation, and for a pack how many results it stands for."""

    use: ValueUse
    pack_size: int | None


class OperationParser(RegionParser):
    """Reads operations. `isolates` says whether the regions of the operation being read see values from
    outside."""

    def __init__(self, source: Source, context: Context | None) -> None:
        super().__init__(source, context)
        self.isolates = False

    def operation(self, start: int) -> tuple[Operation, int]:
        """Reads an operation; gives it and the offset of its end, its location left out."""
        results = self.result_names()
        self.origin, outer = start, self.origin
        known = len(self.diagnostics)
        if self.peek() == '"':
            name, op_def, parsed = self._generic()
        else:
            op_def = self._op_def()
            parsed = self._pretty(op_def)
            name = op_def.name
        self.origin = outer
        end = self.end_of_code
        if op_def is not None:
            upgrade(self, op_def, parsed, Span(start, end))
            if self.context.reads_mhlo:
                adapt(self, op_def, parsed, Span(start, end))
        location = self.location()
        uses = parsed.operands
        operation = self._build(start, name, op_def, results, parsed, location)
        is_plain = len(self.diagnostics) == known and bool(results) == bool(operation.results)
        if is_plain and self._is_learnable(op_def, operation, start, end):
            pack = results[0].pack_size or 0 if len(results) == 1 else 0
            left = [names.use for names in results]
            says_types = parsed.operand_types is not None
            found = LineTemplate(
                operation.signature, len(results), pack, 0, None, operation.regions, says_types
            )
            line_templates = self.context.line_templates.setdefault(self.default_dialect, {})
            learn(line_templates, self.text[start:end], start, left, uses, found)
        return operation, end

    def _is_learnable(self, op_def: OpDef | None, operation: Operation, start: int, end: int) -> bool:
        """Whether every line that looks like this one is an operation like this one."""
        if operation.successors or (op_def and (op_def.has("symbol") or op_def.has("isolated"))):
            return False
        if any(region.values is self.scope.values or op_def is None for region in operation.regions):
            return False
        if not operation.operands and not operation.results and op_def and op_def.has("terminator"):
            return False
        return "\n" not in self.text[start : self.pos]

    def result_names(self) -> list[ResultNames]:
        """`%a, %b:2 =`, or nothing."""
        names: list[ResultNames] = []
        if self.peek() != "%":
            return names
        while True:
            use = self.operand()
            count = self.expect_integer("how many results the name stands for") if self.accept(":") else None
            if "#" in use.name:
                self.fail("a result's name has no '#'", use.span)
            if count is not None and not 0 < count < 1_000_000:
                self.fail("a name stands for at least one result", use.span)
            names.append(ResultNames(use, count))
            if not self.accept(","):
                break
        self.expect("=", "after the names of the results")
        return names

    def _op_def(self) -> OpDef:
        """Reads the name of an operation in its pretty form."""
        start = self.skip()
        name = self.expect_identifier("an operation")
        span = Span(start, self.pos)
        full = name if "." in name else f"{self.default_dialect}.{name}"
        op_def = twin_of(self, full) or find_op_def(full)
        dialect = full.partition(".")[0]
        if op_def is None and dialect == MHLO and self.context.reads_mhlo:
            raise SyntaxFault(no_counterpart(full), span, NO_COUNTERPART)
        if op_def is None and find_dialect(dialect) is None:
            raise SyntaxFault(no_definition(full), span, UNKNOWN_DIALECT, HELP.get(dialect) or _meant(full))
        if op_def is None or op_def.format is None:
            self.fail(_no_pretty_form(full, op_def), span, "" if op_def else _meant(full))
        return op_def

    def _pretty(self, op_def: OpDef) -> ParsedOperation:
        with _InOperation(self, op_def, op_def.default_dialect or ""):
            parsed = parse_pretty(self, op_def)
        _fill_in(op_def, parsed)
        return parsed

    def _generic(self) -> tuple[str, OpDef | None, ParsedOperation]:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`."""
        start = self.skip()
        name = self.expect_string("an operation's name")
        if not name or "\0" in name:
            self.fail("an operation's name must not be empty", Span(start, self.pos))
        span = Span(start, self.pos)
        op_def = twin_of(self, name) or find_op_def(name)
        dialect = find_dialect(name.partition(".")[0])
        if op_def is not None:
            name = op_def.name
        elif name.startswith(f"{MHLO}.") and self.context.reads_mhlo:
            self.report(no_counterpart(name), span, code=NO_COUNTERPART)
        elif dialect and dialect.complete:
            self.report(f"unknown operation '{name}'", span, help=_meant(name))
        self.expect("(", "before the operands of the generic form")
        parsed = ParsedOperation(self.operands_list(")"))
        if self.accept("["):
            parsed.successors = self.comma_list(self._bare_successor, "]")
        if self.accept("<"):
            parsed.properties = self._properties(op_def)
        with _InOperation(self, op_def, self.default_dialect):
            if self.accept("("):
                parsed.regions = self.comma_list(self._generic_region, ")")
        if self.at("{"):
            parsed.attributes = parse_attribute_dict(self)
        self.expect(":", "before the operation's type")
        type_start = self.skip()
        type_ = parse_function_type(self)
        if len(type_.inputs) != len(parsed.operands):
            self.fail(
                f"{plural(len(parsed.operands), 'operand')}, but the type names {len(type_.inputs)}",
                Span(type_start, self.pos),
            )
        parsed.operand_types, parsed.result_types = type_.inputs, type_.results
        if op_def is not None:
            _sort_inherent(op_def, parsed)
            _fill_in(op_def, parsed)
        return name, op_def, parsed

    def _properties(self, op_def: OpDef | None) -> dict[str, Attribute]:
        start = self.skip()
        properties = parse_attribute_dict(self)
        span = Span(start, self.pos)
        self.expect(">", "after the properties")
        if op_def is None or not op_def.attributes:
            return properties
        return {name: value for name, value in properties.items() if self._is_property(op_def, name, span)}

    def _is_property(self, op_def: OpDef, name: str, span: Span) -> bool:
        """Whether an operation has a property. MLIR leaves out those that it has not, where it has any."""
        if name.endswith(("SegmentSizes", "_segment_sizes")) or op_def.attribute(name) is not None:
            return True
        close = nearest_name(name, (spec.name for spec in op_def.attributes))
        advice = f"did you mean '{close}'?" if close else f"leave '{name}' out"
        message = f"{op_def.name} has no property '{name}': it is left out"
        self.report(message, span, "warning", "unknown-property", advice)
        return False

    def _generic_region(self) -> Region:
        return self.region(None, self.isolates)

    def _bare_successor(self) -> SuccessorUse:
        """`^label`: in the generic form the values for a block's arguments are operands."""
        start = self.skip()
        found = SuccessorUse(self.label(), Span(start, self.pos))
        if self.at("("):
            advice = 'put the values among the operands: "cf.br"(%a)[^block] : (tensor<f32>) -> ()'
            self.fail("expected ',' or ']' behind the block's label, but found '('", help=advice)
        return found

    def successor(self) -> SuccessorUse:
        """`^label` or `^label(%a, %b : T, U)`."""
        start = self.skip()
        label = self.label()
        span = Span(start, self.pos)
        if not self.accept("("):
            return SuccessorUse(label, span)
        operands = tuple(self.comma_list(self.operand, ":"))
        types = tuple(self.comma_list(lambda: parse_type(self), ")"))
        if len(operands) != len(types):
            self.fail("a block is given as many values as types", span)
        return SuccessorUse(label, span, operands, types)

    def _build(
        self,
        start: int,
        name: str,
        op_def: OpDef | None,
        results: list[ResultNames],
        parsed: ParsedOperation,
        location: Location | None,
    ) -> Operation:
        operand_types = parsed.operand_types
        if operand_types is None:
            operand_types = [self.type_of(use) for use in parsed.operands]
        if len(operand_types) != len(parsed.operands):
            given = plural(len(parsed.operands), "operand")
            self.fail(
                f"'{name}' is given {given}, but {plural(len(operand_types), 'type')}",
                Span(start, self.pos),
            )
        operands = tuple(
            [
                self.scope.resolve(use, type_)
                for use, type_ in zip(parsed.operands, operand_types, strict=True)
            ]
        )
        signature = self.signature(
            name, tuple(operand_types), tuple(parsed.result_types), parsed.properties, parsed.attributes
        )
        successors = tuple(self._resolve_successor(use) for use in parsed.successors)
        values = self._define_results(start, name, results, signature.result_types)
        return Operation(signature, operands, values, tuple(parsed.regions), successors, location)

    def _resolve_successor(self, use: SuccessorUse) -> tuple[int, tuple[int, ...]]:
        values = tuple(
            self.scope.resolve(each, type_)
            for each, type_ in zip(use.operands, use.operand_types, strict=True)
        )
        return self.labels.number(use.label, use.span), values

    def _define_results(
        self, start: int, name: str, results: list[ResultNames], types: tuple[Type, ...]
    ) -> tuple[int, ...]:
        if not results:
            return tuple(self.scope.unnamed(type_, start) for type_ in types)
        expected = sum(names.pack_size or 1 for names in results)
        if expected != len(types):
            span = Span(results[0].use.span.start, results[-1].use.span.end)
            self.report(
                f"'{name}' has {plural(len(types), 'result')}, but {expected} {_are(expected)} named", span
            )
            types = (*types[:expected], *[UNKNOWN] * (expected - len(types)))
        values: list[int] = []
        for (label, span), count in results:
            mine = types[len(values) : len(values) + (count or 1)]
            if count is None:
                values.append(self.scope.define(label, mine[0], span))
            else:
                values.extend(self.scope.define_pack(label, mine, span))
        return tuple(values)


class _InOperation:
    """While the inside of an operation is read: which dialect may be left out there (only the pretty form
    changes it), and whether regions are isolated."""

    def __init__(self, parser: OperationParser, op_def: OpDef | None, default_dialect: str) -> None:
        self.parser = parser
        self.outer = (parser.default_dialect, parser.isolates)
        self.inner = (default_dialect, op_def is not None and op_def.has("isolated"))

    def __enter__(self) -> None:
        self.parser.default_dialect, self.parser.isolates = self.inner

    def __exit__(self, *_: object) -> None:
        self.parser.default_dialect, self.parser.isolates = self.outer


def _sort_inherent(op_def: OpDef, parsed: ParsedOperation) -> None:
    """Moves inherent attributes from among the discardable ones, where older texts have them."""
    for name in [name for name in parsed.attributes if op_def.attribute(name)]:
        parsed.properties.setdefault(name, parsed.attributes.pop(name))


def _fill_in(op_def: OpDef, parsed: ParsedOperation) -> None:
    """Adds the attributes that MLIR puts into operations that lack them."""
    for spec in op_def.attributes:
        if spec.default is not None and not spec.optional and spec.name not in parsed.properties:
            parsed.properties[spec.name] = parse_attribute(Cursor(spec.default))


def _meant(name: str) -> str:
    """The operation that is meant by a name that none has."""
    dialect, _, short = name.partition(".")
    if find_op_def(f"stablehlo.{short}"):
        return f"did you mean stablehlo.{short}?"
    known = find_dialect(dialect)
    close = nearest_name(name, known.op_defs if known else ())
    return f"did you mean {close}?" if close else ""


def _no_pretty_form(name: str, op_def: OpDef | None) -> str:
    if op_def is not None:
        return f"'{name}' has only the generic form: write \"{name}\"(...)"
    return no_definition(name)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
