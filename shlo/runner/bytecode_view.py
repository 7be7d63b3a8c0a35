"""A file of bytecode as a text for people to read: what its header says in comments, then its program.

Large constants are left out, and a file that is damaged gives a text that says where.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from shlo.runner.bytecode_facts import export_lines
from shlo.runner.errors import RequestError
from shlo.runner.errors import quoted as shortened
from shlo.runner.files import open_bytes

if TYPE_CHECKING:
    from shlo.support.files import Data
    from shlo_bytecode.container.errors import BytecodeError
    from shlo_bytecode.container.file import Container

ELIDED_ABOVE = 1 << 12
"""Constants of more bytes are left out."""
MAPPED_FROM = 1 << 26
"""Files of so many bytes are mapped. Smaller ones are read, as who writes a file in place may cut it short
while it is mapped, which ends the process."""
LONGEST_TEXT = 1 << 24
"""Texts of more characters are not shown: editors give up on them."""
DIALECTS_AT_MOST = 16


class BytecodeView(Struct, frozen=True):
    """The text, and what is wrong with the file where it could not be read to its end."""

    text: str
    damage: BytecodeError | None = None


def view_of(path: str) -> BytecodeView:
    """Returns the text of a file of bytecode.

    Raises RequestError for a file that cannot be opened or is none.
    """
    from shlo_bytecode.container.errors import BytecodeError
    from shlo_bytecode.container.file import is_bytecode
    from shlo_bytecode.exported.exported import is_exported, read_exported

    data = open_bytes(path, MAPPED_FROM)
    if is_bytecode(data):
        return _view(data, path, [])
    if not is_exported(data):
        raise RequestError(f"{path} is no MLIR bytecode: it does not start with 4D 4C EF 52")
    try:
        exported = read_exported(data)
    except BytecodeError as error:
        return BytecodeView(_comment(_words_on_damage(error, path)), error)
    facts = [_plain(line) for line in export_lines(exported)]
    return _view(data[exported.start : exported.end], path, [*facts, ""])


def _view(data: Data, path: str, said: list[str]) -> BytecodeView:
    """Returns the text of bytecode, below what is said of it."""
    from shlo_bytecode.container.file import open_partly

    container, damage = open_partly(data)
    facts = [*said, *_facts(container)]
    if damage is None:
        lines, text, damage = _program(data)
        if damage is None:
            return BytecodeView(_comment([*facts, *lines]) + "\n" + text)
    return BytecodeView(_comment([*facts, *_words_on_damage(damage, path)]), damage)


# -- what is said -------------------------------------------------------------------------------------------


def _comment(lines: Iterable[str]) -> str:
    return "".join(f"// {line}".rstrip() + "\n" for line in lines)


def _facts(container: Container) -> list[str]:
    """Returns what the header says, as far as it could be read; its strings are data."""
    from shlo_bytecode.inspection import dialect_versions
    from shlo_bytecode.vhlo.versions import artifact_version

    artifact = artifact_version(container.producer)
    version = f" {container.version}" if container.version >= 0 else ""
    kind = f"Portable artifact of StableHLO {artifact}, MLIR bytecode" if artifact else "MLIR bytecode"
    lines = [f"{kind} version{version or ' unknown'}, {len(container.data):,} bytes. Read-only."]
    if container.producer:
        lines.append(f"Producer: {_literal(container.producer)}")
    if container.dialects:
        versions = dialect_versions(container)
        names = [f"{_name(each)} {versions.get(each, '')}".rstrip() for each in container.dialects]
        more = f" and {len(names) - DIALECTS_AT_MOST} more" if len(names) > DIALECTS_AT_MOST else ""
        lines.append(f"Dialects: {', '.join(names[:DIALECTS_AT_MOST])}{more}")
    return lines


def _name(text: str) -> str:
    return text if len(text) < 40 and text.isascii() and text.isidentifier() else _literal(text)


def _literal(text: str) -> str:
    """Returns a string of a file in quotes, with everything escaped that is not a plain character."""
    from shlo.syntax.lexer.strings import quoted

    return quoted(shortened(text))


def _words_on_damage(damage: BytecodeError, path: str) -> list[str]:
    name = _literal(Path(path).name)
    return [
        "",
        f"This file cannot be read. Byte {damage.offset}: {_plain(damage.message)}",
        "",
        f"`shlo inspect {name}` shows what is in it up to there: sections, operations, constants;",
        "with --trace attributes and types as they are read, with --hex the bytes and what they are.",
    ]


def _plain(text: str) -> str:
    """Returns a message on one line, whose strings of the file do nothing."""
    return "".join(each if each.isprintable() else _literal(each)[1:-1] for each in text)


# -- the program --------------------------------------------------------------------------------------------


def _program(data: Data) -> tuple[list[str], str, BytecodeError | None]:
    """Returns what there is to say about the program, its text, and what is wrong with it."""
    import shlo_bytecode
    from shlo.transforms.elision import elided

    try:
        module = shlo_bytecode.read(data)
    except shlo_bytecode.BytecodeError as error:
        return [], "", error
    module, count = elided(module, ELIDED_ABOVE)
    text = module.to_text()
    lines: list[str] = []
    if count:
        size = f"of more than {ELIDED_ABOVE:,} bytes"
        what = f"One constant {size} is" if count == 1 else f"{count:,} constants {size} are"
        lines.append(f"{what} left out: dense_resource<__elided__>. Converting to text writes all.")
    if len(text) > LONGEST_TEXT:
        lines.append(f"Its text has {len(text):,} characters, too many for an editor: convert it to text.")
        text = ""
    return lines, text, None
