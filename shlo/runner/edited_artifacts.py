"""Files of bytecode edited as the texts that `bytecode_view` makes of them.

A file keeps what it is: bytecode, a portable artifact or a file of `jax.export`, its version, its producer,
and the locations and large constants that its text leaves out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from shlo.ir.recursion import recursive
from shlo.ir.source import Source
from shlo.runner.bytecode_view import BytecodeView, view_of_bytes
from shlo.runner.conversion import refusal
from shlo.runner.errors import RequestError
from shlo.runner.files import open_bytes, replace_file
from shlo.runner.validity import valid_program

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo.support.files import Data


def edition_of(path: str) -> str | None:
    """Returns what tells a file from what it was before it was written; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}"


def save_edited(path: str, text: str, edition: str | None) -> bool:
    """Writes a file of bytecode anew from its edited text; returns whether its program has changed.

    Where only comments and blanks were edited, the file is left as it is.

    Args:
        path: the file.
        text: what its text has become.
        edition: what `edition_of` returned before the text was made.

    Raises:
        ParseError: the text is no valid program.
        RequestError: the file cannot hold it, has changed meanwhile, or cannot be written.
    """
    if edition_of(path) != edition:
        raise RequestError(f"{path} has changed since its text was made: open it again and repeat the edit")
    data = open_bytes(path)
    content = edited_bytes(data, text, path)
    if content is None:
        return False
    replace_file(path, lambda file: file.write(content))
    return True


@recursive
def edited_bytes(data: Data, text: str, path: str) -> bytes | None:
    """Returns what a file holds after an edit of its text, None where the program is the same.

    Raises ParseError and RequestError as `save_edited`.
    """
    from shlo_bytecode import is_bytecode
    from shlo_bytecode.exported.exported import read_exported, with_artifact

    view = view_of_bytes(data, path)
    if view.text == text:
        return None
    if view.module is None:
        raise RequestError(f"{path} is not shown as a program that could be edited")
    before, after = valid_program(Source(view.text, path)), valid_program(Source(text, path))
    if before.to_text() == after.to_text():
        return None
    module = _completed(view, view.module, before, after)
    if is_bytecode(data):
        return _encoded(module, data, path)
    _refuse_other_calls(view.module, module)
    exported = read_exported(data)
    return with_artifact(data, _encoded(module, data[exported.start : exported.end], path))


def _completed(view: BytecodeView, original: Module, before: Module, after: Module) -> Module:
    """Returns the edited program with the locations and constants that its text leaves out."""
    from shlo.transforms.relocation import with_locations_of

    try:
        located = with_locations_of(original, before, after)
    except ValueError as error:
        raise RequestError(f"cannot edit the text of this file: {error}") from None
    located = replace(located, diagnostics=())
    return view.left_out.restored(located) if view.left_out else located


def _encoded(module: Module, data: Data, path: str) -> bytes:
    """Returns a program in the form, of the version and by the producer of other bytecode."""
    from shlo_bytecode import EncodingError, write
    from shlo_bytecode.container.file import open_container
    from shlo_bytecode.vhlo.versions import artifact_version
    from shlo_bytecode.writer.module import artifact_pieces

    container = open_container(data)
    version, producer = container.version, container.producer
    target = artifact_version(producer)
    try:
        if target is None:
            return write(module, version, consumer=path, producer=producer)
        content = b"".join(artifact_pieces(module, target, True, keeps_chlo="chlo" in container.dialects))
    except EncodingError as error:
        raise RequestError("; ".join(refusal(error))) from None
    except ValueError as error:
        raise RequestError(str(error)) from None
    written = open_container(content).version
    if written != version:
        raise RequestError(
            f"artifacts of StableHLO {target} are in bytecode version {written}, not {version}"
        )
    return content


def _refuse_other_calls(before: Module, after: Module) -> None:
    """Raises RequestError where the function that JAX calls takes or gives other types."""
    from shlo_bytecode.exported.exported import ENTRY

    types = [
        module.functions[ENTRY].type if ENTRY in module.functions else None for module in (before, after)
    ]
    if types[0] != types[1]:
        raise RequestError(
            f"expected @{ENTRY} of type {types[0]}, as the file of jax.export says, got {types[1]}"
        )
