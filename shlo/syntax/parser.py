"""From text to a module: MLIR's grammar of operations, blocks and regions, by recursive descent.

`parse` never raises for a bad text. An operation that does not follow the grammar becomes a broken
operation and a diagnostic, and reading goes on at the next one (`recovery.py`). Ordinary one-line
operations take the fast path (`lines.py`). The parser is built in layers: tokens (`reader.py`), regions
(`region_parser.py`), one operation (`operation_parser.py`), and here lists of operations, definitions and
what to do after a mistake.
"""

from __future__ import annotations

from shlo.ir.attributes import Attribute, StringAttr
from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import BROKEN, NO_ATTRIBUTES, Block, Module, Operation, Region, Signature
from shlo.ir.source import Source, Span
from shlo.ir.types import UNKNOWN, Type
from shlo.syntax.attribute_parser import parse_attribute
from shlo.syntax.lines import SPLIT
from shlo.syntax.operation_parser import OperationParser, ResultNames
from shlo.syntax.reader import SUFFIX, Context, SyntaxFault
from shlo.syntax.recovery import next_operation, opens_region
from shlo.syntax.resources import parse_resources
from shlo.syntax.scope import Scope
from shlo.syntax.type_parser import parse_type


def parse(
    source: str | bytes | Source, name: str = "<text>", context: Context | None = None
) -> tuple[Module, list[Diagnostic]]:
    """A text's module and what is wrong with it, in the order of the text; never raises for a bad text.

    Bytes are read as UTF-8; a byte-order mark is passed over. `context` carries what was learnt from
    earlier versions of the same document.
    """
    if not isinstance(source, Source):
        source = Source(decode(source) if isinstance(source, bytes) else source, name)
    with collector_paused():
        return ModuleParser(source, context).module()


