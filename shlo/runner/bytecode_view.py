"""A file of bytecode as a text for people to read: what its header says in comments, then its program.

Large constants are left out, and a file that is damaged gives a text that says where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from shlo.runner.errors import RequestError
from shlo.runner.errors import quoted as shortened
from shlo.runner.files import open_bytes
from shlo.text.escape import escaped
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo.support.files import Data
    from shlo.transforms.elision import LeftOut
    from shlo_bytecode.container.errors import BytecodeError
    from shlo_bytecode.container.file import Container
    from shlo_bytecode.exported.exported import Exported
    from shlo_bytecode.inspection import Inspection, Piece, TraceStep


ELIDED_ABOVE = 1 << 12
"""Constants of more bytes are left out."""
MAPPED_FROM = 1 << 26
"""Files of so many bytes are mapped. Smaller ones are read, as who writes a file in place may cut it short
while it is mapped, which ends the process."""
LONGEST_TEXT = 1 << 24
"""Texts of more characters are not shown: editors give up on them."""
DIALECTS_AT_MOST = 16


class BytecodeView(Struct, frozen=True):
    """The text, and what is wrong with the file where it could not be read to its end.

    Attributes:
        text: comments with the facts, and the program.
        damage: what is wrong with the file.
        module: the program with its locations and constants; None where the text does not show it.
        left_out: the constants that the text of the module leaves out.
    """

    text: str
    damage: BytecodeError | None = None
    module: Module | None = None
    left_out: LeftOut | None = None


def view_of(path: str) -> BytecodeView:
    """Returns the text of a file of bytecode.

    Raises RequestError for a file that cannot be opened or is none.
    """
    return view_of_bytes(open_bytes(path, MAPPED_FROM), path)


def view_of_bytes(data: Data, path: str) -> BytecodeView:
    """Returns the text of what a file of bytecode holds; raises RequestError where it is none."""
    from shlo_bytecode.container.errors import BytecodeError
    from shlo_bytecode.container.file import is_bytecode
    from shlo_bytecode.exported.exported import is_exported, read_exported

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


def _view(data: Data, path: str, export_facts: list[str]) -> BytecodeView:
    """Returns the text of bytecode, below what is said of it."""
    from shlo_bytecode.container.errors import BytecodeError
    from shlo_bytecode.container.file import open_partly

    container, damage = open_partly(data)
    facts = [*export_facts, *_facts(container)]
    if damage is None:
        try:
            return _with_program(data, facts)
        except BytecodeError as error:
            damage = error
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
    lines = [f"{kind} version{version or ' unknown'}, {len(container.data):,} bytes."]
    if container.producer:
        lines.append(f"Producer: {_literal(container.producer)}")
    if container.dialects:
        versions = dialect_versions(container)
        names = [f"{_name(dialect)} {versions.get(dialect, '')}".rstrip() for dialect in container.dialects]
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
    return "".join(character if character.isprintable() else _literal(character)[1:-1] for character in text)


# -- the program --------------------------------------------------------------------------------------------


def _with_program(data: Data, facts: list[str]) -> BytecodeView:
    """Returns the text of a program below what is said about it; raises BytecodeError."""
    import shlo_bytecode
    from shlo.transforms.elision import NUMBERED, LeftOut

    module, left_out = shlo_bytecode.read(data), LeftOut()
    text = left_out.elided(module, ELIDED_ABOVE).to_text()
    if count := len(left_out.constants):
        size = f"of more than {ELIDED_ABOVE:,} bytes"
        what = f"One constant {size} is" if count == 1 else f"{count:,} constants {size} are"
        facts = [*facts, f"{what} left out: dense_resource<{NUMBERED}0>. Converting to text writes all."]
    if len(text) > LONGEST_TEXT:
        size = f"Its text has {len(text):,} characters, too many for an editor: convert it to text."
        return BytecodeView(_comment([*facts, size]) + "\n")
    return BytecodeView(_comment(facts) + "\n" + text, None, module, left_out)


# --- facts as lines and as data -----------------------------------------------------------------------------


LISTED: Final = 10
"""How many constants are listed."""


def inspection_lines(inspection: Inspection) -> Iterator[str]:
    """Yields what an inspection found; a table with a heading for each part that has any."""
    kind = f"portable artifact of StableHLO {inspection.artifact}" if inspection.artifact else "MLIR bytecode"
    producer = escaped(inspection.producer)
    yield f"{kind}, bytecode version {inspection.version}, producer '{producer}', {inspection.size:,} bytes"
    yield f"{inspection.strings} strings{', orders of uses' if inspection.has_use_lists else ''}"
    sections = [
        (f"{section.offset:,}", f"{section.size:,}", str(section.alignment), section.name)
        for section in inspection.sections
    ]
    yield from _table("sections", ("offset", "size", "aligned", "section"), sections)
    dialects = [
        (*map(str, counts), f"{name} {inspection.dialect_versions.get(name, '')}".rstrip())
        for name, counts in inspection.dialects.items()
    ]
    yield from _table("dialects", ("operations", "attributes", "types", "dialect"), dialects)
    operations = [(f"{count:,}", name) for name, count in inspection.operations.most_common()]
    yield from _table("operations", ("count", "operation"), operations)
    if inspection.functions:
        yield from ("", f"functions: {', '.join(inspection.functions)}")
    constants = [
        (f"{constant.offset:,}", f"{constant.size:,}", constant.what)
        for constant in inspection.constants[:LISTED]
    ]
    yield from _table("largest constants", ("offset", "size", "constant"), constants)
    title = "stored as text, as there is no binary form"
    yield from _table(title, ("dialect", "text"), sorted(inspection.texts))


def _table(title: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yields a table whose last column is on the left; nothing where it has no rows."""
    if not rows:
        return
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header) - 1)]
    yield from ("", title)
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths)]
        yield "  " + "  ".join([*cells, line[-1]])


