"""Draws `docs/screenshot.svg`: what a terminal shows after a few commands.

Run it in the root of the repository, with `shlo` installed, on Linux or macOS.
"""

from __future__ import annotations

import os
import pty
import re
import shlex
from html import escape
from pathlib import Path

COMMANDS = (
    "shlo check examples/broken.mlir",
    "shlo run examples/distance.mlir '[0, 3, 0]' '[4, 0, 0]'",
    "shlo test examples/checks.mlir",
)
COLUMNS = 92
LINE, LEFT, TOP = 18, 16, 26
GLYPH = 7.8
COLOURS = {"1;31": "#e5534b", "1;32": "#57ab5a", "1;33": "#c69026", "1;36": "#39c5cf", "1": "#ffffff"}
PLAIN = "#adbac7"


def main() -> None:
    """Runs the commands and writes the picture."""
    lines: list[str] = []
    for command in COMMANDS:
        lines += [f"\x1b[1;32m$\x1b[0m {command}", *output_of(command).splitlines(), ""]
    Path("docs/screenshot.svg").write_text(picture(lines[:-1]), encoding="utf-8")


def output_of(command: str) -> str:
    """What a command writes to a terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm", COLUMNS=str(COLUMNS))
        os.execvp("shlo", shlex.split(command))
    written = b""
    while chunk := _read(terminal):
        written += chunk
    os.waitpid(process, 0)
    return re.sub(r"\x1b\[K|\r", "", written.decode())


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux's way to say that the other side has closed
        return b""


def picture(lines: list[str]) -> str:
    """The lines as SVG, in their colours."""
    width, height = round(COLUMNS * GLYPH) + 2 * LEFT, TOP + LINE * len(lines)
    rows = "\n".join(
        f'<text x="{LEFT}" y="{TOP + LINE * number}" xml:space="preserve">{_row(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="shlo in a terminal">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1c2128"/>\n'
        f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="{PLAIN}">\n'
        f"{rows}\n</g>\n</svg>\n"
    )


def _row(line: str) -> str:
    colour, parts = PLAIN, list[str]()
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            colour = COLOURS.get(piece[2:-1], PLAIN)
        elif piece:
            parts.append(f'<tspan fill="{colour}">{escape(piece)}</tspan>')
    return "".join(parts)


if __name__ == "__main__":
    main()
