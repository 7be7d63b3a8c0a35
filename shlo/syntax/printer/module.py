"""From a module to text, byte for byte as MLIR prints it.

What a text shows of an operation, but for its values and regions, is the same for all operations of one
signature: it is put together once and kept as a template in which the operands' names are filled in.
Operations with regions are written piece by piece.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import StringAttr
from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import PrintError
from shlo.ir.locations import Location
from shlo.ir.operations import BROKEN, OPAQUE, Block, Module, Operation, Region, Signature
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.syntax.assembly_format.print import has_pretty_form, pretty_pieces
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    LineBreak,
    Piece,
    PieceBuilder,
    RegionPiece,
    SuccessorPiece,
)
from shlo.syntax.assembly_format.spec import Format, format_of
from shlo.syntax.attributes.alias_table import AttrAliasTable, TextCache
from shlo.syntax.dense.resources import resources_text
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.printer.location_aliases import ImplicitLocations, LocationAliases
from shlo.syntax.printer.ssa_names import NameScope, ValueNamer
from shlo.syntax.types.print import type_text

INDENT = "  "
MAX_REPEATED = 1 << 28
"""How many characters of long texts may be repeated: attributes are shared in memory, not on paper."""
LONG = 4096
"""From how many characters on an operation's text counts as long."""


@recursive
def module_text(module: Module, generic: bool = False, locations: bool = False) -> str:
    """MLIR's own text of a module: in the pretty or the generic form, with locations or without.

    Operations that could not be read are in it as they was in the source. Raises PrintError for a text
    that repeats long operations without measure.
    """
    with collector_paused():
        return ModulePrinter(module, generic, locations).text()


class LinePieces(Struct, frozen=True):
    """An operation's text with `%s` for names of operands: those of `order`, None for all in order."""

    text: str
    order: tuple[int, ...] | None


class _Around(NamedTuple):
    """Where a list of operations is: the names visible there, its indentation, the dialect whose name
    is left out, and the offset in the source of the operation around it."""

    names: NameScope
    indent: str
    dialect: str
    base: int


