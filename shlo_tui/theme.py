"""How the screen looks on a terminal: how many colours it has, whether it has more glyphs than ASCII's.

A thing is never told by its colour alone: there is a glyph, a word or a weight beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Final, Literal

from msgspec import Struct
from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.color import blend_rgb
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from shlo.runner.tensors.colormap import PALETTES

Colours = Literal["full", "few", "none"]
"""At least 256 colours; the terminal's own 16; none (NO_COLOR)."""

ANSI_THEME: Final = "ansi-dark"

DARK: Final = Theme(
    name="shlo-dark",
    primary="#5ea1ff",
    secondary="#8b98a9",
    accent="#ffb454",
    warning="#ffb454",
    error="#ff6b81",
    success="#4cc9a6",
    foreground="#c9d4e0",
    background="#0e1420",
    surface="#131b2a",
    panel="#1d2839",
    dark=True,
    variables={
        "border": "#2b3a50",
        "border-blurred": "#2b3a50",
        "footer-background": "#131b2a",
        "footer-key-foreground": "#ffb454",
        "footer-description-foreground": "#8b98a9",
        "scrollbar": "#2b3a50",
        "scrollbar-hover": "#3d5170",
        "scrollbar-active": "#5ea1ff",
        "scrollbar-background": "#0e1420",
        "scrollbar-background-hover": "#0e1420",
        "scrollbar-background-active": "#0e1420",
        "scrollbar-corner-color": "#0e1420",
    },
)

LIGHT: Final = Theme(
    name="shlo-light",
    primary="#0b5cc4",
    secondary="#566372",
    accent="#a35200",
    warning="#a35200",
    error="#b3003b",
    success="#006c53",
    foreground="#1d2733",
    background="#fbfcfe",
    surface="#f1f4f8",
    panel="#e3e9f1",
    dark=False,
    variables={"border": "#c3cedb", "border-blurred": "#c3cedb"},
)

# The name of a style, and how it looks with a dark and a light background, in 16 colours, without any.
_STYLES: Final[dict[str, tuple[str, str, str, str]]] = {
    # words of the source, as shlo.language.tokens calls them
    "comment": ("italic #6b7a8f", "italic #7a8594", "bright_black", "italic"),
    "string": ("#a5d6a7", "#2e6b34", "green", ""),
    "variable": ("#d5deea", "#1d2733", "", ""),
    "variable.definition": ("bold #ffffff", "bold #000000", "bold", "bold"),
    "function": ("#ffd479", "#8a5a00", "yellow", "bold"),
    "label": ("#ffb454", "#a35200", "yellow", ""),
    "macro": ("#c4a7ff", "#6f3fc0", "magenta", ""),
    "type": ("#5fc3d6", "#00677a", "cyan", ""),
    "number": ("#f2a97f", "#a04410", "", ""),
    "operation": ("#7fb2ff", "#0b5cc4", "blue", ""),
    "operation.defaultLibrary": ("bold #7fb2ff", "bold #0b5cc4", "bold blue", "bold"),
    "keyword": ("#d59bf6", "#8127b8", "magenta", ""),
    "property": ("#9fb3c8", "#45566a", "", ""),
    "enumMember": ("#f2a97f", "#a04410", "", ""),
    "operator": ("#8b98a9", "#566372", "", ""),
    # the source pane
    "text": ("#a9b6c6", "#3a4654", "", ""),
    "number.line": ("#4a5a70", "#9aa7b6", "bright_black", ""),
    "number.line.current": ("bold #ffb454", "bold #a35200", "bold yellow", "bold"),
    "breakpoint": ("bold #ff6b81", "bold #b3003b", "bold red", "bold"),
    "breakpoint.off": ("#8b98a9", "#566372", "bright_black", ""),
    "arrow": ("bold #ffb454", "bold #a35200", "bold yellow", "bold"),
    "frame": ("#8b98a9", "#566372", "bright_black", ""),
    "current": ("on #23344f", "on #fff0cf", "bold", "bold underline"),
    "current.line": ("on #172338", "on #fff8e8", "", ""),
    "cursor": ("on #223047", "on #dfe7f1", "reverse", "reverse"),
    "cursor.off": ("on #182233", "on #ebf0f6", "underline", "underline"),
    "match": ("black on #ffd479", "black on #ffd479", "black on yellow", "reverse"),
    "faded": ("on #0e1420", "on #fbfcfe", "dim", "dim"),
    "unused": ("italic #5b6a80", "italic #9aa5b2", "dim italic", "dim italic"),
    "error": ("underline #ff6b81", "underline #b3003b", "underline red", "underline"),
    "value": ("#7d8ea4", "#66758a", "bright_black", ""),
    "value.new": ("italic #4cc9a6", "italic #006c53", "green", "italic"),
    "alarm": ("bold #ff6b81", "bold #b3003b", "bold red", "bold reverse"),
    # panes
    "blank": ("", "", "", ""),
    "name": ("bold #ffffff", "bold #000000", "bold", "bold"),
    "dim": ("#6b7a8f", "#7a8594", "bright_black", ""),
    "accent": ("#ffb454", "#a35200", "yellow", "bold"),
    "changed": ("bold #4cc9a6", "bold #006c53", "bold green", "bold"),
    "scope": ("#4cc9a6", "#006c53", "green", ""),
    "element": ("bold black on #ffb454", "bold black on #ffb454", "reverse", "reverse"),
    "nan": ("bold #ffffff on #c2185b", "bold #ffffff on #c2185b", "bold white on red", "bold reverse"),
    "infinity": ("bold #000000 on #ffd479", "bold #000000 on #ffd479", "bold black on yellow", "reverse"),
    "bar": ("#5ea1ff", "#0b5cc4", "blue", ""),
    "track": ("#3d5170", "#9aa7b6", "bright_black", ""),
    "passed": ("#5ea1ff", "#0b5cc4", "blue", ""),
    "here": ("bold #0e1420 on #ffb454", "bold #ffffff on #a35200", "bold black on yellow", "bold reverse"),
    "cell.cursor": ("reverse", "reverse", "reverse", "reverse"),
    "edge": ("bold #ffffff on #3d5170", "bold #000000 on #c3cedb", "bold underline", "bold underline"),
    "busy": ("bold #ffb454", "bold #a35200", "bold yellow", "bold"),
}
_COLUMNS: Final = {"dark": 0, "light": 1, "few": 2, "none": 3}

