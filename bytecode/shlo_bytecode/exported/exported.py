"""Files of `jax.export`: a portable artifact, and what a caller must know to call its function `main`.

A file is a FlatBuffer (the schema is that of jax/_src/export/serialization.fbs, versions 1 to 12, which only
ever appended fields). `main` takes, in this order, the platform's index where the function was lowered for
several platforms, values of dimension variables, a token for each ordered effect, and the arguments that the
function uses. `Exported.arguments` makes these of the function's own arguments.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Function, Module
from shlo.ir.types import RankedTensorType, TokenType
from shlo.support.files import Data
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.exported.flatbuffers import Buffer, PyTree, Table, read_pytree

PLATFORM_INDEX: Final = "_platform_index"

Sizes = Sequence[tuple[str, int]]
"""Sizes of arguments: as the function's signature states each (a number or an expression), and the number."""


def leading_arguments(
    function: Function, count: int, sizes: Sizes, platform: int, has_platforms: bool
) -> list[Any]:
    """Returns the first `count` arguments of a function, None for tokens.

    Args:
        function: the function `main`.
        count: how many arguments come before those of the Python function.
        sizes: the sizes of all its arguments, which dimension variables are found in.
        platform: the index of the platform.
        has_platforms: whether it was lowered for several; older programs do not say which argument is the
            index.

    Raises:
        ValueError: nothing tells what an argument is.
    """
    kinds = _global_constants(function)
    return [
        _leading(function, at, kinds[at], sizes, platform, has_platforms and at == 0) for at in range(count)
    ]


def _leading(
    function: Function, at: int, kind: str | None, sizes: Sizes, platform: int, is_first_of_several: bool
) -> Any:
    type_ = function.type.inputs[at]
    if isinstance(type_, TokenType):
        return None
    if isinstance(type_, RankedTensorType):
        if kind == PLATFORM_INDEX or (kind is None and is_first_of_several):
            return dtype_of(type_.element_type).type(platform)
        size = next((size for text, size in sizes if text == kind), None)
        if size is not None:
            return dtype_of(type_.element_type).type(size)
    raise ValueError(
        f"expected a platform index, a dimension variable or a token, got argument {at}: {type_}"
    )


def _global_constants(function: Function) -> list[str | None]:
    """Returns what `jax.global_constant` says of each argument of a function."""
    built: list[str | None] = [None] * len(function.type.inputs)
    attributes = function.operation.attribute("arg_attrs")
    entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
    for index, entry in enumerate(entries[: len(built)]):
        constants: Mapping[str, Any] = entry.as_dict() if isinstance(entry, DictionaryAttr) else {}
        kind = constants.get("jax.global_constant")
        built[index] = kind.value if isinstance(kind, StringAttr) else None
    return built


ENTRY: Final = "main"
"""The function that the calling convention is of."""
DEFAULT_PLATFORM: Final = "cpu"
ARTIFACT: Final = 13
"""The field of the schema that holds the artifact."""
ALIGNMENT: Final = 4
"""Where the length of a vector starts."""
ORDERS: Final = 16
"""How many orders of derivatives are counted at most."""

_DTYPES: Final = (
    *("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "c64", "c128"),
    *("bf16", "i4", "u4", "f8_e4m3b11fnuz", "f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz", "float0"),
    *("f8_e4m3", "f8_e3m4", "f8_e8m0fnu", "f4_e2m1fn", "key<fry>", "key<rbg>", "key<unsafe_rbg>"),
)
"""What JAX calls element types, by their number in the schema; later ones are shown by number."""


class AbstractValue(Struct, frozen=True):
    """Element type and sizes (numbers, or expressions of dimension variables) of an argument or result."""

    dtype: str
    shape: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(self.shape)}]"


