"""How a trace of attributes and types, and stretches of bytes, look on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shlo.support.files import Data
    from shlo_bytecode.inspection import Piece, Step

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
