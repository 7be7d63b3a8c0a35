"""Subcommands as their parsers describe them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from shlo.cli.commands import COMMANDS, SANDBOXED, Command, find_command, front_ends
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE, INTERRUPTED
from shlo.command_line.options import OptionParser, add_common_options

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
        for positional in self.positionals:
            word = f"{positional.value}..." if positional.is_repeated else positional.value
            words.append(word if positional.is_required else f"[{word}]")
        return " ".join(words)


def commands_help() -> list[CommandHelp]:
    """Returns all subcommands by name, those of other distributions included."""
    summaries = sorted((COMMANDS | front_ends()).items())
    return [command_help(name, summary) for name, summary in summaries]


def command_help(name: str, summary: str = "", command: Command | None = None) -> CommandHelp:
    """Returns a subcommand as its parser describes it, or `command` under that name. Raises ValueError where
    there is none of that name.
    """
    command = command or find_command(name)
    if command is None:
        raise ValueError(f"expected the name of a subcommand, got {name!r}")
    parser = OptionParser(f"shlo {name}")
    command.configure(parser)
    add_common_options(parser, name in SANDBOXED)
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


# --- The manual page of the `shlo` command, in the macros of man(7) -----------------------------------------


ENVIRONMENT = (
    ("NO_COLOR", "Set to anything, output has no colours, unless --color says always."),
    ("FORCE_COLOR", "Set to anything but 0, output has colours where it is no terminal, too."),
    ("SHLO_TRACEBACK", "Set to anything, an internal error shows Python's traceback."),
)
EXIT_CODES = (
    (str(FINE), "All is fine."),
    (str(FINDINGS), "The program has faults."),
    (str(COULD_NOT), "The request could not be carried out."),
    (str(INTERRUPTED), "Control-C ended the command."),
)


def man_page(commands: Sequence[CommandHelp], version: str) -> str:
    """Returns the page for section 1: every subcommand with its options and examples."""
    return "\n".join(_lines(commands, version)) + "\n"


def _lines(commands: Sequence[CommandHelp], version: str) -> Iterator[str]:
    yield f'.TH SHLO 1 "" "shlo {version}" "User Commands"'
    yield from (".SH NAME", r"shlo \- tools for StableHLO programs")
    yield from (".SH SYNOPSIS", r".B shlo", r".I COMMAND", r"[\fIOPTION\fR]... [\fIARGUMENT\fR]...")
    yield from (".SH DESCRIPTION", "Reads, checks, runs, compares, converts and debugs StableHLO programs.")
    yield "A program is a file of MLIR text, MLIR bytecode, or what jax.export serialised;"
    yield r"\- is standard input; FILE.py:FUNCTION is a function that JAX lowers."
    yield ".SH COMMANDS"
    for command in commands:
        yield from _command(command)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield from (".TP", code, meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in ENVIRONMENT:
        yield from (".TP", rf"\fB{name}\fR", meaning)


def _command(command: CommandHelp) -> Iterator[str]:
    yield from (f".SS {_text(command.synopsis)}",)
    for paragraph in command.description.split("\n\n"):
        yield from (_line(" ".join(paragraph.split())), ".PP")
    for argument in (*command.positionals, *command.options):
        yield from (".TP", _head(argument), _line(argument.help or "See above."))
    if command.examples:
        yield from (".PP", "Examples:")
        for example, meaning in command.examples:
            yield from (".TP", rf"\fB{_text(example)}\fR", _line(meaning))


def _head(argument: Argument) -> str:
    if not argument.flags:
        return rf"\fI{_text(argument.value)}\fR"
    flags = ", ".join(rf"\fB{_text(flag)}\fR" for flag in argument.flags)
    return rf"{flags} \fI{_text(argument.value)}\fR" if argument.value else flags


def _line(text: str) -> str:
    """Returns a line of running text: a dot or an apostrophe at its start would be a request."""
    escaped = _text(text)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _text(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