class ModulePrinter:
    """Prints one module. The formatter takes the pieces of single operations from it."""

    def __init__(self, module: Module, generic: bool, locations: bool) -> None:
        self.module = module
        self.generic = generic
        self.text_aliases = AttrAliasTable()
        self.text_cache = TextCache(bool(module.resources), self.text_aliases)
        self.namer = ValueNamer(generic)
        self.places = ImplicitLocations(module.source)
        self.aliases = LocationAliases() if locations else None
        self.out: list[str] = []
        self.repeated = 0
        self.templates: dict[str, dict[Signature, LinePieces]] = {}
        self.formats: dict[str, tuple[OpDef, Format] | None] = {}

    def text(self) -> str:
        """Returns the text of the module, with its alias definitions and resources."""
        operation = self.module.operation
        location = self.places.module(self.module)
        leaves, nested = list[str](), list[str]()
        if self.aliases is not None:
            self.aliases.meet(location)
            self._meet_regions(operation, location, self.module.start)
            self.aliases.number()
            leaves, nested = self.aliases.leading_definitions()
        frame = _Around(self.namer.root(operation), "", "builtin", self.module.start)
        self._print_pieces(operation, frame, location)
        self.out.append(self._location_suffix(location) + "\n")
        if self.aliases is not None:
            self.out += self.aliases.deferred_definitions()
        resources = resources_text(self.module.resources, self.text_cache.resource_keys)
        if resources:
            self.out.append("\n" + resources)
        return "".join(leaves + self.text_aliases.definitions() + nested + self.out)

    # -- operations ------------------------------------------------------------------------------------------

    def _operations(self, block: Block, frame: _Around, parent: Location | None) -> None:
        """The operations of a block, each on lines of its own."""
        names, indent = frame.names.names, frame.indent
        templates = self.templates.setdefault(frame.dialect, {})
        append, with_locations = self.out.append, self.aliases is not None
        suffix = "\n"
        for index, operation in enumerate(block.operations):
            if with_locations:
                location = self.places.operation(block, index, frame.base, parent)
                suffix = self._location_suffix(location) + "\n"
            else:
                location = None
            results = operation.results
            if not results:
                left = indent
            elif len(results) == 1:
                left = f"{indent}{names[results[0]]} = "
            else:
                left = f"{indent}{_result_names(names, results)} = "
            template = templates.get(operation.signature)
            if OPAQUE in operation.signature.attributes and self.module.source is not None:
                append(f"{indent}{self.module.source.text[slice(*block.span(index, frame.base))]}{suffix}")
                continue
            if operation.regions or operation.successors or operation.name == BROKEN:
                append(indent if operation.name == BROKEN else left)
                inner = frame._replace(base=block.span(index, frame.base).start)
                self._print_pieces(operation, inner, location)
                append(suffix)
                continue
            if template is None:
                pieces = self.pieces(operation, frame.dialect)
                template = templates[operation.signature] = template_of(pieces, len(operation.operands))
            elif len(template.text) > LONG:
                self._count_repeated(template, block.span(index, frame.base))
            operands = operation.operands
            if template.order is not None:
                operands = [operands[number] for number in template.order]
            append(f"{left}{template.text % tuple([names[value] for value in operands])}{suffix}")

    def _count_repeated(self, template: LinePieces, span: Span) -> None:
        """Refuses to go on where long texts have been repeated too often."""
        self.repeated += len(template.text)
        if self.repeated > MAX_REPEATED:
            source = self.module.source
            message = f"operations like this one repeat more than {MAX_REPEATED:,} characters"
            raise PrintError(message, source.place(span.start) if source else None)

    def pieces(self, operation: Operation, dialect: str) -> list[Piece]:
        """Returns an operation's text, what is left of `=` and its location left out."""
        if operation.name == BROKEN:
            text = operation.attribute("text")
            return [text.value if isinstance(text, StringAttr) else ""]
        format_ = None if self.generic else self._format(operation.name)
        if format_ is None or not has_pretty_form(operation, *format_):
            return generic_pieces(operation, self.text_cache)
        name = operation.name
        if name.startswith(dialect + ".") and name.count(".") == 1:
            name = name[len(dialect) + 1 :]
        return [name, *pretty_pieces(operation, *format_, self.text_cache)]

    def _format(self, name: str) -> tuple[OpDef, Format] | None:
        if name not in self.formats:
            op_def = find_op_def(name)
            format_ = format_of(op_def) if op_def else None
            self.formats[name] = (op_def, format_) if op_def and format_ else None
        return self.formats[name]

    def _print_pieces(self, operation: Operation, frame: _Around, location: Location | None) -> None:
        """Prints an operation with its regions; `frame` is where it is, with its own start as the base."""
        scopes: dict[int, NameScope] = {}
        pieces = self.pieces(operation, frame.dialect)
        inner = default_dialect_in(operation, str(pieces[0]).startswith('"'))
        for piece in pieces:
            if isinstance(piece, str):
                self.out.append(piece)
            elif isinstance(piece, int):
                self.out.append(frame.names.names[operation.operands[piece]])
            elif isinstance(piece, LineBreak):
                self.out.append("\n" + frame.indent)
            elif isinstance(piece, SuccessorPiece):
                self.out.append(_successor_text(operation, piece.index, frame.names))
            else:
                self._print_region_piece(piece, operation, frame._replace(dialect=inner), location, scopes)

    def _print_region_piece(
        self,
        piece: RegionPiece | ArgumentPiece | ArgumentLocationPiece,
        operation: Operation,
        frame: _Around,
        location: Location | None,
        scopes: dict[int, NameScope],
    ) -> None:
        number = piece.index if isinstance(piece, RegionPiece) else piece.region
        if number not in scopes:
            scopes[number] = self.namer.scope(frame.names, operation, number)
        region, scope = operation.regions[number], scopes[number]
        if isinstance(piece, RegionPiece):
            self._region(region, piece, frame._replace(names=scope), location)
        elif isinstance(piece, ArgumentPiece):
            self.out.append(scope.names[region.blocks[0].arguments[piece.index]])
        else:
            block = region.blocks[0]
            self.out.append(self._argument_location(region, block, piece.index, frame.base, location))

    # -- regions ---------------------------------------------------------------------------------------------

    def _region(self, region: Region, piece: RegionPiece, frame: _Around, parent: Location | None) -> None:
        """`{...}`; `frame` has the names inside and the indentation of the operation around."""
        self.out.append("{\n")
        predecessors = _predecessors(region) if len(region.blocks) > 1 else []
        for index, block in enumerate(region.blocks):
            if index == 0:
                is_shown = (piece.empty_block and not block.operations) or (
                    piece.arguments and block.arguments
                )
            else:
                is_shown = True
            if is_shown:
                self._block_header(region, index, frame, parent)
                self.out.append(_predecessors_text(index, predecessors))
            shown = block if piece.terminator else _without_end(block)
            self._operations(shown, frame._replace(indent=frame.indent + INDENT), parent)
        self.out.append(frame.indent + "}")

    def _block_header(self, region: Region, index: int, frame: _Around, parent: Location | None) -> None:
        block = region.blocks[index]
        types, names = region.values.types, frame.names.names
        arguments = [
            f"{names[value]}: {self.text_cache.type(types[value])}"
            + self._argument_location(region, block, position, frame.base, parent)
            for position, value in enumerate(block.arguments)
        ]
        listed = f"({', '.join(arguments)})" if arguments else ""
        self.out.append(f"{frame.indent}^bb{index}{listed}:")

    # -- locations -------------------------------------------------------------------------------------------

    def _meet_regions(self, operation: Operation, location: Location | None, base: int) -> None:
        """Meets the locations inside an operation in the order of MLIR's printer."""
        assert self.aliases is not None
        for piece in self.pieces(operation, ""):
            if isinstance(piece, ArgumentLocationPiece):
                self._meet_argument(operation.regions[piece.region], 0, piece.index, base, location)
            elif isinstance(piece, RegionPiece):
                region = operation.regions[piece.index]
                for index, block in enumerate(region.blocks):
                    if piece.arguments or index:
                        for argument in range(len(block.arguments)):
                            self._meet_argument(region, index, argument, base, location)
                    self._meet_block(block, location, base)

    def _meet_argument(
        self, region: Region, block: int, index: int, base: int, parent: Location | None
    ) -> None:
        assert self.aliases is not None
        location = self.places.argument(region, region.blocks[block], index, base, parent)
        self.aliases.meet(location, deferred=False)

    def _meet_block(self, block: Block, parent: Location | None, base: int) -> None:
        assert self.aliases is not None
        for index, operation in enumerate(block.operations):
            location = self.places.operation(block, index, base, parent)
            self.aliases.meet(location)
            if operation.regions:
                self._meet_regions(operation, location, block.span(index, base).start)

    def _location_suffix(self, location: Location | None) -> str:
        return f" loc({self.aliases.alias(location)})" if self.aliases is not None else ""

    def _argument_location(
        self, region: Region, block: Block, index: int, base: int, parent: Location | None
    ) -> str:
        if self.aliases is None:
            return ""
        return f" loc({self.aliases.inline(self.places.argument(region, block, index, base, parent))})"