class Exported(Struct, frozen=True, dict=True):
    """What a file says of its function besides the artifact, whose bytes are those from `start` to `end`.

    `kept` are the numbers of the arguments that the artifact takes; `vjp_order` is how many orders of
    derivatives the file holds, too.
    """

    function: str
    serialization_version: int
    calling_convention: int
    jax_version: str
    platforms: tuple[str, ...]
    devices: int
    in_tree: PyTree
    out_tree: PyTree
    inputs: tuple[AbstractValue, ...]
    results: tuple[AbstractValue, ...]
    kept: tuple[int, ...]
    ordered_effects: tuple[str, ...]
    unordered_effects: tuple[str, ...]
    disabled_checks: tuple[str, ...]
    vjp_order: int
    start: int
    end: int

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The path of each argument as JAX writes it: `args[0]['w']`, `kwargs['scale']`."""
        roots = ("args", "kwargs")
        paths = [path for root, part in zip(roots, self.in_tree.children) for path in part.paths(root)]
        return _names(paths, self.inputs, "args")

    @cached_property
    def result_names(self) -> tuple[str, ...]:
        """The path of each result: `result['loss']`."""
        return _names(self.out_tree.paths("result"), self.results, "result")

    def platform_index(self, platform: str | None = None) -> int:
        """Returns the index of a platform, by default that of the CPU or else the first one.

        Raises ValueError where the function was not lowered for the platform.
        """
        if platform is None:
            return self.platforms.index(DEFAULT_PLATFORM) if DEFAULT_PLATFORM in self.platforms else 0
        if platform not in self.platforms:
            platforms = ", ".join(self.platforms) or "none"
            raise ValueError(
                f"expected a platform that the function was lowered for ({platforms}), got {platform}"
            )
        return self.platforms.index(platform)

    def places(self, function: Function) -> tuple[int, ...]:
        """Returns for each kept argument its number among the arguments of `main`.

        Raises ValueError where `main` has too few.
        """
        leading = len(function.type.inputs) - len(self.kept)
        if leading < 0:
            takes = len(function.type.inputs)
            raise ValueError(
                f"expected @{function.name} with {len(self.kept)} arguments or more, got {takes}"
            )
        return tuple(range(leading, leading + len(self.kept)))

    def arguments(self, function: Function, values: Sequence[Any], platform: str | None = None) -> list[Any]:
        """Returns what `main` takes, of one value for each argument of the exported function, those that are
        not kept included (whatever they are).

        Raises ValueError where there are not as many values, for a platform that the function was not lowered
        for, and where nothing tells what an argument of `main` is.
        """
        if len(values) != len(self.inputs):
            raise ValueError(f"expected {len(self.inputs)} arguments of {self.function}, got {len(values)}")
        index = self.platform_index(platform)
        places = self.places(function)
        leading = len(function.type.inputs) - len(places)
        sizes = [
            size
            for number in self.kept
            for size in zip(self.inputs[number].shape, map(int, np.shape(values[number])))
        ]
        built = leading_arguments(function, leading, sizes, index, len(self.platforms) > 1)
        return [*built, *(values[number] for number in self.kept)]


class ExportedModule(Module, frozen=True):
    """The program of a file of `jax.export`, with what the file says of its function."""

    exported: Exported | None = None


def exported_of(module: object) -> Exported | None:
    """Returns what a file of `jax.export` says of the program that it holds, None of any other program."""
    return module.exported if isinstance(module, ExportedModule) else None


def call_arguments(
    module: Module, entry: str, values: tuple[Any, ...], platform: str | None
) -> tuple[Any, ...]:
    """Returns what a function of a program is called with: for the entry of an exported program, what
    `Exported.arguments` makes of the values.

    Raises ValueError as that does, and for a platform where there is nothing to choose.
    """
    exported = exported_of(module) if entry == ENTRY else None
    function = module.functions.get(entry)
    if exported is not None and function is not None:
        return tuple(exported.arguments(function, values, platform))
    if platform is not None:
        raise ValueError(f"expected a function of jax.export to choose a platform for, got @{entry}")
    return values


def read_exported_module(data: Data) -> ExportedModule:
    """Returns the program in a file of `jax.export`, as `shlo_bytecode.read` gives it."""
    from shlo_bytecode.reader.regions import read_module

    exported = read_exported(data)
    try:
        module = read_module(data[exported.start : exported.end])
    except BytecodeError as error:
        raise BytecodeError(error.message, exported.start + error.offset) from None
    return ExportedModule(module.operation, resources=module.resources, exported=exported)


def is_exported(data: Data) -> bool:
    """Returns whether bytes are a FlatBuffer, as far as its root table tells, which no text is."""
    if len(data) < 8 or data[3]:
        return False
    try:
        Buffer(data).root()
    except BytecodeError:
        return False
    return True


def read_exported(data: Data) -> Exported:
    """Returns what a file of `jax.export` says; raises BytecodeError with the offset of what is wrong."""
    root = Buffer(data).root()
    artifact = root.span(ARTIFACT)
    if artifact is None:
        raise BytecodeError("expected a file of jax.export, got a FlatBuffer without a module", root.at)
    unique = _abstract_values(root.tables(19))
    built = Exported(
        function=root.text(1) or "",
        serialization_version=root.number(0, 2),
        calling_convention=root.number(14, 2),
        jax_version=root.text(26) or "",
        platforms=root.texts(9),
        devices=root.number(18, 4) or root.number(6, 2),
        in_tree=read_pytree(root.table(2)),
        out_tree=read_pytree(root.table(4)),
        inputs=_values_of(root, unique, 22, 3),
        results=_values_of(root, unique, 23, 5),
        kept=root.numbers(15, 2),
        ordered_effects=tuple(_name(effect, 0) for effect in root.tables(10)),
        unordered_effects=tuple(_name(effect, 0) for effect in root.tables(11)),
        disabled_checks=tuple(_name(check, 1) or "platform" for check in root.tables(12)),
        vjp_order=_vjp_order(root),
        start=artifact[0],
        end=sum(artifact),
    )
    strange = [number for number in built.kept if number >= len(built.inputs)]
    if strange:
        raise BytecodeError(f"expected an argument below {len(built.inputs)}, got {strange[0]}", root.at)
    return built


def with_artifact(data: Data, artifact: bytes) -> bytes:
    """Returns a file of `jax.export` with another artifact. Everything else stays at its place: a longer
    artifact follows the rest of the file, and the bytes of the old one are zero. Raises BytecodeError.
    """
    buffer = bytearray(data)
    root = Buffer(data).root()
    span, offset = root.span(ARTIFACT), root.place(ARTIFACT)
    if span is None or offset is None:
        raise BytecodeError("expected a file of jax.export, got a FlatBuffer without a module", root.at)
    start, size = span
    buffer[start : start + size] = bytes(size)
    if start + size == len(buffer):
        del buffer[start:]
    elif len(artifact) > size:
        start = len(buffer) + 4 + -len(buffer) % ALIGNMENT
        buffer.extend(bytes(start - len(buffer)))
        struct.pack_into("<I", buffer, offset, start - 4 - offset)
    struct.pack_into("<I", buffer, start - 4, len(artifact))
    buffer[start : start + len(artifact)] = artifact
    return bytes(buffer)


def _values_of(
    root: Table, unique: Sequence[AbstractValue], field: int, old: int
) -> tuple[AbstractValue, ...]:
    """Returns the arguments or results: by number since version 10, written out before."""
    numbers = root.numbers(field, 4)
    if not numbers:
        return _abstract_values(root.tables(old))
    if max(numbers) >= len(unique):
        raise BytecodeError(f"expected a value below {len(unique)}, got {max(numbers)}", root.at)
    return tuple(unique[number] for number in numbers)


def _abstract_values(tables: Sequence[Table]) -> tuple[AbstractValue, ...]:
    return tuple(AbstractValue(_dtype(table), table.texts(1)) for table in tables)


def _dtype(table: Table) -> str:
    number = table.number(2, 1)
    return _DTYPES[number] if number < len(_DTYPES) else f"dtype{number}"


def _name(table: Table, field: int) -> str:
    return table.text(field) or ""


def _vjp_order(root: Table) -> int:
    order, vjp = 0, root.table(17)
    while vjp is not None and order < ORDERS:
        order, vjp = order + 1, vjp.table(17)
    return order


def _names(paths: Sequence[str], values: Sequence[AbstractValue], root: str) -> tuple[str, ...]:
    """Returns the paths, or numbers where the tree has another number of leaves than there are values."""
    if len(paths) == len(values):
        return tuple(paths)
    return tuple(f"{root}[{number}]" for number in range(len(values)))
