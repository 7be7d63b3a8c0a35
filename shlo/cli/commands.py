"""The subcommands: those of this package, and those that installed front ends add.

A subcommand is a module, or any object, with two functions: `configure(parser)` adds its options to an
argparse parser, `execute(options, console)` carries it out and gives the exit code. A front end registers
one as an entry point of the group `shlo.commands`; its `SUMMARY` is the line about it in the help. It loads
for that line, so it imports what is heavy in `execute`. `HAS_EVENT_LOOP = True` leaves SIGINT to it. Its
`checks()`, where it has one, are what `shlo doctor` shows of it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from shlo.command_line.console import Console
from shlo.support.entry_points import entry_points_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "shlo.commands"


class Command(Protocol):
    """What carries out a subcommand."""

    def configure(self, parser: ArgumentParser) -> None:
        """Adds the options of the subcommand."""
        ...

    def execute(self, options: Namespace, console: Console) -> int:
        """Runs the subcommand; returns its exit code."""
        ...


_READING, _RUNNING = "read a program", "run and debug"
_CHANGING, _TESTING = "change a program", "test a compiler"
_SERVING, _INSTALLING = "serve editors, notebooks and agents", "set up"

_ROWS = (
    (_READING, "programs", "check", "read programs and report what is wrong with them"),
    (_READING, "programs", "cost", "count the FLOPs, bytes and memory of a program"),
    (_READING, "programs", "graph", "draw a program's operations by scope, or write them for other viewers"),
    (_READING, "programs", "inspect", "show what is in a file of bytecode, even a damaged one"),
    (_READING, "programs", "list", "list the programs of a folder, such as JAX's dumps, or search them"),
    (_READING, "programs", "ops", "list the operations, or show all about one"),
    (_RUNNING, "runs", "run", "run a function of a program and print its results"),
    (_RUNNING, "runs", "why", "find why a program gives NaN, wrong numbers or nothing"),
    (_RUNNING, "runs", "diff", "find where two runs diverge, or what differs between two programs"),
    (_RUNNING, "runs", "show", "write a recording as a page that steps through it"),
    (_RUNNING, "runs", "test", "run test programs, which check their own results"),
    (_CHANGING, "programs", "convert", "turn text, bytecode and portable artifacts into one another"),
    (_CHANGING, "programs", "edit", "edit bytecode and portable artifacts as text, in your editor"),
    (_CHANGING, "programs", "fmt", "tidy a program's text, or print it as MLIR does"),
    (_CHANGING, "programs", "fold", "compute what constants decide, before the program runs"),
    (_CHANGING, "programs", "opt", "transform a program by passes"),
    (_CHANGING, "programs", "refine", "make a program of unknown sizes one of known sizes"),
    (_CHANGING, "programs", "retype", "give a program's arguments other types, and let everything follow"),
    (_TESTING, "runs", "conform", "judge an engine, such as your back end, by the reference"),
    (_TESTING, "runs", "fuzz", "find where engines differ on random programs"),
    (_TESTING, "runs", "reduce", "make a program smaller that shows a fault"),
    (_TESTING, "runs", "split", "write each operation of a program as a program of its own, with its values"),
    (
        _INSTALLING,
        "installation",
        "completion",
        "print a script by which a shell completes words of a command",
    ),
    (_INSTALLING, "installation", "doctor", "tell what is installed, what is missing, and what fixes it"),
    (_INSTALLING, "installation", "git", "let git compare programs by structure"),
)
"""The package's own subcommands: what they are for, the folder of `shlo/cli` that holds the module of that
name, the name, and a line about it."""

COMMANDS = {name: summary for _, _, name, summary in _ROWS}
"""A line about each of the package's own."""
_MODULES = {name: f"shlo.cli.{folder}.{name}" for _, folder, name, _ in _ROWS}
_FRONT_ENDS = {"debug": _RUNNING}
"""What the commands of other packages are for that are not there to serve."""
_OF_PROGRAMS = {name for group, _, name, _ in _ROWS if group in (_READING, _RUNNING, _CHANGING)}
SANDBOXED = frozenset(_OF_PROGRAMS - {"edit", "ops"} | _FRONT_ENDS.keys())
"""Those that read files of others, and need nothing else."""


def command_groups() -> dict[str, dict[str, str]]:
    """Returns all subcommands with a line about each, by what they are for."""
    groups: dict[str, dict[str, str]] = {
        title: {} for title in (_READING, _RUNNING, _CHANGING, _TESTING, _SERVING, _INSTALLING)
    }
    for title, _, name, summary in _ROWS:
        groups[title][name] = summary
    for name, summary in front_ends().items():
        groups[_FRONT_ENDS.get(name, _SERVING)][name] = summary
    return groups


def find_command(name: str) -> Command | None:
    """Returns the subcommand of that name, None where there is none."""
    if name in _MODULES:
        return cast("Command", import_module(_MODULES[name]))
    points = entry_points_of(ENTRY_POINT_GROUP).get(name)
    return cast("Command", points[0].load()) if points else None


def front_ends() -> dict[str, str]:
    """Returns the subcommands that other packages add, with a line about each."""
    points = entry_points_of(ENTRY_POINT_GROUP)
    return {name: _summary(points[name][0]) for name in sorted(points.keys() - COMMANDS.keys())}


def _summary(point: EntryPoint) -> str:
    try:
        return str(getattr(point.load(), "SUMMARY", "from another package"))
    except Exception as error:  # another package's fault must not take the help away
        return f"cannot be loaded: {error}"
