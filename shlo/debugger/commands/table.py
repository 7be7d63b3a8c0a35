"""The debugger's commands: what one types at a prompt, in a script or in a notebook.

The table COMMANDS says all there is to know about a command. What commands answer holds names and texts of
the program; where it is shown, control characters must be escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from shlo.debugger.commands.breakpoints import BREAKPOINT_COMMANDS
from shlo.debugger.commands.expressions import EXPRESSION_COMMANDS
from shlo.debugger.commands.futures import FUTURE_COMMANDS
from shlo.debugger.commands.inspect import INSPECT_COMMANDS
from shlo.debugger.commands.loops import LOOP_COMMANDS
from shlo.debugger.commands.nonfinite import NONFINITE_COMMANDS
from shlo.debugger.commands.provenance import APPLICATION_COMMANDS, PROVENANCE_COMMANDS
from shlo.debugger.commands.registry import CommandAnswer, DebuggerCommand
from shlo.debugger.commands.shadow import SHADOW_COMMANDS
from shlo.debugger.commands.spmd import GRID_COMMANDS
from shlo.debugger.commands.stepping import STEP_COMMANDS
from shlo.debugger.commands.structure import STRUCTURE_COMMANDS
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.session import Session
from shlo.debugger.text.format import messages_text
from shlo.debugger.text.format_output import output_entry_text
from shlo.ir.dtypes import Array
from shlo.text.suggest import did_you_mean

USAGE_WIDTH: Final = 30
"""How many columns help gives to what one writes."""


class Reply(Struct, frozen=True):
    """A command's answer as text (it may be empty), where the session is now, whether it ends, a tensor to
    show beside the text (see `CommandAnswer`).
    """

    text: str
    snapshot: Snapshot
    ends: bool = False
    tensor: tuple[str, Array] | None = None


class Entry(Struct, frozen=True):
    """A command of a script as it was written, and the answer; `failed` says that it is an error's. `number`
    is that of its line, from 1.
    """

    line: str
    reply: Reply
    failed: bool = False
    number: int = 0


def _help(session: Session, text: str) -> str:
    if text:
        command = find_command(text)
        return f"{_usage(command)}\n  {command.summary}\n  names: {', '.join(command.names)}"
    lines: list[str] = []
    for command in COMMANDS:
        usage = _usage(command)
        # one with much to write behind it takes two lines
        blank = "\n" + " " * USAGE_WIDTH if len(usage) >= USAGE_WIDTH else ""
        lines.append(f"{usage + blank:{USAGE_WIDTH}}{command.summary}")
    return "\n".join(lines)


COMMANDS: Final[tuple[DebuggerCommand, ...]] = (
    *STEP_COMMANDS,
    *LOOP_COMMANDS,
    *APPLICATION_COMMANDS,
    *NONFINITE_COMMANDS,
    *BREAKPOINT_COMMANDS,
    *INSPECT_COMMANDS,
    *EXPRESSION_COMMANDS,
    *PROVENANCE_COMMANDS,
    *SHADOW_COMMANDS,
    *STRUCTURE_COMMANDS,
    *FUTURE_COMMANDS,
    *GRID_COMMANDS,
    DebuggerCommand(("help", "h", "?"), "[COMMAND]", "tell what commands there are", _help, "command"),
    DebuggerCommand(("quit", "q", "exit"), "", "end the session", lambda session, text: "", ends=True),
)
"""All commands, in the order in which help shows them."""

_BY_NAME: Final = {name: command for command in COMMANDS for name in command.names}


def run_command(session: Session, line: str) -> Reply:
    """Carries a line out; an empty one, or one that begins with `#`, does nothing. Raises DebuggerError for a
    command that is unknown or cannot be carried out. What the program prints and log points say meanwhile
    comes first.
    """
    word, _, rest = line.strip().partition(" ")
    if not word or word.startswith("#"):
        return Reply("", session.snapshot)
    command = find_command(word)
    printed, message_count = session.output.total, session.breakpoints.messages.count
    answer = command.act(session, rest.strip())
    text, tensor = answer if isinstance(answer, CommandAnswer) else (answer, None)
    lines = [output_entry_text(session, entry) for entry in session.output.since(printed)]
    lines += messages_text(session, message_count)
    return Reply("\n".join((*lines, text)) if lines else text, session.snapshot, command.ends, tensor)


def run_script(session: Session, lines: Iterable[str]) -> Iterator[Entry]:
    """Carries lines out one after the other, to the first command that ends the session. A command that fails
    gives an entry that says why, and the next one goes on.
    """
    for number, line in enumerate(lines, 1):
        try:
            entry = Entry(line.strip(), run_command(session, line), number=number)
        except DebuggerError as error:
            reply = Reply(str(error), session.snapshot)
            entry = Entry(line.strip(), reply, failed=True, number=number)
        if entry.line:
            yield entry
        if entry.reply.ends:
            return


def find_command(name: str) -> DebuggerCommand:
    """Returns the command of a name; raises DebuggerError with the one that comes nearest."""
    command = _BY_NAME.get(name)
    if command is None:
        hint = did_you_mean(name, _BY_NAME, otherwise="help lists them")
        raise DebuggerError(f"there is no command {name!r}; {hint}")
    return command


def _usage(command: DebuggerCommand) -> str:
    return f"{command.name} {command.usage}".rstrip()
