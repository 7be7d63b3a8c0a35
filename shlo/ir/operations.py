"""Operations, blocks, regions, modules.

A value is an integer: an index into the ValueTable of the scope it lives in (a function, or the module's
top level), which holds its type and name. Nothing points back to what contains it, so parts of a module can
be shared by another one.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct, field

from shlo.ir.attributes import Attribute, StringAttr, TypeAttr
from shlo.ir.diagnostics import HINT_NOTE, Diagnostic
from shlo.ir.locations import Location
from shlo.ir.source import Source, Span
from shlo.ir.types import FunctionType, Type
from shlo.ir.upper_layers import RichResult, printer

BROKEN = "<broken>"
"""The name of an operation that could not be read. Its attribute `text` is the text as it was; where regions
were read before the fault, `read` is their number, and `dialect` the dialect left out in them."""

OPAQUE = "<opaque>"
"""The attribute of an operation in a pretty form that no definition describes: all that is known of it is its
text."""

SYMBOL_NAME = "sym_name"
"""The attribute of an operation that defines a symbol."""

_T = TypeVar("_T")

NO_ATTRIBUTES: Mapping[str, Attribute] = {}


class Signature:
    """All of an operation but the values it uses and its regions: name, attributes, operand and result types.

    A large program has few different ones; a parse shares them between operations, so that what depends
    only on the signature (a verdict, a prepared kernel, a printed form) can be kept beside it. Compared by
    identity. `properties` are the inherent attributes, `attributes` the discardable ones.
    """

    __slots__ = ("__weakref__", "attributes", "name", "operand_types", "properties", "result_types")

    def __init__(
        self,
        name: str,
        operand_types: tuple[Type, ...] = (),
        result_types: tuple[Type, ...] = (),
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
    ) -> None:
        self.name = name
        self.operand_types = operand_types
        self.result_types = result_types
        self.properties = properties
        self.attributes = attributes

    def attribute(self, name: str) -> Attribute | None:
        """Returns an inherent or else a discardable attribute, None where it is absent."""
        value = self.properties.get(name)
        return self.attributes.get(name) if value is None else value

    def __repr__(self) -> str:
        return f"<Signature {self.name}>"


class ValueTable:
    """The values of one scope: value `v` has type `types[v]` and, where the source names it, `names[v]`.

    A name has no `%`; the results of a pack `%5:2` are named `5#0` and `5#1`; an unnamed value has the
    empty name. `use_orders` has permutations of the uses of some values, as bytecode has them for MLIR's own
    lists; they say nothing about the program.
    """

    __slots__ = ("names", "types", "use_orders")

    def __init__(
        self,
        types: list[Type] | None = None,
        names: list[str] | None = None,
        use_orders: dict[int, tuple[int, ...]] | None = None,
    ) -> None:
        self.types: list[Type] = [] if types is None else types
        self.names: list[str] = [] if names is None else names
        self.use_orders: dict[int, tuple[int, ...]] | None = use_orders

    def define(self, type_: Type, name: str = "") -> int:
        """Returns a new value."""
        self.types.append(type_)
        self.names.append(name)
        return len(self.types) - 1


class Operation:
    """One operation: a signature, the values it uses and defines, its regions and successors.

    `successors` are pairs of a block's index in the enclosing region and the values passed to its arguments.
    `location` is None where the source gives none; then the operation's place in the text is its location.
    """

    __slots__ = ("location", "operands", "regions", "results", "signature", "successors")

    def __init__(
        self,
        signature: Signature,
        operands: tuple[int, ...] = (),
        results: tuple[int, ...] = (),
        regions: tuple[Region, ...] = (),
        successors: tuple[tuple[int, tuple[int, ...]], ...] = (),
        location: Location | None = None,
    ) -> None:
        self.signature = signature
        self.operands = operands
        self.results = results
        self.regions = regions
        self.successors = successors
        self.location = location

    @property
    def name(self) -> str:
        """The full name, such as `stablehlo.add`."""
        return self.signature.name

    @property
    def operand_types(self) -> tuple[Type, ...]:
        """The types of the operands."""
        return self.signature.operand_types

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the results."""
        return self.signature.result_types

    def attribute(self, name: str) -> Attribute | None:
        """Returns an inherent or else a discardable attribute, None where it is absent."""
        return self.signature.attribute(name)

    @property
    def symbol(self) -> str | None:
        """The name that the operation defines as a symbol, None where it defines none."""
        name = self.signature.attribute(SYMBOL_NAME)
        return name.value if isinstance(name, StringAttr) else None

    @property
    def is_public(self) -> bool:
        """Whether a symbol can be used from outside of its module."""
        visibility = self.signature.attribute("sym_visibility")
        return not isinstance(visibility, StringAttr) or visibility.value == "public"

    def __repr__(self) -> str:
        return f"<Operation {self.name}>"


class Block:
    """A list of operations with arguments.

    Where a text is behind it, `starts[i]` and `ends[i]` are the offsets of operation `i`, counted from the
    start of the operation that contains the block (from 0 for the module's text).
    """

    __slots__ = ("argument_locations", "arguments", "ends", "label", "operations", "starts")

    def __init__(
        self,
        operations: list[Operation],
        arguments: tuple[int, ...] = (),
        label: str = "",
        starts: array[int] | None = None,
        ends: array[int] | None = None,
        argument_locations: tuple[Location | None, ...] = (),
    ) -> None:
        self.operations = operations
        self.arguments = arguments
        self.label = label
        self.starts = array("q") if starts is None else starts
        self.ends = array("q") if ends is None else ends
        self.argument_locations = argument_locations

    def span(self, index: int, base: int = 0) -> Span:
        """Returns the span of operation `index`, `base` being the start of the op that contains the block."""
        if index >= len(self.starts):
            return Span(base, base)
        return Span(base + self.starts[index], base + self.ends[index])


