"""From text to a module: MLIR's grammar of operations, blocks and regions, by recursive descent.

`parse` never raises for a bad text. An operation that does not follow the grammar becomes a broken
operation and a diagnostic, and reading goes on at the next one (`recovery.py`). Ordinary one-line
operations take the fast path (`lines.py`). The parser is built in layers: tokens (`cursor.py`), regions
(`region_parser.py`), one operation (`operation_parser.py`), and here lists of operations, definitions and
what to do after a mistake.
"""

from __future__ import annotations

from itertools import count

from shlo.ir.attributes import Attribute, IntegerAttr, StringAttr
from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.locations import Location, LocationAlias
from shlo.ir.operations import BROKEN, NO_ATTRIBUTES, Block, Module, Operation, Region, Signature
from shlo.ir.recursion import recursive
from shlo.ir.source import Source, Span
from shlo.ir.types import I64, UNKNOWN, Type
from shlo.syntax.assembly_format.parsed_operation import ValueUse
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.dense.resources import parse_resources
from shlo.syntax.lexer.cursor import SUFFIX, Context, Extent, SyntaxFault
from shlo.syntax.parser.fast_path import MAX_SPAN, SPLIT, LineTemplate
from shlo.syntax.parser.operation import OperationParser, ResultNames
from shlo.syntax.parser.parse_result import Aliases, Finding, ParseResult, Resume, UnstableNames
from shlo.syntax.parser.recovery import is_isolated, next_operation, opens_region
from shlo.syntax.parser.scope import Scope
from shlo.syntax.types.parse import parse_type


def parse(
    source: str | bytes | Source, name: str = "<text>", context: Context | None = None
) -> tuple[Module, list[Diagnostic]]:
    """A text's module and what is wrong with it, in the order of the text; never raises for a bad text.

    Bytes are read as UTF-8; a byte-order mark is passed over. `context` carries what was learnt from
    earlier versions of the same document.
    """
    if not isinstance(source, Source):
        source = Source(decode(source) if isinstance(source, bytes) else source, name)
    result = parse_source(source, context)
    return result.module, result.diagnostics


@recursive
def parse_source(source: Source, context: Context | None = None) -> ParseResult:
    """The same as `parse`, with what a reading of the text after an edit can take over."""
    with collector_paused():
        parser = ModuleParser(source, context)
        module, diagnostics = parser.module()
        return parser.result(module, diagnostics)


