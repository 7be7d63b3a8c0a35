"""From text to a module: MLIR's grammar of operations, blocks and regions, by recursive descent.

`parse` never raises for a bad text. An operation that does not follow the grammar becomes a broken operation and a
diagnostic, and reading goes on at the next one (`recovery.py`). Ordinary one-line operations take the fast path (`lines.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shlo.dialects import find_card
from shlo.dialects.card import Card
from shlo.ir.attributes import Attribute, StringAttr
from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.locations import Location, LocationAlias
from shlo.ir.operations import BROKEN, NO_ATTRIBUTES, Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import Source, Span
from shlo.ir.types import UNKNOWN, Type
from shlo.syntax.attribute_parser import parse_attribute, parse_attribute_dict
from shlo.syntax.format_parser import parse_pretty
from shlo.syntax.lines import SPLIT, Skeleton, learn
from shlo.syntax.location_parser import parse_location
from shlo.syntax.operation_reader import EntryArgument, OperationReader, ParsedOperation, SuccessorUse, ValueUse
from shlo.syntax.reader import SUFFIX, Context, SyntaxFault
from shlo.syntax.recovery import next_operation, opens_region
from shlo.syntax.resources import parse_resources
from shlo.syntax.scope import Scope
from shlo.syntax.type_parser import parse_function_type, parse_type

DEFAULT_DIALECTS = {"func.func": "func", "builtin.module": "builtin"}
"""The dialect whose name may be left out in front of the operations of these operations' regions."""


def parse(source: str | bytes | Source, name: str = "<text>", context: Context | None = None) -> tuple[Module, list[Diagnostic]]:
    """A text's module and what is wrong with it, in the order of the text; never raises for a bad text.

    Bytes are read as UTF-8; a byte-order mark is passed over. `context` carries what was learnt from earlier versions of
    the same document.
    """
    if not isinstance(source, Source):
        source = Source(decode(source) if isinstance(source, bytes) else source, name)
    with collector_paused():
        return ModuleParser(source, context).module()


def decode(data: bytes) -> str:
    """Text from bytes: UTF-8, bytes that are none as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


class ResultNames(NamedTuple):
    """One name on the left of an operation, and for a pack how many results it stands for."""

    use: ValueUse
    count: int | None


class Labels:
    """The blocks of a region by label: each gets a number when it is first spoken of, and a position when it is read."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.uses: dict[str, Span] = {}
        self.positions: dict[int, int] = {}

    def number(self, label: str, use: Span | None = None) -> int:
        if use is not None:
            self.uses.setdefault(label, use)
        return self.numbers.setdefault(label, len(self.numbers))


