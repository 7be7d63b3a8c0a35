"""Programs read from files (`-`: standard input), and files replaced in one step."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo_bytecode.container.stream import Data

STANDARD_INPUT = "<stdin>"


def read_bytes(path: str) -> bytes:
    """Returns what a file (`-`: standard input) holds; raises RequestError."""
    stdin = sys.stdin if path == "-" else None
    if path == "-" and stdin is None:
        raise RequestError("there is no standard input")
    try:
        return stdin.buffer.read() if stdin else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot read {path}: {reason(error)}") from None


def open_bytes(path: str) -> Data:
    """Returns what a file (`-`: standard input) holds; a large file is mapped, not read.

    Raises RequestError.
    """
    from shlo_bytecode.container.file import contents

    if path == "-":
        return read_bytes(path)
    try:
        return contents(path)
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot read {path}: {reason(error)}") from None


def read_program(path: str) -> Source:
    """Returns the text of a program's file (`-`: standard input); of bytecode, MLIR's text of what it holds.

    Raises RequestError.
    """
    program = open_program(path)
    return Source(program.to_text(), _shown(path)) if isinstance(program, Module) else program


def read_module(path: str) -> Module:
    """Returns the valid program of a file (`-`: standard input); raises RequestError and ParseError."""
    from shlo.runner.validity import refuse_invalid, valid_program

    program = open_program(path)
    if isinstance(program, Source):
        return valid_program(program)
    refuse_invalid(program, _shown(path))
    return program


def open_valid(path: str, reads_mhlo: bool = False) -> Module:
    """Returns the program of a file (`-`: standard input): a text must be valid, bytecode is what a tool has
    written. Where `reads_mhlo`, operations of MHLO in a text become those of StableHLO. Raises RequestError
    and ParseError.
    """
    from shlo.runner.validity import valid_program

    program = open_program(path)
    return valid_program(program, reads_mhlo) if isinstance(program, Source) else program


def open_program(path: str) -> Source | Module:
    """Returns a file's text, or the program of a file of bytecode or of `jax.export`; raises RequestError."""
    import shlo_bytecode

    data = open_bytes(path)
    if shlo_bytecode.holds_program(data):
        return _from_bytecode(lambda: shlo_bytecode.read(data, _shown(path)))
    from shlo.syntax import decode

    return Source(decode(bytes(data)), _shown(path))


def _from_bytecode(read: Callable[[], Module]) -> Module:
    from shlo_bytecode.container.errors import BytecodeError

    try:
        return read()
    except BytecodeError as error:
        raise RequestError(f"cannot read {error}") from None


def _shown(path: str) -> str:
    return STANDARD_INPUT if path == "-" else path


def split_program(source: Source) -> list[Source]:
    """Returns the programs of a file, which lines `// -----` separate; each keeps the numbers of its
    lines."""
    from shlo.syntax.split import part_spans

    text = source.text
    return [
        Source("\n" * text.count("\n", 0, start) + text[start:end], source.name)
        for start, end in part_spans(text)
    ]


def replace_file(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Writes a file through a temporary one beside it, so it is whole or as before; what is no regular file,
    such as a pipe or a device, is written to as it is. Raises RequestError.
    """
    import tempfile

    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        return _write_into(target, path, write)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot write {path}: {reason(error)}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
        os.chmod(temporary, _mode_for(target))
        os.replace(temporary, target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RequestError(f"cannot write {path}: {reason(error)}") from None
        raise


def _write_into(target: Path, path: str, write: Callable[[BinaryIO], object]) -> None:
    try:
        with target.open("wb") as file:
            write(file)
    except OSError as error:
        raise RequestError(f"cannot write {path}: {reason(error)}") from None


def reason(error: Exception) -> str:
    """Returns why the operating system refused, in its words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _mode_for(target: Path) -> int:
    """Returns the permissions of the file that is replaced, or those that a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
