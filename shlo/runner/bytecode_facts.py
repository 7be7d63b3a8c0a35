"""What is in bytecode, as lines of text: versions, sections, operations, constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict

from shlo.text.escape import escaped
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.support.files import Data
    from shlo_bytecode.exported.exported import Exported
    from shlo_bytecode.inspection import Inspection, Piece, Step


LISTED: Final = 10
"""How many constants are listed."""


def inspection_lines(found: Inspection) -> Iterator[str]:
    """Yields what an inspection found; a table with a heading for each part that has any."""
    kind = f"portable artifact of StableHLO {found.artifact}" if found.artifact else "MLIR bytecode"
    producer = escaped(found.producer)
    yield f"{kind}, bytecode version {found.version}, producer '{producer}', {found.size:,} bytes"
    yield f"{found.strings} strings{', orders of uses' if found.has_use_lists else ''}"
    sections = [
        (f"{place.offset:,}", f"{place.size:,}", str(place.alignment), place.name) for place in found.sections
    ]
    yield from _table("sections", ("offset", "size", "aligned", "section"), sections)
    dialects = [
        (*map(str, counts), f"{name} {found.dialect_versions.get(name, '')}".rstrip())
        for name, counts in found.dialects.items()
    ]
    yield from _table("dialects", ("operations", "attributes", "types", "dialect"), dialects)
    operations = [(f"{count:,}", name) for name, count in found.operations.most_common()]
    yield from _table("operations", ("count", "operation"), operations)
    if found.functions:
        yield from ("", f"functions: {', '.join(found.functions)}")
    constants = [
        (f"{constant.offset:,}", f"{constant.size:,}", constant.what) for constant in found.constants[:LISTED]
    ]
    yield from _table("largest constants", ("offset", "size", "constant"), constants)
    title = "stored as text, as there is no binary form"
    yield from _table(title, ("dialect", "text"), sorted(found.texts))


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


def step_line(step: Step, data: Data) -> str:
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
