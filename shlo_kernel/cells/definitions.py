"""What cells have defined: functions outside of modules, modules, and programs linked from both.

A module is a namespace: `@a.main` is the function `@main` of the module `@a`. It stays as it was read, so
that what runs, is stepped through or saved is that module alone. Only a function outside of modules, or a
cell's top-level ops, that call into one are linked with it: a program in which the module's symbols have the
names `a.main`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable, function_type
from shlo.ir.source import JoinedSource, Source, Span
from shlo.ir.symbols import symbols_in, with_renamed_symbols
from shlo.ir.types import FunctionType
from shlo.syntax.lexer.strings import readable_symbol
from shlo.verifier import verify

CELL: Final = "<cell>"
"""The name of the function that top-level ops run in; no name in a text is like it unless it is quoted."""
ENTRY: Final = "main"
"""The function that the name of a module alone means."""
WIDEST: Final = 200
"""How many characters of a type are shown."""
_EMPTY: Final = Region((), ValueTable())


def headline(name: str, operation: Operation) -> str:
    """Returns the name of a symbol, and the type of a function, on one line; a long type is cut."""
    type_ = operation.attribute("function_type")
    shown = f" : {type_.value}" if isinstance(type_, TypeAttr) else ""
    return f"{readable_symbol(name)}{shown if len(shown) <= WIDEST else f'{shown[:WIDEST]} ...'}"


class CellDefinition(Struct, frozen=True, dict=True):
    """A symbol (a function, a mesh) that a cell defined: its operation, and its place in which text."""

    name: str
    operation: Operation
    source: Source
    span: Span

    @property
    def text(self) -> str:
        """The definition as it was written."""
        return self.source.text[self.span.start : self.span.end]

    @cached_property
    def uses(self) -> frozenset[str]:
        """The symbols that it names."""
        return frozenset(symbols_in(self.operation))


class Namespace(Struct, frozen=True, dict=True):
    """A module of a cell or file by its name in the session; `module` is as it was read."""

    name: str
    module: Module

    @property
    def source(self) -> Source:
        """The text that the module is in."""
        assert self.module.source is not None
        return self.module.source

    @cached_property
    def members(self) -> dict[str, tuple[Operation, Span]]:
        """The operations that define symbols, by the names that they have in the module, and their places."""
        members: dict[str, tuple[Operation, Span]] = {}
        for block in self.module.body.blocks:
            for index, operation in enumerate(block.operations):
                name = operation.symbol
                if name is not None:
                    members[name] = operation, block.span(index, self.module.start)
        return members

    def is_public(self, name: str) -> bool:
        """Returns whether the module has a symbol of that name that can be seen from outside."""
        member = self.members.get(name)
        return member is not None and member[0].is_public

    def full_name(self, name: str) -> str:
        """Returns what the session calls a symbol of the module."""
        return f"{self.name}.{name}"

    @property
    def headlines(self) -> Iterator[str]:
        """Yields a line for each public symbol, and one that counts the others."""
        for name, (operation, _) in self.members.items():
            if self.is_public(name):
                yield headline(self.full_name(name), operation)
        hidden = sum(not self.is_public(name) for name in self.members)
        if hidden:
            yield f"{readable_symbol(self.name)} has {hidden:,} private symbol{'s' * (hidden > 1)}"

    @cached_property
    def linked(self) -> dict[str, CellDefinition]:
        """The symbols under their names in the session, and all that name them likewise."""
        members = self.members

        def rename(name: str) -> str:
            return self.full_name(name) if name in members else name

        definitions: dict[str, CellDefinition] = {}
        for name, (operation, span) in members.items():
            full = self.full_name(name)
            renamed = _renamed(with_renamed_symbols(operation, rename), full)
            definitions[full] = CellDefinition(full, renamed, self.source, span)
        return definitions


class TopLevelOps(Struct, frozen=True):
    """The top-level ops of a cell and the values that they use: `used` are those of the session."""

    source: Source
    operations: list[Operation]
    spans: list[Span]
    values: ValueTable
    used: Mapping[str, int]


class CellDefinitions(Struct, frozen=True, dict=True):
    """The definitions of a session: those outside of modules, and the modules, by name; the newest of each,
    the newest module last."""

    by_name: Mapping[str, CellDefinition] = field(default_factory=dict[str, CellDefinition])
    namespaces: Mapping[str, Namespace] = field(default_factory=dict[str, Namespace])
    resources: Mapping[tuple[str, ...], str | bytes] = field(
        default_factory=dict[tuple[str, ...], "str | bytes"]
    )

    def with_definitions(
        self,
        new: Sequence[CellDefinition],
        modules: Sequence[Namespace],
        resources: Mapping[tuple[str, ...], str | bytes],
    ) -> CellDefinitions:
        """Returns the table with new definitions and modules, which take the place of older ones of the same
        names. What new definitions name is looked up now: `@main` is that of the newest module where none
        outside of modules has this name."""
        if not new and not modules:
            return self
        namespaces = {
            name: namespace
            for name, namespace in self.namespaces.items()
            if all(name != m.name for m in modules)
        }
        namespaces.update({module.name: module for module in modules})
        added = {definition.name: definition for definition in new}
        definitions = CellDefinitions({**self.by_name, **added}, namespaces, {**self.resources, **resources})
        bound = {definition.name: definitions.bound(definition) for definition in new}
        return replace(definitions, by_name={**self.by_name, **bound})

    def bound(self, definition: CellDefinition) -> CellDefinition:
        """Returns a definition that calls functions of modules by their full names."""
        operation = with_renamed_symbols(definition.operation, self.resolve)
        return definition if operation is definition.operation else replace(definition, operation=operation)

    # --- names ---

    def resolve(self, name: str) -> str:
        """Returns the full name of what a name means: a symbol outside of modules, a module's (`a.main`), the
        function `@main` of a module that is named (`a`), or a public symbol of the newest module that has it.
        A name that means nothing stays."""
        if name in self.by_name or self._in_module(name) is not None:
            return name
        named = self.namespaces.get(name)
        if named is not None and ENTRY in named.members:
            return named.full_name(ENTRY)
        modules = reversed(list(self.namespaces.values()))
        return next((module.full_name(name) for module in modules if module.is_public(name)), name)

    def _in_module(self, full: str) -> tuple[Namespace, str] | None:
        """Returns the module that a full name is of, and the name in that."""
        at = full.find(".")
        while at >= 0:
            namespace = self.namespaces.get(full[:at])
            if namespace is not None and full[at + 1 :] in namespace.members:
                return namespace, full[at + 1 :]
            at = full.find(".", at + 1)
        return None

    def find(self, full: str) -> CellDefinition | None:
        """Returns what a full name defines; a symbol of a module as it is linked."""
        definition = self.by_name.get(full)
        if definition is not None:
            return definition
        member = self._in_module(full)
        return member[0].linked[full] if member else None

    def signature(self, full: str) -> Operation | None:
        """Returns the operation that a full name defines, under its own name; None where there is none."""
        definition = self.by_name.get(full)
        if definition is not None:
            return definition.operation
        member = self._in_module(full)
        return member[0].members[member[1]][0] if member else None

    @property
    def names(self) -> Iterator[str]:
        """Yields the full names of all symbols."""
        yield from self.by_name
        for namespace in self.namespaces.values():
            yield from map(namespace.full_name, namespace.members)

    @property
    def short_names(self) -> Iterator[str]:
        """Yields what else functions of modules can be called by."""
        visited: set[str] = set(self.by_name)
        for namespace in reversed(list(self.namespaces.values())):
            for name in (namespace.name, *filter(namespace.is_public, namespace.members)):
                if name not in visited and self.resolve(name) != name:
                    visited.add(name)
                    yield name

    # --- programs ---

    @cached_property
    def module(self) -> Module:
        """The definitions outside of modules as a program, with what they call in modules."""
        return linked(self._reachable(self.by_name), self.resources)

    def program_of(self, full: str) -> tuple[Module, str]:
        """Returns the program that a function runs in and its name there: the module that it is of, or else
        the function with all that it needs. The same one as long as no definition changes."""
        program = self._programs.get(full)
        if program is None:
            member = None if full in self.by_name else self._in_module(full)
            program = (member[0].module, member[1]) if member else (self.program_with([full]), full)
            self._programs[full] = program
        return program

    def program_with(self, names: Iterable[str]) -> Module:
        """Returns functions outside of modules as a program, with all that they need."""
        return linked(self._reachable(names), self.resources)

    @cached_property
    def _programs(self) -> dict[str, tuple[Module, str]]:
        return {}

    @property
    def programs(self) -> Iterator[tuple[str, Module]]:
        """Yields all programs: the definitions outside of modules under an empty name, then the modules."""
        if self.by_name:
            yield "", self.module
        for name, namespace in self.namespaces.items():
            yield name, namespace.module

    def with_cell(self, function: Operation, top_level: TopLevelOps) -> Module:
        """Returns a cell's top-level ops as a function, with all definitions that they need."""
        cell = CellDefinition(CELL, function, top_level.source, Span(0, len(top_level.source.text)))
        return linked([*self._reachable(symbols_in(function)), cell], self.resources)

    def _reachable(self, roots: Iterable[str]) -> list[CellDefinition]:
        """Returns the definitions that are named from some, in a fixed order; with those of modules all that
        define no functions there, as programs find meshes without being told their names."""
        reachable: dict[str, CellDefinition] = {}
        pending = list(roots)
        while pending:
            name = pending.pop()
            definition = None if name in reachable else self.find(name)
            if definition is None:
                continue
            reachable[name] = definition
            pending += definition.uses
            member = None if name in self.by_name else self._in_module(name)
            if member:
                pending += (
                    key for key, symbol in member[0].linked.items() if symbol.operation.name != "func.func"
                )
        return [reachable[name] for name in self.names if name in reachable]

    # --- what is wrong ---

    def findings(
        self,
        source: Source,
        new: Sequence[CellDefinition],
        modules: Sequence[Namespace],
        top_level: TopLevelOps | None,
    ) -> list[Diagnostic]:
        """Returns what the verifier finds in a part of a cell, whose definitions are here; others that it
        names are only declared, so that they are not judged again."""
        diagnostics = [finding for module in modules for finding in verify(module.module)]
        if top_level is not None and (unknown := self._unknown_calls(top_level)):
            return [*diagnostics, *unknown]
        functions = [(self.by_name[definition.name].operation, definition.span) for definition in new]
        if top_level is not None:
            functions.append((cell_function(top_level, ()), Span(0, len(source.text))))
        return diagnostics + self._judged(functions, {definition.name for definition in new}, source)

    def _judged(
        self, functions: Sequence[tuple[Operation, Span]], defined: set[str], source: Source
    ) -> list[Diagnostic]:
        """Returns what the verifier finds in functions, beside declarations of what they name."""
        if not functions:
            return []
        size = len(source.text)
        named = {name for operation, _ in functions for name in symbols_in(operation)} - defined
        signatures = ((name, self.signature(name)) for name in sorted(named))
        declared = [
            (_declaration(name, operation), Span(size, size))
            for name, operation in signatures
            if operation is not None
        ]
        return verify(_module(_block([*functions, *declared]), source, self.resources))

    def broken_callers(self, before: CellDefinitions, new: Sequence[CellDefinition]) -> Iterator[Diagnostic]:
        """Yields a warning for each older function outside of modules that no longer fits what it calls, as
        that was defined again (with another type) or is gone with the module that it was in."""
        changed = {
            name
            for name in before.names
            if _type_of(before.signature(name)) != _type_of(self.signature(name))
        }
        if not changed:
            return
        spans = {definition.name: definition.span for definition in new}
        for caller in self.by_name.values():
            broken = changed & caller.uses
            if caller.name in spans or not broken:
                continue
            findings = self._judged([(caller.operation, caller.span)], {caller.name}, caller.source)
            first = next((finding for finding in findings if finding.severity == "error"), None)
            if first is not None:
                name = min(broken)
                position = caller.source.place(first.span.start)
                says = f"{readable_symbol(caller.name)} calls {readable_symbol(name)} and no longer fits it"
                message = f"{says} ({position}: {first.message})"
                yield Diagnostic(message, spans.get(name, Span(0, 0)), "redefinition", "warning")

    def _unknown_calls(self, top_level: TopLevelOps) -> list[Diagnostic]:
        """Returns a diagnostic for each call among top-level ops of a function that does not exist."""
        return [
            Diagnostic(f"there is no function {readable_symbol(symbol.root)}", span)
            for operation, span in zip(top_level.operations, top_level.spans)
            if isinstance(symbol := operation.attribute("callee"), SymbolRefAttr)
            and operation.name == "func.call"
            and self.signature(symbol.root) is None
        ]

    # --- places ---

    def diagnostic(self, error: ExecutionError, top_level: TopLevelOps) -> Diagnostic:
        """Returns why the top-level ops of a cell failed, at the op that did or that called what did."""
        message, texts = error.message, [error.place or "", *getattr(error, "__notes__", ())]
        source = top_level.source
        pattern = _places_of([source])
        offsets = (source.offset_of_place(match[0]) for text in texts if (match := pattern.search(text)))
        offset = next((candidate for candidate in offsets if candidate is not None), None)
        span = Span(0, 0) if offset is None else _rest_of_line(source.text, offset)
        if error.place and not pattern.search(error.place):
            message += f" (in {self.place(error.place)})"
        return Diagnostic(message, span, "execution")

    def place(self, text: str) -> str:
        """Returns a message in which places have the names of the functions that they are in."""
        return self._places.sub(lambda match: self._origin(match[0]), text) if self._sources else text

    def cell_span(self, position: str) -> tuple[Source, Span] | None:
        """Returns the cell that a place is in, and from there to the operands or the end of the line; None
        where it is no place."""
        match = self._places.search(position) if self._sources else None
        origin = self._offset(match[0]) if match else None
        if origin is None:
            return None
        source, start = origin
        _, end = _rest_of_line(source.text, start)
        operands = source.text.find("(", start + 1, end)
        return source, Span(start, end if operands < 0 else operands)

    @cached_property
    def _sources(self) -> dict[str, Source]:
        """The texts by the names that messages give them; of several the newest."""
        named = {definition.source.name: definition.source for definition in self.by_name.values()}
        return named | {namespace.source.name: namespace.source for namespace in self.namespaces.values()}

    @cached_property
    def _places(self) -> re.Pattern[str]:
        return _places_of(self._sources.values())

    def _offset(self, position: str) -> tuple[Source, int] | None:
        source = self._sources.get(position.rsplit(":", 2)[0])
        offset = source.offset_of_place(position) if source else None
        return (source, offset) if source and offset is not None else None

    def _origin(self, position: str) -> str:
        """Returns a place with the function that it is in."""
        origin = self._offset(position)
        if origin is None:
            return position
        source, offset = origin
        for name, (where, span) in self._spans.items():
            if where is source and span.start <= offset < span.end:
                return f"{readable_symbol(name)}, {position}"
        return position

    @cached_property
    def _spans(self) -> dict[str, tuple[Source, Span]]:
        spans = {name: (definition.source, definition.span) for name, definition in self.by_name.items()}
        for namespace in self.namespaces.values():
            for name, (_, span) in namespace.members.items():
                spans[namespace.full_name(name)] = namespace.source, span
        return spans