# --- Facts about the function of a `jax.export` file, as lines and as data ----------------------------------


def export_lines(exported: Exported) -> list[str]:
    """Returns the facts of a file's function, a line for each. Its strings are the file's own."""
    effects = {
        "ordered effects": exported.ordered_effects,
        "unordered effects": exported.unordered_effects,
        "checks switched off": exported.disabled_checks,
    }
    writer = f" by JAX {exported.jax_version}" if exported.jax_version else ""
    return [
        f"jax.export of {exported.function}, serialization version {exported.serialization_version}{writer}, "
        f"calling convention {exported.calling_convention}",
        f"platforms: {', '.join(exported.platforms) or 'none'}; {plural(exported.devices, 'device')}",
        *(f"{title}: {', '.join(names)}" for title, names in effects.items() if names),
        f"takes {exported.in_tree}",
        *(
            f"  {name}: {type_}{'' if number in exported.kept else ' (not used)'}"
            for number, (name, type_) in _inputs(exported)
        ),
        f"gives {exported.out_tree}",
        *(f"  {name}: {type_}" for name, type_ in zip(exported.result_names, exported.results)),
        f"derivatives: {f'of order {exported.vjp_order}' if exported.vjp_order else 'none'}",
        f"artifact: bytes {exported.start} to {exported.end}",
    ]


def export_data(exported: Exported) -> dict[str, Any]:
    """Returns the facts of a file's function as plain data."""
    data: dict[str, Any] = asdict(exported)
    data["in_tree"], data["out_tree"] = str(exported.in_tree), str(exported.out_tree)
    data["inputs"] = [
        {"name": name, "type": str(type_), "used": number in exported.kept}
        for number, (name, type_) in _inputs(exported)
    ]
    data["results"] = [
        {"name": name, "type": str(type_)} for name, type_ in zip(exported.result_names, exported.results)
    ]
    return data


def _inputs(exported: Exported) -> list[tuple[int, tuple[str, Any]]]:
    return list(enumerate(zip(exported.input_names, exported.inputs)))


# --- How a trace of attributes and types, and stretches of bytes, look on a screen --------------------------


BYTES_OF_A_LINE = 16
LINES_OF_A_PIECE = 4
"""How many lines of bytes of one piece are shown."""


def step_line(step: TraceStep, data: Data) -> str:
    """Returns the start of an attribute or type, which one it is, its first bytes, and what it is."""
    shown = data[step.start : min(step.end, step.start + BYTES_OF_A_LINE)].hex(" ")
    more = " ..." if step.end - step.start > BYTES_OF_A_LINE else ""
    form = "" if step.is_binary else " (text)"
    return f"{step.start:>8}  {step.kind} {step.number} {step.dialect}{form}  [{shown}{more}]  {step.what}"


def piece_lines(piece: Piece, data: Data) -> list[str]:
    """Returns the first bytes of a piece, sixteen a line, and what it is beside the first line."""
    last = min(piece.end, piece.start + BYTES_OF_A_LINE * LINES_OF_A_PIECE)
    lines: list[str] = []
    what = piece.what
    for at in range(piece.start, last, BYTES_OF_A_LINE):
        shown = data[at : min(at + BYTES_OF_A_LINE, last)].hex(" ")
        lines.append(f"{at:08x}  {shown:{3 * BYTES_OF_A_LINE - 1}}  {what}".rstrip())
        what = ""
    if piece.end > last:
        lines.append(f"{'':8}  ... {piece.end - last:,} bytes more")
    return lines