def _without_end(block: Block) -> Block:
    """Returns the block without a last operation that only ends it."""
    if not block.operations or block.operations[-1].operands:
        return block
    return Block(block.operations[:-1], block.arguments, block.label, block.starts, block.ends)


def default_dialect_in(operation: Operation, is_generic: bool) -> str:
    """Returns the dialect whose name is left out in front of the operations that are directly in an
    operation's regions; none where the operation itself is written in the generic form."""
    op_def = None if is_generic else find_op_def(operation.name)
    return (op_def.default_dialect if op_def else None) or ""


def template_of(pieces: list[Piece], operand_count: int) -> LinePieces:
    """Returns the template of an operation without regions."""
    order = tuple(piece for piece in pieces if isinstance(piece, int))
    text = "".join(piece.replace("%", "%%") if isinstance(piece, str) else "%s" for piece in pieces)
    return LinePieces(text, None if order == tuple(range(operand_count)) else order)


def generic_pieces(operation: Operation, text_cache: TextCache) -> list[Piece]:
    """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`."""
    state = PieceBuilder(operation, text_cache)
    state.add(f"{quoted(operation.name)}(", *state.operands(range(len(operation.operands))), ")")
    if operation.successors:
        successors = range(len(operation.successors))
        state.add("[", *state.separated((SuccessorPiece(index),) for index in successors), "]")
    state.add(state.properties())
    if operation.regions:
        regions = [RegionPiece(index, empty_block=True) for index in range(len(operation.regions))]
        state.add(" (", *state.separated((region,) for region in regions), ")")
    state.add(state.dictionary(operation.signature.attributes), " : ", state.function_type())
    return state.pieces


def _successor_text(operation: Operation, index: int, scope: NameScope) -> str:
    block, values = operation.successors[index]
    if not values:
        return f"^bb{block}"
    types = ", ".join(type_text(scope.table.types[value]) for value in values)
    return f"^bb{block}({', '.join(scope.names[value] for value in values)} : {types})"


def _result_names(names: list[str], results: tuple[int, ...]) -> str:
    """`%3:2` for a pack, or the names of results that have names of their own."""
    first, hash_, _ = names[results[0]].partition("#")
    return f"{first}:{len(results)}" if hash_ else ", ".join([names[value] for value in results])


def _predecessors(region: Region) -> list[list[int]]:
    """For each block the blocks that may pass control to it, once for each way to do so."""
    predecessors: list[list[int]] = [[] for _ in region.blocks]
    for index, block in enumerate(region.blocks):
        for operation in block.operations:
            for target, _ in operation.successors:
                predecessors[target].append(index)
    return predecessors


def _predecessors_text(index: int, predecessors: list[list[int]]) -> str:
    """Returns the comment behind a block's label, and the line's end."""
    blocks = predecessors[index] if predecessors else []
    if not blocks:
        return "  // no predecessors\n" if index else "\n"
    if len(blocks) == 1:
        return f"  // pred: ^bb{blocks[0]}\n"
    return f"  // {len(blocks)} preds: {', '.join(f'^bb{block}' for block in sorted(blocks))}\n"