def linked(definitions: Sequence[CellDefinition], resources: Mapping[tuple[str, ...], str | bytes]) -> Module:
    """Returns definitions as a program. Its text is that of the cells that they are in."""
    sources = list({id(definition.source): definition.source for definition in definitions}.values())
    source, starts = Source("", "<session>"), [0]
    if len(sources) == 1:
        source = sources[0]
    elif sources:
        source = JoinedSource.of(sources, "<session>")
        starts = source.part_starts
    shifts = {id(part): start for part, start in zip(sources, starts)}
    placed = list[tuple[Operation, Span]]()
    for definition in definitions:
        placed.append((definition.operation, definition.span.shifted(shifts[id(definition.source)])))
    return _module(_block(placed), source, resources)


def _places_of(sources: Iterable[Source]) -> re.Pattern[str]:
    names = "|".join(
        re.escape(source.name) for source in sorted(sources, key=lambda source: -len(source.name))
    )
    return re.compile(rf"(?:{names}):\d+:\d+")


def _type_of(operation: Operation | None) -> FunctionType | str | None:
    return None if operation is None else function_type(operation) or operation.name


def _block(placed: Sequence[tuple[Operation, Span]]) -> Block:
    starts, ends = (array("q", [span[side] for _, span in placed]) for side in (0, 1))
    return Block([operation for operation, _ in placed], (), "", starts, ends)


