"""Subcommands as their parsers describe them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from msgspec import Struct

from shlo.cli.commands import COMMANDS, Command, find_command, front_ends
from shlo.command_line.options import OptionParser

_DEFAULT_OF_ARGPARSE = " (default: %(default)s)"
"""What Python 3.11 and 3.12 add to the help of `BooleanOptionalAction`."""


class Argument(Struct, frozen=True):
    """An option, or a positional argument, which has no flags.

    Attributes:
        flags: `-o`, `--output`; empty for a positional argument.
        value: the placeholder of its value in help, empty for an option that takes none.
        choices: the values that it takes, where these are few.
        help: what it is for, one line.
        is_repeated: whether it takes any number of values.
        is_required: whether the command needs it.
    """

    flags: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    help: str
    is_repeated: bool
    is_required: bool


class CommandHelp(Struct, frozen=True):
    """A subcommand: a line about it, its description, its examples and its arguments."""

    name: str
    summary: str
    description: str
    examples: tuple[tuple[str, str], ...]
    options: tuple[Argument, ...]
    positionals: tuple[Argument, ...]

    @property
    def synopsis(self) -> str:
        """How the command is called: `shlo check [OPTION]... FILE...`."""
        words = [f"shlo {self.name}", "[OPTION]..."]
        for each in self.positionals:
            word = f"{each.value}..." if each.is_repeated else each.value
            words.append(word if each.is_required else f"[{word}]")
        return " ".join(words)


def commands_help() -> list[CommandHelp]:
    """Returns all subcommands by name, those of other distributions included."""
    found = sorted((COMMANDS | front_ends()).items())
    return [command_help(name, summary) for name, summary in found]


def command_help(name: str, summary: str = "", command: Command | None = None) -> CommandHelp:
    """Returns a subcommand as its parser describes it, or `command` under that name. Raises ValueError where
    there is none of that name.
    """
    command = command or find_command(name)
    if command is None:
        raise ValueError(f"expected the name of a subcommand, got {name!r}")
    parser = OptionParser(f"shlo {name}")
    command.configure(parser)
    arguments = [
        _argument(action)
        for action in parser._actions  # pyright: ignore[reportPrivateUsage] # argparse has no other way
        if action.help != argparse.SUPPRESS
    ]
    return CommandHelp(
        name,
        summary,
        (parser.description or "").strip(),
        _examples(parser.epilog or ""),
        tuple(argument for argument in arguments if argument.flags),
        tuple(argument for argument in arguments if not argument.flags),
    )


def _argument(action: argparse.Action) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    return Argument(
        tuple(action.option_strings),
        _value(action, choices),
        choices,
        _help(action),
        action.nargs in ("*", "+", argparse.REMAINDER),
        not action.option_strings and action.nargs not in ("*", "?"),
    )


def _value(action: argparse.Action, choices: Sequence[str]) -> str:
    if action.nargs == 0:
        return ""
    if action.metavar is not None:
        return action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    if choices:
        return "|".join(choices)
    return action.dest.upper() if action.option_strings else action.dest


def _help(action: argparse.Action) -> str:
    text = (action.help or "").removesuffix(_DEFAULT_OF_ARGPARSE)
    return " ".join(
        (text % {"default": action.default} if "%(default)s" in text else text.replace("%%", "%")).split()
    )


def _examples(epilog: str) -> tuple[tuple[str, str], ...]:
    lines = epilog.partition("examples:\n")[2].splitlines()
    parts = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines if line.strip()]
    return tuple((command, rest[0] if rest else "") for command, *rest in parts)
