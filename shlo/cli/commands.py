"""The subcommands: those of this package, and those that installed front ends add.

A subcommand is a module, or any object, with two functions: `configure(parser)` adds its options to an
argparse parser, `execute(options, console)` carries it out and gives the exit code. A front end registers
one as an entry point of the group `shlo.commands`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from shlo.cli.console import Console

ENTRY_POINT_GROUP = "shlo.commands"


class Command(Protocol):
    """What carries out a subcommand."""

    def configure(self, parser: ArgumentParser) -> None: ...

    def execute(self, options: Namespace, console: Console) -> int: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A subcommand of this package: its module, and a line about it."""

    module: str
    summary: str


COMMANDS: dict[str, Entry] = {
    "check": Entry("shlo.cli.check", "read programs and report what is wrong with them"),
    "fold": Entry("shlo.cli.fold", "compute what constants decide, before the program runs"),
    "fmt": Entry("shlo.cli.fmt", "tidy a program's text, or print it as MLIR does"),
    "ops": Entry("shlo.cli.ops", "list the operations, or show all about one"),
    "test": Entry("shlo.cli.test", "run test programs, which check their own results"),
    "run": Entry("shlo.cli.run", "run a function of a program and print its results"),
}


def find_command(name: str) -> Command | None:
    """The subcommand of that name, None where there is none."""
    if name in COMMANDS:
        return cast("Command", import_module(COMMANDS[name].module))
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        return cast("Command", point.load())
    return None


def front_ends() -> list[str]:
    """The names of the subcommands that other packages add."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)} - set(COMMANDS))
