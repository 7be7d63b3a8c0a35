"""MLIR bytecode and StableHLO's portable artifacts, both ways.

    module = shlo_bytecode.read(data)  # a program, or BytecodeError
    data = shlo_bytecode.write(module, version=6)
    data = shlo_bytecode.write_artifact(module, version="1.0.0")  # or EncodingError

The format is described in `bytecode/README.md`.
"""

from __future__ import annotations

from mmap import mmap
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO

from shlo.ir.recursion import recursive
from shlo.ir.source import is_binary
from shlo.support.files import contents
from shlo_bytecode.container.errors import BytecodeError, EncodingError, Obstacle
from shlo_bytecode.container.file import is_bytecode

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo_bytecode.vhlo.versions import Consumer

__all__ = [
    "BytecodeError",
    "EncodingError",
    "Obstacle",
    "holds_program",
    "is_bytecode",
    "load",
    "read",
    "save",
    "save_artifact",
    "write",
    "write_artifact",
]

PRODUCER = "shlo"


@recursive
def write(
    module: Module,
    version: int | None = None,
    *,
    consumer: str | PathLike[str] | None = None,
    producer: str = PRODUCER,
    locations: bool = True,
) -> bytes:
    """Returns a program as MLIR bytecode of a version from 0 to 6.

    Without a version it is 4, which every jaxlib since 0.4.34 reads; 6 for a program with operations of
    unknown dialects, whose properties 4 cannot tell from other attributes. Version 6 has layouts that depend
    on the library that reads it: those of `consumer`, or else the newest.

    `consumer` is what is to read the bytes: `jaxlib==0.12.0`, `stablehlo==1.4.0`, or a file of bytecode, for
    what wrote that file. What its version lacks is refused.

    `locations` keeps where operations came from; one that comes from a text and says nothing about it gets
    its place there, as from MLIR's tools. `producer` is free text. Attributes and types without a binary form
    are written as text. The module is not verified. Raises EncodingError for what the format or the consumer
    cannot hold, and ValueError for a version or a consumer that there is not.
    """
    from shlo_bytecode.writer.module import bytecode_pieces

    return b"".join(bytecode_pieces(module, version, producer, locations, _consumer(consumer)))


@recursive
def write_artifact(
    module: Module,
    version: str | None = None,
    *,
    consumer: str | PathLike[str] | None = None,
    locations: bool = True,
) -> bytes:
    """Returns a program as a portable artifact that StableHLO from a version on reads (`1.0.0`; 0.9.0 to
    1.22.0).

    Without a version it is the one that `consumer` reads (see `write`), or else 1.20.0. A jaxlib reads its
    own version of StableHLO and earlier ones (0.10.2: 1.17.0): name the oldest that shall read the file.

    StableHLO becomes VHLO as that version has it, operations of CHLO first StableHLO's. Raises EncodingError,
    whose `obstacles` say what the version cannot express and which version first can, and ValueError for a
    version or a consumer that there is not.
    """
    from shlo_bytecode.writer.module import artifact_pieces

    return b"".join(artifact_pieces(module, version, locations, _consumer(consumer)))


@recursive
def save(
    file: BinaryIO,
    module: Module,
    version: int | None = None,
    *,
    consumer: str | PathLike[str] | None = None,
    producer: str = PRODUCER,
    locations: bool = True,
) -> None:
    """Writes what `write` gives into a file, piece by piece: large constants are not copied in memory."""
    from shlo_bytecode.writer.module import add_to, bytecode_pieces

    add_to(file, bytecode_pieces(module, version, producer, locations, _consumer(consumer)))


@recursive
def save_artifact(
    file: BinaryIO,
    module: Module,
    version: str | None = None,
    *,
    consumer: str | PathLike[str] | None = None,
    locations: bool = True,
) -> None:
    """Writes what `write_artifact` gives into a file, piece by piece."""
    from shlo_bytecode.writer.module import add_to, artifact_pieces

    add_to(file, artifact_pieces(module, version, locations, _consumer(consumer)))


def _consumer(name: str | PathLike[str] | None) -> Consumer:
    from shlo_bytecode.vhlo.versions import Consumer, consumer_of

    return Consumer() if name is None else consumer_of(name)


@recursive
def read(data: bytes | bytearray | memoryview | mmap, name: str = "<bytecode>") -> Module:
    """Returns the program in MLIR bytecode of versions 0 to 6, or in a portable artifact of StableHLO 0.9.0
    to 1.22.0, whose VHLO becomes StableHLO of today; of what `jax.export` serialises an `ExportedModule`.

    Messages call the file `name`. Large constants stay views into the bytes until they are used.
    The module is not verified. Raises BytecodeError with the offset of what is wrong.
    """
    from shlo_bytecode.exported.exported import is_exported, read_exported_module
    from shlo_bytecode.reader.regions import read_module

    held = data if isinstance(data, (bytes, mmap)) else bytes(data)
    try:
        return read_exported_module(held) if is_exported(held) else read_module(held)
    except BytecodeError as error:
        raise error.named(name) from None


def holds_program(data: bytes | mmap) -> bool:
    """Returns whether bytes start as those of bytecode, an artifact or a file of `jax.export`."""
    if not is_binary(data):  # a text needs nothing more
        return False
    if is_bytecode(data):
        return True
    from shlo_bytecode.exported.exported import is_exported

    return is_exported(data)


def load(path: str | PathLike[str]) -> Module:
    """Returns the program in a file, as `read` gives it; raises OSError where the file cannot be read.

    A large file is mapped: pages that are not used are never read. It must not be changed in place while the
    module lives; replacing it by another file does no harm.
    """
    return read(contents(path), str(path))
