"""All keys of the debugger, in one table: bindings, footer, help and command palette are made from it.

Where pudb and gdb agree on a letter it means the same here; its capital does the same backwards.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding

_COMMAND: Final = re.compile(r"(?:command|to_cursor)\('([a-z-]+)")

_COMMANDS: Final = {
    "ask('step')": "goto",
    "toggle_breakpoint": "break",
    "find": "find",
    "outline": "outline",
    "difference": "diff",
    "ask('line')": "list",
    "wait_graph": "waits",
    "messages": "channels",
    "compare": "compare",
    "sources": "provenance",
    "blame": "blame",
    "process(1)": "process",
    "quit": "quit",
    "help": "help",
}
"""Commands of actions that are not named after them."""


class KeyRow(Struct, frozen=True):
    """A row of the table: the keys, the action, a word for the footer (empty: not there), what it does.
    `pane` names the pane that must have the focus, empty for all.
    """

    keys: tuple[str, ...]
    action: str
    word: str
    help: str
    pane: str = ""
    is_priority: bool = False

    @property
    def command(self) -> str:
        """The debugger's command that does the same; empty where there is none."""
        match = _COMMAND.match(self.action)
        return _COMMANDS.get(self.action, "") if match is None else match[1]

    @property
    def binding(self) -> Binding:
        """The key as Textual knows it."""
        return Binding(
            ",".join(self.keys),
            self.action,
            self.word or self.help,
            show=bool(self.word),
            key_display=shown(self.keys[0]),
            priority=self.is_priority,
        )


GROUPS: Final[tuple[tuple[str, tuple[KeyRow, ...]], ...]] = (
    (
        "Forwards, and the same backwards",
        (
            KeyRow(("n",), "command('next')", "next", "next: take the operation as a whole"),
            KeyRow(("N",), "command('reverse-next')", "back", "back over the operation before"),
            KeyRow(("s",), "command('step')", "step", "step: into regions and functions"),
            KeyRow(("S",), "command('reverse-step')", "", "one step back"),
            KeyRow(("f", "r"), "command('finish')", "finish", "finish the region or function"),
            KeyRow(("F", "R"), "command('reverse-finish')", "", "back to where it was entered"),
            KeyRow(("c",), "command('continue')", "cont", "continue to a breakpoint or the end"),
            KeyRow(("C",), "command('reverse-continue')", "", "back to a breakpoint or the beginning"),
            KeyRow(
                ("t",),
                "to_cursor('until')",
                "",
                "run to the line of the cursor, of Python where that has the focus",
            ),
            KeyRow(("T",), "to_cursor('reverse-until')", "", "back to the line of the cursor"),
            KeyRow(
                ("exclamation_mark", "x"),
                "command('nonfinite')",
                "NaN",
                "to where the next NaN or Inf was made",
            ),
            KeyRow(("X",), "command('reverse-nonfinite')", "", "back to the NaN or Inf before"),
            KeyRow(("W",), "blame", "", "what made the NaN or Inf, as a tree; Enter goes there"),
            KeyRow(("o",), "origin", "", "go to where the chosen value was bound"),
            KeyRow(("G",), "ask('step')", "", "go to a step by its number"),
            KeyRow(("ctrl+r",), "command('restart')", "", "restart: go to step 0"),
        ),
    ),
    (
        "Breakpoints and places",
        (
            KeyRow(("b",), "toggle_breakpoint", "break", "breakpoint on the cursor's line, on or off"),
            KeyRow(("B",), "breakpoints", "", "list of breakpoints"),
            KeyRow(("u",), "command('up')", "", "look at the frame outside"),
            KeyRow(("d",), "command('down')", "", "look at the frame inside"),
            KeyRow(("h",), "home", "", "show the current operation"),
            KeyRow(
                ("slash",),
                "find",
                "find",
                "find a scope or text; in the values pane a value",
            ),
            KeyRow(("full_stop",), "find_next(1)", "", "next match"),
            KeyRow(("comma",), "find_next(-1)", "", "match before"),
            KeyRow(("g",), "ask('line')", "", "go to a line"),
            KeyRow(("colon",), "ask('command')", "", "command prompt; :help lists the commands"),
        ),
    ),
    (
        "Tensor",
        (
            KeyRow(
                ("right_square_bracket",), "tensor('slice_by', 1)", "", "next slice along the chosen axis"
            ),
            KeyRow(
                ("left_square_bracket",), "tensor('slice_by', -1)", "", "slice before along the chosen axis"
            ),
            KeyRow(
                ("right_curly_bracket",), "tensor('choose_axis', 1)", "", "choose the next axis to move along"
            ),
            KeyRow(
                ("left_curly_bracket",),
                "tensor('choose_axis', -1)",
                "",
                "choose the axis before to move along",
            ),
            KeyRow(("a",), "tensor('turn')", "", "show another pair of axes"),
            KeyRow(("p",), "tensor('transpose')", "", "exchange rows and columns"),
            KeyRow(("v",), "tensor('next_view')", "", "numbers, heat map, histogram, or all"),
            KeyRow(("at",), "ask('element')", "", "go to an element by its index"),
            KeyRow(("asterisk",), "next_mark", "", "next NaN or Inf in the tensor"),
            KeyRow(("D",), "difference", "", "compare the chosen value with another"),
            KeyRow(
                ("O",), "sources", "", "what made the element under the cursor; Enter goes a step further"
            ),
            KeyRow(("l",), "follow", "", "look at the last result again, and follow"),
        ),
    ),
    (
        "Panes",
        (
            KeyRow(("tab",), "app.focus_next", "", "next pane"),
            KeyRow(("shift+tab",), "app.focus_previous", "", "pane before"),
            KeyRow(("1",), "pane('source')", "", "source"),
            KeyRow(("2",), "pane('frames')", "", "frames"),
            KeyRow(("3",), "pane('values')", "", "values"),
            KeyRow(("4",), "pane('tensor')", "", "tensor"),
            KeyRow(("6",), "pane('watches')", "", "what :display shows after each step"),
            KeyRow(("7",), "python", "", "the Python that the program was made from; from there, hide it"),
            KeyRow(("8",), "outline", "", "outline of functions and scopes, shown or not"),
            KeyRow(("9",), "pane('output')", "", "what the program printed"),
            KeyRow(("z",), "zoom", "zoom", "the focused pane fills the screen, or not"),
            KeyRow(("ampersand",), "ask('filter')", "", "filter the values by name, type or nan"),
            KeyRow(
                ("dollar_sign",), "sort", "", "sort the values: last first, by name, by type, largest first"
            ),
            KeyRow(("L",), "locations", "", "locations in the source, shown or folded"),
            KeyRow(("i",), "inline", "", "values at line ends, on or off"),
            KeyRow(("ctrl+t",), "dark", "", "dark or light"),
        ),
    ),
    (
        "In a pane",
        (
            KeyRow(("up", "k"), "cursor(-1)", "", "one line up", "lines"),
            KeyRow(("down", "j"), "cursor(1)", "", "one line down", "lines"),
            KeyRow(("pageup",), "page(-1)", "", "one page up", "lines"),
            KeyRow(("pagedown",), "page(1)", "", "one page down", "lines"),
            KeyRow(("home",), "edge(-1)", "", "first line", "lines"),
            KeyRow(("end",), "edge(1)", "", "last line", "lines"),
            KeyRow(("left",), "sideways(-1)", "", "to the left", "lines"),
            KeyRow(("right",), "sideways(1)", "", "to the right", "lines"),
            KeyRow(("enter",), "choose", "", "look at the line's value or frame", "lines"),
        ),
    ),
    (
        "Debugger",
        (
            KeyRow(("question_mark", "f1"), "help", "help", "this help"),
            KeyRow(("ctrl+p",), "command_palette", "", "command palette"),
            KeyRow(("ctrl+c",), "interrupt", "", "stop the program; again: quit", is_priority=True),
            KeyRow(("q",), "quit", "quit", "quit"),
        ),
    ),
)
"""The keys under the headings of the help screen."""