def decode(data: bytes) -> str:
    """Text from bytes: UTF-8, bytes that are none as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


class ModuleParser(OperationParser):
    """Reads one text. `outermost` is the list of operations that stand in none.

    `owners` says of each diagnostic which operation (by its offset) was being read, and `resumes` how things
    stood at each outermost operation: the next reading of the text asks for that.
    """

    def __init__(self, source: Source, context: Context | None) -> None:
        super().__init__(source, context)
        self.outermost = Block([])
        self.owners: list[int] = []
        self.owner = 0
        self.resumes: dict[int, Resume] = {}
        self.odd: dict[int, UnstableNames] = {}
        self.has_inner_definitions = False

    def module(self) -> tuple[Module, list[Diagnostic]]:
        """Reads the text to its end."""
        block = self.outermost
        while not self.at_end:
            self.operations(block)
            if not self.at_end:
                self._unexpected(block)
        self._place_successors([block])
        self.enter(0)
        self.close_scope()
        return self.finished()

    def finished(self) -> tuple[Module, list[Diagnostic]]:
        """The module of the outermost operations, and all that was found, each thing once."""
        self._close_aliases()
        found = sorted(dict.fromkeys(self.diagnostics), key=lambda diagnostic: diagnostic.span)
        return self._whole(self.outermost, tuple(found)), found

    def result(self, module: Module, diagnostics: list[Diagnostic]) -> ParseResult:
        """What the reading leaves behind for one after an edit."""
        findings = [Finding(*each) for each in zip(self.owners, count(), self.diagnostics)]
        return ParseResult(
            module,
            diagnostics,
            self.outermost,
            self.scope.values,
            sorted(findings, key=lambda finding: finding[:2]),
            self.resumes,
            Aliases(
                self.attribute_aliases,
                self.type_aliases,
                self.location_aliases,
                self.alias_places,
                self.extents,
            ),
            self.odd,
            self._is_reusable(),
        )

    def _is_reusable(self) -> bool:
        """Whether what an operation was read as depends on its text and the names in it alone."""
        return (
            not self.has_inner_definitions
            and not self.broken_aliases
            and not self.has_signed_types
            and all(alias.target is not None for alias in self.location_aliases.values())
        )

    def enter(self, owner: int) -> int:
        """Ascribes what was found since the last call, and says which operation is read from now on; gives
        the one before."""
        missing = len(self.diagnostics) - len(self.owners)
        if missing:
            self.owners.extend([self.owner] * missing)
        before, self.owner = self.owner, owner
        return before

    def close_scope(self) -> None:
        super().close_scope()
        if self.scope.odd:
            self.odd[id(self.scope.values)] = UnstableNames(self.scope.values, frozenset(self.scope.odd))

    def _whole(self, block: Block, found: tuple[Diagnostic, ...]) -> Module:
        operations = block.operations
        if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
            operation, start = operations[0], block.starts[0]
        else:
            region = Region((block,), self.scope.values)
            operation, start = Operation(Signature("builtin.module"), regions=(region,)), 0
        return Module(operation, self.source, found, dict(self.resources), start)

    def _unexpected(self, block: Block) -> None:
        """Passes over a `}` or `^label` that closes or opens nothing."""
        start = self.pos
        self.enter(start)
        self.report(f"expected an operation, but found {self.found()}", self.token_span())
        self.pos = max(next_operation(self.text, start + 1), start + 1)

    def _close_aliases(self) -> None:
        for name, alias in self.location_aliases.items():
            if alias.target is None and f"#{name}" not in self.broken_aliases:
                self.report(f"the location alias '#{name}' is never defined", self.alias_places[name])

    def operations(self, block: Block) -> None:
        """Reads operations until `}`, a block's label or the end of the text follows."""
        while True:
            self._ordinary_lines(block, len(self.text))
            character = self.peek()
            if character in ("", "}", "^"):
                return
            if character in "#!{" and self._definition(block is self.outermost):
                continue
            self._general(block)

    def _ordinary_lines(self, block: Block, stop: int) -> None:
        """The fast path: takes lines for as long as their skeletons are known and their names resolve, and
        they start before `stop`."""
        text, find, split, origin = self.text, self.text.find, SPLIT.split, self.origin
        scope, forward, outer, aliases = (
            self.scope,
            self.scope.forward,
            self.scope.outer,
            self.location_aliases,
        )
        names, types, value_names, places = scope.names, scope.values.types, scope.values.names, scope.places
        line_templates = self.context.line_templates.setdefault(self.default_dialect, {})
        operations, starts, ends = block.operations, block.starts, block.ends
        follows = scope.follows_definitions
        pos = self.pos
        while True:
            end = find("\n", pos, pos + MAX_SPAN)
            if end < 0:
                break
            raw = text[pos:end]
            line = raw.strip(" \t\r")
            if not line:
                pos = end + 1
                continue
            start = pos + raw.index(line[0])
            if start >= stop:
                break
            location = None
            if line[-1] == ")":
                at = line.rfind(" loc(#")
                if at > 0 and line.find(")", at) == len(line) - 1:
                    location = aliases.get(line[at + 6 : -1])
                    if location is None:
                        location = self._new_location(line[at + 6 : -1], start + at + 5)
                        if location is None:
                            break
                    line = line[:at].rstrip()
            parts = split(line)
            skeleton = line_templates.get("%".join(parts[::2]))
            if skeleton is None:
                break
            signature, count, pack, names_in_line, order, regions, _ = skeleton
            tokens = parts[1::2]
            if len(tokens) != names_in_line:
                break
            try:
                operands = tuple([names[token] for token in tokens[count:]])
                if order is not None:
                    operands = tuple([operands[index] for index in order])
                is_ordinary = tuple([types[value] for value in operands]) == signature.operand_types
            except KeyError:
                operands, is_ordinary = (), False
            if not is_ordinary:
                operation = self._with_mismatched_operands(line, start, skeleton, location)
                if operation is None:
                    break
                operations.append(operation)
                starts.append(start - origin)
                ends.append(start - origin + len(line))
                pos = end + 1
                continue
            if count == 0:
                results: tuple[int, ...] = ()
            elif count == 1 and not pack:
                name = tokens[0]
                if name in names or name in forward or name in outer or "#" in name:
                    break
                if follows:
                    value = scope.define(name, signature.result_types[0], Span(start, start))
                else:
                    value = len(types)
                    names[name] = value
                    types.append(signature.result_types[0])
                    value_names.append(name)
                    places.append(start)
                results = (value,)
            elif forward or outer or count != 1 or tokens[0] in names or "#" in tokens[0]:
                break
            else:
                results = scope.define_pack(tokens[0], signature.result_types, Span(start, start))
            operations.append(Operation(signature, operands, results, regions, (), location))
            starts.append(start - origin)
            ends.append(start - origin + len(line))
            pos = end + 1
        self.pos = pos

    def _new_location(self, name: str, start: int) -> LocationAlias | None:
        """The alias of a location that is used for the first time, None where it is none."""
        if not SUFFIX.fullmatch(name) or name in self.attribute_aliases:
            return None
        return self.location_alias(name, Span(start, start + len(name) + 1))

    def _with_mismatched_operands(
        self, line: str, start: int, skeleton: LineTemplate, location: Location | None
    ) -> Operation | None:
        """An operation of a known form whose operands are not all defined, or not with the types that it
        says; None where the types depend on the operands, or a name on its left is odd too."""
        signature, count, pack, _, order, regions, says_types = skeleton
        names = [
            ValueUse(match[1], Span(start + match.start(), start + match.end()))
            for match in SPLIT.finditer(line)
        ]
        results, uses = names[:count], names[count:]
        scope = self.scope
        if (
            not says_types
            or pack
            or count > 1
            or any("#" in name or name in scope.names for name, _ in results)
        ):
            return None
        if order is not None:
            uses = [uses[index] for index in order]
        outer = self.enter(start)
        operands = tuple([scope.resolve(use, type_) for use, type_ in zip(uses, signature.operand_types)])
        values = tuple([scope.define(name, signature.result_types[0], span) for name, span in results])
        self.enter(outer)
        return Operation(signature, operands, values, regions, (), location)

    def _general(self, block: Block) -> None:
        """Reads one operation by the grammar; a broken one is kept as its text."""
        start = self.skip()
        outer, resume = self.enter(start), (len(self.attribute_aliases), len(self.type_aliases))
        self._parse_or_recover(block, start)
        self.enter(outer)
        if block is self.outermost:
            self.resumes[start] = Resume(*resume, self.skip())

    def _parse_or_recover(self, block: Block, start: int) -> None:
        size, depth, origin, labels = len(self.scope.names), self.depth, self.origin, self.labels
        scope, dialect = self.scope, self.default_dialect
        around = self.parse_regions, self.deepest, self.expansion
        self.parse_regions, self.deepest, self.expansion = [], depth, 0
        try:
            operation, end = self.operation(start)
        except SyntaxFault as fault:
            self.depth, self.origin, self.labels = depth, origin, labels
            self.scope, self.default_dialect = scope, dialect
            scope.leave_region(size)
            operation, end = self._recover(start, fault)
        self.parse_regions, self.deepest, self.expansion = around
        block.operations.append(operation)
        block.starts.append(start - self.origin)
        block.ends.append(end - self.origin)

    def _definition(self, is_outermost: bool) -> bool:
        """Reads `#name = ...`, `!name = ...` or a resource section, all of them outermost."""
        start = self.pos
        if not (self.text.startswith("{-#", start) or self.text[start] in "#!"):
            return False
        if is_outermost:
            self.enter(start)
        else:
            self.has_inner_definitions = True
            self.report("a definition stands between the outermost operations only", self.token_span())
        try:
            if self.text.startswith("{-#", start):
                parse_resources(self)
            else:
                self._alias()
        except SyntaxFault as fault:
            self.report_fault(fault)
            self.pos = next_operation(self.text, max(self.pos, start + 1))
        return True

    def _alias(self) -> None:
        kind = self.text[self.pos]
        start = self.pos
        self.pos += 1
        match = SUFFIX.match(self.text, self.pos)
        if not match:
            self.fail(f"expected a name after '{kind}'")
        self.pos = match.end()
        span = Span(start, self.pos)
        self.expect("=")
        self.deepest, self.expansion = self.depth, 0
        try:
            self._alias_value(kind, match[0], span)
        except SyntaxFault:
            self.broken_aliases.add(kind + match[0])
            raise
        size = self.expansion + self.pos - span.end
        self.extents[kind + match[0]] = Extent(self.deepest - self.depth, size)

    def _alias_value(self, kind: str, name: str, span: Span) -> None:
        if kind == "!":
            self._new_alias(self.type_aliases, name, parse_type(self), span)
        elif self.at("loc"):
            self._location_alias(name, span)
        else:
            self._new_alias(self.attribute_aliases, name, parse_attribute(self), span)

    def _new_alias(
        self, table: dict[str, Attribute] | dict[str, Type], name: str, value: object, span: Span
    ) -> None:
        if "." in name:
            self.fail(f"an alias has no dot in its name: '{name}'", span)
        if name in table:
            self.fail(f"the alias '{name}' is defined twice", span)
        table[name] = value  # type: ignore[assignment]

    def _location_alias(self, name: str, span: Span) -> None:
        location = self.location()
        alias = self.location_alias(name, span)
        if alias.target is not None:
            self.fail(f"the alias '#{name}' is defined twice", span)
        alias.target = location
        assert location is not None
        self.attribute_aliases[name] = location

    def _recover(self, start: int, fault: SyntaxFault) -> tuple[Operation, int]:
        """Keeps a broken operation as its text, with the regions that it opens; goes to the next one. Regions
        that were read before the fault are kept as they are: reading them again, at each level of nesting,
        would take exponential time."""
        self.report_fault(fault)
        parsed = self.parse_regions
        regions = [each.region for each in parsed]
        names = self._broken_names(start)
        self.pos = max(fault.span.start, start, *[each.end for each in parsed])
        while (opening := opens_region(self.text, start, self.pos)) is not None:
            self.pos = opening
            regions.append(self._broken_region(start))
        end = max(next_operation(self.text, max(self.pos, start + 1)), start + 1)
        self.pos = end
        text = StringAttr(self.text[start:end].rstrip())
        attributes: dict[str, Attribute] = {"text": text}
        if parsed:
            attributes |= {
                "read": IntegerAttr(len(parsed), I64),
                "dialect": StringAttr(parsed[0].dialect),
            }
        results = tuple(value for name in names for value in self._broken_results(name))
        types = tuple([UNKNOWN] * len(results))
        signature = Signature(BROKEN, (), types, NO_ATTRIBUTES, attributes)
        return Operation(signature, (), results, tuple(regions)), start + len(text.value)

    def _broken_names(self, start: int) -> list[ResultNames]:
        """The names that a broken operation was to define, so that their uses are not reported too."""
        self.pos = start
        try:
            return self.result_names()
        except SyntaxFault:
            return []

    def _broken_results(self, name: ResultNames) -> tuple[int, ...]:
        if name.use.name in self.scope.names:
            return (self.scope.unnamed(UNKNOWN, name.use.span.start),)
        if name.pack_size is None:
            return (self.scope.define(name.use.name, UNKNOWN, name.use.span),)
        return self.scope.define_pack(name.use.name, (UNKNOWN,) * name.pack_size, name.use.span)

    def _broken_region(self, start: int) -> Region:
        """A region of a broken operation, read for what it holds; unknown names in it are not reported. It
        sees the values around it, but for those of functions and modules."""
        outer, dialect, origin = self.scope, self.default_dialect, self.origin
        lenient, unknown, size = outer.lenient, set(outer.forward), len(outer.names)
        self.default_dialect, self.origin = "func", start
        if is_isolated(self.text, start):
            self.scope = self.isolated_scope()
        self.scope.lenient = True
        try:
            return self.nested(lambda: self.plain_region(None))
        except SyntaxFault as fault:
            self.report_fault(fault)
            self.pos = max(fault.span.end, self.pos)
            return Region((), self.scope.values)
        finally:
            self._close_broken(outer, unknown, size)
            outer.lenient, self.default_dialect, self.origin = lenient, dialect, origin

    def _close_broken(self, outer: Scope, unknown: set[str], size: int) -> None:
        """Goes back from a broken operation's region to the scope around it."""
        if self.scope is outer:
            outer.forget_unknown(unknown)
            outer.leave_region(size)
        else:
            self.close_scope()
            self.scope = outer
