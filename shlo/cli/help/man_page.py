"""The manual page of the `shlo` command, in the macros of man(7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.cli.help.parsers import Argument, CommandHelp

ENVIRONMENT = (
    ("NO_COLOR", "Set to anything, output has no colours."),
    ("SHLO_TRACEBACK", "Set to anything, an internal error shows Python's traceback."),
)
EXIT_CODES = (
    ("0", "All is fine."),
    ("1", "The program has faults."),
    ("2", "The request could not be carried out."),
    ("130", "Control-C ended the command."),
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