GRID_GROUP: Final[tuple[str, tuple[KeyRow, ...]]] = (
    "A grid of processes",
    (
        KeyRow(("m",), "command('sync')", "sync", "all processes on to their next synchronisation"),
        KeyRow(("M",), "command('reverse-sync')", "", "back to the synchronisation before"),
        KeyRow(("greater_than_sign",), "process(1)", "", "look at the next process"),
        KeyRow(("less_than_sign",), "process(-1)", "", "look at the process before"),
        KeyRow(("w",), "wait_graph", "waits", "who waits for whom, as a picture"),
        KeyRow(("e",), "messages", "", "messages in channels, infeeds and outfeeds"),
        KeyRow(("equals_sign",), "compare", "", "the chosen value in all processes, side by side"),
        KeyRow(("5",), "pane('grid')", "", "grid: arrows move, Enter looks at the process"),
    ),
)
"""What is there beside GROUPS where a grid is debugged."""

KEYS: Final = tuple(key for _, keys in GROUPS for key in keys)

QUIET: Final = ("finish", "find")
"""Spans that make room for those of a grid's keys in the footer."""

GRID_KEYS: Final = (*GRID_GROUP[1], *(replace(key, word="") for key in KEYS if key.word in QUIET))
"""The keys that are others where a grid is debugged."""

_NAMES: Final = {
    "exclamation_mark": "!",
    "slash": "/",
    "full_stop": ".",
    "comma": ",",
    "colon": ":",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "asterisk": "*",
    "dollar_sign": "$",
    "at": "@",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "equals_sign": "=",
    "ampersand": "&",
    "question_mark": "?",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "escape": "Esc",
}


def shown(key: str) -> str:
    """Returns a key as it is written for people: `!`, `Ctrl-R`."""
    if key in _NAMES:
        return _NAMES[key]
    modifier, plus, letter = key.rpartition("+")
    if plus:
        return f"{modifier.title()}-{letter.title()}"
    return key if len(key) == 1 else key.title()


def bindings(pane: str = "", keys: tuple[KeyRow, ...] = KEYS) -> list[Binding]:
    """Returns the keys of a pane, or of the whole screen, as Textual knows them."""
    return [key.binding for key in keys if key.pane == pane]