def decode(data: bytes) -> str:
    """Text from bytes: UTF-8, bytes that are none as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


class ModuleParser(OperationParser):
    """Reads one text. `outermost` is the list of operations that stand in none."""

    outermost: Block

    def module(self) -> tuple[Module, list[Diagnostic]]:
        """Reads the text to its end."""
        block = self.outermost = Block([])
        while not self.at_end:
            self.operations(block)
            if not self.at_end:
                self._unexpected(block)
        self._place_successors([block])
        self.scope.close()
        self._close_aliases()
        self.diagnostics.sort(key=lambda diagnostic: diagnostic.span)
        return self._whole(block), self.diagnostics

    def _whole(self, block: Block) -> Module:
        operations = block.operations
        if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
            operation, start = operations[0], block.starts[0]
        else:
            region = Region((block,), self.scope.values)
            operation, start = Operation(Signature("builtin.module"), regions=(region,)), 0
        return Module(operation, self.source, tuple(self.diagnostics), dict(self.resources), start)

    def _unexpected(self, block: Block) -> None:
        """Passes over a `}` or `^label` that closes or opens nothing."""
        start = self.pos
        self.report(f"expected an operation, but found {self.found()}", self.token_span())
        self.pos = max(next_operation(self.text, start + 1), start + 1)

    def _close_aliases(self) -> None:
        for name, alias in self.location_aliases.items():
            if alias.target is None:
                self.report(f"the location alias '#{name}' is never defined", self.alias_places[name])

    def operations(self, block: Block) -> None:
        """Reads operations until `}`, a block's label or the end of the text follows."""
        while True:
            self._ordinary_lines(block)
            character = self.peek()
            if character in ("", "}", "^"):
                return
            if character in "#!{" and self._definition(block is self.outermost):
                continue
            self._general(block)

    def _ordinary_lines(self, block: Block) -> None:
        """The fast path: takes lines for as long as their skeletons are known and their names resolve."""
        text, find, split, origin = self.text, self.text.find, SPLIT.split, self.origin
        scope, forward, outer, aliases = (
            self.scope,
            self.scope.forward,
            self.scope.outer,
            self.location_aliases,
        )
        names, types, value_names, places = scope.names, scope.values.types, scope.values.names, scope.places
        skeletons = self.context.skeletons.setdefault(self.default_dialect, {})
        operations, starts, ends = block.operations, block.starts, block.ends
        pos = self.pos
        while True:
            end = find("\n", pos)
            if end < 0:
                break
            raw = text[pos:end]
            line = raw.strip()
            if not line:
                pos = end + 1
                continue
            start = pos + raw.index(line[0])
            location = None
            if line[-1] == ")":
                at = line.rfind(" loc(#")
                if at > 0 and line.find(")", at) == len(line) - 1:
                    alias = line[at + 6 : -1]
                    location = aliases.get(alias) or self.location_alias(
                        alias, Span(start + at + 5, start + len(line) - 1)
                    )
                    line = line[:at].rstrip()
            parts = split(line)
            skeleton = skeletons.get("%".join(parts[::2]))
            if skeleton is None:
                break
            signature, count, pack, names_in_line, order, regions = skeleton
            tokens = parts[1::2]
            if len(tokens) != names_in_line:
                break
            try:
                operands = tuple([names[token] for token in tokens[count:]])
            except KeyError:
                break
            if order is not None:
                operands = tuple([operands[index] for index in order])
            if tuple([types[value] for value in operands]) != signature.operand_types:
                break
            if count == 0:
                results: tuple[int, ...] = ()
            elif count == 1 and not pack:
                name = tokens[0]
                if name in names or name in forward or name in outer:
                    break
                value = len(types)
                names[name] = value
                types.append(signature.result_types[0])
                value_names.append(name)
                places.append(start)
                results = (value,)
            elif forward or outer or count != 1 or tokens[0] in names:
                break
            else:
                results = scope.define_pack(tokens[0], signature.result_types, Span(start, start))
            operations.append(Operation(signature, operands, results, regions, (), location))
            starts.append(start - origin)
            ends.append(start - origin + len(line))
            pos = end + 1
        self.pos = pos

    def _general(self, block: Block) -> None:
        """Reads one operation by the grammar; a broken one is kept as its text."""
        start = self.skip()
        size, depth, origin, labels = len(self.scope.names), self.depth, self.origin, self.labels
        scope, dialect = self.scope, self.default_dialect
        try:
            operation, end = self.operation(start)
        except (SyntaxFault, RecursionError) as error:
            self.depth, self.origin, self.labels = depth, origin, labels
            self.scope, self.default_dialect = scope, dialect
            scope.leave_region(size)
            fault = (
                error
                if isinstance(error, SyntaxFault)
                else SyntaxFault("nested too deeply", Span(start, start + 1))
            )
            operation, end = self._recover(start, fault)
        block.operations.append(operation)
        block.starts.append(start - self.origin)
        block.ends.append(end - self.origin)

    def _definition(self, is_outermost: bool) -> bool:
        """Reads `#name = ...`, `!name = ...` or a resource section, all of them outermost."""
        start = self.pos
        if not (self.text.startswith("{-#", start) or self.text[start] in "#!"):
            return False
        if not is_outermost:
            self.report("a definition stands between the outermost operations only", self.token_span())
        try:
            if self.text.startswith("{-#", start):
                parse_resources(self)
            else:
                self._alias()
        except SyntaxFault as fault:
            self.diagnostics.append(Diagnostic(fault.message, fault.span, fault.code))
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
        if kind == "!":
            self._new_alias(self.type_aliases, match[0], parse_type(self), span)
        elif self.at("loc"):
            self._location_alias(match[0], span)
        else:
            self._new_alias(self.attribute_aliases, match[0], parse_attribute(self), span)

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
        """Keeps a broken operation as its text, with the regions that it opens; goes to the next one."""
        self.diagnostics.append(Diagnostic(fault.message, fault.span, fault.code))
        regions: list[Region] = []
        names = self._broken_names(start)
        self.pos = max(fault.span.start, start)
        while (opening := opens_region(self.text, start, self.pos)) is not None:
            self.pos = opening
            regions.append(self._broken_region(start))
        end = max(next_operation(self.text, max(self.pos, start + 1)), start + 1)
        self.pos = end
        text = StringAttr(self.text[start:end].rstrip())
        results = tuple(self._broken_result(name) for name in names)
        types = tuple([UNKNOWN] * len(results))
        signature = Signature(BROKEN, (), types, NO_ATTRIBUTES, {"text": text})
        return Operation(signature, (), results, tuple(regions)), start + len(text.value)

    def _broken_names(self, start: int) -> list[ResultNames]:
        """The names that a broken operation was to define, so that their uses are not reported too."""
        self.pos = start
        try:
            return self.result_names()
        except SyntaxFault:
            return []

    def _broken_result(self, name: ResultNames) -> int:
        if name.use.name in self.scope.names:
            return self.scope.unnamed(UNKNOWN, name.use.span.start)
        if name.pack_size is None:
            return self.scope.define(name.use.name, UNKNOWN, name.use.span)
        return self.scope.define_pack(name.use.name, (UNKNOWN,) * name.pack_size, name.use.span)[0]

    def _broken_region(self, start: int) -> Region:
        """A region of a broken operation, read for what it holds; unknown names in it are not reported."""
        outer, self.scope = self.scope, Scope(self.diagnostics, lenient=True)
        dialect, self.default_dialect = self.default_dialect, "func"
        origin, self.origin = self.origin, start
        try:
            return self.nested(lambda: self.plain_region(None))
        except SyntaxFault as fault:
            self.diagnostics.append(Diagnostic(fault.message, fault.span, fault.code))
            self.pos = max(fault.span.end, self.pos)
            return Region((), self.scope.values)
        finally:
            self.scope, self.default_dialect, self.origin = outer, dialect, origin