def _module(block: Block, source: Source, resources: Mapping[tuple[str, ...], str | bytes]) -> Module:
    operation = Operation(Signature("builtin.module"), regions=(Region((block,), ValueTable()),))
    return Module(operation, source, (), resources)


def _renamed(operation: Operation, name: str) -> Operation:
    """Returns an operation that defines a symbol under another name."""
    old = operation.signature
    properties, attributes = dict(old.properties), dict(old.attributes)
    (properties if "sym_name" in properties else attributes)["sym_name"] = StringAttr(name)
    signature = Signature(old.name, old.operand_types, old.result_types, properties, attributes)
    return Operation(
        signature, operation.operands, operation.results, operation.regions, (), operation.location
    )


def _declaration(name: str, operation: Operation) -> Operation:
    """Returns a function by a name without its body; any other operation as a whole."""
    if operation.name != "func.func":
        return _renamed(operation, name)
    properties = {
        **operation.signature.properties,
        "sym_name": StringAttr(name),
        "sym_visibility": StringAttr("private"),
    }
    return Operation(Signature(operation.name, properties=properties), regions=(_EMPTY,))


def cell_function(top_level: TopLevelOps, results: Sequence[int]) -> Operation:
    """Returns top-level ops as a function of the session's values that they use, with `results`."""
    types = top_level.values.types
    result_types = tuple(types[value] for value in results)
    arguments = tuple(top_level.used.values())
    end = Operation(Signature("func.return", result_types), tuple(results))
    size = len(top_level.source.text)
    starts = array("q", [*(span.start for span in top_level.spans), size])
    ends = array("q", [*(span.end for span in top_level.spans), size])
    block = Block([*top_level.operations, end], arguments, "", starts, ends)
    type_ = FunctionType(tuple(types[value] for value in arguments), result_types)
    named = {"sym_name": StringAttr(CELL), "function_type": TypeAttr(type_)}
    return Operation(Signature("func.func", properties=named), regions=(Region((block,), top_level.values),))


def _rest_of_line(text: str, offset: int) -> Span:
    """Returns an operation's line from an offset on."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return Span(offset, max(offset + len(text[offset:end].rstrip()), offset + 1))