RAMP: Final = " .:-=+*#%@"
"""Levels from low to high where colours cannot tell them."""


FADING: Final = 0.35
"""How far faded text is between its colour and the background's."""


@lru_cache(1024)
def faded(style: Style, background: Style) -> Style:
    """Returns a style nearer to the background; dim, where that has no colour of its own."""
    if background.bgcolor is None or style.color is None:
        return style + background
    color = style.color.get_truecolor()
    mixed = blend_rgb(color, background.bgcolor.get_truecolor(), FADING)
    return style + Style(color=RichColor.from_triplet(mixed))


class Appearance(Struct, frozen=True, dict=True):
    """What the terminal can show."""

    colours: Colours = "full"
    ascii: bool = False

    @property
    def theme(self) -> str:
        """The theme to start with."""
        return DARK.name if self.colours == "full" else ANSI_THEME

    def styles(self, dark: bool) -> dict[str, Style]:
        """Returns all styles by name."""
        variant = ("dark" if dark else "light") if self.colours == "full" else self.colours
        column = _COLUMNS[variant]
        return {name: Style.parse(variants[column]) for name, variants in _STYLES.items()}

    @cached_property
    def level_colors(self) -> dict[str, tuple[str, ...]]:
        """The colour of each level, by palette."""
        return {
            name: tuple(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colors)
            for name, colors in PALETTES.items()
        }


def appearance_of(
    environment: Mapping[str, str], encoding: str, color_system: str | None, plain: bool
) -> Appearance:
    """Returns the look for a terminal: what its environment says, the encoding of its texts, what Rich finds
    of its colours, and whether the user asked for ASCII.
    """
    if environment.get("NO_COLOR"):
        colours: Colours = "none"
    else:
        colours = "full" if color_system in ("256", "truecolor") else "few"
    return Appearance(colours, plain or not encoding.lower().replace("-", "").startswith("utf"))


_GLYPHS: Final = {
    "-": "─━┄┈╌╴╶▔▁―–—",
    "|": "│┃┆┊╎║▏▕▎▍▌▐╵",
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛╔╗╚╝",
    "=": "═",
    "#": "█▉▊▋▇▆▅▓",
    ":": "▒▃▄",
    ".": "░▂·…",
    "^": "▀▲↑",
    ">": "▶▸→❯▷",
    "<": "◀◂←❮◁",
    "v": "▼▾↓",
    "@": "◉",
    "*": "●•◆",
    "o": "○◦◇",
    "x": "×✕╳✗",
    "y": "✓",
    "_": "⎵",
    "u": "μ",
}
_TABLE: Final = {ord(glyph): plain for plain, glyphs in _GLYPHS.items() for glyph in glyphs}


def plain_text(text: str) -> str:
    """Returns the text in ASCII, as many cells wide."""
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in text)


class PlainFilter(LineFilter):
    """Puts ASCII in place of all other glyphs, whichever widget they come from."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Returns the segments with their text in ASCII."""
        return [Segment(plain_text(text), style, control) for text, style, control in segments]
