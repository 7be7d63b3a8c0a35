"""Programs read from files (`-`: standard input), and files of programs and arrays replaced in one step."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fsdecode
from typing import Any, BinaryIO, TextIO

from shlo import api
from shlo.ir.operations import Module
from shlo.ir.source import BYTECODE_MAGIC, Source, is_binary
from shlo.runner.errors import RequestError, UnreadableFileError, cannot_read, reason
from shlo.runner.folders import member_path, refuse_folder
from shlo.support.files import (
    MAPPED_FROM,
    ZIP_MAGIC,
    Data,
    contents,
    open_input,
    refuse_endless,
    write_atomically,
)

STANDARD_INPUT = "<stdin>"

_provided: dict[str, Callable[[], bytes]] = {}
"""What gives the bytes that paths of no files name."""


def read_bytes(path: str) -> bytes:
    """Returns what a file (`-`: standard input) holds; raises RequestError."""
    stdin = sys.stdin if path == "-" else None
    if path == "-" and stdin is None:
        raise RequestError("cannot read -: there is no standard input")
    try:
        if stdin is None:
            with open_input(path) as file:
                return file.read()
        _refuse_endless_input(stdin)
        return stdin.buffer.read()
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None


def _refuse_endless_input(stdin: TextIO) -> None:
    """Raises OSError where standard input is a device without an end, or a folder."""
    try:
        number = stdin.fileno()
    except ValueError:  # it is no file of the system
        return
    refuse_endless(os.fstat(number), is_stream=True)


@contextmanager
def provided(path: str, read: Callable[[], bytes]) -> Generator[None]:
    """Lets a path name a program that is in no file: what `read` returns. It may raise RequestError."""
    _provided[path] = read
    try:
        yield
    finally:
        del _provided[path]


def open_bytes(path: str, mapped_from: int | None = None) -> Data:
    """Returns what a file (`-`: standard input) holds; one of `mapped_from` bytes is mapped, not read.

    Raises RequestError.
    """
    if path == "-":
        return read_bytes(path)
    if path in _provided:
        return _provided[path]()
    try:
        return contents(path, MAPPED_FROM if mapped_from is None else mapped_from)
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None


def load(path: str | PathLike[str]) -> Module:
    """Returns the program in a file.

    Raises RequestError where it cannot be read, which is an OSError, too, and a FileNotFoundError where it
    does not exist; and as `parse` does.
    """
    if "\n" in fsdecode(path):
        what = "expected the path of a program, got its text"
        raise UnreadableFileError(what, "shlo.parse(TEXT) reads that")
    try:
        with open_input(path) as file:
            start = file.read(len(BYTECODE_MAGIC))
            if start == BYTECODE_MAGIC:
                import shlo_bytecode

                return shlo_bytecode.load(path)
            return api.parse(start + file.read(), str(path))
    except OSError as error:
        raise cannot_read(fsdecode(path), error) from None


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
    """Returns a file's text, or the program of a file of bytecode or of `jax.export`. `FOLDER:NAME` is the
    last program of that name in a folder. Raises RequestError.
    """
    path = member_path(path)
    refuse_folder(path)
    if path.endswith(".py") and path not in _provided:
        raise RequestError(f"expected a program, got {path}, a script", f"{path}:NAME is its function NAME")
    return program_in(open_bytes(path), _shown(path))


def parsed_program(path: str) -> Module:
    """Returns the program of a file, whether or not it is valid; raises RequestError, and ParseError of a
    text that cannot be read.
    """
    program = open_program(path)
    return api.parse(program) if isinstance(program, Source) else program


def program_in(data: str | Data, name: str = "<text>") -> Source | Module:
    """Returns a program's text, or the program of bytecode or of what `jax.export` serialises; raises
    RequestError.
    """
    if isinstance(data, str):
        return Source(data, name)
    if data[: len(ZIP_MAGIC)] == ZIP_MAGIC:
        from shlo.runner.capture import program_of_capture

        captured = program_of_capture(data, name)
        if captured is not None:
            return captured
    if is_binary(data):
        import shlo_bytecode

        if shlo_bytecode.holds_program(data):
            try:
                return shlo_bytecode.read(data, name)
            except shlo_bytecode.BytecodeError as error:
                raise RequestError(f"cannot read {error}") from None
    from shlo.syntax import decode

    return Source(decode(bytes(data)), name)


def _shown(path: str) -> str:
    if path in _provided:
        return f"{path}.mlir"  # so that no line of it is taken for one of Python
    return STANDARD_INPUT if path == "-" else path


def split_program(source: Source) -> list[Source]:
    """Returns the programs between lines `// -----` of a file; each keeps the numbers of its lines."""
    from shlo.syntax.split import part_spans

    text = source.text
    return [
        Source("\n" * text.count("\n", 0, start) + text[start:end], source.name)
        for start, end in part_spans(text)
    ]


def replace_file(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Writes a file so that it is whole or as before; raises RequestError."""
    if path in _provided:
        raise RequestError(f"{path} is a function, whose program is in no file that could be replaced")
    try:
        write_atomically(path, write)
    except (OSError, UnicodeEncodeError) as error:
        raise RequestError(f"cannot write {path}: {reason(error)}") from None


def save_arrays(path: str, arrays: Mapping[str, Any]) -> None:
    """Writes arrays by name, or the only one where the file is a `.npy`; raises RequestError.

    NumPy keeps element types of its own only; any other is saved as void and must be read back by its type.
    """
    import numpy as np

    from shlo.ir.dtypes import saveable

    saved: dict[str, Any] = {name: saveable(array) for name, array in arrays.items()}

    def write(file: BinaryIO) -> None:
        if path.lower().endswith(".npy"):
            (array,) = saved.values()
            np.save(file, array, allow_pickle=False)
        else:
            np.savez(file, **saved)  # NumPy 2.0 takes `allow_pickle` for the name of an array

    replace_file(path, write)


def check_save_path(path: str, result_count: int | None = None) -> None:
    """Raises RequestError where results cannot be saved under that name."""
    if not path.lower().endswith((".npz", ".npy")):
        raise RequestError(f"cannot save results in {path}", "give a name that ends in .npz or .npy")
    if path.lower().endswith(".npy") and result_count not in (None, 1):
        raise RequestError(
            f"cannot save {result_count} results in {path}", "save several results in a .npz file"
        )


def save_results(path: str, results: Sequence[Any]) -> None:
    """Writes the results in order, named `result_0`, `result_1`, ...; raises RequestError."""
    import numpy as np

    check_save_path(path, len(results))
    for index, result in enumerate(results):
        if not isinstance(result, (np.ndarray, np.generic)):
            raise RequestError(f"result {index} is no tensor and cannot be saved")
    save_arrays(path, {f"result_{index}": result for index, result in enumerate(results)})