class Region:
    """A list of blocks, and the table of the values that they use.

    The table is that of the enclosing region, except where a region uses nothing from outside: those of
    functions and modules, and the region that a short form implies (`applies stablehlo.add`), which
    operations may share.
    """

    __slots__ = ("__weakref__", "blocks", "values")

    def __init__(self, blocks: tuple[Block, ...], values: ValueTable) -> None:
        self.blocks = blocks
        self.values = values


class Function(Struct, frozen=True):
    """A view of a `func.func`: its name, its types, its operation and, where it has one, its body."""

    name: str
    operation: Operation
    type: FunctionType
    span: Span

    @property
    def body(self) -> Region | None:
        """The region that holds the function's blocks, None for a declaration."""
        regions = self.operation.regions
        return regions[0] if regions and regions[0].blocks else None

    @property
    def is_public(self) -> bool:
        """Whether the function can be called from outside of its module."""
        return self.operation.is_public

    @property
    def argument_names(self) -> tuple[str, ...]:
        """The names of the arguments in the source, without `%`; empty for a declaration."""
        body = self.body
        return tuple(body.values.names[value] for value in body.blocks[0].arguments) if body else ()


class Module(RichResult, Struct, frozen=True, weakref=True):
    """A program: a `builtin.module` operation, the source it was read from, and what the parser found wrong
    with it.

    `resources` maps a section name and key (`("dialect_resources", "builtin", "key")`) to the text or bytes
    of a file's resource entries. `start` is the offset of the module's operation in the source.
    """

    operation: Operation
    source: Source | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    resources: Mapping[tuple[str, ...], str | bytes] = field(
        default_factory=dict[tuple[str, ...], "str | bytes"]
    )
    start: int = 0

    def __hash__(self) -> int:
        """Returns the hash of the operation, which equal programs share."""
        return hash(self.operation)

    @property
    def body(self) -> Region:
        """The module's region."""
        return self.operation.regions[0]

    @property
    def name(self) -> str | None:
        """The module's symbol name, None where it has none."""
        return self.operation.symbol

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name, those of nested modules left out."""
        return _functions_by_name(self)

    @property
    def symbols(self) -> dict[str, Operation]:
        """The operations that define symbols, functions among them, by name; those of nested modules left
        out."""
        return symbol_table(self.body)

    def walk(self) -> Iterator[tuple[Operation, Span]]:
        """Returns every operation inside the module with its span, outer ones before those they contain."""
        return walk(self.body, self.start)

    def to_text(self, *, generic: bool = False, locations: bool = False) -> str:
        """MLIR's own text of the module."""
        return printer().module_text(self, generic=generic, locations=locations)

    def __str__(self) -> str:
        return self.to_text()


def check_module(module: object, hint: str) -> None:
    """Raises TypeError for what is no program."""
    if not isinstance(module, Module):
        error = TypeError(f"expected a Module, got a {type(module).__qualname__}")
        error.add_note(f"{HINT_NOTE}{hint}")
        raise error


def once_per_module(function: Callable[[Module], _T]) -> Callable[[Module], _T]:
    """Returns a function of a module that keeps its result as long as the module lives; the result must not
    refer to the module."""
    results: dict[int, tuple[weakref.ref[Module], _T]] = {}

    def result_of(module: Module) -> _T:
        key = id(module)
        cached = results.get(key)
        if cached is not None and cached[0]() is module:
            return cached[1]
        result = function(module)
        results[key] = weakref.ref(module, lambda reference: forget(key, reference)), result
        return result

    def forget(key: int, reference: weakref.ref[Module]) -> None:
        cached = results.get(key)
        if cached is not None and cached[0] is reference:
            del results[key]

    return result_of


@once_per_module
def _functions_by_name(module: Module) -> dict[str, Function]:
    return {function.name: function for function in functions_of(module.body, module.start)}


def symbol_table(region: Region) -> dict[str, Operation]:
    """Returns the operations directly in a module's region that define symbols, by name."""
    operations = (operation for block in region.blocks for operation in block.operations)
    return {name: operation for operation in operations if (name := operation.symbol)}


def functions_of(region: Region, base: int = 0) -> Iterator[Function]:
    """Yields the functions that are directly in a module's region."""
    for block in region.blocks:
        for index, operation in enumerate(block.operations):
            name, type_ = operation.symbol, function_type(operation)
            if name is not None and type_ is not None:
                yield Function(name, operation, type_, block.span(index, base))


def walk(region: Region, base: int = 0) -> Iterator[tuple[Operation, Span]]:
    """Yields every operation in a region with its span in textual order, outer ones before inner ones."""
    for block in region.blocks:
        for index, operation in enumerate(block.operations):
            span = block.span(index, base)
            yield operation, span
            for inner in operation.regions:
                yield from walk(inner, span.start)


def inner_operations(operation: Operation) -> Iterator[Operation]:
    """Yields every operation inside of another one, as `walk`."""
    return (inner for region in operation.regions for inner, _ in walk(region))


def function_type(operation: Operation) -> FunctionType | None:
    """Returns the type that a function's operation declares, None for any other one."""
    declared = operation.attribute("function_type")
    type_ = declared.value if isinstance(declared, TypeAttr) else None
    return type_ if isinstance(type_, FunctionType) else None