class ModuleParser(OperationReader):
    """Reads one text. `origin` is the offset of the operation whose regions are being read."""

    def __init__(self, source: Source, context: Context | None) -> None:
        super().__init__(source.text, context, 1 if source.text.startswith("\ufeff") else 0)
        self.source = source
        self.scope = Scope(self.diagnostics)
        self.labels = Labels()
        self.default_dialect = "builtin"
        self.origin = 0
        self.isolates = False
        self.alias_places: dict[str, Span] = {}

    # -- the whole text -------------------------------------------------------------------------------------------

    def module(self) -> tuple[Module, list[Diagnostic]]:
        """Reads the text to its end."""
        block = Block([])
        while not self.at_end:
            self._operations(block)
            if not self.at_end:
                self._unexpected(block)
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

    # -- lists of operations --------------------------------------------------------------------------------------

    def _operations(self, block: Block) -> None:
        """Reads operations until `}`, a block's label or the end of the text follows."""
        while True:
            self._ordinary_lines(block)
            character = self.peek()
            if character in ("", "}", "^"):
                return
            if character in "#!{" and self._definition():
                continue
            self._general(block)

    def _ordinary_lines(self, block: Block) -> None:
        """The fast path: takes lines for as long as their skeletons are known and their names resolve."""
        text, find, split, origin = self.text, self.text.find, SPLIT.split, self.origin
        scope, forward, aliases = self.scope, self.scope.forward, self.location_aliases
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
                    location = aliases.get(alias) or self.location_alias(alias, Span(start + at + 5, start + len(line) - 1))
                    line = line[:at].rstrip()
            parts = split(line)
            skeleton = skeletons.get("%".join(parts[::2]))
            if skeleton is None:
                break
            signature, count, pack, order, regions = skeleton
            tokens = parts[1::2]
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
                if name in names or name in forward:
                    break
                value = len(types)
                names[name] = value
                types.append(signature.result_types[0])
                value_names.append(name)
                places.append(start)
                results = (value,)
            elif forward or count != 1 or tokens[0] in names:
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
            operation, end = self._operation(start)
        except (SyntaxFault, RecursionError) as error:
            self.depth, self.origin, self.labels = depth, origin, labels
            self.scope, self.default_dialect = scope, dialect
            scope.leave_region(size)
            fault = error if isinstance(error, SyntaxFault) else SyntaxFault("nested too deeply", Span(start, start + 1))
            operation, end = self._recover(start, fault)
        block.operations.append(operation)
        block.starts.append(start - self.origin)
        block.ends.append(end - self.origin)

    def _definition(self) -> bool:
        """Reads `#name = ...`, `!name = ...` or a resource section, which stand between the outermost operations."""
        start = self.pos
        try:
            if self.text.startswith("{-#", start):
                parse_resources(self)
            elif self.peek() in "#!":
                self._alias()
            else:
                return False
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

    def _new_alias(self, table: dict[str, Attribute] | dict[str, Type], name: str, value: object, span: Span) -> None:
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

    # -- one operation --------------------------------------------------------------------------------------------

    def _operation(self, start: int) -> tuple[Operation, int]:
        """Reads an operation; gives it and the offset of its end, its location left out."""
        results = self._result_names()
        self.origin, outer = start, self.origin
        if self.peek() == '"':
            name, parsed = self._generic()
            card = find_card(name)
        else:
            card = self._card()
            parsed = self._pretty(card)
            name = card.name
        self.origin = outer
        end = self.pos
        location = self.location()
        uses = parsed.operands
        operation = self._build(start, name, card, results, parsed, location)
        if self._is_learnable(card, operation, start, end):
            pack = results[0].count or 0 if len(results) == 1 else 0
            left = [names.use for names in results]
            found = Skeleton(operation.signature, len(results), pack, None, operation.regions)
            skeletons = self.context.skeletons.setdefault(self.default_dialect, {})
            learn(skeletons, self.text[start:end].rstrip(), start, left, uses, found)
        return operation, end

    def _is_learnable(self, card: Card | None, operation: Operation, start: int, end: int) -> bool:
        """Whether every line that looks like this one is an operation like this one."""
        if operation.successors or (card and (card.has("symbol") or card.has("isolated"))):
            return False
        if any(region.values is self.scope.values or card is None for region in operation.regions):
            return False
        if not operation.operands and not operation.results and card and card.has("terminator"):
            return False
        line_end = self.text.find("\n", end)
        return "\n" not in self.text[start:end] and self.pos <= (line_end if line_end >= 0 else len(self.text))

    def _result_names(self) -> list[ResultNames]:
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

    def _card(self) -> Card:
        """Reads the name of an operation in its pretty form."""
        start = self.skip()
        name = self.expect_identifier("an operation")
        span = Span(start, self.pos)
        full = name if "." in name else f"{self.default_dialect}.{name}"
        card = find_card(full)
        if card is None or card.format is None:
            self.fail(_no_pretty_form(full, card), span)
        return card

    def _pretty(self, card: Card) -> ParsedOperation:
        with _InOperation(self, card):
            return parse_pretty(self, card)

    def _generic(self) -> tuple[str, ParsedOperation]:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`."""
        start = self.skip()
        name = self.expect_string("an operation's name")
        if not name or "\0" in name:
            self.fail("an operation's name must not be empty", Span(start, self.pos))
        card = find_card(name)
        self.expect("(", "before the operands of the generic form")
        parsed = ParsedOperation(self.operands_list(")"))
        if self.accept("["):
            parsed.successors = self.comma_list(self._successor, "]")
        if self.accept("<"):
            parsed.properties = self._properties(card)
        with _InOperation(self, card):
            if self.accept("("):
                parsed.regions = self.comma_list(self._generic_region, ")")
        if self.at("{"):
            parsed.attributes = parse_attribute_dict(self)
        self.expect(":", "before the operation's type")
        type_start = self.skip()
        type_ = parse_function_type(self)
        if len(type_.inputs) != len(parsed.operands):
            self.fail(
                f"{_counted(len(parsed.operands), 'operand')}, but the type names {len(type_.inputs)}", Span(type_start, self.pos)
            )
        parsed.operand_types, parsed.result_types = type_.inputs, type_.results
        if card is not None:
            _sort_inherent(card, parsed)
        return name, parsed

    def _properties(self, card: Card | None) -> dict[str, Attribute]:
        properties = parse_attribute_dict(self)
        self.expect(">", "after the properties")
        return properties

    def _generic_region(self) -> Region:
        return self.region(None, self.isolates)

    def _successor(self) -> SuccessorUse:
        """`^label` or `^label(%a, %b : T, U)`."""
        start = self.skip()
        label = self._label()
        span = Span(start, self.pos)
        if not self.accept("("):
            return SuccessorUse(label, span)
        operands = tuple(self.comma_list(self.operand, ":"))
        types = tuple(self.comma_list(lambda: parse_type(self), ")"))
        if len(operands) != len(types):
            self.fail("a block is given as many values as types", span)
        return SuccessorUse(label, span, operands, types)

    def _label(self) -> str:
        self.expect("^")
        match = SUFFIX.match(self.text, self.pos)
        if not match:
            self.fail("expected a block's label after '^'")
        self.pos = match.end()
        return match[0]

    # -- building -------------------------------------------------------------------------------------------------

    def _build(
        self,
        start: int,
        name: str,
        card: Card | None,
        results: list[ResultNames],
        parsed: ParsedOperation,
        location: Location | None,
    ) -> Operation:
        operand_types = parsed.operand_types
        if operand_types is None:
            operand_types = [self.type_of(use) for use in parsed.operands]
        operands = tuple([self.scope.resolve(use, type_) for use, type_ in zip(parsed.operands, operand_types, strict=True)])
        signature = self.signature(
            name, tuple(operand_types), tuple(parsed.result_types), parsed.properties, parsed.attributes
        )
        successors = tuple(self._resolve_successor(use) for use in parsed.successors)
        values = self._define_results(start, name, results, signature.result_types)
        return Operation(signature, operands, values, tuple(parsed.regions), successors, location)

    def _resolve_successor(self, use: SuccessorUse) -> tuple[int, tuple[int, ...]]:
        values = tuple(self.scope.resolve(each, type_) for each, type_ in zip(use.operands, use.operand_types, strict=True))
        return self.labels.number(use.label, use.span), values

    def _define_results(
        self, start: int, name: str, results: list[ResultNames], types: tuple[Type, ...]
    ) -> tuple[int, ...]:
        if not results:
            return tuple(self.scope.unnamed(type_, start) for type_ in types)
        expected = sum(names.count or 1 for names in results)
        if expected != len(types):
            span = Span(results[0].use.span.start, results[-1].use.span.end)
            self.report(f"'{name}' has {_counted(len(types), 'result')}, but {expected} {_are(expected)} named", span)
            types = (*types[:expected], *[UNKNOWN] * (expected - len(types)))
        values: list[int] = []
        for (label, span), count in results:
            mine = types[len(values) : len(values) + (count or 1)]
            if count is None:
                values.append(self.scope.define(label, mine[0], span))
            else:
                values.extend(self.scope.define_pack(label, mine, span))
        return tuple(values)

    # -- what the reading of pretty forms asks for ----------------------------------------------------------------

    @property
    def values(self) -> ValueTable:
        return self.scope.values

    def type_of(self, use: ValueUse) -> Type:
        value = self.scope.lookup(use.name)
        if value is None:
            self.fail(f"use of undeclared value '%{use.name}'", use.span)
        return self.scope.values.types[value]

    def signature(
        self,
        name: str,
        operand_types: tuple[Type, ...],
        result_types: tuple[Type, ...],
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
    ) -> Signature:
        return Signature(name, operand_types, result_types, properties or NO_ATTRIBUTES, attributes or NO_ATTRIBUTES)

    def location(self) -> Location | None:
        start = self.pos
        if not self.accept("loc"):
            self.pos = start
            return None
        self.expect("(", "after 'loc'")
        location = parse_location(self)
        self.expect(")", "after the location")
        return location

    def location_alias(self, name: str, use: Span) -> LocationAlias:
        """The location that `#name` stands for, known by now or not."""
        alias = self.location_aliases.get(name)
        if alias is None:
            alias = self.location_aliases[name] = LocationAlias(name)
            self.alias_places[name] = use
        return alias

    # -- regions and blocks ---------------------------------------------------------------------------------------

    def region(self, arguments: Sequence[EntryArgument] | None = None, isolated: bool = False) -> Region:
        return self.nested(lambda: self._isolated_region(arguments) if isolated else self._region(arguments))

    def _isolated_region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        outer, self.scope = self.scope, Scope(self.diagnostics, self.scope.lenient)
        region = self._region(arguments)
        self.scope.close()
        self.scope = outer
        return region

    def _region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        opening = self.skip()
        self.expect("{", "before a region")
        size, outer, self.labels = len(self.scope.names), self.labels, Labels()
        blocks: list[Block] = []
        if arguments is not None or self.peek() not in ("^", "}"):
            blocks.append(self._entry_block(arguments or ()))
        while self.peek() == "^":
            blocks.append(self._labelled_block(len(blocks)))
        self._close_region(opening)
        if arguments is None and len(blocks) == 1 and not blocks[0].operations and not blocks[0].label:
            blocks = []
        self._place_successors(blocks)
        self.labels = outer
        self.scope.leave_region(size)
        return Region(tuple(blocks), self.scope.values)

    def _close_region(self, opening: int) -> None:
        if self.accept("}"):
            return
        end = Span(self.pos, self.pos)
        related = (Related(Span(opening, opening + 1), "the region starts here"),)
        if not any(diagnostic.span == end for diagnostic in self.diagnostics):
            self.diagnostics.append(Diagnostic("expected '}' before the end of the text", end, related=related))

    def _entry_block(self, arguments: Sequence[EntryArgument]) -> Block:
        block = self._block("", arguments)
        self._operations(block)
        return block

    def _labelled_block(self, position: int) -> Block:
        """`^label(%a: T, ...):` and its operations."""
        start = self.skip()
        try:
            label = self._label()
            number = self.labels.number(label)
            if number in self.labels.positions:
                self.report(f"the block '^{label}' is defined twice", Span(start, self.pos))
            self.labels.positions.setdefault(number, position)
            arguments = self.comma_list(self.argument, ")") if self.accept("(") else []
            self.expect(":", "after a block's label and arguments")
        except SyntaxFault as fault:
            self.diagnostics.append(Diagnostic(fault.message, fault.span, fault.code))
            self.pos = next_operation(self.text, max(self.pos, start + 1))
            label, arguments = "", []
        block = self._block(label, arguments)
        self._operations(block)
        return block

    def argument(self) -> EntryArgument:
        """`%a: T loc(...)`."""
        use = self.operand()
        self.expect(":", "after an argument's name")
        return EntryArgument(use, parse_type(self), self.location())

    def _block(self, label: str, arguments: Sequence[EntryArgument]) -> Block:
        values: list[int] = []
        for use, type_, _ in arguments:
            if use is None:
                values.append(self.scope.unnamed(type_, self.pos))
            else:
                values.append(self.scope.define(use.name, type_, use.span))
        locations = tuple(argument.location for argument in arguments)
        return Block([], tuple(values), label, argument_locations=locations if any(locations) else ())

    def _place_successors(self, blocks: list[Block]) -> None:
        """Turns the numbers of labels into positions of blocks, once all blocks have been read."""
        for label, span in self.labels.uses.items():
            if self.labels.numbers[label] not in self.labels.positions:
                self.report(f"no block has the label '^{label}'", span)
        positions = self.labels.positions
        for block in blocks:
            for operation in block.operations:
                if operation.successors:
                    operation.successors = tuple(
                        (positions.get(number, 0), values) for number, values in operation.successors
                    )

    # -- going on after a mistake ---------------------------------------------------------------------------------

    def _recover(self, start: int, fault: SyntaxFault) -> tuple[Operation, int]:
        """Keeps a broken operation as its text, with the regions that it opens; goes to the next operation."""
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
            return self._result_names()
        except SyntaxFault:
            return []

    def _broken_result(self, name: ResultNames) -> int:
        if name.use.name in self.scope.names:
            return self.scope.unnamed(UNKNOWN, name.use.span.start)
        if name.count is None:
            return self.scope.define(name.use.name, UNKNOWN, name.use.span)
        return self.scope.define_pack(name.use.name, (UNKNOWN,) * name.count, name.use.span)[0]

    def _broken_region(self, start: int) -> Region:
        """A region of a broken operation, read for what it holds; unknown names in it are not reported."""
        outer, self.scope = self.scope, Scope(self.diagnostics, lenient=True)
        dialect, self.default_dialect = self.default_dialect, "func"
        origin, self.origin = self.origin, start
        try:
            return self.nested(lambda: self._region(None))
        except SyntaxFault as fault:
            self.diagnostics.append(Diagnostic(fault.message, fault.span, fault.code))
            self.pos = max(fault.span.end, self.pos)
            return Region((), self.scope.values)
        finally:
            self.scope, self.default_dialect, self.origin = outer, dialect, origin


class _InOperation:
    """While the inside of an operation is read: which dialect may be left out there, and whether regions are isolated."""

    def __init__(self, parser: ModuleParser, card: Card | None) -> None:
        self.parser = parser
        self.outer = (parser.default_dialect, parser.isolates)
        self.inner = (DEFAULT_DIALECTS.get(card.name, ""), card.has("isolated")) if card else ("", False)

    def __enter__(self) -> None:
        self.parser.default_dialect, self.parser.isolates = self.inner

    def __exit__(self, *_: object) -> None:
        self.parser.default_dialect, self.parser.isolates = self.outer


def _sort_inherent(card: Card, parsed: ParsedOperation) -> None:
    """Moves attributes that are the operation's own from the discardable ones, where older texts have them."""
    for name in [name for name in parsed.attributes if card.attribute(name)]:
        parsed.properties.setdefault(name, parsed.attributes.pop(name))


def _no_pretty_form(name: str, card: Card | None) -> str:
    if card is not None:
        return f"'{name}' has only the generic form: write \"{name}\"(...)"
    return f"unknown operation '{name}'; an operation of an unknown dialect is written in the generic form: \"{name}\"(...)"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
